"""Tables whose columns get other names, and whose texts are numbers and dates as people write them.

The core reads the texts, by the rules that it has for fields of CSV (`column_from_texts`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from .. import _core
from ..core.errors import InvalidArgumentError, ParseError
from ..core.lazy_arrow import pa
from ..graph.column_types import kind_of
from ..graph.ids import string_buffers
from ..graph.schema import arrow_values
from ..graph.tables import ColumnNames
from ..graph.tables.arrow import BatchStream
from ..graph.tables.columns import WEIGHTS
from .csv_options import CsvOptions
from .scans import Scan, Wanted

__all__ = [
    "altered_batches",
    "altered_scan",
    "altered_table",
    "kinds_of_texts",
    "renamed_schema",
    "with_new_names",
    "with_values",
]


def renamed_schema(schema: pa.Schema, csv: CsvOptions, whose: str) -> pa.Schema:
    """The schema with the names that are asked for."""
    names = csv.new_names(list(schema.names), whose)
    return pa.schema([field.with_name(name) for field, name in zip(schema, names, strict=True)], schema.metadata)


def with_new_names(batch: pa.RecordBatch, csv: CsvOptions) -> pa.RecordBatch:
    """The same columns with the names that are asked for."""
    return batch.rename_columns([csv.renamed.get(name, name) for name in batch.schema.names])


def _reads(field: pa.Field, kinds: Mapping[str, str]) -> bool:
    """Whether a column of text is read as another type."""
    text = pa.types.is_string(field.type) or pa.types.is_large_string(field.type)
    return text and kind_of(kinds.get(field.name, "string")) not in ("text", "bytes")


def with_values(batch: pa.RecordBatch, kinds: Mapping[str, str], csv: CsvOptions, first_row: int) -> pa.RecordBatch:
    """The same with the texts of columns as values of these types; `first_row`: the number of its first row."""
    options = _core.ReadOptions()
    csv.put_values_into(options)
    for place, field in enumerate(batch.schema):
        if not _reads(field, kinds):
            continue
        texts = _core.VertexBatch()
        texts.add_strings(*string_buffers(batch.column(place).fill_null("").cast(pa.large_string())))
        values = _core.values_of_texts(field.name, kinds[field.name], texts, first_row, options)
        batch = batch.set_column(place, field.name, arrow_values(values, kinds[field.name]))
    return batch


def kinds_of_texts(schema: pa.Schema, names: ColumnNames, csv: CsvOptions) -> dict[str, str]:
    """The columns of text that are read as another type, where the options say how: those kept, and the weight."""
    if not csv.reads_text_values:
        return {}
    numbers = [name for name in schema.names if name.lower() in WEIGHTS or name == names.weight]
    kinds = dict(names.columns) | dict.fromkeys(numbers, "float64")
    return {field.name: kinds[field.name] for field in schema if field.name in kinds and _reads(field, kinds)}


def altered_batches(
    batches: Iterable[pa.RecordBatch], kinds: Mapping[str, str], csv: CsvOptions, first_row: int
) -> Iterator[pa.RecordBatch]:
    """Batches with the names and the values that are asked for; `first_row`: the number of their first row."""
    row = first_row
    for batch in batches:
        named = with_new_names(batch, csv)
        yield with_values(named, kinds, csv, row) if csv.reads_text_values else named
        row += batch.num_rows


def altered_table(table: Any, kinds: Mapping[str, str], csv: CsvOptions) -> BatchStream:
    """A table of Arrow, or a stream, with the names and the values that are asked for."""
    if isinstance(table, BatchStream):
        batches: Iterable[pa.RecordBatch] = table.batches
    elif isinstance(table, (pa.Table, pa.RecordBatch, pa.RecordBatchReader)):
        batches = [table] if isinstance(table, pa.RecordBatch) else table
        batches = table.to_batches() if isinstance(table, pa.Table) else batches
    else:
        raise InvalidArgumentError("rename= is for files and tables, whose columns have names")
    schema = renamed_schema(table.schema, csv, "the table")
    if csv.reads_text_values:
        empty = pa.RecordBatch.from_pylist([], schema)
        schema = with_values(empty, kinds, csv, 0).schema

    def rows() -> Iterator[pa.RecordBatch]:
        try:
            yield from altered_batches(batches, kinds, csv, 0)
        except ParseError as error:
            raise InvalidArgumentError(f"the table: {error}") from None

    return BatchStream(schema, rows())


def altered_scan(scan: Scan, path: Path, names: ColumnNames, csv: CsvOptions) -> Scan:
    """A scan with the names and the values that are asked for."""
    return _AlteredScan(scan, path, names, csv) if csv.rename or csv.reads_text_values else scan


class _AlteredScan:
    """A scan whose columns have other names, and whose texts are numbers and dates."""

    def __init__(self, scan: Scan, path: Path, names: ColumnNames, csv: CsvOptions) -> None:
        self._scan, self._path, self._csv = scan, path, csv
        self.kind = scan.kind
        schema = renamed_schema(scan.schema, csv, str(path))
        self._old = dict(zip(schema.names, scan.schema.names, strict=True))
        self._kinds = kinds_of_texts(schema, names, csv)
        empty = pa.RecordBatch.from_pylist([], schema)
        altered = with_values(empty, self._kinds, csv, 0).schema if csv.reads_text_values else schema
        self.schema = altered.with_metadata(schema.metadata)

    def sizes(self) -> list[int]:
        """Bytes of each unit."""
        return self._scan.sizes()

    def num_rows(self) -> int:
        """Rows of all units."""
        return self._scan.num_rows()

    def rows_before(self, unit: int) -> int:
        """Rows of the units before one."""
        return self._scan.rows_before(unit)

    def bounds(self, column: str) -> tuple[int, int] | None:
        """See `Scan`."""
        return self._scan.bounds(self._old[column])

    def batches(self, wanted: Wanted) -> Iterator[Any]:
        """See `Scan`."""
        bounds = [(self._old[name], *rest) for name, *rest in wanted.keep if name not in self._kinds]
        columns = [self._old[name] for name in wanted.columns]
        batches = self._scan.batches(replace(wanted, columns=columns, keep=bounds))
        try:
            yield from altered_batches(batches, self._kinds, self._csv, self._scan.rows_before(wanted.first))
        except ParseError as error:
            raise ParseError(f"{self._path}: {error}") from None
