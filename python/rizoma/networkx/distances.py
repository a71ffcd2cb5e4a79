"""Eccentricity, diameter and their relatives; mean distances and efficiency."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from rizoma import _core

from .compiled import Compiled, run
from .convert import compiled_of
from .nodes import bunch
from .registry import ONLY_OURS, given, implements
from .searches import distance_between
from .weighted import dijkstra_batches, mean_or_total

__all__: list[str] = []


def _eccentricities(compiled: Compiled, numbers: list[int], weight: Any) -> list[Any]:
    """Greatest distances.  Raises NetworkXError if some node is not reached."""
    if weight is None:
        sums = run(_core.distance_sums, compiled.view(), np.array(numbers, np.uint64))
        values: list[Any] = sums["eccentricity"].tolist()
        complete = bool((sums["reached"] == len(compiled)).all())
    else:
        wanted, found, complete = set(numbers), {}, True
        for source, tree, weights in dijkstra_batches(compiled, weight):
            if source in wanted:
                complete &= len(tree["order"]) == len(compiled)
                found[source] = weights.plain(tree["distance"][-1:])[0]
        values = [found[number] for number in numbers]
    if complete:
        return values
    if compiled.directed:
        raise nx.NetworkXError("Found infinite path length because the digraph is not strongly connected")
    raise nx.NetworkXError("Found infinite path length because the graph is not connected")


@implements(smallest=200, refuses=given("sp"))
def eccentricity(G: Any, v: Any = None, sp: None = None, weight: Any = None) -> Any:
    compiled = compiled_of(G)
    numbers = bunch(compiled, v)
    values = _eccentricities(compiled, numbers, weight)
    if v is not None and compiled.number(v) is not None:
        return values[0]
    return {compiled.nodes[number]: value for number, value in zip(numbers, values, strict=True)}


def _bounds_of_nothing(arguments: dict[str, Any]) -> str | None:
    """Raise what NetworkX raises of an empty graph with `usebounds`, which is another way to the same answer."""
    if arguments["e"] is not None:
        return "given eccentricities are left to NetworkX"
    return "an empty graph is left to NetworkX" if arguments["usebounds"] and len(arguments["G"]) == 0 else None


@implements(smallest=200, refuses=_bounds_of_nothing)
def diameter(G: Any, e: None = None, usebounds: bool = False, weight: Any = None) -> Any:
    compiled = compiled_of(G)
    if weight is None and not compiled.directed and len(compiled) and _is_connected(compiled):
        return run(_core.diameter, compiled.view())[0]
    return max(eccentricity(G, weight=weight).values())


@implements(smallest=200, refuses=_bounds_of_nothing)
def radius(G: Any, e: None = None, usebounds: bool = False, weight: Any = None) -> Any:
    return min(eccentricity(G, weight=weight).values())


@implements(smallest=200, refuses=_bounds_of_nothing)
def center(G: Any, e: None = None, usebounds: bool = False, weight: Any = None) -> list[Any]:
    compiled = compiled_of(G)
    if len(compiled) == 0 and weight is None and not compiled.directed:
        raise nx.NetworkXPointlessConcept("G has no nodes.")
    if weight is None and not compiled.directed and compiled.num_edges == len(compiled) - 1:
        raise NotImplementedError("the centre of a tree is found by NetworkX in linear time")
    found = eccentricity(G, weight=weight)
    least = min(found.values())
    return [node for node, value in found.items() if value == least]


@implements(smallest=200, refuses=_bounds_of_nothing)
def periphery(G: Any, e: None = None, usebounds: bool = False, weight: Any = None) -> list[Any]:
    found = eccentricity(G, weight=weight)
    greatest = max(found.values())
    return [node for node, value in found.items() if value == greatest]


def _totals(compiled: Compiled) -> dict[str, npt.NDArray[Any]]:
    """Figures of distances from every node."""
    return run(_core.distance_sums, compiled.view())


@implements(smallest=200)
def average_shortest_path_length(G: Any, weight: Any = None, method: str | None = None) -> float:
    compiled = compiled_of(G)
    method = method or ("unweighted" if weight is None else "dijkstra")
    if method not in ("unweighted", "dijkstra", "bellman-ford", "floyd-warshall", "floyd-warshall-numpy"):
        raise ValueError(f"method not supported: {method}")
    if method.startswith("floyd"):
        raise NotImplementedError("Floyd and Warshall's method is left to NetworkX")
    n = len(compiled)
    if n == 0:
        raise nx.NetworkXPointlessConcept("the null graph has no paths, thus there is no average shortest path length")
    if n == 1:
        return 0
    _require_connected(compiled)
    total = int(_totals(compiled)["sum"].sum()) if method == "unweighted" else mean_or_total(G, weight, method)
    mean: float = total / (n * (n - 1))
    return mean


def _is_connected(compiled: Compiled) -> bool:
    if compiled.directed:
        return int(run(_core.strong_components, compiled.ordered_view())["count"]) == 1
    return int(run(_core.connected_components, compiled.view())["count"]) == 1


def _require_connected(compiled: Compiled) -> None:
    if not _is_connected(compiled):
        kind = "strongly connected" if compiled.directed else "connected"
        raise nx.NetworkXError(f"Graph is not {kind}.")


@implements(smallest=200)
def wiener_index(G: Any, weight: Any = None) -> float:
    compiled = compiled_of(G)
    if len(compiled) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    if not _is_connected(compiled):
        return float("inf")
    total = int(_totals(compiled)["sum"].sum()) if weight is None else mean_or_total(G, weight, "dijkstra")
    return total if compiled.directed else total / 2


@implements(smallest=200)
def global_efficiency(G: Any) -> float:
    compiled = compiled_of(G)
    n = len(compiled)
    if n < 2:
        return 0
    total = float(_totals(compiled)["harmonic"].sum())
    return total / (n * (n - 1)) if total else 0


def _reaching(compiled: Compiled, numbers: list[int] | None = None) -> list[float]:
    """Share of the other nodes that some nodes (None: all) reach; undirected, each counts 1 / distance."""
    if compiled.num_edges == 0:
        raise nx.NetworkXError("Size of G must be positive")
    if len(compiled) == 1:
        raise nx.NetworkXError("local_reaching_centrality of one node with a loop is not defined")
    sources = None if numbers is None else np.array(numbers, np.uint64)
    totals = run(_core.distance_sums, compiled.view(), sources)
    reached = totals["reached"] - 1 if compiled.directed else totals["harmonic"]
    return (reached / (len(compiled) - 1)).tolist()  # type: ignore[no-any-return]


@implements(refuses=given("paths", "weight"))
def local_reaching_centrality(
    G: Any, v: Any, paths: None = None, weight: None = None, normalized: bool = True
) -> float:
    compiled = compiled_of(G)
    number = compiled.number(v)
    if number is None and compiled.num_edges > 0:
        raise nx.NodeNotFound(f"Source {v} not in G")
    return _reaching(compiled, [number or 0])[0]


@implements(smallest=200, refuses=given("weight"))
def global_reaching_centrality(G: Any, weight: None = None, normalized: bool = True) -> float:
    shares = _reaching(compiled_of(G))
    greatest = max(shares)
    return sum(greatest - share for share in shares) / (len(shares) - 1)


@implements(smallest=ONLY_OURS)
def efficiency(G: Any, u: Any, v: Any) -> float:
    found = distance_between(compiled_of(G), u, v)
    return 0 if found is None else 1 / found
