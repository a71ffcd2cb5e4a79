"""Runs part of the C++ tests under a sanitizer, within a limit of time: what changed first, then a part of the rest
that changes from day to day.

Usage: sanitize_part.py --sanitizer address,undefined|thread --build DIR [--minutes M] [--since REVISION] [--day N]

The test programs of modules with changes since REVISION (by default: in the last day) come first, then all others in an
order that the day rotates.  Each runs one of several shards of its tests, the day says which; RIZOMA_CRASH_STRIDE thins
the crash explorers.  Whatever the time does not allow is named at the end: it was not looked at, and counts neither as
passed nor as failed.  Objects come from ccache where that is installed.  Exit status 1: a test or a build failed.
"""

from __future__ import annotations

import argparse
import datetime
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# Test programs with the number of shards that their tests are dealt into: one is about a minute of processor time.
PROGRAMS = {
    "store": 24, "algorithms": 8, "cross": 2, "api": 1, "engine": 1, "ingest": 1, "platform": 1, "placement": 1,
    "transport": 1, "query": 1, "graph": 1, "base": 1, "testing": 1,
}  # fmt: skip
# What has one thread only needs no thread sanitizer.
ONE_THREAD = "-*Crash*:*Failure*:*Interruption*:*Canary*:*Damage*:*Fuzz*:*Truth*"
SETTINGS = ["-DRIZOMA_TESTS=ON", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g1 -D_GLIBCXX_ASSERTIONS"]


@dataclass(frozen=True)
class Job:
    """One test program and the share of its tests that this run looks at."""

    module: str
    shard: int
    shards: int

    @property
    def program(self) -> str:
        """The program's name."""
        return f"test_{self.module}"


def changed_modules(paths: list[str]) -> list[str]:
    """The modules that have a test program and a changed file, in the order of PROGRAMS."""
    touched = set()
    for path in map(Path, paths):
        if path.parts[:1] == ("src",) and len(path.parts) > 2:
            touched.add(path.parts[1])
        elif path.parts[:1] == ("tests",) and path.suffix == ".cpp":
            touched.add("cross")
        elif path.parts[:1] == ("testing",):
            touched.add("testing")
    return [module for module in PROGRAMS if module in touched]


def plan(changed: list[str], day: int) -> list[Job]:
    """All programs, those that changed first, the others from another one on each day."""
    rest = [module for module in PROGRAMS if module not in changed]
    start = day % len(rest) if rest else 0
    ordered = changed + rest[start:] + rest[:start]
    return [Job(module, day % PROGRAMS[module], PROGRAMS[module]) for module in ordered]


def files_changed(since: str | None) -> list[str]:
    """Paths that differ from REVISION; none if there is no history to ask."""

    def git(*words: str) -> str:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)
        return done.stdout.strip() if done.returncode == 0 else ""

    base = since or git("rev-list", "-1", "--before=24 hours ago", "HEAD")
    return git("diff", "--name-only", base).splitlines() if base else []


class Run:
    """Builds and runs jobs until the time is over."""

    def __init__(self, build: Path, sanitizer: str, minutes: float) -> None:
        self.build = build
        self.sanitizer = sanitizer
        self.end = time.monotonic() + minutes * 60
        self.passed: list[str] = []
        self.failed: list[str] = []
        self.skipped: list[str] = []

    def configure(self) -> None:
        """Configures the build directory.  Raises CalledProcessError."""
        words = ["cmake", "-S", str(ROOT), "-B", str(self.build), "-G", "Ninja", "--log-level=WARNING"]
        subprocess.run([*words, *SETTINGS, f"-DRIZOMA_SANITIZE={self.sanitizer}"], check=True)
        listing = ["cmake", "--build", str(self.build), "--target", "help"]
        self.targets = subprocess.run(listing, check=True, capture_output=True, text=True).stdout

    def has(self, job: Job) -> bool:
        """Whether the tree has tests of that module."""
        return f"{job.program}:" in self.targets

    def attempt(self, job: Job) -> None:
        """Builds and runs one job, or notes that there was no time."""
        name = f"{job.program} {job.shard + 1}/{job.shards}"
        build = ["cmake", "--build", str(self.build), "--target", job.program]
        environment = dict(os.environ, GTEST_TOTAL_SHARDS=str(job.shards), GTEST_SHARD_INDEX=str(job.shard))
        environment.setdefault("RIZOMA_CRASH_STRIDE", "29")
        program = [str(self.build / job.program), "--gtest_brief=1"]
        if self.sanitizer == "thread":
            program.append(f"--gtest_filter={ONE_THREAD}")
        for words in (build, program):
            left = self.end - time.monotonic()
            if left <= 0:
                self.skipped.append(name)
                return
            try:
                done = subprocess.run(words, env=environment, timeout=left, capture_output=True, text=True)
            except subprocess.TimeoutExpired:
                self.skipped.append(name)
                return
            if done.returncode != 0:
                print(done.stdout[-20000:], done.stderr[-20000:], sep="\n")
                self.failed.append(name)
                return
        self.passed.append(name)

    def summary(self) -> str:
        """What was looked at and what was not."""
        lines = [f"{self.sanitizer}: {len(self.passed)} programs passed, {len(self.failed)} failed"]
        for what, names in (("passed", self.passed), ("FAILED", self.failed), ("no time for", self.skipped)):
            if names:
                lines.append(f"  {what}: {', '.join(names)}")
        return "\n".join(lines)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sanitizer", required=True, choices=["address,undefined", "thread"])
    parser.add_argument("--build", required=True, type=Path)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--since")
    parser.add_argument("--day", type=int, default=datetime.date.today().toordinal())
    options = parser.parse_args()
    run = Run(options.build.resolve(), options.sanitizer, options.minutes)
    run.configure()
    for job in plan(changed_modules(files_changed(options.since)), options.day):
        if run.has(job):
            run.attempt(job)
    print(run.summary())
    return 1 if run.failed else 0


if __name__ == "__main__":
    sys.exit(main())
