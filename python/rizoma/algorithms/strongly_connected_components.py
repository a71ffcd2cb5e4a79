"""Strongly connected components: vertices that can reach each other along the edges.

When to use it
    To find cycles and feedback in directed graphs, and to order what is left: no edge leads to a component of a
    greater number.
Cost
    A few passes over the edges.  Where one component holds much of the graph, as in social networks, all threads
    find it; what is left, and graphs such as the web's or those that store no in-edges, are searched by one thread.
    Of an undirected graph, the cost is that of ``connected_components``.
Memory
    16 to 36 bytes a vertex.
Source
    Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1(2), 1972; McLendon, Hendrickson,
    Plimpton, Rauchwerger, "Finding strongly connected components in distributed graphs", J. Parallel Distrib.
    Comput. 65(8), 2005.

>>> import rizoma as rz
>>> g = rz.open(None, directed=True)
>>> g.add_edges([("ann", "bob"), ("bob", "ann"), ("bob", "cem"), ("cem", "dia"), ("dia", "cem"), ("dia", "eve")])
>>> result = rz.strongly_connected_components(g)
>>> result.count
3
>>> result["cem"] == result["dia"] != result["eve"]
True
"""

from __future__ import annotations

from .. import _core
from ..core.engines import ProgressOption
from ..graph.checkpoints import checkpoints_of
from ..graph.state import Reader, state_of
from ..results.partitions import StrongComponentsResult
from ._running import run

__all__ = ["strongly_connected_components"]


def strongly_connected_components(
    graph: Reader, *, threads: int | None = None, progress: ProgressOption = None
) -> StrongComponentsResult:
    """Strongly connected components: vertices that each reach the others along out-edges.

    Returns:
        StrongComponentsResult: the component, one value for each vertex, in the order of internal ids.

    Raises:
        CancelledError: the call was stopped.
    """
    keep = checkpoints_of(graph, "strongly_connected_components")
    return run(StrongComponentsResult, state_of(graph), _core.strong_components, threads, progress, keep=keep)
