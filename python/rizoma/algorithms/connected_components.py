"""Connected components: which vertices hang together at all.

When to use it
    First of all: it tells whether a graph is one piece, and how large the pieces are.  Directions are ignored; see
    ``strongly_connected_components`` for those that can be reached both ways.
Cost
    Less than one pass over the edges where one component is large, one pass at worst; all threads.
Memory
    16 bytes a vertex.
Source
    Sutton, Ben-Nun, Barak, "Optimizing parallel graph connectivity computation via subgraph sampling", IPDPS'18.

>>> import rizoma as rz
>>> g = rz.open(None)
>>> g.add_edges([("ann", "bob"), ("ann", "cem"), ("bob", "cem"), ("cem", "dia"), ("dia", "eve")])
>>> g.add_edges([("fay", "gus")])
>>> result = rz.connected_components(g)
>>> result.count, result.largest
(2, 5)
>>> result["ann"] == result["eve"]
True
"""

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
