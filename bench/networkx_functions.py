"""Each function of the NetworkX backend against NetworkX, on one graph; prints a table.

Usage: networkx_functions.py [--edges 10000] [--repeat 7] [--seconds 2] [--part 1/3] [--cpu] [FUNCTION ...]

Times are medians of `repeat` calls, in milliseconds, with 95% intervals where there are six calls or more
(else the smallest and the largest); fewer where they would take longer than `seconds`.  They include the
conversion of the graph unless the column says "converted".  Generators are read to their end.  "Run by": who
runs it where the program names no backend and `rizoma` has priority.  Functions that look at all pairs of
nodes run on a denser graph with as many edges.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import warnings
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import networkx as nx
from networkx.utils.backends import _registered_algorithms
from rizoma.networkx.backend import FUNCTIONS, should_run
from rizoma_lab.bench.statistics import median_interval

warnings.filterwarnings("ignore")

Interval = tuple[float, float, float]
"""Median, and the ends of its interval."""


@dataclass
class Call:
    """What is timed, and what is done before each time."""

    function: Callable[[], Any]
    prepare: Callable[[], object]


ALL_PAIRS = {
    *(name for name in FUNCTIONS if name.startswith("all_pairs")),
    *("johnson", "betweenness_centrality", "edge_betweenness_centrality", "closeness_centrality"),
    *("harmonic_centrality", "eccentricity", "diameter", "radius", "center", "periphery", "wiener_index"),
    *("average_shortest_path_length", "global_efficiency", "complement", "google_matrix"),
    *("modularity_matrix", "directed_modularity_matrix", "to_numpy_array", "square_clustering"),
}
DIRECTED = {
    *("in_degree_centrality", "out_degree_centrality", "is_weakly_connected", "weakly_connected_components"),
    *("number_weakly_connected_components", "strongly_connected_components", "is_strongly_connected"),
    *(
        "number_strongly_connected_components",
        "reciprocity",
        "overall_reciprocity",
        "reverse",
        "score_sequence",
    ),
    *("tournament_matrix", "is_tournament", "directed_modularity_matrix", "is_branching", "is_arborescence"),
    *("is_directed_acyclic_graph", "topological_sort", "topological_generations", "has_cycle"),
    *("lowest_common_ancestor", "descendants", "ancestors", "is_semiconnected"),
    *("attracting_components", "is_attracting_component", "number_attracting_components"),
}
ACYCLIC = {"is_directed_acyclic_graph", "topological_sort", "topological_generations", "has_cycle"}
ACYCLIC_TOO = ACYCLIC | {"lowest_common_ancestor"}
PAIR = {"has_path", "dijkstra_path", "dijkstra_path_length", "bellman_ford_path", "bellman_ford_path_length"}
SETS = {"volume", "node_boundary", "node_expansion", "boundary_expansion", "is_dominating_set", "cut_size"}
SETS |= {"conductance", "normalized_cut_size", "edge_expansion", "mixing_expansion"}
SOURCE = {"ego_graph", "descendants", "ancestors", "is_isolate", "node_connected_component", "bfs_layers"}
SOURCE |= {"local_reaching_centrality"}


def graph_for(name: str, edges: int) -> Any:
    """A random graph with float weights of the kind that the function takes."""
    nodes = max(20, int((2 * edges) ** 0.5) * 3 if name in ALL_PAIRS else edges // 10)
    graph = nx.gnm_random_graph(nodes, edges, seed=1, directed=name in DIRECTED)
    if name in ACYCLIC_TOO:
        graph = nx.DiGraph((min(u, v), max(u, v)) for u, v in graph.edges)
    if name == "is_tournament":
        graph = nx.tournament.random_tournament(int((2 * edges) ** 0.5), seed=1)
    draw = random.Random(1)
    for _, _, data in graph.edges(data=True):
        data["weight"] = draw.random() + 0.1
    return graph


def arguments_for(name: str, graph: Any) -> tuple[Any, ...]:
    """Arguments beside the graph."""
    nodes = list(graph)
    if name in PAIR | {"efficiency", "lowest_common_ancestor"}:
        return nodes[0], nodes[-1]
    if name in SETS:
        return (set(nodes[: len(nodes) // 2]),)
    if name.startswith(("single_source", "single_target", "bfs_", "dfs_")) or name in SOURCE:
        return (nodes[0],)
    if name.startswith("multi_source"):
        return (set(nodes[:3]),)
    if name in ("set_node_attributes", "set_edge_attributes"):
        return 1, "size"
    if name in ("get_node_attributes", "get_edge_attributes"):
        return ("weight",)
    if name in ("k_truss", "k_corona", "is_k_regular"):
        return (3,)
    if name == "descendants_at_distance":
        return nodes[0], 3
    if name in (
        "jaccard_coefficient",
        "adamic_adar_index",
        "resource_allocation_index",
        "preferential_attachment",
    ):
        return (list(zip(nodes, nodes[1:] + nodes[:1], strict=True)) * 10,)
    if name == "katz_centrality":
        return (0.01,)  # below 1 / the largest eigenvalue
    return (nodes[:5],) if name == "is_simple_path" else ()


def times_of(call: Call, options: argparse.Namespace) -> Interval:
    """Median and interval of the time of a call, in milliseconds."""
    clock = time.process_time if options.cpu else time.perf_counter
    times: list[float] = []
    while len(times) < options.repeat and sum(times) < options.seconds:
        call.prepare()
        begin = clock()
        answer = call.function()
        if hasattr(answer, "__next__"):
            deque(answer, maxlen=0)
        times.append(clock() - begin)
    milliseconds = [1000 * t for t in times]
    if len(times) < 6:
        return sorted(milliseconds)[len(times) // 2], min(milliseconds), max(milliseconds)
    return median_interval(milliseconds)


def shown(time: Interval) -> str:
    """A median and its interval."""
    return "{:.3g} ({:.3g} - {:.3g})".format(*time)


def row(name: str, options: argparse.Namespace) -> str:
    """The line of a function."""
    inner = _registered_algorithms[name].orig_func
    function = getattr(sys.modules[inner.__module__], inner.__name__)
    graph = graph_for(name, options.edges)
    args = arguments_for(name, graph)
    forget = graph.__networkx_cache__.clear
    slow = times_of(Call(lambda: function(graph, *args, backend="networkx"), forget), options)
    fast = times_of(Call(lambda: function(graph, *args, backend="rizoma"), forget), options)
    warm = times_of(Call(lambda: function(graph, *args, backend="rizoma"), lambda: None), options)
    forget()
    ours = should_run(name, (graph, *args), {}) is True
    ratios = f"{slow[0] / fast[0]:.1f}", f"{slow[0] / warm[0]:.1f}"
    cells = (f"`{name}`", shown(slow), shown(fast), *ratios, "rizoma" if ours else "NetworkX")
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description="The NetworkX backend against NetworkX.")
    parser.add_argument("--edges", type=int, default=10_000)
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--part", default="1/1", help="which part of the functions, as in 2/3")
    parser.add_argument("functions", nargs="*")
    parser.add_argument("--cpu", action="store_true", help="processor time of all threads, for a busy machine")
    options = parser.parse_args()
    print("| function | NetworkX, ms | rizoma, ms | times | converted, times | run by |")
    print("| --- | ---: | ---: | ---: | ---: | --- |")
    part, parts = map(int, options.part.split("/"))
    for name in (options.functions or sorted(FUNCTIONS))[part - 1 :: parts]:
        print(row(name, options), flush=True)


if __name__ == "__main__":
    main()
