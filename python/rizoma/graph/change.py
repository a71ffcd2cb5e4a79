"""The changes of a graph: a graph commits each of them at once, a batch gathers them for one commit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from threading import get_ident
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

from .. import _core
from ..core.arguments import methods_checked
from ..core.errors import ColumnNotFoundError, InvalidArgumentError
from ..core.lazy_arrow import pa, pc
from ..core.lazy_numpy import np
from ..core.options import enum_value
from ..core.suggestions import attribute_missing
from .bulk import (
    Change,
    edges_only,
    expect_key,
    id_kind,
    is_table,
    labels_of,
    prepare,
    prepare_added,
    vertex_table,
    warn_of_dropped,
    warn_of_guesses,
    warn_of_ids,
    warn_of_lost_weights,
    warn_of_ones,
    with_weights,
)
from .ids import IdArray, VertexKey
from .import_report import warn_of_merged
from .schema import PartlyGiven, edge_columns, fitted, vertex_columns
from .tables import ColumnNames, EdgeColumns, EdgeSource, read_edges, read_vertices
from .tables.columns import WEIGHTS
from .tables.text_options import CsvOptions, TextOptions
from .tables.text_values import written_table
from .tables.vertices import has_ids_by_name, rows_as_table

if TYPE_CHECKING:
    from .graph import Graph

__all__ = ["Batch", "ChangeMethods", "Pending"]

_NO_WEIGHTS = (
    "the graph has no weights, so none can be set; create it with weights=True, or make such a graph and add the edges "
    "of this one to it"
)

_INSTEAD_OF_COMMIT = {
    "commit": "the end of the `with` block, which commits",
    "flush": "the end of the `with` block, which commits",
    "rollback": "an exception within the `with` block, after which nothing is committed",
}

_ENDS = dict.fromkeys(("source", "target"), "an edge keeps its ends: remove it, and add another one")
_ENDS |= dict.fromkeys(("vertex", "id"), "a vertex keeps its id: add another one with its edges, and remove it")
"""What cannot be set, and what to do."""

_TYPES = {bool: "bool", int: "int64", float: "float64"}
"""Of columns, by the values that are to be set."""

R = TypeVar("R")  # what a method of changes returns


@dataclass
class Pending:
    """Changes that are read and checked, in order, and what they add: an empty graph gets its kind of ids from that."""

    steps: list[Callable[[Change], object]] = field(default_factory=list)
    edges: list[EdgeColumns] = field(default_factory=list)
    vertices: list[IdArray] = field(default_factory=list)
    multigraph: bool = False  # some of the edges come from a graph that may have parallel ones
    rows: int = 0  # once committed

    def extend(self, other: Pending) -> None:
        """Put others after these."""
        self.steps += other.steps
        self.edges += other.edges
        self.vertices += other.vertices
        self.multigraph = self.multigraph or other.multigraph

    def commit(self, graph: Graph) -> _core.ChangeCounts:
        """Make all of them part of the graph, or none, durably."""
        before = graph._state()
        first_added, sizes = before.num_vertices, (before.num_live, before.num_edges())
        del before  # it would keep what the change replaces
        if not first_added:
            graph._settle_ids(id_kind(self.edges, self.vertices))
        change = Change()
        for step in self.steps:
            step(change)
        counts = change.commit(graph._native)
        self.rows = change.rows
        if self.edges or self.vertices:
            state = graph._state()
            warn_of_ids(state, first_added)
            if self.multigraph or not first_added:
                after = state.num_live, state.num_edges() + counts.edges_removed
                warn_of_merged(sum(map(len, self.edges)), self.multigraph, sizes, after, state.schema)
        return counts


@methods_checked
class ChangeMethods(Generic[R]):
    """The methods that change a graph.

    Each reads and checks its data and hands a `Pending` to `_sink`.  A graph commits it, as one atomic change that is
    durable when the method returns, and returns how many edges or vertices were changed.  A batch keeps it.

    `source`, `target` and `weight` name the columns of a table, `vertex` that of the ids; without them their names
    decide. `missing="error"` raises NotInGraphError for what the graph does not have, and nothing is changed; "ignore"
    skips it.

    Raises InvalidArgumentError and ColumnNotFoundError if the data do not fit the graph; the message names the row.
    Cost: O(rows) and the lists of the vertices that they name, one append to the log and one sync (in a batch none).
    """

    def _target(self) -> Graph:
        """The graph that is changed."""
        raise NotImplementedError

    def _sink(self, pending: Pending, counted: str) -> R:
        """Take changes; `counted` is the field of `ChangeCounts` to return once they are made."""
        raise NotImplementedError

    def add_vertices(
        self,
        ids: Iterable[VertexKey] | Any,
        *,
        vertex: str | None = None,
        rename: Mapping[str, str] | None = None,
        thousands: str | None = None,
        decimal: str = ".",
        date_format: str | None = None,
    ) -> None:
        """Add vertices by external id; those already there stay as they are.

        `ids` is a sequence or an array, a table of one column, or one with a column `vertex` or `id`; a list of
        mappings is a table, too.  In a graph that has columns of vertices the other columns of a table are values,
        which vertices that exist get too; `vertex` names the column of the ids.  `rename`, `thousands`, `decimal` and
        `date_format` are as for `rizoma.read`.
        """
        if isinstance(ids, Mapping) and any(isinstance(each, Mapping) for each in ids.values()):
            raise InvalidArgumentError(
                "each vertex has a mapping of its own; give a list for each column, as in "
                '{"id": ["ann", "bob"], "age": [41, 38]}'
            )
        columns = vertex_columns(self._schema)
        ids = self._written(rows_as_table(ids), lambda: columns, rename, thousands, decimal, date_format)
        if columns and is_table(ids):
            pending = _added(*vertex_table(ids, columns, vertex))
        else:
            warn_of_dropped(ids, vertex)
            pending = _added(read_vertices(ids))
        self._sink(pending, "vertices_set")

    def set(self, key: VertexKey | tuple[VertexKey, VertexKey], /, **values: Any) -> None:
        """Set column values of one vertex, or of the edges of one pair; durable when it returns.

        `key` is the id of a vertex or a pair (source, target), whose parallel edges all get the values; `values` are
        named by their columns, and `weight=` sets the weight.  Of parallel edges that a column tells apart, name it:
        `set((1, 2), key="id", id=8, amount=2.5)`; in a graph that has a column called `key`, `set_edges` does it.

        Raises NotInGraphError if there is no such vertex or edge.
        """
        if not values:
            raise InvalidArgumentError("there are no values to set; name columns, as in set(v, age=41)")
        if isinstance(key, (list, set, frozenset)):
            raise InvalidArgumentError(f"set is for one vertex or edge, not {key!r}; set_vertices(table) sets several")
        if not isinstance(key, tuple):
            self._sink(self._set_vertex(key, values), "vertices_set")
            return
        by = values.pop("key") if "key" in values and "key" not in edge_columns(self._schema) else None
        pending = self._set_pair(key, values) if by is None else self._set_keyed(key, values, by)
        self._sink(pending, "weights_set")

    def set_edges(
        self,
        data: Any,
        *,
        source: str | None = None,
        target: str | None = None,
        key: str | None = None,
        missing: str = "ignore",
        rename: Mapping[str, str] | None = None,
        thousands: str | None = None,
        decimal: str = ".",
        date_format: str | None = None,
    ) -> R:
        """Set column values of existing edges from a table, as one atomic change; return how many edges were set.

        `data` is a table with the ends and the columns to set; others stay as they are.  Parallel edges all get the
        values, or with `key`, a column, only those that have the row's value in it.  `rename`, `thousands`, `decimal`
        and `date_format` are as for `rizoma.read`.
        """
        data = self._written(data, self._edge_types, rename, thousands, decimal, date_format)
        return self._sink(self._edge_values(data, source, target, key, missing), "weights_set")

    def set_vertices(
        self,
        data: Any,
        *,
        vertex: str | None = None,
        missing: str = "ignore",
        rename: Mapping[str, str] | None = None,
        thousands: str | None = None,
        decimal: str = ".",
        date_format: str | None = None,
    ) -> R:
        """Set column values of existing vertices from a table; return how many vertices were set.

        `data` is a table with the ids and the columns to set; others stay as they are.  `rename`, `thousands`,
        `decimal` and `date_format` are as for `rizoma.read`.
        """
        data = rows_as_table(data)
        data = self._written(data, lambda: vertex_columns(self._schema), rename, thousands, decimal, date_format)
        return self._sink(self._vertex_values(data, vertex, missing), "vertices_set")

    def set_weights(
        self,
        data: Any,
        *,
        source: str | None = None,
        target: str | None = None,
        weight: str | None = None,
        key: str | None = None,
        missing: str = "ignore",
        rename: Mapping[str, str] | None = None,
        thousands: str | None = None,
        decimal: str = ".",
        date_format: str | None = None,
    ) -> R:
        """Set the weights of existing edges, as one atomic change; return how many edges were set.

        `data` is as for `add_edges` and must have weights; parallel edges all get the weight, or with `key`, a column,
        only those that have the row's value in it.  Missing edges are not added (`add_edges` would add them).
        `rename`, `thousands`, `decimal` and `date_format` are as for `rizoma.read`.
        """
        data = self._written(data, lambda: self._edge_types(weight), rename, thousands, decimal, date_format)
        if key is not None:
            return self._sink(self._keyed_weights(data, source, target, weight, key, missing), "weights_set")
        return self._sink(self._edge_weights(data, source, target, weight, missing), "weights_set")

    def remove_edges(
        self,
        data: Any,
        *,
        source: str | None = None,
        target: str | None = None,
        key: str | None = None,
        parallel: str = "all",
        missing: str = "ignore",
        rename: Mapping[str, str] | None = None,
        thousands: str | None = None,
        decimal: str = ".",
        date_format: str | None = None,
    ) -> R:
        """Remove edges as one atomic change, durable when it returns; return how many were removed.

        `data` names edges as for `add_edges`; weights are not read, and the vertices stay.  Parallel edges
        (`parallel_edges="keep"`) are all removed, or with `parallel="one"` the one added last for each row; with `key`,
        a column, only those that have the row's value in it.  Values of other columns are not compared, and where they
        could tell parallel edges apart the call is refused without `key`.  `rename`, `thousands`, `decimal` and
        `date_format` are as for `rizoma.read`.
        """
        data = self._written(data, self._edge_types, rename, thousands, decimal, date_format)
        alone = ColumnNames(source, target, takes_weights=True)
        names = alone if key is None else self._keyed(source, target, key)
        names = replace(names, drops_weights=True)
        if key is None and parallel == "all":
            self._expect_no_key(labels_of(data), (source, target))
        chunks = edges_only(read_edges(data, names), self._schema, key)
        which = enum_value(_core.Parallel, "parallel", parallel)
        step = partial(Change.remove_edges, chunks=chunks, missing=_missing(missing), parallel=which, key=key or "")
        return self._sink(Pending([step]), "edges_removed")

    def remove_vertices(self, ids: Iterable[VertexKey] | Any, *, missing: str = "ignore") -> R:
        """Remove vertices and all their edges as one atomic change; return how many vertices were removed.

        `ids` is as for `add_vertices`.  Their ids may be added again.
        """
        step = partial(Change.remove_vertices, ids=read_vertices(rows_as_table(ids)), missing=_missing(missing))
        return self._sink(Pending([step]), "vertices_removed")

    def _unknown_argument(self, name: str, method: str) -> str:
        """What to say of an argument that a method has not: a column is given with the data."""
        of_edges, of_vertices = name in edge_columns(self._schema), name in vertex_columns(self._schema)
        if method == "where" and (of_edges or of_vertices):
            return f'write a predicate, as in where({"edges" if of_edges else "vertices"}="{name} = ...")'
        if not (of_edges or of_vertices or name == "weight"):
            return ""
        ends = '"id": [...]' if "vert" in method else '"source": [...], "target": [...]'
        return f'{name} is a column: give its values with the data, as in {{{ends}, "{name}": [...]}}'

    def _written(
        self,
        data: Any,
        types: Callable[[], Mapping[str, str]],
        rename: Mapping[str, str] | None,
        thousands: str | None,
        decimal: str,
        date_format: str | None,
    ) -> Any:
        """The data with the names and values of columns that the options say; `types`: of the graph's columns."""
        if not rename and thousands is None and decimal == "." and date_format is None:
            return data  # at once, for the sake of those who add edges one by one
        said = TextOptions(rename=rename, thousands=thousands, decimal=decimal, date_format=date_format)
        return written_table(data, types(), CsvOptions.of(said))

    def _edge_types(self, weight: str | None = None) -> dict[str, str]:
        """The types of what a table of edges may have: the columns of the graph, and a weight."""
        return dict.fromkeys((*WEIGHTS, weight or "weight"), "float64") | edge_columns(self._schema)

    @property
    def _schema(self) -> _core.GraphSchema:
        return self._target()._state().schema

    def _names(
        self, schema: _core.GraphSchema, source: str | None, target: str | None, weight: str | None = None
    ) -> ColumnNames:
        """How the columns of a table are chosen for a graph of this schema."""
        weighted = schema.weights != _core.WeightType.none
        remedy = "add it with add_column, or leave it out"
        if weighted and not schema.rows:
            remedy = "leave it out, or make a new graph with columns (edges={...}) and add the edges of this one to it"
        columns, of_vertices = edge_columns(schema), vertex_columns(schema)
        return ColumnNames(
            source, target, weight, columns, of_vertices, remedy, takes_weights=weighted, drops_weights=not weighted
        )

    def _read(self, data: Any, columns: ColumnNames, schema: _core.GraphSchema) -> EdgeSource:
        """The edges that `data` lists, which a graph of this schema can take."""
        weighted = columns.takes_weights
        if columns.weight is not None and not weighted:
            remedy = f"create it with weights=... to keep {columns.weight!r}"
            if columns.weight in columns.columns:
                remedy = f"it has a column {columns.weight!r}, which is read under its name: leave weight= out"
            raise InvalidArgumentError(f"the graph has no weights; {remedy}")
        edges = read_edges(data, columns)
        warn_of_guesses(edges, schema.directed)
        return warn_of_ones(edges, schema) if weighted else warn_of_lost_weights(edges, schema)

    def _keyed(self, source: str | None, target: str | None, key: str | None, weight: str | None = None) -> ColumnNames:
        """How the columns of a table are chosen if one of them may distinguish parallel edges."""
        schema = self._schema
        if key is not None and key not in edge_columns(schema):
            there = ", ".join(edge_columns(schema)) or "none"
            raise ColumnNotFoundError(f"the graph has no column {key!r} to tell edges apart by; there are {there}")
        return self._names(schema, source, target, weight)

    def _expect_no_key(self, labels: Iterable[str], ends: tuple[str | None, str | None]) -> None:
        """Refuse columns that could tell parallel edges apart, where none is said to do so."""
        schema = self._schema
        if schema.parallel_edges != _core.ParallelEdges.keep:
            return
        found = next((name for name in labels if name in edge_columns(schema) and name not in ends), None)
        if found is not None:
            raise InvalidArgumentError(
                f"the data has values of {found!r}, and the graph keeps parallel edges: to take only those with the "
                f"row's value say key={found!r}, and to take all edges of each pair leave the column out"
            )

    def _expect_single_rows(self, chunks: Iterable[EdgeColumns]) -> None:
        """Refuse rows that name one pair several times, where each of them would set all of its parallel edges.

        The chunks are of one call, as the graph takes them (`prepare`).
        """
        if self._schema.parallel_edges != _core.ParallelEdges.keep:
            return
        ends = [pa.table({"source": each.sources, "target": each.targets}) for each in chunks if len(each)]
        if not ends:
            return
        pairs = pa.concat_tables(ends, promote_options="permissive")
        if not self._schema.directed:  # (u, v) and (v, u) are one pair
            sources, targets = pairs.columns
            turned = pc.greater(sources, targets)
            ordered = pc.if_else(turned, targets, sources), pc.if_else(turned, sources, targets)
            pairs = pa.table(dict(zip(pairs.column_names, ordered, strict=True)))
        counts = pairs.group_by(pairs.column_names, use_threads=False).aggregate([([], "count_all")])
        several = counts.filter(pc.field("count_all") > 1)
        if several.num_rows:
            pair = several.column("source")[0].as_py(), several.column("target")[0].as_py()
            raise InvalidArgumentError(
                f"several rows name the pair {pair}, and each would set all of its parallel edges; name the column "
                "that tells them apart with key=, or give one row for a pair"
            )

    def _with_weight(self, columns: EdgeColumns) -> EdgeColumns:
        """The weights, if there are some, as one more column of values."""
        if columns.weights is None:
            return columns
        kind = self._target().weights
        if kind is None:
            raise InvalidArgumentError(_NO_WEIGHTS)
        if not np.isfinite(columns.weights).all():
            raise InvalidArgumentError("a weight must be a finite number, not NaN or infinite; drop or fill such rows")
        given = columns.weights_given
        weights = fitted(pa.array(columns.weights, mask=None if given is None else ~given), "weight", kind)
        if given is not None:
            weights = PartlyGiven(weights, given)
        return replace(columns, weights=None, values={**columns.values, "weight": weights})

    def _edge_values(self, data: Any, source: str | None, target: str | None, key: str | None, missing: str) -> Pending:
        """New values for the edges of a table."""
        if key is None and self._target().weights is not None and not edge_columns(self._schema):
            return self._edge_weights(data, source, target, None, missing)
        values = [label for label in labels_of(data) if label in edge_columns(self._schema) or label in WEIGHTS]
        if key is None and len(values) > 1:
            self._expect_no_key(filter(has_ids_by_name, values), (source, target))
        edges = read_edges(data, self._keyed(source, target, key))
        return self._values_of(edges, key, missing)

    def _values_of(self, edges: EdgeSource, key: str | None, missing: str) -> Pending:
        edges = edges.with_chunks([self._with_weight(columns) for columns in edges.chunks])
        chunks = [replace(columns, weights=None).owned() for columns in prepare(edges, self._schema).chunks]
        if key is None:
            self._expect_single_rows(chunks)
        expect_key(chunks, key)
        return Pending([partial(Change.set_edges, chunks=chunks, missing=_missing(missing), key=key or "")])

    def _keyed_weights(
        self, data: Any, source: str | None, target: str | None, weight: str | None, key: str, missing: str
    ) -> Pending:
        """New weights for parallel edges that a column distinguishes; other columns are not read."""
        if self._target().weights is None:
            raise InvalidArgumentError(_NO_WEIGHTS)
        edges = read_edges(data, self._keyed(source, target, key, weight))
        chunks = list(edges.chunks)
        if any(columns.weights is None for columns in chunks):
            raise InvalidArgumentError("the data has no weights to set; name their column with weight=")
        keys = [{key: columns.values[key]} if key in columns.values else {} for columns in chunks]
        alone = [replace(columns, values=values) for columns, values in zip(chunks, keys, strict=True)]
        return self._values_of(edges.with_chunks(alone), key, missing)

    def _edge_weights(
        self, data: Any, source: str | None, target: str | None, weight: str | None, missing: str
    ) -> Pending:
        """New weights for the edges of a table."""
        if self._target().weights is None:
            raise InvalidArgumentError(_NO_WEIGHTS)
        chunks = with_weights(read_edges(data, ColumnNames(source, target, weight, weighted=True)), self._schema)
        self._expect_single_rows(chunks)
        return Pending([partial(Change.set_weights, chunks=chunks, missing=_missing(missing))])

    def _vertex_values(self, data: Any, vertex: str | None, missing: str) -> Pending:
        """New values for the vertices of a table."""
        ids, values = vertex_table(data, vertex_columns(self._schema), vertex)
        if not values and len(ids):
            raise InvalidArgumentError(
                "there are no values to set, only ids; give a table of columns by name, such as "
                '{"id": ["ann"], "age": [41]}, or name the column of the ids with vertex= (an index of pandas becomes '
                'one by frame.rename_axis("id").reset_index())'
            )
        return Pending([partial(Change.set_vertices, ids=ids, values=values, missing=_missing(missing))])

    def _set_vertex(self, key: VertexKey, values: dict[str, Any]) -> Pending:
        of_edges = edge_columns(self._schema)
        elsewhere = {name: f"it is a column of edges: set((u, v), {name}=...)" for name in of_edges} | _ENDS
        table = pa.table({"vertex": [key]} | _one_row(values, vertex_columns(self._schema), "vertices", elsewhere))
        return self._vertex_values(table, "vertex", "error")

    def _set_keyed(self, pair: tuple[VertexKey, ...], values: dict[str, Any], by: Any) -> Pending:
        """New values for those edges of a pair that have the value of the column `by`."""
        _expect_pair(pair)
        if by not in values or len(values) == 1:
            raise InvalidArgumentError(
                f"key={by!r} names the column that tells the edges apart: give its value and those to set, as in "
                'set((1, 2), key="id", id=8, amount=2.5)'
            )
        types = edge_columns(self._schema) | ({"weight": self._target().weights or "float64"})
        table = pa.table({"source": [pair[0]], "target": [pair[1]]} | _one_row(values, types, "edges", _ENDS))
        return self._edge_values(table, "source", "target", by, "error")

    def _set_pair(self, pair: tuple[VertexKey, ...], values: dict[str, Any]) -> Pending:
        _expect_pair(pair)
        pending = Pending()
        if "weight" in values:
            weight = values.pop("weight")
            if weight is None:
                raise InvalidArgumentError("a weight cannot be null; give a number")
            pending.extend(self._edge_weights([(*pair, weight)], None, None, None, "error"))
        if values:
            ends = {"source": [pair[0]], "target": [pair[1]]}
            of_vertices = vertex_columns(self._schema)
            elsewhere = {name: f"it is a column of vertices: set(v, {name}=...)" for name in of_vertices} | _ENDS
            table = pa.table(ends | _one_row(values, edge_columns(self._schema), "edges", elsewhere))
            pending.extend(self._edge_values(table, "source", "target", None, "error"))
        return pending


@methods_checked
class Batch(ChangeMethods[None]):
    """Changes gathered in memory, committed when the `with` block ends; on an exception nothing is.

    All of it is one atomic and durable commit, in the order of the calls: what an earlier one added, a
    later one may remove.  Afterwards `counts` tells what was removed and what was missing, and the batch is
    empty: another `with` block of it is another commit.  Outside of one nothing is gathered: InvalidArgumentError.
    """

    counts: _core.ChangeCounts

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._pending: Pending | None = None  # outside of a `with` block

    def __getattr__(self, name: str) -> NoReturn:
        reads = not name.startswith("_") and hasattr(type(self._graph), name)
        instead = {name: "the graph: a batch gathers changes alone"} if reads else _INSTEAD_OF_COMMIT
        raise attribute_missing(self, name, instead)

    def _target(self) -> Graph:
        return self._graph

    def _sink(self, pending: Pending, counted: str) -> None:
        """Keep changes for the commit."""
        self._gathered().extend(pending)

    def _gathered(self) -> Pending:
        """The changes of the `with` block so far."""
        if self._pending is None:
            raise InvalidArgumentError(
                "a batch gathers changes within its `with` block alone: with graph.batch() as b: b.add_edges(...)"
            )
        return self._pending

    def add_edges(
        self,
        data: Any,
        *,
        source: str | None = None,
        target: str | None = None,
        weight: str | None = None,
        rename: Mapping[str, str] | None = None,
        thousands: str | None = None,
        decimal: str = ".",
        date_format: str | None = None,
    ) -> None:
        """Add edges, as `Graph.add_edges` does with the same `data`.

        That method also loads an empty graph in bulk, and has the options of a load.  `source`, `target`, `weight`,
        `rename`, `thousands`, `decimal` and `date_format` are as there.
        """
        data = self._written(data, lambda: self._edge_types(weight), rename, thousands, decimal, date_format)
        schema = self._schema
        edges = self._read(data, self._names(schema, source, target, weight), schema)
        for ids in edges.vertex_columns:
            self._gathered().extend(_added(ids, edges.vertex_values))
        for columns in prepare_added(edges, schema).chunks:
            owned = columns.owned()
            added = Pending([partial(Change.add, columns=owned)], [owned], multigraph=edges.multigraph)
            self._gathered().extend(added)

    def _add_vertices(self, ids: IdArray, values: Mapping[str, Any]) -> None:
        """Add vertices with values that are fitted to the graph's columns."""
        self._gathered().extend(_added(ids, values))

    def __enter__(self) -> Batch:
        self._pending = Pending()
        self._graph._batch_thread = get_ident()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pending, self._pending = self._gathered(), None
        self._graph._batch_thread = None
        if kind is None:
            self.counts = pending.commit(self._graph)


def _added(ids: IdArray, values: Mapping[str, Any] | None = None) -> Pending:
    return Pending([partial(Change.add_vertices, ids=ids, values=values)], vertices=[ids])


def _expect_pair(pair: tuple[VertexKey, ...]) -> None:
    if len(pair) != 2:
        raise InvalidArgumentError(f"{pair!r} is not an edge; give a pair (source, target)")


def _one_row(
    values: dict[str, Any], columns: Mapping[str, str], of: str, elsewhere: Mapping[str, str]
) -> dict[str, Any]:
    """The values of one row as columns; `of`: the vertices or the edges; `elsewhere`: what to say of other names."""
    unknown = next((name for name in values if name not in columns), None)
    if unknown is not None:
        kind = _TYPES.get(type(values[unknown]), "string")
        there = f"there are {', '.join(columns) or 'none'} "
        there += f'(graph.add_column("{unknown}", "{kind}", of="{of}") adds one)'
        raise ColumnNotFoundError(f"{of} have no column {unknown!r}; {elsewhere.get(unknown, there)}")
    return {name: fitted([value], name, columns[name]) for name, value in values.items()}


def _missing(name: str) -> _core.Missing:
    return enum_value(_core.Missing, "missing", name)
