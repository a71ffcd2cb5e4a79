"""Harmonic centrality: the sum of 1 / distance over all vertices that reach a vertex.

When to use it
    As closeness, and also where parts of the graph cannot reach each other: what is out of reach adds 0.
Cost
    Between one and 64 passes over the edges for each 64 vertices: vertices times edges at worst; all threads.
Memory
    24 bytes a vertex for each thread.
Source
    Marchiori, Latora, "Harmony in the small-world", Physica A 285, 2000; searches together: Then et al., "The more
    the merrier: efficient multi-source graph traversal", VLDB 8(4), 2014.

>>> import rizoma as rz
>>> g = rz.open(None)
>>> g.add_edges([("ann", "bob"), ("ann", "cem"), ("bob", "cem"), ("cem", "dia"), ("dia", "eve")])
>>> result = rz.harmonic_centrality(g)
>>> result.top(1)
[('cem', 3.5)]
"""

from __future__ import annotations

from ..core.engines import ProgressOption
from ..graph.state import Reader, state_of
from ..results.vertex import ClosenessResult
from ._distances import distance_scores

__all__ = ["harmonic_centrality"]


def harmonic_centrality(
    graph: Reader, *, threads: int | None = None, progress: ProgressOption = None
) -> ClosenessResult:
    """Harmonic centrality: the sum of 1 / distance; in a directed graph distances lead to the vertex.

    Returns:
        ClosenessResult: `score`, one value for each vertex, in the order of internal ids.

    Raises:
        CancelledError: the call was stopped.
    """
    return distance_scores(state_of(graph), lambda sums, _: sums["harmonic"], threads, progress)
