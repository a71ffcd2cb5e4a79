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


@dataclass
class _Axis:
    """The places of rows in the table of a key, by which they are counted: by value, or by answer."""

    column: pa.Array
    table: _Table
    places: Numbers
    by_value: bool = False
    """What is summed of the values, too, is made of the counts."""

    @property
    def size(self) -> int:
        """Places are below."""
        return len(self.table.codes if self.by_value else self.table.answers)

    @property
    def codes(self) -> Numbers:
        """The place of each row."""
        return self.places if self.by_value else self.table.codes.take(self.places)

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
        axes = [self._axis(key, rows) for key in self._keys]
        some = [each for each in axes if each is not None]
        summed = {id(values) for values, _ in parts.values() if values is not None}
        for each in some:
            each.by_value = id(each.column) in summed and pa.types.is_signed_integer(each.column.type)
        if prod(each.size for each in some) > min(_MOST_GROUPS, rows.count):
            for each in some:
                each.by_value = False
        if len(some) < len(axes) or prod(each.size for each in some) > _MOST_GROUPS:
            return None
        return _grouped(some, dict(zip(self.names, some, strict=True)), parts)

    def _axis(self, key: _Key, rows: Rows) -> _Axis | None:
        column = self._evaluator.array(key.column, rows)
        numbers = _numbers(column, key.by_day)
        if numbers is None or not rows.count:
            return None
        valid = np.asarray(column.is_valid()) if column.null_count else None
        some = numbers if valid is None else numbers[valid]
        least, most = (int(some.min()), int(some.max())) if len(some) else (0, 0)
        table = self._known.get(key.name)
        if table is None or table.kind != column.type or least < table.least or most > table.most:
            if table is not None and table.kind == column.type:
                least, most = min(least, table.least), max(most, table.most)
            few = (
                most - least < min(_MOST_VALUES, _LEAST_VALUES + rows.count) and -_GREATEST < least <= most < _GREATEST
            )
            table = self._table(key, column.type, least, most) if few else None
            if table is None:
                return None
            self._known[key.name] = table
        places = np.subtract(numbers, table.least, dtype=np.int64)
        if valid is not None:
            places[~valid] = len(table.codes) - 1
        return _Axis(column, table, places)

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
    axes: Sequence[_Axis], names: Mapping[str, _Axis], parts: Mapping[str, tuple[pa.Array | None, pa.DataType]]
) -> pa.Table:
    """The groups of rows, counted by their places on all axes; what has the same answers is put together."""
    codes = axes[0].codes
    for each in axes[1:]:
        codes *= each.size
        codes += each.codes
    size = prod(each.size for each in axes)
    counts = np.bincount(codes, minlength=size)
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
    of_values = {id(each.column): each.values_at(at) for each, at in zip(axes, places, strict=True) if each.by_value}
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


def _numbers(column: pa.Array, by_day: bool) -> npt.NDArray[np.signedinteger[Any]] | None:
    """The values of a column as whole numbers, or their days; those of null are anything."""
    kind = column.type
    if pa.types.is_date32(kind):
        return np.asarray(_filled(column.view(pa.int32())))
    if pa.types.is_timestamp(kind):
        if not by_day or kind.tz is not None:
            return None
        found: Numbers = np.asarray(_filled(column.view(pa.int64()))) // (_SECONDS * _PER_SECOND[kind.unit])
        return found
    if not pa.types.is_signed_integer(kind):
        return None
    return np.asarray(_filled(column))


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
