"""The second eigenvector of a Laplacian (Fiedler's), and what it orders and cuts, by SciPy's solvers.

Small graphs are solved densely.  Of large ones `tracemin_lu` factors the matrix (Lanczos iteration, shifted and
inverted); the other methods iterate without a factor (LOBPCG: Knyazev, SIAM J. Sci. Comput. 23(2), 2001), and where
that does not reach the tolerance, as in long thin graphs, whose factor is small, the matrix is factored after all.
"""

from __future__ import annotations

import warnings
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt
from networkx.utils import create_random_state

from rizoma import _core

from .compiled import Compiled
from .convert import attributes_of, compiled_of
from .registry import directed, implements

__all__: list[str] = []

_METHODS = ("tracemin", "tracemin_pcg", "tracemin_lu", "lanczos", "lobpcg")
_DENSE = 200
"""Up to this many vertices all eigenvectors take a few milliseconds."""

_STEPS = 200  # of LOBPCG
_SHIFT = 1e-6  # of the matrix that is factored, beside its largest entry: it has an eigenvalue 0

Vector = npt.NDArray[np.float64]


def _weights(G: Any, compiled: Compiled, weight: Any) -> Any:
    """Matrix of absolute weights, of both directions together and without loops; edges of weight 0 are no entries."""
    import scipy.sparse

    n = len(compiled)
    if compiled.multigraph and compiled.weights(weight, fold=_core.Fold.least).values.min(initial=0) < 0:
        edges = list(attributes_of(G).edges(data=weight, default=1))  # each of the parallel ones counts by itself
        numbers = compiled._numbers
        u, v = (np.array([numbers[edge[end]] for edge in edges]) for end in (0, 1))
        matrix = scipy.sparse.coo_array(([abs(edge[2]) for edge in edges], (u, v)), shape=(n, n)).tocsr()
        both_ways = True
    else:
        matrix = abs(compiled.matrix(compiled.weights(weight), float))
        both_ways = compiled.directed
    matrix = (matrix + matrix.T).tocsr() if both_ways else matrix
    matrix.setdiag(0)
    matrix.eliminate_zeros()
    return matrix


def _laplacian(matrix: Any, normalized: bool) -> Any:
    import scipy.sparse

    degrees = matrix.sum(axis=1)
    if not normalized:
        return (scipy.sparse.diags_array(degrees) - matrix).tocsr()
    scale = scipy.sparse.diags_array(1 / np.sqrt(degrees))
    return (scipy.sparse.eye_array(len(degrees)) - scale @ matrix @ scale).tocsr()


def _fiedler(matrix: Any, normalized: bool, tol: float, method: str, seed: Any) -> tuple[float, Vector]:
    """Second least eigenvalue of the Laplacian of a connected graph, and its eigenvector.

    The sign, which is free, is such that the first vertex is not above 0.
    """
    _expect_method(method)
    laplacian = _laplacian(matrix, normalized)
    n = laplacian.shape[0]
    if n <= _DENSE:
        values, vectors = np.linalg.eigh(laplacian.toarray())
        value, vector = float(values[1]), vectors[:, 1]
    else:
        start = np.asarray(create_random_state(seed).normal(size=n))
        null = np.sqrt(matrix.sum(axis=1)) if normalized else np.ones(n)
        if method != "tracemin_lu":
            value, vector = _iterated(laplacian, null, tol, start)
        if method == "tracemin_lu" or _residual(laplacian, value, vector) > tol:
            value, vector = _factored(laplacian, tol, start)
    first = vector[np.argmax(np.abs(vector) > 1e-9 * np.abs(vector).max())]
    return value, -vector if first > 0 else vector


def _residual(laplacian: Any, value: float, vector: Vector) -> float:
    """How far this is from an eigenvector, beside the largest sum of a column."""
    rest = np.abs(laplacian @ vector - value * vector).sum() / np.abs(vector).sum()
    return float(rest / abs(laplacian).sum(axis=0).max())


def _iterated(laplacian: Any, null: Vector, tol: float, start: Vector) -> tuple[float, Vector]:
    """By LOBPCG, across the eigenvector `null` of the eigenvalue 0."""
    from scipy.sparse import diags_array
    from scipy.sparse.linalg import lobpcg

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the residual shows whether it has converged
        values, vectors = lobpcg(
            laplacian,
            start[:, np.newaxis],
            M=diags_array(1 / laplacian.diagonal()),
            Y=null[:, np.newaxis],
            tol=tol,
            maxiter=_STEPS,
            largest=False,
        )
    return float(values[0]), vectors[:, 0]


def _factored(laplacian: Any, tol: float, start: Vector) -> tuple[float, Vector]:
    """By Lanczos iteration of the inverse of the matrix, shifted a little."""
    from scipy.sparse.linalg import eigsh

    shift = -_SHIFT * float(laplacian.diagonal().max())
    values, vectors = eigsh(laplacian.tocsc(), k=2, sigma=shift, which="LM", tol=tol, v0=start)
    second = int(np.argmax(values))
    return float(values[second]), vectors[:, second]


def _connected(G: Any, weight: Any) -> tuple[Any, bool]:
    """The matrix of a graph, and whether it is connected.  Raises for what has no second eigenvector."""
    from scipy.sparse.csgraph import connected_components

    compiled = compiled_of(G)
    if len(compiled) < 2:
        raise nx.NetworkXError("the graph has less than two nodes")
    matrix = _weights(G, compiled, weight)
    return matrix, connected_components(matrix, directed=False)[0] == 1


def _expect_method(method: str) -> None:
    if method not in _METHODS:
        raise nx.NetworkXError(f"{method!r} is no method; there are {', '.join(_METHODS)}")


@implements(refuses=directed)
def algebraic_connectivity(
    G: Any,
    weight: Any = "weight",
    normalized: bool = False,
    tol: float = 1e-8,
    method: str = "tracemin_pcg",
    seed: Any = None,
) -> float:
    matrix, connected = _connected(G, weight)
    return _fiedler(matrix, normalized, tol, method, seed)[0] if connected else 0.0


@implements(refuses=directed)
def fiedler_vector(
    G: Any,
    weight: Any = "weight",
    normalized: bool = False,
    tol: float = 1e-8,
    method: str = "tracemin_pcg",
    seed: Any = None,
) -> Vector:
    matrix, connected = _connected(G, weight)
    if not connected:
        raise nx.NetworkXError("the graph is not connected")
    return _fiedler(matrix, normalized, tol, method, seed)[1]


@implements(refuses=directed)
def spectral_bisection(
    G: Any,
    weight: Any = "weight",
    normalized: bool = False,
    tol: float = 1e-8,
    method: str = "tracemin_pcg",
    seed: Any = None,
) -> tuple[set[Any], set[Any]]:
    nodes = compiled_of(G).nodes
    below = fiedler_vector(G, weight, normalized, tol, method, seed) < 0
    sides: tuple[set[Any], set[Any]] = set(), set()
    for node, is_below in zip(nodes, below.tolist(), strict=True):
        sides[0 if is_below else 1].add(node)
    return sides


@implements
def spectral_ordering(
    G: Any,
    weight: Any = "weight",
    normalized: bool = False,
    tol: float = 1e-8,
    method: str = "tracemin_pcg",
    seed: Any = None,
) -> list[Any]:
    from scipy.sparse.csgraph import connected_components

    compiled = compiled_of(G)
    if len(compiled) == 0:
        raise nx.NetworkXError("the graph has no nodes")
    _expect_method(method)
    matrix = _weights(G, compiled, weight)
    _, labels = connected_components(matrix, directed=False)
    members: dict[int, list[int]] = {}
    for number, label in enumerate(labels.tolist()):
        members.setdefault(label, []).append(number)
    order: list[Any] = []
    for component in members.values():
        if len(component) > 2:
            _, vector = _fiedler(matrix[component, :][:, component], normalized, tol, method, seed)
            component = [component[i] for i in np.argsort(vector, kind="stable").tolist()]
        order += [compiled.nodes[number] for number in component]
    return order
