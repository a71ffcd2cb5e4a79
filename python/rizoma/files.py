"""One edge file to be read: what it says of itself, and its way into a bulk load or a change."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from . import _core
from .documents import DocumentFile
from .errors import InvalidArgumentError, NotFoundError, ParseError
from .formats import format_of
from .lazy_arrow import pa
from .loading import Change, fill, id_kind, prepare
from .options import enum_value
from .tables import ColumnNames, EdgeColumns, EdgeSource
from .tables.arrow import from_batches
from .vertex_ids import arrow_ids, id_array

__all__ = ["DIRECTED_KEY", "EdgeFile", "plan"]

DIRECTED_KEY = b"rizoma.directed"  # in the metadata of a Parquet file's schema: true or false

_ROWS = 1 << 20  # rows of a Parquet file held at a time


class EdgeFile(Protocol):
    """A file of edges."""

    directed: bool
    weights: str | None
    ids: str

    def load(self, load: _core.BulkLoad, schema: _core.GraphSchema, lent: _core.Engine) -> None:
        """Read everything into a bulk load."""

    def gather(self, change: Change, schema: _core.GraphSchema, lent: _core.Engine) -> None:
        """Read everything into a change."""


def plan(
    path: Path,
    format: str,
    names: ColumnNames,
    weights: str | bool | None,
    ids: str | None,
    directed: bool | None,
) -> EdgeFile:
    """Look at a file's name, header and first lines."""
    if format == "parquet" or (format == "auto" and path.suffix in (".parquet", ".pq")):
        return _ParquetFile(path, names, ids, directed)
    document = format_of(path, format)
    if document is not None:
        if names.source or names.target or names.weight:
            raise InvalidArgumentError(f"{path}: only CSV and Parquet files have columns to choose")
        return DocumentFile(path, document, ids, directed)
    options = _core.ReadOptions()
    options.format = enum_value(_core.FileFormat, "format", format)
    options.directed = directed
    options.ids = None if ids is None else enum_value(_core.IdKind, "ids", ids)
    options.source_column = names.source or ""
    options.target_column = names.target or ""
    options.weight_column = names.weight or ""
    options.weighted = bool(weights)
    summary = _core.inspect(path, options)
    if (names.source or names.target) and summary.format != _core.FileFormat.csv:
        raise InvalidArgumentError(
            f"{path}: only CSV and Parquet files have columns to choose, and this is {summary.format.name}; "
            'give format="csv" if it is one'
        )
    return _TextFile(path, options, summary)


class _TextFile:
    """A file that the core reads."""

    def __init__(self, path: Path, options: _core.ReadOptions, summary: _core.FileSummary) -> None:
        self._path = path
        self._options = options
        self.directed = summary.directed
        self.weights = None if summary.weights == _core.WeightType.none else summary.weights.name
        self.ids = summary.ids.name

    def _fit(self, schema: _core.GraphSchema) -> bool:
        """Read ids as the graph has them; returns whether it has weights."""
        self._options.ids = schema.ids
        return schema.weights != _core.WeightType.none

    def load(self, load: _core.BulkLoad, schema: _core.GraphSchema, lent: _core.Engine) -> None:
        weighted = self._fit(schema)
        _core.load_file(load, self._path, self._options, weighted, lent)

    def gather(self, change: Change, schema: _core.GraphSchema, lent: _core.Engine) -> None:
        weighted = self._fit(schema)
        vertices = _core.gather_file(change.edges, self._path, self._options, weighted, lent)
        change.add_vertices(id_array(arrow_ids(vertices)))


class _ParquetFile:
    """A Parquet file, read batch by batch through pyarrow."""

    def __init__(self, path: Path, names: ColumnNames, ids: str | None, directed: bool | None) -> None:
        from pyarrow import parquet

        if not path.exists():
            raise NotFoundError(f"there is no file {path}")
        try:
            self._file = parquet.ParquetFile(path)
        except pa.ArrowInvalid as error:
            raise ParseError(f"{path}: {error}") from error
        labels = self._file.schema_arrow.names
        source, target, weight = names.choose(labels)
        if weight is not None and not _is_number(self._file.schema_arrow.field(weight).type):
            weight = None
        self._names = ColumnNames(labels[source], labels[target], None if weight is None else labels[weight])
        said = (self._file.schema_arrow.metadata or {}).get(DIRECTED_KEY)
        self.directed = said == b"true" if directed is None else directed
        self.weights = None if weight is None else _weight_kind(self._file.schema_arrow.field(weight).type)
        self.ids = ids or self._id_kind()

    def _source(self) -> EdgeSource:
        columns = [self._names.source, self._names.target, self._names.weight]
        batches = self._file.iter_batches(_ROWS, columns=[name for name in columns if name is not None])
        return from_batches(batches, self._names)

    def _id_kind(self) -> str:
        """Dense if the numbers 0..n-1 all occur; in a big file, if they fill a quarter of their range."""
        rows = self._file.metadata.num_rows
        field = self._file.schema_arrow.field(self._names.source)
        if rows <= _ROWS or not pa.types.is_integer(field.type):
            kind = id_kind(islice(self._source().chunks, None if rows <= _ROWS else 1), [])
            return "dense" if kind is None else kind.name
        ranges = [self._range(str(name)) for name in (self._names.source, self._names.target)]
        if any(found is None for found in ranges):
            return "integer"
        lowest, highest = (pick(found[i] for found in ranges if found) for i, pick in ((0, min), (1, max)))
        return "dense" if lowest >= 0 and lowest != 1 and highest < 4 * rows else "integer"

    def _range(self, name: str) -> tuple[int, int] | None:
        """Least and greatest value of a column by the file's statistics, if it has them."""
        meta = self._file.metadata
        number = self._file.schema_arrow.names.index(name)
        groups = [meta.row_group(i).column(number).statistics for i in range(meta.num_row_groups)]
        if any(group is None or not group.has_min_max for group in groups):
            return None
        return min(int(group.min) for group in groups), max(int(group.max) for group in groups)

    def load(self, load: _core.BulkLoad, schema: _core.GraphSchema, lent: _core.Engine) -> None:
        fill(load, self._counted(prepare(self._source(), schema), lent))

    def gather(self, change: Change, schema: _core.GraphSchema, lent: _core.Engine) -> None:
        for columns in self._counted(prepare(self._source(), schema), lent).chunks:
            change.add(columns)

    def _counted(self, source: EdgeSource, lent: _core.Engine) -> EdgeSource:
        """The same edges; tells the progress function how many rows were read."""
        total = self._file.metadata.num_rows

        def chunks() -> Iterator[EdgeColumns]:
            done = 0
            for columns in source.chunks:
                yield columns
                done += len(columns)
                lent.tell("read", done, total)

        return EdgeSource(chunks())


def _is_number(kind: Any) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _weight_kind(kind: Any) -> str:
    if (pa.types.is_integer(kind) and kind.bit_width < 32) or kind == pa.int32():
        return "int32"
    return "float32" if pa.types.is_floating(kind) and kind.bit_width <= 32 else "float64"
