"""Checks how large classes are: private functions of each class of src and include, of which it may have MOST.

Usage: check_classes.py [--shown N] [ROOT].  Prints a table with the largest classes, then a line for each that has more
than it may; exit status 1 if there are any.  Counted are the member functions that a class declares or defines below
`private:` or `protected:`, static ones too; not counted are defaulted and deleted ones, friends, and nested classes,
which count for themselves.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from source_tree import CPP, files, is_test, without_comments

MOST = 15
SHOWN = 10
WHERE = ("src", "include")
# Classes that are larger, and by how much: a number here only falls.
LARGER: dict[str, int] = {}

CLASS = re.compile(
    r"\b(?P<kind>class|struct)\s+(?:(?:alignas|RIZOMA_\w+)\((?:[^()]|\([^()]*\))*\)\s*|\[\[[^\]]*\]\]\s*)*"
    r"(?P<name>\w+(?:::\w+)*)\s*(?:<[^;{}]*>)?\s*(?:final\b\s*)?(?::(?!:)[^;{}]*)?\{"
)
ACCESS = re.compile(r"\s*(public|private|protected)\s*:(?!:)")
MACRO = re.compile(r"\b(?:RIZOMA_[A-Z_]+|alignas|decltype|noexcept|requires)\s*(?=\()")
DIRECTIVE = re.compile(r"^[ \t]*#[^\n]*(?:\\\n[^\n]*)*", re.MULTILINE)
NO_MEMBER_FUNCTION = re.compile(r"\s*(?:friend|using|typedef|static_assert|enum|class|struct|union)\b")
FUNCTION = re.compile(r"(?:\b(?!return\b)[A-Za-z_]\w*|\boperator\s*\S{1,3})\s*\(")


@dataclass(frozen=True)
class Class:
    """A class, where it begins, and how many private functions it has."""

    path: Path
    line: int
    name: str
    private: int


def _end(code: str, begin: int, pair: str) -> int:
    """Behind the bracket that closes the one at `begin`."""
    depth = 0
    for i in range(begin, len(code)):
        if code[i] == pair[0]:
            depth += 1
        elif code[i] == pair[1]:
            depth -= 1
            if depth == 0:
                return i + 1
    return len(code)


def _without_calls(text: str) -> str:
    """A declaration without attributes, macros and template arguments, whose parentheses declare no function."""
    text = re.sub(r"\[\[[^\]]*\]\]", " ", text)
    while found := MACRO.search(text):
        text = text[: found.start()] + " " + text[_end(text, found.end(), "()") :]
    text = re.sub(r"\boperator\s*(?:<=>|<<|>>|<=|>=|<|>|->)", "operator_", text)
    before = None
    while text != before:
        before, text = text, re.sub(r"<[^<>]*>", " ", text)
    return text


def _members(body: str) -> Iterator[str]:
    """The declarations in the body of a class: heads of functions and nested classes, whole declarations of others."""
    start = i = 0
    while i < len(body):
        if body[i] == "(":
            i = _end(body, i, "()")
            continue
        if body[i] == "{":
            yield body[start:i]
            i = start = _end(body, i, "{}")
            continue
        if body[i] == ";":
            yield body[start:i]
            start = i + 1
        elif found := ACCESS.match(body, start):
            yield found[1] + ":"
            i = start = found.end()
            continue
        i += 1


def _is_function(declaration: str) -> bool:
    """Whether a member is a function that this class has to be read for."""
    plain = _without_calls(re.sub(r"^\s*(?:template\s*<.*?>\s*(?=\w))+", "", declaration, flags=re.DOTALL))
    if NO_MEMBER_FUNCTION.match(plain) or re.search(r"=\s*(?:default|delete)\s*$", plain):
        return False
    return FUNCTION.search(plain.split("=")[0] if "operator" not in plain else plain) is not None


def classes_of(path: Path, code: str) -> Iterator[Class]:
    """The classes that a file defines, each with its private functions."""
    code = DIRECTIVE.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), without_comments(code))
    for found in CLASS.finditer(code):
        if re.search(r"\benum\s*$", code[: found.start()]):
            continue
        body = code[found.end() : _end(code, found.end() - 1, "{}") - 1]
        public = found["kind"] == "struct"
        private = 0
        for member in _members(body):
            if member in ("public:", "private:", "protected:"):
                public = member == "public:"
            elif not public and _is_function(member):
                private += 1
        yield Class(path, code.count("\n", 0, found.start()) + 1, found["name"], private)


def classes(root: Path) -> list[Class]:
    """All classes of a tree but those of tests, the largest first."""
    found = [
        each
        for path in files(root, *CPP)
        if path.parts[0] in WHERE and not is_test(path)
        for each in classes_of(path, (root / path).read_text(encoding="utf-8"))
    ]
    return sorted(found, key=lambda each: (-each.private, each.path, each.line))


def faults(found: list[Class]) -> list[str]:
    """Classes that are too large, and numbers in LARGER that are no longer so."""
    wrong = [
        f"{each.path}:{each.line}: {each.name} has {each.private} private functions; "
        f"it may have {LARGER.get(each.name, MOST)}: divide it"
        for each in found
        if each.private > LARGER.get(each.name, MOST)
    ]
    sizes = {each.name: each.private for each in reversed(found)}
    for name, limit in LARGER.items():
        size = sizes.get(name, 0)
        if size < limit:
            now = f"set it to {size}" if size > MOST else "take it out"
            wrong.append(
                f"tools/check_classes.py: LARGER permits {name} {limit} private functions, it has {size}: {now}"
            )
    return wrong


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shown", type=int, default=SHOWN, help="rows of the table")
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).resolve().parent.parent)
    options = parser.parse_args()
    found = classes(options.root)
    print(f"classes: {len(found)}; private functions of the largest, of which each may have {MOST}:")
    for each in found[: options.shown]:
        print(f"  {each.private:3}  {each.name} ({each.path}:{each.line})")
    wrong = faults(found)
    print("".join(f"{fault}\n" for fault in wrong), end="")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
