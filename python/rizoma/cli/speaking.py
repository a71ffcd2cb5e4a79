"""Which process shows an error of the command.  One that runs alone imports nothing of ranks to find out."""

from __future__ import annotations

from importlib import import_module

from ..core.launcher import launched

__all__ = ["expect_shared", "speaks_of_error"]


def speaks_of_error(message: str) -> bool:
    """Whether this process shows an error that came before ranks joined: it is alone, or the first rank."""
    return not launched() or bool(import_module(f"{__package__}.launched").speaks_of_error(message))


def expect_shared() -> None:
    """Raise InvalidArgumentError if a launcher has started several processes of a command that they do not share."""
    if launched():
        import_module(f"{__package__}.launched").expect_shared()
