"""The columns of a stored graph as NetworkX's attributes: a dict for each edge and each vertex.

A value that is missing (null) has no key, as in NetworkX.  Values are those that Arrow gives to Python: int, float,
bool, str, bytes, `datetime.date`, `datetime.datetime`, `decimal.Decimal`, list.

Who goes through the vertices in the order of their internal ids reads the columns by blocks that grow to `_MOST`
vertices; who asks for one vertex reads what that vertex has.
"""

from __future__ import annotations

from typing import Any

from .. import _core
from ..core.engines import engine
from ..core.lazy_numpy import np, npt
from .schema import arrow_values, edge_columns, vertex_columns

__all__ = ["EdgeAttributes", "VertexAttributes", "edge_attributes", "rows_view"]

_MOST = 256  # vertices of a block: a few thousand edges, whose values fit the processor's cache
_GAP = 16  # removed vertices between two that follow one another


def edge_attributes(schema: _core.GraphSchema) -> dict[str, str]:
    """Attributes of the edges, the weight among them: {name: type}."""
    weights = {} if schema.weights == _core.WeightType.none else {"weight": schema.weights.name}
    return weights | edge_columns(schema)


def _dicts(columns: dict[str, list[Any]], rows: int) -> list[dict[str, Any]]:
    """A dict for each row, without the values that are missing."""
    if not columns:
        return [{} for _ in range(rows)]
    names = list(columns)
    if not any(None in values for values in columns.values()):
        return [dict(zip(names, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return [
        {name: value for name, value in zip(names, row, strict=True) if value is not None}
        for row in zip(*columns.values(), strict=True)
    ]


def rows_view(state: _core.Snapshot) -> _core.View:
    """The lists with the number of each edge's row; it costs a look at each section, and a merge of pending changes."""
    with engine() as borrowed:
        return _core.rows_view(state, borrowed)


class _Blocks:
    """The end of the last block of vertices read, and the length of the next."""

    def __init__(self, vertices: int) -> None:
        self._vertices = vertices
        self.begin = self.end = 0
        self._length = 1

    def has(self, v: int) -> bool:
        """Whether the block holds `v`."""
        return self.begin <= v < self.end

    def move_to(self, v: int) -> None:
        """Begin the next block at `v`: a longer one if `v` follows the block, else one vertex."""
        follows = self.end > self.begin and self.end <= v < self.end + _GAP
        self._length = min(2 * self._length, _MOST) if follows else 1
        self.begin, self.end = v, min(v + self._length, self._vertices)


class EdgeAttributes:
    """What the edges of a state have, by vertex and place in its list; `view` is a `rows_view` that exists already.

    It remembers the block read last, so it serves one thread.
    """

    def __init__(self, state: _core.Snapshot, view: _core.View | None = None) -> None:
        self._state = state
        self.types = edge_attributes(state.schema)
        self._blocks = {in_edges: _Blocks(state.num_vertices) for in_edges in (False, True)}
        self._read: dict[bool, tuple[npt.NDArray[np.int64], list[dict[str, Any]]]] = {}
        self._view = rows_view(state) if view is None else view

    def of_rows(self, rows: npt.NDArray[np.float64]) -> list[dict[str, Any]]:
        """Attributes of the edges in these rows of the columns."""
        columns = {
            name: arrow_values(_core.edge_values(self._state, name, rows), kind).to_pylist()
            for name, kind in self.types.items()
        }
        return _dicts(columns, len(rows))

    def of_vertex(self, v: int, in_edges: bool) -> list[dict[str, Any]]:
        """Attributes of all edges of the vertex, in the order of its list; not to be changed."""
        blocks = self._blocks[in_edges]
        if not blocks.has(v):
            blocks.move_to(v)
            offsets, _, rows = _core.read_csr(self._view, in_edges, blocks.begin, blocks.end)
            assert rows is not None
            self._read[in_edges] = (offsets, self.of_rows(rows))
        offsets, found = self._read[in_edges]
        at = v - blocks.begin
        return found[offsets[at] : offsets[at + 1]]

    def between(self, v: int, other: int, in_edges: bool) -> list[dict[str, Any]]:
        """Attributes of the edges between two vertices, where `other` is in the list of `v`."""
        _, targets, rows = _core.read_csr(self._view, in_edges, v, v + 1)
        assert rows is not None
        first, last = np.searchsorted(targets, [other, other + 1])
        return self.of_rows(rows[first:last])


class VertexAttributes:
    """What the vertices of a state have."""

    def __init__(self, state: _core.Snapshot) -> None:
        self._state = state
        self._types = vertex_columns(state.schema)
        self._blocks = _Blocks(state.num_vertices)
        self._found: list[dict[str, Any]] = []

    def of_vertices(self, vertices: npt.NDArray[np.uint64]) -> list[dict[str, Any]]:
        """Attributes of these vertices."""
        columns = {
            name: arrow_values(_core.vertex_values(self._state, name, vertices), kind).to_pylist()
            for name, kind in self._types.items()
        }
        return _dicts(columns, len(vertices))

    def of_vertex(self, v: int) -> dict[str, Any]:
        """Attributes of a vertex; not to be changed."""
        if not self._types:
            return {}
        if not self._blocks.has(v):
            self._blocks.move_to(v)
            self._found = self.of_vertices(np.arange(self._blocks.begin, self._blocks.end, dtype=np.uint64))
        return self._found[v - self._blocks.begin]
