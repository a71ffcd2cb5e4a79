"""Results kept as columns of the vertices of a stored graph, so that queries and other programs find them there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from ..core.errors import InvalidArgumentError
from ..core.lazy_arrow import pa, pc
from ..graph.column_types import core_type
from ..graph.graph import Graph
from ..graph.open import open_graph
from ..graph.open_settings import store_location
from ..graph.schema import vertex_schema

if TYPE_CHECKING:
    from .vertex import VertexResult

__all__ = ["keep_as_column"]


def keep_as_column(result: VertexResult, graph: Graph | str | os.PathLike[str], name: str, value: str) -> int:
    """See `rizoma.VertexResult.store`."""
    table = result._table(result._rows()).select(["vertex", value])
    values = table.column(value)
    kind = core_type(pa.string() if pa.types.is_large_string(values.type) else values.type)
    if not isinstance(name, str) or not name:
        raise InvalidArgumentError(f"column={name!r} is not the name of a column; give one as text")
    if name == "vertex":
        raise InvalidArgumentError(
            "a column of results cannot be called 'vertex', the name of the ids; give another name"
        )
    with _open_for_writing(graph) as opened:
        known = opened.find(table.column("vertex")) >= 0
        if len(known) > 0 and not known.any():
            raise InvalidArgumentError(
                "none of the result's vertices is in this graph; give the graph that it was computed on"
            )
        present = opened.vertex_columns
        if name not in present:
            opened.add_column(name, kind, of="vertices")
        elif vertex_schema({name: present[name]})[0][1] != kind:
            raise InvalidArgumentError(
                f"the graph has a column {name} of type {present[name]}, and these values are {kind}; give another "
                "name, or drop the column first"
            )
        # Former values must not mix with the new ones: vertices without a new value become null.
        told = table if name in present else table.filter(pc.is_valid(values))
        opened.set_vertices(told.rename_columns(["vertex", name]), vertex="vertex")
    return int(np.count_nonzero(known & pc.is_valid(values).to_numpy()))


@contextmanager
def _open_for_writing(graph: Graph | str | os.PathLike[str]) -> Iterator[Graph]:
    if isinstance(graph, Graph):
        yield graph
        return
    if not isinstance(graph, (str, os.PathLike)):
        raise InvalidArgumentError(f"a {type(graph).__name__} cannot be changed; give the graph, or its path")
    with open_graph(store_location(graph), mode="open") as opened:
        yield opened
