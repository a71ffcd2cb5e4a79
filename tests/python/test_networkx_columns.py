"""A stored graph is a graph of NetworkX with its data: columns are attributes, parallel edges count."""

from __future__ import annotations

import datetime

import networkx as nx
import pytest
import rizoma as rz
from rizoma.graph.attributes import rows_view

KINDS = [(directed, parallel) for directed in (False, True) for parallel in (False, True)]
ROWS = [("a", "b", 5.0, "x"), ("b", "c", 7.0, None), ("a", "b", 2.0, "y"), ("c", "c", None, "z"), ("d", "a", 1.5, "x")]
"""Edges with an amount and a text; None: the edge has no value."""


def pair(directed: bool, parallel: bool) -> tuple[nx.Graph, rz.Graph]:
    """The same graph as NetworkX has it, and stored."""
    rows = ROWS if parallel else [row for i, row in enumerate(ROWS) if row[:2] not in [r[:2] for r in ROWS[:i]]]
    kinds = ((nx.Graph, nx.DiGraph), (nx.MultiGraph, nx.MultiDiGraph))
    theirs = kinds[parallel][directed]()
    mine = rz.open(
        None,
        directed=directed,
        ids="string",
        parallel_edges="keep" if parallel else "merge",
        edges={"amount": "float64", "kind": "string"},
        vertices={"age": "int32", "born": "date"},
    )
    columns = dict(zip(("source", "target", "amount", "kind"), map(list, zip(*rows, strict=True)), strict=True))
    mine.add_edges(columns)
    for source, target, amount, kind in rows:
        data = {name: value for name, value in (("amount", amount), ("kind", kind)) if value is not None}
        theirs.add_edge(source, target, **data)
    mine.set("a", age=4)
    mine.set("b", age=5, born=datetime.date(2001, 2, 3))
    theirs.nodes["a"]["age"] = 4
    theirs.nodes["b"].update(age=5, born=datetime.date(2001, 2, 3))
    return theirs, mine


def edges_of(graph) -> list:
    directed = graph.is_directed()
    return sorted(
        (*((u, v) if directed else sorted((u, v))), sorted((k, repr(x)) for k, x in data.items()))
        for u, v, data in graph.edges(data=True)
    )


READS = {
    "graph": lambda g: g,
    "snapshot": lambda g: g.snapshot(),
    "copy": lambda g: g.copy(),
    "own class": lambda g: nx.create_empty_copy(g).__class__(g),
    "backend's class": lambda g: __import__("rizoma.networkx", fromlist=["x"]).from_networkx(g),
}


@pytest.mark.parametrize(("directed", "parallel"), KINDS)
@pytest.mark.parametrize("read", READS)
def test_columns_are_attributes(read, directed, parallel):
    theirs, mine = pair(directed, parallel)
    graph = READS[read](mine)
    assert edges_of(graph) == edges_of(theirs)
    assert {v: dict(data) for v, data in graph.nodes(data=True)} == dict(theirs.nodes(data=True))
    assert dict(graph.nodes["b"]) == theirs.nodes["b"]
    assert dict(graph.nodes(data="age", default=0)) == dict(theirs.nodes(data="age", default=0))


@pytest.mark.parametrize(("directed", "parallel"), KINDS)
def test_single_edges(directed, parallel):
    theirs, mine = pair(directed, parallel)
    for u, v in theirs.edges():
        want = theirs.get_edge_data(u, v)
        by_value = sorted(map(repr, want.values())) if parallel else want
        for found in (mine[u][v], mine.get_edge_data(u, v), mine.adj[u][v]):
            assert (sorted(map(repr, found.values())) if parallel else found) == by_value
    with pytest.raises(KeyError):
        mine["a"]["d" if directed else "c"]


@pytest.mark.parametrize(("directed", "parallel"), KINDS)
def test_rows_read_one_by_one_or_together(directed, parallel):
    g = rz.open(None, directed=directed, parallel_edges="keep" if parallel else "merge", edges={"n": "int64"})
    g.add_edges({"source": [0] * 40, "target": list(range(1, 41)), "n": list(range(40))})
    row = g[0]
    for v in range(1, 41):
        data = row[v][0] if parallel else row[v]
        assert data == {"n": v - 1}
    if directed:
        found = {u: g.pred[v][0] for v in g for u in g.pred[v]}
        assert len(found) == 1


CALLS = {
    "pagerank": lambda g: nx.pagerank(g, weight="amount"),
    "degree": lambda g: dict(g.degree(weight="amount")),
    "size": lambda g: g.size("amount"),
    "matrix": lambda g: nx.to_numpy_array(g, nodelist=list("abcd"), weight="amount").tolist(),
    "unweighted matrix": lambda g: nx.to_numpy_array(g, nodelist=list("abcd"), weight=None).tolist(),
    "sparse": lambda g: nx.to_scipy_sparse_array(g, nodelist=list("abcd"), weight="amount").toarray().tolist(),
    "dijkstra": lambda g: dict(nx.all_pairs_dijkstra_path_length(g, weight="amount")),
    "one path": lambda g: nx.dijkstra_path_length(g, "a", "c", weight="amount"),
    "bellman_ford": lambda g: dict(nx.all_pairs_bellman_ford_path_length(g, weight="amount")),
    "negative_edge_cycle": lambda g: nx.negative_edge_cycle(g, weight="amount"),
    "get_edge_attributes": lambda g: sorted(nx.get_edge_attributes(g, "kind").values()),
    "get_node_attributes": lambda g: nx.get_node_attributes(g, "age"),
    "is_weighted": lambda g: nx.is_weighted(g, weight="amount"),
    "betweenness": lambda g: nx.betweenness_centrality(g, weight="amount"),
}


@pytest.mark.parametrize(("directed", "parallel"), KINDS)
@pytest.mark.parametrize("call", CALLS)
def test_calls_weigh_by_columns(call, directed, parallel):
    theirs, mine = pair(directed, parallel)
    snapshot = mine.snapshot()
    want = CALLS[call](theirs)
    for graph in (mine, snapshot, snapshot):  # a second call on one snapshot reads what the first prepared
        found = CALLS[call](graph)
        if isinstance(want, dict):
            assert found.keys() == want.keys()
            assert all(found[v] == pytest.approx(want[v], abs=2e-6) for v in want)
        else:
            assert found == (pytest.approx(want) if isinstance(want, float) else want)


@pytest.mark.parametrize(("cycle", "length"), [(True, -2.0), (False, 2.0)])
def test_what_changes_a_graph_on_its_way_runs_on_a_copy(cycle, length):
    g = rz.open(None, directed=True, parallel_edges="keep", ids="string", weights="float64")
    g.add_edges([("a", "b", 1.0), ("a", "b", 5.0), ("b", "a", length)])
    assert nx.negative_edge_cycle(g) is cycle


@pytest.mark.parametrize(("weight", "said"), [("amout", "is not an edge column"), ("kind", "name a column of numbers")])
def test_what_is_no_weight_is_refused(weight, said):
    _, mine = pair(True, False)
    with pytest.raises(rz.InvalidArgumentError, match=said):
        nx.pagerank(mine, weight=weight)


def test_order_given_keeps_the_order_of_nodes():
    theirs = nx.gnp_random_graph(60, 0.1, seed=4)
    theirs = nx.relabel_nodes(theirs, {v: (v * 37) % 61 for v in theirs})
    mine = rz.read(theirs, order="given")
    assert list(mine) == list(theirs)
    assert list(nx.pagerank(mine)) == list(nx.pagerank(theirs))


def test_look_ups_on_a_snapshot_share_one_view(monkeypatch):
    """Each g[u] made a view of all sections: a millisecond with pending changes."""
    made = []
    monkeypatch.setattr("rizoma.graph.graph.rows_view", lambda state: made.append(state) or rows_view(state))
    graph = rz.open(None, edges={"amount": "float64"})
    graph.add_edges({"source": [0, 1, 2], "target": [1, 2, 3], "amount": [0.5, 1.5, 2.5]})
    for state in (graph.snapshot(), graph.where("amount > 0")):
        made.clear()
        assert [state[v][v + 1]["amount"] for v in range(3)] == [0.5, 1.5, 2.5]
        assert len(made) == 1
    made.clear()
    assert list(graph.snapshot()[1]) == [0, 2]
    assert not made  # no column was asked for
