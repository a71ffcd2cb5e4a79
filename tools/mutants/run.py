"""Runs the mutants of a folder that build.py made: which of them do the tests kill?

Usage: run.py [--processes N] [--minutes M] [--filter TESTS] [--settings KEY=VALUE,...] [--report FILE]

First every test is run alone without a mutant: how long it takes, and which mutants it comes past. Then each mutant is
run with the tests that come past it, the fastest first, until one fails, crashes or hangs. A mutant is
  killed      a test failed
  survived    all tests that come past it passed
  unreached   no test comes past it
  unfinished  tests that come past it were not run in its time or in that of the whole run
Tests that fail without a mutant, or take longer than --longest seconds, are left out and named. Needs Python alone.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
GROUPS = (8, 40, 200)  # tests that one process runs, the fastest first; the last group has the others
SLOWER = 8  # times as long: the mutant hangs
ENOUGH = 10.0  # seconds that every process has


@dataclass(frozen=True)
class Test:
    """A test, in seconds, and the mutants that it comes past."""

    name: str
    seconds: float
    reaches: frozenset[int]


class Runner:
    """Runs the program of the folder."""

    def __init__(self, folder: Path, settings: dict[str, str], end: float) -> None:
        self.about = json.loads((folder / "mutants.json").read_text())
        self.program = folder / self.about["program"]
        self.end = end
        libraries = {"LD_LIBRARY_PATH": str(folder / "lib")}
        self.settings = dict(os.environ, **libraries, **settings)

    def run(self, filters: list[str], seconds: float, settings: dict[str, str]) -> tuple[int | None, str]:
        """Exit status and output; None if it took longer. In a directory of its own, which is then removed."""
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
            flags = Path(scratch) / "flags"
            flags.write_text(f"--gtest_filter={':'.join(filters)}\n--gtest_fail_fast\n--gtest_brief=1\n")
            process = subprocess.Popen(
                [str(self.program), f"--gtest_flagfile={flags}"],
                cwd=scratch,
                env=self.settings | {"TMPDIR": scratch} | settings,
                start_new_session=True,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
            try:
                said, _ = process.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
                return None, ""
            return process.returncode, said.decode(errors="replace")

    def tests(self, chosen: str) -> list[str]:
        """The names of the tests chosen."""
        words = [str(self.program), "--gtest_list_tests", f"--gtest_filter={chosen}"]
        listing = subprocess.run(words, env=self.settings, capture_output=True, text=True, check=True).stdout
        names, suite = [], ""
        for line in listing.splitlines():
            word = line.split("#")[0].strip()
            if not line.startswith(" "):
                suite = word
            elif "DISABLED_" not in word:
                names.append(suite + word)
        return names

    def try_alone(self, name: str, longest: float) -> Test | str:
        """A test without a mutant; the reason if it cannot be used."""
        if time.monotonic() >= self.end:
            return "no time"
        with tempfile.NamedTemporaryFile() as reached:
            begin = time.monotonic()
            status, _ = self.run([name], longest, {"RIZOMA_MUTANTS_REACHED": reached.name})
            if status != 0:
                return "too long" if status is None else "fails without a mutant"
            past = frozenset(number for number, mark in enumerate(Path(reached.name).read_bytes()) if mark)
        return Test(name, time.monotonic() - begin, past)

    def outcome(self, number: int, tests: list[Test], seconds: float) -> dict[str, str]:
        """What became of a mutant."""
        past = sorted((test for test in tests if number in test.reaches), key=lambda test: test.seconds)
        if not past:
            return {"outcome": "unreached"}
        end = min(self.end, time.monotonic() + seconds)
        for size in (*GROUPS, len(past)):
            group, past = past[:size], past[size:]
            left = end - time.monotonic()
            if not group:
                break
            if left <= 0:
                return {"outcome": "unfinished", "tests_left": str(len(group) + len(past))}
            usual = ENOUGH + SLOWER * sum(test.seconds for test in group)
            status, said = self.run([test.name for test in group], min(usual, left), {"RIZOMA_MUTANT": str(number)})
            if status is None and left < usual:
                return {"outcome": "unfinished", "tests_left": str(len(group) + len(past))}
            if status != 0:
                failed = [line for line in said.splitlines() if "FAILED  ]" in line]
                by = failed[0].split("]")[1].split("(")[0].split(",")[0].strip() if failed else f"status {status}"
                return {"outcome": "killed", "by": "hangs" if status is None else by}
        return {"outcome": "survived"}


def summary(about: dict, results: list[dict], left_out: dict[str, str]) -> str:
    """What came out, and the mutants that were not killed."""
    counts = Counter(result["outcome"] for result in results)
    decided = sum(counts[name] for name in ("killed", "survived", "unreached"))
    share = 100 * counts["killed"] / decided if decided else 0.0
    lines = [
        f"{len(results)} mutants of {about['places']} places (seed {about['seed']}): "
        + ", ".join(f"{count} {name}" for name, count in counts.most_common())
        + f"; {share:.1f} % of those decided are killed"
    ]
    lines += [
        f"  {result['outcome']:10} {result['number']:5} {result['file']}:{result['line']} {result['kind']}: "
        f"{result['text']}"
        for result in results
        if result["outcome"] != "killed"
    ]
    reasons = Counter(left_out.values())
    lines += [f"tests left out: {count} ({reason})" for reason, count in reasons.items()]
    return "\n".join(lines)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--folder", type=Path, default=HERE)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--minutes", type=float, default=240)
    parser.add_argument("--longest", type=float, default=30, help="seconds a test may take alone")
    parser.add_argument("--each", type=float, default=300, help="seconds for a mutant")
    parser.add_argument("--filter", default="*", help="the tests that run, as gtest has it")
    parser.add_argument("--settings", default="RIZOMA_CRASH_STRIDE=29", help="KEY=VALUE,... for the tests")
    parser.add_argument("--least", type=float, default=0, help="fail if less than this share, in per cent, is killed")
    parser.add_argument("--report", type=Path)
    options = parser.parse_args()
    settings = dict(pair.split("=", 1) for pair in options.settings.split(",") if pair)
    runner = Runner(options.folder.resolve(), settings, time.monotonic() + 60 * options.minutes)
    names = runner.tests(options.filter)
    with ThreadPoolExecutor(options.processes) as pool:
        tried = dict(zip(names, pool.map(lambda name: runner.try_alone(name, options.longest), names), strict=True))
        tests = [test for test in tried.values() if isinstance(test, Test)]
        left_out = {name: reason for name, reason in tried.items() if isinstance(reason, str)}
        print(f"{len(tests)} tests, {len(left_out)} left out; {sum(test.seconds for test in tests):.0f} s", flush=True)
        mutants = runner.about["mutants"]
        found = pool.map(lambda mutant: runner.outcome(mutant["number"], tests, options.each), mutants)
        results = [mutant | outcome for mutant, outcome in zip(mutants, found, strict=True)]
    print(summary(runner.about, results, left_out))
    if options.report:
        report = {"seed": runner.about["seed"], "left_out": left_out, "mutants": results}
        options.report.write_text(json.dumps(report, indent=1) + "\n")
    decided = [result for result in results if result["outcome"] != "unfinished"]
    killed = sum(result["outcome"] == "killed" for result in decided)
    return 1 if decided and 100 * killed < options.least * len(decided) else 0


if __name__ == "__main__":
    sys.exit(main())
