"""Functions that make graphs: complement, reverse, ego graphs; and lowest common ancestors."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import networkx as nx
import numpy as np

from rizoma import _core
from rizoma.graph.state import Reader

from .compiled import ArrayEdges, Compiled, Rows, run
from .convert import attributes_of, compiled_of
from .copies import induced
from .graphs import graph_class
from .nodes import required
from .registry import ONLY_OURS, given, implements
from .searches import depth_limit, search
from .weighted import dijkstra_search

__all__: list[str] = []


@implements
def complement(G: Any) -> Any:
    compiled = compiled_of(G)
    n = len(compiled)
    there = np.zeros((n, n), np.bool_)
    there[compiled.out.sources, compiled.out.targets] = True
    np.fill_diagonal(there, True)
    sources, targets = np.nonzero(~there)
    offsets = np.concatenate([[0], np.cumsum(np.bincount(sources, minlength=n))])
    twice = compiled.multigraph and not compiled.directed  # NetworkX adds each edge from both ends
    rows = Rows(offsets, targets.astype(np.uint32), np.full(len(targets), 1 + twice, np.uint32))
    made = Compiled(list(compiled.nodes), compiled.directed, compiled.multigraph, ArrayEdges(rows))
    return graph_class(compiled.directed, compiled.multigraph).from_compiled(made)


def _refuses_view(arguments: dict[str, Any]) -> str | None:
    return None if arguments["copy"] else "a view of a graph is NetworkX's"


@implements(refuses=_refuses_view)
def reverse(G: Any, copy: bool = True) -> Any:
    if not G.is_directed():
        raise nx.NetworkXError("Cannot reverse an undirected graph.")
    source = attributes_of(G)
    H = graph_class(True, source.is_multigraph())()
    H.graph.update(deepcopy(source.graph))
    H._node.update({node: deepcopy(data) if data else {} for node, data in source._node.items()})
    H._succ.update({node: {} for node in H._node})
    H._pred.update({node: {} for node in H._node})
    for u, row in source._succ.items():
        for v, data in row.items():
            H._succ[v][u] = H._pred[u][v] = deepcopy(data) if data else {}
    return H


def _refuses_both_ways(arguments: dict[str, Any]) -> str | None:
    """Against directions the lists of a stored graph are searched; other graphs, and distances, are NetworkX's."""
    searched = isinstance(arguments["G"], Reader) and arguments["distance"] is None
    return None if searched else given("undirected")(arguments)


def _both_ways(G: Any, n: Any, levels: int) -> dict[Any, None]:
    """Vertices within a number of edges of a vertex of a stored graph in any direction, in the order of a search."""
    if n not in G:
        raise nx.NodeNotFound(f"Source {n} is not in G")
    last = {n: None}
    found = dict(last)
    while last and levels != 0:
        levels -= 1
        last = {u: None for v in last for u in (*G.neighbors(v), *G.in_neighbors(v)) if u not in found}
        found.update(last)
    return found


@implements(smallest=ONLY_OURS, refuses=_refuses_both_ways)
def ego_graph(
    G: Any, n: Any, radius: float = 1, center: bool = True, undirected: bool = False, distance: Any = None
) -> Any:
    if undirected:
        found = _both_ways(G, n, depth_limit(radius))
        if not center:
            del found[n]
        return attributes_of(G).subgraph(found).copy()
    compiled = compiled_of(G)
    if distance is None:
        start = required(compiled, n, f"Source {n} is not in G")
        order = search(compiled, start, depth=depth_limit(radius))["order"]
    else:
        order = dijkstra_search(G, {n}, radius, distance)[2]["order"]
        start = compiled._numbers[n]
    H = induced(G, [compiled.nodes[v] for v in order.tolist()])
    if not center:
        H.remove_node(compiled.nodes[start])
    return H


@implements
def lowest_common_ancestor(G: Any, node1: Any, node2: Any, default: Any = None) -> Any:
    compiled = compiled_of(G)
    if not run(_core.topological_order, compiled.ordered_view())["acyclic"]:
        raise nx.NetworkXError("LCA only defined on directed acyclic graphs.")
    if len(compiled) == 0:
        raise nx.NetworkXPointlessConcept("LCA meaningless on null graphs.")
    pair = (node1, node2)
    if strangers := {node for node in pair if compiled.number(node) is None}:
        raise nx.NodeNotFound(f"Node(s) {strangers} from pair {pair} not in G.")
    above = [_ancestors(compiled, compiled._numbers[node]) for node in pair]
    common = above[0] & above[1]
    if not common:
        return default
    return compiled.nodes[_lowest(compiled, common)]


def _ancestors(compiled: Compiled, number: int) -> set[Any]:
    """A node and its ancestors, by name, in a set built as NetworkX builds it."""
    names = {compiled.nodes[v] for v in search(compiled, number, in_edges=True)["order"][1:].tolist()}
    names.add(compiled.nodes[number])
    return names


def _lowest(compiled: Compiled, common: set[Any]) -> int:
    """Walk down among the common ancestors from the first of them, as NetworkX does."""
    rows = compiled.out
    inside = compiled.mask(common)
    at: int = compiled._numbers[next(iter(common))]
    while True:
        row = rows.targets[rows.offsets[at] : rows.offsets[at + 1]]
        lower = row[inside[row]]
        if len(lower) == 0:
            return at
        at = int(lower[0])
