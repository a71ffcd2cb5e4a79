"""A stored graph as NetworkX's own code sees it: a graph of NetworkX's classes whose dictionaries read the store.

Nothing is converted: each look at a vertex reads the list of that vertex.  It is of one state, and frozen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any

from rizoma import _core

from ..core.errors import InvalidArgumentError, VertexNotFoundError
from .adjacency import ReadRow, Row
from .attributes import EdgeAttributes, VertexAttributes, edge_attributes
from .column_types import is_number
from .ids import find_or_none, missing_vertex

__all__ = ["as_networkx", "expect_weight", "state_of"]


def expect_weight(state: _core.Snapshot, weight: Any, name: str = "weight") -> None:
    """Raise unless that attribute of the edges can weigh them; "weight", or a function, always can."""
    if weight is None or weight == "weight" or not isinstance(weight, str):
        return
    types = edge_attributes(state.schema)
    if weight not in types:
        there = ", ".join(dict.fromkeys(["weight", *types]))
        raise InvalidArgumentError(f"{name}={weight!r} is not an edge column; there are {there}")
    if not is_number(types[weight]):
        raise InvalidArgumentError(f"{name}={weight!r} is a column of type {types[weight]}; name a column of numbers")


class _Nodes(Mapping[Any, dict[str, Any]]):
    """The vertices, each with the values of its columns."""

    def __init__(self, state: _core.Snapshot, values: type[dict[Any, Any]] = dict) -> None:
        self.state = state
        self._values = values

    def __len__(self) -> int:
        return self.state.num_live

    def __iter__(self) -> Iterator[Any]:
        return self.state.iterate_vertices()

    def __contains__(self, v: object) -> bool:
        hash(v)  # NetworkX counts on an error for lists
        return self.state.has_vertex(v)

    def __getitem__(self, v: Any) -> dict[str, Any]:
        if v not in self:
            raise missing_vertex(self.state, v)
        number = find_or_none(self.state, v)
        return self._values({} if number is None else self._attributes.of_vertex(number))

    @cached_property
    def _attributes(self) -> VertexAttributes:
        return VertexAttributes(self.state)


class _Adjacency(_Nodes):
    """The lists of all vertices, in one direction."""

    def __init__(self, state: _core.Snapshot, in_edges: bool = False, values: type[dict[Any, Any]] = dict) -> None:
        super().__init__(state, values)
        self._in_edges = in_edges
        self._row = Row if values is dict else ReadRow

    @cached_property
    def _shared(self) -> EdgeAttributes:
        return EdgeAttributes(self.state)

    def _of_edges(self) -> EdgeAttributes:
        return self._shared

    def __getitem__(self, v: Any) -> Any:
        hash(v)
        try:
            return self._row(self.state, v, self._in_edges, self._of_edges)
        except VertexNotFoundError:
            raise missing_vertex(self.state, v) from None


def as_networkx(state: _core.Snapshot, values: type[dict[Any, Any]] = dict) -> Any:
    """The state as a graph of NetworkX's class for its kind; `values`: what each edge and vertex has."""
    import networkx as nx

    schema = state.schema
    parallel = schema.parallel_edges == _core.ParallelEdges.keep
    kinds = ((nx.Graph, nx.DiGraph), (nx.MultiGraph, nx.MultiDiGraph))
    graph = kinds[parallel][schema.directed]()
    graph._node = _Nodes(state, values)
    graph._adj = _Adjacency(state, values=values)
    if schema.directed:
        graph._pred = _Adjacency(state, in_edges=True, values=values)
    graph.graph = values()
    graph.size = _size(type(graph), state)
    graph.nbunch_iter = _nbunch_iter(type(graph), state)
    return nx.freeze(graph)


def _nbunch_iter(kind: Any, state: _core.Snapshot) -> Callable[..., Any]:
    """NetworkX's `G.nbunch_iter`, which takes a text that is no vertex as a list of its letters; it holds no graph."""

    def nbunch_iter(nbunch: Any = None) -> Any:
        graph = as_networkx(state)
        if isinstance(nbunch, (str, bytes)) and nbunch not in graph and len(graph) > 0:
            raise missing_vertex(state, nbunch)
        return kind.nbunch_iter(graph, nbunch)

    return nbunch_iter


def _size(kind: Any, state: _core.Snapshot) -> Callable[..., Any]:
    """NetworkX's `G.size`, which adds up all degrees to know the number of edges that the store knows.

    It does not hold the graph that it is put on: a state must be let go of after its last use.
    """

    def size(weight: Any = None) -> Any:
        if weight is None:
            return state.num_edges()
        expect_weight(state, weight)
        return kind.size(as_networkx(state), weight)

    return size


def state_of(graph: Any) -> _core.Snapshot | None:
    """The state that a graph made by `as_networkx` reads; None for other graphs."""
    rows = getattr(graph, "_adj", None)
    return rows.state if isinstance(rows, _Adjacency) else None
