"""Whether our own answer is right, worked out in NumPy from the graph's arrays by other methods.

A search is checked edge by edge, components against labels handed on until nothing changes, ranks by one more
iteration, betweenness by Brandes' sums level by level.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from .graph import GraphFiles

__all__ = ["Oracle"]

Array = npt.NDArray[Any]
_ALPHA = 0.85
_ITERATIONS = 20


class Oracle:
    """The right answers for one graph; what is costly is computed once."""

    def __init__(self, files: GraphFiles) -> None:
        self._files = files
        self._scores: dict[tuple[int, ...], Array] = {}

    def right(self, kernel: str, answer: Array, sources: list[int]) -> bool | None:
        """Whether an answer of ours is right; None: not known here."""
        checks = {
            "pr": lambda: self._right_ranks(answer),
            "bfs": lambda: self._right_search(answer, sources[0], None),
            "sssp": lambda: self._right_search(answer, sources[0], np.asarray(self._files.weights)),
            "cc": lambda: self._right_labels(answer),
            "bc": lambda: self._right_scores(answer, sources),
        }
        return checks[kernel]() if kernel in checks else None

    def reached(self, source: int) -> int:
        """How many vertices can be reached from a vertex, itself included."""
        return int((self._levels(source) >= 0).sum())

    @cached_property
    def degrees(self) -> Array:
        """Out-degrees."""
        return np.diff(self._files.offsets)

    @cached_property
    def kept_mass(self) -> float:
        """Sum of the ranks where, as in the GAP benchmark, the rank of vertices without out-edges is lost."""
        return float(self._iterate(_ITERATIONS, keep=False).sum())

    @cached_property
    def num_components(self) -> int:
        """Number of (weak) components."""
        return len(np.unique(self._labels))

    @cached_property
    def _ends(self) -> tuple[Array, Array]:
        return self._files.sources().astype(np.int32), np.asarray(self._files.targets)

    def _iterate(self, count: int, keep: bool, ranks: Array | None = None) -> Array:
        """PageRank's iteration; `keep`: ranks of vertices without out-edges go to all."""
        sources, targets = self._ends
        n = self._files.num_vertices
        ranks = np.full(n, 1 / n) if ranks is None else ranks
        for _ in range(count):
            share = np.divide(ranks, self.degrees, out=np.zeros(n), where=self.degrees > 0)
            lost = float(ranks[self.degrees == 0].sum()) if keep else 0.0
            flow = np.bincount(targets, weights=share[sources], minlength=n)
            ranks = (1 - _ALPHA + _ALPHA * lost) / n + _ALPHA * flow
        return ranks

    @cached_property
    def _change(self) -> float:
        """How much one more iteration changes the ranks after the twentieth."""
        ranks = self._iterate(_ITERATIONS, keep=True)
        return float(np.abs(self._iterate(1, keep=True, ranks=ranks) - ranks).sum())

    def _right_ranks(self, ranks: Array) -> bool:
        """One more iteration changes them no more than it changes those of the plain iteration."""
        again = self._iterate(1, keep=True, ranks=ranks.astype(np.float64))
        return float(np.abs(again - ranks).sum()) <= 1.1 * self._change + 1e-6

    def _right_search(self, answer: Array, source: int, weights: Array | None) -> bool:
        """No edge shortens a way, and to every vertex reached an edge leads that is the end of its way."""
        sources, targets = self._ends
        far = np.inf
        distances = answer.astype(np.float64)
        distances[(distances < 0) | (distances > 2.0**30)] = far
        reached_by = distances[sources] + (1.0 if weights is None else weights)
        tight = np.zeros(len(distances), bool)
        tight[targets[(reached_by == distances[targets]) & (reached_by < far)]] = True
        tight[source] = True
        return (
            bool(distances[source] == 0)
            and bool((distances[targets] <= reached_by).all())
            and bool(tight[distances < far].all())
        )

    @cached_property
    def _labels(self) -> Array:
        """The least vertex of each component: handed to neighbours, with jumps, until nothing changes."""
        files = self._files.symmetric
        offsets, targets = np.asarray(files.offsets), np.asarray(files.targets)
        filled = np.flatnonzero(np.diff(offsets))
        labels = np.arange(files.num_vertices)
        while len(filled):
            least = np.minimum.reduceat(labels[targets], offsets[filled])
            renewed = labels.copy()
            np.minimum.at(renewed, labels[filled], least)
            renewed[filled] = np.minimum(renewed[filled], least)
            while not np.array_equal(renewed, renewed[renewed]):
                renewed = renewed[renewed]
            if np.array_equal(renewed, labels):
                break
            labels = renewed
        return labels

    def _right_labels(self, labels: Array) -> bool:
        """Equal at both ends of every edge, and as many as there are components."""
        sources, targets = self._ends
        equal = bool((labels[sources] == labels[targets]).all())
        return equal and len(np.unique(labels)) == self.num_components

    def _levels(self, source: int) -> Array:
        offsets, targets = np.asarray(self._files.offsets), self._ends[1]
        levels = np.full(self._files.num_vertices, -1, np.int32)
        frontier, depth = np.array([source]), 0
        while len(frontier):
            levels[frontier] = depth
            lengths = self.degrees[frontier]
            begins = np.repeat(offsets[frontier] - (np.cumsum(lengths) - lengths), lengths)
            found = targets[begins + np.arange(len(begins))]
            frontier = np.unique(found[levels[found] < 0])
            depth += 1
        return levels

    def _right_scores(self, scores: Array, chosen: list[int]) -> bool:
        wanted = self._scores.get(tuple(chosen))
        if wanted is None:
            wanted = np.sum([self._dependencies(source) for source in chosen], axis=0)
            self._scores[tuple(chosen)] = wanted
        return bool(np.abs(scores - wanted).max() <= 1e-4 * max(float(wanted.max()), 1.0))

    def _dependencies(self, source: int) -> Array:
        """Brandes' sums of one source, which itself has none."""
        sources, targets = self._ends
        levels = self._levels(source)
        on_paths = np.flatnonzero((levels[sources] >= 0) & (levels[targets] == levels[sources] + 1))
        on_paths = on_paths[np.argsort(levels[sources[on_paths]], kind="stable")]
        u, v = sources[on_paths], targets[on_paths]
        bounds = np.searchsorted(levels[u], np.arange(int(levels.max()) + 1))
        ranges = [slice(a, b) for a, b in pairwise(bounds)]
        paths, sums = np.zeros(len(levels)), np.zeros(len(levels))
        paths[source] = 1
        for part in ranges:
            np.add.at(paths, v[part], paths[u[part]])
        for part in reversed(ranges):
            np.add.at(sums, u[part], paths[u[part]] / paths[v[part]] * (1 + sums[v[part]]))
        sums[source] = 0
        return sums
