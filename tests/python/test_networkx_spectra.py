"""Eigenvectors of Laplacians: what they must fulfil, and what NetworkX orders and cuts by its own."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import rizoma as rz
from networkx_cases import graphs

METHODS = ["tracemin_pcg", "tracemin_lu", "lobpcg"]
LARGE = {
    "long": nx.path_graph(600),
    "wide": nx.connected_watts_strogatz_graph(500, 6, 0.3, seed=1),
    "two parts": nx.barbell_graph(120, 30),
}


def connected_graphs():
    for name, graph in graphs():
        if not graph.is_directed() and len(graph) > 1:
            core = max(nx.connected_components(graph), key=len)
            yield name, nx.convert_node_labels_to_integers(graph.subgraph(core).copy())


CASES = {**dict(connected_graphs()), **LARGE}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("normalized", [False, True])
@pytest.mark.parametrize("name", sorted(CASES))
def test_they_are_eigenvectors_of_the_second_eigenvalue(name, normalized, method):
    graph = CASES[name]
    matrix = (nx.normalized_laplacian_matrix if normalized else nx.laplacian_matrix)(graph).toarray()
    if not normalized or not nx.number_of_selfloops(graph):  # NetworkX's normalized matrix counts loops
        second = np.linalg.eigvalsh(matrix)[1]
        options = {"normalized": normalized, "method": method, "seed": 1, "backend": "rizoma"}
        assert nx.algebraic_connectivity(graph, **options) == pytest.approx(second, rel=1e-6)
        vector = nx.fiedler_vector(graph, **options)
        assert np.linalg.norm(matrix @ vector - second * vector) < 1e-5 * np.linalg.norm(vector)


def test_a_path_is_ordered_and_cut_in_the_middle():
    path = [(7 * i) % 501 for i in range(501)]
    graph = nx.path_graph(path)
    order = nx.spectral_ordering(graph, seed=1, backend="rizoma")
    assert order in (path, path[::-1])
    graph.remove_node(path[250])
    order = nx.spectral_ordering(graph, seed=1, backend="rizoma")
    assert order[:250] in (path[:250], path[:250][::-1])
    assert order[250:] in (path[251:], path[251:][::-1])
    assert nx.algebraic_connectivity(graph, backend="rizoma") == 0.0
    with pytest.raises(nx.NetworkXError, match="not connected"):
        nx.fiedler_vector(graph, backend="rizoma")
    even = nx.path_graph(path[:500])
    assert nx.spectral_bisection(even, seed=1, backend="rizoma") == (set(path[:250]), set(path[250:500]))


def test_weights_count_by_their_absolute_values_in_both_directions():
    rows = [("a", "b", -2), ("b", "a", 2), ("b", "c", 0.5), ("c", "d", 3), ("d", "d", 9)]
    arcs, both = nx.MultiDiGraph(), nx.MultiGraph()
    arcs.add_weighted_edges_from(rows)
    both.add_weighted_edges_from(rows)
    plain = nx.Graph()
    plain.add_weighted_edges_from([("a", "b", 4), ("b", "c", 0.5), ("c", "d", 3)])
    for graph in (arcs, plain):
        assert nx.spectral_ordering(graph, backend="rizoma") in (list("abcd"), list("dcba"))
    found = nx.algebraic_connectivity(both, backend="rizoma")
    assert found == pytest.approx(nx.algebraic_connectivity(plain, backend="networkx"), rel=1e-6)
    plain.add_edge("b", "c", weight=0)
    assert nx.algebraic_connectivity(plain, backend="rizoma") == 0.0


def test_of_a_stored_graph():
    stored = rz.open(None, weights=True)
    stored.add_edges([("a", "b", 5.0), ("b", "c", 1.0), ("c", "d", 5.0)])
    assert nx.spectral_bisection(stored) == ({"a", "b"}, {"c", "d"})
    assert nx.algebraic_connectivity(stored) == pytest.approx(nx.algebraic_connectivity(stored.to_networkx()))
