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

# Stands for a test program: three tests, which mutants they come past, and which they fail for.
PROGRAM = """#!{python}
import os, sys, time
past = {{"A.one": [0, 1, 4], "A.two": [0, 2, 4], "A.bad": []}}
fails = {{"A.one": "1", "A.two": "0"}}
if "--gtest_list_tests" in sys.argv:
    print("A.\\n  one\\n  two\\n  bad")
    sys.exit(0)
flags = dict(line.split("=", 1) for line in open(sys.argv[1].split("=", 1)[1]) if "=" in line)
names = flags["--gtest_filter"].strip().split(":")
mutant = os.environ.get("RIZOMA_MUTANT")
marks = bytearray(8)
for name in names:
    if mutant == "4":
        time.sleep(60)
    for number in past[name]:
        marks[number] = 1
    if name == "A.bad" or fails[name] == mutant:
        print(f"[  FAILED  ] {{name}} (0 ms)")
        sys.exit(1)
if "RIZOMA_MUTANTS_REACHED" in os.environ:
    open(os.environ["RIZOMA_MUTANTS_REACHED"], "wb").write(marks)
"""


def test_the_runner_says_what_became_of_each_mutant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "program"
    program.write_text(PROGRAM.format(python=sys.executable))
    program.chmod(0o755)
    mutants = [{"number": n, "file": "a.cpp", "line": n, "kind": "branch", "text": "a < b"} for n in range(5)]
    about = {"program": "program", "seed": 1, "places": 5, "mutants": mutants}
    (tmp_path / "mutants.json").write_text(json.dumps(about))
    report = tmp_path / "report.json"
    monkeypatch.setattr(run, "ENOUGH", 3.0)
    words = ["run.py", "--folder", str(tmp_path), "--processes", "2", "--report", str(report), "--least", "95"]
    monkeypatch.setattr(sys, "argv", words)
    assert run.main() == 1, "fewer are killed than were to be"
    found = json.loads(report.read_text())
    outcomes = {mutant["number"]: (mutant["outcome"], mutant.get("by")) for mutant in found["mutants"]}
    assert outcomes == {
        0: ("killed", "A.two"),
        1: ("killed", "A.one"),
        2: ("survived", None),
        3: ("unreached", None),
        4: ("killed", "hangs"),
    }
    assert found["left_out"] == {"A.bad": "fails without a mutant"}


SOURCE = """
static int clamp(int value, int most) {
  for (int i = 0; i < 3; ++i) {
    if (value > most && most >= 0) value = most;
  }
  return value + 1;
}
static bool same(int a, int b) { return a == b; }
int main() {
  constexpr int kFour = 1 + 3;
  static_assert(kFour == 4);
  return clamp(9, kFour) == 5 && same(1, 1) ? 0 : 1;
}
"""


@pytest.mark.skipif(shutil.which("g++") is None, reason="no compiler")
def test_a_rewritten_source_is_itself_without_a_mutant_and_other_with_one(tmp_path: Path) -> None:
    pytest.importorskip("clang.cindex")
    import rewrite

    source = tmp_path / "a.cpp"
    source.write_text(SOURCE)
    parsed = rewrite.sites_of(source, ["-std=c++20"])
    kinds = {site.kind for site in parsed.sites}
    assert kinds == {"branch", "part left", "part right", "bound", "equal", "step", "answer"}
    constant = SOURCE.encode().index(b"constexpr")
    assert not [site for site in parsed.sites if constant <= site.begin < SOURCE.encode().index(b"return clamp")]
    (tmp_path / "b.cpp").write_bytes(rewrite.rewritten(parsed, {site: n for n, site in enumerate(parsed.sites)}))
    made = tmp_path / "b"
    words = [
        "g++",
        "-std=c++20",
        "-include",
        str(TOOLS / "switch.h"),
        str(tmp_path / "b.cpp"),
        str(TOOLS / "switch.cpp"),
    ]
    subprocess.run([*words, "-o", str(made)], check=True)
    assert subprocess.run([str(made)]).returncode == 0
    outcomes = [
        subprocess.run([str(made)], env={"RIZOMA_MUTANT": str(n)}, timeout=20).returncode
        for n, site in enumerate(parsed.sites)
        if site.kind in ("equal", "step", "answer")
    ]
    assert all(outcomes)
