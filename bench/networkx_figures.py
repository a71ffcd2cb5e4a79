"""Conversion and four functions on a graph of a million edges, against NetworkX; conversion included.

Usage: networkx_figures.py [--graph rmat|uniform] [--sources 2] [--cpu]

NetworkX's betweenness centrality is timed with a few sources and scaled up to 100.
"""

from __future__ import annotations

import argparse
import statistics
import time
import warnings
from collections import deque
from collections.abc import Callable
from typing import Any

import networkx as nx
import rizoma as rz
from rizoma.networkx.convert import convert_from_nx

warnings.filterwarnings("ignore")


def make(kind: str) -> Any:
    """A NetworkX graph of about a million edges with integer nodes."""
    if kind == "rmat":
        stored = rz.generate("rmat", scale=17, edge_factor=8, seed=1)
    else:
        stored = rz.generate("uniform", scale=17, edge_factor=8, seed=1)
    graph = nx.Graph()
    table = stored.edges.to_arrow()
    graph.add_edges_from(zip(table["source"].to_pylist(), table["target"].to_pylist(), strict=True))
    return graph


Clock = Callable[[], float]


def seconds(call: Callable[[], Any], graph: Any, repeat: int, clock: Clock) -> float:
    """Median time of a call on a graph that was not converted before."""
    times = []
    for _ in range(repeat):
        graph.__networkx_cache__.clear()
        begin = clock()
        answer = call()
        if hasattr(answer, "__next__"):
            deque(answer, maxlen=0)
        times.append(clock() - begin)
    return statistics.median(times)


def main() -> None:
    parser = argparse.ArgumentParser(description="The NetworkX backend on a million edges.")
    parser.add_argument("--graph", choices=["rmat", "uniform"], default="rmat")
    parser.add_argument("--sources", type=int, default=2)
    parser.add_argument("--cpu", action="store_true", help="processor time of all threads, for a busy machine")
    options = parser.parse_args()
    clock = time.process_time if options.cpu else time.perf_counter
    graph = make(options.graph)
    print(graph)
    print(f"conversion {seconds(lambda: convert_from_nx(graph).compiled.view(), graph, 5, clock):.3f} s")
    calls: dict[str, Callable[[str], Any]] = {
        "pagerank": lambda backend: nx.pagerank(graph, backend=backend),
        "connected_components": lambda backend: nx.connected_components(graph, backend=backend),
        "triangles": lambda backend: nx.triangles(graph, backend=backend),
    }
    for name, call in calls.items():
        slow = seconds(lambda call=call: call("networkx"), graph, 1, clock)
        fast = seconds(lambda call=call: call("rizoma"), graph, 3, clock)
        print(f"{name:22} {slow:8.2f} s  {fast:7.3f} s  {slow / fast:6.1f} times", flush=True)
    few = seconds(
        lambda: nx.betweenness_centrality(graph, k=options.sources, seed=1, backend="networkx"),
        graph,
        1,
        clock,
    )
    slow = few * 100 / options.sources
    fast = seconds(lambda: nx.betweenness_centrality(graph, k=100, seed=1, backend="rizoma"), graph, 1, clock)
    print(f"{'betweenness, k = 100':22} {slow:8.2f} s  {fast:7.3f} s  {slow / fast:6.1f} times")


if __name__ == "__main__":
    main()
