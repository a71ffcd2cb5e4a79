"""Columns of edges and vertices: every type, changed, reopened, compacted, read back and used."""

from __future__ import annotations

import datetime
import re
import shutil
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import rizoma as rz
from pyarrow import csv
from rizoma.core.errors import ColumnNotFoundError, InvalidArgumentError, NotInGraphError, ParseError, UnsupportedError

EDGES = {
    "amount": "float64",
    "since": "timestamp[s]",
    "note": "string",
    "ok": "bool",
    "small": "int8",
    "big": "uint64",
    "day": "date",
    "raw": "binary",
    "vector": "list<float32>",
}

ROWS: list[dict[str, Any]] = [
    {
        "source": "ann",
        "target": "bob",
        "amount": 1.5,
        "since": datetime.datetime(2025, 5, 1),
        "note": "first",
        "ok": True,
        "small": -3,
        "big": 2**64 - 1,
        "day": datetime.date(2024, 2, 29),
        "raw": b"\x00\xff",
        "vector": [0.5, -1.0],
    },
    {
        "source": "bob",
        "target": "cem",
        "amount": None,
        "since": datetime.datetime(2026, 2, 3),
        "note": "",
        "ok": False,
        "small": None,
        "big": 0,
        "day": None,
        "raw": b"",
        "vector": [],
    },
    {
        "source": "cem",
        "target": "ann",
        "amount": -2.0,
        "since": None,
        "note": None,
        "ok": None,
        "small": 127,
        "big": None,
        "day": datetime.date(1969, 12, 31),
        "raw": None,
        "vector": None,
    },
]


def table(rows: list[dict[str, Any]]) -> pa.Table:
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    return pa.table({name: pa.array(v, pa.uint64() if name == "big" else None) for name, v in columns.items()})


def read_back(graph: rz.Graph | rz.Snapshot) -> list[dict[str, Any]]:
    rows = graph.edges.to_arrow().to_pylist()
    return sorted(rows, key=lambda row: (row["source"], row["target"]))


@pytest.mark.parametrize("directed", [True, False])
def test_every_type_comes_back(tmp_path: Path, directed: bool) -> None:
    path = tmp_path / "g.rz"
    with rz.open(path, directed=directed, ids="string", edges=EDGES) as graph:
        graph.add_edges(table(ROWS))
        expected = read_back(graph)
        if directed:
            assert expected == ROWS
        graph.checkpoint()
        assert read_back(graph) == expected
    with rz.open(path) as graph:
        assert read_back(graph) == expected
        assert graph.edge_columns == EDGES
        graph.compact("degree")
        assert read_back(graph) == expected
        assert not graph.check().findings
    with rz.open(path, mode="read_only") as graph:
        assert read_back(graph) == expected


def test_values_are_kept_or_refused_by_name(tmp_path: Path) -> None:
    graph = rz.open(tmp_path / "g.rz", directed=True, edges={"amount": "float64 not null"})
    with pytest.raises(ColumnNotFoundError, match="other"):
        graph.add_edges(pa.table({"source": [1], "target": [2], "amount": [1.0], "other": [2]}))
    with pytest.raises(InvalidArgumentError, match="amount"):
        graph.add_edges([(1, 2)])
    with pytest.raises(InvalidArgumentError, match="amount"):
        graph.add_edges(pa.table({"source": [1], "target": [2], "amount": ["much"]}))
    with pytest.raises(InvalidArgumentError, match="is not a type"):
        rz.open(None, edges={"amount": "money"})
    assert len(graph) == 0


def test_set_single_values_and_tables(tmp_path: Path) -> None:
    with rz.open(tmp_path / "g.rz", ids="string", edges=EDGES, vertices={"age": "int32", "name": "string"}) as graph:
        graph.add_edges(table(ROWS))
        graph.set(("ann", "bob"), amount=9.0)
        assert read_back(graph)[0]["amount"] == 9.0
        assert read_back(graph)[0]["note"] == "first", "columns that are not set stay"
        update = pa.table({"source": ["bob", "no", "bob"], "target": ["ann", "one", "cem"], "note": ["x", "y", "z"]})
        assert graph.set_edges(update) == 2
        assert sorted(row["note"] for row in read_back(graph) if row["note"]) == ["x", "z"]
        with pytest.raises(NotInGraphError):
            graph.set(("ann", "nobody"), amount=1.0)
        with pytest.raises(ColumnNotFoundError):
            graph.set(("ann", "bob"), nothing=1.0)
        graph.add_vertices(pa.table({"vertex": ["ann", "dora"], "age": [41, 7]}))
        graph.set("ann", name="Ann")
        assert graph.vertex("ann") == {"age": 41, "name": "Ann"}
        assert graph.vertex("bob") == {"age": None, "name": None}
        assert graph.set_vertices(pa.table({"id": ["bob", "nobody"], "age": [50, 1]})) == 1
        graph.remove_vertices(["ann"])
        graph.add_vertices(["ann"])
        assert graph.vertex("ann") == {"age": None, "name": None}
        graph.compact("given")
        assert graph.vertex("bob") == {"age": 50, "name": None}
        ages = dict(zip(*graph.vertices.to_arrow().select(["vertex", "age"]).to_pydict().values(), strict=True))
        assert ages == {"ann": None, "bob": 50, "cem": None, "dora": 7}


def test_parallel_edges_keep_their_values(tmp_path: Path) -> None:
    with rz.open(tmp_path / "g.rz", directed=True, parallel_edges="keep", edges={"key": "int64"}) as graph:
        graph.add_edges(pa.table({"source": [0, 0, 0], "target": [1, 1, 2], "key": [5, 6, 7]}))
        graph.remove_edges([(0, 1)], parallel="one")
        assert graph.edges.to_arrow().column("key").to_pylist() == [5, 7]
        graph.set((0, 1), key=8)
        assert graph.edges.to_arrow().column("key").to_pylist() == [8, 7]


def test_columns_come_and_go(tmp_path: Path) -> None:
    path = tmp_path / "g.rz"
    with rz.open(path) as graph:
        graph.add_edges([(0, 1), (1, 2)])
        graph.checkpoint()
        held = graph.snapshot()
        graph.add_column("amount", "int32")
        graph.add_column("name", "string", of="vertices")
        graph.add_edges(pa.table({"source": [2], "target": [3], "amount": [4]}))
        graph.set((0, 1), amount=3)
        graph.set(2, name="two")
        assert graph.edges.to_arrow().column("amount").to_pylist() == [3, None, 4]
        assert held.edge_columns == {}
        with pytest.raises(InvalidArgumentError):
            graph.add_column("amount", "int32")
    with rz.open(path) as graph:
        assert graph.edges.to_arrow().column("amount").to_pylist() == [3, None, 4]
        graph.drop_column("amount")
        graph.add_column("amount", "string")
        assert graph.edges.to_arrow().column("amount").to_pylist() == [None, None, None]
        assert graph.vertex(2) == {"name": "two"}
        assert not graph.check().findings


def random_table(edges: int, vertices: int) -> pa.Table:
    random = np.random.default_rng(7)
    return pa.table(
        {
            "source": random.integers(0, vertices, edges),
            "target": random.integers(0, vertices, edges),
            "amount": random.random(edges).astype(np.float32) + np.float32(0.1),
            "count": random.integers(1, 9, edges).astype(np.int16),
            "kind": random.choice(np.array(["a", "bb", "ccc"]), edges),
        }
    )


@pytest.mark.parametrize("edges", [2_000, 300_000])  # one change; a bulk load
def test_any_numeric_column_is_a_weight(tmp_path: Path, edges: int) -> None:
    data = random_table(edges, 500 if edges < 10_000 else 100_000)
    columns = {"amount": "float32", "count": "int16", "kind": "string"}
    graph = rz.open(tmp_path / "g.rz", directed=True, parallel_edges="keep", edges=columns)
    graph.add_edges(data)
    back = graph.edges.to_arrow()
    order = [("source", "ascending"), ("target", "ascending"), ("amount", "ascending")]
    wanted = data.cast(back.schema)
    assert back.sort_by(order).equals(wanted.sort_by(order))
    for name in ("amount", "count"):
        plain = rz.open(None, directed=True, weights="float64", parallel_edges="keep")
        plain.add_edges(data.select(["source", "target", name]), weight=name)
        ours = rz.pagerank(graph, weight=name, tol=1e-10).to_dict()
        theirs = rz.pagerank(plain, weight="weight", tol=1e-10).to_dict()
        assert max(abs(ours[v] - theirs[v]) for v in theirs) < 1e-9
    source = data["source"][0].as_py()
    assert rz.sssp(graph, source, weight="count").to_dict()[source] == 0
    with pytest.raises(InvalidArgumentError, match="number"):
        rz.pagerank(graph, weight="kind")
    with pytest.raises(InvalidArgumentError, match="is not an edge column"):
        rz.pagerank(graph, weight="nothing")


def test_a_weight_stands_beside_other_columns(tmp_path: Path) -> None:
    path = tmp_path / "g.rz"
    with rz.open(path, edges={"weight": "float32", "note": "string"}) as graph:
        graph.add_edges(pa.table({"source": [0, 1], "target": [1, 2], "weight": [2.0, 0.5], "note": ["a", "b"]}))
        assert graph.weights == "float32"
        graph.set_weights([(0, 1, 4.0)])
        graph.set((1, 2), weight=8.0, note="c")
        rows = graph.edges.to_arrow().to_pylist()
        assert rows == [
            {"source": 0, "target": 1, "weight": 4.0, "note": "a"},
            {"source": 1, "target": 2, "weight": 8.0, "note": "c"},
        ]
        assert graph.neighbor_weights(1).tolist() == [4.0, 8.0]
        assert rz.sssp(graph, 0).to_dict() == {0: 0.0, 1: 4.0, 2: 12.0}
        assert rz.sssp(graph, 0, weight=None).to_dict() == {0: 0.0, 1: 1.0, 2: 2.0}
    with rz.open(path) as graph:
        assert graph.edges.to_arrow().to_pylist() == rows


def test_columns_through_files(tmp_path: Path) -> None:
    with rz.open(tmp_path / "g.rz", ids="string", directed=True, edges=EDGES) as graph:
        graph.add_edges(table(ROWS))
        graph.export(tmp_path / "g.parquet")
        assert sorted(pq.read_table(tmp_path / "g.parquet").to_pylist(), key=lambda r: r["source"]) == ROWS
    with rz.open(tmp_path / "h.rz", directed=True, edges={"amount": "float64", "note": "string"}) as graph:
        graph.add_edges(pa.table({"source": [0], "target": [1], "amount": [0.5], "note": ["a,b"]}))
        graph.export(tmp_path / "h.csv")
        lines = (tmp_path / "h.csv").read_text().splitlines()
        assert lines[0] == "# Directed graph"
        assert lines[2] == '0,1,0.5,"a,b"'


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".csv.gz", ".tsv.zst"])
def test_columns_through_text(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"g{ending}"
    columns = {"amount": "float64", "day": "date", "at": "timestamp[ms]", "vector": "list<float32>", "raw": "binary"}
    rows = {
        "source": [0, 1],
        "target": [1, 2],
        "amount": [0.5, None],
        "day": [datetime.date(2026, 1, 2), None],
        "at": [datetime.datetime(2026, 1, 2, 3, 4, 5, 6000), None],
        "vector": [[0.5, -1e30], None],
        "raw": [b"plain", None],
    }
    with rz.open(None, directed=True, edges=columns) as graph:
        graph.add_edges(rows)
        graph.export(file)
        expected = graph.edges.to_arrow().to_pylist()
    with rz.read(file, edges=columns) as graph:
        assert graph.directed
        assert graph.edges.to_arrow().to_pylist() == expected


def test_lists_of_any_numbers(tmp_path: Path) -> None:
    cells = ["[16777217]", "[1" + "0" * 30 + "]", '"[NaN, -Infinity]"', "[]", ""]
    rows = "".join(f"{at},{at + 1},{cell}\n" for at, cell in enumerate(cells))
    (tmp_path / "g.csv").write_text("source,target,vector\n" + rows)
    with rz.read(tmp_path / "g.csv", edges={"vector": "list<float32>"}) as graph:
        found = graph.edges.to_arrow()["vector"].to_pylist()
    assert found[0] == [16777216]
    assert found[1] == [pytest.approx(1e30)]
    assert str(found[2:]) == "[[nan, -inf], [], None]"


@pytest.mark.parametrize("options", [{"skip_bad_lines": 1}, {"null": ""}])
def test_lists_of_lines_that_are_left_out_may_be_anything(tmp_path: Path, options: dict[str, Any]) -> None:
    vectors = {"vector": "list<float32>"}
    (tmp_path / "g.csv").write_text("source,target,vector\n0,1,[1]\n,2,zz\n2,3,[2]\n")
    with rz.read(tmp_path / "g.csv", edges=vectors, **options) as graph:
        assert graph.edges.to_arrow()["vector"].to_pylist() == [[1], [2]]
    (tmp_path / "g.csv").write_text("source,target,vector\n0,1,[1]\n,2,zz\n2,3,yy\n")
    with pytest.raises(ParseError, match=r"g\.csv:4:5: 'yy' in column|more than the 1 malformed lines"):
        rz.read(tmp_path / "g.csv", edges=vectors, **options)


def test_info_lists_the_columns() -> None:
    with rz.open(None, weights="int32", edges={"day": "date"}, vertices={"age": "int8", "name": "string"}) as graph:
        info = graph.info()
    assert info.to_dict()["edge_columns"] == {"day": "date"}
    assert info.vertex_columns == {"age": "int8", "name": "string"}
    assert "edge columns day (date)\n" in repr(info)
    assert "vertex columns age (int8), name (string)\n" in repr(info)
    with rz.open(None) as bare:
        assert "columns" not in repr(bare.info())


def test_ids_stay_text_through_text(tmp_path: Path) -> None:
    with rz.open(None, ids="string", edges={"amount": "float64"}) as graph:
        graph.add_edges({"source": ["007", "2"], "target": ["2", "3"], "amount": [1.5, 2.5]})
        graph.export(tmp_path / "g.csv")
        expected = graph.edges.to_arrow().to_pylist()
    with rz.read(tmp_path / "g.csv", edges={"amount": "float64"}) as graph:
        assert not graph.directed
        assert graph.edges.to_arrow().to_pylist() == expected


def test_text_has_no_form_for_other_bytes(tmp_path: Path) -> None:
    with rz.open(None, edges={"raw": "binary"}) as graph:
        graph.add_edges({"source": [0], "target": [1], "raw": [b"\xff"]})
        with pytest.raises(UnsupportedError, match=r"write .parquet or .ndjson"):
            graph.export(tmp_path / "g.csv")
    assert not list(tmp_path.iterdir())


def test_a_list_in_text_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_text('source,target,vector\n0,1,"[1, 2]"\n1,2,\n2,3,"[1, ""x""]"\n')
    with pytest.raises(ParseError, match=r"g\.csv:4:5: '\[1, \"x\"\]' in column .vector. is not a list of numbers"):
        rz.read(tmp_path / "g.csv", edges={"vector": "list<float32>"})
    vectors = {"vector": "list<float32>"}
    cells = ["[true]", '"[1, null]"', "null", "5", "{}", "[[1]]", '"[1, 2"', "[1] x", '"[""a""]"', "[" * 100_000]
    for cell in cells:
        (tmp_path / "g.csv").write_text(f"source,target,vector\n0,1,[1]\n1,2,{cell}\n")
        with pytest.raises(ParseError, match=r"g\.csv:3:5: '.{1,70}' in column .vector. is not a list of numbers"):
            rz.read(tmp_path / "g.csv", edges=vectors)
    (tmp_path / "v.csv").write_text('vertex,vector\n0,"[1, 2]"\n1,\n')
    (tmp_path / "e.csv").write_text("source,target\n0,1\n")
    with rz.read(tmp_path / "e.csv", vertices=vectors, vertex_files=[tmp_path / "v.csv"]) as graph:
        assert graph.vertex(0) == {"vector": [1, 2]}
    (tmp_path / "v.csv").write_text('vertex,vector\n0,"[1, 2]"\n1,some\n')
    with pytest.raises(ParseError, match=r"v.csv:3:3: 'some' in column .vector. is not a list of numbers"):
        rz.read(tmp_path / "e.csv", vertices=vectors, vertex_files=[tmp_path / "v.csv"])


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".tsv", ".csv.gz"])
def test_columns_are_imported(tmp_path: Path, ending: str) -> None:
    columns = {"amount": "float64", "since": "timestamp[s]", "note": "string"}
    rows = table(ROWS).select(["source", "target", *columns])
    file = tmp_path / f"edges{ending}"
    if ending == ".parquet":
        pq.write_table(rows, file)
    else:
        comma = "\t" if ending == ".tsv" else ","
        options = csv.WriteOptions(delimiter=comma, quoting_style="needed")
        with pa.output_stream(str(file), compression="gzip" if ending.endswith("gz") else None) as out:
            csv.write_csv(rows, out, options)
    with rz.read(file, into=tmp_path / "g.rz", directed=True, edges=columns) as graph:
        found = read_back(graph)
    expected = [{name: row[name] for name in ("source", "target", *columns)} for row in ROWS]
    if ending != ".parquet":
        expected[1]["note"] = None  # CSV does not tell an empty text from none
    assert found == expected
    with pytest.raises(ColumnNotFoundError, match="nothing"):
        rz.read(file, edges={"nothing": "int32"})


def small() -> rz.Graph:
    graph = rz.open(
        None,
        directed=True,
        ids="string",
        edges={"amount": "float64", "since": "timestamp[s]", "note": "string"},
        vertices={"age": "int32"},
    )
    graph.add_edges(table(ROWS).select(["source", "target", "amount", "since", "note"]))
    graph.add_vertices(pa.table({"vertex": ["ann", "bob", "dora"], "age": [17, 30, 64]}))
    return graph


@pytest.mark.parametrize(
    ("condition", "kept"),
    [
        ("amount > 0", ["ann"]),
        ("amount is null", ["bob"]),
        ("amount IS NOT NULL and not amount > 0", ["cem"]),
        ("since >= '2026-01-01'", ["bob"]),
        ("since < '2026-01-01 00:00:00' or note is null", ["ann", "cem"]),
        ("source in ('ann', 'cem') AND target <> 'bob'", ["cem"]),
        ("source not in ('ann')", ["bob", "cem"]),
        ("amount * 2 + 1 = 4", ["ann"]),
        ("-3 < amount <= -2", ["cem"]),
        ("length(note) = 5 and startswith(upper(note), 'FI')", ["ann"]),
        ("abs(amount) / 2 >= 1", ["cem"]),
    ],
)
def test_where_over_edges(condition: str, kept: list[str]) -> None:
    view = small().where(edges=condition)
    assert [row["source"] for row in read_back(view)] == kept
    assert len(view) == 4


def test_where_over_vertices_and_other_views() -> None:
    graph = small()
    view = graph.where(vertices="age >= 18")
    assert sorted(view.vertices.to_arrow().column("vertex").to_pylist()) == ["bob", "dora"]
    assert view.num_edges == 0
    assert read_back(graph.subgraph(["ann", "bob", "nobody"])) == read_back(graph)[:1]
    assert {row["target"] for row in read_back(graph.reverse())} == {"ann", "bob", "cem"}
    assert [row["note"] for row in read_back(graph.reverse()) if row["target"] == "ann"] == ["first"]
    assert not graph.undirected().directed
    assert sorted(graph.neighborhood("ann", 1).vertices.to_arrow().column("vertex").to_pylist()) == ["ann", "bob"]
    assert graph.neighborhood("ann", 2).num_edges == 3
    assert rz.pagerank(graph.reverse()).to_dict().keys() == {"ann", "bob", "cem", "dora"}
    for wrong in ("amount >", "nothing = 1", "amount + 1", "__import__('os')", "amount.x > 1", "source like 5"):
        with pytest.raises((InvalidArgumentError, ParseError), match=r"\n *\^$"):
            graph.where(edges=wrong)


def test_views_do_not_follow_the_graph() -> None:
    graph = small()
    view = graph.where(edges="amount > 0")
    graph.remove_edges([("ann", "bob")])
    graph.close()
    assert [row["note"] for row in read_back(view)] == ["first"]


def test_to_networkx_and_back() -> None:
    graph = small()
    made = graph.to_networkx()
    assert isinstance(made, nx.DiGraph)
    assert made.nodes["bob"] == {"age": 30}
    assert made.edges["ann", "bob"]["note"] == "first"
    assert "amount" not in made.edges["bob", "cem"]
    again = rz.open(None, directed=True, ids="string", edges=graph.edge_columns)
    again.add_edges(made)
    assert read_back(again) == read_back(graph)


def test_to_igraph() -> None:
    pytest.importorskip("igraph")
    made = small().to_igraph()
    assert made.vs["name"] == ["ann", "bob", "cem", "dora"]
    assert made.vs["age"] == [17, 30, None, 64]
    assert sorted(made.es["note"], key=str) == ["", None, "first"]


def test_conditions_mean_what_they_say() -> None:
    """Signs, remainders, sums beyond a type, nulls beside `not in`."""
    columns = {"x": "float64", "i": "int64", "u": "uint8", "v": "uint8", "b": "uint64"}
    graph = rz.open(None, directed=True, edges=columns)
    table = {
        "x": pa.array([5.5, -1.0, None]),
        "i": pa.array([2**63 - 1, -7, None]),
        "u": pa.array([1, 200, None], pa.uint8()),
        "v": pa.array([2, 100, None], pa.uint8()),
        "b": pa.array([2**64 - 1, 5, None], pa.uint64()),
    }
    graph.add_edges(pa.table({"source": [1, 2, 3], "target": [2, 3, 1], **table}))

    def kept(condition: str) -> list[int]:
        return sorted(graph.where(edges=condition).edges.to_arrow().column("source").to_pylist())

    assert kept("x > +5") == [1]
    assert kept("x > -+2") == [1, 2]
    assert kept("x % 2 = 1.5") == [1]
    assert kept("i % 3 = -1") == [2]
    assert kept("u - v > 0") == [2]
    assert kept("u * v > 300") == [2]
    assert kept("-u > -5") == [1]
    assert kept("b = 18446744073709551615") == [1]
    assert kept("i not in (5)") == kept("not (i in (5))") == kept("i <> 5") == [1, 2]


@pytest.mark.parametrize(
    "condition",
    [
        "i + 1 > 0",  # beyond 64 bits
        "i > 99999999999999999999999",
        "i in (1, null)",
        "~i > 5",
        "name = 'O' 'Brien'",
        "\"name\" = 'x' and i > 0",  # a text, not a column
        "abs() > 1",
        "startswith(name)",
        "(" * 300 + "i > 1" + ")" * 300,
        "i > 1" + " + 1" * 5000,
    ],
)
def test_conditions_that_mean_nothing_are_refused(condition: str) -> None:
    graph = rz.open(None, directed=True, edges={"i": "int64", "name": "string"})
    graph.add_edges({"source": [1], "target": [2], "i": [2**63 - 1], "name": ["x"]})
    with pytest.raises((InvalidArgumentError, ParseError), match=r"\n *\^$") as raised:
        graph.where(edges=condition)
    assert len(str(raised.value)) < 1000


def test_rows_that_are_mappings_bring_their_values() -> None:
    graph = rz.open(None, directed=True, edges={"amount": "float64"})
    graph.add_edges([{"source": 2, "target": 3, "amount": 5.0}, {"source": 1, "target": 2}])
    assert sorted(graph.edges.to_arrow().column("amount").to_pylist(), key=str) == [5.0, None]
    assert graph.set_edges([{"source": 1, "target": 2, "amount": 1.0}]) == 1
    with pytest.raises(ColumnNotFoundError, match="amout"):
        graph.add_edges([{"source": 1, "target": 2, "amout": 5.0}])
    with pytest.raises(ColumnNotFoundError, match="amout"):  # no weight either, though it is the third column
        graph.add_edges({"source": [1], "target": [2], "amout": [5.0]})


def test_set_edges_sets_weights_too() -> None:
    graph = rz.open(None, directed=True, edges={"weight": "float32", "amount": "float64"})
    graph.add_edges({"source": [1, 2], "target": [2, 3], "weight": [1.0, 2.0], "amount": [3.0, 4.0]})
    assert graph.set_edges({"source": [1], "target": [2], "weight": [9.0], "amount": [8.0]}) == 1
    assert graph.set_edges({"source": [2], "target": [3], "weight": [7.0]}) == 1
    assert (graph.weight(1, 2), graph.weight(2, 3)) == (9.0, 7.0)
    assert sorted(graph.edges.to_arrow().column("amount").to_pylist()) == [4.0, 8.0]
    graph.set_edges({"source": [1], "target": [2], "amount": [0.0]})
    assert graph.weight(1, 2) == 9.0
    with pytest.raises(InvalidArgumentError, match="finite"):
        graph.set_edges({"source": [1], "target": [2], "weight": np.array([np.nan])})
    with pytest.raises(InvalidArgumentError, match="null"):
        graph.set((1, 2), weight=None)
    plain = rz.open(None, directed=True, weights=True)
    plain.add_edges([(1, 2, 3.0)])
    assert plain.set_edges({"source": [1], "target": [2], "weight": [4.0]}) == 1
    assert plain.weight(1, 2) == 4.0
    with pytest.raises(InvalidArgumentError, match="weight"):
        rz.open(None, weights="int32", edges={"weight": "float64"})


def test_values_are_not_altered_on_their_way() -> None:
    graph = rz.open(None, edges={"at": "timestamp[ns]", "since": "timestamp[s]"}, vertices={"x": "float64"})
    ends = {"source": [1], "target": [2]}
    for column, text in (("at", "2500-01-01"), ("since", "2026-01-01 00:00:00.75")):
        with pytest.raises(InvalidArgumentError, match=column):
            graph.add_edges({**ends, column: [text]})
    graph.add_edges({**ends, "at": ["2026-01-01 10:00:00.123456789"], "since": ["2026-01-01 10:00:00"]})
    assert graph.edges.to_arrow().column("at").combine_chunks().view(pa.int64()).to_pylist() == [1767261600123456789]
    graph.set(1, x=float("nan"))
    assert str(graph.vertex(1)["x"]) == "nan"


def test_a_table_of_vertices_says_which_column_has_the_ids() -> None:
    graph = rz.open(None, vertices={"name": "string", "age": "int64"})
    with pytest.raises(ColumnNotFoundError, match="vertex="):
        graph.add_vertices({"name": ["ann"], "age": [3]})
    graph.add_vertices({"key": ["a"], "name": ["ann"]}, vertex="key")
    graph.add_vertices({"key": ["b"]})
    assert graph.vertex("a") == {"name": "ann", "age": None}


def test_attributes_that_networkx_and_igraph_name_otherwise() -> None:
    graph = rz.open(
        None, directed=True, parallel_edges="keep", edges={"key": "int64"}, vertices={"self": "int64", "name": "string"}
    )
    graph.add_edges({"source": [1, 1], "target": [2, 2], "key": [7, 7]})
    graph.add_vertices({"vertex": [1, 2], "self": [3, None], "name": ["same", "same"]})
    made = graph.to_networkx()
    assert [data for _, _, data in made.edges(data=True)] == [{"key": 7}, {"key": 7}]
    assert made.nodes[1] == {"self": 3, "name": "same"}
    again = rz.open(None, directed=True, parallel_edges="keep", edges=graph.edge_columns, vertices=graph.vertex_columns)
    again.add_edges(made)
    assert read_back(again) == read_back(graph)
    assert again.vertex(1) == graph.vertex(1)
    other = rz.open(None, directed=True, parallel_edges="keep", edges=graph.edge_columns, vertices=graph.vertex_columns)
    other.add_edges(graph)
    assert other.vertex(1) == graph.vertex(1)


def test_igraph_and_back() -> None:
    pytest.importorskip("igraph")
    graph = rz.open(None, directed=True, edges={"amount": "int64"}, vertices={"name": "string", "age": "int64"})
    graph.add_edges({"source": [10, 20], "target": [20, 30], "amount": [1, 2]})
    graph.add_vertices({"vertex": [10, 20, 30], "name": ["ann", "bob", "ann"], "age": [3, None, 5]})
    made = graph.to_igraph()
    assert made.vs["name"] == [10, 20, 30]
    assert made.vs["name_"] == ["ann", "bob", "ann"]
    again = rz.open(None, directed=True, edges=graph.edge_columns, vertices=graph.vertex_columns)
    again.add_edges(made)
    assert read_back(again) == read_back(graph)
    assert again.vertex(10) == {"name": "ann", "age": 3}


SAMPLE = Path(__file__).resolve().parents[1] / "data" / "stores" / "format-1"


def test_a_store_of_format_1_is_read_and_gets_columns(tmp_path: Path) -> None:
    path = tmp_path / "g.rz"
    shutil.copytree(SAMPLE, path)
    with rz.open(path, mode="read_only") as graph:
        edges = graph.edges.to_arrow().to_pylist()
        assert [tuple(row.values()) for row in edges] == [
            ("ann", "bob", 1.0),
            ("ann", "bob", 3.0),
            ("ann", "dora", 4.0),
            ("bob", "cem", 2.5),
            ("cem", "ann", 0.25),
            ("fay", "ann", 7.0),
        ]
        assert "eve" not in graph
    assert rz.upgrade(path)
    with rz.open(path) as graph:
        graph.add_column("age", "int32", of="vertices")
        graph.set("ann", age=40)
        assert graph.edges.to_arrow().to_pylist() == edges
        with pytest.raises(UnsupportedError, match="weights"):
            graph.add_column("note", "string")
    with rz.open(path) as graph:
        assert graph.vertex("ann") == {"age": 40}
        assert not graph.check().findings


def of_igraph() -> Any:
    igraph = pytest.importorskip("igraph")
    made = igraph.Graph([(0, 1), (1, 2), (2, 2)], directed=True)
    made.vs["name"] = ["ann", "bob", "cem"]
    made.vs["age"] = [41, None, 17]
    made.es["weight"] = [1.0, 2.0, 3.0]
    made.es["amount"] = [12.5, 3.0, None]
    made.es["note"] = ["rent", None, "gift"]
    return made


def of_networkx() -> Any:
    made = nx.DiGraph()
    made.add_node("ann", age=41)
    made.add_node("bob")
    made.add_node("cem", age=17)
    made.add_edge("ann", "bob", weight=1.0, amount=12.5, note="rent")
    made.add_edge("bob", "cem", weight=2.0, amount=3.0)
    made.add_edge("cem", "cem", weight=3.0, note="gift")
    return made


BROUGHT: list[dict[str, Any]] = [
    {"source": "ann", "target": "bob", "weight": 1.0, "amount": 12.5, "note": "rent"},
    {"source": "bob", "target": "cem", "weight": 2.0, "amount": 3.0, "note": None},
    {"source": "cem", "target": "cem", "weight": 3.0, "amount": None, "note": "gift"},
]


@pytest.mark.parametrize("make", [of_igraph, of_networkx])
def test_graphs_bring_their_attributes(make: Any, tmp_path: Path) -> None:
    columns: dict[str, str] = {"weight": "float32", "amount": "float64", "note": "string"}
    with rz.open(tmp_path / "g.rz", directed=True, edges=columns, vertices={"age": "int32"}) as graph:
        graph.add_edges(make())
        assert graph.edges.to_arrow().select(list(BROUGHT[0])).to_pylist() == BROUGHT
        assert [graph.vertex(v)["age"] for v in ("ann", "bob", "cem")] == [41, None, 17]
    with rz.open(None, directed=True, edges=columns, vertices={"age": "int32"}) as graph:
        with graph.batch() as batch:
            batch.add_edges(make())
        assert graph.edges.to_arrow().select(list(BROUGHT[0])).to_pylist() == BROUGHT
        assert graph.vertex("ann") == {"age": 41}
        copy = rz.open(None, directed=True, edges=columns, vertices={"age": "int32"})
        copy.add_edges(graph)
        assert copy.vertex("cem") == {"age": 17}
    with rz.open(None, directed=True) as plain:
        plain.add_edges(make())
        assert plain.edges.schema.names == ["source", "target"]


@pytest.mark.parametrize("make", [of_igraph, of_networkx])
def test_attributes_of_many_edges_come_in_one_change(make: Any) -> None:
    many = nx.DiGraph()
    many.add_nodes_from((v, {"age": v % 90}) for v in range(1000))
    many.add_edges_from((u, (u * 7 + i) % 1000) for u in range(1000) for i in range(140))
    if make is of_igraph:
        many = pytest.importorskip("igraph").Graph.from_networkx(many)
    graph = rz.open(None, directed=True, vertices={"age": "int8"})
    graph.add_edges(many)
    assert graph.num_edges == 140_000
    assert graph.vertices.to_arrow().sort_by("vertex").column("age").to_pylist() == [v % 90 for v in range(1000)]


@pytest.mark.parametrize("make", [of_igraph, of_networkx])
def test_columns_of_a_graph_are_inferred(make: Any, tmp_path: Path) -> None:
    with rz.read(make(), into=tmp_path / "g.rz", edges="infer", vertices="infer") as graph:
        assert graph.edge_columns == {"amount": "float64", "note": "string"}
        assert graph.vertex_columns == {"age": "int64"}
        assert graph.edges.to_arrow().select(list(BROUGHT[0])).to_pylist() == BROUGHT
        again = rz.read(graph, edges="infer", vertices="infer")
        assert again.edge_columns == graph.edge_columns
        assert again.vertex("ann") == graph.vertex("ann")


def test_columns_of_a_table_are_inferred(tmp_path: Path) -> None:
    whole = table(ROWS)
    rows = [row | {"big": 7} for row in whole.to_pylist()]
    for data in (whole, whole.to_reader(), rows, iter(rows)):
        graph = rz.read(data, directed=True, edges="infer")
        types = graph.edge_columns
        assert (types["amount"], types["note"], types["ok"]) == ("float64", "string", "bool")
        assert (types["day"], types["raw"], types["vector"]) == ("date", "binary", "list<float32>")
        assert types["big"] == ("uint64" if hasattr(data, "schema") else "int64")
        assert [row["note"] for row in read_back(graph)] == ["first", "", None]
    three = rz.read({"source": [0, 1], "target": [1, 2], "amount": [5, 6]}, edges="infer")
    assert (three.edge_columns, three.weights) == ({"amount": "int64"}, None)
    weighed = rz.read({"source": [0], "target": [1], "w": [5.5], "kind": ["a"]}, edges="infer")
    assert (weighed.edge_columns, weighed.weights) == ({"kind": "string"}, "float64")
    assert rz.read([(0, 1), (1, 2)], edges="infer").edge_columns == {}
    with pytest.raises(InvalidArgumentError, match="'big' are not of one type"):
        rz.read([row | {"big": "much" if row["big"] == 0 else 7} for row in whole.to_pylist()], edges="infer")
    with pytest.raises(InvalidArgumentError, match="'empty' has no values"):
        rz.read({"source": [0], "target": [1], "empty": [None]}, edges="infer")
    with pytest.raises(InvalidArgumentError, match="'pair' is of type struct"):
        rz.read({"source": [0], "target": [1], "pair": [{"a": 1}]}, edges="infer")
    with pytest.raises(InvalidArgumentError, match="and a weight is a number"):
        rz.read({"source": [0], "target": [1], "weight": ["heavy"]}, edges="infer")
    with pytest.raises(InvalidArgumentError, match=r"rizoma\.read"):
        rz.open(tmp_path / "no.rz", edges="infer")  # type: ignore[arg-type]
    assert not (tmp_path / "no.rz").exists()


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".graphml"])
def test_columns_of_files_are_inferred(tmp_path: Path, ending: str) -> None:
    rows = table(ROWS).select(["source", "target", "amount", "note"])
    file, people = tmp_path / f"edges{ending}", tmp_path / "people.csv"
    csv.write_csv(pa.table({"vertex": ["ann", "bob"], "age": [41, 17], "day": ["2020-01-31", ""]}), people)
    if ending == ".parquet":
        pq.write_table(rows, file)
    elif ending == ".csv":
        csv.write_csv(rows, file)
    else:
        with rz.read(rows, directed=True, edges="infer", ids="string") as graph:
            graph.export(file)
    with rz.read(file, edges="infer", vertices="infer", vertex_files=[people], directed=True) as graph:
        assert graph.edge_columns == {"amount": "float64", "note": "string"}
        assert graph.vertex_columns == {"age": "int64", "day": "date"}
        assert [row["amount"] for row in read_back(graph)] == [1.5, None, -2.0]
        assert graph.vertex("ann") == {"age": 41, "day": datetime.date(2020, 1, 31)}


def test_all_columns_are_imported_by_the_command(tmp_path: Path, rizoma: Any) -> None:
    csv.write_csv(table(ROWS).select(["source", "target", "amount", "note"]), tmp_path / "edges.csv")
    rizoma("import", tmp_path / "g.rz", tmp_path / "edges.csv", "--all-columns", "--dry-run")
    assert not (tmp_path / "g.rz").exists()
    rizoma("import", tmp_path / "g.rz", tmp_path / "edges.csv", "--all-columns")
    with rz.open(tmp_path / "g.rz") as graph:
        assert graph.edge_columns == {"amount": "float64", "note": "string"}
        assert graph.num_edges == 3


def test_rows_by_name_bring_their_values() -> None:
    graph = rz.open(None, directed=True, edges={"amount": "float64"})
    graph.add_edges([{"source": 0, "target": 1, "amount": 2.5}, {"source": 1, "target": 2}])
    assert [row["amount"] for row in read_back(graph)] == [2.5, None]
    with pytest.raises(ColumnNotFoundError, match="'kind'"):
        graph.add_edges([{"source": 0, "target": 1, "amount": 1.0, "kind": "a"}])
    with pytest.raises(InvalidArgumentError, match="the first row has no 'amount'"):
        graph.add_edges([{"source": 0, "target": 1}, {"source": 1, "target": 2, "amount": 1.0}])


@pytest.mark.parametrize(
    ("kind", "value", "found"),
    [
        ("date", datetime.datetime(2026, 1, 1, 12), "2026-01-01 12:00:00"),
        ("date", "2026-01-01 12:00", "2026-01-01 12:00:00"),
        ("float32", 1e300, "1e+300"),
        ("list<float32>", [0.5, 1e300], "1e+300"),
        ("bool", 2, "2"),
    ],
)
def test_values_that_arrow_would_change_without_a_word_are_refused(kind: str, value: Any, found: str) -> None:
    with rz.open(None, edges={"x": kind}) as graph:
        with pytest.raises(InvalidArgumentError, match=rf"'x' cannot be stored as .*: {re.escape(found)} does not fit"):
            graph.add_edges({"source": [1, 2], "target": [2, 3], "x": [None, value]})
        assert graph.num_edges == 0


@pytest.mark.parametrize(
    ("kind", "value", "kept"),
    [
        ("date", datetime.datetime(2026, 1, 1), datetime.date(2026, 1, 1)),
        ("float32", float("inf"), float("inf")),
        ("list<float32>", [float("-inf")], [float("-inf")]),
        ("bool", 1, True),
    ],
)
def test_values_that_fit_another_type_are_kept(kind: str, value: Any, kept: Any) -> None:
    with rz.open(None, edges={"x": kind}) as graph:
        graph.add_edges({"source": [1, 2], "target": [2, 3], "x": [None, value]})
        assert graph.edges.to_arrow()["x"].to_pylist() == [None, kept]


def test_a_weight_that_is_not_there_is_told_with_those_that_are() -> None:
    with rz.open(None, edges={"x": "int8"}) as graph:
        graph.add_edges({"source": [1], "target": [2], "x": [1]})
        with pytest.raises(InvalidArgumentError, match=r"weight='nope' is not an edge column; there are x"):
            rz.sssp(graph, 1, weight="nope")


def test_what_declares_no_columns_is_told() -> None:
    with pytest.raises(InvalidArgumentError, match=r"\['x'\] names no columns; give"):
        rz.open(None, edges=["x"])  # type: ignore[arg-type]


def test_mistakes_in_conditions_are_told_in_their_own_words() -> None:
    with rz.open(None, edges={"x": "float64"}) as graph:
        graph.add_edges({"source": [1], "target": [2], "x": [1.0]})
        with pytest.raises(ParseError, match=r"^a number is compared with text\n  x > 'a'\n    \^$"):
            graph.where(edges="x > 'a'")
        with pytest.raises(ParseError, match=r'^expected "and" of "between", not the end'):
            graph.where(edges="x between 0")
