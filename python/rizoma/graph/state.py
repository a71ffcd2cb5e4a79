"""What a Graph and a Snapshot have in common: reading, by external id."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast

from .. import _core
from ..core.above import load_methods, takes_graph
from ..core.arguments import methods_checked
from ..core.display import cell, html_rows, number_of
from ..core.engines import engine
from ..core.errors import ClosedError, NotInGraphError, VertexNotFoundError
from ..core.lazy_numpy import np, npt
from ..core.suggestions import FUNCTIONS_ELSEWHERE, suggestion
from .adjacency import ReadRow
from .degrees import Degrees
from .ids import VertexKey, find, find_many, warn_of_other_kind
from .neighbors import explain_neighbors
from .networkx_view import as_networkx
from .read_values import ReadValues
from .scan import EdgeScan, VertexScan
from .schema import arrow_values, edge_columns, vertex_columns

if TYPE_CHECKING:
    from ..api import ReaderMethods
else:

    class ReaderMethods:
        """What the layers above offer for every state; `api.py` adds it."""


__all__ = ["Reader", "state_of", "weighted_view"]


R = TypeVar("R")

_SHOWN = 5  # edges of a graph in a notebook

_CHANGES = {
    "add_edge": "add_edges([(u, v)])",
    "add_edges_from": "add_edges([(u, v), ...])",
    "add_weighted_edges_from": "add_edges([(u, v, weight), ...])",
    "add_node": "add_vertices([v])",
    "add_nodes": "add_vertices([v, ...])",
    "add_vertex": "add_vertices([v])",
    "remove_nodes": "remove_vertices([v, ...])",
    "remove_vertex": "remove_vertices([v])",
    "rollback": "batch(), whose changes are none where its block raises",
    "add_nodes_from": "add_vertices([v, ...])",
    "remove_edge": "remove_edges([(u, v)])",
    "remove_edges_from": "remove_edges([(u, v), ...])",
    "remove_node": "remove_vertices([v])",
    "remove_nodes_from": "remove_vertices([v, ...])",
    "update": "add_edges([(u, v), ...]) and add_vertices([v, ...])",
    "clear_edges": "remove_edges(list(g.edges))",
    "clear": "remove_vertices(list(g))",
}
"""What NetworkX's methods are called here."""

_CHANGES |= {
    "begin": "batch(), for many changes in one commit",
    "commit": "calls that are durable when they return; batch() gathers many in one commit",
    "create_edge": "add_edges([(u, v)])",
    "create_node": "add_vertices([v])",
    "delete_edges": "remove_edges([(u, v), ...])",
    "delete_vertices": "remove_vertices([v, ...])",
    "rename_column": "add_column and drop_column; a column keeps its name",
    "set_edge_attributes": "set_edges(table)",
    "set_node_attributes": "set_vertices(table)",
    "transaction": "batch(), for many changes in one commit",
    "update_edges": "set_edges(table)",
    "update_vertices": "set_vertices(table)",
}
_ELSEWHERE = dict.fromkeys(("save", "write", "to_csv", "to_parquet"), "export(file), or copy_to(path) for a store")
_ELSEWHERE |= {name: f"edges.{name}() and vertices.{name}()" for name in ("to_pandas", "to_polars", "to_arrow")}
_ELSEWHERE |= dict.fromkeys(("num_nodes", "node_count", "vcount", "n"), "num_vertices")
_ELSEWHERE |= dict.fromkeys(("ecount", "edge_count", "m"), "num_edges")
_ELSEWHERE |= dict.fromkeys(("describe", "stats", "summary"), "info()")
_ELSEWHERE |= dict.fromkeys(("plot", "show"), "draw()")
_ELSEWHERE |= dict.fromkeys(("filter", "filter_edges", "filter_vertices", "view"), "where(edges=..., vertices=...)")
_ELSEWHERE |= dict.fromkeys(("cypher", "execute", "run", "sql"), "query(text); DuckDB runs SQL over g.edges")
_ELSEWHERE |= dict.fromkeys(("predecessors", "in_edges"), "neighbors(v); where it is directed, in_neighbors(v)")
_ELSEWHERE |= dict.fromkeys(("successors", "out_edges", "incident", "adjacent"), "neighbors(v), and g[v] with values")
_ELSEWHERE |= dict.fromkeys(
    ("adjacency_matrix", "get_adjacency", "to_numpy_array"), "to_scipy(), and to_scipy().toarray()"
)
_ELSEWHERE |= dict.fromkeys(("to_edgelist", "get_edgelist", "edge_list"), "list(g.edges), or edges.to_pandas()")
_ELSEWHERE |= {"V": "vertices", "E": "edges", "sample": "edges.to_pandas().sample(n); rizoma.sample_neighbors(g, ...)"}
_ELSEWHERE |= dict.fromkeys(("columns", "schema"), "edges.schema and vertices.schema")
_ELSEWHERE |= dict.fromkeys(
    ("at", "checkout", "restore", "revert", "version"), 'no past states but tags: rizoma.open(path, at="v1")'
)
_ELSEWHERE |= dict.fromkeys(("load", "read", "open"), "add_edges(data), for files after rizoma.read(file)")
_ELSEWHERE |= {"locations": "location, and info().locations"}
_ELSEWHERE |= {"edge": "g[u][v] for what an edge has, and has_edge(u, v)", "es": "edges", "vs": "vertices"}
_DEGREES = ("in_degree", "out_degree")
_OF_DIRECTED = (*_DEGREES, "predecessors", "successors", "in_edges", "out_edges", "pred", "succ")
_ELSEWHERE |= dict.fromkeys(_DEGREES, "degree(v), and in_degree and out_degree where it is directed")
_ELSEWHERE |= {"head": "edges.to_pandas().head()", "shape": "num_vertices and num_edges"}
"""What other libraries call otherwise, and what there is."""

_OF_NETWORKX = frozenset(
    [
        "_adj",
        "_node",
        "_pred",
        "_succ",
        "adj",
        "adjacency",
        "copy",
        "edge_subgraph",
        "get_edge_data",
        "graph",
        "has_node",
        "has_predecessor",
        "has_successor",
        "in_degree",
        "in_edges",
        "name",
        "nbunch_iter",
        "nodes",
        "number_of_edges",
        "number_of_nodes",
        "order",
        "out_degree",
        "out_edges",
        "pred",
        "predecessors",
        "reverse",
        "size",
        "subgraph",
        "succ",
        "successors",
        "to_directed",
        "to_directed_class",
        "to_undirected",
        "to_undirected_class",
    ]
)
"""What else a graph of NetworkX has; it is answered by a view of the present state that nothing is converted for."""


def _networkx_kinds() -> Any:
    """NetworkX's classes by multigraph and directed; None if NetworkX is not in use."""
    networkx = sys.modules.get("networkx")
    if networkx is None or not hasattr(networkx, "MultiDiGraph"):
        return None
    return ((networkx.Graph, networkx.DiGraph), (networkx.MultiGraph, networkx.MultiDiGraph))


@cache
def _class_for_networkx(own: type, theirs: type) -> type:
    """A class with the name and the repr of `own` that is one of `theirs`; calling it makes a graph of `theirs`."""
    members = {
        "__module__": "rizoma",
        "__doc__": own.__doc__,
        "__new__": lambda _, *args, **kwargs: theirs(*args, **kwargs),
        "__repr__": own.__repr__,  # IPython looks for it here
    }
    return type(own.__name__, (theirs,), members)


_OPERATORS = {
    "__add__": "a graph has no +; g.add_edges(h) adds the edges of another to it",
    "__or__": "a graph has no |; g.add_edges(h) adds the edges of another to it",
    "__sub__": "a graph has no -; g.remove_edges(list(h.edges)) takes those of another from it",
    "__setitem__": "graph[...] is for reading; add_edges([(u, v)]) adds, and set((u, v), amount=3) sets values",
    "__delitem__": "graph[...] is for reading; remove_vertices([v]) and remove_edges([(u, v)]) take away",
}
"""What a graph has not, and what does the same."""


def _refusal(operator: str) -> Callable[..., NoReturn]:
    def refuse(self: Reader, *given: object) -> NoReturn:
        raise TypeError(_OPERATORS[operator])

    refuse.__name__ = operator
    return refuse


def _with_refusals(cls: type[R]) -> type[R]:
    """The class, whose operators say what there is instead."""
    for operator in _OPERATORS:
        setattr(cls, operator, _refusal(operator))
    return cls


explain_neighbors()


@_with_refusals
@methods_checked
class Reader(ReaderMethods):
    """Reads one state of a graph.  `v` is an external id everywhere."""

    __networkx_backend__ = "rizoma"  # NetworkX's functions take it as it is
    __networkx_cache__ = None

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        """The class, or once NetworkX is imported one of that name which is a subclass of NetworkX's.

        NetworkX's layouts place the vertices of what is no `networkx.Graph` without looking at edges, and say nothing;
        its subgraph views and `create_empty_copy` call `G.__class__()`.  No backend is asked about either.
        """
        kinds = _networkx_kinds()
        try:
            if kinds is None:
                return type(self)
            own: Any = type(self)  # Any: mypy takes the `__hash__` of what `__class__` gives
            return _class_for_networkx(own, kinds[self.is_multigraph()][self.directed])
        except ClosedError:  # `isinstance` asks for it, and debuggers do
            return type(self)

    def _as_networkx(self) -> Any:
        return as_networkx(self._state())

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_"):
            load_methods()
            if hasattr(type(self), name):
                return getattr(self, name)
        if name in _OF_NETWORKX and (self.directed or name not in _OF_DIRECTED):
            return getattr(as_networkx(self._state(), ReadValues), name)  # people write into what they read
        said = f"{type(self).__name__!r} object has no attribute {name!r}"
        if name in _CHANGES:
            said += f"; a graph of Rizoma is changed by {_CHANGES[name]}"
        elif name in _ELSEWHERE:
            said += f"; a graph of Rizoma has {_ELSEWHERE[name]}"
        elif takes_graph(name):
            said += f"; it is a function: call rizoma.{name}(graph, ...)"
        elif any(not name.startswith("_") and hasattr(other, name) for other in Reader.__subclasses__()):
            said += f": a {type(self).__name__.lower()} does not change, a Graph does; "
            said += "make it anew of the graph" if name == "refresh" else "call it on the graph"
        elif not name.startswith("_"):
            said += self._meant(name)
        raise AttributeError(said)

    def _meant(self, name: str) -> str:
        """What a name that is none may mean, to follow what says so."""
        if name.startswith("write_"):
            return "; a graph of Rizoma has export(file)"
        if takes_graph(function := FUNCTIONS_ELSEWHERE.get(name, "")):
            return f"; it is a function: call rizoma.{function}(graph, ...)"
        meant = suggestion(name, {own for cls in type(self).__mro__ for own in vars(cls) if own[0] != "_"})
        return f"; did you mean {meant}?" if meant else "; dir(graph) lists what it has, dir(rizoma) the functions"

    def __dir__(self) -> list[str]:
        """The attributes, for completion: Python would list only those of `__class__`."""
        load_methods()
        own = {name for cls in type(self).__mro__ for name in vars(cls)}
        return sorted(own | vars(self).keys() | (_OF_NETWORKX & {*dir(self.__class__)}))

    if TYPE_CHECKING:
        _native: _core.Graph | _core.Snapshot  # answers for single vertices and edges, each from one state

    _shared_by_ranks = False

    def _state(self) -> _core.Snapshot:
        raise NotImplementedError

    def _may_run(self, kernel: str) -> None:
        """Raise unless the kernel can run here."""

    def _run(self, algorithm: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run an algorithm whose work ranks can share."""
        return algorithm(self, *args, **kwargs)

    def _view(self, borrowed: _core.Engine) -> _core.View:
        return self._state().view(borrowed)

    @property
    def directed(self) -> bool:
        """True if edges have a direction."""
        return self._state().schema.directed

    def is_directed(self) -> bool:
        """Return `directed`, under NetworkX's name.  Cost: O(1)."""
        return self.directed

    def is_multigraph(self) -> bool:
        """Return whether parallel edges are kept, under NetworkX's name.  Cost: O(1)."""
        return self._state().schema.parallel_edges == _core.ParallelEdges.keep

    @property
    def weights(self) -> str | None:
        """Type of the edge weights ("int32", "float32", "float64"), or None."""
        kind = self._state().schema.weights
        return None if kind == _core.WeightType.none else kind.name

    @property
    def edge_columns(self) -> dict[str, str]:
        """Columns of the edges beside the weight: {name: type}."""
        return edge_columns(self._state().schema)

    @property
    def vertex_columns(self) -> dict[str, str]:
        """Columns of the vertices: {name: type}."""
        return vertex_columns(self._state().schema)

    def vertex(self, v: VertexKey) -> dict[str, Any]:
        """Return the values of a vertex: {column: value}, None where it has none; `set` changes them, this dict cannot.

        Raises VertexNotFoundError if `v` is not a vertex.  Cost: one block of rows for each column.
        """
        state = self._state()
        number = np.array([find(state, v)], np.uint64)
        return ReadValues(
            (name, arrow_values(_core.vertex_values(state, name, number), kind)[0].as_py())
            for name, kind in vertex_columns(state.schema).items()
        )

    @property
    def ids(self) -> str:
        """Kind of the external ids: "dense" (0..n-1), "integer" or "string"."""
        return self._state().schema.ids.name

    def __len__(self) -> int:
        """Return the number of vertices."""
        return self._state().num_live

    def __bool__(self) -> bool:
        """Return True: an empty graph is a graph."""
        return True

    @property
    def num_vertices(self) -> int:
        """Number of vertices, as `len` has it."""
        return len(self)

    @property
    def num_edges(self) -> int:
        """Number of edges; an undirected edge counts once."""
        return self._state().num_edges()

    def __iter__(self) -> Iterator[VertexKey]:
        """Iterate over the vertices by external id, in the order of internal ids."""
        return self._native.iterate_vertices()

    def __contains__(self, v: object) -> bool:
        found = self._native.has_vertex(v)
        if not found and isinstance(v, (str, int)):
            warn_of_other_kind(self._native.has_vertex, v)
        return found

    def __getitem__(self, v: VertexKey) -> ReadRow:
        """Return the edges of `v`: `g[u][v]` has the weight of an edge, as in NetworkX."""
        return ReadRow(self._state(), v)

    @property
    def degree(self) -> Degrees:
        """The number of edges at a vertex, as NetworkX counts them: `g.degree(v)`, `g.degree[v]`.

        In- and out-edges both count, and a loop counts twice.  `dict(g.degree)`, `g.degree()`, `g.degree([u, v])` and
        `g.degree(v, weight="weight")` are NetworkX's views, and of a directed graph so are `g.out_degree` and
        `g.in_degree`.  `degrees` counts out-edges, or in-edges, of all vertices at once.
        """
        return Degrees(self)

    def neighbors(self, v: VertexKey) -> Sequence[VertexKey]:
        """Return the targets of the edges of `v`, in the order of internal ids; nothing is copied.

        Raises VertexNotFoundError if `v` is not a vertex.  Cost: O(1), and a merge of the pending changes of its list.
        """
        found = self._native.neighbors_of(v)
        return self._missing(v) if found is None else cast("Sequence[VertexKey]", found)

    def in_neighbors(self, v: VertexKey) -> Sequence[VertexKey]:
        """Return the sources of the edges that lead to `v`, in the order of internal ids.

        Raises VertexNotFoundError if `v` is not a vertex, InvalidArgumentError if a directed graph stores no in-edges.
        Cost: as of `neighbors`.
        """
        found = self._native.neighbors_of(v, True)
        return self._missing(v) if found is None else cast("Sequence[VertexKey]", found)

    def neighbor_weights(self, v: VertexKey) -> npt.NDArray[np.float64]:
        """Return the weights of the edges of `v`, parallel to `neighbors(v)`: float64, shape (degree,).

        Raises VertexNotFoundError if `v` is not a vertex, InvalidArgumentError of a graph without weights.  Cost:
        O(degree).
        """
        state = self._state()
        return state.weights(find(state, v))

    def has_edge(self, u: VertexKey, v: VertexKey) -> bool:
        """Return whether there is an edge from `u` to `v`; False if either is not a vertex.

        Warns of '1' where 1 is a vertex, or the reverse.
        Raises CorruptError if the section is damaged.  Cost: O(log degree).
        """
        found = self._native.has_edge_between(u, v)
        if not found:
            warn_of_other_kind(self._native.has_vertex, u, v)
        return found

    def weight(self, u: VertexKey, v: VertexKey) -> float:
        """Return the weight of the edge from `u` to `v`, 1 in a graph without; of parallel edges the sum.

        Raises NotInGraphError if there is no such edge.  Cost: O(log degree).
        """
        found = self._native.weights_between(u, v)
        if not found:
            raise NotInGraphError(f"the graph has no edge from {u!r} to {v!r}; has_edge(u, v) tells")
        return found[0] if len(found) == 1 else sum(found)

    def _missing(self, v: object) -> NoReturn:
        find(self._state(), v)
        raise VertexNotFoundError(f"the graph had no vertex {v!r} when its state was read; ask again")

    @property
    def edges(self) -> EdgeScan:
        """All edges, read lazily in batches: an Arrow stream of source, target, weight and other columns."""
        return EdgeScan(self._state())

    @property
    def vertices(self) -> VertexScan:
        """All vertices, read lazily in batches: an Arrow stream of vertex, its degree or degrees, and columns."""
        return VertexScan(self._state())

    def to_scipy(self, dtype: npt.DTypeLike | None = None) -> Any:
        """Return the adjacency matrix as a SciPy `csr_array` of shape (n, n).

        Row and column i stand for internal id i, n - 1 being the largest: `find` gives the internal id of an id,
        `vertices` lists the ids in this order, and a removed vertex is an empty row.  Values are the weights, or 1 of
        type `dtype` (float64) in a graph without.  Offsets, column numbers and weights are not copied if the graph is
        one section and keeps no parallel edges; they are read-only.

        Raises OutOfMemoryError.  Cost: O(vertices + edges) unless nothing is copied; without weights `dtype` for each
        edge.
        """
        from scipy.sparse import csr_array

        with engine() as borrowed:
            view = self._view(borrowed)
            offsets, targets, weights, *_ = _core.csr(borrowed, view)
        if weights is None:
            weights = np.ones(len(targets), np.float64 if dtype is None else dtype)
        elif dtype is not None:
            weights = weights.astype(dtype, copy=False)
        shape = (view.num_vertices, view.num_vertices)
        parallel = (
            self._state().schema.parallel_edges == _core.ParallelEdges.keep
        )  # whose sums SciPy puts into the arrays
        return csr_array((weights, targets, offsets), shape=shape, copy=parallel)

    def find(self, ids: Any) -> npt.NDArray[np.int64]:
        """Return the internal ids of `ids`, -1 for those that are no vertices: int64, shape (ids,).

        Raises InvalidArgumentError if the ids are neither integers nor strings.  Cost: one probe of a hash table an id.
        """
        return find_many(self._state(), ids).astype(np.int64)

    def _repr_html_(self) -> str:
        """Facts and the first edges, for a notebook."""
        state = self._state()
        edges = list(islice(state.iterate_edges(), _SHOWN))
        columns: dict[str, list[Any]] = {"source": [u for u, _ in edges], "target": [v for _, v in edges]}
        if state.schema.weights != _core.WeightType.none:
            # Parallel edges follow one another, and so do their weights.
            columns["weight"] = [state.weights_between(*edge)[edges[:i].count(edge)] for i, edge in enumerate(edges)]
        more = ["..."] if state.num_edges() > len(edges) else []
        table = {name: [*map(cell, values), *more] for name, values in columns.items()}
        return html_rows(repr(self), table)

    def _describe(self) -> str:
        state = self._state()
        schema = state.schema
        kind = "directed" if schema.directed else "undirected"
        weights = "" if schema.weights == _core.WeightType.none else f", weights {schema.weights.name}"
        ids = "" if schema.ids == _core.IdKind.dense else f", {schema.ids.name} ids"
        vertices = number_of(state.num_live, "vertex", "vertices")
        return f"{kind}, {vertices}, {number_of(state.num_edges(), 'edge')}{weights}{ids}"


def weighted_view(state: _core.Snapshot, borrowed: _core.Engine, weight: str | None) -> _core.View:
    """A view whose weights are the edge column `weight`; None: the weights that the graph has."""
    if weight in (None, "weight"):
        return state.working_view(borrowed)
    return _core.weight_view(state, borrowed, weight)


def _as_graph(data: object, kind: str) -> str:
    """How one comes from such data to a graph."""
    if isinstance(data, (str, os.PathLike)):
        return f"rizoma.open({os.fspath(data)!r}) opens one"
    if kind.startswith("rizoma."):
        return "give the graph that it is of"
    table = hasattr(data, "__arrow_c_stream__") or isinstance(data, (list, tuple, dict)) or kind.startswith("networkx.")
    return "rizoma.read(data) makes one of it" if table else "rizoma.open(path) opens one"


def state_of(graph: Reader) -> _core.Snapshot:
    """Return the state that a call works on; each public function asks once: the next state may number again."""
    if not isinstance(graph, Reader):
        kind = f"{type(graph).__module__.partition('.')[0]}.{type(graph).__qualname__}".removeprefix("builtins.")
        raise TypeError(f"give a Graph or a Snapshot, not {kind}; {_as_graph(graph, kind)}")
    if graph._shared_by_ranks:
        graph._may_run("this call")
    return graph._state()
