"""Core numbers."""

from __future__ import annotations

from .. import _core
from ..reader import Reader
from ..results import CoreResult
from ._running import ProgressOption, run, state_of

__all__ = ["core_number"]


def core_number(graph: Reader, *, threads: int | None = None, progress: ProgressOption = None) -> CoreResult:
    """Core numbers: the greatest k such that a vertex lies in a subgraph of least degree k.

    Self-loops do not count; in a directed graph the degree is in- plus out-degree.
    """
    return run(CoreResult, state_of(graph), _core.core_numbers, threads, progress)
