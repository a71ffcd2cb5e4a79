"""Connected components: which vertices hang together at all.

When to use it
    First of all: it tells whether a graph is one piece, and how large the pieces are.  Directions are ignored; see
    ``strongly_connected_components`` for those that can be reached both ways.
Cost
    Less than one pass over the edges where one component is large, one pass at worst; all threads.
Memory
    16 bytes a vertex.
After changes
    ``connected_components(g, start=former, changed=...)`` gives the same answer from a former result: it reads the
    lists of the vertices that changed, and those of small components that have lost an edge.  It pays on large sparse
    graphs to which edges were added; elsewhere it is no faster.
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
>>> g.add_edges([("eve", "fay")])
>>> rz.connected_components(g, start=result, changed=["eve", "fay"]).largest
7
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .. import _core
from ..changes import Changes
from ..checkpoints import checkpoints_of
from ..errors import InvalidArgumentError
from ..partition_measures import labels_of
from ..partitions import ComponentsResult
from ..ranks import distributed
from ..reader import Reader
from ..vertex_ids import VertexKey
from ._arguments import changed_vertices, former_parts, same_numbers
from ._running import ProgressOption, run, state_of

__all__ = ["connected_components"]


@distributed
def connected_components(
    graph: Reader,
    start: ComponentsResult | None = None,
    changed: Iterable[VertexKey] | Changes | None = None,
    *,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> ComponentsResult:
    """Connected components; of a directed graph the weak ones.

    Args:
        graph: a Graph or a Snapshot.
        start: a former result, of another state of this graph; needs `changed`.
        changed: both ends of every edge that was added or removed since `start` was computed, the neighbours of
            removed vertices among them; one that is left out can make the answer wrong. Or what `Graph.changes` tells:
            `g.changes(since=tag)` serves if `start` is of exactly the tagged state.
    """
    state = state_of(graph)
    keep = checkpoints_of(graph, "connected_components")
    if start is None:
        if changed is not None:
            raise InvalidArgumentError("changed= is of use only with start=, a former result")

        def from_scratch(lent: _core.Engine, view: _core.View) -> dict[str, Any]:
            return _core.connected_components(lent, view, keep=keep)

        return run(ComponentsResult, state, from_scratch, threads, progress, keeps=True)
    if not isinstance(start, ComponentsResult):
        raise InvalidArgumentError(f"start= is a former result of connected_components, not {type(start).__name__}")
    if changed is None:
        raise InvalidArgumentError("start= needs changed=, the ends of the edges that were added or removed since")
    numbers = changed_vertices(state, changed, start)
    same = same_numbers(state, start)
    names = former_parts(state, start) if same else labels_of(state, start, "start", must=False)

    def kernel(lent: _core.Engine, view: _core.View) -> dict[str, Any]:
        former = start._snapshot
        before = former.view(lent) if same and isinstance(former, _core.Snapshot) else None
        return _core.connected_components(lent, view, names, numbers, before, keep)

    return run(ComponentsResult, state, kernel, threads, progress, keeps=True)
