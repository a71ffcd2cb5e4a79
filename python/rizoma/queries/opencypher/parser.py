"""Reads a query: clauses and what they are made of."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ...core.suggestions import suggestion
from . import syntax as s
from .expression_parser import ExpressionParser
from .tokens import Source

__all__ = ["parse"]

_CHANGES = {
    "CREATE": "add_edges and add_vertices",
    "MERGE": "add_edges and add_vertices, which add what is not there",
    "SET": "g.set",
    "DELETE": "remove_edges and remove_vertices",
    "DETACH": "remove_vertices",
    "REMOVE": "g.set with null",
}
_CLAUSES = ("match", "optional", "unwind", "with", "return", "where", "order", "limit", "skip", "desc")

_OTHERS = {
    "CALL": "procedures are functions of Python, such as rz.pagerank(g); store a result as a column and match it",
    "BEGIN": "a query reads one state; graph.batch() makes several changes one",
    "DROP": "queries read; remove_vertices, drop_column and untag change a graph, and a store is a directory",
    "EXPLAIN": "print(query.explain()) shows how a query runs; leave EXPLAIN out",
    "FOREACH": "FOREACH changes a graph; use a loop of Python",
    "INSERT": "queries read; change a graph with add_edges and add_vertices",
    "LOAD": "rizoma import and rz.read load files",
    "PROFILE": "print(query.explain()) shows how a query runs; leave PROFILE out",
    "SELECT": "this is no SQL: write MATCH (a)-->(b) RETURN a, b; DuckDB runs SQL over graph.edges.to_arrow()",
    "SHOW": "graph.info(), graph.vertices.schema and graph.edges.schema say what there is",
    "UPDATE": "queries read; change a graph with g.set",
    "USE": "a query reads the graph that it is asked of",
    "YIELD": "YIELD belongs to CALL, which is not there",
}


_OPERATORS = {
    "&": "write AND",
    "&&": "write AND",
    "|": "write OR",
    "||": "write OR",
    "LIKE": "write STARTS WITH 'a', ENDS WITH 'a', CONTAINS 'a' or =~ 'a.*'",
    "ILIKE": "write toLower(x) CONTAINS 'a'",
    "BETWEEN": "write 1 <= x <= 2",
    "CONTAIN": "write CONTAINS 'a'",
    "INCLUDES": "write CONTAINS 'a'",
    "STARTSWITH": "write STARTS WITH 'a'",
    "ENDSWITH": "write ENDS WITH 'a'",
    "IS": "IS stands before NULL and NOT NULL; values are compared by =, as in a.type = 'PAID'",
    "ISNULL": "write IS NULL",
    "NOTNULL": "write IS NOT NULL",
    "MATCHES": "write =~ 'a.*'",
    "REGEXP": "write =~ 'a.*'",
    "RLIKE": "write =~ 'a.*'",
    "~": "write =~ 'a.*'",
}
"""What other languages have between values, and what is written here."""

_MOST_DEEP = 100
_MOST_KEPT = 4096  # characters: the tree of a long list of numbers takes megabytes


def parse(text: str) -> tuple[Source, s.Union]:
    """A query as it is written; the last ones that are not long are kept.  Raises `ParseError` with the place."""
    return _kept(text) if len(text) <= _MOST_KEPT else _parsed(text)


@lru_cache(256)
def _kept(text: str) -> tuple[Source, s.Union]:
    return _parsed(text)


def _parsed(text: str) -> tuple[Source, s.Union]:
    source = Source(text)
    try:
        parsed = _Parser(source).union()
    except RecursionError:
        what = "brackets nested this deep do not fit Python's stack here; divide the query by WITH"
        raise source.error(0, what) from None
    _refuse_deep(source, parsed)
    return source, parsed


def _refuse_deep(source: Source, parsed: s.Union) -> None:
    """Refuse expressions within expressions that calls within calls cannot follow."""
    level: list[Any] = [parsed]
    for _ in range(_MOST_DEEP):
        level = [part for each in level for part in s.parts_of(each)]
        if not level:
            return
    place = next((each.place for each in level if isinstance(each, s.Expression)), 0)
    raise source.error(place, f"more than {_MOST_DEEP} operations within each other; divide the query by WITH")


class _Parser(ExpressionParser):
    def union(self) -> s.Union:
        queries, places, kinds = [self._single()], [], set()
        while self.peek_word("UNION"):
            places.append(self.next.place)
            self.at += 1
            kinds.add(self.word("ALL"))
            if len(kinds) > 1:
                self.wrong("UNION and UNION ALL do not go together; use one of them", places[-1])
            queries.append(self._single())
        self.sign(";")
        if self.next.kind != "end":
            self.wrong(f"expected a clause or the end, not {self.shown()}{self._meant_instead()}")
        return s.Union(tuple(queries), kinds == {True}, tuple(places))

    def _meant_instead(self) -> str:
        """What a word behind the last clause of a query may mean."""
        word = self.next.text.upper() if self.next.kind == "word" else ""
        if self.tokens[self.at - 1].text == ";":
            return "; ask one query at a time"
        if word == "WHERE":
            return "; it stands behind MATCH or WITH, before RETURN"
        if word == "GROUP":
            return "; rows are grouped by what RETURN names beside count(*) and the like: leave GROUP BY out"
        if word == "HAVING":
            return "; filter groups in a second step: WITH ..., count(*) AS n WHERE n > 1 RETURN ..."
        if word == "ORDER" and any(each.text.upper() in ("SKIP", "LIMIT") for each in self.tokens[: self.at]):
            return "; ORDER BY stands before SKIP and LIMIT"
        if word in ("ORDER", "ORDERBY", "SORT"):
            return "; did you mean ORDER BY?"
        meant = (suggestion(word, _CLAUSES) or "").upper() if word else ""
        return f"; did you mean {meant}?" if meant and meant != word else ""

    def _single(self) -> s.Single:
        clauses: list[s.Clause] = []
        while True:
            clause = self._clause()
            clauses.append(clause)
            if isinstance(clause, s.Projection) and clause.last:
                return tuple(clauses)

    def _clause(self) -> s.Clause:
        place = self.next.place
        if self.word("OPTIONAL", "MATCH"):
            return self._match(place, True)
        if self.word("MATCH"):
            return self._match(place, False)
        if self.word("UNWIND"):
            source = self.expression()
            self.expect_word("AS", "after the list of UNWIND")
            return s.Unwind(source, self.name("of an element"), place)
        if self.word("WITH"):
            return self._projection(place, False)
        if self.word("RETURN"):
            return self._projection(place, True)
        upper = self.next.text.upper() if self.next.kind == "word" else ""
        if upper in _CHANGES:
            self.wrong(f"queries read; change a graph with {_CHANGES[upper]}")
        if upper in _OTHERS:
            self.wrong(_OTHERS[upper])
        if self.next.kind == "end":
            self.wrong("a query ends with RETURN")
        self.wrong(f"expected MATCH, OPTIONAL MATCH, UNWIND, WITH or RETURN, not {self.shown()}{self._clause_meant()}")

    def _clause_meant(self) -> str:
        """What may be meant by what begins no clause."""
        word = self.next.text.upper() if self.next.kind == "word" else self.next.text
        if word in _OPERATORS:
            return f"; {_OPERATORS[word]}"
        if word in ("LIMIT", "ORDER", "SKIP"):
            return f"; it stands behind RETURN, as in RETURN a {word if word != 'ORDER' else 'ORDER BY a.id'}"
        if word == "(":
            return "; a pattern without MATCH is for match"
        if word == "=" and self.tokens[self.at + 1].text == ">":
            return "; an edge is written -->"
        meant = suggestion(self.next.text, _CLAUSES) if self.next.kind == "word" else None
        return "" if meant is None else f"; did you mean {meant.upper()}?"

    def _match(self, place: int, optional: bool) -> s.MatchClause:
        paths = self.paths()
        where = self.expression() if self.word("WHERE") else None
        return s.MatchClause(paths, where, optional, place)

    def _projection(self, place: int, last: bool) -> s.Projection:
        distinct = self.word("DISTINCT")
        starred = self.sign("*")
        items: list[s.Item] = []
        if not starred or self.sign(","):
            items.append(self._item())
            while self.sign(","):
                items.append(self._item())
        order: list[tuple[s.Expression, bool]] = []
        if self.word("ORDER", "BY"):
            order.append(self._sort())
            while self.sign(","):
                order.append(self._sort())
        skip = self.expression() if self.word("SKIP") or self.word("OFFSET") else None
        limit = self.expression() if self.word("LIMIT") else None
        where = self.expression() if not last and self.word("WHERE") else None
        return s.Projection(starred, tuple(items), distinct, tuple(order), skip, limit, where, last, place)

    def _item(self) -> s.Item:
        place = self.next.place
        expression = self.expression()
        end = self.tokens[self.at - 1].end
        if self.word("AS"):
            return s.Item(expression, self.name("of a column"), True, place)
        name = expression.name if isinstance(expression, s.Variable) else self.source.text[place:end]
        return s.Item(expression, name, False, place)

    def _sort(self) -> tuple[s.Expression, bool]:
        expression = self.expression()
        descends = self.word("DESC") or self.word("DESCENDING")
        if not descends and not self.word("ASC"):
            self.word("ASCENDING")
        return expression, descends
