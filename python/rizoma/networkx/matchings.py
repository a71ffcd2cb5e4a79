"""Questions about sets of edges without common ends, and about parts of the nodes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import networkx as nx

from .convert import attributes_of
from .registry import ONLY_OURS, implements, multigraph

__all__: list[str] = []


def _ends(G: Any, matching: Any) -> set[Any] | None:
    """The nodes that a matching matches; None if it is none.  NetworkXError if it names what no graph has."""
    edges = matching
    if isinstance(matching, dict):  # which names each edge from both ends
        loop = next(((u, v) for u, v in matching.items() if u == v), None)
        if loop is not None:
            raise nx.NetworkXError(f"Selfloops cannot appear in matchings {loop}")
        edges = {frozenset(edge): edge for edge in [*matching.items()][::-1]}.values()  # as it comes first
    nodes: set[Any] = set()
    for edge in edges:
        if len(edge) != 2:
            raise nx.NetworkXError(f"matching has non-2-tuple edge {edge}")
        if any(n not in G for n in edge):
            raise nx.NetworkXError(f"matching contains edge {edge} with node not in G")
        u, v = edge
        if u == v or not G.has_edge(u, v) or not nodes.isdisjoint(edge):
            return None
        nodes.update(edge)
    return nodes


@implements(smallest=ONLY_OURS)
def is_matching(G: Any, matching: Any) -> bool:
    return _ends(attributes_of(G), matching) is not None


@implements(smallest=ONLY_OURS, refuses=multigraph)
def is_maximal_matching(G: Any, matching: Any) -> bool:
    source = attributes_of(G)
    nodes = _ends(source, matching)
    return nodes is not None and all(u == v or u in nodes or v in nodes for u, v in source.edges())


@implements(smallest=ONLY_OURS)
def is_perfect_matching(G: Any, matching: Any) -> bool:
    nodes = _ends(attributes_of(G), matching)
    return nodes is not None and len(nodes) == len(G)


@implements(smallest=ONLY_OURS)
def is_partition(G: Any, communities: Iterable[Any]) -> bool:
    parts = list(communities)
    inside = {n for part in parts for n in part if n in G}
    return len(G) == len(inside) == sum(len(part) for part in parts)
