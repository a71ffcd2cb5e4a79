"""The package itself: types, public names, the harness."""

from __future__ import annotations

import ast
import json
import sys
from collections import Counter
from pathlib import Path
from pkgutil import iter_modules

import numpy as np
import pytest
import rizoma as rz
from rizoma_lab.bench.checks import agrees
from rizoma_lab.bench.figures import figure_agrees, told_agrees
from rizoma_lab.bench.followers import followers, kept_followers
from rizoma_lab.bench.gap import GapReference
from rizoma_lab.bench.graph import EdgeKeys, make_files
from rizoma_lab.bench.match import MatchPlan
from rizoma_lab.bench.match import measure as measure_patterns
from rizoma_lab.bench.oracle import Oracle
from rizoma_lab.bench.scenarios import Scenario, parse_scenarios
from rizoma_lab.bench.shapes import SHAPES, shapes_of
from rizoma_lab.bench.statistics import geometric_mean, median_interval, ratio_interval
from rizoma_lab.commands.bench import _competitors

ROOT = Path(__file__).resolve().parents[2]


def test_public_names():
    assert set(rz.__all__) <= set(dir(rz))
    assert len(rz.__all__) == len({*rz.__all__})
    for name in rz.__all__:
        getattr(rz, name)
    exec("from rizoma import *", everything := {})
    assert set(rz.__all__) <= everything.keys()
    assert (Path(rz.__file__).parent / "py.typed").exists()
    assert rz.__version__.count(".") == 2


def test_an_algorithm_is_in_the_module_of_its_name():
    found = {module.name for module in iter_modules(rz.algorithms.__path__) if module.name[0] != "_"}
    assert len(found) > 10
    for name in found:
        module = sys.modules[f"rizoma.algorithms.{name}"]
        assert module.__all__ == [name]
        assert getattr(rz, name) is getattr(module, name)


def test_names_are_where_type_checkers_look_for_them():
    """What is imported at first use, by the tables of `rizoma`, are the imports that type checkers read."""
    tree = ast.parse(Path(rz.__file__).read_text())
    block = next(node for node in tree.body if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test))
    read = {
        (name.asname or name.name): (each.module, name.name)
        for each in block.body
        if isinstance(each, ast.ImportFrom) and each.level == 1 and each.module not in (None, "algorithms")
        for name in each.names
    }
    found = {name: place for name, place in rz._PLACES.items() if place != "algorithms"}
    assert read == {name: (place, rz._OTHERWISE_CALLED.get(name, name)) for name, place in found.items()}
    assert found.keys() <= {*rz.__all__}


def test_type_checkers_know_the_algorithms():
    package = Path(sys.modules["rizoma._core"].__file__).parent
    lines = (package / "algorithms" / "__init__.pyi").read_text().splitlines()
    assert "from .pagerank import *" in lines
    assert "def pagerank(" in (package / "_core.pyi").read_text()


def test_bootstrap_interval():
    middle, low, high = median_interval([1.0, 2.0, 3.0, 4.0, 100.0])
    assert low <= middle == 3.0 <= high
    assert median_interval([2.0]) == (2.0, 2.0, 2.0)


def test_checks_can_fail():
    degrees = np.array([1, 2, 1])
    assert agrees("cc", np.array([0, 0, 2]), np.array([5, 5, 1]), degrees)
    assert not agrees("cc", np.array([0, 0, 2]), np.array([5, 1, 1]), degrees)
    assert not agrees("cc", np.array([0, 0, 2]), np.array([5, 5, 5]), degrees)
    assert agrees("bfs", np.array([0, 1, -1]), np.array([0, 1, np.inf]), degrees)
    assert not agrees("bfs", np.array([0, 1, -1]), np.array([0, 2, -1]), degrees)
    assert agrees("pr", np.array([0.2, 0.6, 0.2]), np.array([2.0, 6.0, 2.0]), degrees)
    assert not agrees("pr", np.array([0.2, 0.6, 0.2]), np.array([0.3, 0.5, 0.2]), degrees)
    assert not agrees("sssp", np.array([0.0, 1.0]), np.array([0.0, 2.0]), degrees)
    assert not agrees("bc", np.array([0.0, 10.0]), np.array([1.0, 10.0]), degrees)
    assert not agrees("tc", np.array(3), np.array(4), degrees)
    assert agrees("bc", np.array([1.0]), np.empty(0), degrees) is None


PATH_OF_THREE = ([0, 1], [1, 2], 4)  # 0 - 1 - 2, and 3 alone


def bench_files(tmp_path, sources, targets, count, directed):
    keys = EdgeKeys.of(np.array(sources), np.array(targets), count, directed)
    return make_files(tmp_path / "files", keys, threads=1)


def test_figures_of_the_yardstick(tmp_path):
    oracle = Oracle(bench_files(tmp_path, *PATH_OF_THREE, directed=False))

    def agrees_with(kernel, ours, figure):
        return told_agrees(kernel, np.array(ours), {"figure": figure}, [0], oracle)

    assert agrees_with("bfs", [0, 1, 2, -1], 3)
    assert agrees_with("cc", [0, 0, 0, 3], 2)
    assert not agrees_with("cc", [0, 0, 0, 3], 3)
    assert agrees_with("sssp", [0, 7.0, 9.0, np.inf], 16)
    assert agrees_with("bc", [0.0, 1.0, 0.0, 0.0], 1.5)  # the source scores 2
    assert agrees_with("tc", 5, 5)
    assert not figure_agrees("tc", 5, 6)


def test_what_the_gap_programs_tell(tmp_path):
    oracle = Oracle(bench_files(tmp_path, *PATH_OF_THREE, directed=False))
    assert told_agrees("bfs", np.array([0, 1, 2, -1]), {"count": 3}, [0], oracle)
    assert told_agrees("cc", np.array([0, 0, 0, 3]), {"count": 2}, [], oracle)
    scores = np.array([0.0, 1.0, 0.0, 0.0])
    assert told_agrees("bc", scores, {"top": {0: 1.0, 1: 0.5}}, [0], oracle)
    assert not told_agrees("bc", scores, {"top": {0: 1.0, 2: 0.5}}, [0], oracle)
    ranks = np.array([0.2, 0.5, 0.2, 0.1])
    assert told_agrees("pr", ranks, {"top": {1: 0.4, 0: 0.16}}, [], oracle)
    assert not told_agrees("pr", ranks, {"top": {0: 0.4, 1: 0.4}}, [], oracle)


@pytest.mark.parametrize("directed", [False, True])
def test_the_oracle_of_the_bench(tmp_path, directed):
    networkx = pytest.importorskip("networkx")
    rng = np.random.default_rng(7)
    n = 60
    files = bench_files(tmp_path, rng.integers(n, size=90), rng.integers(n, size=90), n, directed)
    graph = networkx.DiGraph() if directed else networkx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_weighted_edges_from(zip(*(column.tolist() for column in files.edges()), strict=True))
    source = int(np.flatnonzero(np.diff(files.offsets))[0])
    components = networkx.connected_components(graph.to_undirected())
    label_of = {v: number for number, members in enumerate(components) for v in members}
    ways = 1 if directed else 2
    subset = networkx.betweenness_centrality_subset(graph, [source], range(n))
    lengths = networkx.single_source_dijkstra_path_length(graph, source)
    levels = networkx.single_source_shortest_path_length(graph, source)
    answers = {
        "pr": [networkx.pagerank(graph, weight=None, tol=1e-12, max_iter=500)[v] for v in range(n)],
        "bfs": [levels.get(v, -1) for v in range(n)],
        "sssp": [lengths.get(v, np.inf) for v in range(n)],
        "cc": [label_of[v] for v in range(n)],
        "bc": [ways * subset[v] for v in range(n)],
    }
    oracle = Oracle(files)
    for kernel, answer in answers.items():
        values = np.array(answer, float)
        assert oracle.right(kernel, values, [source]), kernel
        wrong = values.copy()
        wrong[source] += 1
        assert not oracle.right(kernel, wrong, [source]), kernel
    assert oracle.right("tc", np.array(1), [source]) is None


def test_shapes_of_the_bench():
    assert [shape.name for shape in shapes_of(("gap", "road"))] == ["kron", "urand", "road", "web", "twitter"]
    with pytest.raises(rz.InvalidArgumentError, match="choose one of gap, real, kron"):
        shapes_of(("nothing",))
    for name in ("web", "twitter", "islands"):
        graph = SHAPES[name].make(None, 11, 1, 1)
        sources, targets = graph.ends()
        assert graph.num_vertices == 2048
        assert (np.diff(graph.keys) > 0).all()
        assert (sources != targets).all()
        assert max(sources.max(), targets.max()) < 2048


def test_ratios_of_medians():
    middle, low, high = ratio_interval([2.0, 4.0, 6.0], [1.0, 2.0, 3.0])
    assert (middle, low, high) == (2, 2, 2)  # of the same rounds
    assert geometric_mean([0.5, 2.0]) == pytest.approx(1)


def test_bench_against_what_is_installed(rizoma, tmp_path):
    pytest.importorskip("scipy")
    pytest.importorskip("igraph")
    rizoma("bench", "kernels", "--scale", 8, "--rounds", 2, "--competitors", "scipy,igraph", "-o", "r.json")
    report = json.loads((tmp_path / "r.json").read_text())
    assert {row["by"] for row in report["results"]} == {"rizoma", "scipy", "igraph"}
    for row in report["results"]:
        assert row["answer"] == "agrees"
        assert len(row["seconds"]) == 2
        assert row["low"] <= row["median"] <= row["high"]


def test_bench_on_named_graphs_where_the_yardstick_was_not_built(monkeypatch):
    """It was refused, as an installed package has none."""

    def missing(given):
        if given is not None:
            return given
        raise rz.NotFoundError("not built")

    monkeypatch.setattr("rizoma_lab.bench.entrants.find_yardstick", missing)
    assert _competitors(None, None, one_graph=False, gap=False) is None  # all that are installed
    assert _competitors(None, Path("here"), one_graph=False, gap=False) == ("yardstick",)
    assert _competitors("igraph", None, one_graph=False, gap=False) == ("igraph",)
    assert _competitors(None, None, one_graph=False, gap=True) == ()


def test_bench_of_patterns_beside_duckdb(tmp_path, capsys):
    pytest.importorskip("duckdb")
    plan = MatchPlan(vertices=600, edges=9000, keep=tmp_path, rounds=2, competitors=("duckdb",), threads=2)
    measure_patterns(plan, tmp_path / "r.json")
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["graph"] == {"vertices": 600, "edges": 9000}
    assert [row["by"] for row in report["results"]] == ["rizoma", "duckdb"] * 3
    for row in report["results"]:
        assert row["answer"] == "agrees"
        assert row["count"] > 0
        assert len(row["seconds"]) == len(row["processor_seconds"]) == 2
    edges = kept_followers(tmp_path / "followers-600-9000-1.npy", 600, 9000, 1)
    assert np.array_equal(edges, followers(600, 9000, 1))
    pairs = Counter(map(tuple, edges.tolist()))
    mutual = sum(times * pairs[target, source] for (source, target), times in pairs.items())
    assert report["results"][0]["count"] == mutual
    assert capsys.readouterr().out.count("duckdb") == 3


def test_bench_of_patterns_alone(rizoma, tmp_path):
    rizoma("bench", "match", "--quick", "--rounds", 1, "--competitors", "", "-o", "r.json")
    results = json.loads((tmp_path / "r.json").read_text())["results"]
    assert [row["answer"] for row in results] == ["agrees", "agrees", "agrees"]
    assert results[1]["count"] == results[2]["count"] > 0


def test_bench_does_not_ignore_what_is_asked_for(rizoma):
    for asked, said in (
        (("kernels", "--scenarios", "1+0"), "o such option: --scenarios"),
        (("match", "--quick", "--plot", "x.svg"), "give --scenarios too"),
        (("match", "--graphs", "gap"), "o such option: --graphs"),
        (("cluster", "--ladder", "--threads", 2), "o such option: --threads"),
    ):
        refused = rizoma("bench", *asked, check=False)
        assert refused.returncode != 0
        assert said in refused.stderr


def test_scenarios_are_data_nodes_and_workers():
    assert parse_scenarios("2+0") == (Scenario(1, 0), Scenario(2, 0))  # what others are compared with comes first
    assert parse_scenarios("1+1, 1+0,1+1") == (Scenario(1, 1), Scenario(1, 0))
    for text in ("", "1", "0+1", "\u00b2+1", "1+\u00b2", "-1+2"):
        with pytest.raises(rz.InvalidArgumentError, match="is no scenario"):
            parse_scenarios(text)


def test_bench_on_the_graphs_of_the_gap_benchmark(rizoma, tmp_path, monkeypatch):
    monkeypatch.delenv("RIZOMA_SHARED", raising=False)  # made graphs, whatever is beside the tree
    for name, print_answer in GAP_PROGRAMS.items():
        program = tmp_path / "gap" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(f"#!{sys.executable}\n" + GAP_PROGRAM + print_answer)
        program.chmod(0o755)
    graphs = ("--graphs", "gap,islands", "--scale", 9, "--keep", "kept")
    rounds = ("--rounds", 1, "--kernels", "bfs,bc", "--gap", "gap", "-o", "r.json")
    done = rizoma("bench", "kernels", *graphs, *rounds)
    report = json.loads((tmp_path / "r.json").read_text())
    assert list(report["graphs"]) == ["kron", "urand", "road", "web", "twitter", "islands"]
    assert report["graphs"]["web"]["directed"]
    assert {row["by"] for row in report["results"]} == {"rizoma", "gap"}
    assert {row["kernel"] for row in report["results"] if row["graph"] == "islands"} == {"bfs"}
    assert all(row["answer"] == "agrees" for row in report["results"] if row["by"] == "rizoma")
    assert all(row["answer"] == "DIFFERS" for row in report["results"] if row["by"] == "gap")
    assert "mean" in done.stdout
    assert (tmp_path / "kept" / "web-9-1" / "whole").exists()


GAP_PROGRAM = """import sys
words = sys.argv[1:]
trials = int(words[words.index("-n") + 1])
for trial in range(trials):
    if "-l" in words:
        print(f"Source: {trial}")
    print("Trial Time:          0.00200")
"""
GAP_PROGRAMS = {"bfs": "print('BFS Tree has 1 nodes and 0 edges')", "bc": "print('0:1\\n1:0.5')"}


def test_gap_programs_that_are_not_there(tmp_path):
    with pytest.raises(rz.NotFoundError, match="there is no program bfs"):
        GapReference(tmp_path, None, 1)


def test_the_logger_is_silent_until_a_program_asks(tmp_path, caplog, capfd):
    with rz.open(tmp_path / "a.rz") as graph:
        graph.add_edges([(0, 1)])
        rz.pagerank(graph)
    assert capfd.readouterr().err == ""
    with caplog.at_level("DEBUG", logger="rizoma"), rz.open(tmp_path / "a.rz") as graph:
        rz.pagerank(graph)
    words = caplog.text
    assert "opened" in words
    assert "PageRank took" in words
    assert "closed" in words
