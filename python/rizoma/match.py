"""Patterns: the matches of a pattern in a graph, as a relation that is read when it is asked for."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from . import _core
from .engines import ProgressFunction, engine
from .errors import ColumnNotFoundError, InvalidArgumentError, VertexNotFoundError
from .lazy_arrow import pa
from .options import enum_value
from .vertex_ids import VertexKey, arrow_ids, find_many

__all__ = ["GroupedMatches", "Matches", "Relation", "match"]

_ROWS = 1 << 17  # of a batch, for each thread
_NO_VERTEX = np.iinfo(np.uint64).max


class Relation(ABC):
    """Rows that are computed when they are asked for, batch by batch.

    It is an Arrow stream, which may be read any number of times: DuckDB, polars and pyarrow take it as it is.
    """

    @property
    @abstractmethod
    def schema(self) -> pa.Schema:
        """Names and types of the columns."""

    @abstractmethod
    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the rows as Arrow record batches."""

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        return self.batches()

    def reader(self) -> pa.RecordBatchReader:
        """Return the rows as a pyarrow reader."""
        return pa.RecordBatchReader.from_batches(self.schema, self.batches())

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.reader().__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        return self.schema.__arrow_c_schema__()

    def __array__(self, dtype: object = None, copy: bool | None = None) -> NoReturn:
        """Refuse: `pandas.DataFrame(relation)` would make a table of batches, not of rows."""
        raise InvalidArgumentError(
            "a relation is no array: use its to_pandas(), to_arrow() or to_polars(), "
            "or pandas.DataFrame.from_arrow"
        )

    def to_arrow(self) -> pa.Table:
        """Return all rows as one table."""
        return self.reader().read_all()

    def to_pandas(self) -> Any:
        """Return all rows as a pandas DataFrame."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> Any:
        """Return all rows as a polars DataFrame."""
        import polars

        return polars.from_arrow(self.to_arrow())


@dataclass(frozen=True)
class _Request:
    """What was asked for."""

    state: _core.Snapshot
    pattern: str
    where: tuple[str, ...]
    distinct: _core.DistinctMatches
    anchors: tuple[tuple[str, npt.NDArray[np.uint64]], ...]
    threads: int | None
    progress: ProgressFunction | bool | None


@dataclass(frozen=True)
class _Shape:
    """What becomes of the matches, in this order: columns, distinct, sample, order, limit."""

    columns: tuple[str, ...] | None = None
    distinct: bool = False
    sample: tuple[int, int] | None = None
    order: tuple[tuple[str, str], ...] = ()
    limit: int | None = None


class Matches(Relation):
    """The matches of a pattern: one row each, one column for each vertex that has a name.

    An edge that has a name gives a column for its weight, `e.weight`.  Nothing is computed before rows, a count or
    a plan are asked for.  `where`, `select`, `distinct`, `sample`, `order_by` and `limit` return another relation
    and take effect in this order, whatever the order of the calls.
    """

    def __init__(self, request: _Request, shape: _Shape = _Shape()) -> None:
        self._request = request
        self._shape = shape
        self._prepared: tuple[_core.Match, _core.View] | None = None
        self._prepare()  # a wrong pattern is told at once

    # ---- what to match, and what to keep of it ----

    def where(self, condition: str) -> Matches:
        """Keep the matches for which the condition holds, such as "a.id < b.id and e.weight > 100"."""
        request = replace(self._request, where=(*self._request.where, condition))
        return Matches(request, self._shape)

    def select(self, *columns: str) -> Matches:
        """Keep these columns: names of vertices, or `e.weight`."""
        for column in columns:
            self._check_column(column)
        return self._shaped(columns=columns)

    def distinct(self) -> Matches:
        """Keep each row once.  Rows are gathered in memory."""
        return self._shaped(distinct=True)

    def sample(self, n: int, seed: int = 0) -> Matches:
        """Keep n random rows, the same ones for the same seed and graph; equal rows come together or not at all."""
        if n < 0:
            raise InvalidArgumentError(f"a sample of {n} rows; 0 is the least")
        return self._shaped(sample=(n, seed))

    def order_by(self, *columns: str) -> Matches:
        """Sort by these columns, falling if a name begins with "-"; with `limit` only the first rows are kept."""
        for column in columns:
            if column.removeprefix("-") not in self.schema.names:
                self._no_column(column.removeprefix("-"))
        order = tuple(
            (column.removeprefix("-"), "descending" if column.startswith("-") else "ascending")
            for column in columns
        )
        return self._shaped(order=order)

    def limit(self, n: int) -> Matches:
        """Keep at most n rows, and stop matching as soon as there are enough."""
        if n < 0:
            raise InvalidArgumentError(f"a limit of {n} rows; 0 is the least")
        return self._shaped(limit=n if self._shape.limit is None else min(n, self._shape.limit))

    def group_by(self, *columns: str) -> GroupedMatches:
        """Group the matches by columns; then `count()`."""
        for column in columns:
            self._check_column(column)
        if not columns:
            raise InvalidArgumentError("group_by needs a column, such as group_by('a')")
        return GroupedMatches(self, columns)

    # ---- answers ----

    def count(self) -> int:
        """Return the number of rows; matches that are only counted are not enumerated."""
        shape = self._shape
        if shape.distinct or shape.sample is not None:
            return sum(batch.num_rows for batch in self.batches())
        if shape.limit is not None:
            return sum(batch.num_rows for batch in self._shaped(order=()).batches())
        with self._engine() as lent:
            return int(self._match(lent).count(lent))

    def exists(self) -> bool:
        """Return whether there is any match; stops at the first."""
        first = Matches(self._request, _Shape(columns=tuple(self._match_names()[0][:1]), limit=1))
        return next(first.batches(), None) is not None

    def explain(self, run: bool = False) -> str:
        """Return the plan as text: order, lists, estimates; with `run` also what counting by it found and took."""
        with self._engine() as lent:
            bound = self._match(lent)
            begin = time.perf_counter()
            text = bound.explain(lent, run)
        return f"{text}{time.perf_counter() - begin:.3g} s on {lent.threads} threads" if run else text

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(self.schema.names)

    @property
    def schema(self) -> pa.Schema:
        """Names and types of the columns."""
        names = self._all_columns() if self._shape.columns is None else self._shape.columns
        return pa.schema([(name, self._type_of(name)) for name in names])

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the rows as Arrow record batches, in any order unless `order_by` gave one."""
        shape = self._shape
        rows = self._raw_batches(self.schema)
        if shape.distinct:
            rows = _unique(rows, self.schema)
        if shape.sample is not None:
            rows = _sampled(rows, self.schema, *shape.sample)
        if shape.order:
            rows = _sorted(rows, self.schema, shape.order, shape.limit)
        return rows if shape.limit is None else _first(rows, shape.limit)

    def __repr__(self) -> str:
        columns = ", ".join(f"{each.name}: {each.type}" for each in self.schema)
        return f"Matches({self._request.pattern!r}; {columns})"

    # ---- within ----

    def _shaped(self, **changes: Any) -> Matches:
        return Matches(self._request, replace(self._shape, **changes))

    def _unordered(self) -> Matches:
        """The same rows in any order, if no limit depends on it."""
        return self if self._shape.limit is not None else self._shaped(order=())

    def _engine(self) -> Any:
        return engine(self._request.threads, self._request.progress)

    def _prepare(self) -> _core.Match:
        with self._engine() as lent:
            return self._match(lent)

    def _match(self, lent: _core.Engine) -> _core.Match:
        return self._bound(lent)[0]

    def _bound(self, lent: _core.Engine) -> tuple[_core.Match, _core.View]:
        if self._prepared is None:
            request = self._request
            view = request.state.view(lent)
            conditions = request.where
            where = conditions[0] if len(conditions) == 1 else " and ".join(f"({c})" for c in conditions)
            bound = _core.Match.prepare(
                request.state, view, request.pattern, where, request.distinct, list(request.anchors)
            )
            self._prepared = bound, view
        return self._prepared

    def _match_names(self) -> tuple[list[str], list[str]]:
        bound = self._prepare()
        return bound.vertices, bound.edges

    @property
    def _weighted(self) -> bool:
        return self._request.state.schema.weights != _core.WeightType.none

    def _all_columns(self) -> list[str]:
        vertices, edges = self._match_names()
        return [*vertices, *(f"{edge}.weight" for edge in edges if self._weighted)]

    def _type_of(self, column: str) -> pa.DataType:
        schema = self._request.state.schema
        if "." in column and not column.endswith(".id"):
            return getattr(pa, schema.weights.name)()
        return pa.large_string() if schema.ids == _core.IdKind.string else pa.int64()

    def _check_column(self, column: str) -> None:
        vertices, _ = self._match_names()
        if column not in self._all_columns() and column.removesuffix(".id") not in vertices:
            self._no_column(column)

    def _no_column(self, column: str) -> NoReturn:
        names = ", ".join(self.schema.names) or "none"
        raise ColumnNotFoundError(f"the matches have no column {column!r}; there are {names}")

    @property
    def _is_anchored(self) -> bool:
        return bool(self._request.anchors) or any(
            sign in text for text in (self._request.pattern, *self._request.where) for sign in ("{id", "=")
        )

    def _raw_batches(self, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
        """The matches as they come."""
        state = self._request.state
        vertices, _ = self._match_names()
        names = [name.removesuffix(".id") for name in schema.names]
        of_vertices = list(dict.fromkeys(name for name in names if name in vertices))
        of_edges = list(dict.fromkeys(name.split(".")[0] for name in names if name not in vertices))
        place = {name: i for i, name in enumerate(of_vertices)}
        place |= {f"{name}.weight": len(of_vertices) + i for i, name in enumerate(of_edges)}
        strings = state.schema.ids == _core.IdKind.string
        translate = not strings and not self._is_anchored
        rows = _ROWS if self._shape.limit is None or self._shape.order else max(1, min(_ROWS, self._shape.limit))
        with self._engine() as lent:
            bound, view = self._bound(lent)
            stream = bound.rows(lent, state, view, of_vertices, of_edges, translate)
        while True:
            with self._engine() as lent:
                parts = stream.next(lent, rows)
            if not parts:
                return
            for _, columns in parts:
                read = [pa.array(column) for column in columns]
                if not translate:
                    for i in range(len(of_vertices)):
                        read[i] = arrow_ids(state.ids_of(columns[i].view(np.uint64)))
                yield pa.record_batch([read[place[name]] for name in names], schema=schema)


class GroupedMatches:
    """Matches by groups."""

    def __init__(self, matches: Matches, columns: tuple[str, ...]) -> None:
        self._matches = matches
        self._columns = columns

    def count(self) -> GroupCounts:
        """The number of matches of each group: a relation of the columns and `count`."""
        return GroupCounts(self._matches, self._columns)


class GroupCounts(Relation):
    """The number of matches of each group that has some."""

    def __init__(self, matches: Matches, columns: tuple[str, ...]) -> None:
        self._matches = matches
        self._columns = columns

    @property
    def schema(self) -> pa.Schema:
        """Names and types of the columns."""
        fields = [(name, self._matches._type_of(name)) for name in self._columns]
        return pa.schema([*fields, ("count", pa.int64())])

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield a row for each group."""
        shape = self._matches._shape
        vertices, _ = self._matches._match_names()
        plain = not shape.distinct and shape.sample is None and shape.limit is None
        if plain and len(self._columns) == 1 and self._columns[0].removesuffix(".id") in vertices:
            yield from self._by_vertex(self._columns[0].removesuffix(".id"))
        else:
            yield from self._by_rows()

    def _by_vertex(self, name: str) -> Iterator[pa.RecordBatch]:
        """Counted without rows."""
        with self._matches._engine() as lent:
            counts = self._matches._match(lent).count_by(lent, name)
        found = np.flatnonzero(counts).astype(np.uint64)
        ids = arrow_ids(self._matches._request.state.ids_of(found))
        yield pa.record_batch([ids, pa.array(counts[found].astype(np.int64))], schema=self.schema)

    def _by_rows(self) -> Iterator[pa.RecordBatch]:
        gathered = self.schema.empty_table()
        chosen = self._matches.select(*self._columns)._unordered()
        for batch in chosen.batches():
            ones = pa.array(np.ones(batch.num_rows, np.int64))
            some = pa.table([*batch.columns, ones], schema=self.schema)
            both = pa.concat_tables([gathered, some])
            summed = both.group_by(list(self._columns)).aggregate([("count", "sum")])
            gathered = summed.select([*self._columns, "count_sum"]).rename_columns(self.schema.names)
        yield from gathered.combine_chunks().to_batches()


def _unique(rows: Iterator[pa.RecordBatch], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    gathered = schema.empty_table()
    for batch in rows:
        both = pa.concat_tables([gathered, pa.Table.from_batches([batch])])
        gathered = both.group_by(schema.names).aggregate([]).select(schema.names)
    yield from gathered.cast(schema).to_batches()


def _sampled(
    rows: Iterator[pa.RecordBatch], schema: pa.Schema, n: int, seed: int
) -> Iterator[pa.RecordBatch]:
    """The n rows of the smallest hashes, which no order of the rows changes."""
    kept = schema.empty_table()
    hashes = np.empty(0, np.uint64)
    for batch in rows:
        kept = pa.concat_tables([kept, pa.Table.from_batches([batch])])
        hashes = np.concatenate([hashes, _hashes(batch, seed)])
        if len(hashes) > n:
            smallest = np.argpartition(hashes, n - 1)[:n] if n else np.empty(0, np.int64)
            kept, hashes = kept.take(pa.array(smallest)), hashes[smallest]
    order = np.argsort(hashes, kind="stable")
    yield from kept.take(pa.array(order)).combine_chunks().to_batches()


def _hashes(batch: pa.RecordBatch, seed: int) -> npt.NDArray[np.uint64]:
    """A number for each row that depends on its values and the seed alone."""
    mixed = np.full(batch.num_rows, np.uint64(seed & 0xFFFFFFFFFFFFFFFF))
    for column in batch.columns:
        if pa.types.is_large_string(column.type):
            values = np.array([_text_hash(text) for text in column.to_pylist()], np.uint64)
        else:
            kind = np.float64 if pa.types.is_floating(column.type) else np.int64
            values = column.to_numpy(zero_copy_only=False).astype(kind).view(np.uint64)
        mixed = _mix(mixed ^ _mix(values))
    return mixed


def _text_hash(text: str) -> int:
    from hashlib import blake2b

    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


def _mix(x: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The finalizer of SplitMix64."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def _sorted(
    rows: Iterator[pa.RecordBatch], schema: pa.Schema, order: tuple[tuple[str, str], ...], limit: int | None
) -> Iterator[pa.RecordBatch]:
    kept = schema.empty_table()
    waiting: list[pa.RecordBatch] = []
    for batch in rows:
        waiting.append(batch)
        if limit is not None and sum(each.num_rows for each in waiting) > max(limit, _ROWS):
            kept = pa.concat_tables([kept, pa.Table.from_batches(waiting)]).sort_by(list(order)).slice(0, limit)
            waiting = []
    kept = pa.concat_tables([kept, pa.Table.from_batches(waiting, schema)]).sort_by(list(order))
    yield from kept.combine_chunks().to_batches()


def _first(rows: Iterator[pa.RecordBatch], limit: int) -> Iterator[pa.RecordBatch]:
    left = limit
    for batch in rows if limit else ():
        some = batch.slice(0, left)
        left -= some.num_rows
        yield some
        if left == 0:
            return


def match(
    state: _core.Snapshot,
    pattern: str,
    where: str | None = None,
    distinct: str | None = None,
    anchors: Mapping[str, VertexKey | Iterable[VertexKey]] | None = None,
    threads: int | None = None,
    progress: ProgressFunction | bool | None = None,
) -> Matches:
    """The matches of a pattern in a state of a graph; see `Reader.match`."""
    kind = enum_value(_core.DistinctMatches, "distinct", distinct or "none")
    found = tuple((name, _vertices(state, name, ids)) for name, ids in (anchors or {}).items())
    conditions = () if where is None else (where,)
    return Matches(_Request(state, pattern, conditions, kind, found, threads, progress))


def _vertices(
    state: _core.Snapshot, name: str, ids: VertexKey | Iterable[VertexKey]
) -> npt.NDArray[np.uint64]:
    """Inner numbers of the vertices that a name may stand for; those of a list that are not there are left out."""
    single = isinstance(ids, (str, int, np.integer))
    several: Any = [ids] if single else ids
    numbers = find_many(state, several)
    if single and numbers[0] == _NO_VERTEX:
        raise VertexNotFoundError(f"{name}={ids!r}: the graph has no such vertex")
    return np.ascontiguousarray(numbers[numbers != _NO_VERTEX], np.uint64)
