"""Data and arguments that can be read in two ways: refused or told of at the boundary that reads them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import rizoma as rz
from rizoma.core.errors import ReadWarning


def payments() -> rz.Graph:
    """Two parallel edges that a column tells apart."""
    graph = rz.open(None, directed=True, parallel_edges="keep", edges={"id": "int64", "amount": "float64"})
    graph.add_edges({"source": ["a", "a"], "target": ["b", "b"], "id": [7, 8], "amount": [1.0, 2.0]})
    return graph


ONE_VALUE: list[dict[str, Any]] = [
    {"source": "ann", "target": "bob"},
    {"source": ["ann", "bob", "cem"], "target": "xyz"},
    {"source": b"ann", "target": b"bob"},
    {"source": ["ann"], "target": ["bob"], "amount": 3},
]
WAYS_IN: dict[str, Callable[[rz.Graph, Any], object]] = {
    "add_edges": lambda g, data: g.add_edges(data),
    "remove_edges": lambda g, data: g.remove_edges(data),
    "set_edges": lambda g, data: g.set_edges(data),
    "read": lambda _, data: rz.read(data),
    "read, inferred": lambda _, data: rz.read(data, edges="infer"),
    "add_vertices": lambda g, data: g.add_vertices({"id": data["source"], "age": data["target"], **data}),
    "set_vertices": lambda g, data: g.set_vertices({"id": data["source"], "age": data["target"], **data}),
}


@pytest.mark.parametrize("way", WAYS_IN)
@pytest.mark.parametrize("data", ONE_VALUE)
def test_one_value_is_no_column(way: str, data: dict[str, Any]) -> None:
    graph = rz.open(None, edges={"amount": "float64"}, vertices={"age": "int64"})
    with pytest.raises(rz.InvalidArgumentError, match=r"has one value .* a list for each column; write \{\"\w+\": \["):
        WAYS_IN[way](graph, data)
    assert len(graph) == 0


BOTH = {"source": ["a"], "target": ["b"], "id": [7], "amount": [5.0]}
TWICE = {"source": ["a", "a"], "target": ["b", "b"], "amount": [5.0, 6.0]}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda g: g.remove_edges(BOTH), "key='id', and to take all edges of each pair leave"),
        (lambda g: g.remove_edges([dict(zip(BOTH, ("a", "b", 7, 5.0), strict=True))]), "key='id'"),
        (lambda g: g.set_edges(BOTH), "key='id'"),
        (lambda g: g.set(("a", "b"), id=7, amount=5.0), "key='id'"),
        (lambda g: g.set_edges(TWICE), r"several rows name the pair \('a', 'b'\).* with key="),
    ],
)
def test_what_may_tell_parallel_edges_apart_is_named(change: Callable[[rz.Graph], object], said: str) -> None:
    graph = payments()
    with pytest.raises(rz.InvalidArgumentError, match=said):
        change(graph)
    assert graph.edges.to_arrow()["amount"].to_pylist() == [1.0, 2.0]


def test_parallel_edges_change_as_documented() -> None:
    graph = payments()
    assert graph.set_edges({"source": ["a"], "target": ["b"], "amount": [3.0]}) == 2
    assert graph.set_edges(BOTH, key="id") == 1
    assert graph.remove_edges(BOTH, key="id") == 1
    assert graph.remove_edges({"source": ["a"], "target": ["b"]}) == 1
    simple = rz.open(None, edges={"amount": "float64"})
    simple.add_edges(TWICE)
    assert simple.remove_edges(simple.edges.to_arrow()) == 1
    weighted = rz.open(None, parallel_edges="keep", weights=True)
    weighted.add_edges([(1, 2, 1.0), (1, 2, 2.0)])
    with pytest.raises(rz.InvalidArgumentError, match="several rows name"):
        weighted.set_weights([(1, 2, 3.0), (1, 2, 4.0)])
    assert weighted.set_weights([(1, 2, 3.0)]) == 2


def small() -> rz.Graph:
    """Two columns of edges, one of vertices."""
    graph = rz.open(None, directed=True, edges={"km": "float64", "day": "date"}, vertices={"age": "int64"})
    graph.add_edges({"source": ["ann", "bob"], "target": ["bob", "cem"], "km": [5.0, 2.0]})
    return graph


PATHS: dict[str, Callable[..., Any]] = {
    "shortest_path": lambda g, **said: rz.shortest_path(g, "ann", "cem", **said),
    "k_shortest_paths": lambda g, **said: rz.k_shortest_paths(g, "ann", "cem", 2, **said),
    "all_shortest_paths": lambda g, **said: list(rz.all_shortest_paths(g, "ann", "cem", **said)),
    "PathFinder": lambda g, **said: rz.PathFinder(g, landmarks=1, **said),
}


@pytest.mark.parametrize("name", PATHS)
@pytest.mark.parametrize("weights", [None, True])
def test_paths_say_that_they_count_edges(name: str, weights: bool | None) -> None:
    graph = rz.open(None, weights=weights, edges={"km": "float64"})
    graph.add_edges([("ann", "bob"), ("bob", "cem")])
    column = "weight" if weights else "km"
    with pytest.warns(ReadWarning, match=f"so each edge has length 1, though it has {column}.*: weight='{column}'"):
        PATHS[name](graph)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        PATHS[name](graph, weight=None)
        PATHS[name](rz.read([("ann", "bob"), ("bob", "cem")]))


def test_a_tree_takes_a_column_of_weights() -> None:
    graph = rz.open(None, edges={"km": "float64"})
    graph.add_edges({"source": ["a", "a", "b"], "target": ["b", "c", "c"], "km": [1.0, 2.0, 9.0]})
    with pytest.warns(ReadWarning, match="weight='km' takes"):
        assert rz.minimum_spanning_tree(graph).weight == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rz.minimum_spanning_tree(graph, weight="km").weight == 3
        assert rz.minimum_spanning_tree(graph, True, "km").weight == 11
        assert rz.minimum_spanning_tree(graph, weight=None).weight == 2


@pytest.mark.parametrize(
    ("call", "option"),
    [
        (lambda g: rz.closeness_centrality(g, "ann"), "wf_improved is 'ann'"),
        (lambda g: rz.closeness_centrality(g, 1), "wf_improved is 1"),
        (lambda g: rz.closeness_centrality(g, wf_improved="no"), "wf_improved is 'no'"),
        (lambda g: rz.minimum_spanning_tree(g.undirected(), "km"), "maximum is 'km'"),
        (lambda g: rz.PathFinder(g, ("x", "y"), "km", geographic="no"), "geographic is 'no'"),
        (lambda _: rz.read([("a", "b")], directed="no"), "directed is 'no'"),
    ],
)
def test_yes_and_no_are_no_texts(call: Callable[[rz.Graph], object], option: str) -> None:
    with pytest.raises(rz.InvalidArgumentError, match=f"{option}; it must be True or False"):
        call(small())


def test_results_of_another_graph_are_told_of() -> None:
    other = rz.read([("ann", "bob"), ("bob", "eve")], directed=True)
    strange = rz.read([("x", "y")], directed=True)
    graph = small()
    ways: list[Callable[[Any], object]] = [
        lambda result: result.store(graph, "rank"),
        lambda result: rz.pagerank(graph, start=result),
        lambda result: graph.draw(result),
    ]
    for way in ways:
        with pytest.warns(ReadWarning, match="'eve'.* of another graph, compute"):
            way(rz.pagerank(other))
        with pytest.raises(rz.InvalidArgumentError, match="give a result"):
            way(rz.pagerank(strange))
    own = rz.pagerank(graph)
    graph.remove_vertices(["cem"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rz.pagerank(graph, start=own)
        own.store(graph, "rank")


def test_a_change_beside_a_batch_is_told_of() -> None:
    graph = rz.open(None)
    with graph.batch() as batch:
        batch.add_edges([("a", "b")])
        with pytest.warns(ReadWarning, match="committed at once; call the method of the batch"):
            graph.add_edges([("b", "c")])
        with pytest.warns(ReadWarning, match="committed at once"):
            graph.remove_vertices(["c"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        graph.add_edges([("b", "c")])
        assert graph.num_edges == 2


def test_the_diameter_of_several_components_is_told_of() -> None:
    with pytest.warns(ReadWarning, match="2 is the largest distance within one of its 2 components"):
        assert rz.diameter(rz.read([("a", "b"), ("b", "c"), ("x", "y")])) == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rz.diameter(rz.read([("a", "b"), ("b", "c")])) == 2


@pytest.mark.parametrize("view", ["degree", "in_degree", "out_degree", "edges", "in_edges", "out_edges"])
def test_a_text_that_is_no_vertex_is_no_list_of_vertices(view: str) -> None:
    graph = rz.read([("b", "a"), ("a", "c")], directed=True)
    with pytest.raises(KeyError, match="no vertex 'ba'"):
        getattr(graph, view)("ba")


@pytest.mark.parametrize("ends", [("citing", "cited"), ("payer_id", "payee_id"), ("Origin", "Destination")])
def test_names_of_columns_that_say_a_direction(ends: tuple[str, str], tmp_path: Path) -> None:
    columns = {ends[0]: ["a", "b"], ends[1]: ["b", "c"]}
    file = tmp_path / "edges.csv"
    file.write_text(f"{ends[0]},{ends[1]}\na,b\nb,c\n")
    rows = [dict(zip(ends, row, strict=True)) for row in (("a", "b"), ("b", "c"))]
    for data in (columns, rows, str(file)):
        with pytest.warns(ReadWarning, match=f"'{ends[0]}' and '{ends[1]}' seem to say a direction.*directed=True"):
            rz.read(data, source=ends[0], target=ends[1])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            rz.read(data, source=ends[0], target=ends[1], directed=False)
            rz.read(data, source=ends[0], target=ends[1], directed=True)


def test_columns_and_times_that_are_changed_on_the_way_are_told_of(tmp_path: Path) -> None:
    columns = {"source": ["a"], "target": ["b"], "amount": [1.0]}
    file = tmp_path / "edges.csv"
    file.write_text("source,target,amount\na,b,1\n")
    for data in (columns, [{name: values[0] for name, values in columns.items()}], str(file)):
        with pytest.warns(
            ReadWarning, match=r"'amount' is a column of edges.* edges=\{'amount': \"float64\"\} keeps it"
        ):
            rz.read(data, vertices={"amount": "float64"})
    moment = datetime(2025, 1, 1, tzinfo=timezone(timedelta(hours=1)))
    table = pa.table({"source": ["a"], "target": ["b"], "at": pa.array([moment], pa.timestamp("s", "Europe/Oslo"))})
    with pytest.warns(ReadWarning, match="'at' are of the zone Europe/Oslo, and are kept and shown in UTC"):
        rz.read(table, edges="infer")
    graph = rz.open(None, directed=True)
    with pytest.warns(ReadWarning, match='not read, of edges: "km", "day"'):
        graph.add_edges(small())


def test_an_array_that_may_be_two_rows_of_ends_is_told_of() -> None:
    graph = rz.open(None, weights=True)
    with pytest.warns(ReadWarning, match=r"give array\.T"):
        graph.add_edges(np.array([[0, 1, 2], [1, 2, 3]]))


def test_a_pattern_of_file_names_is_told_of() -> None:
    graph = rz.open(None, edges={"note": "string"})
    graph.add_edges({"source": ["a"], "target": ["b"], "note": ["rent may"]})
    with pytest.warns(ReadWarning, match="stand for themselves: .* as in 'rent%'"):
        assert graph.where(edges="note like 'rent*'").num_edges == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert graph.where(edges="note like 'rent%'").num_edges == 1
        assert graph.where(edges="note like 'rent* %'").num_edges == 0


def test_a_name_of_data_that_no_edge_has_is_refused() -> None:
    graph = small()
    for edges in (graph.edges, graph.snapshot().edges):
        with pytest.raises(rz.ColumnNotFoundError, match="no column 'kms'; there are km, day"):
            edges(data="kms")
        with pytest.raises(rz.ColumnNotFoundError, match="no column 'kms'"):
            edges.data("kms")
        assert list(edges(data="kms", default=1)) == [("ann", "bob", 1), ("bob", "cem", 1)]
        assert list(edges(data="km")) == [("ann", "bob", 5.0), ("bob", "cem", 2.0)]


def test_infinite_weights_are_no_weights(tmp_path: Path) -> None:
    file = tmp_path / "edges.csv"
    file.write_text("source,target,weight\na,b,inf\nb,c,3\n")
    with pytest.raises(rz.InvalidArgumentError, match=r"'weight' is not read as the weight.* not all finite"):
        rz.read(file, edges="infer")


def test_matrices_can_be_summed_up() -> None:
    graph = payments()
    matrix = graph.to_scipy()
    assert (matrix.sum(), matrix.max()) == (2, 2)


REMEDIES: list[tuple[Callable[[rz.Graph], object], type[Exception], str]] = [
    (
        lambda g: g.set("ann", km=5),
        KeyError,
        r"vertices have no column 'km'; it is a column of edges: set\(\(u, v\), km",
    ),
    (lambda g: g.set(("ann", "bob"), age=5), KeyError, r"it is a column of vertices: set\(v, age=...\)"),
    (lambda g: g.set(("ann", "bob"), source="cem"), KeyError, "an edge keeps its ends: remove it, and add"),
    (lambda g: g.set("ann", vertex="anna"), KeyError, "a vertex keeps its id"),
    (lambda g: rz.pagerank(g)[0], KeyError, r"its ids are strings; top\(1\) has the greatest, and to_numpy\(\)\[0\]"),
    (lambda g: rz.pagerank(g).ann, AttributeError, r"result\['ann'\]"),
    (lambda g: rz.read(g.edges.to_arrow(), edges=["km", "day"]), ValueError, r"lacks the types: .*\"km\": \"float64\""),
    (lambda g: g.export("edges.xlsx"), ValueError, r"edges\.xlsx"),
    (lambda g: rz.match(g, "(a)-->(b)"), TypeError, r"rizoma.match is a module.*; g.match\(pattern\)"),
    (lambda g: rz.report(g), TypeError, "rizoma report STORE"),
    (lambda g: rz.graph("x"), TypeError, r"rizoma.open\(path\) opens a graph"),
    (lambda g: rz.subgraph(g, ["ann"]), AttributeError, r"g.subgraph\(vertices\)"),
    (lambda g: g.degree.top(3), AttributeError, r"g.degrees\(\).top"),
    (lambda g: g.where(vertices="id = 'ann'"), ValueError, "the id of a vertex is called vertex here"),
    (lambda g: g.where(vertices="degree > 3"), ValueError, r"g.degrees\(\).store\(g, \"degree\"\)"),
    (lambda g: g.match("(a)-->(b)").select(["a", "b"]), ValueError, r'select\("a", "b"\), not \[.a'),
    (lambda g: g.match("(a)-->(b)").group_by("a").agg({"e.km": "sum"}), TypeError, r'agg\(sum="e.amount"\)'),
    (
        lambda g: g.add_edges({"source": ["a"], "target": ["b"], "day": [20250101]}),
        ValueError,
        "write them as text, such as '2026-01-31'",
    ),
    (lambda g: rz.read(([str(i) for i in range(5000)], "ab")), ValueError, r"^.{,600}$"),
    (lambda g: rz.read("x.csv", overwrite=True), TypeError, r"shutil.rmtree\); append=True"),
    (lambda g: rz.read("x.csv", parse_dates=["day"]), TypeError, 'edges={"day": "date"}'),
]


@pytest.mark.parametrize(("call", "error", "remedy"), REMEDIES)
def test_messages_have_a_remedy(call: Callable[[rz.Graph], object], error: type[Exception], remedy: str) -> None:
    with pytest.raises(error, match=remedy):
        call(small())


FORMS = [
    ("ann: bob\nbob: cem\n", "e.txt", "'bob:' in the ids .* stand behind its colon"),
    ("source,target\n“ann”,“bob”\n", "e.csv", "“ann” in the ids is read with its printed quotes"),
]


@pytest.mark.parametrize(("text", "name", "said"), FORMS)
def test_ids_that_show_another_form_are_told_of(text: str, name: str, said: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.warns(ReadWarning, match=said):
        rz.read(tmp_path / name)
    with pytest.warns(ReadWarning, match=said):
        rz.open(None).add_edges(
            [line.replace(",", " ").split() for line in text.splitlines()[-2:] if "source" not in line]
        )


NO_EDGES = [
    (
        "ann: bob, cem\nbob: cem\ncem: dia, ann, eve\n",
        "e.txt",
        "stand behind its colon; write a line with two ids for each",
    ),
    ("1 2\n2 3\n3\n", "e.adj", "all its neighbours, read it with networkx.read_adjlist"),
    ('<a>\n<b source="a" target="b"/>\n</a>\n', "e.data", "the file is XML or HTML"),
    ("1 2 {}\n2 3 {}\n", "e.edgelist", "networkx.read_edgelist"),
    ('{"a": 1}\n{"a": 2}\n', "e.json", 'format="ndjson"'),
    ('{"source": {"0": 1}, "target": {"0": 2}}', "e.json", "pandas.read_json"),
    ('{"nodes": [{"id": 1}], "adjacency": [[]]}', "e.json", "networkx.adjacency_graph"),
    ("My payments\nsource,target\na,b\n", "e.csv", "the first line may be a title"),
]


@pytest.mark.parametrize(("text", "name", "said"), NO_EDGES)
def test_files_of_another_form_are_called_so(text: str, name: str, said: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(rz.RizomaError, match=said):
        rz.read(tmp_path / name)


def test_a_third_column_with_fractions_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "e.edgelist").write_text("ann bob 3.5\nbob cem 2.0\n")
    with pytest.warns(ReadWarning, match='not read: column 2.*weights="float64".*weights=False'):
        rz.read(tmp_path / "e.edgelist")
    (tmp_path / "years.txt").write_text("ann bob 2001\nbob cem 2002\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rz.read(tmp_path / "e.edgelist", weights=False)
        assert rz.read(tmp_path / "e.edgelist", weights=True).weights == "float64"
        rz.read(tmp_path / "years.txt")
