"""The search for mistakes finds them, begins with what changed, keeps its time and fails for findings alone."""

import json
import shutil
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import check_mistakes  # noqa: E402

LATER = 1000.0
MISTAKE = """
#include <string>
#include <utility>
std::string twice(std::string text) {
  std::string taken = std::move(text);
  return taken + text;
}
"""


def build_of(directory: Path, sources: list[Path]) -> Path:
    """A build that compiles these."""
    compiler = "c++ -std=c++20 -Werror -Wconversion"
    entries = [
        {"directory": str(directory), "file": str(source), "command": f"{compiler} -c {source}"} for source in sources
    ]
    (directory / "compile_commands.json").write_text(json.dumps(entries))
    return directory


def program_that(directory: Path, says: str, status: int) -> str:
    """In place of clang-tidy."""
    program = directory / "clang-tidy"
    program.write_text(f"#!/bin/sh\necho '{says}'\nexit {status}\n")
    program.chmod(0o755)
    return str(program)


def test_a_mistake_is_found(tmp_path):
    program = shutil.which("clang-tidy")
    if program is None:
        pytest.skip("no clang-tidy here (apt install clang-tidy)")
    (tmp_path / ".clang-tidy").write_text((ROOT / ".clang-tidy").read_text())
    source = tmp_path / "source.cpp"
    build = build_of(tmp_path, [source])
    end = time.monotonic() + LATER
    source.write_text(MISTAKE.replace("taken + text", "taken"))
    assert check_mistakes.look(program, build, str(source), end) == ""
    source.write_text("int length(unsigned long n) { return n; }\n")
    assert check_mistakes.look(program, build, str(source), end) == "", "a warning of the compiler is none of these"
    source.write_text(MISTAKE)
    assert "bugprone-use-after-move" in (check_mistakes.look(program, build, str(source), end) or "")


def test_findings_fail_the_run_and_so_does_it_if_nothing_can_be_read(tmp_path, capsys):
    end = time.monotonic() + LATER
    finding = "a.cpp:1:1: error: text [bugprone-use-after-move,-warnings-as-errors]"
    found = check_mistakes.look(program_that(tmp_path, finding, 1), tmp_path, "a.cpp", end)
    assert check_mistakes.report({"a.cpp": found}) == 1
    assert "bugprone-use-after-move" in capsys.readouterr().out
    unread = check_mistakes.look(
        program_that(tmp_path, "error: no such header [clang-diagnostic-error]", 1), tmp_path, "a.cpp", end
    )
    late = check_mistakes.look(program_that(tmp_path, finding, 1), tmp_path, "b.cpp", time.monotonic() - 1)
    assert (unread, late) == (check_mistakes.UNREAD, None)
    assert check_mistakes.report({"a.cpp": "", "b.cpp": unread, "c.cpp": late}) == 0
    assert capsys.readouterr().out == (
        "mistakes: none found in 1 files\n"
        "mistakes: clang has errors for 1 files: b.cpp\n"
        "mistakes: no time for 1 files\n"
    )
    assert check_mistakes.report({"b.cpp": unread}) == 1
    assert check_mistakes.report({"b.cpp": unread, "c.cpp": late}) == 0, "with more time there might be one to read"
    assert check_mistakes.report({"c.cpp": late}) == 0
    assert check_mistakes.report({}) == 1


def test_a_crash_fails_the_run(tmp_path, capsys):
    end = time.monotonic() + LATER
    program = program_that(tmp_path, "Stack dump", 139)
    crashed = check_mistakes.look(program, tmp_path, "a.cpp", end)
    assert check_mistakes.report({"a.cpp": crashed, "b.cpp": "", "c.cpp": None}) == 1
    assert "crashed at a.cpp" in capsys.readouterr().out


def test_what_is_looked_at(tmp_path):
    names = ["src/store/store.cpp", "src/store/store_test.cpp", "testing/oracles.cpp", "python/src/bind_graph.cpp"]
    build = build_of(tmp_path, [*(ROOT / name for name in names), Path("/elsewhere/src/a.cpp")])
    assert check_mistakes.sources_of(build) == ["src/store/store.cpp", "testing/oracles.cpp"]
    assert check_mistakes.sources_of(tmp_path / "nowhere") == []


def test_what_changed_comes_first(tmp_path, monkeypatch):
    names = [f"src/store/{i:03}.cpp" for i in range(50)]
    build = build_of(tmp_path, [ROOT / name for name in names])
    seen = []

    def look(_program, _build, source, _end):
        seen.append(source)
        return ""

    monkeypatch.setattr(check_mistakes, "look", look)
    monkeypatch.setattr(check_mistakes.os, "cpu_count", lambda: 1)
    monkeypatch.setattr(check_mistakes.share, "files_changed", lambda _: ["src/store/030.h"])
    monkeypatch.setattr(check_mistakes.shutil, "which", lambda _: "clang-tidy")
    assert check_mistakes.main(["--build", str(build), "--share", "1"]) == 0
    assert seen[:2] == ["src/store/030.cpp", names[check_mistakes.STEP]]
    assert sorted(seen) == names


def test_without_clang_tidy_there_is_a_note(monkeypatch, capsys):
    monkeypatch.setenv("CLANG_TIDY", "no-program-of-that-name")
    assert check_mistakes.main([]) == 0
    assert "not looked for" in capsys.readouterr().out
