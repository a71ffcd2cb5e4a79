"""Directories and patterns as the files that they stand for, in a stable order."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..core.errors import NotFoundError, UnsupportedError, permissions_told
from ..core.files import is_store
from ..core.read_warnings import warn_of
from .export import is_parquet
from .hive import partition_in
from .remote import is_url
from .scans import Scan, is_lake, scan_of
from .unsupported import refuse_text

__all__ = ["expanded", "table_in"]

_COPY = re.compile(
    r"~$|^~\$|^#.*#$|\.(bak|backup|old|orig|rej|save|swp|swo|tmp|temp|part|partial|crdownload)$", re.IGNORECASE
)


def expanded(files: Sequence[Any]) -> list[Any]:
    """Each file or table; in place of a directory or a pattern the files that it stands for, sorted by their paths.

    Left out are names that begin with . or _ or end with .crc, and whole Rizoma stores: none of them is data.  So are
    copies that editors, tools and downloads leave (a.csv~, a.csv.bak, a.csv.part), with a warning.
    A directory that is one table (partitions, Delta, Iceberg) stays as it is: `table_in` opens it.
    """
    return [found for file in files for found in _files_of(file)]


def _without_copies(paths: list[Path], whose: object) -> list[Path]:
    """The files without copies of others, which a warning names."""
    copies = [path for path in paths if _COPY.search(path.name)]
    if copies:
        some = ", ".join(path.name for path in copies[:3]) + (", ..." if len(copies) > 3 else "")
        warn_of(
            [f"{whose}: not read: {some}, by the name a copy or a part of a file; name such a file itself to read it"]
        )
    return [path for path in paths if path not in set(copies)]


def _files_of(file: Any) -> list[Any]:
    if not isinstance(file, (str, os.PathLike)) or is_url(file):
        return [file]
    refuse_text(os.fspath(file))
    path = Path(file)
    with permissions_told(path):
        if path.is_dir():
            return [path] if is_store(path) else _directory(path)
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
    found = _without_copies(found, pattern)
    if not found:
        raise NotFoundError(f"no file matches {pattern}; * stands for part of a name, ** for directories, too")
    return found


def _directory(top: Path) -> list[Path]:
    if is_lake(top):
        return [top]
    found = _without_copies(sorted(_walk(top)), top)
    if not found:
        raise NotFoundError(f"{top} is a directory without a file to read; name the files")
    in_partitions = [path for path in found if partition_in(path.relative_to(top).parts[:-1])]
    if not in_partitions:
        return found
    for path in found:
        if not is_parquet(path):
            raise UnsupportedError(
                f"{top}: the directory {partition_in(in_partitions[0].parts)} says the value of a column, which counts "
                f"for Parquet files alone, and {path} is none; give rizoma.read pyarrow.dataset.dataset({str(top)!r}, "
                "format='csv', partitioning='hive')"
            )
    return [top]


def table_in(path: Path) -> Scan:
    """The one table that a directory is."""
    return scan_of(path, _without_copies(sorted(_walk(path)), path))


def _walk(top: Path) -> Iterator[Path]:
    """The data files below a directory, and the directories that are tables with a log."""
    for place, directories, names in os.walk(top):
        below = [name for name in directories if _is_data(name) and not is_store(Path(place, name))]
        directories[:] = [name for name in below if not is_lake(Path(place, name))]
        yield from (Path(place, name) for name in below if name not in directories)
        yield from (Path(place, name) for name in names if _is_data(name) and Path(place, name).is_file())


def _is_data(name: str) -> bool:
    return not name.startswith((".", "_")) and not name.endswith(".crc")


def _expect_no_partition(path: Path, directories: Sequence[str], asked: Path) -> None:
    """Refuse a pattern across directories such as year=2024: their names are a column that the files lack."""
    partition = partition_in(directories)
    if partition is not None:
        top = str(path).partition(partition)[0].rstrip(os.sep) or "."
        raise UnsupportedError(
            f"{asked}: the directory {partition} says the value of a column that {path.name} does not have; read the "
            f"directory {top} (where= reads some of it), or name {partition} in the pattern"
        )
