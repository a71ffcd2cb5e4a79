"""Every path, command and machine that docs/internals/papers.md names is there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/internals/papers.md").read_text()
QUOTED = sorted(set(re.findall(r"`([^`\n]+)`", PAGE)))
ROWS = [line.replace(r"\|", "!") for line in PAGE.splitlines() if line.startswith("| ")]
IDEAS = [[cell.strip() for cell in row.strip("| ").split(" | ")] for row in ROWS]
FOLDERS = ("src/", "include/", "python/", "bench/", "docs/", "testing/", "tests/", "tools/", "examples/")
STATES = ("here", "partly", "other", "missing")
CLI = (sys.executable, "-m", "rizoma")


def paths():
    """What is quoted and begins with a folder of the repository, scripts of commands included."""
    words = {word for each in QUOTED for word in each.split()}
    return sorted(word for word in words if word.startswith(FOLDERS))


def commands():
    return [each for each in QUOTED if each.startswith("rizoma ")]


@cache
def help_of(*names):
    wide = {**os.environ, "COLUMNS": "250", "NO_COLOR": "1", "TERM": "dumb"}
    done = subprocess.run([*CLI, *names, "--help"], capture_output=True, text=True, env=wide)
    return done.stdout if done.returncode == 0 else None


@pytest.mark.parametrize("path", paths())
def test_the_path_is_there(path):
    assert (ROOT / path).exists()


@pytest.mark.parametrize("command", commands())
def test_the_command_and_its_options_are_there(command):
    _, *words = command.split()
    names = []
    for word in words[: 1 if words[0] not in ("run", "placement", "bench") else 2]:
        names.append(word)
    text = help_of(*names)
    assert text is not None, f"rizoma {' '.join(names)} is no command"
    for option in (word for word in words if word.startswith("-")):
        assert re.search(rf"(?<!\S){re.escape(option)}\b", text), f"rizoma {' '.join(names)} has no {option}"


def test_the_page_names_paths_and_commands():
    assert len(paths()) > 25
    assert len(commands()) > 12


def test_each_idea_has_one_of_the_four_states():
    ideas = [row for row in IDEAS if len(row) == 3 and not row[0].startswith(("what", "---"))]
    assert len(ideas) > 100
    counts = dict.fromkeys(STATES, 0)
    for what, _, state in ideas:
        assert re.match(rf"(?:{'|'.join(STATES)})\b", state), what
        counts[re.match(r"\w+", state)[0]] += 1
    said = re.search(
        r"Of (\d+) rows (\d+) are here, (\d+) partly, (\d+) served by another mechanism, (\d+) missing", PAGE
    )
    assert [int(each) for each in said.groups()] == [len(ideas), *counts.values()]


def test_the_pages_that_should_lead_there_do():
    for page in ("README.md", "ARCHITECTURE.md"):
        assert "docs/internals/papers.md" in (ROOT / page).read_text(), page
