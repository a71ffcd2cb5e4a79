"""Runs the mutants of a folder that build.py made: which of them do the tests kill?

Usage: run.py [--processes N] [--minutes M] [--filter TESTS] [--settings KEY=VALUE,...] [--report FILE [--again ...]]

First all tests run without a mutant: how long each takes, which mutants it passes, and where these would answer
otherwise. Then each mutant runs with the tests in which it would, in groups of one process each that grow longer; first
come tests that killed mutants of the same source in little time. A mutant is
  killed      a test failed, crashed or took far longer than it does
  survived    all tests that pass it passed
  unreached   no test passes it
  unfinished  tests that pass it did not run in its time or in that of the whole run
All mutants have the first of --seconds (processor seconds), then those that are left the next. What --report has from
an earlier run of the same folder is not run again, but for what `--again` names (survived,unreached). Tests that fail
without a mutant are left out and named. The share that is killed counts what is unfinished as not killed; the interval
is Wilson's, of 95 %. Needs Python alone.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

HERE = Path(__file__).resolve().parent
SHARDS = 12  # processes that record the tests of a program
GROUP_SECONDS = (0.3, 1.0, 4.0, 15.0)  # of the tests of one process; what follows has the last
SLOWER = (10.0, 2.0)  # times as long and seconds more: the mutant hangs
WAITING = (40.0, 20.0)  # the same for time that passes
SLACK = 8.0  # times as much for a test alone, since a busy machine may be the reason
MEMORY = 3 << 30  # bytes that a mutant may take
FILES = 4 << 30
Z = 1.96  # of an interval of 95 %
DECIDED = ("killed", "survived", "unreached")
SAVE_SECONDS = 10


@dataclass
class Test:
    """A test: processor seconds, seconds, and the mutants that it passes and that differ there."""

    program: str
    name: str
    processor: float
    seconds: float
    passes: frozenset[int]
    differs: frozenset[int]
    runs: int = 0
    kills: Counter[str] = field(default_factory=Counter)  # by source

    def worth(self, source: str) -> float:
        """How many mutants of a source it may be expected to kill in a second."""
        likely = (1 + self.kills.total() + 8 * self.kills[source]) / (4 + self.runs)
        return likely / (0.01 + self.processor)


def limit_memory() -> None:
    """Keeps a mutant from filling the machine."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILES, FILES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Runner:
    """Runs the programs of the folder."""

    def __init__(self, folder: Path, settings: dict[str, str], end: float) -> None:
        self.about = json.loads((folder / "mutants.json").read_text())
        self.folder = folder
        self.end = end
        self.chosen_settings = settings
        self.settings = dict(os.environ, LD_LIBRARY_PATH=str(folder / "lib"), **settings)
        self.servers = threading.local()
        self.scratch = "/dev/shm" if Path("/dev/shm").is_dir() else None

    def run(self, program: str, words: list[str], seconds: float, settings: dict[str, str]) -> tuple[int | None, str]:
        """Exit status and output; None if it took longer. In a directory of its own, which is then removed."""
        with tempfile.TemporaryDirectory(dir=self.scratch, ignore_cleanup_errors=True) as scratch:
            flags = Path(scratch) / "flags"
            flags.write_text("\n".join(words) + "\n")
            process = subprocess.Popen(
                [str(self.folder / program), f"--gtest_flagfile={flags}"],
                cwd=scratch,
                env=self.settings | {"TMPDIR": scratch} | settings,
                start_new_session=True,
                preexec_fn=limit_memory,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
            try:
                said, _ = process.communicate(timeout=seconds)
                status: int | None = process.returncode
            except subprocess.TimeoutExpired:
                status, said = None, b""
            with suppress(ProcessLookupError):  # what it has started, too
                os.killpg(process.pid, signal.SIGKILL)
            if status is None:
                process.communicate()
            return status, said.decode(errors="replace")

    def record(self, program: str, shard: int, chosen: str) -> list[Test]:
        """A share of the tests without a mutant, or what an earlier run noted of them; those that pass."""
        about = f"{chosen} {self.chosen_settings} {(self.folder / program).stat().st_mtime_ns}"
        known = self.folder / "recorded" / f"{program}.{shard}.{zlib.crc32(about.encode())}"
        if not known.exists():
            known.parent.mkdir(exist_ok=True)
            known.write_text("".join(self.marks(program, shard, chosen)))
        return [test for line in known.open() if (test := self.test_of(program, line)) is not None]

    def marks(self, program: str, shard: int, chosen: str) -> list[str]:
        """What the program notes of a share of its tests."""
        with tempfile.NamedTemporaryFile("r") as marks:
            settings = {
                "RIZOMA_MUTANT_MARKS": marks.name,
                "GTEST_TOTAL_SHARDS": str(SHARDS),
                "GTEST_SHARD_INDEX": str(shard),
            }
            status, said = self.run(program, [f"--gtest_filter={chosen}"], self.end - time.monotonic(), settings)
            if status != 0:
                print(f"{program}, share {shard}: status {status} without a mutant\n{said[-1500:]}", flush=True)
            return marks.readlines()

    @staticmethod
    def test_of(program: str, line: str) -> Test | None:
        """A test as the program notes it; None if it failed."""
        name, processor, seconds, passed, numbers = line.rstrip("\n").split("\t")
        marks = numbers.split()
        passes = frozenset(int(mark.rstrip("+")) for mark in marks)
        differs = frozenset(int(mark[:-1]) for mark in marks if mark.endswith("+"))
        return Test(program, name, float(processor), float(seconds), passes, differs) if passed == "1" else None

    def server(self, program: str) -> subprocess.Popen[str]:
        """The program of this thread that runs mutants in children (switch.cpp)."""
        servers = self.servers.__dict__.setdefault("of", {})
        if program not in servers or servers[program].poll() is not None:
            servers[program] = subprocess.Popen(
                [str(self.folder / program)],
                env=self.settings | {"RIZOMA_MUTANT_SERVER": "1"},
                preexec_fn=limit_memory,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        return servers[program]

    def kill(self, number: int, group: list[Test], slack: float = 1.0) -> str | None:
        """Runs tests of one program; by which the mutant is killed, None if by none."""
        server = self.server(group[0].program)
        assert server.stdin is not None
        assert server.stdout is not None
        with tempfile.TemporaryDirectory(dir=self.scratch, ignore_cleanup_errors=True) as scratch:
            output, limits = Path(scratch) / "output", Path(scratch) / "limits"
            limits.write_text("".join(limits_of(test, slack) for test in group))
            place = Path(scratch) / "place"
            place.mkdir()
            chosen = ":".join(test.name for test in group)
            server.stdin.write(f"{number}\t{place}\t{output}\t{limits}\t{chosen}\n")
            server.stdin.flush()
            answer = server.stdout.readline()
            if not answer:
                raise SystemExit(f"{group[0].program} ended while it ran mutant {number}")
            status, said = int(answer), output.read_text(errors="replace")
        if status == 0:
            return None
        begun, failed = tests_marked(said, "[ RUN      ]"), tests_marked(said, "[  FAILED  ]")
        by = (failed[:1] or begun[-1:] or ["before the first test"])[0]  # after a failure the rest is begun and skipped
        if status == -signal.SIGALRM and slack == 1.0:
            rest = [test for test in group if test.name not in begun]
            slow = [test for test in group if test.name == by]
            alone = self.kill(number, slow, SLACK) if slow else by
            return alone if alone or not rest else self.kill(number, rest)
        return by + {-signal.SIGPROF: " (hangs)", -signal.SIGALRM: " (waits)", 1: ""}.get(status, f" (status {status})")


def tests_marked(said: str, mark: str) -> list[str]:
    """The tests of the lines of gtest that begin with a mark."""
    lines = (line.removeprefix(mark) for line in said.splitlines() if line.startswith(mark))
    return [line.split(" (")[0].split(", where")[0].strip() for line in lines]


def limits_of(test: Test, slack: float) -> str:
    """A line of the file of limits."""
    processor = SLOWER[0] * test.processor + SLOWER[1]
    return f"{test.name}\t{processor}\t{slack * (WAITING[0] * test.seconds + WAITING[1])}\n"


def groups_of(tests: list[Test]) -> list[list[Test]]:
    """The tests, in processes that grow longer; each of one program."""
    groups: list[list[Test]] = []
    limits = list(GROUP_SECONDS)
    while tests:
        limit = limits.pop(0) if len(limits) > 1 else limits[0]
        taken: dict[str, list[Test]] = {}
        seconds = 0.0
        while tests and (not taken or seconds + tests[0].processor <= limit):
            seconds += tests[0].processor
            taken.setdefault(tests[0].program, []).append(tests.pop(0))
        groups += taken.values()
    return groups


class Hunt:
    """All mutants, and what became of them."""

    def __init__(self, runner: Runner, tests: list[Test], results: dict[int, dict], report: Path | None) -> None:
        self.runner = runner
        self.tests = tests
        self.results = results
        self.report = report
        self.withstood: dict[int, set[str]] = {}  # of each mutant the tests that it survived
        self.saved = time.monotonic()

    def decide(self, seconds: float, mutant: dict) -> None:
        """Runs a mutant for a while."""
        number = mutant["number"]
        if self.results.get(number, {}).get("outcome") in DECIDED or time.monotonic() >= self.runner.end:
            return
        self.results[number] = mutant | self.outcome(number, mutant["file"], seconds)
        if self.report and time.monotonic() > self.saved + SAVE_SECONDS:
            self.saved = time.monotonic()
            self.save()

    def outcome(self, number: int, source: str, seconds: float) -> dict[str, str]:
        """What became of a mutant."""
        if not any(number in test.passes for test in self.tests):
            return {"outcome": "unreached"}
        withstood = self.withstood.setdefault(number, set())
        left = [test for test in self.tests if number in test.differs and test.name not in withstood]
        if not left and not withstood:
            return {"outcome": "survived", "note": "the answers never differ"}
        used = 0.0
        for group in groups_of(sorted(left, key=lambda test: -test.worth(source))):
            if used > seconds or time.monotonic() >= self.runner.end:
                return {"outcome": "unfinished", "tests_left": str(sum(test.name not in withstood for test in left))}
            by = self.runner.kill(number, group)
            for test in group:
                test.runs += 1
                if by is not None and by.split(" (")[0] == test.name:
                    test.kills[source] += 1
            if by is not None:
                return {"outcome": "killed", "by": by}
            withstood.update(test.name for test in group)
            used += sum(test.processor for test in group)
        return {"outcome": "survived"}

    def save(self) -> None:
        """Writes the report."""
        if self.report:
            about = {key: self.runner.about[key] for key in ("seed", "places")}
            done = [self.results[number] for number in sorted(self.results)]
            self.report.write_text(json.dumps(about | {"mutants": done}, indent=1) + "\n")


def interval(killed: int, count: int) -> tuple[float, float]:
    """Wilson's interval of a share, in per cent."""
    if not count:
        return 0.0, 100.0
    share = killed / count
    middle = (share + Z * Z / (2 * count)) / (1 + Z * Z / count)
    half = Z / (1 + Z * Z / count) * ((share * (1 - share) + Z * Z / (4 * count)) / count) ** 0.5
    return 100 * (middle - half), 100 * (middle + half)


def summary(about: dict, results: list[dict]) -> str:
    """What came out, and the mutants that were not killed."""
    counts = Counter(result["outcome"] for result in results)
    low, high = interval(counts["killed"], len(results))
    lines = [
        f"{len(results)} mutants of {about['places']} places (seed {about['seed']}): "
        + ", ".join(f"{count} {name}" for name, count in counts.most_common())
        + f"; {100 * counts['killed'] / max(1, len(results)):.1f} % are killed ({low:.1f} to {high:.1f})"
    ]
    lines += [
        f"  {result['outcome']:10} {result['number']:5} {result['file']}:{result['line']} {result['kind']}: "
        f"{result['text']}"
        for result in results
        if result["outcome"] != "killed"
    ]
    return "\n".join(lines)


def options_of() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--folder", type=Path, default=HERE)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--minutes", type=float, default=240)
    parser.add_argument(
        "--seconds", default="8,60,600", help="processor seconds for a mutant, round by round; none: only record"
    )
    parser.add_argument("--filter", default="*", help="the tests that run, as gtest has it")
    parser.add_argument(
        "--settings",
        default="RIZOMA_CRASH_STRIDE=29,RIZOMA_ALLOCATION_STRIDE=401,RIZOMA_DAMAGES=100",
        help="KEY=VALUE,... for the tests",
    )
    parser.add_argument("--least", type=float, default=0, help="fail if less than this share, in per cent, is killed")
    parser.add_argument("--report", type=Path)
    parser.add_argument("--again", default="", help="outcomes of an earlier run that are not final, by commas")
    return parser.parse_args()


def former(report: Path | None, about: dict, again: list[str]) -> dict[int, dict]:
    """What an earlier run has decided."""
    if report is None or not report.exists():
        return {}
    known = json.loads(report.read_text())
    mutants = {mutant["number"]: mutant for mutant in about["mutants"]}
    return {
        result["number"]: result
        for result in known["mutants"]
        if result["outcome"] in DECIDED
        and result["outcome"] not in again
        and mutants.get(result["number"], {}).items() <= result.items()
    }


def main() -> int:
    """The command."""
    options = options_of()
    settings = dict(pair.split("=", 1) for pair in options.settings.split(",") if pair)
    runner = Runner(options.folder.resolve(), settings, time.monotonic() + 60 * options.minutes)
    with ThreadPoolExecutor(options.processes) as pool:
        shares = [(program, shard) for program in runner.about["programs"] for shard in range(SHARDS)]
        recorded = pool.map(lambda share: runner.record(*share, options.filter), shares)
        tests = [test for some in recorded for test in some]
        print(f"{len(tests)} tests, {sum(test.processor for test in tests):.0f} processor seconds", flush=True)
        known = former(options.report, runner.about, options.again.split(","))
        hunt = Hunt(runner, tests, known, options.report)
        for seconds in (float(each) for each in options.seconds.split(",") if each):
            list(pool.map(partial(hunt.decide, seconds), runner.about["mutants"]))
            hunt.save()
            print(summary(runner.about, list(hunt.results.values())).splitlines()[0], flush=True)
    results = [hunt.results[number] for number in sorted(hunt.results)]
    print(summary(runner.about, results))
    killed = sum(result["outcome"] == "killed" for result in results)
    return 1 if results and 100 * killed < options.least * len(results) else 0


if __name__ == "__main__":
    sys.exit(main())
