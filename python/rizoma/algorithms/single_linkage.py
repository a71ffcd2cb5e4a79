"""Single-linkage clusters: the components of a graph for every threshold on its weights at once, as a tree.

When to use it
    For pairs that were scored, as in record linkage and deduplication, where the threshold is to be chosen later; and
    for distances between near points.  For thresholds that are known: ``connected_components(g, thresholds=[...])``.
Cost
    Two passes over the edges, and sorting the strong ones; at worst sorting all.
Memory
    24 bytes a vertex, and 48 for each edge that is sorted at once: about two a vertex, at most eight; 40 bytes a vertex
    of the result.  So graphs may be larger than memory.
Source
    Gower, Ross, "Minimum spanning trees and single linkage cluster analysis", J. Royal Stat. Soc. C 18, 1969.

>>> import rizoma as rz
>>> g = rz.open(None, weights="float64")
>>> g.add_edges([("a", "b", 0.9), ("b", "c", 0.8), ("a", "c", 0.3), ("d", "e", 0.95), ("c", "d", 0.4)])
>>> result = rz.single_linkage(g)
>>> result.merges().column("weight").to_pylist()
[0.95, 0.9, 0.8, 0.4]
>>> result.components(0.5).count, result.components(0.4).count
(2, 1)
"""

from __future__ import annotations

from ..core.engines import ProgressOption
from ..graph.state import Reader, state_of
from ..results.linkage import SingleLinkageResult
from ._linkage import linkage_of

__all__ = ["single_linkage"]


def single_linkage(
    graph: Reader,
    weight: str = "weight",
    nearest: bool = False,
    *,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> SingleLinkageResult:
    """Single-linkage clusters, by a spanning forest of largest weight.

    `result.components(threshold)` are the connected components by the edges that reach a threshold, without another
    look at the graph; `result.merges()` is the whole tree, and `result.linkage()` the same for SciPy.

    Args:
        graph: an undirected Graph or Snapshot.
        weight: the numeric edge column that says how alike the ends of an edge are.
        nearest: weights are distances: the least merge first.

    Returns:
        SingleLinkageResult: the weight at which each vertex first merges, in the order of internal ids, and the tree.

    Raises:
        UnsupportedError: the graph is directed.
        InvalidArgumentError: `weight` is no numeric edge column; a weight is NaN.
    """
    return linkage_of(state_of(graph), weight, nearest, threads, progress)
