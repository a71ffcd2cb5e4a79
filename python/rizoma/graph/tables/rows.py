"""Edges from any iterable of pairs or triples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from ...core.errors import InvalidArgumentError
from ..ids import id_array
from ..schema import fitted_records
from .columns import NAMES, ColumnNames, EdgeColumns, EdgeSource, has_ends

__all__ = ["from_rows"]

_CHUNK = 1 << 18  # rows held as Python objects at a time
_SOURCE, _TARGET = "source", "target"
_NO_ROW = (str, bytes, Set, Mapping)  # which have no first and second item


def from_rows(data: Iterable[Any], names: ColumnNames) -> EdgeSource:
    """Rows (source, target), (source, target, weight) or (source, target, {name: value}), all alike; or mappings.

    Mappings all have the same keys.
    """

    def chunks() -> Iterator[EdgeColumns]:
        rows = iter(data)
        first = 0
        while chunk := list(islice(rows, _CHUNK)):
            if _has_data(chunk[0]):
                chunk = [_flat(row, first + i) for i, row in enumerate(chunk)]
                yield _of_mappings(chunk, first, replace(names, source=_SOURCE, target=_TARGET, takes_third=False))
            elif isinstance(chunk[0], Mapping):
                yield _of_mappings(chunk, first, names)
            else:
                yield _columns(chunk, first)
            first += len(chunk)

    return EdgeSource(chunks())


def _has_data(row: Any) -> bool:
    """Whether a row is (source, target, {name: value}), as NetworkX lists edges with their data."""
    return isinstance(row, tuple) and len(row) == 3 and isinstance(row[2], Mapping)


def _flat(row: Any, number: int) -> dict[Any, Any]:
    if not _has_data(row):
        raise InvalidArgumentError(f"row {number} is {row!r}; the first one is (source, target, data)")
    taken = next((name for name in (_SOURCE, _TARGET) if name in row[2]), None)
    if taken is not None:
        raise InvalidArgumentError(
            f"row {number} is {row!r}: its data has a {taken!r}, which is the name of an end; "
            "rename it, or give a table"
        )
    return {_SOURCE: row[0], _TARGET: row[1], **row[2]}


def _of_mappings(rows: list[Any], first: int, names: ColumnNames) -> EdgeColumns:
    """Rows such as {"source": "ann", "target": "bob"}: the keys name what each value is."""
    keys = list(rows[0])
    if names.source is None and not has_ends([str(key) for key in keys]):
        raise InvalidArgumentError(
            f"row {first} is {rows[0]!r}: a mapping is read by its keys, and these do not name a source and a target; "
            "say which ones with source= and target=, or give pairs"
        )
    source, target, weight = names.choose([str(key) for key in keys])
    others = names.others([str(key) for key in keys], (source, target, weight))
    wanted = [keys[source], keys[target], *([] if weight is None else [keys[weight]])]
    for i, row in enumerate(rows):
        if not isinstance(row, Mapping) or any(key not in row for key in wanted):
            raise InvalidArgumentError(f"row {first + i} is {row!r}; it lacks some of the keys {wanted} of the first")
        further = {str(key) for key in set(row).difference(keys)}
        if not names.columns and names.refusal is None:
            further = {name for name in further if weight is None and name.lower() in NAMES["weight"]}
        if further:
            raise InvalidArgumentError(
                f"row {first + i} is {row!r}; the first row has no {min(further)!r}: give it to all rows"
            )
    ends = _columns([tuple(row[key] for key in wanted) for row in rows], first)
    values = {name: fitted_records(rows, keys[i], name, names.columns[name]) for name, i in others.items()}
    return replace(ends, values=values)


def _columns(rows: list[Any], first: int) -> EdgeColumns:
    ordered = not any(isinstance(row, _NO_ROW) for row in rows)
    try:
        columns = list(zip(*rows, strict=True)) if ordered else []
    except (TypeError, ValueError):
        columns = []
    if len(columns) not in (2, 3):
        number, row = next(
            (
                (first + i, r)
                for i, r in enumerate(rows)
                if isinstance(r, _NO_ROW) or _length(r) != _length(rows[0])
            ),
            (first, rows[0]),
        )
        raise InvalidArgumentError(
            f"row {number} is {row!r}; give pairs (source, target), or triples with a weight, all alike"
        )
    weights = None
    if len(columns) == 3:
        try:
            weights = np.array(columns[2], np.float64)
        except (TypeError, ValueError):
            raise InvalidArgumentError("the third item of a row is its weight and must be a number") from None
    return EdgeColumns(id_array(columns[0], "source"), id_array(columns[1], "target"), weights)


def _length(row: Any) -> int:
    return len(row) if hasattr(row, "__len__") else -1
