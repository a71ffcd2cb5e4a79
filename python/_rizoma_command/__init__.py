"""What the command `rizoma` does first: it minds Ctrl-C before it imports anything that takes time."""

from __future__ import annotations

import signal

__all__ = ["end_at_once", "main"]

_minded = False  # whether Ctrl-C raised KeyboardInterrupt before


def end_at_once() -> None:
    """From now on, until `main` has the command, Ctrl-C ends the process without a word: nothing is begun yet."""
    global _minded
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not in the background of a shell
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        _minded = True


def main() -> None:
    """Entry point of the console script."""
    end_at_once()
    from rizoma.cli.main import main as command

    if _minded:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    command()
