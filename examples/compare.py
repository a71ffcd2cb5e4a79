"""The same questions to Rizoma, NetworkX and igraph: python examples/compare.py [SCALE]

Makes a social-network-like graph of 2^SCALE vertices (R-MAT, 16 edges a vertex; default 14), asks each library that is
installed, checks that the answers agree, and prints the seconds of each call (the best of three; NetworkX: one).
"""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Callable
from typing import Any

import rizoma as rz

QUESTIONS = ("components", "core numbers", "PageRank")


def best_of(times: int, call: Callable[[], Any]) -> tuple[float, Any]:
    """The least seconds of several calls, and the answer of the last."""
    least, answer = float("inf"), None
    for _ in range(times):
        began = time.perf_counter()
        answer = call()
        least = min(least, time.perf_counter() - began)
    return least, answer


def rizoma_calls(graph: Any) -> dict[str, Callable[[], Any]]:
    """What Rizoma is asked: the number of components, the largest core, and the vertex of the highest score."""
    return {
        "components": lambda: rz.connected_components(graph).count,
        "core numbers": lambda: rz.core_number(graph).top(1)[0][1],
        "PageRank": lambda: rz.pagerank(graph).top(1)[0][0],
    }


def networkx_calls(graph: Any) -> dict[str, Callable[[], Any]]:
    """The same of NetworkX, by its own code."""
    import networkx as nx

    nx.config.backend_priority.algos = []
    own = nx.Graph((int(u), int(v)) for u, v in graph.edges)
    return {
        "components": lambda: nx.number_connected_components(own),
        "core numbers": lambda: max(nx.core_number(own).values()),
        "PageRank": lambda: max(nx.pagerank(own).items(), key=lambda item: item[1])[0],
    }


def igraph_calls(graph: Any) -> dict[str, Callable[[], Any]]:
    """The same of igraph."""
    import igraph

    names = [int(v) for v in graph]
    number = {name: i for i, name in enumerate(names)}
    own = igraph.Graph(len(names), [(number[int(u)], number[int(v)]) for u, v in graph.edges])
    return {
        "components": lambda: len(own.connected_components()),
        "core numbers": lambda: max(own.coreness()),
        "PageRank": lambda: names[max(enumerate(own.pagerank()), key=lambda item: item[1])[0]],
    }


def main() -> None:
    """Ask, compare and print."""
    scale = int(sys.argv[1]) if len(sys.argv) > 1 else 14
    whole = rz.generate("rmat", scale, seed=1, self_loops="drop")
    graph = rz.read([(u, v) for u, v in whole.edges])
    print(f"{len(graph):,} vertices, {graph.num_edges:,} edges; seconds")
    asked = {"rizoma": rizoma_calls(graph)}
    for name, calls in (("networkx", networkx_calls), ("igraph", igraph_calls)):
        if importlib.util.find_spec(name):
            asked[name] = calls(graph)
    print(f"{'':12}" + "".join(f"{name:>12}" for name in asked))
    for question in QUESTIONS:
        found = {name: best_of(1 if name == "networkx" else 3, calls[question]) for name, calls in asked.items()}
        assert len({answer for _, answer in found.values()}) == 1, (question, found)
        print(f"{question:12}" + "".join(f"{seconds:12.4f}" for seconds, _ in found.values()))


if __name__ == "__main__":
    main()
