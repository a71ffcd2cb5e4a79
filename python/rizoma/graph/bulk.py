"""The way of edges from a source into a graph: one durable batch, or a bulk load of an empty graph."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Protocol

from .. import _core
from ..core.engines import ProgressFunction, engine
from ..core.errors import ColumnNotFoundError, InvalidArgumentError, NotFoundError, NotInGraphError
from ..core.lazy_arrow import pa
from ..core.lazy_numpy import np, npt
from ..core.read_warnings import warn_of
from .column_types import core_type, is_number
from .ids import IdArray, id_array, id_said, like_those, string_buffers
from .odd_ids import OddIds
from .parallel import parallel_edges_of
from .schema import (
    PartlyGiven,
    core_values,
    edge_columns,
    expect_rows,
    fitted,
    joined,
    value_table,
    with_marks_of,
    without_marks,
)
from .tables import EdgeColumns, EdgeSource
from .tables.arrow import BatchStream, mixed_column
from .tables.columns import great_weights_guess, is_index, rounded_in, rounded_to_single, single_weights_guess
from .tables.vertices import has_ids_by_name

__all__ = [
    "BULK_ROWS",
    "Change",
    "CountedRows",
    "ListedEdges",
    "edges_only",
    "expect_key",
    "fill",
    "id_kind",
    "is_table",
    "labels_of",
    "peek",
    "prepare",
    "prepare_added",
    "vertex_table",
    "warn_of",
    "warn_of_dropped",
    "warn_of_guesses",
    "warn_of_ids",
    "warn_of_lost_weights",
    "warn_of_ones",
    "with_text_ids",
    "with_weights",
]

BULK_ROWS = 1 << 17
"""An empty graph that is given more edges than this is loaded in bulk."""

_PIECE = 1 << 20  # rows handed to the core at a time
_AT_ONCE = 1 << 16  # rows; a smaller change is over before progress is worth a report
_SURELY_SMALL = 1 << 20  # edges; up to this, "dense" means that no id is left out


@dataclass
class Change:
    """Changes gathered for one commit, in order.  `edges` and `vertices` are those being added."""

    edges: _core.EdgeBatch = field(default_factory=_core.EdgeBatch)
    vertices: _core.VertexBatch = field(default_factory=_core.VertexBatch)
    steps: _core.Batch = field(default_factory=_core.Batch)
    rows: int = 0
    _marked: bool = False  # a column of the edges says which rows give their weight
    _firsts: dict[bool, tuple[str, Any]] = field(default_factory=dict)  # an id of integers or not, after its column

    def add(self, columns: EdgeColumns) -> None:
        """Add edges."""
        marked = "weight" in columns.values
        if marked != self._marked:  # in one batch the rows without the column would not give their weight
            self._end_additions()
        self._marked = marked
        self._remember("source", columns.sources)
        for piece in _pieces(columns):
            _append(self.edges, piece)

    @contextmanager
    def apart(self) -> Iterator[None]:
        """What is put into `edges` and `vertices` meanwhile is a step of its own: its rows may lack columns alike."""
        self._end_additions()
        yield
        self._end_additions()

    def add_vertices(self, ids: IdArray, values: Mapping[str, Any] | None = None) -> None:
        """Add vertices, and give them values."""
        self._remember("id", ids)
        _append_vertices(self.vertices, ids, values)

    def set_edges(self, chunks: Iterable[EdgeColumns], missing: _core.Missing, key: str = "") -> None:
        """Give edges other values."""
        self._end_additions()
        edges = self._gathered(chunks)
        if len(edges):  # no rows are of no kind of ids
            self.steps.set_edges(edges, missing, key)

    def set_vertices(self, ids: IdArray, values: Mapping[str, Any], missing: _core.Missing) -> None:
        """Give vertices other values."""
        self._end_additions()
        vertices = self._listed(ids, values)
        if len(vertices):
            self.rows += len(vertices)
            self.steps.set_vertices(vertices, missing)

    def remove_edges(
        self, chunks: Iterable[EdgeColumns], missing: _core.Missing, parallel: _core.Parallel, key: str = ""
    ) -> None:
        """Remove edges."""
        self._end_additions()
        edges = self._gathered(chunks)
        if len(edges):  # no rows are of no kind of ids
            self.steps.remove_edges(edges, missing, parallel, key)

    def set_weights(self, chunks: Iterable[EdgeColumns], missing: _core.Missing) -> None:
        """Give edges other weights."""
        self._end_additions()
        edges = self._gathered(chunks)
        if len(edges):  # no rows are of no kind of ids
            self.steps.set_weights(edges, missing)

    def remove_vertices(self, ids: IdArray, missing: _core.Missing) -> None:
        """Remove vertices and their edges."""
        self._end_additions()
        vertices = self._listed(ids)
        if len(vertices):
            self.rows += len(vertices)
            self.steps.remove_vertices(vertices, missing)

    def commit(
        self,
        core: _core.Graph,
        threads: int | None = None,
        progress: ProgressFunction | bool | None = None,
    ) -> _core.ChangeCounts:
        """Make all of it part of the graph, or nothing, durably."""
        self._end_additions()
        try:
            if self.rows <= _AT_ONCE:
                return core.apply(self.steps)
            with engine(threads, progress) as borrowed:
                return core.apply(self.steps, borrowed)
        except NotFoundError as error:
            raise NotInGraphError(str(error)) from None
        except InvalidArgumentError as error:
            raise InvalidArgumentError(self._with_place(str(error), core)) from None

    def _remember(self, column: str, ids: IdArray) -> None:
        """Keep the first id of its kind, should the graph have the other one."""
        if len(ids):
            self._firsts.setdefault(isinstance(ids, np.ndarray), (column, ids[0]))

    def _with_place(self, message: str, core: _core.Graph) -> str:
        """The message; if it is about the kind of ids, with one that is of the other kind, and some of the graph's."""
        said, semicolon, remedy = message.partition("; ")
        given = self._firsts.get("not integers" in said)
        if not said.startswith("the ids of this graph are ") or given is None:
            return message
        return f"{said} ({given[0]}: {id_said(given[1])}){like_those(core.snapshot())}{semicolon}{remedy}"

    def _listed(self, ids: IdArray, values: Mapping[str, Any] | None = None) -> _core.VertexBatch:
        self._remember("id", ids)
        batch = _core.VertexBatch()
        _append_vertices(batch, ids, values)
        return batch

    def _end_additions(self) -> None:
        self.rows += len(self.vertices) + len(self.edges)
        if len(self.vertices):
            self.steps.add_vertices(self.vertices)
        if len(self.edges):
            self.steps.add_edges(self.edges)

    def _gathered(self, chunks: Iterable[EdgeColumns]) -> _core.EdgeBatch:
        batch = _core.EdgeBatch()
        for columns in chunks:
            self._remember("source", columns.sources)
            _append(batch, columns)
        self.rows += len(batch)
        return batch


@dataclass
class ListedEdges(Change):
    """Edges that are gathered to be removed or set: in batches, each of which has the columns of one source."""

    batches: list[_core.EdgeBatch] = field(default_factory=list)

    def _end_additions(self) -> None:
        if len(self.edges):
            self.batches.append(self.edges)
            self.edges = _core.EdgeBatch()

    def all_batches(self) -> list[_core.EdgeBatch]:
        """The batches, the last one included."""
        self._end_additions()
        return self.batches


class CountedRows:
    """Counts the rows of a source as they are read; `multigraph`: they may be of a graph with parallel edges."""

    def __init__(self) -> None:
        self.rows = 0
        self.multigraph = False

    def of(self, source: EdgeSource) -> EdgeSource:
        """The same source; what was counted of another, which is read again, is forgotten."""
        self.rows, self.multigraph = 0, source.multigraph

        def chunks() -> Iterator[EdgeColumns]:
            for columns in source.chunks:
                self.rows += len(columns)
                yield columns

        return source.with_chunks(chunks())


class EdgeTaker(Protocol):
    """What takes edges in place of a bulk load."""

    def take(self, edges: EdgeColumns) -> None:
        """Take some."""


def fill(load: _core.BulkLoad | _core.SharedLoad | EdgeTaker, source: EdgeSource) -> None:
    """Put everything into a bulk load, or what takes its place, piece by piece."""
    if not isinstance(load, (_core.BulkLoad, _core.SharedLoad)):
        for columns in source.chunks:
            load.take(columns)
        return
    if source.vertices is not None:
        vertices = _core.VertexBatch()
        _append_vertices(vertices, source.vertices)
        load.add_vertices(vertices)
    for columns in source.chunks:
        for piece in _pieces(columns):
            batch = _core.EdgeBatch()
            _append(batch, piece)
            load.add(batch)


def _append_vertices(batch: _core.VertexBatch, ids: IdArray, values: Mapping[str, Any] | None = None) -> None:
    if len(ids) == 0:
        return
    before = len(batch)
    if isinstance(ids, np.ndarray):
        batch.add_integers(ids)
    else:
        batch.add_strings(*string_buffers(ids))
    _append_values(batch, before, values or {})


def _append_values(batch: _core.EdgeBatch | _core.VertexBatch, before: int, values: Mapping[str, Any]) -> None:
    for name, column in values.items():
        partly = isinstance(column, PartlyGiven)
        array = column.array if partly else column
        given = [np.ascontiguousarray(column.given).view(np.uint8)] if partly else []
        kind = core_type(array.type)
        batch.add_column(before, name, kind, *core_values(array, kind), *given)
    batch.pad_columns()


def _append(batch: _core.EdgeBatch, columns: EdgeColumns) -> None:
    sources, targets = columns.sources, columns.targets
    if isinstance(sources, np.ndarray) != isinstance(targets, np.ndarray):
        raise InvalidArgumentError(
            "source and target ids must be of one kind, but one column has integers and the other text; "
            "cast it: astype(str)"
        )
    before = len(batch)
    if isinstance(sources, np.ndarray):
        batch.add_integers(sources, targets, columns.weights)
    else:
        batch.add_strings(*string_buffers(sources), *string_buffers(targets), columns.weights)
    _append_values(batch, before, columns.values)


def _pieces(columns: EdgeColumns) -> Iterator[EdgeColumns]:
    """The same in parts, between which Python minds Ctrl-C."""
    if len(columns) <= _PIECE:
        yield columns
        return
    for first in range(0, len(columns), _PIECE):
        yield _slice(columns, first, first + _PIECE)


def _slice(columns: EdgeColumns, begin: int, end: int) -> EdgeColumns:
    weights = None if columns.weights is None else columns.weights[begin:end]
    values = {name: array.slice(begin, end - begin) for name, array in columns.values.items()}
    return EdgeColumns(columns.sources[begin:end], columns.targets[begin:end], weights, values)


def _keeping_weights(source: EdgeSource, schema: _core.GraphSchema) -> EdgeSource:
    """The same, whose edges without weights leave those of edges that are there as they are (`mark_weights`)."""
    if schema.weights == _core.WeightType.none:
        return source

    def chunks() -> Iterator[EdgeColumns]:
        for columns in source.chunks:
            given = columns.weights_given
            if columns.weights is None and len(columns):
                given = np.zeros(len(columns), np.bool_)
            if given is not None:
                marks = PartlyGiven(pa.nulls(len(columns), pa.bool_()), given)
                columns = replace(columns, values={**columns.values, "weight": marks})
            yield columns

    return source.with_chunks(chunks())


def prepare(source: EdgeSource, schema: _core.GraphSchema, told: list[str] | None = None) -> EdgeSource:
    """Fit the source to the graph: weights as it has them, both directions where it needs them.

    What is found out of them meanwhile is added to `told`; None: it is warned of.
    """
    weighted = schema.weights != _core.WeightType.none

    def chunks() -> Iterator[EdgeColumns]:
        said = False
        for columns in source.chunks:
            guess = _rounded(columns, schema) if weighted and not said else ""
            if guess:
                said = True
                if told is None:
                    warn_of([guess])
                else:
                    told.append(guess)
            if source.symmetric and not schema.directed:
                columns = _select(columns, np.asarray(columns.sources) <= np.asarray(columns.targets))
            if schema.directed and (source.undirected or columns.undirected is not None):
                columns = _with_reverse(columns)
            weights = _fit(columns, weighted)
            yield columns if weights is columns.weights else replace(columns, weights=weights)

    return source.with_chunks(chunks())


def _rounded(columns: EdgeColumns, schema: _core.GraphSchema) -> str:
    """What to say of whole numbers that the graph's weights do not hold; empty: they hold all."""
    if schema.weights == _core.WeightType.float32:
        rounded = rounded_to_single(columns.weights)
        return single_weights_guess(rounded) if rounded else ""
    rounded = columns.rounded + rounded_in(columns.weights)
    return great_weights_guess(rounded) if rounded else ""


def prepare_added(
    source: EdgeSource, schema: _core.GraphSchema, told: list[str] | None = None, drops_weights: bool = False
) -> EdgeSource:
    """The same for edges that are added, of which those without a weight keep that of an edge that is there.

    `drops_weights`: each of them weighs 1, whatever there is.
    """
    if not drops_weights:
        return prepare(_keeping_weights(source, schema), schema, told)
    alone = (replace(columns, weights=None, weights_given=None) for columns in source.chunks)
    return prepare(source.with_chunks(alone), schema, told)


def with_text_ids(source: EdgeSource) -> EdgeSource:
    """The same with integers as decimal text, for who asks for ids="string"."""

    def text(ids: IdArray) -> IdArray:
        return pa.array(ids).cast(pa.large_string()) if isinstance(ids, np.ndarray) else ids

    chunks = (
        replace(columns, sources=text(columns.sources), targets=text(columns.targets)) for columns in source.chunks
    )
    vertices = None if source.vertices is None else text(source.vertices)
    return replace(source.with_chunks(chunks), vertices=vertices)


def warn_of_guesses(source: EdgeSource, directed: bool) -> None:
    """Warn of what is lost in a graph that is directed or not, and of what the caller may have meant otherwise."""
    warn_of([*source.guesses, *source.left_out, *(() if directed else source.undirected_guesses)])


def warn_of_ids(state: _core.Snapshot, first: int, told: Iterable[str] = ()) -> None:
    """Warn of what may be wrong with the ids of vertices from the internal id `first` on, but for what `told` says."""
    warn_of(OddIds.of(state, first).guesses(told))


def warn_of_lost_weights(source: EdgeSource, schema: _core.GraphSchema) -> EdgeSource:
    """The same for a graph without weights, with a warning as soon as a weight other than 1 is read: it is not kept."""
    numeric = next((name for name, kind in edge_columns(schema).items() if is_number(kind)), None)
    table = f'{{"source": [...], "target": [...], "{numeric}": [...]}}'
    remedy = "" if numeric is None else f"; values of the column {numeric!r} are given in a table: {table}"

    def chunks() -> Iterator[EdgeColumns]:
        told = False
        for columns in source.chunks:
            if not told and columns.weights is not None and np.any(columns.weights != 1):
                told = True
                warn_of(
                    [
                        "the weights of these edges are dropped, because the graph has none; create it with "
                        f"weights=True to keep them, or leave them out{remedy}"
                    ]
                )
            yield columns

    return source.with_chunks(chunks())


def warn_of_ones(source: EdgeSource, schema: _core.GraphSchema) -> EdgeSource:
    """The same for a graph that has weights, with a warning as soon as an edge is read without: it weighs 1."""
    spec = parallel_edges_of(schema)
    rule = spec.get("weight", "last") if isinstance(spec, dict) else spec
    stays = ", but for edges that are there: they keep their weight" if rule in ("merge", "last") else ""

    def chunks() -> Iterator[EdgeColumns]:
        told = False
        for columns in source.chunks:
            if not told and columns.weights is None and len(columns):
                told = True
                warn_of(
                    [
                        f"the graph has weights but these edges have none, so each weighs 1{stays}; give a column of "
                        "weights, or name it with weight="
                    ]
                )
            yield columns

    return source.with_chunks(chunks())


def labels_of(data: Any) -> list[str]:
    """The names of the columns of a table, or the keys of the first of a list of mappings; none of other data."""
    if isinstance(data, list) and data and isinstance(data[0], Mapping):
        data = data[0]
    names = data if isinstance(data, Mapping) else getattr(data, "column_names", getattr(data, "columns", ()))
    return [str(name) for name in names] if isinstance(names, Iterable) else []


def warn_of_dropped(vertices: Any, vertex: str | None) -> None:
    """Warn of the columns of a table of vertices that is added to a graph which has none."""
    labels = labels_of(vertices)
    known = ("vertex", "id", "degree", "in_degree", "out_degree", vertex)
    dropped = [label for label in labels if label.lower() not in known] if len(labels) > 1 else []
    if dropped:
        said = f"the column {dropped[0]!r} of the vertices is dropped, because the graph has none"
        warn_of([f"{said}; add it with add_column"])


def edges_only(source: EdgeSource, schema: _core.GraphSchema, key: str | None = None) -> list[EdgeColumns]:
    """The edges that a source names, without weights and other values than the key."""
    prepared = [
        replace(columns, weights=None, values={name: each for name, each in columns.values.items() if name == key})
        for columns in prepare(source, schema).chunks
    ]
    expect_key(prepared, key)
    return [columns.owned() for columns in prepared]


def expect_key(prepared: Iterable[EdgeColumns], key: str | None) -> None:
    """Raise ColumnNotFoundError if edges lack the values that tell parallel ones apart."""
    if key is not None and any(key not in columns.values for columns in prepared):
        raise ColumnNotFoundError(
            f"the data has no column {key!r}, given as key= to tell edges apart; add it to the data, or leave key= out"
        )


def with_weights(source: EdgeSource, schema: _core.GraphSchema) -> list[EdgeColumns]:
    """The edges and weights that a source has, marked where some have none."""

    def chunks() -> Iterator[EdgeColumns]:
        for columns in source.chunks:
            if columns.weights is None:
                raise InvalidArgumentError("the data has no column of weights; name it with weight=")
            yield columns

    return [columns.owned() for columns in prepare_added(source.with_chunks(chunks()), schema).chunks]


def vertex_table(data: Any, columns: Mapping[str, str], name: str | None = None) -> tuple[IdArray, dict[str, Any]]:
    """Ids and values of a table of vertices: its column `name`, "vertex" or "id", or its only one, has the ids."""
    table = data if isinstance(data, (pa.Table, pa.RecordBatch)) else _arrow_table(data)
    there = without_marks(table.schema.names)
    labels = [label for label in there if label in (*columns, name) or not is_index(label)] or there
    known = [label for label in labels if has_ids_by_name(label)]
    if name is None and not known and len(labels) != 1:
        raise ColumnNotFoundError(
            f"no column of {labels} is called 'vertex' or 'id'; name the column of the ids with vertex="
        )
    ids = name if name is not None else (known or labels)[0]
    if ids not in labels:
        raise ColumnNotFoundError(f"the data has no column {ids!r}, given as vertex=; there are {', '.join(labels)}")
    others = [label for label in labels if label != ids]
    unknown = [label for label in others if label not in columns]
    if unknown:
        raise ColumnNotFoundError(
            f"the vertices have no column {unknown[0]!r}; add it with add_column, or leave it out "
            f"(there are {', '.join(columns) or 'none'})"
        )
    return id_array(table.column(ids), ids), {
        label: with_marks_of(table, label, fitted(table.column(label), label, columns[label])) for label in others
    }


def is_table(data: Any) -> bool:
    """Whether `data` has named columns."""
    return (
        hasattr(data, "__arrow_c_stream__")
        or hasattr(data, "__arrow_c_array__")
        or isinstance(data, (Mapping, BatchStream))
    ) and not isinstance(data, (pa.Array, pa.ChunkedArray))


def _expect_columns(data: Mapping[Any, Any]) -> None:
    """Raise unless each value is a column, all of one length."""
    expect_rows(data)
    lengths = {name: len(values) for name, values in data.items() if hasattr(values, "__len__")}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name!r} has {length}" for name, length in lengths.items())
        raise InvalidArgumentError(
            f"the columns of the mapping differ in length ({told}); give each a value for every row"
        )


def _arrow_table(data: Any) -> pa.Table:
    if isinstance(data, BatchStream):
        return pa.Table.from_batches(data.batches, data.schema)
    if isinstance(data, (str, os.PathLike)):
        raise InvalidArgumentError(
            f"{os.fspath(data)!r} is not a table: read a file first, as in pyarrow.csv.read_csv, and give its table; "
            "rizoma.read takes files of vertices as vertex_files="
        )
    if isinstance(data, Mapping):
        _expect_columns(data)
    try:
        return value_table(data) if isinstance(data, Mapping) else pa.table(data)
    except InvalidArgumentError:
        raise
    except (pa.ArrowException, TypeError, ValueError) as error:
        if "non-struct type" in str(error):
            raise InvalidArgumentError(
                f"the {type(data).__name__} is one column without ids; give a table, as in "
                'series.rename_axis("id").reset_index(), or {"id": ids, "age": values}'
            ) from None
        if mixed := mixed_column(data, error):
            raise mixed from None
        raise InvalidArgumentError(
            f"a table of vertices must be a DataFrame, an Arrow table or a mapping {{column: values}}, "
            f"not {type(data).__name__}{'' if isinstance(data, (list, tuple, set)) else f': {error}'}"
        ) from None


def _fit(columns: EdgeColumns, weighted: bool) -> npt.NDArray[Any] | None:
    """The weights the graph needs: none, those given, or 1 for each edge."""
    if not weighted:
        return None
    return np.ones(len(columns)) if columns.weights is None else columns.weights


def _select(columns: EdgeColumns, mask: npt.NDArray[np.bool_]) -> EdgeColumns:
    weights = None if columns.weights is None else columns.weights[mask]
    values = {name: array.filter(pa.array(mask)) for name, array in columns.values.items()}
    return EdgeColumns(_filter(columns.sources, mask), _filter(columns.targets, mask), weights, values)


def _filter(ids: IdArray, mask: npt.NDArray[np.bool_]) -> IdArray:
    return ids[mask] if isinstance(ids, np.ndarray) else ids.filter(mask)


def _with_reverse(columns: EdgeColumns) -> EdgeColumns:
    """Each edge in both directions, or each that says that it has none; a self-loop once."""
    sources, targets = _as_numpy(columns.sources), _as_numpy(columns.targets)
    twice = sources != targets
    if columns.undirected is not None:
        twice &= np.asarray(columns.undirected.to_numpy(zero_copy_only=False), np.bool_)
    back = _select(columns, twice)
    weights = None if columns.weights is None else np.concatenate([columns.weights, back.weights])
    values = {name: joined(array, back.values[name]) for name, array in columns.values.items()}
    return EdgeColumns(_join(columns.sources, back.targets), _join(columns.targets, back.sources), weights, values)


def _as_numpy(ids: IdArray) -> npt.NDArray[Any]:
    return ids if isinstance(ids, np.ndarray) else np.asarray(ids.to_numpy(zero_copy_only=False))


def _join(a: IdArray, b: IdArray) -> IdArray:
    if isinstance(a, np.ndarray):
        return np.concatenate([a, b])
    return pa.concat_arrays([a, b])


def peek(source: EdgeSource, rows: int) -> tuple[list[EdgeColumns], EdgeSource]:
    """The first chunks up to more than `rows` edges, and the whole source still to be read."""
    chunks = iter(source.chunks)
    first: list[EdgeColumns] = []
    seen = 0
    for columns in chunks:
        first.append(columns)
        seen += len(columns)
        if seen > rows:
            break
    return first, source.with_chunks(chain(first, chunks))


def id_kind(chunks: Iterable[EdgeColumns], vertices: Iterable[IdArray]) -> _core.IdKind | None:
    """The kind of ids that suits the first data of a graph; None if there is none.

    Integers are "dense" if they are the numbers 0..n-1 with none left out; of more than a million
    edges, if at least a quarter of the numbers up to the largest can occur at all.
    """
    columns = [ids for chunk in chunks for ids in (chunk.sources, chunk.targets)]
    columns = [ids for ids in chain(columns, vertices) if len(ids)]
    if not columns:
        return None
    integers = [ids for ids in columns if isinstance(ids, np.ndarray)]
    if len(integers) < len(columns):
        return _core.IdKind.string
    count = sum(len(ids) for ids in integers)
    lowest, highest = min(int(ids.min()) for ids in integers), max(int(ids.max()) for ids in integers)
    if lowest < 0 or highest >= 2 * count or (highest >= count and count <= 2 * _SURELY_SMALL):
        return _core.IdKind.integer
    if count > 2 * _SURELY_SMALL:
        return _core.IdKind.dense
    used = np.zeros(highest + 1, np.bool_)
    for ids in integers:
        used[np.asarray(ids, np.int64)] = True
    return _core.IdKind.dense if used.all() else _core.IdKind.integer
