"""Rows in the order of some columns: null last, as the largest value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.lazy_arrow import pa, pc
from .values import Rows, is_edge, is_node, is_number, is_time

__all__ = ["sorted_rows", "top_rows"]

_KEPT = 1 << 17
_FEW_ROWS = 1 << 12  # are sorted by NumPy: to call Arrow takes longer
_FEW = 4  # where at most a quarter of the rows is kept, the others need no order


def sorted_rows(
    batches: Iterator[Rows], keys: Sequence[tuple[str, bool]], types: dict[str, pa.DataType], most: int | None
) -> Rows:
    """All rows in order, or the first of them, without their keys: columns, each with whether it descends."""
    if most is None:
        rows = Rows.joined(list(batches), types)
        return _without(rows, keys).take(pa.array(_order_of(rows, keys)))
    return top_rows(batches, keys, lambda name, rows: rows.columns[name], types, most)


def top_rows(
    batches: Iterator[Rows],
    keys: Sequence[tuple[str, bool]],
    key_of: Callable[[str, Rows], pa.Array],
    types: dict[str, pa.DataType],
    most: int,
) -> Rows:
    """The first rows in order, without their keys.

    `key_of(name, rows)` is asked of the rows that the keys before leave.
    """
    first, *rest = keys
    waiting: list[Rows] = []
    for batch in batches:
        made = batch.having(**{first[0]: key_of(first[0], batch)})
        with_first = {first[0]: made.columns[first[0]].type, **types}
        waiting.append(made)
        if sum(each.count for each in waiting) > max(2 * most, _KEPT):
            waiting = [_without_later(Rows.joined(waiting, with_first), first, most)]
            if waiting[0].count > max(2 * most, _KEPT):  # the first key leaves too many
                order = _order_of(_with_keys(waiting[0], rest, key_of), keys)
                waiting = [waiting[0].take(pa.array(order[:most]))]
    if not waiting:
        return Rows.joined([], types)
    rows = _without_later(Rows.joined(waiting, with_first), first, most)
    order = _order_of(_with_keys(rows, rest, key_of), keys)
    return _without(rows, keys).take(pa.array(order[:most]))


def _without(rows: Rows, keys: Sequence[tuple[str, bool]]) -> Rows:
    names = {name for name, _ in keys}
    return Rows(rows.count, {name: column for name, column in rows.columns.items() if name not in names})


def _with_keys(rows: Rows, keys: Sequence[tuple[str, bool]], key_of: Callable[[str, Rows], pa.Array]) -> Rows:
    return rows.having(**{name: key_of(name, rows) for name, _ in keys})


def _without_later(rows: Rows, key: tuple[str, bool], most: int) -> Rows:
    """The rows without those that the first key puts behind `most` others, if it is a number or time without null."""
    name, descends = key
    values = _numbers(rows.columns[name]) if 0 < most * _FEW < rows.count else None
    if values is None:
        return rows
    place = rows.count - most if descends else most - 1
    last = np.partition(values, place)[place]
    kept = np.flatnonzero(values >= last if descends else values <= last)
    return rows.take(pa.array(kept))


def _numbers(column: pa.Array) -> npt.NDArray[Any] | None:
    """Numbers in the order of the values, if these are numbers or times without null."""
    if is_time(column.type):
        column = column.view(pa.int32() if pa.types.is_date32(column.type) else pa.int64())
    if not is_number(column.type) or column.null_count:
        return None
    values: npt.NDArray[Any] = np.asarray(column)
    return None if values.dtype.kind == "f" and np.isnan(values).any() else values


def _order_of_few(rows: Rows, keys: Sequence[tuple[str, bool]]) -> npt.NDArray[np.int64] | None:
    """The places of few rows in order, where all keys are numbers or times without null."""
    columns = []
    for name, descends in reversed(keys) if rows.count <= _FEW_ROWS else ():
        values = _numbers(rows.columns[name])
        if values is None:
            return None
        columns.append(values if not descends else -values if values.dtype.kind == "f" else ~values)
    return np.lexsort(columns) if columns else None


def _order_of(rows: Rows, keys: Sequence[tuple[str, bool]]) -> npt.NDArray[Any]:
    """The places of rows in order."""
    few = _order_of_few(rows, keys)
    if few is not None:
        return few
    columns: dict[str, Any] = {}
    order = []
    for i, (name, descends) in enumerate(keys):
        column = _sortable(rows.columns[name])
        way = "descending" if descends else "ascending"
        columns[f"n{i}"] = column.is_null()
        columns[f"k{i}"] = column
        order += [(f"n{i}", way), (f"k{i}", way)]
    columns["place"] = pa.array(np.arange(rows.count))
    return np.asarray(pc.sort_indices(pa.table(columns), sort_keys=[*order, ("place", "ascending")]))


def _sortable(column: pa.Array) -> pa.Array:
    if is_node(column.type):
        return pc.struct_field(column, "_vertex")
    if is_edge(column.type):
        return pc.struct_field(column, "_entry")
    if pa.types.is_null(column.type):
        return column.cast(pa.int64())
    if not pa.types.is_nested(column.type):
        return column
    values = column.to_pylist()
    distinct = sorted({repr(value): value for value in values}.items(), key=lambda pair: _order(pair[1]))
    places = {text: i for i, (text, _) in enumerate(distinct)}
    return pa.array([None if value is None else places[repr(value)] for value in values], pa.int64())


def _order(value: Any) -> Any:
    """A key that orders lists and maps element by element, null last."""
    if value is None:
        return (3,)
    if isinstance(value, dict):
        return (0, tuple(sorted(value)), tuple(_order(value[key]) for key in sorted(value)))
    if isinstance(value, list):
        return (1, tuple(_order(each) for each in value))
    return (2, value)
