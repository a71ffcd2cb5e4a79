"""Looks at part of the library under AddressSanitizer and UBSan, within a limit of time: what changed first, then
sources that change from day to day.

Usage: sanitize_part.py --tests DIR --build DIR [--minutes M] [--since REVISION] [--day N]

A whole build under sanitizers is about half an hour of two processors.  So the objects of the ordinary test build
(`--tests`, which is there already) serve again: only the sources picked for this run are compiled once more, with the
sanitizers, and linked before the ordinary ones into the test program of their module, of whose tests the day says which
share is run.  Code of the sources picked is checked access by access; all memory from the heap is guarded whoever
asks for it.  (ThreadSanitizer has to see all of a program: `make sanitize`.)

Picked are sources that changed since REVISION (by default: in the last day), then all others in an order that begins
elsewhere on each day, for two thirds of the time; the rest is for the tests.  The limit is hard: whatever is running
then is ended.  What was not looked at is counted and named, and counts neither as passed nor as failed; nor does a
machine on which a program with sanitizers does not run at all.  Exit status 1: a test or a build failed.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# Number of shares that a program's tests are dealt into: one is a minute of processor time or less.
SHARES = {"store": 24, "algorithms": 8, "cross": 4}
# So many sources further begins the next day, which is fewer than fit into eight minutes of two processors.
A_DAY = 40
# Debug information would double what a compilation costs; reports name functions all the same.
FLAGS = ["-g0", "-Wno-error", "-fsanitize=address,undefined", "-fno-omit-frame-pointer", "-fno-sanitize-recover=all"]
NOTHING = "int main() { return 0; }\n"


def pick(sources: Iterable[str], changed: Iterable[str], day: int) -> list[str]:
    """All sources of the library: those that changed, or whose header did, then the others, from the day's on."""
    every = sorted(source for source in sources if source.startswith("src/") and not source.endswith("_test.cpp"))
    touched = {str(Path(path).with_suffix(".cpp")) for path in changed}
    public = tuple(path.removeprefix("include/rizoma") for path in touched if path.startswith("include/rizoma/"))
    first = [source for source in every if source in touched or source.endswith(public)]
    rest = [source for source in every if source not in first]
    start = day * A_DAY % len(rest) if rest else 0
    return first + rest[start:] + rest[:start]


def files_changed(since: str | None) -> list[str]:
    """Paths that differ from REVISION; none if there is no history to ask."""

    def git(*words: str) -> str:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)
        return done.stdout.strip() if done.returncode == 0 else ""

    base = since or git("rev-list", "-1", "--before=24 hours ago", "HEAD")
    return git("diff", "--name-only", base).splitlines() if base else []


def run_until(end: float, words: list[str], cwd: Path, env: dict[str, str] | None = None) -> tuple[int | None, str]:
    """Exit status and output of a command; None if it had not ended in time, and was ended with all it had started."""
    if time.monotonic() >= end:
        return None, ""
    process = subprocess.Popen(
        words, cwd=cwd, env=env, start_new_session=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        output, _ = process.communicate(timeout=max(0.0, end - time.monotonic()))
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):  # what has a session of its own may hold the pipe
            process.communicate(timeout=5)
        assert process.stdout is not None
        process.stdout.close()
        return None, ""
    return process.returncode, output


@dataclass
class Outcome:
    """What became of sources and programs."""

    compiled: list[str] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)

    def note(self, name: str, status: int | None, output: str, good: list[str]) -> bool:
        """Takes down how a command ended; true if well."""
        if status is None:
            self.left.append(name)
        elif status != 0:
            print(f"--- {name}\n{output[-20000:]}", flush=True)
            self.failed.append(name)
        else:
            good.append(name)
        return status == 0

    def summary(self) -> str:
        """What was looked at and what was not."""
        lines = [
            f"sanitizers: {len(self.compiled)} sources compiled, {len(self.passed)} programs passed, "
            f"{len(self.failed)} failed, {len(self.left)} not looked at for want of time"
        ]
        lists = (("compiled", self.compiled), ("passed", self.passed), ("FAILED", self.failed), ("no time", self.left))
        return "\n".join(lines + [f"  {what}: {' '.join(names)}" for what, names in lists if names])


class Build:
    """The ordinary test build, and the directory for what is compiled anew."""

    def __init__(self, tests: Path, build: Path) -> None:
        self.tests = tests
        self.build = build
        entries = json.loads((tests / "compile_commands.json").read_text())
        self.commands = {os.path.relpath(entry["file"], ROOT): shlex.split(entry["command"]) for entry in entries}
        build.mkdir(parents=True, exist_ok=True)

    def object_of(self, source: str) -> Path:
        """Where a source's object with sanitizers lies."""
        return self.build / (source.replace("/", "+") + ".o")

    def compilation(self, source: str) -> list[str]:
        """The command that compiles a source as the test build does, with sanitizers."""
        words = list(self.commands[source])
        words[words.index("-o") + 1] = str(self.object_of(source))
        return words + FLAGS

    def has(self, program: str) -> bool:
        """Whether the test build has made that program."""
        return (self.tests / program).exists()

    def program_of(self, source: str) -> str:
        """The test program of a source's module; modules without one are tested by all programs."""
        own = f"test_{Path(source).parts[1]}"
        return own if self.has(own) else "test_cross"

    def linking(self, program: str, sources: list[str]) -> list[str]:
        """The command that links a program from the ordinary objects, these sources' being replaced."""
        listing = subprocess.run(
            ["ninja", "-C", str(self.tests), "-t", "commands", program], check=True, capture_output=True, text=True
        ).stdout
        steps = listing.strip().splitlines()[-1].split(" && ")
        words = next(words for words in map(shlex.split, steps) if words[-1:] != [":"] and "-o" in words)
        words[words.index("-o") + 1] = str(self.build / program)
        first = next(i for i, word in enumerate(words) if word.endswith(".o"))
        return words[:first] + FLAGS + [str(self.object_of(source)) for source in sources] + words[first:]

    def environment(self, end: float) -> dict[str, str] | None:
        """What programs with sanitizers need here; None if they do not run on this machine."""
        source = self.build / "nothing.cpp"
        source.write_text(NOTHING)
        compiler = next(word for word in next(iter(self.commands.values())) if "ccache" not in word)
        status, _ = run_until(end, [compiler, *FLAGS, str(source), "-o", str(self.build / "nothing")], self.build)
        for leaks in ("1", "0"):  # looking for leaks needs more rights than all the rest
            environment = dict(os.environ, ASAN_OPTIONS=f"detect_leaks={leaks}")
            if status == 0 and run_until(end, [str(self.build / "nothing")], self.build, environment)[0] == 0:
                return environment
        return None


def compile_picked(build: Build, picked: list[str], end: float, jobs: int, outcome: Outcome) -> None:
    """Compiles sources side by side until the time is over."""

    def compiled(source: str) -> tuple[int | None, str]:
        return run_until(end, build.compilation(source), build.tests)

    with ThreadPoolExecutor(jobs) as pool:
        for source, (status, output) in zip(picked, pool.map(compiled, picked), strict=True):
            outcome.note(source, status, output, outcome.compiled)


def run_tests(build: Build, end: float, day: int, environment: dict[str, str], outcome: Outcome) -> None:
    """Links and runs the programs of all modules that have sources with sanitizers, those with most of them first."""
    by_program: dict[str, list[str]] = {}
    for source in outcome.compiled:
        by_program.setdefault(build.program_of(source), []).append(source)
    for program, sources in sorted(by_program.items(), key=lambda each: -len(each[1])):
        shares = SHARES.get(program.removeprefix("test_"), 1)
        name = f"{program}:{day % shares + 1}/{shares}"
        status, output = run_until(end, build.linking(program, sources), build.tests)
        if status == 0:
            dealt = {"GTEST_TOTAL_SHARDS": str(shares), "GTEST_SHARD_INDEX": str(day % shares)}
            words = [str(build.build / program), "--gtest_brief=1"]
            status, output = run_until(end, words, ROOT, {"RIZOMA_CRASH_STRIDE": "29"} | environment | dealt)
        outcome.note(name, status, output, outcome.passed)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tests", required=True, type=Path, help="a build directory whose test programs are made")
    parser.add_argument("--build", required=True, type=Path)
    parser.add_argument("--minutes", type=float, default=12)
    parser.add_argument("--since")
    parser.add_argument("--day", type=int, default=datetime.date.today().toordinal())
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    begin = time.monotonic()
    end = begin + options.minutes * 60
    build = Build(options.tests.resolve(), options.build.resolve())
    environment = build.environment(end)
    if environment is None:
        print("sanitizers: programs built with them do not run on this machine; nothing was looked at")
        return 0
    outcome = Outcome()
    picked = pick(build.commands, files_changed(options.since), options.day)
    compile_picked(build, picked, begin + options.minutes * 40, options.jobs, outcome)
    run_tests(build, end, options.day, environment, outcome)
    print(outcome.summary())
    return 1 if outcome.failed else 0


if __name__ == "__main__":
    sys.exit(main())
