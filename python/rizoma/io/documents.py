"""Files of the formats of `rizoma.formats` (GEXF, Pajek): their way into a graph, and a graph's way into them."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from .. import _core
from ..core.errors import ColumnNotFoundError, InvalidArgumentError, OutOfMemoryError, ParseError
from ..core.files import written_whole
from ..core.lazy_arrow import pa
from ..graph.bulk import Change, fill, id_kind, prepare_added
from ..graph.column_types import is_time, kind_of
from ..graph.ids import IdArray, id_array
from ..graph.import_report import FileReport
from ..graph.rounding import GREAT
from ..graph.scan import EdgeScan, VertexScan
from ..graph.schema import edge_columns, fitted_records, vertex_columns
from ..graph.tables import EdgeColumns, EdgeSource
from ..graph.tables.columns import great_weights_guess, not_read_notes, other_weight_guesses
from .formats import Format
from .formats._document import Columns, Content, Document, FaultError
from .unsupported import expect_file, expect_weights

if TYPE_CHECKING:
    from ..graph.state import Reader

__all__ = ["DocumentFile", "VertexValues", "read_document", "write_document"]

VertexValues: TypeAlias = "tuple[IdArray, dict[str, Any]]"
"""Ids of vertices, and their values by column."""

_COMPRESSION = {".gz": "gzip", ".zst": "zstd"}
_ROWS = 1 << 16
_BOTH_KINDS = ("some edges have a direction and others none: those without count in both directions",)


class DocumentFile:
    """A document that was read; see `rizoma.io.sources.EdgeFile`."""

    def __init__(
        self,
        path: Path,
        format: Format,
        ids: str | None,
        directed: bool | None,
        wanted: str | bool | None = None,
        edges: Mapping[str, str] | None = None,
        vertices: Mapping[str, str] | None = None,
    ) -> None:
        expect_file(path)
        document = read_document(path, format)
        with _faults_of(path):
            self._vertices, sources, targets = [_ids(column) for column in _of_one_kind(document, ids)]
        _expect_one_value(path, document, {"edge": edges or {}, "node": vertices or {}})
        weights = _weights(document)
        expect_weights(path, wanted, None if weights is None else "some", len(document.sources))
        both = pa.array(document.undirected) if document.undirected else None
        given = np.array([weight is not None for weight in document.weights], np.bool_)
        self._edges = EdgeColumns(
            sources,
            targets,
            weights,
            _values(path, document, "edge", edges or {}),
            both,
            weights_given=None if weights is None or given.all() else given,
        )
        self._undirected = not document.directed
        self._drops_weights = wanted is False
        self.vertices: VertexValues | None = (
            self._vertices,
            _values(path, document, "node", vertices or {}),
        )
        self.directed = document.directed if directed is None else directed
        self.weights = None if weights is None else str(weights.dtype)
        kind = id_kind([self._edges], [self._vertices])
        self.ids = ids or ("dense" if kind is None else kind.name)
        alone = (_core.READ_WITHOUT_DIRECTION,) if document.directed and not self.directed else ()
        notes = [
            *(alone or (_BOTH_KINDS if document.undirected else ())),
            *not_read_notes(_names(document.edge_values), edges or {}, _names(document.vertex_values), vertices or {}),
            *(f"not read, of {of}: {', '.join(map(repr, names))}" for of, names in document.unread.items()),
        ]
        name = format.__name__.rpartition(".")[2]
        self.report = FileReport(str(path), name, self.ids, self.directed, self.weights, notes=notes)
        self.report.guesses += document.guesses
        self.report.guesses += other_weight_guesses(_names(document.edge_values), edges or {}, bool(self.weights))
        missing = sum(weight is None for weight in document.weights)
        if weights is not None and missing:
            of = f"{missing:,} of {len(document.weights):,} edges"
            self.report.guesses.append(
                f"{of} have no weight: each of them weighs 1, or keeps the weight that the edge has"
            )
        great = 0 if weights is None else int(np.count_nonzero(np.abs(weights) >= GREAT))
        if great:
            self.report.guesses.append(great_weights_guess(great))

    def _fitted(self, schema: _core.GraphSchema) -> EdgeSource:
        source = EdgeSource([self._edges], vertices=self._vertices, undirected=self._undirected)
        return prepare_added(source, schema, self.report.guesses, self._drops_weights)

    def load(self, load: _core.BulkLoad, schema: _core.GraphSchema, borrowed: _core.Engine) -> None:
        """Put everything into a bulk load."""
        self.report.edges = len(self._edges)
        fill(load, self._fitted(schema))

    def gather(self, change: Change, schema: _core.GraphSchema, borrowed: _core.Engine) -> None:
        """Put everything into a change."""
        self.report.edges = len(self._edges)
        change.add_vertices(self._vertices)
        for columns in self._fitted(schema).chunks:
            change.add(columns)


@contextmanager
def _faults_of(path: Path) -> Iterator[None]:
    """Raise errors about a file's content with its name."""
    try:
        yield
    except FaultError as fault:
        place = f"{path}:{fault.line}" if fault.line else str(path)
        raise ParseError(f"{place}: {fault}") from None
    except InvalidArgumentError as error:
        raise ParseError(f"{path}: {error}") from None
    except MemoryError:
        raise OutOfMemoryError(f"{path}: not enough memory to read it") from None


def read_document(path: Path, format: Format) -> Document:
    """What a file says.  Errors name it: ParseError, OutOfMemoryError."""
    with _faults_of(path):
        return format.parse(_bytes_of(path))


def _values(path: Path, document: Document, of: str, columns: Mapping[str, str]) -> dict[str, Any]:
    """The values of these columns of "edge" or "node", which a row that has none does not give."""
    rows, declared = document.edge_values if of == "edge" else document.vertex_values, document.columns_of(of)
    arrays = {}
    for name, kind in columns.items():
        if rows and name not in declared and not any(name in row for row in rows):
            known = ", ".join(sorted({key for row in rows for key in row} | set(declared))) or "none"
            raise ColumnNotFoundError(f"{path} has no values called {name!r} (there are {known})")
        said = [{name: _of_text(row[name], kind)} if name in row else {} for row in rows]
        arrays[name] = fitted_records(said, name, name, kind)
    return arrays


def _expect_one_value(path: Path, document: Document, columns: Mapping[str, Mapping[str, str]]) -> None:
    """Raise if values are to be kept of which a node or an edge has two."""
    for kind, title in sorted(document.twice):
        if title in columns.get(kind, ()):
            raise ParseError(f"{path}: there are two values of {title!r} in one {kind}; leave one of them out")


def _names(rows: list[dict[str, Any]]) -> dict[str, None]:
    """The names that some row has."""
    return dict.fromkeys(key for row in rows for key in row)


def _of_text(value: Any, kind: str) -> Any:
    """Read what `_to_text` writes, and other programs' words for truth."""
    what = kind_of(kind)
    if what == "text" and isinstance(value, (bool, int, float)):
        return str(value).lower() if isinstance(value, bool) else str(value)
    if what == "bytes" and isinstance(value, str):
        return base64.b64decode(value)
    if what == "list" and isinstance(value, str):
        return json.loads(value)
    return bool(value) if what == "boolean" and isinstance(value, int) else value


def _to_text(array: Any, kind: str) -> list[Any]:
    """Values as bool, int, float, str or None."""
    if is_time(kind):
        return list(array.cast(pa.string()).to_pylist())
    values = array.to_pylist()
    if kind_of(kind) == "bytes":
        return [None if value is None else base64.b64encode(value).decode() for value in values]
    if kind_of(kind) == "list":
        return [None if value is None else json.dumps(value) for value in values]
    return list(values)


def _bytes_of(path: Path) -> bytes:
    compression = _COMPRESSION.get(path.suffix)
    if compression is None:
        return path.read_bytes()
    try:
        with pa.input_stream(str(path), compression=compression) as stream:
            data: bytes = stream.read()
    except PermissionError:
        raise
    except OSError as error:
        raise ParseError(f"{path}: {error}") from None
    return data


def _of_one_kind(document: Document, asked: str | None) -> list[list[Any]]:
    """Vertices, sources and targets; integers, or strings, which all are if they are asked for."""
    columns = [document.vertices, document.sources, document.targets]
    if asked == "string":
        columns = [[str(name) for name in column] for column in columns]
    kinds = {type(name) for column in columns for name in column}
    if kinds <= {int} or kinds == {str}:
        return columns
    names = ", ".join(sorted(kind.__name__ for kind in kinds))
    raise FaultError(f"ids must be all integers or all strings; this file has {names}: give ids='string'")


def _ids(column: list[Any]) -> IdArray:
    return id_array(column) if column else np.empty(0, np.int64)


def _weights(document: Document) -> npt.NDArray[Any] | None:
    """Weights as int32 if all are such integers, else float64; 1 where an edge has none."""
    if all(weight is None for weight in document.weights):
        return None
    values = np.array([1 if weight is None else weight for weight in document.weights])
    whole = values.dtype.kind == "i" and np.abs(values).max() < 2**31
    return values.astype(np.int32 if whole else np.float64)


def write_document(path: Path, format: Format, graph: Reader) -> None:
    """Write a graph, vertices without edges included."""
    state = graph._state()
    edges, vertices = EdgeScan(state), VertexScan(state)
    content = Content(
        directed=state.schema.directed,
        edge_columns=edge_columns(state.schema),
        vertex_columns=vertex_columns(state.schema),
        weighted="weight" in edges.schema.names,
        strings=state.schema.ids == _core.IdKind.string,
        vertices=_pieces_of_vertices(vertices, vertex_columns(state.schema)),
        edges=_pieces_of_edges(edges, edge_columns(state.schema)),
    )
    with (
        written_whole(path) as part,
        pa.output_stream(str(part), compression=_COMPRESSION.get(path.suffix)) as out,
    ):
        try:
            for text in format.pieces(content):
                out.write(text.encode())
        except FaultError as fault:
            raise InvalidArgumentError(f"{path}: {fault}") from None


def _pieces_of_vertices(vertices: VertexScan, kinds: Mapping[str, str]) -> Iterator[tuple[list[Any], Columns]]:
    for batch in vertices.batches(_ROWS, ["vertex", *kinds]):
        yield (
            batch.column("vertex").to_pylist(),
            {name: _to_text(batch.column(name), kind) for name, kind in kinds.items()},
        )


def _pieces_of_edges(
    edges: EdgeScan, kinds: Mapping[str, str]
) -> Iterator[tuple[list[Any], list[Any], list[Any] | None, Columns]]:
    for batch in edges.batches(_ROWS):
        weights = batch.column("weight").to_pylist() if "weight" in batch.schema.names else None
        values: Columns = {name: _to_text(batch.column(name), kind) for name, kind in kinds.items()}
        yield batch.column("source").to_pylist(), batch.column("target").to_pylist(), weights, values
