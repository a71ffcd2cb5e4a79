"""Checks with clang that what a lock guards is touched under that lock only (src/platform/mutex.h has the words), and
that clang can read what gcc compiles.

Usage: check_threads.py [--all | FILE...]

Default: the sources of the library that see such a lock, if they or what they include changed lately; of all others
those that changed, and some more, of each commit others (share.py).  --all: every source.
Only clang's analysis runs; nothing is compiled or linked.  Exit status 1: there are findings.  There is a note instead
where clang is missing, too old, or cannot read the headers of the standard library.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import share
from share import ROOT

OLDEST = 14  # clang that is to read everything
STEP = 16  # how many sources further the next share begins
MOST = 48  # of those that changed: a minute of two processors
STANDARD = re.compile(r"^#include <([a-z_]+)>", re.MULTILINE)
INCLUDE = re.compile(r'^#include (?:"([^"]+)"|<(rizoma/[^>]+)>)', re.MULTILINE)
GUARDS = re.compile(r"RIZOMA_(?:GUARDED_BY|REQUIRES)")
# Header of MPI's standard interface, where it is installed beside this Python.
MPI = Path(sys.prefix) / "include"
FLAGS = [
    "-std=c++20", "-fsyntax-only", "-Wthread-safety", "-Werror=thread-safety-analysis",
    "-Werror=thread-safety-attributes", f"-I{ROOT / 'include'}", f"-I{ROOT / 'src'}", f"-I{ROOT}", f"-isystem{MPI}",
    "-DMPI_ABI", f'-DRIZOMA_SOURCE_DIR="{ROOT}"',
]  # fmt: skip


def text_of(path: Path) -> str:
    """A file's text; empty if there is none."""
    return path.read_text(encoding="utf-8") if path.exists() else ""


def included(path: Path, found: set[Path]) -> set[Path]:
    """Adds the project's headers that a file includes, and those that they include."""
    for own, public in INCLUDE.findall(text_of(path)):
        header = ROOT / "include" / public if public else ROOT / "src" / own
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


def reads(clang: str, sources: list[Path]) -> bool:
    """Whether this clang is one that must read the sources: new enough, and at home with the standard library here."""
    version = re.search(r"version (\d+)", subprocess.run([clang, "--version"], capture_output=True, text=True).stdout)
    if version is None or int(version[1]) < OLDEST:
        return False
    names = sorted({name for path in sources for name in STANDARD.findall(text_of(path))})
    headers = "".join(f"#include <{name}>\n" for name in names)
    words = [clang, "-std=c++20", "-fsyntax-only", "-x", "c++", "-"]
    return subprocess.run(words, input=headers, capture_output=True, text=True).returncode == 0


def that_see(guarded: list[Path], changed: list[str] | None) -> list[Path]:
    """Of these sources those that changed, or that include what did; all where it is not known what changed."""
    if changed is None:
        return guarded
    files = {ROOT / name for name in changed}
    return [path for path in guarded if not files.isdisjoint(included(path, {path}))]


def every_source() -> list[Path]:
    """The sources of the library, and what tests share."""
    return [*library_sources(), *sorted((ROOT / "testing").glob("*.cpp"))]


def of_the_share(seen: list[Path], changed: list[str], number: int) -> list[Path]:
    """Of all other sources those that changed, and the share's."""
    others = [str(path.relative_to(ROOT)) for path in every_source() if path not in seen]
    first = len(share.touched(others, changed))
    picked = share.pick(others, changed, number, STEP)
    return [ROOT / source for source in picked[: min(first, MOST)] + picked[first : first + STEP]]


def report(said: dict[Path, str], must_read: bool) -> int:
    """Prints findings, and what this clang cannot read, which is one if it should; the exit status."""
    unread = {source: text for source, text in said.items() if text and "-Wthread-safety" not in text}
    findings = [text for source, text in said.items() if text and (must_read or source not in unread)]
    if unread:
        print("locks: this clang cannot read", ", ".join(str(source.relative_to(ROOT)) for source in unread))
    print("\n".join(findings) if findings else f"locks: no violations in {len(said) - len(unread)} files")
    return 1 if findings else 0


def main(words: list[str]) -> int:
    """The command."""
    clang = shutil.which(os.environ.get("CLANGXX", "clang++"))
    if clang is None:
        print("locks: not checked, for there is no clang++")
        return 0
    sources = every_source() if words == ["--all"] else [Path(word).resolve() for word in words]
    if not sources:
        changed = share.files_changed(None)
        seen = that_see(with_guards(library_sources()), changed if share.base() else None)
        sources = seen + of_the_share(seen, changed, share.number())
        print(f"locks: {len(seen)} files that see a lock and changed, of the others those of share {share.number()}")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        said = dict(zip(sources, pool.map(lambda source: check(clang, source), sources), strict=True))
    return report(said, reads(clang, sources))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
