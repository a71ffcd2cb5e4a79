"""The exceptions of Rizoma.

Each is a `RizomaError` and, where Python has a class that people already catch for the same cause,
that class too.  A message says what went wrong, where, and the remedy if one is known; it writes
arguments as in a call, `ids=` or `ids="string"`, which the command shows as options.  Ctrl-C during
a long call raises a plain `KeyboardInterrupt`; the graph stays usable.  An argument of a type that no call
could take, such as a path where a graph is needed, is a plain `TypeError`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .printable import printable

__all__ = [
    "AlreadyExistsError",
    "CancelledError",
    "ClosedError",
    "ClusterError",
    "ColumnNotFoundError",
    "CorruptError",
    "InvalidArgumentError",
    "LockedError",
    "NotFoundError",
    "NotInGraphError",
    "OutOfMemoryError",
    "OutOfSpaceError",
    "ParseError",
    "PermissionDeniedError",
    "ReadWarning",
    "RizomaError",
    "StorageError",
    "UnsupportedError",
    "VertexNotFoundError",
]


class RizomaError(Exception):
    """Any error of Rizoma."""

    def __str__(self) -> str:
        """Return the message; control characters in ids and names are escaped: they do not reach the terminal."""
        return printable(Exception.__str__(self))


class ReadWarning(UserWarning):
    """Something of the data was guessed, or is not kept; the message says what decides or keeps it."""


class InvalidArgumentError(RizomaError, ValueError):
    """The call asks for something that has no meaning."""


class NotFoundError(RizomaError, FileNotFoundError):
    """A file or a store that is missing."""


class ColumnNotFoundError(RizomaError, KeyError):
    """A column that a table or a result does not have."""


class NotInGraphError(RizomaError, KeyError):
    """An edge or a vertex that the graph does not have."""


class VertexNotFoundError(NotInGraphError):
    """A vertex that the graph does not have."""


class AlreadyExistsError(RizomaError, FileExistsError):
    """Something is in the way."""


class ParseError(RizomaError, ValueError):
    """Malformed input; the message names file, line and column."""


class StorageError(RizomaError, OSError):
    """The operating system refused or failed."""


class PermissionDeniedError(StorageError, PermissionError):
    """The operating system does not let this user at a file or directory."""


class OutOfSpaceError(StorageError):
    """The device is full."""


class OutOfMemoryError(RizomaError, MemoryError):
    """The memory limit or the machine's memory is exhausted."""


class CorruptError(StorageError):
    """Stored bytes fail their checksum or break an invariant."""

    def __str__(self) -> str:
        """Return the message, with what to do unless it says so."""
        said = super().__str__()
        remedy = "restore a copy of the store, or see what can be saved of it by rizoma.check(path)"
        return said if "; " in said or "rizoma" in said else f"{said}; {remedy}"


class UnsupportedError(RizomaError, ValueError):
    """A format version or feature that this build does not know."""


class LockedError(StorageError):
    """Another process writes to this store, or another thread is changing it and its progress function does not
    return.
    """


class ClusterError(RizomaError):
    """A rank of a run is lost, or ranks could not be started; the message names it."""


class ClosedError(RizomaError, ValueError):
    """The graph was closed."""


class CancelledError(RizomaError):
    """A call that was asked to stop."""


@contextmanager
def permissions_told(path: object) -> Iterator[None]:
    """Within it, a permission that Python or a library lacks for this path raises what the engine raises."""
    try:
        yield
    except PermissionError as error:
        if isinstance(error, RizomaError):
            raise
        remedy = "check the permissions of the file and its directory"
        raise PermissionDeniedError(f"cannot open {path}: Permission denied; {remedy}") from None
