"""Documents that the core reads: GML, GraphML and JSON, on their way into a graph."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..core.engines import engine
from ..core.errors import ColumnNotFoundError, InvalidArgumentError
from ..graph.bulk import Change
from ..graph.ids import arrow_ids, id_array
from ..graph.import_report import FileReport
from ..graph.schema import PartlyGiven, Values, arrow_values
from ..graph.tables.columns import not_read_notes, other_weight_guesses
from .documents import VertexValues
from .unsupported import expect_file

__all__ = ["CoreDocumentFile", "found_types", "look_at"]


def look_at(path: Path, options: _core.ReadOptions) -> _core.FileSummary:
    """Read a document."""
    expect_file(path)
    with engine() as borrowed:
        return _core.inspect(path, options, borrowed)


class CoreDocumentFile:
    """A document that was read; see `rizoma.io.sources.EdgeFile`."""

    vertices: VertexValues | None = None

    def __init__(
        self, path: Path, options: _core.ReadOptions, edges: Mapping[str, str], vertices: Mapping[str, str]
    ) -> None:
        options.keep(list(edges.items()), list(vertices.items()))
        summary = look_at(path, options)
        if summary.num_edges:
            _expect(path, edges, [name for name, _, _ in summary.edge_values])
        if summary.num_vertices:
            _expect(path, vertices, [name for name, _, _ in summary.vertex_values])
        self._path = path
        self._options = options
        self._summary = summary
        self._vertex_kinds = vertices
        self.directed = summary.directed
        self.weights = None if summary.weights == _core.WeightType.none else summary.weights.name
        self.ids = summary.ids.name
        self.report = FileReport.of(path, summary)
        said = _said(summary.edge_values)
        self.report.guesses += other_weight_guesses(said, edges, bool(self.weights))
        self.report.notes += not_read_notes(said, edges, _said(summary.vertex_values), vertices)

    def load(self, load: _core.BulkLoad, schema: _core.GraphSchema, borrowed: _core.Engine) -> None:
        """Put everything into a bulk load."""
        weighted = self._fit(schema)
        self.report.edges, found = _core.load_document(
            load, self._path, self._summary, self._options, weighted, borrowed
        )
        self._keep(found)

    def gather(self, change: Change, schema: _core.GraphSchema, borrowed: _core.Engine) -> None:
        """Put everything into a change."""
        weighted = self._fit(schema)
        with change.apart():
            self._keep(
                _core.gather_document(
                    change.edges, change.vertices, self._path, self._summary, self._options, weighted, borrowed
                )
            )
            self.report.edges = len(change.edges)

    def _fit(self, schema: _core.GraphSchema) -> bool:
        """Give ids and directions as the graph has them; returns whether it has weights."""
        self._options.ids, self._options.directed = schema.ids, schema.directed
        return schema.weights != _core.WeightType.none

    def _keep(self, found: tuple[Any, dict[str, tuple[Values, Any]]] | None) -> None:
        """Keep values of vertices until the vertices exist."""
        if found is None:
            return
        ids, values = found
        self.vertices = (
            id_array(arrow_ids(ids)),
            {name: _column(each, given, self._vertex_kinds[name]) for name, (each, given) in values.items()},
        )


def _column(values: Values, given: npt.NDArray[np.uint8] | None, kind: str) -> Any:
    array = arrow_values(values, kind)
    return array if given is None else PartlyGiven(array, given.astype(np.bool_))


def found_types(found: list[tuple[str, str | None, bool]]) -> dict[str, str]:
    """The types of values that a document has, by their names; raises if one has none that a column can have."""
    for name, kind, all_null in found:
        if name and kind is None and all_null:
            raise InvalidArgumentError(
                f"column {name!r} has no values that show its type; name the columns to keep, with their types"
            )
        if name and kind is None:
            raise InvalidArgumentError(
                f"the values called {name!r} are not of one type that a column can have; name the columns to keep, "
                "with their types"
            )
    return {name: str(kind) for name, kind, _ in found if name}  # an index that pandas wrote has no name


def _said(found: list[tuple[str, str | None, bool]]) -> list[str]:
    """The names that some record has; others are only declared."""
    return [name for name, kind, all_null in found if kind is None or not all_null]


def _expect(path: Path, columns: Mapping[str, str], found: list[str]) -> None:
    """Raise if no record has a column that is asked for."""
    missing = [name for name in columns if name not in found]
    if missing:
        known = ", ".join(sorted(found)) or "none"
        raise ColumnNotFoundError(f"{path} has no values called {missing[0]!r} (there are {known})")
