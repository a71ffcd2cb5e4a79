"""Files of the formats of `rizoma.formats`: their way into a graph, and a graph's way into them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core
from .errors import InvalidArgumentError, NotFoundError, OutOfMemoryError, ParseError
from .export import written_whole
from .formats import Format
from .formats._document import Content, Document, FaultError
from .imports import FileReport
from .lazy_arrow import pa
from .loading import Change, fill, id_kind, prepare
from .scan import EdgeScan, VertexScan
from .tables import EdgeColumns, EdgeSource
from .vertex_ids import IdArray, id_array

if TYPE_CHECKING:
    from .reader import Reader

__all__ = ["DocumentFile", "write_document"]

_COMPRESSION = {".gz": "gzip", ".zst": "zstd"}
_ROWS = 1 << 16


class DocumentFile:
    """A document that was read; see `rizoma.files.EdgeFile`."""

    def __init__(self, path: Path, format: Format, ids: str | None, directed: bool | None) -> None:
        if not path.exists():
            raise NotFoundError(f"there is no file {path}")
        if not path.is_file():  # a pipe would be waited for
            raise InvalidArgumentError(f"{path}: is not a regular file")
        try:
            document = format.parse(_bytes_of(path))
            ends = [_ids(column) for column in _of_one_kind(document)]
        except FaultError as fault:
            place = f"{path}:{fault.line}" if fault.line else str(path)
            raise ParseError(f"{place}: {fault}") from None
        except InvalidArgumentError as error:
            raise ParseError(f"{path}: {error}") from None
        except MemoryError:
            raise OutOfMemoryError(f"{path}: not enough memory to read it") from None
        self._vertices, sources, targets = ends
        weights = _weights(document)
        self._edges = EdgeColumns(sources, targets, weights)
        self.directed = document.directed if directed is None else directed
        self.weights = None if weights is None else str(weights.dtype)
        kind = id_kind([self._edges], [self._vertices])
        self.ids = ids or ("dense" if kind is None else kind.name)
        self.report = FileReport(str(path), format.__name__.rpartition(".")[2], self.ids, self.directed, self.weights)

    def _fitted(self, schema: _core.GraphSchema) -> EdgeSource:
        return prepare(EdgeSource([self._edges], vertices=self._vertices), schema)

    def load(self, load: _core.BulkLoad, schema: _core.GraphSchema, lent: _core.Engine) -> None:
        """Put everything into a bulk load."""
        self.report.edges = len(self._edges)
        fill(load, self._fitted(schema))

    def gather(self, change: Change, schema: _core.GraphSchema, lent: _core.Engine) -> None:
        """Put everything into a change."""
        self.report.edges = len(self._edges)
        change.add_vertices(self._vertices)
        for columns in self._fitted(schema).chunks:
            change.add(columns)


def _bytes_of(path: Path) -> bytes:
    compression = _COMPRESSION.get(path.suffix)
    if compression is None:
        return path.read_bytes()
    try:
        with pa.input_stream(str(path), compression=compression) as stream:
            data: bytes = stream.read()
    except OSError as error:
        raise ParseError(f"{path}: {error}") from None
    return data


def _of_one_kind(document: Document) -> list[list[Any]]:
    """Vertices, sources and targets; integers, or strings."""
    columns = [document.vertices, document.sources, document.targets]
    kinds = {type(name) for column in columns for name in column}
    if kinds <= {int} or kinds == {str}:
        return columns
    names = ", ".join(sorted(kind.__name__ for kind in kinds))
    raise FaultError(f"ids are integers, or all of them strings; here are {names}")


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
        weighted="weight" in edges.schema.names,
        strings=state.schema.ids == _core.IdKind.string,
        vertices=(batch.column("vertex").to_pylist() for batch in vertices.batches(_ROWS, ["vertex"])),
        edges=_columns_of(edges),
    )
    with (
        written_whole(path) as part,
        pa.output_stream(str(part), compression=_COMPRESSION.get(path.suffix)) as out,
    ):
        for text in format.pieces(content):
            out.write(text.encode())


def _columns_of(edges: EdgeScan) -> Iterator[tuple[list[Any], list[Any], list[Any] | None]]:
    for batch in edges.batches(_ROWS):
        columns = {name: batch.column(name).to_pylist() for name in batch.schema.names}
        yield columns["source"], columns["target"], columns.get("weight")
