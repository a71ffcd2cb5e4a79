"""What a run takes of work that is too long for one: what changed comes first, each day begins elsewhere, and a limit
of time is kept.  What there was no time for is counted and named.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SHOWN = 40  # names in a list


def from_the_day_s(names: list[str], day: int, a_day: int) -> list[str]:
    """The names in a circle, from the one on that it is the day's turn to begin with."""
    start = day * a_day % len(names) if names else 0
    return names[start:] + names[:start]


def touched(sources: Iterable[str], changed: Iterable[str]) -> list[str]:
    """Of these sources those that changed, or whose header did, in order."""
    names = {str(Path(path).with_suffix(".cpp")) for path in changed}
    public = tuple(name.removeprefix("include/rizoma") for name in names if name.startswith("include/rizoma/"))
    return sorted(source for source in set(sources) if source in names or source.endswith(public))


def pick(sources: Iterable[str], changed: Iterable[str], day: int, a_day: int) -> list[str]:
    """Those that changed, then the others; of each the day's first.  No tests."""
    every = sorted(source for source in set(sources) if not source.endswith("_test.cpp"))
    first = touched(every, changed)
    rest = [source for source in every if source not in first]
    return from_the_day_s(first, day, a_day) + from_the_day_s(rest, day, a_day)


def _git(*words: str) -> str:
    """What git says of this tree; empty if there is none, or no history."""
    try:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def a_day_ago() -> str:
    """The revision of a day ago; empty if there is no history so long."""
    return _git("rev-list", "-1", "--before=24 hours ago", "HEAD")


def files_changed(since: str | None) -> list[str]:
    """Paths that differ from a revision, by default that of a day ago; none if there is no history to ask."""
    base = since or a_day_ago()
    return _git("diff", "--name-only", base).splitlines() if base else []


def run_until(end: float, words: list[str], cwd: Path, env: dict[str, str] | None = None) -> tuple[int | None, str]:
    """Exit status and output of a command; status None if it had not ended in time, and was ended with all it had
    started.
    """
    if time.monotonic() >= end:
        return None, ""
    process = subprocess.Popen(
        words, cwd=cwd, env=env, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    status: int | None = None
    said = b""
    try:
        said, _ = process.communicate(timeout=max(0.0, end - time.monotonic()))
        status = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):  # what has a session of its own may hold the pipe
            said, _ = process.communicate(timeout=5)
        assert process.stdout is not None
        process.stdout.close()
    return status, said.decode(errors="replace")


def listed(names: list[str]) -> str:
    """The names, or the first of many."""
    return " ".join(names[:SHOWN]) + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")


@dataclass
class Outcome:
    """What became of sources and programs."""

    compiled: list[str] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    strange: list[str] = field(default_factory=list)
    unbuilt: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)

    def fail(self, name: str, output: str) -> None:
        """Takes down a finding, and shows it."""
        print(f"--- {name}\n{output[-20000:]}", flush=True)
        self.failed.append(name)

    def note_strange(self, name: str, output: str) -> None:
        """Takes down what ended badly and is no finding, and shows it."""
        print(f"--- {name}\n{output[-4000:]}", flush=True)
        self.strange.append(name)

    def note_build(self, name: str, status: int | None, output: str, good: list[str] | None = None) -> bool:
        """Takes down how a compilation or linking ended; true if well.  One that failed is no finding: the ordinary
        build says what does not compile.
        """
        if status is None:
            self.left.append(name)
        elif status != 0:
            print(f"--- {name}\n{output[-4000:]}", flush=True)
            self.unbuilt.append(name)
        elif good is not None:
            good.append(name)
        return status == 0

    def summary(self, title: str) -> str:
        """What was looked at and what was not."""
        lines = [
            f"{title}: {len(self.compiled)} sources compiled, {len(self.passed)} programs passed, "
            f"{len(self.failed)} failed, {len(self.left)} not looked at for want of time"
        ]
        lists = (
            ("compiled", self.compiled),
            ("passed", self.passed),
            ("FAILED", self.failed),
            ("ended badly, without a report", self.strange),
            ("NOT BUILT", self.unbuilt),
            ("no time", self.left),
        )
        return "\n".join(lines + [f"  {what}: {listed(names)}" for what, names in lists if names])
