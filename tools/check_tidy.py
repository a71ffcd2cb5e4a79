"""Checks what keeps the tree readable: short functions, files and lines, headers that say what they are for.

Every function, file and line of code counts, tests too; lines of a docstring do not count as those of its function.
What a whole kernel takes to read: check_kernels.py.

Usage: check_tidy.py [ROOT].  Prints one line for each violation; exit status 1 if there are any.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from source_tree import CPP, files, is_test, without_comments

FUNCTION_LINES = 80
FILE_LINES = 800
COLUMNS = 120

CODE = {*CPP, ".py"}
TEXT = {*CODE, ".md", ".txt", ".toml", ".cmake", ".yml", ".json", ".sh", ""}

# The brackets keep the patterns from matching themselves.
LEFT_TO_DO = re.compile(r"\b(TOD[O]|FIXM[E]|XX[X]|HAC[K])\b")
MACHINE_PATH = re.compile(r"(?<![\w./~-])/(?:wor[k]|roo[t]|hom[e]|User[s])/[\w.-]+")
ENDS_THE_PROGRAM = re.compile(
    r"(?<![\w.>:])(?<!void )(?:std::|::)?(?:printf|fprintf|puts|exit|_exit|abort|terminate|quick_exit)\s*\("
    r"|\bstd::(?:cout|cerr|clog)\b"
)
ASKS_THE_LOCALE = re.compile(
    r"(?<![\w.>])(?:std::)?(?:to(?:lower|upper)|is(?:alnum|alpha|digit|lower|punct|space|upper|xdigit)|strto[dfl]+|sto[dfil]+)\s*\("
)
SCOPE = re.compile(r"\b(namespace|class|struct|union|enum|extern)\b")
DIRECTIVE = re.compile(r"^[ \t]*#.*(?:\\\n.*)*", re.MULTILINE)
USING_NAMESPACE = re.compile(r"^[ \t]*using namespace\b", re.MULTILINE)
ALGORITHM_SAYS = ("What:", "How:", "Cost:", "Source:")

Finding = tuple[int, str]


def function_lengths_cpp(code: str) -> Iterator[tuple[int, int]]:
    """Line and number of lines of each function body.

    A brace opened inside namespaces and classes only is a function's unless the text before it names
    a scope (the last closing parenthesis comes before `class X`) or initialises a variable.
    """
    code = without_comments(code)
    code = DIRECTIVE.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), code)
    stack: list[tuple[str, int]] = []
    head_start = 0
    for found in re.finditer(r"[{};]", code):
        at, mark = found.start(), found.group()
        if mark == "{":
            stack.append((_kind_of_brace(code[head_start:at], stack), at))
        elif mark == "}" and stack:
            kind, begin = stack.pop()
            if kind == "function":
                yield code.count("\n", 0, begin) + 1, code.count("\n", begin, at) + 1
        head_start = at + 1


def _kind_of_brace(head: str, stack: list[tuple[str, int]]) -> str:
    if any(kind != "scope" for kind, _ in stack):
        return "inner"
    head = re.sub(r"\balignas\s*\([^)]*\)|\[\[.*?\]\]|\boperator\s*\(\)", "", head)
    while (shorter := re.sub(r"<[^<>]*>", "", head)) != head:
        head = shorter
    if SCOPE.search(head.rsplit(")", 1)[-1]):
        return "scope"
    is_function = "(" in head or not head.strip() or head.lstrip().startswith(",")
    return "function" if is_function else "inner"


def function_lengths_python(code: str) -> Iterator[tuple[int, int]]:
    """Line and number of lines of each function, its docstring not counted."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0]
            documented = ast.get_docstring(node, clean=False) is not None
            docstring = (first.end_lineno or 0) - first.lineno + 1 if documented else 0
            yield node.lineno, (node.end_lineno or node.lineno) - node.lineno + 1 - docstring


def long_functions(path: Path, text: str) -> Iterator[Finding]:
    """Functions that do not fit a screen."""
    if path.suffix not in CODE:
        return
    lengths = function_lengths_python(text) if path.suffix == ".py" else function_lengths_cpp(text)
    for line, length in lengths:
        if length > FUNCTION_LINES:
            yield line, f"a function of {length} lines; at most {FUNCTION_LINES}"


def long_file(path: Path, text: str) -> Iterator[Finding]:
    """Files that do more than one thing."""
    if path.suffix in CODE and text.count("\n") > FILE_LINES:
        yield 1, f"a file of {text.count(chr(10))} lines; at most {FILE_LINES}"


def long_lines(path: Path, text: str) -> Iterator[Finding]:
    """Lines of C++ too long to read; clang-format, which breaks code, leaves comments alone."""
    if path.suffix in CPP:
        for number, line in enumerate(text.splitlines(), 1):
            if len(line) > COLUMNS:
                yield number, f"a line of {len(line)} columns; at most {COLUMNS}"


def left_to_do(path: Path, text: str) -> Iterator[Finding]:
    """Notes of unfinished work."""
    yield from _matches(LEFT_TO_DO, text, "unfinished: {}")


def machine_paths(path: Path, text: str) -> Iterator[Finding]:
    """Paths that exist on one machine only."""
    yield from _matches(MACHINE_PATH, text, "a path of one machine: {}")


def library_manners(path: Path, text: str) -> Iterator[Finding]:
    """A library that prints, ends the program, or reads text as the locale of the program has it."""
    if path.parts[0] in ("src", "include") and path.suffix in CPP and not is_test(path):
        yield from _matches(ENDS_THE_PROGRAM, without_comments(text), "the library never prints or exits: {}")
        yield from _matches(ASKS_THE_LOCALE, without_comments(text), "asks the locale (base/letters.h, from_chars): {}")


def header_manners(path: Path, text: str) -> Iterator[Finding]:
    """What every header says and does."""
    if path.suffix != ".h":
        return
    if not re.match(r"// \S", text):
        yield 1, "a header begins with a comment that says what it is for"
    if "#pragma once" not in text:
        yield 1, "a header has #pragma once"
    yield from _matches(USING_NAMESPACE, without_comments(text), "in a header: {}")
    if path.parts[:3] == ("include", "rizoma", "algorithms"):
        for word in ALGORITHM_SAYS:
            if f"// {word}" not in text:
                yield 1, f"the header of an algorithm says `{word}`"


def _matches(pattern: re.Pattern[str], text: str, message: str) -> Iterator[Finding]:
    for found in pattern.finditer(text):
        yield text.count("\n", 0, found.start()) + 1, message.format(found.group().strip())


CHECKS: tuple[Callable[[Path, str], Iterator[Finding]], ...] = (
    long_functions,
    long_file,
    long_lines,
    left_to_do,
    machine_paths,
    library_manners,
    header_manners,
)


def violations(root: Path) -> list[str]:
    """What is wrong with the tree at `root`, as `file:line: what`."""
    found = []
    for path in files(root, *TEXT):
        try:
            text = (root / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # data, such as a graph without a suffix
        found += [f"{path}:{line}: {what}" for check in CHECKS for line, what in check(path, text)]
    return found


def main() -> int:
    """The command."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    found = violations(root)
    print("\n".join(found) if found else "tidy: no violations")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
