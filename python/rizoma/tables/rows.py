"""Edges from any iterable of pairs or triples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import numpy as np

from ..errors import InvalidArgumentError
from ..vertex_ids import id_array
from .columns import EdgeColumns, EdgeSource

__all__ = ["from_rows"]

_CHUNK = 1 << 18  # rows held as Python objects at a time


def from_rows(data: Iterable[Any]) -> EdgeSource:
    """Rows (source, target) or (source, target, weight), all of one length."""

    def chunks() -> Iterator[EdgeColumns]:
        rows = iter(data)
        first = 0
        while chunk := list(islice(rows, _CHUNK)):
            yield _columns(chunk, first)
            first += len(chunk)

    return EdgeSource(chunks())


def _columns(rows: list[Any], first: int) -> EdgeColumns:
    try:
        columns = list(zip(*rows, strict=True))
    except (TypeError, ValueError):
        columns = []
    if len(columns) not in (2, 3) or isinstance(rows[0], str):
        number, row = next(
            (
                (first + i, r)
                for i, r in enumerate(rows)
                if isinstance(r, str) or _length(r) != _length(rows[0])
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
