"""Centralities: by degree, by paths, by distances, by eigenvectors; PageRank and HITS."""

from __future__ import annotations

import math
import sys
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from rizoma import _core

from .compiled import Compiled, Values, Weights, run
from .convert import compiled_of
from .matrices import laplacian_matrix
from .nodes import bunch
from .registry import ONLY_OURS, directed, given, implements
from .weighted import dijkstra_batches

__all__: list[str] = []

Scores = dict[Any, float]


def _degree_centrality(compiled: Compiled, degrees: npt.NDArray[np.int64]) -> dict[Any, Any]:
    if len(compiled) <= 1:
        return dict.fromkeys(compiled.nodes, 1)
    return compiled.by_node(degrees * (1.0 / (len(compiled) - 1.0)))


@implements(smallest=ONLY_OURS)
def degree_centrality(G: Any) -> dict[Any, Any]:
    compiled = compiled_of(G)
    return _degree_centrality(compiled, compiled.degrees)


@implements(smallest=ONLY_OURS)
def in_degree_centrality(G: Any) -> dict[Any, Any]:
    compiled = compiled_of(G)
    return _degree_centrality(compiled, compiled.in_degrees)


@implements(smallest=ONLY_OURS)
def out_degree_centrality(G: Any) -> dict[Any, Any]:
    compiled = compiled_of(G)
    return _degree_centrality(compiled, compiled.out_degrees)


# Betweenness.


def _sources(compiled: Compiled, k: int | None, seed: Any) -> list[int] | None:
    """Numbers of the sources that NetworkX would draw; None: all."""
    if k is None:
        return None
    drawn = seed.sample(compiled.nodes, k)
    return [compiled._numbers[node] for node in drawn]


def _dependencies(
    compiled: Compiled, sources: list[int] | None, weight: Any, **options: Any
) -> tuple[dict[str, Any], Weights | None]:
    """Unscaled path dependencies on the sorted view."""
    weights = None
    if weight is not None:
        weights = compiled.weights(weight, 1, _core.Fold.least)
        if not (weights.values > 0).all():
            raise NotImplementedError("weights of 0 or less are left to NetworkX")
    chosen = None if sources is None else np.array(sources, np.uint64)
    view = compiled.view(weights)
    return run(_core.path_dependencies, view, chosen, weighted=weight is not None, **options), weights


def _scale_all(n: int, k: int | None, normalized: bool, directed: bool) -> float:
    """NetworkX's factor where every source counts alike (all of them, or ends of paths count)."""
    pairs = n if k is None else k
    if normalized:
        return 1 / (pairs * (n - 1))
    return n / (pairs * (1 if directed else 2))


def _scale_sampled(compiled: Compiled, sources: list[int], normalized: bool) -> Values:
    """NetworkX's factors where a sampled source was an inner vertex of one search less."""
    n, k = len(compiled) - 1, len(sources)
    pairs = n - 1 if normalized else (1 if compiled.directed else 2) / n
    factors = np.full(len(compiled), 1 / (k * pairs))
    factors[sources] = 1 / ((k - 1) * pairs) if k > 1 else math.nan
    return factors


@implements(smallest=200)
def betweenness_centrality(
    G: Any,
    k: int | None = None,
    normalized: bool = True,
    weight: Any = None,
    endpoints: bool = False,
    seed: Any = None,
) -> Scores:
    compiled = compiled_of(G)
    n = len(compiled)
    sources = _sources(compiled, None if k == n else k, seed)
    if n == 0:
        return {}
    answer, _ = _dependencies(compiled, sources, weight, endpoints=endpoints)
    scores = answer["vertices"]
    targets = n if endpoints else n - 1
    if targets < 2:
        return compiled.by_node(scores)
    if sources is None or endpoints:
        scale = _scale_all(targets, None if sources is None else len(sources), normalized, compiled.directed)
        return compiled.by_node(scores * scale)
    return compiled.by_node(scores * _scale_sampled(compiled, sources, normalized))


def _refuses_multigraph(arguments: dict[str, Any]) -> str | None:
    shares = "edges of a multigraph share a score in NetworkX's own way"
    return shares if arguments["G"].is_multigraph() else None


@implements(smallest=200, refuses=_refuses_multigraph)
def edge_betweenness_centrality(
    G: Any, k: int | None = None, normalized: bool = True, weight: Any = None, seed: Any = None
) -> dict[tuple[Any, Any], float]:
    compiled = compiled_of(G)
    n = len(compiled)
    sources = _sources(compiled, k, seed)
    if len(compiled.out.targets) == 0:
        return {}
    answer, _ = _dependencies(compiled, sources, weight, edges=True)
    scores = np.empty(len(compiled.out.targets))
    scores[compiled.sorted_positions] = answer["edges"]
    entries = compiled.edge_entries()
    scores = scores[entries] if compiled.directed else _both_ways(compiled, scores, entries)
    if n >= 2:
        scores = scores * _scale_all(n, None if sources is None else len(sources), normalized, compiled.directed)
    return dict(zip(_edge_names(compiled, entries), scores.tolist(), strict=True))


def _both_ways(compiled: Compiled, scores: Values, entries: npt.NDArray[np.int64]) -> Values:
    """Sum of the two entries of undirected edges; a loop has one."""
    twins = compiled.twins[entries]
    return scores[entries] + np.where(twins == entries, 0.0, scores[twins])


def _edge_names(compiled: Compiled, entries: npt.NDArray[np.int64]) -> list[tuple[Any, Any]]:
    nodes, rows = compiled.nodes, compiled.out
    pairs = zip(rows.sources[entries].tolist(), rows.targets[entries].tolist(), strict=True)
    return [(nodes[u], nodes[v]) for u, v in pairs]


# Distances.


def distances_to(compiled: Compiled, distance: Any, numbers: list[int]) -> tuple[Values, Values, Values]:
    """(nodes that reach each of `numbers`, itself included; sum of their distances; sum of 1 / distance)."""
    if distance is None:
        chosen = np.array(numbers, np.uint64)
        sums = run(_core.distance_sums, compiled.view(), chosen, in_edges=compiled.directed)
        return sums["reached"].astype(float), sums["sum"].astype(float), sums["harmonic"]
    found = np.zeros((3, len(compiled)))
    for source, tree, _ in dijkstra_batches(compiled, distance, in_edges=True):
        far = tree["distance"]
        found[:, source] = len(far), far.sum(), (1 / far[far != 0]).sum()
    return found[0][numbers], found[1][numbers], found[2][numbers]


@implements(smallest=200)
def closeness_centrality(G: Any, u: Any = None, distance: Any = None, wf_improved: bool = True) -> Any:
    compiled = compiled_of(G)
    n = len(compiled)
    if u is not None and compiled.number(u) is None:
        raise nx.NodeNotFound(f"Source {u} is not in G")
    numbers = list(range(n)) if u is None else [compiled._numbers[u]]
    if not numbers:
        return {}
    reached, totals, _ = distances_to(compiled, distance, numbers)
    scores = np.zeros(len(numbers))
    some = (totals > 0) & (n > 1)
    scores[some] = (reached[some] - 1.0) / totals[some]
    if wf_improved and n > 1:
        scores *= (reached - 1.0) / (n - 1)
    plain = scores.tolist()
    return plain[0] if u is not None else dict(zip(compiled.nodes, plain, strict=True))


@implements(smallest=200, refuses=given("sources"))
def harmonic_centrality(G: Any, nbunch: Any = None, distance: Any = None, sources: Any = None) -> dict[Any, Any]:
    compiled = compiled_of(G)
    chosen = set(compiled.nodes[v] for v in bunch(compiled, nbunch))  # noqa: C401  # the order of NetworkX's set
    if not chosen:
        return {}
    numbers = [compiled._numbers[node] for node in chosen]
    scores = distances_to(compiled, distance, numbers)[2].tolist()
    return {node: score or 0 for node, score in zip(chosen, scores, strict=True)}


# Eigenvectors.


def _start(compiled: Compiled, nstart: dict[Any, float]) -> Values:
    if nstart.keys() != set(compiled.nodes):
        raise NotImplementedError("nstart must have a value for each node and no others")
    return compiled.array(nstart)


@implements
def eigenvector_centrality(
    G: Any,
    max_iter: int = 100,
    tol: float = 1.0e-6,
    nstart: dict[Any, float] | None = None,
    weight: Any = None,
) -> Scores:
    compiled = compiled_of(G)
    n = len(compiled)
    if n == 0:
        raise nx.NetworkXPointlessConcept("cannot compute centrality for the null graph")
    x = np.ones(n) if nstart is None else _start(compiled, nstart)
    if not x.any():
        raise nx.NetworkXError("initial vector cannot have all zero values")
    x = x / x.sum()
    weights = compiled.weights_unless_alike(weight)
    view = compiled.view(weights)
    for _ in range(max_iter):
        last = x
        x = last + _multiply(view, last, weights is not None)
        x = x / (float(np.linalg.norm(x)) or 1)
        if np.abs(x - last).sum() < n * tol:
            return compiled.by_node(x)
    raise nx.PowerIterationFailedConvergence(max_iter)


def _multiply(view: _core.View, x: Values, use_weights: bool) -> Values:
    """Each node's sum over its in-edges."""
    return run(_core.multiply, view, x, transpose=True, use_weights=use_weights)


@implements
def katz_centrality(
    G: Any,
    alpha: float = 0.1,
    beta: Any = 1.0,
    max_iter: int = 1000,
    tol: float = 1.0e-6,
    nstart: dict[Any, float] | None = None,
    normalized: bool = True,
    weight: Any = None,
) -> Scores:
    compiled = compiled_of(G)
    n = len(compiled)
    if n == 0:
        return {}
    x = np.zeros(n) if nstart is None else _start(compiled, nstart)
    b = _beta(compiled, beta)
    weights = compiled.weights_unless_alike(weight)
    view = compiled.view(weights)
    for _ in range(max_iter):
        last = x
        x = alpha * _multiply(view, last, weights is not None) + b
        if np.abs(x - last).sum() < n * tol:
            norm = float(np.linalg.norm(x)) if normalized else 1.0
            return compiled.by_node(x * (1.0 / norm if norm else 1.0))
    raise nx.PowerIterationFailedConvergence(max_iter)


def _beta(compiled: Compiled, beta: Any) -> Values:
    try:
        return np.full(len(compiled), float(beta))
    except (TypeError, ValueError, AttributeError) as error:
        if set(beta) != set(compiled.nodes):
            raise nx.NetworkXError("beta dictionary must have a value for every node") from error
        return compiled.array(beta)


@implements
def hits(
    G: Any,
    max_iter: int = 100,
    tol: float = 1.0e-8,
    nstart: dict[Any, float] | None = None,
    normalized: bool = True,
) -> tuple[Scores, Scores]:
    import scipy.sparse.linalg

    compiled = compiled_of(G)
    if len(compiled) == 0:
        return {}, {}
    matrix = compiled.matrix(compiled.weights("weight"), float)
    start = None if nstart is None else np.array(list(nstart.values()))
    if max_iter <= 0:
        raise nx.PowerIterationFailedConvergence(max_iter)
    try:
        _, _, vectors = scipy.sparse.linalg.svds(matrix, k=1, v0=start, maxiter=max_iter, tol=tol)
    except scipy.sparse.linalg.ArpackNoConvergence as error:
        raise nx.PowerIterationFailedConvergence(max_iter) from error
    authorities = vectors.flatten().real
    hubs = matrix @ authorities
    if normalized:
        hubs /= hubs.sum()
        authorities /= authorities.sum()
    return compiled.by_node(hubs), compiled.by_node(authorities)


# PageRank.


def _shares(compiled: Compiled, values: dict[Any, float]) -> Values:
    shares = compiled.array(values)
    if (shares < 0).any():
        raise NotImplementedError("negative shares are left to NetworkX")
    return shares


@implements(refuses=given("dangling"))
def pagerank(
    G: Any,
    alpha: float = 0.85,
    personalization: dict[Any, float] | None = None,
    max_iter: int = 100,
    tol: float = 1.0e-6,
    nstart: dict[Any, float] | None = None,
    weight: Any = "weight",
    dangling: None = None,
) -> Scores:
    compiled = compiled_of(G)
    n = len(compiled)
    if n == 0:
        return {}
    if not 0 <= alpha < 1 or tol <= 0 or max_iter < 1:
        raise NotImplementedError("alpha outside [0, 1), or no iteration, is left to NetworkX")
    jump = None if personalization is None else _shares(compiled, personalization)
    if jump is not None and jump.sum() == 0:
        raise ZeroDivisionError
    start = None if nstart is None else _shares(compiled, nstart)
    if start is not None and start.sum() == 0:
        raise NotImplementedError("shares that sum to 0 are left to NetworkX")
    weights = compiled.weights_unless_alike(weight)
    if weights is not None and not (weights.values >= 0).all():
        raise NotImplementedError("weights below 0 are left to NetworkX")
    view = compiled.view(weights)
    # NetworkX stops when an iteration changes less than n * tol.
    error = max(n * tol * alpha / (1 - alpha), sys.float_info.min)
    answer = run(_core.pagerank, view, alpha, error, max_iter, weights is not None, jump, start)
    if not answer["converged"]:
        raise nx.PowerIterationFailedConvergence(max_iter)
    return compiled.by_node(answer["rank"])


@implements(refuses=directed)
def laplacian_centrality(
    G: Any,
    normalized: bool = True,
    nodelist: Any = None,
    weight: Any = "weight",
    walk_type: Any = None,
    alpha: float = 0.95,
) -> dict[Any, Any]:
    """By the row of each node in the Laplacian, from which the fall of the energy follows; NetworkX builds a
    matrix for each node."""
    compiled = compiled_of(G)
    if len(compiled) == 0:
        raise nx.NetworkXPointlessConcept("null graph has no centrality defined")
    if compiled.weights(weight).values.sum() == 0:
        if normalized:
            raise ZeroDivisionError("graph with no edges has zero full energy")
        return dict.fromkeys(compiled.nodes, 0)
    numbers = bunch(compiled, None if nodelist is None else list(nodelist))
    if nodelist is not None and len(set(numbers)) != len(nodelist):
        raise nx.NetworkXError("nodelist has duplicate nodes or nodes not in G")
    matrix = laplacian_matrix(G, weight=weight).astype(np.float64)
    diagonal = matrix.diagonal()
    squares = matrix.power(2).sum(axis=1)
    falls = squares + 2 * (abs(matrix) @ diagonal) - 2 * abs(diagonal) * diagonal
    values = falls / squares.sum() if normalized else falls
    return {compiled.nodes[number]: float(values[number]) for number in numbers}
