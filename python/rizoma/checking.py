"""Stores on disk: verify every byte, and repair what redundancy allows."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from . import _core
from .engines import ProgressFunction, engine

__all__ = ["check", "repair"]


def check(
    path: str | PathLike[str],
    *,
    threads: int | None = None,
    progress: ProgressFunction | bool | None = None,
) -> _core.CheckReport:
    """Read and verify every byte of the store at `path`; `findings` is empty if it is whole."""
    with engine(threads, progress) as lent:
        return _core.Graph.check(Path(path), lent)


def repair(
    path: str | PathLike[str],
    *,
    threads: int | None = None,
    progress: ProgressFunction | bool | None = None,
) -> _core.RepairReport:
    """Put a whole store in the place of a damaged one, which is kept beside it (`kept`).

    `restored` and `lost` say what came of it.  A store that is whole is left alone, and `kept` is empty.
    """
    with engine(threads, progress) as lent:
        return _core.Graph.repair(Path(path), lent)
