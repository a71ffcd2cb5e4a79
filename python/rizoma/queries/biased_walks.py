"""Walks by weight, by the vertex before (node2vec) and with restarts; neighbours by weight.  All walks step together.

Source: Grover, Leskovec, "node2vec", KDD'16, by rejection (Yang et al., "KnightKing", SOSP'19); neighbours: Efraimidis,
Spirakis, "Weighted random sampling with a reservoir", IPL 97, 2006.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .. import _core
from ..core.errors import InvalidArgumentError

__all__ = ["Walker", "neighbors_by_weight"]

_NONE = -1

Numbers = npt.NDArray[np.int64]


def _lists(
    view: _core.View, in_edges: bool, weighted: bool
) -> tuple[Numbers, npt.NDArray[np.uint32], npt.NDArray[np.float64] | None]:
    """Offsets, targets and weights of all lists.  Raises InvalidArgumentError for a weight that cannot be used."""
    offsets, targets, weights = _core.read_csr(view, in_edges)
    if not weighted or weights is None:
        return np.asarray(offsets), np.asarray(targets), None
    lengths = np.asarray(weights, np.float64)
    if not (np.isfinite(lengths) & (lengths >= 0)).all():
        wrong = lengths[~(np.isfinite(lengths) & (lengths >= 0))][0]
        raise InvalidArgumentError(f"a weight is {wrong}; steps go by weights that are numbers, 0 or more")
    return np.asarray(offsets), np.asarray(targets), lengths


@dataclass(frozen=True)
class _Bias:
    """How a step depends on the vertex before, and how often it goes back to the start."""

    p: float
    q: float
    restart: float

    def __post_init__(self) -> None:
        for name, value in (("p", self.p), ("q", self.q)):
            if not (value > 0 and np.isfinite(value)):
                raise InvalidArgumentError(f"{name} is {value}; it must be a number above 0")
        if not 0 <= self.restart < 1:
            raise InvalidArgumentError(f"restart is {self.restart}; it must be 0 or more and below 1")


class Walker:
    """Draws steps from the lists of a view, which it copies: 4 bytes an edge, 8 more by weight, 8 more for q."""

    def __init__(self, view: _core.View, in_edges: bool, weighted: bool, p: float, q: float, restart: float) -> None:
        self._bias = _Bias(p, q, restart)
        self._offsets, self._targets, weights = _lists(view, in_edges, weighted)
        self._sums = None if weights is None else np.concatenate([[0.0], np.cumsum(weights)])
        self._n = len(self._offsets) - 1
        self._edges: Numbers | None = None
        if q != 1:  # lists are sorted, so edges are
            rows = np.repeat(np.arange(self._n), np.diff(self._offsets))
            self._edges = rows * self._n + self._targets

    def walks(self, starts: npt.NDArray[np.uint64], length: int, seed: int) -> npt.NDArray[np.uint64]:
        """A row for each start: internal ids, 2^64 - 1 once a walk has ended."""
        random = np.random.default_rng(seed)
        first = starts.astype(np.int64)
        made = np.empty((len(first), length + 1), np.int64)
        made[:, 0], before, at = first, np.full(len(first), _NONE), first
        for step in range(1, length + 1):
            following = self._step(random, before, at)
            if self._bias.restart:
                again = (random.random(len(at)) < self._bias.restart) | (following == _NONE)
                following = np.where(again, first, following)
                before = np.where(again, _NONE, at)
            else:
                before = at
            made[:, step] = at = following
        return made.view(np.uint64)  # -1 is 2^64 - 1

    def _step(self, random: np.random.Generator, before: Numbers, at: Numbers) -> Numbers:
        """The next vertices: what is drawn from a list is taken with a chance that the vertex before decides."""
        found = np.full(len(at), _NONE)
        open_ = np.flatnonzero(at != _NONE)
        largest = max(1.0, 1 / self._bias.p, 1 / self._bias.q)
        while len(open_):
            drawn = self._draw(random, at[open_])
            taken = random.random(len(open_)) * largest < self._chance(before[open_], drawn)
            taken |= (drawn == _NONE) | (before[open_] == _NONE)
            found[open_[taken]] = drawn[taken]
            open_ = open_[~taken]
        return found

    def _draw(self, random: np.random.Generator, at: Numbers) -> Numbers:
        begin, end = self._offsets[at], self._offsets[at + 1]
        if self._sums is None:
            places = begin + (random.random(len(at)) * (end - begin)).astype(np.int64)
            none = begin == end
        else:
            low, high = self._sums[begin], self._sums[end]
            places = np.searchsorted(self._sums, low + random.random(len(at)) * (high - low), "right") - 1
            places = np.clip(places, begin, np.maximum(end - 1, begin))
            none = low == high
        drawn = self._targets[np.where(none, 0, places)] if len(self._targets) else np.zeros(len(at), np.uint32)
        return np.where(none, _NONE, drawn.astype(np.int64))

    def _chance(self, before: Numbers, drawn: Numbers) -> npt.NDArray[np.float64]:
        back = before == drawn
        if self._edges is None:
            return np.where(back, 1 / self._bias.p, 1.0)
        edge = before * self._n + drawn
        place = np.minimum(np.searchsorted(self._edges, edge), len(self._edges) - 1)
        near = self._edges[place] == edge
        return np.where(back, 1 / self._bias.p, np.where(near, 1.0, 1 / self._bias.q))


def neighbors_by_weight(
    view: _core.View, vertices: npt.NDArray[np.uint64], count: int, seed: int, in_edges: bool
) -> tuple[Numbers, npt.NDArray[np.uint64]]:
    """Offsets and, of each vertex, at most `count` entries of its list, drawn by weight and in its order."""
    offsets, targets, weights = _lists(view, in_edges, True)
    assert weights is not None
    at = vertices.astype(np.int64)
    lengths = offsets[at + 1] - offsets[at]
    rows = np.repeat(np.arange(len(at)), lengths)
    places = np.arange(len(rows)) - np.repeat(np.cumsum(lengths) - lengths, lengths) + np.repeat(offsets[at], lengths)
    kept = weights[places] > 0
    rows, places = rows[kept], places[kept]
    keys = np.random.default_rng(seed).exponential(size=len(rows)) / weights[places]
    order = np.lexsort((keys, rows))
    number = np.arange(len(rows)) - np.searchsorted(rows[order], rows[order], "left")
    chosen = np.sort(order[number < count])
    ends = np.cumsum(np.bincount(rows[chosen], minlength=len(at)))
    return np.concatenate([[0], ends]), targets[places[chosen]].astype(np.uint64)
