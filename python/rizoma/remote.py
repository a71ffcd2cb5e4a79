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

from .errors import InvalidArgumentError, NotFoundError, StorageError, UnsupportedError

__all__ = ["is_url", "local_copies"]

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
            _fetched(str(file), directory) if is_url(file) else Path(file)
            for file, directory in zip(files, directories, strict=True)
        ]


def _fetched(url: str, directory: Path) -> Path:
    if urlsplit(url).scheme == "file":
        return Path(unquote(urlsplit(url).path))
    try:
        import fsspec
    except ImportError:
        raise UnsupportedError(f"reading {url} needs fsspec: pip install rizoma[remote]") from None
    name = Path(urlsplit(url).path).name or urlsplit(url).netloc
    if not name:
        raise InvalidArgumentError(f"{url} names no file")
    directory.mkdir()
    with _told(url), fsspec.open(url, "rb") as source, open(directory / name, "wb") as copy:
        shutil.copyfileobj(source, copy, 1 << 20)
    return directory / name


@contextmanager
def _told(url: str) -> Iterator[Any]:
    """Turn what fsspec and its file systems raise into errors of Rizoma."""
    try:
        yield
    except FileNotFoundError as error:
        raise NotFoundError(f"there is no file {url}") from error
    except (ImportError, ValueError) as error:  # no such protocol, or a package for it is missing
        raise UnsupportedError(f"cannot read {url}: {error}") from error
    except OSError as error:
        raise StorageError(f"cannot read {url}: {error}") from error
