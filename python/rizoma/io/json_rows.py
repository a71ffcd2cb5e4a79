"""JSON lines (NDJSON): the names of the format, and rows as its lines."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..core.lazy_arrow import pa, pc

__all__ = ["ENDINGS", "NAME", "is_json_lines", "json_lines", "no_numbers_in"]

NAME = "ndjson"
"""The name of the format."""

ENDINGS = (".ndjson", ".jsonl")
"""The endings of its files."""

_COMPRESSION = (".gz", ".zst")


def is_json_lines(path: Path, format: str = "auto") -> bool:
    """Whether a file is of this format, as given or by its ending."""
    bare = path.with_suffix("") if path.suffix in _COMPRESSION else path
    return bare.suffix.lower() in ENDINGS if format == "auto" else format == NAME


def json_lines(batch: pa.RecordBatch) -> Iterator[str]:
    """Yield a line for each row; what is not a number (infinite, NaN) is null, moments and bytes (base64) are text."""
    columns = {name: _plain(batch.column(name)) for name in batch.schema.names}
    for values in zip(*columns.values(), strict=True):
        yield json.dumps(dict(zip(columns, values, strict=True))) + "\n"


def no_numbers_in(batch: pa.RecordBatch) -> str | None:
    """The first column that has a value which JSON has no number for."""
    for field, column in zip(batch.schema, batch.columns, strict=True):
        if pa.types.is_floating(field.type) and pc.any(pc.invert(pc.is_finite(column))).as_py():
            return str(field.name)
    return None


def _plain(array: Any) -> list[Any]:
    """Values as JSON has them."""
    kind = array.type
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        return list(array.cast(pa.string()).to_pylist())
    values: list[Any] = array.to_pylist()
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return [None if value is None else base64.b64encode(value).decode() for value in values]
    if pa.types.is_floating(kind):
        return [value if value is None or math.isfinite(value) else None for value in values]
    return [_finite(value) for value in values] if pa.types.is_nested(kind) else values


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
