"""Triangles: how many there are, and how many each vertex is part of.

When to use it
    To measure how closely a graph is knit, and to find the vertices around which it is.  ``clustering`` relates
    them to what would be possible.
Cost
    Edges times the square root of edges at worst, much less in most graphs; all threads.
Memory
    4 to 8 bytes an edge and 16 bytes a vertex.
Source
    Schank, Wagner, "Finding, counting and listing all triangles in large graphs", WEA'05; Cohen, "Graph twiddling
    in a MapReduce world", 2009.

>>> import rizoma as rz
>>> g = rz.open(None)
>>> g.add_edges([("ann", "bob"), ("ann", "cem"), ("bob", "cem"), ("cem", "dia"), ("dia", "eve")])
>>> result = rz.triangle_count(g)
>>> result.total, result["ann"], result["eve"]
(1, 1, 0)
"""

from __future__ import annotations

from .. import _core
from ..core.engines import ProgressOption
from ..graph.state import Reader, state_of
from ..results.vertex import TriangleResult
from ._distributed import distributed
from ._running import run

__all__ = ["triangle_count"]


@distributed
def triangle_count(graph: Reader, *, threads: int | None = None, progress: ProgressOption = None) -> TriangleResult:
    """Triangles in all (`total`) and of each vertex; directions, parallel edges and loops do not count.

    Returns:
        TriangleResult: `triangles`, one value for each vertex, in the order of internal ids.

    Raises:
        CancelledError: the call was stopped.
    """
    return run(TriangleResult, state_of(graph), _core.triangle_count, threads, progress)
