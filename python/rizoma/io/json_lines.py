"""JSON lines (NDJSON): an object on each line, as logs, document databases and data warehouses write tables.

A line is an edge, or in a file of vertices a vertex; its keys are the names of columns.  Files of any size are read,
block by block.  Ids are integers or strings, of one kind in the whole file; keys that no option names are left out.
"""

from __future__ import annotations

import base64
import json
import math
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from .. import _core
from ..core.errors import ColumnNotFoundError, ParseError
from ..core.lazy_arrow import pa, pc
from ..core.lazy_numpy import np, npt
from ..core.plain_numbers import TOO_LARGE
from ..core.read_warnings import warn_of
from ..graph.column_types import arrow_type, core_type, is_time
from ..graph.import_report import FileReport
from ..graph.rounding import GREAT, any_is_rounded, is_great
from ..graph.schema import with_marks
from ..graph.tables import ColumnNames, EdgeColumns, EdgeSource
from ..graph.tables.arrow import from_batches
from ..graph.tables.interpret import interpret_table
from ..graph.tables.row_filter import RowFilter
from ..graph.tables.text_options import CsvOptions
from ..graph.tables.text_values import altered_batches, kinds_of_texts, renamed_schema
from ..graph.text_items import WrongItemError, texts_of
from .chunked import FileInPieces
from .json_rows import NAME
from .unsupported import expect_file

__all__ = ["JsonLinesFile", "first_rows", "first_schema", "vertex_batches"]

_BLOCK = 1 << 23  # bytes of text at a time

_SAMPLE = 1000  # rows that show the content of columns

_NO_VALUES = (ValueError, TypeError, NotImplementedError, OverflowError)
"""What Arrow raises of values that it cannot make a column of; its own exceptions are among them."""

BadLine: TypeAlias = Callable[[str], bool]
"""Told of a malformed line; whether it is left out."""

Rows: TypeAlias = list[tuple[int, dict[str, Any]]]
"""Objects, and the numbers of their lines."""

Marks: TypeAlias = "dict[str, npt.NDArray[np.bool_]]"
"""Of columns that some lines have no value for: which lines have their keys."""

Marked: TypeAlias = "tuple[pa.RecordBatch, Marks]"


class _Twice(dict[str, Any]):
    """An object in which a key stands twice; the later value is there."""

    keys_twice: frozenset[str] = frozenset()


class _TooLarge(float):
    """A number that is beyond float64, so that it would be infinite."""

    text: str


def _number(text: str) -> float:
    number = float(text)
    if math.isfinite(number):
        return number
    large = _TooLarge(number)
    large.text = text
    return large


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) == len(pairs):
        return made
    twice = _Twice(made)
    twice.keys_twice = frozenset(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
    return twice


class JsonLinesFile(FileInPieces):
    """Edges as JSON lines; see `rizoma.io.sources.EdgeFile`."""

    def __init__(self, path: Path, names: ColumnNames, ids: str | None, directed: bool | None, csv: CsvOptions) -> None:
        self._path = path
        self._csv = csv
        self._texts: list[str] = []  # keys of ids that are read as text, whatever they are
        self._kinds: Mapping[str, str] = {}
        self.report = FileReport(str(path), NAME, ids or "dense", bool(directed), None)
        self.directed = bool(directed)
        rows = next((_rows(path, block, line, self._bad_line) for block, line in _blocks(path)), [])
        found = _schema(rows)
        labels = list(renamed_schema(found, csv, str(path)).names) if found.names else []
        missing = [name for name in names.columns if name not in labels]
        if missing:
            raise ColumnNotFoundError(f"{path} has no column {missing[0]!r} (there are {', '.join(labels)})")
        self._fields: list[pa.Field] = []
        self._names = names
        self._drops_weights = names.drops_weights
        self.weights: str | None = None
        if labels:
            self._choose(path, found, rows, ids, directed)
        self.report.weights = self.weights
        self.ids = self.report.ids = ids or self._id_kind()

    def _choose(self, path: Path, found: pa.Schema, rows: Rows, ids: str | None, directed: bool | None) -> None:
        """Decide which keys are what, by the first lines."""
        names = self._names
        sample, self._kinds = _altered(path, _sample(rows, found), names, self._csv)
        schema = sample.schema
        labels = schema.names
        old = dict(zip(labels, found.names, strict=True))
        plan = interpret_table(schema, names, sample)
        weight = None if plan.weight is None else labels[plan.weight]
        direction = None if plan.direction is None else labels[plan.direction]
        self._names = replace(
            names, source=labels[plan.source], target=labels[plan.target], weight=weight, direction=direction
        )
        types = {labels[i]: _id_type(path, old[labels[i]], rows) for i in (plan.source, plan.target)}
        if weight is not None:
            self.weights = "float64"
            text = pa.types.is_string(found.field(old[weight]).type)
            types[weight] = pa.string() if text else pa.float64()
        for name, kind in names.columns.items():
            types[name] = pa.string() if name in self._kinds else _read_as(kind)
        if direction is not None:
            types.setdefault(direction, schema.field(direction).type)
        for name in [] if names.where is None else RowFilter(names.where, schema).columns:
            types.setdefault(name, found.field(old[name]).type)
        self._fields = [pa.field(old[name], type_) for name, type_ in types.items()]
        self._needed = [old[name] for name in (labels[plan.source], labels[plan.target], weight) if name]
        self._texts = self._needed[:2] if ids == "string" else []
        if directed is None:
            self.directed = self.report.directed = bool(plan.directed)
        self.report.columns = labels
        self.report.source, self.report.target, self.report.weight = labels[plan.source], labels[plan.target], weight
        self.report.notes, self.report.guesses = list(plan.notes), list(plan.guesses)

    def _bad_line(self, said: str) -> bool:
        if self.report.bad_lines >= self._csv.skip_bad_lines:
            return False
        self.report.bad_lines += 1
        self.report.first_bad = self.report.first_bad or said
        return True

    def _source(self, ids: _core.IdKind | None = None) -> EdgeSource:  # noqa: ARG002 -- JSON tells text from numbers
        self.report.bad_lines, self.report.first_bad = 0, ""  # those that an earlier look came upon
        if not self._fields:
            return EdgeSource([])
        batches = _tables(
            self._path, pa.schema(self._fields), self._needed, self._texts, self._bad_line, self.report.add_guess
        )
        edges = from_batches(_altered_batches(self._path, batches, self._kinds, self._csv), self._names)
        return edges.with_chunks(map(_with_rounded, edges.chunks))


def _with_rounded(columns: EdgeColumns) -> EdgeColumns:
    """The same, with the number of weights that may be rounded: Arrow reads all as float64."""
    weights = columns.weights
    great = 0 if weights is None else int(np.count_nonzero(np.abs(weights) >= GREAT))
    return replace(columns, rounded=great) if great else columns


def _altered_batches(
    path: Path, batches: Iterator[Marked], kinds: Mapping[str, str], csv: CsvOptions
) -> Iterator[pa.RecordBatch]:
    """Batches with the names and the values that are asked for, and the marks of their columns."""
    pending: deque[Marks] = deque()

    def alone() -> Iterator[pa.RecordBatch]:
        for batch, given in batches:
            pending.append(given)
            yield batch

    for batch in _named_in_errors(path, alone(), kinds, csv):
        yield with_marks(batch, {csv.renamed.get(name, name): marks for name, marks in pending.popleft().items()})


def _named_in_errors(
    path: Path, batches: Iterator[pa.RecordBatch], kinds: Mapping[str, str], csv: CsvOptions
) -> Iterator[pa.RecordBatch]:
    """Batches with the names and the values that are asked for; an error names the file."""
    try:
        yield from altered_batches(batches, kinds, csv, 0)
    except ParseError as error:
        raise error if str(error).startswith(str(path)) else ParseError(f"{path}: {error}") from None


def _altered(path: Path, sample: pa.Table, names: ColumnNames, csv: CsvOptions) -> tuple[pa.Table, Mapping[str, str]]:
    """A sample with the names and values that are asked for, and the types of its texts that are read as others."""
    if not csv.rename and not csv.reads_text_values:
        return sample, {}
    schema = renamed_schema(sample.schema, csv, str(path))
    kinds = kinds_of_texts(schema, names, csv)
    for batch in _named_in_errors(path, iter(sample.to_batches()), kinds, csv):
        return pa.Table.from_batches([batch]), kinds
    return pa.table({field.name: [] for field in schema}, schema), kinds


def first_rows(path: Path, names: ColumnNames, csv: CsvOptions) -> pa.Table:
    """The first rows, of which malformed ones are left out; no columns if the file is empty."""
    for block, line in _blocks(path):
        rows = _rows(path, block, line, lambda _: True)
        return _altered(path, _sample(rows, _schema(rows)), names, csv)[0]
    return pa.table({})


def first_schema(path: Path, bad_line: BadLine, csv: CsvOptions) -> pa.Schema:
    """Names and types of the columns, by the first block of lines; no columns if the file is empty."""
    for block, line in _blocks(path):
        return renamed_schema(_schema(_rows(path, block, line, bad_line)), csv, str(path))
    return pa.schema([])


def _schema(rows: Rows) -> pa.Schema:
    names = dict.fromkeys(name for _, row in rows for name in row)
    return pa.schema([(name, _found([row[name] for _, row in rows if name in row])) for name in names])


def _sample(rows: Rows, schema: pa.Schema) -> pa.Table:
    """The first rows as a table; a value that is not of its column's type is none."""
    columns = []
    for field in schema:
        values = [row.get(field.name) for _, row in rows[:_SAMPLE]]
        try:
            columns.append(pa.array(values, field.type))
        except _NO_VALUES:
            columns.append(pa.nulls(len(values), field.type))
    return pa.table(columns, schema)


def _found(values: list[Any]) -> pa.DataType:
    """The type of values; of the first, if they are of several: the others raise an error when they are read.

    Null if no column can have values such as the first.
    """
    first = next((value for value in values if value is not None), None)
    for some in (values, [first]):
        try:
            return pa.array(some).type
        except _NO_VALUES:
            continue
    return pa.null()


def _id_type(path: Path, name: str, rows: Rows) -> pa.DataType:
    """The type of the first id."""
    value = next((row[name] for _, row in rows if row.get(name) is not None), None)
    if isinstance(value, str):
        return pa.string()
    if isinstance(value, int) and not isinstance(value, bool):
        return pa.int64()
    if isinstance(value, float) and value.is_integer():  # an integer stored as floating point: 2.0
        return pa.float64()
    raise ParseError(
        f"{path}: {name!r} begins with {json.dumps(value)}, which is no id; "
        "ids are integers or strings (name their keys with source= and target=)"
    )


def _read_as(kind: str) -> pa.DataType:
    """The type that JSON is read as: what it has no form for is text first, and fitted later."""
    return pa.string() if is_time(kind) else arrow_type(kind)


def _tables(
    path: Path,
    schema: pa.Schema,
    needed: list[str],
    texts: list[str],
    bad_line: BadLine,
    guess: Callable[[str], None],
) -> Iterator[Marked]:
    """Yield these columns of all lines, in file order, and which lines have which of them.

    Those `needed` have a value in each line; whole numbers in `texts` are text.  Binary is base64.  `guess` gets what
    may be meant otherwise.  What a block's quick reader refuses is gone over line by line, which tells the place.
    """
    from pyarrow import json as arrow_json

    quick = pa.schema([(field.name, _quick(field.type)) for field in schema])
    exact = pa.schema([pa.field(field.name, pa.string()) if field.name in texts else field for field in quick])
    schema = pa.schema([pa.field(field.name, pa.string()) if field.name in texts else field for field in schema])
    options = arrow_json.ParseOptions(explicit_schema=quick, unexpected_field_behavior="ignore")
    values = [field.name for field in quick if field.name not in needed]
    rounded: list[str] = []
    for block, line in _blocks(path):
        try:
            table = arrow_json.read_json(
                pa.BufferReader(block), arrow_json.ReadOptions(block_size=1 << 21), options
            ).select(schema.names)
            whole = table.num_rows == _objects(block) and all(_whole(table.column(name)) for name in needed)
            whole = whole and all(_has_room(table.column(field.name)) for field in quick)
            whole = whole and not any(_is_great(table.column(field.name)) for field in quick if field.name in values)
            marks = _marks(block, table) if whole else {}
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError, KeyError, ValueError, RecursionError):
            whole = False
        if not whole:
            rows = _checked(path, _rows(path, block, line, bad_line), exact, needed, texts, bad_line)
            table = pa.table([_column(path, rows, field) for field in exact], exact)
            rounded += [name for name in values if name not in rounded and _is_rounded(rows, name, table.column(name))]
            marks = _marks_of_rows(rows, table)
        if table.num_rows:
            made = pa.table([_of_text(path, table.column(field.name), field) for field in schema], schema)
            yield made.combine_chunks().to_batches()[0], marks
    for name in rounded:
        guess(_core.rounding_guess(name, core_type(schema.field(name).type)))


def _with_texts(row: dict[str, Any], texts: list[str]) -> dict[str, Any]:
    """The same with the whole numbers at these keys as text."""

    def text(value: Any) -> Any:
        whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        return str(int(value)) if whole and not isinstance(value, bool) else value

    return {**row, **{name: text(row[name]) for name in texts if name in row}} if texts else row


def _marks(block: bytes, table: pa.Table) -> Marks:
    """Which lines of a block have the keys that are null in some: Arrow does not tell a null from a key that lacks."""
    nulls = {
        name: table.column(name).is_null().to_numpy() for name in table.schema.names if table.column(name).null_count
    }
    if not nulls:
        return {}
    marks = {name: ~is_null for name, is_null in nulls.items()}
    lines = [line for line in block.split(b"\n") if line.strip()]
    for place in np.flatnonzero(np.logical_or.reduce(list(nulls.values()))).tolist():
        line = lines[place]
        # A key that does not stand there, and is not written with escapes, is none: most lines need no parser.
        if b"\\" not in line and not any(nulls[name][place] and name.encode() in line for name in nulls):
            continue
        keys = json.loads(line).keys()
        for name, given in marks.items():
            given[place] = given[place] or name in keys
    return marks


def _marks_of_rows(rows: Rows, table: pa.Table) -> Marks:
    """The same of lines that are parsed."""
    some = [name for name in table.schema.names if table.column(name).null_count]
    return {name: np.fromiter((name in row for _, row in rows), np.bool_, len(rows)) for name in some}


def _objects(block: bytes) -> int:
    """How many objects there are, one on each line that is not empty."""
    return sum(1 for line in block.split(b"\n") if line.strip())


def _whole(column: Any) -> bool:
    """Whether each row has a value, and a finite one where it is a number."""
    finite = not pa.types.is_floating(column.type) or pc.all(pc.is_finite(column)).as_py() is not False
    return finite and not column.null_count


def _has_room(column: Any) -> bool:
    """Whether no number is infinite, as one may be that was too large for its type."""
    numbers = _numbers(column)
    return numbers is None or pc.any(pc.is_inf(numbers)).as_py() is not True


def _numbers(column: Any) -> Any:
    """The numbers of a column of floating-point numbers, or of lists of them; None: it is another one."""
    column = pc.list_flatten(column) if pa.types.is_list(column.type) else column
    return column if pa.types.is_floating(column.type) else None


def _is_great(column: Any) -> bool:
    """Whether some number lies where its floating-point type does not hold each whole one."""
    numbers = _numbers(column)
    if numbers is None:
        return False
    return pc.any(is_great(numbers)).as_py() is True


def _is_rounded(rows: Rows, name: str, column: Any) -> bool:
    """Whether some whole number of the rows is another one in the column that was made of them."""
    if not _is_great(column):
        return False
    given = [row.get(name) for _, row in rows]
    if pa.types.is_list(column.type):
        given = [item for items in given if items is not None for item in items]
    return any_is_rounded((None if isinstance(value, str) else value for value in given), _numbers(column).to_pylist())


def _quick(kind: pa.DataType) -> pa.DataType:
    """The type that Arrow reads JSON as for this one."""
    if pa.types.is_large_list(kind):
        return pa.list_(kind.value_type)
    return pa.string() if kind in (pa.large_string(), pa.large_binary()) else kind


def _of_text(path: Path, column: Any, field: pa.Field) -> Any:
    """Values of the field's type."""
    if field.type != pa.large_binary():
        return column.cast(field.type)
    try:
        values = [None if text is None else base64.b64decode(text, validate=True) for text in column.to_pylist()]
    except ValueError as error:
        raise ParseError(
            f"{path}: the values called {field.name!r} are not all base64 ({error}); "
            "encode them, or make the column a string"
        ) from None
    return pa.array(values, field.type)


def _checked(path: Path, rows: Rows, schema: pa.Schema, needed: list[str], texts: list[str], bad_line: BadLine) -> Rows:
    """The rows whose needed values are there and of their type, and that have one value for each key; see `_tables`."""
    kept: Rows = []
    for line, given in rows:
        row = _with_texts(given, texts)
        of_needed = (_wrong(name, row, schema.field(name).type) for name in needed)
        wrong = _twice(given, schema) or next(filter(None, of_needed), None)
        if wrong is None:
            kept.append((line, row))
        elif not bad_line(f"{path}:{line}: {wrong}"):
            raise ParseError(f"{path}:{line}: {wrong}")
    return kept


def _twice(row: dict[str, Any], schema: pa.Schema) -> str | None:
    """The message that a key that is read stands twice in a row."""
    names = sorted(row.keys_twice.intersection(schema.names)) if isinstance(row, _Twice) else []
    return f"there are two values of {names[0]!r} in one line; leave one of them out" if names else None


def _array(values: list[Any], kind: pa.DataType) -> pa.Array:
    """Values of a type.  ValueError: one has more to it than the type holds, which Arrow cuts off."""
    for item in (item for value in values for item in (value if isinstance(value, list) else [value])):
        if isinstance(item, _TooLarge):
            raise ValueError(f"{item.text} is too large")
    if pa.types.is_floating(kind) or (pa.types.is_list(kind) and pa.types.is_floating(kind.value_type)):
        values = [_as_float(value) for value in values]
    has_lists = pa.types.is_string(kind) and any(isinstance(value, list) for value in values)
    made = _texts(values).cast(kind) if has_lists else pa.array(values, kind)
    if pa.types.is_integer(kind):
        cut = next((value for value in values if isinstance(value, float) and not value.is_integer()), None)
    elif pa.types.is_float32(kind):
        great = pc.is_inf(made).to_pylist()
        cut = next((v for v, is_great in zip(values, great, strict=True) if is_great and math.isfinite(v)), None)
    else:
        return made
    if cut is not None:
        raise ValueError(f"{cut} does not fit")
    return made


def _texts(values: list[Any]) -> pa.Array:
    texts = texts_of(values)
    if texts is None:
        raise ValueError("not all of these are texts, or lists of them")
    return texts


def _as_float(value: Any) -> Any:
    """Whole numbers as floating point, which Arrow does not round by itself."""
    if isinstance(value, list):
        return [_as_float(item) for item in value]
    return float(value) if type(value) is int else value


def _written(value: Any) -> str:
    """The value as it stands in the file."""
    return value.text if isinstance(value, _TooLarge) else json.dumps(value)


def _column(path: Path, rows: Rows, field: pa.Field) -> pa.Array:
    """The values of one key.  ParseError tells the first that is not of its type."""
    try:
        return _array([row.get(field.name) for _, row in rows], field.type)
    except _NO_VALUES as error:
        for line, row in rows:
            try:
                _array([row.get(field.name)], field.type)
            except WrongItemError as wrong:
                raise ParseError(f"{path}:{line}: column {field.name!r}: {wrong}") from None
            except _NO_VALUES:
                value = row[field.name]
                large = isinstance(value, _TooLarge) or (type(value) is int and abs(value) >= 2**1024)
                remedy = TOO_LARGE if large else "mend it, or leave the column out"
                said = f"{field.name!r} is {_written(value)}, which is no {field.type}; {remedy}"
                raise ParseError(f"{path}:{line}: {said}") from None
        said = f"the values called {field.name!r} are not all of type {field.type}"
        raise ParseError(f"{path}: {said}: {error}") from None


def _wrong(name: str, row: dict[str, Any], kind: pa.DataType) -> str | None:
    """The message that a row has no id or weight of this name; None: it has one."""
    if name not in row:
        keys = f"it has {', '.join(map(repr, row))}" if row else "it has no keys"
        return f"there is no {name!r}; {keys}: add it{_LEAVE_OUT}"
    value = row[name]
    if pa.types.is_string(kind):
        said = f"{name!r} is {json.dumps(value)}; it must be a string, as in other lines{_LEAVE_OUT}"
        return None if isinstance(value, str) else said
    if isinstance(value, int) and not isinstance(value, bool) and -(2**63) <= value < 2**63:
        return None
    if pa.types.is_integer(kind):
        return f"{name!r} is {json.dumps(value)}; it must be an integer of 64 bits, as in other lines{_LEAVE_OUT}"
    if isinstance(value, float) and math.isfinite(value):
        return None
    return f"{name!r} is {_written(value)}; a weight is a finite number: write one{_LEAVE_OUT}"


_LEAVE_OUT = ", or leave such lines out with skip_bad_lines="


def vertex_batches(
    path: Path, found: pa.Schema, ids: str, columns: Mapping[str, str], csv: CsvOptions
) -> Iterator[pa.RecordBatch]:
    """Yield ids and these columns, with their types, of a file of vertices whose first lines have the schema `found`.

    Keys that no option names may have any values.
    """
    kinds = kinds_of_texts(found, ColumnNames(columns=columns), csv)
    old = {new: name for name, new in csv.renamed.items()}
    types = {}
    for field in found:
        if field.name in columns:
            types[field.name] = pa.string() if field.name in kinds else _read_as(columns[field.name])
        elif field.name == ids:
            types[field.name] = field.type
    schema = pa.schema([(old.get(name, name), type_) for name, type_ in types.items()])
    yield from _altered_batches(path, _tables(path, schema, [], [], lambda _: False, _warn), kinds, csv)


def _warn(guess: str) -> None:
    warn_of([guess])


def _blocks(path: Path) -> Iterator[tuple[bytes, int]]:
    """Whole lines, some MiB at a time, and the number of the first of them."""
    expect_file(path)
    line, rest = 1, b""
    try:
        with pa.input_stream(str(path), compression="detect") as stream:
            data = bytes(stream.read(_BLOCK))
            while data:
                after = bytes(stream.read(_BLOCK))  # the last line belongs to its block, whether or not it ends
                end = data.rfind(b"\n") + 1 if after else len(data)
                block, rest = (rest + data[:end], data[end:]) if end else (b"", rest + data)
                if block.strip():
                    yield block, line
                line += block.count(b"\n")
                data = after
    except PermissionError:
        raise
    except OSError as error:
        raise ParseError(f"{path}: {error}") from None


def _rows(path: Path, block: bytes, first: int, bad_line: BadLine) -> Rows:
    """The objects of the lines with their numbers; empty lines are none."""
    rows = []
    for line, text in enumerate(block.split(b"\n"), first):
        if not text.strip():
            continue
        try:
            row = json.loads(text, object_pairs_hook=_object, parse_float=_number)
            wrong = None if isinstance(row, dict) else 'expected an object, such as {"source": 1, "target": 2}'
        except (ValueError, RecursionError) as error:
            wrong = f'expected an object on one line, such as {{"source": 1, "target": 2}}: {error}'
        if wrong is None:
            rows.append((line, row))
        elif not bad_line(f"{path}:{line}: {wrong}"):
            raise ParseError(f"{path}:{line}: {wrong}")
    return rows
