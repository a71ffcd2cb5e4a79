"""Looks with clang-tidy for mistakes (.clang-tidy has the list), within a limit of time: in what changed first, then in
what differs from commit to commit (share.py).

Usage: check_mistakes.py [--build DIR] [--minutes M] [--since REVISION] [--share N] [FILE...]

Each source is read as `DIR` compiles it (compile_commands.json; default: build/test).  With FILEs all of them are
looked at, whatever the time.  What there was no time for is counted, and so is what clang has errors for, which are
left to check_threads.py.  There is a note instead where clang-tidy is missing.  Exit status 1: there are findings,
clang-tidy crashed, or nothing could be read although there was time for everything.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import share
from share import ROOT

STEP = 12  # how many sources further the next share begins: a minute of two processors
A_DAY = 24 * 3600
FINDING = re.compile(r"\[[\w.,-]+,-warnings-as-errors\]$", re.MULTILINE)
UNREAD = "what clang has errors for"
LEAST_OF_SIGNALS = 128  # a shell adds the number of the signal that ended a program


def sources_of(build: Path) -> list[str]:
    """The library's sources, and those of what tests share, that a build compiles."""
    compiled = build / "compile_commands.json"
    if not compiled.exists():
        return []
    paths = {Path(entry["file"]) for entry in json.loads(compiled.read_text(encoding="utf-8"))}
    names = {str(path.relative_to(ROOT)) for path in paths if path.is_relative_to(ROOT)}
    return sorted(name for name in names if name.startswith(("src/", "testing/")) and not name.endswith("_test.cpp"))


def look(program: str, build: Path, source: str, end: float) -> str | None:
    """What clang-tidy finds in a source, or says at its crash; empty: nothing; None: there was no time; UNREAD: the
    source has errors of its own.
    """
    # Clang's own warnings, which are errors in a strict build, would end the reading of a source.
    words = [program, "--quiet", "-p", str(build), "--extra-arg=-w", source]
    status, said = share.run_until(end, words, ROOT)
    if status is None:
        return None
    if FINDING.search(said):
        return said
    if status < 0 or status > LEAST_OF_SIGNALS:
        return f"mistakes: clang-tidy crashed at {source}, status {status}\n{said}"
    return "" if status == 0 else UNREAD


def report(said: dict[str, str | None]) -> int:
    """Prints what was found and what was not looked at; the exit status."""
    findings = [text for text in said.values() if text and text != UNREAD]
    left = [source for source, text in said.items() if text is None]
    unread = [source for source, text in said.items() if text == UNREAD]
    read = len(said) - len(left) - len(unread)
    print("\n".join(findings) if findings else f"mistakes: none found in {read} files")
    if unread:
        print(f"mistakes: clang has errors for {len(unread)} files: {share.listed(unread)}")
    if left:
        print(f"mistakes: no time for {len(left)} files")
    return 1 if findings or (read == 0 and not left) else 0


def main(words: Iterable[str]) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "test")
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--since")
    parser.add_argument("--share", type=int, default=share.number())
    parser.add_argument("files", nargs="*")
    options = parser.parse_args(list(words))
    program = shutil.which(os.environ.get("CLANG_TIDY", "clang-tidy"))
    if program is None:
        print("mistakes: not looked for, for there is no clang-tidy")
        return 0
    sources = options.files
    end = time.monotonic() + (A_DAY if sources else 60 * options.minutes)
    if not sources:
        changed = share.files_changed(options.since)
        sources = share.pick(sources_of(options.build), changed, options.share, STEP)
        print(f"mistakes: what changed first ({len(changed)} files), then share {options.share}")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        texts = pool.map(lambda source: look(program, options.build, source, end), sources)
        return report(dict(zip(sources, texts, strict=True)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
