"""Data as a table of Arrow, if they have columns with names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

from ...core.errors import InvalidArgumentError
from ...core.lazy_arrow import pa
from ..schema import expect_rows
from ..text_items import WrongItemError, array_of_values
from .arrow import BatchStream, scanned

__all__ = ["array_of", "as_table"]


def as_table(data: Any) -> Any:
    """A table with a schema, or rows without names, in place of data that can be read once only; or None."""
    if hasattr(data, "collect") and type(data).__module__.partition(".")[0] == "polars":
        data = data.collect()
    data = scanned(data)
    if isinstance(data, (pa.Table, pa.RecordBatch, BatchStream)):
        return data
    try:
        if hasattr(data, "__arrow_c_stream__"):
            return pa.RecordBatchReader.from_stream(data)
        if hasattr(data, "__arrow_c_array__"):
            return pa.record_batch(data)
    except (pa.ArrowException, ValueError, TypeError, OverflowError):
        return None  # who reads it says what it is
    if isinstance(data, Mapping):
        expect_rows(data)
        return _table_of({str(name): column for name, column in data.items()})
    if hasattr(data, "__array__") or isinstance(data, (str, bytes)) or not isinstance(data, Iterable):
        return None
    rows = iter(data)
    first = next(rows, None)
    if first is None:
        return iter(())
    if isinstance(first, Mapping):
        every = [dict(row) for row in chain([first], rows)]
        names = dict.fromkeys(name for row in every for name in row)
        return _table_of({str(name): [row.get(name) for row in every] for name in names})
    return chain([first], rows)


def _table_of(columns: Mapping[str, Any]) -> pa.Table:
    try:
        return pa.table({name: array_of(name, values) for name, values in columns.items()})
    except pa.ArrowInvalid as error:
        raise InvalidArgumentError(
            f"the {len(columns)} columns are not a table: {error}; give all the same length"
        ) from None


def _unsigned_if_great(values: Any) -> pa.Array:
    try:
        return array_of_values(values, from_pandas=True)
    except OverflowError:
        return pa.array(values, pa.uint64(), from_pandas=True)


def array_of(name: str, values: Any) -> Any:
    """Values as Arrow has them, whose type it finds out."""
    if isinstance(values, (pa.Array, pa.ChunkedArray)):
        return values
    try:
        return _unsigned_if_great(values)
    except WrongItemError as error:
        raise InvalidArgumentError(f"column {name!r}: {error}") from None
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError, UnicodeError) as error:
        raise InvalidArgumentError(
            f"the values called {name!r} are not of one type: {error}; name the columns to keep, with their types"
        ) from None
