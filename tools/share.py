"""What a run takes of work that is too long for one: what changed comes first, each commit begins elsewhere, and a
limit of time is kept.  What there was no time for is counted and named.

Usage: share.py      prints the number that decides where a run begins

The number is the commit's (the first digits of its hash), so that a commit is always looked at in the same way; or
RIZOMA_SHARE.  What changed is what differs from the revision RIZOMA_SINCE, or from twenty commits ago.
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
COMMITS = 20  # what changed in these comes first
DIGITS = 7  # of a commit's hash


def number() -> int:
    """The number that decides where a run begins: that of the commit, 0 where there is none."""
    given = os.environ.get("RIZOMA_SHARE")
    return int(given) if given else int(_git("rev-parse", "HEAD")[:DIGITS] or "0", 16)


def in_circle(names: list[str], share: int, step: int) -> list[str]:
    """The names in a circle; the shares 0, 1, 2 begin `step` names further each."""
    start = share * step % len(names) if names else 0
    return names[start:] + names[:start]


def touched(sources: Iterable[str], changed: Iterable[str]) -> list[str]:
    """Of these sources those that changed, or whose header did, in order."""
    names = {str(Path(path).with_suffix(".cpp")) for path in changed}
    public = tuple(name.removeprefix("include/rizoma") for name in names if name.startswith("include/rizoma/"))
    return sorted(source for source in set(sources) if source in names or source.endswith(public))


def pick(sources: Iterable[str], changed: Iterable[str], share: int, step: int) -> list[str]:
    """Those that changed, then the others; each in a circle from the share's on.  No tests."""
    every = sorted(source for source in set(sources) if not source.endswith("_test.cpp"))
    first = touched(every, changed)
    rest = [source for source in every if source not in first]
    return in_circle(first, share, step) + in_circle(rest, share, step)


def _git(*words: str) -> str:
    """What git says of this tree; empty if there is none, or no history."""
    try:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def base() -> str:
    """The revision that changes are counted from; empty if there is no history so long."""
    named = os.environ.get("RIZOMA_SINCE") or f"HEAD~{COMMITS}"
    return _git("rev-parse", "--verify", "--quiet", f"{named}^{{commit}}")


def files_changed(since: str | None) -> list[str]:
    """Paths that differ from a revision, by default `base`; none if there is no history to ask."""
    known = since or base()
    return _git("diff", "--name-only", known).splitlines() if known else []


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


if __name__ == "__main__":
    print(number())
