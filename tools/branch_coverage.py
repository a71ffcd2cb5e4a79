"""Measures which lines and branches of src/store, src/ingest and src/query the C++ tests reach, by clang's coverage.

Usage: branch_coverage.py --tests DIR --build DIR [--modules store,ingest,query] [--shares N] [--raise-floor]
       [--jobs N] [--report FILE]

The objects of the ordinary test build (`--tests`) serve again: only the sources of the modules measured are compiled
once more, by clang with counters, and linked before the ordinary ones into the test programs, as sanitize_part.py does
with sanitizers. A branch is one outcome of a condition as the source has it: `a && b` has four. Exceptions are not
branches. A condition within a macro counts where the macro is used, so each RIZOMA_TRY has two. Checks for bugs
(RIZOMA_CHECK, RIZOMA_DCHECK) are no branches: no test can make them fail. Test sources do not count.

`coverage_floor.json` has the smallest shares, in per cent; the tool fails below them. `--raise-floor` writes what was
measured, less what threads make differ from run to run, where that is more; nothing lowers a floor. With `--shares N`
a share of the tests of 1/N is run, which is for trying the tool; then floors are not compared.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from sanitize_part import Build, Sanitizer, compile_united
from share import ROOT, Outcome

CHECKS = ROOT / "tools" / "coverage_checks.h"
FLOOR = ROOT / "tools" / "coverage_floor.json"
# Few of the crash points, allocations, damages and inputs: the code is looked at, not the states.
SETTINGS = {
    "RIZOMA_CRASH_STRIDE": "1999",
    "RIZOMA_ALLOCATION_STRIDE": "4001",
    "RIZOMA_DAMAGES": "30",
    "RIZOMA_FUZZ_PROGRAMS": "60",
    "RIZOMA_TORTURE_ROUNDS": "3",
}
COVERAGE = Sanitizer(
    "coverage",
    ("-g0", "-w", "-fprofile-instr-generate", "-fcoverage-mapping"),
    SETTINGS,
    {},
    # Algorithms on ranks, messages among them and threads: nothing there looks at the modules measured.
    {"cross": "-*KernelsOnManyRanks*:*KernelCheckpoints*:*Migration*:*TransportContract*:*ExecutorContract*"},
)
COUNTED = ("lines", "branches")
SPREAD = 0.3  # per cent that two runs of the same tests may differ by
SHOWN = 15  # files that lack most
COMPILE_SECONDS = 4 * 3600  # a limit that only a machine that hangs meets
PROGRAMS = ("api", "cross")  # beside the module's own


class CoverageBuild(Build):
    """The ordinary test build, with sources that clang compiles with counters."""

    def compilation(self, made: str) -> list[str]:
        """The command that compiles an object with counters."""
        words = super().compilation(made)
        at = len(self.launcher)
        return [*words[:at], "clang++", *words[at + 1 :], "-include", str(CHECKS)]

    def linking(self, program: str, objects: list[str]) -> list[str] | None:
        """The command that links a program with clang, which knows the library of the counters."""
        words = super().linking(program, objects)
        return ["clang++", *words[1:]] if words else None


@dataclass(frozen=True)
class Share:
    """How much of something was reached."""

    covered: int
    count: int

    @property
    def percent(self) -> float:
        """In per cent, rounded down to a tenth, so that a floor that was measured holds."""
        return 1000 * self.covered // self.count / 10 if self.count else 100.0

    def __add__(self, other: Share) -> Share:
        return Share(self.covered + other.covered, self.count + other.count)


def reached(exported: dict, root: Path = ROOT) -> dict[str, dict[str, Share]]:
    """Of each source of the library, by its path, what llvm-cov counted."""
    files = {}
    for entry in exported["data"][0]["files"]:
        path = os.path.relpath(entry["filename"], root)
        if path.startswith("src/") and not path.endswith("_test.cpp"):
            files[path] = {
                what: Share(entry["summary"][what]["covered"], entry["summary"][what]["count"]) for what in COUNTED
            }
    return files


def by_module(files: dict[str, dict[str, Share]], modules: list[str]) -> dict[str, dict[str, Share]]:
    """The sums of the modules measured."""
    return {
        module: {
            what: sum((of[what] for path, of in files.items() if Path(path).parts[1] == module), Share(0, 0))
            for what in COUNTED
        }
        for module in modules
    }


def below_floor(sums: dict[str, dict[str, Share]], floor: dict[str, dict[str, float]]) -> list[str]:
    """What fell below its floor, as sentences."""
    return [
        f"src/{module}: {sums[module][what].percent} % of its {what} are reached, less than the floor of {least} %. "
        "Test what was added."
        for module, of in floor.items()
        if module in sums
        for what, least in of.items()
        if sums[module][what].percent < least
    ]


def raised(sums: dict[str, dict[str, Share]], floor: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """The floor, raised to just below what was measured; never lowered."""
    return floor | {
        module: {
            what: max(round(of[what].percent - SPREAD, 1), floor.get(module, {}).get(what, 0.0)) for what in COUNTED
        }
        for module, of in sums.items()
    }


def describe(sums: dict[str, dict[str, Share]], files: dict[str, dict[str, Share]]) -> str:
    """A table of the modules, and the files that lack most branches."""
    rows = ["| module | lines | branches |", "| --- | --- | --- |"]
    for module, of in sums.items():
        cells = [f"{of[what].percent} % ({of[what].covered} of {of[what].count})" for what in COUNTED]
        rows.append(f"| src/{module} | {cells[0]} | {cells[1]} |")

    def lacking(path: str) -> int:
        return files[path]["branches"].count - files[path]["branches"].covered

    measured = [path for path in files if Path(path).parts[1] in sums]
    worst = sorted(measured, key=lambda path: (-lacking(path), path))[:SHOWN]
    rows += ["", "branches not reached:", *(f"  {lacking(path):4}  {path}" for path in worst)]
    return "\n".join(rows)


def run_programs(build: CoverageBuild, programs: list[str], shares: int, jobs: int, outcome: Outcome) -> list[Path]:
    """Runs the programs, each in as many pieces as there are jobs; the profiles that they leave."""
    pieces = max(shares, jobs)
    chosen = 1 if shares > 1 else pieces

    def run(job: tuple[str, int]) -> Path:
        program, piece = job
        profile = build.build / f"{program}.{piece}.profraw"
        settings = build.settings | {
            "LLVM_PROFILE_FILE": str(profile),
            "GTEST_TOTAL_SHARDS": str(pieces),
            "GTEST_SHARD_INDEX": str(piece),
        }
        left_out = build.sanitizer.left_out.get(program.removeprefix("test_"), "-")
        words = [str(build.build / program), "--gtest_brief=1", f"--gtest_filter={left_out}"]
        done = subprocess.run(words, cwd=build.tests, env=settings, capture_output=True, text=True)
        outcome.passed.append(program) if done.returncode == 0 else outcome.note_strange(program, done.stdout)
        return profile

    with ThreadPoolExecutor(jobs) as pool:
        profiles = pool.map(run, [(program, piece) for program in programs for piece in range(chosen)])
        return [profile for profile in profiles if profile.exists()]


def export(build: CoverageBuild, programs: list[str], profiles: list[Path]) -> dict:
    """What llvm-cov says of all programs together."""
    merged = build.build / "merged.profdata"
    subprocess.run(["llvm-profdata", "merge", "-sparse", *map(str, profiles), "-o", str(merged)], check=True)
    first, *rest = [str(build.build / program) for program in programs]
    words = ["llvm-cov", "export", "-summary-only", f"-instr-profile={merged}", first]
    words += [word for program in rest for word in ("-object", program)]
    return json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


def measure(
    build: CoverageBuild, modules: list[str], shares: int, jobs: int, outcome: Outcome
) -> dict[str, dict[str, Share]]:
    """Compiles the modules' sources with counters, runs the tests, counts."""
    end = time.monotonic() + COMPILE_SECONDS
    picked = [source for source in build.library() if Path(source).parts[1] in modules]
    done = compile_united(build, picked, end, jobs, outcome)
    wanted = [f"test_{module}" for module in (*modules, *PROGRAMS)]
    programs = [program for program in wanted if program in build.programs and build.link(program, done, end, outcome)]
    if not programs:
        raise SystemExit("no test program could be linked with clang's counters: install libclang-rt-dev and llvm")
    return reached(export(build, programs, run_programs(build, programs, shares, jobs, outcome)))


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tests", required=True, type=Path, help="a build directory whose test programs are made")
    parser.add_argument("--build", required=True, type=Path)
    parser.add_argument("--modules", default="store,ingest,query")
    parser.add_argument("--shares", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--raise-floor", action="store_true")
    parser.add_argument("--report", type=Path, help="the figures of each file, as JSON")
    options = parser.parse_args()
    begin = time.monotonic()
    modules = options.modules.split(",")
    outcome = Outcome()
    build = CoverageBuild(options.tests.resolve(), options.build.resolve(), COVERAGE)
    files = measure(build, modules, options.shares, options.jobs, outcome)
    sums = by_module(files, modules)
    print(outcome.summary(f"coverage, {time.monotonic() - begin:.0f} s"))
    print(describe(sums, files), flush=True)
    if options.report:
        figures = {path: {what: [of[what].covered, of[what].count] for what in COUNTED} for path, of in files.items()}
        options.report.write_text(json.dumps(figures, indent=1) + "\n")
    if options.shares > 1:
        return 0
    floor = json.loads(FLOOR.read_text()) if FLOOR.exists() else {}
    if options.raise_floor:
        FLOOR.write_text(json.dumps(raised(sums, floor), indent=2) + "\n")
    faults = below_floor(sums, floor)
    for fault in faults:
        print(fault)
    return 1 if faults or outcome.strange or outcome.unbuilt else 0


if __name__ == "__main__":
    sys.exit(main())
