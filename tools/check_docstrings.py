"""Checks that docstrings of the package's public names say what a caller needs.

Usage: check_docstrings.py [ROOT].  Public is what `__all__` of a module lists, and the methods of these classes, but
for the command, whose docstrings are its help, and the NetworkX backend, whose functions are those of NetworkX.

Every public name has a docstring.  A function of `rizoma.algorithms` has the sections Returns and Raises, and its
module says Cost, Memory and Source.  A parameter with a unit (UNITS) that the docstring describes has its unit there.

What users call (the functions of `rizoma.__all__`, the methods of CLASSES; properties apart) says more: each parameter
by its name, or its class does; what it raises, if it has parameters that can be wrong; what it costs; and of an array
that it returns the type and the shape.
Prints one line for each violation; exit status 1 if there are any.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection, Iterable, Iterator
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
# What users get from the functions of `rizoma.__all__`, and call methods of.
CLASSES = {
    *("Reader", "ReaderMethods", "ChangeMethods", "Graph", "Batch", "Snapshot", "View"),
    *("Degrees", "Row", "Scan", "EdgeScan", "VertexScan", "Relation", "Matches", "GroupedMatches", "Path"),
    *("VertexResult", "PartitionResult", "CommunitiesResult", "BfsResult", "Cluster", "ClusterGraph"),
}
# Parameters that every call has alike: a Graph or a Snapshot, and two that rizoma.config describes.
EVERYWHERE = {"self", "graph", "threads", "progress"}
COST = re.compile(r"\bCost\b")
RAISES = re.compile(r"\bRaises\b")
TYPE = re.compile(r"\b(?:u?int\d+|float\d+|bool|dtype|objects?)\b")
SHAPE = re.compile(r"\(\w+,(?: \w+)?\)|\bshape\b")

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


def _parameters(node: Function) -> list[str]:
    """The parameters that a caller may get wrong."""
    given = node.args
    several = [each for each in (given.vararg, given.kwarg) if each]
    names = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs, *several)]
    return [name for name in names if name not in EVERYWHERE and not name.startswith("_")]


def _is_property(node: Function) -> bool:
    return any("property" in ast.unparse(each) for each in node.decorator_list)


def unsaid(node: Function, doc: str, of_class: str, algorithm: bool) -> Iterator[str]:
    """What the docstring of a function that users call does not say; `of_class`: the docstring of its class."""
    names = _parameters(node)
    for name in names:
        if not re.search(rf"`\*{{0,2}}{name}(?:`|=)|\b{name}(?:, \w+)*: |\b{name}=", f"{doc}\n{of_class}"):
            yield f"parameter {name}"
    if not _is_property(node) and not algorithm:
        if names and not RAISES.search(f"{doc}\n{of_class}"):
            yield "what it raises"
        if not COST.search(f"{doc}\n{of_class}"):
            yield "its cost"
    if node.returns and "NDArray" in ast.unparse(node.returns) and not (TYPE.search(doc) and SHAPE.search(doc)):
        yield "the type and the shape of the array"


def called_by_users(root: Path) -> set[str]:
    """The names in `rizoma.__all__`, and what they are called where they are defined."""
    tree = ast.parse((root / PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    tables = {"__all__", "_OTHERWISE_CALLED"}
    return {
        text.value
        for node in tree.body
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") in tables
        for text in ast.walk(node.value)
        if isinstance(text, ast.Constant) and isinstance(text.value, str)
    }


def classes_said(nodes: Iterable[ast.ClassDef]) -> dict[str, str]:
    """The docstring of each class, with those of its bases in the same module, which come first."""
    said: dict[str, str] = {}
    for node in nodes:
        bases = [said.get(ast.unparse(base).partition("[")[0], "") for base in node.bases]
        said[node.name] = "\n".join([ast.get_docstring(node) or "", *bases])
    return said


def lacks(path: Path, tree: ast.Module, users: Collection[str] = ()) -> Iterator[tuple[int, str]]:
    """Line and text of what the docstrings of a module lack."""
    names = list(public(tree))
    of_class = classes_said(node for _, node in names if isinstance(node, ast.ClassDef))
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
        owner, _, method = name.rpartition(".")
        if owner in CLASSES and path.parent.name != "io" if owner else method in users or algorithm:
            for missing in unsaid(node, doc, of_class.get(owner, ""), algorithm):
                yield node.lineno, f"the docstring of {name} does not say {missing}"


def violations(root: Path) -> list[str]:
    """What docstrings of the package lack, as `file:line: what`."""
    found = []
    users = called_by_users(root)
    for path in sorted((root / PACKAGE).rglob("*.py")):
        below = path.relative_to(root / PACKAGE)
        if below.parts[0] not in APART:
            tree = ast.parse(path.read_text(encoding="utf-8"))
            found += [f"{path.relative_to(root)}:{line}: {what}" for line, what in lacks(path, tree, users)]
    return found


def main() -> int:
    """The command."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    found = violations(root)
    print("\n".join(found) if found else "docstrings: every public name says what it must")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
