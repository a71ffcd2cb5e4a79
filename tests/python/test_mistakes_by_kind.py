"""Kinds of mistakes, each over everything in which it can be made: place, cause and remedy."""

from __future__ import annotations

import copy
import operator
import pickle
import warnings
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import networkx as nx  # noqa: F401 - its views of stored graphs
import numpy as np
import pandas as pd
import pytest
import rizoma as rz
from rizoma.core.errors import ReadWarning

GRAPH = rz.open(None, directed=True, vertices={"label": "string"}, edges={"type": "string", "amount": "float64"})
GRAPH.add_edges(
    {"source": ["ann", "bob"], "target": ["bob", "cem"], "type": ["KNOWS", "PAID"], "amount": [2.5, 4.0]},
)
GRAPH.set_vertices({"vertex": ["ann", "bob", "cem"], "label": ["Person", "Person", "Shop"]})
RANKS, COMPONENTS = rz.pagerank(GRAPH), rz.connected_components(GRAPH)


# A method that is taken for a value, and a value that is called: Python's own error says so.
OF_PYTHON: list[tuple[Callable[[], object], str]] = [
    (lambda: GRAPH.neighbors["ann"], "'method' object is not subscriptable"),
    (lambda: RANKS.top[3], "'method' object is not subscriptable"),
    (lambda: operator.setitem(GRAPH.weight, "ann", 3), "'method' object does not support item assignment"),
    (lambda: GRAPH.info.num_edges, "object has no attribute 'num_edges'"),
    (lambda: iter(GRAPH.tags), "'method' object is not iterable"),
    (lambda: len(GRAPH.tags), "object of type 'method' has no len()"),
    (lambda: operator.lt(GRAPH.tags, 3), "'<' not supported between instances of 'method' and 'int'"),
    (lambda: "v1" in GRAPH.tags, "argument of type 'method'"),
    (lambda: INFO.num_edges(), "'int' object is not callable"),
    (lambda: setattr(GRAPH, "directed", False), "property 'directed' of 'Graph' object has no setter"),
    (lambda: setattr(RANKS, "ids", []), "property 'ids' of 'PageRankResult' object has no setter"),
]


@pytest.mark.parametrize(("call", "said"), OF_PYTHON)
def test_methods_and_values_have_the_errors_of_python(call: Callable[[], object], said: str) -> None:
    assert said in raised(call)


@pytest.mark.parametrize(
    ("index", "error", "said"),
    [
        ("bob", TypeError, r"'bob' is no number; g\[u\]\[v\] has the edge to a neighbour"),
        (0.5, TypeError, "0.5 is no number"),
        (None, TypeError, "None is no number"),
        (3, IndexError, "no neighbour has the number 3; they are numbered 0 to 0"),
        (2**70, IndexError, "cannot fit"),
    ],
)
def test_an_index_that_neighbours_do_not_have(index: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        GRAPH.neighbors("ann")[index]


@pytest.mark.parametrize(
    ("use", "remedy"),
    [
        (lambda found: found.append("cem"), r"add_edges\(\[\(u, v\)\]\)"),
        (lambda found: found.remove("cem"), r"remove_edges\(\[\(u, v\)\]\)"),
        (lambda found: found.sort(), r"sorted\("),
        (lambda found: found.items(), r"g\[v\]"),
        (lambda found: found.weigths(), "did you mean weights"),
        (lambda found: found & {"ann"}, r"write set\(g.neighbors\(v\)\) & ..."),
        (lambda found: operator.add(found, ["ann"]), r"write list\(g.neighbors\(v\)\) \+ ..."),
        (lambda found: operator.add(["ann"], found), r"write list\(g.neighbors\(v\)\) \+ ..."),
        (lambda found: found - found, r"write set\(g.neighbors\(v\)\) - ..."),
    ],
)
def test_what_neighbors_do_not_have(use: Callable[[Any], object], remedy: str) -> None:
    with pytest.raises((TypeError, AttributeError), match=remedy):
        use(GRAPH.neighbors("ann"))


def raised(call: Callable[[], object]) -> str:
    """What a call raises, in words."""
    with pytest.raises(Exception) as error:  # noqa: PT011 - of many classes, and the words are looked at
        call()
    return str(error.value)


INFO = GRAPH.info()
REPORTS: dict[str, Any] = {
    "Info": INFO,
    "ImportReport": rz.read([(1, 2)]).last_import,
    "PlacementReport": RANKS.placement,
}


@pytest.mark.parametrize("kind", REPORTS)
def test_what_reports_do_not_have(kind: str) -> None:
    report = REPORTS[kind]
    own = next(iter(vars(report)))
    assert f"{kind} has attributes, no items: write .{own}" in raised(lambda: report[own])
    assert f"did you mean {own}?" in raised(lambda: getattr(report, f"{own[:-1]}xx"[: len(own)]))
    assert "dir() lists what there is" in raised(lambda: report.zzz) or "there are " in raised(lambda: report.zzz)
    assert "has attributes, and is no list" in raised(lambda: list(report))
    assert copy.deepcopy(report) is not report


@pytest.mark.parametrize(
    ("call", "remedy"),
    [
        (lambda: INFO.edges, "use num_edges"),
        (lambda: INFO["nodes"], "use num_vertices"),
        (lambda: RANKS.top(2).to_pandas(), "top_table(n).to_pandas()"),
        (lambda: RANKS.top(2)["ann"], "dict(result.top(n))"),
        (lambda: COMPONENTS.top(1).items(), "dict(result.top(n))"),
        (lambda: sum(RANKS), "to_numpy().sum() adds the values"),
        (lambda: rz.minimum_spanning_tree(GRAPH), "minimum_spanning_tree: the graph is directed"),
    ],
)
def test_what_was_asked_of_a_result(call: Callable[[], object], remedy: str) -> None:
    assert remedy in raised(call)


def test_pairs_of_results_are_plain_where_they_are_taken_apart() -> None:
    top, components = RANKS.top(2), COMPONENTS
    assert top == list(top)
    assert top[0] == tuple(top[0])
    assert top[:1] == [top[0]]
    assert type(copy.copy(top)) is list
    assert type(pickle.loads(pickle.dumps(next(iter(components))))) is tuple
    assert dict(components) == components.to_dict()
    assert [v for v, _ in components] == ["ann", "bob", "cem"]
    assert {len(pair) for pair in components} == {2}  # a vertex and its part: sizes() has the sizes of the parts
    assert sum(components, ()) == tuple(chain.from_iterable(components.to_dict().items()))


# A call that does otherwise than its writer may mean, and what the warning says.
WARNED: list[tuple[Callable[[], object], str]] = [
    (lambda: GRAPH.subgraph(["ann", "zed"]), "1 of the ids is no vertex, such as 'zed', and left out; its ids are"),
    (lambda: GRAPH.subgraph([1, 2]), "2 of the ids are no vertices, such as 1, and left out; its ids are strings"),
    (lambda: GRAPH.match("(a:person)-->(b)").count(), "no vertex has the label 'person'; did you mean 'Person'?"),
    (lambda: GRAPH.match("(a)-[:PAYED]->(b)").to_arrow(), "no edge has the type 'PAYED'"),
    (lambda: GRAPH.match("(a:Person), optional (a)-->(b:Shp)").count(), "did you mean 'Shop'?"),
    (lambda: rz.pagerank(GRAPH, max_iter=1), "not converged after 1 iteration: its values are not within tol=1e-06"),
    (lambda: rz.katz_centrality(GRAPH, max_iter=1), "give max_iter=100, or a greater tol"),
]


@pytest.mark.parametrize(("call", "said"), WARNED)
def test_what_may_be_meant_otherwise_is_said(call: Callable[[], object], said: str) -> None:
    with pytest.warns(ReadWarning) as told:
        call()
    assert any(said in str(each.message) for each in told)


def test_places_of_removed_vertices_are_told() -> None:
    graph = rz.open(None)
    graph.add_edges([("ann", "bob"), ("bob", "cem")])
    graph.remove_vertices(["ann"])
    ranks = rz.pagerank(graph)
    for take in (ranks.to_numpy, lambda: ranks.to_numpy("rank")):
        with pytest.warns(ReadWarning, match="has 3 places, among them those of 1 removed vertex"):
            assert len(take()) == 3
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(ranks.to_dict()) == len(ranks.to_pandas()) == len(ranks.top()) == 2
        assert len(np.asarray(ranks)) == 3
        assert ranks.memory is not None
        assert pickle.loads(pickle.dumps(ranks))["bob"] == ranks["bob"]


@pytest.mark.parametrize(
    "call",
    [
        lambda: GRAPH.subgraph(["ann", "bob"]),
        lambda: GRAPH.match("(a:Person)-[:KNOWS|PAID]->(b)").count(),
        lambda: rz.pagerank(GRAPH, max_iter=1, tol=0),
        lambda: pd.Series(RANKS),
        lambda: pd.Series(["ann", "bob"]).map(RANKS),
        lambda: np.asarray(RANKS),
        lambda: rz.betweenness_centrality(GRAPH, normalized=np.True_),
        lambda: pd.DataFrame(list(COMPONENTS)),
    ],
)
def test_what_is_meant_is_done_without_a_word(call: Callable[[], object]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        call()


@pytest.mark.parametrize(
    "write",
    [
        lambda: GRAPH.nodes["ann"].update(age=3),  # type: ignore[attr-defined]
        lambda: [values.update(age=3) for _, values in GRAPH.nodes(data=True)],  # type: ignore[attr-defined]
        lambda: operator.setitem(GRAPH.adj["ann"]["bob"], "amount", 3),  # type: ignore[attr-defined]
        lambda: operator.setitem(GRAPH.pred["bob"]["ann"], "amount", 3),  # type: ignore[attr-defined]
        lambda: [values.update(amount=3) for _, _, values in GRAPH.edges(data=True)],
        lambda: [values.update(amount=3) for _, _, values in GRAPH.edges.data()],
        lambda: operator.setitem(GRAPH.graph, "name", "g"),  # type: ignore[attr-defined]
    ],
)
def test_what_networkx_s_views_give_is_not_written_to(write: Callable[[], object]) -> None:
    assert "g.set(v, age=5)" in raised(write)


def test_a_store_is_not_made_within_another(tmp_path: Path) -> None:
    inner = tmp_path / "g.rz" / "part" / "inner.rz"
    rz.read([(1, 2)], into=tmp_path / "g.rz").close()
    inner.parent.mkdir()
    for make in (
        lambda: rz.open(inner),
        lambda: rz.open(inner, mode="create"),
        lambda: rz.read([(1, 2)], into=inner),
        lambda: GRAPH.copy_to(inner),
    ):
        assert f"lies within {tmp_path / 'g.rz'}, which is a graph itself; make it beside that:" in raised(make)
    assert not inner.exists()


def test_lines_without_a_key_name_those_that_they_have(tmp_path: Path) -> None:
    for line, said in (('{"source": 3, "tgt": 4}', "it has 'source', 'tgt'"), ("{}", "it has no keys")):
        file = tmp_path / "edges.jsonl"
        file.write_text(f'{{"source": 1, "target": 2}}\n{line}\n', encoding="utf-8")
        wrong = raised(lambda: rz.read(file))  # noqa: B023 - it is called at once
        assert "there is no '" in wrong
        assert said in wrong
        assert "skip_bad_lines=" in wrong


def test_a_table_of_vertices_among_edges_is_told(tmp_path: Path) -> None:
    (tmp_path / "nodes.csv").write_text("id,name,age\nann,Ann,3\n", encoding="utf-8")
    wrong = raised(lambda: rz.read(tmp_path / "nodes.csv"))
    assert "a table of vertices is read beside files of edges, by vertex_files=[" in wrong


# A call with a value of no use; what is said of it.
OF_NO_USE: list[tuple[Callable[[], object], str]] = [
    (lambda: GRAPH.csr(in_edges="no"), "in_edges is 'no'; it must be True or False"),
    (lambda: GRAPH.csr(in_edges=[1]), "in_edges is [1]; it must be True or False"),
    (lambda: GRAPH.compact(purge=3.5), "purge is 3.5; it must be True or False"),
    (lambda: rz.closeness_centrality(GRAPH, seed="x"), "seed is 'x'; it must be a whole number"),
    (lambda: rz.harmonic_centrality(GRAPH, seed=-1), "seed is -1; it must be a whole number"),
    (lambda: rz.random_walks(GRAPH, ["ann"], 3, seed=-1), "seed is -1; it must be a whole number"),
    (lambda: GRAPH.match("(a)-->(b)").sample(1, seed="x"), "seed is 'x'; it must be a whole number"),
    (lambda: GRAPH.match("(a)-->(b)").part(2, 2), "index is 2; it must be a whole number from 0 to 1"),
    (lambda: list(rz.all_simple_paths(GRAPH, "ann", "cem", cutoff="3")), "cutoff is '3'; it must be a whole number"),
    (lambda: list(GRAPH.edges.batches("3")), "rows is '3'; it must be a whole number"),
    (lambda: list(GRAPH.vertices.batches(columns=3)), "columns is 3; it must be a list of names"),
    (lambda: GRAPH.add_edges([("ann", "bob")], order="hubs"), "order='hubs' is not known"),
    (lambda: GRAPH.add_edges([("ann", "bob")], memory_limit="lots"), "'lots' is not a size"),
    (lambda: GRAPH.add_column(7, "int64"), "the name of the column is 7; it must be text"),
    (lambda: rz.open("x.rz", locations=[3]), "locations must be a list of directories, not [3]"),
    (lambda: rz.check("x.rz", locations={"a": 1}), "locations must be a list of directories"),
    (lambda: rz.open(":memory:"), "rizoma.open(None) makes a graph in memory"),
    (lambda: rz.read([(1, 2)], into=":memory:"), "so does rizoma.read without into="),
    (lambda: rz.bfs(GRAPH, "ann", "cem"), "a vertex: shortest_path(graph, source, target)"),
    (lambda: rz.modularity(GRAPH, RANKS), "is a PageRankResult, whose values are no parts"),
    (
        lambda: rz.nmi(COMPONENTS, RANKS),
        "the second partition is a PageRankResult",
    ),
    (lambda: rz.read(pd.DataFrame({"a": [1], "b": [2]}), "a", "b"), "named by source= and target=, if 'a' is one"),
    (lambda: rz.read("x.csv", index_col=0), "a first column without a name is not read; leave it out"),
    (lambda: GRAPH.degree(mode="in"), "in_degree(v) and out_degree(v) of a directed graph"),
    (lambda: operator.setitem(RANKS, "ann", 3), "results are read; change a copy"),
    (lambda: operator.setitem(GRAPH.vertices, "rank", 3), "add_column of the graph makes a column"),
    (lambda: GRAPH.add_column("rank", RANKS), "result.store(graph, name) makes one of a result"),  # type: ignore[arg-type]
    (lambda: RANKS.to_df(), "use to_pandas() or to_polars()"),
    (lambda: GRAPH.load("edges.csv"), "add_edges(data), for files after rizoma.read(file)"),
    (lambda: rz.config().threads, "settings are not read from it"),
    (lambda: rz.config()["threads"], "settings are not read from it"),
    (lambda: GRAPH.community_multilevel(), "call rizoma.louvain(graph, ...)"),
    (lambda: GRAPH.write_graphml("g.graphml"), "a graph of Rizoma has export(file)"),
    (lambda: GRAPH.simplify(), "dir(graph) lists what it has"),
    (lambda: rz.nosuch, "dir(rizoma) lists what there is"),
]


@pytest.mark.parametrize(("call", "said"), OF_NO_USE)
def test_a_value_of_no_use_is_refused_with_what_is_meant(call: Callable[[], object], said: str) -> None:
    assert said in raised(call)


def test_reports_on_stores_say_what_they_have(tmp_path: Path) -> None:
    rz.read([(1, 2)], into=tmp_path / "g.rz").close()
    found = rz.check(tmp_path / "g.rz")
    assert "use findings" in raised(lambda: found.errors)
    assert "write .findings" in raised(lambda: found["findings"])
    assert "there are found, " in raised(lambda: rz.repair(tmp_path / "g.rz").nothing)
    (tmp_path / "empty").mkdir()
    assert "rizoma.read makes one of files" in raised(lambda: rz.open(tmp_path / "empty", mode="open"))


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("MATCH (a) RETURN a ORDER a.label", "did you mean ORDER BY?"),
        ("MATCH (a) RETURN a LIMIT 1 ORDER BY a", "ORDER BY stands before SKIP and LIMIT"),
        ("MATCH (a) WHERE a.label STARTSWITH 'P' RETURN a", "write STARTS WITH 'a'"),
        ("MATCH (a) WHERE a.label CONTAIN 'P' RETURN a", "write CONTAINS 'a'"),
        ("MATCH (a) WHERE a.label IS Person RETURN a", "values are compared by ="),
        ("MATCH (a) WHERE a.label RLIKE 'P.*' RETURN a", "write =~ 'a.*'"),
        ("MATCH (a) WHERE a.label CONTAINS Per RETURN a", "text stands in quotes: 'Per'"),
        ("MATCH (a) WHERE a.label STARTS WITH Per RETURN a", "text stands in quotes: 'Per'"),
    ],
)
def test_what_other_languages_write_in_queries(query: str, said: str) -> None:
    assert said in raised(lambda: GRAPH.query(query).to_arrow())


def test_what_takes_places_and_batches_for_rows_gets_them_without_a_word() -> None:
    """pandas takes values by place, as of an array, and a loop gets batches, which have columns; the guide says so."""
    assert pd.Series(RANKS).tolist() == RANKS.to_numpy().tolist()
    for first, second in GRAPH.match("(a)-->(b)"):
        assert (first.to_pylist(), second.to_pylist()) == (["ann", "bob"], ["bob", "cem"])
