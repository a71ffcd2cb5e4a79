"""Square clustering coefficients: how many of the squares that could close at a vertex do.

When to use it
    In graphs of two kinds of vertices (buyers and goods, people and films), which have no triangles.
Cost
    The sum of the squares of the degrees; all threads.
Memory
    8 bytes a vertex for each thread.
Source
    Zhang et al., "Clustering coefficient and community structure of bipartite networks", Physica A 387, 2008.

>>> import rizoma as rz
>>> g = rz.open(None)
>>> g.add_edges([("ann", "tea"), ("ann", "rum"), ("bob", "tea"), ("bob", "rum"), ("cem", "rum")])
>>> result = rz.square_clustering(g)
>>> result["ann"], result["cem"]
(0.5, 0.0)
"""

from __future__ import annotations

from .. import _core
from ..core.engines import ProgressOption
from ..graph.state import Reader, state_of
from ..results.vertex import VertexResult
from ._running import run

__all__ = ["square_clustering"]


class SquareClusteringResult(VertexResult):
    """Square clustering: `coefficient`."""

    name = "Square clustering coefficients"
    value = "coefficient"


def square_clustering(
    graph: Reader, *, threads: int | None = None, progress: ProgressOption = None
) -> SquareClusteringResult:
    """Square clustering: of the squares that the neighbours of a vertex could close, the share that exists.

    For undirected graphs (Zhang et al., 2008); in bipartite ones, which have no triangles, it says what clustering says
    in others.

    Returns:
        SquareClusteringResult: the share from 0 to 1, one value for each vertex, in the order of internal
            ids.

    Raises:
        UnsupportedError: the graph is directed.
    """
    return run(
        SquareClusteringResult,
        state_of(graph),
        lambda borrowed, view: {"coefficient": _core.square_clustering(borrowed, view)},
        threads,
        progress,
    )
