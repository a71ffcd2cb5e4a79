"""Single-linkage trees and the components of several thresholds, against SciPy and definitions."""

from __future__ import annotations

import json
import pickle

import networkx as nx
import numpy as np
import pytest
import rizoma as rz
from rizoma.cli.commands import app
from scipy.cluster import hierarchy
from scipy.spatial.distance import squareform
from typer.testing import CliRunner


def scored(
    seed: int, n: int = 60, m: int = 150, removed: bool = False
) -> tuple[rz.Graph, list[tuple[str, str, float]]]:
    rng = np.random.default_rng(seed)
    pairs = {(min(a, b), max(a, b)): float(w) / 10 for a, b, w in rng.integers(0, n, (m, 3)).tolist() if a != b}
    rows = [(f"v{a}", f"v{b}", w) for (a, b), w in pairs.items()]
    graph = rz.open(None, weights="float64")
    graph.add_vertices([f"v{i}" for i in range(n)])
    graph.add_edges(rows)
    if removed:
        gone = {"v3", "v17", "v40"}
        graph.remove_vertices(gone)
        rows = [row for row in rows if not gone & set(row[:2])]
    return graph, rows


def parts_of(labels) -> set[frozenset]:
    parts: dict = {}
    for vertex, label in labels.items():
        parts.setdefault(label, set()).add(vertex)
    return {frozenset(part) for part in parts.values()}


def expected(graph, rows, reaches) -> set[frozenset]:
    plain = nx.Graph()
    plain.add_nodes_from(graph.vertices)
    plain.add_edges_from((u, v) for u, v, w in rows if reaches(w))
    return {frozenset(part) for part in nx.connected_components(plain)}


@pytest.mark.parametrize("weight", ["weight", "score"])
def test_a_threshold_reaches_a_float32_weight_that_is_written_alike(weight):
    graph = rz.open(None, weights="float32", edges={"score": "float32"})
    graph.add_edges({"source": [0, 1], "target": [1, 2], "weight": [0.1, 0.7], "score": [0.1, 0.7]})
    assert graph.where(edges=f"{weight} >= 0.7").num_edges == 1
    levels = rz.connected_components(graph, thresholds=[0.1, 0.7, 0.71, 1e300], weight=weight).levels
    assert [each.count for each in levels] == [1, 2, 3, 3]
    nearest = rz.single_linkage(graph, weight, nearest=True)
    assert [nearest.components(each).count for each in (0.09, 0.1, 0.7)] == [3, 2, 1]


def test_thresholds_that_six_digits_do_not_tell_apart_have_columns_of_their_own():
    graph = rz.open(None, weights="float64")
    graph.add_edges([(0, 1, 0.1234567), (1, 2, 0.1234568)])
    table = rz.connected_components(graph, thresholds=[0.1234568, 0.1234567]).to_arrow()
    assert table.column_names == ["vertex", "component", "component_0.1234568", "component_0.1234567"]
    assert table["component_0.1234568"].to_pylist() != table["component_0.1234567"].to_pylist()


@pytest.mark.parametrize("removed", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_components_of_thresholds_are_those_of_the_kept_edges(seed, removed):
    graph, rows = scored(seed, removed=removed)
    thresholds = [4, 2.5, 6.0, -1, 100]
    found = rz.connected_components(graph, thresholds=thresholds)
    assert [each.threshold for each in found.levels] == thresholds
    for each in found.levels:
        want = expected(graph, rows, lambda w, t=each.threshold: w >= t)
        assert parts_of(each.to_dict()) == want
        assert each.count == len(want)
        assert each.largest == max(map(len, want))
    assert found.threshold == -1
    assert found.to_dict() == found.levels[3].to_dict()
    table = found.to_arrow()
    assert table.column_names == ["vertex", "component", *(f"component_{t:g}" for t in thresholds)]
    assert table["component_4"].to_pylist() == [found.levels[0][v] for v in table["vertex"].to_pylist()]
    assert all(label in set(graph.vertices) for label in table["component_2.5"].to_pylist())
    again = pickle.loads(pickle.dumps(found))
    assert again.levels[0].to_dict() == found.levels[0].to_dict()
    for nearest in (False, True):
        tree = rz.single_linkage(graph, nearest=nearest, threads=2)
        for threshold in (0.5, 3, 5.55, 6):
            want = expected(graph, rows, lambda w, t=threshold, near=nearest: w <= t if near else w >= t)
            assert parts_of(tree.components(threshold).to_dict()) == want
        first = {v: [w for a, b, w in rows if v in (a, b)] for v in graph.vertices}
        for v, weights in first.items():
            want_first = (min(weights) if nearest else max(weights)) if weights else None
            assert tree[v] == want_first if weights else np.isnan(tree[v])


@pytest.mark.parametrize("n", [1, 2, 40])
def test_the_tree_is_scipys(n):
    rng = np.random.default_rng(n)
    points = rng.random((n, 3))
    distances = np.linalg.norm(points[:, None] - points[None], axis=2)
    graph = rz.open(None, weights="float64")
    graph.add_vertices(list(range(n)))
    graph.add_edges([(u, v, distances[u, v]) for u in range(n) for v in range(u)])
    ours = rz.single_linkage(graph, nearest=True).linkage()
    assert ours.shape == (n - 1, 4)
    if n > 1:
        theirs = hierarchy.linkage(squareform(distances), "single")
        assert hierarchy.is_valid_linkage(ours)
        assert np.allclose(ours[:, 2:], theirs[:, 2:])
        assert np.allclose(hierarchy.cophenet(ours), hierarchy.cophenet(theirs))
    alike = rz.open(None, weights="float64")
    alike.add_vertices(list(range(n)))
    alike.add_edges([(u, v, 5 - distances[u, v]) for u in range(n) for v in range(u)])
    assert np.allclose(rz.single_linkage(alike).linkage(top=5)[:, 2], ours[:, 2])


@pytest.mark.parametrize("removed", [False, True])
def test_what_nothing_connects_merges_at_infinity(removed):
    graph, rows = scored(9, n=50, m=30, removed=removed)
    tree = rz.single_linkage(graph)
    table = tree.merges()
    assert table.column_names == ["first", "second", "weight", "size"]
    assert (
        tree.count
        == len(table)
        == nx.number_of_nodes(nx.Graph((u, v) for u, v, _ in rows))
        - len(list(nx.connected_components(nx.Graph((u, v) for u, v, _ in rows))))
    )
    ids = tree.vertices().to_pylist()
    assert sorted(ids) == sorted(graph.vertices)
    linkage = tree.linkage(top=10)
    assert linkage.shape == (len(graph) - 1, 4)
    assert hierarchy.is_valid_linkage(np.where(np.isinf(linkage), 1e9, linkage))
    assert linkage[-1, 3] == len(graph)
    for threshold in (1, 4):
        labels = hierarchy.fcluster(linkage, 10 - threshold, "distance")
        want = expected(graph, rows, lambda w, t=threshold: w >= t)
        assert parts_of(dict(zip(ids, labels.tolist(), strict=True))) == want


def test_other_columns_and_refusals():
    graph = rz.open(None)
    graph.add_column("score", "float32", of="edges")
    graph.add_edges({"source": ["a", "b", "c"], "target": ["b", "c", "d"], "score": [0.9, 0.2, 0.8]})
    assert rz.connected_components(graph, thresholds=[0.5], weight="score").count == 2
    assert rz.single_linkage(graph, "score").components(0.1).count == 1
    for call in (
        lambda: rz.single_linkage(graph),
        lambda: rz.connected_components(graph, thresholds=[0.5]),
        lambda: rz.connected_components(graph, thresholds=[0.5], weight="color"),
        lambda: rz.connected_components(graph, thresholds=[], weight="score"),
        lambda: rz.connected_components(graph, thresholds=[float("nan")], weight="score"),
        lambda: rz.connected_components(graph, thresholds=["high"], weight="score"),
        lambda: rz.connected_components(graph, thresholds=[0.5], start=rz.connected_components(graph), changed=[]),
        lambda: rz.single_linkage(graph, "score").components(float("nan")),
        lambda: rz.single_linkage(graph, "score").linkage(top=0.5),
    ):
        with pytest.raises(ValueError, match=r"weight|thresholds|threshold|top"):
            call()
    directed = rz.open(None, directed=True, weights="float64")
    directed.add_edges([(1, 2, 0.5)])
    with pytest.raises(rz.UnsupportedError, match="undirected"):
        rz.connected_components(directed, thresholds=[0.5])


def test_no_vertices():
    graph = rz.open(None, weights="float64")
    assert rz.single_linkage(graph).merges().num_rows == 0
    assert rz.single_linkage(graph).linkage().shape == (0, 4)
    assert rz.connected_components(graph, thresholds=[1]).count == 0


def test_a_graph_larger_than_the_memory_limit(tmp_path):
    rng = np.random.default_rng(3)
    ends, weights = rng.integers(0, 3000, (2, 120_000)), rng.random(120_000)
    with rz.open(tmp_path / "g.rz", weights="float64") as graph:
        graph.add_edges({"source": ends[0], "target": ends[1], "weight": weights})
    with rz.open(tmp_path / "g.rz", mode="read_only") as graph:
        plain = rz.single_linkage(graph).merges()
        with rz.config(memory_limit="256K"):
            assert rz.single_linkage(graph).merges().equals(plain)


def test_from_the_shell(tmp_path):
    place = tmp_path / "g.rz"
    with rz.open(place, weights="float64") as graph:
        graph.add_edges([("a", "b", 0.9), ("b", "c", 0.4), ("d", "e", 0.7)])
    out = tmp_path / "parts.csv"
    words = ["run", "connected_components", str(place), "--thresholds", "0.8", "--thresholds", "0.5", "--json"]
    done = CliRunner().invoke(app, [*words, "-o", str(out)])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["count"] == 3
    assert out.read_text().splitlines()[0].replace('"', "") == "vertex,component,component_0.8,component_0.5"
    done = CliRunner().invoke(app, ["run", "single_linkage", str(place), "--json"])
    assert json.loads(done.stdout)["count"] == 3
