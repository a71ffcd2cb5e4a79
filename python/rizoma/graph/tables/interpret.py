"""A table described to the core's `interpret`, which decides for every source which columns are ends and weight.

What is needed beyond the names and types of the columns is read off a sample, and only where something depends on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from ... import _core
from ...core.errors import ColumnNotFoundError, InvalidArgumentError, NotFoundError
from ...core.lazy_arrow import pa, pc
from ..column_types import holds_numbers
from ..ids import decoded, is_text
from .columns import (
    DIRECTION_IS_LOST,
    WEIGHTS,
    ColumnNames,
    EdgeColumns,
    EdgeSource,
    expect_columns,
    has_ends,
    one_set_note,
)

__all__ = [
    "SAMPLE",
    "TablePlan",
    "content_of_values",
    "direction_guess",
    "expect_direction",
    "header_guess",
    "ids_guess",
    "interpret_names",
    "interpret_table",
    "is_undirected",
    "rows_tell_more",
    "say_directions",
]

SAMPLE = 1000  # rows
_NO_NAME = re.compile(r"(?:f|column_?|col_?|)(\d+)")
_DIRECTED = ("directed", "true", "1")
_UNDIRECTED = ("undirected", "false", "0")
_MOST_WORDS = 8
"""That a column which says a direction may have, in capitals or not, with those that say something else."""
_ASKS = re.compile(r"(?:is\W*|is(?=D))?directed\W*", re.IGNORECASE)
"""The names of columns in which true and false say a direction."""


@dataclass(frozen=True)
class TablePlan:
    """Numbers of the columns of a table, and what people should know of the choice."""

    source: int
    target: int
    weight: int | None
    directed: bool | None = None
    """What the table says of its edges; None: nothing."""
    direction: int | None = None
    """The column in which each row says Directed or Undirected."""
    notes: Sequence[str] = ()
    guesses: Sequence[str] = ()

    def taken(self, labels: Sequence[str], names: ColumnNames) -> tuple[int | None, ...]:
        """The columns that are no values."""
        is_value = self.direction is not None and labels[self.direction] in names.columns
        return (self.source, self.target, self.weight, None if is_value else self.direction)

    def edges(self, chunks: Iterable[EdgeColumns], labels: Sequence[str]) -> EdgeSource:
        """The edges of a table with columns of these names."""
        lost = [DIRECTION_IS_LOST] if self.directed else []
        source = EdgeSource(chunks, directed=self.directed, notes=self.notes, guesses=self.guesses)
        return replace(source, undirected_guesses=lost, labels=labels, ends=(labels[self.source], labels[self.target]))


def interpret_table(schema: pa.Schema, names: ColumnNames, sample: pa.Table | pa.RecordBatch | None) -> TablePlan:
    """Decide for a table of this schema, of which `sample` has the first rows, if there are any."""
    labels = list(schema.names)
    expect_columns(names, labels)
    if sample is not None and sample.num_rows > SAMPLE:
        sample = sample.slice(0, SAMPLE)
    unnamed = _are_places(labels)
    columns = []
    for i, field in enumerate(schema):
        column = None if sample is None or not (unnamed or _needs_sample(field, names)) else sample.column(i)
        columns.append(_described(labels[i], field.type, column))
    direction = None if sample is None or unnamed else _direction_column(sample, names)
    square = unnamed and sample is not None and _is_square(sample, names.weighted)
    plan = interpret_names(columns, names, named=not unnamed, square=square, direction=direction)
    if sample is not None:
        plan = _with_ids_guess(plan, sample, labels)
        if unnamed:
            plan = replace(plan, guesses=[*plan.guesses, *_header_guesses(sample, plan)])
        elif direction is None and not names.direction_known:
            plan = replace(plan, guesses=[*plan.guesses, *_direction_guesses(sample, plan, names)])
    if not plan.guesses and holds_numbers(schema.field(plan.source).type) and not unnamed:
        return _with_one_set(plan, labels, names)
    return plan


def rows_tell_more(schema: pa.Schema, names: ColumnNames) -> bool:
    """Whether the first rows may decide something for a table of this schema."""
    return _are_places(list(schema.names)) or any(
        _needs_sample(field, names) or _may_say_direction(field) for field in schema
    )


def interpret_names(
    columns: Iterable[tuple[str, _core.ColumnContent, bool, bool]],
    names: ColumnNames,
    *,
    named: bool = True,
    square: bool = False,
    direction: tuple[int, bool, str] | None = None,
) -> TablePlan:
    """Decide for columns described by name, content, gaps and whether they count rows."""
    source = _core.Source()
    source.named, source.square = named, square
    labels = []
    for name, content, gaps, counts in columns:
        labels.append(name)
        source.add_column(name, content, gaps, counts)
    if direction is not None:
        source.add_claim(direction[1], direction[2])
        source.direction = direction[0]
    options = _core.ReadOptions()
    options.source_column, options.target_column = names.source or "", names.target or ""
    options.weight_column = names.weight or ""
    options.weighted, options.takes_weights = names.weighted, names.takes_weights
    options.drops_weights = names.drops_weights
    options.keep_names(list(names.columns))
    try:
        plan = _core.interpret(source, options)
    except NotFoundError as error:
        raise ColumnNotFoundError(str(error)) from None
    return TablePlan(
        plan.source,
        plan.target,
        plan.weight,
        None if direction is None else direction[1],
        None if direction is None else direction[0],
        plan.notes if direction is None else [*plan.notes, _direction_note(labels[direction[0]])],
        plan.guesses,
    )


def _direction_note(column: str) -> str:
    return f"each row says in column '{column}' whether its edge has a direction"


def _with_ids_guess(plan: TablePlan, sample: pa.Table | pa.RecordBatch, labels: list[str]) -> TablePlan:
    """With what ids of the first rows may stand for, if not for vertices."""
    guesses = []
    for number in (plan.source, plan.target):
        column = sample.column(number)
        if _content_of_type(column.type) == _core.ColumnContent.text and not pa.types.is_dictionary(column.type):
            guesses.append(ids_guess(labels[number], _texts_of(column)))
    guesses = [guess for guess in guesses if guess]
    return replace(plan, guesses=[*plan.guesses, *guesses]) if guesses else plan


def _header_guesses(sample: pa.Table | pa.RecordBatch, plan: TablePlan) -> list[str]:
    """What to say of a first row that has the names of the columns."""
    ends = [sample.column(number) for number in (plan.source, plan.target)]
    if not all(_content_of_type(column.type) == _core.ColumnContent.text for column in ends):
        return []
    return header_guess(list(zip(*map(_texts_of, ends), strict=False)))


def _texts_of(column: Any) -> list[str]:
    """The texts of a column without nulls; none if one is not UTF-8, which the reader of the column says."""
    try:
        return [text for text in column.to_pylist() if text is not None]
    except UnicodeDecodeError:
        return []


def ids_guess(label: str, ids: Iterable[Any]) -> str:
    """What texts in a column of ids may stand for, if not for vertices; empty: nothing says so."""
    try:
        return _core.ids_guess(f"'{label}'", [str(value) for value in ids])
    except UnicodeError:  # the reader of the column says so
        return ""


def header_guess(rows: Sequence[Any]) -> list[str]:
    """What to say of a first row that has the names of the ends of edges, as a file's header has.

    What is an id in another row is no name ("v1", "v2"), and one row alone has no header.
    """
    row = rows[0]
    items = [*row] if isinstance(row, Sequence) else []
    if len(rows) < 2 or not items or not isinstance(items[0], str):
        return []
    if not all(isinstance(item, str) and item.isprintable() for item in items) or not has_ends(items):
        return []
    if any(item in items for other in rows[1:SAMPLE] if isinstance(other, (tuple, list)) for item in other):
        return []
    return [f"the first row, {tuple(row)}, is read as an edge; if it names the columns, take it out"]


def _with_one_set(plan: TablePlan, labels: list[str], names: ColumnNames) -> TablePlan:
    source, target = labels[plan.source], labels[plan.target]
    notes = one_set_note(source, target)
    if not notes:
        return plan
    guesses = list(plan.guesses)
    if names.source is None and _mean_something(source, target):
        guesses += [f"{note}; if not, say source={source!r}, target={target!r}" for note in notes]
    return TablePlan(
        plan.source, plan.target, plan.weight, plan.directed, plan.direction, [*plan.notes, *notes], guesses
    )


def _mean_something(*labels: str) -> bool:
    """Whether the names are words, not "a" and "b", "f0" and "f1", "0" and "1"."""
    return all(re.search("[^\\W\\d_]{3}", label) for label in labels)


def _are_places(labels: list[str]) -> bool:
    """Whether labels only number the columns, as libraries call those that have no name."""
    found = [_NO_NAME.fullmatch(label) for label in labels]
    numbers = [int(match[1]) for match in found if match is not None]
    return len(numbers) == len(labels) > 0 and numbers in (list(range(len(labels))), list(range(1, len(labels) + 1)))


def _needs_sample(field: pa.Field, names: ColumnNames) -> bool:
    """Whether values tell what the type does not: text that may be weights."""
    return field.name.strip().lower() in WEIGHTS and field.name not in names.columns and not holds_numbers(field.type)


def _described(name: str, type_: pa.DataType, column: Any) -> tuple[str, _core.ColumnContent, bool, bool]:
    """The name of a column, what it holds, whether some rows have nothing, and whether it counts the rows."""
    content = _content_of_type(type_)
    if column is None:
        return name, content, False, False
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
    if content == _core.ColumnContent.text:
        content = _content_of_text(column)
    elif pa.types.is_floating(type_) and _whole(column):
        content = _core.ColumnContent.integers
    return name, content, column.null_count > 0, _counts_rows(column, content)


def _content_of_type(type_: pa.DataType) -> _core.ColumnContent:
    if pa.types.is_dictionary(type_):
        return _content_of_type(type_.value_type)
    if pa.types.is_integer(type_):
        return _core.ColumnContent.integers
    if holds_numbers(type_):
        return _core.ColumnContent.numbers
    if pa.types.is_temporal(type_):
        return _core.ColumnContent.moments
    if pa.types.is_null(type_):
        return _core.ColumnContent.nothing
    return _core.ColumnContent.text if is_text(type_) else _core.ColumnContent.other


def content_of_values(values: Iterable[Any]) -> _core.ColumnContent:
    """What values of Python are, by the first that is one."""
    first = next((value for value in values if value is not None), None)
    if first is None:
        return _core.ColumnContent.nothing
    try:
        type_ = pa.scalar(first).type
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
        return _core.ColumnContent.other
    content = _content_of_type(type_)
    return _content_of_text(pa.array([first])) if content == _core.ColumnContent.text else content


def _content_of_text(column: pa.Array) -> _core.ColumnContent:
    """Text that holds numbers counts as numbers, as in a text file."""
    column = decoded(column)
    values = column.drop_null()
    if not len(values):
        return _core.ColumnContent.nothing
    try:
        numbers = pc.utf8_trim_whitespace(values.cast(pa.string())).cast(pa.float64())
    except pa.ArrowInvalid:
        return _core.ColumnContent.text
    return _core.ColumnContent.integers if _whole(numbers) else _core.ColumnContent.numbers


def _whole(column: pa.Array) -> bool:
    """Whether all numbers are whole."""
    values = column.drop_null()
    return len(values) > 0 and pc.all(pc.equal(values, pc.floor(values))).as_py() is True


def _counts_rows(column: pa.Array, content: _core.ColumnContent) -> bool:
    if content != _core.ColumnContent.integers or len(column) < 2 or not holds_numbers(column.type):
        return False
    values = column.to_pylist()
    return values[0] in (0, 1) and values == list(range(int(values[0]), int(values[0]) + len(values)))


def _direction_column(sample: pa.Table | pa.RecordBatch, names: ColumnNames) -> tuple[int, bool, str] | None:
    """The column in which each row says Directed or Undirected, as Gephi writes it, and what it says."""
    for i, field in enumerate(sample.schema):
        if names.direction not in (None, field.name) or not _may_say_direction(field):
            continue
        try:
            begin = sample.column(i).slice(0, 2).to_pylist()
        except UnicodeDecodeError:  # the reader of the column says so
            continue
        if not say_directions(field.name, begin):
            continue
        said = set(sample.column(i).to_pylist())
        if say_directions(field.name, said):
            return i, not all(map(is_undirected, said)), f'the column "{field.name}"'
    return None


def _direction_guesses(sample: pa.Table | pa.RecordBatch, plan: TablePlan, names: ColumnNames) -> list[str]:
    """What to say of columns that seem to say a direction, but not in each row."""
    others = [
        (field.name, sample.column(i))
        for i, field in enumerate(sample.schema)
        if i not in (plan.source, plan.target, plan.weight) and field.name not in names.columns
        if _may_say_direction(field)
    ]
    found = [direction_guess(name, decoded(column).unique()) for name, column in others if sample.num_rows]
    return [guess for guess in found if guess]


def direction_guess(label: str, values: Iterable[Any]) -> str:
    """What to say of different values of a column that seem to say a direction, but not in each row; empty: nothing."""
    try:
        first = [each.as_py() if isinstance(each, pa.Scalar) else each for each in islice(values, _MOST_WORDS + 1)]
    except UnicodeDecodeError:  # the reader of the column says so
        return ""
    texts = ["" if value is None else str(value) for value in first]
    return "" if len(texts) > _MOST_WORDS else _core.direction_guess(label, texts)


def _may_say_direction(field: pa.Field) -> bool:
    """Whether the values of a column may be words, or truth values where its name asks for them."""
    of_text = _content_of_type(field.type) == _core.ColumnContent.text
    truth = pa.types.is_boolean(field.type) or pa.types.is_integer(field.type)
    return of_text or (truth and _ASKS.fullmatch(field.name) is not None)


def say_directions(label: str, values: Iterable[Any]) -> bool:
    """Whether all values of a column, of which there are some, say a direction or none."""
    said = [str(value).strip().lower() for value in values]
    known = _words_of_direction(label)
    return bool(said) and all(word in known for word in said)


def _words_of_direction(label: str) -> tuple[str, ...]:
    """What the values of a column may be that say a direction: true and false where it is called `directed`."""
    many = len(_DIRECTED) if _ASKS.fullmatch(label) else 1
    return _DIRECTED[:many] + _UNDIRECTED[:many]


def is_undirected(value: Any) -> bool:
    """Whether a value says that an edge has no direction."""
    return str(value).strip().lower() in _UNDIRECTED


def _is_square(sample: pa.Table | pa.RecordBatch, weighted: bool) -> bool:
    """Whether columns without names are those of an adjacency matrix."""
    size = sample.num_columns
    if size < 3 or sample.num_rows != size or (size == 3 and weighted):
        return False
    if not all(holds_numbers(field.type) for field in sample.schema):
        return False
    rows: list[Mapping[str, Any]] = sample.to_pylist()
    return bool(_core.looks_like_matrix([[float(value or 0) for value in row.values()] for row in rows]))


def expect_direction(column: pa.Array | pa.ChunkedArray, name: str, first_row: int) -> pa.Array:
    """Which rows say Undirected; InvalidArgumentError names the first that says neither."""
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
    column = decoded(column)
    small = pc.utf8_lower(pc.utf8_trim_whitespace(column.cast(pa.large_string())))
    known = pc.fill_null(pc.is_in(small, pa.array(_words_of_direction(name), pa.large_string())), False)
    odd = pc.index(known, False).as_py()
    if odd >= 0:
        raise InvalidArgumentError(
            f"row {first_row + odd} has {column[odd].as_py()!r} in the column {name!r}, in which the first rows say "
            "Directed or Undirected; drop the column, or say directed=True or directed=False and rename it"
        )
    return pc.is_in(small, pa.array(_UNDIRECTED, pa.large_string()))
