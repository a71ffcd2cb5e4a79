"""Edges from Arrow: every producer of the PyCapsule interface, and mappings of columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.errors import ColumnNotFoundError, InvalidArgumentError
from ...core.lazy_arrow import pa
from ..ids import id_array
from ..schema import fitted, value_table
from .columns import ColumnNames, EdgeColumns, EdgeSource, has_ends, one_set_note

__all__ = ["from_arrow", "from_batches", "from_mapping"]


def from_arrow(data: Any, names: ColumnNames) -> EdgeSource:
    """Edges of a table or stream, batch by batch."""
    if isinstance(data, pa.Table):
        return _telling(EdgeSource([_columns(data, names)]), data.schema, names)
    try:
        if hasattr(data, "__arrow_c_stream__"):
            reader = pa.RecordBatchReader.from_stream(data)
            return _telling(from_batches(reader, names), reader.schema, names)
        batch = pa.record_batch(data)
        return _telling(EdgeSource([_columns(batch, names)]), batch.schema, names)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise _no_table(data, error) from error


def from_batches(batches: Iterable[pa.RecordBatch], names: ColumnNames, first_row: int = 0) -> EdgeSource:
    """Edges of record batches, read once; `first_row`: the number of the first row, for messages."""

    def chunks() -> Iterator[EdgeColumns]:
        row = first_row
        for batch in batches:
            if batch.num_rows:
                yield _columns(batch, names, row)
            row += batch.num_rows

    return EdgeSource(chunks())


def from_mapping(data: Mapping[str, Any], names: ColumnNames) -> EdgeSource:
    """Edges of a dict of equally long columns, which names them: adjacency lists are another kind of dict."""
    if data and names.source is None and not has_ends([str(name) for name in data]):
        raise ColumnNotFoundError(
            f"a mapping is read as columns by name, and no two of {[*data][:5]} are 'source' and 'target'; "
            "say which ones with source= and target=, or give pairs"
        )
    try:
        table = value_table(data)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise _no_table(data, error) from error
    return _telling(EdgeSource([_columns(table, names)]), table.schema, names)


def _telling(source: EdgeSource, schema: pa.Schema, names: ColumnNames) -> EdgeSource:
    """The same with what columns were taken for; nothing of tables that are refused when they are read."""
    try:
        first, second, third = names.choose(schema.names)
    except ColumnNotFoundError:
        return source
    weight = schema.names[third] if third is not None and _is_number(schema.field(third).type) else None
    notes = names.told(schema.names, weight)
    numbers = pa.types.is_integer(schema.field(first).type)
    if numbers:
        notes += one_set_note(schema.names[first], schema.names[second])
    return replace(source, notes=notes, guesses=names.guesses(schema.names, weight, numbers))


def _no_table(data: Any, error: Exception) -> InvalidArgumentError:
    return InvalidArgumentError(f"the {type(data).__name__} is no table of edges: {'; '.join(map(str, error.args))}")


def _columns(table: pa.Table | pa.RecordBatch, names: ColumnNames, first_row: int = 0) -> EdgeColumns:
    labels = table.schema.names
    source, target, weight = names.choose(labels)
    weights = None
    if weight is not None and (names.weight is not None or _is_number(table.schema.field(weight).type)):
        weights = _weights(table.column(weight), labels[weight])
    elif weight is not None and names.refusal is not None:
        weight = None  # a column like any other
    others = names.others(labels, (source, target, weight))
    return EdgeColumns(
        id_array(table.column(source), labels[source], first_row),
        id_array(table.column(target), labels[target], first_row),
        weights,
        {name: fitted(table.column(i), name, names.columns[name]) for name, i in others.items()},
    )


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def _weights(column: pa.Array | pa.ChunkedArray, name: str) -> npt.NDArray[Any]:
    if not _is_number(column.type):
        raise InvalidArgumentError(f"weight column {name!r} is of type {column.type}; weights are numbers")
    if column.null_count:
        raise InvalidArgumentError(f"weight column {name!r} has {column.null_count} nulls; fill or drop such rows")
    if pa.types.is_float16(column.type):
        column = column.cast(pa.float32())
    elif pa.types.is_decimal(column.type):
        column = column.cast(pa.float64())
    return (
        np.asarray(column.to_numpy())
        if isinstance(column, pa.ChunkedArray)
        else np.asarray(column.to_numpy(zero_copy_only=False))
    )
