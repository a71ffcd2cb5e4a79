"""Harmonic centrality."""

from __future__ import annotations

from ..reader import Reader
from ..results import ClosenessResult
from ._distances import distance_scores
from ._running import ProgressOption, state_of

__all__ = ["harmonic_centrality"]


def harmonic_centrality(
    graph: Reader, *, threads: int | None = None, progress: ProgressOption = None
) -> ClosenessResult:
    """Harmonic centrality: the sum of 1 / distance; in a directed graph distances lead to the vertex."""
    return distance_scores(state_of(graph), lambda sums, _: sums["harmonic"], threads, progress)
