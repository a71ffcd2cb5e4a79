"""Stores on disk: verify every byte, and repair what redundancy allows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path

from .. import _core
from ..core.arguments import names_checked
from ..core.engines import ProgressFunction, engine
from ..core.errors import CorruptError, NotFoundError
from ..core.files import is_store, near_names_told
from ..core.plain_report import explain_report
from .open_settings import location_paths, store_location

__all__ = ["check", "repair", "too_little_left", "too_little_told", "upgrade"]

_FOUND = dict.fromkeys(("errors", "problems", "damage"), "findings")
explain_report(_core.CheckReport, **_FOUND, ok="findings, which is empty if all is well", bytes="bytes_checked")
explain_report(_core.RepairReport, **dict.fromkeys(_FOUND, "found, restored and lost"))
explain_report(_core.CheckFinding, message="what", path="where")


@names_checked
def check(
    path: str | PathLike[str],
    *,
    locations: Iterable[str | PathLike[str]] = (),
    threads: int | None = None,
    progress: ProgressFunction | bool | None = None,
) -> _core.CheckReport:
    """Read and verify every byte of the store at `path`; `findings` is empty if it is whole.

    `locations` is needed only if directories that the sections are spread over have moved.

    Raises NotFoundError if there is no store at `path`, CancelledError.  Cost: it reads the whole store once.
    """
    store = store_location(path)
    with near_names_told(store), engine(threads, progress) as borrowed:
        return _core.Graph.check(store, borrowed, list(location_paths(locations)))


@names_checked
def repair(
    path: str | PathLike[str],
    *,
    locations: Iterable[str | PathLike[str]] = (),
    threads: int | None = None,
    progress: ProgressFunction | bool | None = None,
) -> _core.RepairReport:
    """Put a whole store in the place of a damaged one, which is kept beside it (`kept`).

    `restored` and `lost` say what came of it.  Tagged states that are whole are kept, others lost. A store that is
    whole is left alone, and `kept` is empty. The repaired graph is at `path` alone.  What the damaged one has in other
    directories is kept there under its new name (`kept_locations`), so that the graph can be spread over them again;
    `locations` is needed only if they have moved.

    Raises NotFoundError, LockedError if another process has the store open, CorruptError if too little of it is left,
    OutOfSpaceError.  Cost: that of `check`, and of a load of all edges if the store is damaged.
    """
    store = store_location(path)
    with near_names_told(store), too_little_told(store), engine(threads, progress) as borrowed:
        return _core.Graph.repair(store, borrowed, list(location_paths(locations)))


def too_little_left(store: Path) -> str:
    """Why nothing of a damaged store can be repaired, and what to do instead; empty: something can."""
    if (store / "data").exists() or not is_store(store):
        return ""
    return f"{store} lacks its file data, which has the edges: nothing can be repaired; restore the store from a copy"


@contextmanager
def too_little_told(store: Path) -> Iterator[None]:
    """Within it, a repair for which there is too little raises CorruptError with the reason."""
    try:
        yield
    except NotFoundError:
        if why := too_little_left(store):
            raise CorruptError(why) from None
        raise


@names_checked
def upgrade(path: str | PathLike[str], *, locations: Iterable[str | PathLike[str]] = ()) -> bool:
    """Make a store of an earlier format one of the present format; return False if it was one already.

    `path` and `locations` are those of `check`.  The manifest is written again beside the old one, and takes its place
    in one step: a crash leaves one format or the other, whole.  Sections, ids and logs stay as they are.  A store of an
    earlier format can be read without this (`rizoma.open(path, mode="read_only")`), but not changed.

    Raises NotFoundError, LockedError, CorruptError, UnsupportedError if the format is newer.  Cost: O(sections).
    """
    store = store_location(path)
    with near_names_told(store):
        return _core.upgrade(store, list(location_paths(locations)))
