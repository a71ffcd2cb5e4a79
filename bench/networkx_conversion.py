"""Conversion of a NetworkX graph of a million edges by the backend and by graphblas-algorithms.

Usage: networkx_conversion.py [--rounds 7]

The graph is a uniform random one of 100,000 nodes; every conversion is a first one.  The two take turns.
Prints medians in seconds and their ratio with 95% bootstrap intervals.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
from graphblas_algorithms import Graph
from rizoma.networkx.convert import convert_from_nx
from rizoma_lab.bench.statistics import median_interval

NODES, EDGES = 100_000, 1_000_000


def rizoma(graph: Any, weight: str | None) -> object:
    """Rows and weights, as kernels take them."""
    graph.__networkx_cache__.clear()
    compiled = convert_from_nx(graph).compiled
    return compiled.view(None if weight is None else compiled.weights(weight))


def graphblas(graph: Any, weight: str | None) -> object:
    """A matrix."""
    return Graph.from_networkx(graph, weight=weight)


def make(name: Callable[[int], Any], weighted: bool) -> Any:
    """The graph; ends of edges as `name` gives them."""
    draw = np.random.default_rng(1)
    pairs = draw.integers(0, NODES, (EDGES, 2)).tolist()
    graph = nx.Graph()
    if weighted:
        weights = draw.random(EDGES).tolist()
        graph.add_weighted_edges_from((name(u), name(v), w) for (u, v), w in zip(pairs, weights, strict=True))
    else:
        graph.add_edges_from((name(u), name(v)) for u, v in pairs)
    return graph


def shown(values: list[float]) -> str:
    """The median and its interval."""
    return "{:.3g} ({:.3g} - {:.3g})".format(*median_interval(values))


def main() -> None:
    parser = argparse.ArgumentParser(description="Conversion of NetworkX graphs.")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    for what, name, weight in (
        ("integers as nodes", int, None),
        ("strings as nodes", str, None),
        ("integers, with an attribute", int, "weight"),
    ):
        graph = make(name, weight is not None)
        seconds: dict[str, list[float]] = {"rizoma": [], "graphblas": []}
        for _ in range(options.rounds):
            for library, convert in (("rizoma", rizoma), ("graphblas", graphblas)):
                begin = time.perf_counter()
                convert(graph, weight)
                seconds[library].append(time.perf_counter() - begin)
        ratios = [g / r for g, r in zip(seconds["graphblas"], seconds["rizoma"], strict=True)]
        cells = (what, *(shown(values) for values in (*seconds.values(), ratios)))
        print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
