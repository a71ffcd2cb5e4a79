"""The entry point of the command."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from importlib import import_module
from io import BufferedWriter, FileIO, TextIOWrapper
from typing import Any, NoReturn

from rich.console import Console

from .exit_codes import EXIT_INTERRUPTED, EXIT_PIPE, EXIT_TERMINATED
from .guard import OUTPUT, SaidWarnings, drop_output, run_guarded
from .store_facts import plain_request, show_facts

__all__ = ["main"]


def main() -> None:
    """Run the command."""
    signal.signal(signal.SIGTERM, _terminate)
    warnings.showwarning = SaidWarnings()
    sys.stdout = _told_output()
    Console.on_broken_pipe = _end_of_pipe  # type: ignore[method-assign, assignment]  # of the help, too
    plain = None if "_RIZOMA_COMPLETE" in os.environ else plain_request(sys.argv[1:])
    try:
        sys.exit(run_guarded(_run_command) if plain is None else run_guarded(show_facts, *plain))
    except KeyboardInterrupt:
        print("rizoma: interrupted", file=sys.stderr)
        sys.exit(EXIT_INTERRUPTED)
    except SystemExit as end:
        sys.exit(end.code or run_guarded(sys.stdout.flush))


def _run_command() -> None:
    import_module(f"{__package__}.commands").app(prog_name="rizoma")


class _Output(FileIO):
    """Standard output, whose errors name it."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError as error:
            error.filename = OUTPUT
            raise


def _told_output() -> TextIOWrapper:
    """Standard output as it is, but for its errors; one that was closed takes all."""
    if sys.stdout is None:
        return open(os.devnull, "w", encoding="utf-8")
    raw = _Output(sys.stdout.fileno(), "w", closefd=False)
    file = BufferedWriter(raw)
    return TextIOWrapper(file, sys.stdout.encoding, sys.stdout.errors, line_buffering=raw.isatty())


def _end_of_pipe(_: Console) -> NoReturn:
    """End as a program that the end of its pipe ends; rich would end with 1."""
    drop_output()
    sys.exit(EXIT_PIPE)


def _terminate(*_: object) -> None:
    """End as Ctrl-C does, so that unfinished files are removed."""
    sys.exit(EXIT_TERMINATED)
