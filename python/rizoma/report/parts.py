"""The parts of a report that people look at: how the weights are distributed, communities, the core as a drawing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .. import algorithms
from ..core.engines import ProgressFunction
from ..core.errors import InvalidArgumentError
from ..graph.graph import Snapshot
from .columns import Histogram, histogram
from .layout import spring_layout

__all__ = ["Communities", "Core", "communities", "core", "weights"]

_MOST_EDGES = 20_000_000  # that communities are looked for in: Louvain's method runs on one thread
_TOP = 10
_DRAWN = 60  # vertices of the core


@dataclass(frozen=True)
class Communities:
    """Communities by Louvain's method."""

    count: int
    modularity: float
    sizes: list[int]  # the largest, falling
    seconds: float


@dataclass(frozen=True)
class Core:
    """The vertices that hold together most, with their places in a drawing, x and y in [0, 1]."""

    greatest: int  # core number
    vertices: list[tuple[int | str, int, float, float]]  # id, core number, x, y
    edges: list[tuple[int, int]]  # numbers of vertices in the list above


def weights(state: Snapshot) -> Histogram | None:
    """Read all weights twice; None if there are none."""
    return histogram(lambda: _columns(state)) if state.weights is not None else None


def _columns(state: Snapshot) -> Iterator[npt.NDArray[np.float64]]:
    for batch in state.edges.batches(columns=["weight"]):
        column = batch.column("weight").drop_null().to_numpy().astype(np.float64)
        if len(column):
            yield column


def communities(state: Snapshot, threads: int | None, progress: ProgressFunction | bool | None) -> Communities | None:
    """Look for communities; None in a graph without edges, or with too many to be done in a minute."""
    if not 0 < state.num_edges <= _MOST_EDGES:
        return None
    try:
        found = algorithms.louvain(state, threads=threads, progress=progress)
    except InvalidArgumentError:  # weights below 0 do not say who belongs together
        found = algorithms.louvain(state, weight=None, threads=threads, progress=progress)
    sizes = found.sizes().column("size").slice(0, _TOP).to_pylist()
    return Communities(found.count, float(found.modularity), sizes, found.seconds)


def core(state: Snapshot, threads: int | None, progress: ProgressFunction | bool | None) -> Core | None:
    """The vertices of the largest core numbers, of them those of the largest degrees; None without edges."""
    if state.num_edges == 0:
        return None
    found = algorithms.core_number(state, threads=threads, progress=progress)
    numbers = np.asarray(found, np.int64)
    order = np.lexsort((-np.asarray(state.degrees(), np.int64), -numbers))[:_DRAWN]
    order = order[numbers[order] > 0]
    ids = found.ids[order].tolist()
    edges = [
        (i, j)
        for i in range(len(ids))
        for j in range(i)
        if state.has_edge(ids[i], ids[j]) or (state.directed and state.has_edge(ids[j], ids[i]))
    ]
    ends = np.array(edges, np.int64).reshape(-1, 2)
    places = spring_layout(len(ids), ends[:, 0], ends[:, 1])
    drawn = [
        (v, int(number), float(x), float(y)) for v, number, (x, y) in zip(ids, numbers[order], places, strict=True)
    ]
    return Core(int(numbers.max(initial=0)), drawn, edges)
