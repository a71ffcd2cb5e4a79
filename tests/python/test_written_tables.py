"""Tables that are added or set, with names, numbers and dates as people write them; values of one of parallel edges."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import rizoma as rz

WRITTEN = {"rename": {"Betrag": "amount", "Tag": "day"}, "thousands": ".", "decimal": ",", "date_format": "%d.%m.%Y"}
ROW = {"amount": 2720.01, "day": datetime.date(2025, 2, 1)}
MAKERS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "dict": dict,
    "pandas": pd.DataFrame,
    "categories": lambda columns: pd.DataFrame(columns).astype({"Betrag": "category"}),
    "polars": pl.DataFrame,
    "lazy polars": pl.LazyFrame,
    "arrow": pa.table,
    "rows": lambda columns: [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)],
}
VALUES = {"Betrag": ["2.720,01"], "Tag": ["01.02.2025"]}
EDGE = {"source": ["a"], "target": ["b"]} | VALUES
VERTEX = {"vertex": ["a"]} | VALUES
COLUMNS = {"amount": "float64", "day": "date"}


@pytest.mark.parametrize("batched", [False, True])
@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_edges_are_read_as_they_are_written(make: Callable[[Any], Any], batched: bool) -> None:
    graph = rz.open(None, directed=True, ids="string", edges=COLUMNS)
    if batched:
        with graph.batch() as batch:
            batch.add_edges(make(EDGE), **WRITTEN)
    else:
        graph.add_edges(make(EDGE), **WRITTEN)
    assert graph.edges.to_arrow().to_pylist() == [{"source": "a", "target": "b"} | ROW]
    graph.set(("a", "b"), amount=1.0, day=None)
    assert graph.set_edges(make(EDGE), **WRITTEN) == 1
    assert graph.edges.to_arrow().to_pylist() == [{"source": "a", "target": "b"} | ROW]


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_vertices_are_read_as_they_are_written(make: Callable[[Any], Any]) -> None:
    if make is MAKERS["rows"]:
        return  # a table of vertices has columns
    graph = rz.open(None, ids="string", vertices=COLUMNS)
    graph.add_vertices(make(VERTEX), **WRITTEN)
    assert graph.vertex("a") == ROW
    graph.set("a", amount=1.0, day=None)
    assert graph.set_vertices(make(VERTEX), **WRITTEN) == 1
    assert graph.vertex("a") == ROW


def test_weights_are_read_as_they_are_written() -> None:
    graph = rz.open(None, True, "float64", ids="string")
    graph.add_edges({"source": ["a"], "target": ["b"], "weight": ["1.500,5"]}, thousands=".", decimal=",")
    assert graph.weight("a", "b") == 1500.5


def test_what_has_no_columns_has_no_options_of_columns() -> None:
    graph = rz.open(None, ids="string")
    with pytest.raises(rz.InvalidArgumentError, match="list has no columns"):
        graph.add_edges([("a", "b")], rename={"x": "y"})
    with pytest.raises(rz.ColumnNotFoundError, match="no column 'x' to rename"):
        graph.add_edges({"source": ["a"], "target": ["b"]}, rename={"x": "y"})
    for option in ("comment", "encoding"):
        with pytest.raises(TypeError, match=option):
            graph.add_edges({"source": ["a"], "target": ["b"]}, **{option: "#"})
    assert len(graph) == 0


def test_one_of_parallel_edges_is_set_by_its_key() -> None:
    columns = {"id": "int64", "amount": "float64"}
    graph = rz.open(None, True, "float64", parallel_edges="keep", edges=columns)
    rows = {"source": [1, 1], "target": [2, 2], "id": [7, 8], "amount": [1.0, 2.0], "weight": [1.0, 1.0]}
    graph.add_edges(rows)
    graph.set((1, 2), key="id", id=8, amount=9.5, weight=4.0)
    found = {row["id"]: (row["amount"], row["weight"]) for row in graph.edges.to_arrow().to_pylist()}
    assert found == {7: (1.0, 1.0), 8: (9.5, 4.0)}
    for values in ({"key": "id", "amount": 3}, {"key": "id", "id": 8}):
        with pytest.raises(rz.InvalidArgumentError, match="give its value and those to set"):
            graph.set((1, 2), **values)
    with pytest.raises(rz.NotInGraphError):
        graph.set((1, 2), key="id", id=99, amount=1.0)
    named = rz.open(None, True, edges={"key": "string"})
    named.add_edges([(1, 2)])
    named.set((1, 2), key="k")
    assert named.edges.to_arrow()["key"].to_pylist() == ["k"]


def test_columns_of_vertices_are_not_dropped_without_a_word() -> None:
    with pytest.warns(rz.errors.ReadWarning, match="'age' of the vertices is dropped"):
        rz.open(None).add_vertices(pd.DataFrame({"vertex": [1], "age": [3]}))


def test_the_index_of_rows_that_pandas_picked_is_no_column_of_vertices() -> None:
    picked = pd.DataFrame({"vertex": [1, 2, 3], "age": [3, 70, 80]}).query("age > 50")
    g = rz.open(None, vertices={"age": "int32"})
    g.add_vertices(picked)
    g.set_vertices(picked)
    assert g.vertices.to_arrow()["age"].to_pylist() == [70, 80]
    g.add_vertices(pd.DataFrame({"index": [7]}))
    assert 7 in g


def test_a_database_is_free_again_after_a_refusal() -> None:
    duckdb = pytest.importorskip("duckdb")
    base = duckdb.connect()
    with pytest.raises(rz.InvalidArgumentError, match="null") as kept:
        rz.read(base.sql("select null::bigint as source, 2 as target"))
    assert base.sql("select 1").fetchall() == [(1,)]
    assert kept.value is not None


def test_weights_that_are_no_numbers_are_said_to_be_that():
    graph = rz.open(None, weights="float64")
    table = {"source": ["ann"], "target": ["bob"], "weight": ["1.234,5"]}
    with (
        pytest.warns(rz.core.errors.ReadWarning),
        pytest.raises(rz.ColumnNotFoundError, match=r"not all numbers.*thousands="),
    ):
        graph.add_edges(table)
    graph.add_edges(table, thousands=".", decimal=",")
    assert graph.edges.to_arrow()["weight"].to_pylist() == [1234.5]
