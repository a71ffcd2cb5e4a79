"""Results kept as columns of the vertices of a stored graph, so that queries and other programs find them there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from .. import _core
from ..core.display import number_of
from ..core.errors import InvalidArgumentError
from ..core.lazy_arrow import pa, pc
from ..core.read_warnings import warn_of
from ..graph.column_types import core_type
from ..graph.graph import Graph
from ..graph.open import open_graph
from ..graph.open_settings import store_location
from ..graph.schema import vertex_schema

if TYPE_CHECKING:
    from .vertex import VertexResult

__all__ = ["keep_as_column", "tell_of_others"]


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
        tell_of_others(opened._state(), result, known, "the result")
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


def tell_of_others(state: _core.Snapshot, result: VertexResult, known: npt.NDArray[np.bool_], what: str) -> None:
    """Refuse a result of another graph, of whose vertices this one has none; warn if it has some of them.

    `known`: of each vertex of the result, whether the graph has it.  Of a result of this graph some may be removed.
    """
    if known.all() or (isinstance(result._snapshot, _core.Snapshot) and state.continues(result._snapshot)):
        return
    if not known.any():
        raise InvalidArgumentError(
            f"none of the vertices of {what} is in this graph; give a result that was computed on it"
        )
    ids = result._arrow_ids if result._live is None else result._arrow_ids.take(pa.array(result._live))
    example = ids[int(np.argmin(known))].as_py()
    of = f"{number_of(int((~known).sum()), 'vertex', 'vertices')} of {what}, such as {example!r},"
    warn_of([f"{of} are not in this graph, and left out; if it is a result of another graph, compute it on this one"])


@contextmanager
def _open_for_writing(graph: Graph | str | os.PathLike[str]) -> Iterator[Graph]:
    if isinstance(graph, Graph):
        yield graph
        return
    if not isinstance(graph, (str, os.PathLike)):
        raise InvalidArgumentError(f"a {type(graph).__name__} cannot be changed; give the graph, or its path")
    with open_graph(store_location(graph), mode="open") as opened:
        yield opened
