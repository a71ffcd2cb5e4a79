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


def write_table(rows: pd.DataFrame, path: Path) -> None:
    """Write rows as the end of the name says: CSV, Parquet or JSON lines."""
    if path.suffix == ".csv":
        rows.to_csv(path, index=False)
    elif path.suffix == ".parquet":
        rows.to_parquet(path)
    else:
        rows.to_json(path, orient="records", lines=True)


@pytest.mark.parametrize("kind", ["csv", "parquet", "jsonl"])
@pytest.mark.parametrize("append", [False, True])
def test_columns_of_vertex_files_that_are_not_kept_are_named(tmp_path: Path, kind: str, append: bool) -> None:
    people = pd.DataFrame({"id": [1, 2], "age": [30, 40], "name": ["ann", "bob"]})
    path, edges = tmp_path / f"people.{kind}", tmp_path / "edges.csv"
    edges.write_text("source,target\n1,2\n")
    write_table(people, path)
    into = tmp_path / "g.rz"
    if append:
        with rz.read(edges, into=into, vertices={"age": "int64"}, vertex_files=[path]):
            pass
    kept = {} if append else {"age": "int64"}
    with rz.read(edges, into=into, append=append, vertices=kept, vertex_files=[path]) as graph:
        said = str(graph.last_import).splitlines()
        names = "'name'" if kept else "'age', 'name'"
        assert f"{path}: not read: {names}" in said
        assert (f"{path}: kept: 'age'" in said) == bool(kept)


def _read_with_vertices(folder: Path, rows: str, table: str, /, **options: Any) -> tuple[rz.Graph, list[str]]:
    """The graph of two files, and what Python warns of."""
    (folder / "e.csv").write_text(rows)
    (folder / "v.csv").write_text(table)
    options = {"vertices": "infer", "vertex_files": [folder / "v.csv"], **options}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        graph = rz.read(folder / "e.csv", **options)
    return graph, [str(each.message) for each in caught if each.category is rz.errors.ReadWarning]


EDGES_OF_NUMBERS, EDGES_OF_NAMES = "source,target\n1,2\n2,3\n", "source,target\na,b\nb,c\n"

NO_IDS_OF_EDGES = {
    "numbers": (EDGES_OF_NUMBERS, "zip,user\n10115,1\n20095,2\n", "'zip'", "vertex='user'"),
    "names": (EDGES_OF_NAMES, "name,user\nAnn,a\nBob,b\n", "'name'", "vertex='user'"),
    "no other column": (EDGES_OF_NAMES, "id,score\nx1,5\nx2,6\n", "'id'", "name it with vertex="),
}


@pytest.mark.parametrize("name", NO_IDS_OF_EDGES)
def test_a_vertex_file_without_an_id_of_an_edge_is_warned_of_once(tmp_path: Path, name: str) -> None:
    edges, vertices, column, remedy = NO_IDS_OF_EDGES[name]
    graph, said = _read_with_vertices(tmp_path, edges, vertices)
    assert len(said) == 1
    assert f"no id in column {column} is a vertex of an edge: the 2 rows" in said[0]
    assert remedy in said[0]
    assert said[0] in str(graph.last_import).splitlines()


@pytest.mark.parametrize(
    ("vertices", "options"),
    [
        ("zip,user\n10115,1\n20095,2\n", {"vertex": "user"}),
        ("user,zip\n1,10115\n7,20095\n", {}),  # a vertex without edges beside another
        ("id,zip\n7,10115\n", {}),
        ("id,zip\n", {"vertices": {}}),
    ],
)
def test_nothing_is_warned_of_vertices_of_edges(tmp_path: Path, vertices: str, options: dict[str, Any]) -> None:
    assert _read_with_vertices(tmp_path, EDGES_OF_NUMBERS, vertices, **options)[1] == []
    assert _read_with_vertices(tmp_path, "source,target\n", "id,x\n1,1\n2,2\n")[0].num_vertices == 2


@pytest.mark.parametrize("kind", ["csv", "parquet", "jsonl"])
@pytest.mark.parametrize("columns", [["city", "age", "login"], ["id", "city", "vertex"]])
def test_ids_that_may_be_in_several_columns_are_asked_for(
    tmp_path: Path, rizoma: Any, kind: str, columns: list[str]
) -> None:
    rows = pd.DataFrame([["Rome", "3", "ann"], ["Oslo", "4", "bob"]], columns=columns)
    (tmp_path / "e.csv").write_text("source,target\nann,bob\n")
    table = tmp_path / f"v.{kind}"
    write_table(rows, table)
    with pytest.raises(rz.RizomaError, match=r"v\..* called 'vertex' or 'id' .*name the one .*vertex="):
        rz.read(tmp_path / "e.csv", vertex_files=[table])
    graph = rz.read(tmp_path / "e.csv", vertex_files=[table], vertex=columns[2])
    assert sorted(graph) == ["ann", "bob"]
    done = rizoma("import", "g.rz", tmp_path / "e.csv", "--vertices", table, "--vertex", columns[2])
    assert "2 vertices" in done.stdout + done.stderr


def test_the_report_names_vertex_files(tmp_path: Path, rizoma: Any) -> None:
    graph, _ = _read_with_vertices(tmp_path, EDGES_OF_NUMBERS, "user,zip\n1,10115\n2,20095\n")
    assert graph.last_import is not None
    told = graph.last_import.to_dict()["vertex_files"]
    assert told == [
        {
            "path": str(tmp_path / "v.csv"),
            "ids": "user",
            "by_place": True,
            "columns": ["zip"],
            "rows": 2,
            "notes": [],
            "guesses": [],
        }
    ]
    by_place = "2 rows of vertices, ids are 'user', the first column, because none is called 'vertex' or 'id'"
    assert by_place in str(graph.last_import)
    done = rizoma("import", "g.rz", tmp_path / "e.csv", "--vertices", tmp_path / "v.csv", "--all-columns")
    assert by_place in done.stderr
    graph, _ = _read_with_vertices(tmp_path, EDGES_OF_NUMBERS, "zip,id\n10115,1\n")
    assert "1 row of vertices, ids are 'id'\n" in str(graph.last_import)


@pytest.mark.parametrize("across", [False, True])
def test_an_id_twice_in_a_vertex_file_is_counted(tmp_path: Path, across: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if across:  # each row is a piece of its own
        monkeypatch.setattr("rizoma.io.vertex_tables.ROWS", 1)
    graph, said = _read_with_vertices(tmp_path, EDGES_OF_NUMBERS, "id,x\n1,5\n2,7\n1,6\n1,8\n3,3\n")
    assert graph.vertices.to_arrow()["x"].to_pylist() == [8, 7, 3]
    assert len(said) == 1
    assert "v.csv: 2 rows have an id that a row before has, such as 1: the values read last stay" in said[0]
    graph, said = _read_with_vertices(tmp_path, EDGES_OF_NUMBERS, "id,x\n1,5\n1,6\n", vertices={})
    assert said == []  # nothing is lost
    assert "1 row has an id that a row before has, such as 1" in str(graph.last_import)


def test_numbers_that_are_text_because_of_a_text_for_no_value_are_warned_of_once(tmp_path: Path) -> None:
    rows = "source,target,x,note\na,b,1.5,NA\nb,c,NA,q\nc,d,2,r\n"
    _, said = _read_with_vertices(tmp_path, rows, "id,score\na,5\nb,NA\n", edges="infer")
    assert len(said) == 2
    assert said[0].startswith("'x' is kept as text because of 'NA' in it: null='NA' reads")
    assert "v.csv, 'score' is kept as text because of 'NA' in it" in said[1]
    graph, said = _read_with_vertices(tmp_path, rows, "id,score\na,5\nb,NA\n", edges="infer", null="NA")
    assert said == []
    assert (graph.edge_columns["x"], graph.vertex_columns["score"]) == ("float64", "int64")


NO_COLUMN_HOLDS = {
    "a.gexf": (
        gexf(
            f'<edge id="e9" label="knows" kind="k" {AB}><viz:thickness value="2"/></edge>',
            nodes='<node id="a"><viz:color r="1"/></node><node id="b"/>',
        ),
        ["not read, of edges: 'id', 'label', 'kind', 'viz:thickness'", "not read, of vertices: 'viz:color'"],
    ),
    "a.net": (
        '*Vertices 2\n1 "a" 0.1 0.2 ellipse ic Red\n2 "b"\n*Edges\n1 2 3 l "knows" c Blue\n',
        ["not read, of vertices: 'coordinates', 'shape', 'ic'", "not read, of edges: 'l', 'c'"],
    ),
    "a.graphml": (
        '<graphml><graph edgedefault="directed"><node id="a"/><node id="b"/>'
        '<edge id="road" source="a" target="b"/></graph></graphml>',
        ["not read, of edges: 'id'"],
    ),
    "a.gml": (
        "graph [ node [ id 1 graphics [ x 1 ] ] node [ id 2 ] edge [ source 1 target 2 LabelGraphics [ fill 3 ] ] ]",
        ['not read, of edges: "LabelGraphics"', 'not read, of vertices: "graphics"'],
    ),
    "a.json": (
        '{"nodes": [{"id": 1, "at": {"x": 1}}, {"id": 2}], "links": [{"source": 1, "target": 2, "by": [{"n": 1}]}]}',
        ['not read, of edges: "by"', 'not read, of vertices: "at"'],
    ),
    "a.ndjson": ('{"source": 1, "target": 2, "by": {"n": 1}}\n', ["not read: 'by'"]),
}


@pytest.mark.parametrize("name", NO_COLUMN_HOLDS)
def test_what_no_column_can_hold_is_named(tmp_path: Path, name: str) -> None:
    text, notes = NO_COLUMN_HOLDS[name]
    (tmp_path / name).write_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        said = str(rz.read(tmp_path / name).last_import)
    assert [note for note in notes if note not in said] == []


@pytest.mark.parametrize("name", ["a.gml", "a.json", "a.ndjson"])
def test_what_no_column_can_hold_is_refused_where_all_is_asked_for(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(NO_COLUMN_HOLDS[name][0])
    with pytest.raises(rz.RizomaError, match="name the columns to keep"):
        rz.read(tmp_path / name, edges="infer")


def test_a_key_that_stands_twice_in_json_is_refused_where_it_is_read(tmp_path: Path) -> None:
    nodes, edges = '"nodes": [{"id": 1}, {"id": 2}]', '"edges": [{"source": 1, "target": 2}]'
    for name, text, key in (
        ("a.json", f"{{{nodes}, {edges}, {edges}}}", "`edges`"),
        ("a.json", f"{{{nodes}, {nodes}, {edges}}}", "`nodes`"),
        ("a.json", f'{{"directed": true, {nodes}, {edges}, "directed": false}}', "`directed`"),
        ("a.json", f'{{{edges}, "nodes": [{{"id": 1, "id": 2}}]}}', "'id'"),
        ("a.ndjson", '{"source": 1, "target": 2, "source": 3}\n', "'source'"),
        ("a.ndjson", '{"source": 1, "target": 2}\n{"source": 1, "target": 2, "target": 3}\n', "a.ndjson:2: .*'target'"),
    ):
        (tmp_path / name).write_text(text)
        with pytest.raises(rz.errors.ParseError, match=f"{key}.*leave one of them out") as raised:
            rz.read(tmp_path / name)
        assert "two values" in str(raised.value)
    (tmp_path / "a.ndjson").write_text('{"source": 1, "target": 2, "note": 3, "note": 4}\n')
    assert rz.read(tmp_path / "a.ndjson").num_edges == 1  # not read


def test_a_column_that_says_the_direction_is_not_called_unread(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("Source,Target,Type,Id\n1,2,Directed,7\n2,3,Directed,9\n")
    said = str(rz.read(tmp_path / "a.csv").last_import)
    assert "each row says in column 'Type' that its edge has a direction" in said
    assert "not read: 'Id'" in said


def test_gml_says_which_key_has_the_weights(tmp_path: Path) -> None:
    for keys, told in (("value 3", '"value": none has a "weight"'), ("weight 2 value 3", '"weight", not "value"')):
        (tmp_path / "a.gml").write_text(f"graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 {keys} ] ]")
        said = str(rz.read(tmp_path / "a.gml").last_import)
        assert f"the weight of edges is {told}" in said
        assert ('not read, of edges: "value"' in said) == ("weight 2" in keys)


@pytest.mark.parametrize("of_file", [True, False])
def test_ids_in_single_quotes_are_warned_of(tmp_path: Path, of_file: bool) -> None:
    (tmp_path / "a.csv").write_text("source,target\n'a','b'\n'b','c'\n")
    data = tmp_path / "a.csv" if of_file else pd.DataFrame({"source": ["'a'", "'b'"], "target": ["'b'", "'c'"]})
    with pytest.warns(rz.errors.ReadWarning, match="is read with its single quotes") as caught:
        assert "'a'" in rz.read(data)
    assert [str(each.message).startswith(text) for each, text in zip(caught, ("'a' in", "'b' in"), strict=True)]


def test_konect_says_that_the_third_column_is_the_weight(tmp_path: Path) -> None:
    for kind, weight in (("posweighted", 5), ("signed", 5), ("unweighted", None), ("dynamic", None)):
        (tmp_path / "out.a").write_text(f"% asym {kind}\n1 2 5\n")
        graph = rz.read(tmp_path / "out.a")
        assert (graph.weight(1, 2) if weight else graph.weights) == weight
        assert (f"the comment '{kind}' says" in str(graph.last_import)) == bool(weight)


def test_ids_of_edges_in_gexf_that_only_count_them_are_no_loss(tmp_path: Path) -> None:
    (tmp_path / "a.gexf").write_text(gexf(f'<edge id="0" {AB}/><edge id="1" {BC}/>'))
    assert "not read" not in str(rz.read(tmp_path / "a.gexf").last_import)


def test_times_in_pajek_are_warned_of(tmp_path: Path) -> None:
    (tmp_path / "a.net").write_text('*Vertices 2\n1 "a" [1-3]\n2 "b"\n*Arcs\n1 2 1 [2]\n')
    with pytest.warns(rz.errors.ReadWarning, match="times of vertices and edges are not read"):
        rz.read(tmp_path / "a.net")


def test_keys_of_a_multigraph_that_are_lost_are_warned_of_once() -> None:
    graph = nx.MultiDiGraph(name="roads")
    graph.add_edge("a", "b", key="x")
    graph.add_edge("a", "b", key="y")
    with pytest.warns(rz.errors.ReadWarning, match="keys of edges, such as 'x'") as caught:
        said = str(rz.read(graph, parallel_edges="keep").last_import)
    assert len(caught) == 1
    assert 'not read, of the graph itself: "name"' in said
    counted = nx.MultiGraph()
    counted.add_edges_from([("a", "b"), ("b", "a"), ("b", "c")])
    assert "not read" not in str(rz.read(counted, parallel_edges="keep").last_import)


def test_what_is_used_is_not_called_unread(tmp_path: Path) -> None:
    (tmp_path / "a.gml").write_text("graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 value 3 ] ]")
    graph = rz.read(tmp_path / "a.gml")
    assert graph.weight(0, 1) == 3
    assert "not read" not in str(graph.last_import)
    rows = [{"source": "a", "target": "b", "type": "directed", "n": 1}, {"source": "b", "target": "c", "n": 2}]
    rows[1]["type"] = "undirected"
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for data in (tmp_path / "a.jsonl", pd.DataFrame(rows)):
        said = str(rz.read(data).last_import)
        assert "each row says in column 'type' whether its edge has a direction" in said
        assert "not read: 'n'" in said
