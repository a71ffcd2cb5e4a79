"""Triangles, squares, cores and trusses."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from rizoma import _core

from .compiled import Compiled, Weights, run
from .convert import compiled_of
from .copies import edge_subgraph, induced
from .nodes import bunch, one_or_many
from .registry import LINEAR, ONLY_OURS, directed, directed_or_multigraph, implements, multigraph

__all__: list[str] = []


def _triangle_counts(compiled: Compiled) -> npt.NDArray[np.int64]:
    counts: npt.NDArray[np.int64] = run(_core.triangle_count, compiled.view())["triangles"].astype(np.int64)
    return counts


def _simple_degrees(compiled: Compiled) -> npt.NDArray[np.int64]:
    """Neighbours of each node but itself."""
    return compiled.out.lengths - (compiled.loops > 0)


def _refuses_nodes_of_multigraph(arguments: dict[str, Any]) -> str | None:
    return None if arguments["nodes"] is None else multigraph(arguments)


@implements(refuses=_refuses_nodes_of_multigraph)
def triangles(G: Any, nodes: Any = None) -> Any:
    compiled = compiled_of(G)
    return one_or_many(compiled, nodes, _triangle_counts(compiled))


def _ratios(numerators: npt.NDArray[Any], denominators: npt.NDArray[Any]) -> list[Any]:
    """Quotients; the int 0 where the numerator is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        quotients = (numerators / denominators).tolist()
    return [quotient if some else 0 for quotient, some in zip(quotients, (numerators != 0).tolist(), strict=True)]


def _normalised_view(compiled: Compiled, weight: Any) -> _core.View:
    """Weights divided by the largest, as NetworkX does."""
    weights = compiled.weights(weight, 1, _core.Fold.greatest)
    values = weights.values
    if len(values) and not (values.max() > 0 and values.min() >= 0):
        raise NotImplementedError("weights below 0 are left to NetworkX")
    return compiled.view(Weights(values / values.max() if len(values) else values, False))


def _coefficients(compiled: Compiled, weight: Any) -> list[Any]:
    """Clustering coefficient of each node."""
    if compiled.directed:
        return _directed_coefficients(compiled, weight)
    degrees = _simple_degrees(compiled)
    if weight is None:
        return _ratios(2 * _triangle_counts(compiled), degrees * (degrees - 1))
    sums = run(_core.weighted_triangles, _normalised_view(compiled, weight), True)
    return _ratios(2 * sums, degrees * (degrees - 1))


def _directed_coefficients(compiled: Compiled, weight: Any) -> list[Any]:
    view = compiled.view() if weight is None else _normalised_view(compiled, weight)
    sums = run(_core.weighted_triangles, view, weight is not None)
    rows = compiled.out
    plain = rows.sources != rows.targets
    total = compiled.out.lengths + np.bincount(rows.targets, minlength=len(compiled)) - 2 * (compiled.loops > 0)
    both = rows.sums((plain & compiled.has_reverse).astype(np.int64))
    return _ratios(2 * sums, (total * (total - 1) - 2 * both) * 2)


@implements(refuses=multigraph)
def clustering(G: Any, nodes: Any = None, weight: Any = None) -> Any:
    compiled = compiled_of(G)
    return one_or_many(compiled, nodes, _coefficients(compiled, weight))


@implements(refuses=multigraph)
def average_clustering(G: Any, nodes: Any = None, weight: Any = None, count_zeros: bool = True) -> float:
    compiled = compiled_of(G)
    values = _coefficients(compiled, weight)
    chosen = [values[number] for number in dict.fromkeys(bunch(compiled, nodes))]  # as NetworkX, each node once
    if not count_zeros:
        chosen = [value for value in chosen if abs(value) > 0]
    mean: float = sum(chosen) / len(chosen)
    return mean


@implements(refuses=directed_or_multigraph)
def transitivity(G: Any) -> float:
    compiled = compiled_of(G)
    degrees = _simple_degrees(compiled)
    closed = 2 * int(_triangle_counts(compiled).sum())
    return closed / int((degrees * (degrees - 1)).sum()) if closed else 0


@implements(refuses=multigraph)
def generalized_degree(G: Any, nodes: Any = None) -> Any:
    compiled = compiled_of(G)
    rows, plain = compiled.out, compiled.out.sources != compiled.out.targets
    support = np.empty(len(rows.targets), np.int64)
    support[compiled.sorted_positions] = run(_core.edge_triangles, compiled.view()).astype(np.int64)
    single = None if nodes is None else compiled.number(nodes)
    chosen = np.array(bunch(compiled, nodes), np.int64)
    counters = {
        compiled.nodes[v]: Counter(support[a:b][plain[a:b]].tolist())
        for v, a, b in np.stack([chosen, rows.offsets[chosen], rows.offsets[chosen + 1]], axis=1).tolist()
    }
    return counters if single is None else counters[compiled.nodes[single]]


@implements(refuses=directed)
def square_clustering(G: Any, nodes: Any = None) -> Any:
    compiled = compiled_of(G)
    values = run(_core.square_clustering, compiled.view())
    degrees = _simple_degrees(compiled)
    around = compiled.out.sums(degrees[compiled.out.targets]) - np.where(compiled.loops > 0, degrees, 0)
    possible = (degrees - 1) * (around - degrees) - 2 * _triangle_counts(compiled)
    plain = [
        value if some else value or 0 for value, some in zip(values.tolist(), (possible > 0).tolist(), strict=True)
    ]
    return one_or_many(compiled, nodes, plain)


# Cores and trusses.


_LOOPS = "Input graph has self loops which is not permitted; Consider using G.remove_edges_from(nx.selfloop_edges(G))."


def _refuse_loops(compiled: Compiled) -> None:
    if compiled.loops.any():
        raise nx.NetworkXNotImplemented(_LOOPS)


def _cores(compiled: Compiled) -> npt.NDArray[np.int64]:
    _refuse_loops(compiled)
    cores: npt.NDArray[np.int64] = run(_core.core_numbers, compiled.view())["core"].astype(np.int64)
    return cores


@implements
def core_number(G: Any) -> dict[Any, int]:
    compiled = compiled_of(G)
    return compiled.by_node(_cores(compiled))


def _given_cores(compiled: Compiled, core_number: dict[Any, int] | None) -> npt.NDArray[np.int64]:
    if core_number is None:
        return _cores(compiled)
    return np.array([core_number[node] for node in compiled.nodes], np.int64)


def _greatest(cores: npt.NDArray[np.int64]) -> int:
    return int(max(cores.tolist()))


def _named(compiled: Compiled, inside: npt.NDArray[np.bool_]) -> list[Any]:
    return [compiled.nodes[v] for v in np.flatnonzero(inside).tolist()]


@implements(smallest=LINEAR)
def k_core(G: Any, k: int | None = None, core_number: dict[Any, int] | None = None) -> Any:
    compiled = compiled_of(G)
    cores = _given_cores(compiled, core_number)
    return induced(G, _named(compiled, cores >= (_greatest(cores) if k is None else k)))


@implements
def k_shell(G: Any, k: int | None = None, core_number: dict[Any, int] | None = None) -> Any:
    compiled = compiled_of(G)
    cores = _given_cores(compiled, core_number)
    return induced(G, _named(compiled, cores == (_greatest(cores) if k is None else k)))


@implements
def k_crust(G: Any, k: int | None = None, core_number: dict[Any, int] | None = None) -> Any:
    compiled = compiled_of(G)
    cores = _given_cores(compiled, core_number)
    return induced(G, _named(compiled, cores <= (_greatest(cores) - 1 if k is None else k)))


@implements
def k_corona(G: Any, k: int, core_number: dict[Any, int] | None = None) -> Any:
    compiled = compiled_of(G)
    cores = _given_cores(compiled, core_number)
    inner = compiled.out.sums((cores >= k)[compiled.out.targets].astype(np.int64))
    return induced(G, _named(compiled, (cores == k) & (inner == k)))


@implements
def k_truss(G: Any, k: int) -> Any:
    compiled = compiled_of(G)
    _refuse_loops(compiled)
    kept = np.empty(len(compiled.out.targets), np.bool_)
    kept[compiled.sorted_positions] = run(_core.k_truss, compiled.view(), max(0, math.ceil(k))).astype(np.bool_)
    inside = np.zeros(len(compiled), np.bool_)
    inside[compiled.out.sources[kept]] = True
    return edge_subgraph(G, compiled, inside, kept)


# Pairs of nodes.


def _pairs(compiled: Compiled, ebunch: Any) -> tuple[list[tuple[Any, Any]], npt.NDArray[np.uint64]]:
    """The pairs asked for and their numbers (2, pairs)."""
    pairs = [(u, v) for u, v in ebunch]
    numbers = []
    for u, v in pairs:
        for node in (u, v):
            number = compiled.number(node)
            if number is None:
                raise nx.NodeNotFound(f"Node {node} not in G.")
            numbers.append(number)
    return pairs, np.array(numbers, np.uint64).reshape(-1, 2).T.copy()


def _refuses_all_pairs(arguments: dict[str, Any]) -> str | None:
    return "predictions for all pairs without an edge" if arguments["ebunch"] is None else None


def _predictions(pairs: list[tuple[Any, Any]], values: list[Any]) -> Any:
    return iter([(u, v, value) for (u, v), value in zip(pairs, values, strict=True)])


def _common(G: Any, ebunch: Any, value: Callable[[dict[str, Any]], npt.NDArray[Any]], some: str) -> Any:
    """A prediction for each pair; the int 0 where the figure `some` is 0."""
    compiled = compiled_of(G)
    pairs, numbers = _pairs(compiled, ebunch)
    if compiled.loops.any() or (numbers[0] == numbers[1]).any():
        raise NotImplementedError("pairs of one node and graphs with loops are left to NetworkX")
    answer = run(_core.common_neighbors, compiled.view(), numbers[0], numbers[1])
    with np.errstate(invalid="ignore"):
        values = value(answer).tolist()
    return _predictions(pairs, [v if s else 0 for v, s in zip(values, answer[some].tolist(), strict=True)])


@implements(refuses=_refuses_all_pairs)
def jaccard_coefficient(G: Any, ebunch: Any = None) -> Any:
    return _common(G, ebunch, lambda answer: answer["common"] / answer["either"], "either")


@implements(refuses=_refuses_all_pairs)
def adamic_adar_index(G: Any, ebunch: Any = None) -> Any:
    return _common(G, ebunch, lambda answer: answer["adamic_adar"], "common")


@implements(refuses=_refuses_all_pairs)
def resource_allocation_index(G: Any, ebunch: Any = None) -> Any:
    return _common(G, ebunch, lambda answer: answer["resource_allocation"], "common")


@implements(smallest=ONLY_OURS, refuses=_refuses_all_pairs)
def preferential_attachment(G: Any, ebunch: Any = None) -> Any:
    compiled = compiled_of(G)
    pairs, numbers = _pairs(compiled, ebunch)
    degrees = compiled.degrees
    values = (degrees[numbers[0].astype(np.int64)] * degrees[numbers[1].astype(np.int64)]).tolist()
    return _predictions(pairs, values)
