"""Reads a pattern of `match`: what the engine's own parser reads, and optional, absent and named parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from . import syntax as s
from .expression_parser import ExpressionParser
from .tokens import Source

__all__ = ["MatchPart", "parts_of_match"]


@dataclass(frozen=True)
class MatchPart:
    """A path of a pattern."""

    kind: str
    """"all" (it must match), "optional" or "absent"."""
    path: s.PathPattern

    @property
    def is_engines(self) -> bool:
        """Whether the engine matches such a path itself."""
        edges = self.path.edges
        if self.kind == "optional" or self.path.name is not None:
            return False
        if self.kind == "absent" or self.path.shortest:
            return not any(each.name or each.types or each.properties for each in edges)
        return not any(each.repeated and (each.name or each.most is None) for each in edges)


def parts_of_match(source: Source) -> tuple[MatchPart, ...]:
    """The paths of a pattern.  Raises `ParseError` with the place."""
    return tuple(_Parser(source).parts())


class _Parser(ExpressionParser):
    def parts(self) -> Iterator[MatchPart]:
        yield self._part()
        while self.sign(",") or self.sign(";"):
            if self.next.kind == "end":
                return
            yield self._part()
        if self.next.kind != "end":
            self.wrong(f'expected "," or the end of the pattern, not {self.shown()}')

    def _part(self) -> MatchPart:
        if self.word("OPTIONAL"):
            return MatchPart("optional", self.path())
        if not self.sign("!"):
            return MatchPart("all", self.path())
        path = self.path()
        alone = len(path.edges) == 1 and path.edges[0].repeated and path.edges[0].name is None
        if alone and path.edges[0].least <= 1:
            path = replace(path, shortest="any")  # whether there is a way at all
        return MatchPart("absent", path)

    def path(self) -> s.PathPattern:
        """Read a path, with its name and `shortest` if they are there."""
        place, name, shortest = self.next.place, None, None
        if self.next.kind in ("word", "quoted") and self.peek_sign("=", ahead=1):
            name = self.name("of a path")
            self.at += 1
        if self.word("ALL", "SHORTEST"):
            shortest = "all"
        elif self.word("ANY", "SHORTEST") or self.word("SHORTEST"):
            shortest = "any"
        nodes, edges = [self.node()], []
        while self.peek_sign("-", "<"):
            edges.append(self._counted(self.edge()))
            nodes.append(self.node())
        if shortest is not None and (len(edges) != 1 or not edges[0].repeated):
            self.wrong(
                "shortest takes two vertices and one repeated edge: shortest (a)-[*]->(b)",
                edges[0].place if edges else place,
            )
        if shortest is not None and (edges[0].least != 1 or edges[0].most == 0):
            self.wrong("a shortest path has 1 edge or more; write *, or *..5 for at most 5", edges[0].place)
        return s.PathPattern(name, tuple(nodes), tuple(edges), shortest, place)

    def end_of_edge(self, bracketed: bool) -> None:
        """Read the dash that ends an edge; without brackets one dash is enough."""
        if bracketed:
            self.expect("-", "after the edge")
        else:
            self.sign("-")

    def _counted(self, edge: s.EdgePattern) -> s.EdgePattern:
        """The edge with the `{1,3}` behind it."""
        if not self.sign("{"):
            return edge
        least = self._whole()
        most = self._whole() if self.sign(",") else least
        self.expect("}", "after numbers of edges")
        return replace(edge, repeated=True, least=1 if least is None else least, most=most)
