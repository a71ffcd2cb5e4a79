"""A call that breaks each precondition that a function states below "Raises:", and the error that comes of it.

tools/check_preconditions.py compares the rows with the docstrings, and those of C++ with the headers.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rizoma as rz

ROOT = Path(__file__).parents[2]

ROWS = [
    (
        "betweenness_centrality",
        "k is not from 1 to the number of vertices",
        "rz.betweenness_centrality(g, k=0)",
        "InvalidArgumentError",
    ),
    (
        "betweenness_centrality",
        "k is not from 1 to the number of vertices",
        "rz.betweenness_centrality(g, k=5)",
        "InvalidArgumentError",
    ),
    (
        "betweenness_centrality",
        "too many shortest paths to count",
        "rz.betweenness_centrality(many_paths, k=1, seed=1)",
        "UnsupportedError",
    ),
    (
        "betweenness_centrality",
        "both k and epsilon",
        "rz.betweenness_centrality(g, k=2, epsilon=0.1)",
        "InvalidArgumentError",
    ),
    (
        "betweenness_centrality",
        "epsilon or delta is not between 0 and 1",
        "rz.betweenness_centrality(g, epsilon=1)",
        "InvalidArgumentError",
    ),
    (
        "betweenness_centrality",
        "epsilon or delta is not between 0 and 1",
        "rz.betweenness_centrality(g, delta=0)",
        "InvalidArgumentError",
    ),
    (
        "closeness_centrality",
        "both k and epsilon",
        "rz.closeness_centrality(g, k=2, epsilon=0.1)",
        "InvalidArgumentError",
    ),
    (
        "closeness_centrality",
        "epsilon or delta is not between 0 and 1",
        "rz.closeness_centrality(g, epsilon=1)",
        "InvalidArgumentError",
    ),
    (
        "closeness_centrality",
        "epsilon or delta is not between 0 and 1",
        "rz.closeness_centrality(g, delta=0)",
        "InvalidArgumentError",
    ),
    (
        "closeness_centrality",
        "k is not from 1 to the number of vertices",
        "rz.closeness_centrality(g, k=0)",
        "InvalidArgumentError",
    ),
    (
        "harmonic_centrality",
        "both k and epsilon",
        "rz.harmonic_centrality(g, k=2, epsilon=0.1)",
        "InvalidArgumentError",
    ),
    (
        "harmonic_centrality",
        "epsilon or delta is not between 0 and 1",
        "rz.harmonic_centrality(g, epsilon=1)",
        "InvalidArgumentError",
    ),
    (
        "harmonic_centrality",
        "epsilon or delta is not between 0 and 1",
        "rz.harmonic_centrality(g, delta=0)",
        "InvalidArgumentError",
    ),
    (
        "harmonic_centrality",
        "k is not from 1 to the number of vertices",
        "rz.harmonic_centrality(g, k=0)",
        "InvalidArgumentError",
    ),
    ("closeness_centrality", "a sample in a directed graph", "rz.closeness_centrality(d, k=1)", "UnsupportedError"),
    (
        "betweenness_centrality",
        "epsilon in a directed graph without in-edges",
        "rz.betweenness_centrality(no_in_edges, epsilon=0.3)",
        "UnsupportedError",
    ),
    ("bfs", "`source` is not a vertex of the graph", "rz.bfs(g, 9)", "VertexNotFoundError"),
    ("bfs", "`source` is not a vertex of the graph", "rz.bfs(g, removed)", "VertexNotFoundError"),
    ("bfs", "`max_depth` is below 0", "rz.bfs(g, 0, max_depth=-1)", "InvalidArgumentError"),
    ("clustering", "`definition` is not known", "rz.clustering(g, definition='other')", "InvalidArgumentError"),
    (
        "connected_components",
        "`start` without `changed`, or `changed` without `start`",
        "rz.connected_components(g, start=rz.connected_components(g))",
        "InvalidArgumentError",
    ),
    (
        "connected_components",
        "`start` without `changed`, or `changed` without `start`",
        "rz.connected_components(g, changed=[0])",
        "InvalidArgumentError",
    ),
    (
        "connected_components",
        "`start` is not a result of this function",
        "rz.connected_components(g, start=rz.pagerank(g), changed=[0])",
        "InvalidArgumentError",
    ),
    (
        "connected_components",
        "`changed` names a vertex that is neither in the graph nor in `start`",
        "rz.connected_components(g, start=rz.connected_components(g), changed=[9])",
        "VertexNotFoundError",
    ),
    ("greedy_color", "`strategy` is not known", "rz.greedy_color(g, strategy='other')", "InvalidArgumentError"),
    ("greedy_color", "the graph is directed", "rz.greedy_color(d)", "UnsupportedError"),
    (
        "influence_maximization",
        "k is not from 1 to the number of vertices that are left",
        "rz.influence_maximization(g, k=0)",
        "InvalidArgumentError",
    ),
    (
        "influence_maximization",
        "k is not from 1 to the number of vertices that are left",
        "rz.influence_maximization(g, k=4, seeds=[0])",
        "InvalidArgumentError",
    ),
    (
        "influence_maximization",
        "epsilon, delta, a probability or a weight is out of range or no number",
        "rz.influence_maximization(g, k=1, epsilon=0)",
        "InvalidArgumentError",
    ),
    (
        "influence_maximization",
        "epsilon, delta, a probability or a weight is out of range or no number",
        "rz.influence_maximization(g, k=1, delta=2)",
        "InvalidArgumentError",
    ),
    (
        "influence_maximization",
        "epsilon, delta, a probability or a weight is out of range or no number",
        "rz.influence_maximization(g, k=1, probability=1.5)",
        "InvalidArgumentError",
    ),
    (
        "influence_maximization",
        "epsilon, delta, a probability or a weight is out of range or no number",
        "rz.influence_maximization(g, k=1, weights={0: nan})",
        "InvalidArgumentError",
    ),
    (
        "influence_maximization",
        "no vertex has a weight above 0",
        "rz.influence_maximization(g, k=1, weights={0: 0})",
        "InvalidArgumentError",
    ),
    (
        "influence_maximization",
        "`seeds` or `weights` names no vertex of the graph",
        "rz.influence_maximization(g, k=1, seeds=[9])",
        "VertexNotFoundError",
    ),
    (
        "influence_maximization",
        "`seeds` or `weights` names no vertex of the graph",
        "rz.influence_maximization(g, k=1, weights={9: 1})",
        "VertexNotFoundError",
    ),
    ("k_truss", "the graph is directed", "rz.k_truss(d, 3)", "UnsupportedError"),
    ("katz_centrality", "the scores grow without bound", "rz.katz_centrality(g, alpha=10)", "InvalidArgumentError"),
    (
        "katz_centrality",
        "alpha, beta or tol is out of range",
        "rz.katz_centrality(g, alpha=nan)",
        "InvalidArgumentError",
    ),
    ("katz_centrality", "alpha, beta or tol is out of range", "rz.katz_centrality(g, tol=-1)", "InvalidArgumentError"),
    (
        "label_propagation",
        "a weight is negative or not a number",
        "rz.label_propagation(negative, weight='weight')",
        "InvalidArgumentError",
    ),
    (
        "label_propagation",
        "a weight is negative or not a number",
        "rz.label_propagation(no_number, weight='amount')",
        "InvalidArgumentError",
    ),
    ("label_propagation", "changed= without start=", "rz.label_propagation(g, changed=[0])", "InvalidArgumentError"),
    (
        "label_propagation",
        "`changed` names no vertex of the graph (of `start` those are left out that are none)",
        "rz.label_propagation(g, start=rz.label_propagation(g), changed=[9])",
        "VertexNotFoundError",
    ),
    ("leiden", "a weight or a size is negative", "rz.leiden(negative, weight='weight')", "InvalidArgumentError"),
    (
        "leiden",
        "a weight or a size is negative",
        "rz.leiden(g, objective='cpm', sizes={0: -1})",
        "InvalidArgumentError",
    ),
    ("leiden", "`objective` is unknown", "rz.leiden(g, objective='surprise')", "InvalidArgumentError"),
    (
        "leiden",
        '`sizes` with "modularity" or "rb"',
        "rz.leiden(g, objective='rb', sizes={0: 1})",
        "InvalidArgumentError",
    ),
    ("leiden", "`fixed` or `sizes` names no vertex of the graph", "rz.leiden(g, fixed=[9])", "VertexNotFoundError"),
    (
        "leiden",
        "`fixed` or `sizes` names no vertex of the graph",
        "rz.leiden(g, objective='cpm', sizes={9: 1})",
        "VertexNotFoundError",
    ),
    (
        "leiden",
        "`resolution`, `threshold` or `iterations` is out of range",
        "rz.leiden(g, resolution=-1)",
        "InvalidArgumentError",
    ),
    (
        "leiden",
        "`resolution`, `threshold` or `iterations` is out of range",
        "rz.leiden(g, threshold=-1)",
        "InvalidArgumentError",
    ),
    (
        "leiden",
        "`resolution`, `threshold` or `iterations` is out of range",
        "rz.leiden(g, iterations=0)",
        "InvalidArgumentError",
    ),
    ("leiden", "`changed` without `start`", "rz.leiden(g, changed=[0])", "InvalidArgumentError"),
    ("louvain", "a weight or a size is negative", "rz.louvain(negative, weight='weight')", "InvalidArgumentError"),
    (
        "louvain",
        "a weight or a size is negative",
        "rz.louvain(g, objective='rber', sizes={0: -1})",
        "InvalidArgumentError",
    ),
    ("louvain", "`objective` is unknown", "rz.louvain(g, objective='map')", "InvalidArgumentError"),
    ("louvain", '`sizes` with "modularity" or "rb"', "rz.louvain(g, sizes={0: 1})", "InvalidArgumentError"),
    ("louvain", "`fixed` or `sizes` names no vertex of the graph", "rz.louvain(g, fixed=[9])", "VertexNotFoundError"),
    ("louvain", "`resolution` or `threshold` is out of range", "rz.louvain(g, resolution=-1)", "InvalidArgumentError"),
    ("louvain", "`resolution` or `threshold` is out of range", "rz.louvain(g, threshold=nan)", "InvalidArgumentError"),
    ("louvain", "`changed` without `start`", "rz.louvain(g, changed=[0])", "InvalidArgumentError"),
    ("single_linkage", "the graph is directed", "rz.single_linkage(d)", "UnsupportedError"),
    ("single_linkage", "`weight` is no numeric edge column", "rz.single_linkage(g, 'color')", "InvalidArgumentError"),
    ("single_linkage", "a weight is NaN", "rz.single_linkage(no_number, 'amount')", "InvalidArgumentError"),
    (
        "connected_components",
        "`thresholds` with `start`, empty or NaN",
        "rz.connected_components(no_number, thresholds=[], weight='amount')",
        "InvalidArgumentError",
    ),
    (
        "connected_components",
        "`weight` is no numeric edge column, or given without `thresholds`",
        "rz.connected_components(g, thresholds=[1], weight='color')",
        "InvalidArgumentError",
    ),
    (
        "connected_components",
        "`weight` is no numeric edge column, or given without `thresholds`",
        "rz.connected_components(no_number, weight='amount')",
        "InvalidArgumentError",
    ),
    ("minimum_spanning_tree", "the graph is directed", "rz.minimum_spanning_tree(d)", "UnsupportedError"),
    (
        "minimum_spanning_tree",
        "a weight is NaN",
        "rz.minimum_spanning_tree(no_number, weight='amount')",
        "InvalidArgumentError",
    ),
    (
        "minimum_spanning_tree",
        "`weight` is no numeric edge column, or None in a graph with weights",
        "rz.minimum_spanning_tree(g, weight='color')",
        "InvalidArgumentError",
    ),
    (
        "minimum_spanning_tree",
        "`weight` is no numeric edge column, or None in a graph with weights",
        "rz.minimum_spanning_tree(negative, weight=None)",
        "InvalidArgumentError",
    ),
    ("pagerank", "alpha, tol or max_iter is out of range", "rz.pagerank(g, alpha=1)", "InvalidArgumentError"),
    ("pagerank", "alpha, tol or max_iter is out of range", "rz.pagerank(g, tol=nan)", "InvalidArgumentError"),
    ("pagerank", "alpha, tol or max_iter is out of range", "rz.pagerank(g, max_iter=-1)", "InvalidArgumentError"),
    (
        "pagerank",
        "the shares are negative or sum to 0",
        "rz.pagerank(g, personalization={0: -1})",
        "InvalidArgumentError",
    ),
    (
        "pagerank",
        "the shares are negative or sum to 0",
        "rz.pagerank(g, personalization={0: 0})",
        "InvalidArgumentError",
    ),
    ("pagerank", "a weight is negative", "rz.pagerank(negative, weight='weight')", "InvalidArgumentError"),
    (
        "pagerank",
        "both start and nstart are given",
        "rz.pagerank(g, start=rz.pagerank(g), nstart={0: 1})",
        "InvalidArgumentError",
    ),
    ("square_clustering", "the graph is directed", "rz.square_clustering(d)", "UnsupportedError"),
    ("sssp", "`source` is not a vertex of the graph", "rz.sssp(g, 9)", "VertexNotFoundError"),
    ("sssp", "a weight is negative", "rz.sssp(negative, 0)", "InvalidArgumentError"),
    ("sssp", "delta is not a number, 0 or more", "rz.sssp(g, 0, delta=-1)", "InvalidArgumentError"),
    ("sssp", "delta is not a number, 0 or more", "rz.sssp(g, 0, delta=nan)", "InvalidArgumentError"),
    (
        "topological_generations",
        "the graph is undirected or has a cycle",
        "rz.topological_generations(g)",
        "InvalidArgumentError",
    ),
    (
        "topological_generations",
        "the graph is undirected or has a cycle",
        "rz.topological_generations(d)",
        "InvalidArgumentError",
    ),
    ("shortest_path", "an end is not in the graph", "rz.shortest_path(g, 0, 9)", "VertexNotFoundError"),
    ("shortest_path", "an end is not in the graph", "rz.shortest_path(g, removed, 0)", "VertexNotFoundError"),
    (
        "shortest_path",
        "there is no such weight, or one on the way is negative or NaN",
        "rz.shortest_path(g, 0, 2, weight='miles')",
        "InvalidArgumentError",
    ),
    (
        "shortest_path",
        "there is no such weight, or one on the way is negative or NaN",
        "rz.shortest_path(negative, 0, 2, weight='weight')",
        "InvalidArgumentError",
    ),
    (
        "shortest_path",
        "with coordinates what `PathFinder` refuses",
        "rz.shortest_path(g, 0, 2, coordinates=('x', 'y'))",
        "InvalidArgumentError",
    ),
    (
        "k_shortest_paths",
        "the graph is directed and stores no in-edges",
        "list(rz.k_shortest_paths(no_in_edges, 0, 2, 2))",
        "UnsupportedError",
    ),
    (
        "k_shortest_paths",
        "there is no such weight, or one is negative or NaN",
        "list(rz.k_shortest_paths(g, 0, 2, 2, weight='miles'))",
        "InvalidArgumentError",
    ),
    (
        "k_shortest_paths",
        "there is no such weight, or one is negative or NaN",
        "list(rz.k_shortest_paths(negative, 0, 2, 2, weight='weight'))",
        "InvalidArgumentError",
    ),
    (
        "k_shortest_paths",
        "`k` is below 1",
        "list(rz.k_shortest_paths(g, 0, 2, 0))",
        "InvalidArgumentError",
    ),
    (
        "k_shortest_paths",
        "an end is not in the graph",
        "list(rz.k_shortest_paths(g, 0, 9, 2))",
        "VertexNotFoundError",
    ),
    (
        "all_shortest_paths",
        "an end is not in the graph",
        "list(rz.all_shortest_paths(g, removed, 0))",
        "VertexNotFoundError",
    ),
    (
        "all_shortest_paths",
        "the graph is directed and stores no in-edges",
        "list(rz.all_shortest_paths(no_in_edges, 0, 2))",
        "UnsupportedError",
    ),
    (
        "all_shortest_paths",
        "there is no such weight, or one is negative or NaN",
        "list(rz.all_shortest_paths(g, 0, 2, weight='miles'))",
        "InvalidArgumentError",
    ),
    (
        "all_shortest_paths",
        "there is no such weight, or one is negative or NaN",
        "list(rz.all_shortest_paths(negative, 0, 2, weight='weight'))",
        "InvalidArgumentError",
    ),
]
"""Function, what it states, a call that breaks it, the error."""

RING = [(0, 1), (1, 2), (2, 3), (3, 0), (3, 4)]


def _amounts(amount: float) -> rz.Graph:
    """No weight may be no number; a column may have such a value."""
    ends = {"source": [0, 1, 2], "target": [1, 2, 0]}
    return rz.read(ends | {"amount": [amount, 1.5, 2.5]}, edges={"amount": "float64"})


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    graph = rz.read(RING)
    graph.remove_vertices([4])
    # Two ways from each vertex to the next: at least 2^20000 shortest paths to one of the ends.
    steps = np.arange(40_000)
    a, b, c, d = 3 * steps, 3 * steps + 1, 3 * steps + 2, 3 * steps + 3
    ladders = np.concatenate([np.stack(ends, 1) for ends in ((a, b), (a, c), (b, d), (c, d))])
    return {
        "rz": rz,
        "nan": float("nan"),
        "g": graph,
        "removed": 4,
        "d": rz.read(RING, directed=True),
        "no_in_edges": rz.read(RING, directed=True, in_edges=False),
        "negative": rz.read([(0, 1, -1.0), (1, 2, 1.5), (2, 0, 2.5)], weights=True),
        "no_number": _amounts(float("nan")),
        "many_paths": rz.read(ladders),
    }


@pytest.mark.parametrize(("function", "stated", "call", "error"), ROWS)
def test_a_call_that_breaks_a_precondition_is_refused(
    function: str, stated: str, call: str, error: str, names: dict[str, Any]
) -> None:
    assert function in call
    with pytest.raises(getattr(rz.errors, error)) as told:
        eval(call, names)
    assert type(told.value).__name__ == error, stated


def test_each_precondition_that_is_stated_has_a_row() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "check_preconditions.py"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
