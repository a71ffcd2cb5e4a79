"""What a Graph and a Snapshot have in common: reading, by external id."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, cast

import numpy as np
import numpy.typing as npt

from .. import _core
from ..core.display import cell, html_rows
from ..core.engines import ProgressFunction, engine
from ..core.errors import ClosedError, InvalidArgumentError, NotInGraphError, UnsupportedError, VertexNotFoundError
from ..io.documents import write_document
from ..io.export import is_csv, is_parquet, write_batches, write_edges
from ..io.formats import format_of
from ..io.json_rows import is_json_lines
from ..io.sources import DIRECTED_KEY
from .adjacency import Row
from .degrees import Degrees
from .detached_ids import FrozenIds
from .ids import VertexKey, find_many
from .scan import EdgeScan, VertexScan, edge_columns, vertex_columns
from .schema import arrow_values

if TYPE_CHECKING:
    from ..queries.match import Matches
    from ..queries.views import View
    from ..results.vertex import DegreeResult

__all__ = ["Reader"]


_SHOWN = 5  # edges of a graph in a notebook

_CHANGES = {
    "add_edge": "add_edges([(u, v)])",
    "add_edges_from": "add_edges([(u, v), ...])",
    "add_weighted_edges_from": "add_edges([(u, v, weight), ...])",
    "add_node": "add_vertices([v])",
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

_ELSEWHERE = dict.fromkeys(("save", "write", "to_csv", "to_parquet"), "export(file), or copy_to(path) for a store")
_ELSEWHERE |= {name: f"edges.{name}() and vertices.{name}()" for name in ("to_pandas", "to_polars", "to_arrow")}
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
    """NetworkX's classes by multigraph and directed; None if nobody uses NetworkX."""
    networkx = sys.modules.get("networkx")
    if networkx is None or not hasattr(networkx, "MultiDiGraph"):
        return None
    return ((networkx.Graph, networkx.DiGraph), (networkx.MultiGraph, networkx.MultiDiGraph))


Sequence.register(_core.Neighbors)


class Reader:
    """Reads one state of a graph.  `v` is an external id everywhere."""

    __networkx_backend__ = "rizoma"  # NetworkX's functions take it as it is
    __networkx_cache__ = None

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        """The class, or NetworkX's: its functions that are no backend's take edges from nothing else, in silence."""
        kinds = _networkx_kinds()
        try:
            return type(self) if kinds is None else kinds[self.is_multigraph()][self.directed]
        except ClosedError:  # `isinstance` asks for it, and debuggers do
            return type(self)

    def _as_networkx(self) -> Any:
        from ..networkx.stored import as_networkx

        return as_networkx(self._state())

    def __getattr__(self, name: str) -> Any:
        if name in _OF_NETWORKX:
            return getattr(self._as_networkx(), name)
        said = f"{type(self).__name__!r} object has no attribute {name!r}"
        if name in _CHANGES:
            said += f"; a graph of Rizoma is changed by {_CHANGES[name]}"
        elif name in _ELSEWHERE:
            said += f"; a graph of Rizoma has {_ELSEWHERE[name]}"
        raise AttributeError(said)

    def __dir__(self) -> list[str]:
        """What there is, for completion: Python would list what `__class__` has, and that alone."""
        own = {name for cls in type(self).__mro__ for name in vars(cls)}
        return sorted(own | vars(self).keys() | (_OF_NETWORKX & {*dir(self.__class__)}))

    if TYPE_CHECKING:
        _native: _core.Graph | _core.Snapshot  # answers for single vertices and edges, each question by one state

    _shared_by_ranks = False

    def _state(self) -> _core.Snapshot:
        raise NotImplementedError

    def _may_run(self, kernel: str) -> None:
        """Raise unless the kernel can run here."""

    def _view(self, lent: _core.Engine) -> _core.View:
        return self._state().view(lent)

    @property
    def directed(self) -> bool:
        """True if edges have a direction."""
        return self._state().schema.directed

    def is_directed(self) -> bool:
        """Return `directed`; NetworkX asks so."""
        return self.directed

    def is_multigraph(self) -> bool:
        """Return whether parallel edges are kept; NetworkX asks so."""
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
        """Return the values of a vertex: {column: value}, None where it has none."""
        state = self._state()
        number = np.array([find(state, v)], np.uint64)
        return {
            name: arrow_values(_core.vertex_values(state, name, number), kind)[0].as_py()
            for name, kind in vertex_columns(state.schema).items()
        }

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
        """Iterate over the vertices by external id, in the order of inner numbers."""
        return self._native.iterate_vertices()

    def __contains__(self, v: object) -> bool:
        return self._native.has_vertex(v)

    def __getitem__(self, v: VertexKey) -> Row:
        """Return the edges of `v`: `g[u][v]` has the weight of an edge, as in NetworkX."""
        return Row(self._state(), v)

    @property
    def degree(self) -> Degrees:
        """The number of edges at a vertex, as NetworkX counts them: `g.degree(v)`, `g.degree[v]`.

        In- and out-edges both count, and a loop counts twice.  `dict(g.degree)`, `g.degree()`, `g.degree([u, v])` and
        `g.degree(v, weight="weight")` are NetworkX's views, and of a directed graph so are `g.out_degree` and
        `g.in_degree`.  `degrees` counts out-edges, or in-edges, of all vertices at once.
        """
        return Degrees(self)

    def neighbors(self, v: VertexKey) -> Sequence[VertexKey]:
        """Return the targets of the edges of `v`, in the order of inner numbers; nothing is copied."""
        found = self._native.neighbors_of(v)
        return self._missing(v) if found is None else cast("Sequence[VertexKey]", found)

    def in_neighbors(self, v: VertexKey) -> Sequence[VertexKey]:
        """Return the sources of the edges that lead to `v`."""
        found = self._native.neighbors_of(v, True)
        return self._missing(v) if found is None else cast("Sequence[VertexKey]", found)

    def neighbor_weights(self, v: VertexKey) -> npt.NDArray[np.float64]:
        """Return the weights of the edges of `v`, parallel to `neighbors(v)`."""
        state = self._state()
        return state.weights(find(state, v))

    def has_edge(self, u: VertexKey, v: VertexKey) -> bool:
        """Return whether there is an edge from `u` to `v`; False if either is no vertex."""
        return self._native.has_edge_between(u, v)

    def weight(self, u: VertexKey, v: VertexKey) -> float:
        """Return the weight of the edge from `u` to `v`, 1 in a graph without; of parallel edges the sum.

        Raises `NotInGraphError` if there is no such edge.
        """
        found = self._native.weights_between(u, v)
        if not found:
            raise NotInGraphError(f"the graph has no edge from {u!r} to {v!r}")
        return found[0] if len(found) == 1 else sum(found)

    def _missing(self, v: object) -> NoReturn:
        find(self._state(), v)
        raise VertexNotFoundError(f"the graph had no vertex {v!r} a moment ago")

    def degrees(self, in_edges: bool = False) -> DegreeResult:
        """Return the degree of every vertex (of a directed graph: out-degree, or in-degree)."""
        from ..results.vertex import DegreeResult

        state = self._state()
        with engine() as lent:
            view = state.view(lent)
            column = _core.degrees(lent, view, in_edges)
        return DegreeResult(state, view, {"degree": column})

    @property
    def edges(self) -> EdgeScan:
        """All edges, read lazily in batches: an Arrow stream of source, target, weight and other columns."""
        return EdgeScan(self._state())

    @property
    def vertices(self) -> VertexScan:
        """All vertices, read lazily in batches: an Arrow stream of vertex, its degree or degrees, and columns."""
        return VertexScan(self._state())

    def match(
        self,
        pattern: str,
        *,
        where: str | None = None,
        distinct: str | None = None,
        label_column: str = "label",
        type_column: str = "type",
        threads: int | None = None,
        progress: ProgressFunction | bool | None = None,
        data_nodes: int = 0,
        list_cache: int = 64 << 20,
        **anchors: VertexKey | Iterable[VertexKey],
    ) -> Matches:
        """Return the matches of a pattern such as "(a)-->(b)-->(c)-->(a)": a relation, read when it is asked for.

        `distinct="edges"` leaves out matches that use an edge twice, "nodes" those that use a vertex twice;
        the default counts all, as a join in SQL does.  `(a:User)` and `-[:KNOWS]->` look at the columns
        `label_column` of vertices and `type_column` of edges.  `a=17` or `a=[17, 19]` says which vertices a name of
        the pattern may stand for.  See the guide's page on patterns for the language.

        On ranks with `data_nodes=d` the first d ranks hold the graph's sections and the others are workers, which
        fetch the lists that they read and keep up to `list_cache` bytes of them; with 0 each rank reads everything.
        """
        from ..core.options import whole_number
        from ..queries.match import match

        whole_number("data_nodes", data_nodes, 0, 2**31)
        whole_number("list_cache", list_cache, 0, 2**63 - 1)

        ranks = getattr(self, "ranks", None) if self._shared_by_ranks else None
        if data_nodes > 1 and ranks is None:
            raise InvalidArgumentError(
                f"{data_nodes} data nodes need as many ranks: start them with mpiexec, and open the graph with comm="
            )
        words = (label_column, type_column)
        return match(
            self._state(), pattern, where, distinct, anchors, words, threads, progress, ranks, (data_nodes, list_cache)
        )

    def to_scipy(self, dtype: npt.DTypeLike | None = None) -> Any:
        """Return the adjacency matrix as a SciPy `csr_array` of shape (n, n).

        Row and column i stand for inner vertex number i, n - 1 being the greatest: `find` gives the
        number of an id, `vertices` lists the ids in this order, and a removed vertex is an empty row.
        Values are the weights, or 1 of type `dtype` (float64) in a graph without.  Offsets, column
        numbers and weights are not copied if the graph is one section; they are read-only.
        """
        from scipy.sparse import csr_array

        with engine() as lent:
            view = self._view(lent)
            offsets, targets, weights = _core.csr(lent, view)
        if weights is None:
            weights = np.ones(len(targets), np.float64 if dtype is None else dtype)
        elif dtype is not None:
            weights = weights.astype(dtype, copy=False)
        shape = (view.num_vertices, view.num_vertices)
        return csr_array((weights, targets, offsets), shape=shape, copy=False)

    def where(self, edges: str | None = None, vertices: str | None = None) -> View:
        """Return the part of the graph that conditions over columns keep, as it is now.

        `edges` is over source, target, weight and the columns of edges, `vertices` over vertex and the columns of
        vertices; edges go with the vertices that go.  There are comparisons, + - * / %, and, or, not, in (..), is null,
        abs, length, lower, upper and startswith; times are written as text: "since > '2026-01-01' and amount >= 10".
        What is null is left out, unless it is asked for.
        """
        from ..queries.views import where

        return where(self, edges, vertices)

    def subgraph(self, ids: Any) -> View:
        """Return the vertices with these ids and the edges among them; ids that are no vertices are left out."""
        from ..queries.views import subgraph

        return subgraph(self, ids)

    def reverse(self) -> View:
        """Return the graph with every edge turned round."""
        from ..queries.views import reverse

        return reverse(self)

    def undirected(self) -> View:
        """Return the graph without directions; an edge that has another one back stays with the values of one."""
        from ..queries.views import undirected

        return undirected(self)

    def neighborhood(self, v: VertexKey, hops: int = 1) -> View:
        """Return the vertices that at most `hops` edges lead to from `v`, and the edges among them."""
        from ..queries.views import neighborhood

        return neighborhood(self, v, hops)

    def to_networkx(self) -> Any:
        """Return a graph of NetworkX with all values as attributes."""
        from ..queries.views import to_networkx

        return to_networkx(self)

    def to_igraph(self) -> Any:
        """Return a graph of igraph with all values as attributes; the ids are the vertex attribute "name"."""
        from ..queries.views import to_igraph

        return to_igraph(self)

    def copy_to(
        self,
        path: str | Path,
        *,
        threads: int | None = None,
        progress: ProgressFunction | bool | None = None,
    ) -> None:
        """Write the present state into a new store at `path`: a backup, or a view or a graph in memory that shall stay.

        Others may go on reading and changing this graph meanwhile.  Nothing is at `path` before the copy is whole and
        durable, and nothing may be there yet.
        """
        from ..queries.copy import copy_to

        copy_to(self, path, threads, progress)

    def draw(self, values: Any = None, *, labels: bool | None = None, ax: Any = None, seed: int = 1) -> Any:
        """Draw a graph of at most 1,000 vertices with Matplotlib, and return the axes.

        Of a larger one draw a part: `g.neighborhood(v, 2).draw()`.

        Args:
            values: a result or {vertex: value}, which colours the vertices and, if it has numbers, sizes them.
            labels: whether ids are written beside the vertices; by default up to 100 of them.
            ax: axes to draw into.
            seed: of the first positions; the same seed gives the same drawing.
        """
        from ..report.draw import draw

        return draw(self, values, labels, ax, seed)

    def export(
        self, path: str | Path, *, threads: int | None = None, progress: ProgressFunction | bool | None = None
    ) -> None:
        """Write all edges, an undirected one once, to a file that `rizoma.read` gives back.

        The format follows from the name: .parquet, .csv or .tsv, .ndjson or .jsonl, .txt, .el or .wel, .mtx, .graph
        (METIS), .sg or .wsg (GAP), .gml, .graphml, .gexf, .json (node-link) or .net (Pajek); text may end in .gz or
        .zst.  Edge lists and CSV say that a graph is directed, or its ids strings, in comments, also before the header
        ("# Directed graph", "# String ids" if some look like integers; pandas: comment="#"); JSON lines do not say it.
        Parquet, CSV, TSV, JSON lines, GML, GraphML, GEXF and node-link JSON have the columns of edges; in CSV lists
        are JSON.

        Raises UnsupportedError if the format has no place for the graph's columns of edges, ids or weights (.net:
        InvalidArgumentError), and InvalidArgumentError if the name tells no format.
        """
        file = Path(path)
        if is_csv(file) and self.edge_columns:
            write_edges(file, self.edges, self.vertices, self.directed)
            return
        if is_json_lines(file):
            write_batches(file, self.edges.schema, self.edges.batches())
            return
        if is_parquet(file):
            scan = self.edges
            metadata = {DIRECTED_KEY: b"true" if self.directed else b"false"}
            write_batches(file, scan.schema.with_metadata(metadata), scan.batches())
            return
        document = format_of(file)
        if document is not None:
            write_document(file, document, self)
            return
        if self.edge_columns and not _core.is_document(file):
            raise UnsupportedError(
                f"{file}: this graph has columns of edges ({', '.join(self.edge_columns)}), which only .parquet, .csv, "
                ".tsv, .ndjson, .jsonl, .gml, .graphml, .gexf and .json have, too: write one of these, or a copy "
                "without the columns (copy_to, drop_column)"
            )
        with engine(threads, progress) as lent:
            _core.export_edges(self._state(), file, _core.ANY_FORMAT, lent)

    def find(self, ids: Any) -> npt.NDArray[np.int64]:
        """Inner numbers of many external ids, -1 for those that are no vertices."""
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
        return f"{kind}, {state.num_live:,} vertices, {state.num_edges():,} edges{weights}{ids}"


def find_or_none(state: _core.Snapshot | FrozenIds, v: object) -> int | None:
    """Inner number of `v`; None if it is no vertex."""
    strings = state.schema.ids == _core.IdKind.string
    if strings:
        return state.find_string(v) if isinstance(v, str) and _is_unicode(v) else None
    if isinstance(v, (int, np.integer)) and not isinstance(v, bool) and -(2**63) <= v < 2**63:
        return state.find_integer(int(v))
    return None


def _is_unicode(text: str) -> bool:
    """False for a text with lone surrogates, which no vertex can have as its id."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def find(state: _core.Snapshot | FrozenIds, v: object) -> int:
    """Inner number of `v`.  Raises VertexNotFoundError."""
    number = find_or_none(state, v)
    if number is None:
        strings = state.schema.ids == _core.IdKind.string
        hint = ""
        if state.num_vertices and strings != isinstance(v, str):  # an empty graph's kind may yet be settled
            hint = f"; its ids are {'strings' if strings else 'integers'}"
        raise VertexNotFoundError(f"the graph has no vertex {v!r}{hint}")
    return number
