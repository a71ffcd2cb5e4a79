"""Tables of vertices beside files of edges: CSV, Parquet and JSON lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from .. import _core
from ..core.engines import engine
from ..core.errors import ColumnNotFoundError, ParseError
from ..core.lazy_arrow import pa
from ..core.options import enum_value
from ..graph.bulk import warn_of
from ..graph.ids import arrow_ids
from ..graph.schema import arrow_values, without_marks
from ..graph.tables import ColumnNames
from ..graph.tables.text_options import CsvOptions
from ..graph.tables.vertices import has_ids_by_name
from .altered_scan import altered_scan
from .json_lines import first_schema, vertex_batches
from .json_rows import is_json_lines
from .scans import ROWS, Wanted
from .sources import scan_at
from .unsupported import expect_file

__all__ = ["read_vertex_file", "vertex_columns"]

_UNIT = 1 << 26  # bytes of text read at a time
_MOST_BY_PLACE = 2  # columns, of which the first has the ids if none is called so


def vertex_columns(path: Path, vertex: str | None, csv: CsvOptions) -> list[tuple[str, Any]]:
    """Names of the columns beside the ids, and their types: as Arrow has them, or of CSV as `FileSummary` has them."""
    scan = scan_at(path, "auto")
    if scan is not None:
        schema = altered_scan(scan, path, ColumnNames(), csv).schema
    elif is_json_lines(path):
        schema = first_schema(path, lambda _: False, csv)
    else:
        summary = _core.inspect(path, _options(vertex, {}, csv))
        return [(name, kind) for name, kind, _ in summary.edge_values]
    if not schema.names:  # an empty file
        return []
    ids = id_column(path, schema.names, vertex)
    return [(each.name, each.type) for each in schema if each.name != ids]


def id_column(path: Path, labels: list[str], vertex: str | None) -> str:
    """The column of ids: the one that is named, or has such a name, or the first of at most two."""
    if vertex is not None:
        return vertex
    known = [label for label in labels if has_ids_by_name(label)]
    if len(known) > 1 or (not known and len(labels) > _MOST_BY_PLACE):
        raise ColumnNotFoundError(
            f"{path}: {'two columns are' if known else 'no column is'} called 'vertex' or 'id' (there are "
            f"{', '.join(labels)}): name the one that has the ids with vertex="
        )
    return (known or labels)[0]


def read_vertex_file(
    path: Path, vertex: str | None, columns: Mapping[str, str], csv: CsvOptions, ids: str | None
) -> Iterator[pa.Table]:
    """Yield a file of vertices piece by piece: the ids first, and these columns; `ids`: the kind that a graph has."""
    scan = scan_at(path, "auto")
    if scan is None:
        expect_file(path)
    if scan is None and not is_json_lines(path):
        yield from _csv_tables(path, vertex, columns, csv, ids)
        return
    if scan is None:
        batches: Iterator[Any] = _vertex_lines(path, vertex, columns, csv)
    else:
        scan = altered_scan(scan, path, ColumnNames(columns=columns), csv)
        named = id_column(path, scan.schema.names, vertex)
        _expect(path, [named, *columns], scan.schema.names)
        batches = scan.batches(Wanted(list(dict.fromkeys([named, *columns]))))
    try:
        for batch in batches:
            labels = without_marks(batch.schema.names)
            wanted = [id_column(path, labels, vertex), *columns]
            _expect(path, wanted, labels)
            marks = batch.schema.names[len(labels) :]
            yield pa.Table.from_batches([batch]).select(list(dict.fromkeys([*wanted, *marks])))
    except pa.ArrowInvalid as error:
        raise ParseError(f"{path}: {error}") from None


def _expect(path: Path, wanted: list[str], labels: list[str]) -> None:
    missing = [name for name in wanted if name not in labels]
    if missing:
        raise ColumnNotFoundError(f"{path} has no column {missing[0]!r} (there are {', '.join(labels)})")


def _vertex_lines(
    path: Path, vertex: str | None, columns: Mapping[str, str], csv: CsvOptions
) -> Iterator[pa.RecordBatch]:
    found = first_schema(path, lambda _: False, csv)
    return vertex_batches(path, found, id_column(path, found.names, vertex), columns, csv) if found.names else iter(())


def _options(vertex: str | None, columns: Mapping[str, str], csv: CsvOptions) -> _core.ReadOptions:
    options = _core.ReadOptions()
    csv.put_into(options)
    options.format = "csv"
    options.skip_bad_lines = 0  # a missing vertex would not be noticed
    options.vertex_table = True
    options.vertex_column = vertex or ""
    options.keep([], list(columns.items()))
    return options


def _csv_tables(
    path: Path, vertex: str | None, columns: Mapping[str, str], csv: CsvOptions, ids: str | None
) -> Iterator[pa.Table]:
    options = _options(vertex, columns, csv)
    if ids is not None:
        options.ids = enum_value(_core.IdKind, "ids", ids)
    summary = _core.inspect(path, options)
    if not summary.columns:
        return
    _expect(path, list(columns), summary.columns)
    options.ids = summary.ids
    size, named, without = path.stat().st_size, summary.columns[summary.source], 0
    told: list[str] = []
    ends = [*range(_UNIT, size, _UNIT), 2**64 - 1] if summary.in_ranges else [2**64 - 1]
    for begin, end in zip([0, *ends], ends, strict=False):
        with engine() as borrowed:
            (found, values), left_out = _core.read_vertex_table(path, options.of_bytes(begin, end), borrowed)
        without += left_out.null_lines
        told += [guess for guess in left_out.guesses if guess not in told]
        arrays = {name: arrow_values(each, columns[name]) for name, (each, _) in values.items()}
        table = pa.table({named: arrow_ids(found), **{n: a for n, a in arrays.items() if n != named}})
        for first in range(0, table.num_rows, ROWS):
            yield table.slice(first, ROWS)
    if without:
        told.insert(0, f"{path}: {without:,} rows without an id are left out")
    warn_of(told)
