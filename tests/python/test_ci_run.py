"""The whole check (.ci/run) fails as soon as one of its steps does, the search for mistakes included."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STEPS = [
    "setup",
    "openmpi",
    "build",
    "lint",
    "docs",
    "test-programs",
    "tidy",
    "sanitize-part",
    "test-openmpi-part",
    "test",
]
FINDING = "a.cpp:1:1: error: text [bugprone-use-after-move,-warnings-as-errors]"
pytestmark = pytest.mark.skipif(
    not (ROOT / ".ci" / "run").exists() or shutil.which("make") is None, reason="no .ci/run, or no make"
)


def programs(directory: Path, lines: dict[str, str]) -> Path:
    """A directory with a shell script of each name."""
    directory.mkdir()
    for name, line in lines.items():
        program = directory / name
        program.write_text(f"#!/bin/sh\n{line}\n")
        program.chmod(0o755)
    return directory


def steps_run(directory: Path, failing: str) -> tuple[int, list[str]]:
    """Exit status of a run of which one step fails, and the steps that it came to."""
    (directory / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", directory / ".ci" / "run")
    make = f'echo "$1" >> steps; [ "$1" != "{failing}" ]'
    there = dict.fromkeys(("chromium", "ccache", "clang++", "clang-tidy", "apt-get"), "exit 0")
    path = f"{programs(directory / 'bin', there | {'make': make})}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(["sh", ".ci/run"], cwd=directory, env=os.environ | {"PATH": path}, capture_output=True)
    return done.returncode, (directory / "steps").read_text().split()


def test_a_run_takes_all_steps(tmp_path):
    assert steps_run(tmp_path, "none") == (0, STEPS)


@pytest.mark.parametrize("failing", STEPS)
def test_each_step_can_fail_the_run(tmp_path, failing):
    status, seen = steps_run(tmp_path, failing)
    assert status != 0
    assert seen == STEPS[: STEPS.index(failing) + 1]


@pytest.mark.parametrize(("finds", "fails"), [(FINDING, True), ("nothing", False)])
def test_make_tidy_fails_for_a_finding(tmp_path, finds, fails):
    python = programs(tmp_path / "bin", {"python": f'exec "{sys.executable}" "$@"'})
    fakes = programs(tmp_path / "fakes", {"cmake": "exit 0", "clang-tidy": f"echo '{finds}'; exit {int(fails)}"})
    words = ["make", "-o", f"{tmp_path}/ready", "tidy", f"VENV={tmp_path}", f"BIN={python}", "TIDY=src/base/utf8.cpp"]
    env = {name: value for name, value in os.environ.items() if name not in ("CLANG_TIDY", "MAKEFLAGS", "MAKELEVEL")}
    env["PATH"] = f"{fakes}{os.pathsep}{env['PATH']}"
    done = subprocess.run(words, cwd=ROOT, env=env, capture_output=True, text=True)
    assert (done.returncode != 0) == fails, done.stdout + done.stderr
    assert ("bugprone-use-after-move" in done.stdout) == fails
