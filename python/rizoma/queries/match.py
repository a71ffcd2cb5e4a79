"""Patterns: the matches of a pattern in a graph, as a relation that is read when it is asked for."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, NoReturn, Self

import numpy as np
import numpy.typing as npt

from .. import _core
from ..core.aliases import renamed, renamed_options
from ..core.argument_names import argument_meant
from ..core.arguments import methods_checked
from ..core.config import current
from ..core.engines import ProgressFunction, engine, local_threads, on_ranks
from ..core.errors import ColumnNotFoundError, InvalidArgumentError, UnsupportedError, VertexNotFoundError
from ..core.lazy_arrow import pa, pc
from ..core.options import enum_value, unicode_text, whole_number
from ..core.same_call import argument_text, expect_same_call
from ..core.suggestions import attribute_missing
from ..graph.column_types import arrow_type, kind_of
from ..graph.ids import VertexKey, arrow_ids, find_many, ids_there
from ..graph.schema import arrow_values, edge_columns, vertex_columns
from .fetch_cost import ShareEstimate
from .join_plan import intersect_plan
from .parameters import filled
from .pattern_names import names_told
from .relation import ROWS, Relation, columns_meant, first_rows, sampled_rows, sorted_rows, unique_rows

__all__ = [
    *("Column", "GroupedMatches", "Matches", "NumberedMatches", "Relation", "Request", "Shape", "request_of"),
]

_AGGREGATES = ("sum", "avg", "min", "max")
_OPTIONS = ("where", "distinct", "label_column", "type_column", "threads", "progress", "plan", "parameters")
_OF_MATCHES = ("limit", "sample", "part", "order_by", "select", "group_by")
_NO_VERTEX = np.iinfo(np.uint64).max


@dataclass(frozen=True)
class Request:
    """What was asked for."""

    state: _core.Snapshot
    pattern: str
    where: tuple[str, ...]
    distinct: _core.DistinctMatches
    anchors: tuple[tuple[str, npt.NDArray[np.uint64]], ...]
    words: tuple[str, str]
    threads: int | None
    progress: ProgressFunction | bool | None
    ranks: _core.Ranks | None
    sharing: tuple[int, int] = (0, 0)
    """How many ranks are data nodes (0: each reads all), and the bytes of lists that a rank keeps."""

    made_by: str = "graph"
    """Of a view: the calls that made it."""

    tell: Callable[[Request], None] | None = None
    """Warns of names in the pattern that nothing has, as the matches are first asked for."""

    def expect_same(self, call: str, columns: Sequence[str] = ()) -> None:
        """Raise unless all ranks ask for the same.  Collective."""
        if self.ranks is None:
            return
        given: dict[str, Any] = {"pattern": self.pattern, "where": " and ".join(self.where)}
        given |= {"distinct": self.distinct.name, "columns of labels and types": self.words, "columns": columns}
        given |= {"data_nodes": self.sharing[0]} | {name: np.unique(numbers) for name, numbers in self.anchors}
        texts = {name: argument_text(value) for name, value in given.items()}
        expect_same_call(self.ranks, call, {"graph": self.made_by, **texts})


@dataclass(frozen=True)
class Column:
    """A column of matches: of a vertex its id or a value, of an edge its weight or a value."""

    item: str
    of_vertex: bool
    value: str | None
    """The column of the graph; None: the vertex's id."""
    kind: str


@dataclass(frozen=True)
class Shape:
    """The steps applied to the matches, in this order: part, columns, distinct, sample, order, limit."""

    part: tuple[int, int] = (0, 1)
    columns: tuple[str, ...] | None = None
    distinct: bool = False
    sample: tuple[int, int] | None = None
    order: tuple[tuple[str, str], ...] = ()
    limit: int | None = None

    @property
    def keeps_none(self) -> bool:
        """Whether no row is left."""
        return self.limit == 0 or (self.sample is not None and self.sample[0] == 0)


class Matches(Relation):
    """The matches of a pattern: one row each, one column for each vertex that has a name.

    An edge that has a name gives a column for its weight, `e.weight`; other columns of vertices and edges are there
    when `select` names them: `a.age`, `e.amount`.  `where`, `select`, `distinct`, `sample`, `order_by` and `limit`
    return another relation and take effect in this order, whatever the order of the calls.

    `columns` are named as in `select`; those that the matches do not have raise ColumnNotFoundError, and numbers out of
    range InvalidArgumentError (methods that say "Raises" raise more).  Cost: of a method that returns Matches O(1);
    rows, a count or a plan are computed when they are asked for.
    """

    def __init__(
        self,
        request: Request,
        shape: Shape = Shape(),
        prepared: tuple[_core.Match, _core.View] | None = None,
    ) -> None:
        self._request = request
        self._shape = shape
        self._prepared = prepared
        self._shares: tuple[_core.RankShare, ...] = ()
        self._prepare()  # a wrong pattern fails at once

    # ---- what to match, and what to keep of it ----

    @renamed_options("rizoma.Matches.where")
    def where(self, predicate: str, **parameters: Any) -> Matches:
        """Keep the matches for which `predicate` holds, such as "a.age > b.age and e.amount > 100".

        `parameters`: the values of its `$names`, as in `where("e.amount > $least", least=100)`.

        Raises ParseError if the predicate is wrong; a caret shows where.
        """
        predicate = unicode_text("where", predicate)
        if parameters:
            predicate = filled([predicate], parameters)[0]
        request = replace(self._request, where=(*self._request.where, predicate))
        return type(self)(request, self._shape)

    def select(self, *columns: str) -> Matches:
        """Keep these `columns`: names of vertices for their ids, `b.name` and `e.amount` for values.

        Raises ColumnNotFoundError if there is no such column.
        """
        listed = next((column for column in columns if not isinstance(column, str)), None)
        if listed is not None:
            raise InvalidArgumentError(f'select takes names one by one, as in select("a", "b"), not {listed!r}')
        for column in columns:
            self._column(column)
        return self._shaped(columns=columns)

    def distinct(self) -> Matches:
        """Keep each row once.  Cost: the distinct rows are gathered in memory."""
        return self._shaped(distinct=True)

    def sample(self, n: int, seed: int = 0) -> Matches:
        """Keep `n` random rows, the same ones for the same `seed` and graph; equal rows come together or not at all.

        Raises InvalidArgumentError if `n` is below 0.  Cost: all matches are enumerated; n rows are in memory.
        """
        whole_number("n", n, 0, 2**63 - 1)
        return self._shaped(sample=(n, whole_number("seed", seed, 0, 2**64 - 1)))

    def order_by(self, *columns: str) -> Matches:
        """Sort by these `columns`, in descending order if a name begins with "-".

        Rows without a value come last.

        Raises ColumnNotFoundError if there is no such column.  Cost: all rows are sorted in memory, or with `limit`
        only as many as it keeps.
        """
        for column in columns:
            self._sortable(column.removeprefix("-"))
        order = tuple(
            (column.removeprefix("-"), "descending" if column.startswith("-") else "ascending") for column in columns
        )
        return self._shaped(order=order)

    def part(self, index: int, count: int) -> Matches:
        """Keep the part `index` of `count` that together have all matches, so that several processes can share them.

        Parts are about equal in work.  It takes effect before all else.

        Raises InvalidArgumentError if there is no such part, or the pattern has no names.  Cost: that of the part.
        """
        whole_number("index", index, 0, whole_number("count", count, 1) - 1)
        if not self.schema.names:
            raise InvalidArgumentError("a pattern without names has no rows to divide; name a vertex or an edge")
        if self._shape.part != (0, 1):
            raise InvalidArgumentError("these matches are already a part; take parts of all matches")
        return self._shaped(part=(index, count))

    def limit(self, n: int) -> Matches:
        """Keep at most `n` rows, and stop matching as soon as there are enough.

        Raises InvalidArgumentError if `n` is below 0.
        """
        whole_number("n", n, 0, 2**63 - 1)
        return self._shaped(limit=n if self._shape.limit is None else min(n, self._shape.limit))

    def group_by(self, *columns: str) -> GroupedMatches:
        """Group the matches by `columns`; then `count()`.

        Raises ColumnNotFoundError if there is no such column, InvalidArgumentError without columns.
        """
        for column in columns:
            self._sortable(column)
        if not columns:
            raise InvalidArgumentError("group_by needs a column, as in group_by('a')")
        return GroupedMatches(self, columns)

    # ---- answers ----

    def count(self) -> int:
        """Return the number of rows.

        Cost: matches that are only counted are not enumerated where vertices at the end of the plan are independent of
        one another; a count after `distinct`, `sample` or `limit` enumerates them.
        """
        shape = self._shape
        if not self.columns:
            return self._rows_without_columns(self._count_all())
        if shape.distinct or shape.sample is not None or shape.part != (0, 1):
            return sum(batch.num_rows for batch in self._unordered().batches())
        if shape.limit is not None:
            return sum(batch.num_rows for batch in self._shaped(order=()).batches())
        return self._count_all()

    def _count_all(self) -> int:
        """Count all matches, which ranks share."""
        ranks = self._request.ranks
        with on_ranks(ranks):
            self._request.expect_same("match.count")
            with self._engine() as borrowed:
                found, shares = self._match(borrowed).count_shared(borrowed)
        self._shares = tuple(shares)
        return int(found)

    @property
    def shares(self) -> tuple[_core.RankShare, ...]:
        """What each rank did in the last count that data nodes and workers shared: blocks, lists, bytes, hits."""
        return self._shares

    def sharing_estimate(self, ranks: Sequence[int], data_nodes: int = 1) -> list[ShareEstimate]:
        """Return what data nodes and workers would send each other in a count, for each of the numbers in `ranks`.

        `data_nodes` of them hold the sections.

        Raises InvalidArgumentError if a number is below 1.  Cost: a sample of the plan's first steps, without any rank.
        """
        whole_number("data_nodes", data_nodes, 1)
        ranks = [whole_number("ranks", each, 1) for each in ranks]
        if not ranks:
            raise InvalidArgumentError("no number of ranks is given; write for example [2, 4]")
        with self._engine() as borrowed:
            match = self._match(borrowed)
            workers = match.estimate(borrowed, ranks, 0.0)
            holders = match.estimate(borrowed, ranks, 1.0 / data_nodes)
        if data_nodes < 2:
            holders = [(0.0, 0.0)] * len(workers)
        return [
            ShareEstimate(count, min(data_nodes, count), *worker, *holder)
            for count, worker, holder in zip(ranks, workers, holders, strict=True)
        ]

    sharing_forecast = renamed(sharing_estimate, "rizoma.Matches.sharing_forecast")

    def _rows_without_columns(self, found: int) -> int:
        """Rows of a pattern without names, such as `()-->()`: all are equal, and Arrow has none without columns."""
        shape = self._shape
        most = (1 if shape.distinct else None, None if shape.sample is None else shape.sample[0], shape.limit)
        return min(found, *(found if each is None else each for each in most))

    def exists(self) -> bool:
        """Return whether there is any match.  Cost: it stops at the first."""
        self._refuse_shared()
        if not self._match_names()[0]:
            with self._engine() as borrowed:
                found = int(self._match(borrowed).count(borrowed))
            return self._rows_without_columns(found) > 0
        if self._shape.keeps_none:
            return False
        shape = Shape(part=self._shape.part, columns=tuple(self._match_names()[0][:1]), limit=1)
        first = Matches(self._request, shape, self._prepared)
        return next(first.batches(), None) is not None

    def explain(self, run: bool = False, format: str = "text") -> str:
        """Return the plan: order, lists, estimates; with `run` also what counting by it found and took.

        `format`: "text", or "json", an object with the operators of each fragment and the nodes that they run on.

        Raises InvalidArgumentError as `count` does, and for another format.

        Cost: O(steps of the plan), with `run` that of `count`.
        """
        with self._engine() as borrowed:
            bound = self._match(borrowed)
            begin = time.perf_counter()
            text = bound.explain(borrowed, run)
        if format == "json":
            return json.dumps(intersect_plan(self._request.pattern, text, self._request.sharing[0]), indent=2)
        if format != "text":
            raise InvalidArgumentError(f"format={format!r} is not known; choose text or json")
        return f"{text}{time.perf_counter() - begin:.3g} s on {borrowed.threads} threads" if run else text

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(self._all_columns() if self._shape.columns is None else self._shape.columns)

    @property
    def schema(self) -> pa.Schema:
        """Names and types of the columns."""
        return pa.schema([(name, self._type_of(name)) for name in self.columns])

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the rows as Arrow record batches, in any order unless `order_by` gave one."""
        shape, schema = self._shape, self.schema
        names = list(schema.names)
        for column, _ in shape.order:  # the sorting columns and the kept columns may differ
            if column not in schema.names:
                schema = schema.append(pa.field(column, self._type_of(column)))
        rows = self._raw_batches(schema)
        if shape.distinct:
            rows = unique_rows(rows, schema)
        if shape.sample is not None:
            rows = sampled_rows(rows, schema, names, *shape.sample)
        if shape.order:
            rows = sorted_rows(rows, schema, shape.order, shape.limit)
        if len(schema) > len(names):
            rows = (batch.select(names) for batch in rows)
        return rows if shape.limit is None else first_rows(rows, shape.limit)

    def _first_rows(self, n: int) -> pa.Table | None:
        shape = self._shape
        if shape.distinct or shape.sample is not None or shape.order or self._is_shared:
            return None
        return self.limit(n).to_arrow()

    def __repr__(self) -> str:
        columns = ", ".join(f"{each.name}: {each.type}" for each in self.schema)
        return f"Matches({self._request.pattern!r}; {columns})"

    # ---- within ----

    def _shaped(self, **changes: Any) -> Matches:
        made = type(self)(self._request, replace(self._shape, **changes), self._prepared)
        if made._shape.distinct:
            for name in made.schema.names:
                made._sortable(name)
            other = next((name for name, _ in made._shape.order if name not in made.schema.names), None)
            if other is not None:
                raise InvalidArgumentError(f"distinct rows are sorted by their own columns: select {other!r}, too")
        return made

    def _unordered(self) -> Matches:
        """The same rows in any order, if no limit depends on it."""
        return self if self._shape.limit is not None else self._shaped(order=())

    def _engine(self) -> Any:
        threads, ranks = self._request.threads, self._request.ranks
        if ranks is not None and not threads and not current().threads:
            threads = local_threads(ranks)
        return engine(threads, self._request.progress)

    def _prepare(self) -> _core.Match:
        with self._engine() as borrowed:
            return self._match(borrowed)

    def _match(self, borrowed: _core.Engine) -> _core.Match:
        return self._bound(borrowed)[0]

    def _bound(self, borrowed: _core.Engine) -> tuple[_core.Match, _core.View]:
        if self._prepared is None:
            request = self._request
            view = request.state.view(borrowed)
            predicates = request.where
            where = predicates[0] if len(predicates) == 1 else " and ".join(f"({each})" for each in predicates)
            with names_told(request.state.schema, where):
                bound = _core.Match.prepare(
                    request.state,
                    view,
                    request.pattern,
                    where,
                    request.distinct,
                    list(request.anchors),
                    request.words,
                    request.sharing,
                    current().memory_limit,
                )
            self._prepared = bound, view
            if request.tell is not None:
                request.tell(request)
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

    def _find_column(self, name: str) -> Column | None:
        schema = self._request.state.schema
        vertices, edges = self._match_names()
        ids = "string" if schema.ids == _core.IdKind.string else "int64"
        if name in vertices:
            return Column(name, True, None, ids)
        for vertex in vertices:
            value = name.removeprefix(f"{vertex}.")
            kind = vertex_columns(schema).get(value)
            if value != name and (kind is not None or value == "id"):
                return Column(vertex, True, value if kind is not None else None, kind or ids)
        kinds = edge_columns(schema)
        if self._weighted:
            kinds["weight"] = schema.weights.name
        for edge in edges:
            value = name.removeprefix(f"{edge}.")
            if value != name and value in kinds:
                return Column(edge, False, value, kinds[value])
        return None

    def _column(self, name: str) -> Column:
        found = self._find_column(name)
        if found is None:
            known = self._known_columns()
            raise ColumnNotFoundError(
                f"the matches have no column {name!r}; {columns_meant(name) or f'there are {known}'}"
            )
        return found

    def _known_columns(self) -> str:
        schema = self._request.state.schema
        vertices, edges = self._match_names()
        known = [column for v in vertices for column in (v, *(f"{v}.{name}" for name in vertex_columns(schema)))]
        of_edges = [*(["weight"] if self._weighted else []), *edge_columns(schema)]
        known += [f"{edge}.{name}" for edge in edges for name in of_edges]
        return ", ".join(known) or "none"

    def _sortable(self, name: str) -> None:
        if kind_of(self._column(name).kind) == "list":
            raise InvalidArgumentError(
                f"{name} is a list, which cannot sort, group or distinguish rows; name another column"
            )

    def _type_of(self, name: str) -> pa.DataType:
        return arrow_type(self._column(name).kind)

    @property
    def _is_anchored(self) -> bool:
        return bool(self._request.anchors) or any(
            sign in text for text in (self._request.pattern, *self._request.where) for sign in ("{", "=", " in ")
        )

    def _raw_batches(self, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
        """The matches in the engine's order."""
        if replace(self._shape, columns=None) != Shape():
            self._refuse_shared()
        state = self._request.state
        columns = [self._column(name) for name in schema.names]
        of_vertices = list(dict.fromkeys(column.item for column in columns if column.of_vertex))
        of_edges = list(dict.fromkeys(column.item for column in columns if not column.of_vertex))
        valued = any(column.of_vertex and column.value is not None for column in columns)
        translate = state.schema.ids != _core.IdKind.string and not self._is_anchored and not valued
        for _, arrays in self._entries(of_vertices, of_edges, translate, schema.names):
            read = dict(zip((*of_vertices, *of_edges), arrays, strict=True))
            values = [self._values(column, read[column.item], translate) for column in columns]
            yield pa.record_batch(values, schema=schema)

    def _entries(
        self, of_vertices: list[str], of_edges: list[str], translate: bool, asked: Sequence[str] = (), together: int = 0
    ) -> Iterator[tuple[int, list[npt.NDArray[Any]]]]:
        """How many (or `together`), and of each vertex its internal id (or id), of each edge its weight or row."""
        state, shape = self._request.state, self._shape
        rows = ROWS if shape.limit is None or shape.order else max(1, min(ROWS, shape.limit))
        some = shape.limit is not None and not shape.order and shape.sample is None
        with self._engine() as borrowed:
            bound, view = self._bound(borrowed)
            stream = bound.rows(borrowed, state, view, of_vertices, of_edges, translate, some, shape.part)
            parts = None if self._is_shared else stream.next(borrowed, max(rows, together // borrowed.threads))
        ranks = self._request.ranks if self._is_shared else None
        if ranks is not None:
            with on_ranks(ranks):
                self._request.expect_same("match", asked)
        while parts is None or parts:
            yield from parts or ()
            with on_ranks(ranks), self._engine() as borrowed:
                parts = stream.next(borrowed, max(rows, together // borrowed.threads))

    @property
    def _is_shared(self) -> bool:
        """Whether data nodes and workers divide the rows among them."""
        return self._request.ranks is not None and self._request.sharing[0] != 0

    def _refuse_shared(self) -> None:
        """Refuse operations that would have to combine the rows of data nodes and workers."""
        if self._is_shared:
            raise UnsupportedError(
                "no rank sees all rows when there are data nodes; use limit, order_by, sample, distinct, part, "
                "exists and group_by without data_nodes"
            )

    def _values(self, column: Column, read: npt.NDArray[Any], translated: bool) -> pa.Array:
        """A column's values for vertices (ids, or internal ids) or edges (weights, or rows)."""
        state = self._request.state
        if column.of_vertex:
            if translated:
                return pa.array(read)
            numbers = read.view(np.uint64)
            if column.value is None:
                return arrow_ids(state.ids_of(numbers))
            return arrow_values(_core.vertex_values(state, column.value, numbers), column.kind)
        if not state.schema.rows:
            return pa.array(read)
        assert column.value is not None
        return arrow_values(_core.edge_values(state, column.value, read), column.kind)


_OF_GROUPS = {each: f'agg({each}="e.amount")' for each in _AGGREGATES} | {"mean": 'agg(avg="e.amount")'}
_OF_GROUPS |= {"size": "count()"} | dict.fromkeys(
    ("to_pandas", "to_arrow", "batches"), "count() or agg(...), then that"
)


@methods_checked
class GroupedMatches:
    """Matches by groups."""

    def __getattr__(self, name: str) -> NoReturn:
        raise attribute_missing(self, name, _OF_GROUPS)

    def __init__(self, matches: Matches, columns: tuple[str, ...]) -> None:
        self._matches = matches
        self._columns = columns

    def count(self) -> GroupCounts:
        """The number of matches of each group: a relation of the columns and `count`.

        Cost: of this call none; reading it enumerates the matches and keeps a number for each group.
        """
        return GroupCounts(self._matches, self._columns)

    def agg(self, **functions: str | Sequence[str]) -> GroupAggregates:
        """Sums and so on of each group: `agg(sum="e.amount", avg=["e.amount", "b.age"])`.

        `functions` are sum, avg, min and max, of a column or several; null is left out.  The columns of the relation
        are those of the groups, `sum(e.amount)` and so on in the order given, and `count`, the number of matches.

        Raises InvalidArgumentError for another function or a column that is no number (min and max take text and
        times), ColumnNotFoundError.  Cost: of this call none; reading it enumerates the matches and keeps a row for
        each group.
        """
        parts = []
        for function, columns in functions.items():
            if function not in _AGGREGATES:
                raise InvalidArgumentError(f"there is no aggregate {function!r}; there are {', '.join(_AGGREGATES)}")
            parts += [(function, name) for name in ([columns] if isinstance(columns, str) else columns)]
        if not parts:
            raise InvalidArgumentError("agg needs a function and a column, as in agg(sum='e.amount')")
        return GroupAggregates(self._matches, self._columns, tuple(parts))


class _Groups(Relation):
    """A row for each group, which may be sorted and limited."""

    def __init__(self, matches: Matches, columns: tuple[str, ...]) -> None:
        self._matches = matches
        self._columns = columns
        self._order: tuple[tuple[str, str], ...] = ()
        self._limit: int | None = None

    def order_by(self, *columns: str) -> Self:
        """Sort by these columns, falling if a name begins with "-"; with `limit` only the first groups are kept."""
        order = [(each.removeprefix("-"), "descending" if each.startswith("-") else "ascending") for each in columns]
        for name, _ in order:
            if name not in self.schema.names:
                known = columns_meant(name) or f"there are {', '.join(self.schema.names)}"
                raise ColumnNotFoundError(f"groups have no column {name!r}; {known}")
        made = copy(self)
        made._order = tuple(order)
        return made

    def limit(self, n: int) -> Self:
        """Keep at most n groups, after sorting."""
        whole_number("n", n, 0, 2**63 - 1)
        made = copy(self)
        made._limit = n if self._limit is None else min(n, self._limit)
        return made

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield a row for each group."""
        self._matches._refuse_shared()
        rows = self._groups()
        if self._order:
            rows = sorted_rows(rows, self.schema, self._order, self._limit)
        yield from rows if self._limit is None else first_rows(rows, self._limit)

    def _groups(self) -> Iterator[pa.RecordBatch]:
        raise NotImplementedError

    def __repr__(self) -> str:
        columns = ", ".join(f"{each.name}: {each.type}" for each in self.schema)
        return f"{type(self).__name__}({self._matches._request.pattern!r}; {columns})"


class GroupAggregates(_Groups):
    """Sums, averages, least and greatest values of each group, and the number of its matches."""

    def __init__(self, matches: Matches, columns: tuple[str, ...], parts: tuple[tuple[str, str], ...]) -> None:
        super().__init__(matches, columns)
        self._parts = parts
        for function, name in parts:
            kind = matches._type_of(name)
            matches._sortable(name)
            number = pa.types.is_integer(kind) or pa.types.is_floating(kind)
            if function in ("sum", "avg") and not number:
                raise InvalidArgumentError(
                    f"{function} takes numbers, and {name} is {matches._column(name).kind}; use min, max or another "
                    "column"
                )

    @property
    def schema(self) -> pa.Schema:
        """Names and types of the columns."""
        fields = [(name, self._matches._type_of(name)) for name in self._columns]
        fields += [(f"{function}({name})", self._result_type(function, name)) for function, name in self._parts]
        return pa.schema([*fields, ("count", pa.int64())])

    def _result_type(self, function: str, name: str) -> pa.DataType:
        kind = self._matches._type_of(name)
        if function in ("min", "max"):
            return kind
        return pa.int64() if function == "sum" and pa.types.is_integer(kind) else pa.float64()

    def _groups(self) -> Iterator[pa.RecordBatch]:
        names = list(dict.fromkeys([*self._columns, *(name for _, name in self._parts)]))
        keys = [f"k{i}" for i in range(len(self._columns))]
        gathered = None
        for batch in self._matches.select(*names)._unordered().batches():
            columns = dict(zip(keys, (batch.column(name) for name in self._columns), strict=True))
            columns["n"] = pa.array(np.ones(batch.num_rows, np.int64))
            for i, (function, name) in enumerate(self._parts):
                values = batch.column(name)
                if function in ("sum", "avg"):
                    columns[f"c{i}"] = values.is_valid().cast(pa.int64())
                    values = values.cast(pa.int64() if function == "sum" and not _is_float(values) else pa.float64())
                columns[f"v{i}"] = values
            some = pa.table(columns)
            gathered = self._merged(some if gathered is None else pa.concat_tables([gathered, some]), keys)
        if gathered is None:
            return
        made = [gathered[key] for key in keys]
        for i, (function, _) in enumerate(self._parts):
            values = gathered[f"v{i}"]
            if function == "avg":
                counts = pc.if_else(pc.equal(gathered[f"c{i}"], 0), None, gathered[f"c{i}"])
                values = pc.divide(values, counts.cast(pa.float64()))
            made.append(pc.fill_null(values, 0) if function == "sum" else values)
        yield from pa.table([*made, gathered["n"]], schema=self.schema).combine_chunks().to_batches()

    def _merged(self, table: pa.Table, keys: list[str]) -> pa.Table:
        names = [name for name in table.column_names if name not in keys]
        how = {f"v{i}": function for i, (function, _) in enumerate(self._parts) if function in ("min", "max")}
        parts = [(name, how.get(name, "sum")) for name in names]
        made = table.group_by(keys).aggregate(parts)
        return made.select([*keys, *(f"{name}_{one}" for name, one in parts)]).rename_columns([*keys, *names])


def _is_float(values: pa.Array) -> bool:
    return bool(pa.types.is_floating(values.type))


class GroupCounts(_Groups):
    """The number of matches of each group that has some."""

    @property
    def schema(self) -> pa.Schema:
        """Names and types of the columns."""
        fields = [(name, self._matches._type_of(name)) for name in self._columns]
        return pa.schema([*fields, ("count", pa.int64())])

    def _groups(self) -> Iterator[pa.RecordBatch]:
        shape = self._matches._shape
        column = self._matches._column(self._columns[0])
        plain = shape.part == (0, 1) and not shape.distinct and shape.sample is None and shape.limit is None
        if plain and len(self._columns) == 1 and column.of_vertex:
            yield from self._by_vertex(column)
        else:
            yield from self._by_rows()

    def _by_vertex(self, column: Column) -> Iterator[pa.RecordBatch]:
        """Count the groups without making rows."""
        with self._matches._engine() as borrowed:
            found, counts = self._matches._match(borrowed).count_by(borrowed, column.item)
        values = self._matches._values(column, found, translated=False)
        groups = pa.table([values, pa.array(counts.astype(np.int64))], schema=self.schema)
        yield from (groups if column.value is None else self._summed(groups)).to_batches()

    def _summed(self, groups: pa.Table) -> pa.Table:
        summed = groups.group_by(list(self._columns)).aggregate([("count", "sum")])
        return summed.select([*self._columns, "count_sum"]).rename_columns(self.schema.names).combine_chunks()

    def _by_rows(self) -> Iterator[pa.RecordBatch]:
        gathered = self.schema.empty_table()
        chosen = self._matches.select(*self._columns)._unordered()
        for batch in chosen.batches():
            ones = pa.array(np.ones(batch.num_rows, np.int64))
            some = pa.table([*batch.columns, ones], schema=self.schema)
            gathered = self._summed(pa.concat_tables([gathered, some]))
        yield from gathered.to_batches()


class NumberedMatches:
    """The matches of a pattern by internal ids, for a plan that reads what they mean later."""

    def __init__(
        self,
        state: _core.Snapshot,
        pattern: str,
        where: Sequence[str],
        anchors: Mapping[str, npt.NDArray[np.uint64]],
        words: tuple[str, str],
        threads: int | None,
        progress: ProgressFunction | bool | None,
        distinct: str,
    ) -> None:
        kind = enum_value(_core.DistinctMatches, "distinct", distinct)
        self._matches = Matches(
            Request(state, pattern, tuple(where), kind, tuple(anchors.items()), words, threads, progress, None)
        )

    def count(self) -> int:
        """The number of matches, which are not enumerated."""
        return self._matches.count()

    def count_by(self, vertex: str) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
        """The vertices that a name stands for, by internal id, ascending, and the number of matches of each."""
        with self._matches._engine() as borrowed:
            found, counts = self._matches._match(borrowed).count_by(borrowed, vertex)
        return found, counts.astype(np.int64)

    def explain(self, run: bool) -> str:
        """The plan as text."""
        return self._matches.explain(run)

    def rows(self, vertices: list[str], edges: list[str], together: int = 0) -> Iterator[tuple[int, list[Any]]]:
        """How many matches, and the columns of vertices and edges, some at a time, or about `together`."""
        return self._matches._entries(vertices, edges, False, together=together)


def request_of(
    state: _core.Snapshot,
    pattern: str,
    where: str | None = None,
    distinct: str | None = None,
    anchors: Mapping[str, VertexKey | Iterable[VertexKey]] | None = None,
    words: tuple[str, str] = ("label", "type"),
    threads: int | None = None,
    progress: ProgressFunction | bool | None = None,
    ranks: _core.Ranks | None = None,
    sharing: tuple[int, int] = (0, 0),
    made_by: str = "graph",
    tell: Callable[[Request], None] | None = None,
) -> Request:
    """What is asked for by `Reader.match`; `words`: the columns of labels and types, `sharing`: as in `Request`."""
    kind = enum_value(_core.DistinctMatches, "distinct", distinct or "none")
    for name in anchors or {}:
        meant = None if re.search(rf"\(\s*`?{re.escape(name)}\b", pattern) else argument_meant(name, _OPTIONS)
        if meant is not None:
            raise TypeError(f"match() has no argument {name!r}, and the pattern no vertex; did you mean {meant}?")
    found = tuple((name, _vertices(state, name, ids)) for name, ids in (anchors or {}).items())
    predicates = () if where is None else (unicode_text("where", where),)
    pattern = unicode_text("the pattern", pattern)
    return Request(state, pattern, predicates, kind, found, words, threads, progress, ranks, sharing, made_by, tell)


def _vertices(state: _core.Snapshot, name: str, ids: VertexKey | Iterable[VertexKey]) -> npt.NDArray[np.uint64]:
    """Internal ids of the vertices that a name may stand for; those of a list that are missing are left out."""
    if not isinstance(ids, (str, int, np.integer, Iterable)):
        raise InvalidArgumentError(f"{name}={ids!r} is not a vertex; give a vertex, or a list of vertices")
    single = isinstance(ids, (str, int, np.integer))
    several: Any = [ids] if single else ids
    numbers = find_many(state, several)
    if single and numbers[0] == _NO_VERTEX:
        method = f"; of the matches there is {name}({ids!r})" if name in _OF_MATCHES else ""
        there = method or ids_there(state, ids)
        raise VertexNotFoundError(f"{name}={ids!r} names a vertex that the graph does not have{there}")
    return np.ascontiguousarray(numbers[numbers != _NO_VERTEX], np.uint64)
