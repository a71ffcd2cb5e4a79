"""NetworkX graph classes whose dictionaries are made at first use.

They are NetworkX's classes in all respects: they can be read and changed, and every function of NetworkX
works on them.  A graph that a kernel made, or that is in a store, is kept as compressed rows; its
dictionaries appear when first used.  Changing a graph through its methods forgets the rows.
"""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from rizoma import _core

from .compiled import ArrayEdges, Compiled, DictEdges

__all__ = [
    *("DiGraph", "Graph", "LazyGraph", "MultiDiGraph", "MultiGraph"),
    *("as_its_own", "compiled_of_nx", "graph_class", "share"),
]

_CACHE_KEY = "rizoma compiled"


class _Lazy:
    """An attribute of NetworkX's that is made by `_materialize` if it is missing.

    Setting it stores it under all of `names` and drops NetworkX's cached views in `views`.
    """

    def __init__(self, names: tuple[str, ...], views: tuple[str, ...]) -> None:
        self._names = names
        self._views = views

    def __get__(self, graph: Any, owner: Any = None) -> Any:
        if graph is None:
            return self
        attributes = graph.__dict__
        if self._names[0] not in attributes:
            graph._materialize()
        return attributes[self._names[0]]

    def __set__(self, graph: Any, value: Any) -> None:
        attributes = graph.__dict__
        for name in self._names:
            attributes[name] = value
        for view in self._views:
            attributes.pop(view, None)


class LazyGraph:
    """What the four classes have in common."""

    __networkx_backend__ = "rizoma"

    is_conversion = False
    """Whether NetworkX had it made of a graph of its own for one call of the backend."""

    _node = _Lazy(("_node",), ("nodes",))
    _rows: Compiled | None = None  # the graph, while it has no dictionaries

    @property
    def compiled(self) -> Compiled:
        """The graph as kernels see it; kept until the graph is changed."""
        if self._rows is not None:
            return self._rows
        cache = getattr(self, "__networkx_cache__", None)
        if cache is not None and _CACHE_KEY in cache:
            found: Compiled = cache[_CACHE_KEY]
            return found
        compiled = compiled_of_nx(self)
        if cache is not None:
            cache[_CACHE_KEY] = compiled
        return compiled

    @classmethod
    def from_compiled(cls, compiled: Compiled) -> Any:
        """A graph without dictionaries yet."""
        graph = object.__new__(cls)
        graph.graph = {}  # type: ignore[attr-defined]
        graph.__dict__["__networkx_cache__"] = {}
        graph._rows = compiled
        return graph

    def _materialize(self) -> None:
        compiled, self._rows = self._rows, None
        assert compiled is not None
        cache = self.__dict__.get("__networkx_cache__")
        if cache is not None:
            cache[_CACHE_KEY] = compiled
        attributes = self.__dict__
        assert isinstance(compiled.edges, ArrayEdges)  # others have dictionaries
        if "_node" not in attributes:
            of_nodes = compiled.edges.node_dicts(len(compiled))
            attributes["_node"] = dict(zip(compiled.nodes, of_nodes, strict=True))
        out, into = _dictionaries(compiled)
        attributes["_adj"] = out
        if compiled.directed:
            attributes["_succ"] = out
            attributes["_pred"] = into

    def to_directed_class(self) -> Any:
        """Class of directed copies."""
        return graph_class(True, self.is_multigraph())  # type: ignore[attr-defined]

    def to_undirected_class(self) -> Any:
        """Class of undirected copies."""
        return graph_class(False, self.is_multigraph())  # type: ignore[attr-defined]


_UNDIRECTED = _Lazy(("_adj",), ("adj", "edges", "degree"))
_SUCCESSORS = _Lazy(("_adj", "_succ"), ("adj", "succ", "edges", "out_edges", "degree", "out_degree", "in_degree"))
_PREDECESSORS = _Lazy(("_pred",), ("pred", "in_edges", "degree", "out_degree", "in_degree"))


class Graph(LazyGraph, nx.Graph):  # type: ignore[misc]
    """NetworkX's Graph on Rizoma's kernels."""

    _adj = _UNDIRECTED


class DiGraph(LazyGraph, nx.DiGraph):  # type: ignore[misc]
    """NetworkX's DiGraph on Rizoma's kernels."""

    _adj = _SUCCESSORS
    _succ = _SUCCESSORS
    _pred = _PREDECESSORS


class MultiGraph(LazyGraph, nx.MultiGraph):  # type: ignore[misc]
    """NetworkX's MultiGraph on Rizoma's kernels."""

    _adj = _UNDIRECTED


class MultiDiGraph(LazyGraph, nx.MultiDiGraph):  # type: ignore[misc]
    """NetworkX's MultiDiGraph on Rizoma's kernels."""

    _adj = _SUCCESSORS
    _succ = _SUCCESSORS
    _pred = _PREDECESSORS


def graph_class(directed: bool, multigraph: bool) -> Any:
    """The class for a kind of graph."""
    if multigraph:
        return MultiDiGraph if directed else MultiGraph
    return DiGraph if directed else Graph


def compiled_of_nx(graph: Any) -> Compiled:
    """Compile any graph of NetworkX's classes."""
    pred = graph._pred if graph.is_directed() else None
    edges = DictEdges(graph._adj, pred, graph.is_multigraph())
    return Compiled(list(graph._adj), graph.is_directed(), graph.is_multigraph(), edges)


def as_its_own(graph: Any) -> Any:
    """A graph of NetworkX's classes over the same dictionaries."""
    kinds = ((nx.Graph, nx.DiGraph), (nx.MultiGraph, nx.MultiDiGraph))
    return share(graph, kinds[graph.is_multigraph()][graph.is_directed()])


def share(graph: Any, cls: Any) -> Any:
    """A graph of another class over the same dictionaries."""
    other = object.__new__(cls)
    other.graph = graph.graph
    other._node = graph._node
    other._adj = graph._adj
    if graph.is_directed():
        other._succ = graph._succ
        other._pred = graph._pred
    other.__dict__["__networkx_cache__"] = {}
    return other


def _dictionaries(compiled: Compiled) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """(adjacency, predecessors) with one dict of attributes for each edge, shared by its two entries."""
    rows = compiled.out
    attributes = _attributes(compiled)
    once = compiled.edge_entries()
    shared: list[Any] = [None] * len(rows.targets)
    for entry, data in zip(once.tolist(), attributes, strict=True):
        shared[entry] = data
    if not compiled.directed:
        for entry, twin in zip(once.tolist(), compiled.twins[once].tolist(), strict=True):
            shared[twin] = shared[entry]
    out = dict(
        zip(
            compiled.nodes,
            _core.rows_of_dicts(compiled.nodes, rows.offsets, rows.targets, shared),
            strict=True,
        )
    )
    if not compiled.directed:
        return out, out
    into: dict[Any, Any] = {node: {} for node in compiled.nodes}
    back = compiled.into
    for node, row in zip(compiled.nodes, np.split(back.targets, back.offsets[1:])[:-1], strict=True):
        into[node] = {compiled.nodes[u]: out[compiled.nodes[u]][node] for u in row.tolist()}
    return out, into


def _attributes(compiled: Compiled) -> list[Any]:
    """Attributes of each edge of NetworkX's G.edges (of a multigraph: all between two nodes)."""
    assert isinstance(compiled.edges, ArrayEdges)  # others have dictionaries
    return compiled.edges.dicts(compiled.edge_entries(), compiled.multigraph)
