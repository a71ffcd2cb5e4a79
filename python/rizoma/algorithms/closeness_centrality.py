"""Closeness centrality: how near a vertex is to all that can reach it.

When to use it
    To find vertices from which everything is near.  In graphs of several components ``harmonic_centrality`` is the
    better choice.
Cost
    Between one and 64 passes over the edges for each 64 vertices: vertices times edges at worst; all threads.
Memory
    24 bytes a vertex for each thread.
Source
    Freeman, "Centrality in social networks", Social Networks 1, 1979; searches together: Then et al., "The more the
    merrier: efficient multi-source graph traversal", VLDB 8(4), 2014.

>>> import rizoma as rz
>>> g = rz.open(None)
>>> g.add_edges([("ann", "bob"), ("ann", "cem"), ("bob", "cem"), ("cem", "dia"), ("dia", "eve")])
>>> result = rz.closeness_centrality(g)
>>> result.top(1)
[('cem', 0.8)]
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.engines import ProgressOption
from ..graph.state import Reader, state_of
from ..results.vertex import ClosenessResult
from ._distances import distance_scores

__all__ = ["closeness_centrality"]


def closeness_centrality(
    graph: Reader,
    wf_improved: bool = True,
    *,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> ClosenessResult:
    """Closeness: 1 / the mean distance of the vertices that reach a vertex.

    In a directed graph distances lead to the vertex.

    Args:
        graph: a Graph or a Snapshot.
        wf_improved: multiply by the share of all vertices that reach the vertex (Wasserman and Faust).

    Returns:
        ClosenessResult: `score`, one value for each vertex, in the order of internal ids.

    Raises:
        CancelledError: the call was stopped.
    """

    def score(sums: dict[str, Any], vertices: int) -> npt.NDArray[np.float64]:
        others = sums["reached"].astype(float) - 1
        mean = np.divide(others, sums["sum"], out=np.zeros(len(others)), where=sums["sum"] > 0)
        share = others / (vertices - 1) if wf_improved and vertices > 1 else np.ones(len(others))
        return np.asarray(mean * share, np.float64)

    return distance_scores(state_of(graph), score, threads, progress)
