"""Edges from Arrow: every producer of the PyCapsule interface, and mappings of columns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from itertools import chain
from typing import Any

from ...core.errors import ColumnNotFoundError, InvalidArgumentError, RizomaError
from ...core.lazy_arrow import pa, pc
from ...core.lazy_numpy import np, npt
from ..column_types import holds_numbers
from ..ids import decoded, floats_of_decimals, id_array
from ..rounding import GREAT, first_too_large
from ..schema import fitted, marks_of, value_table, with_marks_of, without_marks
from .columns import ColumnNames, EdgeColumns, EdgeSource, has_ends
from .interpret import SAMPLE, TablePlan, expect_direction, interpret_table
from .row_filter import RowFilter

__all__ = ["BatchStream", "from_arrow", "from_batches", "from_mapping", "mixed_column", "partitions_of", "scanned"]


class BatchStream:
    """Record batches of one schema that are made one after the other; errors of making them are those of the caller."""

    def __init__(self, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> None:
        self.schema = schema
        self.batches = batches


def from_arrow(data: Any, names: ColumnNames) -> EdgeSource:
    """Edges of a table or stream, batch by batch."""
    if isinstance(data, pa.Table):
        return _of_tables([data], names)
    try:
        if hasattr(data, "__arrow_c_stream__"):
            reader = pa.RecordBatchReader.from_stream(data)
            try:
                edges = _of_tables(reader, names)
            except RizomaError:
                reader.close()  # a database would block while it is open
                raise
            return edges.with_chunks(_closing(edges.chunks, reader))
        batch = pa.record_batch(data)
        return _of_tables([batch], names)
    except RizomaError:
        raise
    except (pa.ArrowException, ValueError, TypeError, OverflowError) as error:  # of libraries that make Arrow of theirs
        raise _no_table(data, error) from error


def _closing(chunks: Iterable[EdgeColumns], reader: pa.RecordBatchReader) -> Iterator[EdgeColumns]:
    """The same, with the reader closed at the end, also where a chunk is refused and the error is kept."""
    try:
        yield from chunks
    finally:
        reader.close()


def scanned(data: Any, names: ColumnNames | None = None) -> Any:
    """What a dataset of pyarrow holds, as a stream in its order; all else as it is.

    With `names`, by which no further column may be there or be refused, it has the columns that they choose.
    """
    if type(data).__module__ != "pyarrow._dataset":
        return data
    if not hasattr(data, "scanner"):
        return data.to_reader()
    columns = None
    if names is not None and not names.columns and names.refusal is None and names.where is None:
        labels, sample = data.schema.names, data.head(SAMPLE)
        if sample.num_rows:  # else it may have any columns
            taken = interpret_table(data.schema, names, sample).taken(labels, names)
            columns = list(dict.fromkeys(labels[number] for number in taken if number is not None))
    return data.scanner(columns=columns).to_reader()


def partitions_of(data: Any) -> Iterator[pa.Table]:
    """The partitions of a Dask DataFrame, computed one by one."""
    for partition in data.partitions:
        yield pa.Table.from_pandas(partition.compute(), preserve_index=False)


def from_batches(batches: Iterable[pa.RecordBatch | pa.Table], names: ColumnNames, first_row: int = 0) -> EdgeSource:
    """Edges of record batches, read once; `first_row`: the number of the first row, for messages."""
    return _of_tables(batches, names, first_row)


def from_mapping(data: Mapping[str, Any], names: ColumnNames) -> EdgeSource:
    """Edges of a dict of equally long columns, which names them: adjacency lists are another kind of dict."""
    if data and names.source is None and not has_ends([str(name) for name in data]):
        raise ColumnNotFoundError(
            f"a mapping is read as columns by name, but none of {[*data][:5]} are 'source' and 'target'; name them "
            f"with source= and target=, or give {_pairs_meant(data)}"
        )
    try:
        table = value_table(data)
    except (pa.ArrowInvalid, pa.ArrowTypeError, TypeError) as error:
        raise _no_table(data, error) from error
    return _of_tables([table], names)


def _of_tables(tables: Iterable[pa.Table | pa.RecordBatch], names: ColumnNames, first_row: int = 0) -> EdgeSource:
    """Edges of tables of one schema, whose first rows are looked at; without any row it may be any table."""
    rest = iter(tables)
    first = next((table for table in rest if table.num_rows), None)
    if first is None:
        return EdgeSource([])
    marked = len(without_marks(first.schema.names)) < first.num_columns
    sample = first.select(without_marks(first.schema.names)) if marked else first
    plan = interpret_table(sample.schema, names, sample)
    rows = None if names.where is None else RowFilter(names.where, first.schema)
    tested = [] if rows is None else [first.schema.get_field_index(name) for name in rows.columns]

    def chunks() -> Iterator[EdgeColumns]:
        row = first_row
        for table in chain([first], rest):
            if rows is not None:
                table = rows.kept(table)
            if table.num_rows:
                yield _columns(table, plan, names, row, tested)
            row += table.num_rows

    return plan.edges(chunks(), sample.schema.names)


def mixed_column(data: Any, error: Exception) -> InvalidArgumentError | None:
    """What to say of an object column of pandas whose values Arrow does not take as one type; None: it is another."""
    found = re.search("Conversion failed for column (.+) with type", "; ".join(map(str, error.args)))
    if found is None:
        return None
    column = found[1]
    if isinstance(error, pa.ArrowNotImplementedError):
        return InvalidArgumentError(
            f"the column {column!r} of the {type(data).__name__} has values that Arrow does not hold "
            f"({error.args[0]}); give it another type, as in table[{column!r}].astype(...)"
        )
    if "'list'" in str(error.args[0]):
        others, remedy = "lists and texts", "map(lambda value: [value] if isinstance(value, str) else value)"
    else:
        others, remedy = "numbers and texts", "astype(str)"
    return InvalidArgumentError(
        f"the column {column!r} of the {type(data).__name__} holds values of several types, such as {others}; make "
        f"them one, as in table[{column!r}].{remedy}"
    )


def _pairs_meant(data: Mapping[Any, Any]) -> str:
    """What to give in place of a mapping that is no table: of lists of neighbours, or of pairs to weights."""
    key, value = next(iter(data.items()))
    if isinstance(key, tuple) and len(key) == 2:
        return "[(u, v, weight) for (u, v), weight in data.items()]"
    if isinstance(value, Mapping):
        return "[(u, v) for u in data for v in data[u]], or networkx.Graph(data), which keeps attributes"
    if isinstance(value, (list, tuple, set, frozenset)):
        return "pairs; of lists of neighbours [(u, v) for u in data for v in data[u]]"
    return "pairs"


def _no_table(data: Any, error: Exception) -> InvalidArgumentError:
    why = "; ".join(map(str, error.args))
    if "non-struct type" in why:
        return InvalidArgumentError(
            f"the {type(data).__name__} is one column, and an edge has two ends; give both, as in "
            'table[["source", "target"]] or {"source": sources, "target": targets}'
        )
    if mixed := mixed_column(data, error):
        return mixed
    if isinstance(data, Mapping) and len({len(column) for column in data.values() if isinstance(column, Sized)}) > 1:
        lengths = ", ".join(f"{name!r} has {len(column)}" for name, column in data.items() if isinstance(column, Sized))
        why = f"its columns differ in length ({lengths}); give each a value for every row"
    elif not isinstance(data, Mapping):
        why += "; give a table with the columns source and target"
    return InvalidArgumentError(f"the {type(data).__name__} is not a table of edges: {why}")


def _columns(
    table: pa.Table | pa.RecordBatch, plan: TablePlan, names: ColumnNames, first_row: int, tested: Sequence[int]
) -> EdgeColumns:
    """Edges of a table, of which the `tested` columns may be there for the predicate alone."""
    labels = without_marks(table.schema.names)
    source, target, weight = plan.source, plan.target, plan.weight
    only_tested = [number for number in tested if labels[number] not in names.columns]
    others = names.others(labels, [*plan.taken(labels, names), *only_tested])
    undirected = None
    if plan.direction is not None:
        undirected = expect_direction(table.column(plan.direction), labels[plan.direction], first_row)
    weights, rounded, given = None, 0, None
    if weight is not None:
        weights, rounded = _weights(table.column(weight), labels[weight], first_row)
        given = marks_of(table, labels[weight])
    return EdgeColumns(
        id_array(table.column(source), labels[source], first_row),
        id_array(table.column(target), labels[target], first_row),
        weights,
        {
            name: with_marks_of(table, name, fitted(table.column(i), name, names.columns[name]))
            for name, i in others.items()
        },
        undirected,
        rounded,
        given,
    )


def _weights(column: pa.Array | pa.ChunkedArray, name: str, first_row: int) -> tuple[npt.NDArray[Any], int]:
    """The weights, and how many whole numbers of them are rounded."""
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
    column = decoded(column)
    if column.null_count:
        row = first_row + pc.index(pc.is_null(column), pa.scalar(True)).as_py()
        raise InvalidArgumentError(
            f"the weight column {name!r} has no value in row {row} ({column.null_count} nulls); fill or drop such rows"
        )
    written = not holds_numbers(column.type) or pa.types.is_decimal(column.type)
    if not holds_numbers(column.type):
        column = _numbers_of_text(column, name, first_row)
    if pa.types.is_float16(column.type):
        column = column.cast(pa.float32())
    elif pa.types.is_decimal(column.type):
        column = floats_of_decimals(column)
    weights = np.asarray(column.to_numpy(zero_copy_only=False))
    return weights, int(np.count_nonzero(np.abs(weights) >= GREAT)) if written else 0


def _numbers_of_text(column: pa.Array, name: str, first_row: int) -> pa.Array:
    """Numbers that are written as text."""
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type) or "string" in str(column.type)):
        raise InvalidArgumentError(
            f"the weight column {name!r} is of type {column.type}; weights are numbers: name another with weight="
        )
    texts = pc.utf8_trim_whitespace(column.cast(pa.large_string()))
    try:
        numbers = texts.cast(pa.float64())
    except pa.ArrowInvalid:
        row = next(i for i, text in enumerate(texts.to_pylist()) if not _is_number_text(text))
        raise InvalidArgumentError(
            f"the weight column {name!r} has {column[row].as_py()!r} in row {first_row + row}, which is not a "
            "number; correct it, or name another column with weight="
        ) from None
    large = first_too_large(texts, numbers)
    if large is not None:
        raise InvalidArgumentError(
            f"the weight column {name!r} has {texts[large].as_py()!r} in row {first_row + large}, which is beyond "
            "1.8e308, the largest number; correct it, or name another column with weight="
        )
    return numbers


def _is_number_text(text: str) -> bool:
    try:
        pa.scalar(text).cast(pa.float64())
    except pa.ArrowInvalid:
        return False
    return True
