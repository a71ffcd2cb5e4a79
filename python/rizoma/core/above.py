"""The way to what layers above add to layers below: imported at first use.

Names, not imports: a lower layer knows no higher one, and a command that reads sizes loads no pattern language.
"""

from __future__ import annotations

from importlib import import_module
from inspect import signature

__all__ = ["load_methods", "load_ranks", "takes_graph"]

_PACKAGE = __name__.partition(".")[0]


def load_methods() -> None:
    """Add the methods of `rizoma.api` to the graphs."""
    import_module(f"{_PACKAGE}.api")


def takes_graph(name: str) -> bool:
    """Whether users call a function `rizoma.NAME` with a graph first."""
    package = import_module(_PACKAGE)
    if name not in package.__all__ or not name.islower() or name.startswith("_"):
        return False
    return next(iter(signature(getattr(package, name)).parameters), "") == "graph"


def load_ranks() -> None:
    """Have `rizoma.distributed.ranks` say how `open(comm=...)` opens."""
    import_module(f"{_PACKAGE}.distributed.ranks")
