"""rizoma bench growing, with programs that print what DGAP, GraphOne and XPGraph print."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from rizoma.core.errors import NotFoundError, RizomaError
from rizoma_lab.bench.growing import GrowingPlan, measure_growing
from rizoma_lab.bench.growing_peers import Dgap, Given, GraphOne, XpGraph

# A path of three vertices, whose middle has most of everything.
_TELLS = """#!/usr/bin/env python3
import os, sys
a = sys.argv
open({log!r}, "a").write(" ".join(a[1:]) + " " + os.environ["OMP_NUM_THREADS"] + "\\n")
{body}
"""
_ANSWERS = {
    "pr": "1:0.5\n0:0.25\n2:0.25",
    "bfs": "BFS Tree has 3 nodes and 4 edges",
    "cc": "There are {components} components",
    "bc": "1:1\n0:0\n2:0",
}


def _program(path: Path, body: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_TELLS.format(log=str(path.parent / "log"), body=body))
    path.chmod(0o755)
    return path


def _given(directory: Path) -> Given:
    return Given(directory, num_vertices=3, base=2, dynamic=4, source=1, kernels=("pr", "bfs", "cc", "bc"), trials=2)


def test_dgap_is_read(tmp_path):
    said = "D-Graph Build Time: 0.5 seconds.\nGraph has 8 nodes and 4\nTrial Time: 0.125\nTrial Time: 0.25\n"
    for kernel, program in {"pr": "pr", "bfs": "bfs", "cc": "cc_sv", "bc": "bc"}.items():
        answer = _ANSWERS[kernel].format(components=6)  # five of them are padding
        _program(tmp_path / "dgap" / program, f"print({said + answer!r})")
    place = tmp_path / "place"
    place.mkdir()
    grown = Dgap(tmp_path / "dgap").run(_given(tmp_path), 3, place)
    assert grown.insert_seconds == [0.5] * 4
    assert grown.seconds == {kernel: [0.125, 0.25] for kernel in _ANSWERS}
    assert grown.told["cc"] == {"count": 1}
    assert grown.told["bfs"] == {"count": 3}
    assert grown.told["pr"]["top"][1] == 0.5
    calls = (tmp_path / "dgap" / "log").read_text().splitlines()
    assert len(calls) == 4
    assert all(call.endswith(" 3") and "-n 2" in call for call in calls)
    assert "-r 1 -i 1" in calls[3]


def test_graphone_runs_once_a_trial(tmp_path):
    body = f"""
job = a[a.index("-j") + 1]
print("D-graph load time = 0.5")
print({{"0": "PageRank", "1": "BFS", "2": "BC", "3": "CC"}}[job] + " time = 0.25")
pr, bfs, bc = {_ANSWERS["pr"]!r}, {_ANSWERS["bfs"]!r}, {_ANSWERS["bc"]!r}
print({{"0": pr, "1": bfs, "2": bc, "3": "There are 1 components"}}[job])
"""
    place = tmp_path / "place"
    place.mkdir()
    grown = GraphOne(_program(tmp_path / "graphone_test", body)).run(_given(tmp_path), 1, place)
    assert grown.insert_seconds == [0.5] * 6
    assert grown.seconds == {kernel: [0.25, 0.25] for kernel in ("pr", "cc", "bc")}  # its search is none
    assert grown.told["cc"] == {"count": 1}


def test_xpgraph_is_read_kernel_by_kernel(tmp_path):
    once = (
        f"<<<<ALGO: PAGERANK>>>>\nPageRank time = 1.5\n{_ANSWERS['pr']}\n"
        f"<<<<ALGO: BFS>>>>\n{_ANSWERS['bfs']}\ntest_gapbs_bfs for 1 root vertex, BFS Time = 0.5\n"
        f"<<<<ALGO: BC>>>>\nBC time = 2.5\n{_ANSWERS['bc']}\n"
        "<<<<ALGO: CC_SV>>>>\nCC time = 3.5\nThere are 1 components\n"
    )
    crashes_at_the_end = f"print({'Archive graph time = 0.75' + chr(10) + once * 2!r}); sys.exit(139)"
    program = _program(tmp_path / "bin" / "main", crashes_at_the_end)
    place = tmp_path / "place"
    place.mkdir()
    grown = XpGraph(program).run(_given(tmp_path), 1, place)
    assert grown.entries == 6  # the first tenth, too
    assert grown.insert_seconds == [0.75]
    assert grown.seconds == {"pr": [1.5, 1.5], "bc": [2.5, 2.5], "cc": [3.5, 3.5]}


def test_xpgraph_that_crashes_before_the_end_is_refused(tmp_path):
    once = f"<<<<ALGO: PAGERANK>>>>\nPageRank time = 1.5\n{_ANSWERS['pr']}\n"
    program = _program(
        tmp_path / "bin" / "main", f"print({'Archive graph time = 1' + chr(10) + once!r}); sys.exit(139)"
    )
    place = tmp_path / "place"
    place.mkdir()
    with pytest.raises(RizomaError, match="exit code 139"):
        XpGraph(program).run(_given(tmp_path), 1, place)


def test_what_fails_says_so(tmp_path):
    with pytest.raises(NotFoundError, match="build it from DIR-LAB/DGAP"):
        GraphOne(tmp_path / "nothing")
    place = tmp_path / "place"
    place.mkdir()
    with pytest.raises(RizomaError, match="exit code 3: out of memory"):
        GraphOne(_program(tmp_path / "fails", 'print("out of memory"); sys.exit(3)')).run(_given(tmp_path), 1, place)
    with pytest.raises(RizomaError, match="did not print its time"):
        GraphOne(_program(tmp_path / "silent", "pass")).run(_given(tmp_path), 1, place)


def test_a_wrong_answer_of_a_peer_is_told(tmp_path, capsys):
    edges = tmp_path / "path.el"
    np.savetxt(edges, [(0, 1), (1, 2)], "%d")
    body = """
print("D-graph load time = 0.5\\nCC time = 0.25\\nThere are 7 components")
"""
    program = _program(tmp_path / "graphone_test", body)
    plan = GrowingPlan((str(edges),), kernels=("cc",), rounds=1, trials=1, graphone=program, directory=tmp_path)
    rows = measure_growing(plan, tmp_path / "r.json")["results"]
    assert [row["by"] for row in rows[:3]] == ["Rizoma, always", "Rizoma, none", "GraphOne"]
    assert [row["answer"] for row in rows[:3]] == ["agrees", "agrees", "DIFFERS: cc"]
    assert json.loads((tmp_path / "r.json").read_text())["results"] == json.loads(json.dumps(rows))


def test_the_command_measures_a_generated_graph(rizoma, tmp_path):
    done = rizoma("bench", "growing", "--quick", "--scale", 8, "--threads", "1,2", "-o", "g.json")
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "g.json").read_text())
    ours = [row for row in report["results"] if row["by"].startswith("Rizoma")]
    assert [(row["threads"], row["by"]) for row in ours] == [
        (threads, f"Rizoma, {durability}") for threads in (1, 2) for durability in ("always", "none")
    ]
    for row in ours:
        assert row["answer"] == "agrees"
        assert row["entries_per_second"][0] > 0
        assert row["peak_bytes"] > 1 << 20
        assert row["disk_bytes"] > 0
        assert set(row["seconds"]) == {"pr", "bfs", "cc", "bc"}
