"""A copy of a graph as a store of its own, made while others go on reading and changing the graph."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .. import _core
from ..core.engines import ProgressFunction, engine
from ..core.errors import AlreadyExistsError
from ..graph.ids import arrow_ids, id_array
from ..graph.parallel import parallel_edges_of
from ..io.read import has_anything, new_graph
from .views import fill_from

if TYPE_CHECKING:
    from ..graph.state import Reader

__all__ = ["copy_to"]


def copy_to(
    graph: Reader,
    path: str | os.PathLike[str],
    threads: int | None = None,
    progress: ProgressFunction | bool | None = None,
) -> None:
    """Write the present state into a new store; see `Graph.copy_to`."""
    state = graph._state()
    schema = state.schema
    if has_anything(Path(path)):
        raise AlreadyExistsError(f"{path} already exists; give another path, or remove it")
    weights = None if schema.weights == _core.WeightType.none else schema.weights.name
    with new_graph(
        path,
        directed=schema.directed,
        weights=weights,
        ids=schema.ids.name,
        parallel_edges=parallel_edges_of(schema),
        self_loops=schema.self_loops.name,
        in_edges=schema.in_edges if schema.directed else None,
        edges=_spec([c for c in schema.edge_columns if weights is None or c[0] != "weight"]),
        vertices=_spec(schema.vertex_columns),
    ) as copy:
        fill_from(state, copy, order="auto", threads=threads, progress=progress)
        removed = _removed(state)
        if schema.ids == _core.IdKind.dense and len(removed):
            copy.remove_vertices(id_array(arrow_ids(state.ids_of(removed))))
    copy.close()


def _spec(columns: list[tuple[str, str, bool]]) -> dict[str, str] | None:
    """Columns as `rizoma.open` takes them."""
    return {name: kind if nullable else f"{kind} not null" for name, kind, nullable in columns} or None


def _removed(state: _core.Snapshot) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """Internal ids of removed vertices."""
    with engine() as borrowed:
        live = _core.live_vertices(state.view(borrowed))
    there = np.zeros(state.num_vertices, np.bool_)
    there[slice(None) if live is None else live] = True
    return np.flatnonzero(~there).astype(np.uint64)
