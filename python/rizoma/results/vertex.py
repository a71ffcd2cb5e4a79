"""What the algorithms return: one value for each vertex, and how it was got."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, ItemsView, Iterable, Iterator
from functools import cached_property
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self, TypeVar

import numpy as np
import numpy.typing as npt

from .. import _core
from ..core.aliases import renamed
from ..core.arguments import methods_checked
from ..core.display import html_table, number_of, text_table
from ..core.engines import engine
from ..core.errors import ClosedError, ColumnNotFoundError, NotFoundError, VertexNotFoundError
from ..core.files import is_store
from ..core.lazy_arrow import pa
from ..core.options import whole_number
from ..core.read_warnings import warn_of
from ..core.suggestions import attribute_missing
from ..graph.detached_ids import FrozenIds
from ..graph.ids import VertexKey, arrow_ids, find, find_or_none, numpy_ids
from ..graph.placement import PlacementReport
from ..graph.state import weighted_view
from ..io.export import write_batches
from .counters import Counters
from .memory import MemoryReport, memory_of
from .pairs import Pair, Pairs
from .rank_traffic import RankTraffic
from .store_column import keep_as_column

if TYPE_CHECKING:
    from ..graph.graph import Graph

C = TypeVar("C", bound=type)

__all__ = [
    "BetweennessResult",
    "BfsResult",
    "ClosenessResult",
    "ClusteringResult",
    "CoreResult",
    "DegreeResult",
    "PageRankResult",
    "SsspResult",
    "TriangleResult",
    "VertexResult",
    "degrees",
]

_SHOWN = 5  # rows of a printed result

_ELSEWHERE = {
    "communities": "to_pandas().groupby(result.value)",
    "head": "top(n), or to_pandas().head(n)",
    "bottom": "to_pandas().nsmallest(n, result.value)",
    "keys": "ids, or iterate over to_dict()",
    "max": "top(1), or to_numpy().max()",
    "members": "to_pandas().groupby(result.value)",
    "plot": "to_pandas().plot",
    "sort": "top(n), or to_pandas().sort_values(result.value)",
    "nlargest": "top(n)",
    "sort_values": "top(n), or to_pandas().sort_values(result.value)",
    "to_csv": 'write("values.csv")',
    "to_list": "to_numpy().tolist()",
    "to_parquet": 'write("values.parquet")',
    "round": "to_pandas().round(n), or to_numpy().round(n)",
    "save": 'write("values.csv")',
    "scores": "to_numpy()",
    "to_excel": "to_pandas().to_excel",
    "values": "to_numpy()",
}
_ELSEWHERE |= {name: f"to_pandas().{name}()" for name in ("describe", "hist", "corr", "nsmallest")}
_ELSEWHERE |= dict.fromkeys(("df", "to_df", "to_frame", "to_dataframe"), "to_pandas() or to_polars()")
_ELSEWHERE |= dict.fromkeys(("to_series", "series"), 'to_pandas().set_index("vertex")[result.value]')
_ELSEWHERE |= dict.fromkeys(("labels", "membership", "partition"), "to_numpy(), or to_dict() by vertex")
_ELSEWHERE |= dict.fromkeys(("components", "clusters", "groups", "to_sets"), "to_pandas().groupby(result.value)")
_ELSEWHERE |= dict.fromkeys(("iloc", "loc", "query", "filter"), "to_pandas(), of which that is a part")
_ELSEWHERE |= dict.fromkeys(("index", "nodes", "vertices"), "ids")
_ELSEWHERE |= dict.fromkeys(
    ("adj", "is_directed", "nbunch_iter", "neighbors"), "the graph: this is what was found of it"
)
_ELSEWHERE |= {name: f"to_numpy().{name}()" for name in ("argmax", "mean", "median", "min", "std", "sum", "tolist")}


_OPERATORS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "add": "+", "sub": "-", "mul": "*", "truediv": "/"}


def _no_arithmetic(name: str, sign: str) -> Callable[[VertexResult, object], Any]:
    def refuse(self: VertexResult, other: object) -> Any:
        if not isinstance(other, (Real, str, VertexResult)):
            return NotImplemented  # an array or a table takes the values
        kind = type(self).__name__
        raise TypeError(
            f"{kind} is no array, so it has no {sign}; use to_numpy() {sign} ..., or result[v] of one vertex"
        )

    refuse.__name__ = f"__{name}__"
    return refuse


def _without_arithmetic(cls: C) -> C:
    """The class, whose operators say what there is instead."""
    for name, sign in _OPERATORS.items():
        setattr(cls, f"__{name}__", _no_arithmetic(name, sign))
        if sign in "+-*/":
            setattr(cls, f"__r{name}__", _no_arithmetic(f"r{name}", sign))
    return cls


@_without_arithmetic
@methods_checked
class VertexResult:
    """One value for each vertex of the graph as it was.

    `to_numpy()` and `ids` are parallel, in the order of internal ids; `result[v]`, `to_dict()` and the tables speak of
    external ids.  Tables have a column `vertex` and one for each value, and no row for a removed vertex.  A value that
    a vertex does not have (not reached) is null.

    `resumed_after`: what was done before the checkpoint that the call went on from (iterations, rounds, levels, passes,
    sources, vertices reached, or the core number reached); 0: it started over.
    """

    name: ClassVar[str] = "result"
    value: ClassVar[str] = "value"  # the main column
    vertex_columns: ClassVar[tuple[str, ...]] = ()  # columns that hold internal ids of vertices
    _elsewhere: ClassVar[dict[str, str]] = {}  # what other libraries call otherwise, and what there is
    _sent: ClassVar[tuple[str, ...]] = ()  # what of its own a cluster sends with it besides public values

    def __init_subclass__(cls) -> None:
        methods_checked(cls)

    def __init__(
        self,
        state: _core.Snapshot,
        view: _core.View,
        columns: dict[str, npt.NDArray[Any] | _core.LazyColumn],
        seconds: float = 0.0,
        threads: int = 0,
        placement: PlacementReport | None = None,
    ) -> None:
        self._snapshot: _core.Snapshot | FrozenIds = state
        self._columns = columns
        self._live: npt.NDArray[np.uint64] | None = _core.live_vertices(view)
        self.seconds = seconds
        self.threads = threads
        self.placement = placement
        self.ranks = 1
        self.resumed_after = 0
        self.traffic: RankTraffic | None = None  # between ranks, if there are several
        self.counters: Counters | None = None  # if config(perf_counters=True)

    @classmethod
    def _beside(cls, other: VertexResult, columns: dict[str, npt.NDArray[Any] | _core.LazyColumn]) -> Self:
        """A result of the same call on the same state, with other values."""
        made = cls.__new__(cls)
        shared = ("_snapshot", "_live", "seconds", "threads", "placement", "ranks", "resumed_after", "traffic")
        vars(made).update({name: getattr(other, name) for name in shared})
        made.counters = other.counters
        made._columns = columns
        return made

    def __getstate__(self) -> dict[str, Any]:
        """Values and ids, without the graph: pickle, joblib and multiprocessing send a result anywhere."""
        state = {name: value for name, value in vars(self).items() if name not in ("_numpy_ids", "_arrow_ids")}
        state["_columns"] = {name: self._values(name) for name in self._columns}
        if not isinstance(self._snapshot, FrozenIds):
            state["_snapshot"] = FrozenIds(self._snapshot, self._live)
        return state

    def __getattr__(self, name: str) -> NoReturn:
        own = {column: f'to_numpy("{column}")' for column in vars(self).get("_columns", ())}
        if name[0] != "_" and "_snapshot" in vars(self) and name in self:
            own[name] = f"result[{name!r}], the value of that vertex"
        raise attribute_missing(self, name, _ELSEWHERE | self._elsewhere | own)

    # -- arrays, by internal id ------------------------------------------------------------------

    def to_numpy(self, column: str | None = None) -> npt.NDArray[Any]:
        """Return the values of `column` (None: the main one) by internal id, without a copy: shape (n,), float64 or an
        integer.

        n counts internal ids, those of removed vertices included, of which it warns; `ids` has the external ids beside
        them.

        Raises ColumnNotFoundError if there is no such column.  Cost: O(1); on ranks the first call gathers the values.
        """
        values = self._values(column)
        if self._live is not None:
            self._tell_removed(len(values))
        return values

    def _values(self, column: str | None = None) -> npt.NDArray[Any]:
        """`to_numpy` without a word about removed vertices."""
        name = column or self.value
        if name not in self._columns:
            raise ColumnNotFoundError(f"there is no column {name!r}; there are {', '.join(self._columns)}")
        values = self._columns[name]
        if isinstance(values, _core.LazyColumn):
            values = self._columns[name] = values.all()
        return values

    def _tell_removed(self, places: int) -> None:
        """Warn that values have more places than there are vertices."""
        gone = number_of(places - len(self), "removed vertex", "removed vertices")
        said = f"the array has {places:,} places, among them those of {gone}, which iterating over the graph leaves out"
        warn_of([f"{said}: result.ids stands beside it, and to_pandas() has the others alone"])

    @property
    def ids(self) -> npt.NDArray[Any]:
        """External ids by internal id: int64, or objects of str; shape (n,).  Cost: O(n) once."""
        return self._numpy_ids

    @cached_property
    def _numpy_ids(self) -> npt.NDArray[Any]:
        return numpy_ids(self._arrow_ids)

    @cached_property
    def _arrow_ids(self) -> pa.Array:
        return arrow_ids(self._snapshot.ids_of_range(0, self._snapshot.num_vertices))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """The values by place, in the order of `ids`; `df["id"].map(result)` has them by id."""
        values = self._values()
        if dtype is not None and values.dtype != dtype:
            return values.astype(dtype)
        return values.copy() if copy else values

    def __dlpack__(self, **options: Any) -> Any:
        """Share the values (`to_numpy()`) with any DLPack consumer; other columns: `to_numpy(column)`."""
        return self._values().__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[Any, Any]:
        return self._values().__dlpack_device__()

    # -- by external id ---------------------------------------------------------------------------

    def __len__(self) -> int:
        return self._snapshot.num_live

    def __contains__(self, v: object) -> bool:
        """Return whether `v` is a vertex of the graph, by external id."""
        return find_or_none(self._snapshot, v) is not None

    def __getitem__(self, v: VertexKey) -> Any:
        """Return the value of a vertex by external id; KeyError if there is no such vertex."""
        try:
            return self._plain(int(find(self._snapshot, v)))
        except VertexNotFoundError as error:
            if isinstance(v, int) and not isinstance(v, bool) and "its ids are strings" in str(error):
                told = f"{error}; top(1) has the greatest, and to_numpy()[{v}] the value by place"
                raise VertexNotFoundError(told) from None
            if not isinstance(v, str) or v not in self._columns:
                raise
            raise VertexNotFoundError(f"{error}; {v!r} is a column: to_numpy({v!r})") from None

    def __setitem__(self, v: object, value: object) -> NoReturn:
        raise TypeError("results are read; change a copy, to_dict() or to_numpy().copy(), or store(graph) as a column")

    def __call__(self, v: Any) -> Any:
        """Return `result[v]`: pandas' `map` and the `key` of `sorted` take a result as it is.

        pandas calls what it is given for a new column, too, with the table; it gets the result itself.
        """
        return self if hasattr(v, "columns") else self[v]

    def _plain(self, number: int) -> Any:
        values = self._columns[self.value]
        return values.at(number) if isinstance(values, _core.LazyColumn) else values[number].item()

    def _value(self, number: int) -> Any:
        """As `_plain`; None if that vertex has no value."""
        return self._plain(number)

    def _rows(self) -> npt.NDArray[np.uint64] | None:
        """Internal ids of the rows of tables; None: all vertices."""
        return self._live

    def _missing(self) -> npt.NDArray[np.bool_] | None:
        """Which vertices have no value, by internal id."""
        return None

    def to_arrow(self) -> pa.Table:
        """Return a table with a column `vertex` and the values.  Cost: O(n), ids included."""
        return self._table(self._rows())

    def _table(self, rows: npt.NDArray[Any] | None) -> pa.Table:
        missing = self._missing()
        columns = {"vertex": self._ids_of(rows)}
        for name in self._columns:
            values = self._values(name)
            taken = values if rows is None else values[rows]
            mask = None if missing is None else (missing if rows is None else missing[rows])
            columns[name] = self._vertices(taken, mask) if name in self.vertex_columns else pa.array(taken, mask=mask)
        return pa.table(columns)

    def _ids_of(self, rows: npt.NDArray[Any] | None) -> pa.Array:
        if rows is None:
            return self._arrow_ids
        return arrow_ids(self._snapshot.ids_of(np.ascontiguousarray(rows, np.uint64)))

    def _vertices(self, numbers: npt.NDArray[Any], mask: npt.NDArray[np.bool_] | None) -> pa.Array:
        return self._arrow_ids.take(pa.array(numbers, mask=mask))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def to_pandas(self) -> Any:
        """Return a pandas DataFrame.  Cost: O(n); string ids are Python objects."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> Any:
        """Return a polars DataFrame.  Cost: O(n)."""
        import polars

        return polars.from_arrow(self.to_arrow())

    def to_dask(self, npartitions: int | None = None) -> Any:
        """Return a Dask DataFrame of `npartitions` partitions; None: one for each rank that has worked on it.

        Raises ImportError if Dask is not installed.  Cost: a pandas DataFrame of all rows first.
        """
        from dask import dataframe

        return dataframe.from_pandas(self.to_pandas(), npartitions=npartitions or self.ranks, sort=False)

    def to_dict(self) -> dict[VertexKey, Any]:
        """Return {external id: value}, without vertices that have no value.  Cost: two Python objects a vertex."""
        table = self.to_arrow().select(["vertex", self.value])
        missing = self._missing()
        if missing is not None:
            table = table.filter(table.column(1).is_valid())
        return dict(zip(table.column(0).to_pylist(), table.column(1).to_pylist(), strict=True))

    def __iter__(self) -> Iterator[tuple[VertexKey, Any]]:
        """Iterate over (external id, value) of all vertices that have a value, also of a partition."""
        return map(Pair, self.to_dict().items())

    def items(self) -> ItemsView[VertexKey, Any]:
        """Return (external id, value) of all vertices that have a value, as a dictionary does.

        Cost: that of `to_dict`.
        """
        return self.to_dict().items()

    def get(self, v: VertexKey, default: Any = None) -> Any:
        """Return the value of vertex `v`, or `default` if there is no such vertex or it has no value.

        Raises TypeError for a tuple, which no id is.  Cost: one probe of a hash table.
        """
        number = find_or_none(self._snapshot, v)
        if number is None and isinstance(v, tuple):
            raise TypeError(f"get takes the id of a vertex, not {v!r}; iterating gives pairs, and top(n) the largest")
        value = None if number is None else self._value(number)
        return default if value is None else value

    def write(self, path: str | Path, part: tuple[int, int] | None = None) -> None:
        """Write the table to the file `path`: .parquet, .csv or .tsv (text also .gz, .zst).

        `part`: (k, n) writes of n equal runs of rows number k, from 0 on, as each of n ranks may do.

        Raises InvalidArgumentError if the name shows no format, StorageError, OutOfSpaceError.  Cost: that of
        `to_arrow`.
        """
        rows = self._rows()
        if part is not None:
            whole_number("part[0]", part[0], 0, part[1] - 1)
            every = np.arange(self._snapshot.num_vertices, dtype=np.uint64) if rows is None else rows
            rows = np.array_split(every, part[1])[part[0]]
        table = self._table(rows)
        write_batches(Path(path), table.schema, table.to_batches(max_chunksize=1 << 20))

    def store(self, graph: Graph | str | os.PathLike[str], column: str | None = None, value: str | None = None) -> int:
        """Keep the values as a column of the graph's vertices, durably; return how many vertices have got one.

        Args:
            graph: the graph, open for writing, or the path of its store, which no other process may
                have open for writing.  Ranks and clusters have a graph open for reading only: give its path, on one
                rank.
            column: name in the graph; None: that of the value.  It is added if it is missing; if it is, vertices
                without a value become null in it, and those that were added since keep what they have.
            value: which of the result's columns; None: the main one.

        All values are one change: after a crash either all of them are there or none, and the column may be empty.
        Raises InvalidArgumentError if the graph has such a column of another type, or none of the vertices,
        LockedError, UnsupportedError (a graph with weights and without columns).

        Cost: O(n log n), one append to the log of all values, and one sync.
        """
        chosen = value or self.value
        self._values(chosen)  # or there is no such column
        if column is None and isinstance(graph, str) and graph.isidentifier() and not is_store(Path(graph)):
            raise NotFoundError(f"there is no graph at {graph}; the graph comes first: result.store(graph, {graph!r})")
        return keep_as_column(self, graph, chosen if column is None else column, chosen)

    keep = renamed(store, "rizoma.VertexResult.keep")

    # -- the largest -----------------------------------------------------------------------------

    def top(self, n: int = 10) -> list[tuple[VertexKey, Any]]:
        """Return the `n` vertices of the largest values, largest first, as (external id, value).

        Raises InvalidArgumentError if `n` is below 0.  Cost: O(vertices + n log n).
        """
        table = self.top_table(n)
        return Pairs(zip(table.column("vertex").to_pylist(), table.column(self.value).to_pylist(), strict=True))

    def top_table(self, n: int = 10) -> pa.Table:
        """Return the `n` vertices of the largest values, largest first, as a table with all columns.

        Raises InvalidArgumentError if `n` is below 0.  Cost: O(vertices + n log n).
        """
        whole_number("n", n, 0, 2**63 - 1)
        live = self._rows()
        rows = np.arange(self._snapshot.num_vertices) if live is None else live.astype(np.int64)
        missing = self._missing()
        if missing is not None:
            rows = rows[~missing[rows]]
        values = self._values()[rows]
        if 0 < n < len(values):
            least = np.partition(values, len(values) - n)[len(values) - n]
            rows = rows[values >= least]
            values = self._values()[rows]
        order = np.argsort(-values.astype(np.float64), kind="stable")[:n]
        return self._table(rows[order])

    @property
    def memory(self) -> MemoryReport | None:
        """Bytes read and written, by structure, tier and pattern, near and far; None if no work was counted."""
        if self.placement is None:
            return None
        return memory_of(self.placement, self._state_bytes(), self._searches, self._kept())

    @property
    def working_set(self) -> int | None:
        """Bytes that the call held: the graph's lists, the values of the result, and sets or copies that it wrote; None
        for a result that was sent elsewhere without its graph."""
        if isinstance(self._snapshot, FrozenIds):
            return None
        lists = int(self._snapshot.sections()[1].sum())
        values = sum(self._values(name).nbytes for name in self._columns)
        return lists + values + sum(written for _, written in self._kept().values())

    def _kept(self) -> dict[str, tuple[int, int]]:
        """Bytes read and written that the kernel has counted itself."""
        return {}

    _searches: ClassVar[bool] = False  # the kernel keeps lists of active vertices

    def _state_bytes(self) -> int:
        """Bytes of a neighbour's message: as wide as the main column."""
        values = self._columns.get(self.value)
        if isinstance(values, np.ndarray):
            return values.dtype.itemsize
        return 4  # levels, which are not an array yet

    # -- printing ---------------------------------------------------------------------------------

    def _facts(self) -> dict[str, Any]:
        """The plain attributes of a result, for programs."""
        plain = (bool, int, float, str)
        return {name: value for name, value in vars(self).items() if name[0] != "_" and isinstance(value, plain)}

    def _how(self) -> str:
        """How the result was got, in half a line."""
        return ""

    def _summary(self) -> str:
        how = [self._how()] if self._how() else []
        if self.threads:
            threads = f"{self.threads} thread{'s' if self.threads > 1 else ''}"
            where = threads if self.ranks == 1 else f"{self.ranks} ranks with {threads} each"
            how.append(f"{self.seconds:.3g} s on {where}")
        if self.traffic is not None:
            how.append(str(self.traffic))
        if self.placement is not None and (self.placement.homes > 1 or self.placement.tiers or self.placement.reason):
            how.append(str(self.placement))
        if self.counters is not None:
            how.append(str(self.counters))
        return f"{self.name} of {len(self):,} vertices" + (": " + ", ".join(how) if how else "")

    def __repr__(self) -> str:
        return self._summary() + "\n" + text_table(self.top_table(_SHOWN))

    def _repr_html_(self) -> str:
        return html_table(self._summary(), self.top_table(_SHOWN))


class DegreeResult(VertexResult):
    """Degrees: `degree`."""

    name = "Degrees"
    value = "degree"


def degrees(state: _core.Snapshot, in_edges: bool) -> DegreeResult:
    """The degree of every vertex (of a directed graph: out-degree, or in-degree)."""
    with engine() as borrowed:
        view = state.view(borrowed)
        return DegreeResult(state, view, {"degree": _core.degrees(borrowed, view, in_edges)})


class PageRankResult(VertexResult):
    """PageRank: `rank`; the ranks sum to 1.

    `error` bounds the L1 distance to the exact scores; `converged` tells whether `tol` was met.
    """

    name = "PageRank"
    value = "rank"
    iterations: int
    converged: bool
    error: float

    def _how(self) -> str:
        end = "converged" if self.converged else "not converged"
        resumed = f" ({self.resumed_after} before the checkpoint)" if self.resumed_after else ""
        return f"{number_of(self.iterations, 'iteration')}{resumed}, {end} (error {self.error:.1e})"


class BfsResult(VertexResult):
    """Breadth-first search: `level` (edges from the source) and `parent`.

    Arrays hold -1 where a vertex was not reached; the source is its own parent.
    """

    name = "Breadth-first search"
    value = "level"
    _searches = True
    vertex_columns = ("parent",)
    _elsewhere = (
        dict.fromkeys(("path", "path_to", "paths"), "rizoma.shortest_path(graph, source, v)")
        | dict.fromkeys(("distance", "distances", "dist"), "levels, or result[v] of one vertex")
        | {"predecessors": "parents"}
    )
    source: VertexKey | Iterable[VertexKey]
    reached: int
    depth: int

    @property
    def levels(self) -> npt.NDArray[np.int32]:
        """Levels by internal id: int32, shape (n,); -1: not reached."""
        return self._values("level")

    @property
    def parents(self) -> npt.NDArray[np.int64]:
        """Internal ids of parents by internal id: int64, shape (n,); -1: not reached."""
        return self._values("parent")

    def _plain(self, number: int) -> int | None:
        level: int = super()._plain(number)
        return None if level < 0 else level

    def _missing(self) -> npt.NDArray[np.bool_]:
        return self.levels < 0

    def _how(self) -> str:
        return f"{self.reached:,} reached from {self.source!r}, depth {self.depth}"


class BetweennessResult(VertexResult):
    """Betweenness centrality: `score`; `error` bounds how far the scores are from the exact ones.

    `sources` tells how many sources were used, or `samples` how many paths: the error then holds for all scores at
    once with probability 1 - `delta`.
    """

    name = "Betweenness centrality"
    value = "score"
    _searches = True
    sources: int
    samples: int = 0
    error: float = 0.0
    delta: float = 0.1

    def _how(self) -> str:
        if self.samples:
            return f"estimated from {self.samples:,} paths, error {self.error:.2g}"
        exact = self.sources == len(self)
        return "exact" if exact else f"estimated from {self.sources:,} sources, error {self.error:.2g}"


class SsspResult(VertexResult):
    """Shortest paths from one source or several: `distance`; infinite in arrays, null in tables, where not reached."""

    name = "Shortest paths"
    value = "distance"
    _searches = True
    _elsewhere: ClassVar[dict[str, str]] = {
        "path": "path_to(v)",
        "paths": "path_to(v)",
        "predecessors": "parents",
        "distances": "to_numpy()",
    }
    source: VertexKey | Iterable[VertexKey]
    reached: int
    delta: float
    start: int | npt.NDArray[np.uint64]  # internal ids of the sources
    weight: str | None

    @cached_property
    def parents(self) -> npt.NDArray[np.int64]:
        """Internal ids of the vertices before on shortest paths, by internal id: int64, shape (n,); -1: not reached.

        A source is its own parent; of several shortest paths it is the one over the vertex of least internal id.

        Raises ClosedError if the result was pickled: it has no graph.  Cost: one pass over the edges, once.
        """
        if isinstance(self._snapshot, FrozenIds):
            raise ClosedError("a result that was pickled has no graph; ask for its parents before")
        starts = np.atleast_1d(np.asarray(self.start, np.uint64))
        with engine() as borrowed:
            view = weighted_view(self._snapshot, borrowed, self.weight)
            return _core.path_parents(borrowed, view, self._values(), starts, self.weight is not None)

    def path_to(self, v: VertexKey) -> list[VertexKey] | None:
        """Return the external ids of a shortest path from a source to `v`; None if there is none.

        Raises VertexNotFoundError if `v` is not in the graph.  Cost: the length of the path, once `parents` are known.
        """
        at = find(self._snapshot, v)
        if np.isinf(self._values()[at]):
            return None
        path = [at]
        while (before := int(self.parents[path[-1]])) != path[-1]:
            path.append(before)
        ids: list[VertexKey] = arrow_ids(self._snapshot.ids_of(np.array(path[::-1], np.uint64))).to_pylist()
        return ids

    def _value(self, number: int) -> float | None:
        distance: float = self._plain(number)
        return None if math.isinf(distance) else distance

    def _missing(self) -> npt.NDArray[np.bool_]:
        return np.asarray(np.isinf(self._values()))

    def _how(self) -> str:
        return f"{self.reached:,} reached from {self.source!r}"


class TriangleResult(VertexResult):
    """Triangles: `triangles` that contain a vertex; `total` in the graph, each counted once."""

    name = "Triangles"
    value = "triangles"
    total: int
    copied_bytes: int = 0  # of the ranked lists made; reading them counts as reading the graph's own lists

    def _kept(self) -> dict[str, tuple[int, int]]:
        return {"copies": (0, self.copied_bytes)} if self.copied_bytes else {}

    def _how(self) -> str:
        return f"{self.total:,} in all"


class CoreResult(VertexResult):
    """Core numbers: `core`; `greatest` in the graph."""

    name = "Core numbers"
    value = "core"
    greatest: int

    def _how(self) -> str:
        return f"the greatest is {self.greatest:,}"


class ClusteringResult(VertexResult):
    """Clustering coefficients: `coefficient`; `average` over the vertices."""

    name = "Clustering coefficients"
    value = "coefficient"
    average: float

    def _how(self) -> str:
        return f"{self.average:.4g} on average"


class ClosenessResult(VertexResult):
    """Closeness or harmonic centrality: `score`; `error` bounds how far the scores are from the exact ones.

    With a sample of `samples` vertices it holds for all scores at once with probability 1 - `delta`.
    """

    name = "Closeness"
    value = "score"
    _searches = True
    samples: int = 0
    error: float = 0.0
    delta: float = 0.1

    def _how(self) -> str:
        return f"estimated from {self.samples:,} vertices, error {self.error:.2g}" if self.samples else "exact"
