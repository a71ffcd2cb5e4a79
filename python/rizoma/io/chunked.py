"""Files of tables that are read piece by piece: what they have in common on their way into a graph."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from itertools import islice

from .. import _core
from ..graph.bulk import Change, fill, id_kind, prepare_added
from ..graph.import_report import FileReport
from ..graph.tables import EdgeColumns, EdgeSource
from .documents import VertexValues
from .prefetch import prefetch

__all__ = ["FileInPieces"]


class FileInPieces(ABC):
    """A file of edges whose rows come as tables; see `rizoma.io.sources.EdgeFile`."""

    vertices: VertexValues | None = None
    report: FileReport
    _drops_weights = False

    @abstractmethod
    def _source(self, ids: _core.IdKind | None = None) -> EdgeSource:
        """The edges, from the first on; ids that are text are read as these, None: as the file's lines tell."""

    def _id_kind(self) -> str:
        """Strings or integers; dense only if a small file has all numbers 0..n-1."""
        first = list(islice(self._source().chunks, 2))
        kind = id_kind(first, [])
        if kind is None or (kind == _core.IdKind.dense and len(first) > 1):
            return "dense" if kind is None else "integer"
        return str(kind.name)

    def load(self, load: _core.BulkLoad, schema: _core.GraphSchema, borrowed: _core.Engine) -> None:
        """Read everything into a bulk load."""
        fill(load, self._counted(schema))

    def gather(self, change: Change, schema: _core.GraphSchema, borrowed: _core.Engine) -> None:
        """Read everything into a change."""
        for columns in self._counted(schema).chunks:
            change.add(columns)

    def _counted(self, schema: _core.GraphSchema) -> EdgeSource:
        """All edges; the report counts them."""
        self.report.bad_lines, self.report.first_bad = 0, ""  # those read while the kind of ids was detected
        self.report.null_lines = 0

        def chunks() -> Iterator[EdgeColumns]:
            source = prepare_added(self._source(schema.ids), schema, self.report.guesses, self._drops_weights)
            for columns in prefetch(source.chunks):
                self.report.edges += len(columns)
                yield columns

        return EdgeSource(chunks())
