"""The edges of one vertex as a mapping: `g[u][v]["weight"]`, as NetworkX has it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from . import _core
from .errors import VertexNotFoundError
from .vertex_ids import VertexKey

__all__ = ["Row"]


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
            return {}
        ends = (v, self._vertex) if self._in_edges else (self._vertex, v)
        found = self._state.weights_between(*ends)
        if not found:
            raise KeyError(v)
        data = [{"weight": weight} if self._weighted else {} for weight in found]
        return dict(enumerate(data)) if self._parallel else data[0]

    def __repr__(self) -> str:
        return f"Row({dict(self)!r})" if len(self) <= 20 else f"Row({len(self):,} neighbours)"
