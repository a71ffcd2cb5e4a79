"""Breadth-first search."""

from __future__ import annotations

from .. import _core
from ..options import whole_number
from ..ranks import distributed
from ..reader import Reader, find
from ..results import BfsResult
from ..vertex_ids import VertexKey
from ._running import ProgressOption, run, state_of

__all__ = ["bfs"]


@distributed
def bfs(
    graph: Reader,
    source: VertexKey,
    max_depth: int | None = None,
    *,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> BfsResult:
    """Breadth-first search along out-edges: levels and parents of the vertices reached from `source`."""
    state = state_of(graph)
    start = find(state, source)
    depth = -1 if max_depth is None else whole_number("max_depth", max_depth, 0)
    result = run(BfsResult, state, lambda lent, view: _core.bfs(lent, view, start, depth), threads, progress)
    result.source = source
    return result
