"""Edges from NumPy arrays and SciPy sparse matrices."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.errors import InvalidArgumentError
from ..ids import IdArray, id_array
from .columns import EdgeColumns, EdgeSource

__all__ = ["expect_no_matrix", "from_numpy", "from_scipy"]


def expect_no_matrix(table: Any) -> None:
    """Refuse a DataFrame whose rows are called as its columns are: the entries of a matrix, not rows of edges."""
    rows, columns = getattr(table, "index", None), getattr(table, "columns", None)
    if rows is None or columns is None or type(rows).__name__ == "RangeIndex" or len(columns) < 2:
        return  # not a table of pandas, one without names of rows, or too narrow
    if len(rows) != len(columns) or list(rows) != list(columns):
        return
    raise InvalidArgumentError(
        "the rows and columns of this table have the same names, as those of an adjacency matrix: for a table of its "
        "edges give data.rename_axis('source').melt(ignore_index=False, var_name='target', value_name='weight')"
        ".query('weight != 0').reset_index(); if it is a list of edges, give data.reset_index(drop=True)"
    )


def from_numpy(data: Any) -> EdgeSource:
    """Rows (source, target) or (source, target, weight)."""
    if "numpy.ma" in sys.modules and np.ma.is_masked(data):  # else there is no such array, and asking imports it
        raise InvalidArgumentError("the array has masked entries; drop such rows (np.ma.compress_rows)")
    rows = np.asarray(data)
    if rows.size == 0 and (rows.ndim == 1 or (rows.ndim == 2 and rows.shape[0] == 0)):
        return EdgeSource([])
    if rows.ndim != 2 or rows.shape[1] not in (2, 3):
        raise InvalidArgumentError(f"an array of edges has shape (m, 2) or (m, 3), not {rows.shape}")
    weights = rows[:, 2] if rows.shape[1] == 3 else None
    if weights is not None and weights.dtype.kind not in "iuf":
        weights = weights.astype(np.float64)
    return EdgeSource([EdgeColumns(_ids(rows[:, 0]), _ids(rows[:, 1]), weights)])


def _ids(column: npt.NDArray[Any]) -> IdArray:
    if column.dtype.kind == "f":  # ids beside weights in one array of floats
        with np.errstate(invalid="ignore"):  # of NaN; it is seen right below
            whole = column.astype(np.int64)
        if not np.array_equal(whole, column):
            raise InvalidArgumentError("vertex ids must be whole numbers; the array has others, or NaN")
        return whole
    return id_array(column)


def from_scipy(matrix: Any) -> EdgeSource:
    """Entry (i, j) = w is the edge i -> j of weight w; the vertices are 0..n-1."""
    rows, columns = matrix.shape
    if rows != columns:
        raise InvalidArgumentError(f"an adjacency matrix is square; this one has shape {matrix.shape}")
    entries = matrix.tocoo()
    weights = entries.data if entries.data.dtype.kind in "iuf" else entries.data.astype(np.float64)
    return EdgeSource(
        [EdgeColumns(entries.row, entries.col, weights)],
        vertices=np.arange(rows, dtype=np.int64),
        symmetric=abs(matrix - matrix.T).nnz == 0
        if entries.data.dtype.kind != "b"
        else (matrix != matrix.T).nnz == 0,
    )
