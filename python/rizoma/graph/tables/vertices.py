"""Anything that lists vertices -> a column of external ids."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...core.display import shortened
from ...core.errors import ColumnNotFoundError, InvalidArgumentError
from ...core.lazy_arrow import pa
from ..ids import IdArray, id_array
from .arrow import BatchStream
from .as_table import as_table

__all__ = ["has_ids_by_name", "read_vertices", "rows_as_table"]


def has_ids_by_name(label: str) -> bool:
    """Whether a column of a table of vertices has their ids by its name, whatever its case."""
    return label.lower() in ("vertex", "id")


def rows_as_table(data: Any) -> Any:
    """A table in place of rows such as {"id": "ann", "age": 41}, which have the same keys; other data as they are."""
    rows = list(data) if isinstance(data, Iterator) else data
    if not isinstance(rows, (list, tuple)) or not rows or not isinstance(rows[0], Mapping):
        return rows
    for number, row in enumerate(rows):
        if not isinstance(row, Mapping) or row.keys() != rows[0].keys():
            raise InvalidArgumentError(
                f"row {number} is {shortened(repr(row), 200)}; give each row the keys of the first one, "
                f"{list(rows[0])}, with None where it has no value"
            )
    return as_table(rows)


def read_vertices(data: Any) -> IdArray:
    """The ids in a sequence, an array, a table of one column, or the column `vertex` or `id` of a table."""
    if isinstance(data, Mapping):
        raise InvalidArgumentError(
            "a mapping can be read as columns by name or as vertices by key; give a list of the ids, such as "
            "list(mapping), or mapping['vertex']"
        )
    if type(data).__module__.partition(".")[0] == "polars" and hasattr(data, "collect"):
        data = data.collect()  # a LazyFrame
    table = _table(data)
    if table is None:
        return id_array(data)
    labels = table.schema.names
    named = [i for i, label in enumerate(labels) if has_ids_by_name(label)]
    if len(labels) != 1 and len(named) != 1:
        raise ColumnNotFoundError(
            f"a table of vertices must have one column, or one called 'vertex' or 'id', but this one has {labels}; "
            "give the column of the ids alone"
        )
    number = named[0] if named else 0
    return id_array(table.column(number), labels[number])


def _table(data: Any) -> pa.Table | None:
    """The data if they are a table and not a sequence."""
    if isinstance(data, (list, tuple)):
        return None
    if isinstance(data, BatchStream):
        return pa.Table.from_batches(data.batches, data.schema)
    if hasattr(data, "columns") or hasattr(data, "column_names"):  # a frame, table or relation; not a Series
        if isinstance(data, pa.Table):
            return data
        if hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__"):
            return pa.table(data)
    return None
