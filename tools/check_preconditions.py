#!/usr/bin/env python3
"""Checks that each precondition that an algorithm states has a row in a test, with a call that breaks it.

Stated are: of C++, the clauses behind "Errors:" in include/rizoma/algorithms; of Python, those below "Raises:" in the
docstrings of the package.  The rows are those of src/algorithms/preconditions_test.cpp and of
tests/python/test_preconditions.py.  A row whose statement is gone is an error, too.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HEADERS = ROOT / "include" / "rizoma" / "algorithms"
CPP_TABLE = ROOT / "src" / "algorithms" / "preconditions_test.cpp"
PYTHON = ROOT / "python" / "rizoma"
PYTHON_TABLE = ROOT / "tests" / "python" / "test_preconditions.py"

UNTESTED = {
    "2^32 vertices or more": "no test holds such a graph",
    "2^32 - 1 vertices or more": "the same",
    "2^64 cycles or more": "they take a clique of 200,000 vertices",
    "2^32 vertices or more, unless all lists are short": "the same",
    "with ranks, a directed graph without in-edges": "tests/ranks_kernels_test.cpp",
    "RR sets cannot be spilled": "src/algorithms/influence/rr_sets_test.cpp, with files that fail",
    "more shortest paths to one vertex than a long double holds: 1e4932 on x86": "betweenness_centrality_test.cpp",
    "more than 1e308 shortest paths to one vertex": "path_dependencies_test.cpp",
    "k_truss: as edge_triangles": "its rows",
    "a weight is NaN": "Python takes no such weight; the row of spanning_forest.h",
    "the call was stopped": "tests/python/test_interrupt_table.py",
}
"""Statements that have no row, and why."""


def comments_of(text: str) -> Iterator[str]:
    """Each block of `///` comments as one line."""
    for block in re.findall(r"(?:^[ ]*///.*\n)+", text, re.MULTILINE):
        yield " ".join(line.strip()[3:].strip() for line in block.splitlines())


def stated_by_headers() -> Iterator[tuple[str, str]]:
    """Yield header and clause of each error that a precondition has."""
    for header in sorted(HEADERS.glob("*.h")):
        for comment in comments_of(header.read_text(encoding="utf-8")):
            _, found, errors = comment.partition("Errors: ")
            if found and errors.startswith("as louvain"):
                yield header.name, "as louvain"
            for clauses in re.findall(
                r"(?:invalid_argument|unsupported|not_found|out_of_space or io) \(([^()]*)\)", errors
            ):
                for clause in clauses.split("; "):
                    yield header.name, clause


def rows_of_headers() -> set[tuple[str, str]]:
    """Header and clause of each row of the C++ test."""
    return set(re.findall(r'\{"(\w+\.h)",\s*"((?:[^"\\]|\\.)*)",', CPP_TABLE.read_text(encoding="utf-8")))


def stated_by_docstrings() -> Iterator[tuple[str, str]]:
    """Yield function and clause of each error below "Raises:"."""
    for path in sorted(PYTHON.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            text = ast.get_docstring(node) if isinstance(node, ast.FunctionDef) else None
            section = re.search(r"^Raises:\n((?:[ ]+.*\n?)+)", text or "", re.MULTILINE)
            if section is None or not isinstance(node, ast.FunctionDef):
                continue
            for said in re.split(r"(?:^|\s)\w+Error: ", " ".join(section[1].split())):
                for clause in said.rstrip(". ").split("; "):
                    if clause:
                        yield node.name, clause


def rows_of_docstrings() -> set[tuple[str, str]]:
    """Function and clause of each row of the Python test."""
    for node in ast.parse(PYTHON_TABLE.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "ROWS":
            return {(row[0], row[1]) for row in ast.literal_eval(node.value)}
    return set()


def missing_rows(stated: set[tuple[str, str]], rows: set[tuple[str, str]], table: Path) -> list[str]:
    """What is wrong with a table."""
    wrong = [
        f"{table.relative_to(ROOT)}: no row for {place}: {clause!r}; add one with a call that breaks it"
        for place, clause in sorted(stated - rows)
        if clause not in UNTESTED
    ]
    return wrong + [
        f"{table.relative_to(ROOT)}: {place} does not state {clause!r}; take the row out, or correct it"
        for place, clause in sorted(rows - stated)
    ]


def main() -> int:
    """Print what is missing; 1 if something is."""
    wrong = missing_rows(set(stated_by_headers()), rows_of_headers(), CPP_TABLE)
    wrong += missing_rows(set(stated_by_docstrings()), rows_of_docstrings(), PYTHON_TABLE)
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
