"""Closeness centrality: how near a vertex is to all that can reach it.

When to use it
    To find vertices from which everything is near.  In graphs of several components ``harmonic_centrality`` is the
    better choice.  On more than some ten thousand vertices give ``epsilon`` or ``k``, and distances from a sample of
    vertices serve.
Cost
    Between one and 64 passes over the edges for each 64 vertices, or each 64 of the sample: vertices times edges at
    worst if it is exact; all threads.
Memory
    24 bytes a vertex for each thread, 48 with a sample.
Source
    Freeman, "Centrality in social networks", Social Networks 1, 1979; searches together: Then et al., "The more the
    merrier: efficient multi-source graph traversal", VLDB 8(4), 2014.  A sample: Eppstein, Wang, "Fast approximation
    of centrality", J. Graph Algorithms Appl. 8(1), 2004.

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

from .. import _core
from ..core.engines import ProgressOption, answers_here
from ..core.errors import UnsupportedError
from ..core.options import checked_seed
from ..graph.state import Reader, state_of
from ..results.vertex import ClosenessResult
from ._distances import distance_scores
from ._distributed import distributed
from ._running import run
from ._sampling import between_0_and_1, hoeffding, random_vertices, sample_size

__all__ = ["closeness_centrality"]


@distributed
def closeness_centrality(
    graph: Reader,
    wf_improved: bool = True,
    k: int | None = None,
    epsilon: float | None = None,
    delta: float = 0.1,
    seed: int | None = None,
    *,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> ClosenessResult:
    """Closeness: 1 / the mean distance of the vertices that reach a vertex.

    In a directed graph distances lead to the vertex.  A sample serves undirected graphs alone.

    Args:
        graph: a Graph or a Snapshot.
        wf_improved: multiply by the share of all vertices that reach the vertex (Wasserman and Faust).
        k: how many vertices to sample, whose distances stand for those of all; None: all, for exact scores.
        epsilon: instead of `k`: how far the mean distance of a vertex may be off in a connected graph, as a share of
            the largest distance there may be, between 0 and 1.
        delta: the chance that some score is farther off than the result's `error`, between 0 and 1.
        seed: seed of the sample; None: a new one each time.

    Returns:
        ClosenessResult: `score`, one value for each vertex, in the order of internal ids; `error`: how far the
            farthest is from the exact one, with probability 1 - delta (0: they are exact).

    Raises:
        InvalidArgumentError: k is not from 1 to the number of vertices; both k and epsilon; epsilon or delta is not
            between 0 and 1.
        UnsupportedError: a sample in a directed graph.
    """
    checked_seed(seed)
    state = state_of(graph)
    delta = between_0_and_1("delta", delta)
    size = sample_size(state, k, epsilon, state.num_live, delta)
    if size is None:
        return distance_scores(state, lambda sums, _: _closeness(sums, state.num_live, wf_improved), threads, progress)
    if state.schema.directed:
        raise UnsupportedError(
            "how many vertices reach a vertex of a directed graph is not known from a sample; give g.undirected(), or "
            "use harmonic_centrality"
        )

    def kernel(borrowed: _core.Engine, view: _core.View) -> dict[str, Any]:
        scores, error = _sampled(borrowed, view, random_vertices(view, size, seed), delta, wf_improved)
        return {"score": scores, "samples": size, "error": error, "delta": delta}

    return run(ClosenessResult, state, kernel, threads, progress)


def _closeness(sums: dict[str, Any], vertices: int, wf_improved: bool) -> npt.NDArray[np.float64]:
    """Scores of the vertices whose distances were summed."""
    others = sums["reached"].astype(float) - 1
    mean = np.divide(others, sums["sum"], out=np.zeros(len(others)), where=sums["sum"] > 0)
    share = others / (vertices - 1) if wf_improved and vertices > 1 else np.ones(len(others))
    return np.asarray(mean * share, np.float64)


def _sampled(
    borrowed: _core.Engine, view: _core.View, sources: npt.NDArray[np.uint64], delta: float, wf_improved: bool
) -> tuple[npt.NDArray[np.float64], float]:
    """Scores from the distances of a sample, and how far the farthest may be off.

    The part of the sample that lies in a component is a sample of it.  Distances there are at most twice the largest
    from any of the sample.  Vertices whose component has none of it, but themselves, are searched from.
    """
    components = np.asarray(_core.connected_components(borrowed, view)["component"], np.int64)
    sums = _core.vertex_distance_sums(borrowed, view, sources)
    if not answers_here():
        _core.distance_sums(borrowed, view, np.empty(0, np.uint64))  # from those that the first rank finds below
        return np.zeros(view.num_vertices), 0.0
    sources = sums["sources"]
    live = _core.live_vertices(view)
    sizes = np.bincount(components if live is None else components[live], minlength=view.num_vertices)
    others = np.maximum(sizes[components] - 1, 0).astype(float)
    seen = sums["reached"].astype(float)
    seen[sources] -= 1
    known = seen > 0
    mean = np.divide(sums["sum"], seen, out=np.ones(len(seen)), where=known)
    longest = np.minimum(2 * sums["farthest"], others)
    bound = np.zeros(len(seen))
    for k in np.unique(seen[known]).tolist():
        bound[seen == k] = hoeffding(int(k), view.num_live, delta)
    off = longest * bound
    share = others / (view.num_live - 1) if wf_improved else np.ones(len(seen))
    scores = np.where(known, share / np.maximum(mean, 1), 0.0)
    above, below = share / np.maximum(mean - off, 1) - scores, scores - share / (np.maximum(mean, 1) + off)
    error = float(np.max(np.maximum(above, below), where=known, initial=0.0))
    alone = np.flatnonzero(~known & (others > 0)).astype(np.uint64)
    exact = _core.distance_sums(borrowed, view, alone)
    scores[exact["sources"].astype(np.int64)] = _closeness(exact, view.num_live, wf_improved)
    return scores, error
