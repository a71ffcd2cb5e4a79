"""Columns of edges and of vertices: their types, and the way of their values between Arrow and the core."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeAlias

from .. import _core
from ..core.errors import InvalidArgumentError, UnsupportedError
from ..core.lazy_arrow import pa, pc
from ..core.lazy_numpy import np, npt
from ..core.options import unicode_text
from ..core.plain_numbers import TOO_LARGE, is_too_large, native_array
from ..core.read_warnings import warn_of
from .column_types import arrow_type, core_type, is_list, is_number, is_time, kind_of, named_type, type_like
from .ids import decoded, find_or_none, floats_of_decimals, is_text
from .rounding import any_is_rounded, are_rounded, first_too_large, is_great
from .text_items import WrongItemError, are_lists_of_text, array_of_values, joined_items

__all__ = [
    "ColumnSpec",
    "PartlyGiven",
    "Values",
    "arrow_values",
    "core_values",
    "edge_schema",
    "expect_rows",
    "fitted",
    "fitted_records",
    "joined",
    "marks_of",
    "value_array",
    "value_table",
    "vertex_schema",
    "with_marks",
    "with_marks_of",
    "without_marks",
]

Values: TypeAlias = "tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint64] | None, npt.NDArray[np.uint8] | None]"
"""Bytes of values, ends of those of variable width, and which rows have one."""

_UTC = (None, "UTC", "Etc/UTC", "Z", "+00:00")

ColumnSpec: TypeAlias = "Mapping[str, str | pa.DataType]"
"""Names and types of columns: "float64", "timestamp[s]", "string not null", or types of pyarrow."""

_NOT_NULL = " not null"
_WEIGHTS = ("int32", "float32", "float64")


def edge_schema(spec: ColumnSpec) -> tuple[_core.WeightType | None, list[tuple[str, str, bool]]]:
    """The type of the weight, if it is one of the columns, and (name, type, may be null) of the others."""
    weight = None
    columns = []
    for name, kind in _named(spec).items():
        type_, nullable = _parsed(kind)
        if name == "weight":
            if type_ not in _WEIGHTS:
                raise InvalidArgumentError(f"a weight must be of type {', '.join(_WEIGHTS)}, not {type_}")
            weight = getattr(_core.WeightType, type_)
        else:
            columns.append((unicode_text("the name of a column", str(name)), type_, nullable))
    return weight, columns


def vertex_schema(spec: ColumnSpec) -> list[tuple[str, str, bool]]:
    """The (name, type, may be null) of each column."""
    return [(unicode_text("the name of a column", str(name)), *_parsed(kind)) for name, kind in _named(spec).items()]


def _named(spec: ColumnSpec) -> ColumnSpec:
    if not isinstance(spec, Mapping):
        raise InvalidArgumentError(
            f'{spec!r} names no columns; give {{"NAME": "TYPE"}}, or take those of a table with '
            'rizoma.read(table, into=path, edges="infer")'
        )
    return spec


def _parsed(kind: str | pa.DataType) -> tuple[str, bool]:
    """A type's own name, and whether values may be null."""
    if isinstance(kind, pa.DataType):
        return core_type(kind), True
    if not isinstance(kind, str):
        if hasattr(kind, "store"):  # a result
            raise InvalidArgumentError(
                'a column has a type, such as "float64"; result.store(graph, name) makes one of a result'
            )
        like = "string" if kind == list[str] else type_like(getattr(kind, "__name__", ""))
        raise InvalidArgumentError(f"{kind!r} is not a type of a column; give a name such as {like!r}")
    name = unicode_text("the type of a column", kind).strip()
    nullable = not name.endswith(_NOT_NULL)
    name = name.removesuffix(_NOT_NULL).strip()
    return named_type(name), nullable


def fitted(column: Any, name: str, kind: str) -> pa.Array:
    """Values as one Arrow array of the column's type."""
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
    try:
        if not isinstance(column, pa.Array):
            column = value_array(column)
        column = decoded(column)
        if kind_of(kind) == "text" and are_lists_of_text(column.type):
            column = joined_items(column)
        cast = _cast(column, arrow_type(kind))
        if _is_rounded(column, cast):
            warn_of([_core.rounding_guess(name, kind)])
        elif pa.types.is_decimal(column.type) and kind == "float64" and _loses_digits(column, cast):
            warn_of([_digits_guess(name)])
        elif pa.types.is_timestamp(column.type) and column.type.tz not in _UTC:
            warn_of([f"the moments of {name!r} are of the zone {column.type.tz}, and are kept and shown in UTC"])
        return cast
    except WrongItemError as error:
        raise InvalidArgumentError(f"column {name!r}: {error}") from None
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError, UnicodeError) as error:
        why = _misfit(column, kind) or f"{error}; give values of this type, or make the column another type"
        if "expected a zone offset" in why or "expected no zone offset" in why:
            why = "some rows have a zone (Z, +01:00) and others have none; give all of them one, or none"
        elif "Unsupported cast" in why and is_time(kind):
            why = f"the values are {column.type}; write them as text, such as '2026-01-31', or give dates"
        raise InvalidArgumentError(f"column {name!r} cannot be stored as {kind}: {why}") from None


def _cast(column: pa.Array, wanted: pa.DataType) -> pa.Array:
    if column.type == wanted:
        return column
    if is_text(column.type) and (pa.types.is_timestamp(wanted) or pa.types.is_date(wanted)):
        return _from_text(column, wanted)
    if pa.types.is_timestamp(column.type) and column.type.tz is not None:
        column = column.cast(pa.timestamp(column.type.unit))
    if pa.types.is_decimal(column.type) and pa.types.is_floating(wanted):
        column = floats_of_decimals(column)
    cast = column.cast(wanted)
    _check_room(column, cast)
    return cast


def _is_rounded(column: pa.Array, cast: pa.Array) -> bool:
    """Whether whole numbers became others, since their floating-point type does not hold them.

    Arrow refuses integers that it would round, but neither float64 nor decimals nor text.
    """
    if is_list(column.type):
        column, cast = column.flatten(), cast.flatten()
    if column.type == cast.type or not (pa.types.is_float32(cast.type) or pa.types.is_float64(cast.type)):
        return False
    great = is_great(cast)  # few columns have such numbers
    column, cast = column.filter(great), cast.filter(great)
    if pa.types.is_floating(column.type):
        given, held = (np.asarray(each.to_numpy(zero_copy_only=False), np.float64) for each in (column, cast))
        return bool(np.any(are_rounded(given, held)))
    if not (pa.types.is_decimal(column.type) or is_text(column.type)):
        return False
    return any_is_rounded(column.to_pylist(), cast.to_pylist())


def _loses_digits(column: pa.Array, cast: pa.Array) -> bool:
    """Whether decimals have more digits than their float64, written in full, gives back: never up to 15."""
    long = pc.greater_equal(pc.abs(cast), 10.0 ** (15 - column.type.scale))
    pairs = zip(column.filter(long).to_pylist(), cast.filter(long).to_pylist(), strict=True)
    return any(exact is not None and Decimal(repr(value)) != exact for exact, value in pairs)


def _digits_guess(name: str) -> str:
    return (
        f"column {name!r} has decimals of more than 15 digits, which float64 rounds; where each digit counts give them "
        "as text, and make the column a string"
    )


_WRITTEN = {
    "boolean": "true or false",
    "integer": "a whole number such as 42",
    "real": "a number such as 1.5",
    "date": "a date such as 2025-01-31",
    "timestamp": "a date or time such as 2025-01-31 12:30:00",
}


def _misfit(column: Any, kind: str) -> str | None:
    """What is wrong with the first text that is no value of the type, with its row; None: it is something else."""
    if isinstance(column, pa.Array) and pa.types.is_floating(column.type) and pa.types.is_integer(arrow_type(kind)):
        odd = ((row, value.as_py()) for row, value in enumerate(column))
        found = next(((row, value) for row, value in odd if value is not None and value % 1 != 0), None)
        if found is not None:
            return f"{found[1]} in row {found[0]} is no whole number; round it, or make the column float64"
    if isinstance(column, pa.Array) and is_list(column.type) != is_list(arrow_type(kind)):
        kind_there = "a list" if is_list(column.type) else "no list"
        return f"{column[0].as_py()!r} in row 0 is {kind_there}; give values of this type"
    if isinstance(column, pa.Array) and pa.types.is_timestamp(column.type) and pa.types.is_timestamp(arrow_type(kind)):
        return _finer_time(column, kind)
    words = _WRITTEN.get(kind_of(kind))
    if isinstance(column, list) and kind_of(kind) in ("integer", "real"):  # texts among numbers
        column = pa.array([None if value is None else str(value) for value in column])
    if words is None or not isinstance(column, pa.Array) or not is_text(column.type):
        return None
    for row, text in enumerate(column):
        try:
            _cast(column.slice(row, 1), arrow_type(kind))
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
            said = str(error)
            if " does not fit" in said:
                return said.replace("in row 0 ", f"in row {row} ") if ":" in said else None
            return f"{text.as_py()!r} in row {row} is not {words}; write it so, or make the column a string"
    return None


def _finer_time(column: pa.Array, kind: str) -> str | None:
    """What is wrong with the first moment that a timestamp of coarser units does not hold."""
    for row, value in enumerate(column):
        try:
            _cast(column.slice(row, 1), arrow_type(kind))
        except pa.ArrowInvalid:
            finer = f"round it (as dt.floor('s') of pandas does), or make the column {column.type}"
            return f"{value} in row {row} is finer than its units; {finer}"
    return None


@dataclass(frozen=True)
class PartlyGiven:
    """Values of a column that some rows do not give: those keep what they have, where a null clears it."""

    array: pa.Array
    given: npt.NDArray[np.bool_]

    @property
    def type(self) -> pa.DataType:
        """The type of the values."""
        return self.array.type

    def __len__(self) -> int:
        return len(self.array)

    def slice(self, offset: int, length: int) -> PartlyGiven:
        """Some of the rows."""
        return PartlyGiven(self.array.slice(offset, length), self.given[offset : offset + length])

    def filter(self, mask: pa.Array) -> PartlyGiven:
        """The rows for which the mask is true."""
        return PartlyGiven(self.array.filter(mask), self.given[np.asarray(mask, np.bool_)])


_GIVEN = "rizoma:given:"  # no column of others is called so


def with_marks(batch: pa.RecordBatch, given: Mapping[str, npt.NDArray[np.bool_]]) -> pa.RecordBatch:
    """The batch with further columns, at its end, that say which rows give which columns."""
    marks = [pa.array(each) for each in given.values()]
    names = [*batch.schema.names, *(_GIVEN + name for name in given)]
    return pa.RecordBatch.from_arrays([*batch.columns, *marks], names=names)


def without_marks(labels: Iterable[str]) -> list[str]:
    """The names of columns that are values."""
    return [label for label in labels if not label.startswith(_GIVEN)]


def marks_of(table: pa.Table | pa.RecordBatch, name: str) -> npt.NDArray[np.bool_] | None:
    """Which rows give a column; None: all of them."""
    place = table.schema.get_field_index(_GIVEN + name)
    if place < 0:
        return None
    given = np.asarray(table.column(place).to_numpy(zero_copy_only=False), np.bool_)
    return None if given.all() else given


def with_marks_of(table: pa.Table | pa.RecordBatch, name: str, values: pa.Array) -> pa.Array | PartlyGiven:
    """The values of the column `name`; with the marks of the rows that give them, where the table has such marks."""
    given = marks_of(table, name)
    return values if given is None else PartlyGiven(values, given)


def joined(first: Any, second: Any) -> Any:
    """The rows of two columns, one after the other."""
    if not isinstance(first, PartlyGiven) and not isinstance(second, PartlyGiven):
        return pa.concat_arrays([first, second])
    parts = [
        each if isinstance(each, PartlyGiven) else PartlyGiven(each, np.ones(len(each), np.bool_))
        for each in (first, second)
    ]
    return PartlyGiven(pa.concat_arrays([each.array for each in parts]), np.concatenate([each.given for each in parts]))


def fitted_records(records: Sequence[Mapping[Any, Any]], key: Any, name: str, kind: str) -> Any:
    """What records say under `key`, as values of a column; a record without the key does not give it."""
    array = fitted([each.get(key) for each in records], name, kind)
    given = np.fromiter((key in each for each in records), np.bool_, len(records))
    return array if given.all() else PartlyGiven(array, given)


def value_array(values: Any) -> pa.Array:
    """Values of Python as an Arrow array: NaN is a number, not null; the missing values of pandas are null.

    Whole numbers may be as great as uint64 has them; OverflowError names one that is greater.
    """
    try:
        return array_of_values(values)
    except OverflowError:
        return pa.array(values, pa.uint64())
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return pa.array(values, from_pandas=True)


def expect_rows(columns: Mapping[Any, Any]) -> None:
    """Refuse columns whose values do not say in which row they are: one value, sets, Series with different indexes."""
    for name, values in columns.items():
        if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):  # of a text each letter would be a row
            rest = ", ..." if len(columns) > 1 else ""
            raise InvalidArgumentError(
                f"{str(name)!r} has one value ({values!r}), where a mapping has a list for each column; write "
                f'{{"{name}": [{values!r}]{rest}}}'
            )
        if isinstance(values, (set, frozenset)):
            raise InvalidArgumentError(f"the column {str(name)!r} is a set, which has no order; give a list")
    indexed = [
        (name, values.index)
        for name, values in columns.items()
        if type(values).__name__ == "Series" and hasattr(values, "reindex")  # of pandas
    ]
    for name, index in indexed[1:]:
        if len(index) == len(indexed[0][1]) and not index.equals(indexed[0][1]):
            raise InvalidArgumentError(
                f"the columns {str(indexed[0][0])!r} and {str(name)!r} are Series with different indexes, so that rows "
                "can be read by them or by place; give pandas.DataFrame(columns) or each column's to_numpy()"
            )


def value_table(columns: Mapping[Any, Any]) -> pa.Table:
    """Columns of Python, NumPy, pandas or Arrow by name as an Arrow table."""
    expect_rows(columns)
    columns = {name: native_array(each) if isinstance(each, np.ndarray) else each for name, each in columns.items()}
    try:
        return pa.table({str(name): _column(str(name), column) for name, column in columns.items()})
    except (OverflowError, UnicodeEncodeError):  # whole numbers beyond int64; values that are no text
        return pa.table({str(name): _value_column(str(name), column) for name, column in columns.items()})


def _column(name: str, values: Any) -> Any:
    try:
        return array_of_values(values) if isinstance(values, (list, tuple)) else values
    except WrongItemError as error:
        raise InvalidArgumentError(f"column {name!r}: {error}") from None


def _value_column(name: str, values: Any) -> Any:
    try:
        return value_array(values)
    except OverflowError:
        outside = next((each for each in values if isinstance(each, int) and not -(2**63) <= each < 2**64), None)
        wrong = f"{outside} does not fit" if outside is not None else "some are negative and some are 2^63 or more"
        raise InvalidArgumentError(
            f"column {name!r} does not hold whole numbers of 64 bits: {wrong}; give such numbers as text"
        ) from None
    except UnicodeEncodeError as error:
        raise InvalidArgumentError(
            f"column {name!r} has the value {error.object!r}, which is not valid Unicode text; remove the lone "
            "surrogate"
        ) from None


def _from_text(column: pa.Array, wanted: pa.DataType) -> pa.Array:
    """Moments and days as they are written: what the type has no room for is refused."""
    if pa.types.is_timestamp(wanted):
        return _moments(column, wanted.unit)
    moments = _moments(column, "us")
    days = moments.cast(wanted)
    _check_room(moments, days)
    return days


def _moments(column: pa.Array, unit: str) -> pa.Array:
    """Moments in UTC; written either all with a zone, such as Z or +02:00, or all without."""
    first = next((str(text) for text in column if text.is_valid), "")
    if re.search(r":\d\d(\.\d+)?\s*(Z|[+-]\d\d(:?\d\d)?)$", first):
        column = column.cast(pa.timestamp(unit, "UTC"))
    return column.cast(pa.timestamp(unit))


def _check_room(column: pa.Array, cast: pa.Array) -> None:
    """Refuse values that Arrow would change silently: a time cut off, an infinite float, 2 taken for true."""
    if is_list(column.type):
        column, cast = column.flatten(), cast.flatten()
    number = pa.types.is_integer(column.type) or pa.types.is_floating(column.type)
    if is_text(column.type) and pa.types.is_floating(cast.type):
        _check_room_of_texts(column, cast)
    if pa.types.is_float64(column.type) and pa.types.is_float32(cast.type):
        lost = pc.and_(pc.is_finite(column), pc.is_inf(cast))
    elif (pa.types.is_timestamp(column.type) and pa.types.is_date(cast.type)) or (
        number and pa.types.is_boolean(cast.type)
    ):
        lost = pc.not_equal(column, cast.cast(column.type))
    else:
        return
    row = pc.index(lost, True).as_py()
    if row >= 0:
        raise pa.ArrowInvalid(f"{column[row]} does not fit")


def _check_room_of_texts(column: pa.Array, cast: pa.Array) -> None:
    """Refuse texts of numbers that are too large for their type: Arrow reads them as infinite."""
    row = first_too_large(column, cast)
    if row is not None:
        text = str(column[row])
        why = TOO_LARGE if is_too_large(text, float(text)) else "float64 would hold it"
        raise pa.ArrowInvalid(f"{text!r} in row {row} does not fit: {why}")


def core_values(array: pa.Array, kind: str) -> Values:
    """The values of a fitted array, as the core takes them."""
    valid = None
    if array.null_count:
        valid = np.asarray(pc.is_valid(array).to_numpy(zero_copy_only=False)).astype(np.uint8)
    what = kind_of(kind)
    if what in ("text", "bytes"):
        return *_text(array, valid), valid
    if what == "list":
        return *_lists(array, valid), valid
    if what == "boolean":
        flags = pc.fill_null(array, False).to_numpy(zero_copy_only=False)
        return np.ascontiguousarray(flags, np.uint8), None, valid
    width = array.type.bit_width // 8
    data = array.buffers()[1]
    if data is None:
        return np.zeros(len(array) * width, np.uint8), None, valid
    all_bytes = np.frombuffer(data, np.uint8)
    return all_bytes[array.offset * width : (array.offset + len(array)) * width], None, valid


def _text(array: pa.Array, valid: npt.NDArray[np.uint8] | None) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint64]]:
    if valid is not None:
        array = pc.fill_null(array, "" if pa.types.is_large_string(array.type) else b"")
    _, offsets, data = array.buffers()
    if len(array) == 0 or offsets is None:
        return np.empty(0, np.uint8), np.empty(0, np.uint64)
    ends = np.frombuffer(offsets, np.int64)[array.offset : array.offset + len(array) + 1]
    text = np.empty(0, np.uint8) if data is None else np.frombuffer(data, np.uint8)
    return text[ends[0] : ends[-1]], (ends[1:] - ends[0]).astype(np.uint64)


def _lists(
    array: pa.Array, valid: npt.NDArray[np.uint8] | None
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint64]]:
    lengths = pc.fill_null(pc.list_value_length(array), 0).to_numpy(zero_copy_only=False)
    items = array.flatten()
    if items.null_count:
        raise InvalidArgumentError("a list of float32 has a null inside; make the whole list null, or replace the item")
    numbers = np.ascontiguousarray(items.to_numpy(zero_copy_only=False), np.float32)
    return numbers.view(np.uint8), np.cumsum(lengths, dtype=np.uint64) * np.uint64(4)


def arrow_values(values: Values, kind: str) -> pa.Array:
    """What the core gives, as an Arrow array."""
    data, ends, valid = values
    bitmap = None
    if valid is not None:
        bitmap = pa.py_buffer(np.packbits(valid, bitorder="little"))
    type_, what = arrow_type(kind), kind_of(kind)
    if what == "boolean":
        return pa.array(data.astype(np.bool_), mask=None if valid is None else valid == 0)
    if ends is None:
        rows = len(data) // (type_.bit_width // 8)
        return pa.Array.from_buffers(type_, rows, [bitmap, pa.py_buffer(data)])
    offsets = np.concatenate([np.zeros(1, np.int64), ends.astype(np.int64)])
    if what == "list":
        items = pa.array(data.view(np.float32))
        return pa.Array.from_buffers(type_, len(ends), [bitmap, pa.py_buffer(offsets // 4)], children=[items])
    array = pa.Array.from_buffers(type_, len(ends), [bitmap, pa.py_buffer(offsets), pa.py_buffer(data)])
    if what == "text":
        _expect_text(array)
    return array


def _expect_text(array: pa.Array) -> None:
    """Refuse bytes in place of text, which may crash their readers."""
    try:
        array.validate(full=True)
    except pa.ArrowInvalid as error:
        raise UnsupportedError(
            "a value of a string column is not UTF-8 text; find it with `rizoma check`, and set it again"
        ) from error


def edge_columns(schema: _core.GraphSchema) -> dict[str, str]:
    """Columns of edges beside the weight: {name: type}."""
    weighted = schema.weights != _core.WeightType.none
    return {name: kind for name, kind, _ in schema.edge_columns if not (weighted and name == "weight")}


def vertex_columns(schema: _core.GraphSchema) -> dict[str, str]:
    """Columns of vertices: {name: type}."""
    return {name: kind for name, kind, _ in schema.vertex_columns}


def weight_wanted(state: _core.Snapshot, weight: str | None, must: bool = True) -> bool:
    """Whether to use weights.  `weight` is "weight", the name of an edge column, or None."""
    if weight is None:
        return False
    if weight != "weight":
        columns = edge_columns(state.schema)
        if weight not in columns:
            own = ["weight"] if state.schema.weights != _core.WeightType.none else []
            there = ", ".join([*own, *columns]) or "none beside the ends"
            vertex = find_or_none(state, weight) is not None
            path = "; it is a vertex: shortest_path(graph, source, target) has the path to one" if vertex else ""
            raise InvalidArgumentError(f"weight={weight!r} is not an edge column; there are {there}{path}")
        return True
    weighted = state.schema.weights != _core.WeightType.none
    if must and not weighted:
        raise InvalidArgumentError("the graph has no weights; use weight=None")
    return weighted


def warn_of_hops(state: _core.Snapshot) -> None:
    """Warn that each edge has length 1, if the weights of the graph or a column of numbers might be meant."""
    weighted = state.schema.weights != _core.WeightType.none
    numbers = ["weight"] if weighted else []
    numbers += [name for name, kind in edge_columns(state.schema).items() if is_number(kind)]
    if numbers:
        why = "no weight is asked for" if weighted else "the graph has no weights"
        said = f"{why}, so each edge has length 1, though it has {', '.join(numbers)}"
        warn_of([f"{said}: weight={numbers[0]!r} takes such a column, weight=None says that 1 is meant"])


def weight_of_path(state: _core.Snapshot, weight: str | None) -> str | None:
    """The weight that edges of a path have; left out (""): None, with a warning where one may be meant."""
    if weight == "":
        warn_of_hops(state)
    return weight or None
