"""Checks that sources of one folder can be compiled together, as the package's build does (cmake/RizomaUnity.cmake).

Usage: check_unity.py [ROOT].  In one compilation all unnamed namespaces of a namespace are one, so two sources of a
folder must not define a type, an alias, a constant or a variable of one name in it, nor a function of one name and
equal parameters; nor what a header that one of them includes declares in the namespace around.  And a macro that a
source defines holds for the sources after it.  Looked at are the modules that `rizoma_unity` of CMakeLists.txt names,
without the sources that it compiles apart.  Nothing is compiled: which of two overloads a call means, the compiler
alone knows.  Prints one line for each violation; exit status 1 if there are any.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from source_tree import is_test, without_comments

DIRECTIVE = re.compile(r"^[ \t]*#[^\n]*(?:\\\n[^\n]*)*", re.MULTILINE)
MACRO = re.compile(r"^[ \t]*#[ \t]*(define|undef)[ \t]+(\w+)", re.MULTILINE)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]', re.MULTILINE)
NAMESPACE = re.compile(r"\s*(?:inline\s+)?namespace\b\s*([\w:]*)\s*$")
TYPE = re.compile(
    r"\b(?:class|struct|union|enum)\s+(?:(?:class|struct)\s+)?(?:alignas\([^()]*\)\s*)?((?:\w+::)*\w+(?:<.*>)?)"
)
NO_DEFINITION = re.compile(
    r"(?:friend|namespace|static_assert|using\s+(?!\w+\s*=)|extern\s+template|template\s+class)\b"
)
FUNCTION = re.compile(r"(?:^|[\s*&>:])(operator\s*(?:\(\s*\)|[^\s\w(]+|\s\w+)|\w+)\s*\(")
BUILT_IN = {
    "const",
    "volatile",
    "int",
    "long",
    "short",
    "unsigned",
    "signed",
    "char",
    "double",
    "float",
    "bool",
    "auto",
}


@dataclass(frozen=True)
class Defined:
    """What a file defines in a namespace, named or unnamed: `parameters` of a function, None for all else."""

    path: Path
    line: int
    space: str  # the namespaces around, without unnamed ones
    unnamed: bool
    name: str
    parameters: str | None

    def excludes(self, other: Defined) -> bool:
        """Whether one compilation cannot have both, or could not tell which is meant."""
        same = (self.space, self.name) == (other.space, other.name)
        return same and (None in (self.parameters, other.parameters) or self.parameters == other.parameters)


def _end(code: str, begin: int) -> int:
    """Behind the brace that closes the one at `begin`."""
    depth = 0
    for found in re.compile("[{}]").finditer(code, begin):
        depth += 1 if found.group() == "{" else -1
        if depth == 0:
            return found.end()
    return len(code)


def _without_templates(head: str) -> tuple[str, list[str]]:
    """A declaration without `template <...>` before it, and the names of the template's parameters."""
    names: list[str] = []
    while found := re.match(r"\s*template\s*<", head):
        depth, at = 1, found.end()
        while depth and at < len(head):
            depth += (head[at] == "<") - (head[at] == ">")
            at += 1
        names += re.findall(r"(\w+)\s*(?:=[^,]*)?(?:,|$)", head[found.end() : at - 1])
        head = re.sub(r"^\s*requires\s+[\w:]+(?:<[^<>]*>)?(?:\s*&&\s*[\w:]+(?:<[^<>]*>)?)*", "", head[at:])
    return head.strip(), names


def _split(text: str, separator: str = ",") -> Iterator[str]:
    """The parts between separators that no bracket encloses."""
    depth, part = 0, ""
    for mark in text:
        depth += (mark in "(<[{") - (mark in ")>]}")
        if mark == separator and depth == 0:
            yield part
            part = ""
        else:
            part += mark
    yield part


def _type_of(parameter: str) -> str:
    """A parameter without its name, its default and a `const` that callers do not see."""
    words = re.findall(r"\w+|::|[^\s\w]", re.sub(r"\[\[.*?\]\]", " ", parameter.split("=")[0]))
    if len(words) > 1 and re.match(r"[A-Za-z_]", words[-1]) and words[-1] not in BUILT_IN and words[-2] != "::":
        words = words[:-1] if set(words[:-1]) - {"const", "volatile"} else words
    if words and "*" not in words and "&" not in words and words[0] == "const":
        words = words[1:]
    return " ".join(words)


def _parameters(head: str, begin: int, templates: list[str]) -> str:
    """The types of a function's parameters, which begin behind the parenthesis at `begin`."""
    depth, at = 1, begin
    while depth and at < len(head):
        depth += (head[at] == "(") - (head[at] == ")")
        at += 1
    types = ", ".join(_type_of(part) for part in _split(head[begin : at - 1]))
    for number, name in enumerate(templates):
        types = re.sub(rf"\b{name}\b", f"T{number}", types)
    return types


def _name(head: str, body: bool) -> tuple[str, str | None] | None:
    """Name and parameters of what a declaration defines; None: nothing.  `body`: a brace follows."""
    head, templates = _without_templates(re.sub(r"\[\[.*?\]\]", " ", head))
    if not head or NO_DEFINITION.match(head):
        return None
    before = head if "operator" in head else next(_split(head, "="))
    if found := re.match(r"using\s+(\w+)\s*$", before):
        return found[1], None
    plain = before
    while (shorter := re.sub(r"<[^<>]*>", lambda found: " " * len(found.group()), plain)) != plain:
        plain = shorter
    if (found := FUNCTION.search(plain)) and not re.match(r"(?:class|struct|union|enum)\b", plain):
        qualified = plain[: found.start(1)].rstrip().endswith("::")
        defines = body and not qualified and before == head and plain[: found.start(1)].strip()
        return (re.sub(r"\s", "", found[1]), _parameters(before, found.end(), templates)) if defines else None
    if found := TYPE.match(before):
        return (re.sub(r"\s", "", found[1]), None) if body else None
    found = re.search(r"[\s*&>](\w+)\s*(?:\[[^\]]*\]\s*)*$", plain)
    return (found[1], None) if found and not plain.startswith("extern") else None


def defined(path: Path, code: str) -> Iterator[Defined]:
    """All that a file defines in namespaces, not in classes and functions."""
    code = DIRECTIVE.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), without_comments(code))
    spaces: list[str] = []
    start = at = 0
    while found := re.compile("[{};]").search(code, at):
        head, at = code[start : found.start()], found.end()
        if found.group() == "{" and head.count("(") > head.count(")"):  # a default of a parameter
            at = _end(code, found.start())
            continue
        if found.group() == "}":
            spaces = spaces[:-1]
        elif found.group() == "{" and (inner := NAMESPACE.match(head)):
            spaces.append(inner[1])
        elif what := _name(head, found.group() == "{"):
            line = code.count("\n", 0, start + len(head) - len(head.lstrip())) + 1
            yield Defined(path, line, "::".join(filter(None, spaces)), "" in spaces, *what)
        if found.group() == "{" and not NAMESPACE.match(head):
            at = _end(code, found.start())
            if what and what[1] is None:  # behind a type or an initialiser there is a semicolon
                at = code.find(";", at) + 1 or len(code)
        start = at


def folders(root: Path) -> dict[Path, list[Path]]:
    """The sources that may be compiled together, by folder."""
    text = (root / "CMakeLists.txt").read_text(encoding="utf-8")
    modules = re.search(r"^rizoma_unity\(([^)]*)\)", text, re.MULTILINE)
    apart = re.search(r"^file\(GLOB apart ([^)]*)\)", text, re.MULTILINE)
    alone = {path for pattern in (apart[1].split() if apart else ()) for path in root.glob(pattern)}
    found = defaultdict(list)
    for module in modules[1].split() if modules else ():
        for path in sorted((root / "src" / module).rglob("*.cpp")):
            if path not in alone and not is_test(path.relative_to(root)):
                found[path.relative_to(root).parent].append(path.relative_to(root))
    return found


def _headers(root: Path, sources: list[Path]) -> list[Path]:
    """Our headers that the sources include, themselves or by others."""
    seen: set[Path] = set()
    left = list(sources)
    while left:
        path = left.pop()
        for name in INCLUDE.findall((root / path).read_text(encoding="utf-8")):
            for at in (Path("include") / name, Path("src") / name, path.parent / name):
                if at not in seen and (root / at).is_file():
                    seen.add(at)
                    left.append(at)
    return sorted(seen)


def leaking_macros(code: str) -> Iterator[tuple[int, str]]:
    """Line and name of each macro that a source defines and does not take back."""
    held: dict[str, int] = {}
    for found in MACRO.finditer(without_comments(code)):
        if found[1] == "define":
            held[found[2]] = code.count("\n", 0, found.start()) + 1
        else:
            held.pop(found[2], None)
    yield from ((line, name) for name, line in held.items())


def _clashes(sources: list[Defined], headers: list[Defined]) -> Iterator[str]:
    """What two sources define, or a source in an unnamed namespace and a header around it."""
    known = defaultdict(list)
    for each in headers:
        known[each.space, each.name].append(each)
    for each in sources:
        others = known[each.space, each.name]
        for other in others:
            both = each.unnamed or other.unnamed or each.parameters is None
            if (
                each.path != other.path
                and both
                and each.excludes(other)
                and (each.unnamed or other.path.suffix == ".cpp")
            ):
                yield (
                    f"{each.path}:{each.line}: {each.name} is also defined in {other.path}:{other.line}, and the "
                    "package's build compiles both together: give one another name, or both one place"
                )
                break
        others.append(each)


def violations(root: Path) -> list[str]:
    """What keeps sources of one folder from being compiled together, as `file:line: what`."""
    found: list[str] = []
    held: dict[Path, list[Defined]] = {}

    def of(path: Path) -> list[Defined]:
        if path not in held:
            held[path] = list(defined(path, (root / path).read_text(encoding="utf-8")))
        return held[path]

    for sources in folders(root).values():
        headers = [each for path in _headers(root, sources) for each in of(path)]
        found += _clashes([each for path in sources for each in of(path)], headers)
        for path in sources:
            for line, name in leaking_macros((root / path).read_text(encoding="utf-8")):
                found.append(f"{path}:{line}: the macro {name} holds for sources compiled after this one: #undef it")
    return found


def main() -> int:
    """The command."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    found = violations(root)
    print("\n".join(found) if found else "unity: sources of each folder can be compiled together")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
