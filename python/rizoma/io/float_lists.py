"""Lists of numbers as the text of a field: JSON, such as [0.5, 1]; not finite numbers are NaN, Infinity, -Infinity."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..core.display import shortened
from ..core.errors import ParseError
from ..core.lazy_arrow import pa, pc
from ..graph.schema import arrow_type

__all__ = ["LIST", "with_lists"]

LIST = "list<float32>"
"""The type of these columns."""


def with_lists(batch: pa.RecordBatch, name: str, path: Path, rows: int, left_out: Any = None) -> pa.RecordBatch:
    """The same with the texts of a column as the lists that they are; `rows` of the file come before it.

    Rows that are left out (a mask) are not looked at: they get nulls.  Raises ParseError with the row and its text.
    """
    texts = batch.column(name)
    if left_out is not None:
        texts = pc.if_else(left_out, pa.scalar(None, texts.type), texts)
    lists: list[list[float] | None] = []
    for at, text in enumerate(texts.to_pylist()):
        found = _list_of(text) if text else None
        if text and found is None:
            said = f"row {rows + at + 1}: found {shortened(text)!r}, expected a list of numbers such as [0.5, 1]"
            raise ParseError(f"{path}: {said}")
        lists.append(found)
    return batch.set_column(batch.schema.get_field_index(name), name, pa.array(lists, arrow_type(LIST)))


def _list_of(text: str) -> list[float] | None:
    """The numbers of a list; None if the text is something else."""
    try:
        found = json.loads(text, parse_int=float)  # Arrow refuses integers that a float32 does not have exactly
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, list) and set(map(type, found)) <= {float} else None
