"""Runs a test runner, and what failed once more, alone, at the end: a test that passes then is named UNSTABLE.

Usage: run_tests.py ctest BUILD [OPTION...]
       run_tests.py pytest [ARGUMENT...]

One unlucky test does not fail the run, and is not overlooked: an unstable test is a defect to be mended.  What fails
twice fails the run; so do more failures than HANDFUL, errors in what collects the tests, and a runner that breaks.
The last line is always that of the test runner.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from abc import ABC, abstractmethod
from pathlib import Path

HANDFUL = 5


class Runner(ABC):
    """A test runner that keeps a record of what failed."""

    failures: int  # the exit status that means: tests failed, and nothing else went wrong
    first: list[str]  # the command that runs all tests
    again: list[str]  # the command that runs what the record says has failed, one test at a time

    @abstractmethod
    def failed(self) -> list[str]:
        """The tests that failed in the last run."""


class Ctest(Runner):
    """The C++ tests of a build directory."""

    failures = 8

    def __init__(self, build: Path, options: list[str]) -> None:
        self.record = build / "Testing" / "Temporary" / "LastTestsFailed.log"
        self.record.unlink(missing_ok=True)
        base = ["ctest", "--test-dir", str(build), "--output-on-failure", "--no-tests=error"]
        self.first = [*base, *options]
        self.again = [*base, "--rerun-failed"]

    def failed(self) -> list[str]:
        """Lines are `number:name`."""
        lines = self.record.read_text(encoding="utf-8").splitlines() if self.record.exists() else []
        return [line.split(":", 1)[-1] for line in lines]


class Pytest(Runner):
    """The Python tests."""

    failures = 1

    def __init__(self, cache: Path, arguments: list[str]) -> None:
        self.record = cache / "v" / "cache" / "lastfailed"
        self.first = [sys.executable, "-m", "pytest", "-o", f"cache_dir={cache}", *arguments]
        one_at_a_time = ["-n", "0"] if "-n" in arguments else []
        self.again = [*self.first, "--last-failed", *one_at_a_time]

    def failed(self) -> list[str]:
        """The record is a mapping from names to true."""
        return list(json.loads(self.record.read_text(encoding="utf-8"))) if self.record.exists() else []


def run_twice(runner: Runner) -> int:
    """Runs all tests and, if a few failed, these again; the exit status of the run that decides."""
    status = subprocess.run(runner.first).returncode
    before = runner.failed()
    if status != runner.failures or not 0 < len(before) <= HANDFUL:
        return status
    done = subprocess.run(runner.again, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    # A runner that broke off has said nothing about single tests.
    still = [] if done.returncode == 0 else runner.failed() if done.returncode == runner.failures else before
    for name in before:
        print("FAILED TWICE:" if name in still else "UNSTABLE (failed, then passed alone; to be mended):", name)
    print(done.stdout, end="", flush=True)
    return done.returncode


def main(words: list[str]) -> int:
    """The command."""
    match words:
        case ["ctest", build, *options] if shutil.which("ctest"):
            return run_twice(Ctest(Path(build), options))
        case ["pytest", *arguments]:
            with tempfile.TemporaryDirectory() as cache:
                return run_twice(Pytest(Path(cache), arguments))
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
