"""The C++ reference: a page for each public header, with what it is for and what it declares."""

from __future__ import annotations

import re
from pathlib import Path

__all__ = ["page_of", "write_pages"]

_NOT_PUBLIC = ("detail", "lab")  # what templates need, and what the laboratory measures by
_COMMENT = re.compile(r"^// ?(.*)$")
_STRUCTURE = re.compile(r"^\s*(?:template\s*<[^;{]*>\s*)?(?:class|struct|union|enum|namespace)\b")
_INITIALISERS = re.compile(r"\)((?:\s*(?:const|noexcept|override))*)\s*:\s[^:].*$", re.DOTALL)
_LEFT_OUT = re.compile(r"^(#pragma|#include|namespace rizoma \{|\}  // namespace rizoma$|using namespace)")
_FIELDS = re.compile(r"^#define RIZOMA_FIELD.*\n.*\n#undef RIZOMA_FIELD$", re.MULTILINE)
_TEXT_OPTIONS = Path(__file__).resolve().parents[1] / "include/rizoma/detail/text_options.h"
_MACRO = re.compile(r"^#define (\w+\([^)]*\))(?:.*\\\n)*.*", re.MULTILINE)


def write_pages(headers: Path, pages: Path) -> None:
    """Write `pages`/NAME.md for each header below the directory, and remove pages of others."""
    pages.mkdir(exist_ok=True)
    for page in pages.glob("*.md"):
        page.unlink()
    for header in sorted(headers.rglob("*.h")):
        name, text = header.relative_to(headers.parent), header.read_text()
        if name.parts[1] in _NOT_PUBLIC:
            continue
        if "namespace rizoma {" in text:  # else it includes others only, or is of the engine's own
            (pages / f"{'-'.join(name.with_suffix('').parts[1:])}.md").write_text(page_of(str(name), text))


def page_of(name: str, text: str) -> str:
    """The page of a header: the comment that it begins with, and its declarations without bodies."""
    lines = text.splitlines()
    first = next((i for i, line in enumerate(lines) if not _COMMENT.match(line)), len(lines))
    about = "\n".join(line.removeprefix("//").removeprefix(" ") for line in lines[:first])
    rest = "\n".join(line for line in lines[first:] if not _LEFT_OUT.match(line))
    rest = _MACRO.sub(r"#define \1", _FIELDS.sub(_text_options, rest))
    code = without_private(without_bodies(rest)).replace(";;", ";")
    code = re.sub(r"\n+(\n *\};)", r"\1", re.sub(r"\n{3,}", "\n\n", code)).strip()
    return f"# {name}\n\n```text\n{about}\n```\n\n```cpp\n#include <{name}>\n\n{code}\n```\n"


def _text_options(_: re.Match[str]) -> str:
    """The fields of ReadOptions that detail/text_options.h has a line for."""
    lines = _TEXT_OPTIONS.read_text(encoding="utf-8").replace("\\\n", "").replace('" "', "")
    lines = re.sub(r'"\s+"', "", lines)
    rows = re.findall(r'OPTION\(([^,"]+), (\w+), ([^,]+), "\w+", \w+,\s*"([^"]*)"\)', lines)
    return "\n".join(f"  {type_} {name} = {initial};  ///< {help}" for type_, name, initial, help in rows)


def without_bodies(code: str) -> str:
    """Declarations in place of definitions of functions; classes, enums and initial values stay."""
    shown, at, head = [], 0, 0  # `head`: where the declaration begins that the next brace belongs to
    while at < len(code):
        comment = re.compile(r"//[^\n]*").match(code, at)
        if comment:
            shown.append(comment.group())
            at = comment.end()
            continue
        if code[at] == "{":
            said = re.sub(r"//[^\n]*", "", "".join(shown)[head:])
            whole = said.count("(") == said.count(")")
            if whole and "(" in said and not _STRUCTURE.match(said.lstrip()):
                before = "".join(shown)
                shown = [_INITIALISERS.sub(r")\1", before[head:]).rstrip().join((before[:head], ";"))]
                at = _behind(code, at)
                head = len(shown[0])
                continue
            if not whole or not _STRUCTURE.match(said.lstrip()):  # an initial value
                end = _behind(code, at)
                shown.append(code[at:end])
                at = end
                continue
        shown.append(code[at])
        if code[at] in "{};":
            shown = ["".join(shown)]
            head = len(shown[0])
        at += 1
    return "".join(shown)


def _behind(code: str, brace: int) -> int:
    """Where the block ends that begins with this brace."""
    depth = 0
    for found in re.compile(r"//[^\n]*|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])'|[{}]").finditer(code, brace):
        depth += {"{": 1, "}": -1}.get(found.group(), 0)
        if depth == 0:
            return found.end()
    return len(code)


def without_private(code: str) -> str:
    """Classes without what is behind `private:`."""
    kept: list[str] = []
    hidden = ""  # the indentation of the class whose private part is passed over
    hiding = False
    for line in code.splitlines():
        label = re.match(r"^(\s*) (public|private|protected):", line)
        if label and not (hiding and len(label[1]) > len(hidden)):
            hiding, hidden = label[2] == "private", label[1]
        elif hiding and re.match(rf"^{hidden}\}};", line):
            hiding = False
        if not hiding:
            kept.append(line)
    return "\n".join(kept)
