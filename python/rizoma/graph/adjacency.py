"""The edges of one vertex as a mapping: `g[u][v]["weight"]`, as NetworkX has it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from .. import _core
from ..core.errors import UnsupportedError, VertexNotFoundError
from .ids import VertexKey

__all__ = ["NO_COLUMN", "Row"]

NO_COLUMN = "{!r} is a column of the edges, which is not read for NetworkX from a stored graph; use g.to_networkx()"
"""What is said of a column that is asked for as an attribute."""


class _Data(dict[Any, Any]):
    """What an edge of a graph with edge columns has.  The columns are not in it: asking for one is an error."""

    def __init__(self, data: dict[Any, Any], columns: Collection[str]) -> None:
        super().__init__(data)
        self._columns = columns

    def _expect(self, key: object) -> None:
        if key in self._columns:
            raise UnsupportedError(NO_COLUMN.format(key))

    def __contains__(self, key: object) -> bool:
        self._expect(key)
        return super().__contains__(key)

    def __missing__(self, key: object) -> Any:
        self._expect(key)
        raise KeyError(key)

    def get(self, key: Any, default: Any = None) -> Any:
        """Return a value, or the default."""
        self._expect(key)
        return super().get(key, default)


class Row(Mapping[VertexKey, dict[Any, Any]]):
    """The neighbours of a vertex, each with a new dict of what its edge has: the weight, if the graph has some.

    In a graph that keeps parallel edges that is a dict of such dicts, by their number 0.. .
    """

    def __init__(self, state: _core.Snapshot, v: VertexKey, in_edges: bool = False) -> None:
        found = state.neighbors_of(v, in_edges)
        if found is None:
            raise VertexNotFoundError(f"the graph has no vertex {v!r}")
        self._state = state
        self._vertex = v
        self._neighbors = found
        self._in_edges = in_edges
        schema = state.schema
        self._weighted = schema.weights != _core.WeightType.none
        self._parallel = schema.parallel_edges == _core.ParallelEdges.keep
        self._columns = [name for name, _, _ in schema.edge_columns if name != "weight"]

    def __len__(self) -> int:
        return len(set(self._neighbors)) if self._parallel else len(self._neighbors)

    def __iter__(self) -> Iterator[VertexKey]:
        return iter(dict.fromkeys(self._neighbors)) if self._parallel else iter(self._neighbors)

    def __contains__(self, v: object) -> bool:
        return v in self._neighbors

    def __getitem__(self, v: VertexKey) -> dict[Any, Any]:
        if not self._weighted and not self._parallel:
            if v not in self._neighbors:
                raise KeyError(v)
            return _Data({}, self._columns) if self._columns else {}
        ends = (v, self._vertex) if self._in_edges else (self._vertex, v)
        found = self._state.weights_between(*ends)
        if not found:
            raise KeyError(v)
        data: list[dict[Any, Any]] = [{"weight": weight} if self._weighted else {} for weight in found]
        if self._columns:
            data = [_Data(each, self._columns) for each in data]
        return dict(enumerate(data)) if self._parallel else data[0]

    def __repr__(self) -> str:
        return f"Row({dict(self)!r})" if len(self) <= 20 else f"Row({len(self):,} neighbours)"
