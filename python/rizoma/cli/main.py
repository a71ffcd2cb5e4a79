"""The entry point of the command."""

from __future__ import annotations

import signal
import sys

from .commands import app
from .exit_codes import EXIT_INTERRUPTED, EXIT_TERMINATED

__all__ = ["main"]


def main() -> None:
    """Run the command."""
    signal.signal(signal.SIGTERM, _terminate)
    try:
        app(prog_name="rizoma")
    except KeyboardInterrupt:
        print("rizoma: interrupted", file=sys.stderr)
        sys.exit(EXIT_INTERRUPTED)


def _terminate(*_: object) -> None:
    """End as Ctrl-C does, so that unfinished files are removed."""
    sys.exit(EXIT_TERMINATED)
