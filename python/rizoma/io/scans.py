"""Tables that are scanned: Parquet files, directories that are one table (partitions, Delta, Iceberg), datasets.

A scan has units (files, as a rule), which ranks divide among themselves.  It reads the columns that are asked for, of
the rows that a predicate may keep, and no others.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from ..core.errors import ParseError, UnsupportedError
from ..core.lazy_arrow import pa
from .hive import hive_dataset
from .predicate_pushdown import Bound, pushed_down

__all__ = ["ROWS", "DatasetScan", "ParquetScan", "Scan", "Wanted", "is_lake", "scan_of", "scan_of_object"]

ROWS = 1 << 20  # rows held at a time


def _of_parquet(error: Exception) -> str:
    """What is wrong with a file that is read as Parquet."""
    if "magic bytes" in str(error) or "file size is" in str(error):
        return "this is no Parquet file, or its end is missing; if it is another format, name that (format=)"
    return str(error)


@dataclass(frozen=True)
class Wanted:
    """Columns of the units from `first` to before `end`; rows that break a bound of `keep` may be left out."""

    columns: Sequence[str]
    keep: Sequence[Bound] = ()
    first: int = 0
    end: int | None = None
    rows: int = ROWS
    """Of a batch, at most."""


class Scan(Protocol):
    """A table in units."""

    kind: str
    """What reports call it."""
    schema: pa.Schema

    def sizes(self) -> list[int]:
        """Bytes of each unit."""

    def num_rows(self) -> int:
        """Rows of all units; more where some were deleted."""

    def rows_before(self, unit: int) -> int:
        """Rows of the units before one."""

    def bounds(self, column: str) -> tuple[int, int] | None:
        """The least and the greatest value of a column of integers, if the table knows it without a look at all."""

    def batches(self, wanted: Wanted) -> Iterator[Any]:
        """What is wanted, in batches."""


def is_lake(path: Path) -> bool:
    """Whether a log beside the files of a directory says which of them count."""
    return (path / "_delta_log").is_dir() or any((path / "metadata").glob("*.metadata.json"))


def scan_of(path: Path, files: Iterable[Path]) -> Scan:
    """The table that a directory is; `files`: its data files, which a table without a log consists of."""
    if (path / "_delta_log").is_dir():
        return _told(path, _delta)
    if is_lake(path):
        return _told(path, _iceberg)
    return DatasetScan("partitioned parquet", hive_dataset(path, list(files)))


def scan_of_object(data: Any) -> Scan | None:
    """A dataset of pyarrow, a table of deltalake or of pyiceberg; None: something else."""
    package = type(data).__module__.partition(".")[0]
    if type(data).__module__ == "pyarrow._dataset" and hasattr(data, "get_fragments"):
        return DatasetScan("dataset", data)
    if package == "deltalake" and hasattr(data, "to_pyarrow_dataset"):
        return _delta_scan(data)
    return _IcebergScan(data) if package == "pyiceberg" and hasattr(data, "scan") else None


def _told(path: Path, open_table: Callable[[Path], Scan]) -> Scan:
    """Raise another package's errors with the name of the table."""
    try:
        return open_table(path)
    except (UnsupportedError, ParseError):
        raise
    except Exception as error:
        raise ParseError(f"{path}: {error}") from error


class ParquetScan:
    """A Parquet file: a unit a row group."""

    kind = "parquet"

    def __init__(self, path: Path) -> None:
        from pyarrow import parquet

        try:
            self._file = parquet.ParquetFile(path)
        except pa.ArrowInvalid as error:
            raise ParseError(f"{path}: {_of_parquet(error)}") from error
        self._path = path
        self.schema = self._file.schema_arrow
        meta = self._file.metadata
        self._groups = [meta.row_group(i) for i in range(meta.num_row_groups)]

    def sizes(self) -> list[int]:
        """Bytes of each row group as they lie on disk; those that the file tells are as if nothing were compressed."""
        sizes = [group.total_byte_size for group in self._groups]
        on_disk = self._path.stat().st_size
        return [size * on_disk // max(sum(sizes), 1) for size in sizes] or [on_disk]

    def num_rows(self) -> int:
        """Rows of the file."""
        return int(self._file.metadata.num_rows)

    def rows_before(self, unit: int) -> int:
        """Rows of the row groups before one."""
        return sum(int(group.num_rows) for group in self._groups[:unit])

    def bounds(self, column: str) -> tuple[int, int] | None:
        """By the file's statistics, if it has them."""
        leaves = [self._file.schema.column(i).path for i in range(self._file.metadata.num_columns)]
        number = leaves.index(column)  # nested columns have several
        found = [group.column(number).statistics for group in self._groups]
        if any(each is None or not each.has_min_max for each in found):
            return None
        return min(int(each.min) for each in found), max(int(each.max) for each in found)

    def batches(self, wanted: Wanted) -> Iterator[Any]:
        """See `Scan`; `keep` leaves out row groups by their statistics."""
        groups = list(range(len(self._groups)))[wanted.first : wanted.end]
        expression = pushed_down(wanted.keep, self.schema)
        if expression is not None:
            from pyarrow.dataset import ParquetFileFormat
            from pyarrow.fs import LocalFileSystem

            fragment = ParquetFileFormat().make_fragment(str(self._path), LocalFileSystem(), row_groups=groups)
            groups = [group.id for group in fragment.subset(filter=expression, schema=self.schema).row_groups]
        return self._file.iter_batches(wanted.rows, row_groups=groups, columns=list(wanted.columns))  # type: ignore[no-any-return]


class DatasetScan:
    """A dataset of pyarrow: a unit a fragment; one that has a filter of its own is one unit."""

    def __init__(self, kind: str, dataset: Any) -> None:
        self.kind = kind
        self.schema = dataset.schema
        self._dataset = dataset
        try:
            self._fragments: list[Any] | None = list(dataset.get_fragments())
        except ValueError:  # filtered, or projected
            self._fragments = None

    def sizes(self) -> list[int]:
        """Bytes of each unit, by the sizes of files where they have some."""
        return [1] if self._fragments is None else [_size(fragment) for fragment in self._fragments] or [0]

    def num_rows(self) -> int:
        """Rows of all units."""
        return int(self._dataset.count_rows())

    def rows_before(self, unit: int) -> int:
        """Rows of the units before one."""
        if self._fragments is None:
            return self.num_rows() if unit else 0
        return sum(int(fragment.count_rows()) for fragment in self._fragments[:unit])

    def bounds(self, column: str) -> None:  # noqa: ARG002 -- each file would have to be opened
        """Not known."""
        return None

    def batches(self, wanted: Wanted) -> Iterator[Any]:
        """See `Scan`."""
        expression = pushed_down(wanted.keep, self.schema)
        if self._fragments is None:
            yield from self._dataset.to_batches(columns=list(wanted.columns), filter=expression, batch_size=wanted.rows)
            return
        for fragment in self._fragments[wanted.first : wanted.end]:
            yield from fragment.to_batches(
                schema=self.schema,
                columns=list(wanted.columns),
                filter=expression,
                batch_size=wanted.rows,
                batch_readahead=2,
                fragment_readahead=1,
            )


def _size(fragment: Any) -> int:
    try:
        return int(fragment.filesystem.get_file_info(fragment.path).size or 0)
    except (AttributeError, OSError):  # in memory
        return 1


def _delta(path: Path) -> Scan:
    try:
        from deltalake import DeltaTable
    except ImportError:
        raise UnsupportedError(
            f"{path} is a Delta table, of which not all files count: pip install rizoma[lake] (or deltalake) to read it"
        ) from None
    return _delta_scan(DeltaTable(os.fspath(path)))


def _delta_scan(table: Any) -> Scan:
    from deltalake.exceptions import DeltaProtocolError

    try:
        return DatasetScan("delta", table.to_pyarrow_dataset())
    except DeltaProtocolError:  # deleted rows, or renamed columns, which deltalake handles
        return _DeltaStream(table)


class _DeltaStream:
    """A Delta table whose files hold rows that do not count, or columns of other names: one unit."""

    kind = "delta"

    def __init__(self, table: Any) -> None:
        self._table = table
        self.schema = pa.schema(table.schema().to_arrow())

    def sizes(self) -> list[int]:
        """Bytes of all files."""
        return [sum(pa.table(self._table.get_add_actions(flatten=True))["size_bytes"].to_pylist())]

    def num_rows(self) -> int:
        """Rows that count."""
        return int(self._table.count())

    def rows_before(self, unit: int) -> int:
        """Rows of the units before one."""
        return self.num_rows() if unit else 0

    def bounds(self, column: str) -> None:  # noqa: ARG002 -- of rows that do not count, too
        """Not known."""
        return None

    def batches(self, wanted: Wanted) -> Iterator[Any]:
        """See `Scan`; all of it, in the batches that it comes in."""
        yield from pa.RecordBatchReader.from_stream(self._table.scan(columns=list(wanted.columns)))


def _iceberg(path: Path) -> Scan:
    try:
        from pyiceberg.table import StaticTable
    except ImportError:
        raise UnsupportedError(
            f"{path} is an Iceberg table, of which not all files count: pip install rizoma[lake] (or "
            "'pyiceberg[pyarrow]') to read it"
        ) from None
    return _IcebergScan(StaticTable.from_metadata(os.fspath(_newest_metadata(path))))


def _newest_metadata(path: Path) -> Path:
    """The metadata that the hint names, or else of the greatest version."""
    folder = path / "metadata"
    if (folder / "version-hint.text").exists():
        hint = (folder / "version-hint.text").read_text(encoding="utf-8").strip()
        named = hint if hint.endswith(".metadata.json") else f"{'v' * hint.isdecimal()}{hint}.metadata.json"
        return folder / named
    numbers = {each: _version(each.name) for each in folder.glob("*.metadata.json")}
    newest = [each for each, number in numbers.items() if number == max(numbers.values())]
    if len(newest) > 1:
        raise ParseError(
            f"{path}: {newest[0].name} and {newest[1].name} have one version, and only the catalog of the table knows "
            "which one counts; give rizoma.read the table's scan().to_arrow_batch_reader()"
        )
    return newest[0]


def _version(name: str) -> int:
    digits = name.removeprefix("v").partition("-")[0].partition(".")[0]
    return int(digits) if digits.isdecimal() else -1


class _IcebergScan:
    """A state of an Iceberg table: a unit a data file, with the deletions that concern it."""

    kind = "iceberg"

    def __init__(self, table: Any) -> None:
        from pyiceberg.io.pyarrow import schema_to_pyarrow

        self._table = table
        self._tasks = sorted(table.scan().plan_files(), key=lambda task: task.file.file_path)
        self.schema = schema_to_pyarrow(table.schema(), include_field_ids=False)

    def sizes(self) -> list[int]:
        """Bytes of each data file."""
        return [int(task.file.file_size_in_bytes) for task in self._tasks] or [0]

    def num_rows(self) -> int:
        """Rows of the data files, those that were deleted included."""
        return self.rows_before(len(self._tasks))

    def rows_before(self, unit: int) -> int:
        """Rows of the units before one."""
        return sum(int(task.file.record_count) for task in self._tasks[:unit])

    def bounds(self, column: str) -> None:  # noqa: ARG002 -- of rows that do not count, too
        """Not known."""
        return None

    def batches(self, wanted: Wanted) -> Iterator[Any]:
        """See `Scan`."""
        from pyiceberg.expressions import AlwaysTrue
        from pyiceberg.io.pyarrow import ArrowScan

        expression = pushed_down(wanted.keep, self.schema)
        schema = self._table.scan(selected_fields=tuple(wanted.columns)).projection()
        scan = ArrowScan(self._table.metadata, self._table.io, schema, AlwaysTrue())
        for batch in scan.to_record_batches(self._tasks[wanted.first : wanted.end]):
            table = pa.Table.from_batches([batch])
            yield from (table if expression is None else table.filter(expression)).to_batches(wanted.rows)
