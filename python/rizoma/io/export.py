"""Tables to files: .parquet, .csv, .tsv, .ndjson or .jsonl; text also as .gz or .zst.  Bounded memory."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from ..core.display import number_of
from ..core.errors import InvalidArgumentError, UnsupportedError
from ..core.files import check_directory, written_whole
from ..core.lazy_arrow import pa, pc
from ..core.lazy_numpy import np
from ..graph.bulk import warn_of
from .json_rows import ENDINGS, json_lines, no_numbers_in

if TYPE_CHECKING:
    from ..graph.scan import EdgeScan, VertexScan

__all__ = [
    "check_name",
    "has_no_columns",
    "is_csv",
    "is_parquet",
    "numbered",
    "warn_of_lost_columns",
    "warn_of_lost_vertices",
    "write_batches",
    "write_edge_lines",
    "write_edges",
]

_COMPRESSION = {".gz": "gzip", ".zst": "zstd"}
_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_EDGE_LISTS = (".txt", ".el", ".wel")
_NO_COLUMNS = (".edges", ".edgelist", ".ncol", ".sg", ".wsg", ".mtx", ".graph", ".metis")
_PARQUET = (".parquet", ".pq")
_ROWS = 1 << 16

_Columns: TypeAlias = "tuple[list[str], list[str]]"
"""Names of columns of edges and of vertices."""


def _kind(path: Path) -> tuple[str, str | None]:
    """Ending that names the format, in small letters, and the compression."""
    compression = _COMPRESSION.get(path.suffix)
    ending = (path.with_suffix("") if compression else path).suffix
    return ending.lower(), compression


def is_parquet(path: Path) -> bool:
    """Whether the name is of Parquet."""
    return path.suffix.lower() in _PARQUET


def is_csv(path: Path) -> bool:
    """Whether the name is of CSV or TSV, compressed or not."""
    return _kind(path)[0] in _DELIMITERS


def has_no_columns(path: Path) -> bool:
    """Whether the name is of a format that has no place for columns of edges."""
    return _kind(path)[0] in (*_EDGE_LISTS, *_NO_COLUMNS)


def warn_of_lost_vertices(path: Path, vertices: VertexScan, columns: Iterable[str]) -> None:
    """Warn of vertices without edges, and of these columns of vertices, which a file of this name has no place for."""
    lost = []
    if is_parquet(path) or _kind(path)[0] in (*_DELIMITERS, *ENDINGS, *_EDGE_LISTS):
        alone = _without_edges(vertices)
        lost = [f"{number_of(alone, 'vertex', 'vertices')} without edges left out"] if alone else []
    names = ", ".join(map(repr, columns))
    lost += [f"not written, of vertices: {names}"] if names else []
    if lost:
        warn_of([f"{path}: {'; '.join(lost)} (.graphml, .gml, .gexf and .json have vertices with their columns)"])


def warn_of_lost_columns(path: Path, edges: EdgeScan, vertices: VertexScan, columns: _Columns) -> None:
    """Warn of columns of which nothing is written, for they have no value, and of those that get another name.

    `columns`: the names of those of edges and of vertices.  For files that do not declare their columns.  Cost: rows up
    to the first value of each column.
    """
    ending, _ = _kind(path)
    lost = []
    if ending in (".json", ".gml", *ENDINGS):
        for what, scan, names in (("edges", edges, columns[0]), ("vertices", vertices, columns[1])):
            found = [] if what == "vertices" and ending in ENDINGS else _without_values(scan, names)
            lost += [f"not written, of {what}, for want of a value: {', '.join(map(repr, found))}"] if found else []
    if lost:
        warn_of([f"{path}: {'; '.join(lost)} (.graphml and .gexf declare such columns)"])
    renamed = [f"{name!r} is {_gml_name(name)}" for names in columns for name in names if _gml_name(name) != name]
    if ending == ".gml" and renamed:
        warn_of([f"{path}: GML has letters, digits and _ in names alone: {', '.join(dict.fromkeys(renamed))}"])


def _gml_name(name: str) -> str:
    """The name of a column as the writer of GML has it."""
    return ("_" if name[:1].isdigit() else "") + re.sub(r"[^A-Za-z0-9]", "_", name)


def _without_values(scan: EdgeScan | VertexScan, names: list[str]) -> list[str]:
    """Those of these columns that have no value in any row."""
    left = list(names)
    for batch in scan.batches(_ROWS, left) if left else ():
        left = [name for name in left if batch.column(name).null_count == batch.num_rows]
        if not left:
            break
    return left


def _without_edges(vertices: VertexScan) -> int:
    """How many vertices have no edge; 0 where a directed graph has no in-edges to tell it by."""
    names = [name for name in vertices.schema.names if name in ("degree", "in_degree", "out_degree")]
    if names == ["out_degree"]:
        return 0
    degrees = (sum(column.to_numpy() for column in batch.columns) for batch in vertices.batches(columns=names))
    return sum(int(np.count_nonzero(of_batch == 0)) for of_batch in degrees)


def check_name(path: Path) -> None:
    """Raise InvalidArgumentError if the name shows no format, StorageError if there is no such directory."""
    ending, _ = _kind(path)
    if ending not in (*_DELIMITERS, *ENDINGS) and not is_parquet(path):
        raise InvalidArgumentError(
            f"cannot tell the format of {path}; use .parquet, .csv, .tsv or .ndjson (these also with .gz or .zst)"
        )
    check_directory(path)


def numbered(path: Path, number: int) -> Path:
    """The name with a number before the endings that tell format and compression: rows-0.csv.gz."""
    ending, compression = _kind(path)
    begin = len(path.name) - len(ending) - (len(path.suffix) if compression else 0)
    return path.with_name(f"{path.name[:begin]}-{number}{path.name[begin:]}")


def write_batches(
    path: Path, schema: pa.Schema, batches: Iterable[pa.RecordBatch], comments: Iterable[str] = ()
) -> None:
    """Write all batches in the format that the name tells; CSV and TSV begin with the comments."""
    check_name(path)
    with written_whole(path) as part, _writer(part, *_kind(path), schema, comments) as writer:
        for batch in batches:
            writer.write(batch)


def write_edges(path: Path, edges: EdgeScan, vertices: VertexScan, directed: bool) -> None:
    """Write all edges as text with their columns, and comments that say how to read them.

    Warns of the first empty text, which is read again as no value.
    """
    comments = ["Directed graph"] if directed else []
    if _some_look_like_integers(vertices):
        comments.append("String ids")
    write_batches(path, edges.schema, _told_once(edges.batches(), lambda batch: _empty_texts_in(path, batch)), comments)


def write_edge_lines(path: Path, edges: EdgeScan, directed: bool) -> None:
    """Write all edges as JSON lines.  These have no header, so each says that its edge has a direction.

    Warns of the first value that JSON has no number for: it is null there.
    """
    name = next(name for name in ("type", "direction", "rizoma:type") if name not in edges.schema.names)
    schema = edges.schema.append(pa.field(name, pa.string())) if directed else edges.schema

    def lost(batch: pa.RecordBatch) -> str:
        odd = no_numbers_in(batch)
        return "" if odd is None else f"the column {odd!r} has NaN or infinity, null in JSON lines; .parquet keeps them"

    def batches() -> Iterator[pa.RecordBatch]:
        for batch in _told_once(edges.batches(), lost):
            said = [pa.array(["directed"] * batch.num_rows, pa.string())] if directed else []
            yield pa.record_batch([*batch.columns, *said], schema)

    write_batches(path, schema, batches())


def _told_once(batches: Iterable[pa.RecordBatch], lost: Callable[[pa.RecordBatch], str]) -> Iterator[pa.RecordBatch]:
    """The same batches, with a warning of the first that loses something."""
    told = False
    for batch in batches:
        said = "" if told else lost(batch)
        if said:
            told = True
            warn_of([said])
        yield batch


def _empty_texts_in(path: Path, batch: pa.RecordBatch) -> str:
    """What to say of a batch whose values have an empty text."""
    for field, column in zip(batch.schema, batch.columns, strict=True):
        kind = field.type
        is_text = pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_large_binary(kind)
        if is_text and pc.any(pc.equal(pc.binary_length(column), 0)).as_py():
            return (
                f"{path}: the column {field.name!r} has empty texts, which are read again as no value (.parquet, "
                ".graphml, .gexf and .json tell them apart)"
            )
    return ""


def _some_look_like_integers(vertices: VertexScan) -> bool:
    """Whether an id is a string that could pass for an integer: a reader decides by the first lines."""
    kind = vertices.schema.field("vertex").type
    if not pa.types.is_string(kind) and not pa.types.is_large_string(kind):
        return False
    return any(
        pc.any(pc.match_substring_regex(batch.column("vertex"), "^[-+]?[0-9]+$")).as_py()
        for batch in vertices.batches(columns=["vertex"])
    )


def _writer(
    path: Path, ending: str, compression: str | None, schema: pa.Schema, comments: Iterable[str]
) -> AbstractContextManager[Any]:
    if ending in _PARQUET:
        from pyarrow import parquet

        return parquet.ParquetWriter(path, schema)  # type: ignore[no-any-return]
    if ending in ENDINGS:
        return _JsonLinesWriter(path, compression)
    return _TextWriter(path, _DELIMITERS[ending], compression, schema, comments)


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
    """A CSV writer over a possibly compressed file.  Lists are JSON; bytes are as they are, which must be UTF-8."""

    def __init__(
        self, path: Path, delimiter: str, compression: str | None, schema: pa.Schema, comments: Iterable[str]
    ) -> None:
        from pyarrow import csv

        self._schema = pa.schema([_text_field(field) for field in schema])
        self._stream = pa.output_stream(str(path), compression=compression)
        self._stream.write("".join(f"# {comment}\n" for comment in comments).encode())
        options = csv.WriteOptions(delimiter=delimiter, quoting_style="needed")
        self._writer = csv.CSVWriter(self._stream, self._schema, write_options=options)

    def __enter__(self) -> _TextWriter:
        return self

    def write(self, batch: pa.RecordBatch) -> None:
        columns = [_as_text(batch.column(field.name)) for field in self._schema]
        try:
            self._writer.write_batch(pa.record_batch(columns, self._schema))
        except pa.ArrowInvalid as error:
            raise UnsupportedError(
                f"a text file cannot hold these values ({error}); write .parquet or .ndjson, or a view without them"
            ) from None

    def __exit__(self, *_: object) -> None:
        self._writer.close()
        self._stream.close()


def _text_field(field: pa.Field) -> pa.Field:
    return pa.field(field.name, pa.string()) if pa.types.is_large_list(field.type) else field


def _as_text(column: Any) -> Any:
    if not pa.types.is_large_list(column.type):
        return column
    return pa.array([None if value is None else json.dumps(value) for value in column.to_pylist()], pa.string())
