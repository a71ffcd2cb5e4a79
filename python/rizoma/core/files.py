"""Files that end whole or as they were, and the system's errors about them."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .display import shortened
from .errors import AlreadyExistsError, NotFoundError, OutOfSpaceError, PermissionDeniedError, RizomaError, StorageError
from .suggestions import suggestion

__all__ = [
    "cannot_write",
    "check_directory",
    "is_store",
    "near_names_told",
    "sync_directory",
    "told_of",
    "written_whole",
]

_SHOWN = 3  # names beside a file that is not there

_MADE_OF_FILES = "rizoma.read makes one of files"

_KINDS = {
    errno.ENOSPC: OutOfSpaceError,
    errno.EDQUOT: OutOfSpaceError,
    errno.EACCES: PermissionDeniedError,
    errno.EPERM: PermissionDeniedError,
}


def is_store(path: Path) -> bool:
    """Whether a graph is stored there.  Raises OSError where the system does not tell."""
    return (path / "superblock").exists()


def sync_directory(directory: Path) -> None:
    """Make the names in a directory durable."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def cannot_write(path: Path, error: OSError) -> StorageError:
    """The error to raise where the system has one."""
    kind = _KINDS.get(error.errno or 0, StorageError)
    return kind(f"cannot write {path}: {os.strerror(error.errno) if error.errno else error}")


@contextmanager
def told_of(place: Path) -> Iterator[None]:
    """Errors of the system, such as a full disk, as those of the place."""
    try:
        yield
    except RizomaError:  # some of which are an OSError, too
        raise
    except OSError as error:
        raise cannot_write(place, error) from error


@contextmanager
def near_names_told(path: Path, makes: bool = False) -> Iterator[None]:
    """Within it, a path that is not there raises with the name beside it that resembles its name.

    Unless a store is made there, so does a directory of other files with how one is made of them.
    """
    try:
        yield
    except (AlreadyExistsError, NotFoundError) as error:
        said, others, _ = str(error).partition("; give a new or empty directory")
        if others and not makes:
            raise NotFoundError(f"{said}; {_MADE_OF_FILES}") from None
        if isinstance(error, AlreadyExistsError):
            raise
        if os.path.islink(path) and not path.exists():
            raise NotFoundError(f"{error}; {path} is a link to {os.readlink(path)}, which is not there") from None
        how = f"; {_MADE_OF_FILES}" if "there is no graph" in str(error) else ""
        if os.path.lexists(path):
            raise NotFoundError(f"{error}{how}") from None
        raise NotFoundError(f"{error}{_near(path) or how or _beside(path)}") from None


def _near(path: Path) -> str:
    try:
        names = os.listdir(path.parent)
    except (FileNotFoundError, NotADirectoryError):
        return f"; there is no directory {path.parent} either"
    except OSError:  # it may not be read
        return ""
    stem = _stem(path.name)
    same = sorted(name for name in names if _stem(name) == stem)
    near = same or [name for name in names if suggestion(stem, [_stem(name)])]
    store = f"{path.name}.rz"
    meant = store if store in names else suggestion(path.name, near) or next(iter(same), None)
    return f"; did you mean {path.parent / meant}?" if meant else ""


def _stem(name: str) -> str:
    """A name without its endings, of which that of a compressed file is one: another may resemble by these alone."""
    return Path(re.sub(r"\.(gz|zst|bz2|xz)$", "", name)).stem


def _beside(path: Path) -> str:
    """What there is where a file is not; empty if that cannot be said."""
    directory = os.path.abspath(path.parent)
    try:
        names = sorted(name for name in os.listdir(directory) if not name.startswith("."))
    except OSError:
        return ""
    shown = ", ".join([shortened(name) for name in names[:_SHOWN]] + ["..."] * (len(names) > _SHOWN))
    return f"; {directory} has {shown}" if names else f"; {directory} is empty"


def check_directory(path: Path) -> None:
    """Raise StorageError if there is not a directory to write the file in."""
    with suppress(PermissionError):  # what writes the file says so
        if not path.absolute().parent.is_dir():
            raise StorageError(f"cannot write {path}: there is no directory {path.parent}; make it first (mkdir -p)")


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Name of a file to write, which then takes the place of `path`: that ends whole or as it was."""
    part = path.with_name(path.name + ".part")
    try:
        yield part
        with part.open("rb") as written:
            os.fsync(written.fileno())  # otherwise a crash could leave an empty file of this name
        os.replace(part, path)
        sync_directory(path.absolute().parent)
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        with suppress(OSError):  # gone, or never there
            part.unlink()
