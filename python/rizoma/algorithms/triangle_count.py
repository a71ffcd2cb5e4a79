"""Triangles."""

from __future__ import annotations

from .. import _core
from ..reader import Reader
from ..results import TriangleResult
from ._running import ProgressOption, run, state_of

__all__ = ["triangle_count"]


def triangle_count(graph: Reader, *, threads: int | None = None, progress: ProgressOption = None) -> TriangleResult:
    """Triangles in all (`total`) and of each vertex; directions, parallel edges and loops do not count."""
    return run(TriangleResult, state_of(graph), _core.triangle_count, threads, progress)
