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
from rizoma.core.errors import ReadWarning
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
    none = run("path", store, 1, 9, "--json")
    assert (json.loads(none.stdout)["length"], none.exit_code) == (None, 1)
    none = run("path", store, 1, 9)
    assert ("no path from 1 to 9" in none.output, none.exit_code) == (True, 1)


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


ORDERS = [
    ("export out.csv STORE", "the store comes first, and STORE is one"),
    ("match (a)-->(b) STORE", "the store comes first, and STORE is one"),
    ("path 1 2 STORE", "the store comes first, and STORE is one"),
    ("neighbors 1 STORE", "the store comes first, and STORE is one"),
    ("add e.csv STORE", "the store comes first, and STORE is one"),
    ("remove e.csv STORE", "the store comes first, and STORE is one"),
    ("set-weights e.csv STORE", "the store comes first, and STORE is one"),
    ("distribute parts/0 STORE", "the store comes first, and STORE is one"),
    ("run STORE pagerank", "the algorithm comes first: rizoma run pagerank STORE"),
    ("cost STORE pagerank", "the algorithm comes first: rizoma cost pagerank STORE"),
    ("cost STORE", "the algorithm comes first: rizoma cost ALGORITHM STORE"),
    ("generate STORE rmat", "the kind comes first: rizoma generate rmat STORE"),
]
"""What is typed with the store in a wrong place, and what the one line says."""


@pytest.mark.parametrize(("typed", "said"), ORDERS, ids=[typed for typed, _ in ORDERS])
def test_arguments_that_are_swapped_are_told_in_their_order(store: Path, typed: str, said: str) -> None:
    done = run(*(store if word == "STORE" else word for word in typed.split()))
    assert done.exit_code in (1, 2)
    assert said.replace("STORE", str(store)) in done.stderr
    assert "did you mean" not in done.stderr


ROWS = [
    ("run pagerank STORE --format csv", 0, '"vertex"'),
    ("match STORE (a)-->(b) --format tsv", 0, '"a"\t"b"'),
    ("neighbors STORE 1 --format ndjson", 0, '{"neighbor": 2}'),
    ("run pagerank STORE --json -o -", 2, "--json prints something else"),
    ("run pagerank STORE -o c.csv --format ndjson", 2, "--format is for standard output"),
    ("run pagerank STORE --format xml", 2, "choose one of csv, tsv, ndjson"),
    ("match STORE (a)-->(b) --count -o c.csv", 2, "--count prints something else"),
    ("match STORE (a)-->(b) --explain -o c.csv", 2, "--explain prints something else"),
    ("match STORE (a)-->(b) --json --format csv", 2, "--json prints something else"),
    ("match STORE (a)-->(b) --select a,b", 1, 'give each by itself: "a", "b"'),
    ("neighbors STORE 1 --json --format csv", 2, "--json prints something else"),
    ("path STORE 1 5 --json --format csv", 2, "--json prints something else"),
    ("export STORE c.csv --format csv", 2, "--format is for standard output"),
]
"""What is typed, the exit code, and what is printed or said: an option is obeyed or refused."""


@pytest.mark.parametrize(("typed", "code", "said"), ROWS, ids=[typed for typed, *_ in ROWS])
def test_where_rows_go_is_as_asked_for_or_refused(
    store: Path, tmp_path: Path, typed: str, code: int, said: str
) -> None:
    done = run(*(store if word == "STORE" else tmp_path / word if word == "c.csv" else word for word in typed.split()))
    assert done.exit_code == code, done.output
    assert said in (done.stderr if code else done.stdout)
    assert not (tmp_path / "c.csv").exists()


def test_an_algorithm_that_needs_a_number_is_not_asked_for_its_cost_in_the_shell(store: Path) -> None:
    assert "k_truss needs k; in Python: rizoma.cost('k_truss', graph, k=...)" in run("cost", "k-truss", store).stderr


def test_a_query_explained_writes_no_rows_and_one_without_its_value_is_the_shells(store: Path, tmp_path: Path) -> None:
    done = run("query", store, "MATCH (a) RETURN a", "--explain", "-o", tmp_path / "c.csv")
    assert (done.exit_code, "--explain prints something else" in done.stderr) == (2, True)
    for text in ("MATCH (a)-[e]->(b) WHERE e.km >  RETURN a", "MATCH (a) RETURN a LIMIT "):
        done = run("query", store, text)
        assert done.exit_code == 2
        assert "the shell takes $NAME in double quotes for its own" in done.stderr
    assert "the shell" not in run("query", store, "MATCH (a)-[e]->(b) WHERE e.km > 1 RETRUN a").stderr


def test_a_locked_store_is_not_to_be_opened_for_reading_by_a_command_that_changes_it(store: Path) -> None:
    with rz.open(store):
        for words in (["tags", store, "--add", "x"], ["compact", store], ["remove", store, "--vertex", "1"]):
            told = run(*words).stderr
            assert "use the graph that is open here, or close it first; until then it can only be read\n" in told
            assert "for reading only" not in told


def test_edges_are_chosen_as_they_are_exported(store: Path, tmp_path: Path) -> None:
    assert len(run("export", store, "-", "--where", "km > 1").stdout.splitlines()) == 2
    with pytest.warns(ReadWarning, match="3 vertices without edges left out"):
        assert run("export", store, tmp_path / "far.csv", "--where", "km > 1").exit_code == 0
    assert (tmp_path / "far.csv").read_text() == '"source","target","km"\n1,5,9\n'
    assert "'miles'" in run("export", store, "-", "--where", "miles > 1").stderr


@pytest.mark.parametrize("command", [*(name for name in COMMANDS if name not in OF_LAB), "run pagerank", "run", ""])
def test_wrong_usage_is_told_in_one_line_by_every_command(command: str) -> None:
    done = run(*command.split(), "--nonsense")
    lines = done.stderr.strip().splitlines()
    assert done.exit_code == 2
    assert len(lines) == 1, lines
    assert lines[0].startswith("rizoma: no such option: --nonsense"), lines
    assert not done.stdout


@pytest.mark.parametrize("text", ["01", "+1", "1_0", "-0", "1.0"])
@pytest.mark.parametrize("words", [("remove", "--vertex"), ("run bfs", "--source")], ids=["remove", "run"])
def test_an_id_is_written_as_an_integer_is(store: Path, words: tuple[str, str], text: str) -> None:
    done = run(*words[0].split(), store, f"{words[1]}={text}")
    assert done.exit_code != 0
    assert f"'{text}'" in done.stderr or f"'{text}'" in str(done.exception)
