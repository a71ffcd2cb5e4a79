"""Groups by expressions over columns of few different values: computed once for each value, not for each row.

`m.created.year` and `CASE WHEN m.length < 40 ..` have an answer for each day, or for each length; a row then looks its
answer up by its value, and what is counted and summed is added up by the number of the answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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


@dataclass
class _Table:
    """The answers of one key for the values from `least` on, and, at the end, for null."""

    least: int
    codes: Numbers
    """The number of the answer for each value."""
    answers: pa.Array


@dataclass
class _Key:
    """One key: the expression, the one column that it reads, and whether it asks for parts of a day alone."""

    name: str
    expression: s.Expression
    column: s.Property
    by_day: bool
    table: _Table | None = None


class KeyTables:
    """The keys of groups by tables; `of` says whether there can be such."""

    def __init__(self, evaluator: Evaluator, keys: Sequence[_Key]) -> None:
        self._evaluator = evaluator
        self._keys = keys

    @staticmethod
    def of(
        evaluator: Evaluator, keys: Sequence[tuple[str, s.Expression]], types: Mapping[str, pa.DataType]
    ) -> KeyTables | None:
        """The tables of these keys over columns of these types; None: some key reads anything but one column."""
        found = [_key(name, expression, types) for name, expression in keys]
        return (
            KeyTables(evaluator, [each for each in found if each is not None]) if found and None not in found else None
        )

    @property
    def names(self) -> list[str]:
        """What the columns of the keys are called."""
        return [f"k{i}" for i in range(len(self._keys))]

    def groups(self, rows: Rows, parts: Mapping[str, tuple[pa.Array | None, pa.DataType]]) -> pa.Table | None:
        """A row for each group that there are rows of: keys, and sums in their types; None: the values are too many.

        `parts`: values to sum; None: one for each row.
        """
        size, codes = 1, np.zeros(rows.count, np.int64)
        for key in self._keys:
            found = self._codes_of(key, rows)
            if found is None or size * len(found[1]) > _MOST_GROUPS:
                return None
            codes = codes * len(found[1]) + found[0] if size > 1 else found[0]
            size *= len(found[1])
        counts = np.bincount(codes, minlength=size)
        groups = np.flatnonzero(counts)
        keys: list[pa.Array] = []
        rest = groups
        for key in reversed(self._keys):
            assert key.table is not None
            keys.insert(0, key.table.answers.take(pa.array(rest % len(key.table.answers))))
            rest = rest // len(key.table.answers)
        known: dict[tuple[int, bool], npt.NDArray[Any]] = {}  # what is asked for twice is added up once
        made = dict(zip(self.names, keys, strict=True))
        for name, (values, kind) in parts.items():
            rounded = values is not None and pa.types.is_floating(kind) and values.type.bit_width == 64
            place = id(values), rounded
            if place not in known:
                known[place] = (counts if values is None else _summed(values, rounded, codes, size))[groups]
            made[name] = pa.array(known[place]).cast(kind, safe=False)
        return pa.table(made)

    def _codes_of(self, key: _Key, rows: Rows) -> tuple[Numbers, pa.Array] | None:
        column = self._evaluator.array(key.column, rows)
        numbers = _numbers(column, key.by_day)
        if numbers is None or not rows.count:
            return None
        valid = np.asarray(column.is_valid()) if column.null_count else None
        some = numbers if valid is None else numbers[valid]
        least, most = (int(some.min()), int(some.max())) if len(some) else (0, 0)
        table = key.table
        if table is None or least < table.least or most - table.least > len(table.codes) - 2:
            if table is not None:
                least, most = min(least, table.least), max(most, table.least + len(table.codes) - 2)
            few = (
                most - least < min(_MOST_VALUES, _LEAST_VALUES + rows.count) and -_GREATEST < least <= most < _GREATEST
            )
            table = key.table = self._table(key, column.type, least, most) if few else None
        if table is None:
            return None
        places = numbers - table.least
        if valid is not None:
            places = np.where(valid, places, len(table.codes) - 1)
        return table.codes[places], table.answers

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
        return _Table(least, codes, keys[0].take(pa.array(first)))


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


def _numbers(column: pa.Array, by_day: bool) -> Numbers | None:
    """The values of a column as whole numbers, or their days; those of null are anything."""
    kind = column.type
    if pa.types.is_date32(kind):
        return np.asarray(_filled(column.view(pa.int32()))).astype(np.int64)
    if pa.types.is_timestamp(kind):
        if not by_day or kind.tz is not None:
            return None
        found: Numbers = np.asarray(_filled(column.view(pa.int64()))) // (_SECONDS * _PER_SECOND[kind.unit])
        return found
    if not pa.types.is_signed_integer(kind):
        return None
    return np.asarray(_filled(column)).astype(np.int64)


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
