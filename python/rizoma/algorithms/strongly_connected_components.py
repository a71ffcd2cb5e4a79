"""Strongly connected components: vertices that can reach each other along the edges.

When to use it
    To find cycles and feedback in directed graphs, and to order what is left: no edge leads to a component of a
    greater number.
Cost
    One pass over the edges, on one thread; of an undirected graph, that of ``connected_components``.
Memory
    16 to 36 bytes a vertex.
Source
    Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1(2), 1972.

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
from ..partitions import StrongComponentsResult
from ..reader import Reader
from ._running import ProgressOption, run, state_of

__all__ = ["strongly_connected_components"]


def strongly_connected_components(
    graph: Reader, *, threads: int | None = None, progress: ProgressOption = None
) -> StrongComponentsResult:
    """Strongly connected components: vertices that each reach the others along out-edges."""
    return run(StrongComponentsResult, state_of(graph), _core.strong_components, threads, progress)
