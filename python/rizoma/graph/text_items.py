"""Lists of texts, such as the labels of a vertex, as one text each: how such a column is stored, asked and read."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

from .. import _core
from ..core.lazy_arrow import pa, pc
from ..core.lazy_numpy import np, npt
from .column_types import is_list
from .ids import decoded, is_text

__all__ = [
    "WrongItemError",
    "are_lists_of_text",
    "array_of_values",
    "has_item",
    "items_of",
    "joined_items",
    "texts_of",
]

_SETS = (set, frozenset)
_COLLECTIONS = (list, tuple, *_SETS)


class WrongItemError(ValueError):
    """A text of a list has the sign that stands between those of one text."""


def are_lists_of_text(kind: pa.DataType) -> bool:
    """Whether an Arrow type is one of lists of texts, or of lists none of which has an item."""
    if not is_list(kind):
        return False
    of = kind.value_type.value_type if pa.types.is_dictionary(kind.value_type) else kind.value_type
    return is_text(of) or bool(pa.types.is_null(of))


def joined_items(lists: pa.Array) -> pa.Array:
    """One text for each list; null without an item.  Items that are null or empty are left out.

    Raises WrongItemError for an item that has the separator.
    """
    items = decoded(lists.flatten()).cast(pa.large_string())
    wrong = pc.index(pc.match_substring(items, _core.ITEM_SEPARATOR), True).as_py()
    if wrong >= 0:
        ends = np.cumsum(pc.fill_null(pc.list_value_length(lists), 0))
        place = f" of row {np.searchsorted(ends, wrong, side='right')}" if len(lists) > 1 else ""
        raise WrongItemError(
            f"a text of the list{place} is {str(items[wrong])!r}, and {_core.ITEM_SEPARATOR!r} stands between the "
            "texts of a list; write another sign in it"
        )
    items, lengths = _kept(lists, items)
    offsets = pa.array(np.concatenate([[0], np.cumsum(lengths)]), pa.int64())
    texts = pc.binary_join(pa.LargeListArray.from_arrays(offsets, items), _separator())
    return pc.if_else(pa.array(lengths > 0), texts, pa.scalar(None, pa.large_string()))


def array_of_values(values: Any, from_pandas: bool | None = None) -> pa.Array:
    """Values of Python as `pyarrow.array` has them, but for sets of texts, and lists of them among texts: texts.

    Arrow takes the latter not at all, and sets in an order of their own; equal ones are one text here.  Raises
    WrongItemError.
    """
    made = texts_of(values) if isinstance(values, (list, tuple)) and _has_sets(values) else None
    if made is not None:
        return made
    try:
        return pa.array(values, from_pandas=from_pandas)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        made = texts_of(values) if isinstance(values, (list, tuple)) else None
        if made is None:
            raise
        return made


def texts_of(values: Sequence[Any]) -> pa.Array | None:
    """Texts as they are, and lists and sets of them as texts; None: others are among them.  Raises WrongItemError."""
    there = [None if _is_none(value) else value for value in values]
    lists = [_in_order(value) if isinstance(value, _COLLECTIONS) else None for value in there]
    plain = [value if items is None else None for value, items in zip(there, lists, strict=True)]
    items = (item for some in lists for item in some or ())
    if not all(each is None or isinstance(each, str) for each in chain(plain, items)):
        return None
    joined = joined_items(pa.array(lists, pa.large_list(pa.large_string())))
    return pc.coalesce(pa.array(plain, pa.large_string()), joined)


def _has_sets(values: Any) -> bool:
    """Whether sets are among the values, of which the first that is there is a set or a list."""
    first = next((value for value in values if not _is_none(value)), None)
    return isinstance(first, _COLLECTIONS) and any(isinstance(value, _SETS) for value in values)


def _is_none(value: Any) -> bool:
    return value is None or (isinstance(value, float) and value != value)


def _in_order(value: Any) -> list[Any]:
    return sorted(value, key=str) if isinstance(value, _SETS) else list(value)


def _separator() -> pa.Scalar:
    return pa.scalar(_core.ITEM_SEPARATOR, pa.large_string())


def items_of(texts: pa.Array) -> tuple[pa.Array, npt.NDArray[np.int64]]:
    """The items of all texts, one after the other, and how many each text has."""
    lists = pc.split_pattern(texts, _core.ITEM_SEPARATOR)
    return _kept(lists, lists.flatten())


def _kept(lists: pa.Array, items: pa.Array) -> tuple[pa.Array, npt.NDArray[np.int64]]:
    """The items of lists but for nulls and empty texts, and how many each list has."""
    lengths = np.asarray(pc.fill_null(pc.list_value_length(lists), 0)).astype(np.int64)
    there = np.asarray(pc.fill_null(pc.not_equal(items, ""), False))
    if there.all():
        return items, lengths
    rows = np.repeat(np.arange(len(lists)), lengths)[there]
    return items.filter(pa.array(there)), np.bincount(rows, minlength=len(lists)).astype(np.int64)


def has_item(texts: pa.Array, item: str) -> pa.Array:
    """Whether each of large_string is the item or has it, as the predicate `has` says; null of null."""
    if _core.ITEM_SEPARATOR in item:
        return pc.equal(texts, item)
    sign = _separator()
    within = pc.binary_join_element_wise(sign, texts, sign, pa.scalar("", pa.large_string()))
    return pc.match_substring(within, f"{sign}{item}{sign}")
