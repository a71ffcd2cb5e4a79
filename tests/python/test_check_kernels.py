"""All that a kernel takes to read is counted: its source, private headers and theirs; nothing else, nothing by hand."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import check_kernels  # noqa: E402

HEAD = "// What for.  Module: {}.\n#pragma once\n"
TREE = {
    "include/rizoma/algorithms/walk.h": HEAD.format("algorithms"),
    "include/rizoma/engine.h": HEAD.format("engine") + "int x;\n" * 100,
    "src/engine/loop.h": HEAD.format("engine") + "int x;\n" * 100,
    "src/algorithms/paths/walk.cpp": (
        '#include <rizoma/algorithms/walk.h>\n#include <rizoma/engine.h>\n#include "engine/loop.h"\n'
        '#include "algorithms/paths/steps.h"\n\n// A comment.\nint walk;\n'
    ),
    "src/algorithms/paths/steps.h": HEAD.format("algorithms") + '#include "algorithms/feet.h"\n',
    "src/algorithms/paths/steps.cpp": '#include "algorithms/paths/steps.h"\nint steps;\n',
    "src/algorithms/feet.h": HEAD.format("algorithms") + "int feet;\n",
    "src/algorithms/feet_test.cpp": '#include "algorithms/feet.h"\n' + "int x;\n" * 100,
    "src/algorithms/other.cpp": "int x;\n" * 100,
}
# walk.cpp 5 of 7, steps.h 2 of 3, feet.h 2 of 3, steps.cpp 2 of 2
COUNTS = "walk 11 15\n"


@pytest.fixture
def check(tmp_path, monkeypatch, capsys):
    """Runs the command on the tree with these files beside; exit status and lines."""

    def attempt(files: dict[str, str], limits: str = COUNTS, *words: str) -> tuple[int, list[str]]:
        for name, text in {**TREE, **files, check_kernels.LIMITS.as_posix(): limits}.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        monkeypatch.setattr(sys, "argv", ["check_kernels.py", *words, str(tmp_path)])
        status = check_kernels.main()
        return status, capsys.readouterr().out.splitlines()

    return attempt


def test_a_kernel_within_its_limits_passes(check):
    status, lines = check({})
    assert status == 0, lines
    assert lines[1].split() == ["walk", "4", "11", "11", "15", "15"]


GROWN = {
    "its source": ("src/algorithms/paths/walk.cpp", "int more;\n"),
    "a header": ("src/algorithms/paths/steps.h", "int more;\n"),
    "a source behind a header": ("src/algorithms/paths/steps.cpp", "int more;\n"),
    "a header that a header includes": ("src/algorithms/feet.h", "int more;\n"),
    "comments": ("src/algorithms/feet.h", "// More to read.\n"),
    "a new helper": ("src/algorithms/paths/steps.cpp", '#include "algorithms/new.h"\n'),
}


@pytest.mark.parametrize("where", GROWN)
def test_growth_is_noticed_wherever_it_is(check, where):
    name, more = GROWN[where]
    status, lines = check({name: TREE[name] + more, "src/algorithms/new.h": HEAD.format("algorithms")})
    assert status == 1
    assert lines[-1].startswith("src/algorithms/paths/walk.cpp:1: walk has ")


@pytest.mark.parametrize("name", ["src/engine/loop.h", "include/rizoma/engine.h", "src/algorithms/other.cpp"])
def test_the_engine_and_other_kernels_do_not_count(check, name):
    assert check({name: TREE[name] + "int more;\n"})[0] == 0


def test_a_new_kernel_is_found_and_needs_a_limit(check):
    new = {"include/rizoma/algorithms/run.h": HEAD.format("algorithms")}
    status, lines = check(new)
    assert status == 1
    assert lines[-1] == "include/rizoma/algorithms/run.h:1: no run.cpp below src/algorithms"
    status, lines = check({**new, "src/algorithms/run.cpp": "int run;\n"})
    assert status == 1
    assert lines[-1] == "src/algorithms/run.cpp:1: no limit for run 1 1 in tools/kernel_lines.txt"


def test_a_limit_without_a_kernel_is_noticed(check):
    status, lines = check({}, COUNTS + "gone 5 6\n")
    assert status == 1
    assert "there is no kernel gone" in lines[-1]


def test_limits_only_fall(check, tmp_path):
    file = tmp_path / check_kernels.LIMITS
    assert check({}, "walk 20 15\n", "--lower")[0] == 0
    assert file.read_text().splitlines()[1:] == ["walk 11 15"]
    assert check({}, "walk 10 20\n", "--lower")[0] == 1
    assert file.read_text().splitlines()[1:] == ["walk 10 15"]


def test_kernels_of_this_tree_keep_their_limits():
    kernels = check_kernels.Reading(ROOT).kernels()
    permitted = check_kernels.limits.read(ROOT / check_kernels.LIMITS, columns=2)
    assert check_kernels.report(kernels, permitted)[1] == []
