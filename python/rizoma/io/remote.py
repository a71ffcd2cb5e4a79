"""Files at URLs: s3://, gs://, https:// and what else fsspec knows, brought here before they are read."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from ..core.errors import InvalidArgumentError, NotFoundError, StorageError, UnsupportedError

__all__ = ["fetch", "is_url", "local_copies", "name_in", "path_here"]

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://.+")


def is_url(file: object) -> bool:
    """Whether a file is named by a URL."""
    return isinstance(file, str) and _URL.fullmatch(file) is not None


@contextmanager
def local_copies(files: Sequence[str | os.PathLike[str]]) -> Iterator[list[Path]]:
    """Paths of the files here; copies of those at URLs go when the block ends."""
    if not any(is_url(file) for file in files):
        yield [Path(file) for file in files]
        return
    with tempfile.TemporaryDirectory(prefix="rizoma-") as place:
        directories = [Path(place) / str(number) for number in range(len(files))]
        yield [
            path_here(file) or _fetched(str(file), directory)
            for file, directory in zip(files, directories, strict=True)
        ]


def name_in(url: str) -> str:
    """The name of the file at a URL, without directories."""
    name = Path(urlsplit(url).path).name or urlsplit(url).netloc
    if not name:
        raise InvalidArgumentError(f"{url} names no file; give the URL of a file")
    return name


def fetch(url: str, place: Path) -> None:
    """Copy what a URL names to a file here."""
    try:
        import fsspec
    except ImportError:
        raise UnsupportedError(f"reading {url} needs fsspec; install it (pip install rizoma[remote])") from None
    with _told(url), fsspec.open(url, "rb") as source, open(place, "wb") as copy:
        shutil.copyfileobj(source, copy, 1 << 20)


def path_here(file: str | os.PathLike[str]) -> Path | None:
    """Where a file lies; None for a URL of elsewhere."""
    if not isinstance(file, str) or not is_url(file):
        return Path(file)
    return Path(unquote(urlsplit(file).path)) if urlsplit(file).scheme == "file" else None


def _fetched(url: str, directory: Path) -> Path:
    place = directory / name_in(url)
    directory.mkdir()
    fetch(url, place)
    return place


@contextmanager
def _told(url: str) -> Iterator[Any]:
    """Turn what fsspec and its file systems raise into errors of Rizoma."""
    try:
        yield
    except FileNotFoundError as error:
        raise NotFoundError(f"there is no file {url}; check the address") from error
    except (ImportError, ValueError) as error:  # no such protocol, or a package for it is missing
        raise UnsupportedError(
            f"cannot read {url}: {error}; install what reads such an address, or fetch the file first"
        ) from error
    except OSError as error:
        raise StorageError(f"cannot read {url}: {error}; try again, or fetch the file first") from error
