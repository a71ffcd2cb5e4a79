"""Directories and patterns as the files that they stand for, in a stable order."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..core.errors import NotFoundError, UnsupportedError, permissions_told
from .remote import is_url

__all__ = ["expanded"]

_AS_DATASET = "give rizoma.read {}"


def expanded(files: Sequence[Any]) -> list[Any]:
    """Each file or table; in place of a directory or a pattern the files that it stands for, sorted by their paths.

    Left out are names that begin with . or _ or end with .crc, and whole Rizoma stores: none of them is data.
    What a directory says beyond its files (partitions, Delta, Iceberg) is refused: it would be lost.
    """
    return [found for file in files for found in _files_of(file)]


def _files_of(file: Any) -> list[Any]:
    if not isinstance(file, (str, os.PathLike)) or is_url(file):
        return [file]
    path = Path(file)
    with permissions_told(path):
        if path.is_dir():
            return [path] if _is_store(path) else _directory(path)
        if path.exists() or not glob.has_magic(os.fspath(file)):
            return [file]
    return _matches(os.fspath(file))


def _matches(pattern: str) -> list[Path]:
    named = set(Path(pattern).parts)
    found: list[Path] = []
    for match in sorted(glob.glob(pattern, recursive=True)):
        path = Path(match)
        if _is_data(path.name) and path.is_file():
            _expect_no_partition(path, [part for part in path.parts if part not in named], Path(pattern))
            found.append(path)
    if not found:
        raise NotFoundError(f"no file matches {pattern}")
    return found


def _directory(top: Path) -> list[Path]:
    _expect_no_lake(top)
    found = sorted(_walk(top))
    for path in found:
        _expect_no_partition(path, path.relative_to(top).parts[:-1], top)
    if not found:
        raise NotFoundError(f"{top} is a directory without a file to read")
    return found


def _walk(top: Path) -> Iterator[Path]:
    """The data files below a directory."""
    for place, directories, names in os.walk(top):
        directories[:] = [name for name in directories if _is_data(name) and not _is_store(Path(place, name))]
        for name in directories:
            _expect_no_lake(Path(place, name))
        yield from (Path(place, name) for name in names if _is_data(name) and Path(place, name).is_file())


def _is_data(name: str) -> bool:
    return not name.startswith((".", "_")) and not name.endswith(".crc")


def _is_store(path: Path) -> bool:
    return (path / "superblock").exists()


def _expect_no_lake(path: Path) -> None:
    """A log beside the files says which of them count: to read all would bring back what was deleted."""
    if (path / "_delta_log").is_dir():
        remedy = _AS_DATASET.format(f"deltalake.DeltaTable({str(path)!r}).to_pyarrow_dataset()")
        raise UnsupportedError(
            f"{path} is a Delta table, of which not all files count: pip install deltalake, {remedy}"
        )
    if any((path / "metadata").glob("*.metadata.json")):
        remedy = _AS_DATASET.format("table.scan().to_arrow() of the table")
        raise UnsupportedError(
            f"{path} is an Iceberg table, of which not all files count: pip install 'pyiceberg[pyarrow]', {remedy}"
        )


def _expect_no_partition(path: Path, directories: Sequence[str], asked: Path) -> None:
    """Names of directories such as year=2024 are a column, which the files do not have."""
    partition = next((name for name in directories if "=" in name[1:]), None)
    if partition is not None:
        top = str(path).partition(partition)[0].rstrip(os.sep) or "."
        remedy = _AS_DATASET.format(f"pyarrow.dataset.dataset({top!r}, partitioning='hive')")
        raise UnsupportedError(
            f"{asked}: the directory {partition} says the value of a column that {path.name} does not have; {remedy}"
        )
