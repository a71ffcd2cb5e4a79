"""No source loses a weight, a direction, a vertex or a part of a value in silence: it is read, refused or told."""

from __future__ import annotations

import collections
import datetime
import decimal
import json
import sqlite3
import warnings

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import rizoma as rz
import scipy.sparse as sp
from rizoma.cli.commands import app
from rizoma.graph.tables.columns import rounded_to_single
from typer.testing import CliRunner

GRAPHML = (
    '<graphml><key id="w" for="edge" attr.name="weight" attr.type="{type}"/><graph edgedefault="{direction}">'
    '<node id="1"/><node id="2"/><node id="3"/>{edges}</graph></graphml>'
)
GEXF = (
    '<gexf><graph defaultedgetype="{direction}"><nodes><node id="1"/><node id="2"/><node id="3"/></nodes>'
    "<edges>{edges}</edges></graph></gexf>"
)


def rows_of(graph):
    return sorted(tuple(row.values()) for row in graph.edges.to_arrow().to_pylist())


def told(read):
    """The graph, and what Python warns of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        graph = read()
    return graph, " ".join(str(each.message) for each in caught)


def graphml(weights=(None, None), type_="double", direction="undirected"):
    data = ["" if weight is None else f'<data key="w">{weight}</data>' for weight in weights]
    edges = "".join(f'<edge source="{i}" target="{i + 1}">{each}</edge>' for i, each in enumerate(data, start=1))
    return GRAPHML.format(type=type_, direction=direction, edges=edges)


def gml(weights=(None, None), direction="0"):
    edges = "".join(
        f"edge [ source {i} target {i + 1} {'' if weight is None else f'weight {weight}'} ]\n"
        for i, weight in enumerate(weights, start=1)
    )
    return f"graph [ directed {direction} node [ id 1 ] node [ id 2 ] node [ id 3 ]\n{edges}]"


def node_link(weights=(None, None), direction=False):
    edges = [
        {"source": i, "target": i + 1} | ({} if weight is None else {"weight": weight})
        for i, weight in enumerate(weights, start=1)
    ]
    return json.dumps({"directed": direction, "nodes": [{"id": i} for i in (1, 2, 3)], "edges": edges})


def gexf(weights=(None, None), direction="undirected"):
    edges = "".join(
        f'<edge source="{i}" target="{i + 1}"{"" if weight is None else f""" weight="{weight}" """}/>'
        for i, weight in enumerate(weights, start=1)
    )
    return GEXF.format(direction=direction, edges=edges)


def pajek(weights=(None, None)):
    lines = [f"{i} {i + 1} {'' if weight is None else weight}" for i, weight in enumerate(weights, start=1)]
    return "*Vertices 3\n*Edges\n" + "\n".join(lines) + "\n"


DOCUMENTS = {"a.graphml": graphml, "a.gml": gml, "a.json": node_link, "a.gexf": gexf, "a.net": pajek}
WITHOUT = {name: document() for name, document in DOCUMENTS.items()} | {
    "a.mtx": "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n",
    "a.graph": "3 2\n2\n1 3\n2\n",
    "a.col": "p edge 3 2\ne 1 2\ne 2 3\n",
    "a.el": "1 2\n2 3\n",
    "a.csv": "source,target\n1,2\n2,3\n",
    "a.ndjson": '{"source": 1, "target": 2}\n{"source": 2, "target": 3}\n',
}


@pytest.mark.parametrize("name", WITHOUT)
def test_weights_that_a_file_does_not_have_are_refused(tmp_path, name):
    (tmp_path / name).write_text(WITHOUT[name])
    with pytest.raises(rz.RizomaError, match="weights were asked for"):
        rz.read(tmp_path / name, weights=True)
    graph, said = told(lambda: rz.read(tmp_path / name))
    assert (graph.weights, graph.num_edges, "weigh" in said) == (None, 2, False)


OBJECTS = {
    "networkx": lambda: nx.path_graph(3),
    "multigraph": lambda: nx.MultiGraph([(1, 2), (2, 3)]),
    "igraph": lambda: igraph.Graph(edges=[(0, 1), (1, 2)]),
    "pairs": lambda: [(1, 2), (2, 3)],
    "array": lambda: np.array([[1, 2], [2, 3]]),
    "table": lambda: pd.DataFrame({"source": [1, 2], "target": [2, 3]}),
    "rows": lambda: [{"source": 1, "target": 2}, {"source": 2, "target": 3}],
}


@pytest.mark.parametrize("name", OBJECTS)
@pytest.mark.parametrize("options", [{"weights": True}, {"weight": "amount"}], ids=["weights", "weight"])
def test_weights_that_an_object_does_not_have_are_refused(name, options):
    with pytest.raises(rz.RizomaError, match="weight"):
        rz.read(OBJECTS[name](), **options)
    if "weight" in options:
        with pytest.raises(rz.RizomaError, match="weight"):
            rz.open(None, weights=True).add_edges(OBJECTS[name](), **options)


@pytest.mark.parametrize("data", [[(1, 2)], np.array([[1, 2]]), sp.eye_array(2), nx.path_graph(2)], ids=type)
def test_names_of_columns_are_refused_where_there_are_none(data):
    with pytest.raises(rz.InvalidArgumentError, match="names a column"):
        rz.read(data, source=1, target=0)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_weight_that_some_edges_lack_is_told(tmp_path, name):
    (tmp_path / name).write_text(DOCUMENTS[name]((2.5, None)))
    graph, said = told(lambda: rz.read(tmp_path / name))
    assert [row[2] for row in rows_of(graph)] == [2.5, 1]
    assert "1 of 2 edges have no weight" in said
    for data in (nx.Graph([(1, 2, {"weight": 2.5}), (2, 3)]), igraph.Graph(edges=[(0, 1), (1, 2)])):
        if isinstance(data, igraph.Graph):
            data.es["weight"] = [2.5, None]
        graph, said = told(lambda data=data: rz.read(data))
        assert [row[2] for row in rows_of(graph)] == [2.5, 1]
        assert "1 of 2 edges have no 'weight'" in said


TEXTS = {
    "a.graphml": lambda *texts: graphml(texts, "string"),
    "b.graphml": lambda *texts: graphml(texts, "double"),
    "a.gml": lambda *texts: gml([f'"{text}"' for text in texts]),
    "a.json": lambda *texts: node_link(texts),
    "a.ndjson": lambda *texts: "".join(
        json.dumps({"source": i, "target": i + 1, "weight": text}) + "\n" for i, text in enumerate(texts, start=1)
    ),
}


@pytest.mark.parametrize("name", TEXTS)
def test_weights_of_text_are_numbers_or_no_weights(tmp_path, name):
    (tmp_path / name).write_text(TEXTS[name]("2.5", " 7 "))
    for asked in (None, True):
        assert [row[2] for row in rows_of(rz.read(tmp_path / name, weights=asked))] == [2.5, 7]
    (tmp_path / name).write_text(TEXTS[name]("2.5", "much"))
    graph, said = told(lambda: rz.read(tmp_path / name))
    assert graph.weights is None
    assert "not read as the weight" in said
    with pytest.raises(rz.RizomaError, match="much"):
        rz.read(tmp_path / name, weights=True)


DIRECTIONS = {
    "a.graphml": (lambda said: graphml(direction=said), ["directed", "Directed", "DIRECTED"], ["Undirected", ""]),
    "a.gexf": (lambda said: gexf(direction=said), ["directed", "Directed"], ["UNDIRECTED", "mutual"]),
    "a.gml": (lambda said: gml(direction=said), ["1", '"1"', "1.0"], ["0", '"0"']),
    "a.json": (lambda said: node_link(direction=said), [True, "true", "True", 1], [False, "false", 0, None]),
}


@pytest.mark.parametrize("name", DIRECTIONS)
def test_a_direction_is_heard_however_it_is_written(tmp_path, name):
    document, directed, undirected = DIRECTIONS[name]
    for said in (*directed, *undirected):
        (tmp_path / name).write_text(document(said))
        assert rz.read(tmp_path / name).directed == (said in directed)
    (tmp_path / name).write_text(document("both" if name != "a.gml" else '"both"'))
    with pytest.raises(rz.ParseError, match="both"):
        rz.read(tmp_path / name)


TWICE = {
    "a.graphml": '<graphml><graph><node id="a"/><node id="a"/></graph></graphml>',
    "a.gexf": '<gexf><graph><nodes><node id="a"/><node id="a"/></nodes><edges/></graph></gexf>',
    "a.json": '{"nodes": [{"id": "a", "x": 1}, {"id": "a", "x": 2}], "edges": []}',
    "a.gml": "graph [ node [ id 1 ] node [ id 1 ] ]",
    "b.json": '{"edges": [{"source": "b", "target": "a"}], "nodes": [{"id": "a"}, {"id": "b"}, {"id": "a"}]}',
}


@pytest.mark.parametrize("name", TWICE)
def test_two_nodes_of_one_id_are_refused(tmp_path, name):
    (tmp_path / name).write_text(TWICE[name])
    with pytest.raises(rz.ParseError, match="two nodes have one id"):
        rz.read(tmp_path / name)


def test_two_lists_of_edges_are_refused(tmp_path):
    document = {"nodes": [{"id": 1}, {"id": 2}]}
    (tmp_path / "a.json").write_text(json.dumps(document | {"edges": [], "links": [{"source": 1, "target": 2}]}))
    assert rz.read(tmp_path / "a.json").num_edges == 0
    both = {name: [{"source": 1, "target": 2}] for name in ("edges", "links")}
    (tmp_path / "a.json").write_text(json.dumps(document | both))
    with pytest.raises(rz.ParseError, match="listed twice"):
        rz.read(tmp_path / "a.json")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_numbers_are_names_where_they_are_asked_for(tmp_path, name):
    (tmp_path / name).write_text(DOCUMENTS[name]())
    assert sorted(rz.read(tmp_path / name, ids="string")) == ["1", "2", "3"]


@pytest.mark.parametrize("name", ["frame", "rows", "array", "matrix", "networkx", "parquet", "ndjson"])
def test_numbers_of_sources_with_types_are_names_where_they_are_asked_for(tmp_path, name):
    rows = pd.DataFrame({"source": [1, 2], "target": [2, 3]})
    rows.to_parquet(tmp_path / "a.parquet")
    rows.to_json(tmp_path / "a.ndjson", orient="records", lines=True)
    sources = {
        "frame": rows,
        "rows": [(1, 2), (2, 3)],
        "array": rows.to_numpy(),
        "matrix": sp.coo_array(([1, 1], ([1, 2], [2, 3])), (4, 4)),
        "networkx": nx.Graph([(1, 2), (2, 3)]),
    }
    graph = rz.read(sources.get(name, tmp_path / f"a.{name}"), ids="string")
    assert {"1", "2", "3"} <= set(graph)
    assert graph.has_edge("2", "3")


def test_json_lines_with_numbers_beside_texts_are_read_as_texts_where_asked_for(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"source": 1, "target": "a"}\n{"source": "b", "target": 2.0}\n')
    assert sorted(rz.read(tmp_path / "a.jsonl", ids="string")) == ["1", "2", "a", "b"]
    with pytest.raises(rz.ParseError, match="as in other lines"):
        rz.read(tmp_path / "a.jsonl")
    (tmp_path / "a.jsonl").write_text('{"source": true, "target": "a"}\n')
    with pytest.raises(rz.ParseError, match="true"):
        rz.read(tmp_path / "a.jsonl", ids="string")


def test_values_that_gexf_declares_for_all_are_those_of_each(tmp_path):
    declared = "".join(
        f'<attributes class="{kind}"><attribute id="0" title="x" type="integer"><default>4</default></attribute>'
        "</attributes>"
        for kind in ("node", "edge")
    )
    value = '<attvalues><attvalue for="0" value="9"/></attvalues>'
    edges = f'<edge source="1" target="2"/><edge source="2" target="3">{value}</edge>'
    text = GEXF.format(direction="directed", edges=edges).replace("<nodes>", declared + "<nodes>")
    (tmp_path / "a.gexf").write_text(text)
    graph = rz.read(tmp_path / "a.gexf", edges={"x": "int64"}, vertices="infer")
    assert rows_of(graph) == [(1, 2, 4), (2, 3, 9)]
    assert [graph.vertex(v) for v in (1, 2, 3)] == [{"x": 4}] * 3


def _ndjson(value, kind, place):
    (place / "a.ndjson").write_text(f'{{"source": 1, "target": 2, "x": {json.dumps(value)}}}')
    return rz.read(place / "a.ndjson", edges={"x": kind})


def _csv(value, kind, place):
    (place / "a.csv").write_text(f"source,target,x\n1,2,{value}\n")
    return rz.read(place / "a.csv", edges={"x": kind})


def _json(value, kind, place):
    edges = [{"source": 1, "target": 2, "x": value}]
    (place / "a.json").write_text(json.dumps({"nodes": [{"id": 1}, {"id": 2}], "edges": edges}))
    return rz.read(place / "a.json", edges={"x": kind})


def _table(value, kind, _):
    return rz.read({"source": [1], "target": [2], "x": [value]}, edges={"x": kind})


def _set(value, kind, _):
    graph = rz.open(None, edges={"x": kind})
    graph.add_edges([(1, 2)])
    graph.set((1, 2), x=value)
    return graph


@pytest.mark.parametrize("way", [_ndjson, _csv, _json, _table, _set])
@pytest.mark.parametrize(
    ("value", "kind"),
    [(1.5, "int64"), (300, "int8"), (-1, "uint16"), (1e39, "float32"), (-1e39, "float32"), (2**63, "int64")],
)
def test_a_value_that_its_type_cannot_hold_is_refused(way, value, kind, tmp_path):
    with pytest.raises(rz.RizomaError, match="x"):
        way(value, kind, tmp_path)


def test_the_last_line_of_json_lines_tells_its_keys_although_it_does_not_end(tmp_path):
    lines = ['{"source": 1, "target": 2}', '{"source": 2, "target": 3, "x": 1.5}']
    for end in ("", "\n", "\n\n"):
        (tmp_path / "a.ndjson").write_text("\n".join(lines) + end)
        assert rows_of(rz.read(tmp_path / "a.ndjson", edges="infer")) == [(1, 2, None), (2, 3, 1.5)]
        (tmp_path / "b.ndjson").write_text("\n".join(lines).replace("x", "weight") + end)
        with pytest.raises(rz.ParseError, match="there is no 'weight'"):
            rz.read(tmp_path / "b.ndjson")


def _named():
    kind = collections.namedtuple("Edge", ["target", "source", "weight"])
    return [kind("b", "a", 2.5), kind("c", "b", 3.5)]


def _pandas_tuples():
    return pd.DataFrame({"target": ["b", "c"], "source": ["a", "b"], "weight": [2.5, 3.5]}).itertuples()


def _sqlite_rows():
    base = sqlite3.connect(":memory:")
    base.row_factory = sqlite3.Row
    return base.execute("SELECT 'b' AS target, 'a' AS source, 2.5 AS weight UNION ALL SELECT 'c', 'b', 3.5")


@pytest.mark.parametrize("rows", [_named, _pandas_tuples, _sqlite_rows])
def test_rows_with_names_are_read_by_these(rows):
    assert rows_of(rz.read(rows(), directed=True)) == [("a", "b", 2.5), ("b", "c", 3.5)]
    graph = rz.open(None, directed=True, weights=True)
    data = rows() if rows is not _pandas_tuples else _named()  # which has a column Index, too
    graph.add_edges(data)
    assert rows_of(graph) == [("a", "b", 2.5), ("b", "c", 3.5)]


@pytest.mark.parametrize("kind", [sp.coo_array, sp.coo_matrix, sp.csr_array, sp.csc_array])
def test_entries_that_a_matrix_stores_twice_are_added(kind):
    rows, columns, values = np.array([0, 0, 1]), np.array([1, 1, 2]), np.array([1.0, 2.0, 4.0])
    if kind in (sp.coo_array, sp.coo_matrix):
        matrix = kind((values, (rows, columns)), shape=(4, 4))
    elif kind is sp.csr_array:
        matrix = kind((values, columns, [0, 2, 3, 3, 3]), shape=(4, 4))
    else:
        matrix = kind((values, rows, [0, 0, 2, 3, 3]), shape=(4, 4))
    graph = rz.read(matrix)
    assert (rows_of(graph), len(graph)) == ([(0, 1, 3.0), (1, 2, 4.0)], 4)
    assert "they were added" in str(graph.last_import)
    assert matrix.nnz == 3


MERGED = {
    "weights": ({"weight": [1.0, 2.0]}, {}),
    "columns": ({"amount": [1.0, 2.0]}, {"edges": {"amount": "float64"}}),
}


@pytest.mark.parametrize("what", MERGED)
@pytest.mark.parametrize("other_way", [False, True])
def test_values_that_merging_loses_are_warned_of(tmp_path, what, other_way):
    columns, options = MERGED[what]
    ends = {"source": ["a", "b"], "target": ["b", "a"]} if other_way else {"source": ["a"] * 2, "target": ["b"] * 2}
    table = pd.DataFrame(ends | columns)
    table.to_csv(tmp_path / "a.csv", index=False)
    table.to_parquet(tmp_path / "a.parquet")
    for data in (table, tmp_path / "a.csv", tmp_path / "a.parquet"):
        assert "made no new edge" in told(lambda data=data: rz.read(data, **options))[1]
        for rule in ("merge", "sum", "keep"):
            _, said = told(lambda data=data, rule=rule: rz.read(data, parallel_edges=rule, **options))
            assert "made no new edge" not in said
        if other_way:
            assert "made no new edge" not in told(lambda data=data: rz.read(data, directed=True, **options))[1]


@pytest.mark.parametrize("name", ["o.csv", "o.tsv.gz", "o.parquet", "o.ndjson", "o.el", "o.mtx", "o.graph", "o.gml"])
def test_an_export_tells_what_of_vertices_it_leaves_out(tmp_path, name):
    graph = rz.open(None, vertices={"age": "int16"})
    graph.add_edges([(0, 1), (1, 2)])
    said = told(lambda: graph.export(tmp_path / name))[1]
    assert ("not written, of vertices: 'age'" in said) == (name != "o.gml")
    graph.drop_column("age", of="vertices")
    assert told(lambda: graph.export(tmp_path / name))[1] == ""
    graph.add_vertices([3])
    said = told(lambda: graph.export(tmp_path / name))[1]
    assert ("1 vertex without edges left out" in said) == (name not in ("o.mtx", "o.graph", "o.gml"))


GREAT_SINGLE = [(1, 2, 16_777_217.0), (2, 3, 0.1), (3, 4, 16_777_216.0), (4, 5, 99_999_999.0)]


def _single_from_text(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    return tmp_path / name


SINGLES = {
    "rows": lambda tmp_path: GREAT_SINGLE,
    "array": lambda tmp_path: np.array(GREAT_SINGLE),
    "frame": lambda tmp_path: pd.DataFrame(GREAT_SINGLE, columns=["source", "target", "weight"]),
    "csv": lambda tmp_path: _single_from_text(
        tmp_path, "a.csv", "source,target,weight\n" + "".join(f"{a},{b},{w!r}\n" for a, b, w in GREAT_SINGLE)
    ),
    "edge list": lambda tmp_path: _single_from_text(
        tmp_path, "a.txt", "".join(f"{a} {b} {w!r}\n" for a, b, w in GREAT_SINGLE)
    ),
    "json lines": lambda tmp_path: _single_from_text(
        tmp_path,
        "a.ndjson",
        "".join(json.dumps({"source": a, "target": b, "weight": w}) + "\n" for a, b, w in GREAT_SINGLE),
    ),
    "networkx": lambda tmp_path: _weighted_graph(GREAT_SINGLE),
}


def _weighted_graph(rows):
    graph = nx.Graph()
    graph.add_weighted_edges_from(rows)
    return graph


@pytest.mark.parametrize("kind", SINGLES)
def test_whole_numbers_that_float32_rounds_are_said_once(kind, tmp_path):
    with pytest.warns(rz.errors.ReadWarning, match="beyond 2\\^24") as caught:
        graph = rz.read(SINGLES[kind](tmp_path), weights="float32")
    said = [str(each.message) for each in caught if "float32" in str(each.message)]
    assert [each.partition(" beyond")[0] for each in said] == ["2 weights are whole numbers"]
    assert 'weights="float64"' in said[0]
    assert graph.weights == "float32"


@pytest.mark.parametrize("kind", SINGLES)
def test_nothing_is_said_of_weights_that_are_held(kind, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rz.read(SINGLES[kind](tmp_path), weights="float64").weights == "float64"


@pytest.mark.parametrize(
    ("weights", "rounded"),
    [
        (np.array([2**53 + 1, -(2**63), 2**24, -(2**24) - 1], np.int64), 2),  # -2^63 is held
        (np.array([2**64 - 1, 2**63, 3], np.uint64), 1),
        (np.array([16_777_217, 5], np.int32), 1),
        (np.array([200, 5], np.uint8), 0),
        (np.array([16_777_217, 0.1], np.float32), 0),
    ],
    ids=["int64", "uint64", "int32", "uint8", "float32"],
)
def test_weights_of_every_type_are_compared_in_their_own(weights, rounded):
    table = {"source": np.arange(len(weights)), "target": np.arange(len(weights)) + 1, "weight": weights}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rz.read(table, weights="float32")
    said = [str(each.message) for each in caught]
    assert [each.partition(" ")[0] for each in said] == [str(rounded)] * min(rounded, 1), said


def test_a_weight_beyond_float32_is_refused_and_nothing_else_is_said():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(rz.InvalidArgumentError, match="float32"):
            rz.read(np.array([(1.0, 2.0, 1e39)]), weights="float32")


COMPOSED, DECOMPOSED = "caf\u00e9", "cafe\u0301"


@pytest.mark.parametrize("kind", ["rows", "frame", "csv", "edge list", "append"])
def test_ids_that_differ_in_the_composition_of_characters_only_are_counted(kind, tmp_path):
    rows = [(COMPOSED, "a"), (DECOMPOSED, "b"), ("a", "\u1112\u1161\u11ab"), ("b", "\ud55c"), ("caf\u00e8", "c")]
    text = "".join(f"{a},{b}\n" for a, b in rows)
    into = None
    if kind == "append":
        into = tmp_path / "g.rz"
        rz.read([(COMPOSED, "a"), ("b", "\ud55c")], into=into).close()
        rows = [(DECOMPOSED, "b"), ("a", "\u1112\u1161\u11ab")]
    source = {
        "rows": rows,
        "append": rows,
        "frame": pd.DataFrame(rows, columns=["source", "target"]),
        "csv": _single_from_text(tmp_path, "a.csv", "source,target\n" + text),
        "edge list": _single_from_text(tmp_path, "a.txt", text.replace(",", " ")),
    }[kind]
    with pytest.warns(rz.errors.ReadWarning, match="only in how Unicode composes") as caught:
        graph = rz.read(source, into=into, append=kind == "append")
    said = [str(each.message) for each in caught if "Unicode" in str(each.message)]
    assert [each.partition(" from")[0] for each in said] == ["2 ids differ"]
    assert "unicodedata.normalize" in said[0]
    assert {COMPOSED, DECOMPOSED} <= set(graph)
    graph.close()


def test_nothing_is_said_of_ids_in_one_composition(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for rows in ([(DECOMPOSED, "cafe\u0300")], [(COMPOSED, "caf\u00e8"), ("e", "\u4e2d")], [("a", "b")], [(1, 2)]):
            rz.read(rows)


@pytest.mark.parametrize("call", ["add_edges", "remove_edges", "set_weights", "set_edges"])
@pytest.mark.parametrize("as_path", [str, lambda path: path])
def test_a_path_is_no_table_of_edges_and_told_how_to_read(call, as_path, tmp_path):
    path = _single_from_text(tmp_path, "a.csv", "source,target,weight\n1,2,0.5\n")
    graph = rz.open(None, weights=True)
    with pytest.raises(rz.InvalidArgumentError, match=r"is not a table: read a file first.*rizoma\.read\('.*a\.csv'"):
        getattr(graph, call)(as_path(path))


def test_refused_values_are_told_what_would_take_them(tmp_path):
    plain = rz.read([(1, 2)])
    for change in (
        lambda: plain.set_weights([(1, 2, 0.5)]),
        lambda: plain.set((1, 2), weight=0.5),
        lambda: plain.set_weights([(1, 2, 0.5)], key="k"),
    ):
        with pytest.raises(
            rz.InvalidArgumentError, match="no weights, so none can be set; create it with weights=True"
        ):
            change()
    graph = rz.open(None, edges={"amount": "float64"}, vertices={"age": "int32"})
    graph.add_edges([(1, 2)])
    for key, of, there in ((1, "vertices", "age"), ((1, 2), "edges", "amount")):
        remedy = f'.graph.add_column."x", "int64", of="{of}". adds one'
        with pytest.raises(rz.ColumnNotFoundError, match=f"{of} have no column 'x'; there are {there} {remedy}"):
            graph.set(key, x=1)
    path = _single_from_text(
        tmp_path, "a.ndjson", '{"source":1,"target":2,"weight":1.5}\n{"source":2,"target":3,"weight":null}\n'
    )
    with pytest.raises(rz.ParseError, match="a weight is a finite number: write one, or leave such lines out"):
        rz.read(path)
    assert rz.read(path, skip_bad_lines=1).num_edges == 1


@pytest.mark.parametrize(
    ("weights", "rounded"),
    [
        (np.array([2**24 + 1, -(2**24) - 1, 2**24, 5]), 2),
        (np.array([2**53 + 1, 2**63 - 1, -(2**63)]), 2),
        (np.array([2**64 - 1, 2**40], np.uint64), 1),
        (np.array([2.0**24 + 1, 2.0**24 + 2, 0.1, np.nan, np.inf]), 1),
        (np.array([2**30 + 1], np.int32), 1),
        (np.array([], np.int64), 0),
    ],
)
def test_numbers_of_every_type_that_float32_rounds_are_counted(weights, rounded):
    assert rounded_to_single(weights) == rounded


def _added_rows(graph, rows):
    graph.add_edges(rows)


def _added_frame(graph, rows):
    graph.add_edges(pd.DataFrame(rows, columns=["source", "target"]))


def _added_vertices(graph, rows):
    graph.add_vertices([id_ for row in rows for id_ in row])


def _added_batch(graph, rows):
    with graph.batch() as batch:
        batch.add_vertices([rows[0][0]])
        batch.add_edges(rows)


def _added_command(graph, rows):
    path = graph.path
    graph.close()
    file = path.with_suffix(".txt")
    file.write_text("".join(f"{a} {b}\n" for a, b in rows))
    done = CliRunner().invoke(app, ["add", str(path), str(file)])
    assert done.exit_code == 0
    for line in done.stderr.splitlines():
        if "Unicode" in line:
            warnings.warn(line, rz.errors.ReadWarning, stacklevel=2)


ADDED = [_added_rows, _added_frame, _added_vertices, _added_batch, _added_command]
NEVER_COMPOSED = "\u1112\u1161\u11ab"
TWINS = {  # what is there, what is added, and how many of these are twins
    "there": ([(COMPOSED, "a")], [(DECOMPOSED, "b")], 1),
    "there, decomposed": ([(DECOMPOSED, "a")], [(COMPOSED, "b")], 1),
    "among themselves": ([("a", "b")], [(COMPOSED, DECOMPOSED)], 1),
    "both": ([(COMPOSED, "\ud55c")], [(DECOMPOSED, NEVER_COMPOSED), ("e\u0301", "\u00e9")], 3),
    "in a graph that was empty": ([], [(COMPOSED, DECOMPOSED)], 1),
    "there already": ([(COMPOSED, DECOMPOSED)], [(DECOMPOSED, "b"), ("b", COMPOSED)], 0),
    "none": ([(COMPOSED, "a")], [(COMPOSED, "cafe\u0300"), ("\u4e2d", "b")], 0),
    "numbers": ([(1, 2)], [(2, 3)], 0),
}


@pytest.mark.parametrize("add", ADDED)
@pytest.mark.parametrize("kind", TWINS)
def test_twins_of_what_is_added_are_counted_by_every_way_in(kind, add, tmp_path):
    there, rows, twins = TWINS[kind]
    graph = rz.open(tmp_path / "g.rz")
    if there:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            graph.add_edges(there)
    _, said = told(lambda: add(graph, rows))
    graph.close()
    assert said.count("in how Unicode composes") == (1 if twins else 0), said
    assert f"{twins} id" in said if twins else said == ""


def test_odd_ids_of_vertex_files_are_said_once(tmp_path):
    (tmp_path / "edges.csv").write_text("source,target\na,NULL\n")
    (tmp_path / "vertices.csv").write_text(f"id,name\n{COMPOSED},x\n{DECOMPOSED},y\nNA,z\n", encoding="utf-8")
    files = {"vertex_files": [tmp_path / "vertices.csv"], "vertices": "infer"}
    graph, said = told(lambda: rz.read(tmp_path / "edges.csv", **files))
    assert len(graph) == 5
    assert [said.count(each) for each in ("'NULL' in", "'NA' in", "1 id differs")] == [1, 1, 1]


def test_twins_are_counted_in_a_load_that_renumbers(tmp_path, monkeypatch):
    monkeypatch.setattr("rizoma.io.read._GATHERED", 1 << 40)  # the file counts as too great for a batch
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rz.read([(COMPOSED, DECOMPOSED), ("NA", "\ud55c"), ("z", "y")], into=tmp_path / "g.rz").close()
    (tmp_path / "b.txt").write_text(f"cafe {NEVER_COMPOSED}\ny x\n", encoding="utf-8")
    graph, said = told(lambda: rz.read(tmp_path / "b.txt", into=tmp_path / "g.rz", append=True))
    assert "1 id differs" in said
    assert "NA" not in said
    graph.close()


@pytest.mark.parametrize("add", [_added_rows, _added_frame, _added_vertices, _added_batch])
@pytest.mark.parametrize(("id_", "says"), [("", "an empty text"), ("a\0b", "1 id has a NUL"), ("NA", "'NA' in")])
def test_ids_that_files_of_text_do_not_hold_are_said_by_every_way_in(id_, says, add):
    graph = rz.open(None)
    graph.add_edges([("x", "y")])
    assert told(lambda: add(graph, [(id_, "z"), ("u", "v")]))[1].count(says) == 1
    assert id_ in graph
    assert told(lambda: add(graph, [(id_, "w"), ("u", "q")]))[1].count("1 id has a NUL") == 0


@pytest.mark.parametrize(
    "ids",
    [
        [2**53 + 1, 1.0, 3],
        [1.0, 2**53 + 1, np.float32(7)],
        [2**63 - 1, -(2**63), 0.0],
        [np.int64(2**53 + 1), np.float64(2), np.uint8(3)],
    ],
)
def test_integers_beside_floats_stay_exact(ids):
    graph = rz.open(None)
    graph.add_vertices(ids)
    assert sorted(graph) == sorted(int(each) for each in ids)
    edges = rz.open(None)
    edges.add_edges([(each, 5) for each in ids])
    assert {int(each) for each in ids} <= set(edges)


@pytest.mark.parametrize(
    ("ids", "says"),
    [
        ([2**53 + 1, 1.5], r"has 1.5 in row 1; vertex ids are whole numbers"),
        ([1, 2.0**53], r"has 9007199254740992.0 in row 1; from 2\^53 on float numbers do not hold each"),
        ([1.0, -(2.0**60)], r"row 1; from 2\^53 on"),
        ([1, float("nan")], r"has nan in row 1; vertex ids"),
        ([float("inf"), 1.0], r"has inf in row 0; vertex ids"),
        ([2**64, 1.0], "an integer that does not fit 64 bits"),
        ([True, 1.0, 2], "not bool"),
    ],
)
def test_numbers_that_are_no_ids_are_named_as_they_are(ids, says):
    with pytest.raises(rz.InvalidArgumentError, match=says):
        rz.open(None).add_vertices(ids)


GREAT_VALUES = [16_777_217.0, 0.1, 2.0**40]
FLOATS = {
    "frame": lambda graph, values: graph.add_edges(pd.DataFrame({"source": 1, "target": [2, 3, 4], "x": values})),
    "rows": lambda graph, values: graph.add_edges(
        [{"source": 1, "target": i, "x": each} for i, each in enumerate(values)]
    ),
    "texts": lambda graph, values: graph.add_edges(
        {"source": [1, 1, 1], "target": [2, 3, 4], "x": [str(each).removesuffix(".0") for each in values]}
    ),
    "networkx": lambda graph, values: graph.add_edges(
        nx.Graph([(1, i, {"x": each}) for i, each in enumerate(values, start=2)])
    ),
    "vertices": lambda graph, values: graph.add_vertices(pd.DataFrame({"vertex": [1, 2, 3], "x": values})),
    "set of a pair": lambda graph, values: graph.set((8, 9), x=values[0]),
    "set_edges": lambda graph, values: graph.set_edges({"source": [8], "target": [9], "x": values[:1]}),
}


@pytest.mark.parametrize("way", FLOATS)
def test_a_column_of_float32_that_rounds_whole_numbers_is_said(way):
    graph = rz.open(None, edges={"x": "float32"}, vertices={"x": "float32"})
    graph.add_edges({"source": [8], "target": [9], "x": [0.5]})
    _, said = told(lambda: FLOATS[way](graph, GREAT_VALUES))
    assert said == (
        "column 'x' has whole numbers beyond 2^24 that float32 does not hold, and rounds; a column of type float64, up "
        "to 2^53, or int64 holds them"
    )
    assert told(lambda: FLOATS[way](graph, [16_777_218.0, 1.0, 0.3]))[1] == ""


@pytest.mark.parametrize("way", FLOATS)
def test_nothing_is_said_of_columns_that_hold_their_numbers(way):
    graph = rz.open(None, edges={"x": "float64"}, vertices={"x": "float64"})
    graph.add_edges({"source": [8], "target": [9], "x": [0.5]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        FLOATS[way](graph, GREAT_VALUES)


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.decimal128(30, 1)])
@pytest.mark.parametrize(
    ("value", "says"), [("16777217", True), ("-16777217", True), ("-16777218", False), ("16777216.5", False)]
)
def test_whole_numbers_of_text_and_decimals_that_float32_rounds_are_said(value, says, kind):
    graph = rz.open(None, edges={"x": "float32"})
    values = pa.array([decimal.Decimal(value) if pa.types.is_decimal(kind) else value, None], kind)
    _, said = told(lambda: graph.add_edges(pa.table({"source": [1, 2], "target": [2, 3], "x": values})))
    assert ("beyond 2^24" in said) == says


def test_a_text_of_many_digits_is_rounded_as_a_shorter_one():
    graph = rz.open(None, edges={"x": "float64"})
    digits = {"source": [1], "target": [2], "x": ["0" * 5000 + "9007199254740993"]}
    assert "beyond 2^53" in told(lambda: graph.add_edges(digits))[1]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()])
def test_times_as_text_of_every_arrow_type_are_read_alike(kind):
    graph = rz.open(None, edges={"at": "timestamp[s]"})
    zoned = pa.array(["2025-01-31T12:00:00+02:00", None]).cast(kind)
    graph.add_edges(pa.table({"source": [1, 2], "target": [2, 3], "at": zoned}))
    assert graph.edges.to_arrow()["at"].to_pylist() == [datetime.datetime(2025, 1, 31, 10), None]
    odd = pa.array(["2025-01-31", "soon"]).cast(kind)
    with pytest.raises(rz.InvalidArgumentError, match=r"'soon' in row 1 is not a date or time such as"):
        graph.add_edges(pa.table({"source": [1, 2], "target": [3, 3], "at": odd}))


def test_texts_of_whole_numbers_that_float64_rounds_are_said():
    graph = rz.open(None, edges={"x": "float64"})
    texts = {"source": [1, 2], "target": [2, 3], "x": ["9007199254740993", "1e300"]}
    assert "beyond 2^53 that float64 does not hold" in told(lambda: graph.add_edges(texts))[1]
    texts["x"] = ["9007199254740992", "-0.1"]
    assert told(lambda: graph.add_edges(texts))[1] == ""
