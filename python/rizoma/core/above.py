"""The way to what layers above add to layers below: imported at first use.

Names, not imports: a lower layer knows no higher one, and a command that reads sizes loads no pattern language.
"""

from __future__ import annotations

from importlib import import_module

__all__ = ["load_methods", "load_ranks", "public_functions"]

_PACKAGE = __name__.partition(".")[0]


def load_methods() -> None:
    """Add the methods of `rizoma.api` to the graphs."""
    import_module(f"{_PACKAGE}.api")


def public_functions() -> list[str]:
    """The functions that users call as `rizoma.NAME`."""
    names: list[str] = import_module(_PACKAGE).__all__
    return [name for name in names if name.islower()]


def load_ranks() -> None:
    """Have `rizoma.distributed.ranks` say how `open(comm=...)` opens."""
    import_module(f"{_PACKAGE}.distributed.ranks")
