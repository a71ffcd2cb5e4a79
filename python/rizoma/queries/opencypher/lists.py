"""Lists as values of a query: elements, slices, and what a predicate says of all elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.lazy_arrow import pa, pc
from .values import Rows, as_array, list_of, nulls

__all__ = [
    *("concatenated", "element", "empty_lists", "flattened", "inner_rows", "lengths_of", "list_from", "ranges"),
    *("regrouped", "sliced", "tested"),
]


def lengths_of(lists: pa.Array) -> npt.NDArray[np.int64]:
    """How many elements each has; 0 of null."""
    return np.asarray(pc.fill_null(pc.list_value_length(lists), 0), np.int64)


def ranges(begins: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The numbers begin, begin + 1, ... of each range, one range after the other."""
    total = int(lengths.sum())
    starts = np.cumsum(lengths) - lengths
    return np.arange(total) - np.repeat(starts, lengths) + np.repeat(begins, lengths)


def flattened(lists: pa.Array) -> tuple[pa.Array, npt.NDArray[np.int64]]:
    """All elements, and the row of each."""
    return lists.flatten(), np.repeat(np.arange(len(lists)), lengths_of(lists))


def regrouped(items: pa.Array, parents: npt.NDArray[np.int64], of: pa.Array) -> pa.Array:
    """Lists of items whose rows are `parents`, ascending; null where `of` is."""
    mask = of.is_null() if of.null_count else None
    return list_of(items, np.bincount(parents, minlength=len(of)).astype(np.int64), mask)


def list_from(columns: Sequence[Any], kind: pa.DataType, count: int) -> pa.Array:
    """In each row the list of what the columns have."""
    items = pa.concat_arrays([as_array(each, count) for each in columns]) if columns else pa.array([], kind)
    places = (np.arange(count)[:, None] + count * np.arange(len(columns))).ravel()
    return list_of(items.take(pa.array(places)), np.full(count, len(columns), np.int64))


def element(lists: pa.Array, index: pa.Array) -> pa.Array:
    """The elements at an index, which counts from the end if it is negative; null outside."""
    lengths = lengths_of(lists)
    wanted = np.asarray(pc.fill_null(index, 0), np.int64)
    wanted = np.where(wanted < 0, wanted + lengths, wanted)
    outside = (wanted < 0) | (wanted >= lengths) | np.asarray(index.is_null()) | np.asarray(lists.is_null())
    places = np.cumsum(lengths) - lengths + wanted
    return lists.flatten().take(pa.array(np.where(outside, 0, places), mask=outside))


def sliced(lists: pa.Array, begin: pa.Array | None, end: pa.Array | None) -> pa.Array:
    """From begin up to end, which count from the end if they are negative; null if one is null."""
    lengths = lengths_of(lists)
    unknown = np.asarray(lists.is_null())

    def place(index: pa.Array | None, default: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        nonlocal unknown
        if index is None:
            return default
        unknown = unknown | np.asarray(index.is_null())
        given = np.asarray(pc.fill_null(index, 0), np.int64)
        return np.clip(np.where(given < 0, given + lengths, given), 0, lengths)

    first, last = place(begin, np.zeros(len(lists), np.int64)), place(end, lengths)
    some = np.where(unknown, 0, np.maximum(0, last - first))
    items = lists.flatten().take(pa.array(ranges(np.cumsum(lengths) - lengths + first, some)))
    return list_of(items, some, pa.array(unknown))


def concatenated(first: pa.Array, second: pa.Array) -> pa.Array:
    """The elements of the first, then those of the second; null if one is."""
    unknown = np.asarray(first.is_null()) | np.asarray(second.is_null())
    ones, others = lengths_of(first), lengths_of(second)
    items = pa.concat_arrays([first.flatten(), second.flatten()])
    begins = np.stack([np.cumsum(ones) - ones, len(first.flatten()) + np.cumsum(others) - others], axis=1).ravel()
    lengths = np.stack([np.where(unknown, 0, ones), np.where(unknown, 0, others)], axis=1).ravel()
    return list_of(items.take(pa.array(ranges(begins, lengths))), lengths.reshape(-1, 2).sum(axis=1), pa.array(unknown))


def tested(kind: str, holds: pa.Array, parents: npt.NDArray[np.int64], of: pa.Array) -> pa.Array:
    """What `all`, `any`, `none` or `single` says of elements of which a predicate holds, does not, or is null."""
    some = lengths_of(of)
    true = np.bincount(parents, np.asarray(pc.fill_null(holds, False), np.int64), len(of)).astype(np.int64)
    unknown = np.bincount(parents, np.asarray(holds.is_null(), np.int64), len(of)).astype(np.int64)
    false = some - true - unknown
    answers = {
        "all": (false == 0, (false == 0) & (unknown > 0)),
        "any": (true > 0, (true == 0) & (unknown > 0)),
        "none": (true == 0, (true == 0) & (unknown > 0)),
        "single": (true == 1, (true <= 1) & (unknown > 0)),
    }
    answer, open_ = answers[kind]
    return pa.array(answer, mask=open_ | np.asarray(of.is_null()))


def inner_rows(rows: Rows, name: str, items: pa.Array, parents: npt.NDArray[np.int64], used: set[str]) -> Rows:
    """A row for each element, with the columns of its row that are used, and the element by its name."""
    outer = {each: column for each, column in rows.columns.items() if each in used and each != name}
    return Rows(len(items), {**Rows(rows.count, outer).take(parents).columns, name: items})


def empty_lists(count: int, kind: pa.DataType) -> pa.Array:
    """Lists without elements."""
    return list_of(nulls(0, kind), np.zeros(count, np.int64))
