"""GML in and out."""

from __future__ import annotations

import pytest
import rizoma as rz
from document_cases import everything, round_trips


@pytest.mark.parametrize("ending", [".gml", ".gml.gz", ".gml.zst"])
def test_round_trips(tmp_path, ending):
    assert len(list(round_trips(tmp_path, ending))) == 12


def test_other_programs_read_it_and_write_it(tmp_path):
    networkx = pytest.importorskip("networkx")
    igraph = pytest.importorskip("igraph")
    for path in round_trips(tmp_path, ".gml"):
        with rz.read(path) as graph:
            directed, vertices, edges = everything(graph)
        labelled = isinstance(next(iter(vertices)), str)
        theirs = networkx.read_gml(path, label="label" if labelled else "id")
        assert theirs.is_directed() == directed
        assert set(theirs) == vertices
        assert theirs.number_of_edges() == len(edges)
        if "" not in vertices:  # NetworkX cannot write every name
            assert igraph.Graph.Read_GML(str(path)).vcount() == len(vertices)
    plain = networkx.karate_club_graph()
    networkx.write_gml(plain, tmp_path / "karate.gml")
    with rz.read(tmp_path / "karate.gml") as graph:
        assert (len(graph), graph.num_edges) == (34, 78)
        weights = graph.edges.to_arrow()["weight"].to_pylist()
        assert sum(weights) == sum(weight for *_, weight in plain.edges(data="weight"))


def test_what_files_look_like(tmp_path):
    (tmp_path / "a.gml").write_text(
        'Creator "x" # who\nVersion 1\ngraph\n[\n directed 1\n'
        ' node [ id 5 label "A &amp; B" graphics [ x 1.5 y -2e3 ] ]\n'
        ' node [ id 7 label "&#233;" ] edge [ source 5 target 7 value 2.5 ] edge [ target 5 source 7 ]\n]\n'
    )
    with rz.read(tmp_path / "a.gml") as graph:
        assert everything(graph) == (True, {"A & B", "é"}, [(("A & B", "é"), 2.5), (("é", "A & B"), 1.0)])
    (tmp_path / "b.gml").write_text(
        'graph [ node [ id 5 label "x" ] node [ id 7 label "x" ] edge [ source 5 target 7 ] ]'
    )
    with rz.read(tmp_path / "b.gml") as graph:
        assert everything(graph) == (False, {5, 7}, [((5, 7), None)])
    (tmp_path / "c.gml").write_text("graph [ ]")
    assert len(rz.read(tmp_path / "c.gml")) == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no record"),
        ("graph [\n node [ id 1 ]\n", r"a.gml:3: the file ends within a record"),
        ("graph [\n node [ id = ]\n]", r"a.gml:2: expected"),
        ("graph [ node [ ] ]", "no integer id"),
        ("graph [ node [ id 1 ] node [ id 1 ] ]", "two nodes have one id"),
        ("graph [ node [ id 1 ] edge [ source 1 target 2 ] ]", "2, but no node has this id"),
        ("a [ " * 5000, "nested more than"),
        ("graph [ 5 ]", "expected a key"),
        ("graph [ ] other [ ] graph [ ]", "second graph"),
    ],
)
def test_faults_are_named(tmp_path, text, message):
    (tmp_path / "a.gml").write_text(text)
    with pytest.raises(rz.ParseError, match=message):
        rz.read(tmp_path / "a.gml")


def test_appending_and_the_command(tmp_path, rizoma):
    with rz.open(None) as graph:
        graph.add_edges([(1, 2), (2, 3)])
        graph.export(tmp_path / "a.gml")
    rizoma("import", "s.rz", "a.gml")
    rizoma("export", "s.rz", "b.gml")
    (tmp_path / "c.gml").write_text("graph [ node [ id 3 ] node [ id 9 ] edge [ source 3 target 9 ] ]")
    rizoma("add", "s.rz", "c.gml")
    assert (tmp_path / "b.gml").read_text() == (tmp_path / "a.gml").read_text()
    with rz.open(tmp_path / "s.rz") as graph:
        assert everything(graph)[1] == {1, 2, 3, 9}
    with pytest.raises(rz.InvalidArgumentError, match=r"source= is for .*, but this is gml"):
        rz.read(tmp_path / "a.gml", source="x")
