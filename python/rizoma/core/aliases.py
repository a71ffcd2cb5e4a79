"""Old names of the package: each still works for one release, and warns once when it is used."""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from types import ModuleType
from typing import Any

__all__ = ["MODULES", "alias_modules", "warn_once"]

# Modules that users import or that pickles name, and where they are now.
MODULES = {
    "rizoma.config": "rizoma.core.config",
    "rizoma.cost": "rizoma_lab.cost",
    "rizoma.counters": "rizoma.results.counters",
    "rizoma.frozen": "rizoma.graph.detached_ids",
    "rizoma.match": "rizoma.queries.match",
    "rizoma.memory": "rizoma.results.memory",
    "rizoma.partitions": "rizoma.results.partitions",
    "rizoma.placement": "rizoma.graph.placement",
    "rizoma.probe": "rizoma_lab.probe",
    "rizoma.ranks": "rizoma.cluster.ranks",
    "rizoma.scan": "rizoma.graph.scan",
    "rizoma.systems": "rizoma_lab.systems",
    "rizoma.views": "rizoma.queries.views",
}

_warned: set[str] = set()


def warn_once(old: str, new: str) -> None:
    """Warn that `old` is now `new`, once in a process."""
    if old not in _warned:
        _warned.add(old)
        warnings.warn(f"{old} is now {new}; the old name goes with the next release", FutureWarning, stacklevel=3)


class _Moved(ModuleType):
    """A module under its old name; the first use of it imports the new one."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # what looks over all modules that are loaded
            raise AttributeError(name)
        new = MODULES[self.__name__]
        warn_once(self.__name__, new)
        return getattr(import_module(new), name)


def alias_modules() -> None:
    """Put the old names of modules beside the new ones, without importing anything."""
    for old in MODULES:
        sys.modules.setdefault(old, _Moved(old))
