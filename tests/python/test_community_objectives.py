"""Leiden and Louvain with objectives other than modularity, sizes of vertices and fixed vertices, by definitions."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest
import rizoma as rz
from rizoma.cli.commands import app
from typer.testing import CliRunner

METHODS = [rz.louvain, rz.leiden]


def some_graph(seed: int, directed: bool = False, n: int = 40) -> rz.Graph:
    rng = np.random.default_rng(seed)
    graph = rz.open(None, directed=directed, weights="float64")
    graph.add_vertices([f"v{i}" for i in range(n)])
    graph.add_edges([(f"v{a}", f"v{b}", float(w)) for a, b, w in rng.integers(0, n, (3 * n, 3)).tolist()])
    return graph


def value_of(graph, labels, objective, resolution, sizes=None):
    """The objective pair by pair."""
    ids = list(graph.vertices)
    place = {v: i for i, v in enumerate(ids)}
    weights = np.zeros((len(ids), len(ids)))
    for u, v, w in zip(*(c.to_pylist() for c in graph.edges.to_arrow().columns[:3]), strict=True):
        weights[place[u], place[v]] += w
        if not graph.directed:
            weights[place[v], place[u]] += w  # a loop twice
    size = np.array([1.0 if sizes is None else sizes[v] for v in ids])
    pairs = np.outer(size, size) * (1 - np.eye(len(ids)))
    whole = weights.sum()
    if objective == "cpm":
        chance = pairs
    elif objective == "rber":
        chance = pairs * whole / pairs.sum()
    else:
        chance = np.outer(weights.sum(1), weights.sum(0)) / whole
    label = np.array([labels[v] for v in ids])
    found = float(((weights - resolution * chance) * (label[:, None] == label)).sum())
    return found / whole if objective == "modularity" else found


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("objective", ["modularity", "rb", "rber", "cpm"])
def test_quality_is_that_of_the_definition(method, directed, objective):
    for seed in range(3):
        graph = some_graph(seed, directed)
        sizes = {v: int(v[1:]) % 4 for v in graph.vertices} if objective in ("rber", "cpm") else None
        for resolution in (0.3, 1, 2.5):
            found = method(graph, objective=objective, resolution=resolution, sizes=sizes, seed=seed)
            want = value_of(graph, found.to_dict(), objective, resolution, sizes)
            assert found.quality == pytest.approx(want, abs=1e-9)
            assert found.objective == objective
            if objective == "modularity":
                assert found.quality == found.modularity
            elif objective != "rb":
                assert np.isnan(found.modularity)
                assert f"({objective})" in repr(found)
            alone = {v: i for i, v in enumerate(graph.vertices)}
            assert found.quality >= value_of(graph, alone, objective, resolution, sizes) - 1e-9
            measured = rz.louvain(
                graph, objective=objective, resolution=resolution, sizes=sizes, start=found, changed=[]
            )
            assert measured.quality == pytest.approx(found.quality)


def test_rb_and_modularity_have_the_same_communities():
    graph = some_graph(5)
    assert rz.leiden(graph, objective="rb", seed=3).to_dict() == rz.leiden(graph, seed=3).to_dict()


def test_threads_make_no_difference():
    rng = np.random.default_rng(1)
    graph = rz.open(None, weights="float64")
    graph.add_edges([(a, b, 0.1 * w) for a, b, w in rng.integers(0, 20000, (80000, 3)).tolist()])
    for objective, resolution in (("cpm", 50), ("rber", 1.0), ("rb", 2.0)):
        for method in METHODS:
            answers = [
                method(graph, objective=objective, resolution=resolution, seed=4, threads=threads).to_numpy()
                for threads in (1, 2, 3)
            ]
            assert all(np.array_equal(answers[0], each) for each in answers[1:])


def test_sizes_are_a_column_a_mapping_or_an_array():
    graph = rz.open(None)
    graph.add_edges([*itertools.combinations(range(6), 2), (5, 6), (6, 7)])
    graph.add_column("members", "int32", of="vertices")
    graph.set_vertices({"vertex": list(range(8)), "members": [1, 2, 3, 4, 5, 6, 7, 8]})
    sizes = {v: v + 1 for v in range(8)}
    found = [
        rz.leiden(graph, objective="cpm", resolution=0.05, seed=1, sizes=given)
        for given in ("members", sizes, np.array([sizes[v] for v in rz.pagerank(graph).ids.tolist()]))
    ]
    assert found[0].to_dict() == found[1].to_dict() == found[2].to_dict()
    assert found[0].quality == pytest.approx(value_of_plain(graph, found[0].to_dict(), 0.05, sizes))
    for wrong in ("color", {99: 1}, np.ones(3), {0: -1}, {0: float("nan")}):
        with pytest.raises((ValueError, KeyError), match="size"):
            rz.leiden(graph, objective="cpm", sizes=wrong)
    with pytest.raises(ValueError, match="no meaning"):
        rz.leiden(graph, sizes=sizes)
    with pytest.raises(ValueError, match="choose one of"):
        rz.leiden(graph, objective="surprise")


def value_of_plain(graph, labels, resolution, sizes):
    inside = sum(
        2
        for u, v in zip(*(c.to_pylist() for c in graph.edges.to_arrow().columns[:2]), strict=True)
        if labels[u] == labels[v]
    )
    chance = sum(sizes[u] * sizes[v] for u in labels for v in labels if u != v and labels[u] == labels[v])
    return inside - resolution * chance


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("objective", ["modularity", "rb", "rber", "cpm"])
def test_fixed_vertices_stay_with_whom_they_began(method, objective):
    for seed in range(4):
        graph = some_graph(seed)
        start = {v: int(v[1:]) % 5 for v in graph.vertices}
        fixed = [v for v in graph.vertices if int(v[1:]) % 3 == 0]
        found = method(graph, objective=objective, resolution=0.5, start=start, fixed=fixed, seed=seed)
        for u, v in itertools.combinations(fixed, 2):
            assert (found[u] == found[v]) == (start[u] == start[v])
        alone = method(graph, objective=objective, resolution=0.5, fixed=fixed, seed=seed)
        assert len({alone[v] for v in fixed}) == len(fixed)
    with pytest.raises(rz.VertexNotFoundError, match="fixed names 'nobody'"):
        method(graph, fixed=["nobody"])
    with pytest.raises(ValueError, match="fixed"):
        method(graph, fixed="v1")


def test_from_the_shell(tmp_path):
    place = tmp_path / "g.rz"
    graph = rz.open(place)
    graph.add_edges([(a + 10 * k, b + 10 * k) for k in range(4) for a in range(10) for b in range(a)])
    graph.add_edges([(10 * k, 10 * k + 11) for k in range(3)])
    graph.close()

    def counted(*words):
        done = CliRunner().invoke(app, ["run", "leiden", str(place), "--seed", "1", "--json", *words])
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    facts = counted("--objective", "cpm", "--resolution", "0.5")
    assert facts["count"] == 4
    assert facts["objective"] == "cpm"
    assert facts["quality"] == pytest.approx(4 * (90 - 45))
    assert counted("--objective", "cpm", "--resolution", "0.5", "--fixed", "0", "--fixed", "1")["count"] == 5
    assert counted("--objective", "cpm", "--resolution", "0.5", "--sizes", "3=3")["count"] == 5
