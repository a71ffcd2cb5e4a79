"""Core numbers: how deep in the dense middle of a graph a vertex lies.

When to use it
    To find the part of a graph that holds together, to leave out its rim before an expensive analysis, and to spot
    groups that are suspiciously dense.
Cost
    Two passes over the edges.
Memory
    16 bytes a vertex.
Source
    Kabir, Madduri, "Parallel k-core decomposition on multicore platforms", IPDPSW'17.

>>> import rizoma as rz
>>> g = rz.open(None)
>>> g.add_edges([("ann", "bob"), ("ann", "cem"), ("bob", "cem"), ("cem", "dia"), ("dia", "eve")])
>>> result = rz.core_number(g)
>>> result["ann"], result["eve"], result.greatest
(2, 1, 2)
"""

from __future__ import annotations

from typing import Any

from .. import _core
from ..core.engines import ProgressOption
from ..graph.checkpoints import checkpoints_of
from ..graph.state import Reader, state_of
from ..results.vertex import CoreResult
from ._distributed import distributed
from ._running import run

__all__ = ["core_number"]


@distributed
def core_number(graph: Reader, *, threads: int | None = None, progress: ProgressOption = None) -> CoreResult:
    """Core numbers: the largest k such that a vertex is in a subgraph of minimum degree k.

    Self-loops do not count; in a directed graph the degree is in- plus out-degree.

    Returns:
        CoreResult: `core`, one value for each vertex, in the order of internal ids.

    Raises:
        CancelledError: the call was stopped.
    """
    state = state_of(graph)
    keep = checkpoints_of(graph, "core_number")

    def kernel(borrowed: _core.Engine, view: _core.View) -> dict[str, Any]:
        return _core.core_numbers(borrowed, view)

    return run(CoreResult, state, kernel, threads, progress, keep=keep)
