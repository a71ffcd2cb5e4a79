"""What a query reads of a graph: columns of vertices and edges by internal id, and matches of patterns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ... import _core
from ...core.engines import ProgressFunction
from ...core.lazy_arrow import pa, pc
from ...graph.column_types import arrow_type
from ...graph.ids import arrow_ids
from ...graph.schema import arrow_values, edge_columns, vertex_columns
from ..match import NumberedMatches
from . import syntax as s
from .lists import lengths_of
from .values import (
    Rows,
    edge_type,
    fit,
    is_edge,
    is_list,
    is_node,
    is_path,
    list_of,
    node_numbers,
    node_type,
)

__all__ = ["GraphColumns"]


@cache
def _no_values(kind: str) -> pa.Array:
    """None of a column, as plans ask for its type."""
    return pa.array([], arrow_type(kind))


@dataclass
class GraphColumns:
    """A state of a graph, and how it is read."""

    state: _core.Snapshot
    words: tuple[str, str]
    threads: int | None
    progress: ProgressFunction | bool | None
    distinct: str = "edges"
    """What no match uses twice: "edges", "nodes" (vertices), or "none" of both."""
    wheres: tuple[str, ...] = ()
    """Predicates of `match` on the first pattern, by its names."""
    anchors: Mapping[str, npt.NDArray[np.uint64]] = field(default_factory=dict)
    """What names of the first pattern may stand for."""
    pattern_value: Callable[[s.PatternValue, Rows], pa.Array] = field(init=False)

    def __post_init__(self) -> None:
        schema = self.state.schema
        self.by_row = bool(schema.rows)
        self.directed = bool(schema.directed)
        self.text_ids = schema.ids == _core.IdKind.string
        self._of_vertices = vertex_columns(schema)
        self._of_edges = dict(edge_columns(schema))
        self._weight = None if schema.weights == _core.WeightType.none else schema.weights.name
        if self._weight is not None:
            self._of_edges["weight"] = self._weight
        flags = (self.by_row, self.directed, self.text_ids, self._weight, self.distinct)
        self.kinds = (flags, tuple(self._of_vertices.items()), tuple(self._of_edges.items()))
        """Names and types of all columns, which plans depend on."""

    # ---- columns ----

    @property
    def num_vertices(self) -> int:
        """Internal ids of vertices are below."""
        return int(self.state.num_vertices)

    @property
    def has_id_column(self) -> bool:
        """A column is called "id", so that `a.id` is not the id of a vertex."""
        return "id" in self._of_vertices

    def known_columns(self, of_vertices: bool) -> list[str]:
        """The names of the columns."""
        return list({"id": None, **self._of_vertices}) if of_vertices else list(self._of_edges)

    def column_type(self, of_vertices: bool, name: str) -> str | None:
        """The type of a column; None: there is no such column."""
        if of_vertices and name == "id" and name not in self._of_vertices:
            return "string" if self.text_ids else "int64"
        return (self._of_vertices if of_vertices else self._of_edges).get(name)

    def label_column(self, of_vertices: bool) -> str:
        """The column of labels, or of types."""
        return self.words[0] if of_vertices else self.words[1]

    def vertex_column(self, nodes: pa.Array, name: str) -> pa.Array | None:
        """The values of a column for vertices; " id" and, if no column is called so, "id" are their ids."""
        kind = self._of_vertices.get(name)
        if kind is None and name not in ("id", " id"):
            return None
        if not len(nodes):
            return _no_values(kind or ("string" if self.text_ids else "int64"))
        numbers, valid = node_numbers(nodes)
        if not nodes.null_count:
            return self._of_numbers(numbers, name, kind)
        found = self._of_numbers(numbers[valid], name, kind)
        places = np.cumsum(valid) - 1
        return found.take(pa.array(np.where(valid, places, 0), mask=~valid))

    def _of_numbers(self, numbers: npt.NDArray[np.uint64], name: str, kind: str | None) -> pa.Array:
        if kind is not None:
            return arrow_values(_core.vertex_values(self.state, name, np.ascontiguousarray(numbers)), kind)
        return arrow_ids(self.state.ids_of(np.ascontiguousarray(numbers)))

    def edge_column(self, edges: pa.Array, name: str) -> pa.Array | None:
        """The values of a column for edges."""
        kind = self._of_edges.get(name)
        if kind is None or not len(edges):
            return None if kind is None else _no_values(kind)
        if self.by_row and not edges.null_count and not (plain := edges.field(2)).null_count:
            return arrow_values(_core.edge_values(self.state, name, np.ascontiguousarray(np.asarray(plain))), kind)
        entries = pc.struct_field(edges, "_entry")
        if not self.by_row:  # the one column is the weight, which matches carry
            return entries.cast(arrow_type(kind), safe=False)
        valid = np.asarray(entries.is_valid())
        rows = np.ascontiguousarray(np.asarray(pc.fill_null(entries, 0), np.float64)[valid])
        found = arrow_values(_core.edge_values(self.state, name, rows), kind)
        return found.take(pa.array(np.where(valid, np.cumsum(valid) - 1, 0), mask=~valid))

    # ---- matches ----

    def matches(
        self, pattern: str, where: Sequence[str], anchors: Mapping[str, npt.NDArray[np.uint64]]
    ) -> NumberedMatches:
        """The matches of a pattern, which use nothing twice that is to be distinct."""
        return NumberedMatches(
            self.state, pattern, where, anchors, self.words, self.threads, self.progress, self.distinct
        )

    # ---- what users see ----

    def shown(self, array: pa.Array) -> pa.Array:
        """Vertices as their ids, edges as structs of ends and columns, paths as structs of lists of both."""
        kind = array.type
        if not pa.types.is_nested(kind):
            return array
        if is_node(kind):
            return self.vertex_column(array, " id")
        if is_edge(kind):
            return self._shown_edges(array)
        if is_path(kind):
            parts = [self.shown(fit_lists(array, name, of)) for name, of in _PATH_PARTS]
            fields = [pa.field(name, part.type) for name, part in zip(("vertices", "edges"), parts, strict=True)]
            return pa.StructArray.from_arrays(parts, fields=fields, mask=array.is_null())
        if is_list(kind) and pa.types.is_nested(kind.value_type):
            return list_of(self.shown(array.flatten()), lengths_of(array), array.is_null())
        if pa.types.is_struct(kind):
            columns = [self.shown(pc.struct_field(array, each.name)) for each in kind]
            fields = [pa.field(each.name, column.type) for each, column in zip(kind, columns, strict=True)]
            return pa.StructArray.from_arrays(columns, fields=fields, mask=array.is_null())
        return array

    def _shown_edges(self, edges: pa.Array) -> pa.Array:
        columns: dict[str, Any] = {}
        for name, end in (("source", "_from"), ("target", "_to")):
            ends = pa.StructArray.from_arrays(
                [pc.struct_field(edges, end)], fields=list(node_type()), mask=edges.is_null()
            )
            columns[name] = self.vertex_column(ends, " id")
        for name in self._of_edges:
            columns[name if name not in columns else f"{name}_"] = self.edge_column(edges, name)
        fields = [pa.field(name, column.type) for name, column in columns.items()]
        return pa.StructArray.from_arrays(list(columns.values()), fields=fields, mask=edges.is_null())


_PATH_PARTS = (("_vertices", node_type), ("_edges", edge_type))


def fit_lists(paths: pa.Array, name: str, of: Callable[[], pa.DataType]) -> pa.Array:
    """One of the lists of paths."""
    return fit(pc.struct_field(paths, name), pa.large_list(of()))
