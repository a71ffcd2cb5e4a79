"""Clustering coefficients as LDBC Graphalytics defines them."""

from __future__ import annotations

import gzip

import numpy as np
import pytest
import rizoma as rz
from wanted_data import absent


def lcc(edges, v):
    neighbors = {b if a == v else a for a, b in edges if v in (a, b)} - {v}
    among = sum((a, b) in edges for a in neighbors for b in neighbors if a != b)
    return among / (len(neighbors) * (len(neighbors) - 1)) if len(neighbors) > 1 else 0.0


def test_a_directed_graph_by_the_definition():
    rng = np.random.default_rng(8)
    edges = {(int(u), int(v)) for u, v in rng.integers(40, size=(260, 2))}
    with rz.open(None, directed=True) as graph:
        graph.add_edges(list(edges))
        found = rz.clustering(graph, definition="ldbc")
        expected = {v: lcc(edges, v) for v in found.to_dict()}
        assert found.to_dict() == pytest.approx(expected)
        assert found.average == pytest.approx(sum(expected.values()) / len(expected))
        assert found.to_dict() != pytest.approx(rz.clustering(graph).to_dict())
        with pytest.raises(rz.InvalidArgumentError, match="choose 'networkx' or 'ldbc'"):
            rz.clustering(graph, definition="other")


def test_both_definitions_are_one_without_directions():
    with rz.generate("rmat", 9, edge_factor=8, seed=1) as graph:
        ldbc = rz.clustering(graph, definition="ldbc")
        np.testing.assert_allclose(ldbc.to_numpy(), rz.clustering(graph).to_numpy())


def lines_of(path):
    return gzip.decompress(path.read_bytes()).decode().splitlines()


def test_the_expected_output_of_graphalytics(shared_data):
    directory = shared_data / "expected" / "libgrape-p2p31"
    if not directory.is_dir():
        absent(f"there is no {directory}")
    lines = lines_of(directory / "p2p-31.e.gz")
    edges = np.array([line.split()[:2] for line in lines if line], np.int64)
    rows = [row.split() for row in lines_of(directory / "p2p-31-LCC.gz") if row]
    expected = {int(vertex): float(value) for vertex, value in rows}
    with rz.open(None, ids="integer") as graph:
        graph.add_edges(edges)
        graph.add_vertices(list(expected))
        assert rz.clustering(graph, definition="ldbc").to_dict() == pytest.approx(expected, abs=1e-12)
