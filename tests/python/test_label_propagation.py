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
