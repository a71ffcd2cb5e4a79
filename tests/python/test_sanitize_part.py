"""The part of the tests that runs under sanitizers: what changed comes first, days see all of it, the limit holds."""

import json
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import sanitize_part  # noqa: E402

SOURCES = [f"src/store/{i:03}.cpp" for i in range(200)] + ["src/store/one_test.cpp", "testing/two.cpp"]


def build_in(directory: Path, commands: dict[str, str]) -> sanitize_part.Build:
    """A test build with these commands in place of compilations."""
    entries = [{"file": str(ROOT / file), "command": command} for file, command in commands.items()]
    (directory / "compile_commands.json").write_text(json.dumps(entries))
    return sanitize_part.Build(directory, directory / "anew")


def test_what_changed_comes_first_and_nothing_is_left_out():
    picked = sanitize_part.pick(SOURCES, ["src/store/150.cpp", "src/store/007.h", "README.md"], day=3)
    assert picked[:2] == ["src/store/007.cpp", "src/store/150.cpp"]
    assert sorted(picked) == SOURCES[:200]


def test_a_public_header_is_its_source_s():
    sources = [*SOURCES, "src/engine/one.cpp", "src/algorithms/deep/two.cpp"]
    for header, source in (("one.h", "src/engine/one.cpp"), ("deep/two.h", "src/algorithms/deep/two.cpp")):
        assert sanitize_part.pick(sources, [f"include/rizoma/{header}"], day=3)[0] == source


def test_days_begin_elsewhere_and_see_every_source():
    seen = {source for day in range(5) for source in sanitize_part.pick(SOURCES, [], day)[: sanitize_part.A_DAY]}
    assert seen == set(SOURCES[:200])


def test_what_there_is_no_time_for_is_neither_passed_nor_failed(tmp_path):
    build = build_in(tmp_path, dict.fromkeys(SOURCES[:3], "false -o x"))
    outcome = sanitize_part.Outcome()
    sanitize_part.compile_picked(build, SOURCES[:3], time.monotonic() - 1, 2, outcome)
    assert (outcome.compiled, outcome.failed, outcome.left) == ([], [], SOURCES[:3])
    assert "0 failed, 3 not looked at" in outcome.summary()
    assert f"no time: {' '.join(SOURCES[:3])}" in outcome.summary()


def test_a_command_that_is_running_is_ended_with_all_it_started():
    command = [sys.executable, "-c", "import subprocess; subprocess.run(['sleep', '1000'])"]
    assert sanitize_part.run_until(time.monotonic() + 0.2, command, ROOT) == (None, "")


def test_a_compilation_that_fails_is_a_failure(tmp_path, capsys):
    build = build_in(tmp_path, {SOURCES[0]: "true -o x", SOURCES[1]: "false -o x"})
    outcome = sanitize_part.Outcome()
    sanitize_part.compile_picked(build, SOURCES[:2], time.monotonic() + 1000, 2, outcome)
    assert (outcome.compiled, outcome.failed) == (SOURCES[:1], SOURCES[1:2])
    assert SOURCES[1] in capsys.readouterr().out
