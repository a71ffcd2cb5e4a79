"""Connected components: which vertices hang together at all.

When to use it
    First of all: it tells whether a graph is one piece, and how large the pieces are.  Directions are ignored; see
    ``strongly_connected_components`` for those that can be reached both ways.
Cost
    Less than one pass over the edges where one component is large, one pass at worst; all threads.
Memory
    16 bytes a vertex; with thresholds each edge once, and 12 bytes a vertex and threshold.
After changes
    ``connected_components(g, start=former, changed=g.changes(since=...))`` gives the same answer from a former result:
    edges that were added join components, and for each that was removed a short search proves that its ends are still
    connected. All is found from scratch where that takes less: if more than one edge was removed for 4096 vertices; if
    the searches are about to look at more entries than a sixteenth of the vertices; and, where ids are not simply the
    internal ids and have to be looked up, if more than one edge was changed for 64 vertices. (Small graphs may change
    more.) Vertices in place of changes are always looked up, and their lists are compared, or, if these have more
    entries than half of the vertices, all is found from scratch as well.
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

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..core.engines import ProgressOption
from ..core.errors import InvalidArgumentError
from ..core.lazy_arrow import pa
from ..core.options import real_number
from ..graph.checkpoints import checkpoints_of
from ..graph.diff import Changes
from ..graph.ids import VertexKey, find_many
from ..graph.state import Reader, state_of
from ..results.by_number import former_parts, same_numbers
from ..results.linkage import as_weight
from ..results.partitions import ComponentsResult
from ._arguments import changed_vertices
from ._distributed import distributed
from ._linkage import weights_are_single
from ._running import run

__all__ = ["connected_components"]

# What edges cost in vertices that are found from scratch, as measured.
_SEARCHED = 4096  # of a removed one: the more there are, the likelier a search gives up, in vain
_LOOKED_UP = 64  # of its two ids
_ALWAYS = 1 << 16  # takes no time to speak of


@distributed
def connected_components(
    graph: Reader,
    start: ComponentsResult | None = None,
    changed: Iterable[VertexKey] | Changes | None = None,
    thresholds: Iterable[float] | None = None,
    weight: str = "weight",
    *,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> ComponentsResult:
    """Connected components; of a directed graph the weak ones.

    Args:
        graph: a Graph or a Snapshot.
        start: a former result, of another state of this graph; needs `changed`.
        changed: both ends of every edge that was added or removed since `start` was computed, the neighbours of
            removed vertices among them; a missing one can make the answer wrong.  Or the result of `Graph.changes`:
            `g.changes(since=tag)` serves if `start` is of exactly the tagged state, and is quicker.
        thresholds: the components by the edges of at least these weights, all at once: `levels` of the result has
            those of each, and its values are those of the least. The graph must be undirected. For distances, where
            less is nearer, and for thresholds that are not known beforehand: `single_linkage`.
        weight: with thresholds=, the numeric edge column that they are compared with.

    Returns:
        ComponentsResult: the component, one value for each vertex, in the order of internal ids.

    Raises:
        InvalidArgumentError: `start` without `changed`, or `changed` without `start`; `start` is not a result
            of this function; `thresholds` with `start`, empty or NaN; `weight` is no numeric edge column, or
            given without `thresholds`.
        VertexNotFoundError: `changed` names a vertex that is neither in the graph nor in `start`.
    """
    state = state_of(graph)
    if thresholds is not None:
        if start is not None or changed is not None:
            raise InvalidArgumentError("thresholds= finds all components anew; leave out start= and changed=")
        return _by_thresholds(state, thresholds, weight, threads, progress)
    if weight != "weight":
        raise InvalidArgumentError(
            f"weight={weight!r} is what thresholds= are compared with; give these too, or leave weight= out: without "
            "them components do not depend on weights"
        )
    keep = checkpoints_of(graph, "connected_components")

    def from_scratch(borrowed: _core.Engine, view: _core.View) -> dict[str, Any]:
        return _core.connected_components(borrowed, view)

    if start is None:
        if changed is not None:
            raise InvalidArgumentError("changed= needs start=, an earlier result")
        return run(ComponentsResult, state, from_scratch, threads, progress, keep=keep)
    if not isinstance(start, ComponentsResult):
        raise InvalidArgumentError(
            f"start= must be an earlier result of connected_components, not {type(start).__name__}"
        )
    if changed is None:
        raise InvalidArgumentError("start= needs changed=, the ends of the edges that were added or removed since")
    former = start._snapshot
    told = changed if isinstance(changed, Changes) else changed_vertices(state, changed, start)
    worth = not isinstance(told, Changes) or _is_worth_following(state, told)
    if not worth or not isinstance(former, _core.Snapshot) or not same_numbers(state, start):
        return run(ComponentsResult, state, from_scratch, threads, progress, keep=keep)  # or nothing to compare with
    names = former_parts(state, start)
    if isinstance(told, Changes):
        added, removed = _ends(state, told.edges_added), _ends(former, told.edges_removed)

        def kernel(borrowed: _core.Engine, view: _core.View) -> dict[str, Any]:
            return _core.connected_components(borrowed, view, names, added=added, removed=removed)
    else:
        vertices = told

        def kernel(borrowed: _core.Engine, view: _core.View) -> dict[str, Any]:
            return _core.connected_components(borrowed, view, names, vertices, former.view(borrowed))

    return run(ComponentsResult, state, kernel, threads, progress, keep=keep)


def _by_thresholds(
    state: _core.Snapshot,
    thresholds: Iterable[float],
    weight: str,
    threads: int | None,
    progress: ProgressOption,
) -> ComponentsResult:
    wanted = [thresholds] if isinstance(thresholds, (int, float, str)) else list(thresholds)
    limits = [real_number("thresholds", each) for each in wanted]
    if not limits or any(math.isnan(each) for each in limits):
        raise InvalidArgumentError(f"thresholds is {wanted!r}; give numbers, at least one")
    single = weights_are_single(state, weight)
    rounded = [as_weight(each, single) for each in limits]
    ascending = sorted(set(rounded))
    found: list[npt.NDArray[np.uint64]] = []  # for each of these

    def kernel(borrowed: _core.Engine, view: _core.View) -> dict[str, Any]:
        found.extend(_core.threshold_components(borrowed, view, ascending))
        return {"component": found[0]}

    of_least = run(ComponentsResult, state, kernel, threads, progress, weight)
    labels = dict(zip(ascending, found, strict=True))
    levels = [ComponentsResult._at(of_least, labels[own], each) for own, each in zip(rounded, limits, strict=True)]
    return levels[limits.index(min(limits))]._again()._with_levels(levels)


def _is_worth_following(state: _core.Snapshot, told: Changes) -> bool:
    """Whether that takes less than to find all from scratch."""
    removed = len(told.edges_removed)
    cost = _SEARCHED * removed
    if not _ids_are_numbers(state):
        cost += _LOOKED_UP * (removed + len(told.edges_added))
    return cost <= state.num_vertices + _ALWAYS


def _ids_are_numbers(state: _core.Snapshot) -> bool:
    """Whether ids are found at once, judged by the first: a graph in another order has others there."""
    if state.schema.ids != _core.IdKind.dense:
        return False
    some = min(state.num_vertices, 64)
    return bool(np.array_equal(state.ids_of_range(0, some), np.arange(some)))


def _ends(state: _core.Snapshot, edges: pa.Table) -> npt.NDArray[np.uint64]:
    """Internal ids of both ends of each edge, one after the other."""
    ends = np.empty((len(edges), 2), np.uint64)
    for place, name in enumerate(("source", "target")):
        if len(edges):
            ends[:, place] = find_many(state, edges.column(name))
    return ends.reshape(-1)
