"""The command `rizoma`: one file for each subcommand."""

from __future__ import annotations

import signal
import sys

__all__ = ["main"]

EXIT_INTERRUPTED = 130
EXIT_TERMINATED = 143


def main() -> None:
    """Run the command, once the package is imported."""
    signal.signal(signal.SIGTERM, _terminate)
    try:
        from .commands import app  # here, because Ctrl-C may come while everything is imported

        app(prog_name="rizoma")
    except KeyboardInterrupt:
        print("rizoma: interrupted", file=sys.stderr)
        sys.exit(EXIT_INTERRUPTED)


def _terminate(*_: object) -> None:
    """End as Ctrl-C does, so that what is half-done is removed."""
    sys.exit(EXIT_TERMINATED)
