"""Shortest paths by weight: Dijkstra, Bellman and Ford, Johnson."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

import networkx as nx
import numpy as np

from rizoma import _core

from .compiled import Compiled, Weights, run
from .convert import compiled_of
from .registry import FUNCTIONS, LINEAR, implements
from .searches import batches, distance_between

__all__ = ["dijkstra_batches", "lengths_of", "way_to"]

_NONE = np.uint64(2**64 - 1)  # the parent of a source

Lengths = dict[Any, Any]
Paths = dict[Any, list[Any]]


def _weights(compiled: Compiled, weight: Any) -> Weights:
    """Lengths of entries; of parallel edges the least."""
    return compiled.weights(weight, 1, _core.Fold.least)


def _lengths_view(compiled: Compiled, weight: Any) -> tuple[Weights, _core.View]:
    """A view for Dijkstra.  Raises NotImplementedError for weights that NetworkX may or may not refuse."""
    weights = _weights(compiled, weight)
    if not (weights.values >= 0).all():
        raise NotImplementedError("weights below 0 and NaN are left to NetworkX")
    return weights, _ordered(compiled, weights, weight)


def _ordered(compiled: Compiled, weights: Weights, weight: Any) -> _core.View:
    into = compiled.weights(weight, 1, _core.Fold.least, in_edges=True) if compiled.directed else None
    return compiled.ordered_view(weights, into)


def lengths_of(compiled: Compiled, tree: dict[str, Any], weights: Weights) -> Lengths:
    """{node: distance}; NetworkX's sources have the int 0."""
    values = weights.plain(tree["distance"])
    for i in np.flatnonzero(tree["parent"] == _NONE).tolist():
        values[i] = 0
    return _core.values_by_node(compiled.nodes, tree["order"], values)


def _paths_of(compiled: Compiled, tree: dict[str, Any]) -> Paths:
    return _core.paths_of_tree(compiled.nodes, tree["order"], tree["parent"])


def _numbers(compiled: Compiled, sources: Iterable[Any]) -> list[int]:
    if not sources:
        raise ValueError("sources must not be empty")
    numbers = []
    for source in sources:
        number = compiled.number(source)
        if number is None:
            raise nx.NodeNotFound(f"Node {source} not found in graph")
        numbers.append(number)
    return list(dict.fromkeys(numbers))


def dijkstra_search(
    G: Any, sources: Iterable[Any], cutoff: float | None, weight: Any, target: Any = None
) -> tuple[Compiled, Weights, dict[str, Any]]:
    compiled = compiled_of(G)
    numbers = _numbers(compiled, sources)
    weights, view = _lengths_view(compiled, weight)
    options: dict[str, Any] = {} if cutoff is None else {"cutoff": float(cutoff)}
    if target is not None and (end := compiled.number(target)) is not None:
        options["target"] = end
    tree = run(_core.dijkstra_trees, view, np.array(numbers, np.uint64), together=True, **options)
    return compiled, weights, tree


def _path_to(compiled: Compiled, tree: dict[str, Any], target: Any) -> tuple[float, list[Any]] | None:
    """(distance, path) of one node; None if it was not reached."""
    end = compiled.number(target)
    found = None if end is None else way_to(tree, end)
    return None if found is None else (found[0], [compiled.nodes[v] for v in found[1]])


def way_to(tree: dict[str, Any], end: int) -> tuple[float, list[int]] | None:
    """(distance, vertices) of the path to one vertex of a search from one source; None if it was not reached."""
    order, parents = tree["order"], tree["parent"]
    ends = np.flatnonzero(order == end)
    if len(ends) == 0:
        return None
    place = np.zeros(int(order.max()) + 1, np.int64)
    place[order] = np.arange(len(order))
    path = [end]
    while (before := parents[place[path[-1]]]) != _NONE:
        path.append(int(before))
    return tree["distance"][ends[0]].item(), path[::-1]


@implements
def multi_source_dijkstra(
    G: Any, sources: Any, target: Any = None, cutoff: float | None = None, weight: Any = "weight"
) -> Any:
    compiled = compiled_of(G)
    _numbers(compiled, sources)
    if target in sources:
        return 0, [target]
    compiled, weights, tree = dijkstra_search(G, sources, cutoff, weight, target)
    if target is None:
        return lengths_of(compiled, tree, weights), _paths_of(compiled, tree)
    found = _path_to(compiled, tree, target)
    if found is None:
        raise nx.NetworkXNoPath(f"No path to {target}.")
    return int(found[0]) if weights.integers else found[0], found[1]


@implements
def multi_source_dijkstra_path(G: Any, sources: Any, cutoff: float | None = None, weight: Any = "weight") -> Paths:
    compiled, _, tree = dijkstra_search(G, sources, cutoff, weight)
    return _paths_of(compiled, tree)


@implements
def multi_source_dijkstra_path_length(
    G: Any, sources: Any, cutoff: float | None = None, weight: Any = "weight"
) -> Lengths:
    compiled, weights, tree = dijkstra_search(G, sources, cutoff, weight)
    return lengths_of(compiled, tree, weights)


@implements
def single_source_dijkstra(
    G: Any, source: Any, target: Any = None, cutoff: float | None = None, weight: Any = "weight"
) -> Any:
    return multi_source_dijkstra(G, {source}, target, cutoff, weight)


@implements
def single_source_dijkstra_path(G: Any, source: Any, cutoff: float | None = None, weight: Any = "weight") -> Paths:
    return multi_source_dijkstra_path(G, {source}, cutoff, weight)


@implements
def single_source_dijkstra_path_length(
    G: Any, source: Any, cutoff: float | None = None, weight: Any = "weight"
) -> Lengths:
    return multi_source_dijkstra_path_length(G, {source}, cutoff, weight)


@implements(smallest=LINEAR)
def dijkstra_path(G: Any, source: Any, target: Any, weight: Any = "weight") -> list[Any]:
    path: list[Any] = multi_source_dijkstra(G, {source}, target, None, weight)[1]
    return path


@implements(smallest=LINEAR)
def dijkstra_path_length(G: Any, source: Any, target: Any, weight: Any = "weight") -> Any:
    compiled = compiled_of(G)
    if compiled.number(source) is None:
        raise nx.NodeNotFound(f"Node {source} not found in graph")
    try:
        return multi_source_dijkstra(G, {source}, target, None, weight)[0]
    except nx.NetworkXNoPath as error:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}") from error


def dijkstra_batches(
    compiled: Compiled, weight: Any, cutoff: float | None = None, in_edges: bool = False
) -> Iterator[tuple[int, dict[str, Any], Weights]]:
    """(source, tree, weights) of a search from each node.  Refuses weights at once, not when iterated."""
    weights, view = _lengths_view(compiled, weight)
    options = {} if cutoff is None else {"cutoff": float(cutoff)}
    trees = batches(compiled, _core.dijkstra_trees, view, in_edges=in_edges and compiled.directed, **options)
    return ((source, tree, weights) for source, tree in trees)


@implements
def all_pairs_dijkstra(
    G: Any, cutoff: float | None = None, weight: Any = "weight"
) -> Iterator[tuple[Any, tuple[Lengths, Paths]]]:
    compiled = compiled_of(G)
    return (
        (compiled.nodes[source], (lengths_of(compiled, tree, weights), _paths_of(compiled, tree)))
        for source, tree, weights in dijkstra_batches(compiled, weight, cutoff)
    )


@implements
def all_pairs_dijkstra_path(G: Any, cutoff: float | None = None, weight: Any = "weight") -> Iterator[tuple[Any, Paths]]:
    compiled = compiled_of(G)
    return (
        (compiled.nodes[source], _paths_of(compiled, tree))
        for source, tree, _ in dijkstra_batches(compiled, weight, cutoff)
    )


@implements
def all_pairs_dijkstra_path_length(
    G: Any, cutoff: float | None = None, weight: Any = "weight"
) -> Iterator[tuple[Any, Lengths]]:
    compiled = compiled_of(G)
    return (
        (compiled.nodes[source], lengths_of(compiled, tree, weights))
        for source, tree, weights in dijkstra_batches(compiled, weight, cutoff)
    )


# Bellman and Ford: weights of any sign.


def _bellman_ford(G: Any, source: Any, weight: Any) -> tuple[Compiled, Weights, dict[str, Any]]:
    compiled = compiled_of(G)
    number = compiled.number(source)
    if number is None:
        raise nx.NodeNotFound(f"Source {source} not in G")
    weights = _checked(_weights(compiled, weight))
    view = _ordered(compiled, weights, weight)
    tree = run(_core.bellman_ford, view, np.array([number], np.uint64))
    tree["parent"][0] = _NONE  # a cycle of length 0 through the source would give it one
    if tree["negative_cycle"] is not None:
        raise nx.NetworkXUnbounded("Negative cycle detected.")
    return compiled, weights, tree


def _checked(weights: Weights) -> Weights:
    if np.isnan(weights.values).any():
        raise NotImplementedError("NaN weights are left to NetworkX")
    return weights


def _paths_in_any_order(compiled: Compiled, tree: dict[str, Any]) -> Paths:
    """As _paths_of, where a node may be before the one that its path comes from."""
    order, parents = (
        tree["order"].tolist(),
        dict(zip(tree["order"].tolist(), tree["parent"].tolist(), strict=True)),
    )
    known: dict[int, list[Any]] = {}
    for v in order:
        open_: list[int] = []
        at = v
        while at in parents and at not in known:
            open_.append(at)
            at = parents[at]
        for u in reversed(open_):
            known[u] = [*known.get(parents[u], ()), compiled.nodes[u]]
    return {compiled.nodes[v]: known[v] for v in order}


@implements
def single_source_bellman_ford(G: Any, source: Any, target: Any = None, weight: Any = "weight") -> Any:
    if source == target:
        if compiled_of(G).number(source) is None:
            raise nx.NodeNotFound(f"Node {source} is not found in the graph")
        return 0, [source]
    compiled, weights, tree = _bellman_ford(G, source, weight)
    if target is None:
        return lengths_of(compiled, tree, weights), _paths_in_any_order(compiled, tree)
    found = _path_to(compiled, tree, target)
    if found is None:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    return int(found[0]) if weights.integers else found[0], found[1]


@implements
def single_source_bellman_ford_path(G: Any, source: Any, weight: Any = "weight") -> Paths:
    compiled, _, tree = _bellman_ford(G, source, weight)
    return _paths_in_any_order(compiled, tree)


@implements
def single_source_bellman_ford_path_length(G: Any, source: Any, weight: Any = "weight") -> Lengths:
    compiled, weights, tree = _bellman_ford(G, source, weight)
    return lengths_of(compiled, tree, weights)


@implements
def bellman_ford_path(G: Any, source: Any, target: Any, weight: Any = "weight") -> list[Any]:
    try:
        path: list[Any] = single_source_bellman_ford(G, source, target, weight)[1]
    except nx.NetworkXNoPath as error:
        raise nx.NetworkXNoPath(f"Target {target} cannot be reached from given sources") from error
    return path


@implements
def bellman_ford_path_length(G: Any, source: Any, target: Any, weight: Any = "weight") -> Any:
    if source == target and compiled_of(G).number(source) is None:
        raise nx.NodeNotFound(f"Node {source} not found in graph")
    try:
        return single_source_bellman_ford(G, source, target, weight)[0]
    except nx.NetworkXNoPath as error:
        raise nx.NetworkXNoPath(f"node {target} not reachable from {source}") from error


def _bellman_ford_batches(G: Any, weight: Any) -> Iterator[tuple[Compiled, int, dict[str, Any], Weights]]:
    compiled = compiled_of(G)
    weights = _checked(_weights(compiled, weight))
    view = _ordered(compiled, weights, weight)

    def trees() -> Iterator[tuple[Compiled, int, dict[str, Any], Weights]]:
        if len(compiled) and _has_negative_cycle(view):
            raise nx.NetworkXUnbounded("Negative cycle detected.")
        for source, tree in batches(compiled, _core.bellman_ford, view):
            tree["parent"][0] = _NONE
            yield compiled, source, tree, weights

    return trees()


def _has_negative_cycle(view: _core.View, heuristic: bool = True) -> bool:
    return run(_core.bellman_ford, view, together=True, heuristic=heuristic)["negative_cycle"] is not None


@implements
def all_pairs_bellman_ford_path(G: Any, weight: Any = "weight") -> Iterator[tuple[Any, Paths]]:
    return (
        (compiled.nodes[source], _paths_in_any_order(compiled, tree))
        for compiled, source, tree, _ in _bellman_ford_batches(G, weight)
    )


@implements
def all_pairs_bellman_ford_path_length(G: Any, weight: Any = "weight") -> Iterator[tuple[Any, Lengths]]:
    return (
        (compiled.nodes[source], lengths_of(compiled, tree, weights))
        for compiled, source, tree, weights in _bellman_ford_batches(G, weight)
    )


@implements
def negative_edge_cycle(G: Any, weight: Any = "weight", heuristic: bool = True) -> bool:
    compiled = compiled_of(G)
    if compiled.num_edges == 0:
        return False
    weights = _checked(_weights(compiled, weight))
    return _has_negative_cycle(_ordered(compiled, weights, weight), heuristic)


@implements
def johnson(G: Any, weight: Any = "weight") -> dict[Any, Paths]:
    compiled = compiled_of(G)
    if len(compiled) == 0:
        return {}
    weights = _checked(_weights(compiled, weight))
    tree = run(_core.bellman_ford, _ordered(compiled, weights, weight), together=True)
    if tree["negative_cycle"] is not None:
        raise nx.NetworkXUnbounded("Negative cycle detected.")
    potential = np.zeros(len(compiled))
    potential[tree["order"].astype(np.int64)] = tree["distance"]
    rows = compiled.out
    lengths = weights.values + potential[rows.sources] - potential[rows.targets]
    if (lengths < 0).any():
        raise NotImplementedError("rounding made a length negative")
    if compiled.directed:  # only the out-rows are followed
        view = _core.csr_view(rows.offsets, rows.targets, lengths, True)
    else:
        view = compiled.ordered_view(Weights(lengths, False))
    trees = batches(compiled, _core.dijkstra_trees, view)
    return {compiled.nodes[source]: _paths_of(compiled, tree) for source, tree in trees}


# The functions of NetworkX that choose among these.


def _refuses_pair(arguments: dict[str, Any]) -> str | None:
    if arguments["source"] is None or arguments["target"] is None:
        return None
    if arguments["method"] == "bellman-ford" and arguments["weight"] is not None:
        return None
    return "which of several shortest paths NetworkX finds between two nodes is its own affair"


def _single(G: Any, source: Any, weight: Any, method: str, kind: str) -> Any:
    """single_source_*: `kind` is "" for paths, "_length" for lengths."""
    if weight is None:
        return FUNCTIONS["single_source_shortest_path" + kind](G, source)
    search = "dijkstra" if method == "dijkstra" else "bellman_ford"
    return FUNCTIONS[f"single_source_{search}_path{kind}"](G, source, weight=weight)


def _all(G: Any, weight: Any, method: str, kind: str) -> Any:
    if weight is None:
        return FUNCTIONS["all_pairs_shortest_path" + kind](G)
    search = "dijkstra" if method == "dijkstra" else "bellman_ford"
    return FUNCTIONS[f"all_pairs_{search}_path{kind}"](G, weight=weight)


def _check_method(method: str) -> None:
    if method not in ("dijkstra", "bellman-ford"):
        raise ValueError(f"method not supported: {method}")


@implements(refuses=_refuses_pair)
def shortest_path(G: Any, source: Any = None, target: Any = None, weight: Any = None, method: str = "dijkstra") -> Any:
    _check_method(method)
    if source is not None and target is not None:
        return bellman_ford_path(G, source, target, weight)
    if target is not None:
        found = _single(_reversed(G), target, weight, method, "")
        return {node: path[::-1] for node, path in found.items()}
    return _all(G, weight, method, "") if source is None else _single(G, source, weight, method, "")


@implements
def shortest_path_length(
    G: Any, source: Any = None, target: Any = None, weight: Any = None, method: str = "dijkstra"
) -> Any:
    _check_method(method)
    if source is None:
        if target is None:
            return _all(G, weight, method, "_length")
        return _single(_reversed(G), target, weight, method, "_length")
    if target is None:
        return _single(G, source, weight, method, "_length")
    if weight is None:
        return _unweighted_length(G, source, target)
    if method == "dijkstra":
        return dijkstra_path_length(G, source, target, weight)
    return bellman_ford_path_length(G, source, target, weight)


def _unweighted_length(G: Any, source: Any, target: Any) -> int:
    found = distance_between(compiled_of(G), source, target)
    if found is None:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return found


def _reversed(G: Any) -> Any:
    compiled = compiled_of(G)
    return _Reversed(compiled) if compiled.directed else G


class _Reversed:
    """A directed graph with its edges reversed, for the functions of this backend."""

    def __init__(self, graph: Compiled) -> None:
        self.compiled = Compiled(graph.nodes, True, graph.multigraph, _ReversedEdges(graph))


class _ReversedEdges:
    def __init__(self, graph: Compiled) -> None:
        self._graph = graph

    def rows(self, in_edges: bool) -> Any:
        return self._graph.out if in_edges else self._graph.into

    def weights(self, in_edges: bool, name: Any, default: Any, fold: _core.Fold) -> Weights:
        return self._graph.weights(name, default, fold, in_edges=not in_edges)

    def bare(self, rows: Any) -> bool:
        return self._graph.edges.bare(self._graph.out)


def mean_or_total(G: Any, weight: Any, method: str) -> Any:
    """Sum of all distances by weight."""
    compiled = compiled_of(G)
    if method == "dijkstra":
        found = [(tree, weights) for _, tree, weights in dijkstra_batches(compiled, weight)]
    else:
        found = [(tree, weights) for _, _, tree, weights in _bellman_ford_batches(G, weight)]
    total = math.fsum(tree["distance"].sum() for tree, _ in found)
    return int(total) if all(weights.integers for _, weights in found) else total
