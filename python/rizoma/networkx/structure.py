"""Depth-first search, biconnected components, bridges, colourings, spanning trees."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from rizoma import _core

from .compiled import Compiled, run
from .convert import attributes_of, compiled_of
from .copies import empty_like
from .graphs import DiGraph
from .registry import LINEAR, ONLY_OURS, directed, given, implements

__all__: list[str] = []

_NONE = np.uint64(2**64 - 1)


# Depth first.


def _forest(G: Any, source: Any, depth_limit: int | None) -> tuple[Compiled, dict[str, Any]]:
    compiled = compiled_of(G)
    roots = None
    if source is not None:
        number = compiled.number(source)
        if number is None:
            kind = "digraph" if compiled.directed else "graph"
            raise nx.NetworkXError(f"The node {source} is not in the {kind}.")
        roots = np.array([number], np.uint64)
    limit = -1 if depth_limit is None else max(1, int(depth_limit))
    return compiled, run(_core.depth_first_forest, compiled.ordered_view(), roots, depth_limit=limit)


def _tree_edges(compiled: Compiled, forest: dict[str, Any]) -> Iterator[tuple[Any, Any]]:
    nodes = compiled.nodes
    inner = forest["parent"] != _NONE
    for parent, child in zip(forest["parent"][inner].tolist(), forest["order"][inner].tolist(), strict=True):
        yield nodes[parent], nodes[child]


_unsorted = given("sort_neighbors")


@implements(smallest=LINEAR, refuses=_unsorted)
def dfs_edges(
    G: Any, source: Any = None, depth_limit: int | None = None, *, sort_neighbors: None = None
) -> Iterator[tuple[Any, Any]]:
    yield from _tree_edges(*_forest(G, source, depth_limit))


@implements(smallest=LINEAR, refuses=_unsorted)
def dfs_tree(G: Any, source: Any = None, depth_limit: int | None = None, *, sort_neighbors: None = None) -> Any:
    compiled, forest = _forest(G, source, depth_limit)
    tree = DiGraph()
    tree.add_nodes_from(compiled.nodes if source is None else [source])
    tree.add_edges_from(_tree_edges(compiled, forest))
    return tree


@implements(smallest=LINEAR, refuses=_unsorted)
def dfs_predecessors(
    G: Any, source: Any = None, depth_limit: int | None = None, *, sort_neighbors: None = None
) -> dict[Any, Any]:
    return {child: parent for parent, child in _tree_edges(*_forest(G, source, depth_limit))}


@implements(smallest=LINEAR, refuses=_unsorted)
def dfs_successors(
    G: Any, source: Any = None, depth_limit: int | None = None, *, sort_neighbors: None = None
) -> dict[Any, list[Any]]:
    children: dict[Any, list[Any]] = defaultdict(list)
    for parent, child in _tree_edges(*_forest(G, source, depth_limit)):
        children[parent].append(child)
    return dict(children)


@implements(smallest=LINEAR, refuses=_unsorted)
def dfs_preorder_nodes(
    G: Any, source: Any = None, depth_limit: int | None = None, *, sort_neighbors: None = None
) -> Iterator[Any]:
    compiled, forest = _forest(G, source, depth_limit)
    return (compiled.nodes[v] for v in forest["order"].tolist())


@implements(smallest=LINEAR, refuses=_unsorted)
def dfs_postorder_nodes(
    G: Any, source: Any = None, depth_limit: int | None = None, *, sort_neighbors: None = None
) -> Iterator[Any]:
    compiled, forest = _forest(G, source, depth_limit)
    return (compiled.nodes[v] for v in forest["left"].tolist())


# Biconnected components.


def _biconnected(compiled: Compiled) -> dict[str, Any]:
    return run(_core.biconnected_components, compiled.ordered_view(), depth_first_order=True)


def _blocks(compiled: Compiled) -> Iterator[list[tuple[Any, Any]]]:
    found = _biconnected(compiled)
    nodes = compiled.nodes
    pairs = zip(found["source"].tolist(), found["target"].tolist(), strict=True)
    edges = [(nodes[u], nodes[v]) for u, v in pairs]
    for begin, end in pairwise(found["offsets"].tolist()):
        yield edges[begin:end]


@implements
def biconnected_component_edges(G: Any) -> Iterator[list[tuple[Any, Any]]]:
    yield from _blocks(compiled_of(G))


@implements
def biconnected_components(G: Any) -> Iterator[set[Any]]:
    for block in _blocks(compiled_of(G)):
        yield {node for edge in block for node in edge}


@implements
def is_biconnected(G: Any) -> bool:
    compiled = compiled_of(G)
    found = run(_core.cut_elements, compiled.view())
    return bool(found["biconnected_components"] == 1 and found["connected_components"] == 1)


@implements
def articulation_points(G: Any) -> Iterator[Any]:
    compiled = compiled_of(G)
    for v in _biconnected(compiled)["articulation_points"].tolist():
        yield compiled.nodes[v]


def _bridge_entries(compiled: Compiled) -> npt.NDArray[np.int64]:
    """Entries, one for each edge, that are a block of their own, no loop and not parallel to another."""
    found = run(_core.cut_elements, compiled.view())
    u, v = found["source"], found["target"]
    keys = np.minimum(u, v) * np.uint64(len(compiled)) + np.maximum(u, v)
    rows, entries = compiled.out, compiled.edge_entries()
    sources, targets = rows.sources[entries], rows.targets[entries]
    bridging = np.isin(sources.astype(np.uint64) * np.uint64(len(compiled)) + targets, keys) & (sources != targets)
    if rows.edges is not None:
        bridging &= rows.edges[entries] == 1
    return np.asarray(entries[bridging])


@implements(refuses=given("root"))
def bridges(G: Any, root: None = None) -> Iterator[tuple[Any, Any]]:
    compiled = compiled_of(G)
    rows, entries = compiled.out, _bridge_entries(compiled)
    for u, v in zip(rows.sources[entries].tolist(), rows.targets[entries].tolist(), strict=True):
        yield compiled.nodes[u], compiled.nodes[v]


@implements(refuses=given("root"))
def has_bridges(G: Any, root: None = None) -> bool:
    return len(_bridge_entries(compiled_of(G))) > 0


# Colours.


@implements(smallest=ONLY_OURS)
def is_bipartite(G: Any) -> bool:
    compiled = compiled_of(G)
    return bool(run(_core.two_coloring, compiled.ordered_view())["bipartite"])


@implements(name="sets", smallest=ONLY_OURS)
def bipartite_sets(G: Any, top_nodes: Any = None) -> tuple[set[Any], set[Any]]:
    compiled = compiled_of(G)
    if top_nodes is not None:
        top = set(top_nodes)
        return top, set(compiled.nodes) - top
    if not len(compiled):
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    if run(_core.connected_components, compiled.ordered_view())["count"] > 1:
        raise nx.AmbiguousSolution("Disconnected graph: Ambiguous solution for bipartite sets.")
    answer = run(_core.two_coloring, compiled.ordered_view())
    if not answer["bipartite"]:
        raise nx.NetworkXError("Graph is not bipartite.")
    colors = answer["color"].astype(np.bool_).tolist()
    sides: tuple[set[Any], set[Any]] = set(), set()
    for node, color in zip(compiled.nodes, colors, strict=True):
        sides[not color].add(node)
    return sides


def _refuses_strategies(arguments: dict[str, Any]) -> str | None:
    if arguments["strategy"] != "largest_first" or arguments["interchange"]:
        return "only the strategy largest_first without interchange has a kernel"
    return None


@implements(refuses=_refuses_strategies)
def greedy_color(G: Any, strategy: str = "largest_first", interchange: bool = False) -> dict[Any, int]:
    compiled = compiled_of(G)
    order = np.argsort(-compiled.degrees, kind="stable").astype(np.uint64)
    if len(order) == 0:
        return {}
    colors = run(_core.greedy_coloring, compiled.ordered_view(), order)["color"]
    return _core.values_by_node(compiled.nodes, order, colors[order.astype(np.int64)].tolist())


# Spanning trees.


def _refuses_algorithms(arguments: dict[str, Any]) -> str | None:
    if arguments["algorithm"] != "kruskal":
        return "only Kruskal's algorithm has a kernel"
    if arguments["G"].is_multigraph():
        return "keys of parallel edges are left to NetworkX"
    return directed(arguments)


def _spanning(G: Any, weight: Any, maximum: bool) -> Iterator[tuple[Any, Any, dict[Any, Any]]]:
    compiled = compiled_of(G)
    weights = compiled.weights(weight)
    if np.isnan(weights.values).any():
        raise NotImplementedError("NaN weights are left to NetworkX")
    forest = run(_core.spanning_forest, compiled.ordered_view(weights), maximum)
    nodes, adjacency = compiled.nodes, attributes_of(G)._adj
    pairs = zip(forest["source"].tolist(), forest["target"].tolist(), strict=True)
    return ((nodes[u], nodes[v], adjacency[nodes[u]][nodes[v]]) for u, v in pairs)


def _spanning_edges(G: Any, weight: Any, data: bool, maximum: bool) -> Iterator[Any]:
    edges = _spanning(G, weight, maximum)
    return edges if data else ((u, v) for u, v, _ in edges)


def _spanning_tree(G: Any, weight: Any, maximum: bool) -> Any:
    tree = empty_like(attributes_of(G), compiled_of(G).nodes)
    tree.add_edges_from(_spanning(G, weight, maximum))
    return tree


@implements(refuses=_refuses_algorithms)
def minimum_spanning_edges(
    G: Any,
    algorithm: str = "kruskal",
    weight: Any = "weight",
    keys: bool = True,
    data: bool = True,
    ignore_nan: bool = False,
) -> Iterator[Any]:
    return _spanning_edges(G, weight, data, False)


@implements(refuses=_refuses_algorithms)
def maximum_spanning_edges(
    G: Any,
    algorithm: str = "kruskal",
    weight: Any = "weight",
    keys: bool = True,
    data: bool = True,
    ignore_nan: bool = False,
) -> Iterator[Any]:
    return _spanning_edges(G, weight, data, True)


@implements(refuses=_refuses_algorithms)
def minimum_spanning_tree(G: Any, weight: Any = "weight", algorithm: str = "kruskal", ignore_nan: bool = False) -> Any:
    return _spanning_tree(G, weight, False)


@implements(refuses=_refuses_algorithms)
def maximum_spanning_tree(G: Any, weight: Any = "weight", algorithm: str = "kruskal", ignore_nan: bool = False) -> Any:
    return _spanning_tree(G, weight, True)
