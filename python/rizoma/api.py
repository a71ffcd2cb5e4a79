"""The methods of every graph, snapshot and view that the layers above the graph offer.

`graph.state.Reader` declares them for type checkers; importing this module adds them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _core
from .core.arguments import methods_checked
from .core.engines import ProgressFunction, engine
from .core.errors import InvalidArgumentError, UnsupportedError
from .core.files import check_directory
from .core.lazy import LazyModule
from .core.options import whole_number
from .graph.ids import VertexKey
from .graph.state import Reader
from .io.documents import write_document
from .io.export import (
    has_no_columns,
    is_csv,
    is_parquet,
    warn_of_lost_columns,
    warn_of_lost_vertices,
    write_batches,
    write_edge_lines,
    write_edges,
)
from .io.formats import format_of
from .io.json_rows import is_json_lines
from .io.scanned import DIRECTED_KEY
from .queries import views
from .queries.parameters import filled
from .queries.views import View
from .results.vertex import DegreeResult, degrees

if TYPE_CHECKING:
    from .graph import csr as arrays
    from .queries import composed as compositions
    from .queries import copy as copies
    from .queries import join_plan as joins
    from .queries import match as patterns
    from .queries.opencypher import query as queries
    from .report import draw as drawings
else:  # 3.5 MB of each process, which most programs never need
    arrays = LazyModule(f"{__package__}.graph.csr")
    compositions = LazyModule(f"{__package__}.queries.composed")
    copies = LazyModule(f"{__package__}.queries.copy")
    drawings = LazyModule(f"{__package__}.report.draw")
    joins = LazyModule(f"{__package__}.queries.join_plan")
    patterns = LazyModule(f"{__package__}.queries.match")
    queries = LazyModule(f"{__package__}.queries.opencypher.query")

__all__ = ["ReaderMethods"]


@methods_checked
class ReaderMethods:
    """What `Reader` has beside its own methods."""

    def degrees(self: Reader, in_edges: bool = False) -> DegreeResult:
        """Return the degree of every vertex: of a directed graph its out-degree, or with `in_edges` its in-degree.

        A loop counts once in a directed graph; parallel edges count one by one.

        Raises InvalidArgumentError if `in_edges` is asked of a directed graph that stores none.  Cost: O(vertices).
        """
        return degrees(self._state(), in_edges)

    def match(
        self: Reader,
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
        parameters: Mapping[str, Any] | None = None,
        plan: str | Mapping[str, Any] | None = None,
        **anchors: VertexKey | Iterable[VertexKey],
    ) -> patterns.Matches:
        """Return the matches of a pattern such as "(a)-->(b)-->(c)-->(a)": a relation, read when it is asked for.

        `where` is a predicate over the names of `pattern`, such as "a.age > b.age".  `distinct="edges"` leaves out
        matches that use an edge twice, "nodes" those that use a vertex twice; the default counts all, as a join in SQL
        does.  `(a:User)` and `-[:KNOWS]->` look at the columns `label_column` of vertices and `type_column` of edges.
        `anchors` such as `a=17` or `a=[17, 19]` say which vertices a name of the pattern may stand for; `parameters`
        has the values of `$names` in the pattern and in `where`.  The guide's page on patterns describes the language.

        On ranks with `data_nodes=d` the first d ranks hold the graph's sections and the others are workers, which fetch
        the lists that they read and keep up to `list_cache` bytes of them; with 0 each rank reads everything.

        `plan`: "intersect" (the default: sorted lists are intersected, a vertex at a time), "hash_join" (two edges at a
        time; of named vertices and plain edges, on one machine, with `count`, `limit`, rows and `explain` alone), or a
        plan of hash joins as `explain(format="json")` gives it, changed or not.

        Raises ParseError if the pattern or the predicate is wrong (a caret shows where), NotFoundError for columns,
        VertexNotFoundError for anchors that the graph does not have.  A ReadWarning names labels and types that nothing
        has, when the matches are asked for.  Cost: of this call none; of a count or of rows
        that of a worst-case-optimal join, at most O(edges ^ (edges of the pattern / 2)) for a cycle or clique.
        """
        whole_number("data_nodes", data_nodes, 0, 2**31)
        whole_number("list_cache", list_cache, 0, 2**63 - 1)

        ranks = getattr(self, "ranks", None) if self._shared_by_ranks else None
        if plan is not None and (chosen := joins.plan_of(plan)) != joins.INTERSECT:
            given = {
                "where": where,
                "distinct": distinct,
                "data_nodes": data_nodes,
                "parameters": parameters,
                **dict.fromkeys(anchors, True),  # also one that no id or the id 0 anchors
            }
            matches: patterns.Matches = joins.joined(self._state(), pattern, chosen, threads, {**given, "ranks": ranks})
            return matches
        if data_nodes > 1 and ranks is None:
            raise InvalidArgumentError(
                f"{data_nodes} data nodes need as many ranks; start them with mpiexec, and open the graph with comm="
            )
        if parameters:
            pattern, *predicates = filled([each for each in (pattern, where) if each is not None], parameters)
            where = predicates[0] if predicates else None
        request = patterns.request_of(
            self._state(),
            pattern,
            where,
            distinct,
            anchors,
            (label_column, type_column),
            threads,
            progress,
            ranks,
            (data_nodes, list_cache),
            getattr(self, "_made_by", "graph"),
            compositions.tell_missing,
        )
        return compositions.matches_of(request)

    def query(
        self: Reader,
        text: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        label_column: str = "label",
        type_column: str = "type",
        threads: int | None = None,
        progress: ProgressFunction | bool | None = None,
        **named: Any,
    ) -> queries.Query:
        """Return the rows of a query in the reading core of openCypher: a relation, read when it is asked for.

        `g.query("MATCH (a)-[e]->(b) WHERE e.amount > $least RETURN a, sum(e.amount) AS total", least=10)`.  See the
        guide's page on queries for the language.

        `text`: the query.  `parameters`, `named`: the values of its `$names`, as a dict or by name.  `label_column`,
        `type_column`: what `(a:User)` and `-[:KNOWS]->` look at.

        Raises ParseError for a text that is no query, with the place, and InvalidArgumentError for a parameter that it
        does not have.  Cost: nothing before rows are asked for; then that of its patterns, as for `match`, and a few
        nanoseconds for each row and operation.
        """
        given = dict(parameters or {})
        return queries.query(self._state(), text, given | named, (label_column, type_column), threads, progress)

    def csr(self: Reader, weight: str | None = "weight", in_edges: bool = False) -> arrays.Csr:
        """Return the lists of the present state as arrays: `indptr`, `indices` and `weights`, read-only.

        `weight`: "weight", or the name of a numeric edge column; None: no weights.  `in_edges`: the edges into each
        vertex; of an undirected graph they are the same.  Vertices are internal ids, as in `to_scipy`: `find` gives
        those of external ids.

        Nothing is copied where the graph is one section of fewer than 2^31 entries without pending changes; else the
        sections are copied, one after the other, into one array, and the result's `copied` is True.  A Snapshot and a
        View give the same arrays again while these are in use; a Graph may have changed and copies at each call.

        Raises InvalidArgumentError if there is no such weight, UnsupportedError for in-edges that are not stored,
        OutOfMemoryError.  Cost: O(1), or O(vertices + edges) for a copy, 4 or 8 bytes an entry and as much as the
        weights have; a column other than the weight is always gathered.
        """
        return arrays.csr(self, weight, in_edges, getattr(self, "_csr_in_use", None))

    def where(self: Reader, edges: str | None = None, vertices: str | None = None) -> View:
        """Return the part of the graph that predicates over columns keep, as it is now.

        `edges` is over source, target, weight and the columns of edges, `vertices` over vertex and the columns of
        vertices; an edge goes with either of its vertices.  There are comparisons, + - * / %, and, or, not, in (..),
        between, like, is null, abs, length, coalesce, lower, upper, contains, startswith, endswith, has and parts of
        dates; times are written as text: "since > '2026-01-01'".  The guide's page on predicates describes all.  A null
        is kept only if the predicate asks for it.

        Raises ParseError if a predicate is wrong (a caret shows where), InvalidArgumentError for a column that the
        graph does not have.  Cost: one pass over the columns that the predicates name, and a copy of the edges that are
        kept, 8 to 12 bytes each.
        """
        return views.where(self, edges, vertices)

    def subgraph(self: Reader, ids: Any) -> View:
        """Return the vertices with these ids and the edges among them.

        `ids` is a sequence, an array or a table of one column; an id that is no vertex is left out, with a warning.

        Raises InvalidArgumentError if the ids are neither integers nor strings.  Cost: one pass over all edges, and a
        copy of those that are kept.
        """
        return views.subgraph(self, ids)

    def reverse(self: Reader) -> View:
        """Return the graph with every edge reversed.

        Cost: O(sections) if the graph stores in-edges or is undirected; else one pass over all edges, and a copy of
        them.
        """
        return views.reverse(self)

    def undirected(self: Reader) -> View:
        """Return the graph without directions; of two opposite edges one stays, with the values of one.

        Cost: one pass over all edges, and a copy of them.
        """
        return views.undirected(self)

    def neighborhood(self: Reader, v: VertexKey, hops: int = 1) -> View:
        """Return the vertices that at most `hops` edges lead to from `v`, and the edges among them.

        Raises VertexNotFoundError if `v` is not a vertex, InvalidArgumentError if `hops` is below 0.  Cost: a
        breadth-first search, then one pass over all edges, and a copy of those that are kept.
        """
        return views.neighborhood(self, v, hops)

    def to_networkx(self: Reader) -> Any:
        """Return a graph of NetworkX with all values as attributes; a null gives no attribute.

        Cost: some 1,000 bytes an edge, and a Python object for each vertex, edge and value.
        """
        return views.to_networkx(self)

    def to_igraph(self: Reader) -> Any:
        """Return a graph of igraph with all values as attributes; the ids are the vertex attribute "name".

        A column called `name` becomes `name_`.

        Cost: a Python object for each vertex, edge and value.
        """
        return views.to_igraph(self)

    def copy_to(
        self: Reader,
        path: str | Path,
        *,
        threads: int | None = None,
        progress: ProgressFunction | bool | None = None,
    ) -> None:
        """Write the present state into a new store at `path`: a backup, or a view or a graph in memory that shall stay.

        Other threads and processes may read and change this graph meanwhile.  Nothing is at `path` before the copy is
        whole and durable, and nothing may be there yet.

        Raises AlreadyExistsError if something is at `path`, StorageError and OutOfSpaceError if it cannot be written.
        Cost: that of an import of all edges.
        """
        copies.copy_to(self, path, threads, progress)

    def draw(self: Reader, values: Any = None, *, labels: bool | None = None, ax: Any = None, seed: int = 1) -> Any:
        """Draw a graph of at most 1,000 vertices with Matplotlib, and return the axes.

        Of a larger one draw a part: `g.neighborhood(v, 2).draw()`.

        Args:
            values: a result or {vertex: value}, which colours the vertices and, if it has numbers, sizes them.
            labels: whether ids are written beside the vertices; by default up to 100 of them.
            ax: axes to draw into.
            seed: of the first positions; the same seed gives the same drawing.

        Raises InvalidArgumentError if the graph is larger, UnsupportedError if Matplotlib is not installed.  Cost:
        O(vertices^2) for each of 50 steps of the layout.
        """
        return drawings.draw(self, values, labels, ax, seed)

    def export(
        self: Reader, path: str | Path, *, threads: int | None = None, progress: ProgressFunction | bool | None = None
    ) -> None:
        """Write all edges, an undirected one once, to the file `path`, which `rizoma.read` gives back.

        The format follows from the name: .parquet, .csv or .tsv, .ndjson or .jsonl, .txt, .el or .wel, .mtx, .graph
        (METIS), .sg or .wsg (GAP), .gml, .graphml, .gexf, .json (node-link) or .net (Pajek); text may end in .gz or
        .zst.  Edge lists and CSV say that a graph is directed, or its ids strings, in comments, also before the header
        ("# Directed graph", "# String ids" if some look like integers; pandas: comment="#"); JSON lines say in each
        line that its edge is directed ("type"), and write NaN and infinity as null, with a warning.  Parquet, CSV, TSV,
        JSON lines, GML, GraphML, GEXF and node-link JSON have the columns of edges; in CSV lists are JSON.  A warning
        tells of vertices without edges and columns of vertices that the format has no place for.

        Raises UnsupportedError if the format has no place for the graph's columns of edges, ids or weights (.net:
        InvalidArgumentError), InvalidArgumentError if the name shows no format, OutOfSpaceError.  Cost: one pass over
        all edges, written in pieces.
        """
        if not isinstance(path, (str, PathLike)):
            raise TypeError(f"the path is {path!r}; give the name of a file as text or pathlib.Path")
        file = Path(path)
        if os.path.isdir(file):
            raise InvalidArgumentError(f"{file} is a directory; name a file in it, such as {file / 'edges.csv'}")
        check_directory(file)
        _write(self, file, threads, progress)
        if format_of(file) is None and not _core.is_document(file):
            warn_of_lost_vertices(file, self.vertices, self.vertex_columns)
        warn_of_lost_columns(file, self.edges, self.vertices, (list(self.edge_columns), list(self.vertex_columns)))


def _write(graph: Reader, file: Path, threads: int | None, progress: ProgressFunction | bool | None) -> None:
    """Write a graph in the format that the name tells."""
    if is_csv(file) and graph.edge_columns:
        _core.check_text_ids(graph._state(), file)
        write_edges(file, graph.edges, graph.vertices, graph.directed)
        return
    if is_json_lines(file):
        write_edge_lines(file, graph.edges, graph.directed)
        return
    if is_parquet(file):
        scan = graph.edges
        metadata = {DIRECTED_KEY: b"true" if graph.directed else b"false"}
        write_batches(file, scan.schema.with_metadata(metadata), scan.batches())
        return
    document = format_of(file)
    if document is not None:
        write_document(file, document, graph)
        return
    if graph.edge_columns and not _core.is_document(file) and has_no_columns(file):
        raise UnsupportedError(
            f"{file}: this graph has edge columns ({', '.join(graph.edge_columns)}), which only .parquet, .csv, "
            ".tsv, .ndjson, .jsonl, .gml, .graphml, .gexf and .json can hold; write one of these"
        )
    with engine(threads, progress) as borrowed:
        _core.export_edges(graph._state(), file, _core.ANY_FORMAT, borrowed)


for _name, _method in vars(ReaderMethods).items():
    if not _name.startswith("__"):
        setattr(Reader, _name, _method)
