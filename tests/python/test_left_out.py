"""What a document or a sequence says and Rizoma does not keep, or may read otherwise than meant, is said."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import rizoma as rz

GRAPH = '<graph defaultedgetype="directed" {mode}>{declared}<nodes>{nodes}</nodes><edges>{edges}</edges></graph>'
GEXF = f"<gexf>{GRAPH}</gexf>"
WEIGHT = '<attributes class="edge"><attribute id="0" title="weight" type="{kind}"/></attributes>'
NODES = '<node id="a"/><node id="b"/><node id="c"/>'


def gexf(edges: str, declared: str = "", nodes: str = NODES, mode: str = "") -> str:
    return GEXF.format(edges=edges, declared=declared, nodes=nodes, mode=mode)


def attribute(ends: str, value: str, more: str = "") -> str:
    return f'<edge {ends} {more}><attvalues><attvalue for="0" value="{value}"/></attvalues></edge>'


AB, BC = 'source="a" target="b"', 'source="b" target="c"'
PAJEK = '*Vertices 3\n1 "{}"\n2 "{}"\n3 "{}"\n'


def node_link(nodes: list[Any], links: list[Any]) -> str:
    return json.dumps({"directed": True, "nodes": [{"id": id} for id in nodes], "links": links})


CASES = {
    "an edge to an id that no node has": (
        "g.json",
        node_link(["a", "b"], [{"source": "a", "target": "z"}, {"source": "y", "target": "b"}]),
        [("a", "z"), ("y", "b")],
        "no node has this id (2 such ids)",
    ),
    "a graph without direction": (
        "g.graphml",
        '<graphml><graph><node id="a"/><node id="b"/><edge source="a" target="b"/></graph></graphml>',
        [("a", "b")],
        "edgedefault",
    ),
    "relations": (
        "g.net",
        PAJEK.format("a", "b", "c") + '*Arcs :1 "likes"\n1 2\n*Arcs :2 "hates"\n2 3\n',
        [("a", "b"), ("b", "c")],
        "several relations",
    ),
    "names that are not unique": ("g.net", PAJEK.format("a", "a", "c") + "*Arcs\n1 2\n", [(1, 2)], "called 'a'"),
    "times": ("g.gexf", gexf(f'<edge {AB} start="2001"/>', mode='mode="dynamic"'), [("a", "b")], "times"),
    "times of nodes": (
        "g.gexf",
        gexf(f"<edge {AB}/>", nodes='<node id="a"><spells><spell end="3"/></spells></node><node id="b"/>'),
        [("a", "b")],
        "times",
    ),
    "weights beside an attribute": (
        "g.gexf",
        gexf(attribute(AB, "7", 'weight="2"'), WEIGHT.format(kind="float")),
        [("a", "b", 2.0)],
        "not read as the weight",
    ),
    "parents of nodes": (
        "g.gexf",
        gexf(f"<edge {AB}/>", nodes='<node id="a"/><node id="b" pid="a"/>'),
        [("a", "b")],
        "pid",
    ),
    "a weight with a capital in GEXF": (
        "g.gexf",
        gexf(attribute(AB, "7"), WEIGHT.format(kind="float").replace("weight", "Weight")),
        [("a", "b")],
        "'Weight' of edges is not read as the weight",
    ),
    "a weight with a capital in JSON": (
        "g.json",
        node_link(["a", "b"], [{"source": "a", "target": "b", "Weight": 7}]),
        [("a", "b")],
        "'Weight' of edges is not read as the weight",
    ),
    "a weight as Gephi calls it": (
        "g.graphml",
        '<graphml><key id="weight" for="edge" attr.name="Edge Weight" attr.type="double"/>'
        '<graph edgedefault="directed"><node id="a"/><node id="b"/>'
        '<edge source="a" target="b"><data key="weight">7</data></edge></graph></graphml>',
        [("a", "b")],
        "'Edge Weight' of edges is not read as the weight",
    ),
    "an attribute of text": (
        "g.gexf",
        gexf(attribute(AB, "much"), WEIGHT.format(kind="string")),
        [("a", "b")],
        "not read as the weight",
    ),
}


def edges_of(graph: Any) -> list[tuple[Any, ...]]:
    return sorted(tuple(row.values()) for row in graph.edges.to_arrow().to_pylist())


@pytest.mark.parametrize("name", CASES)
def test_what_is_not_kept_is_said(name: str, tmp_path: Path) -> None:
    file, text, edges, says = CASES[name]
    (tmp_path / file).write_text(text)
    with pytest.warns(rz.errors.ReadWarning) as told:
        graph = rz.read(tmp_path / file)
    assert edges_of(graph) == edges
    assert says in str(graph.last_import)
    assert any(says in str(each.message) for each in told)


def test_the_attribute_called_weight_is_the_weight(tmp_path: Path) -> None:
    file = tmp_path / "g.gexf"
    file.write_text(gexf(attribute(AB, "7") + attribute(BC, "2.5"), WEIGHT.format(kind="float")))
    assert edges_of(rz.read(file)) == [("a", "b", 7.0), ("b", "c", 2.5)]
    file.write_text(gexf(attribute(AB, "7") + f"<edge {BC}/>", WEIGHT.format(kind="float")))
    with pytest.warns(rz.errors.ReadWarning, match="1 of 2 edges have no weight"):
        assert edges_of(rz.read(file)) == [("a", "b", 7.0), ("b", "c", 1.0)]


def test_labels_of_gexf_are_values(tmp_path: Path) -> None:
    file = tmp_path / "g.gexf"
    file.write_text(gexf(f"<edge {AB}/>", nodes='<node id="a" label="Ann"/><node id="b" label="b"/>'))
    assert '"label"' in str(rz.read(file).last_import)
    graph = rz.read(file, vertices={"label": "string"})
    assert (graph.vertex("a")["label"], graph.vertex("b")["label"]) == ("Ann", None)


@pytest.mark.parametrize("first", ["weight 9", "value 3"])
def test_gml_takes_weights_from_one_key(first: str, tmp_path: Path) -> None:
    """`value` is the weight where no edge has a `weight`; never one edge's this and the other's that."""
    file = tmp_path / "g.gml"
    second = "value 3" if first == "weight 9" else "weight 9"
    nodes = "node [ id 1 ] node [ id 2 ] node [ id 3 ]"
    file.write_text(
        f"graph [ directed 1 {nodes} edge [ source 1 target 2 {first} ] edge [ source 2 target 3 {second} ] ]"
    )
    with pytest.warns(rz.errors.ReadWarning, match="1 of 2 edges have no weight"):
        weights = [row[2] for row in edges_of(rz.read(file))]
    assert sorted(weights) == [1, 9]
    file.write_text(
        f"graph [ directed 1 {nodes} edge [ source 1 target 2 value 3 ] edge [ source 2 target 3 value 4 ] ]"
    )
    assert [row[2] for row in edges_of(rz.read(file))] == [3, 4]


@pytest.mark.parametrize("fmt", ["10", "100", "11", "111"])
def test_weights_of_vertices_in_metis_are_left_out_with_a_word(fmt: str, tmp_path: Path) -> None:
    file = tmp_path / "g.graph"
    front = "7 " * (fmt.zfill(3)[0] == "1") + "8 " * (fmt.zfill(3)[1] == "1")
    weight = " 5" * (fmt[-1] == "1")
    file.write_text(f"2 1 {fmt}\n{front}2{weight}\n{front}1{weight}\n")
    graph = rz.read(file)
    assert graph.num_edges == 1
    assert "sizes and weights of vertices" in str(graph.last_import)


@pytest.mark.parametrize("nodes", ["1 Ann\n2 Bob\n3 Cy\n", "1\n2\n3\n", "a x y\nb\nc z\n"])
def test_a_file_of_vertices_and_then_edges_is_refused(nodes: str, tmp_path: Path) -> None:
    file = tmp_path / "g.txt"
    names = [line.split()[0] for line in nodes.splitlines()]
    file.write_text(f"{nodes}#\n{names[0]} {names[1]}\n{names[1]} {names[2]} label\n")
    with pytest.raises(rz.errors.ParseError, match="TGF"):
        rz.read(file)


@pytest.mark.parametrize(
    "text",
    [
        "# a comment\n1 2\n",
        "1 2\n1 3\n#\n2 3\n",
        "#\n1 2\n",
        "1 2\n3 4\n#\n5 6\n",
        "1 2\n2 3\n#\n",
        "1 2\n3 4\n#\n1 3\n",
        "1 2\n2 3\n3 4\n#\n1 3\n",
        "ann bob\nbob cat\ncat dan\n#\nann cat\n",
    ],
)
def test_edge_lists_with_empty_comments_are_read(text: str, tmp_path: Path) -> None:
    file = tmp_path / "g.txt"
    file.write_text(text)
    assert rz.read(file).num_edges == sum(not line.startswith("#") for line in text.splitlines())


@pytest.mark.parametrize(
    "make",
    [list, iter, lambda rows: np.array(rows), lambda rows: map(list, rows)],
    ids=["list", "iterator", "array", "lists"],
)
def test_a_first_row_that_names_ends_is_told(make: Any) -> None:
    rows = [("source", "target"), ("a", "b")]
    for read in (rz.read, lambda data: rz.open(None, ids="string").add_edges(data)):
        with pytest.warns(rz.errors.ReadWarning, match="the first row"):
            read(make(rows))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rz.read(make([("source", "a"), ("a", "target")]))


@pytest.mark.parametrize("odd", [True, None, np.True_])
def test_truth_values_and_none_are_no_weights_of_rows(odd: Any) -> None:
    for data in ([("a", "b", odd), ("b", "c", 4.5)], [{"source": "a", "target": "b", "weight": odd}]):
        with pytest.raises(rz.errors.InvalidArgumentError, match=r"must be a number|is not a number|not a weight"):
            rz.read(data, weights=True)


def test_truth_values_are_no_weights_of_graphs() -> None:
    graph = nx.Graph()
    graph.add_edge("a", "b", weight=True)
    graph.add_edge("b", "c", weight=2)
    with pytest.warns(rz.errors.ReadWarning, match="not read as the weight"):
        assert rz.read(graph).weights is None


ODD_SHAPES = {
    "matrix": lambda: rz.read(np.matrix([[0, 1], [1, 0]])),
    "levels": lambda: rz.read(
        pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("e", "source"), ("e", "target")]))
    ),
    "ids in rows": lambda: rz.open(None).add_vertices(np.array([[1, 2], [3, 4]])),
    "single values": lambda: rz.read({"source": 1, "target": 2}),
}


@pytest.mark.parametrize("name", ODD_SHAPES)
def test_shapes_that_may_be_something_else_are_refused(name: str) -> None:
    with pytest.raises(rz.errors.InvalidArgumentError):
        ODD_SHAPES[name]()


@pytest.mark.parametrize("kind", ["csv", "parquet", "jsonl"])
@pytest.mark.parametrize("append", [False, True])
def test_columns_of_vertex_files_that_are_not_kept_are_named(tmp_path: Path, kind: str, append: bool) -> None:
    people = pd.DataFrame({"id": [1, 2], "age": [30, 40], "name": ["ann", "bob"]})
    path, edges = tmp_path / f"people.{kind}", tmp_path / "edges.csv"
    edges.write_text("source,target\n1,2\n")
    if kind == "csv":
        people.to_csv(path, index=False)
    elif kind == "parquet":
        people.to_parquet(path)
    else:
        people.to_json(path, orient="records", lines=True)
    into = tmp_path / "g.rz"
    if append:
        with rz.read(edges, into=into, vertices={"age": "int64"}, vertex_files=[path]):
            pass
    kept = {} if append else {"age": "int64"}
    with rz.read(edges, into=into, append=append, vertices=kept, vertex_files=[path]) as graph:
        said = str(graph.last_import)
        assert f"{path}: not read: " in said
        assert "'name'" in said
        assert ("'age'" in said) == (not kept)
