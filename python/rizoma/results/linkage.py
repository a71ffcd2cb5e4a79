"""The tree of single-linkage clusters, and the components that a threshold makes of it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..core.arguments import methods_checked
from ..core.errors import InvalidArgumentError
from ..core.lazy_arrow import pa
from ..core.options import real_number
from .partitions import ComponentsResult
from .vertex import VertexResult

__all__ = ["Linkage", "SingleLinkageResult", "as_weight"]


def as_weight(threshold: float, single: bool) -> float:
    """The threshold beside weights, rounded if they are float32, as predicates round numbers: 0.7 reaches 0.7."""
    with np.errstate(over="ignore"):
        return float(np.float32(threshold)) if single else threshold


class Linkage:
    """The merges of a graph's clusters as arrays, in the order in which they come."""

    def __init__(self, answer: dict[str, Any], nearest: bool, single: bool) -> None:
        self.first: npt.NDArray[np.uint64] = answer["first"]
        self.second: npt.NDArray[np.uint64] = answer["second"]
        self.weights: npt.NDArray[np.float64] = answer["weight"]
        self.sizes: npt.NDArray[np.uint64] = answer["size"]
        self.nearest = nearest
        self.single = single
        """Weights are float32."""

    def __len__(self) -> int:
        return len(self.weights)

    def merges_at(self, threshold: float) -> int:
        """How many merges a threshold allows."""
        sign = 1 if self.nearest else -1
        return int(np.searchsorted(sign * self.weights, sign * as_weight(threshold, self.single), side="right"))

    def components_at(self, threshold: float, n: int) -> npt.NDArray[np.uint64]:
        """The first vertex of the component of each of `n` vertices."""
        return _core.linkage_components(self.first, self.second, n, self.merges_at(threshold))


@methods_checked
class SingleLinkageResult(VertexResult):
    """Single-linkage clusters of all thresholds: `weight` of the edge by which a vertex first merges (NaN: by none).

    `count`: merges, one for each edge of the spanning forest; `nearest`: weights are distances.
    """

    name = "Single linkage"
    value = "weight"
    count: int
    nearest: bool
    _linkage: Linkage

    def components(self, threshold: float) -> ComponentsResult:
        """Return the connected components by the edges that reach `threshold`.

        These are the edges of at least that weight, or with `nearest` of at most that distance.

        Raises InvalidArgumentError if `threshold` is not a number.  Cost: O(vertices), on one thread.
        """
        wanted = real_number("threshold", threshold)
        if math.isnan(wanted):
            raise InvalidArgumentError("threshold is NaN; give a number")
        labels = self._linkage.components_at(wanted, len(self._values()))
        return ComponentsResult._at(self, labels, wanted)

    def merges(self) -> pa.Table:
        """Return a table of the merges in their order: `first`, `second`, `weight`, `size`.

        Clusters 0.. are the vertices, by their place in `vertices()`; merge i makes the cluster of number
        `len(result) + i`.  Cost: O(vertices).
        """
        first, second = self._numbered()
        tree = self._linkage
        return pa.table({"first": first, "second": second, "weight": tree.weights, "size": tree.sizes})

    def vertices(self) -> pa.Array:
        """Return the ids of the clusters 0.. of `merges` and `linkage`, which are single vertices."""
        return self._ids_of(self._live)

    def linkage(self, top: float | None = None) -> npt.NDArray[np.float64]:
        """Return the tree as SciPy has it, for `scipy.cluster.hierarchy`: shape (vertices - 1, 4).

        Rows are both clusters, the distance, and the size. Distances are the weights with `nearest`, else `top` minus
        the weight (`top` None: the largest weight). What no path of edges connects merges at the distance infinity.

        Raises InvalidArgumentError if `top` is below a weight.  Cost: O(vertices).
        """
        first, second = self._numbered()
        tree = self._linkage
        distances = tree.weights
        if not tree.nearest:
            greatest = float(tree.weights[0]) if len(tree) else 0.0
            above = greatest if top is None else real_number("top", top)
            if not above >= greatest:
                raise InvalidArgumentError(f"top is {top!r}, below the largest weight {greatest:g}; give at least that")
            distances = above - tree.weights
        merged = np.column_stack([first, second, distances, tree.sizes]).astype(np.float64)
        return np.concatenate([merged, self._rest(merged)]) if len(self) else merged

    def _numbered(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Both clusters of each merge, without numbers for removed vertices."""
        n, live = len(self._values()), self._live
        place = np.arange(n + len(self._linkage), dtype=np.int64)
        if live is not None:
            place[live.astype(np.int64)] = np.arange(len(live))
            place[n:] -= n - len(live)
        return place[self._linkage.first.astype(np.int64)], place[self._linkage.second.astype(np.int64)]

    def _rest(self, merged: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Merges of what has no edge in between, at the distance infinity."""
        leaves, merges = len(self), len(merged)
        size = np.concatenate([np.ones(leaves), merged[:, 3]])
        roots = np.setdiff1d(np.arange(leaves + merges), merged[:, :2].astype(np.int64))
        total = np.cumsum(size[roots])
        left = np.concatenate([roots[:1], np.arange(leaves + merges, leaves + merges + max(len(roots) - 2, 0))])
        rows = np.empty((len(roots) - 1, 4))
        rows[:, 0] = np.minimum(left[: len(rows)], roots[1:])
        rows[:, 1] = np.maximum(left[: len(rows)], roots[1:])
        rows[:, 2], rows[:, 3] = math.inf, total[1:]
        return rows

    def _how(self) -> str:
        return f"{self.count:,} merge{'' if self.count == 1 else 's'}"
