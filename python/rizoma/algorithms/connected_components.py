"""Connected components."""

from __future__ import annotations

from .. import _core
from ..partitions import ComponentsResult
from ..ranks import distributed
from ..reader import Reader
from ._running import ProgressOption, run, state_of

__all__ = ["connected_components"]


@distributed
def connected_components(
    graph: Reader, *, threads: int | None = None, progress: ProgressOption = None
) -> ComponentsResult:
    """Connected components; of a directed graph the weak ones."""
    return run(ComponentsResult, state_of(graph), _core.connected_components, threads, progress)
