"""Checks with clang that what a lock guards is touched under that lock only (src/platform/mutex.h has the words).

Usage: check_threads.py [FILE...]      default: all sources of the library that see such a lock
Only clang's analysis runs; nothing is compiled or linked.  Exit status 1: there are findings.  Without clang: a note.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
GUARDS = re.compile(r"RIZOMA_(?:GUARDED_BY|REQUIRES)")
# Header of MPI's standard interface, where it is installed beside this Python.
MPI = Path(sys.prefix) / "include"
FLAGS = [
    "-std=c++20", "-fsyntax-only", "-Wthread-safety", "-Werror=thread-safety-analysis",
    "-Werror=thread-safety-attributes", f"-I{ROOT / 'include'}", f"-I{ROOT / 'src'}", f"-isystem{MPI}", "-DMPI_ABI",
]  # fmt: skip


def text_of(path: Path) -> str:
    """A file's text; empty if there is none."""
    return path.read_text(encoding="utf-8") if path.exists() else ""


def included(path: Path, found: set[Path]) -> set[Path]:
    """Adds the project's headers that a file includes, and those that they include."""
    for name in INCLUDE.findall(text_of(path)):
        header = ROOT / "src" / name
        if header not in found and header.exists():
            found.add(header)
            included(header, found)
    return found


def with_guards(sources: list[Path]) -> list[Path]:
    """Of these sources those that can touch what a lock guards."""
    return [path for path in sources if any(GUARDS.search(text_of(file)) for file in included(path, {path}))]


def library_sources() -> list[Path]:
    """All sources but tests, and but what needs a header that is not here."""
    sources = [path for path in sorted((ROOT / "src").rglob("*.cpp")) if not path.name.endswith("_test.cpp")]
    return sources if (MPI / "mpi_abi.h").exists() else [path for path in sources if path.parent.name != "mpi"]


def check(clang: str, source: Path) -> str:
    """What clang says of a file that it does not pass; empty: nothing."""
    done = subprocess.run([clang, *FLAGS, str(source)], capture_output=True, text=True)
    return done.stderr if done.returncode != 0 else ""


def report(said: dict[Path, str]) -> int:
    """Prints findings, and what this clang cannot read, which is for the compiler to say; the exit status."""
    findings = [text for text in said.values() if "-Wthread-safety" in text]
    unread = [str(source.relative_to(ROOT)) for source, text in said.items() if text and "-Wthread-safety" not in text]
    if unread:
        print("locks: this clang cannot read", ", ".join(unread))
    print("\n".join(findings) if findings else f"locks: no violations in {len(said) - len(unread)} files")
    return 1 if findings else 0


def main(words: list[str]) -> int:
    """The command."""
    clang = shutil.which(os.environ.get("CLANGXX", "clang++"))
    if clang is None:
        print("locks: not checked, for there is no clang++")
        return 0
    sources = [Path(word).resolve() for word in words] or with_guards(library_sources())
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return report(dict(zip(sources, pool.map(lambda source: check(clang, source), sources), strict=True)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
