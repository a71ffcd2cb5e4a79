"""Checks what the comments of the public C++ headers say: include/rizoma but for what is the engine's own (detail).

Usage: check_headers.py [ROOT].  A public function has a comment: its own, that of the group of declarations that it
stands in (no blank line between), or one behind it; not asked of constructors, operators, overrides, and functions
whose body stands in the line.  A function that returns a Result or a Status says its errors: in its comment ("Errors:",
"ErrorCode::"), in that of its class, in the comment at the head of the file, or in the comment before, where its own
begins with "The same".  A header that only declares some of its functions says what they cost ("Cost:", "O(n)").
Prints one line for each violation; exit status 1 if there are any.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from source_tree import without_comments

WHERE = Path("include/rizoma")
APART = ("detail",)
ERRORS = re.compile(r"\b[Ee]rrors?\b|ErrorCode::|\b[Ff]ails?\b|\bFailed\b")
TRIVIAL = {"rizoma.h", "result.h"}  # headers without a function that costs anything
COST = re.compile(r"\b[Cc]osts?\b|\bO\(")
DIRECTIVE = re.compile(r"^[ \t]*#[^\n]*(?:\\\n[^\n]*)*", re.MULTILINE)
NO_FUNCTION = re.compile(r"^\s*(?:friend|using|typedef|static_assert|enum|extern|#)")
CALLED = re.compile(r"([~\w]+|operator\s*\S+)\s*\($")


@dataclass(frozen=True)
class Declared:
    """A public function of a header: where it begins, its text without comments, and the class that it is in."""

    line: int
    head: str
    owner: str
    inline: bool  # its body stands in the line
    defined: bool  # its body follows

    @property
    def name(self) -> str:
        """The function's name."""
        return _name(self.head)

    @property
    def can_fail(self) -> bool:
        """Whether it returns a Result or a Status."""
        plain = re.sub(r"^\s*(?:template\s*<[^{;]*?>\s*(?=[\w\[]))?", "", self.head)
        return re.match(r"(?:\[\[\w+\]\]|static|virtual|inline|\s)*(?:Result<|Status\b)", plain) is not None


def _without_arguments(head: str) -> str:
    """A declaration without template parameters and arguments."""
    while (shorter := re.sub(r"<[^<>]*>", " ", head)) != head:
        head = shorter
    return head


def _name(head: str) -> str:
    """What stands before the parameters; empty: this is no function."""
    head = re.sub(r"\[\[.*?\]\]|RIZOMA_\w+\([^()]*\)|alignas\([^()]*\)|requires\s*\(.*?\)(?=\s)", " ", head)
    head = _without_arguments(head)
    before, parenthesis, _ = head.partition("(")
    if not parenthesis or "=" in before.replace("operator=", "") or NO_FUNCTION.match(head):
        return ""
    found = CALLED.search(before + "(")
    return found[1] if found else ""


def declared(code: str) -> Iterator[Declared]:
    """The public functions of a header, which is given without comments."""
    code = DIRECTIVE.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), code)
    scopes: list[list[str]] = []  # kind (namespace, class, other), name, access
    start = depth = 0
    for i, mark in enumerate(code):
        depth += (mark == "(") - (mark == ")")
        if depth > 0 or mark not in "{};:":
            continue
        head = code[start:i]
        public = all(kind != "other" and access == "public" for kind, _, access in scopes)
        if mark == ":":
            if found := re.fullmatch(r"\s*(public|private|protected)", head):
                scopes[-1][2] = found[1]
                start = i + 1
            continue
        owner = next((name for kind, name, _ in reversed(scopes) if kind == "class"), "")
        if mark != "}" and public and _name(head):
            begin = start + len(head) - len(head.lstrip())
            one_line = mark == "{" and "\n" not in code[begin : code.find("}", i)]
            yield Declared(code.count("\n", 0, begin) + 1, head.strip(), owner, one_line, mark == "{")
        if mark == "{":
            scopes.append(_scope(head))
        elif mark == "}" and scopes:
            scopes.pop()
        start = i + 1


def _scope(head: str) -> list[str]:
    """What a brace after this text opens."""
    if found := re.search(r"\bnamespace\s+(\w+)", head):
        return ["other" if found[1].endswith("detail") else "namespace", found[1], "public"]
    head = _without_arguments(head)
    found = re.search(r"\b(class|struct)\s+(?:alignas\([^()]*\)\s*)?(?:\[\[.*?\]\]\s*)?(\w+)[^(){};=]*$", head)
    if found and not re.search(r"\benum\s+$", head[: found.start()]):
        return ["class", found[2], "public" if found[1] == "struct" else "private"]
    return ["other", "", "public"]


def comment_of(lines: list[str], line: int) -> str:
    """The comment of what begins in a line (from 1 on): behind it, above it, or above its group."""
    said = re.findall(r"//[/<]* ?(.*)$", lines[line - 1])
    at = line - 2
    while at >= 0 and lines[at].strip() and not lines[at].lstrip().startswith("//"):
        if re.search(r"[{:]\s*$", lines[at]) and not re.search(r"\)\s*(?:const|noexcept)?\s*[:{]$", lines[at]):
            return " ".join(said)
        at -= 1
    above: list[str] = []
    while at >= 0 and lines[at].lstrip().startswith("//"):
        above.insert(0, lines[at].lstrip(" /"))
        at -= 1
    return " ".join([*above, *said])


def _class_comment(lines: list[str], owner: str) -> str:
    """The comment of a class; empty: there is none."""
    for number, text in enumerate(lines, 1):
        if owner and re.match(rf"\s*(?:class|struct)\s+(?:alignas\([^()]*\)\s*)?{owner}\b[^;]*$", text):
            above = number - 1
            while above > 0 and lines[above - 1].lstrip().startswith("template"):
                above -= 1
            return comment_of(lines, above + 1)
    return ""


def lacks(path: Path, text: str) -> Iterator[tuple[int, str]]:
    """Line and text of what the comments of a header do not say."""
    lines = text.splitlines()
    top = " ".join(line for line in lines[: next((i for i, line in enumerate(lines) if line.startswith("#")), 0)])
    before, elsewhere = "", False
    for each in declared(without_comments(text)):
        made = each.name == each.owner or each.name == "void" or each.name.startswith(("~", "operator"))
        if made or re.search(r"\boverride\b|= (?:default|delete)$", each.head):
            continue
        said = comment_of(lines, each.line)
        elsewhere = elsewhere or not (each.defined or re.search(r"\bvirtual\b|const noexcept$", each.head))
        if not said and not each.inline and not re.search(r"\bconst noexcept$", each.head):
            yield each.line, f"{each.name} has no comment"
        elif each.can_fail:
            inherits = before if re.match(r"The same|Copies of the same|As ", said) else ""
            if not ERRORS.search(" ".join([said, inherits, _class_comment(lines, each.owner), top])):
                yield each.line, f"the comment of {each.name} does not say its errors"
        before = f"{said} {before if said.startswith('The same') else ''}"
    if elsewhere and path.name not in TRIVIAL and not COST.search(" ".join(line for line in lines if "//" in line)):
        yield 1, "no comment says what its functions cost"


def violations(root: Path) -> list[str]:
    """What comments of public headers do not say, as `file:line: what`."""
    found = []
    for path in sorted((root / WHERE).rglob("*.h")):
        if path.relative_to(root / WHERE).parts[0] not in APART:
            said = lacks(path, path.read_text(encoding="utf-8"))
            found += [f"{path.relative_to(root)}:{line}: {what}" for line, what in said]
    return found


def main() -> int:
    """The command."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    found = violations(root)
    print("\n".join(found) if found else "headers: every public function says what it must")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
