"""Several labels of a vertex: lists of texts where vertices come in, one text in the store, lists again in queries."""

from __future__ import annotations

import json

import networkx as nx
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import rizoma as rz

IDS = ["a", "b", "c", "d"]
LISTS = [["Person", "Actor"], ["Movie"], [], None]
TEXTS = ["Person;Actor", "Movie", None, None]
EDGES = pa.table({"source": ["a"], "target": ["b"]})


def labelled(graph):
    rows = graph.query("MATCH (a) RETURN a.id AS id, labels(a) AS labels, a.label AS label").to_arrow().to_pylist()
    return {row["id"]: (row["labels"], row["label"]) for row in rows}


EXPECTED = {name: ([] if text is None else text.split(";"), text) for name, text in zip(IDS, TEXTS, strict=True)}


def empty(**options):
    return rz.open(None, directed=True, ids="string", vertices={"label": "string"}, **options)


TABLES = {
    "mapping": {"vertex": IDS, "label": LISTS},
    "tuples": {"vertex": IDS, "label": [None if each is None else tuple(each) for each in LISTS]},
    "lists among texts": {"vertex": IDS, "label": [["Person", "Actor"], "Movie", [], None]},
    "texts first": {"vertex": IDS[::-1], "label": [None, [], "Movie", ("Person", "Actor")]},
    "nulls and empty texts": {"vertex": IDS, "label": [["Person", "", "Actor", None], ["Movie"], [""], [None]]},
    "arrow": pa.table({"vertex": IDS, "label": LISTS}),
    "arrow, large": pa.table({"vertex": IDS, "label": pa.array(LISTS, pa.large_list(pa.large_string()))}),
    "arrow, batch": pa.record_batch({"vertex": IDS, "label": LISTS}),
    "pandas": pd.DataFrame({"vertex": IDS, "label": LISTS}),
    "polars": pl.DataFrame({"vertex": IDS, "label": LISTS}),
    "polars, categories": pl.DataFrame(
        {"vertex": IDS, "label": LISTS}, schema={"vertex": pl.String, "label": pl.List(pl.Categorical)}
    ),
}


@pytest.mark.parametrize("given", TABLES.values(), ids=TABLES)
def test_vertices_are_given_lists(given):
    graph = empty()
    graph.add_vertices(given)
    assert labelled(graph) == EXPECTED
    graph.set_vertices({"vertex": IDS, "label": ["x"] * 4})
    graph.set_vertices(given)
    assert labelled(graph) == EXPECTED


def network():
    graph = nx.DiGraph()
    for name, each in zip(IDS, LISTS, strict=True):
        graph.add_node(name, **({} if each is None else {"label": each}))
    graph.add_edge("a", "b")
    return graph


def node_link():
    nodes = [
        {"id": name} if each is None else {"id": name, "label": each} for name, each in zip(IDS, LISTS, strict=True)
    ]
    return json.dumps({"directed": True, "nodes": nodes, "links": [{"source": "a", "target": "b"}]})


@pytest.mark.parametrize("kept", ["infer", {"label": "string"}, {"label": "list<string>"}], ids=str)
@pytest.mark.parametrize("way", ["parquet", "ndjson", "json", "networkx"])
def test_sources_have_lists(tmp_path, way, kept):
    edges = tmp_path / "edges.parquet"
    pq.write_table(EDGES, edges)
    options = {"vertices": kept, "directed": True}
    if way == "parquet":
        pq.write_table(pa.table({"id": IDS, "label": LISTS}), tmp_path / "v.parquet")
        graph = rz.read(edges, vertex_files=[tmp_path / "v.parquet"], **options)
    elif way == "ndjson":
        lines = [json.dumps({"id": name, "label": each}) for name, each in zip(IDS, LISTS, strict=True)]
        (tmp_path / "v.ndjson").write_text("\n".join(lines))
        graph = rz.read(edges, vertex_files=[tmp_path / "v.ndjson"], **options)
    elif way == "json":
        (tmp_path / "g.json").write_text(node_link())
        graph = rz.read(tmp_path / "g.json", **options)
    else:
        graph = rz.read(network(), **options)
    assert graph.vertex_columns == {"label": "string"}
    assert labelled(graph) == EXPECTED


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ([["x"], {"b", "a"}, {"a", "b"}, frozenset("ab"), None], ["x", "a;b", "a;b", "a;b", None]),
        (["a;;b; c", ["x"], ""], ["a;;b; c", "x", ""]),  # texts stay as they are
        ([{"a", "b"}, float("nan"), None], ["a;b", None, None]),
        ([["x", None], None, []], ["x", None, None]),
    ],
)
def test_texts_lists_and_sets_stand_in_one_column(given, kept):
    graph = rz.open(None, vertices={"label": "string"})
    graph.add_vertices({"id": [f"v{i}" for i in range(len(given))], "label": given})
    assert graph.vertices.to_arrow()["label"].to_pylist() == kept


def test_sets_of_a_network_are_sorted():
    graph = nx.Graph()
    graph.add_node("a", label={"Person", "Actor", "Zebra"})
    graph.add_node("b", label=frozenset(["Movie"]))
    graph.add_node("c", label="Plain")
    stored = rz.read(graph, vertices="infer")
    assert stored.vertices.to_pandas()["label"].tolist() == ["Actor;Person;Zebra", "Movie", "Plain"]


def test_one_vertex_and_edges_take_lists():
    graph = empty(edges={"tags": "string"})
    graph.add_edges({"source": ["a", "a"], "target": ["b", "c"], "tags": [["x", "y"], []]})
    graph.set("a", label=["Person", "Actor"])
    assert graph.query("MATCH (a:Actor:Person) RETURN labels(a)").to_arrow()[0].to_pylist() == [["Person", "Actor"]]
    assert [target for _, target in graph.where(edges="has(tags, 'y')").edges] == ["b"]


def test_rows_are_chosen_by_an_item_of_a_list(tmp_path):
    table = pa.table({"source": [0, 1, 2], "target": [1, 2, 0], "tags": [["x", "y"], ["yy"], None]})
    pq.write_table(table, tmp_path / "e.parquet")
    for source in (table, tmp_path / "e.parquet"):
        assert rz.read(source, where="has(tags, 'y')").num_edges == 1
        assert rz.read(source, where="tags is null").num_edges == 1


def test_the_command_takes_lists_of_parquet(tmp_path, monkeypatch, rizoma):
    monkeypatch.chdir(tmp_path)
    pq.write_table(EDGES, "e.parquet")
    pq.write_table(pa.table({"id": IDS, "label": LISTS}), "v.parquet")
    rizoma("import", "g.rz", "e.parquet", "--vertices", "v.parquet", "--vertex-column", "label:string")
    assert rizoma("query", "g.rz", "MATCH (a:Actor) RETURN a.id", "--format", "csv").stdout.split() == ['"a.id"', '"a"']


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            {"vertex": ["a", "b"], "label": [["x"], ["y", "p;q"]]},
            "column 'label': .*row 1 is 'p;q'.*write another sign",
        ),
        ({"vertex": ["a", "b"], "label": ["x", ["p;q", "y"]]}, "column 'label': .*row 1 is 'p;q'.*write another sign"),
        (pl.DataFrame({"vertex": ["a"], "label": [["p;q"]]}), "column 'label': a text of the list is 'p;q'"),
        ({"vertex": ["a"], "label": [[1, 2]]}, r"\[1, 2\] in row 0 is a list"),
        ({"vertex": ["a"], "label": [{"x": 1}]}, "cannot be stored as string"),
        (
            pd.DataFrame({"vertex": ["a", "b"], "label": ["x", ["y"]]}),
            r"several types, such as lists and texts.*\[value\]",
        ),
    ],
    ids=str,
)
def test_what_is_no_list_of_labels(given, said):
    with pytest.raises(rz.InvalidArgumentError, match=said):
        empty().add_vertices(given)


def test_files_name_the_line_of_a_wrong_label(tmp_path):
    pq.write_table(EDGES, tmp_path / "e.parquet")
    (tmp_path / "v.ndjson").write_text('{"id": "a", "label": ["x"]}\n{"id": "b", "label": ["p;q"]}\n')
    with pytest.raises(rz.ParseError, match=r"v\.ndjson:2: column 'label': a text of the list is 'p;q'"):
        rz.read(tmp_path / "e.parquet", vertex_files=[tmp_path / "v.ndjson"], vertices={"label": "string"})
    (tmp_path / "g.json").write_text('{"nodes": [{"id": 1, "label": ["p;q"]}], "edges": []}')
    with pytest.raises(rz.ParseError, match=r"g\.json:1: the label .* a list is kept as its texts with ; between"):
        rz.read(tmp_path / "g.json", vertices={"label": "string"})
