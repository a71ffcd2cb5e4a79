"""Harmonic centrality: the sum of 1 / distance over all vertices that reach a vertex.

When to use it
    As closeness, and also where parts of the graph cannot reach each other: what is out of reach adds 0.  On more than
    some ten thousand vertices give ``epsilon`` or ``k``, and distances from a sample of vertices serve.
Cost
    Between one and 64 passes over the edges for each 64 vertices, or each 64 of the sample: vertices times edges at
    worst if it is exact; all threads.
Memory
    24 bytes a vertex for each thread, 48 with a sample.
Source
    Marchiori, Latora, "Harmony in the small-world", Physica A 285, 2000; searches together: Then et al., "The more
    the merrier: efficient multi-source graph traversal", VLDB 8(4), 2014.  A sample: Eppstein, Wang, "Fast
    approximation of centrality", J. Graph Algorithms Appl. 8(1), 2004.

>>> import rizoma as rz
>>> g = rz.open(None)
>>> g.add_edges([("ann", "bob"), ("ann", "cem"), ("bob", "cem"), ("cem", "dia"), ("dia", "eve")])
>>> result = rz.harmonic_centrality(g)
>>> result.top(1)
[('cem', 3.5)]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from ..core.engines import ProgressOption
from ..core.options import checked_seed
from ..graph.state import Reader, state_of
from ..results.vertex import ClosenessResult
from ._distances import distance_scores
from ._distributed import distributed
from ._running import run
from ._sampling import between_0_and_1, hoeffding, random_vertices, sample_size

__all__ = ["harmonic_centrality"]


@distributed
def harmonic_centrality(
    graph: Reader,
    k: int | None = None,
    epsilon: float | None = None,
    delta: float = 0.1,
    seed: int | None = None,
    *,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> ClosenessResult:
    """Harmonic centrality: the sum of 1 / distance; in a directed graph distances lead to the vertex.

    Args:
        graph: a Graph or a Snapshot.
        k: how many vertices to sample, whose distances stand for those of all; None: all, for exact scores.
        epsilon: instead of `k`: how far a score divided by the number of other vertices may be off, between 0 and 1.
        delta: the chance that some score is farther off than the result's `error`, between 0 and 1.
        seed: seed of the sample; None: a new one each time.

    Returns:
        ClosenessResult: `score`, one value for each vertex, in the order of internal ids; `error`: how far the
            farthest is from the exact one, with probability 1 - delta (0: they are exact).

    Raises:
        InvalidArgumentError: k is not from 1 to the number of vertices; both k and epsilon; epsilon or delta is not
            between 0 and 1.
    """
    checked_seed(seed)
    state = state_of(graph)
    delta = between_0_and_1("delta", delta)
    size = sample_size(state, k, epsilon, state.num_live, delta)
    if size is None:
        return distance_scores(state, lambda sums, _: sums["harmonic"], threads, progress)
    others = state.num_live - 1

    def kernel(borrowed: _core.Engine, view: _core.View) -> dict[str, Any]:
        sums = _core.vertex_distance_sums(borrowed, view, random_vertices(view, size, seed))
        seen = np.full(view.num_vertices, float(size))
        seen[sums["sources"]] -= 1  # the vertex itself is none of the others
        scores = sums["harmonic"] * np.divide(others, seen, out=np.zeros(len(seen)), where=seen > 0)
        error = others * hoeffding(size - 1, state.num_live, delta)
        return {"score": scores, "samples": size, "error": error, "delta": delta}

    return run(ClosenessResult, state, kernel, threads, progress)
