"""The entry point of the command."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from importlib import import_module

from ..core.errors import ReadWarning
from .exit_codes import EXIT_INTERRUPTED, EXIT_TERMINATED
from .guard import run_guarded
from .store_facts import plain_request, show_facts

__all__ = ["main"]


def main() -> None:
    """Run the command."""
    signal.signal(signal.SIGTERM, _terminate)
    warnings.showwarning = _say_warning
    plain = None if "_RIZOMA_COMPLETE" in os.environ else plain_request(sys.argv[1:])
    try:
        if plain is not None:
            sys.exit(run_guarded(show_facts, *plain))
        import_module(f"{__package__}.commands").app(prog_name="rizoma")
    except KeyboardInterrupt:
        print("rizoma: interrupted", file=sys.stderr)
        sys.exit(EXIT_INTERRUPTED)


def _say_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: object = None,
    line: object = None,
) -> None:
    """Print what a call warns of as commands say all else, without the line of this package that called it."""
    place = "" if issubclass(category, ReadWarning) else f"{filename}:{lineno}: {category.__name__}: "
    print(f"rizoma: {place}{message}", file=sys.stderr)


def _terminate(*_: object) -> None:
    """End as Ctrl-C does, so that unfinished files are removed."""
    sys.exit(EXIT_TERMINATED)
