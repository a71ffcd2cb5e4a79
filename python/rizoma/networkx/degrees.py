"""What degrees and single edges say: isolates, regularity, reciprocity, loops, assortativity, cuts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from rizoma import _core

from .compiled import Compiled, Weights
from .convert import compiled_of
from .nodes import bunch
from .registry import CACHED, ONLY_OURS, directed_or_multigraph, given, implements

__all__: list[str] = []


def _isolated(compiled: Compiled) -> npt.NDArray[np.int64]:
    return np.flatnonzero(compiled.degrees == 0)


@implements(smallest=ONLY_OURS)
def is_isolate(G: Any, n: Any) -> bool:
    compiled = compiled_of(G)
    chosen = bunch(compiled, n)
    return compiled.number(n) is not None and int(compiled.degrees[chosen[0]]) == 0


@implements(smallest=ONLY_OURS)
def isolates(G: Any) -> Iterator[Any]:
    compiled = compiled_of(G)
    return (compiled.nodes[v] for v in _isolated(compiled).tolist())


@implements(smallest=ONLY_OURS)
def number_of_isolates(G: Any) -> int:
    return len(_isolated(compiled_of(G)))


@implements(smallest=ONLY_OURS)
def number_of_selfloops(G: Any) -> int:
    return int(compiled_of(G).loops.sum())


@implements(smallest=ONLY_OURS)
def is_regular(G: Any) -> bool:
    compiled = compiled_of(G)
    if len(compiled) == 0:
        raise nx.NetworkXPointlessConcept("Graph has no nodes.")
    columns = (compiled.in_degrees, compiled.out_degrees) if compiled.directed else (compiled.degrees,)
    return all(bool((column == column[0]).all()) for column in columns)


@implements(smallest=ONLY_OURS)
def is_k_regular(G: Any, k: int) -> bool:
    return bool((compiled_of(G).degrees == k).all())


# Reciprocity.


def _reciprocal(compiled: Compiled) -> npt.NDArray[np.int64]:
    """Out-edges of each node that have their reverse; a loop is its own."""
    return compiled.out.sums(compiled.has_reverse.astype(np.int64))


def _refuses_undirected(arguments: dict[str, Any]) -> str | None:
    graph = arguments["G"]
    return None if graph.is_directed() and not graph.is_multigraph() else "only digraphs have reciprocity"


@implements(refuses=_refuses_undirected)
def overall_reciprocity(G: Any) -> float:
    compiled = compiled_of(G)
    if compiled.num_edges == 0:
        raise nx.NetworkXError("Not defined for empty graphs")
    both = int(_reciprocal(compiled).sum()) - int(compiled.loops.sum())
    return both / compiled.num_edges


@implements(refuses=_refuses_undirected)
def reciprocity(G: Any, nodes: Any = None) -> Any:
    if nodes is None:
        return overall_reciprocity(G)
    compiled = compiled_of(G)
    overlap, total = _reciprocal(compiled).tolist(), compiled.degrees.tolist()
    chosen = bunch(compiled, nodes)
    values = {compiled.nodes[v]: 2 * overlap[v] / total[v] if total[v] else None for v in chosen}
    if compiled.number(nodes) is None:
        return values
    value = next(iter(values.values()))
    if value is None:
        raise nx.NetworkXError("Not defined for isolated nodes.")
    return value


# Tournaments and products of degrees.


@implements(smallest=ONLY_OURS)
def score_sequence(G: Any) -> list[int]:
    return sorted(compiled_of(G).out_degrees.tolist())


@implements
def is_tournament(G: Any) -> bool:
    compiled = compiled_of(G)
    n = len(compiled)
    if compiled.loops.any() or compiled.num_edges != n * (n - 1) // 2:
        return False
    return not compiled.has_reverse.any()


@implements
def s_metric(G: Any) -> float:
    compiled = compiled_of(G)
    entries = compiled.edge_entries()
    degrees, rows = compiled.degrees, compiled.out
    products = degrees[rows.sources[entries]] * degrees[rows.targets[entries]]
    return float((products if rows.edges is None else products * rows.edges[entries]).sum())


# Neighbours' degrees.


def _weighted_degrees(compiled: Compiled, weights: Weights) -> npt.NDArray[Any]:
    """Sum of weights at each node of an undirected graph; a loop counts twice."""
    rows = compiled.out
    values = weights.by_type
    return rows.sums(np.where(rows.sources == rows.targets, 2 * values, values))


@implements(refuses=directed_or_multigraph)
def average_neighbor_degree(
    G: Any, source: str = "out", target: str = "out", nodes: Any = None, weight: Any = None
) -> dict[Any, float]:
    compiled = compiled_of(G)
    if source != "out" or target != "out":
        raise nx.NetworkXError("source and target arguments are only supported for directed graphs")
    around = compiled.degrees[compiled.out.targets]
    if weight is None:
        sums, degrees = compiled.out.sums(around), compiled.degrees
    else:
        weights = compiled.weights(weight)
        sums, degrees = compiled.out.sums(weights.by_type * around), _weighted_degrees(compiled, weights)
    averages = np.zeros(len(compiled))
    np.divide(sums, degrees, out=averages, where=degrees != 0)
    plain = averages.tolist()
    return {compiled.nodes[v]: plain[v] for v in bunch(compiled, nodes)}


def _refuses_weights(arguments: dict[str, Any]) -> str | None:
    return given("weight")(arguments) or directed_or_multigraph(arguments)


@implements(refuses=_refuses_weights)
def average_degree_connectivity(
    G: Any, source: str = "in+out", target: str = "in+out", nodes: Any = None, weight: None = None
) -> dict[int, float]:
    compiled = compiled_of(G)
    if source != "in+out" or target != "in+out":
        raise nx.NetworkXError("source and target arguments are only supported for directed graphs")
    chosen = np.array(bunch(compiled, nodes), np.int64)
    degrees = compiled.degrees[chosen]
    sums = compiled.out.sums(compiled.degrees[compiled.out.targets])[chosen]
    kinds, first, place = np.unique(degrees, return_index=True, return_inverse=True)
    totals, norms = np.zeros(len(kinds), np.int64), np.zeros(len(kinds), np.int64)
    np.add.at(totals, place, sums)
    np.add.at(norms, place, degrees)
    order = np.argsort(first).tolist()
    values = [t if not n else t / n for t, n in zip(totals.tolist(), norms.tolist(), strict=True)]
    return {int(kinds[i]): values[i] for i in order}


# Cuts.


def _entries_between(
    compiled: Compiled, inside: npt.NDArray[np.bool_], other: npt.NDArray[np.bool_] | None
) -> npt.NDArray[np.bool_]:
    """Entries from `inside` that NetworkX's edge_boundary gives; of an undirected edge the first only."""
    u, v = compiled.out.sources, compiled.out.targets
    if other is None:
        found = inside[u] & ~inside[v] if compiled.directed else inside[u] ^ inside[v]
    elif compiled.directed:
        found = inside[u] & ((inside[u] & other[v]) | (inside[v] & other[u]))
    else:
        found = (inside[u] & other[v]) | (inside[v] & other[u])
    return found if compiled.directed else found & (u <= v)


def _cut(compiled: Compiled, S: Any, T: Any, weight: Any) -> Any:
    weights = compiled.weights(weight)
    inside = compiled.mask(S)
    other = None if T is None else compiled.mask(T)
    found = weights.values[_entries_between(compiled, inside, other)].sum()
    if compiled.directed:
        if other is None:
            raise TypeError("'NoneType' object is not iterable")
        found += weights.values[_entries_between(compiled, other, inside)].sum()
    return int(found) if weights.integers else float(found)


def _volume(compiled: Compiled, S: Any, weight: Any) -> Any:
    weights = compiled.weights(weight)
    degrees = compiled.out.sums(weights.by_type) if compiled.directed else _weighted_degrees(compiled, weights)
    return degrees[bunch(compiled, S)].sum().item()


def _sets(S: Any, T: Any, compiled: Compiled) -> tuple[list[Any], Any]:
    S = list(S)
    return S, set(compiled.nodes) - set(S) if T is None else list(T)


@implements
def cut_size(G: Any, S: Any, T: Any = None, weight: Any = None) -> Any:
    return _cut(compiled_of(G), S, T, weight)


@implements(smallest=ONLY_OURS)
def volume(G: Any, S: Any, weight: Any = None) -> Any:
    return _volume(compiled_of(G), S, weight)


@implements
def conductance(G: Any, S: Any, T: Any = None, weight: Any = None) -> float:
    compiled = compiled_of(G)
    S, T = _sets(S, T, compiled)
    least = min(_volume(compiled, S, weight), _volume(compiled, T, weight))
    share: float = _cut(compiled, S, T, weight) / least
    return share


@implements
def normalized_cut_size(G: Any, S: Any, T: Any = None, weight: Any = None) -> float:
    compiled = compiled_of(G)
    S, T = _sets(S, T, compiled)
    volumes = _volume(compiled, S, weight), _volume(compiled, T, weight)
    size: float = _cut(compiled, S, T, weight) * (1 / volumes[0] + 1 / volumes[1])
    return size


@implements
def edge_expansion(G: Any, S: Any, T: Any = None, weight: Any = None) -> float:
    compiled = compiled_of(G)
    S, T = _sets(S, T, compiled)
    share: float = _cut(compiled, S, T, weight) / min(len(S), len(T))
    return share


@implements
def mixing_expansion(G: Any, S: Any, T: Any = None, weight: Any = None) -> float:
    compiled = compiled_of(G)
    share: float = _cut(compiled, S, T, weight) / (2 * compiled.num_edges)
    return share


def _around(compiled: Compiled, inside: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """The out-neighbours of a set."""
    found = np.zeros(len(compiled), np.bool_)
    found[compiled.out.targets[inside[compiled.out.sources]]] = True
    return found


def _named(compiled: Compiled, mask: npt.NDArray[np.bool_]) -> set[Any]:
    return {compiled.nodes[v] for v in np.flatnonzero(mask).tolist()}


@implements(smallest=CACHED)
def node_boundary(G: Any, nbunch1: Any, nbunch2: Any = None) -> set[Any]:
    compiled = compiled_of(G)
    inside = compiled.mask(nbunch1)
    found = _named(compiled, _around(compiled, inside) & ~inside)
    return found if nbunch2 is None else found & set(nbunch2)


@implements(smallest=CACHED)
def node_expansion(G: Any, S: Any) -> float:
    compiled = compiled_of(G)
    S = list(S)
    for node in S:
        if compiled.number(node) is None:
            raise nx.NetworkXError(f"The node {node} is not in the graph.")
    return int(_around(compiled, compiled.mask(S)).sum()) / len(S)


@implements(smallest=ONLY_OURS)
def boundary_expansion(G: Any, S: Any) -> float:
    compiled = compiled_of(G)
    S = list(S)
    inside = compiled.mask(S)
    return int((_around(compiled, inside) & ~inside).sum()) / len(S)


@implements(smallest=CACHED)
def is_dominating_set(G: Any, nbunch: Any) -> bool:
    compiled = compiled_of(G)
    inside = compiled.mask(nbunch)
    return bool((inside | _around(compiled, inside)).all())


@implements(smallest=ONLY_OURS, refuses=given("edge"))
def is_negatively_weighted(G: Any, edge: None = None, weight: Any = "weight") -> bool:
    compiled = compiled_of(G)
    return bool((compiled.weights(weight, 0, _core.Fold.least).values < 0).any())
