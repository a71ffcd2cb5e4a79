"""Walks by weight, by the vertex before and with restarts, and neighbours by weight: against exact shares."""

from __future__ import annotations

from collections import Counter

import networkx as nx
import numpy as np
import pytest
import rizoma as rz


def shares(pairs):
    """How often each second follows each first."""
    counts = Counter(pairs)
    totals = Counter(first for first, _ in pairs)
    return {pair: count / totals[pair[0]] for pair, count in counts.items()}


@pytest.mark.parametrize("weights", [None, 1.0, 1e-300, 1e300])
@pytest.mark.parametrize("q", [1e-308, 1e-160, 1.0, 1e160, 1e308])
@pytest.mark.parametrize("p", [1e-308, 1e-160, 1.0, 1e160, 1e308])
def test_steps_of_p_and_q_that_are_far_apart_go_to_the_likeliest(p, q, weights):
    """From 1, coming from 0: back by 1/p, to 2, which 0 has an edge to, by 1, to 3 and 4 by 1/q each."""
    graph = rz.open(None, weights=None if weights is None else "float64", ids="integer")
    edges = [(0, 1), (1, 2), (0, 2), (1, 3), (1, 4)]
    graph.add_edges(edges if weights is None else [(*edge, weights) for edge in edges])
    walks = rz.random_walks(graph, [0] * 4000, 2, seed=3, p=p, q=q, weight=None if weights is None else "weight")
    steps = [c for b, c in zip(walks["step1"].to_pylist(), walks["step2"].to_pylist(), strict=True) if b == 1]
    shares = {0: 1 / p, 2: 1.0, 3: 1 / q, 4: 1 / q}
    most = max(shares.values())
    total = sum(share / most for share in shares.values())
    for vertex, share in shares.items():
        assert steps.count(vertex) / len(steps) == pytest.approx(share / most / total, abs=0.06)


@pytest.mark.parametrize("odd", [0.0, -1.0, 5e-324, 1e-309, float("inf"), float("nan")])
@pytest.mark.parametrize("name", ["p", "q"])
def test_p_and_q_have_bounds(name, odd):
    graph = rz.open(None, ids="integer")
    graph.add_edges([(0, 1)])
    with pytest.raises(rz.errors.InvalidArgumentError, match=rf"{name} is .*; it must be"):
        rz.random_walks(graph, [0], 2, **{name: odd})


def test_walks_by_weight_and_by_the_vertex_before():
    edges = [(0, 1, 1.0), (1, 2, 3.0), (0, 2, 2.0), (2, 3, 4.0), (3, 4, 0.0), (3, 1, 2.0)]
    graph = rz.open(None, weights="float64", ids="integer")
    graph.add_edges(edges)
    theirs = nx.Graph()
    theirs.add_weighted_edges_from(edges)
    starts = [0, 1, 2, 3] * 20_000
    by_weight = rz.random_walks(graph, starts, 1, seed=3, weight="weight")
    seen = shares(list(zip(by_weight["step0"].to_pylist(), by_weight["step1"].to_pylist(), strict=True)))
    for u in range(4):
        total = sum(theirs[u][v]["weight"] for v in theirs[u])
        for v in theirs[u]:
            assert seen.get((u, v), 0) == pytest.approx(theirs[u][v]["weight"] / total, abs=0.02)
    p, q = 4.0, 0.5
    walks = rz.random_walks(graph, starts, 2, seed=5, weight="weight", p=p, q=q)
    triples = list(zip(*(walks[f"step{i}"].to_pylist() for i in range(3)), strict=True))
    seen = shares([((a, b), c) for a, b, c in triples])
    for a, b in theirs.to_directed().edges:
        if theirs[a][b]["weight"] == 0 or a == 4:
            continue
        bias = {
            c: w["weight"] * (1 / p if c == a else 1 if theirs.has_edge(a, c) else 1 / q) for c, w in theirs[b].items()
        }
        for c, share in bias.items():
            assert seen.get(((a, b), c), 0) == pytest.approx(share / sum(bias.values()), abs=0.03)


def test_walks_with_restart_and_their_options():
    graph = rz.open(None, directed=True, ids="integer")
    graph.add_edges([(i, i + 1) for i in range(9)])
    walks = rz.random_walks(graph, [0] * 4000, 6, seed=1, restart=0.25)
    steps = np.stack([walks[f"step{i}"].to_numpy() for i in range(7)], axis=1)
    assert set(np.unique(steps[:, 1:] - steps[:, :-1])) <= {1, 0, -1, -2, -3, -4, -5}
    assert (steps[:, 1] == 0).mean() == pytest.approx(0.25, abs=0.03)
    end = rz.random_walks(graph, [8], 3, restart=1e-9)
    assert [end[f"step{i}"][0].as_py() for i in range(4)] == [8, 9, 8, 9]
    assert walks.equals(rz.random_walks(graph, [0] * 4000, 6, seed=1, restart=0.25, threads=3))
    for wrong in ({"p": 0}, {"q": -1}, {"restart": 1}, {"p": float("nan")}):
        with pytest.raises(rz.InvalidArgumentError):
            rz.random_walks(graph, [0], 2, **wrong)
    with pytest.raises(rz.InvalidArgumentError, match="no weights"):
        rz.random_walks(graph, [0], 2, weight="weight")


def test_neighbours_by_weight():
    graph = rz.open(None, directed=True, edges={"w": "int32"}, ids="integer")
    weights = [0, 1, 2, 3, 4]
    graph.add_edges([{"source": 0, "target": 10 + w, "w": w} for w in weights])
    drawn = rz.sample_neighbors(graph, [0] * 20_000, 1, seed=2, weight="w")
    counts = Counter(drawn["target"].to_pylist())
    assert counts[10] == 0
    for w in weights[1:]:
        assert counts[10 + w] / 20_000 == pytest.approx(w / 10, abs=0.02)
    all_of = rz.sample_neighbors(graph, [0], 9, weight="w")["target"].to_pylist()
    assert sorted(all_of) == [11, 12, 13, 14]
    two = rz.sample_neighbors(graph, [0] * 500, 2, seed=4, weight="w", threads=1)
    assert two.equals(rz.sample_neighbors(graph, [0] * 500, 2, seed=4, weight="w", threads=2))
    assert two.num_rows == 1000
