"""Old names of the package: each still works for one release, and warns once when it is used."""

from __future__ import annotations

import functools
import os
import sys
import warnings
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any, NoReturn, ParamSpec, TypeVar

from .suggestions import function_meant

__all__ = [
    "ATTRIBUTES",
    "COMMAND_OPTIONS",
    "ENVIRONMENT",
    "FUNCTIONS",
    "KEYS",
    "MODULES",
    "OPTIONS",
    "VALUES",
    "NamedModule",
    "RenamedKeys",
    "alias_modules",
    "environment",
    "new_value",
    "renamed",
    "renamed_attribute",
    "renamed_options",
    "warn_once",
    "with_old_keys",
]

P = ParamSpec("P")
R = TypeVar("R")

# Modules that users import or that pickles name, and where they are now.
MODULES = {
    "rizoma.cluster": "rizoma.distributed",
    "rizoma.config": "rizoma.core.config",
    "rizoma.cost": "rizoma_lab.cost",
    "rizoma.counters": "rizoma.results.counters",
    "rizoma.frozen": "rizoma.graph.detached_ids",
    "rizoma.match": "rizoma.queries.match",
    "rizoma.memory": "rizoma.results.memory",
    "rizoma.partitions": "rizoma.results.partitions",
    "rizoma.placement": "rizoma.graph.placement",
    "rizoma.probe": "rizoma_lab.probe",
    "rizoma.ranks": "rizoma.distributed.ranks",
    "rizoma.scan": "rizoma.graph.scan",
    "rizoma.systems": "rizoma_lab.systems",
    "rizoma.views": "rizoma.queries.views",
}

# Functions of the package, and methods of its classes.
FUNCTIONS = {
    "rizoma.coarse_graph": "quotient_graph",
    "rizoma.Matches.sharing_forecast": "sharing_estimate",
    "rizoma.VertexResult.keep": "store",
}

# Attributes of its classes.
ATTRIBUTES = {
    "rizoma.Info.healing": "reordering",
    "rizoma.SeedsResult.sketches": "rr_sets",
    "rizoma.SeedsResult.sketch_entries": "rr_set_entries",
    "rizoma.SeedsResult.sketch_bytes": "rr_set_bytes",
    "rizoma.SeedsResult.sketch_read_bytes": "rr_set_read_bytes",
}

# Options, by the function that takes them.
OPTIONS = {
    "rizoma.open": {"heal": "auto_reorder", "patience": "lock_timeout"},
    "rizoma.config": {"counters": "perf_counters"},
    "rizoma.cluster": {"patience": "heartbeat_timeout"},
    "rizoma.Matches.where": {"condition": "predicate"},
}

# Keys of what is printed as JSON, and of the dictionaries that Python gets.
KEYS = {
    "rizoma.Info.to_dict": {"healing": "reordering"},
    "rizoma info --json": {"healing": "reordering"},
    "rizoma run --json": {
        "counters": "perf_counters",
        **{name.rpartition(".")[2]: new for name, new in ATTRIBUTES.items() if ".SeedsResult." in name},
    },
}

# Options of the command.
COMMAND_OPTIONS = {"rizoma run --counters": "--perf-counters"}

# Values of an option, in every function that has it.
VALUES = {"order": {"near": "locality", "cyclic": "striped"}}

ENVIRONMENT = {"RIZOMA_COUNTERS": "RIZOMA_PERF_COUNTERS", "RIZOMA_PATIENCE": "RIZOMA_HEARTBEAT_TIMEOUT"}

STRUCTURES = {"sketches": "rr_sets"}

_warned: set[str] = set()


def warn_once(old: str, new: str) -> None:
    """Warn that `old` is now `new`, once in a process."""
    if old not in _warned:
        _warned.add(old)
        warnings.warn(
            f"{old} is now {new}; use the new name, because the next release removes the old one",
            FutureWarning,
            stacklevel=3,
        )


def structure_name(name: str) -> str:
    """The present name of a structure in `result.memory`."""
    new = STRUCTURES.get(name)
    if new is not None:
        warn_once(f"the structure {name!r}", repr(new))
    return new or name


def renamed(function: Callable[P, R], old: str) -> Callable[P, R]:
    """A function under its old name, a key of FUNCTIONS."""

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        warn_once(old, FUNCTIONS[old])
        return function(*args, **kwargs)

    return call


def renamed_attribute(old: str) -> Any:
    """An attribute under its old name, a key of ATTRIBUTES."""

    def value(self: Any) -> Any:
        warn_once(old, ATTRIBUTES[old])
        return getattr(self, ATTRIBUTES[old])

    return property(value, doc=f"Deprecated: `{ATTRIBUTES[old]}`.")


class RenamedKeys(dict[str, Any]):
    """A dictionary that finds what has another key now under the old one, too.  `owner`: a key of KEYS."""

    def __init__(self, values: Mapping[str, Any], owner: str) -> None:
        super().__init__(values)
        self._owner = owner

    def __missing__(self, key: str) -> Any:
        new = KEYS[self._owner].get(key)
        if new is None or new not in self:
            raise KeyError(key)
        warn_once(f"{self._owner}()[{key!r}]", repr(new))
        return self[new]


def with_old_keys(values: Mapping[str, Any], owner: str) -> dict[str, Any]:
    """What is printed as JSON, with the old keys beside the new ones, since a file cannot warn."""
    return {**values, **{old: values[new] for old, new in KEYS[owner].items() if new in values}}


def renamed_options(owner: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A decorator: the function takes options under their old names, too.  `owner`: a key of OPTIONS."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            for old, new in OPTIONS[owner].items():
                if old in kwargs:
                    if new in kwargs:
                        raise TypeError(f"{owner}() got both {new}= and {old}=, its old name; leave {old}= out")
                    warn_once(f"{owner}({old}=)", f"{new}=")
                    kwargs[new] = kwargs.pop(old)
            return function(*args, **kwargs)

        return call

    return decorate


def new_value(option: str, value: Any) -> Any:
    """The value under its present name."""
    names = VALUES.get(option, {})
    if isinstance(value, str) and value in names:
        warn_once(f"{option}={value!r}", repr(names[value]))
        return names[value]
    return value


def environment(name: str) -> str | None:
    """A variable of the environment, also under its old name."""
    if name in os.environ:
        return os.environ[name]
    for old, new in ENVIRONMENT.items():
        if new == name and old in os.environ:
            warn_once(old, new)
            return os.environ[old]
    return None


class NamedModule(ModuleType):
    """A module whose name may be taken for that of a function."""

    def __call__(self, *_: Any, **__: Any) -> NoReturn:
        """Raise the error that says what does what the name says."""
        name = self.__name__.rpartition(".")[2]
        raise TypeError(f"{self.__name__} is a module, and cannot be called{function_meant(name, ())}")


class _Moved(NamedModule):
    """A module under its old name; the first use of it imports the new one."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # code that inspects all loaded modules
            raise AttributeError(name)
        new = MODULES[self.__name__]
        warn_once(self.__name__, new)
        return getattr(import_module(new), name)


def alias_modules() -> None:
    """Put the old names of modules beside the new ones, without importing anything."""
    for old in MODULES:
        sys.modules.setdefault(old, _Moved(old))
