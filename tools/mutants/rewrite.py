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

Not rewritten: what a macro other than these writes, constant expressions, headers, and calls that no program can tell
from their absence: what clang's analysis of locks alone looks at, and room made in advance.
"""

from __future__ import annotations

import bisect
from dataclasses import dataclass, field
from pathlib import Path

from clang import cindex
from clang.cindex import CursorKind as Kind

STATEMENTS = {"RIZOMA_TRY": "try", "RIZOMA_CHECK": "check", "RIZOMA_DCHECK": "check"}
NO_EFFECT = {"holds", "assume_held", "assume_alone", "reserve", "shrink_to_fit"}
NEUTRAL = {"&&": "true", "||": "false"}  # what a side that is left out answers
COMPARED = {"<": "less", "<=": "at_most", ">": "greater", ">=": "at_least"}
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
    """Walks clang's tree of one source, which may be part of a unit of several."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)
        self.source = Source(path, path.read_bytes())
        self.macros: list[tuple[int, int]] = []

    def search(self, cursors: list[cindex.Cursor]) -> Source:
        """Finds the sites among what the source declares at its outermost level."""
        for cursor in cursors:
            if cursor.kind == Kind.MACRO_INSTANTIATION:
                self._take_macro(cursor)
        self.macros.sort()
        for cursor in cursors:
            self._walk_child(cursor, None, in_body=False, answers=False)
        self.source.sites = sorted(set(self.source.sites), key=lambda site: (site.begin, -site.end, site.kind))
        return self.source

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

    def _walk(self, cursor: cindex.Cursor, in_body: bool, answers: bool) -> None:
        for child in cursor.get_children():
            self._walk_child(child, cursor, in_body, answers)

    def _walk_child(self, child: cindex.Cursor, parent: cindex.Cursor | None, in_body: bool, answers: bool) -> None:
        if child.kind == Kind.STATIC_ASSERT or self._starts_with(child, b"constexpr"):
            return
        if child.kind in FUNCTIONS:
            returns = child.kind != Kind.LAMBDA_EXPR and child.result_type.spelling == "bool"
            self._walk(child, in_body=True, answers=returns)
            return
        if in_body and parent is not None:
            self._take(child, parent, answers)
        self._walk(child, in_body, answers)

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
        elif cursor.kind == Kind.CALL_EXPR and parent.kind == Kind.COMPOUND_STMT and cursor.spelling not in NO_EFFECT:
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
        elif operator in COMPARED:
            self._add(cursor, "bound", **more)
        elif operator in ("==", "!="):
            self._add(cursor, "equal", **more)
        elif operator in ("+", "-") and self._are_numbers(left, right):
            self._add(cursor, "step", **more)

    @staticmethod
    def _are_numbers(left: cindex.Cursor, right: cindex.Cursor) -> bool:
        """Whether both may be added and subtracted: no distance of two pointers, no sum of strings."""
        kinds = [side.type.get_canonical().kind for side in (left, right)]
        return kinds[1] != cindex.TypeKind.POINTER and cindex.TypeKind.RECORD not in kinds


def sites_of(paths: list[Path], arguments: list[str]) -> list[Source]:
    """All places of sources that can be mutated: these are read as one."""
    options = cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
    united = "".join(f'#include "{path}"\n' for path in paths)
    unit = cindex.Index.create().parse(
        "united.cpp", args=arguments, unsaved_files=[("united.cpp", united)], options=options
    )
    cursors: dict[str, list[cindex.Cursor]] = {str(path): [] for path in paths}
    for cursor in unit.cursor.get_children():
        file = cursor.extent.start.file
        if file is not None and file.name in cursors and cursor.kind != Kind.INCLUSION_DIRECTIVE:
            cursors[file.name].append(cursor)
    return [Finder(path).search(cursors[str(path)]) for path in paths]


def compared(text: bytes, site: Site, kinds: dict[str, int], left: str, right: str) -> str:
    """An expression with an operator, with the mutants that are about it."""
    between = text[site.left_end : site.right].decode()
    if "bound" in kinds:
        lines = "\n" * between.count("\n")
        return f"::rizoma::mutant_{COMPARED[site.operator]}({kinds['bound']}u, {left}, {lines}{right})"
    if "step" in kinds:
        other = "-" if site.operator == "+" else "+"
        in_a_line = f"({left}){other}({right})".replace("\n", " ")
        return f"(::rizoma::mutant({kinds['step']}u) ? ({in_a_line}) : (({left}){between}({right})))"
    if "part left" in kinds:
        left = f"::rizoma::mutant({kinds['part left']}u, static_cast<bool>({left}), {NEUTRAL[site.operator]})"
    if "part right" in kinds:
        right = f"::rizoma::mutant({kinds['part right']}u, static_cast<bool>({right}), {NEUTRAL[site.operator]})"
    whole = f"(({left}){between}({right}))"
    return switched(kinds["equal"], whole) if "equal" in kinds else whole


def switched(number: int, text: str) -> str:
    """An answer that is the other one in the mutant."""
    return f"(::rizoma::mutant({number}u) != static_cast<bool>({text}))"


def wrapped(kind: str, number: int, text: str) -> str:
    """A text with a mutant that is about all of it."""
    if kind in ("branch", "answer"):
        return switched(number, text)
    if kind == "check":
        return f"(::rizoma::mutant({number}u) ? void(0) : {text})"
    return f"do {{ if (!::rizoma::mutant({number}u)) {{ {text}; }} }} while (false)"


def rewritten(source: Source, chosen: dict[Site, int]) -> bytes:
    """The source with these mutants."""
    text = source.text

    def between(begin: int, end: int, inner: list[Site]) -> str:
        parts, at = [], begin
        while inner:
            first = inner[0]
            within = [site for site in inner if site.end <= first.end]
            inner = inner[len(within) :]
            parts += [text[at : first.begin].decode(), expression(within)]
            at = first.end
        return "".join([*parts, text[at:end].decode()])

    def expression(sites: list[Site]) -> str:
        """The first site's expression, with all sites about it and within."""
        first = sites[0]
        same = [site for site in sites if (site.begin, site.end) == (first.begin, first.end)]
        within = sites[len(same) :]
        with_operator = [site for site in same if site.operator]
        if with_operator:
            site = with_operator[0]
            left = between(site.begin, site.left_end, [each for each in within if each.end <= site.left_end])
            right = between(site.right, site.end, [each for each in within if each.begin >= site.right])
            made = compared(text, site, {each.kind: chosen[each] for each in with_operator}, left, right)
        else:
            made = between(first.begin, first.end, within)
        for site in same:
            if not site.operator:
                made = wrapped(site.kind, chosen[site], made)
        return made

    return between(0, len(text), sorted(chosen, key=lambda site: (site.begin, -site.end, chosen[site]))).encode()
