"""What the command says: tables and text on standard output, lines for people on stderr, errors in one line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.measure import Measurement
from rich.segment import Segment
from rich.table import Table

from ..core.errors import InvalidArgumentError
from ..core.printable import printable
from .exit_codes import EXIT_ERROR, EXIT_USAGE
from .option_names import in_options

__all__ = ["Terminal", "err", "exit_code", "out", "say", "say_error", "show_table"]

_WIDEST = 1000  # columns; a wider table is not for a terminal


class Terminal(Console):
    """What commands write to: ids, names and messages of files cannot command the terminal, nor are they markup."""

    def __init__(self, **options: Any) -> None:
        super().__init__(emoji=False, markup=False, **options)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        """Render with control characters escaped."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(printable(segment.text), segment.style)


out = Terminal()
err = Terminal(stderr=True, soft_wrap=True, highlight=False)


def say(text: str) -> None:
    """Print a line for people, on stderr, so that output can be piped."""
    err.print(text)


def say_error(error: BaseException, function: Callable[..., Any] | None = None) -> None:
    """Print an error as one line on stderr; of the command that `function` is, its options are named."""
    line = _one_line(error)
    say(f"rizoma: {in_options(line, function) if function else line}")


def exit_code(error: BaseException) -> int:
    """The exit code that an error leads to."""
    return EXIT_USAGE if isinstance(error, InvalidArgumentError) else EXIT_ERROR


def _one_line(error: BaseException) -> str:
    if str(error).rpartition("\n")[2].strip() == "^":  # its lines show a place in a predicate
        return str(error) + _unquoted(str(error).splitlines()[-2])
    text = " ".join(str(error).split())
    return text or ("out of memory" if isinstance(error, MemoryError) else type(error).__name__)


def _unquoted(line: str) -> str:
    """A remedy for a text without anything that a shell takes for its own, which may have taken the rest."""
    if re.search(r"[^-\w.:]", line.strip()):
        return ""
    return "\nput the text in quotes: without them the shell takes >, (, * and what follows for its own"


def show_table(table: Table) -> None:
    """Print a table of figures on standard output: none is cut.

    A narrow terminal folds the headings, and a file or a pipe gets the table as wide as it is.
    """
    for column in table.columns:
        column.overflow, column.min_width = "fold", max((len(str(cell)) for cell in column.cells), default=0)
    whole = Measurement.get(out, out.options.update(max_width=_WIDEST), table).maximum
    Terminal(width=None if out.is_terminal else max(out.width, whole)).print(table, crop=False)
