"""Several paths, and paths by an estimate, between two vertices of a stored graph, searched in the graph itself.

The paths are those of NetworkX; where several are equally long, they may come in another order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from itertools import count
from typing import Any

import networkx as nx
import numpy as np

from rizoma import _core

from ..core.engines import engine
from ..core.errors import InvalidArgumentError
from ..graph.ids import arrow_ids
from ..graph.state import weighted_view
from ..queries.path_finder import PathFinder
from ..queries.several_paths import Lists, Search, simple_paths, tight_paths
from .registry import ONLY_OURS, by_networkx, for_stored, implements
from .stored_paths import ends_of, weight_of

__all__: list[str] = []


@implements(name="all_shortest_paths", smallest=ONLY_OURS)
def _all_shortest_paths(G: Any, *args: Any, **kwargs: Any) -> Any:
    return by_networkx("all_shortest_paths", G, *args, **kwargs)


@implements(name="shortest_simple_paths", smallest=ONLY_OURS)
def _shortest_simple_paths(G: Any, *args: Any, **kwargs: Any) -> Any:
    return by_networkx("shortest_simple_paths", G, *args, **kwargs)


@implements(name="astar_path", smallest=ONLY_OURS)
def _astar_path(G: Any, *args: Any, **kwargs: Any) -> Any:
    return by_networkx("astar_path", G, *args, **kwargs)


@implements(name="astar_path_length", smallest=ONLY_OURS)
def _astar_path_length(G: Any, *args: Any, **kwargs: Any) -> Any:
    return by_networkx("astar_path_length", G, *args, **kwargs)


def _lengths(state: _core.Snapshot, weight: Any) -> tuple[str | None, bool]:
    """The column that weighs the edges (None: each counts 1), and whether sums of it are exact."""
    if weight is None and state.schema.parallel_edges != _core.ParallelEdges.keep:
        return None, True
    column, exact = weight_of(state, weight)
    if any(name == column and null for name, _, null in state.schema.edge_columns):
        raise NotImplementedError("an edge without a value counts 1 for NetworkX")
    return column, exact


def _search(state: _core.Snapshot, target: int, column: str | None) -> Search:
    if state.schema.directed and not state.schema.in_edges:
        raise NotImplementedError("the searches begin at the target, whose in-edges are not stored")
    try:
        return Search(state, target, column, None, None)
    except InvalidArgumentError as error:
        raise NotImplementedError("weights below 0 and NaN are left to NetworkX") from error


def _named(state: _core.Snapshot, path: list[int]) -> list[Any]:
    names: list[Any] = arrow_ids(state.ids_of(np.array(path, np.uint64))).to_pylist()
    return names


def _or_no_path(state: _core.Snapshot, paths: Iterator[list[int]], message: str) -> Iterator[list[Any]]:
    first = next(paths, None)
    if first is None:
        raise nx.NetworkXNoPath(message)
    yield _named(state, first)
    for path in paths:
        yield _named(state, path)


@for_stored
def all_shortest_paths(
    G: Any, source: Any, target: Any, weight: Any = None, method: str = "dijkstra"
) -> Iterator[list[Any]]:
    state, first, last = ends_of(G, source, target)
    column, exact = _lengths(state, weight)
    if method != "dijkstra" or not exact:
        raise NotImplementedError("which sums of rounded lengths are equal depends on the end where a search begins")
    search = _search(state, last, column)
    _refuse_edges_without_length(search, first)
    paths = iter(()) if np.isinf(search.left[first]) else tight_paths(search, [first])
    return _or_no_path(state, paths, f"Target {target} cannot be reached from given sources")


def _refuse_edges_without_length(search: Search, start: int) -> None:
    """Raise NotImplementedError if a shortest path may have one: NetworkX's paths then go back and forth over it."""
    seen, waiting = {start}, [start]
    while waiting:
        u = waiting.pop()
        for v, length in zip(*search.after(u), strict=True):
            if search.left[v] + length != search.left[u] or np.isinf(search.left[u]):
                continue
            if length == 0:
                raise NotImplementedError("paths over edges without length are NetworkX's own affair")
            if v not in seen:
                seen.add(v)
                waiting.append(v)


@for_stored
def shortest_simple_paths(G: Any, source: Any, target: Any, weight: Any = None) -> Iterator[list[Any]]:
    state, first, last = ends_of(G, source, target)
    column, _ = _lengths(state, weight)
    if first == last:
        raise NotImplementedError("what the path from a node to itself is NetworkX says")
    return _or_no_path(
        state, simple_paths(_search(state, last, column), first), f"No path between {source} and {target}."
    )


Heuristic = Callable[[Any, Any], Any]


def _astar(
    G: Any, source: Any, target: Any, heuristic: Heuristic | None, weight: Any, cutoff: float | None
) -> tuple[Any, list[Any]]:
    """The length and the path that NetworkX finds: the same search, over the lists of the store."""
    state, first, last = ends_of(G, source, target)
    if isinstance(heuristic, PathFinder) and not cutoff:
        column, exact = (None, True) if weight is None else weight_of(state, weight)
        return _by_coordinates(G, source, target, heuristic, column, exact)
    column, exact = _lengths(state, weight)
    with engine() as borrowed:
        lists = Lists(state, column, weighted_view(state, borrowed, column))
    names: dict[int, Any] = {first: source, last: target}
    number = count()
    waiting: list[tuple[Any, int, int, Any, int | None]] = [(0, next(number), first, 0, None)]
    offered: dict[int, tuple[Any, Any]] = {}
    before: dict[int, int | None] = {}
    while waiting:
        _, _, at, length, parent = heappop(waiting)
        if at == last:
            path = [at]
            while parent is not None:
                path.append(parent)
                parent = before[parent]
            return length, _named(state, path[::-1])
        if at in before and (before[at] is None or offered[at][0] < length):
            continue
        before[at] = parent
        for v, step in zip(*lists.after(at), strict=True):
            through = length + (int(step) if exact else step)
            if v in offered:
                least, left = offered[v]
                if least <= through:
                    continue
            else:
                if v not in names:
                    names[v] = _named(state, [v])[0]
                left = 0 if heuristic is None else heuristic(names[v], target)
            if cutoff and through + left > cutoff:
                continue
            offered[v] = through, left
            heappush(waiting, (through + left, next(number), v, through, at))
    raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")


def _by_coordinates(
    G: Any, source: Any, target: Any, known: PathFinder, column: str | None, exact: bool
) -> tuple[Any, list[Any]]:
    """The same by a search in the core, whose bound is that of the graph as it is now."""
    try:
        finder = PathFinder(G, known.coordinates, column, geographic=known.geographic)
        path = finder.shortest_path(source, target)
    except InvalidArgumentError as error:
        raise NotImplementedError("weights below 0, NaN and missing coordinates are left to NetworkX") from error
    if path is None:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    # NetworkX adds up from the source, the search from both ends.
    return int(path.length) if exact or len(path) == 1 else sum(path.edges[column].to_pylist()), list(path)


@for_stored
def astar_path(
    G: Any,
    source: Any,
    target: Any,
    heuristic: Heuristic | None = None,
    weight: Any = "weight",
    *,
    cutoff: float | None = None,
) -> list[Any]:
    return _astar(G, source, target, heuristic, weight, cutoff)[1]


@for_stored
def astar_path_length(
    G: Any,
    source: Any,
    target: Any,
    heuristic: Heuristic | None = None,
    weight: Any = "weight",
    *,
    cutoff: float | None = None,
) -> Any:
    return _astar(G, source, target, heuristic, weight, cutoff)[0]
