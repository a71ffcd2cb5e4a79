"""Label propagation: as LDBC Graphalytics defines it, and at rest."""

from __future__ import annotations

import gzip
from collections import Counter

import numpy as np
import pytest
import rizoma as rz
from wanted_data import absent


def cdlp(edges, directed, rounds):
    """The definition: of the most frequent labels among neighbours the least."""
    vertices = sorted({v for edge in edges for v in edge})
    labels = {v: v for v in vertices}
    for _ in range(rounds):
        votes = {v: Counter() for v in vertices}
        for u, v in edges:
            votes[u][labels[v]] += 1
            votes[v][labels[u]] += 1
        labels = {
            v: min(votes[v], key=lambda label, of=votes[v]: (-of[label], label)) if votes[v] else labels[v]
            for v in vertices
        }
    return labels


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("rounds", [0, 1, 3, 10])
def test_synchronous_rounds_go_by_the_ids(tmp_path, directed, rounds):
    rng = np.random.default_rng(3)
    pairs = {(int(u), int(v)) for u, v in rng.integers(1000, 1060, size=(150, 2)) if u < v}
    with rz.open(None, directed=directed) as graph:
        graph.add_edges(sorted(pairs, key=lambda pair: (pair[1] % 7, pair)))  # ids do not come in order
        found = rz.label_propagation(graph, synchronous=True, max_iter=rounds).to_dict()
    assert found == cdlp(pairs, directed, rounds)


def test_ids_that_are_strings():
    with rz.open(None) as graph:
        graph.add_edges([("zoe", "ann"), ("zoe", "bob"), ("ann", "bob"), ("yan", "zed")])
        found = rz.label_propagation(graph, synchronous=True, max_iter=1)
        assert found["ann"] == "bob"  # one vote each for bob and zoe
        assert found["zoe"] == "ann"
        assert found["zed"] == "yan"


def lines_of(path):
    return gzip.decompress(path.read_bytes()).decode().splitlines()


def test_the_expected_output_of_graphalytics(shared_data):
    directory = shared_data / "expected" / "libgrape-p2p31"
    if not directory.is_dir():
        absent(f"there is no {directory}")
    lines = lines_of(directory / "p2p-31.e.gz")
    edges = np.array([line.split()[:2] for line in lines if line], np.int64)
    rows = lines_of(directory / "p2p-31-CDLP.gz")
    expected = {int(row.split()[0]): int(row.split()[1]) for row in rows if row}
    with rz.open(None, ids="integer") as graph:
        graph.add_edges(edges)
        graph.add_vertices(list(expected))
        found = rz.label_propagation(graph, synchronous=True, max_iter=10)
        assert found.to_dict() == expected
        assert found.iterations == 10


def test_at_rest_cliques_are_communities():
    edges = [(a + shift, b + shift) for shift in (0, 8) for a in range(8) for b in range(a)]
    with rz.open(None) as graph:
        graph.add_edges([*edges, (0, 8)])
        found = rz.label_propagation(graph, seed=4)
        assert found.converged
        assert found.count == 2
        assert len({found[v] for v in range(8)}) == 1
        assert "2 communities, at rest" in repr(found)
        assert [size for _, size in found.top()] == [8, 8]
        assert rz.label_propagation(graph, seed=4).to_dict() == found.to_dict()


def test_arguments_are_checked():
    with rz.open(None) as graph:
        graph.add_edges([(0, 1)])
        with pytest.raises(rz.InvalidArgumentError, match="max_iter"):
            rz.label_propagation(graph, max_iter=-1)
        with pytest.raises(rz.InvalidArgumentError, match="no weights"):
            rz.label_propagation(graph, weight="weight")


def planted(directed=False, weights=None):
    """Six groups of twenty with a few edges between them."""
    random = np.random.default_rng(8)
    within = [(20 * k + random.integers(0, 20, (150, 2))).tolist() for k in range(6)]
    pairs = {(a, b) for group in within for a, b in group if a != b}
    pairs |= {(int(a), int(b)) for a, b in random.integers(0, 120, (30, 2)) if a // 20 != b // 20}
    graph = rz.open(None, directed=directed, weights=weights)
    graph.add_edges(sorted(pairs) if weights is None else [(a, b, 1.0) for a, b in sorted(pairs)])
    return graph


@pytest.mark.parametrize("directed", [False, True])
def test_the_result_is_that_of_other_communities(directed):
    graph = planted(directed)
    found = rz.label_propagation(graph, seed=1)
    assert found.modularity == pytest.approx(rz.modularity(graph, found))
    assert found.modularity > 0.5
    assert [each.to_dict() for each in found.levels] == [found.to_dict()]
    coarse = found.graph()
    assert sorted(coarse.vertices) == list(range(found.count))
    assert rz.modularity(coarse, [{v} for v in range(found.count)]) == pytest.approx(found.modularity)
    sizes = found.sizes().column("size").to_pylist()
    assert (len(sizes), sum(sizes)) == (found.count, 120)
    assert rz.nmi(found, rz.leiden(graph, seed=1)) > 0.8


def test_modularity_goes_by_the_weights_that_the_call_went_by():
    graph = planted(weights="float64")
    graph.set_weights([(0, w, 50.0) for w in graph.neighbors(0)])
    for weight in (None, "weight"):
        found = rz.label_propagation(graph, seed=1, weight=weight)
        assert found.modularity == pytest.approx(rz.modularity(graph, found, weight=weight))
    assert rz.modularity(graph, found) != pytest.approx(rz.modularity(graph, found, weight=None))


def test_any_edge_column_may_be_the_weight():
    rows = [(0, 1, 9), (0, 2, 1), (0, 3, 1), (1, 4, 9)]
    graph, weighted = rz.open(None), rz.open(None, weights="int32")
    graph.add_column("votes", "int64")
    graph.add_edges(dict(zip(("source", "target", "votes"), zip(*rows, strict=True), strict=True)))
    weighted.add_edges(rows)
    for seed in range(5):
        found = rz.label_propagation(graph, seed=seed, weight="votes")
        assert found.to_dict() == rz.label_propagation(weighted, seed=seed, weight="weight").to_dict()


def test_it_goes_into_the_store_as_a_column(tmp_path):
    graph = rz.open(tmp_path / "g.rz", ids="integer")
    graph.add_edges(planted())
    found = rz.label_propagation(graph, seed=1)
    graph.add_column("community", "int64", of="vertices")
    graph.set_vertices(found)
    stored = graph.vertices.to_arrow()
    assert dict(zip(stored["vertex"].to_pylist(), stored["community"].to_pylist(), strict=True)) == found.to_dict()


def settled(graph, found):
    """Whether every vertex agrees with most of its neighbours."""
    for v, own in found.items():
        votes = Counter(found[w] for w in graph.neighbors(v))
        if votes and votes[own] < max(votes.values()):
            return False
    return True


@pytest.mark.parametrize("changes_told", [False, True])
def test_from_a_former_result_and_what_changed(tmp_path, changes_told):
    graph = rz.open(tmp_path / "g.rz", ids="integer")
    graph.add_edges(planted())
    before = rz.label_propagation(graph, seed=3)
    graph.tag("before")
    assert rz.label_propagation(graph, seed=4, start=before).to_dict() == before.to_dict()
    assert rz.label_propagation(graph, seed=4, start=before, changed=[]).to_dict() == before.to_dict()
    edges = [(130, 0), (130, 1), (131, 130)]  # vertices that are new
    graph.add_edges(edges)
    graph.remove_edges([(0, w) for w in list(graph.neighbors(0))[:2]])
    graph.remove_vertices([119])
    changed = {v for edge in edges for v in edge} | set(range(40)) | set(range(100, 119))
    told = graph.changes(since="before") if changes_told else changed
    after = rz.label_propagation(graph, seed=3, start=before, changed=told)
    assert after.converged
    assert settled(graph, after.to_dict())
    assert after[131] == after[130] == after[1]
    assert len(set(after.to_dict().values())) == after.count
    assert set(after.to_dict().values()) <= set(graph.vertices)
    assert after.modularity > rz.label_propagation(graph, seed=3).modularity - 0.05
    of_all = {"synchronous": True, "start": before, "max_iter": 3}
    expected = rz.label_propagation(graph, **of_all).to_dict()
    assert rz.label_propagation(graph, **of_all, changed=list(graph.vertices)).to_dict() == expected


def test_it_begins_with_any_partition():
    graph = planted()
    groups = [set(range(20 * k, 20 * k + 20)) for k in range(6)]
    found = rz.label_propagation(graph, start=groups, seed=1)
    assert rz.nmi(found, groups) > 0.9
    assert rz.label_propagation(graph, start=groups, max_iter=0, seed=1).count == 6
    with pytest.raises(rz.InvalidArgumentError, match="needs start="):
        rz.label_propagation(graph, changed=[0])
    with pytest.raises(rz.VertexNotFoundError):
        rz.label_propagation(graph, start=groups, changed=[500])
