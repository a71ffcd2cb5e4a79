"""Values of edges and vertices in files: what is written is read back, and tables of vertices."""

from __future__ import annotations

import datetime
from pathlib import Path

import networkx as nx
import pyarrow as pa
import pytest
import rizoma as rz
from pyarrow import parquet
from rizoma.core.errors import ColumnNotFoundError, NotFoundError

EDGES = {
    "amount": "float64",
    "since": "timestamp[ms]",
    "note": "string",
    "sure": "bool",
    "count": "int32",
    "raw": "binary",
    "place": "list<float32>",
}
VERTICES = {"name": "string", "born": "date", "size": "uint16"}


def sample() -> rz.Graph:
    graph = rz.open(None, directed=True, ids="string", weights="float64", edges=EDGES, vertices=VERTICES)
    noon = datetime.datetime(2026, 3, 1, 12, 0, 0, 250000)
    graph.add_edges(
        pa.table(
            {
                "source": ["ann", "bob", "<c&em>"],
                "target": ["bob", "<c&em>", "ann"],
                "weight": [1.5, 2.0, 3.0],
                "amount": [0.1, None, -1e300],
                "since": pa.array([noon, None, noon], pa.timestamp("ms")),
                "note": ['say "x" & <y>', "ünïcode\nline", None],
                "sure": [True, False, None],
                "count": [7, -8, None],
                "raw": pa.array([b"\x00\xff", b"", None]),
                "place": [[1.5, -2.0], [], None],
            }
        )
    )
    graph.add_vertices(
        pa.table(
            {
                "vertex": ["ann", "lone"],
                "name": ["Ann [A]", None],
                "born": [datetime.date(1999, 12, 31), None],
                "size": pa.array([65535, 3], pa.uint16()),
            }
        )
    )
    return graph


def content(graph: rz.Graph) -> tuple[list[str], list[str]]:
    columns = ["vertex", *VERTICES]
    return (
        sorted(map(str, graph.edges.to_arrow().to_pylist())),
        sorted(map(str, graph.vertices.to_arrow().select(columns).to_pylist())),
    )


@pytest.mark.parametrize("name", ["g.gml", "g.graphml", "g.json", "g.graphml.gz"])
def test_documents_carry_values(tmp_path: Path, name: str) -> None:
    graph = sample()
    graph.export(tmp_path / name)
    again = rz.read(tmp_path / name, ids="string", edges=EDGES, vertices=VERTICES)
    assert content(again) == content(graph)


@pytest.mark.parametrize("name", ["g.gml", "g.graphml"])
def test_networkx_reads_the_values(tmp_path: Path, name: str) -> None:
    sample().export(tmp_path / name)
    there = nx.read_gml(tmp_path / name) if name == "g.gml" else nx.read_graphml(tmp_path / name)
    assert there.nodes["ann"]["name"] == "Ann [A]"
    assert there.nodes["lone"]["size"] == 3
    assert there["ann"]["bob"]["amount"] == 0.1
    assert there["ann"]["bob"]["note"] == 'say "x" & <y>'
    assert there["bob"]["<c&em>"]["count"] == -8


def test_values_of_networkx(tmp_path: Path) -> None:
    graph = nx.Graph()
    graph.add_node("a", age=3)
    graph.add_edge("a", "b", kind="x", weight=2.0)
    graph.add_edge("b", "c", weight=1.0)
    nx.write_graphml(graph, tmp_path / "n.graphml")
    nx.write_gml(graph, tmp_path / "n.gml")
    for name in ("n.graphml", "n.gml"):
        read = rz.read(tmp_path / name, edges={"kind": "string"}, vertices={"age": "int64"})
        assert read.vertex("a") == {"age": 3}
        assert read.vertex("c") == {"age": None}
        assert sorted(map(str, read.edges.to_arrow().column("kind").to_pylist())) == ["None", "x"]


def test_a_column_that_is_not_there_is_named(tmp_path: Path) -> None:
    sample().export(tmp_path / "g.json")
    with pytest.raises(ColumnNotFoundError, match=r"'amuont'.*amount"):
        rz.read(tmp_path / "g.json", edges={"amuont": "float64"})
    (tmp_path / "v.csv").write_text("id,name\na,Ann\n")
    (tmp_path / "e.csv").write_text("source,target\na,b\n")
    with pytest.raises(ColumnNotFoundError, match=r"'size'.*name"):
        rz.read(tmp_path / "e.csv", vertices={"size": "int64"}, vertex_files=[tmp_path / "v.csv"])
    with pytest.raises(NotFoundError, match=r"w\.csv"):
        rz.read(tmp_path / "e.csv", vertices={"name": "string"}, vertex_files=[tmp_path / "w.csv"])


@pytest.mark.parametrize("kind", ["csv", "bars", "parquet"])
def test_tables_of_vertices(tmp_path: Path, kind: str) -> None:
    (tmp_path / "knows.csv").write_text("source,target,since\n933,1129,2010-03-13\n1129,4194,2011-01-02\n")
    table = pa.table({"id": [933, 4194, 17], "firstName": ["Mahinda", "Hồ", None], "age": [44, None, 20]})
    file = tmp_path / ("people.parquet" if kind == "parquet" else "people.csv")
    if kind == "parquet":
        parquet.write_table(table, file)
    else:  # LDBC's property files are separated by bars
        lines = ["id,firstName,age", "933,Mahinda,44", "4194,Hồ,", "17,,20"]
        file.write_text("\n".join(lines).replace(",", "|" if kind == "bars" else ",") + "\n")
    graph = rz.read(
        tmp_path / "knows.csv",
        into=tmp_path / "g.rz",
        edges={"since": "date"},
        vertices={"firstName": "string", "age": "int16"},
        vertex_files=[file],
    )
    assert len(graph) == 4
    assert graph.vertex(933) == {"firstName": "Mahinda", "age": 44}
    assert graph.vertex(4194) == {"firstName": "Hồ", "age": None}
    assert graph.vertex(17) == {"firstName": None, "age": 20}
    assert graph.vertex(1129) == {"firstName": None, "age": None}
    graph.close()


def test_the_command_takes_vertices(tmp_path: Path, rizoma) -> None:
    (tmp_path / "e.csv").write_text("source,target\na,b\n")
    (tmp_path / "v.csv").write_text("vertex,size\nb,3\n")
    rizoma("import", "g.rz", "e.csv", "--vertices", "v.csv", "--vertex-column", "size:int64")
    with rz.open(tmp_path / "g.rz") as graph:
        assert graph.vertex("b") == {"size": 3}
