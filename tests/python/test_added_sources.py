"""Reports and warnings say what of an added source does not stay as it was, or may be another thing than it seems."""

from __future__ import annotations

import pathlib
import warnings

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import rizoma as rz
from rizoma.core.errors import ReadWarning
from rizoma.graph.rounding import any_is_rounded, are_rounded
from rizoma.graph.tables.columns import rounded_to_single

BACK_AND_FORTH = [("a", "b"), ("b", "a")]


def told(call):
    """What Python warns of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return " ".join(str(each.message) for each in caught)


# ---- -1 for no value ----

GAPS = pd.DataFrame({"source": [1, 2, 3, 4], "target": [2, -1, -1, 5]})


def test_a_lone_negative_id_at_several_edges_is_told():
    with pytest.warns(ReadWarning, match="-1 is read as the id of a vertex, with 2 edges"):
        g = rz.read(GAPS)
    assert "-1 is read as the id of a vertex" in str(g.last_import)
    h = rz.open(None)
    with pytest.warns(ReadWarning, match='null="-1"'):
        h.add_edges(GAPS)
    assert not told(lambda: h.add_edges([(9, -1)])), "once"


@pytest.mark.parametrize(
    "edges",
    [
        [(1, 2), (2, -1)],  # one edge alone
        [(1, -2), (2, -1), (3, -1)],  # negative numbers are ids there
        [(1, 2), (2, 3), (3, 1)],
    ],
)
def test_other_negative_ids_are_not(edges):
    assert not told(lambda: rz.read(edges))


def test_a_command_tells_of_it_and_null_leaves_it_out(rizoma, tmp_path):
    GAPS.to_csv(tmp_path / "gaps.csv", index=False)
    assert "--null -1" in rizoma("import", "gaps.rz", "gaps.csv").stderr
    done = rizoma("import", "none.rz", "gaps.csv", "--null", "-1")
    assert "left out 2 lines without an id or a weight" in done.stderr
    assert "is read as the id of a vertex" not in done.stderr


# ---- directions and weights that a graph does not keep ----


def _directed(kind):
    if kind == "networkx":
        return nx.DiGraph(BACK_AND_FORTH)
    if kind == "igraph":
        return igraph.Graph.TupleList(BACK_AND_FORTH, directed=True)
    if kind == "edges of networkx":
        return nx.DiGraph(BACK_AND_FORTH).edges
    if kind in ("frame", "rows"):
        frame = pd.DataFrame(BACK_AND_FORTH, columns=["source", "target"]).assign(Type="Directed")
        return frame if kind == "frame" else frame.to_dict("records")
    made = rz.open(None, directed=True)
    made.add_edges(BACK_AND_FORTH)
    return made if kind == "rizoma" else made.edges


@pytest.mark.parametrize("kind", ["networkx", "igraph", "rizoma", "edges", "edges of networkx", "frame", "rows"])
def test_a_direction_that_is_not_kept_is_told(kind):
    given, g, d = _directed(kind), rz.open(None), rz.open(None, directed=True)
    assert "have a direction, which an undirected graph does not keep" in told(lambda: g.add_edges(given))
    assert (g.num_edges, told(lambda: d.add_edges(given)), d.num_edges) == (1, "", 2)
    assert "does not keep" not in told(lambda: rz.read(given, directed=False)), "it is asked for"


DIRECTED_FILES = {
    "d.net": '*Vertices 2\n1 "a"\n2 "b"\n*Arcs\n1 2\n2 1\n',
    "d.csv": "Source,Target,Type\na,b,Directed\nb,a,Directed\n",
    "d.gml": 'graph [ directed 1 node [ id 0 label "a" ] node [ id 1 label "b" ] edge [ source 0 target 1 ] '
    "edge [ source 1 target 0 ] ]",
    "d.gexf": '<gexf><graph defaultedgetype="directed"><nodes><node id="a"/><node id="b"/></nodes><edges>'
    '<edge source="a" target="b"/><edge source="b" target="a"/></edges></graph></gexf>',
    "d.graphml": '<graphml><graph edgedefault="directed"><node id="a"/><node id="b"/><edge source="a" target="b"/>'
    '<edge source="b" target="a"/></graph></graphml>',
    "d.json": '{"directed": true, "nodes": [{"id": "a"}, {"id": "b"}], "edges": [{"source": "a", "target": "b"}, '
    '{"source": "b", "target": "a"}]}',
}


@pytest.mark.parametrize("name", DIRECTED_FILES)
def test_the_command_tells_of_a_direction_and_of_rows_that_made_no_edge(rizoma, tmp_path, name):
    (tmp_path / name).write_text(DIRECTED_FILES[name])
    rz.open(tmp_path / "g.rz").close()
    said = rizoma("add", "g.rz", name).stderr
    assert "the edges have a direction there, and are read without one" in said
    assert "1 of 2 rows made no new edge" in said
    asked = rz.read(tmp_path / name, directed=False)
    assert "are read without one" in str(asked.last_import)
    rz.open(tmp_path / "d.rz", directed=True).close()
    assert "2 new edges" in (said := rizoma("add", "d.rz", name).stderr)
    assert "without one" not in said


def test_the_command_tells_of_weights_that_the_graph_has_not(rizoma, tmp_path):
    (tmp_path / "w.mtx").write_text("%%MatrixMarket matrix coordinate real symmetric\n3 3 1\n3 1 7.5\n")
    rz.open(tmp_path / "g.rz").close()
    assert "the weights of w.mtx were not kept: the graph has none" in rizoma("add", "g.rz", "w.mtx").stderr


# ---- content, ids and numbers of another kind ----

POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:" + 64 * "a" + "\nsize 12345\n"


@pytest.mark.parametrize("ending", ["csv", "el", "mtx", "graph", "gml", "graphml", "gexf", "net", "jsonl", "parquet"])
def test_a_pointer_to_a_file_is_told_whatever_its_name(tmp_path, ending):
    path = tmp_path / f"a.{ending}"
    path.write_text(POINTER)
    with pytest.raises(rz.ParseError, match="git lfs pull"):
        rz.read(path)


@pytest.mark.parametrize("pattern", ["(a {id: 5})-->(b)", "(b {id: 5})", "(a {id: $x})-->(b)", "(a)-->(b {id: $x})"])
def test_a_pattern_refuses_an_id_of_the_other_kind(pattern):
    g = rz.open(None)
    g.add_edges(BACK_AND_FORTH)
    given = {"x": 5} if "$x" in pattern else {}
    with pytest.raises(rz.ParseError, match="'id' is a column of text"):
        g.query(f"MATCH {pattern} RETURN b", **given).to_arrow()


def test_a_list_with_ids_of_the_other_kind_is_told():
    g = rz.open(None)
    g.add_edges([(1, 2)])
    for ids, found in (("['1', '2']", 0), ("[1, 2]", 2)):
        said = told(lambda ids=ids, found=found: _expect_rows(g, f"MATCH (a) WHERE id(a) IN {ids} RETURN a", found))
        assert ("numbers are compared with text" in said) == (found == 0)


def _expect_rows(g, query, count):
    assert g.query(query).to_arrow().num_rows == count


def test_what_is_no_list_of_ids_is_told_how_to_be_one():
    g = rz.open(None)
    with pytest.raises(rz.InvalidArgumentError, match=r"\['zoe'\] has one"):
        g.add_vertices("zoe")
    with pytest.raises(rz.InvalidArgumentError, match="vertex_files"):
        g.add_vertices(pathlib.Path("people.csv"))


NUMBERS = {2.0**24 + 1: True, 2.0**24: False, 2.0**53 - 1: True, 2.0**53 + 2: False, 6.02e23: False, 0.1: False}


@pytest.mark.parametrize("number", NUMBERS)
def test_one_rule_says_which_whole_numbers_a_type_rounds(tmp_path, number):
    expected = NUMBERS[number]
    given = np.array([number])
    assert bool(are_rounded(given, given.astype(np.float32))[0]) == expected
    assert any_is_rounded([number], [float(np.float32(number))]) == expected
    assert rounded_to_single(given) == expected
    table = pd.DataFrame({"source": [1], "target": [2], "weight": given, "kept": given})
    table.to_csv(tmp_path / "t.csv", index=False)
    table.to_parquet(tmp_path / "t.parquet")
    table.to_json(tmp_path / "t.jsonl", orient="records", lines=True, double_precision=15)
    for source in (table, pa.table(table), tmp_path / "t.csv", tmp_path / "t.parquet"):
        assert ("float32 does not hold" in told(lambda s=source: rz.read(s, weights="float32"))) == expected
    for source in (table, tmp_path / "t.csv", tmp_path / "t.parquet", tmp_path / "t.jsonl"):
        said = told(lambda s=source: rz.read(s, weights=False, edges={"kept": "float32"}))
        assert ("float32 does not hold" in said) == expected


@pytest.mark.parametrize("matrix", [np.eye(3, dtype=int), 1 - np.eye(3, dtype=int)], ids=["identity", "triangle"])
def test_a_matrix_is_no_list_of_edges_of_a_graph_without_weights(matrix):
    with pytest.raises(rz.InvalidArgumentError, match="can be an adjacency matrix"):
        rz.open(None).add_edges(matrix)
