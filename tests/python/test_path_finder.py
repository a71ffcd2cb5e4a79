"""Shortest paths by coordinates against Dijkstra's, whatever the coordinates are, and what is refused."""

from __future__ import annotations

import json
import math
import random
import re
from typing import Any

import networkx as nx
import numpy as np
import pytest
import rizoma as rz
from rizoma.networkx import stored_several_paths


def _roads(
    seed: int, size: int = 70, columns: tuple[str, ...] = ("x", "y"), directed: bool = False, **options: Any
) -> tuple[rz.Graph, Any]:
    """A random geometric graph whose edges are up to half longer than straight, and NetworkX's."""
    draw = random.Random(seed)
    places = [[draw.uniform(-3, 3) for _ in columns] for _ in range(size)]
    names = [f"v{v}" for v in range(size)]
    theirs: Any = nx.DiGraph() if directed else nx.Graph()
    theirs.add_nodes_from(names)
    for u in range(size):
        for v in range(size):
            apart = math.dist(places[u], places[v])
            if u != v and apart < 1.5 and draw.random() < 0.7:
                theirs.add_edge(names[u], names[v], km=apart * draw.uniform(1, 1.5))
    graph = rz.open(None, directed, edges={"km": "float64"}, vertices=dict.fromkeys(columns, "float64"), **options)
    graph.add_vertices({"vertex": names} | {name: [p[i] for p in places] for i, name in enumerate(columns)})
    ends = list(theirs.edges(data="km"))
    graph.add_edges({"source": [u for u, *_ in ends], "target": [v for _, v, _ in ends], "km": [k for *_, k in ends]})
    return graph, theirs


@pytest.mark.parametrize("columns", [("x", "y"), ("x", "y", "z")])
@pytest.mark.parametrize(("directed", "in_edges"), [(False, True), (True, True), (True, False)])
def test_lengths_are_dijkstras(columns: tuple[str, ...], directed: bool, in_edges: bool) -> None:
    options = {"in_edges": in_edges} if directed else {}
    for seed in range(2):
        graph, theirs = _roads(seed, columns=columns, directed=directed, **options)
        graph.remove_vertices(["v7"])
        theirs.remove_node("v7")
        finder = rz.PathFinder(graph, columns, "km")
        assert 0.99 < finder.scale < 1.1
        lengths = dict(nx.all_pairs_dijkstra_path_length(theirs, weight="km"))
        for u, v in zip(random.Random(seed).choices(list(theirs), k=60), reversed(list(theirs)), strict=False):
            path = finder.shortest_path(u, v)
            if v not in lengths[u]:
                assert path is None
                continue
            assert path is not None
            assert (path[0], path[-1]) == (u, v)
            assert path.length == pytest.approx(lengths[u][v], rel=1e-12)
            assert nx.path_weight(theirs, path, "km") == pytest.approx(lengths[u][v], rel=1e-12)
            assert finder(u, v) <= lengths[u][v] * (1 + 1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_coordinates_that_have_nothing_to_do_with_the_weights_are_no_danger(seed: int) -> None:
    given = nx.gnm_random_graph(40, 90, seed=seed)
    draw = np.random.default_rng(seed)
    graph = rz.open(None, weights="int32", vertices={"x": "int64", "y": "float32"})
    graph.add_vertices({"vertex": list(range(40)), "x": draw.integers(-9, 9, 40), "y": draw.random(40)})
    rows = [(u, v, int(draw.integers(0, 9))) for u, v in given.edges]
    graph.add_edges(rows)
    given.add_weighted_edges_from(rows)
    for u in range(0, 40, 3):
        for v in range(40):
            path = rz.shortest_path(graph, u, v, "weight", coordinates=("x", "y"))
            assert (None if path is None else path.length) == (
                nx.dijkstra_path_length(given, u, v) if nx.has_path(given, u, v) else None
            )


@pytest.mark.parametrize("landmarks", [1, 5, 64])
@pytest.mark.parametrize(("directed", "in_edges"), [(False, True), (True, True), (True, False)])
def test_landmarks_take_the_place_of_coordinates(landmarks: int, directed: bool, in_edges: bool) -> None:
    graph, theirs = _roads(6, directed=directed, **({"in_edges": in_edges} if directed else {}))
    graph.remove_vertices(["v7"])
    theirs.remove_node("v7")
    for name in ("far", "apart"):
        graph.add_vertices({"vertex": [name], "x": [0.0], "y": [0.0]})
        theirs.add_node(name)
    for weight in ("km", None):
        finder = rz.PathFinder(graph, weight=weight, landmarks=landmarks)
        assert finder.scale == pytest.approx(1)
        assert f"landmarks={landmarks}" in repr(finder)
        for u in ("v0", "v33", "apart"):
            lengths = nx.single_source_dijkstra_path_length(theirs, u, weight=weight)
            for v in theirs:
                path = finder.shortest_path(u, v)
                assert (path is None) == (v not in lengths)
                if path is not None:
                    assert path.length == pytest.approx(lengths[v], rel=1e-12)
                    assert finder(u, v) <= lengths[v] * (1 + 1e-12)
    assert nx.astar_path_length(graph, "v0", "v50", rz.PathFinder(graph, weight="km", landmarks=4), "km") == (
        pytest.approx(nx.dijkstra_path_length(theirs, "v0", "v50", "km"), rel=1e-12)
    )


def test_landmarks_that_are_refused() -> None:
    graph, _ = _roads(1)
    for options in ({}, {"coordinates": ("x", "y"), "landmarks": 4}):
        with pytest.raises(rz.InvalidArgumentError, match="give one of coordinates"):
            rz.PathFinder(graph, weight="km", **options)
    for landmarks in (0, 65, "16"):
        with pytest.raises(rz.InvalidArgumentError, match="landmarks"):
            rz.PathFinder(graph, weight="km", landmarks=landmarks)
    with pytest.raises(rz.InvalidArgumentError, match="geographic"):
        rz.PathFinder(graph, weight="km", landmarks=4, geographic=True)
    assert rz.PathFinder(rz.open(None, weights="float64"), landmarks=4).scale == 0


@pytest.mark.parametrize("kind", ["int32", "float64"])
@pytest.mark.parametrize("directed", [False, True])
def test_landmarks_of_graphs_with_lengths_of_zero_loops_and_parallel_edges(directed: bool, kind: str) -> None:
    for seed in range(4):
        draw = np.random.default_rng(seed)
        theirs: Any = nx.MultiDiGraph() if directed else nx.MultiGraph()
        theirs.add_nodes_from(range(40))
        rows = [(int(u), int(v), int(w)) for u, v, w in draw.integers(0, (40, 40, 7), (90, 3))]
        theirs.add_weighted_edges_from(rows)
        graph = rz.open(None, directed, weights=kind, parallel_edges="keep")
        graph.add_vertices(range(40))
        graph.add_edges(rows)
        for weight in ("weight", None):
            finder = rz.PathFinder(graph, weight=weight, landmarks=3)
            lengths = {u: nx.single_source_dijkstra_path_length(theirs, u, weight=weight) for u in theirs}
            for u in theirs:
                for v in theirs:
                    path = finder.shortest_path(u, v)
                    assert (None if path is None else path.length) == lengths[u].get(v)


def test_longitudes_and_latitudes() -> None:
    draw = random.Random(5)
    places = {v: (draw.uniform(-180, 180), draw.uniform(-90, 90)) for v in range(90)}

    def apart(u: int, v: int) -> float:
        (a, b), (c, d) = ((math.radians(x), math.radians(y)) for x, y in (places[u], places[v]))
        return 6371 * math.acos(min(1, math.sin(b) * math.sin(d) + math.cos(b) * math.cos(d) * math.cos(a - c)))

    edges = [(u, v, apart(u, v) * draw.uniform(1, 1.2)) for u in places for v in places if u < v and apart(u, v) < 3000]
    graph = rz.open(None, weights="float64", vertices={"lon": "float64", "lat": "float64"})
    degrees = {name: [place[i] for place in places.values()] for i, name in enumerate(("lon", "lat"))}
    graph.add_vertices({"vertex": list(places), **degrees})
    graph.add_edges(edges)
    theirs = nx.Graph()
    theirs.add_nodes_from(places)
    theirs.add_weighted_edges_from(edges)
    finder = rz.PathFinder(graph, ("lon", "lat"), "weight", geographic=True)
    assert finder.scale == pytest.approx(6371, rel=0.02)
    for v in range(1, 90):
        path = finder.shortest_path(0, v)
        if path is None:
            assert not nx.has_path(theirs, 0, v)
            continue
        assert path.length == pytest.approx(nx.dijkstra_path_length(theirs, 0, v), rel=1e-12)
    graph.set_vertices({"vertex": [3], "lat": [90.5]})
    with pytest.raises(rz.InvalidArgumentError, match=r"a latitude is 90\.5"):
        rz.PathFinder(graph, ("lon", "lat"), "weight", geographic=True)


def test_edges_without_weights_count_one() -> None:
    graph, theirs = _roads(3)
    path = rz.shortest_path(graph, "v0", "v9", coordinates=("x", "y"))
    assert path is not None
    assert path.length == nx.shortest_path_length(theirs, "v0", "v9")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"coordinates": ("x",)}, "names 1 columns; give two or three"),
        ({"coordinates": "xy"}, "it must be a list, as in coordinates="),
        ({"coordinates": ("x", "y", "z"), "geographic": True}, "names 3 columns; give longitude and latitude"),
        ({"coordinates": ("x", "town")}, "'town' is not a numeric vertex column; there are x, y"),
        ({"coordinates": ("x", "nowhere")}, "'nowhere' is not a numeric vertex column; there are x, y"),
        ({"coordinates": ("x", "y")}, "vertex 'b' has no value in 'y'"),
        ({"geographic": True}, "name their columns"),
        ({"coordinates": 5}, "coordinates is int; give the names of two or three vertex columns"),
        ({"coordinates": np.zeros((2, 2))}, "coordinates is ndarray; give the names"),
        ({"coordinates": (1, 2)}, "give the names of two or three vertex columns"),
    ],
)
def test_what_is_refused(options: dict[str, Any], said: str) -> None:
    graph = rz.open(None, vertices={"x": "float64", "y": "float64", "town": "string"})
    graph.add_vertices({"vertex": ["a", "b"], "x": [0.0, 1.0], "y": [0.0, None], "town": ["A", "B"]})
    graph.add_edges([("a", "b")])
    with pytest.raises(rz.InvalidArgumentError, match=said):
        rz.shortest_path(graph, "a", "b", **options)


def test_vertices_are_named_by_their_ids() -> None:
    graph = rz.open(None, weights="float64", vertices={"x": "float64", "y": "float64"})
    graph.add_vertices({"vertex": ["a", "b"], "x": [0.0, math.nan], "y": [0.0, 1.0]})
    graph.add_edges([("a", "b", -1.0)])
    with pytest.raises(rz.InvalidArgumentError, match="vertex 'b' has nan in 'x'"):
        rz.PathFinder(graph, ("x", "y"), "weight")
    for value, said in ((math.inf, "inf"), (-1e300, "-1e+300")):
        graph.set_vertices({"vertex": ["b"], "x": [value]})
        with pytest.raises(rz.InvalidArgumentError, match=re.escape(f"vertex 'b' has {said} in 'x'")):
            rz.PathFinder(graph, ("x", "y"), "weight", geographic=True)
    graph.set_vertices({"vertex": ["b"], "x": [1.0]})
    with pytest.raises(rz.InvalidArgumentError, match=r"'a' -> 'b'|'b' -> 'a'"):
        rz.PathFinder(graph, ("x", "y"), "weight")


def test_the_finder_keeps_its_state() -> None:
    graph, _ = _roads(1)
    finder = rz.PathFinder(graph, ("x", "y"), "km")
    before = finder.shortest_path("v0", "v9")
    assert before is not None
    assert len(before) > 2
    graph.add_edges({"source": ["v0"], "target": ["v9"], "km": [1e-6]})
    assert finder.shortest_path("v0", "v9") == before
    assert rz.shortest_path(graph, "v0", "v9", "km", coordinates=("x", "y")) == ["v0", "v9"]
    assert "weight='km'" in repr(finder)


def test_networkx_searches_by_it(monkeypatch: pytest.MonkeyPatch) -> None:
    graph, theirs = _roads(2)
    finder = rz.PathFinder(graph, ("x", "y"), "km")
    asked = []
    found = stored_several_paths._by_coordinates
    monkeypatch.setattr(stored_several_paths, "_by_coordinates", lambda *a: asked.append(a) or found(*a))
    for v in ("v0", "v1", "v50"):
        expected = nx.dijkstra_path_length(theirs, "v0", v, "km")
        assert nx.astar_path_length(graph, "v0", v, finder, "km") == pytest.approx(expected, rel=1e-12)
        assert nx.astar_path_length(theirs, "v0", v, finder, "km") == pytest.approx(expected, rel=1e-12)
        assert nx.path_weight(theirs, nx.astar_path(graph, "v0", v, finder, "km"), "km") == pytest.approx(expected)
    assert len(asked) == 6
    graph.add_edges({"source": ["v0"], "target": ["v50"], "km": [1e-6]})  # shorter than the finder's bound
    assert nx.astar_path(graph, "v0", "v50", finder, "km") == ["v0", "v50"]
    graph.add_vertices({"vertex": ["apart"], "x": [0.0], "y": [0.0]})
    with pytest.raises(nx.NetworkXNoPath):
        nx.astar_path(graph, "v0", "apart", finder, "km")


def test_the_command(tmp_path: Any, rizoma: Any) -> None:
    graph, theirs = _roads(2)
    graph.copy_to(tmp_path / "roads.rz")
    done = rizoma("path", tmp_path / "roads.rz", "v0", "v50", "--weight", "km", "--coordinates", "x,y", "--json")
    assert json.loads(done.stdout)["length"] == pytest.approx(nx.dijkstra_path_length(theirs, "v0", "v50", "km"))
