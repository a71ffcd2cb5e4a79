"""What NetworkX loads as the backend `rizoma`: its functions under their dispatch names."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from . import __path__ as _directories
from .convert import convert_from_nx, convert_to_nx
from .registry import FUNCTIONS, can_run, should_run

__all__ = ["FUNCTIONS", "can_run", "convert_from_nx", "convert_to_nx", "should_run"]

for _module in iter_modules(_directories):  # each registers its functions
    if _module.name != "backend":
        import_module(f"{__package__}.{_module.name}")

globals().update(FUNCTIONS)
