"""Real graphs against KNOWN_ANSWERS.txt and expected/, through the durable store."""

from __future__ import annotations

import gzip
import math
import re
from pathlib import Path

import numpy as np
import pytest
import rizoma as rz

GRAPHS = [
    "as-caida20071105",
    "ca-AstroPh-cc1",
    "ca-HepPh-und",
    "cit-HepTh",
    "email-Enron",
    "p2p-Gnutella31",
    "road-USA-NY",
    "soc-facebook_combined",
    "soc-Slashdot0902",
    "wiki-Vote",
]
UNDIRECTED = {name for name in GRAPHS if name.endswith("-und")} | {
    "as-caida20071105",
    "ca-AstroPh-cc1",
    "email-Enron",
    "road-USA-NY",
    "soc-facebook_combined",
}


def test_the_road_network_that_is_shipped(tmp_path):
    """Answers that igraph gave; some also are in data/README.md.  Needs no collection beside the tree."""
    file = Path(__file__).resolve().parents[2] / "data" / "road-new-york.el.zst"
    with rz.read(file, into=tmp_path / "road.rz") as graph:
        assert (len(graph), graph.num_edges, graph.directed, graph.ids) == (264346, 365050, False, "dense")
        assert graph.check().findings == []
        assert rz.connected_components(graph).count == 1
        assert rz.triangle_count(graph).total == 6529
        degrees = graph.degrees().to_numpy()
        assert (int(degrees.max()), int(degrees.sum())) == (8, 2 * 365050)
        cores = rz.core_number(graph).to_numpy()
        assert (int(cores.max()), int((cores == 3).sum()), int((cores >= 2).sum())) == (3, 58, 213020)
        levels = rz.bfs(graph, 140960).to_numpy("level")
        assert (int(levels.min()), int(levels.max()), int(levels.sum())) == (0, 415, 56509180)
        ranks = rz.pagerank(graph, tol=1e-10, max_iter=1000)
        assert int(ranks.ids[ranks.to_numpy().argmax()]) == 263849
        assert math.isclose(ranks[263849], 9.376673443623512e-06, rel_tol=1e-4)


def known(data, name):
    """The figures of a graph as a dict."""
    for line in (data / "KNOWN_ANSWERS.txt").read_text().splitlines():
        if line.split("\t")[0] == name:
            figures = dict(re.findall(r"(\w+)=(\d+)", line))
            figures["src"] = re.search(r"bfs\(src=(\d+)\)", line)[1]
            return {key: int(value) for key, value in figures.items()}
    raise KeyError(name)


@pytest.mark.parametrize("order", ["given", "degree"])
@pytest.mark.parametrize("name", GRAPHS)
def test_known_answers(shared_data, tmp_path, name, order):
    """Ids with gaps become integers, so that no vertex is there that the file does not name."""
    want = known(shared_data, name)
    directed = name not in UNDIRECTED
    path = tmp_path / "g.rz"
    rz.read(shared_data / f"{name}.el.zst", into=path, directed=directed, ids="dense", order=order).close()
    gaps = want["ids"] - want["nonisolated"]
    with rz.open(path) as graph:
        assert len(graph) == want["nonisolated"]
        assert graph.ids == ("integer" if gaps else "dense")
        assert graph.num_edges == want["distinct"]
        assert rz.triangle_count(graph).total == want["tri"]
        components = rz.connected_components(graph)
        assert components.largest == want["bigwcc"]
        assert components.count == want["wcc"]
        search = rz.bfs(graph, want["src"])
        assert search.reached == want["reach"]
        assert search.depth == want["ecc"]
        assert search.levels[search.levels >= 0].sum() == want["sumdist"]
        assert rz.sssp(graph, want["src"]).reached == want["reach"]
        if directed:
            strong = rz.strongly_connected_components(graph)
            assert strong.top(1)[0][1] == want["bigscc"]
            assert strong.count == want["scc"]
        else:
            assert rz.core_number(graph).greatest == want["core"]


def expected(data, name):
    """Rows (id, value) of an expected output, as a dict."""
    text = gzip.decompress((data / "expected" / "libgrape-p2p31" / f"{name}.gz").read_bytes()).decode()
    return {int(vertex): float(value) for vertex, value in (line.split() for line in text.splitlines())}


@pytest.mark.parametrize("directed", [False, True])
def test_expected_outputs_of_p2p_gnutella31(shared_data, directed):
    """Their ids are ours plus 1."""
    graph = rz.read(shared_data / "p2p-Gnutella31.wel.zst", directed=directed, weights=True)
    suffix = "-directed" if directed else ""
    ids = graph.degrees().ids
    shift = min(expected(shared_data, "p2p-31-BFS")) - int(ids.min())
    levels = rz.bfs(graph, 6 - shift)
    distances = rz.sssp(graph, 6 - shift)
    want_levels, want_distances = (expected(shared_data, f"p2p-31-{kind}{suffix}") for kind in ("BFS", "SSSP"))
    for vertex in ids.tolist():
        far = want_levels[vertex + shift] > 1e18
        assert levels[vertex] == (None if far else want_levels[vertex + shift])
        want = want_distances[vertex + shift]
        assert math.isclose(distances[vertex], want, rel_tol=1e-9) or (math.isinf(want) and far)


def test_expected_pagerank_of_p2p_gnutella31(shared_data):
    """Ten iterations on the undirected graph, dangling mass spread evenly."""
    graph = rz.read(shared_data / "p2p-Gnutella31.el.zst", directed=False)
    ranks = rz.pagerank(graph, max_iter=10, tol=0)
    want = expected(shared_data, "p2p-31-PR")
    shift = min(want) - int(ranks.ids.min())
    got = np.array([ranks[v - shift] for v in want])
    assert np.abs(got - np.array(list(want.values()))).max() < 1e-12


def test_expected_clustering_of_p2p_gnutella31(shared_data):
    graph = rz.read(shared_data / "p2p-Gnutella31.el.zst", directed=False)
    found = rz.clustering(graph)
    want = expected(shared_data, "p2p-31-LCC")
    shift = min(want) - int(found.ids.min())
    got = np.array([found[v - shift] for v in want])
    assert np.abs(got - np.array(list(want.values()))).max() < 1e-12
