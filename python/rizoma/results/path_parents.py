"""Parents on shortest paths, from the distances alone: an edge is on one if it is as long as its ends lie apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..core.engines import engine
from ..graph.state import weighted_view

__all__ = ["tight_parents"]

_ROWS = 1 << 20
_NONE = np.iinfo(np.int64).max

Numbers = npt.NDArray[np.uint64]


def tight_parents(
    state: _core.Snapshot, distances: npt.NDArray[np.float64], starts: Numbers, weight: str | None
) -> npt.NDArray[np.int64]:
    """The vertex before each on a shortest path: of several the least; -1: not reached; a start is its own.

    Cost: one pass over the edges, and one more for each zero-length edge that paths have in a row.
    """
    parents = np.full(len(distances), _NONE, np.int64)
    level: list[tuple[Numbers, Numbers]] = []  # edges without length, which could lead in a circle
    for sources, targets, lengths in _edges(state, weight):
        with np.errstate(invalid="ignore"):
            tight = (distances[sources] + lengths == distances[targets]) & np.isfinite(distances[targets])
        nearer = tight & (distances[sources] < distances[targets])
        np.minimum.at(parents, targets[nearer], sources[nearer].astype(np.int64))
        flat = tight & ~nearer
        if flat.any():
            level.append((sources[flat], targets[flat]))
    parents[starts] = starts.astype(np.int64)
    if level:
        _settle(parents, *(np.concatenate(each) for each in zip(*level, strict=True)))
    parents[parents == _NONE] = -1
    return parents


def _settle(parents: npt.NDArray[np.int64], sources: Numbers, targets: Numbers) -> None:
    """Give vertices that only edges without length lead to a parent that has one."""
    while True:
        ready = (parents[sources] != _NONE) & (parents[targets] == _NONE)
        if not ready.any():
            return
        np.minimum.at(parents, targets[ready], sources[ready].astype(np.int64))


def _edges(state: _core.Snapshot, weight: str | None) -> Iterator[tuple[Numbers, Numbers, Any]]:
    """The edges in each way in which a path may take them, with their lengths."""
    with engine() as borrowed:
        view = weighted_view(state, borrowed, weight)
        scan = _core.EdgeScan.create(borrowed, view, None)
    for begin in range(0, len(scan), _ROWS):
        with engine() as borrowed:
            sources, targets, carried = scan.read(borrowed, begin, begin + _ROWS)
        assert sources is not None
        assert targets is not None
        lengths = 1.0 if carried is None or weight is None else np.asarray(carried, np.float64)
        ends = np.asarray(sources).view(np.uint64), np.asarray(targets).view(np.uint64)
        yield *ends, lengths
        if not state.schema.directed:
            yield *ends[::-1], lengths
