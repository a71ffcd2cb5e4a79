"""Groups by expressions over columns of few different values: computed once for each value, not for each row.

`m.created.year` and `CASE WHEN m.length < 40 ..` have an answer for each day, or for each length; a row then looks its
answer up by its value, and what is counted and summed is added up by the number of the answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from ... import _core
from ...core.errors import ParseError
from ...core.lazy_arrow import pa, pc
from . import syntax as s
from .evaluator import Evaluator, names_in
from .values import Rows, codes_of, is_edge, is_node, keys_of, node_type

__all__ = ["KeyTables"]

_MOST_VALUES = 1 << 14  # between the least and the greatest value of a column
_LEAST_VALUES = 64  # as many, and as many as there are rows, are computed in any case
_MOST_GROUPS = 1 << 16
_OF_A_DAY = ("year", "quarter", "month", "day", "dayOfWeek", "weekDay", "ordinalDay")
_SECONDS = 86_400
_GREATEST = 1 << 62
_EXACT = 1 << 53  # sums of whole numbers below are exact as floats
_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class _Table:
    """The answers of one key for the values from `least` on, and, at the end, for null."""

    kind: pa.DataType
    """Of the values."""
    least: int
    codes: Numbers
    """The number of the answer for each value."""
    answers: pa.Array

    @property
    def most(self) -> int:
        """The greatest value that has an answer."""
        return self.least + len(self.codes) - 2


@dataclass(frozen=True)
class _Whole:
    """A column as whole numbers, those of null being anything, which divided by `divisor` are in a table."""

    column: pa.Array
    numbers: npt.NDArray[np.signedinteger[Any]]
    valid: npt.NDArray[np.uint8] | None
    divisor: int

    def bounds(self) -> tuple[int, int]:
        """The least and the greatest quotient."""
        some = self.numbers if self.valid is None else self.numbers[self.valid != 0]
        return (int(some.min()) // self.divisor, int(some.max()) // self.divisor) if len(some) else (0, 0)


@dataclass
class _Axis:
    """A key's part of the cells by which rows are counted: by value, or by answer."""

    whole: _Whole
    table: _Table
    by_value: bool = False
    """What is summed of the values, too, is made of the counts."""

    @property
    def size(self) -> int:
        """Places are below."""
        return len(self.table.codes if self.by_value else self.table.answers)

    @property
    def column(self) -> tuple[Any, ...]:
        """As the core counts by it."""
        whole, table = self.whole, self.table
        places = np.arange(len(table.codes)) if self.by_value else table.codes
        return whole.numbers, whole.valid, whole.divisor, table.least, places, self.size

    def answers_at(self, places: Numbers) -> Numbers:
        """The numbers of the answers at some places."""
        return self.table.codes[places] if self.by_value else places

    def values_at(self, places: Numbers) -> Numbers:
        """The values at some places, 0 for null; counted by value."""
        return np.where(places < len(self.table.codes) - 1, places + self.table.least, 0)


@dataclass(frozen=True)
class _Key:
    """One key: the expression, the one column that it reads, and whether it asks for parts of a day alone."""

    name: str
    expression: s.Expression
    column: s.Property
    by_day: bool


class KeyTables:
    """The keys of groups by tables; `of` says whether there can be such."""

    def __init__(self, evaluator: Evaluator, keys: Sequence[_Key], known: dict[str, _Table]) -> None:
        self._evaluator = evaluator
        self._keys = keys
        self._known = known

    @staticmethod
    def of(
        evaluator: Evaluator,
        keys: Sequence[tuple[str, s.Expression]],
        types: Mapping[str, pa.DataType],
        known: dict[str, Any],
    ) -> KeyTables | None:
        """The tables of these keys over columns of these types; None: some key reads anything but one column.

        `known`: tables of a query that was asked before, which hold as long as no key speaks of a parameter.
        """
        found = [each for name, expression in keys if (each := _key(name, expression, types)) is not None]
        if not found or len(found) < len(keys):
            return None
        of_values = any(isinstance(part, s.Parameter) for each in found for part in s.walk(each.expression))
        return KeyTables(evaluator, found, {} if of_values else known)

    @property
    def names(self) -> list[str]:
        """What the columns of the keys are called."""
        return [f"k{i}" for i in range(len(self._keys))]

    def groups(self, rows: Rows, parts: Mapping[str, tuple[pa.Array | None, pa.DataType]]) -> pa.Table | None:
        """A row for each group that there are rows of: keys, and sums in their types; None: the values are too many.

        `parts`: values to sum; None: one for each row.
        """
        read = [_whole(self._evaluator.array(key.column, rows), key.by_day) for key in self._keys]
        columns = [each for each in read if each is not None]
        if not rows.count or len(columns) < len(read):
            return None
        summed = {id(values) for values, _ in parts.values() if values is not None}
        for wider in (False, True):
            axes = self._axes(columns, summed, rows.count, wider)
            if axes is None:
                return None
            counted = {id(each.whole.column) for each in axes if each.by_value}
            cells = _core.cells_of([each.column for each in axes], not summed <= counted)
            if cells is not None:
                return _grouped(dict(zip(self.names, axes, strict=True)), parts, *cells)
        return None

    def _axes(self, columns: Sequence[_Whole], summed: set[int], count: int, wider: bool) -> list[_Axis] | None:
        axes: list[_Axis] = []
        for key, whole in zip(self._keys, columns, strict=True):
            table = self._table_for(key, whole, count, wider)
            if table is None:
                return None
            axes.append(_Axis(whole, table, id(whole.column) in summed and pa.types.is_integer(whole.column.type)))
        if prod(each.size for each in axes) > min(_MOST_GROUPS, count):
            for each in axes:
                each.by_value = False
        return None if prod(each.size for each in axes) > _MOST_GROUPS else axes

    def _table_for(self, key: _Key, whole: _Whole, count: int, wider: bool) -> _Table | None:
        """The table that is known, `wider` with the values of this column; None: they are too many."""
        table = self._known.get(key.name)
        kind = whole.column.type
        if table is not None and table.kind != kind:
            table = None
        if table is not None and not wider:
            return table
        least, most = whole.bounds()
        if table is not None:
            least, most = min(least, table.least), max(most, table.most)
        if most - least >= min(_MOST_VALUES, _LEAST_VALUES + count) or not -_GREATEST < least <= most < _GREATEST:
            return None
        table = self._table(key, kind, least, most)
        if table is not None:
            self._known[key.name] = table
        return table

    def _table(self, key: _Key, kind: pa.DataType, least: int, most: int) -> _Table | None:
        count = most - least + 2
        values = np.arange(least, most + 2)
        mask = values > most
        if key.by_day and pa.types.is_timestamp(kind):
            values = values * (_SECONDS * _PER_SECOND[kind.unit])
        width = pa.int32() if kind.bit_width == 32 and not pa.types.is_integer(kind) else pa.int64()
        numbers = pa.array(np.where(mask, 0, values), mask=mask)
        column = numbers.cast(kind) if pa.types.is_integer(kind) else numbers.cast(width).view(kind)
        of = key.column.of
        assert isinstance(of, s.Variable)
        rows = Rows(count, {of.name: pa.nulls(count, node_type())}, {(of.name, key.column.name): column})
        try:
            answers = self._evaluator.array(key.expression, rows)
        except ParseError:  # of a value that no row may have
            return None
        if pa.types.is_nested(answers.type):
            return None
        keys = keys_of(answers, False)
        codes, first = codes_of(keys, count)
        return _Table(kind, least, codes, keys[0].take(pa.array(first)))


def _grouped(
    names: Mapping[str, _Axis],
    parts: Mapping[str, tuple[pa.Array | None, pa.DataType]],
    counts: Numbers,
    codes: Numbers,
) -> pa.Table:
    """The groups of rows, counted by cell; what has the same answers is put together.  `codes`: the cells of rows."""
    axes = list(names.values())
    size = len(counts)
    cells = np.flatnonzero(counts)
    counts = counts[cells]
    places = np.unravel_index(cells, [each.size for each in axes])
    answers = [each.answers_at(at) for each, at in zip(axes, places, strict=True)]
    groups = np.ravel_multi_index(answers, [len(each.table.answers) for each in axes])
    _, first, group = np.unique(groups, return_index=True, return_inverse=True)
    made = {
        name: each.table.answers.take(pa.array(at[first]))
        for (name, each), at in zip(names.items(), answers, strict=True)
    }
    of_values = {
        id(each.whole.column): each.values_at(at) for each, at in zip(axes, places, strict=True) if each.by_value
    }
    known: dict[tuple[int, bool], npt.NDArray[Any]] = {}  # what is asked for twice is added up once
    for name, (values, kind) in parts.items():
        rounded = values is not None and pa.types.is_floating(kind) and values.type.bit_width == 64
        place = id(values), rounded
        if place not in known:
            sums: npt.NDArray[Any] = counts
            if id(values) in of_values:
                own = of_values[id(values)]
                sums = counts * (own.astype(np.float64) if rounded else own)
            elif values is not None:
                sums = _summed(values, rounded, codes, size)[cells]
            known[place] = np.zeros(len(first), sums.dtype)
            np.add.at(known[place], group, sums)
        made[name] = pa.array(known[place]).cast(kind, safe=False)
    return pa.table(made)


def _key(name: str, expression: s.Expression, types: Mapping[str, pa.DataType]) -> _Key | None:
    """The key by its one column of a vertex or an edge, if that is all that it reads."""
    names = names_in(expression)
    every = s.walk(expression)
    kind = types.get(next(iter(names)), pa.null()) if len(names) == 1 else pa.null()
    columns = [each for each in every if isinstance(each, s.Property) and isinstance(each.of, s.Variable)]
    if not (is_node(kind) or is_edge(kind)) or len(set(columns)) != 1:
        return None
    whole = sum(isinstance(each, s.Variable) for each in every)
    if whole != len(columns) or any(isinstance(each, (s.PatternValue, s.HasLabels)) for each in every):
        return None
    return _Key(name, expression, columns[0], sum(_is_of_a_day(each, columns[0]) for each in every) == len(columns))


def _is_of_a_day(part: Any, column: s.Property) -> bool:
    """Whether it is `a.created.year`, `year(a.created)` or the like."""
    if isinstance(part, s.Call):
        return part.name in _OF_A_DAY and part.arguments == (column,)
    return isinstance(part, s.Property) and part.name in _OF_A_DAY and part.of == column


def _whole(column: pa.Array, by_day: bool) -> _Whole | None:
    """The values of a column as whole numbers, which are divided to days if `by_day`; None: they are no such."""
    kind = column.type
    divisor = 1
    if pa.types.is_date32(kind):
        column_of = column.view(pa.int32())
    elif pa.types.is_timestamp(kind):
        if not by_day or kind.tz is not None:
            return None
        column_of, divisor = column.view(pa.int64()), _SECONDS * _PER_SECOND[kind.unit]
    elif pa.types.is_signed_integer(kind):
        column_of = column
    else:
        return None
    valid = np.asarray(column.is_valid()).view(np.uint8) if column.null_count else None
    return _Whole(column, np.asarray(_filled(column_of)), valid, divisor)


def _filled(column: pa.Array) -> pa.Array:
    return pc.fill_null(column, 0) if column.null_count else column


def _summed(column: pa.Array, rounded: bool, codes: Numbers, size: int) -> npt.NDArray[Any]:
    """The sum of a column for each code; null counts as nothing.  `rounded`: of whole numbers, too."""
    values = np.asarray(_filled(column))
    if rounded or values.dtype.kind == "f":
        return np.bincount(codes, values, size)
    greatest = max(abs(int(values.max())), abs(int(values.min()))) if len(values) else 0
    if greatest * len(values) < _EXACT:
        return np.bincount(codes, values, size).astype(np.int64)
    sums = np.zeros(size, np.int64)
    np.add.at(sums, codes, values)
    return sums
