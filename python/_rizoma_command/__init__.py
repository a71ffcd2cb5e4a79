"""What the command `rizoma` does first: it minds Ctrl-C before it imports anything that takes time."""

from __future__ import annotations

import signal

__all__ = ["main"]


def main() -> None:
    """Entry point of the console script."""
    minded = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if minded:  # not in the background of a shell without job control
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # nothing is begun yet: end at once, without a word
    from rizoma.cli.main import main as command

    if minded:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    command()
