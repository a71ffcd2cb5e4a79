"""Changes to graphs with columns: what they keep, count, name and refuse; parallel edges distinguished."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import rizoma as rz
from rizoma.core.errors import ColumnNotFoundError, NotInGraphError, RizomaError


def test_columns_that_a_graph_without_any_lacks_are_refused() -> None:
    for row in ({"since": [2020]}, {"since": [2020], "note": ["x"]}, {"note": ["x"]}):
        edges = {"source": [1], "target": [2], **row}
        graph = rz.open(None)
        with pytest.raises(ColumnNotFoundError, match=r"no column '(since|note)'; add it with add_column, or leave it"):
            graph.add_edges(edges)
        with pytest.raises(ColumnNotFoundError, match="add_column"), graph.batch() as batch:
            batch.add_edges([{name: values[0] for name, values in edges.items()}])
        assert len(graph) == 0
        for name, values in row.items():
            graph.add_column(name, "int64" if name == "since" else "string")
            assert values
        graph.add_edges(edges)
        assert {name: graph.edges.to_arrow()[name].to_pylist() for name in row} == row
        assert graph.remove_edges(edges) == 1
    weighted = rz.open(None, weights=True)
    with pytest.raises(ColumnNotFoundError, match="'since'; leave it out, or make a new graph with columns"):
        weighted.add_edges({"source": [1], "target": [2], "weight": [1.0], "since": [2020]})
    with pytest.raises(ColumnNotFoundError, match="'minutes'"):  # the third one is no weight by its place
        weighted.add_edges({"source": [1], "target": [2], "minutes": [3.0]})


def test_values_of_one_thing_count_once_and_what_lacks_is_named() -> None:
    graph = rz.open(None, directed=True, edges={"amount": "float64"}, vertices={"age": "int64"})
    graph.add_edges({"source": [1, 2], "target": [2, 3], "amount": [1.0, 2.0]})
    assert graph.set_edges({"source": [1, 1, 9], "target": [2, 2, 9], "amount": [5.0, 6.0, 7.0]}) == 1
    assert graph.set_vertices({"vertex": [1, 1, 2], "age": [5, 6, 7]}) == 2
    assert graph.vertex(1) == {"age": 6}
    with pytest.raises(NotInGraphError, match="no vertex 77"):
        graph.set_vertices({"vertex": [1, 77], "age": [1, 2]}, missing="error")
    assert graph.vertex(1) == {"age": 6}
    weighted = rz.open(None, directed=True, weights=True)
    weighted.add_edges([(1, 2, 1.0)])
    assert weighted.set_weights([(1, 2, 3.0), (1, 2, 4.0)]) == 1
    assert weighted.weight(1, 2) == 4.0


@pytest.mark.parametrize("directed", [False, True])
def test_a_column_tells_parallel_edges_apart(tmp_path: Path, directed: bool) -> None:
    """As rows of Python do; a null is a key of its own."""
    rng = np.random.default_rng(4)
    columns = {"id": "string", "amount": "float64"}
    graph = rz.open(tmp_path / "g.rz", directed=directed, parallel_edges="keep", edges=columns)
    truth: list[list[Any]] = []

    def some(count: int) -> list[list[Any]]:
        ends = rng.integers(0, 4, (count, 2)).tolist()
        ids = [None if i == 9 else f"k{i}" for i in rng.integers(0, 10, count)]
        pairs = ends if directed else [sorted(pair) for pair in ends]
        return [[u, v, i] for (u, v), i in zip(pairs, ids, strict=True)]

    def as_table(rows: list[list[Any]], amount: float) -> pa.Table:
        u, v, ids = (list(column) for column in zip(*rows, strict=True))
        return pa.table({"source": u, "target": v, "id": pa.array(ids, pa.string()), "amount": [amount] * len(rows)})

    for change in range(8):
        added = some(60)
        graph.add_edges(as_table(added, float(change)))
        truth += [[*row, float(change)] for row in added]
        given = some(12)
        named = {tuple(row) for row in given}
        assert graph.set_edges(as_table(given, 100.0 + change), key="id") == sum(
            tuple(row[:3]) in named for row in truth
        )
        truth = [[*row[:3], 100.0 + change if tuple(row[:3]) in named else row[3]] for row in truth]
        gone = some(12)
        left = [row for row in truth if row[:3] not in gone]
        assert graph.remove_edges(as_table(gone, 0.0).drop_columns(["amount"]), key="id") == len(truth) - len(left)
        truth = left
        if change % 3 == 1:
            graph.checkpoint()
        kept = graph.edges.to_arrow().to_pylist()
        found = [[*((u, v) if directed else sorted((u, v))), i, a] for u, v, i, a in (row.values() for row in kept)]
        assert sorted(found, key=str) == sorted(truth, key=str)
    last = next(row for row in truth if row[2] is not None)
    graph.remove_edges(as_table([last[:3]], 0.0), key="id", parallel="one")
    kept = graph.edges.to_arrow().to_pylist()
    found = [[*((u, v) if directed else sorted((u, v))), i, a] for u, v, i, a in (row.values() for row in kept)]
    same = [row for row in truth if row[:3] == last[:3]]
    left = [row for row in found if row[:3] == last[:3]]
    assert len(left) == len(same) - 1
    assert all(left.count(row) <= same.count(row) for row in left)
    others = [row for row in truth if row[:3] != last[:3]]
    assert sorted((row for row in found if row[:3] != last[:3]), key=str) == sorted(others, key=str)
    for change_ in (graph.remove_edges, graph.set_edges):
        with pytest.raises(ColumnNotFoundError, match="number"):
            change_({"source": [1], "target": [2], "number": [1]}, key="number")
        with pytest.raises(ColumnNotFoundError, match="'id'"):
            change_({"source": [1], "target": [2], "amount": [1.0]}, key="id")
        with pytest.raises(NotInGraphError):
            change_({"source": [1], "target": [2], "id": ["nobody"]}, key="id", missing="error")
    before = graph.num_edges
    graph.close()
    with rz.open(tmp_path / "g.rz") as again:
        assert again.num_edges == before
        assert again.check().findings == []


def test_add_from_files_keeps_the_values_that_the_graph_has_columns_for(tmp_path: Path, rizoma: Any) -> None:
    store, more = tmp_path / "g.rz", tmp_path / "more.csv"
    more.write_text("source,target,amount,note\n1,2,5.5,x\n2,3,,y\n")
    with rz.open(store, directed=True, edges={"amount": "float64", "since": "int64"}):
        pass
    said = rizoma("add", store, more)
    assert "not read: 'note'" in said.stdout + said.stderr
    with rz.open(store) as graph:
        assert sorted(graph.edges.to_arrow()["amount"].to_pylist(), key=str) == [5.5, None]
    with rz.read(more, into=store, append=True) as graph:  # the same edges once more, with the same values
        assert sorted(graph.edges.to_arrow()["amount"].to_pylist(), key=str) == [5.5, None]
        assert any("not read: 'note'" in line for line in graph.last_import.lines())
    with rz.read({"source": [1], "target": [2], "amount": [6.5]}, into=store, append=True) as graph:
        assert sorted(graph.edges.to_arrow()["amount"].to_pylist(), key=str) == [6.5, None]
    pq.write_table(pa.table({"source": [3], "target": [1], "since": [2020]}), tmp_path / "one.parquet")
    rizoma("add", store, tmp_path / "one.parquet")
    with rz.open(store) as graph:
        assert graph.edges.to_arrow()["since"].to_pylist().count(2020) == 1


def test_weights_come_along_beside_kept_columns(tmp_path: Path, rizoma: Any) -> None:
    """A column of another name is the weight where it is named, and refused where it is not."""
    store, more = tmp_path / "g.rz", tmp_path / "more.csv"
    more.write_text("source,target,cost,note\n1,2,5,x\n2,3,2.5,y\n")
    with rz.open(store, directed=True, weights=True, edges={"note": "string"}):
        pass
    assert "--weight-column" in rizoma("add", store, more, check=False).stderr
    rizoma("add", store, more, "--weight-column", "cost")
    rows = [
        {"source": 1, "target": 2, "weight": 5.0, "note": "x"},
        {"source": 2, "target": 3, "weight": 2.5, "note": "y"},
    ]
    with rz.open(store) as graph:
        assert sorted(graph.edges.to_arrow().to_pylist(), key=str) == rows
    graph = rz.read(more, directed=True, weight="cost", edges={"note": "string"})
    assert sorted(graph.edges.to_arrow().to_pylist(), key=str) == rows
    with pytest.raises(RizomaError, match="no column is called 'weight'; there are numbers in 'cost'"):
        rz.read(more, weights=True, edges={"cost": "float64"})
    text = tmp_path / "text.csv"
    for word, said in (("heavy", "found 'heavy'"), ("NA", "found 'NA'"), ("nan", "found 'nan'")):
        text.write_text(f"source,target,weight,note\n1,2,3,x\n2,3,{word},y\n")
        with pytest.raises(RizomaError, match=said):
            rz.read(text, directed=True, weights=True, edges={"note": "string"})
        assert said in rizoma("add", store, text, check=False).stderr


def test_numbers_name_columns_of_a_file_beside_those_that_are_kept(tmp_path: Path) -> None:
    file, store = tmp_path / "x.csv", tmp_path / "g.rz"
    file.write_text("target,source,note,cost\n2,1,x,5\n")
    row = {"source": 1, "target": 2, "weight": 5.0, "note": "x"}
    with rz.open(store, directed=True, weights=True, edges={"note": "string", "cost": "float64"}):
        pass
    with rz.read(file, into=store, append=True, source=1, target=0, weight=3) as graph:
        assert graph.edges.to_arrow().to_pylist() == [row | {"cost": None}]
    for edges in ({"note": "string"}, "infer"):
        graph = rz.read(file, directed=True, source=1, target=0, weight=3, edges=edges)
        assert graph.edges.to_arrow().to_pylist() == [row]


def test_files_are_appended_to_graphs_with_columns_as_to_others(tmp_path: Path) -> None:
    """Ids as the graph has them, comments anywhere, words such as NA as they are written, fractions after integers."""
    file = tmp_path / "x.csv"
    # The weights of the first 16 MiB, which types were found by, are integers.
    long = "x" * 1000
    rows = [f"{i},{i + 1},1,{long}" for i in range(17_000)]
    file.write_text("source,target,weight,note\n# why\n1,2,1,x\n#,,,\n\n" + "\n".join(rows) + "\nNA,null,0.5,nan\n")
    for columns in ({"note": "string"}, {}):
        store = tmp_path / f"{len(columns)}.rz"
        with rz.open(store, directed=True, weights=True, ids="string", edges=columns) as graph:
            graph.add_vertices(["ann"])
        with rz.read(file, into=store, append=True, comment="#") as graph:
            assert graph.num_edges == len(rows) + 1
            assert graph.weight("NA", "null") == 0.5
            assert graph.weight("16999", "17000") == 1.0
            if columns:
                found = {(row["source"], row["target"]): row["note"] for row in graph.edges.to_arrow().to_pylist()}
                assert found["NA", "null"] == "nan"


def test_lines_without_an_id_or_a_weight_are_left_out_beside_kept_columns(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text("source,target,weight,note\n1,2,3,NA\nNA,2,3,x\n1,NA,3,x\n1,3,NA,x\n3,4,5,y\n")
    for edges in ({}, {"note": "string"}):
        graph = rz.read(file, directed=True, null="NA", edges=edges)
        assert [graph.weight(u, v) for u, v in sorted(graph.edges)] == [3.0, 5.0]
        assert graph.last_import.files[0].null_lines == 3
    assert sorted(graph.edges.to_arrow()["note"].to_pylist(), key=str) == [None, "y"]


@pytest.mark.parametrize("columns", [{}, {"note": "string"}])
def test_lines_with_an_empty_id_or_weight_are_malformed_beside_kept_columns_too(
    tmp_path: Path, columns: dict[str, str]
) -> None:
    """Beside kept columns only null="" left them out, and skip_bad_lines did not; any null= left them out unasked."""
    file = tmp_path / "x.csv"
    file.write_text("source,target,weight,note\nann,bob,3,NA\n,bob,3,x\nbob,cem,,y\nNA,cem,5,\ncem,dee,7,\n")
    for null, kept, bad, left_out in ((None, 3, 2, 0), ("NA", 2, 2, 1), ("", 3, 0, 2)):
        graph = rz.read(file, directed=True, null=null, edges=columns, weight="weight", skip_bad_lines=2)
        report = graph.last_import.files[0]
        assert (graph.num_edges, report.bad_lines, report.null_lines) == (kept, bad, left_out), null
    with pytest.raises(rz.ParseError, match=r"3.*found .*, expected an id.*null=.*skip_bad_lines="):
        rz.read(file, directed=True, edges=columns, weight="weight")
    with pytest.raises(rz.ParseError, match=r"more than the 1 malformed lines that may be left out; the first is .*3"):
        rz.read(file, directed=True, edges=columns, weight="weight", skip_bad_lines=1)


def test_json_lines_are_appended_with_the_values_that_the_graph_has_columns_for(tmp_path: Path, rizoma: Any) -> None:
    store, more = tmp_path / "g.rz", tmp_path / "x.ndjson"
    more.write_text('{"source": 1, "target": 2, "note": "x", "rest": 1}\n{"source": 2, "target": 3}\n')
    with rz.open(store, directed=True, edges={"note": "string", "since": "int64"}):
        pass
    said = rizoma("add", store, more)
    assert "not read: 'rest'" in said.stdout + said.stderr
    more.write_text('{"source": 7, "target": 2, "since": 5}\n')
    with rz.read(more, into=store, append=True) as graph:
        assert sorted(graph.edges.to_arrow().to_pylist(), key=str) == [
            {"source": 1, "target": 2, "note": "x", "since": None},
            {"source": 2, "target": 3, "note": None, "since": None},
            {"source": 7, "target": 2, "note": None, "since": 5},
        ]


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_the_edge_added_last_is_removed_whatever_was_set_before(seed: int, directed: bool, tmp_path: Path) -> None:
    """`parallel="one"` takes the last in the order of arrival, which setting values and rewriting leave as it is."""
    draw = random.Random(seed)
    columns = {"id": "int64", "x": "int64"}
    graph = rz.open(tmp_path / "g.rz", directed=directed, parallel_edges="keep", edges=columns)
    truth: dict[tuple[int, int], list[list[int | None]]] = {(1, 2): [], (1, 1): [], (2, 3): []}
    ends = list(truth)
    for step in range(60):
        pair = draw.choice(ends)
        there = truth[pair]
        choice = draw.randrange(7)
        if choice < 2 or not there:
            added = draw.choices(ends, k=draw.randrange(1, 4))
            rows = [(each, [draw.choice([None, *range(4)]), step]) for each in added]
            graph.add_edges([{"source": u, "target": v, "id": key, "x": x} for (u, v), (key, x) in rows])
            for each, row in rows:
                truth[each].append(row)
        elif choice < 5:
            key = draw.choice(there)[0]
            graph.set_edges({"source": [pair[0]], "target": [pair[1]], "id": [key], "x": [-step]}, key="id")
            truth[pair] = [[each[0], -step] if each[0] == key else each for each in there]
        elif choice == 5:
            graph.remove_edges([pair], parallel="one")
            there.pop()
        else:
            graph.compact(*draw.choice([(), ("degree",), ("given",)]))
        table = graph.edges.to_arrow().to_pylist()
        for (u, v), rows in truth.items():
            named = [row for row in table if (row["source"], row["target"]) in ((u, v), (u, v) if directed else (v, u))]
            assert [[row["id"], row["x"]] for row in named] == rows


def _payments(path: Path | None) -> rz.Graph:
    columns = {"id": "int64", "note": "string"}
    graph = rz.open(path, directed=True, weights="float64", parallel_edges="keep", edges=columns)
    rows = {"source": [1, 1, 2], "target": [2, 2, 3], "weight": [1.0, 2.0, 3.0], "id": [7, 8, 9]}
    graph.add_edges({**rows, "note": ["a", "b", "c"]})
    return graph


def test_weights_are_set_by_key() -> None:
    with _payments(None) as graph:
        table = {"source": [1, 2], "target": [2, 3], "cost": [20.0, 30.0], "id": [8, 77], "note": ["x", "y"]}
        assert graph.set_weights(table, weight="cost", key="id") == 1
        kept = graph.edges.to_arrow()
        assert sorted(zip(*(kept[name].to_pylist() for name in ("id", "weight", "note")), strict=True)) == [
            (7, 1.0, "a"),
            (8, 20.0, "b"),
            (9, 3.0, "c"),
        ]
        with pytest.raises(NotInGraphError):
            graph.set_weights(table, weight="cost", key="id", missing="error")
        with pytest.raises(ColumnNotFoundError, match="no column 'id'"):
            graph.set_weights({"source": [1], "target": [2], "weight": [20.0]}, key="id")
        with pytest.raises(ColumnNotFoundError, match="no column 'other'"):
            graph.set_weights(table, weight="cost", key="other")
        with pytest.raises(RizomaError, match="no weights to set"):
            graph.set_weights({"source": [1], "target": [2], "id": [8]}, key="id")
        with graph.batch() as batch:
            batch.set_weights({"source": [1], "target": [2], "weight": [5.0], "id": [7]}, key="id")
        assert batch.counts.weights_set == 1


def test_the_command_removes_by_key(tmp_path: Path) -> None:
    _payments(tmp_path / "g.rz").close()
    (tmp_path / "voided.csv").write_text("source,target,id\n1,2,8\n2,3,77\n")

    def remove(key: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "rizoma", "remove", "g.rz", "voided.csv", "--key", key]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)

    assert "1 edge and 0 vertices removed; not there: 1 edge" in remove("id").stderr
    assert "no column 'other' to tell edges apart by" in remove("other").stderr
    with rz.open(tmp_path / "g.rz") as graph:
        assert sorted(graph.edges.to_arrow()["id"].to_pylist()) == [7, 9]
