"""What NetworkX loads as the backend `rizoma`: its functions under their dispatch names."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import networkx as nx
from networkx.utils.backends import _registered_algorithms

from . import __path__ as _directories
from .convert import convert_from_nx, convert_to_nx
from .registry import FUNCTIONS, by_store_or_networkx, can_run, should_run
from .suite import on_start_tests

__all__ = ["FUNCTIONS", "can_run", "convert_from_nx", "convert_to_nx", "on_start_tests", "should_run"]

for _module in iter_modules(_directories):  # each registers its functions
    if _module.name != "backend":
        import_module(f"{__package__}.{_module.name}")

globals().update(FUNCTIONS)
nx.config.warnings_to_ignore.add("cache")  # one for each function, of what docs/guide/networkx.md says once


def __getattr__(name: str) -> Any:
    """Any other function of NetworkX, for stored graphs alone (`can_run`): its own code, which reads the store."""
    if name not in _registered_algorithms:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return partial(by_store_or_networkx, name)
