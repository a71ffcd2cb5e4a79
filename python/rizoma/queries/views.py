"""Parts and other sides of a graph: filtered, reversed, undirected; and graphs of NetworkX and igraph.

A view is an immutable state of its own: all algorithms, tables and exports run on it, and later changes of the graph do
not reach it.  A reversed one, and one of edges that a condition over columns keeps, share ids and values with the state
that they were made of; others are copies in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..core.engines import ProgressFunction, engine
from ..core.errors import InvalidArgumentError, UnsupportedError
from ..core.lazy_arrow import pa
from ..core.options import whole_number
from ..graph.bulk import Change, fill, prepare
from ..graph.graph import Graph, Snapshot
from ..graph.ids import VertexKey, arrow_ids, id_array
from ..graph.schema import arrow_values, edge_columns, vertex_columns
from ..graph.state import Reader, find
from ..graph.tables import EdgeColumns, EdgeSource
from .expressions import Condition

__all__ = [
    "View",
    "fill_from",
    "neighborhood",
    "reverse",
    "rows_where",
    "subgraph",
    "to_igraph",
    "to_networkx",
    "undirected",
    "where",
]

_ROWS = 1 << 18
_TESTED_ROWS = 1 << 16  # at once, whole bytes of bits: their values stay in the cache, and their memory here
_BULK_ROWS = 1 << 16
_FEW_ROWS = 1 << 16
_EDGES_A_LIST = 256  # edges that are read in turn while one list is asked for
Mask = npt.NDArray[np.bool_]


class View(Snapshot):
    """A part or another side of a graph; nothing changes it."""

    def __init__(self, state: _core.Snapshot, graph: Graph | None = None) -> None:
        super().__init__(state)
        self._held = graph  # in memory, whose state it is

    def __repr__(self) -> str:
        return f"View({self._describe()})"


def where(graph: Reader, edges: str | None = None, vertices: str | None = None) -> View:
    """The part that the conditions keep; see `Graph.where`."""
    state = graph._state()
    schema = state.schema
    kept = None
    if vertices is not None:
        condition = Condition(vertices, ["vertex", *vertex_columns(schema)])
        kept = _vertices_where(state, condition)
    only = None
    if edges is not None:
        weighted = ["weight"] if schema.weights != _core.WeightType.none else []
        only = Condition(edges, ["source", "target", *weighted, *edge_columns(schema)])
    if kept is None and only is not None and _tells_rows(state, only):
        bits = _rows_where(state, only)
        if bits is not None:
            with engine() as lent:
                return View(_core.with_rows(state, lent, bits))
    return _copy(state, kept, only)


def rows_where(state: _core.Snapshot, edges: str) -> npt.NDArray[np.uint8]:
    """A bit for each row of edges that a condition over their columns keeps; of a part of a graph, which has no others.

    Raises `UnsupportedError` for a condition that rows do not tell.
    """
    schema = state.schema
    condition = Condition(edges, ["source", "target", "weight", *edge_columns(schema)])
    bits = None
    if schema.rows and not {"source", "target"} & condition.names and (not schema.directed or schema.in_edges):
        bits = _rows_where(state, condition)
    if bits is None:
        raise UnsupportedError(
            f"the condition {edges!r} needs more than the values of edges' columns, and only a part of the graph is "
            "here: use the store"
        )
    return bits


def _tells_rows(state: _core.Snapshot, condition: Condition) -> bool:
    """Whether rows of values are all that a condition needs, and the state can do without a copy."""
    schema = state.schema
    if not schema.rows or {"source", "target"} & condition.names or (schema.directed and not schema.in_edges):
        return False
    return _core.num_rows(state) <= _FEW_ROWS + 4 * state.num_edges()  # rows of edges that are gone count, too


def _rows_where(state: _core.Snapshot, condition: Condition) -> npt.NDArray[np.uint8] | None:
    """A bit for each row that a condition keeps.

    None: it has no answer for one of them, which may be one that no edge has any more.
    """
    kinds = edge_columns(state.schema)
    if state.schema.weights != _core.WeightType.none:
        kinds["weight"] = state.schema.weights.name
    rows = _core.num_rows(state)
    parts = []
    for begin in range(0, rows, _TESTED_ROWS):
        end = min(begin + _TESTED_ROWS, rows)
        columns: dict[str, Any] = {"": pa.nulls(end - begin)}  # the rows of a condition that names none
        for name in condition.names:
            columns[name] = arrow_values(_core.values_between(state, name, begin, end), kinds[name])
        try:
            mask = condition.mask(pa.RecordBatch.from_pydict(columns))
        except InvalidArgumentError:
            return None
        parts.append(_bits(mask))
    return np.concatenate(parts)


def _bits(mask: pa.BooleanArray) -> npt.NDArray[np.uint8]:
    """A bit for each value of a mask without nulls, lowest first; those behind the last one are 0."""
    if mask.offset % 8 == 0 and len(mask) % 8 == 0 and mask.null_count == 0:  # Arrow's own bits
        begin = mask.offset // 8
        return np.frombuffer(mask.buffers()[1], np.uint8)[begin : begin + len(mask) // 8]
    return np.packbits(mask.to_numpy(zero_copy_only=False), bitorder="little")


def subgraph(graph: Reader, ids: Any) -> View:
    """The vertices with these ids, and the edges among them."""
    state = graph._state()
    numbers = Snapshot(state).find(ids)
    return _induced(state, np.unique(numbers[numbers >= 0]).astype(np.uint64))


def neighborhood(graph: Reader, v: VertexKey, hops: int) -> View:
    """The vertices within so many hops of `v`, and the edges among them."""
    if hops < 0:
        raise InvalidArgumentError(f"hops is {hops}; it must be 0 or more")
    state = graph._state()
    start = find(state, v)
    with engine() as lent:
        levels = _core.bfs(lent, state.working_view(lent), start, whole_number("hops", hops, 0), None)["level"]
    reached = levels.all() if isinstance(levels, _core.LazyColumn) else levels
    return _induced(state, np.flatnonzero(np.asarray(reached) >= 0).astype(np.uint64))


def reverse(graph: Reader) -> View:
    """Every edge turned round."""
    state = graph._state()
    if not state.schema.directed or state.schema.in_edges:
        return View(_core.reversed(state))
    return _copy(state, None, None, swap=True)


def undirected(graph: Reader) -> View:
    """The same without directions."""
    return _copy(graph._state(), None, None, directed=False)


def _vertices_where(state: _core.Snapshot, condition: Condition) -> Mask:
    kept = np.zeros(state.num_vertices, np.bool_)
    for numbers in _live(state):
        ids = arrow_ids(state.ids_of(numbers))
        kept[numbers] = condition.mask(_vertex_batch(state, ids, numbers, condition.names)).to_numpy(
            zero_copy_only=False
        )
    return kept


def _live(state: _core.Snapshot) -> Iterator[npt.NDArray[np.uint64]]:
    """Inner numbers of the vertices, some at a time."""
    with engine() as lent:
        live = _core.live_vertices(state.view(lent))
    numbers = np.arange(state.num_vertices, dtype=np.uint64) if live is None else live
    for begin in range(0, len(numbers), _ROWS):
        yield numbers[begin : begin + _ROWS]


def _vertex_batch(
    state: _core.Snapshot, ids: Any, numbers: npt.NDArray[np.uint64], names: set[str] | None = None
) -> pa.RecordBatch:
    columns = {"vertex": ids}
    for name, kind in vertex_columns(state.schema).items():
        if names is None or name in names:
            columns[name] = arrow_values(_core.vertex_values(state, name, numbers), kind)
    return pa.RecordBatch.from_pydict(columns)


class _Edges:
    """The edges of a state that are kept, as chunks for a graph of the same columns."""

    def __init__(self, state: _core.Snapshot, kept: Mask | None, only: Condition | None, swap: bool) -> None:
        self._state, self._kept, self._only, self._swap = state, kept, only, swap
        schema = state.schema
        self._kinds = edge_columns(schema)
        self._weight = None if schema.weights == _core.WeightType.none else schema.weights.name
        with engine() as lent:
            view = _core.rows_view(state, lent) if schema.rows else state.view(lent)
            self._scan = _core.EdgeScan.create(lent, view, None)

    def __iter__(self) -> Iterator[EdgeColumns]:
        for begin in range(0, len(self._scan), _ROWS):
            with engine() as lent:
                chunk = self._scan.read(lent, begin, begin + _ROWS)
            sources, targets, carried = chunk
            assert sources is not None
            assert targets is not None
            if self._kept is not None:
                mask = self._kept[sources] & self._kept[targets]
                sources, targets = sources[mask], targets[mask]
                carried = None if carried is None else carried[mask]
            if self._only is not None and len(sources):
                mask = self._holds(self._only, sources, targets, carried)
                sources, targets = sources[mask], targets[mask]
                carried = None if carried is None else carried[mask]
            if len(sources):
                yield self._columns(sources, targets, carried)

    def _columns(self, sources: Any, targets: Any, carried: Any) -> EdgeColumns:
        weights, values = carried, {}
        if self._state.schema.rows:
            weights = None if self._weight is None else self._read("weight", self._weight, carried)
            values = {name: self._read(name, kind, carried) for name, kind in self._kinds.items()}
        if isinstance(weights, pa.Array):
            weights = np.asarray(weights.to_numpy(zero_copy_only=False))
        from_ids, to_ids = id_array(self._ids(sources), "source"), id_array(self._ids(targets), "target")
        return EdgeColumns(*((to_ids, from_ids) if self._swap else (from_ids, to_ids)), weights, values)

    def _holds(self, condition: Condition, sources: Any, targets: Any, carried: Any) -> Mask:
        """Which of the edges a condition keeps; reads the columns that it names, and no others."""
        columns: dict[str, Any] = {"": pa.nulls(len(sources))}  # the rows of a condition that names none
        for name in condition.names:
            if name in ("source", "target"):
                columns[name] = self._ids(sources if name == "source" else targets)
            elif name == "weight" and self._weight is not None:
                columns[name] = (
                    self._read(name, self._weight, carried) if self._state.schema.rows else pa.array(carried)
                )
            else:
                columns[name] = self._read(name, self._kinds[name], carried)
        return np.asarray(condition.mask(pa.RecordBatch.from_pydict(columns)).to_numpy(zero_copy_only=False))

    def _ids(self, numbers: Any) -> pa.Array:
        return arrow_ids(self._state.ids_of(numbers.view(np.uint64)))

    def _read(self, name: str, kind: str, rows: npt.NDArray[np.float64]) -> pa.Array:
        return arrow_values(_core.edge_values(self._state, name, rows), kind)


def _induced(state: _core.Snapshot, numbers: npt.NDArray[np.uint64]) -> View:
    """The vertices with these inner numbers, ascending, and the edges among them.

    Of few vertices only their own lists are read; otherwise, and for values of edges, all edges in turn.
    """
    if state.schema.rows or len(numbers) * _EDGES_A_LIST > state.num_edges():
        kept = np.zeros(state.num_vertices, np.bool_)
        kept[numbers] = True
        return _copy(state, kept, None)
    graph = _empty_like(state, None, whole=False)
    change = Change()
    if len(numbers):
        batch = _vertex_batch(state, arrow_ids(state.ids_of(numbers)), numbers)
        values = {name: batch.column(name) for name in vertex_columns(state.schema)}
        change.add_vertices(id_array(batch.column("vertex")), values)
        change.add(_edges_among(state, numbers))
    change.commit(graph._native)
    return View(graph._state(), graph)


def _edges_among(state: _core.Snapshot, numbers: npt.NDArray[np.uint64]) -> EdgeColumns:
    weighted = state.schema.weights != _core.WeightType.none
    sources, targets, weights = [], [], []
    for v in numbers.tolist():
        row = state.neighbors(v)
        at = np.minimum(np.searchsorted(numbers, row), len(numbers) - 1)
        kept = numbers[at] == row
        if not state.schema.directed:
            kept &= row >= v  # from its lesser end
        targets.append(row[kept])
        sources.append(np.full(len(targets[-1]), v, np.uint64))
        if weighted:
            weights.append(state.weights(v)[kept])
    from_ids, to_ids = (id_array(arrow_ids(state.ids_of(np.concatenate(ends)))) for ends in (sources, targets))
    return EdgeColumns(from_ids, to_ids, np.concatenate(weights) if weighted else None)


def _copy(
    state: _core.Snapshot,
    kept: Mask | None,
    only: Condition | None,
    *,
    swap: bool = False,
    directed: bool | None = None,
) -> View:
    """A graph in memory of the vertices and edges that are kept."""
    graph = _empty_like(state, directed, kept is None and state.num_live == state.num_vertices)
    fill_from(state, graph, kept, only, swap=swap)
    return View(graph._state(), graph)


def _empty_like(state: _core.Snapshot, directed: bool | None, whole: bool) -> Graph:
    """A graph in memory of the same kind, for all vertices (`whole`) or some."""
    given = state.schema
    schema = _core.GraphSchema()
    schema.directed = given.directed if directed is None else directed
    schema.weights, schema.in_edges = given.weights, True
    schema.parallel_edges, schema.self_loops = given.parallel_edges, given.self_loops
    weighted = given.weights != _core.WeightType.none
    schema.edge_columns = [column for column in given.edge_columns if not (weighted and column[0] == "weight")]
    schema.vertex_columns = given.vertex_columns
    schema.ids_fixed = True
    schema.ids = _core.IdKind.integer if given.ids == _core.IdKind.dense and not whole else given.ids
    return Graph(_core.Graph.in_memory(schema), None)


def fill_from(
    state: _core.Snapshot,
    graph: Graph,
    kept: Mask | None = None,
    only: Condition | None = None,
    *,
    swap: bool = False,
    order: str = "given",
    threads: int | None = None,
    progress: ProgressFunction | bool | None = None,
) -> None:
    """Put what is kept of a state, values included, into an empty graph of the same columns."""
    schema = graph._state().schema
    chunks = _Edges(state, kept, only, swap)
    source = EdgeSource(chunks, _kept_ids(state, kept))
    if len(chunks._scan) > _BULK_ROWS:
        with graph._bulk_load(order, None, threads, progress) as load:
            fill(load, prepare(source, schema))
    else:
        change = Change()
        for ids in source.vertex_columns:
            change.add_vertices(ids)
        for columns in prepare(source, schema).chunks:
            change.add(columns)
        change.commit(graph._native)
    _copy_values(state, kept, graph)


def _kept_ids(state: _core.Snapshot, kept: Mask | None) -> Any:
    parts = [_of(numbers, kept) for numbers in _live(state)]
    numbers = np.concatenate(parts) if parts else np.empty(0, np.uint64)
    return id_array(arrow_ids(state.ids_of(numbers)))


def _of(numbers: npt.NDArray[np.uint64], kept: Mask | None) -> npt.NDArray[np.uint64]:
    return numbers if kept is None else numbers[kept[numbers]]


def _copy_values(state: _core.Snapshot, kept: Mask | None, graph: Graph) -> None:
    columns = vertex_columns(state.schema)
    if not columns:
        return
    change = Change()
    for numbers in _live(state):
        some = _of(numbers, kept)
        batch = _vertex_batch(state, arrow_ids(state.ids_of(some)), some)
        values = {name: batch.column(name) for name in columns}
        change.add_vertices(id_array(batch.column("vertex")), values)
    change.commit(graph._native)


def _rows(scan: Any, drop: tuple[str, ...]) -> Iterator[tuple[Any, ...]]:
    """Rows of a table as tuples of the columns but some, in their order."""
    names = [name for name in scan.schema.names if name not in drop]
    for batch in scan.batches(columns=names):
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def to_networkx(graph: Reader) -> Any:
    """A graph of NetworkX with values as attributes; those that are null are left out."""
    import networkx as nx

    kinds: dict[tuple[bool, bool], Callable[[], Any]] = {
        (False, False): nx.Graph,
        (True, False): nx.DiGraph,
        (False, True): nx.MultiGraph,
        (True, True): nx.MultiDiGraph,
    }
    snapshot = graph.snapshot() if hasattr(graph, "snapshot") else graph
    made = kinds[snapshot.directed, snapshot.is_multigraph()]()
    degrees = ("degree", "out_degree", "in_degree")
    names = [name for name in snapshot.vertices.schema.names if name not in ("vertex", *degrees)]
    made.add_nodes_from((v, _present(names, values)) for v, *values in _rows(snapshot.vertices, degrees))
    names = [name for name in snapshot.edges.schema.names if name not in ("source", "target")]
    made.add_edges_from((u, v, _present(names, values)) for u, v, *values in _rows(snapshot.edges, ()))
    return made


def _present(names: list[str], values: list[Any]) -> dict[str, Any]:
    return {name: value for name, value in zip(names, values, strict=True) if value is not None}


def to_igraph(graph: Reader) -> Any:
    """A graph of igraph with values as attributes.  "name" has the ids; a column of that name is "name_" there."""
    import igraph

    snapshot = graph.snapshot() if hasattr(graph, "snapshot") else graph
    vertices = snapshot.vertices.to_arrow()
    edges = snapshot.edges.to_arrow()
    ids = vertices.column("vertex").to_pylist()
    number = {v: i for i, v in enumerate(ids)}
    pairs = zip(edges.column("source").to_pylist(), edges.column("target").to_pylist(), strict=True)
    made = igraph.Graph(len(ids), [(number[u], number[v]) for u, v in pairs], directed=snapshot.directed)
    made.vs["name"] = ids
    columns = vertex_columns(snapshot._state().schema)
    for name in columns:
        attribute = name
        while attribute == "name" or (attribute != name and attribute in columns):
            attribute += "_"
        made.vs[attribute] = vertices.column(name).to_pylist()
    for name in edges.schema.names[2:]:
        made.es[name] = edges.column(name).to_pylist()
    return made
