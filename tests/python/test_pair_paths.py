"""NetworkX's shortest paths of one pair by weight, which a stored graph answers itself: length, path and errors."""

from __future__ import annotations

import random
from typing import Any

import networkx as nx
import pytest
import rizoma as rz
from rizoma.networkx import stored_paths

CALLS = {
    "bidirectional_dijkstra": nx.bidirectional_dijkstra,
    "shortest_path": nx.shortest_path,
    "shortest_path_length": nx.shortest_path_length,
    "dijkstra_path": nx.dijkstra_path,
    "dijkstra_path_length": nx.dijkstra_path_length,
}
KINDS = ("int32", "float64", "amount")


def _both(seed: int, directed: bool, kind: str) -> tuple[rz.Graph, Any, str]:
    """A stored graph with many equally short paths, and NetworkX's with its lists in the same order."""
    draw = random.Random(seed)
    size, weight = draw.choice([6, 12, 30]), "amount" if kind == "amount" else "weight"
    pairs = {(draw.randrange(size), draw.randrange(size)) for _ in range(3 * size)}
    pairs = pairs if directed else {(min(pair), max(pair)) for pair in pairs}
    number = float if kind == "float64" else int
    rows = [(u, v, number(draw.randint(0, 3))) for u, v in sorted(pairs)]
    stored = rz.open(
        None, directed, None if kind == "amount" else kind, edges={"amount": "int64"} if kind == "amount" else None
    )
    stored.add_vertices(list(range(size)))
    columns = {
        "source": [u for u, _, _ in rows],
        "target": [v for _, v, _ in rows],
        weight: [each for *_, each in rows],
    }
    stored.add_edges(columns)
    theirs: Any = (nx.DiGraph if directed else nx.Graph)()
    theirs.add_nodes_from(range(size))
    both_ways = rows if directed else rows + [(v, u, each) for u, v, each in rows]
    theirs.add_edges_from((u, v, {weight: each}) for u, v, each in sorted(both_ways))
    return stored, theirs, weight


def _answer(call: Any, graph: Any, source: int, target: int, weight: str) -> Any:
    try:
        return call(graph, source, target, weight=weight)
    except nx.NetworkXException as error:
        return type(error), str(error)


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("directed", [False, True])
def test_the_path_is_networkxs_among_equally_short_ones(name: str, kind: str, directed: bool) -> None:
    for seed in range(6):
        stored, theirs, weight = _both(seed, directed, kind)
        draw = random.Random(seed)
        for _ in range(12):
            pair = draw.randrange(len(stored)), draw.randrange(len(stored))
            expected = _answer(CALLS[name], theirs, *pair, weight)
            found = _answer(CALLS[name], stored, *pair, weight)
            assert (found, type(found)) == (expected, type(expected)), (seed, pair)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", CALLS)
def test_a_vertex_without_edges_onward_reaches_itself(name, directed):
    stored = rz.open(None, directed, "int32")
    stored.add_vertices([0])
    stored.add_edges([(1, 2, 3)])
    theirs: Any = nx.DiGraph() if directed else nx.Graph()
    theirs.add_node(0)
    theirs.add_edge(1, 2, weight=3)
    for v in (0, 1, 2):
        assert CALLS[name](stored, v, v, weight="weight") == CALLS[name](theirs, v, v, weight="weight")


@pytest.mark.parametrize("name", ["bidirectional_dijkstra", "shortest_path"])
def test_the_store_answers_itself(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    found = stored_paths._from_both_ends
    monkeypatch.setattr(stored_paths, "_from_both_ends", lambda *asked: calls.append(asked) or found(*asked))
    graph = rz.open(None, weights=True)
    graph.add_edges([(1, 2, 0.5), (2, 3, 0.5)])
    CALLS[name](graph, 1, 3, weight="weight")
    assert len(calls) == 1
    graph.add_edges([(3, 4, -1.0)])  # which NetworkX's own code judges
    with pytest.raises(ValueError, match="negative"):
        CALLS[name](graph, 1, 4, weight="weight")


def _of_edges(name: str) -> Any:
    """The path by number of edges, or the error."""

    def ask(graph: Any, source: int, target: int) -> Any:
        try:
            return getattr(nx, name)(graph, source, target)
        except nx.NetworkXException as error:
            return type(error), str(error)

    return ask


@pytest.mark.parametrize("name", ["shortest_path", "bidirectional_shortest_path"])
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("parallel", [False, True])
def test_by_number_of_edges_too_it_is_networkxs(name: str, directed: bool, parallel: bool, monkeypatch) -> None:
    calls = []
    found = stored_paths._by_number_of_edges
    monkeypatch.setattr(stored_paths, "_by_number_of_edges", lambda *asked: calls.append(asked) or found(*asked))
    for seed in range(12):
        draw = random.Random(seed)
        size = draw.choice([6, 12, 30, 200])
        pairs = {(draw.randrange(size), draw.randrange(size)) for _ in range(draw.choice([1, 2, 3]) * size)}
        pairs = pairs if directed else {(min(pair), max(pair)) for pair in pairs}
        stored = rz.open(None, directed, parallel_edges="keep" if parallel else "merge")
        stored.add_vertices(list(range(size)))
        stored.add_edges(sorted(pairs) * (2 if parallel else 1))
        theirs: Any = (nx.DiGraph if directed else nx.Graph)()
        theirs.add_nodes_from(range(size))
        theirs.add_edges_from(sorted(pairs if directed else pairs | {(v, u) for u, v in pairs}))
        ask = _of_edges(name)
        for _ in range(25):
            pair = draw.randrange(size), draw.randrange(size)
            assert ask(stored, *pair) == ask(theirs, *pair), (seed, pair)
    assert len(calls) == 12 * 25


def test_without_edges_into_vertices_networkx_searches() -> None:
    stored = rz.open(None, True, in_edges=False)
    stored.add_edges([(0, 1), (1, 2), (0, 2), (2, 3)])
    assert nx.bidirectional_shortest_path(nx.DiGraph([(0, 1), (1, 2), (0, 2), (2, 3)]), 0, 3) == [0, 2, 3]
    with pytest.raises(rz.InvalidArgumentError, match="in-edges"):
        nx.bidirectional_shortest_path(stored, 0, 3)
