"""Counts what a reader opens to understand a kernel: its source and all private helpers of the algorithms.

Usage: check_kernels.py [--lower] [ROOT].

A kernel is a source of src/algorithms that begins with a header of include/rizoma/algorithms, of which each has one of
its name; its files are that source, the headers there that it includes, directly or not, and their sources.  Prints for
each kernel its files, lines of code (neither empty nor comments) and all lines, against the limits of kernel_lines.txt,
which only fall: --lower writes those that fell.  What several kernels share counts for each of them; the engine and the
public headers do not count.
Exit status 1: a kernel has more lines than it may, no source, or no limit.
"""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import limits
from check_layers import Layers
from source_tree import is_test, without_comments

HEADERS = Path("include/rizoma/algorithms")
SOURCES = Path("src/algorithms")
LIMITS = Path("tools/kernel_lines.txt")
FIRST = re.compile(r"#include <rizoma/algorithms/")
HEAD = "Lines of code and all lines of each kernel with its helpers: these only fall, by check_kernels.py --lower."


@dataclass(frozen=True)
class Kernel:
    """A kernel and what one reads of it."""

    name: str
    files: tuple[Path, ...]
    code: int
    lines: int


def lines_of_code(text: str) -> int:
    """Lines that are neither empty nor comments."""
    return sum(1 for line in without_comments(text, keep_strings=True).splitlines() if line.strip())


class Reading:
    """What is included by what below src/algorithms."""

    def __init__(self, root: Path) -> None:
        self.layers = Layers(root)
        ours = [path for path in self.layers.text if path.is_relative_to(SOURCES) and not is_test(path)]
        self.ours = set(ours)
        self.sources = {path.stem: path for path in ours if path.suffix == ".cpp"}

    def files_of(self, kernel: str) -> tuple[Path, ...]:
        """The files of a kernel: its source first, then what that leads to."""
        found: dict[Path, None] = {}
        open_ = [self.sources[kernel]] if kernel in self.sources else []
        while open_:
            path = open_.pop(0)
            if path in found:
                continue
            found[path] = None
            targets = (self.layers.target_of(path, include) for include in self.layers.includes[path])
            open_ += [target for target in targets if target in self.ours]
            if path.suffix == ".h" and path.with_suffix(".cpp") in self.ours:
                open_.append(path.with_suffix(".cpp"))
        return tuple(found)

    def kernels(self) -> list[Kernel]:
        """All kernels, by name."""
        text = self.layers.text
        names = {path.stem for path in text if path.is_relative_to(HEADERS)}
        names |= {name for name, path in self.sources.items() if FIRST.match(text[path])}
        return [
            Kernel(
                name,
                files := self.files_of(name),
                sum(lines_of_code(text[path]) for path in files),
                sum(text[path].count("\n") for path in files),
            )
            for name in sorted(names)
        ]


def report(kernels: list[Kernel], permitted: dict[str, limits.Counts]) -> tuple[list[str], list[str]]:
    """A table of all kernels, and what is wrong with them."""
    table = [f"{'kernel':<34}{'files':>6}{'code':>7}{'limit':>7}{'lines':>7}{'limit':>7}"]
    faults = []
    for kernel in kernels:
        code, lines = permitted.get(kernel.name, (0, 0))
        fell = "  fewer: run check_kernels.py --lower" if kernel.code < code or kernel.lines < lines else ""
        row = f"{kernel.name:<34}{len(kernel.files):>6}{kernel.code:>7}{code:>7}{kernel.lines:>7}{lines:>7}"
        table.append(row + fell)
        if not kernel.files:
            faults.append(f"{HEADERS / kernel.name}.h:1: no {kernel.name}.cpp below {SOURCES}")
        elif kernel.name not in permitted:
            faults.append(f"{kernel.files[0]}:1: no limit for {kernel.name} {kernel.code} {kernel.lines} in {LIMITS}")
        elif kernel.code > code or kernel.lines > lines:
            faults.append(
                f"{kernel.files[0]}:1: {kernel.name} has {kernel.code} lines of code of {kernel.lines} in "
                f"{len(kernel.files)} files; at most {code} of {lines}: {', '.join(map(str, kernel.files))}"
            )
    known = {kernel.name for kernel in kernels}
    faults += [f"{LIMITS}: there is no kernel {name}" for name in permitted if name not in known]
    return table, faults


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lower", action="store_true", help="write the limits that fell")
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).resolve().parent.parent)
    options = parser.parse_args()
    kernels = Reading(options.root).kernels()
    permitted = limits.read(options.root / LIMITS, columns=2)
    table, faults = report(kernels, permitted)
    print("\n".join([*table, *faults]))
    if options.lower:
        counts = {kernel.name: (kernel.code, kernel.lines) for kernel in kernels}
        limits.lower(options.root / LIMITS, permitted, counts, HEAD)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
