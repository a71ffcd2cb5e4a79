"""GEXF in and out."""

from __future__ import annotations

import pytest
import rizoma as rz
from document_cases import everything, round_trips


@pytest.mark.parametrize("ending", [".gexf", ".gexf.gz", ".gexf.zst"])
def test_round_trips(tmp_path, ending):
    assert len(list(round_trips(tmp_path, ending))) == 12


def test_networkx_reads_it_and_writes_it(tmp_path):
    networkx = pytest.importorskip("networkx")
    for path in round_trips(tmp_path, ".gexf"):
        with rz.read(path) as graph:
            directed, vertices, edges = everything(graph)
        theirs = networkx.read_gexf(path)
        assert theirs.is_directed() == directed
        assert set(theirs) == {str(v) for v in vertices}
        assert theirs.number_of_edges() == len(edges)
    plain = networkx.karate_club_graph()
    networkx.write_gexf(plain, tmp_path / "karate.gexf")
    with rz.read(tmp_path / "karate.gexf") as graph:
        assert (len(graph), graph.num_edges) == (34, 78)
        weights = graph.edges.to_arrow()["weight"].to_pylist()
        assert sum(weights) == sum(weight for *_, weight in plain.edges(data="weight"))


def test_what_files_look_like(tmp_path):
    (tmp_path / "a.gexf").write_text(
        '<gexf xmlns="http://gexf.net/1.3"><graph defaultedgetype="directed"><nodes><node id="5" label="x">'
        '<attvalues><attvalue for="0" value="1"/></attvalues></node><node id="7"/></nodes>'
        '<edges><edge source="5" target="7" weight="2.5"/><edge id="1" source="7" target="5"/></edges></graph></gexf>'
    )
    with rz.read(tmp_path / "a.gexf") as graph:
        assert everything(graph) == (True, {5, 7}, [((5, 7), 2.5), ((7, 5), 1.0)])


def graph_of(body, kind="undirected"):
    return f'<gexf><graph defaultedgetype="{kind}">{body}</graph></gexf>'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no element found"),
        ("<gexf/>", "no element `graph`"),
        (graph_of("<nodes><node/></nodes>"), "no id"),
        (graph_of('<node id="a"><node id="b"/></node>'), "within a node"),
        (graph_of('<node id="a"/><edge source="a" target="b"/>'), "'b', but no node has this id"),
        (graph_of('<node id="a"/><edge source="a" target="a" weight="x"/>'), "'x' is not a number"),
        (f"<x>{graph_of('')}{graph_of('')}</x>", "second graph"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><gexf/>', "entity 'a'"),
    ],
)
def test_faults_are_named(tmp_path, text, message):
    (tmp_path / "a.gexf").write_text(text)
    with pytest.raises(rz.ParseError, match=message):
        rz.read(tmp_path / "a.gexf")


def test_values_of_vertices_and_edges(tmp_path):
    columns = {"amount": "float64", "note": "string", "sure": "bool"}
    with rz.open(None, directed=True, edges=columns, vertices={"age": "int16"}) as graph:
        ends = {"source": ["a", "b"], "target": ["b", "c"]}
        graph.add_edges(ends | {"amount": [1.5, None], "note": ['"<', "x"], "sure": [True, False]})
        graph.set("a", age=7)
        graph.export(tmp_path / "a.gexf")
        with rz.read(tmp_path / "a.gexf", edges=columns, vertices={"age": "int16"}) as again:
            assert again.edges.to_arrow().to_pylist() == graph.edges.to_arrow().to_pylist()
            assert [again.vertex(v) for v in "abc"] == [{"age": 7}, {"age": None}, {"age": None}]
    networkx = pytest.importorskip("networkx")
    theirs = networkx.read_gexf(tmp_path / "a.gexf")
    assert theirs.edges["a", "b"]["amount"] == 1.5
    assert theirs.nodes["a"]["age"] == 7
