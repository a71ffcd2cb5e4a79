"""GraphML in and out."""

from __future__ import annotations

import pytest
import rizoma as rz
from document_cases import everything, round_trips


@pytest.mark.parametrize("ending", [".graphml", ".graphml.gz"])
def test_round_trips(tmp_path, ending):
    assert len(list(round_trips(tmp_path, ending))) == 12


def test_other_programs_read_it_and_write_it(tmp_path):
    networkx = pytest.importorskip("networkx")
    igraph = pytest.importorskip("igraph")
    for path in round_trips(tmp_path, ".graphml"):
        with rz.read(path) as graph:
            directed, vertices, edges = everything(graph)
        kind = type(next(iter(vertices)))
        theirs = networkx.read_graphml(path, node_type=kind)
        assert theirs.is_directed() == directed
        assert set(theirs) == vertices
        found = sorted(
            ((u, v) if directed else tuple(sorted((u, v))), weight) for u, v, weight in theirs.edges(data="weight")
        )
        assert found == edges
        if "" not in vertices:  # igraph wants a name
            assert igraph.Graph.Read_GraphML(str(path)).ecount() == len(edges)
    plain = networkx.karate_club_graph()
    networkx.write_graphml(plain, tmp_path / "karate.graphml")
    igraph.Graph.Famous("Zachary").write_graphml(str(tmp_path / "zachary.graphml"))
    with rz.read(tmp_path / "karate.graphml") as graph:
        assert (len(graph), graph.num_edges, graph.ids) == (34, 78, "dense")
        weights = graph.edges.to_arrow()["weight"].to_pylist()
        assert sum(weights) == sum(weight for *_, weight in plain.edges(data="weight"))
    with rz.read(tmp_path / "zachary.graphml") as graph:
        assert (len(graph), graph.num_edges, graph.ids) == (34, 78, "string")  # n0, n1, ...


def test_what_files_look_like(tmp_path):
    (tmp_path / "a.graphml").write_text(
        '<?xml version="1.0"?><g:graphml xmlns:g="http://graphml.graphdrawing.org/xmlns">'
        '<g:key id="w" for="edge" attr.name="weight" attr.type="int"><g:default>4</g:default></g:key>'
        '<g:key id="c" for="node" attr.name="color"/><g:graph edgedefault="directed">'
        '<g:node id="1"><g:data key="c">red</g:data></g:node><g:node id="02"/>'
        '<g:edge source="1" target="02"><g:data key="w"> 7 </g:data><g:data key="c">x</g:data></g:edge>'
        '<g:edge source="02" target="1"/></g:graph></g:graphml>'
    )
    with rz.read(tmp_path / "a.graphml") as graph:
        assert everything(graph) == (True, {"1", "02"}, [(("02", "1"), 4), (("1", "02"), 7)])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no element found"),
        ("<graphml/>", "no element `graph`"),
        ("<graphml>\n<graph>\n<node/></graph></graphml>", r"a.graphml:3: a node has no id"),
        ("<graphml><graph><node id='a'/><edge source='a' target='b'/></graph></graphml>", "'b', but no node has"),
        ("<graphml><graph><hyperedge/></graph></graphml>", "hyperedges"),
        ("<graphml><graph/><graph/></graphml>", "second graph"),
        ("<graphml><graph><node id='a'><graph/></node></graph></graphml>", "graph within a node"),
        ("<!DOCTYPE x [<!ENTITY a 'aaaa'>]><graphml><graph/></graphml>", "entity 'a'"),
        ("<graphml><graph>", r"a.graphml:1: "),
        (
            "<graphml><graph><node id='a'><data key='late'>1</data></node></graph><key id='late'/></graphml>",
            "key 'late', which no <key> before the graph declares",
        ),
        ("<graphml><graph><node id='a'><data>1</data></node></graph></graphml>", "a value has no key"),
    ],
)
def test_faults_are_named(tmp_path, text, message):
    (tmp_path / "a.graphml").write_text(text)
    with pytest.raises(rz.ParseError, match=message):
        rz.read(tmp_path / "a.graphml")
