"""The figures of docs/measurements/store.md: rounds of `rizoma-commit` and `rizoma-changed`.

    python bench/durability_figures.py CASE DIRECTORY [--rounds N] [--scale S] [--peer COMMAND]

  insert    batches of 4,096 edges, 1 and 2 threads, durable and not; with --peer, a program that inserts
            the same edges on {threads} threads and prints a line "name<TAB>value<TAB>unit"
  disk      batches, and commits of one edge, beside appending the same bytes with fdatasync
  recover   opening with a full log, on graphs of three sizes
  reader    PageRank beside a writer
  space     bytes written and kept over ten times the graph's edges of updates
  changed   kernels right after insertion, beside a fresh static CSR

Every round runs each program once, so that whatever slows the machine down meets all of them; ratios are
taken within a round.  Prints medians with their 95% bootstrap intervals.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from rizoma_lab.bench.machine import describe
from rizoma_lab.bench.statistics import median_interval

Figures = dict[str, tuple[float, str]]
Run = Callable[[], Figures]


def lines_of(command: list[str]) -> Figures:
    """The lines "name<TAB>value<TAB>unit" that a program prints."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{shlex.join(command)} failed: {done.stderr.strip()}")
    cells = [line.split("\t") for line in done.stdout.splitlines()]
    return {cell[0]: (float(cell[1]), cell[2]) for cell in cells if len(cell) >= 3}


class Programs:
    """What each case runs, by label, and the ratios between figures of a round."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.ratios: list[tuple[str, str, str]] = []  # name, numerator, denominator

    def commit(self, case: str, scale: int, threads: int, level: str = "always") -> Run:
        return self.program("rizoma-commit", case, scale, threads, level)

    def program(self, name: str, *arguments: object) -> Run:
        first, *rest = arguments
        path = str(self.options.build / "bench" / name)
        where = (
            [str(first), self.options.directory] if name == "rizoma-commit" else [self.options.directory, str(first)]
        )
        return lambda: lines_of([path, *where, *map(str, rest)])

    def insert(self) -> dict[str, Run]:
        scale = self.options.scale or 20
        runs: dict[str, Run] = {}
        for threads in (1, 2):
            if self.options.peer:
                command = shlex.split(self.options.peer.format(threads=threads))
                runs[f"peer {threads}"] = lambda command=command: lines_of(command)
            for level in ("always", "none"):
                label = f"{level} {threads}"
                runs[label] = self.commit("insert", scale, threads, level)
                self.ratios.append((f"{label} by the peer", f"{label}: insert entries", f"peer {threads}: *"))
        return runs

    def disk(self) -> dict[str, Run]:
        runs = {f"batches {t}": self.commit("insert", self.options.scale or 17, t) for t in (1, 2)}
        runs |= {f"single {t}": self.commit("single", 18, t) for t in (1, 8)}
        for t in (1, 2):
            self.ratios.append((f"batches {t} by append", f"batches {t}: insert", f"batches {t}: append and fdatasync"))
        for t in (1, 8):
            for beside in ("append", "overwrite"):
                below = f"single {t}: {beside} and fdatasync"
                self.ratios.append((f"single {t} by {beside}", f"single {t}: single-edge commits", below))
        return runs

    def recover(self) -> dict[str, Run]:
        return {f"scale {s}": self.commit("recover", s, 2) for s in (16, 18, 20)}

    def reader(self) -> dict[str, Run]:
        return {"reader": self.commit("reader", self.options.scale or 18, 1)}

    def space(self) -> dict[str, Run]:
        scale = self.options.scale or 17
        return {level: self.commit("space", scale, 1, level) for level in ("always", "none")}

    def changed(self) -> dict[str, Run]:
        return {"": self.program("rizoma-changed", self.options.scale or 20, 2, 3)}


def show(samples: dict[str, list[float]], units: dict[str, str], ratios: list[tuple[str, str, str]]) -> None:
    """Print a row for each figure and each ratio: the median, its interval, the number of rounds."""
    for name, values in samples.items():
        median, low, high = median_interval(values)
        print(f"| {name} | {median:.4g} | {low:.4g} to {high:.4g} | {units[name]} | {len(values)} |")
    for name, above, below in ratios:
        below = next((key for key in samples if below.endswith("*") and key.startswith(below[:-1])), below)
        if above in samples and below in samples:
            quotients = [a / b for a, b in zip(samples[above], samples[below], strict=True)]
            median, low, high = median_interval(quotients)
            print(f"| **{name}** | {median:.3f} | {low:.3f} to {high:.3f} | x | {len(quotients)} |")


def main() -> None:
    """Run the rounds of one case."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("case", choices=["insert", "disk", "recover", "reader", "space", "changed"])
    parser.add_argument("directory")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--scale", type=int)
    parser.add_argument("--peer")
    parser.add_argument("--build", type=Path, default=Path("build/bench"))
    options = parser.parse_args()
    programs = Programs(options)
    samples: dict[str, list[float]] = defaultdict(list)
    units: dict[str, str] = {}
    runs: dict[str, Run] = getattr(programs, options.case)()
    for _ in range(options.rounds):
        for label, run in runs.items():
            for figure, (value, unit) in run().items():
                name = f"{label}: {figure}".removeprefix(": ")
                samples[name].append(value)
                units[name] = unit
    print(describe())
    show(samples, units, programs.ratios)


if __name__ == "__main__":
    main()
