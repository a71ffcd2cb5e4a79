"""How a store is opened in the core, and which directory a path names."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from .. import _core
from ..core.config import current
from ..core.display import shortened
from ..core.errors import CorruptError, InvalidArgumentError, NotFoundError, UnsupportedError
from ..core.files import is_store, near_names_told
from .timestamps import time_meant

__all__ = ["OpenSettings", "expect_outside_stores", "location_paths", "store_location"]


@dataclass(frozen=True)
class OpenSettings:
    """How a store is opened, each time that it is."""

    durability: _core.Durability = _core.Durability.always
    group_delay_ms: int = 10
    lock_timeout_ms: int = 10_000
    log_limit: int = 0
    medium: _core.MediumChoice = _core.MediumChoice.auto
    locations: tuple[Path, ...] = ()
    at: str = ""
    auto_reorder: bool = True
    part: bool = False

    def open(self, path: Path, mode: _core.OpenMode, schema: _core.GraphSchema) -> _core.Graph:
        """Open the directory, or create a store there."""
        try:
            with near_names_told(path, makes=mode in (_core.OpenMode.create, _core.OpenMode.open_or_create)):
                return _core.Graph.open(
                    path,
                    mode,
                    schema,
                    self.durability,
                    self.group_delay_ms,
                    self.lock_timeout_ms,
                    self.log_limit,
                    self.medium,
                    list(self.locations),
                    self.at,
                    self.auto_reorder,
                    current().memory_limit,
                    self.part,
                )
        except NotFoundError as error:
            if str(error).startswith(f"cannot open {path}{os.sep}") and is_store(path):
                raise CorruptError(f"the store {path} lacks a file: {str(error).partition(';')[0]}") from error
            if "no tag" not in str(error):
                raise
            raise NotFoundError(f"{error}{time_meant(self.at)}") from None


def _expect_local(path: Path) -> None:
    """Refuse an address, and a home directory that nothing has put in place of its sign."""
    if re.match(r"\w[\w+.-]+:/", str(path)) and not path.parent.exists():
        raise UnsupportedError(
            f"{path} is an address, but a graph is a directory of this machine; rizoma.read(address, into=path) "
            "reads files of edges from one"
        )
    if str(path).startswith("~") and not path.parent.exists():
        raise InvalidArgumentError(
            f"{path}: ~ is a home directory in a shell alone; give pathlib.Path(...).expanduser()"
        )


def expect_outside_stores(path: Path) -> None:
    """Refuse to make a store within the directory of another: what copies, moves or removes that takes it along.

    So is what other databases call one in memory.
    """
    if path.name == ":memory:":
        raise InvalidArgumentError(
            "':memory:' would be a directory: rizoma.open(None) makes a graph in memory, and so does rizoma.read "
            "without into="
        )
    with suppress(OSError):  # a directory that may not be looked into
        outer = next((each for each in Path(os.path.abspath(path)).parents if is_store(each)), None)
        if outer is not None:
            raise InvalidArgumentError(
                f"{path} lies within {outer}, which is a graph itself; make it beside that: {outer.parent / path.name}"
            )


def location_paths(locations: Iterable[str | os.PathLike[str]]) -> tuple[Path, ...]:
    """The directories that sections are spread over; one alone is no list of them."""
    if isinstance(locations, (str, bytes, os.PathLike)):
        raise InvalidArgumentError(f"locations must be a list of directories; write [{os.fspath(locations)!r}]")
    paths = list(locations)
    wrong = next((path for path in paths if not isinstance(path, (str, os.PathLike))), None)
    if wrong is not None or isinstance(locations, Mapping):
        raise InvalidArgumentError(f"locations must be a list of directories, not {shortened(repr(locations))}")
    return tuple(map(Path, paths))


def store_location(path: str | os.PathLike[str], has_store: bool = False) -> Path:
    """The directory that a path names; `has_store`: there is one, so that nothing else can be there."""
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"the path is {path!r}; give a directory as text or pathlib.Path")
    if not os.fspath(path):
        raise InvalidArgumentError('the path is empty; give a directory, such as "." for the current one')
    location = Path(os.fsdecode(path))
    if "\0" in str(location):
        raise InvalidArgumentError(
            f"the path {str(location)!r} has a NUL character, which a path cannot have; remove it"
        )
    if not has_store:
        _expect_local(location)
    if not has_store and os.path.isfile(location):  # False where permission to look is missing
        raise InvalidArgumentError(f"{location} is a file, but a graph is a directory; rizoma.read reads files")
    return location
