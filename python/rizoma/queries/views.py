"""Parts and other sides of a graph: filtered, reversed, undirected; and graphs of NetworkX and igraph.

A view is an immutable state of its own: all algorithms, tables and exports run on it, and later changes of the graph do
not reach it.  A reversed one, and one of edges that a predicate over columns keeps, share ids and values with the state
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
from ..core.read_warnings import warn_of
from ..graph.bulk import Change, fill, prepare
from ..graph.graph import Graph, Snapshot
from ..graph.ids import IdArray, VertexKey, arrow_ids, find, id_array, ids_there
from ..graph.parallel import parallel_edges_of, set_parallel_edges
from ..graph.predicate import Mask, Predicate, id_type, id_values
from ..graph.schema import Values, arrow_values, edge_columns, vertex_columns
from ..graph.state import Reader
from ..graph.tables import EdgeColumns, EdgeSource

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
_BULK_ROWS = 1 << 16
_FEW_ROWS = 1 << 16
_EDGES_A_LIST = 256  # edges that are read in turn while one list is asked for


class View(Snapshot):
    """A part or another side of a graph; nothing changes it."""

    def __init__(self, state: _core.Snapshot, graph: Graph | None = None) -> None:
        super().__init__(state)
        self._held = graph  # in memory, whose state it is

    def __repr__(self) -> str:
        return f"View({self._describe()})"


def where(graph: Reader, edges: str | None = None, vertices: str | None = None) -> View:
    """The part that the predicates keep; see `Graph.where`."""
    state = graph._state()
    kept = only = None
    if vertices is not None:
        types = {"vertex": id_type(state), **vertex_columns(state.schema)}
        of_edges = dict.fromkeys(_edge_types(state), "it belongs to the edges: where(edges=...)")
        kept = _vertices_where(state, Predicate(vertices, types, of_edges))
    if edges is not None:
        of_vertices = dict.fromkeys(vertex_columns(state.schema), "it belongs to the vertices: where(vertices=...)")
        only = Predicate(edges, _edge_types(state), of_vertices)
    if kept is None and only is not None and _rows_decide(state, only):
        bits = _rows_where(state, only)
        if bits is not None:
            with engine() as borrowed:
                return View(_core.with_rows(state, borrowed, bits))
    return _copy(state, kept, only)


def rows_where(state: _core.Snapshot, edges: str) -> npt.NDArray[np.uint8]:
    """A bit for each row of edges that a predicate over their columns keeps; of a part of a graph, which has no others.

    Raises `UnsupportedError` for a predicate that needs more than rows.
    """
    only = Predicate(edges, _edge_types(state))
    bits = _rows_where(state, only) if _reads_rows(state, only) else None
    if bits is None:
        raise UnsupportedError(
            f"the predicate {edges!r} needs more than edge columns, but only a part of the graph is here; open the "
            "store that it was made from"
        )
    return bits


def _edge_types(state: _core.Snapshot) -> dict[str, str]:
    """Names and types of the columns that a predicate on edges may name."""
    schema = state.schema
    types = {"source": id_type(state), "target": id_type(state)}
    if schema.weights != _core.WeightType.none:
        types["weight"] = schema.weights.name
    return types | edge_columns(schema)


def _reads_rows(state: _core.Snapshot, only: Predicate) -> bool:
    """Whether rows of values are all that a predicate needs, and a view can share them."""
    schema = state.schema
    return bool(schema.rows and not {"source", "target"} & {*only.columns} and (not schema.directed or schema.in_edges))


def _rows_decide(state: _core.Snapshot, only: Predicate) -> bool:
    """Whether to test rows, and not edges: rows of edges that are gone count, too."""
    return _reads_rows(state, only) and _core.num_rows(state) <= _FEW_ROWS + 4 * state.num_edges()


def _rows_where(state: _core.Snapshot, only: Predicate) -> npt.NDArray[np.uint8] | None:
    """A bit for each row that a predicate keeps.

    None: it has no answer for one of them, which may be one that no edge has any more.
    """
    with engine() as borrowed:
        try:
            return _core.rows_where(state, borrowed, only.text)
        except InvalidArgumentError:
            return None


def subgraph(graph: Reader, ids: Any) -> View:
    """The vertices with these ids, and the edges among them."""
    state = graph._state()
    given = id_array(ids)
    numbers = Snapshot(state).find(given)
    _tell_unknown(state, given, numbers)
    return _induced(state, np.unique(numbers[numbers >= 0]).astype(np.uint64))


def _tell_unknown(state: _core.Snapshot, given: IdArray, numbers: npt.NDArray[np.int64]) -> None:
    """Warn of ids that are no vertices."""
    unknown = np.flatnonzero(numbers < 0)
    if len(unknown):
        first = given[unknown[0]].item() if isinstance(given, np.ndarray) else given[int(unknown[0])].as_py()
        many = "1 of the ids is no vertex" if len(unknown) == 1 else f"{len(unknown):,} of the ids are no vertices"
        warn_of([f"subgraph: {many}, such as {first!r}, and left out{ids_there(state, first)}"])


def neighborhood(graph: Reader, v: VertexKey, hops: int) -> View:
    """The vertices within `hops` hops of `v`, and the edges among them."""
    if hops < 0:
        raise InvalidArgumentError(f"hops is {hops}; it must be 0 or more")
    state = graph._state()
    start = find(state, v)
    with engine() as borrowed:
        levels = _core.bfs(borrowed, state.working_view(borrowed), start, whole_number("hops", hops, 0))["level"]
    reached = levels.all() if isinstance(levels, _core.LazyColumn) else levels
    return _induced(state, np.flatnonzero(np.asarray(reached) >= 0).astype(np.uint64))


def reverse(graph: Reader) -> View:
    """Every edge reversed."""
    state = graph._state()
    if not state.schema.directed or state.schema.in_edges:
        return View(_core.reversed(state))
    return _copy(state, None, None, swap=True)


def undirected(graph: Reader) -> View:
    """The same without directions."""
    return _copy(graph._state(), None, None, directed=False)


def _vertices_where(state: _core.Snapshot, predicate: Predicate) -> Mask:
    kept = np.zeros(state.num_vertices, np.bool_)
    for numbers in _live(state):
        values = [
            id_values(state.ids_of(numbers)) if name == "vertex" else _core.vertex_values(state, name, numbers)
            for name in predicate.columns
        ]
        kept[numbers] = predicate.mask(values, len(numbers))
    return kept


def _live(state: _core.Snapshot) -> Iterator[npt.NDArray[np.uint64]]:
    """Internal ids of the vertices, some at a time."""
    with engine() as borrowed:
        live = _core.live_vertices(state.view(borrowed))
    numbers = np.arange(state.num_vertices, dtype=np.uint64) if live is None else live
    for begin in range(0, len(numbers), _ROWS):
        yield numbers[begin : begin + _ROWS]


def _vertex_batch(state: _core.Snapshot, ids: Any, numbers: npt.NDArray[np.uint64]) -> pa.RecordBatch:
    columns = {"vertex": ids}
    for name, kind in vertex_columns(state.schema).items():
        columns[name] = arrow_values(_core.vertex_values(state, name, numbers), kind)
    return pa.RecordBatch.from_pydict(columns)


class _Edges:
    """The edges of a state that are kept, as chunks for a graph of the same columns."""

    def __init__(self, state: _core.Snapshot, kept: Mask | None, only: Predicate | None, swap: bool) -> None:
        self._state, self._kept, self._only, self._swap = state, kept, only, swap
        schema = state.schema
        self._kinds = edge_columns(schema)
        self._weight = None if schema.weights == _core.WeightType.none else schema.weights.name
        with engine() as borrowed:
            view = _core.rows_view(state, borrowed) if schema.rows else state.view(borrowed)
            self._scan = _core.EdgeScan.create(borrowed, view, None)

    def __iter__(self) -> Iterator[EdgeColumns]:
        for begin in range(0, len(self._scan), _ROWS):
            with engine() as borrowed:
                chunk = self._scan.read(borrowed, begin, begin + _ROWS)
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

    def _holds(self, predicate: Predicate, sources: Any, targets: Any, carried: Any) -> Mask:
        """Which of the edges a predicate keeps; reads the columns that it names, and no others."""

        def values(name: str) -> Values:
            if name in ("source", "target"):
                numbers = sources if name == "source" else targets
                return id_values(self._state.ids_of(numbers.view(np.uint64)))
            if not self._state.schema.rows:  # the one column is the weight
                return np.ascontiguousarray(carried).view(np.uint8), None, None
            return _core.edge_values(self._state, name, carried)

        return predicate.mask([values(name) for name in predicate.columns], len(sources))

    def _ids(self, numbers: Any) -> pa.Array:
        return arrow_ids(self._state.ids_of(numbers.view(np.uint64)))

    def _read(self, name: str, kind: str, rows: npt.NDArray[np.float64]) -> pa.Array:
        return arrow_values(_core.edge_values(self._state, name, rows), kind)


def _induced(state: _core.Snapshot, numbers: npt.NDArray[np.uint64]) -> View:
    """The vertices with these internal ids, ascending, and the edges among them.

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
    only: Predicate | None,
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
    schema.self_loops = given.self_loops
    weighted = given.weights != _core.WeightType.none
    schema.edge_columns = [column for column in given.edge_columns if not (weighted and column[0] == "weight")]
    schema.vertex_columns = given.vertex_columns
    set_parallel_edges(schema, parallel_edges_of(given))
    schema.ids_fixed = True
    schema.ids = _core.IdKind.integer if given.ids == _core.IdKind.dense and not whole else given.ids
    return Graph(_core.Graph.in_memory(schema), None)


def fill_from(
    state: _core.Snapshot,
    graph: Graph,
    kept: Mask | None = None,
    only: Predicate | None = None,
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
