"""The part of the tests that runs under sanitizers: what changed comes first, shares see all of it, the limit holds,
and only findings are failures.
"""

import json
import sys
import time
from argparse import Namespace
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import sanitize_part  # noqa: E402
import share  # noqa: E402

SOURCES = [f"src/store/{i:03}.cpp" for i in range(200)] + ["src/store/one_test.cpp"]
LATER = 1000.0  # seconds, of which no test needs more than a moment


def build_in(directory: Path, commands: dict[str, str]) -> sanitize_part.Build:
    """A test build with these commands in place of compilations; OBJECT stands for what they make."""
    entries = [
        {"file": str(ROOT / file), "command": command.replace("OBJECT", f"CMakeFiles/rizoma_store.dir/{file}.o")}
        for file, command in commands.items()
    ]
    (directory / "compile_commands.json").write_text(json.dumps(entries))
    return sanitize_part.Build(directory, directory / "anew")


def picked(sources: list[str], changed: list[str], number: int) -> list[str]:
    return share.pick(sources, changed, number, sanitize_part.STEP)


def test_what_changed_comes_first_and_nothing_is_left_out():
    order = picked(SOURCES, ["src/store/150.cpp", "src/store/007.h", "README.md"], number=4)
    assert order[:2] == ["src/store/007.cpp", "src/store/150.cpp"]
    assert sorted(order) == SOURCES[:200]


def test_a_public_header_is_its_source_s():
    sources = [*SOURCES, "src/engine/one.cpp", "src/algorithms/deep/two.cpp"]
    for header, source in (("one.h", "src/engine/one.cpp"), ("deep/two.h", "src/algorithms/deep/two.cpp")):
        assert picked(sources, [f"include/rizoma/{header}"], number=3)[0] == source


@pytest.mark.parametrize("changed", [[], SOURCES])
def test_shares_begin_elsewhere_and_see_every_source(changed):
    seen = {source for number in range(9) for source in picked(SOURCES, changed, number)[: sanitize_part.STEP]}
    assert seen == set(SOURCES[:200])


def test_what_the_build_has_precompiled_is_left_out(tmp_path):
    command = "c++ -Winvalid-pch -include CMakeFiles/rizoma_base.dir/cmake_pch.hxx -include own.h -o OBJECT -c one.cpp"
    build = build_in(tmp_path, {"src/store/one.cpp": command})
    words = build.compilation("CMakeFiles/rizoma_store.dir/src/store/one.cpp.o")
    assert not any("cmake_pch" in word for word in words)
    assert words[words.index("-include") + 1] == "own.h"


def test_what_there_is_no_time_for_is_neither_passed_nor_failed(tmp_path):
    build = build_in(tmp_path, dict.fromkeys(SOURCES[:3], "false -o OBJECT"))
    outcome = share.Outcome()
    assert sanitize_part.compile_picked(build, list(build.commands), time.monotonic() - 1, 2, outcome) == []
    assert (outcome.compiled, outcome.failed, outcome.left) == ([], [], SOURCES[:3])
    assert "0 failed, 3 not looked at" in outcome.summary("all")
    assert f"no time: {' '.join(SOURCES[:3])}" in outcome.summary("all")


def test_a_command_that_is_running_is_ended_with_all_it_started():
    command = [sys.executable, "-c", "import subprocess; subprocess.run(['sleep', '1000'])"]
    assert share.run_until(time.monotonic() + 0.2, command, ROOT) == (None, "")


def test_a_compilation_that_fails_is_named_and_no_finding(tmp_path, capsys):
    build = build_in(tmp_path, {SOURCES[0]: "true -o OBJECT", SOURCES[1]: "false -o OBJECT"})
    outcome = share.Outcome()
    done = sanitize_part.compile_picked(build, list(build.commands), time.monotonic() + LATER, 2, outcome)
    assert done == [build.objects[SOURCES[0]]]
    assert (outcome.compiled, outcome.unbuilt, outcome.failed) == (SOURCES[:1], SOURCES[1:2], [])
    assert SOURCES[1] in capsys.readouterr().out
    assert f"NOT BUILT: {SOURCES[1]}" in outcome.summary("all")


def test_modules_that_no_test_program_is_linked_with_are_left_out(tmp_path):
    build = build_in(
        tmp_path, {SOURCES[0]: "true -o OBJECT", "src/transport/mpi/a.cpp": "true -o CMakeFiles/mpi.dir/a.o"}
    )
    assert build.library() == SOURCES[:1]


def noted_in(outcome: share.Outcome) -> list[str]:
    """Which of its lists have something."""
    lists = ("passed", "failed", "strange", "left", "unbuilt")
    return [name for name in lists if getattr(outcome, name)]


@pytest.mark.parametrize(
    ("script", "becomes"),
    [
        ("exit 0", "passed"),
        ('echo "==1==ERROR: AddressSanitizer: heap-use-after-free"; exit 1', "failed"),
        ('echo "a.cpp:1:2: runtime error: shift exponent 64 is too large"; exit 1', "failed"),
        ('echo "WARNING: ThreadSanitizer: data race (pid=1)"; exit 66', "failed"),
        ('echo "FATAL: ThreadSanitizer: unexpected memory mapping 0x1-0x2"; exit 66', "left"),
        (
            'echo "==1==ERROR: AddressSanitizer: out of memory: allocator is trying to allocate 0x10000 bytes"; exit 1',
            "left",
        ),
        ('echo "failed to allocate"; echo "==1==ERROR: AddressSanitizer: heap-use-after-free"; exit 1', "failed"),
        ("kill -9 $$", "left"),
        ("kill -6 $$", "strange"),
        ('echo "[  FAILED  ] Suite/Case.Name/3, where GetParam() = 1 (2 ms)"; exit 1', "strange"),
        ("sleep 1000", "left"),
    ],
)
def test_reports_are_failures_and_nothing_else(tmp_path, script, becomes):
    build = build_in(tmp_path, {})
    program = build.build / "test_made_up"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    outcome = share.Outcome()
    end = time.monotonic() + (1 if "sleep" in script else LATER)
    sanitize_part.run_program(build, "test_made_up", end, 0, outcome)
    assert noted_in(outcome) == [becomes]


def test_a_report_counts_though_the_time_is_over(tmp_path, monkeypatch):
    outcome = share.Outcome()
    monkeypatch.setattr(sanitize_part, "run_until", lambda *_: (None, "WARNING: ThreadSanitizer: data race (pid=1)"))
    sanitize_part.run_program(build_in(tmp_path, {}), "test_made_up", 0, 0, outcome)
    assert noted_in(outcome) == ["failed"]


def test_the_linker_s_list_names_the_objects(tmp_path, monkeypatch):
    build = build_in(tmp_path, dict.fromkeys(SOURCES[:3], "c++ -o OBJECT"))
    said = (
        "/usr/lib/crti.o\nlibrizoma_store.a\n(librizoma_store.a)001.cpp.o\nlibrizoma_store.a(002.cpp.o)\n(libz.a)a.o\n"
    )
    monkeypatch.setattr(sanitize_part.Build, "linking", lambda *_: ["c++", "-o", "x"])
    monkeypatch.setattr(sanitize_part, "run_until", lambda *_: (0, said))
    assert build.parts("test_store", 0) == [build.objects[source] for source in SOURCES[1:3]]
    monkeypatch.setattr(sanitize_part, "run_until", lambda *_: (0, "librizoma_store.a\n"))
    assert build.parts("test_store", 0) is None


def test_a_small_program_goes_first_then_large_ones_where_objects_are_kept(tmp_path, monkeypatch):
    sizes = {"test_engine": 20, "test_platform": 30, "test_query": 90, "test_store": 100}
    for cached in (True, False):
        of_programs = {
            f"{name}.cpp": f"true -o CMakeFiles/{name}.dir/a.o" for name in [*sizes, "test_graph", "test_no"]
        }
        for name in [*sizes, "test_graph", "test_of_before"]:
            (tmp_path / name).touch()
        build = build_in(tmp_path, of_programs)
        monkeypatch.setattr(sanitize_part.Build, "parts", lambda _, name, end: ["object"] * sizes[name])
        build.launcher = ["ccache"] if cached else []
        changed = ["src/store/a.cpp", "src/platform/b.h"]
        for number in range(4):
            order = [name for name, _ in sanitize_part.programs_of_the_share(build, changed, 0, number)]
            large = ["test_store", "test_query"] if cached else []
            assert order == ["test_platform", *large, "test_engine"]
        first = {next(sanitize_part.programs_of_the_share(build, [], 0, number))[0] for number in range(4)}
        assert first == {"test_engine", "test_platform"}


def test_a_program_of_which_an_object_is_missing_is_not_run(tmp_path, monkeypatch):
    build = build_in(tmp_path, {SOURCES[0]: "true -o OBJECT", SOURCES[1]: "false -o OBJECT"})
    monkeypatch.setattr(sanitize_part, "programs_of_the_share", lambda *_: [("test_store", list(build.commands))])
    outcome = sanitize_part.look_at_threads(build, [], time.monotonic() + LATER, Namespace(share=0, jobs=2))
    assert outcome.left == ["test_store (1 of 2 objects)"]
    assert not outcome.passed


def test_a_program_whose_objects_are_not_known_is_named(tmp_path, monkeypatch):
    (tmp_path / "test_store").touch()
    build = build_in(tmp_path, {"test_store.cpp": "true -o CMakeFiles/test_store.dir/a.o"})
    monkeypatch.setattr(sanitize_part.Build, "parts", lambda *_: None)
    outcome = sanitize_part.look_at_threads(build, [], time.monotonic() + LATER, Namespace(share=0, jobs=2))
    assert (outcome.left, outcome.passed) == (["test_store"], [])
