"""Kernels about the structure of a graph: communities, cores, clustering, closeness.

As in `rizoma.algorithms`: each takes a Graph or a Snapshot, `threads` and `progress`; names and parameters
follow NetworkX where it has them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from .algorithms import ProgressOption, _run, _state_of, _weight_wanted
from .options import checked_seed, whole_number
from .partitions import CommunitiesResult, StrongComponentsResult
from .reader import Reader
from .results import ClosenessResult, ClusteringResult, CoreResult

__all__ = [
    "closeness_centrality",
    "clustering",
    "core_number",
    "harmonic_centrality",
    "louvain",
    "strongly_connected_components",
]


def louvain(
    graph: Reader,
    weight: str | None = "weight",
    resolution: float = 1,
    threshold: float = 1e-7,
    max_level: int | None = None,
    seed: int | None = None,
    *,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> CommunitiesResult:
    """Communities by the Louvain method.

    Args:
        graph: a Graph or a Snapshot; a directed one is cut by its directed modularity.
        weight: "weight": by weight, if the graph has weights (none may be negative); the name of a numeric edge
            column: by it; None: all edges alike.
        resolution: above 1 for more and smaller communities, below 1 for fewer.
        threshold: a level that gains less modularity is the last.
        max_level: at most so many levels.
        seed: of the order in which vertices move; None: another one each time.
    """
    state = _state_of(graph)
    use_weights = _weight_wanted(state, weight, must=False)
    levels = -1 if max_level is None else whole_number("max_level", max_level, 1)
    start = int(np.random.default_rng(checked_seed(seed)).integers(2**63))

    def kernel(lent: _core.Engine, view: _core.View) -> dict[str, Any]:
        return _core.louvain(lent, view, resolution, threshold, levels, start, use_weights)

    return _run(CommunitiesResult, state, kernel, threads, progress, weight)


def strongly_connected_components(
    graph: Reader, *, threads: int | None = None, progress: ProgressOption = None
) -> StrongComponentsResult:
    """Strongly connected components: vertices that each reach the others along out-edges."""
    return _run(StrongComponentsResult, _state_of(graph), _core.strong_components, threads, progress)


def core_number(graph: Reader, *, threads: int | None = None, progress: ProgressOption = None) -> CoreResult:
    """Core numbers: the greatest k such that a vertex lies in a subgraph of least degree k.

    Self-loops do not count; in a directed graph the degree is in- plus out-degree.
    """
    return _run(CoreResult, _state_of(graph), _core.core_numbers, threads, progress)


def clustering(
    graph: Reader, *, threads: int | None = None, progress: ProgressOption = None
) -> ClusteringResult:
    """Clustering coefficients: the share of pairs of neighbours that are adjacent.

    Weights and loops do not count.  In a directed graph triangles of all directions are counted (Fagiolo).
    """
    return _run(ClusteringResult, _state_of(graph), _core.clustering, threads, progress)


def closeness_centrality(
    graph: Reader,
    wf_improved: bool = True,
    *,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> ClosenessResult:
    """Closeness: 1 / the mean distance of the vertices that reach a vertex.

    `wf_improved` multiplies by the share of all vertices that reach it (Wasserman and Faust).  In a directed
    graph distances lead to the vertex.
    """

    def score(sums: dict[str, Any], vertices: int) -> npt.NDArray[np.float64]:
        others = sums["reached"].astype(float) - 1
        mean = np.divide(others, sums["sum"], out=np.zeros(len(others)), where=sums["sum"] > 0)
        share = others / (vertices - 1) if wf_improved and vertices > 1 else np.ones(len(others))
        return np.asarray(mean * share, np.float64)

    return _distance_scores(graph, score, threads, progress)


def harmonic_centrality(
    graph: Reader, *, threads: int | None = None, progress: ProgressOption = None
) -> ClosenessResult:
    """Harmonic centrality: the sum of 1 / distance; in a directed graph distances lead to the vertex."""
    return _distance_scores(graph, lambda sums, _: sums["harmonic"], threads, progress)


def _distance_scores(
    graph: Reader,
    score: Callable[[dict[str, Any], int], npt.NDArray[np.float64]],
    threads: int | None,
    progress: ProgressOption,
) -> ClosenessResult:
    """Scores made of the distances to every live vertex; 0 for removed ones."""

    def kernel(lent: _core.Engine, view: _core.View) -> dict[str, Any]:
        live = _core.live_vertices(view)
        found = score(_core.distance_sums(lent, view, live, in_edges=True), view.num_live)
        if live is None:
            return {"score": found}
        scores = np.zeros(view.num_vertices)
        scores[live] = found
        return {"score": scores}

    return _run(ClosenessResult, _state_of(graph), kernel, threads, progress)
