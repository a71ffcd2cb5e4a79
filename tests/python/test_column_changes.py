"""Changes to graphs with columns: what they keep, count, name and refuse; parallel edges told apart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import rizoma as rz
from rizoma.errors import ColumnNotFoundError, NotInGraphError


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
    weighted.add_edges({"source": [1], "target": [2], "minutes": [3.0]})  # the third one is the weight
    assert weighted.weight(1, 2) == 3.0


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
    same = sum(row[:3] == last[:3] for row in truth)
    graph.remove_edges(as_table([last[:3]], 0.0), key="id", parallel="one")
    assert graph.num_edges == len(truth) - 1
    assert same >= 1
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
    assert 'not read: "note"' in said.stdout + said.stderr
    with rz.open(store) as graph:
        assert sorted(graph.edges.to_arrow()["amount"].to_pylist(), key=str) == [5.5, None]
    with rz.read(more, into=store, append=True) as graph:  # the same edges once more, with the same values
        assert sorted(graph.edges.to_arrow()["amount"].to_pylist(), key=str) == [5.5, None]
        assert any('not read: "note"' in line for line in graph.last_import.lines())
    with rz.read({"source": [1], "target": [2], "amount": [6.5]}, into=store, append=True) as graph:
        assert sorted(graph.edges.to_arrow()["amount"].to_pylist(), key=str) == [6.5, None]
    pq.write_table(pa.table({"source": [3], "target": [1], "since": [2020]}), tmp_path / "one.parquet")
    rizoma("add", store, tmp_path / "one.parquet")
    with rz.open(store) as graph:
        assert graph.edges.to_arrow()["since"].to_pylist().count(2020) == 1
