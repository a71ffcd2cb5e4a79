"""Paths and what lies around a vertex: shortest paths, simple paths, common neighbours."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from .. import _core
from ..core.engines import engine
from ..core.errors import InvalidArgumentError
from ..graph.ids import VertexKey, arrow_ids, find
from ..graph.state import Reader, state_of
from .match import match

__all__ = ["all_simple_paths", "common_neighbors", "shortest_path"]

_NO_VERTEX = np.iinfo(np.uint64).max
_LONGEST = 31


def _ids(state: _core.Snapshot, vertices: npt.NDArray[np.uint64]) -> list[VertexKey]:
    ids: list[VertexKey] = arrow_ids(state.ids_of(vertices)).to_pylist()
    return ids


def shortest_path(
    graph: Reader, source: VertexKey, target: VertexKey, *, threads: int | None = None
) -> list[VertexKey] | None:
    """Return the vertices of a path of fewest edges from `source` to `target`, both included; None: there is none."""
    state = state_of(graph)
    first, last = find(state, source), find(state, target)
    with engine(threads) as borrowed:
        parents = _core.bfs(borrowed, state.view(borrowed), first, -1)["parent"]
    path = [last]
    while path[-1] != first:
        before = int(parents.at(path[-1]))
        if before < 0:
            return None
        path.append(before)
    return _ids(state, np.array(path[::-1], np.uint64))


def all_simple_paths(
    graph: Reader, source: VertexKey, target: VertexKey, cutoff: int, *, threads: int | None = None
) -> Iterator[list[VertexKey]]:
    """Yield the paths from `source` to `target` that visit no vertex twice, the shorter ones first.

    `cutoff` is the greatest number of edges, 31 at most.  Of parallel edges each gives a path.
    """
    state = state_of(graph)
    find(state, source), find(state, target)
    if not 0 <= cutoff <= _LONGEST:
        raise InvalidArgumentError(f"cutoff is {cutoff}; it must be between 0 and {_LONGEST} edges")
    if source == target:
        return
    for length in range(1, cutoff + 1):
        pattern = "-->".join(f"(v{i})" for i in range(length + 1))
        ends = {"v0": source, f"v{length}": target}
        for batch in match(state, pattern, distinct="nodes", anchors=ends, threads=threads):
            yield from (list(path) for path in zip(*(c.to_pylist() for c in batch.columns), strict=True))


def common_neighbors(graph: Reader, u: VertexKey, v: VertexKey) -> list[VertexKey]:
    """Return the vertices that edges lead to from both u and v; u and v themselves do not count."""
    state = state_of(graph)
    first, second = find(state, u), find(state, v)
    shared = np.intersect1d(state.neighbors(first), state.neighbors(second))
    return _ids(state, shared[(shared != first) & (shared != second)])
