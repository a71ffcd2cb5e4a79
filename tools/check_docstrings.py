"""Checks that docstrings of the package's public names say what a caller needs.

Usage: check_docstrings.py [ROOT].  Public is what `__all__` of a module lists, and the methods of these classes, but
for the command, whose docstrings are its help, and the NetworkX backend, whose functions are those of NetworkX.

Every public name has a docstring.  A function of `rizoma.algorithms` has the sections Returns and Raises, and its
module says Cost, Memory and Source.  A parameter with a unit (UNITS) that the docstring describes has its unit there.
Prints one line for each violation; exit status 1 if there are any.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path("python/rizoma")
APART = ("cli", "networkx")
MODULE_SAYS = ("Cost", "Memory", "Source")
FUNCTION_SAYS = ("Returns", "Raises")
# What a parameter of this name counts, and how a docstring may say so.
UNITS = {
    r"memory_limit|.*_bytes": r"bytes?\b|\b\d+[KMG]\b",
    r".*_timeout|.*_delay|seconds|interval": r"seconds?\b|\b\d+(?:ms|s|m|h)\b",
}
# Public names without a docstring of their own, and why.
EXCEPTIONS: dict[str, str] = {}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def public(tree: ast.Module) -> Iterator[tuple[str, Function | ast.ClassDef]]:
    """The functions and classes that a module's `__all__` lists, and public methods of the classes."""
    listed = {
        name.value
        for node in tree.body
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__"
        for name in ast.walk(node.value)
        if isinstance(name, ast.Constant) and isinstance(name.value, str)
    }
    for node in tree.body:
        if not isinstance(node, Function | ast.ClassDef) or node.name not in listed:
            continue
        yield node.name, node
        if isinstance(node, ast.ClassDef):
            for member in node.body:
                if isinstance(member, Function) and not member.name.startswith("_") and not _again(member):
                    yield f"{node.name}.{member.name}", member


def _again(member: Function) -> bool:
    """Whether a member is a setter or an overload, whose docstring is that of the first definition."""
    words = {ast.unparse(each).rpartition(".")[2] for each in member.decorator_list}
    return bool(words & {"setter", "deleter", "overload", "override"})


def has_section(doc: str, title: str) -> bool:
    """Whether a docstring has a section of this title with text in it."""
    return re.search(rf"^{title}:?\n\s+\S", doc, re.MULTILINE) is not None


def units_missing(node: Function, doc: str) -> Iterator[str]:
    """Parameters that the docstring describes without their unit."""
    for name in [argument.arg for argument in (*node.args.args, *node.args.kwonlyargs)]:
        described = re.search(rf"^\s*{name}: (.*(?:\n\s{{8,}}.*)*)", doc, re.MULTILINE)
        for names, unit in UNITS.items():
            if described and re.fullmatch(names, name) and not re.search(unit, described[1]):
                yield f"{name}: its unit"


def lacks(path: Path, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and text of what the docstrings of a module lack."""
    names = list(public(tree))
    algorithm = path.parent.name == "algorithms" and any(name == path.stem for name, _ in names)
    if algorithm:
        for title in MODULE_SAYS:
            if not has_section(ast.get_docstring(tree) or "", title):
                yield 1, f"the docstring of the module has no section {title}"
    for name, node in names:
        doc = ast.get_docstring(node)
        if not doc:
            if name not in EXCEPTIONS:
                yield node.lineno, f"{name} has no docstring"
            continue
        if isinstance(node, ast.ClassDef):
            continue
        for title in FUNCTION_SAYS if algorithm else ():
            if not has_section(doc, title):
                yield node.lineno, f"the docstring of {name} has no section {title}"
        for missing in units_missing(node, doc):
            yield node.lineno, f"the docstring of {name} lacks of {missing}"


def violations(root: Path) -> list[str]:
    """What docstrings of the package lack, as `file:line: what`."""
    found = []
    for path in sorted((root / PACKAGE).rglob("*.py")):
        below = path.relative_to(root / PACKAGE)
        if below.parts[0] not in APART:
            tree = ast.parse(path.read_text(encoding="utf-8"))
            found += [f"{path.relative_to(root)}:{line}: {what}" for line, what in lacks(path, tree)]
    return found


def main() -> int:
    """The command."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    found = violations(root)
    print("\n".join(found) if found else "docstrings: every public name says what it must")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
