"""Breadth-first search: how many steps it takes to get from one vertex to all others.

When to use it
    To find what is within reach, and how far it is in steps.  Use ``sssp`` if edges have lengths,
    ``rizoma.shortest_path`` for one path, and ``Graph.neighborhood`` for the part of the graph around a vertex.
Cost
    One pass over the edges at worst, usually much less: large levels are searched from the other side; all threads.
Memory
    16 bytes a vertex.
Source
    Beamer, Asanovic, Patterson, "Direction-optimizing breadth-first search", SC'12.

>>> import rizoma as rz
>>> g = rz.open(None)
>>> g.add_edges([("ann", "bob"), ("ann", "cem"), ("bob", "cem"), ("cem", "dia"), ("dia", "eve")])
>>> result = rz.bfs(g, "ann")
>>> result["eve"], result.depth
(3, 3)
>>> rz.bfs(g, "ann", max_depth=1).reached
3
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .. import _core
from ..core.engines import ProgressOption
from ..core.errors import InvalidArgumentError
from ..core.options import whole_number
from ..graph.checkpoints import checkpoints_of
from ..graph.ids import VertexKey, find_or_none
from ..graph.state import Reader, state_of
from ..results.vertex import BfsResult
from ._distributed import distributed
from ._running import run
from ._sources import numbers_of

__all__ = ["bfs"]


@distributed
def bfs(
    graph: Reader,
    source: VertexKey | Iterable[VertexKey],
    max_depth: int | None = None,
    *,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> BfsResult:
    """Breadth-first search along out-edges: levels and parents of the vertices reached from `source`.

    Of several sources each vertex has its level from the nearest.

    Args:
        graph: a Graph or a Snapshot.
        source: external id of the vertex to begin at, or a list of ids.
        max_depth: the largest level, in edges; None: as far as edges lead.

    Returns:
        BfsResult: `level` in edges, and `parent`, one value for each vertex, in the order of internal ids.

    Raises:
        VertexNotFoundError: `source` is not a vertex of the graph.
        InvalidArgumentError: `max_depth` is below 0.
    """
    state = state_of(graph)
    start = numbers_of(state, source)
    if isinstance(max_depth, str) and find_or_none(state, max_depth) is not None:
        raise InvalidArgumentError(
            f"max_depth is {max_depth!r}, a vertex: shortest_path(graph, source, target) has the path to one"
        )
    depth = -1 if max_depth is None else whole_number("max_depth", max_depth, 0)
    keep = checkpoints_of(graph, "bfs", source=source, max_depth=max_depth)

    def kernel(borrowed: _core.Engine, view: _core.View) -> dict[str, Any]:
        return _core.bfs(borrowed, view, start, depth)

    result = run(BfsResult, state, kernel, threads, progress, keep=keep)
    result.source = source
    return result
