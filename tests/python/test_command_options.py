"""The command has what Python has: options of algorithms, tagged states, paths, neighbours; one form of wrong usage."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import pytest
import rizoma as rz
from rizoma.cli.commands import COMMANDS, OF_LAB, app
from rizoma.cli.run import KERNELS
from typer.testing import CliRunner

NOT_FROM_A_SHELL = {
    ("connected_components", "start"): "a result of Python",
    ("connected_components", "changed"): "goes with start",
    ("label_propagation", "start"): "a result of Python",
    ("label_propagation", "changed"): "goes with start",
    ("leiden", "start"): "a result of Python",
    ("leiden", "changed"): "goes with start",
    ("louvain", "start"): "a result of Python",
    ("louvain", "changed"): "goes with start",
    ("pagerank", "start"): "a result of Python",
}
"""Parameters that are no options, and why."""

OWN_NAMES = {"graph": "STORE", "threads": "--threads", "progress": "--progress"}


def run(*words: Any) -> Any:
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def store(tmp_path: Path) -> Path:
    place = tmp_path / "g.rz"
    rows = {"source": [1, 2, 3, 4, 1], "target": [2, 3, 4, 5, 5], "km": [1.0, 1.0, 1.0, 1.0, 9.0]}
    rz.read(rows, into=place, edges={"km": "float64"}).close()
    return place


@pytest.mark.parametrize("kernel", KERNELS)
def test_each_parameter_of_an_algorithm_is_an_option(kernel: str) -> None:
    said = " ".join(run("run", kernel, "--help").output.split())
    for name in inspect.signature(KERNELS[kernel]).parameters:
        option = OWN_NAMES.get(name, f"--{name.replace('_', '-')}")
        assert (option in said) != ((kernel, name) in NOT_FROM_A_SHELL), f"{kernel}: {option}"


def test_no_parameter_is_left_out_without_need() -> None:
    for kernel, name in NOT_FROM_A_SHELL:
        assert name in inspect.signature(KERNELS[kernel]).parameters


def top_of(*words: Any) -> dict[int, float]:
    done = run("run", *words, "--json", "--top", 5)
    assert done.exit_code == 0, done.output
    rows = json.loads(done.stdout)["top"]
    return {row["vertex"]: next(value for key, value in row.items() if key != "vertex") for row in rows}


def test_numbers_of_vertices_are_given_one_by_one(store: Path) -> None:
    with rz.open(store) as graph:
        expected = rz.pagerank(graph, personalization={1: 1, 4: 3}).to_dict()
    given = ["--personalization", "1=1", "--personalization", "4=3"]
    assert top_of("pagerank", store, *given) == pytest.approx(expected)
    for odd, said in (("1=x", "write ID=NUMBER"), ("=1", "is not an integer"), ("ann=1", "is not an integer")):
        done = run("run", "pagerank", store, "--personalization", odd)
        assert done.exit_code == 2
        assert said in done.output


def test_a_probability_is_a_number_or_a_word_and_seeds_are_vertices(store: Path) -> None:
    for given in (["--probability", "1"], ["--probability", "weighted"], ["--seeds", "1", "--seeds", "3"]):
        done = run("run", "influence-maximization", store, "-k", "1", "--seed", "1", *given)
        assert done.exit_code == 0, done.output
    assert run("run", "influence-maximization", store, "-k", "1", "--probability", "2").exit_code == 2
    assert "99" in run("run", "influence-maximization", store, "-k", "1", "--seeds", "99").output


def test_a_tagged_state_is_read(store: Path, tmp_path: Path) -> None:
    with rz.open(store) as graph:
        graph.tag("before")
        graph.add_edges({"source": [5], "target": [6]})
    assert len(json.loads(run("run", "pagerank", store, "--json", "--top", 9).stdout)["top"]) == 6
    assert len(json.loads(run("run", "pagerank", store, "--json", "--top", 9, "--at", "before").stdout)["top"]) == 5
    assert run("match", store, "(a)-->(b)", "--count").stdout.strip() == "12"
    assert run("match", store, "(a)-->(b)", "--count", "--at", "before").stdout.strip() == "10"
    assert "6" not in run("neighbors", store, 5, "--at", "before", "--format", "csv").stdout.split()
    assert run("path", store, 1, 6, "--at", "before").exit_code != 0
    for command in (["export", store, "-"], ["report", store, "-o", tmp_path / "r.json"]):
        assert run(*command, "--at", "before").exit_code == 0
        done = run(*command, "--at", "never")
        assert done.exit_code != 0
        assert "never" in done.output
    done = run("run", "pagerank", store, "--at", "before", "--column", "score")
    assert done.exit_code == 2
    assert "--at" in done.output


def test_a_path_is_as_python_finds_it(store: Path) -> None:
    assert json.loads(run("path", store, 1, 5, "--json").stdout)["vertices"] == [1, 5]
    by_km = json.loads(run("path", store, 1, 5, "--weight", "km", "--json").stdout)
    assert (by_km["vertices"], by_km["length"]) == ([1, 2, 3, 4, 5], 4.0)
    rows = run("path", store, 1, 5, "--weight", "km", "--format", "csv").stdout.splitlines()
    assert rows == ['"source","target","km"', "1,2,1", "2,3,1", "3,4,1", "4,5,1"]
    with rz.open(store) as graph:
        graph.set((1, 5), km=1000003)
        graph.set((1, 2), km=2000000)
    assert "1 edge, length 1000003\n" in run("path", store, 1, 5, "--weight", "km").output
    for odd in (["path", store, 1, 99], ["path", store, "x", 1], ["path", store, 1, 5, "--weight", "miles"]):
        assert run(*odd).exit_code in (1, 2)
    with rz.open(store) as graph:
        graph.add_vertices([9])
    assert json.loads(run("path", store, 1, 9, "--json").stdout)["length"] is None
    assert "no path from 1 to 9" in run("path", store, 1, 9).output


def test_neighbours_are_listed(store: Path, tmp_path: Path) -> None:
    assert json.loads(run("neighbors", store, 1, "--json").stdout)["neighbors"] == [{"neighbor": 2}, {"neighbor": 5}]
    place = tmp_path / "d.rz"
    rz.read([("a", "b", 2.0), ("c", "b", 3.0)], into=place, directed=True, weights=True).close()
    assert json.loads(run("neighbors", place, "a", "--json").stdout)["neighbors"] == [{"neighbor": "b", "weight": 2.0}]
    coming = json.loads(run("neighbors", place, "b", "--in", "--json").stdout)["neighbors"]
    assert sorted(row["neighbor"] for row in coming) == ["a", "c"]
    assert run("neighbors", place, "b", "--format", "csv").exit_code == 0
    assert "zoe" in run("neighbors", place, "zoe").output


def test_a_query_too_long_for_a_path_is_none(tmp_path: Path) -> None:
    asked = " OR ".join(f"a.id = {i}" for i in range(100))
    done = run("query", tmp_path / "absent.rz", f"MATCH (a) WHERE {asked} RETURN a")
    assert done.exit_code == 1
    assert "there is no graph at" in done.output


@pytest.mark.parametrize("store_name", ["e.csv", "https://example.org/e.csv"])
def test_a_file_in_the_place_of_the_store_is_told(tmp_path: Path, store_name: str) -> None:
    (tmp_path / "e.csv").write_text("source,target\n1,2\n")
    given = tmp_path / store_name if store_name == "e.csv" else store_name
    done = run("import", given, tmp_path / "g.rz")
    assert done.exit_code == 2
    assert "the store comes first" in done.output
    assert (tmp_path / "e.csv").read_text() == "source,target\n1,2\n"
    assert not (tmp_path / "g.rz").exists()


@pytest.mark.parametrize("command", [*(name for name in COMMANDS if name not in OF_LAB), "run pagerank", "run", ""])
def test_wrong_usage_is_told_in_one_line_by_every_command(command: str) -> None:
    done = run(*command.split(), "--nonsense")
    lines = done.stderr.strip().splitlines()
    assert done.exit_code == 2
    assert len(lines) == 1, lines
    assert lines[0].startswith("rizoma: no such option: --nonsense"), lines
    assert not done.stdout
