"""Breadth-first search: distances, paths, layers, trees."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from rizoma import _core

from .compiled import ArrayEdges, Compiled, Rows, run
from .convert import compiled_of
from .graphs import DiGraph
from .nodes import required
from .registry import CACHED, LINEAR, ONLY_OURS, given, implements

__all__: list[str] = []

_BATCH_VALUES = 1 << 22  # vertices of all searches of one batch


def depth_limit(cutoff: float | None) -> int:
    """The deepest level that NetworkX's loops `while cutoff > level` enter; -1: no limit."""
    if cutoff is None or cutoff == math.inf:
        return -1
    return max(0, math.ceil(cutoff))


def search(
    compiled: Compiled, source: int, *, in_edges: bool = False, depth: int = -1, target: int | None = None
) -> dict[str, Any]:
    """Vertices in the order in which a search finds them, with `distance` and `parent`."""
    options = {} if target is None else {"target": target}
    sources = np.array([source], np.uint64)
    return run(
        _core.breadth_first_trees,
        compiled.ordered_view(),
        sources,
        in_edges=in_edges and compiled.directed,
        max_depth=depth,
        **options,
    )


def batches(compiled: Compiled, kernel: Any, view: _core.View, **options: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    """(source, tree) of a search from each node, several at a time."""
    size = max(1, min(1024, _BATCH_VALUES // max(1, len(compiled))))
    for first in range(0, len(compiled), size):
        sources = np.arange(first, min(first + size, len(compiled)), dtype=np.uint64)
        answer = run(kernel, view, sources, **options)
        offsets = answer["offsets"]
        for i, source in enumerate(sources.tolist()):
            at = slice(int(offsets[i]), int(offsets[i + 1]))
            yield source, {key: answer[key][at] for key in ("order", "distance", "parent")}


def lengths(compiled: Compiled, tree: dict[str, Any]) -> dict[Any, int]:
    """{node: distance} in the order of discovery."""
    return _core.values_by_node(compiled.nodes, tree["order"], tree["distance"].tolist())


def paths(compiled: Compiled, tree: dict[str, Any], reverse: bool = False) -> dict[Any, list[Any]]:
    """{node: path from the source}, or to it."""
    return _core.paths_of_tree(compiled.nodes, tree["order"], tree["parent"], reverse)


@implements(smallest=CACHED)
def single_source_shortest_path_length(G: Any, source: Any, cutoff: float | None = None) -> dict[Any, int]:
    compiled = compiled_of(G)
    start = required(compiled, source, f"Source {source} is not in G")
    return lengths(compiled, search(compiled, start, depth=depth_limit(cutoff)))


@implements(smallest=CACHED)
def single_target_shortest_path_length(G: Any, target: Any, cutoff: float | None = None) -> dict[Any, int]:
    compiled = compiled_of(G)
    start = required(compiled, target, f"Target {target} is not in G")
    return lengths(compiled, search(compiled, start, in_edges=True, depth=depth_limit(cutoff)))


@implements
def all_pairs_shortest_path_length(G: Any, cutoff: float | None = None) -> Iterator[tuple[Any, dict[Any, int]]]:
    compiled = compiled_of(G)
    trees = batches(compiled, _core.breadth_first_trees, compiled.ordered_view(), max_depth=depth_limit(cutoff))
    for source, tree in trees:
        yield compiled.nodes[source], lengths(compiled, tree)


@implements(smallest=CACHED)
def single_source_shortest_path(G: Any, source: Any, cutoff: float | None = None) -> dict[Any, list[Any]]:
    compiled = compiled_of(G)
    start = required(compiled, source, f"Source {source} not in G")
    return paths(compiled, search(compiled, start, depth=depth_limit(cutoff)))


@implements(smallest=CACHED)
def single_target_shortest_path(G: Any, target: Any, cutoff: float | None = None) -> dict[Any, list[Any]]:
    compiled = compiled_of(G)
    start = required(compiled, target, f"Target {target} not in G")
    return paths(compiled, search(compiled, start, in_edges=True, depth=depth_limit(cutoff)), reverse=True)


@implements
def all_pairs_shortest_path(G: Any, cutoff: float | None = None) -> Iterator[tuple[Any, dict[Any, list[Any]]]]:
    compiled = compiled_of(G)
    trees = batches(compiled, _core.breadth_first_trees, compiled.ordered_view(), max_depth=depth_limit(cutoff))
    for source, tree in trees:
        yield compiled.nodes[source], paths(compiled, tree)


def distance_between(compiled: Compiled, source: Any, target: Any) -> int | None:
    """Edges of a shortest path; None if there is none."""
    start = required(compiled, source, f"Source {source} is not in G")
    end = required(compiled, target, f"Target {target} is not in G")
    tree = search(compiled, start, target=end)
    return int(tree["distance"][-1]) if int(tree["order"][-1]) == end else None


@implements(smallest=ONLY_OURS)
def has_path(G: Any, source: Any, target: Any) -> bool:
    return distance_between(compiled_of(G), source, target) is not None


def _tree_from(G: Any, source: Any, reverse: bool, depth_limit: int | None) -> tuple[Compiled, dict[str, Any]]:
    compiled = compiled_of(G)
    number = compiled.number(source)
    if number is None:
        kind = "digraph" if compiled.directed else "graph"
        raise nx.NetworkXError(f"The node {source} is not in the {kind}.")
    depth = -1 if depth_limit is None else max(0, math.ceil(depth_limit))
    return compiled, search(compiled, number, in_edges=reverse, depth=depth)


def _tree_edges(compiled: Compiled, tree: dict[str, Any]) -> Iterator[tuple[Any, Any]]:
    nodes = compiled.nodes
    for parent, child in zip(tree["parent"][1:].tolist(), tree["order"][1:].tolist(), strict=True):
        yield nodes[parent], nodes[child]


@implements(smallest=LINEAR, refuses=given("sort_neighbors"))
def bfs_edges(
    G: Any, source: Any, reverse: bool = False, depth_limit: int | None = None, sort_neighbors: None = None
) -> Iterator[tuple[Any, Any]]:
    yield from _tree_edges(*_tree_from(G, source, reverse, depth_limit))


@implements(smallest=CACHED, refuses=given("sort_neighbors"))
def bfs_predecessors(
    G: Any, source: Any, depth_limit: int | None = None, sort_neighbors: None = None
) -> Iterator[tuple[Any, Any]]:
    for parent, child in _tree_edges(*_tree_from(G, source, False, depth_limit)):
        yield child, parent


@implements(smallest=LINEAR, refuses=given("sort_neighbors"))
def bfs_successors(
    G: Any, source: Any, depth_limit: int | None = None, sort_neighbors: None = None
) -> Iterator[tuple[Any, list[Any]]]:
    compiled, tree = _tree_from(G, source, False, depth_limit)
    nodes = compiled.nodes
    if len(tree["order"]) == 1:
        yield source, []
        return
    parents, children = tree["parent"][1:], tree["order"][1:]
    firsts = np.flatnonzero(np.append(True, parents[1:] != parents[:-1]))
    names = [nodes[child] for child in children.tolist()]
    for first, last in zip(firsts.tolist(), [*firsts[1:].tolist(), len(names)], strict=True):
        yield nodes[int(parents[first])], names[first:last]


@implements(smallest=LINEAR, refuses=given("sort_neighbors"))
def bfs_tree(
    G: Any, source: Any, reverse: bool = False, depth_limit: int | None = None, sort_neighbors: None = None
) -> Any:
    compiled, tree = _tree_from(G, source, reverse, depth_limit)
    order = tree["order"].astype(np.int64)
    place = np.zeros(len(compiled), np.int64)
    place[order] = np.arange(len(order))
    parents = place[tree["parent"][1:].astype(np.int64)]
    counts = np.bincount(parents, minlength=len(order))
    offsets = np.concatenate([[0], np.cumsum(counts)])
    rows = Rows(offsets, np.arange(1, len(order), dtype=np.uint32))
    nodes = [compiled.nodes[v] for v in order.tolist()]
    return DiGraph.from_compiled(Compiled(nodes, True, False, ArrayEdges(rows)))


@implements(smallest=LINEAR)
def bfs_layers(G: Any, sources: Any) -> Iterator[list[Any]]:
    compiled = compiled_of(G)
    given = [sources] if compiled.number(sources) is not None else sources
    first = list(set(given))
    numbers = [compiled.number(source) for source in first]
    if None in numbers:
        raise nx.NetworkXError(f"The node {first[numbers.index(None)]} is not in the graph.")
    if not numbers:
        return
    tree = run(_core.breadth_first_trees, compiled.ordered_view(), np.array(numbers, np.uint64), together=True)
    nodes = [compiled.nodes[v] for v in tree["order"].tolist()]
    yield from _split(nodes, np.bincount(tree["distance"].astype(np.int64)))


def _split(items: list[Any], counts: npt.NDArray[np.int64]) -> Iterator[list[Any]]:
    begin = 0
    for count in counts.tolist():
        yield items[begin : begin + count]
        begin += count


@implements(smallest=ONLY_OURS)
def descendants_at_distance(G: Any, source: Any, distance: int) -> set[Any]:
    compiled = compiled_of(G)
    number = compiled.number(source)
    if number is None:
        raise nx.NetworkXError(f"The node {source} is not in the graph.")
    if distance < 0 or distance != int(distance):
        return set()
    tree = search(compiled, number, depth=int(distance))
    return {compiled.nodes[v] for v in tree["order"][tree["distance"] == distance].tolist()}


def _reached(G: Any, source: Any, in_edges: bool) -> set[Any]:
    compiled, tree = _tree_from(G, source, in_edges, None)
    return {compiled.nodes[v] for v in tree["order"][1:].tolist()}


@implements(smallest=LINEAR)
def descendants(G: Any, source: Any) -> set[Any]:
    return _reached(G, source, False)


@implements(smallest=LINEAR)
def ancestors(G: Any, source: Any) -> set[Any]:
    return _reached(G, source, True)
