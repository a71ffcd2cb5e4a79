"""Kernels on a graph with changes waiting answer as on the same graph with its changes folded in, and loaded again."""

import numpy as np
import pytest
import rizoma as rz

VERTICES = 400
OF_NUMBERING = {"edges", "scipy", "colours", "louvain", "leiden", "labels"}  # depend on the order of vertices inside


def answer(call):
    """What it returns, or which error it is."""
    try:
        return call()
    except rz.RizomaError as error:
        return type(error).__name__


def partition(result):
    groups = {}
    for vertex, label in result.to_dict().items():
        groups.setdefault(label, []).append(vertex)
    return sorted(sorted(group) for group in groups.values())


def rounded(result):
    return {vertex: np.round(value, 9).tolist() for vertex, value in result.to_dict().items()}


CALLS = {
    "pagerank": lambda g: rounded(rz.pagerank(g, tol=1e-12, threads=1)),
    "weighted pagerank": lambda g: rounded(rz.pagerank(g, weight="weight", tol=1e-12, threads=1)),
    "bfs": lambda g: rz.bfs(g, 0).to_dict(),
    "sssp": lambda g: rz.sssp(g, 0).to_dict(),
    "betweenness": lambda g: rounded(rz.betweenness_centrality(g, threads=1)),
    "components": lambda g: partition(rz.connected_components(g)),
    "strong components": lambda g: partition(rz.strongly_connected_components(g)),
    "triangles": lambda g: rz.triangle_count(g).to_dict(),
    "cores": lambda g: rz.core_number(g).to_dict(),
    "clustering": lambda g: rounded(rz.clustering(g)),
    "squares": lambda g: rounded(rz.square_clustering(g)),
    "closeness": lambda g: rounded(rz.closeness_centrality(g)),
    "harmonic": lambda g: rounded(rz.harmonic_centrality(g, threads=1)),
    "katz": lambda g: rounded(rz.katz_centrality(g, alpha=0.01, threads=1)),
    "truss": lambda g: rz.k_truss(g, 3).to_dict(),
    "in-degrees": lambda g: g.degrees(in_edges=True).to_dict(),
    "eccentricity": lambda g: rz.eccentricity(g).to_dict(),
    "colours": lambda g: rz.greedy_color(g).to_dict(),
    "louvain": lambda g: partition(rz.louvain(g, seed=1, threads=1)),
    "leiden": lambda g: partition(rz.leiden(g, seed=1, threads=1)),
    "labels": lambda g: partition(rz.label_propagation(g, seed=1, threads=1)),
    "edges": lambda g: sorted(map(tuple, g.edges.to_pandas().to_numpy().tolist())),
    "scipy": lambda g: g.to_scipy().toarray().tolist(),
    "matches": lambda g: g.match("(a)-->(b)-->(c)-->(a)").count(),
}


def random_pairs(rng, count):
    return rng.integers(0, VERTICES, (count, 2))


def edges_of(pairs, rng, weights):
    table = {"source": pairs[:, 0], "target": pairs[:, 1]}
    if weights:
        table["weight"] = rng.integers(1, 9, len(pairs)).astype(weights)
    return table


def living(directed, weights, parallel_edges):
    """A graph that was loaded and then changed a little, in every way."""
    rng = np.random.default_rng(3)
    graph = rz.open(None, directed=directed, weights=weights, parallel_edges=parallel_edges, ids="dense")
    pairs = random_pairs(rng, 4000)
    graph.add_edges(edges_of(pairs, rng, weights))
    graph.compact()
    graph.add_edges(edges_of(random_pairs(rng, 12), rng, weights))
    graph.remove_edges(pairs[:9])
    if weights:
        graph.set_weights(edges_of(pairs[20:29], rng, weights))
    graph.remove_vertices([17])
    return graph


@pytest.mark.parametrize("parallel_edges", ["merge", "keep"])
@pytest.mark.parametrize("weights", [None, "int32", "float64"])
@pytest.mark.parametrize("directed", [False, True])
def test_answers_do_not_depend_on_where_changes_lie(directed, weights, parallel_edges):
    with living(directed, weights, parallel_edges) as graph:
        assert graph.info().pending_entries > 0
        edges = graph.edges.to_arrow()
        found = {name: answer(lambda call=call: call(graph)) for name, call in CALLS.items()}
        assert graph.info().pending_entries > 0
        graph.compact()
        assert graph.info().pending_entries == 0
        for name, call in CALLS.items():
            assert answer(lambda call=call: call(graph)) == found[name], name
        with rz.open(None, directed=directed, weights=weights, parallel_edges=parallel_edges, ids="dense") as fresh:
            fresh.add_vertices([VERTICES - 1])
            fresh.add_edges(edges)
            fresh.remove_vertices([17])
            for name in CALLS.keys() - OF_NUMBERING:
                assert answer(lambda call=CALLS[name]: call(fresh)) == found[name], name
