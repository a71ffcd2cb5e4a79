"""Pajek's .net in and out."""

from __future__ import annotations

import pytest
import rizoma as rz
from document_cases import everything


@pytest.mark.parametrize("ending", [".net", ".net.gz", ".net.zst"])
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("names", [["ann", "Ann B", "", "%x"], [7, 0, -3, 12]])
@pytest.mark.parametrize("weights", [None, "int32", "float64"])
def test_round_trips(tmp_path, ending, directed, names, weights):
    path = tmp_path / f"g{ending}"
    rows = [(names[0], names[1], 2.0), (names[1], names[2], -3.0), (names[2], names[2], 4.0)]
    with rz.open(None, directed=directed, weights=weights) as graph:
        graph.add_edges([row if weights else row[:2] for row in rows])
        graph.add_vertices(names[3:])
        graph.export(path)
        expected = everything(graph)
    with rz.read(path) as again:
        assert everything(again) == expected


def test_networkx_reads_it_and_writes_it(tmp_path):
    networkx = pytest.importorskip("networkx")
    with rz.open(None, directed=True) as graph:
        graph.add_edges([("ann", "bob b"), ("bob b", "cem"), ("cem", "ann")])
        graph.export(tmp_path / "a.net")
    theirs = networkx.read_pajek(tmp_path / "a.net")
    assert theirs.is_directed()
    assert set(theirs.edges()) == {("ann", "bob b"), ("bob b", "cem"), ("cem", "ann")}
    networkx.write_pajek(networkx.karate_club_graph(), tmp_path / "karate.net")
    with rz.read(tmp_path / "karate.net") as graph:
        assert (len(graph), graph.num_edges, graph.directed) == (34, 78, False)
        assert graph.has_edge(0, 31)


def test_what_files_look_like(tmp_path):
    (tmp_path / "a.net").write_bytes(
        b'*Network friends\r\n% a comment\r\n*Vertices 4\r\n1 "ann" 0.1 0.2 0.5 ellipse ic Red\r\n2 bob\r\n3 "cem"\r\n'
        b"*Arcslist\r\n1 2 3\r\n*Arcs\r\n3 1 2.5\r\n"
    )
    with rz.read(tmp_path / "a.net") as graph:  # vertex 4 has no label: they go by numbers
        assert everything(graph) == (True, {1, 2, 3, 4}, [((1, 2), 1.0), ((1, 3), 1.0), ((3, 1), 2.5)])
    (tmp_path / "b.net").write_text("*vertices 3\n*arcs\n")
    with rz.read(tmp_path / "b.net") as graph:
        assert (graph.directed, len(graph)) == (True, 3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no .Vertices"),
        ("1 2\n", "a.net:1: expected .Vertices"),
        ("*Vertices x\n", "expected a number, found 'x'"),
        ("*Vertices 99999999999\n", "far more than the file names"),
        ("*Arcs\n1 2\n", "stands before"),
        ("*Vertices 2\n1 a\n1 b\n", "a.net:3: vertex 1 is named a second time"),
        ("*Vertices 2\n*Arcs\n1 3\n", "a.net:3: there is no vertex 3"),
        ("*Vertices 2\n*Arcs\n1\n", "two ends"),
        ("*Vertices 2\n*Arcs\n1 2 x\n", "'x' is not a number"),
        ("*Vertices 2\n*Matrix\n0 1\n1 0\n", r"\*Matrix is not read"),
        ("*Vertices 1\n*Vertices 1\n", "second network"),
    ],
)
def test_faults_are_named(tmp_path, text, message):
    (tmp_path / "a.net").write_text(text)
    with pytest.raises(rz.ParseError, match=message):
        rz.read(tmp_path / "a.net")


def test_an_id_that_cannot_be_written(tmp_path):
    with rz.open(None) as graph:
        graph.add_edges([('quo"te', "b")])
        with pytest.raises(rz.InvalidArgumentError, match="has a quote"):
            graph.export(tmp_path / "a.net")
    assert list(tmp_path.iterdir()) == []


def test_columns_are_not_lost_in_silence(tmp_path):
    with rz.open(None, edges={"amount": "float64"}) as graph:
        graph.add_edges({"source": [1], "target": [2], "amount": [0.5]})
        with pytest.raises(rz.InvalidArgumentError, match="column 'amount'"):
            graph.export(tmp_path / "a.net")
