"""Paths between two vertices of a stored graph, searched in the graph itself: no conversion, and no loops in Python.

The answers are NetworkX's, down to the choice among equally short paths: `dijkstra_trees` takes vertices in its order.
What these searches cannot answer as NetworkX does they leave to the other ways, by NotImplementedError.
"""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from rizoma import _core
from rizoma.graph.state import Reader

from ..core.engines import engine
from ..core.errors import InvalidArgumentError
from ..graph.attributes import edge_attributes
from ..graph.ids import arrow_ids, find_or_none
from ..graph.state import weighted_view
from .registry import for_stored
from .weighted import way_to

__all__ = ["ends_of", "weight_of"]

_ALL = 2**62  # more neighbours than any vertex has


def ends_of(G: Any, source: Any, target: Any) -> tuple[_core.Snapshot, int, int]:
    """The state of a stored graph and the numbers of two of its vertices."""
    if not isinstance(G, Reader):
        raise NotImplementedError("a conversion has searches of its own")
    state = G._state()
    first, last = find_or_none(state, source), find_or_none(state, target)
    if first is None or last is None:
        raise NotImplementedError("NetworkX says that a node is not there")
    return state, first, last


def weight_of(state: _core.Snapshot, weight: Any) -> tuple[str | None, bool]:
    """The column that weighs the edges (None: each counts 1), and whether its values are integers."""
    types = edge_attributes(state.schema)
    if state.schema.parallel_edges == _core.ParallelEdges.keep or (weight is None and "weight" in types):
        raise NotImplementedError("which of several edges, or what each counts, NetworkX decides")
    if weight is None or (weight == "weight" and weight not in types):
        return None, True
    if not isinstance(weight, str) or not types.get(weight, "").startswith(("int", "uint", "float")):
        raise NotImplementedError("functions, and values that are no numbers, are left to NetworkX")
    return weight, "int" in types[weight]


def _view(state: _core.Snapshot, borrowed: _core.Engine, column: str | None) -> _core.View:
    try:
        return weighted_view(state, borrowed, column)
    except InvalidArgumentError as error:
        raise NotImplementedError("an edge without a value counts 1 for NetworkX") from error


def _path(G: Any, source: Any, target: Any, weight: Any) -> tuple[int | float, list[Any]] | None:
    """(length, nodes) of the path that NetworkX finds; None if there is none."""
    state, first, last = ends_of(G, source, target)
    column, integers = weight_of(state, weight)
    with engine() as borrowed:
        view = _view(state, borrowed, column)
        try:
            tree = _core.dijkstra_trees(borrowed, view, np.array([first], np.uint64), together=True, target=last)
        except InvalidArgumentError as error:
            raise NotImplementedError("weights below 0 and NaN are left to NetworkX") from error
    found = way_to(tree, last)
    if found is None:
        return None
    length, path = found
    nodes = arrow_ids(state.ids_of(np.array(path, np.uint64))).to_pylist()
    return int(length) if integers or first == last else length, nodes


def _from_both_ends(G: Any, source: Any, target: Any, weight: Any) -> tuple[int | float, list[Any]]:
    """(length, nodes) of the path that NetworkX's search from both ends finds."""
    state, first, last = ends_of(G, source, target)
    column, integers = weight_of(state, weight)
    if state.schema.directed and not state.schema.in_edges:
        raise NotImplementedError("the graph has no in-edges to search from the target")
    with engine() as borrowed:
        view = _view(state, borrowed, column)
        try:
            found = _core.shortest_path(borrowed, view, first, last, column is not None, in_turns=True)
        except InvalidArgumentError as error:
            raise NotImplementedError("weights below 0 and NaN are left to NetworkX") from error
    if not len(found["vertices"]):
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    length = found["length"]
    path = arrow_ids(state.ids_of(np.ascontiguousarray(found["vertices"], np.uint64))).to_pylist()
    return int(length) if integers or first == last else length, path


class _End:
    """A search by numbers of edges from one end, level by level, in NetworkX's order."""

    def __init__(self, v: int, vertices: int, in_edges: bool) -> None:
        self._before = np.zeros(vertices, np.int64)  # the vertex that led to each, plus 1; 0: it is not reached
        self._before[v] = v + 1
        self._in_edges = in_edges
        self.level = np.array([v], np.uint64)

    def advance(
        self, borrowed: _core.Engine, view: _core.View, other: _End, place: npt.NDArray[np.int64]
    ) -> int | None:
        """Find the next level, up to the first vertex that the other end has reached, and return that.

        `place`: room for a number of each vertex.
        """
        offsets, found = _core.sample_neighbors(borrowed, view, self.level, _ALL, 0, self._in_edges)
        before = np.repeat(self.level, np.diff(offsets))
        common = np.flatnonzero(other._before[found])
        met = int(found[common[0]]) if len(common) else None
        if len(common):
            found, before = found[: common[0] + 1], before[: common[0] + 1]
        new = self._before[found] == 0
        found, before = found[new], before[new]
        places = np.arange(len(found))
        place[found[::-1]] = places[::-1]  # what is written last stays: the first place of each
        first = place[found] == places
        self.level = found[first]
        self._before[self.level] = before[first] + 1
        return met

    def way(self, v: int) -> list[int]:
        """From v back to where the search began."""
        way = [v]
        while (before := int(self._before[v]) - 1) != v:
            way.append(v := before)
        return way


def _by_number_of_edges(G: Any, source: Any, target: Any) -> list[Any]:
    """The path that NetworkX's search by levels from both ends finds; the smaller level goes on."""
    state, first, last = ends_of(G, source, target)
    if state.schema.directed and not state.schema.in_edges:
        raise NotImplementedError("the graph has no in-edges to search from the target")
    vertices = state.num_vertices
    ends = _End(first, vertices, False), _End(last, vertices, state.schema.directed)
    place = np.empty(vertices, np.int64)
    met = first if first == last else None
    with engine(1) as borrowed:
        view = state.view(borrowed)
        while met is None:
            if not all(len(end.level) for end in ends):
                raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
            here, there = ends if len(ends[0].level) <= len(ends[1].level) else ends[::-1]
            met = here.advance(borrowed, view, there, place)
    path = [*reversed(ends[0].way(met)), *ends[1].way(met)[1:]]
    nodes: list[Any] = arrow_ids(state.ids_of(np.array(path, np.uint64))).to_pylist()
    return nodes


@for_stored
def bidirectional_shortest_path(G: Any, source: Any, target: Any) -> list[Any]:
    return _by_number_of_edges(G, source, target)


@for_stored
def bidirectional_dijkstra(G: Any, source: Any, target: Any, weight: Any = "weight") -> tuple[int | float, list[Any]]:
    return _from_both_ends(G, source, target, weight)


@for_stored
def shortest_path(G: Any, source: Any = None, target: Any = None, weight: Any = None, method: str = "dijkstra") -> Any:
    if source is None or target is None or method != "dijkstra":
        raise NotImplementedError("paths to all nodes, and from all to one, have other ways")
    if weight is None:
        return _by_number_of_edges(G, source, target)
    return _from_both_ends(G, source, target, weight)[1]


@for_stored
def dijkstra_path(G: Any, source: Any, target: Any, weight: Any = "weight") -> list[Any]:
    found = _path(G, source, target, weight)
    if found is None:
        raise nx.NetworkXNoPath(f"No path to {target}.")
    return found[1]


@for_stored
def dijkstra_path_length(G: Any, source: Any, target: Any, weight: Any = "weight") -> int | float:
    found = _path(G, source, target, weight)
    if found is None:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    return found[0]


@for_stored
def shortest_path_length(
    G: Any, source: Any = None, target: Any = None, weight: Any = None, method: str = "dijkstra"
) -> int | float:
    if weight is None and source is not None and target is not None:
        if (steps := _steps(G, source, target)) is None:
            raise NotImplementedError("NetworkX says that there is no path")
        return steps
    if source is None or target is None or weight is None or method != "dijkstra":
        raise NotImplementedError("lengths to all nodes are a kernel's")
    return dijkstra_path_length(G, source, target, weight)


@for_stored
def has_path(G: Any, source: Any, target: Any) -> bool:
    return _steps(G, source, target) is not None


def _steps(G: Any, source: Any, target: Any) -> int | None:
    """Edges of a shortest path; None if there is none."""
    state, first, last = ends_of(G, source, target)
    with engine() as borrowed:
        found = _core.shortest_path(borrowed, state.working_view(borrowed), first, last, False)
    return len(found["vertices"]) - 1 if len(found["vertices"]) else None
