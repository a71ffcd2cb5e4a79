"""Counts and sums of rows by a vertex: added up by internal number, before anything is looked up of the vertices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.lazy_arrow import pa, pc
from .values import Rows, node_array, node_numbers

__all__ = ["VertexSums"]


class VertexSums:
    """Columns of numbers, each added up for each of `vertices` vertices, and for null."""

    def __init__(self, vertices: int) -> None:
        self._vertices = vertices
        self._rows = np.zeros(vertices + 1, np.bool_)
        self._sums: dict[str, npt.NDArray[Any]] = {}

    def add(self, nodes: pa.Array, columns: Mapping[str, pa.Array]) -> None:
        """Add rows; null counts as nothing."""
        numbers, valid = node_numbers(nodes)
        places = numbers.astype(np.int64) if valid.all() else np.where(valid, numbers, self._vertices).astype(np.int64)
        self._rows[places] = True
        for name, column in columns.items():
            values = np.asarray(pc.fill_null(column, 0))
            sums = self._sums.setdefault(name, np.zeros(self._vertices + 1, values.dtype))
            np.add.at(sums, places, values)

    def groups(self, vertex: str) -> Rows:
        """A row for each vertex that there were rows of, with its sums."""
        found = np.flatnonzero(self._rows)
        mask = pa.array(found == self._vertices)
        nodes = node_array(np.where(found == self._vertices, 0, found).astype(np.uint64), mask)
        return Rows(len(found), {vertex: nodes, **{name: pa.array(sums[found]) for name, sums in self._sums.items()}})
