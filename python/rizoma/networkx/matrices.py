"""Matrices of a graph."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from rizoma import _core

from .compiled import Compiled
from .convert import compiled_of
from .registry import implements

__all__: list[str] = []


def _order(compiled: Compiled, nodelist: Any) -> npt.NDArray[np.int64] | None:
    """Numbers of the nodes that rows stand for; None: all in their order."""
    if nodelist is None:
        return None
    nodelist = list(nodelist)
    if not nodelist:
        raise nx.NetworkXError("nodelist has no nodes")
    for node in nodelist:
        if compiled.number(node) is None:
            raise nx.NetworkXError(f"Node {node} in nodelist is not in G")
    if len(set(nodelist)) < len(nodelist):
        raise nx.NetworkXError("nodelist contains duplicates.")
    return np.array([compiled._numbers[node] for node in nodelist], np.int64)


@implements
def to_scipy_sparse_array(
    G: Any, nodelist: Any = None, dtype: Any = None, weight: Any = "weight", format: str = "csr"
) -> Any:
    compiled = compiled_of(G)
    if len(compiled) == 0:
        raise nx.NetworkXError("Graph has no nodes or edges")
    order = _order(compiled, nodelist)
    weights = compiled.weights(weight)
    if len(weights.values) == 0 and dtype is None:
        dtype = float
    matrix = compiled.matrix(weights, dtype)
    if order is not None:
        matrix = matrix[order, :][:, order]
        matrix.sort_indices()
    try:
        return matrix.asformat(format)
    except ValueError as error:
        raise nx.NetworkXError(f"Unknown sparse matrix format: {format}") from error


@implements
def adjacency_matrix(G: Any, nodelist: Any = None, dtype: Any = None, weight: Any = "weight") -> Any:
    return to_scipy_sparse_array(G, nodelist, dtype, weight)


_FOLDS = {sum: _core.Fold.sum, min: _core.Fold.least, max: _core.Fold.greatest}


def _refuses_structured(arguments: dict[str, Any]) -> str | None:
    if getattr(arguments["dtype"], "names", None) or isinstance(arguments["dtype"], list):
        return "structured arrays"
    if arguments["G"].is_multigraph() and arguments["multigraph_weight"] not in _FOLDS:
        return "a function that joins parallel edges"
    return None


@implements(refuses=_refuses_structured)
def to_numpy_array(
    G: Any,
    nodelist: Any = None,
    dtype: Any = None,
    order: Any = None,
    multigraph_weight: Any = sum,
    weight: Any = "weight",
    nonedge: Any = 0.0,
) -> npt.NDArray[Any]:
    compiled = compiled_of(G)
    names = compiled.nodes if nodelist is None else list(nodelist)
    if strangers := set(names) - set(compiled.nodes):
        raise nx.NetworkXError(f"Nodes {strangers} in nodelist is not in G")
    if len(set(names)) < len(names):
        raise nx.NetworkXError("nodelist contains duplicates.")
    matrix = np.full((len(names), len(names)), fill_value=nonedge, dtype=dtype, order=order)
    if not names or compiled.num_edges == 0:
        return matrix
    place = np.full(len(compiled), -1, np.int64)
    place[[compiled._numbers[name] for name in names]] = np.arange(len(names))
    u, v = place[compiled.out.sources], place[compiled.out.targets]
    kept = (u >= 0) & (v >= 0)
    weights = compiled.weights(weight, 1.0, _FOLDS.get(multigraph_weight, _core.Fold.sum))
    matrix[u[kept], v[kept]] = weights.by_type[kept]
    return matrix


@implements
def laplacian_matrix(G: Any, nodelist: Any = None, weight: Any = "weight") -> Any:
    import scipy.sparse

    matrix = to_scipy_sparse_array(G, nodelist, None, weight)
    n, m = matrix.shape
    return scipy.sparse.dia_array((matrix.sum(axis=1), 0), shape=(m, n)).tocsr() - matrix


@implements
def normalized_laplacian_matrix(G: Any, nodelist: Any = None, weight: Any = "weight") -> Any:
    import scipy.sparse

    matrix = to_scipy_sparse_array(G, nodelist, None, weight)
    shape = matrix.shape
    sums = matrix.sum(axis=1)
    laplacian = scipy.sparse.dia_array((sums, 0), shape=shape).tocsr() - matrix
    with np.errstate(divide="ignore"):
        roots = 1.0 / np.sqrt(sums)
    roots[np.isinf(roots)] = 0
    scale = scipy.sparse.dia_array((roots, 0), shape=shape).tocsr()
    return scale @ (laplacian @ scale)


@implements
def google_matrix(
    G: Any,
    alpha: float = 0.85,
    personalization: dict[Any, float] | None = None,
    nodelist: Any = None,
    weight: Any = "weight",
    dangling: dict[Any, float] | None = None,
) -> npt.NDArray[Any]:
    compiled = compiled_of(G)
    names = compiled.nodes if nodelist is None else list(nodelist)
    matrix = to_numpy_array(G, names, weight=weight)
    n = len(compiled)
    if n == 0:
        return matrix
    jump = np.repeat(1.0 / n, n) if personalization is None else _shares(personalization, names)
    if personalization is not None:
        if jump.sum() == 0:
            raise ZeroDivisionError
        jump /= jump.sum()
    resting = jump
    if dangling is not None:
        resting = _shares(dangling, names)
        resting /= resting.sum()
    matrix[np.where(matrix.sum(axis=1) == 0)[0]] = resting
    matrix /= matrix.sum(axis=1)[:, np.newaxis]
    return np.asarray(alpha * matrix + (1 - alpha) * jump)


def _shares(values: dict[Any, float], names: list[Any]) -> npt.NDArray[np.float64]:
    return np.array([values.get(name, 0) for name in names], dtype=float)


@implements
def tournament_matrix(G: Any) -> Any:
    matrix = to_scipy_sparse_array(G)
    return matrix - matrix.T


def _modularity(matrix: Any, rows: Any, columns: Any, total: float) -> Any:
    return matrix - np.outer(rows, columns) / total


@implements
def modularity_matrix(G: Any, nodelist: Any = None, weight: Any = None) -> Any:
    matrix = to_scipy_sparse_array(G, nodelist, None, weight)
    degrees = matrix.sum(axis=1)
    return _modularity(matrix, degrees, degrees, 2 * (degrees.sum() * 0.5))


@implements
def directed_modularity_matrix(G: Any, nodelist: Any = None, weight: Any = None) -> Any:
    matrix = to_scipy_sparse_array(G, nodelist, None, weight)
    return _modularity(matrix, matrix.sum(axis=1), matrix.sum(axis=0), matrix.sum(axis=0).sum())
