"""Scores of bipartite graphs."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from .convert import compiled_of
from .registry import implements

__all__: list[str] = []

Vector = npt.NDArray[np.float64]


def _wishes(nodes: list[Any], values: dict[Any, float] | None) -> Vector:
    """The given values of some vertices, 0 for all others."""
    if values and min(values.values()) < 0:
        raise nx.NetworkXAlgorithmError("the values of a personalization must not be negative")
    return np.array([(values or {}).get(node, 0) for node in nodes], dtype=np.float64)


def _damping(name: str, value: float | None, wishes: Vector) -> float:
    damping = (0.8 if wishes.any() else 1.0) if value is None else value
    if not 0 <= damping <= 1:
        raise nx.NetworkXAlgorithmError(f"{name} is {damping}; it must be from 0 to 1")
    return damping


def _is_last(change: Vector, before: Vector, tol: float) -> bool:
    """Whether a step was small enough to be the last: relative where scores are above 1."""
    return float((np.abs(change) / np.maximum(1.0, before)).sum()) < len(before) * tol


@implements
def birank(
    G: Any,
    nodes: Any,
    *,
    alpha: float | None = None,
    beta: float | None = None,
    top_personalization: dict[Any, float] | None = None,
    bottom_personalization: dict[Any, float] | None = None,
    max_iter: int = 100,
    tol: float = 1e-6,
    weight: Any = "weight",
) -> dict[Any, float]:
    """Xiangnan He et al., BiRank, IEEE Trans. Knowl. Data Eng. 29(1), 2017: scores that both sides give each other."""
    import scipy.sparse

    compiled = compiled_of(G)
    chosen = set(nodes)
    top, bottom = list(chosen), list(set(compiled.nodes) - chosen)
    if not top or not bottom:
        raise nx.NetworkXAlgorithmError("one of the two sets of nodes is empty")
    if any(compiled.number(node) is None for node in top):
        raise NotImplementedError("nodes that are not in the graph")
    top_wishes = _wishes(top, top_personalization)
    bottom_wishes = _wishes(bottom, bottom_personalization)
    alpha, beta = _damping("alpha", alpha, top_wishes), _damping("beta", beta, bottom_wishes)
    rows, columns = ([compiled._numbers[node] for node in each] for each in (bottom, top))
    ties = compiled.matrix(compiled.weights(weight), float)[rows, :][:, columns]
    if not ties.nnz:
        raise NotImplementedError("no edge leads between the two sets of nodes")
    sums = [np.where(ties.sum(axis) == 0, 1, ties.sum(axis)) for axis in (1, 0)]
    left, right = (scipy.sparse.diags_array(1 / np.sqrt(each)) for each in sums)
    ties = (left @ ties @ right).tocsr()
    back = ties.T.tocsr()
    upper = np.full(len(top), 1 / len(top))
    lower = beta * (ties @ upper) + (1 - beta) * bottom_wishes
    for _ in range(max_iter):
        before = upper, lower
        upper = alpha * (back @ lower) + (1 - alpha) * top_wishes
        lower = beta * (ties @ upper) + (1 - beta) * bottom_wishes
        if _is_last(upper - before[0], before[0], tol) and _is_last(lower - before[1], before[1], tol):
            if alpha == beta == 1:  # then any multiple is a solution
                upper, lower = upper / upper.sum(), lower / lower.sum()
            return dict(zip([*top, *bottom], [*upper.tolist(), *lower.tolist()], strict=True))
    raise nx.PowerIterationFailedConvergence(max_iter)
