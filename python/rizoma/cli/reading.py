"""The options of what is read: one table for all commands that read edges (import, add, remove, set-weights)."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any, TypeVar, get_type_hints

import typer

from .. import _core
from ..core.errors import InvalidArgumentError
from ..graph.tables.text_options import text_fields
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
_Where = Annotated[
    str | None,
    typer.Option(
        help="Parquet, JSON lines, directories that are one table: read the rows that a predicate keeps, such as "
        '"year >= 2024".',
        show_default=False,
    ),
]


def _text_options() -> dict[str, tuple[str, Any, Any]]:
    """The options of text, by their table."""
    rows = {}
    for each in text_fields():
        how = dict(each.metadata)
        type_: Any = list[str] | None if each.name == "rename" else each.type
        option = typer.Option(*how.pop("names"), **how)
        rows[each.name] = (each.name, Annotated[type_, option], each.default)
    return rows


_OPTIONS: dict[str, tuple[str, Any, Any]] = {
    "format": ("format", _Format, "auto"),
    "source_column": ("source", _Column, None),
    "target_column": ("target", _Column, None),
    "weight_column": ("weight", _Column, None),
    "weights": ("weights", _Weights, None),
    **_text_options(),
    "where": ("where", _Where, None),
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
            if given.get("quote") in ("", "none"):
                given["quote"] = None
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
