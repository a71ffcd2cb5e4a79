"""The options of what is read: one table for all commands that read edges (import, add, remove, set-weights)."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any, TypeVar, get_type_hints

import typer

from .. import _core
from ..core.errors import InvalidArgumentError
from ..io.formats import FORMATS
from ..io.json_rows import NAME as NDJSON

__all__ = ["reads_edges"]

F = TypeVar("F", bound=Callable[..., Any])

_Column = Annotated[str | None, typer.Option(help="CSV, Parquet, JSON lines: name of the column.")]
_Format = Annotated[
    str, typer.Option(help=", ".join([_core.ANY_FORMAT, *_core.file_formats(), "parquet", NDJSON, *FORMATS]) + ".")
]
_Weights = Annotated[
    str | None,
    typer.Option(
        help="int32, float32, float64 or none. Default: as the file says; of files that are added, as the store has "
        "them, and with none each edge weighs 1.",
        show_default=False,
    ),
]
_Header = Annotated[
    bool | None,
    typer.Option("--header/--no-header", help="CSV: whether the first line names the columns. Default: detected."),
]
_Delimiter = Annotated[str | None, typer.Option(help="CSV: what separates fields. Default: detected.")]
_Quote = Annotated[str, typer.Option(help="CSV: what may enclose a field; empty: nothing.")]
_Null = Annotated[
    str | None,
    typer.Option(help="CSV: a text that stands for no value; lines without an id or a weight are left out."),
]
_SkipBadLines = Annotated[
    int,
    typer.Option(
        min=0, help="CSV, edge lists, JSON lines: leave out up to this many malformed lines; one more is an error."
    ),
]
_Decimal = Annotated[str, typer.Option(help="CSV: what stands before the fraction of a number: . or ,")]
_Thousands = Annotated[
    str | None,
    typer.Option(
        help="CSV, text in Parquet: what separates thousands in numbers: . as in 2.720,01 (with --decimal ,)."
    ),
]
_DateFormat = Annotated[
    str | None,
    typer.Option(
        help="CSV, text in Parquet: how dates are written, such as %d.%m.%Y. Default: 2025-01-31, with a time or not."
    ),
]
_Encoding = Annotated[
    str | None,
    typer.Option(
        help="Text in lines: latin-1, cp1252, utf-16 ... Default: utf-8, or as the first bytes of a file say."
    ),
]
_Rename = Annotated[
    list[str] | None,
    typer.Option(help="CSV, Parquet: another name for a column, OLD=NEW, which all other options then mean."),
]
_Comment = Annotated[
    str | None,
    typer.Option(
        help="CSV, edge lists: what begins a comment; empty: nothing. Default: # and % in edge lists, # before the "
        "first row of CSV."
    ),
]
_Multiline = Annotated[
    bool, typer.Option("--multiline", help="CSV: quoted fields may go over several lines (read by one process).")
]
_Where = Annotated[
    str | None,
    typer.Option(
        help="Parquet, JSON lines, directories that are one table: read the rows that a predicate keeps, such as "
        '"year >= 2024".',
        show_default=False,
    ),
]

_OPTIONS: dict[str, tuple[str, Any, Any]] = {
    "format": ("format", _Format, "auto"),
    "source_column": ("source", _Column, None),
    "target_column": ("target", _Column, None),
    "weight_column": ("weight", _Column, None),
    "weights": ("weights", _Weights, None),
    "header": ("header", _Header, None),
    "delimiter": ("delimiter", _Delimiter, None),
    "quote": ("quote", _Quote, '"'),
    "null": ("null", _Null, None),
    "skip_bad_lines": ("skip_bad_lines", _SkipBadLines, 0),
    "decimal": ("decimal", _Decimal, "."),
    "comment": ("comment", _Comment, None),
    "multiline": ("multiline", _Multiline, False),
    "where": ("where", _Where, None),
    "thousands": ("thousands", _Thousands, None),
    "date_format": ("date_format", _DateFormat, None),
    "encoding": ("encoding", _Encoding, None),
    "rename": ("rename", _Rename, None),
}
"""By parameter of a command: the option of `rizoma.io.read_options.ReadOptions` that it is, its type, its default."""


def _renamed(given: list[str] | None) -> dict[str, str] | None:
    """OLD=NEW as names; the last = divides them."""
    names = {}
    for each in given or []:
        old, equals, new = each.rpartition("=")
        if not equals or not old or not new:
            raise InvalidArgumentError(f'--rename is {each!r}; write OLD=NEW, such as "Betrag (EUR)=amount"')
        names[old] = new
    return names or None


def reads_edges(*without: str) -> Callable[[F], F]:
    """Give a command these options, but for those `without`; it gets them as `reading`, by their names in Python."""

    def decorate(function: F) -> F:
        options = {name: option for name, option in _OPTIONS.items() if name not in without}

        @functools.wraps(function)
        def with_options(*args: Any, **kwargs: Any) -> Any:
            given = {option: kwargs.pop(name, default) for name, (option, _, default) in options.items()}
            if "quote" in given:
                given["quote"] = given["quote"] or None
            if "rename" in given:
                given["rename"] = _renamed(given["rename"])
            return function(*args, reading=given, **kwargs)

        hints = get_type_hints(function, include_extras=True)
        own = [each for name, each in inspect.signature(function).parameters.items() if name != "reading"]
        kind = inspect.Parameter.KEYWORD_ONLY
        own = [each.replace(annotation=hints[each.name], kind=kind) for each in own]
        more = [
            inspect.Parameter(name, kind, default=default, annotation=type_)
            for name, (_, type_, default) in options.items()
        ]
        made: Any = with_options
        made.__signature__ = inspect.Signature([*own, *more], return_annotation=None)
        made.__annotations__ = {each.name: each.annotation for each in [*own, *more]}
        return made  # type: ignore[no-any-return]

    return decorate
