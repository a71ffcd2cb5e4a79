"""Scenarios of data nodes and workers: those of the study, its protocol, and several queries at once."""

from __future__ import annotations

import json

import pytest
import rizoma as rz
from rizoma_lab.bench.scenarios import STUDY, Scenario, parse_scenarios, study_scenarios
from rizoma_lab.bench.statistics import trimmed_mean

TABLE_1 = [
    "m:2_dn:2_wn:0",
    "m:2_dn:2_wn:2",
    "m:2_dn:2_wn:6",
    "m:2_dn:2_wn:14",
    "m:4_dn:2_wn:30",
    "m:8_dn:2_wn:62",
    "m:4_dn:2_wn:2",
    "m:4_dn:4_wn:0",
    "m:4_dn:4_wn:4",
    "m:4_dn:4_wn:12",
    "m:4_dn:4_wn:28",
    "m:8_dn:4_wn:60",
    "m:8_dn:2_wn:6",
    "m:8_dn:4_wn:4",
    "m:8_dn:8_wn:0",
    "m:8_dn:8_wn:8",
    "m:8_dn:8_wn:24",
    "m:8_dn:8_wn:56",
]


def test_eight_machines_of_eight_processors_have_the_scenarios_of_the_study():
    made = study_scenarios(8, 8)
    assert sorted(map(str, made)) == sorted(TABLE_1)
    assert len(set(made)) == len(made)
    named = {name for row in STUDY for name in row[:2] if not name.startswith("m:1_")}
    assert named <= set(TABLE_1)


@pytest.mark.parametrize(("machines", "processors"), [(1, 8), (2, 1), (2, 8), (4, 2), (3, 5)])
def test_scenarios_fit_their_machines(machines, processors):
    for each in study_scenarios(machines, processors):
        assert 2 <= each.data_nodes <= each.machines <= machines
        assert each.ranks <= each.machines * processors
    assert bool(study_scenarios(machines, processors)) == (machines > 1)


def test_scenarios_are_written_in_three_ways():
    assert parse_scenarios("m:2_dn:2_wn:6") == (Scenario(1, 0), Scenario(2, 6, 2))
    assert parse_scenarios("1+0, study:2x2")[1:] == study_scenarios(2, 2)
    for wrong in ("m:0_dn:1_wn:0", "study:8", "2", "dn:1_wn:1", "0+1"):
        with pytest.raises(rz.InvalidArgumentError, match="is no scenario"):
            parse_scenarios(wrong)


@pytest.mark.parametrize(
    ("values", "mean"), [([3.0], 3.0), ([1.0, 3.0], 2.0), ([9.0, 1.0, 2.0], 2.0), ([5, 1, 2, 3, 100], 10 / 3)]
)
def test_the_least_and_the_greatest_are_dropped(values, mean):
    assert trimmed_mean(values) == pytest.approx(mean)


def test_rounds_tell_first_and_second_executions_and_queries_at_once(rizoma, tmp_path):
    asked = ("--quick", "--scenarios", "1+1", "--rounds", 2, "--competitors", "", "--concurrent", 2)
    done = rizoma("bench", "match", *asked, "-o", "r.json")
    rows = json.loads((tmp_path / "r.json").read_text())["results"]
    assert [row["scenario"] for row in rows[::2]] == ["dn:1_wn:0", "dn:1_wn:1"]
    for row in rows:
        assert len(row["first"]) == len(row["seconds"]) == 2 * 2
        assert row["counts_a_second"] == pytest.approx(2 / row["median"])
    assert "second s" in done.stdout


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("--scenarios", "m:2_dn:2_wn:0"), "--hosts names 0"),
        (("--scenarios", "study:4x2", "--hosts", "a,b"), "--hosts names 2"),
        (("--concurrent", "2"), "give --scenarios too"),
    ],
)
def test_what_cannot_be_placed_is_refused(rizoma, asked, said):
    assert said in rizoma("bench", "match", "--quick", *asked, check=False).stderr
