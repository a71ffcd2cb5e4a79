"""The whole check (.ci/run) fails with the first step that fails, runs for each push, and takes its commit's share."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import share  # noqa: E402

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


def run_in(directory: Path, failing: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """A run of which one step fails; `steps` has those that it came to, `settings` what the last of them saw."""
    (directory / ".ci").mkdir(parents=True)
    shutil.copy(ROOT / ".ci" / "run", directory / ".ci" / "run")
    make = f'echo "$1" >> steps; env > settings; [ "$1" != "{failing}" ]'
    there = dict.fromkeys(("chromium", "ccache", "clang++", "clang-tidy", "apt-get"), "exit 0")
    path = f"{programs(directory / 'bin', there | {'make': make})}{os.pathsep}{os.environ['PATH']}"
    env = {name: value for name, value in os.environ.items() if not name.startswith(("RIZOMA_", "CCACHE_", "GIT_"))}
    words = ["sh", ".ci/run"]
    return subprocess.run(words, cwd=directory, env={**env, **settings, "PATH": path}, capture_output=True, text=True)


def steps_run(directory: Path, failing: str) -> tuple[int, list[str]]:
    """Exit status of a run of which one step fails, and the steps that it came to."""
    done = run_in(directory, failing)
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


def commit_in(directory: Path) -> str:
    """Makes a repository with a commit; its hash."""
    directory.mkdir(parents=True)
    words = ["git", "-c", "user.name=x", "-c", "user.email=x@y"]
    subprocess.run([*words, "init", "-q"], cwd=directory, check=True)
    subprocess.run([*words, "commit", "-q", "--allow-empty", "-m", "x"], cwd=directory, check=True)
    return subprocess.run([*words, "rev-parse", "HEAD"], cwd=directory, capture_output=True, text=True).stdout.strip()


def test_the_commit_decides_the_share_and_the_run_says_which(tmp_path, monkeypatch):
    commit = commit_in(tmp_path / "tree")
    done = run_in(tmp_path / "tree", "none")
    number = int(commit[:7], 16)
    assert f"shares: commit {commit[:7]}, number {number}; " in done.stdout
    assert f" share {number % 10 + 1} of 10;" in done.stdout
    settings = (tmp_path / "tree" / "settings").read_text().splitlines()
    assert {f"RIZOMA_SHARE={number}", f"RIZOMA_CRASH_SHARE={number}", "RIZOMA_CRASH_SHARES=10"} <= set(settings)
    # The tools by themselves come to the same number.
    monkeypatch.delenv("RIZOMA_SHARE", raising=False)
    monkeypatch.setattr(share, "ROOT", tmp_path / "tree")
    assert share.number() == number
    assert share.base() == ""
    monkeypatch.setenv("RIZOMA_SINCE", commit)
    assert share.base() == commit
    monkeypatch.setenv("RIZOMA_SHARE", "7")
    assert share.number() == 7


def test_without_a_commit_there_is_the_first_share(tmp_path):
    done = run_in(tmp_path, "none", GIT_CEILING_DIRECTORIES=str(tmp_path.parent))
    assert "shares: commit unknown, number 0; " in done.stdout
    assert " share 1 of 10;" in done.stdout


def test_objects_of_another_folder_are_found_again(tmp_path):
    run_in(tmp_path, "none")
    settings = (tmp_path / "settings").read_text().splitlines()
    sloppiness = "CCACHE_SLOPPINESS=pch_defines,time_macros"
    assert {f"CCACHE_BASEDIR={tmp_path}", "CCACHE_NOHASHDIR=1", sloppiness} <= set(settings)


def test_each_push_is_checked_and_each_night_everything_is():
    check, nightly = (
        yaml.safe_load((ROOT / ".github" / "workflows" / f"{name}.yml").read_text()) for name in ("check", "nightly")
    )
    # YAML 1.1 reads the key `on` as true.
    assert check[True].keys() == {"push", "pull_request"}
    assert check["jobs"]["check"]["steps"][-1]["run"] == ".ci/run"
    assert "schedule" in nightly[True]
    runs = [each["run"] for each in nightly["jobs"]["whole"]["strategy"]["matrix"]["include"]]
    assert "env RIZOMA_CRASH_SHARES=1 .ci/run" in runs
    targets = {word for run in runs for word in run.split()[1:] if "=" not in word and word != ".ci/run"}
    known = (ROOT / "Makefile").read_text()
    assert [target for target in targets if f"\n{target}:" not in known] == []
