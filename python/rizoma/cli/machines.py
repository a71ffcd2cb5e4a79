"""Answers on standard output for other programs: tables as CSV or as JSON lines, facts as one JSON object."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable
from typing import Annotated, Any

import typer

from ..core.errors import InvalidArgumentError
from ..core.lazy_arrow import pa
from ..io.json_rows import json_lines
from .app import choices

__all__ = ["STDOUT", "Format", "print_json", "print_table"]

STDOUT = "-"
"""The name of a file that stands for standard output."""

_FORMATS = ("csv", "tsv", "ndjson")

Format = Annotated[
    str,
    typer.Option("--format", help=f"On standard output: {', '.join(_FORMATS)}.", autocompletion=choices(*_FORMATS)),
]


def print_json(facts: Any) -> None:
    """Print one JSON value; what is not a number (infinite, NaN) is null."""
    print(json.dumps(_plain(facts), indent=2))


def print_table(schema: pa.Schema, batches: Iterable[pa.RecordBatch], format: str) -> None:
    """Print all rows, in bounded memory."""
    if format not in _FORMATS:
        raise InvalidArgumentError(f"--format is {format!r}; choose one of {', '.join(_FORMATS)}")
    if format == "ndjson":
        for batch in batches:
            sys.stdout.writelines(json_lines(batch))
        return
    from pyarrow import csv

    options = csv.WriteOptions(delimiter="\t" if format == "tsv" else ",", quoting_style="needed")
    sys.stdout.flush()
    stream = pa.PythonFile(_Unclosed(sys.stdout.buffer), mode="w")
    with csv.CSVWriter(stream, schema, write_options=options) as writer:
        for batch in batches:
            writer.write(batch)
    sys.stdout.buffer.flush()


class _Unclosed:
    """Standard output that a writer cannot close."""

    closed = False

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, data: Any) -> int:
        return int(self._stream.write(data))

    def flush(self) -> None:
        self._stream.flush()

    def close(self) -> None:
        self._stream.flush()


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value.item() if hasattr(value, "item") and not isinstance(value, (str, bytes)) else value
