"""Landmarks that a graph keeps for shortest paths: when they are found and dropped; they change no answer."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import rizoma as rz
from rizoma.queries import kept_landmarks


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    monkeypatch.setattr(kept_landmarks, "_LONG", 50)


def road_like(side: int, directed: bool) -> rz.Graph:
    """A grid whose edges are of many lengths, and some of one direction alone."""
    rng = np.random.default_rng(side)
    at = np.arange(side * side).reshape(side, side)
    pairs = np.concatenate(
        [np.stack([at[:, :-1], at[:, 1:]], -1).reshape(-1, 2), np.stack([at[:-1], at[1:]], -1).reshape(-1, 2)]
    )
    if directed:
        pairs = np.concatenate([pairs, pairs[rng.random(len(pairs)) < 0.8][:, ::-1]])
    graph = rz.open(None, directed=directed, weights="float64")
    graph.add_edges({"source": pairs[:, 0], "target": pairs[:, 1], "weight": rng.uniform(1, 3, len(pairs))})
    return graph


def bound_of(graph: Any) -> Any:
    kept = vars(graph).get("_landmarks")
    return None if kept is None else kept._bound


def pairs_of(graph: Any, count: int) -> list[tuple[int, int]]:
    rng = np.random.default_rng(7)
    return [(int(a), int(b)) for a, b in rng.integers(len(graph), size=(count, 2))]


def expect_lengths(graph: Any, pairs: list[tuple[int, int]], weight: str | None) -> None:
    for a, b in pairs:
        distance = rz.sssp(graph, a)[b] if weight else rz.bfs(graph, a)[b]
        path = rz.shortest_path(graph, a, b, weight)
        if path is None:
            assert distance is None or np.isinf(distance)
        else:
            assert path.length == pytest.approx(distance, rel=1e-12)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("weight", [None, "weight"])
def test_they_are_found_in_time_and_change_no_length(directed, weight):
    graph = road_like(60, directed)
    pairs = pairs_of(graph, 80)
    expect_lengths(graph, pairs[:5], weight)
    assert bound_of(graph) is None  # 12 vertices for each are not yet settled
    expect_lengths(graph, pairs[5:], weight)
    assert (bound_of(graph) is not None) == (weight is not None)  # equal lengths leave many shortest paths
    expect_lengths(graph, pairs, weight)


def test_a_change_and_another_weight_drop_them():
    graph = road_like(60, False)
    expect_lengths(graph, pairs_of(graph, 60), "weight")
    assert bound_of(graph) is not None
    for other in (graph.snapshot(), graph):  # a snapshot keeps its own
        rz.shortest_path(other, 0, 3_599, "weight")
    assert bound_of(graph) is not None
    graph.add_edges([(0, 3_599, 0.5)])
    assert rz.shortest_path(graph, 0, 3_599, "weight") == [0, 3_599]
    assert bound_of(graph) is None
    expect_lengths(graph, pairs_of(graph, 60), "weight")
    assert bound_of(graph) is not None
    rz.shortest_path(graph, 0, 3_599)
    assert bound_of(graph) is None


def test_they_are_not_kept_where_searches_settle_as_much_with_them(monkeypatch):
    monkeypatch.setattr(kept_landmarks, "_WORTH", 2)
    rng = np.random.default_rng(3)
    graph = rz.open(None, directed=False, weights="float64")
    ends = rng.integers(3_000, size=(30_000, 2))
    graph.add_edges({"source": ends[:, 0], "target": ends[:, 1], "weight": rng.uniform(1, 50, len(ends))})
    pairs = [pair for pair in pairs_of(graph, 400) if all(v in graph for v in pair)]
    for a, b in pairs:
        rz.shortest_path(graph, a, b, "weight")
    kept = vars(graph)["_landmarks"]
    assert kept._bound is None
    assert not kept._may_be_found
    expect_lengths(graph, pairs[:20], "weight")


def test_weights_that_landmarks_refuse_and_memory_leave_the_searches_as_they_are(monkeypatch):
    graph = road_like(60, False)
    graph.add_edges([(10_000, 10_001, -1.0)])  # on none of the ways
    pairs = [(a, b) for a, b in pairs_of(graph, 60) if max(a, b) < 3_600]
    lengths = [rz.shortest_path(graph, a, b, "weight").length for a, b in pairs]
    assert bound_of(graph) is None
    assert [rz.shortest_path(graph, a, b, "weight").length for a, b in pairs] == lengths
    monkeypatch.setattr(kept_landmarks, "_MOST_BYTES", 1_000)
    graph = road_like(60, False)
    expect_lengths(graph, pairs_of(graph, 60), "weight")
    assert bound_of(graph) is None


def test_threads_that_ask_at_once_find_them_once(monkeypatch):
    graph = road_like(60, True)
    found, find = [], kept_landmarks.bound_by_landmarks
    monkeypatch.setattr(kept_landmarks, "bound_by_landmarks", lambda *given: found.append(1) or find(*given))
    pairs = pairs_of(graph, 200)
    snapshot = graph.snapshot()
    expected = [rz.shortest_path(graph.snapshot(), a, b, "weight").length for a, b in pairs]
    with ThreadPoolExecutor(4) as pool:
        lengths = list(pool.map(lambda pair: rz.shortest_path(snapshot, *pair, "weight").length, pairs))
    assert lengths == pytest.approx(expected, rel=1e-12)
    assert found == [1]
