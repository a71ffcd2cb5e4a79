"""Ids of vertices as they are typed."""

from __future__ import annotations

from ..core.errors import InvalidArgumentError
from ..core.plain_numbers import are_plain_integers
from ..graph.ids import VertexKey

__all__ = ["vertex_of"]


def vertex_of(what: str, text: str, ids: str) -> VertexKey:
    """An id of a graph with this kind of ids; `what`: the option or argument, for messages."""
    if ids == "string":
        return text
    if not are_plain_integers([text]):
        raise InvalidArgumentError(f"{what} {text!r} is not an integer, as the graph's ids are: write such as 17")
    return int(text)
