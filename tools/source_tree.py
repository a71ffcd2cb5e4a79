"""The files of a source tree, and their text without comments: what the repository checks read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

NOT_OURS = re.compile(r"^(\..+|build.*|dist|__pycache__|.*\.egg-info|.*\.rz)$")
CPP = {".h", ".cpp"}

_TOKEN = re.compile(
    r"""(?P<raw>R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)")"""
    r"""|(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')"""
    r"""|(?P<comment>//[^\n]*|/\*.*?\*/)""",
    re.DOTALL,
)


def files(root: Path, *suffixes: str) -> Iterator[Path]:
    """All files below `root` with one of the suffixes, as paths relative to it, in order."""
    for path in sorted(root.iterdir()):
        if NOT_OURS.match(path.name) and path.name != ".ci":
            continue
        if path.is_dir() and not path.is_symlink():
            yield from (path.relative_to(root) / below for below in files(path, *suffixes))
        elif not suffixes or path.suffix in suffixes:
            yield path.relative_to(root)


def is_test(path: Path) -> bool:
    """Whether a C++ file is test code, which may use fakes and the operating system."""
    named_so = path.name.startswith("test_") or path.name.endswith("_test.cpp")
    return named_so or path.parts[0] in ("testing", "tests")


def without_comments(code: str, *, keep_strings: bool = False) -> str:
    """C++ code with comments (and the insides of literals) blanked; lines keep their numbers."""

    def blank(token: re.Match[str]) -> str:
        text = token.group()
        if keep_strings and token.lastgroup != "comment":
            return text
        filler = re.sub(r"[^\n]", " ", text)
        return filler if token.lastgroup == "comment" else '"' + filler[1:-1] + '"'

    # An apostrophe between digits (1'000) separates thousands and opens no literal.
    return _TOKEN.sub(blank, re.sub(r"(?<=[0-9a-fA-F])'(?=[0-9a-fA-F])", "_", code))
