"""Answers on standard output for other programs: tables as CSV or as JSON lines, facts as one JSON object."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from ..core.errors import InvalidArgumentError
from ..core.lazy_arrow import pa
from ..io.export import check_name
from ..io.json_rows import json_lines
from .app import choices

__all__ = ["STDOUT", "Format", "format_of", "print_json", "print_table", "rows_to"]

STDOUT = "-"
"""The name of a file that stands for standard output."""

_FORMATS = ("csv", "tsv", "ndjson")

Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        help=f"On standard output: {', '.join(_FORMATS)}.",
        autocompletion=choices(*_FORMATS),
        show_default=False,
    ),
]


def format_of(output: Path, format: str | None) -> str:
    """The format of rows on standard output.

    Raises InvalidArgumentError if it is not known, or given for a file, whose name tells it.
    """
    if format is not None and str(output) != STDOUT:
        raise InvalidArgumentError(f"--format is for standard output; the end of the name {output} tells the format")
    if format not in (None, *_FORMATS):
        raise InvalidArgumentError(f"--format is {format!r}; choose one of {', '.join(_FORMATS)}")
    return format or _FORMATS[0]


def rows_to(output: Path | None, format: str | None, **instead: bool) -> tuple[Path | None, str]:
    """Where all rows go, if anywhere, and their format; a format alone means standard output.

    Raises InvalidArgumentError if the name of a file shows no format, or if an option says to print something
    `instead`, by its name.
    """
    if output is None and format is not None:
        output = Path(STDOUT)
    other = next((name for name, given in instead.items() if given), None)
    if output is not None and other is not None:
        raise InvalidArgumentError(f"--{other} prints something else than all rows; leave out --output and --format")
    if output is None:
        return None, ""
    if str(output) != STDOUT:
        check_name(output)
    return output, format_of(output, format)


def print_json(facts: Any) -> None:
    """Print one JSON value; what is not a number (infinite, NaN) is null."""
    print(json.dumps(_plain(facts), indent=2))


def print_table(schema: pa.Schema, batches: Iterable[pa.RecordBatch], format: str) -> None:
    """Print all rows, in bounded memory."""
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
