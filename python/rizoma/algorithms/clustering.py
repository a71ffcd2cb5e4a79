"""Clustering coefficients."""

from __future__ import annotations

from .. import _core
from ..reader import Reader
from ..results import ClusteringResult
from ._running import ProgressOption, run, state_of

__all__ = ["clustering"]


def clustering(graph: Reader, *, threads: int | None = None, progress: ProgressOption = None) -> ClusteringResult:
    """Clustering coefficients: the share of pairs of neighbours that are adjacent.

    Weights and loops do not count.  In a directed graph triangles of all directions are counted (Fagiolo).
    """
    return run(ClusteringResult, state_of(graph), _core.clustering, threads, progress)
