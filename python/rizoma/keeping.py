"""Results kept as columns of the vertices of a stored graph, so that queries and other programs find them there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from .columns import core_type, vertex_schema
from .errors import InvalidArgumentError
from .graph import Graph
from .lazy_arrow import pa, pc
from .opening import open_graph

if TYPE_CHECKING:
    from .results import VertexResult

__all__ = ["keep_as_column"]


def keep_as_column(result: VertexResult, graph: Graph | str | os.PathLike[str], name: str, value: str) -> int:
    """See `rizoma.results.VertexResult.keep`."""
    table = result._table(result._rows()).select(["vertex", value])
    values = table.column(value)
    kind = core_type(pa.string() if pa.types.is_large_string(values.type) else values.type)
    if name == "vertex":
        raise InvalidArgumentError("a column of results cannot be called vertex, which the ids are: give another name")
    with _open_for_writing(graph) as opened:
        present = opened.vertex_columns
        if name not in present:
            opened.add_column(name, kind, of="vertices")
        elif vertex_schema({name: present[name]})[0][1] != kind:
            raise InvalidArgumentError(
                f"the graph has a column {name} of type {present[name]}, and these values are {kind}: give another "
                "name, or drop the column first"
            )
        there = table.filter(pc.is_valid(values)) if values.null_count else table
        kept = opened.set_vertices(there.rename_columns(["vertex", name]), vertex="vertex")
    return kept


@contextmanager
def _open_for_writing(graph: Graph | str | os.PathLike[str]) -> Iterator[Graph]:
    if isinstance(graph, Graph):
        yield graph
        return
    with open_graph(Path(graph), mode="open") as opened:
        yield opened
