"""One edge file to be read: what it says of itself, and its way into a bulk load or a change."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Protocol, runtime_checkable

from .. import _core
from ..core.errors import ColumnNotFoundError, InvalidArgumentError, UnsupportedError
from ..core.files import is_store
from ..core.options import enum_value
from ..graph.bulk import Change
from ..graph.ids import arrow_ids, id_array
from ..graph.import_report import FileReport
from ..graph.tables import ColumnNames
from ..graph.tables.text_options import CsvOptions
from .altered_scan import altered_scan
from .core_documents import CoreDocumentFile, look_at
from .documents import DocumentFile, VertexValues
from .export import is_parquet
from .file_sets import table_in
from .formats import format_of
from .json_lines import JsonLinesFile, first_schema
from .json_rows import NAME as NDJSON
from .json_rows import is_json_lines
from .no_values import text_for_no_value
from .scanned import ScannedFile
from .scans import ParquetScan, Scan
from .unsupported import expect_file

__all__ = [
    "Divisible",
    "EdgeFile",
    "SpooledFile",
    "TextFile",
    "csv_values",
    "named_format",
    "plan",
    "scan_at",
    "with_columns",
]

_HEAD = 64  # lines that show what numbers are
_FRACTION = re.compile(r"[-+]?\d+\.\d+([eE][-+]?\d+)?")
_UNIT = 1 << 21  # bytes of text: those in which the header lies of a file that can be divided (kBeginningBytes)


class EdgeFile(Protocol):
    """A file of edges."""

    report: FileReport

    directed: bool
    weights: str | None
    ids: str
    vertices: VertexValues | None
    """Ids and values of vertices, of files that have some."""

    def load(self, load: _core.BulkLoad, schema: _core.GraphSchema, borrowed: _core.Engine) -> None:
        """Read everything into a bulk load."""

    def gather(self, change: Change, schema: _core.GraphSchema, borrowed: _core.Engine) -> None:
        """Read everything into a change."""


def plan(
    path: Path,
    scan: Scan | None,
    format: str,
    names: ColumnNames,
    weights: str | bool | None,
    ids: str | None,
    directed: bool | None,
    csv: CsvOptions,
) -> EdgeFile:
    """Look at a file's name, header and first lines; `scan`: what `scan_at` found there."""
    options = _text_options(format, names, csv)
    if scan is not None:
        _core.check_options(str(path), scan.kind, options)
        return ScannedFile(path, altered_scan(scan, path, names, csv), names, ids, directed)
    format = named_format(path, format)
    if is_json_lines(path, format):
        _core.check_options(str(path), NDJSON, options)
        return JsonLinesFile(path, names, ids, directed, csv)
    if names.where is not None:
        raise InvalidArgumentError(
            f"{path}: where= is for Parquet files, JSON lines, directories that are one table and tables in memory; "
            "read this whole, with the columns that the predicate names, and choose its edges by g.where(edges=...)"
        )
    document = format_of(path, format)
    if document is not None:
        _core.check_options(str(path), document.__name__.rpartition(".")[2], options)
        return DocumentFile(path, document, ids, directed, weights, names.columns, names.vertices)
    options.format = format
    options.directed = directed
    options.ids = None if ids is None else enum_value(_core.IdKind, "ids", ids)
    options.weighted = bool(weights)
    if _core.is_document(path, format):
        return CoreDocumentFile(path, options, names.columns, names.vertices)
    summary = _core.inspect(path, options)
    missing = [name for name in names.columns if summary.columns and name not in summary.columns]
    if missing:
        raise ColumnNotFoundError(f"{path} has no column {missing[0]!r} (there are {', '.join(summary.columns)})")
    options.keep(list(names.columns.items()) if summary.columns else [], [])
    return TextFile(path, options, summary)


def scan_at(path: Path, format: str) -> Scan | None:
    """A Parquet file, or a directory that is one table; None: something else."""
    if path.is_dir() and not is_store(path):
        return table_in(path)
    format = named_format(path, format)
    if format != "parquet" and not (format == "auto" and is_parquet(path)):
        return None
    expect_file(path)
    return ParquetScan(path)


def named_format(path: Path, format: str) -> str:
    """The format that is asked for, or that the content of a file tells whose name tells none; "auto": by the name."""
    if format != _core.ANY_FORMAT or is_parquet(path) or is_json_lines(path, format) or format_of(path) is not None:
        return format
    return _core.format_of_content(path) or format if path.is_file() else format


def _text_options(format: str, names: ColumnNames, csv: CsvOptions) -> _core.ReadOptions:
    options = _core.ReadOptions()
    options.format = format
    options.source_column = names.source or ""
    options.target_column = names.target or ""
    options.weight_column = names.weight or ""
    options.drops_weights = names.drops_weights
    options.keep_names(list(names.columns))
    csv.put_into(options)
    return options


def csv_values(
    path: Path, format: str, names: ColumnNames, csv: CsvOptions
) -> tuple[list[tuple[str, str | None, bool]], list[str]] | None:
    """Names and types of all columns but the ends and the weight of a CSV file, by its first lines, and what to say.

    None of another format.
    """

    def found(csv: CsvOptions) -> _core.FileSummary:
        return _core.inspect(path, _text_options(named_format(path, format), names, csv))

    def kinds_with(csv: CsvOptions) -> dict[str, str | None]:
        return {name: kind for name, kind, _ in found(csv).edge_values}

    summary = found(csv)
    if summary.format != "csv":
        return None
    if not summary.header and summary.columns and not csv.rename:
        raise InvalidArgumentError(
            f"{path} has no header, so its columns have no names; give header=True if its first line is one"
        )
    told = [f"{name!r} is kept as text: {looks}" for name, looks in summary.looks_like]
    kinds = {name: kind for name, kind, _ in summary.edge_values}
    told += text_for_no_value(path, kinds, kinds_with, csv)
    return summary.edge_values, told


def with_columns(
    names: ColumnNames, columns: Mapping[str, str], path: Path, scan: Scan | None, format: str, csv: CsvOptions
) -> ColumnNames:
    """With those of a graph's columns that a file has, too; `scan`: what `scan_at` found there."""
    if scan is None and not path.is_file():  # who reads it says so
        return names
    labels = _labels_of(path, scan, format, names, csv)
    asked = (names.source, names.target, names.weight)
    numbers = {labels[int(name)] for name in asked if name and name.isdecimal() and int(name) < len(labels)}
    ends = {*asked, *numbers}
    return replace(names, columns={n: kind for n, kind in columns.items() if n in labels and n not in ends})


def _labels_of(path: Path, scan: Scan | None, format: str, names: ColumnNames, csv: CsvOptions) -> list[str]:
    """What the columns of a CSV, Parquet or JSON lines file are called; none of other formats, or without a header."""
    if scan is not None:
        return list(altered_scan(scan, path, names, csv).schema.names)
    format = named_format(path, format)
    if is_json_lines(path, format):
        return list(first_schema(path, lambda _: True, csv).names)
    if format_of(path, format) is not None:
        return []
    if _core.is_document(path, format):
        return [name for name, _, _ in look_at(path, _text_options(format, names, csv)).edge_values]
    summary = _core.inspect(path, _text_options(format, names, csv))
    return list(summary.columns) if summary.format == "csv" and summary.header else []


@runtime_checkable
class Divisible(EdgeFile, Protocol):
    """A file of which several processes may each read a part."""

    def units(self) -> list[int]:
        """Bytes of each part that is not divided."""

    def only(self, first: int, end: int) -> EdgeFile:
        """The same file, of which only these units are read."""


class SpooledFile:
    """What another process has read of a `TextFile`."""

    vertices: VertexValues | None = None

    def __init__(self, place: Path, report: FileReport) -> None:
        self._place = place
        self.report = report
        self.directed, self.weights, self.ids = report.directed, report.weights, report.ids

    def load(self, load: _core.BulkLoad, schema: _core.GraphSchema, borrowed: _core.Engine) -> None:
        """Read everything into a bulk load."""
        _core.load_spool(load, self._place, schema.weights != _core.WeightType.none, borrowed)

    def gather(self, change: Change, schema: _core.GraphSchema, borrowed: _core.Engine) -> None:
        """Only stores that are made are made of spools."""
        raise UnsupportedError(f"{self.report.path}: ranks cannot add to a graph that exists; import with one process")


class TextFile:
    """A file that the core reads."""

    vertices: VertexValues | None = None

    def __init__(self, path: Path, options: _core.ReadOptions, summary: _core.FileSummary) -> None:
        self._path = path
        self._options = options
        self._summary = summary
        self.directed = summary.directed
        self.weights = None if summary.weights == _core.WeightType.none else summary.weights.name
        self.ids = summary.ids.name
        self.report = FileReport.of(path, summary)

    def tell_of_weights(self) -> None:
        """Say of a third column with fractions, which are no ids and no years, that it is not read as the weight."""
        note = next((note for note in self.report.notes if "as weights:" in note), None)
        if note is None or not self._path.is_file():
            return
        with self._path.open(encoding="utf-8", errors="replace") as file:
            head = [line.split() for line in islice(file, _HEAD) if not line.startswith("#")]
        if head and all(len(line) == 3 and _FRACTION.fullmatch(line[2]) for line in head):
            self.report.guesses.append(f"{note}; weights=False says that it is of no use")

    def units(self) -> list[int]:
        """Bytes of each piece that may be read apart; the first has the header."""
        size = self._path.stat().st_size
        if not self._summary.in_ranges:
            return [size]
        return [min(_UNIT, size - begin) for begin in range(0, max(size, 1), _UNIT)]

    def only(self, first: int, end: int) -> TextFile:
        """Those of its units alone, with a report of their own."""
        if not self._summary.in_ranges:
            return self
        past = 2**64 - 1 if end == len(self.units()) else end * _UNIT
        return TextFile(self._path, self._options.of_bytes(first * _UNIT, past), self._summary)

    def _fit(self, schema: _core.GraphSchema) -> bool:
        """Read ids and directions as the graph has them; returns whether it has weights."""
        self._options.ids, self._options.directed = schema.ids, schema.directed
        return schema.weights != _core.WeightType.none

    def load(self, load: _core.BulkLoad, schema: _core.GraphSchema, borrowed: _core.Engine) -> None:
        """Read everything into a bulk load."""
        weighted = self._fit(schema)
        self.report.edges, left_out = _core.load_file(load, self._path, self._options, weighted, borrowed)
        self.report.note_left_out(left_out)

    def spool(self, place: Path, schema: _core.GraphSchema, borrowed: _core.Engine) -> None:
        """Read everything into a file, from which `SpooledFile` takes it."""
        weighted = self._fit(schema)
        self.report.edges, left_out = _core.spool_file(place, self._path, self._options, weighted, borrowed)
        self.report.note_left_out(left_out)

    def gather(self, change: Change, schema: _core.GraphSchema, borrowed: _core.Engine) -> None:
        """Read everything into a change."""
        weighted = self._fit(schema)
        with change.apart():
            vertices, left_out = _core.gather_file(change.edges, self._path, self._options, weighted, borrowed)
            self.report.edges = len(change.edges)
            self.report.note_left_out(left_out)
            change.add_vertices(id_array(arrow_ids(vertices)))
