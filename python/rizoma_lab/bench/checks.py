"""Whether a competitor's answer agrees with ours, each kernel by its own rule and tolerance.

Ours is checked by the oracle, all but the total of the triangles: what programs only tell, by `figures`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["RULES", "agrees"]

Array = npt.NDArray[Any]

RULES = {
    "pr": "ranks, scaled to the same sum over vertices with edges, differ by at most 1% in all (L1)",
    "bfs": "equal levels",
    "cc": "the same partition",
    "bc": "scores differ by at most 1e-4 of the greatest",
    "sssp": "equal distances",
    "tc": "equal totals",
}


def agrees(kernel: str, ours: Array, theirs: Array, degrees: Array) -> bool | None:
    """None: the answer cannot be compared."""
    if theirs.size == 0:
        return None
    return _CHECKS[kernel](ours, theirs, degrees)


def _same_ranks(ours: Array, theirs: Array, degrees: Array) -> bool:
    a, b = ours[degrees > 0], theirs[degrees > 0]
    return float(np.abs(a / a.sum() - b / b.sum()).sum()) <= 0.01


def _same_levels(ours: Array, theirs: Array, degrees: Array) -> bool:
    far = 2.0**30
    a, b = ours.astype(float), theirs.astype(float)
    a[(a < 0) | (a > far)] = -1
    b[(b < 0) | (b > far)] = -1
    return bool(np.array_equal(a, b))


def _same_partition(ours: Array, theirs: Array, degrees: Array) -> bool:
    _, a = np.unique(ours, return_inverse=True)
    _, b = np.unique(theirs, return_inverse=True)
    pairs = np.unique(a.astype(np.int64) * (b.max() + 1) + b)
    return bool(len(pairs) == a.max() + 1 == b.max() + 1)


def _same_scores(ours: Array, theirs: Array, degrees: Array) -> bool:
    return bool(np.abs(ours - theirs).max() <= 1e-4 * max(float(np.abs(ours).max()), 1.0))


def _same_distances(ours: Array, theirs: Array, degrees: Array) -> bool:
    return bool(np.array_equal(ours.astype(float), theirs.astype(float)))


def _same_total(ours: Array, theirs: Array, degrees: Array) -> bool:
    return int(ours) == int(theirs)


_CHECKS: dict[str, Callable[[Array, Array, Array], bool]] = {
    "pr": _same_ranks,
    "bfs": _same_levels,
    "cc": _same_partition,
    "bc": _same_scores,
    "sssp": _same_distances,
    "tc": _same_total,
}
