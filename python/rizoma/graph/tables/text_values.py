"""Tables whose columns get other names, and whose texts are numbers and dates as people write them.

The core reads the texts, by the rules that it has for fields of CSV (`column_from_texts`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ... import _core
from ...core.errors import InvalidArgumentError, ParseError
from ...core.lazy_arrow import pa
from ...core.read_warnings import warn_of
from ..column_types import kind_of
from ..ids import decoded, string_buffers
from ..schema import arrow_values
from .arrow import BatchStream
from .as_table import as_table
from .columns import WEIGHTS, ColumnNames
from .text_options import CsvOptions

__all__ = [
    "altered_batches",
    "altered_table",
    "kinds_of_texts",
    "renamed_schema",
    "with_new_names",
    "with_values",
    "written_table",
]


def renamed_schema(schema: pa.Schema, csv: CsvOptions, whose: str) -> pa.Schema:
    """The schema with the names that are asked for."""
    names = csv.new_names(list(schema.names), whose)
    return pa.schema([field.with_name(name) for field, name in zip(schema, names, strict=True)], schema.metadata)


def with_new_names(batch: pa.RecordBatch, csv: CsvOptions) -> pa.RecordBatch:
    """The same columns with the names that are asked for."""
    return batch.rename_columns([csv.renamed.get(name, name) for name in batch.schema.names])


def _reads(field: pa.Field, kinds: Mapping[str, str]) -> bool:
    """Whether a column of text is to be of another type."""
    kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
    text = pa.types.is_string(kind) or pa.types.is_large_string(kind) or str(kind) == "string_view"
    return text and kind_of(kinds.get(field.name, "string")) not in ("text", "bytes")


def with_values(batch: pa.RecordBatch, kinds: Mapping[str, str], csv: CsvOptions, first_row: int) -> pa.RecordBatch:
    """The same with the texts of columns as values of these types; `first_row`: the number of its first row."""
    options = _core.ReadOptions()
    csv.put_values_into(options)
    for place, field in enumerate(batch.schema):
        if not _reads(field, kinds):
            continue
        texts = _core.VertexBatch()
        texts.add_strings(*string_buffers(decoded(batch.column(place)).cast(pa.large_string()).fill_null("")))
        values, guesses = _core.values_of_texts(field.name, kinds[field.name], texts, first_row, options)
        warn_of(guesses)
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


def written_table(data: Any, kinds: Mapping[str, str], csv: CsvOptions) -> Any:
    """The data; where the options say so a table with other names and values, whose columns are of these types."""
    if not csv.rename and not csv.reads_text_values:
        return data
    table = as_table(data)
    if not isinstance(table, (pa.Table, pa.RecordBatch, pa.RecordBatchReader, BatchStream)):
        raise InvalidArgumentError(
            f"rename=, thousands=, decimal= and date_format= are for tables, and {type(data).__name__} has no columns "
            "with names; give a table, or {name: values}"
        )
    return altered_table(table, kinds, csv)


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
