"""The arrows between the modules of the Python package: who imports whom, upwards or in a circle.

What counts: every import of a module of the package, at the head of a file, in a function, or under
`if TYPE_CHECKING`.  An import in a function is allowed for optional libraries alone, so that none hides an arrow.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Rules", "violations"]


@dataclass(frozen=True)
class Rules:
    """What the package's modules may import."""

    layers: Sequence[frozenset[str]]  # lowest first; folders of a layer do not know one another
    flat: frozenset[str]  # modules that are in no folder
    optional: frozenset[str]  # libraries that functions may import
    type_only: Mapping[str, frozenset[str]]  # what a module may name for type checkers only, though it is above


@dataclass(frozen=True)
class Import:
    """One name that a file imports from a module."""

    line: int
    module: str  # absolute
    in_function: bool
    for_types: bool


def violations(root: Path, package: str, rules: Rules) -> list[str]:
    """What is wrong with the package in `root`/python, as `file:line: what`."""
    place = root / "python"
    files = {module_of(path.relative_to(place)): path for path in sorted((place / package).rglob("*.py"))}
    found = []
    graph: dict[str, set[str]] = {}
    for module, path in files.items():
        shown = path.relative_to(root)
        imports = list(imports_of(ast.parse(path.read_text(encoding="utf-8")), module, path.name, files))
        found += [f"{shown}:{each.line}: {what}" for each in imports if (what := _fault(module, each, package, rules))]
        graph[module] = {each.module for each in imports if each.module in files and not each.for_types} - {module}
        if len(module.split(".")) == 2 and path.name != "__init__.py" and path.stem not in rules.flat:
            found.append(f"{shown}:1: a module lies in the folder of its layer")
    found += [f"python/{package}: modules in a circle: {' -> '.join(circle)}" for circle in _circles(graph)]
    return found


def module_of(path: Path) -> str:
    """The dotted name of a file."""
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(tree: ast.AST, module: str, file: str, known: Mapping[str, object]) -> Iterator[Import]:
    """All imports of a file, with the modules they mean."""
    here = module.split(".") if file == "__init__.py" else module.split(".")[:-1]

    def walk(node: ast.AST, in_function: bool, for_types: bool) -> Iterator[Import]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import):
                for name in child.names:
                    yield Import(child.lineno, name.name, in_function, for_types)
            elif isinstance(child, ast.ImportFrom):
                base = here[: len(here) + 1 - child.level] if child.level else []
                source = ".".join([*base, *([child.module] if child.module else [])])
                for name in child.names:
                    full = f"{source}.{name.name}"
                    found = full in known or name.name == "_core"
                    yield Import(child.lineno, full if found else source, in_function, for_types)
            function = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
            types = isinstance(child, ast.If) and getattr(child.test, "id", "") == "TYPE_CHECKING"
            yield from walk(child, in_function or function, for_types or types)

    return walk(tree, False, False)


def _fault(module: str, each: Import, package: str, rules: Rules) -> str | None:
    if each.in_function and each.module.partition(".")[0] not in rules.optional:
        return f"only optional libraries are imported in functions, not {each.module}"
    if each.module.partition(".")[0] != package or each.module == f"{package}._core":
        return None
    if each.for_types and each.module in rules.type_only.get(module, ()):
        return None
    own, other = _layer(module, rules), _layer(each.module, rules)
    if own is None or other is None:
        return f"{(module if own is None else each.module)} belongs to no layer that check_layers.py knows"
    if other < own or _folder(module) == _folder(each.module):
        return None
    return f"{_folder(module)} is no layer above {_folder(each.module)} ({each.module})"


def _folder(module: str) -> str:
    """The folder of its layer, or the flat module itself."""
    return [*module.split("."), "__init__"][1]


def _layer(module: str, rules: Rules) -> int | None:
    return next((i for i, folders in enumerate(rules.layers) if _folder(module) in folders), None)


def _circles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """The strongly connected components of more than one module, by Tarjan's algorithm."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    circles: list[list[str]] = []

    def visit(module: str) -> None:
        index[module] = low[module] = len(index)
        stack.append(module)
        for other in sorted(graph[module]):
            if other not in index:
                visit(other)
            if other in stack:
                low[module] = min(low[module], low[other])
        if low[module] == index[module]:
            at = stack.index(module)
            if len(stack) - at > 1:
                circles.append(sorted(stack[at:]))
            del stack[at:]

    for module in sorted(graph):
        if module not in index:
            visit(module)
    return circles
