"""Edges from NumPy arrays and SciPy sparse matrices."""

from __future__ import annotations

import sys
from typing import Any

from ... import _core
from ...core.errors import InvalidArgumentError
from ...core.lazy_arrow import pa
from ...core.lazy_numpy import np, npt
from ...core.plain_numbers import native_array
from ..ids import id_array
from .arrow import from_arrow
from .columns import (
    ColumnNames,
    EdgeColumns,
    EdgeSource,
    as_weights,
    asks_for_weights,
    expect_places,
    lacks_weights,
    third_in_two_ways,
)
from .interpret import SAMPLE, header_guess

__all__ = ["expect_no_matrix", "from_numpy", "from_scipy"]


def expect_no_matrix(table: Any) -> None:
    """Refuse a DataFrame whose rows are called as its columns are: the entries of a matrix, not rows of edges."""
    if getattr(getattr(table, "columns", None), "nlevels", 1) > 1:
        raise InvalidArgumentError(
            "the columns of this table have names of several levels, such as "
            f"{table.columns[0]!r}; give each one name (data.columns = [...])"
        )
    rows, columns = getattr(table, "index", None), getattr(table, "columns", None)
    if rows is None or columns is None or type(rows).__name__ == "RangeIndex" or len(columns) < 2:
        return  # not a table of pandas, one without names of rows, or too narrow
    if len(rows) != len(columns) or list(rows) != list(columns):
        return
    raise InvalidArgumentError(
        "the rows and columns of this table have the same names, as in an adjacency matrix; for the edges of a "
        "matrix give data.rename_axis('source').melt(ignore_index=False, var_name='target', value_name='weight')"
        ".query('weight != 0').reset_index(); if it is a list of edges, give data.reset_index(drop=True)"
    )


def from_numpy(data: Any, names: ColumnNames) -> EdgeSource:
    """Rows (source, target) or (source, target, weight); of a structured array by the names of its fields."""
    if "numpy.ma" in sys.modules and np.ma.is_masked(data):  # else no such array exists, and asking imports it
        raise InvalidArgumentError("the array has masked entries; drop such rows (np.ma.compress_rows)")
    if isinstance(data, np.matrix):
        raise InvalidArgumentError(
            "a numpy.matrix can be read as an adjacency matrix or as rows of edges; for the matrix give "
            "scipy.sparse.coo_array(matrix), for rows numpy.asarray(matrix)"
        )
    rows = np.asarray(data)
    if rows.dtype.names is not None:
        return from_arrow(_table_of_fields(rows), names)
    if rows.size == 0 and (rows.ndim == 1 or (rows.ndim == 2 and rows.shape[0] == 0)):
        return EdgeSource([])
    if rows.ndim != 2 or rows.shape[1] not in (2, 3):
        across = "for rows of sources and of targets give array.T; " if rows.ndim == 2 and len(rows) in (2, 3) else ""
        raise InvalidArgumentError(
            f"an array of edges must have shape (m, 2) or (m, 3), not {rows.shape}; {across}for an adjacency matrix "
            "give scipy.sparse.coo_array(matrix)"
        )
    expect_places(names, "an array")
    if rows.shape[1] == 2:
        if names.weighted or names.weight is not None:
            raise InvalidArgumentError(lacks_weights(f"rows of shape {rows.shape}"))
        pairs = EdgeColumns(id_array(rows[:, 0], "source"), id_array(rows[:, 1], "target"))
        is_numeric = rows.dtype.kind in "iufb"
        return EdgeSource([pairs], guesses=[] if is_numeric else header_guess(rows[:SAMPLE].tolist()))
    if not names.weighted and names.weight is None and not names.takes_weights:
        _expect_list(rows)
    if not asks_for_weights(names) and not _is_surely_weight(rows[:, 2]):
        across = "; for a row of sources and a row of targets give array.T" if len(rows) == 2 else ""
        raise InvalidArgumentError(third_in_two_ways("the third column of the array") + across)
    guesses = []
    if rows.shape[0] == 2 and rows.dtype.kind in "iu":
        said = "an array of shape (2, 3) is read as two edges with weights"
        guesses = [f"{said}; if it is a row of sources and a row of targets, give array.T"]
    weights, rounded = rows[:, 2], 0
    if weights.dtype.kind not in "iuf":
        weights, rounded = _as_weights(weights)
    weights = native_array(weights)
    ends = id_array(rows[:, 0], "source"), id_array(rows[:, 1], "target")
    return EdgeSource([EdgeColumns(*ends, weights, rounded=rounded)], guesses=guesses)


def _table_of_fields(rows: npt.NDArray[Any]) -> pa.Table:
    """A structured array as a table; Arrow knows neither other orders of bytes nor fields that are arrays."""
    names = rows.dtype.names or ()
    nested = next((name for name in names if rows[name].ndim > 1 or rows[name].dtype.names is not None), None)
    if nested is not None:
        raise InvalidArgumentError(f"the field {nested!r} of the array has several values in each row; give it one")
    return pa.table({name: np.ascontiguousarray(native_array(rows[name])) for name in names})


def _is_surely_weight(column: npt.NDArray[Any]) -> bool:
    """Whether the numbers of a column cannot be ids: they are no whole ones."""
    return column.dtype.kind == "f" and bool(np.any(column != np.floor(column)))


def _expect_list(rows: npt.NDArray[Any]) -> None:
    """Refuse three rows of three numbers that may be a matrix."""
    if len(rows) != 3 or rows.dtype.kind not in "biuf":
        return
    if _core.looks_like_matrix(rows.astype(np.float64).tolist()):
        raise InvalidArgumentError(
            "this array of shape (3, 3) can be an adjacency matrix or a list of edges with weights; for a matrix "
            "give scipy.sparse.coo_array(matrix), for a list give weights=True, or its first two columns where a graph "
            "has no weights"
        )


def _as_weights(column: npt.NDArray[Any]) -> tuple[npt.NDArray[np.float64], int]:
    _expect_real(column)
    try:
        return as_weights(column.tolist())
    except (TypeError, ValueError) as error:
        raise InvalidArgumentError(
            f"the third column of an array of edges must be the weight ({error}); "
            "give numbers there, or an array of two columns"
        ) from None


def _expect_real(values: npt.NDArray[Any]) -> None:
    if values.dtype.kind == "c":
        raise InvalidArgumentError("the weights are complex numbers; give their real parts (.real), or abs() of them")


def _entries(matrix: Any) -> tuple[Any, list[str]]:
    """The entries as coordinates, each once: what is stored twice is the sum, as SciPy counts it; and what to say."""
    entries = matrix.tocoo()
    if getattr(matrix, "has_canonical_format", False):  # it is known, or seen without a copy, that none is
        return entries, []
    once = matrix.tocsr(copy=True)
    once.sum_duplicates()
    twice = entries.nnz - once.nnz
    if not twice:
        return entries, []
    note = f"{twice:,} of {entries.nnz:,} stored values are of an entry that is stored twice: they were added, as SciPy"
    return once.tocoo(), [f"{note} does; for parallel edges give rows, columns and values as a table"]


def _is_symmetric(matrix: Any, entries: Any) -> bool:
    """Whether each entry has a mirrored one of its value; a zero that is stored is an entry, too."""
    is_bool = entries.data.dtype.kind == "b"
    if ((matrix != matrix.T) if is_bool else abs(matrix - matrix.T)).nnz:
        return False
    if entries.data.all():
        return True
    stored = entries.copy()
    stored.data = np.ones(len(stored.data), np.int8)
    return bool(abs(stored - stored.T).nnz == 0)


def from_scipy(matrix: Any, names: ColumnNames) -> EdgeSource:
    """Entry (i, j) = w is the edge i -> j of weight w; the vertices are 0..n-1."""
    expect_places(names, "a matrix")
    rows, columns = matrix.shape
    if rows != columns:
        raise InvalidArgumentError(
            f"an adjacency matrix must be square, but this one has shape {matrix.shape}; "
            "give pairs of ids, as np.argwhere(...)"
        )
    entries, notes = _entries(matrix)
    _expect_real(entries.data)
    weights = native_array(entries.data if entries.data.dtype.kind in "iuf" else entries.data.astype(np.float64))
    symmetric = _is_symmetric(matrix, entries)
    both = None if symmetric else matrix.multiply(matrix.T).nnz
    guess = "the matrix is not symmetric: where an undirected graph has one edge for two entries, the last one counts"
    return EdgeSource(
        [EdgeColumns(entries.row, entries.col, weights)],
        vertices=np.arange(rows, dtype=np.int64),
        directed=not symmetric,
        symmetric=symmetric,
        notes=notes,
        undirected_guesses=[guess] if both else [],
    )
