"""Graphs under other names: relabelled nodes, nodes as integers, and nodes that become one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import networkx as nx

from rizoma.graph.state import Reader

from .compiled import Compiled
from .convert import attributes_of, compiled_of
from .graphs import graph_class
from .registry import ONLY_OURS, implements

__all__ = ["relabelled"]


def _in_place(arguments: dict[str, Any]) -> str | None:
    return None if arguments["copy"] else "changes of a graph in place are left to NetworkX"


def relabelled(G: Any, names: Mapping[Any, Any]) -> Any:
    """A copy with these names in place of those that are keys; nodes of one name become one.

    A graph that has no dictionaries yet gets none: its rows are shared.
    """
    cls = graph_class(G.is_directed(), G.is_multigraph())
    if isinstance(G, Reader) or getattr(G, "_rows", None) is not None:
        compiled = compiled_of(G)
        nodes = [names.get(n, n) for n in compiled.nodes]
        if len(set(nodes)) == len(nodes):
            H = cls.from_compiled(Compiled(nodes, compiled.directed, compiled.multigraph, compiled.edges))
            H.graph.update(attributes_of(G).graph)
            return H
    source = attributes_of(G)
    H = cls()
    H.graph.update(source.graph)
    for n, data in source.nodes(data=True):
        new = names.get(n, n)
        H.add_node(new)
        H._node[new] = dict(data)  # of nodes that become one, the last one counts
    if not source.is_multigraph():
        H.add_edges_from((names.get(u, u), names.get(v, v), data) for u, v, data in source.edges(data=True))
        return H
    for u, v, key, data in source.edges(keys=True, data=True):
        a, b = names.get(u, u), names.get(v, v)
        H.add_edges_from([(a, b, _free_key(H, a, b, key), data)])  # names of attributes need not be strings
    return H


def _free_key(H: Any, u: Any, v: Any, key: Any) -> Any:
    """The key itself, or the next number that no edge between the two has."""
    taken = H._adj[u].get(v, {})
    if key in taken and not isinstance(key, (int, float)):
        key = 1
    while key in taken:
        key += 1
    return key


@implements(smallest=ONLY_OURS, refuses=_in_place)
def relabel_nodes(G: Any, mapping: Any, copy: bool = True) -> Any:
    return relabelled(G, {n: mapping(n) for n in G} if callable(mapping) else mapping)


@implements(smallest=ONLY_OURS)
def convert_node_labels_to_integers(
    G: Any, first_label: int = 0, ordering: str = "default", label_attribute: Any = None
) -> Any:
    numbers = {n: number for number, n in enumerate(_ordered(G, ordering), first_label)}
    H = relabelled(G, numbers)
    if label_attribute is not None:
        for n, number in numbers.items():
            H._node[number][label_attribute] = n
    return H


def _ordered(G: Any, ordering: str) -> list[Any]:
    if ordering == "default":
        return list(G)
    if ordering == "sorted":
        return sorted(G)
    if ordering not in ("increasing degree", "decreasing degree"):
        raise nx.NetworkXError(f"Unknown node ordering: {ordering}")
    pairs = sorted(((degree, n) for n, degree in attributes_of(G).degree()), reverse=ordering.startswith("d"))
    return [n for _, n in pairs]


@implements(smallest=ONLY_OURS, refuses=_in_place)
def contracted_nodes(
    G: Any, u: Any, v: Any, self_loops: bool = True, copy: bool = True, *, store_contraction_as: Any = "contraction"
) -> Any:
    source = attributes_of(G)
    edges = [*source.in_edges(v, data=True)] if source.is_directed() else []
    edges += source.edges(v, data=True)
    H = graph_class(source.is_directed(), source.is_multigraph())(source)
    gone = H.nodes[v]
    H.remove_node(v)
    for a, b, data in edges:
        ends = tuple(u if end == v else end for end in (a, b))
        if {a, b} == {u, v} and not self_loops:
            continue
        if H.is_multigraph() or not H.has_edge(*ends):
            H.add_edge(*ends, **data)
        elif store_contraction_as is not None:
            H.edges[ends].setdefault(store_contraction_as, {})[a, b] = data
    if store_contraction_as is not None:
        H.nodes[u].setdefault(store_contraction_as, {})[v] = gone
    return H


@implements(smallest=ONLY_OURS, refuses=_in_place)
def contracted_edge(
    G: Any, edge: Any, self_loops: bool = True, copy: bool = True, *, store_contraction_as: Any = "contraction"
) -> Any:
    u, v = edge[:2]
    if not G.has_edge(u, v):
        raise ValueError(f"Edge {edge} does not exist in graph G; cannot contract it")
    return contracted_nodes(G, u, v, self_loops, store_contraction_as=store_contraction_as)
