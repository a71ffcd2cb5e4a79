"""Tables, arrays and graphs as the input of `rizoma.read`; see `rizoma.io.sources.EdgeFile`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .. import _core
from ..graph.bulk import BULK_ROWS, Change, fill, id_kind, peek, prepare_added, with_text_ids
from ..graph.import_report import FileReport
from ..graph.tables import ColumnNames, EdgeColumns, EdgeSource, read_edges
from ..graph.tables.columns import DIRECTION_IS_LOST
from .documents import VertexValues

__all__ = ["TableInput"]

_WEIGHTS = {np.dtype(np.int32): "int32", np.dtype(np.float32): "float32"}


class TableInput:
    """What `Graph.add_edges` takes, read once; `called` is what the report calls it."""

    def __init__(self, table: Any, names: ColumnNames, ids: str | None, directed: bool | None, called: str) -> None:
        edges = read_edges(table, names)
        first, self._source = peek(with_text_ids(edges) if ids == "string" else edges, BULK_ROWS)
        self._drops_weights = names.drops_weights
        ids_of_vertices, values = self._source.vertices, dict(self._source.vertex_values)
        self.vertices: VertexValues | None = None if ids_of_vertices is None else (ids_of_vertices, values)
        self.directed = bool(self._source.directed) if directed is None else directed
        weights = next((columns.weights for columns in first if columns.weights is not None), None)
        self.weights = None if weights is None else _WEIGHTS.get(weights.dtype, "float64")
        kind = id_kind(first, self._source.vertex_columns)
        self.ids = ids or ("dense" if kind is None else kind.name)
        self.report = FileReport(called, "table", self.ids, self.directed, self.weights, notes=list(self._source.notes))
        self.report.guesses = list(self._source.guesses)
        if self._source.ends:
            self.report.columns = list(self._source.labels)
            self.report.source, self.report.target = self._source.ends
        if self._source.left_out:
            self.report.guesses.append("; ".join(self._source.left_out))
        self.report.multigraph = self._source.multigraph
        if not self.directed:
            lost = self._source.undirected_guesses
            self.report.guesses += [each for each in lost if each != DIRECTION_IS_LOST]  # it was asked for

    def load(self, load: _core.BulkLoad, schema: _core.GraphSchema, borrowed: _core.Engine) -> None:
        """Put everything into a bulk load."""
        fill(load, EdgeSource(self._counted(schema), self._source.vertices))

    def gather(self, change: Change, schema: _core.GraphSchema, borrowed: _core.Engine) -> None:
        """Put everything into a change."""
        for ids in self._source.vertex_columns:
            change.add_vertices(ids)
        for columns in self._counted(schema):
            change.add(columns)

    def _counted(self, schema: _core.GraphSchema) -> Iterator[EdgeColumns]:
        for columns in prepare_added(self._source, schema, self.report.guesses, self._drops_weights).chunks:
            self.report.edges += len(columns)
            yield columns
