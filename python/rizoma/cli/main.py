"""The entry point of the command."""

from __future__ import annotations

import signal
import sys
from typing import Any

import typer

from ..core.launcher import launched
from ..core.lazy import LazyModule
from .commands import app
from .exit_codes import EXIT_INTERRUPTED, EXIT_TERMINATED
from .speaking import speaks_of_error

__all__ = ["main"]

_rich_utils = LazyModule("typer.rich_utils")  # it imports a parser of Markdown

# Errors of the command line: typer brings click with it or takes the one that is installed, as its release has it.
_CommandLineError: Any = typer.BadParameter.__mro__[2]


def main() -> None:
    """Run the command."""
    signal.signal(signal.SIGTERM, _terminate)
    try:
        if launched():
            sys.exit(_run_as_rank())
        app(prog_name="rizoma")
    except KeyboardInterrupt:
        print("rizoma: interrupted", file=sys.stderr)
        sys.exit(EXIT_INTERRUPTED)


def _run_as_rank() -> int:
    """Run the command as one of several ranks; one of them reports wrong usage."""
    try:
        code = app(prog_name="rizoma", standalone_mode=False)
    except _CommandLineError as error:
        if speaks_of_error(error.format_message()):
            _rich_utils.rich_format_error(error)
        return int(error.exit_code)
    except typer.Abort:
        return EXIT_INTERRUPTED
    return code if isinstance(code, int) else 0


def _terminate(*_: object) -> None:
    """End as Ctrl-C does, so that unfinished files are removed."""
    sys.exit(EXIT_TERMINATED)
