"""The edges of one vertex as a mapping: `g[u][v]["amount"]`, as NetworkX has it."""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterator, Mapping
from functools import cached_property
from typing import Any

from .. import _core
from ..core.errors import NotInGraphError
from .attributes import EdgeAttributes
from .ids import VertexKey, find_or_none, missing_vertex
from .read_values import ReadValues
from .schema import edge_columns

__all__ = ["ReadRow", "Row"]

_LOOKED_UP = 8  # edges read one by one, before all edges of the vertex are read


class Row(Mapping[VertexKey, dict[Any, Any]]):
    """The neighbours of a vertex, each with a dict of what its edge has: the weight and the columns.

    A null has no key.  In a graph that keeps parallel edges each neighbour has a dict of such dicts, by their
    number 0.. .  `attributes` gives what several rows of one state share.
    """

    _values: type[dict[Any, Any]] = dict

    def __init__(
        self,
        state: _core.Snapshot,
        v: VertexKey,
        in_edges: bool = False,
        attributes: Callable[[], EdgeAttributes] | None = None,
    ) -> None:
        found = state.neighbors_of(v, in_edges)
        if found is None:
            raise missing_vertex(state, v)
        self._state = state
        self._vertex = v
        self._neighbors = found
        self._in_edges = in_edges
        schema = state.schema
        self._weighted = schema.weights != _core.WeightType.none
        self._parallel = schema.parallel_edges == _core.ParallelEdges.keep
        self._columns = bool(edge_columns(schema))
        self._shared = attributes
        self._looked_up = 0

    def __len__(self) -> int:
        return len(set(self._neighbors)) if self._parallel else len(self._neighbors)

    def __iter__(self) -> Iterator[VertexKey]:
        self._looked_up = _LOOKED_UP  # a pass reads more than a few of the edges
        return iter(dict.fromkeys(self._neighbors)) if self._parallel else iter(self._neighbors)

    def __contains__(self, v: object) -> bool:
        return v in self._neighbors

    def __getitem__(self, v: VertexKey) -> dict[Any, Any]:
        data = self._data(v)
        if not data:
            ends = (v, self._vertex) if self._in_edges else (self._vertex, v)
            raise NotInGraphError(f"the graph has no edge {ends[0]!r} -> {ends[1]!r}; has_edge(u, v) asks for one")
        return self._values(enumerate(map(self._values, data)) if self._parallel else data[0])

    def items(self) -> ItemsView[VertexKey, dict[Any, Any]]:
        """Return pairs of a neighbour and what the edge has.  Cost: a dict for each edge of the vertex."""
        return _Items(self)

    def copy(self) -> dict[VertexKey, dict[Any, Any]]:
        """Return a dict of all neighbours, as NetworkX's dictionaries do.  Cost: a dict for each edge of the vertex."""
        return dict(self.items())

    def _pairs(self) -> Iterator[tuple[VertexKey, dict[Any, Any]]]:
        if not self._columns or self._parallel:
            return ((v, self[v]) for v in self)
        vertex = find_or_none(self._state, self._vertex)
        assert vertex is not None
        found = self._attributes.of_vertex(vertex, self._in_edges)
        return ((v, self._values(data)) for v, data in zip(self._neighbors, found, strict=True))

    def _data(self, v: VertexKey) -> list[dict[Any, Any]]:
        """What each edge to `v` has; empty if there is none."""
        if self._columns:
            return self._of_columns(v)
        if not self._weighted and not self._parallel:
            return [{}] if v in self._neighbors else []
        ends = (v, self._vertex) if self._in_edges else (self._vertex, v)
        found = self._state.weights_between(*ends)
        return [{"weight": weight} if self._weighted else {} for weight in found]

    def _of_columns(self, v: VertexKey) -> list[dict[Any, Any]]:
        self._looked_up += 1
        if self._looked_up > _LOOKED_UP:
            return self._all.get(v, [])
        other, vertex = find_or_none(self._state, v), find_or_none(self._state, self._vertex)
        if other is None or vertex is None:
            return []
        return self._attributes.between(vertex, other, self._in_edges)

    @cached_property
    def _attributes(self) -> EdgeAttributes:
        return EdgeAttributes(self._state) if self._shared is None else self._shared()

    @cached_property
    def _all(self) -> dict[VertexKey, list[dict[str, Any]]]:
        """What the edges to each neighbour have."""
        vertex = find_or_none(self._state, self._vertex)
        assert vertex is not None
        found: dict[VertexKey, list[dict[str, Any]]] = {}
        for v, data in zip(self._neighbors, self._attributes.of_vertex(vertex, self._in_edges), strict=True):
            found.setdefault(v, []).append(data)
        return found

    def __repr__(self) -> str:
        return f"Row({dict(self)!r})" if len(self) <= 20 else f"Row({len(self):,} neighbours)"


class ReadRow(Row):
    """The same with dicts that refuse changes, which the graph would not see."""

    _values = ReadValues


class _Items(ItemsView[VertexKey, dict[Any, Any]]):
    """The items of a row, which are read together."""

    _mapping: Row

    def __iter__(self) -> Iterator[tuple[VertexKey, dict[Any, Any]]]:
        return self._mapping._pairs()
