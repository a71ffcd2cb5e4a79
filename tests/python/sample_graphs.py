"""Random graphs for the tests, and the same graphs stored."""

from __future__ import annotations

import networkx as nx
import numpy as np
import rizoma as rz


def random_graph(seed: int, n: int = 60, m: int = 180, directed: bool = False) -> nx.Graph:
    """A graph with isolated vertices, self-loops, weights and several components."""
    rng = np.random.default_rng(seed)
    graph = nx.DiGraph() if directed else nx.Graph()
    graph.add_nodes_from(range(n))
    ends = rng.integers(0, n - n // 6, (m, 2))
    graph.add_weighted_edges_from(
        (int(u), int(v), int(w)) for (u, v), w in zip(ends, rng.integers(1, 20, m), strict=True)
    )
    return graph


def stored(graph: nx.Graph, order: str = "auto", weights: str | None = "int32") -> rz.Graph:
    """The same graph in memory, with internal ids in the given order."""
    out = rz.open(None, directed=graph.is_directed(), weights=weights)
    out.add_edges(graph)
    out.compact(order)
    return out


def sorted_graph(seed: int, n: int = 60, m: int = 150, directed: bool = False, loops: bool = True) -> nx.Graph:
    """As random_graph, with every adjacency in ascending order, as a stored graph's lists are."""
    given = random_graph(seed, n, m, directed)
    if not loops:
        given.remove_edges_from(list(nx.selfloop_edges(given)))
    graph = given.__class__()
    graph.add_nodes_from(range(n))
    edges = given.edges.data("weight")
    ends = edges if directed else ((min(u, v), max(u, v), w) for u, v, w in edges)
    graph.add_weighted_edges_from(sorted(ends))
    return graph
