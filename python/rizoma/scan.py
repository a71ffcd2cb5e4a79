"""All edges of a state of a graph as Arrow record batches, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from . import _core
from .vertex_ids import arrow_ids

__all__ = ["EdgeScan"]

_ROWS = 1 << 20
_WEIGHTS = {
    _core.WeightType.int32: pa.int32(),
    _core.WeightType.float32: pa.float32(),
    _core.WeightType.float64: pa.float64(),
}


class EdgeScan:
    """The edges of a graph; an undirected edge is listed once.

    Iterating gives record batches with columns source, target and, if the graph has them, weight.
    It is an Arrow stream, so DuckDB, polars, pandas and pyarrow read it without a copy in between.
    """

    def __init__(self, state: _core.Snapshot, view: _core.View) -> None:
        self._snapshot = state
        self._view = view
        ids = pa.large_string() if state.schema.ids == _core.IdKind.string else pa.int64()
        fields = [("source", ids), ("target", ids)]
        if state.schema.weights in _WEIGHTS:
            fields.append(("weight", _WEIGHTS[state.schema.weights]))
        self.schema = pa.schema(fields)

    def __len__(self) -> int:
        return self._view.num_edges

    def batches(self, rows: int = _ROWS) -> Iterator[pa.RecordBatch]:
        """Yield batches of about `rows` edges, in the order of inner vertex numbers."""
        vertex = 0
        while vertex < self._view.num_vertices:
            sources, targets, weights, vertex = _core.scan_edges(self._view, vertex, rows)
            if len(sources) == 0:
                continue
            columns = [arrow_ids(self._snapshot.ids_of(sources)), arrow_ids(self._snapshot.ids_of(targets))]
            if weights is not None:
                columns.append(pa.array(weights).cast(self.schema.field("weight").type))
            yield pa.record_batch(columns, schema=self.schema)

    __iter__ = batches

    def reader(self) -> pa.RecordBatchReader:
        """Return the edges as a pyarrow reader."""
        return pa.RecordBatchReader.from_batches(self.schema, self.batches())

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.reader().__arrow_c_stream__(requested_schema)

    def to_arrow(self) -> pa.Table:
        """Return all edges as one table."""
        return self.reader().read_all()

    def to_pandas(self) -> Any:
        """Return all edges as a pandas DataFrame."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> Any:
        """Return all edges as a polars DataFrame."""
        import polars

        return polars.from_arrow(self.to_arrow())

    def __repr__(self) -> str:
        columns = ", ".join(f"{field.name}: {field.type}" for field in self.schema)
        return f"EdgeScan({len(self):,} edges; {columns})"
