"""Counts and sums of rows by a vertex: added up by internal number, before anything is looked up of the vertices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.lazy_arrow import pa, pc
from .values import Rows, node_array, node_numbers

__all__ = ["VertexSums", "span_of"]


def span_of(nodes: pa.Array) -> tuple[int, int]:
    """The least internal number of vertices, and one more than the greatest."""
    numbers, valid = node_numbers(nodes)
    some = numbers if valid.all() else numbers[valid]
    return (int(some.min()), int(some.max()) + 1) if len(some) else (0, 0)


class VertexSums:
    """Columns of numbers, each added up for each vertex, and for null: a place for each in the span of the vertices.

    Vertices of a label often have numbers close to one another.
    """

    def __init__(self) -> None:
        self._begin = 0  # the vertex of place 1; place 0 is that of null
        self._rows = np.zeros(1, np.bool_)
        self._sums: dict[str, npt.NDArray[Any]] = {}

    def add(self, nodes: pa.Array, columns: Mapping[str, pa.Array]) -> None:
        """Add rows; null counts as nothing."""
        self._cover(*span_of(nodes))
        numbers, valid = node_numbers(nodes)
        places = numbers.astype(np.int64) - (self._begin - 1)
        if not valid.all():
            places[~valid] = 0
        self._rows[places] = True
        for name, column in columns.items():
            values = np.asarray(pc.fill_null(column, 0) if column.null_count else column)
            sums = self._sums.setdefault(name, np.zeros(len(self._rows), values.dtype))
            np.add.at(sums, places, values)

    def _cover(self, begin: int, end: int) -> None:
        """Make room for the vertices of a span, and, if there were some before, for as many again."""
        size = len(self._rows) - 1
        if begin == end or (size and self._begin <= begin and end <= self._begin + size):
            return
        first = begin if not size else self._begin if begin >= self._begin else max(0, min(begin, self._begin - size))
        past = max(end, self._begin + (2 * size if end > self._begin + size else size)) if size else end
        at = self._begin - first + 1

        def moved(old: npt.NDArray[Any]) -> npt.NDArray[Any]:
            new = np.zeros(past - first + 1, old.dtype)
            new[0] = old[0]
            new[at : at + size] = old[1:]
            return new

        self._rows = moved(self._rows)
        self._sums = {name: moved(sums) for name, sums in self._sums.items()}
        self._begin = first

    def groups(self, vertex: str) -> Rows:
        """A row for each vertex that there were rows of, with its sums; null comes first."""
        found = np.flatnonzero(self._rows)
        numbers = np.maximum(found + (self._begin - 1), 0).astype(np.uint64)
        nodes = node_array(numbers, pa.array(found == 0))
        return Rows(len(found), {vertex: nodes, **{name: pa.array(sums[found]) for name, sums in self._sums.items()}})
