"""Looks at part of the library under AddressSanitizer and UBSan, then at one test program under ThreadSanitizer, within
a limit of time: what changed first, then what differs from commit to commit (share.py).

Usage: sanitize_part.py --tests DIR --build DIR [--minutes M] [--since REVISION] [--share N]

A whole build under sanitizers is about half an hour of two processors.  So the objects of the ordinary test build
(`--tests`, which exists already) serve again: only the sources picked for this run are compiled once more, with the
sanitizers, and linked before the ordinary ones into the test program of their module, of whose tests one share is
run.  Code of the sources picked is checked access by access; all memory from the heap is guarded, whatever code
asks for it.  Compiling has two thirds of the time, the tests the rest.

ThreadSanitizer has to see all of a program.  The linker says which objects a test program is made of; these are
compiled, and if all of them are done in time it is linked and run.  One program that is small has its turn, then
larger ones if there is a cache of objects, so that the next run gets further.

The limit is hard: whatever is running then is ended.  What was not looked at is counted and named, and counts neither
as passed nor as failed; nor does what cannot be compiled, nor a machine on which a program with sanitizers does not run
at all.  A test that fails without a report of a sanitizer is shown, and left to the ordinary run of the tests.
Exit status 1: a sanitizer has reported something.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import share
from share import ROOT, Outcome, run_until

# How many sources further the next share begins: fewer than fit into three minutes of two processors.
STEP = 24
# ThreadSanitizer's share of the time, and what address space it has left over.
THREADS = 0.375
# A program of this many objects is compiled in two minutes or so.
SMALL = 40
# Programs whose tests have one thread.
ONE_THREAD = {"test_graph", "test_testing"}
NOTHING = "int main() { return 0; }\n"
REPORT = re.compile(r"ERROR: \w+Sanitizer|WARNING: ThreadSanitizer|runtime error: ")
# Sources that are compiled as one: most of what a small one costs is reading headers.
UNITED = 8
# These have names of their own that are alike.
APART = ("src/ingest/formats",)
# What a sanitizer says of the machine, not of the program.
NO_ROOM = re.compile(
    r"unexpected memory mapping|Sanitizer:? failed to (?:allocate|mmap|intercept)|Shadow memory range interleaves"
    r"|Sanitizer: out of memory: allocator"
)
TRACED = re.compile(r"^\(?(?:\S*/)?lib(rizoma_\w+)\.a[()]+([^()]+\.o)\)?$|^(CMakeFiles/\S+\.o)$", re.MULTILINE)


def without_precompiled(words: list[str]) -> list[str]:
    """A compilation without the headers that the build has precompiled, which sanitizers cannot use."""
    kept = list(words)
    for at in reversed([at for at, word in enumerate(words) if word == "-include"]):
        if Path(words[at + 1]).name == "cmake_pch.hxx":
            del kept[at : at + 2]
    return kept


@dataclass(frozen=True)
class Sanitizer:
    """How programs are built and run with one kind of sanitizers."""

    name: str
    flags: tuple[str, ...]
    settings: dict[str, str]
    # Number of shares that a program's tests are divided into: one is a minute of processor time or less.
    shares: dict[str, int]
    # Tests that are left out, by program.
    left_out: dict[str, str]


# Debug information would double what a compilation costs; reports name functions all the same.
COMMON = ("-g0", "-Wno-error", "-fno-omit-frame-pointer")
ADDRESS = Sanitizer(
    "address and undefined",
    (*COMMON, "-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
    {"RIZOMA_CRASH_STRIDE": "29"},
    {"store": 24, "algorithms": 8, "cross": 4},
    {},
)
# The explorers of crashes, failures, interruptions and damage have one thread, too.
EXPLORERS = "-*StoreCrash*:*StoreFailure*:*StoreInterruption*:*Canary*:*StoreDamage*:*Repair*:*Unreadable*:StoreOf*"
THREAD = Sanitizer(
    "thread",
    (*COMMON, "-fsanitize=thread"),
    {"RIZOMA_CRASH_STRIDE": "29"},
    {"store": 4, "algorithms": 16},
    {"store": EXPLORERS},
)


class Build:
    """The ordinary test build, and the directory for what is compiled again."""

    def __init__(self, tests: Path, build: Path, sanitizer: Sanitizer = ADDRESS) -> None:
        self.tests = tests
        self.build = build
        self.sanitizer = sanitizer
        self.launcher = [ccache] if (ccache := shutil.which("ccache")) else []
        self.prefix: list[str] = []
        self.settings = dict(os.environ, **sanitizer.settings)
        self.sources: dict[str, str] = {}  # of each object the source
        self.objects: dict[str, str] = {}  # of each source the last object
        self.commands: dict[str, list[str]] = {}  # of each object what compiles it
        for entry in json.loads((tests / "compile_commands.json").read_text()):
            words = shlex.split(entry["command"])
            words = words[1:] if Path(words[0]).name == "ccache" else words
            words = without_precompiled(words)
            made = words[words.index("-o") + 1]
            source = os.path.relpath(entry["file"], ROOT)
            self.commands[made], self.sources[made], self.objects[source] = words, source, made
        targets = {Path(made).parts[1].removesuffix(".dir") for made in self.commands}
        self.programs = sorted(name for name in targets if name.startswith("test_") and (tests / name).exists())
        build.mkdir(parents=True, exist_ok=True)

    def object_of(self, made: str) -> Path:
        """Where an object with sanitizers lies."""
        return self.build / made.replace("/", "+")

    def compilation(self, made: str) -> list[str]:
        """The command that compiles an object as the test build does, with sanitizers."""
        words = list(self.commands[made])
        words[words.index("-o") + 1] = str(self.object_of(made))
        return [*self.launcher, *words, *self.sanitizer.flags]

    def library(self) -> list[str]:
        """The sources of the modules that test programs are linked with."""
        parts = {source: Path(source).parts for source in self.objects}
        return [
            source
            for source, made in self.objects.items()
            if parts[source][0] == "src" and made.startswith(f"CMakeFiles/rizoma_{parts[source][1]}.dir/")
        ]

    def text_of(self, source: str) -> Path:
        """The file that is compiled in the place of a source."""
        return ROOT / source

    def united(self, sources: list[str]) -> dict[str, list[str]]:
        """Objects to be made of several sources of a folder each, and these sources; those of APART stay alone."""
        folders: dict[str, list[str]] = {}
        for source in sorted(sources):
            folders.setdefault(str(Path(source).parent), []).append(source)
        groups: dict[str, list[str]] = {}
        for folder, names in folders.items():
            size = 1 if folder in APART else UNITED
            for group in (names[first : first + size] for first in range(0, len(names), size)):
                groups[self.objects[group[0]] if len(group) == 1 else self._unite(group)] = group
        return groups

    def _unite(self, group: list[str]) -> str:
        """The object of a source that includes the sources of a group."""
        made = f"united+{self.objects[group[0]]}"
        united = self.object_of(made).with_suffix(".cpp")
        united.write_text("".join(f'#include "{self.text_of(source)}"\n' for source in group))
        words = list(self.commands[self.objects[group[0]]])
        words[words.index("-o") + 1] = made
        words[words.index("-c") + 1] = str(united)
        self.commands[made], self.sources[made] = words, f"{group[0]} and {len(group) - 1} more"
        return made

    def program_of(self, source: str) -> str:
        """The test program of a source's module; modules without one are tested by all programs."""
        own = f"test_{Path(source).parts[1]}"
        return own if own in self.programs else "test_cross"

    def linking(self, program: str, objects: list[str]) -> list[str] | None:
        """The command that links a program from the ordinary objects, those with sanitizers in the place of these; None
        if ninja does not tell it.
        """
        words = ["ninja", "-C", str(self.tests), "-t", "commands", program]
        listing = subprocess.run(words, capture_output=True, text=True).stdout.strip().splitlines()
        steps = [shlex.split(step) for step in listing[-1].split(" && ")] if listing else []
        link = next((step for step in steps if "-o" in step and any(word.endswith(".o") for word in step)), None)
        if link is None:
            return None
        link[link.index("-o") + 1] = str(self.build / program)
        first = next(i for i, word in enumerate(link) if word.endswith(".o"))
        anew = [str(self.object_of(made)) for made in objects]
        rest = [word for word in link[first:] if word not in objects]
        return [*link[:first], *self.sanitizer.flags, *anew, *rest]

    def link(self, program: str, objects: list[str], end: float, outcome: Outcome) -> bool:
        """Links a program; true if it exists then."""
        words = self.linking(program, objects)
        if words is None:
            return outcome.note_build(program, 1, "ninja does not tell how it is linked")
        return outcome.note_build(program, *run_until(end, words, self.tests))

    def parts(self, program: str, end: float) -> list[str] | None:
        """The objects that a program is made of, as the linker names them; None if it does not tell."""
        words = [word for word in self.linking(program, []) or [] if word not in self.sanitizer.flags]
        if not words:
            return None
        words[words.index("-o") + 1] = str(self.build / "traced")
        status, said = run_until(end, [*words, "-Wl,--trace,--trace"], self.tests)
        traced = TRACED.findall(said)
        named = {(f"CMakeFiles/{library}.dir", name) for library, name, _ in traced if library}
        given = {made for _, _, made in traced}
        if status != 0 or not named:
            return None
        return [
            made
            for made in self.commands
            if made in given or ("/".join(Path(made).parts[:2]), Path(made).name) in named
        ]

    def try_out(self, end: float) -> bool:
        """Finds out how programs with sanitizers run here; false if they do not.  Old ones find no room at some of the
        places where the system may put a program, looking for leaks needs more rights than all the rest.
        """
        source = self.build / "nothing.cpp"
        source.write_text(NOTHING)
        compiler = next(iter(self.commands.values()))[0]
        made = str(self.build / "nothing")
        if run_until(end, [compiler, *self.sanitizer.flags, str(source), "-o", made], self.build)[0] != 0:
            return False
        for prefix in (["setarch", "-R"], []):
            for leaks in ("1", "0"):
                settings = self.settings | {"ASAN_OPTIONS": f"detect_leaks={leaks}"}
                with suppress(OSError):  # where there is no such program
                    if run_until(end, [*prefix, made], self.build, settings)[0] == 0:
                        self.prefix, self.settings = prefix, settings
                        return True
        return False


def compile_picked(build: Build, objects: list[str], end: float, jobs: int, outcome: Outcome) -> list[str]:
    """Compiles objects side by side until the time is over; those that are done."""
    done: list[str] = []

    def compiled(made: str) -> tuple[int | None, str]:
        return run_until(end, build.compilation(made), build.tests)

    with ThreadPoolExecutor(jobs) as pool:
        for made, (status, output) in zip(objects, pool.map(compiled, objects), strict=True):
            if outcome.note_build(build.sources[made], status, output, outcome.compiled):
                done.append(made)
    return done


def compile_united(build: Build, sources: list[str], end: float, jobs: int, outcome: Outcome) -> list[str]:
    """Compiles sources in groups, those of a group that do not compile together one by one; the objects."""
    together = Outcome()
    groups = build.united(sources)
    done = compile_picked(build, list(groups), end, jobs, together)
    outcome.compiled += [source for made in done for source in groups[made]]
    alone = [build.objects[source] for made, group in groups.items() if made not in done for source in group]
    return done + compile_picked(build, alone, end, jobs, outcome)


def run_program(build: Build, program: str, end: float, number: int, outcome: Outcome) -> None:
    """Runs one share of a program's tests."""
    module = program.removeprefix("test_")
    shares = build.sanitizer.shares.get(module, 1)
    name = f"{program}:{number % shares + 1}/{shares}"
    sharding = {"GTEST_TOTAL_SHARDS": str(shares), "GTEST_SHARD_INDEX": str(number % shares)}
    words = [*build.prefix, str(build.build / program), "--gtest_brief=1"]
    chosen = [f"--gtest_filter={build.sanitizer.left_out[module]}"] if module in build.sanitizer.left_out else []
    status, output = run_until(end, [*words, *chosen], build.tests, build.settings | sharding)
    if NO_ROOM.search(output) or status == -signal.SIGKILL:
        outcome.left.append(name)
    elif REPORT.search(output):
        outcome.fail(name, output)
    elif status is None:
        outcome.left.append(name)
    elif status == 0:
        outcome.passed.append(name)
    else:
        outcome.note_strange(name, output)


def look_at_memory(build: Build, changed: list[str], end: float, options: argparse.Namespace) -> Outcome:
    """The share's sources under AddressSanitizer and UBSan."""
    outcome = Outcome()
    begin = time.monotonic()
    picked = [build.objects[source] for source in share.pick(build.library(), changed, options.share, STEP)]
    done = compile_picked(build, picked, begin + (end - begin) * 2 / 3, options.jobs, outcome)
    by_program: dict[str, list[str]] = {}
    for made in done:
        by_program.setdefault(build.program_of(build.sources[made]), []).append(made)

    def looked_at(program: str) -> None:
        if build.link(program, by_program[program], end, outcome):
            run_program(build, program, end, options.share, outcome)

    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(looked_at, sorted(by_program, key=lambda program: -len(by_program[program]))))
    return outcome


def programs_of_the_share(build: Build, changed: list[str], end: float, number: int) -> Iterator[tuple[str, list[str]]]:
    """Programs and their objects: a small one, large ones where there is a cache, then the other small ones; those of
    modules that changed come first.  Last, without objects, those of which the linker does not tell them.
    """
    touched = {Path(path).parts[1] for path in changed if path.startswith("src/")}
    names = [name for name in build.programs if name not in ONE_THREAD]
    first = [name for name in names if name.removeprefix("test_") in touched]
    small: list[tuple[str, list[str]]] = []
    large: list[tuple[str, list[str]]] = []
    unknown: list[tuple[str, list[str]]] = []
    for name in share.in_circle(first, number, 1) + share.in_circle(
        [name for name in names if name not in first], number, 1
    ):
        parts = build.parts(name, end)
        group = unknown if parts is None else small if len(parts) <= SMALL else large
        group.append((name, parts or []))
    yield from small[:1]
    if build.launcher:
        yield from large
    yield from small[1:]
    yield from unknown


def look_at_threads(build: Build, changed: list[str], end: float, options: argparse.Namespace) -> Outcome:
    """The share's program under ThreadSanitizer, and more if there is time."""
    outcome = Outcome()
    for program, parts in programs_of_the_share(build, changed, end, options.share):
        if time.monotonic() >= end or not parts:
            outcome.left.append(program)
            continue
        of_it = Outcome()
        done = compile_picked(build, parts, end, options.jobs, of_it)
        outcome.compiled.extend(of_it.compiled)
        outcome.unbuilt.extend(of_it.unbuilt)
        if len(done) < len(parts):
            outcome.left.append(f"{program} ({len(done)} of {len(parts)} objects)")
            continue
        if build.link(program, parts, end, outcome):
            run_program(build, program, end, options.share, outcome)
    return outcome


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tests", required=True, type=Path, help="a build directory whose test programs are made")
    parser.add_argument("--build", required=True, type=Path)
    parser.add_argument("--minutes", type=float, default=8)
    parser.add_argument("--since")
    parser.add_argument("--share", type=int, default=share.number())
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    begin = time.monotonic()
    end = begin + options.minutes * 60
    changed = share.files_changed(options.since)
    print(f"sanitizers: what changed first ({len(changed)} files), then share {options.share}")
    failed = False
    for sanitizer, look, until in (
        (ADDRESS, look_at_memory, end - options.minutes * 60 * THREADS),
        (THREAD, look_at_threads, end),
    ):
        build = Build(options.tests.resolve(), options.build.resolve() / sanitizer.name.split()[0], sanitizer)
        if not build.try_out(until):
            print(f"sanitizers ({sanitizer.name}): such programs do not run on this machine; nothing was looked at")
            continue
        since = time.monotonic()
        outcome = look(build, changed, until, options)
        print(outcome.summary(f"sanitizers ({sanitizer.name}), {time.monotonic() - since:.0f} s"), flush=True)
        failed |= bool(outcome.failed)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
