"""Which process shows an error of the command.  One that runs alone imports nothing of ranks to find out."""

from __future__ import annotations

from importlib import import_module

from ..core.launcher import launched

__all__ = ["speaks_of_error"]


def speaks_of_error(message: str) -> bool:
    """Whether this process shows an error that came before ranks joined: it is alone, or the first rank."""
    return not launched() or bool(import_module(f"{__package__}.launched").speaks_of_error(message))
