"""Strongly connected components."""

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
