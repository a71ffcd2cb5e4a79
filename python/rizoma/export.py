"""Tables to files: .parquet, .csv, .tsv, .ndjson or .jsonl; text also as .gz or .zst.  Bounded memory."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any

from .errors import InvalidArgumentError, OutOfSpaceError, PermissionDeniedError, StorageError
from .json_rows import ENDINGS, json_lines
from .lazy_arrow import pa

__all__ = ["check_directory", "check_name", "numbered", "sync_directory", "write_batches", "written_whole"]

_KINDS = {
    errno.ENOSPC: OutOfSpaceError,
    errno.EDQUOT: OutOfSpaceError,
    errno.EACCES: PermissionDeniedError,
    errno.EPERM: PermissionDeniedError,
}
_COMPRESSION = {".gz": "gzip", ".zst": "zstd"}
_DELIMITERS = {".csv": ",", ".tsv": "\t"}


def _kind(path: Path) -> tuple[str, str | None]:
    """Ending that names the format, and the compression."""
    compression = _COMPRESSION.get(path.suffix)
    ending = (path.with_suffix("") if compression else path).suffix
    return ending, compression


def check_name(path: Path) -> None:
    """Raise InvalidArgumentError if the name tells no format, StorageError if there is no such directory."""
    ending, compression = _kind(path)
    if ending not in (*_DELIMITERS, *ENDINGS) and (ending != ".parquet" or compression is not None):
        raise InvalidArgumentError(
            f"cannot tell the format of {path}; use .parquet, .csv, .tsv or .ndjson (these also with .gz or .zst)"
        )
    check_directory(path)


def numbered(path: Path, number: int) -> Path:
    """The name with a number before the endings that tell format and compression: rows-0.csv.gz."""
    ending, compression = _kind(path)
    endings = ending + (path.suffix if compression else "")
    return path.with_name(f"{path.name.removesuffix(endings)}-{number}{endings}")


def sync_directory(directory: Path) -> None:
    """Make the names in a directory durable."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def check_directory(path: Path) -> None:
    """Raise StorageError if there is no directory to write the file in."""
    if not path.absolute().parent.is_dir():
        raise StorageError(f"cannot write {path}: there is no directory {path.parent}")


def write_batches(path: Path, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> None:
    """Write all batches in the format that the name tells."""
    check_name(path)
    with written_whole(path) as part, _writer(part, *_kind(path), schema) as writer:
        for batch in batches:
            writer.write(batch)


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Name of a file to write, which then takes the place of `path`: that ends whole or as it was."""
    part = path.with_name(path.name + ".part")
    try:
        yield part
        with part.open("rb") as written:
            os.fsync(written.fileno())  # else a crash could leave the name with nothing behind it
        os.replace(part, path)
        sync_directory(path.absolute().parent)
    except OSError as error:
        kind = _KINDS.get(error.errno or 0, StorageError)
        raise kind(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        with suppress(OSError):  # gone, or never there
            part.unlink()


def _writer(
    path: Path, ending: str, compression: str | None, schema: pa.Schema
) -> AbstractContextManager[Any]:
    if ending == ".parquet":
        from pyarrow import parquet

        return parquet.ParquetWriter(path, schema)  # type: ignore[no-any-return]
    if ending in ENDINGS:
        return _JsonLinesWriter(path, compression)
    return _TextWriter(path, _DELIMITERS[ending], compression, schema)


class _JsonLinesWriter:
    """A writer of JSON lines over a possibly compressed file."""

    def __init__(self, path: Path, compression: str | None) -> None:
        self._stream = pa.output_stream(str(path), compression=compression)

    def __enter__(self) -> _JsonLinesWriter:
        return self

    def write(self, batch: pa.RecordBatch) -> None:
        self._stream.write("".join(json_lines(batch)).encode())

    def __exit__(self, *_: object) -> None:
        self._stream.close()


class _TextWriter:
    """A CSV writer over a possibly compressed file."""

    def __init__(self, path: Path, delimiter: str, compression: str | None, schema: pa.Schema) -> None:
        from pyarrow import csv

        self._stream = pa.output_stream(str(path), compression=compression)
        options = csv.WriteOptions(delimiter=delimiter, quoting_style="needed")
        self._writer = csv.CSVWriter(self._stream, schema, write_options=options)

    def __enter__(self) -> Any:
        return self._writer

    def __exit__(self, *_: object) -> None:
        self._writer.close()
        self._stream.close()
