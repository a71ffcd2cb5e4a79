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

from .. import _core
from ..ranks import distributed
from ..reader import Reader
from ..results import CoreResult
from ._running import ProgressOption, run, state_of

__all__ = ["core_number"]


@distributed
def core_number(graph: Reader, *, threads: int | None = None, progress: ProgressOption = None) -> CoreResult:
    """Core numbers: the greatest k such that a vertex lies in a subgraph of least degree k.

    Self-loops do not count; in a directed graph the degree is in- plus out-degree.
    """
    return run(CoreResult, state_of(graph), _core.core_numbers, threads, progress)
