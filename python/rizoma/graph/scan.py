"""The edges and the vertices of a state of a graph as Arrow record batches, in bounded memory."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

from .. import _core
from ..core.arguments import methods_checked
from ..core.arrow_stream import ArrowStream
from ..core.display import cells, html_rows
from ..core.engines import engine
from ..core.errors import ColumnNotFoundError, InvalidArgumentError
from ..core.lazy_arrow import pa
from ..core.lazy_numpy import np
from ..core.options import whole_number
from ..core.suggestions import attribute_missing
from .adjacency import ReadRow
from .column_types import arrow_type
from .ids import VertexKey, arrow_ids
from .networkx_view import as_networkx
from .read_values import ReadValues
from .schema import arrow_values, edge_columns, vertex_columns

if TYPE_CHECKING:
    import polars

__all__ = [
    "EdgeScan",
    "Scan",
    "VertexScan",
]

_ROWS = 1 << 18  # a batch of edges fits in the processor's cache
_SHOWN = 5  # rows of a table in a notebook
_LAZY_ROWS = 1 << 22  # of a polars query, 64 MB: handing a batch over to its threads costs more than caches


def _weight_type(kind: _core.WeightType) -> pa.DataType:
    """The Arrow type of the weights of a graph that has some."""
    return getattr(pa, kind.name)()


_ELSEWHERE = dict.fromkeys(("filter", "where", "query", "select"), "where(...) of the graph, or to_pandas()")
_ELSEWHERE |= dict.fromkeys(("head", "iloc", "loc", "sort_values", "groupby"), "to_pandas(), of which that is a part")
_ELSEWHERE |= dict.fromkeys(("to_csv", "to_parquet", "write"), "export(file) of the graph, or to_pandas()")
_ELSEWHERE |= dict.fromkeys(("to_dict", "to_list", "to_dicts", "to_pylist"), "to_arrow().to_pylist()")
_ELSEWHERE |= {"count": "len(...)", "columns": "schema.names", "shape": "len(...) and schema.names"}
"""What other libraries call otherwise, and what there is."""


@methods_checked
class Scan(ArrowStream):
    """A table of one state of a graph that is read when it is asked for, batch by batch.

    It is an Arrow stream, which may be read any number of times: DuckDB, polars and pyarrow take it as it is, without a
    copy in between, and so does `pandas.DataFrame.from_arrow` (but not `pandas.DataFrame`, which has to be handed
    `to_pandas()`).
    """

    def __init__(self, state: _core.Snapshot) -> None:
        self._snapshot = state

    def __setitem__(self, key: object, value: object) -> NoReturn:
        raise TypeError(
            "a table of a graph is read: add_column of the graph makes a column, set_edges and set_vertices give it "
            "values, and result.store(graph) does both"
        )

    def __getattr__(self, name: str) -> NoReturn:
        own = {} if name == "schema" else dict.fromkeys(self.schema.names, f'to_pandas()["{name}"]')
        raise attribute_missing(self, name, own | _ELSEWHERE)

    @abstractmethod
    def __len__(self) -> int:
        """Return the number of rows."""

    @abstractmethod
    def batches(self, rows: int = _ROWS, columns: Collection[str] | None = None) -> Iterator[pa.RecordBatch]:
        """Yield batches of at most `rows` rows, in the order of internal ids.

        `columns` names those to read (None: all); they keep their order.

        Raises ColumnNotFoundError if there is no such column.  Cost: O(rows of a batch) for each, in memory, too.
        """

    def _wanted(self, columns: Collection[str] | None, rows: int) -> pa.Schema:
        """The part of the schema that `columns` names, of which at most `rows` are read together."""
        whole_number("rows", rows, 1, 2**63 - 1)
        if columns is None:
            return self.schema
        if isinstance(columns, str) or not isinstance(columns, Collection):
            raise InvalidArgumentError(
                f"columns is {columns!r}; it must be a list of names, such as {self.schema.names}"
            )
        unknown = set(columns) - set(self.schema.names)
        if unknown:
            names = ", ".join(self.schema.names)
            raise ColumnNotFoundError(f"no column {min(unknown)!r}; there are {names}")
        return pa.schema([field for field in self.schema if field.name in columns])

    @abstractmethod
    def __iter__(self) -> Iterator[Any]:
        """Iterate over the rows by external id, without further columns."""

    @cached_property
    def _view(self) -> _core.View:
        with engine() as borrowed:
            return self._snapshot.view(borrowed)

    @property
    def _id_type(self) -> pa.DataType:
        return pa.large_string() if self._snapshot.schema.ids == _core.IdKind.string else pa.int64()

    def lazy(self) -> polars.LazyFrame:
        """Return a polars LazyFrame that reads batch by batch while a query runs.

        Columns that the query does not need are dropped, rows that it does not want are left out, and reading ends as
        soon as it has enough.

        Cost: of this call O(1); a query holds 4 million rows at a time.
        """
        import polars
        from polars.io.plugins import register_io_source

        def source(
            with_columns: list[str] | None,
            predicate: polars.Expr | None,
            n_rows: int | None,
            batch_size: int | None,
        ) -> Iterator[polars.DataFrame]:
            left = len(self) if n_rows is None else min(n_rows, len(self))
            columns = self.schema.names if with_columns is None else with_columns
            needed = {*columns, *([] if predicate is None else predicate.meta.root_names())}
            rows = max(1, min(_LAZY_ROWS, left))  # not the 100,000 of `batch_size`, a hint
            for batch in self.batches(rows, needed or self.schema.names[:1]):
                if left <= 0:
                    return
                frame = polars.DataFrame(batch.slice(0, left))
                left -= len(frame)
                if predicate is not None:
                    frame = frame.filter(predicate)
                yield frame.select(columns)

        empty = polars.DataFrame(self.schema.empty_table())
        return register_io_source(source, schema=empty.schema)

    def _repr_html_(self) -> str:
        first = next(iter(self.batches(_SHOWN)), self.schema.empty_table())
        more = ["..."] if len(self) > len(first) else []
        columns = {name: [*cells(first.column(name)), *more] for name in self.schema.names}
        return html_rows(repr(self), columns)

    def __repr__(self) -> str:
        columns = ", ".join(f"{field.name}: {field.type}" for field in self.schema)
        return f"{type(self).__name__}({len(self):,} rows; {columns})"


@methods_checked
class EdgeScan(Scan):
    """The edges: columns `source`, `target` and, if the graph has them, `weight` and others.

    An undirected edge is listed once.
    """

    def __init__(self, state: _core.Snapshot) -> None:
        super().__init__(state)
        fields = [("source", self._id_type), ("target", self._id_type)]
        if state.schema.weights != _core.WeightType.none:
            fields.append(("weight", _weight_type(state.schema.weights)))
        self._columns = edge_columns(state.schema)
        fields += [(name, arrow_type(kind)) for name, kind in self._columns.items()]
        self.schema = pa.schema(fields)

    def __contains__(self, edge: object) -> bool:
        """Return whether there is an edge (source, target)."""
        return isinstance(edge, tuple) and len(edge) >= 2 and self._snapshot.has_edge_between(edge[0], edge[1])

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Return the edges as NetworkX's `G.edges(...)` does, of some vertices or with data.

        Raises ColumnNotFoundError if `data` names no column, and no `default` says what stands for it.
        """
        data = kwargs.get("data", args[1] if len(args) > 1 else None)
        there = ("weight", *self._columns)
        if isinstance(data, str) and data not in there and "default" not in kwargs and len(args) < 3:
            raise ColumnNotFoundError(f"edges have no column {data!r}; there are {', '.join(there[1:]) or 'none'}")
        return as_networkx(self._snapshot, ReadValues).edges(*args, **kwargs)

    def data(self, data: Any = True, *, default: Any = None, nbunch: Any = None) -> Any:
        """Return the edges with what they have, as NetworkX's `G.edges.data(...)` does: `data("weight", default=1)`.

        `data` names the attribute (True: all in a dict), `default` stands for one that is missing, `nbunch` says of
        which vertices.

        Raises NetworkXError if `nbunch` is no vertex.  Cost: a tuple and a dict for each edge, 100,000 to 300,000 a
        second.
        """
        said = {} if default is None else {"default": default}
        return self(nbunch, data=data, **said)

    def __getitem__(self, edge: tuple[Any, ...]) -> dict[Any, Any]:
        """Return what an edge has, as NetworkX's `G.edges[u, v]` does."""
        if not isinstance(edge, tuple) or len(edge) not in (2, 3):
            raise InvalidArgumentError(
                f"edges[{edge!r}] is no edge: write edges[u, v]; for a column edges.to_pandas()[name], for rows "
                "edges.to_pandas().iloc[number]"
            )
        found = ReadRow(self._snapshot, edge[0])[edge[1]]
        return found if len(edge) == 2 else found[edge[2]]

    @cached_property
    def _edges(self) -> _core.EdgeScan:
        with engine() as borrowed:
            # Of a graph with columns the numbers of the edges' rows come as weights.
            view = _core.rows_view(self._snapshot, borrowed) if self._columns else self._view
            return _core.EdgeScan.create(borrowed, view, self._snapshot)

    def __len__(self) -> int:
        return len(self._edges)

    def __iter__(self) -> Iterator[tuple[VertexKey, VertexKey]]:
        """Iterate over pairs (source, target)."""
        return self._snapshot.iterate_edges()

    def batches(self, rows: int = _ROWS, columns: Collection[str] | None = None) -> Iterator[pa.RecordBatch]:
        """Yield batches of at most `rows` edges, in the order of their sources' internal ids.

        `columns` are as in `Scan.batches`.

        Raises ColumnNotFoundError if there is no such column.  Cost: O(rows of a batch) for each, in memory, too.
        """
        schema = self._wanted(columns, rows)
        if self._columns:
            yield from self._batches_of_rows(rows, schema)
            return
        wanted = [name in schema.names for name in ("source", "target", "weight")]
        for begin in range(0, len(self), rows):
            with engine() as borrowed:
                sources, targets, weights = self._edges.read(borrowed, begin, begin + rows, *wanted)
            read = [self._named(ends) for ends in (sources, targets) if ends is not None]
            if weights is not None:
                read.append(pa.array(weights))
            yield pa.record_batch(read, schema=schema)

    def _batches_of_rows(self, rows: int, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
        kinds = dict(self._columns)
        if self._snapshot.schema.weights != _core.WeightType.none:
            kinds["weight"] = self._snapshot.schema.weights.name
        values = [name for name in schema.names if name in kinds]
        wanted = ["source" in schema.names, "target" in schema.names, bool(values)]
        for begin in range(0, len(self), rows):
            with engine() as borrowed:
                sources, targets, numbers = self._edges.read(borrowed, begin, begin + rows, *wanted)
            read = [self._named(ends) for ends in (sources, targets) if ends is not None]
            for name in values:
                assert numbers is not None
                read.append(arrow_values(_core.edge_values(self._snapshot, name, numbers), kinds[name]))
            yield pa.record_batch(read, schema=schema)

    def _named(self, column: Any) -> pa.Array:
        """External ids; the scan itself gives them unless they are strings."""
        if self._snapshot.schema.ids == _core.IdKind.string:
            return arrow_ids(self._snapshot.ids_of(column.view(np.uint64)))
        return pa.array(column)


@methods_checked
class VertexScan(Scan):
    """The vertices: columns `vertex` and `degree`, and those that the graph has for them.

    Of a directed graph `out_degree` and, if in-edges are stored, `in_degree`.
    """

    def __call__(self, *_: object, **__: object) -> NoReturn:
        """Say how vertices are listed: what NetworkX and others call is no function here."""
        raise TypeError("vertices is no function; write list(graph.vertices), or graph.vertices.to_pandas()")

    def __init__(self, state: _core.Snapshot) -> None:
        super().__init__(state)
        schema = state.schema
        names = ["degree"]
        if schema.directed:
            names = ["out_degree", "in_degree"] if schema.in_edges else ["out_degree"]
        self._columns = vertex_columns(schema)
        fields = [("vertex", self._id_type), *((name, pa.int64()) for name in names)]
        fields += [(name, arrow_type(kind)) for name, kind in self._columns.items()]
        self.schema = pa.schema(fields)
        self._read: dict[str, Any] = {}

    def __getitem__(self, v: object) -> NoReturn:
        """Refuse: what a vertex has is `Graph.vertex`."""
        raise InvalidArgumentError(
            f"vertices[{v!r}] is not there: vertex(v) has the values of a vertex, vertices.to_pandas()[name] a column"
        )

    def __len__(self) -> int:
        return self._snapshot.num_live

    def __iter__(self) -> Iterator[VertexKey]:
        """Iterate over the vertices by external id."""
        return self._snapshot.iterate_vertices()

    def _degrees(self, name: str) -> Any:
        if name not in self._read:
            with engine() as borrowed:
                self._read[name] = _core.degrees(borrowed, self._view, name == "in_degree").view(np.int64)
        return self._read[name]

    def batches(self, rows: int = _ROWS, columns: Collection[str] | None = None) -> Iterator[pa.RecordBatch]:
        """Yield batches of at most `rows` vertices, in the order of internal ids.

        `columns` are as in `Scan.batches`.

        Raises ColumnNotFoundError if there is no such column.  Cost: O(rows of a batch) for each; degrees of all
        vertices are kept, 8 bytes each.
        """
        schema = self._wanted(columns, rows)
        live = _core.live_vertices(self._view)
        for begin in range(0, len(self), rows):
            some = slice(begin, min(begin + rows, len(self)))
            read = [self._column(name, some, live) for name in schema.names]
            yield pa.record_batch(read, schema=schema)

    def _column(self, name: str, some: slice, live: Any) -> pa.Array:
        """One column of the rows `some`; `live` has their internal ids if there are gaps."""
        if name == "vertex":
            state = self._snapshot
            return arrow_ids(state.ids_of_range(some.start, some.stop) if live is None else state.ids_of(live[some]))
        if name in self._columns:
            numbers = np.arange(some.start, some.stop, dtype=np.uint64) if live is None else live[some]
            return arrow_values(_core.vertex_values(self._snapshot, name, numbers), self._columns[name])
        return pa.array(self._degrees(name)[some if live is None else live[some]])
