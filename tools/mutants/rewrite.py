"""Rewrites a C++ source so that it holds many mutants of itself, each switched on by its number.

`mutant(k)` in the rewritten source is true for the mutant chosen at the start of the program (switch.h). Without one
the program does what the source says. Lines keep their numbers, so what a compiler says of a line holds for both.

Kinds of mutants, found on clang's tree:
  branch     the condition of an if, a loop or a ?: is the other way round
  part       one side of `a && b` or `a || b` is left out
  bound      `<` becomes `<=`, `<=` becomes `<`, `>` and `>=` alike
  equal      `==` becomes `!=`, and back
  step       `a + b` becomes `a - b`, and back
  answer     a function that returns a bool returns the other one
  call       a call that stands as a statement is left out
  try        a step whose error would be returned (RIZOMA_TRY: syncs, writes, checks of what was read) is left out
  check      a check for bugs (RIZOMA_CHECK, RIZOMA_DCHECK) is left out

Not rewritten: what a macro other than these writes, constant expressions, headers.
"""

from __future__ import annotations

import bisect
from dataclasses import dataclass, field
from pathlib import Path

from clang import cindex
from clang.cindex import CursorKind as Kind

STATEMENTS = {"RIZOMA_TRY": "try", "RIZOMA_CHECK": "check", "RIZOMA_DCHECK": "check"}
SWAPPED = {
    "<": ("bound", "<="),
    "<=": ("bound", "<"),
    ">": ("bound", ">="),
    ">=": ("bound", ">"),
    "==": ("equal", "!="),
    "!=": ("equal", "=="),
    "+": ("step", "-"),
    "-": ("step", "+"),
}
BRANCHES = {Kind.IF_STMT, Kind.WHILE_STMT, Kind.DO_STMT, Kind.FOR_STMT, Kind.CONDITIONAL_OPERATOR}
FUNCTIONS = {
    Kind.CXX_METHOD,
    Kind.FUNCTION_DECL,
    Kind.FUNCTION_TEMPLATE,
    Kind.CONSTRUCTOR,
    Kind.DESTRUCTOR,
    Kind.CONVERSION_FUNCTION,
    Kind.LAMBDA_EXPR,
}


@dataclass(frozen=True)
class Site:
    """A place that can be mutated: the bytes begin..end, of which left_end..right is the operator, if there is one."""

    begin: int
    end: int
    kind: str
    line: int
    left_end: int = 0
    right: int = 0
    operator: str = ""


@dataclass
class Source:
    """A parsed source and its sites."""

    path: Path
    text: bytes
    sites: list[Site] = field(default_factory=list)


class Finder:
    """Walks clang's tree of one source."""

    def __init__(self, unit: cindex.TranslationUnit, path: Path) -> None:
        self.path = str(path)
        self.source = Source(path, path.read_bytes())
        self.macros: list[tuple[int, int]] = []
        for cursor in unit.cursor.get_children():
            if cursor.kind == Kind.MACRO_INSTANTIATION and self._is_here(cursor):
                self._take_macro(cursor)
        self.macros.sort()
        self._walk(unit.cursor, None, in_body=False, answers=False)
        self.source.sites = sorted(set(self.source.sites), key=lambda site: (site.begin, -site.end, site.kind))

    def _is_here(self, cursor: cindex.Cursor) -> bool:
        file = cursor.extent.start.file
        return file is not None and file.name == self.path

    def _add(self, cursor: cindex.Cursor, kind: str, **more: int | str) -> None:
        begin, end = cursor.extent.start.offset, cursor.extent.end.offset
        if self._is_here(cursor) and begin < end and not self._in_macro(begin, end):
            self.source.sites.append(Site(begin, end, kind, cursor.extent.start.line, **more))

    def _take_macro(self, cursor: cindex.Cursor) -> None:
        begin, end = cursor.extent.start.offset, cursor.extent.end.offset
        self.macros.append((begin, end))
        if kind := STATEMENTS.get(cursor.spelling):
            self.source.sites.append(Site(begin, end, kind, cursor.extent.start.line))

    def _in_macro(self, begin: int, end: int) -> bool:
        """Whether a macro has written some of it."""
        at = bisect.bisect_left(self.macros, (end, 0))
        return any(last > begin for _, last in self.macros[max(0, at - 64) : at])

    def _walk(self, cursor: cindex.Cursor, parent: cindex.Cursor | None, in_body: bool, answers: bool) -> None:
        for child in cursor.get_children():
            if parent is None and not self._is_here(child):
                continue
            if child.kind == Kind.STATIC_ASSERT or self._starts_with(child, b"constexpr"):
                continue
            if child.kind in FUNCTIONS:
                returns = child.kind != Kind.LAMBDA_EXPR and child.result_type.spelling == "bool"
                self._walk(child, cursor, in_body=True, answers=returns)
                continue
            if in_body:
                self._take(child, cursor, answers)
            self._walk(child, cursor, in_body, answers)

    def _starts_with(self, cursor: cindex.Cursor, word: bytes) -> bool:
        begin = cursor.extent.start.offset
        return word in self.source.text[begin : begin + 60].split(b"(")[0].split()

    def _take(self, cursor: cindex.Cursor, parent: cindex.Cursor, answers: bool) -> None:
        if cursor.kind in BRANCHES:
            self._take_condition(cursor)
        elif cursor.kind == Kind.BINARY_OPERATOR:
            self._take_operator(cursor)
        elif cursor.kind == Kind.RETURN_STMT and answers:
            for value in cursor.get_children():
                self._add(value, "answer")
        elif cursor.kind == Kind.CALL_EXPR and parent.kind == Kind.COMPOUND_STMT:
            self._add(cursor, "call")

    def _take_condition(self, cursor: cindex.Cursor) -> None:
        children = list(cursor.get_children())
        if cursor.kind == Kind.DO_STMT:
            children = children[-1:]
        elif cursor.kind == Kind.FOR_STMT:
            children = [each for each in children[:-1] if each.type.spelling == "bool"]
        for child in children[:1]:
            if child.kind.is_expression():
                self._add(child, "branch")

    def _take_operator(self, cursor: cindex.Cursor) -> None:
        left, right = list(cursor.get_children())[:2]
        between = self.source.text[left.extent.end.offset : right.extent.start.offset]
        operator = between.strip().decode(errors="replace")
        more = {"left_end": left.extent.end.offset, "right": right.extent.start.offset, "operator": operator}
        if operator in ("&&", "||"):
            self._add(cursor, "part left", **more)
            self._add(cursor, "part right", **more)
        elif operator in SWAPPED:
            self._add(cursor, SWAPPED[operator][0], **more)


def sites_of(path: Path, arguments: list[str]) -> Source:
    """All places of a source that can be mutated."""
    options = cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
    unit = cindex.Index.create().parse(str(path), args=arguments, options=options)
    return Finder(unit, path).source


def replaced(site: Site, number: int, text: str, left: str, right: str) -> str:
    """The site's text with the mutant in it."""
    chosen = f"::rizoma::mutant({number}u)"
    if site.kind in ("branch", "answer"):
        return f"({chosen} != static_cast<bool>({text}))"
    if site.kind == "part left":
        return f"({chosen} ? static_cast<bool>({right}) : static_cast<bool>({text}))"
    if site.kind == "part right":
        return f"({chosen} ? static_cast<bool>({left}) : static_cast<bool>({text}))"
    if site.kind == "check":
        return f"({chosen} ? void(0) : {text})"
    if site.kind in ("call", "try"):
        return f"do {{ if (!{chosen}) {{ {text}; }} }} while (false)"
    return f"({chosen} ? (({left}) {SWAPPED[site.operator][1]} ({right})) : ({text}))"


def rewritten(source: Source, chosen: dict[Site, int]) -> bytes:
    """The source with these mutants."""
    sites = sorted(chosen, key=lambda site: (site.begin, -site.end, chosen[site]))
    text = source.text

    def between(begin: int, end: int, inner: list[Site]) -> str:
        parts, at = [], begin
        while inner:
            first, rest = inner[0], inner[1:]
            within = [site for site in rest if site.end <= first.end]
            inner = rest[len(within) :]
            parts += [text[at : first.begin].decode(), one(first, within)]
            at = first.end
        return "".join([*parts, text[at:end].decode()])

    def one(site: Site, within: list[Site]) -> str:
        whole = between(site.begin, site.end, within)
        # In a copy of a side there is no second mutant: lines and size stay what they are.
        left = " ".join(text[site.begin : site.left_end].decode().split("\n")) if site.operator else ""
        right = " ".join(text[site.right : site.end].decode().split("\n")) if site.operator else ""
        return replaced(site, chosen[site], whole, left, right)

    return between(0, len(text), sites).encode()
