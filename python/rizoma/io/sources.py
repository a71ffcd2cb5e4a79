"""One edge file to be read: what it says of itself, and its way into a bulk load or a change."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from .. import _core
from ..core.display import shortened
from ..core.errors import ColumnNotFoundError, InvalidArgumentError, ParseError, UnsupportedError
from ..core.lazy_arrow import pa, pc
from ..core.options import enum_value, whole_number
from ..graph.bulk import Change
from ..graph.ids import arrow_ids, id_array
from ..graph.import_report import FileReport
from ..graph.tables import ColumnNames, EdgeSource
from ..graph.tables.arrow import from_batches
from .chunked import FileInPieces
from .core_documents import CoreDocumentFile, look_at
from .csv_comments import WithoutComments
from .csv_types import read_as, told_of_columns, types_to_read
from .documents import DocumentFile, VertexValues
from .export import is_parquet
from .file_sets import table_in
from .float_lists import LIST, with_lists
from .formats import bare_ending, format_of
from .json_lines import JsonLinesFile, first_schema, vertex_batches
from .json_rows import NAME as NDJSON
from .json_rows import is_json_lines
from .prefetch import prefetch
from .scanned import ScannedFile
from .scans import ParquetScan, Scan
from .unsupported import expect_file, refuse_unsupported

__all__ = [
    "CsvOptions",
    "Divisible",
    "EdgeFile",
    "SpooledFile",
    "TextFile",
    "csv_schema",
    "named_format",
    "plan",
    "read_vertex_file",
    "scan_at",
    "vertex_file_schema",
    "with_columns",
]

_UNIT = 1 << 21  # bytes of text: those in which the header lies of a file that can be divided (kBeginningBytes)


@dataclass(frozen=True)
class CsvOptions:
    """How lines of text are read; None: found out."""

    header: bool | None = None
    delimiter: str | None = None
    quote: str | None = '"'
    null: str | None = None
    skip_bad_lines: int = 0
    decimal: str = "."
    multiline: bool = False
    comment: str | None = None

    def refuse_for(self, path: Path, format: str) -> None:
        """Raise if something was asked for that a file of this format, which is not CSV, has not."""
        asked: dict[str, Any] = {"delimiter": self.delimiter, "null": self.null, "multiline": self.multiline or None}
        asked["decimal"] = None if self.decimal == "." else self.decimal
        if format != "edge_list":
            asked["comment"] = self.comment
        if format not in ("edge_list", NDJSON):
            asked["skip_bad_lines"] = self.skip_bad_lines or None
        if format != "edge_list":
            asked["header"] = self.header
        for name, value in asked.items():
            if value is not None:
                raise InvalidArgumentError(
                    f'{path}: {name} is for CSV, but this is {format}; give format="csv" (--format csv) if it is one'
                )

    def put_into(self, options: _core.ReadOptions) -> None:
        """Check the options and set those of the core."""
        for name, value in (("delimiter", self.delimiter), ("quote", self.quote), ("comment", self.comment)):
            if value and (len(value) != 1 or not value.isascii() or value in "\r\n"):
                raise InvalidArgumentError(f"{name} is {value!r}; it must be one ASCII character")
        if self.decimal not in (".", ","):
            raise InvalidArgumentError(f'decimal is {self.decimal!r}; it must be "." or ","')
        options.decimal = self.decimal
        options.header = self.header
        options.comment = self.comment
        options.delimiter = self.delimiter or ""
        options.quote = self.quote or ""
        options.null_text = self.null
        options.skip_errors = whole_number("skip_bad_lines", self.skip_bad_lines, 0, 2**63 - 1)


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
    format: str,
    names: ColumnNames,
    weights: str | bool | None,
    ids: str | None,
    directed: bool | None,
    csv: CsvOptions | None = None,
    leading_zeros: bool = False,
) -> EdgeFile:
    """Look at a file's name, header and first lines.

    `leading_zeros`: integer ids may have some, which are dropped.
    """
    csv = csv or CsvOptions()
    refuse_unsupported(path, format)
    scan = scan_at(path, format)
    if scan is not None:
        csv.refuse_for(path, scan.kind)
        return ScannedFile(path, scan, names, ids, directed)
    format = named_format(path, format)
    if is_json_lines(path, format):
        csv.refuse_for(path, NDJSON)
        return JsonLinesFile(path, names, ids, directed, csv.skip_bad_lines)
    if names.where is not None:
        raise InvalidArgumentError(
            f"{path}: where= is for Parquet files, JSON lines, directories that are one table and tables in memory; "
            "read this with the columns that the predicate names in edges=, and take g.where(edges=...) of the graph"
        )
    document = format_of(path, format)
    if document is not None:
        if names.source or names.target or names.weight:
            raise InvalidArgumentError(
                f"{path}: only CSV and Parquet files have columns to choose; leave the names of columns out"
            )
        csv.refuse_for(path, document.__name__.rpartition(".")[2])
        return DocumentFile(path, document, ids, directed, names.columns, names.vertices)
    options = _text_options(format, names, csv)
    options.directed = directed
    options.ids = None if ids is None else enum_value(_core.IdKind, "ids", ids)
    options.weighted = bool(weights)
    options.leading_zeros = leading_zeros
    if _core.is_document(path, format):
        if names.source or names.target or names.weight:
            raise InvalidArgumentError(
                f"{path}: only CSV and Parquet files have columns to choose; leave the names of columns out"
            )
        csv.refuse_for(path, _document_name(path, format))
        return CoreDocumentFile(path, options, names.columns, names.vertices)
    summary = _core.inspect(path, options)
    if summary.format != "csv":
        csv.refuse_for(path, summary.format)
    if (names.source or names.target or names.columns) and summary.format != "csv":
        raise InvalidArgumentError(
            f"{path}: only CSV and Parquet files have columns to choose, but this is {summary.format}; "
            'give format="csv" if it is one'
        )
    if names.columns or csv.multiline:
        return _ColumnsFile(path, names, summary, csv, ids, leading_zeros)
    return TextFile(path, options, summary)


def scan_at(path: Path, format: str) -> Scan | None:
    """A Parquet file, or a directory that is one table; None: something else."""
    if path.is_dir() and not (path / "superblock").exists():
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


def _document_name(path: Path, format: str) -> str:
    """The format of a document that the core reads."""
    return bare_ending(path)[1:] if format == _core.ANY_FORMAT else format


def _text_options(format: str, names: ColumnNames, csv: CsvOptions) -> _core.ReadOptions:
    options = _core.ReadOptions()
    options.format = format
    options.source_column = names.source or ""
    options.target_column = names.target or ""
    options.weight_column = names.weight or ""
    options.keep_names(list(names.columns))
    csv.put_into(options)
    return options


def csv_schema(path: Path, format: str, names: ColumnNames, csv: CsvOptions) -> pa.Schema | None:
    """Names and types of all columns of a CSV file by its first lines; None of another format."""
    summary = _core.inspect(path, _text_options(named_format(path, format), names, csv))
    if summary.format != "csv":
        return None
    if not summary.header:
        raise InvalidArgumentError(
            f"{path} has no header, so its columns have no names; give header=True (--header) if its first line is one"
        )
    return _open_csv(path, summary, csv, summary.columns, {}, lambda _: "skip").schema


def with_columns(
    names: ColumnNames, columns: Mapping[str, str], path: Path, format: str, csv: CsvOptions | None = None
) -> ColumnNames:
    """With those of a graph's columns that a file has, too."""
    if not path.is_file() and (not path.is_dir() or (path / "superblock").exists()):  # who reads it says what it is
        return names
    labels = _labels_of(path, format, names, csv or CsvOptions())
    asked = (names.source, names.target, names.weight)
    numbers = {labels[int(name)] for name in asked if name and name.isdecimal() and int(name) < len(labels)}
    ends = {*asked, *numbers}
    return replace(names, columns={n: kind for n, kind in columns.items() if n in labels and n not in ends})


def _labels_of(path: Path, format: str, names: ColumnNames, csv: CsvOptions) -> list[str]:
    """What the columns of a CSV, Parquet or JSON lines file are called; none of other formats, or without a header."""
    scan = scan_at(path, format)
    if scan is not None:
        return list(scan.schema.names)
    format = named_format(path, format)
    if is_json_lines(path, format):
        return list(first_schema(path, lambda _: True).names)
    if format_of(path, format) is not None:
        return []
    if _core.is_document(path, format):
        return [name for name, _, _ in look_at(path, _text_options(format, names, csv)).edge_values]
    summary = _core.inspect(path, _text_options(format, names, csv))
    return list(summary.columns) if summary.format == "csv" and summary.header else []


def _open_csv(
    path: Path,
    summary: _core.FileSummary,
    options: CsvOptions,
    columns: list[str],
    kinds: Mapping[str, str],
    bad_line: Callable[[Any], str],
) -> Any:
    """These columns of a CSV file, with these types; others with those of the first lines."""
    from pyarrow import csv

    moments = [name for name, kind in kinds.items() if kind.startswith("timestamp")]
    seen = _open_csv(path, summary, options, moments, {}, lambda _: "skip").schema if moments else pa.schema([])
    stream = pa.input_stream(str(path), compression="detect")
    try:
        return csv.open_csv(
            WithoutComments(stream, options.quote if options.multiline else None),
            read_options=csv.ReadOptions(
                skip_rows=1 if summary.header else 0,
                column_names=summary.columns,
                block_size=1 << 24,
            ),
            parse_options=csv.ParseOptions(
                delimiter=summary.delimiter,
                quote_char=options.quote or False,
                invalid_row_handler=bad_line,
                newlines_in_values=options.multiline,
            ),
            convert_options=csv.ConvertOptions(
                include_columns=columns,
                column_types=types_to_read(kinds, seen),
                null_values=_null_texts(options),
                decimal_point=options.decimal,
            ),
        )
    except pa.ArrowInvalid as error:
        raise ParseError(f"{path}: {told_of_columns(error, summary.columns)}") from None


def _null_texts(options: CsvOptions) -> list[str]:
    """The texts that stand for no value: an empty one, and what was asked for; Arrow knows more by itself."""
    return [""] if options.null is None else ["", options.null]


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
        before = len(change.edges)
        vertices, left_out = _core.gather_file(change.edges, self._path, self._options, weighted, borrowed)
        self.report.edges = len(change.edges) - before
        self.report.note_left_out(left_out)
        change.add_vertices(id_array(arrow_ids(vertices)))


class _ColumnsFile(FileInPieces):
    """A CSV or TSV file with further columns, or with fields over several lines, read through pyarrow."""

    def __init__(
        self,
        path: Path,
        names: ColumnNames,
        summary: _core.FileSummary,
        csv: CsvOptions,
        ids: str | None,
        leading_zeros: bool,
    ) -> None:
        self._path = path
        self._summary = summary
        self._csv = csv
        self._leading_zeros = leading_zeros
        labels = summary.columns
        weight, direction = (None if i is None else labels[i] for i in (summary.weight, summary.direction))
        missing = [name for name in names.columns if name not in labels]
        if missing:
            raise ColumnNotFoundError(f"{path} has no column {missing[0]!r} (there are {', '.join(labels)})")
        source, target = (labels[summary.source], labels[summary.target]) if labels else (None, None)
        self._names = ColumnNames(source, target, weight, names.columns, direction=direction)
        self.directed = summary.directed
        self.weights = None if weight is None else "float64"
        self.report = FileReport.of(path, summary)
        self.report.weights = self.weights
        self.ids = ids or self._id_kind()
        self.report.ids, self.report.edges = self.ids, 0

    def _bad_line(self, line: Any) -> str:
        """Leave out as many lines with another number of fields as were allowed."""
        if self.report.bad_lines >= self._csv.skip_bad_lines:
            return "error"
        self.report.bad_lines += 1
        said = f"{line.actual_columns} fields instead of {line.expected_columns}: {line.text}"
        self.report.first_bad = self.report.first_bad or said
        return "skip"

    def _source(self, ids: _core.IdKind | None = None) -> EdgeSource:
        wanted = self._names.wanted()
        text = _core.IdKind.string in (ids, self._summary.ids)
        # Read as numbers, "007" would be 7 without a word.
        kinds = dict(self._names.columns) | dict.fromkeys(wanted[:2], "int64" if self._leading_zeros else "string")
        if text:
            kinds |= dict.fromkeys(wanted[:2], "string")
        if self._names.weight is not None:
            kinds[self._names.weight] = "float64"  # what begins with integers may have fractions later
        # Arrow reads empty fields and the text that was asked for as the same nulls, but for texts.
        raw = dict.fromkeys(self._needed(), "string") if self._csv.null else {}
        lists = [name for name, kind in self._names.columns.items() if kind == LIST]
        reader = _open_csv(self._path, self._summary, self._csv, wanted, kinds | raw, self._bad_line)

        def batches() -> Iterator[pa.RecordBatch]:
            rows = 1 if self._summary.header else 0
            try:
                for batch in prefetch(reader):  # Arrow parses on one thread, and these conversions take half as long
                    malformed = self._malformed(batch, rows)
                    read = _with_nulls(batch, self._csv)
                    for name in raw:
                        read = _converted(read, name, kinds[name], self._csv.decimal)
                    without = reduce(pc.or_, [pc.is_null(read.column(name)) for name in self._needed()])
                    for name in lists:
                        read = with_lists(read, name, self._path, rows, without)
                    ends = read if text else self._with_whole_ids(read, rows)
                    rows += batch.num_rows
                    yield self._with_ends(ends if malformed is None else ends.filter(pc.invert(malformed)))
            except pa.ArrowInvalid as error:
                raise ParseError(f"{self._path}: {told_of_columns(error, self._summary.columns)}") from None

        return EdgeSource(from_batches(batches(), self._names).chunks, undirected=self._summary.both_ways)

    def _needed(self) -> list[str]:
        columns = (self._names.source, self._names.target, self._names.weight)
        return [name for name in columns if name is not None]

    def _malformed(self, batch: pa.RecordBatch, rows: int) -> pa.Array | None:
        """Which lines have an empty id or weight that does not stand for no value; None: none has one.

        They are counted; raises if more than may be left out.  `rows` of the file come before the batch.
        """
        empty = [_empty(batch.column(name), self._csv) for name in self._needed()]
        malformed = reduce(pc.or_, empty)
        count = pc.sum(malformed).as_py() or 0
        if count == 0:
            return None
        at = pc.index(malformed, True).as_py()
        what = "an id" if empty[0][at].as_py() or empty[1][at].as_py() else "a weight"
        said = f"row {rows + at + 1}: found '', expected {what}"
        self.report.first_bad = self.report.first_bad or f"{self._path}: {said}"
        if self.report.bad_lines + count > self._csv.skip_bad_lines:
            if self._csv.skip_bad_lines == 0:
                raise ParseError(f"{self._path}: {said} (skip_bad_lines, or null='', leaves such lines out)")
            allowed = f"more than the {self._csv.skip_bad_lines} malformed lines that may be left out"
            raise ParseError(f"{allowed}; the first: {self.report.first_bad}")
        self.report.bad_lines += count
        return malformed

    def _with_whole_ids(self, batch: pa.RecordBatch, rows: int) -> pa.RecordBatch:
        """The same with integers as ids, none of which has lost zeros; `rows` of the file come before it."""
        for name in dict.fromkeys((self._names.source, self._names.target)):
            column = batch.column(name)
            if pa.types.is_integer(column.type):
                continue
            found, at, expected = _whole_numbers(column)
            if found is None:
                text = shortened(column[at].as_py())
                raise ParseError(f"{self._path}: row {rows + at + 1}: found {text!r}, expected an id {expected}")
            batch = batch.set_column(batch.schema.get_field_index(name), name, found)
        return batch

    def _id_kind(self) -> str:
        """As the first lines have it; later lines with other ids are an error, unless the graph's ids are text."""
        try:
            return super()._id_kind()
        except ParseError:
            return "string" if self._summary.ids == _core.IdKind.string else "integer"

    def _with_ends(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Leave out lines without an id or a weight, if a text for no value was asked for."""
        if self._csv.null is None:
            return batch
        whole = [pc.is_valid(batch.column(name)) for name in self._needed() if batch.column(name).null_count]
        if not whole:
            return batch
        kept = batch.filter(reduce(pc.and_, whole))
        self.report.null_lines += batch.num_rows - kept.num_rows
        return kept


def _converted(batch: pa.RecordBatch, name: str, kind: str, decimal: str) -> pa.RecordBatch:
    """The same with texts of a column as values of that kind, as Arrow reads them from a file."""
    column = batch.column(name)
    if _is_text(column.type) and not _is_text(read_as(kind)):
        column = pc.utf8_trim_whitespace(column)
    if kind == "float64" and decimal != ".":
        column = pc.replace_substring(column, decimal, ".")
    return batch.set_column(batch.schema.get_field_index(name), name, column.cast(read_as(kind)))


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _empty(column: pa.Array, options: CsvOptions) -> pa.Array:
    """Where an id or a weight is empty, and no option says that this stands for no value."""
    if _is_text(column.type):
        return pc.and_(pc.equal(column, ""), options.null != "")
    return pc.and_(pc.is_null(column), options.null is None)


def _with_nulls(batch: pa.RecordBatch, options: CsvOptions) -> pa.RecordBatch:
    """The same with nulls for the texts that stand for no value; Arrow sees to those of numbers alone."""
    known = _null_texts(options)
    only_empty = set(known) == {""}
    for at, column in enumerate(batch.columns):
        if _is_text(column.type) or pa.types.is_large_binary(column.type):
            nothing = (
                pc.equal(pc.binary_length(column), 0)
                if only_empty
                else pc.is_in(column, pa.array(known).cast(column.type))
            )
            if not pc.any(nothing).as_py():
                continue
            texts = pc.if_else(nothing, pa.scalar(None, column.type), column)
            batch = batch.set_column(at, batch.schema.field(at), texts)
    return batch


def _whole_numbers(texts: pa.Array) -> tuple[pa.Array | None, int, str]:
    """Texts as integers; or None, where the first one is that is not read as one, and what it should be."""
    try:
        numbers = texts.cast(pa.int64())
    except pa.ArrowInvalid:
        texts = pc.ascii_trim_whitespace(texts)
        whole = pc.match_substring_regex(texts, "^-?[0-9]{1,19}$")
        at = pc.index(whole, False).as_py()
        try:
            numbers = texts.cast(pa.int64()) if at < 0 else None
        except pa.ArrowInvalid:  # 19 digits may be too many, too
            numbers = None
            at = next(i for i, id in enumerate(texts.to_pylist()) if id and not -(2**63) <= int(id) < 2**63)
        if numbers is None:
            return None, at, 'that is an integer of 64 bits (for names read with ids="string")'
    begins = pc.or_(pc.starts_with(texts, "0"), pc.starts_with(texts, "-"))
    if pc.any(_leading_zeros(texts.filter(begins))).as_py():
        at = pc.index(_leading_zeros(texts), True).as_py()
        return None, at, 'without leading zeros (ids="string" keeps them, ids="integer" drops them)'
    return numbers, 0, ""


def _leading_zeros(texts: pa.Array) -> pa.Array:
    """Which of these integers have some."""
    digits = pc.utf8_ltrim(texts, "-")
    return pc.and_(pc.starts_with(digits, "0"), pc.greater(pc.binary_length(digits), 1))


def read_vertex_file(
    path: Path, vertex: str | None, columns: Mapping[str, str] | None, csv_options: CsvOptions
) -> Iterator[pa.Table]:
    """Yield a file of vertices piece by piece: the ids first, and these columns; None: all columns."""
    if not path.is_dir():
        expect_file(path)
    batches = _vertex_batches(path, vertex, columns, csv_options)
    rows = 1
    try:
        for batch in batches:
            labels = batch.schema.names
            ids = _id_column(labels, vertex)
            wanted = [ids, *(labels if columns is None else columns)]
            missing = [name for name in wanted if name not in labels]
            if missing:
                raise ColumnNotFoundError(f"{path} has no column {missing[0]!r} (there are {', '.join(labels)})")
            for name, kind in (columns or {}).items():
                if kind == LIST and _is_text(batch.schema.field(name).type):
                    batch = with_lists(batch, name, path, rows)
            rows += batch.num_rows
            yield pa.Table.from_batches([batch]).select(list(dict.fromkeys(wanted)))
    except pa.ArrowInvalid as error:
        raise ParseError(f"{path}: {error}") from None


def _vertex_batches(path: Path, vertex: str | None, columns: Mapping[str, str] | None, csv_options: CsvOptions) -> Any:
    scan = scan_at(path, "auto")
    if scan is not None:
        names = scan.schema.names
        return scan.batches(names if columns is None else list(dict.fromkeys([_id_column(names, vertex), *columns])))
    return _vertex_lines(path, vertex, columns) if is_json_lines(path) else _vertex_csv(path, columns, csv_options)


def _vertex_lines(path: Path, vertex: str | None, columns: Mapping[str, str] | None) -> Iterator[pa.RecordBatch]:
    found = first_schema(path, lambda _: False)
    return vertex_batches(path, found, _id_column(found.names, vertex), columns) if found.names else iter(())


def vertex_file_schema(path: Path, vertex: str | None, csv_options: CsvOptions) -> tuple[pa.Schema, str]:
    """Names and types of the columns of a file of vertices, and which has the ids."""
    scan = scan_at(path, "auto")
    if scan is not None:
        schema = scan.schema
    elif is_json_lines(path):
        schema = first_schema(path, lambda _: False)
    else:
        schema = _vertex_csv(path, None, csv_options).schema
    return schema, _id_column(schema.names, vertex)


def _id_column(labels: list[str], vertex: str | None) -> str:
    known = [label for label in labels if label.lower() in ("vertex", "id")]
    return vertex if vertex is not None else (known or labels)[0]


def _vertex_csv(path: Path, columns: Mapping[str, str] | None, options: CsvOptions) -> Any:
    """A CSV file with a header; what separates its fields is what the header has most of."""
    from pyarrow import csv

    with pa.input_stream(str(path), compression="detect") as stream:
        header = bytes(stream.read(1 << 16)).split(b"\n", 1)[0].decode(errors="replace")
    delimiter = options.delimiter or max(",;\t|", key=header.count)
    moments = any(kind.startswith("timestamp") for kind in (columns or {}).values())
    seen = _vertex_csv(path, None, options).schema if moments else pa.schema([])
    return csv.open_csv(
        pa.input_stream(str(path), compression="detect"),
        read_options=csv.ReadOptions(block_size=1 << 24),
        parse_options=csv.ParseOptions(
            delimiter=delimiter, quote_char=options.quote or False, newlines_in_values=options.multiline
        ),
        convert_options=csv.ConvertOptions(
            column_types=types_to_read(columns or {}, seen),
            strings_can_be_null=True,
            null_values=_null_texts(options),
            decimal_point=options.decimal,
        ),
    )
