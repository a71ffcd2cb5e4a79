"""The tool that mutates the store: what it rewrites means the same without a mutant, and its runner says what became of
each.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / "tools" / "mutants"
sys.path.insert(0, str(TOOLS))

import run  # noqa: E402

# Stands for a test program: four tests, which mutants they pass and differ for, and which they fail for.
PROGRAM = """#!{python}
import os, signal, sys
tests = {{"A.one": "0+ 1+ 4+ 5 ", "A.two": "0+ 2+ 4+ ", "A.bad": "6+ ", "A.long": "2+ 4+ "}}
fails = {{"A.one": "1", "A.two": "0"}}

def run_mutant(line):
    mutant, place, output, limits, chosen = line.split("\\t")
    with open(output, "w") as said:
        for name in tests:
            if name not in chosen.split(":"):
                continue
            assert os.path.isdir(place) and f"{{name}}\\t" in open(limits).read()
            print(f"[ RUN      ] {{name}}", file=said)
            if mutant == "4":
                return -signal.SIGPROF
            if fails.get(name) == mutant:
                return 1
    return 0

if "RIZOMA_MUTANT_SERVER" in os.environ:
    for line in sys.stdin:
        print(int(run_mutant(line.strip())), flush=True)
elif os.environ["GTEST_SHARD_INDEX"] == "0":
    for name, numbers in tests.items():
        seconds = 30 if name == "A.long" else 0.01
        with open(os.environ["RIZOMA_MUTANT_MARKS"], "a") as marks:
            print(name, seconds, seconds, int(name != "A.bad"), numbers, sep="\\t", file=marks)
    sys.exit(1)
"""


def folder_with_program(folder: Path) -> None:
    program = folder / "program"
    program.write_text(PROGRAM.format(python=sys.executable))
    program.chmod(0o755)
    mutants = [{"number": n, "file": "a.cpp", "line": n, "kind": "branch", "text": "a < b"} for n in range(7)]
    about = {"programs": ["program"], "seed": 1, "places": 7, "mutants": mutants}
    (folder / "mutants.json").write_text(json.dumps(about))


def test_the_runner_says_what_became_of_each_mutant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder_with_program(tmp_path)
    report = tmp_path / "report.json"
    words = ["run.py", "--folder", str(tmp_path), "--processes", "2", "--report", str(report), "--least", "95"]
    monkeypatch.setattr(sys, "argv", words)
    assert run.main() == 1, "fewer are killed than were to be"
    found = json.loads(report.read_text())
    outcomes = {mutant["number"]: (mutant["outcome"], mutant.get("by")) for mutant in found["mutants"]}
    assert outcomes.pop(4) in (("killed", f"A.{test} (hangs)") for test in ("one", "two", "long"))
    assert outcomes == {
        0: ("killed", "A.two"),
        1: ("killed", "A.one"),
        2: ("survived", None),
        3: ("unreached", None),
        5: ("survived", None),
        6: ("unreached", None),
    }


def test_what_is_decided_is_not_run_again_and_what_is_not_is_continued(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder_with_program(tmp_path)
    report = tmp_path / "report.json"
    monkeypatch.setattr(
        sys, "argv", ["run.py", "--folder", str(tmp_path), "--report", str(report), "--seconds", "0.001"]
    )
    run.main()
    first = {mutant["number"]: mutant for mutant in json.loads(report.read_text())["mutants"]}
    assert first[2]["outcome"] == "unfinished", "the long test is left"
    first[1]["by"] = "an earlier run"
    report.write_text(json.dumps({"seed": 1, "places": 7, "mutants": list(first.values())}))
    monkeypatch.setattr(sys, "argv", ["run.py", "--folder", str(tmp_path), "--report", str(report)])
    run.main()
    second = {mutant["number"]: mutant for mutant in json.loads(report.read_text())["mutants"]}
    assert second[1]["by"] == "an earlier run"
    assert second[2]["outcome"] == "survived"


def test_the_interval_is_wilsons() -> None:
    low, high = run.interval(95, 100)
    assert (round(low, 1), round(high, 1)) == (88.8, 97.8)
    assert run.interval(0, 0) == (0.0, 100.0)


SOURCE = """
static int clamp(int value, int most) {
  for (int i = 0; i < 3; ++i) {
    if (value > most &&
        most >= 0) value = most;
  }
  return value + 1;
}
static bool same(int a, int b) { return a == b; }
int main() {
  constexpr int kFour = 1 + 3;
  static_assert(kFour == 4);
  return clamp(9, kFour) == 5 && clamp(1, kFour) == 2 && same(1, 1) && !same(1, 2) ? 0 : 1;
}
"""
# The switch of a program that has no tests of gtest.
SWITCH = """#include "switch.h"
#include <cstdlib>
namespace rizoma::mutants {
std::array<std::atomic<unsigned char>, kMost> marks{};
unsigned chosen = std::getenv("RIZOMA_MUTANT") ? std::atoi(std::getenv("RIZOMA_MUTANT")) : kMost;
}
"""


@pytest.mark.skipif(shutil.which("g++") is None, reason="no compiler")
def test_a_rewritten_source_is_itself_without_a_mutant_and_other_with_one(tmp_path: Path) -> None:
    pytest.importorskip("clang.cindex")
    import rewrite

    source = tmp_path / "a.cpp"
    source.write_text(SOURCE)
    second = tmp_path / "c.cpp"
    second.write_text("inline int other(int a) { return a ? 1 : 2; }\n")
    parsed, of_second = rewrite.sites_of([source, second], ["-std=c++20"])
    assert [site.kind for site in of_second.sites] == ["branch"]
    kinds = {site.kind for site in parsed.sites}
    assert kinds == {"branch", "part left", "part right", "bound", "equal", "step", "answer"}
    constant = SOURCE.encode().index(b"constexpr")
    assert not [site for site in parsed.sites if constant <= site.begin < SOURCE.encode().index(b"return clamp")]
    numbers = {site: n for n, site in enumerate(parsed.sites)}
    rewritten = rewrite.rewritten(parsed, numbers)
    assert rewritten.count(b"\n") == SOURCE.count("\n"), "lines keep their numbers"
    assert all(f"({n}u" in rewritten.decode() for n in numbers.values())
    (tmp_path / "b.cpp").write_bytes(rewritten)
    (tmp_path / "switch.cpp").write_text(SWITCH)
    made = tmp_path / "b"
    words = ["g++", "-std=c++20", "-I", str(TOOLS), "-include", "switch.h", str(tmp_path / "b.cpp")]
    subprocess.run([*words, str(tmp_path / "switch.cpp"), "-o", str(made)], check=True)
    assert subprocess.run([str(made)]).returncode == 0
    outcomes = [
        subprocess.run([str(made)], env={"RIZOMA_MUTANT": str(n)}, timeout=20).returncode
        for site, n in numbers.items()
        if site.kind in ("equal", "step", "answer")
    ]
    assert outcomes
    assert all(outcomes)
