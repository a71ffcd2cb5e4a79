"""rizoma bench scaling and rizoma bench overnight."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import rizoma as rz
from rizoma_lab.bench.machine import nodes
from rizoma_lab.bench.overnight import OvernightPlan, measure_overnight
from rizoma_lab.bench.scaling import Cell, ScalingPlan, cells_of, same_answer
from rizoma_lab.bench.scaling_worker import synthetic


@pytest.fixture
def store(tmp_path: Path) -> Path:
    with rz.generate("rmat", 7, into=tmp_path / "g.rz"):
        return tmp_path / "g.rz"


def test_every_combination_runs_once_and_one_thread_first():
    plan = ScalingPlan("bfs", Path("g.rz"), homes=(1, 2), ranks=(1, 2), placements=("chunk", "halves"))
    cells = cells_of(plan, 6)
    assert cells[0] == Cell(1)
    assert len(cells) == len(set(cells)) == 3 * 2 * 4  # one home and two policies, ranks, threads 1, 2, 4 and 6
    assert {cell.threads for cell in cells} == {1, 2, 4, 6}
    assert {cell.placement for cell in cells if cell.homes == 1} == {"in_place"}
    assert cells_of(ScalingPlan("bfs", Path("g.rz"), threads=(3,)), 8) == [Cell(1), Cell(3)]


def test_homes_that_the_machine_does_not_have_hold_all_threads():
    assert synthetic(2, 3) == "node:2 core:2 pu:1"
    assert synthetic(4, 2) == "node:4 core:1 pu:1"


@pytest.mark.parametrize(
    ("first", "other", "same"),
    [
        (np.array([1, 2]), np.array([1, 2]), True),
        (np.array([1, 2]), np.array([1, 3]), False),
        (np.array([1, 2]), np.array([1, 2, 3]), False),
        (np.array([0.5, np.nan]), np.array([0.5 + 1e-12, np.nan]), True),
        (np.array([0.5]), np.array([0.51]), False),
    ],
)
def test_answers_are_compared(first, other, same):
    assert same_answer(first, other) == same


def test_scaling_measures_each_way(rizoma, tmp_path, store):
    ways = ("--threads", "1,2", "--homes", "1,2", "--placements", "chunk", "--rounds", 2)
    done = rizoma("bench", "scaling", "core_number", store, *ways, "-o", "r.json", "--plot", "r.svg")
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["base"] == "Rizoma, one thread"  # the yardstick knows no core numbers
    rows = report["results"]
    assert [(row["threads"], row["homes"], row["placement"]) for row in rows] == [
        (1, 1, "in_place"),
        (2, 1, "in_place"),
        (1, 2, "chunk"),
        (2, 2, "chunk"),
    ]
    assert all(row["answer"] == "agrees" and len(row["seconds"]) == 2 for row in rows)
    assert all(row["speedup_low"] <= row["speedup"] <= row["speedup_high"] for row in rows)
    assert rows[0]["speedup"] == 1
    assert "core_number" in done.stdout
    assert "<svg" in (tmp_path / "r.svg").read_text()
    assert ("made up" in done.stdout) == (nodes() != 2)


def test_scaling_over_ranks(rizoma, tmp_path, store):
    rizoma("bench", "scaling", "bfs", store, "--threads", 1, "--ranks", "1,2", "--rounds", 1, "-o", "r.json")
    rows = [row for row in json.loads((tmp_path / "r.json").read_text())["results"] if row["by"] == "rizoma"]
    assert [(row["ranks"], row["answer"]) for row in rows] == [(1, "agrees"), (2, "agrees")]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("bsf", "g.rz"), "did you mean bfs?"),
        (("bfs", "none.rz"), "none.rz"),
        (("bfs", "g.rz", "--threads", "0"), "write for example --threads 1,2,4"),
        (("bfs", "g.rz", "--homes", "two"), "write for example --homes 1,2,4"),
        (("bfs", "g.rz", "--placements", "best"), "choose one of"),
        (("bfs", "g.rz", "--yardstick", "none"), "there is no program none"),
    ],
)
def test_scaling_refuses_what_it_cannot_measure(rizoma, store, asked, said):
    refused = rizoma("bench", "scaling", *asked, check=False)
    assert refused.returncode != 0
    assert said in refused.stderr


def test_a_night_is_gone_on_with_where_it_ended(tmp_path, store, monkeypatch):
    asked = []

    def measured(plan, figures):
        asked.append(plan.algorithm)
        if len(asked) == 4:
            raise KeyboardInterrupt
        figures.write_text(json.dumps({"failed": "this is a test"}))

    monkeypatch.setattr("rizoma_lab.bench.overnight._measured", measured)
    plan = OvernightPlan(tmp_path / "night", (store,), rounds=1)
    with pytest.raises(KeyboardInterrupt):
        measure_overnight(plan)
    done = len(list((tmp_path / "night").glob("*.json")))
    assert done == 3
    page = measure_overnight(plan)
    assert asked[3] == asked[4]  # the one that was interrupted, and none of those before it
    assert page.read_text().count("Not measured: this is a test") == len(asked) - 1


def test_the_report_of_a_night_has_the_figures(tmp_path, store, monkeypatch):
    monkeypatch.setattr("rizoma_lab.bench.overnight.KERNELS", ("core_number",))
    monkeypatch.setattr("rizoma_lab.bench.overnight._ways", lambda: {"threads": {"threads": (1,)}})
    page = measure_overnight(OvernightPlan(tmp_path / "night", (store,), rounds=1)).read_text()
    assert "## g-core_number-threads" in page
    assert "Speed-up over Rizoma, one thread" in page
    assert "| 1 | 1" in page
    assert (tmp_path / "night" / "g-core_number-threads.png").exists()
