"""Matches of patterns with optional parts, absent edges of a type, and paths as values.

The engine matches what it can; the rest is joined with it by the plan that runs queries (`opencypher`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from .. import _core
from ..core.errors import InvalidArgumentError, ParseError, RizomaError, UnsupportedError
from ..core.lazy_arrow import pa
from ..core.read_warnings import warn_of
from .match import Column, Matches, Request, Shape
from .opencypher import syntax as s
from .opencypher.graph_values import GraphColumns
from .opencypher.match_parser import MatchPart, parts_of_match
from .opencypher.missing_names import missing_names
from .opencypher.query import Query
from .opencypher.tokens import Source
from .parameters import with_names

__all__ = ["ComposedMatches", "matches_of", "tell_missing"]


_NAME = re.compile(r":|\w{3}")  # what `missing_names` may have to say something of


def _quoted(name: str) -> str:
    """A name as patterns write it."""
    return "`" + name.replace("`", "``") + "`"


_OF_PATHS = {"length": "length", "vertices": "nodes", "edges": "relationships"}
"""What a path has, and the function that gives it."""


def matches_of(request: Request) -> Matches:
    """The matches of a pattern: by the engine alone, if it can."""
    try:
        return Matches(request)
    except RizomaError as error:
        try:
            parts = parts_of_match(Source(request.pattern))
        except ParseError as other:
            if _place(other) > _place(error):  # it has read more of the pattern
                raise other from None
            raise error from None
        if all(each.is_engines for each in parts):
            raise
    return ComposedMatches(request)


def tell_missing(request: Request) -> None:
    """Warn of labels, types and ids in a pattern that nothing has.  Cost: as of `missing_names`."""
    if _NAME.search(request.pattern) is None or request.ranks is not None:
        return
    source = Source(request.pattern)
    try:
        paths = tuple(each.path for each in parts_of_match(source))
    except ParseError:  # of a pattern that the engine alone reads
        return
    graph = GraphColumns(request.state, request.words, request.threads, request.progress)
    anchored = {name for name, _ in request.anchors}
    warn_of(str(source.error(place, what)) for place, what in missing_names(paths, graph, anchored))


def _place(error: RizomaError) -> int:
    """Where the caret of an error stands."""
    last = str(error).splitlines()[-1]
    return len(last) if last.endswith("^") else -1


class _Names:
    """The names of a pattern, in the order in which they appear."""

    def __init__(self, parts: Sequence[MatchPart]) -> None:
        shown = [each.path for each in parts if each.kind != "absent"]
        edges = [edge for path in shown for edge in path.edges if edge.name is not None]
        self.vertices = _once(node.name for path in shown for node in path.nodes)
        self.edges = _once(edge.name for edge in edges if not edge.repeated)
        self.lists = _once(edge.name for edge in edges if edge.repeated)
        self.paths = _once(path.name for path in shown)


def _once(names: Any) -> list[str]:
    return list(dict.fromkeys(name for name in names if name is not None))


class ComposedMatches(Matches):
    """The matches of a pattern that the engine matches in part, and that are joined with the rest.

    A repeated edge that has a name is a column of lists of edges, and a path that has one a struct of its `vertices`
    and `edges`; `p.length`, `p.vertices` and `p.edges` are there when `select` names them.
    """

    def __init__(self, request: Request, shape: Shape | None = None, prepared: Any = None) -> None:
        self._request = request
        self._shape = Shape() if shape is None else shape
        self._prepared = prepared
        self._shares = ()
        self._source = Source(request.pattern)
        self._parts = parts_of_match(self._source)
        self._names = _Names(self._parts)
        if request.ranks is not None:
            self._refuse("run on one process")
        self._kinds: dict[str, pa.DataType] = {}
        self._check_where()
        self._query(())  # a wrong pattern fails at once

    # ---- answers ----

    def part(self, index: int, count: int) -> NoReturn:
        """Refuse: there are no parts of these matches."""
        self._refuse("are not divided")

    def sharing_estimate(self, ranks: Sequence[int], data_nodes: int = 1) -> NoReturn:
        """Refuse: ranks do not share these matches."""
        self._refuse("run on one process")

    def exists(self) -> bool:
        """Return whether there is any match.  Cost: it stops at the first rows."""
        if self._shape.keeps_none:
            return False
        return any(batch.num_rows for batch in self._query((), limit=1).batches())

    def explain(self, run: bool = False, format: str = "text") -> str:
        """Return the plan as text: the engine's plan of each part, and what is joined with it."""
        if format != "text":
            raise InvalidArgumentError("the plan of several patterns is text; explain them one by one for JSON")
        return self._query(tuple(self.columns)).explain(run)

    # ---- within ----

    def _check_where(self) -> None:
        """Refuse predicates on what may be missing, and wrong ones, by the names of the pattern."""
        if not self._request.where:
            return
        must = _Names([each for each in self._parts if each.kind == "all"])
        known = {*must.vertices, *must.edges}
        shown = [*self._names.vertices, *self._names.edges, *self._names.lists, *self._names.paths]
        none: dict[str, str | None] = {name: None for name in shown if name not in known}
        for predicate in self._request.where:
            with_names(predicate, none)
        vertices = [f"({_quoted(name)})" for name in must.vertices]
        alone = ", ".join([*vertices, *(f"()-[{_quoted(name)}]->()" for name in must.edges)])
        if alone:
            Matches(replace(self._request, pattern=alone, anchors=(), distinct=_core.DistinctMatches.none))

    def _refuse(self, what: str) -> NoReturn:
        raise UnsupportedError(
            f"patterns with optional parts, typed absent edges or paths as values {what}; match the other parts"
        )

    def _count_all(self) -> int:
        counted = s.Call(0, "count", (), False, True)
        table = self._query((), [s.Item(counted, "count", True, 0)]).to_arrow()
        return int(table.column(0)[0].as_py())

    def _query(self, columns: tuple[str, ...], items: Sequence[s.Item] = (), limit: int | None = None) -> Query:
        """The query that gives these columns, or items, of all matches."""
        chosen = [*items, *(s.Item(self._expression(name), name, True, 0) for name in columns)]
        most = None if limit is None else s.Literal(0, limit)
        shown = tuple(chosen) or (s.Item(s.Literal(0, 1), "one", True, 0),)
        last = s.Projection(False, shown, False, (), None, most, None, True, 0)
        request = self._request
        graph = GraphColumns(
            request.state,
            request.words,
            request.threads,
            request.progress,
            request.distinct.name,
            self._predicates(),
            dict(request.anchors),
        )
        return Query(self._source, s.Union(((*self._clauses(), last),), False, ()), {}, graph)

    def _predicates(self) -> tuple[str, ...]:
        return tuple(f"({each})" for each in self._request.where)

    def _clauses(self) -> list[s.Clause]:
        """The parts as clauses: those that must match, without those that must not, then the optional ones."""
        must = tuple(each.path for each in self._parts if each.kind == "all")
        if not must:
            raise self._source.error(0, "a pattern needs a part that must match; put a vertex before, as in (a), ...")
        where: s.Expression | None = None
        for each in self._parts:
            if each.kind == "absent":
                absent = s.Unary(each.path.place, "NOT", s.PatternValue(each.path.place, "exists", (each.path,), None))
                where = absent if where is None else s.Binary(each.path.place, "AND", where, absent)
        optional = (each.path for each in self._parts if each.kind == "optional")
        return [s.MatchClause(must, where, False, 0), *(s.MatchClause((p,), None, True, p.place) for p in optional)]

    # ---- columns ----

    def _match_names(self) -> tuple[list[str], list[str]]:
        return self._names.vertices, self._names.edges

    def _all_columns(self) -> list[str]:
        return [*super()._all_columns(), *self._names.lists, *self._names.paths]

    def _expression(self, name: str) -> s.Expression:
        """What gives a column."""
        if name in (*self._names.vertices, *self._names.lists, *self._names.paths):
            return s.Variable(0, name)
        for path in self._names.paths:
            if name.startswith(f"{path}."):
                return s.Call(0, _OF_PATHS[name.removeprefix(f"{path}.")], (s.Variable(0, path),))
        found = super()._find_column(name)
        assert found is not None  # it was asked for by `_column`
        value = "id" if found.value is None else found.value
        return s.Property(0, s.Variable(0, found.item), value)

    def _find_column(self, name: str) -> Column | None:
        of_path = {f"{path}.{part}" for path in self._names.paths for part in _OF_PATHS}
        if name in (*self._names.lists, *self._names.paths, *of_path):
            return Column(name, False, None, str(self._type_of(name)))
        found = super()._find_column(name)
        return None if found is None else Column(found.item, False, found.value, found.kind)

    def _known_columns(self) -> str:
        own = [*self._names.lists, *(f"{path}.{part}" for path in self._names.paths for part in _OF_PATHS)]
        return ", ".join([super()._known_columns(), *own])

    def _sortable(self, name: str) -> None:
        self._column(name)  # or there is none
        if pa.types.is_nested(self._type_of(name)):
            raise InvalidArgumentError(f"{name} cannot sort, group or distinguish rows; name another column")
        super()._sortable(name)

    def _type_of(self, name: str) -> pa.DataType:
        if name not in self._kinds:
            self._kinds[name] = self._query((name,)).schema.field(0).type
        return self._kinds[name]

    def _raw_batches(self, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
        return self._query(tuple(schema.names)).batches()
