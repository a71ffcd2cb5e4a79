"""Paths, motifs, walks and samples against NetworkX, and against counting by hand."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import combinations, pairwise

import networkx as nx
import numpy as np
import pytest
import rizoma as rz


def stored(graph: nx.Graph, name=lambda v: v, **options) -> rz.Graph:
    out = rz.open(None, directed=graph.is_directed(), **options)
    out.add_vertices([name(v) for v in graph])
    out.add_edges([(name(u), name(v)) for u, v in graph.edges])
    return out


@pytest.mark.parametrize("seed", range(4))
def test_paths_are_networkx_s(seed):
    given = nx.gnm_random_graph(12, 24, seed=seed, directed=seed % 2 == 0)
    graph = stored(given, name=lambda v: f"v{v}")
    named = nx.relabel_nodes(given, lambda v: f"v{v}")
    for u, v in [(f"v{a}", f"v{b}") for a, b in combinations(range(12), 2)]:
        path = rz.shortest_path(graph, u, v)
        if not nx.has_path(named, u, v):
            assert path is None
            continue
        assert (path[0], path[-1]) == (u, v)
        assert len(path) - 1 == nx.shortest_path_length(named, u, v)
        assert all(named.has_edge(x, y) for x, y in pairwise(path))
    assert rz.shortest_path(graph, "v3", "v3") == ["v3"]
    simple = sorted(rz.all_simple_paths(graph, "v0", "v5", 4))
    assert simple == sorted(nx.all_simple_paths(named, "v0", "v5", 4))
    with pytest.raises(rz.VertexNotFoundError):
        rz.shortest_path(graph, "v0", "nobody")


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    "columns", [{"weight": "float64"}, {"km": "int32", "name": "string"}, {"weight": "int32", "name": "string"}]
)
def test_weighted_paths_are_networkx_s(seed, columns):
    """Directed graphs with and without stored in-edges, undirected ones, parallel edges; weights and columns."""
    rng = np.random.default_rng(seed)
    given = nx.gnm_random_graph(30, 70, seed=seed, directed=seed % 3 != 0)
    weight = next(iter(columns))
    parallel = "keep" if seed % 2 else "merge"
    graph = rz.open(None, directed=given.is_directed(), edges=columns, parallel_edges=parallel, in_edges=seed != 1)
    graph.add_vertices([f"v{v}" for v in given])
    least: dict[tuple[int, int], float] = {}
    rows = []
    for u, v in [*given.edges, *(list(given.edges)[:20] if parallel == "keep" else [])]:
        length = int(rng.integers(0, 9))
        rows.append({"source": f"v{u}", "target": f"v{v}", weight: length, "name": f"{u}-{v}-{length}"})
        least[u, v] = min(length, least.get((u, v), 99))
    nx.set_edge_attributes(given, least, "km")
    graph.add_edges([{name: row[name] for name in ("source", "target", *columns)} for row in rows])
    for u, v in list(combinations(range(30), 2))[::7]:
        path = rz.shortest_path(graph, f"v{u}", f"v{v}", weight=weight)
        if not nx.has_path(given, u, v):
            assert path is None
            continue
        assert path.length == nx.dijkstra_path_length(given, u, v, weight="km")
        assert (path[0], path[-1]) == (f"v{u}", f"v{v}")
        table = path.edges
        assert table.column_names == ["source", "target", *sorted(columns, key=lambda name: name != "weight")]
        assert table["source"].to_pylist() == path[:-1]
        assert table["target"].to_pylist() == path[1:]
        assert sum(table[weight].to_pylist()) == path.length
        for row in table.to_pylist():
            assert least_of(least, given, row) == row[weight]
            assert "name" not in row or row["name"].endswith(f"-{row[weight]}")


def least_of(least, given, row):
    u, v = int(row["source"][1:]), int(row["target"][1:])
    return least[u, v] if given.is_directed() or (u, v) in least else least[v, u]


def test_paths_name_what_is_wrong():
    graph = rz.open(None, directed=True, edges={"km": "float64"})
    graph.add_edges([{"source": "a", "target": "b", "km": -1.5}, {"source": "b", "target": "c", "km": 2}])
    with pytest.raises(rz.InvalidArgumentError, match=r"'a' -> 'b' .*-1\.5.*weights must be 0 or more"):
        rz.shortest_path(graph, "a", "c", weight="km")
    with pytest.raises(rz.InvalidArgumentError, match="is not an edge column"):
        rz.shortest_path(graph, "a", "c", weight="miles")
    assert rz.shortest_path(graph, "a", "c") == ["a", "b", "c"]
    assert rz.shortest_path(graph, "a", "c").length == 2
    assert rz.shortest_path(graph, "c", "a") is None
    assert rz.shortest_path(graph, "c", "c", weight="km").edges.num_rows == 0


def test_common_neighbors_are_networkx_s():
    given = nx.gnm_random_graph(15, 40, seed=3)
    graph = stored(given)
    for u, v in combinations(given, 2):
        assert sorted(rz.common_neighbors(graph, u, v)) == sorted(nx.common_neighbors(given, u, v))


SHAPES = {
    (1, 1, 2, 2): "path",
    (1, 1, 1, 3): "star",
    (2, 2, 2, 2): "cycle",
    (1, 2, 2, 3): "tailed_triangle",
    (2, 2, 3, 3): "diamond",
    (3, 3, 3, 3): "clique",
    (1, 1, 2): "path",
    (2, 2, 2): "triangle",
}

FIVE = {
    "path": [(0, 1), (1, 2), (2, 3), (3, 4)],
    "fork": [(0, 1), (0, 2), (0, 3), (3, 4)],
    "star": [(0, 1), (0, 2), (0, 3), (0, 4)],
    "cycle": [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)],
    "banner": [(0, 1), (1, 2), (2, 3), (3, 0), (0, 4)],
    "bull": [(0, 1), (1, 2), (2, 0), (0, 3), (1, 4)],
    "cricket": [(0, 1), (1, 2), (2, 0), (0, 3), (0, 4)],
    "tadpole": [(0, 1), (1, 2), (2, 0), (0, 3), (3, 4)],
    "k_2_3": [(0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4)],
    "house": [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (0, 2)],
    "butterfly": [(0, 1), (1, 2), (2, 0), (0, 3), (3, 4), (4, 0)],
    "dart": [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (0, 4)],
    "kite": [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 4)],
    "lollipop": [*combinations(range(4), 2), (0, 4)],
    "gem": [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (2, 3), (3, 4)],
    "book": [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (0, 4), (1, 4)],
    "wheel_minus_spoke": [(0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3)],
    "wheel": [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (2, 3), (3, 4), (4, 1)],
    "clique_minus_path": [*combinations(range(4), 2), (0, 4), (1, 4)],
    "clique_minus_edge": [edge for edge in combinations(range(5), 2) if edge != (0, 1)],
    "clique": [*combinations(range(5), 2)],
}


def atlas_name(part, known):
    found = [name for name, shape in known.items() if nx.faster_could_be_isomorphic(part, shape)]
    return next(name for name in found if nx.is_isomorphic(part, known[name]))


@pytest.mark.parametrize(("n", "m"), [(12, 14), (12, 25), (11, 35), (10, 40), (9, 36)])
def test_motifs_of_five_are_those_of_all_subsets(n, m):
    known = {name: nx.Graph(edges) for name, edges in FIVE.items()}
    given = nx.gnm_random_graph(n, m, seed=m)
    expected = dict.fromkeys(FIVE, 0)
    for vertices in combinations(given, 5):
        part = given.subgraph(vertices)
        if nx.is_connected(part):
            expected[atlas_name(part, known)] += 1
    assert rz.motifs(stored(given), 5) == expected


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("size", [3, 4])
def test_motifs_are_those_of_all_subsets(seed, size):
    given = nx.gnm_random_graph(13, 20 + 12 * seed, seed=seed)
    expected: dict[str, int] = {}
    for vertices in combinations(given, size):
        part = given.subgraph(vertices)
        shape = SHAPES.get(tuple(sorted(d for _, d in part.degree)))
        if shape is not None and nx.is_connected(part):
            expected[shape] = expected.get(shape, 0) + 1
    found = rz.motifs(stored(given), size)
    assert {shape: n for shape, n in found.items() if n} == expected


def test_motifs_need_a_simple_graph():
    looped = nx.Graph([(0, 0), (0, 1)])
    with pytest.raises(rz.UnsupportedError, match="without self-loops"):
        rz.motifs(stored(looped))
    with pytest.raises(rz.UnsupportedError, match="directed"):
        rz.motifs(stored(nx.DiGraph([(0, 1)])))
    with pytest.raises(rz.InvalidArgumentError, match="size is 6"):
        rz.motifs(stored(nx.path_graph(3)), 6)


def test_walks_follow_edges_and_are_those_of_the_seed():
    given = nx.gnm_random_graph(40, 100, seed=1, directed=True)
    graph = stored(given, name=lambda v: f"v{v}")
    starts = [f"v{v}" for v in range(40)] * 20
    walks = rz.random_walks(graph, starts, 5, seed=9, threads=1)
    assert walks.equals(rz.random_walks(graph, starts, 5, seed=9, threads=3))
    assert not walks.equals(rz.random_walks(graph, starts, 5, seed=10))
    assert walks["step0"].to_pylist() == starts
    for row in walks.to_pylist():
        for u, v in zip(list(row.values()), list(row.values())[1:], strict=False):
            if v is None:
                assert u is None or given.out_degree(int(u[1:])) == 0
            else:
                assert given.has_edge(int(u[1:]), int(v[1:]))
    back = rz.random_walks(graph, ["v7"], 1, in_edges=True)["step1"].to_pylist()[0]
    assert back is None or given.has_edge(int(back[1:]), 7)


def test_sampled_neighbors_are_different_entries():
    given = nx.gnm_random_graph(30, 200, seed=2, directed=True)
    graph = stored(given)
    drawn = rz.sample_neighbors(graph, range(30), 4, seed=5, threads=1)
    assert drawn.equals(rz.sample_neighbors(graph, range(30), 4, seed=5, threads=3))
    pairs = list(zip(*drawn.to_pydict().values(), strict=True))
    assert len(set(pairs)) == len(pairs)
    assert all(given.has_edge(u, v) for u, v in pairs)
    counts = np.bincount([u for u, _ in pairs], minlength=30)
    assert counts.tolist() == [min(4, given.out_degree(v)) for v in range(30)]
    into = rz.sample_neighbors(graph, [3], 100, in_edges=True)
    assert sorted(into["source"].to_pylist()) == sorted(given.predecessors(3))
    with pytest.raises(rz.VertexNotFoundError, match="no vertex 99"):
        rz.sample_neighbors(graph, [99], 1)


@pytest.mark.parametrize("seed", range(8))
def test_networkx_s_paths_on_a_store_are_its_own(seed):
    """Equal paths among equally short ones, lengths of the same type, the same errors; no column, weights, a column."""
    rng = np.random.default_rng(seed)
    given = nx.gnm_random_graph(60, 110 + 20 * (seed % 3), seed=seed, directed=seed % 2 == 0)
    columns = ({}, {"weight": "int32"}, {"km": "float64"}, {"weight": "float32", "km": "int64"})[seed % 4]
    for u, v in given.edges:
        given.edges[u, v].update(
            {name: float(w) if "float" in columns[name] else w for name in columns for w in [int(rng.integers(0, 4))]}
        )
    graph = rz.read(given, order="given") if not columns else rz.open(None, directed=given.is_directed(), edges=columns)
    if columns:
        graph.add_vertices(list(given))
        graph.add_edges([{"source": u, "target": v, **given.edges[u, v]} for u, v in given.edges])
    like = type(given)()
    like.add_nodes_from(graph)
    for u in graph:
        like.add_edges_from((u, v, given.edges[u, v]) for v in graph.neighbors(u))
    for u, v in list(combinations(range(60), 2))[::23]:
        for weight in ("weight", *columns):
            for call in (nx.dijkstra_path, nx.dijkstra_path_length, nx.shortest_path, nx.shortest_path_length):
                assert outcome(call, graph, u, v, weight=weight) == outcome(call, like, u, v, weight=weight)
        assert outcome(nx.has_path, graph, u, v) == outcome(nx.has_path, like, u, v)
        assert outcome(nx.shortest_path_length, graph, u, v) == outcome(nx.shortest_path_length, like, u, v)
    assert outcome(nx.dijkstra_path, graph, 0, "nobody") == outcome(nx.dijkstra_path, like, 0, "nobody")


def outcome(call, *args, **kwargs):
    try:
        answer = call(*args, **kwargs)
    except nx.NetworkXException as error:
        return type(error), str(error)
    return type(answer), answer


def test_threads_that_ask_at_once_and_changes_between_calls_get_the_least_length():
    given = nx.gnm_random_graph(1500, 3000, seed=1)
    draw = np.random.default_rng(1)
    rows = [(u, v, int(draw.integers(0, 99))) for u, v in given.edges]
    graph = rz.open(None, weights="int32")
    graph.add_vertices(range(1500))
    for begin in (0, 1500):
        graph.add_edges(rows[begin : begin + 1500])
        there = nx.Graph()
        there.add_nodes_from(range(1500))
        there.add_weighted_edges_from(rows[: begin + 1500])
        lengths = nx.single_source_dijkstra_path_length(there, 0)

        def length(v):
            path = rz.shortest_path(graph, 0, v, "weight")
            return None if path is None else path.length

        with ThreadPoolExecutor(4) as threads:
            assert list(threads.map(length, range(1500))) == [lengths.get(v) for v in range(1500)]
