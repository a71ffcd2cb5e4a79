"""Rules for parallel edges: every way in gives what a plain grouping of the same rows gives."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import rizoma as rz

RULES = ["sum", "min", "max", "first", "last"]
TYPES = {"n": "int32", "x": "float64", "note": "string", "day": "date"}
ARROW = {"n": pa.int32(), "x": pa.float64(), "note": pa.string(), "day": pa.date32()}
Rows = list[dict[str, Any]]


def fits(rule: str, column: str) -> bool:
    return rule in ("first", "last") or (column in ("n", "x", "w", "weight")) or (column == "day" and rule != "sum")


def rows_of(seed: int, count: int = 300, columns: bool = True) -> Rows:
    """Few vertices, so that most pairs come again, some of them turned round; a third of the values is null."""
    rng = random.Random(seed)
    rows = []
    for i in range(count):
        row: dict[str, Any] = {"source": rng.randrange(12), "target": rng.randrange(12), "weight": rng.randrange(-9, 9)}
        if columns:
            values = {"n": rng.randrange(-99, 99), "x": rng.randrange(-40, 40) / 4, "note": f"n{i}"}
            values["day"] = date(2020, 1, 1) + timedelta(rng.randrange(999))
            row |= {name: None if rng.random() < 0.3 else value for name, value in values.items()}
        rows.append(row)
    return rows


def combined(rows: Rows, rules: dict[str, str], directed: bool) -> dict[tuple[int, int], dict[str, Any]]:
    groups: dict[tuple[int, int], Rows] = {}
    for row in rows:
        a, b = row["source"], row["target"]
        groups.setdefault((a, b) if directed else (min(a, b), max(a, b)), []).append(row)
    found = {}
    for pair, some in groups.items():
        edge = {}
        for column, rule in rules.items():
            values = [row[column] for row in some]
            there = [value for value in values if value is not None]
            ways: dict[str, Callable[[], Any]] = {
                "first": lambda v=values: v[0],
                "last": lambda v=values: v[-1],
                "sum": lambda t=there: sum(t) if t else None,
                "min": lambda t=there: min(t) if t else None,
                "max": lambda t=there: max(t) if t else None,
            }
            edge[column] = ways[rule]()
        found[pair] = edge
    return found


def edges_of(graph: rz.Graph, columns: list[str], directed: bool) -> dict[tuple[int, int], dict[str, Any]]:
    found = {}
    for row in graph.edges.to_arrow().to_pylist():
        a, b = row["source"], row["target"]
        pair = (a, b) if directed else (min(a, b), max(a, b))
        assert pair not in found
        found[pair] = {column: row[column] for column in columns}
    return found


def table_of(rows: Rows) -> pa.Table:
    names = list(rows[0])
    types = {"source": pa.int64(), "target": pa.int64(), "weight": pa.float64(), **ARROW}
    return pa.table({name: pa.array([row[name] for row in rows], types[name]) for name in names})


def halves(rows: Rows) -> list[Rows]:
    return [rows[: len(rows) // 2], rows[len(rows) // 2 :]]


def from_file(path: Path, rows: Rows, **how: Any) -> rz.Graph:
    pq.write_table(table_of(rows), path / "rows.parquet")
    return rz.read(path / "rows.parquet", **how)


def from_frame(path: Path, rows: Rows, **how: Any) -> rz.Graph:
    return rz.read(table_of(rows).to_pandas(types_mapper=pd.ArrowDtype), **how)


def from_files(path: Path, rows: Rows, **how: Any) -> rz.Graph:
    for i, some in enumerate(halves(rows)):
        pq.write_table(table_of(some), path / f"{i}.parquet")
    return rz.read(path / "0.parquet", path / "1.parquet", into=path / "g.rz", **how)


def added(path: Path, rows: Rows, **how: Any) -> rz.Graph:
    graph = rz.open(path / "g.rz", **how)
    for some in [*halves(rows[:-1]), rows[-1:]]:
        graph.add_edges(table_of(some))
    return graph


def in_a_batch(path: Path, rows: Rows, **how: Any) -> rz.Graph:
    graph = rz.open(path / "g.rz", **how)
    with graph.batch() as batch:
        for some in halves(rows):
            batch.add_edges(table_of(some))
    return graph


def appended(path: Path, rows: Rows, **how: Any) -> rz.Graph:
    graphs = []
    for i, some in enumerate(halves(rows)):
        pq.write_table(table_of(some), path / f"{i}.parquet")
        graphs.append(rz.read(path / f"{i}.parquet", into=path / "g.rz", append=True, **how))
        if i == 0:
            graphs.pop().close()
    return graphs.pop()


def by_command(path: Path, rows: Rows, **how: Any) -> rz.Graph:
    pq.write_table(table_of(rows), path / "rows.parquet")
    options = ["--directed"] if how["directed"] else []
    spec = how["parallel_edges"]
    for rule in [spec] if isinstance(spec, str) else [f"{column}={rule}" for column, rule in spec.items()]:
        options += ["--parallel-edges", rule]
    for column, kind in how.get("edges", {}).items():
        options += ["--edge-column", f"{column}:{kind}"]
    if "weights" in how:
        options += ["--weights", how["weights"]]
    run = [sys.executable, "-m", "rizoma", "import", path / "g.rz", path / "rows.parquet", *options]
    done = subprocess.run(run, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return rz.open(path / "g.rz")


WAYS = [from_file, from_frame, from_files, added, in_a_batch, appended, by_command]


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("way", WAYS)
def test_columns_are_combined_in_every_way_in(way: Any, rule: str, directed: bool, tmp_path: Path) -> None:
    rows = rows_of(3)
    rules = {name: rule if fits(rule, name) else "first" for name in ["weight", *TYPES]}
    graph = way(tmp_path, rows, directed=directed, weights="float64", edges=TYPES, parallel_edges=rules)
    with graph:
        assert edges_of(graph, list(rules), directed) == combined(rows, rules, directed)
        place = None if graph.info().location == ":memory:" else tmp_path / "g.rz"
    if place is not None:
        with rz.open(place, parallel_edges=rules) as again:
            assert edges_of(again, list(rules), directed) == combined(rows, rules, directed)
        assert not rz.check(place).findings


@pytest.mark.parametrize("weights", ["int32", "float32", "float64"])
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("way", WAYS)
def test_weights_alone_are_combined_in_every_way_in(
    way: Any, rule: str, directed: bool, weights: str, tmp_path: Path
) -> None:
    rows = rows_of(4, columns=False)
    with way(tmp_path, rows, directed=directed, weights=weights, parallel_edges=rule) as graph:
        expected = combined(rows, {"weight": rule}, directed)
        assert edges_of(graph, ["weight"], directed) == expected
        assert graph.info().parallel_edges == ("merge" if rule == "last" else rule)


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("rule", RULES)
def test_loads_beyond_the_memory_limit_combine_as_others(
    rule: str, directed: bool, threads: int, tmp_path: Path
) -> None:
    rng = np.random.default_rng(5)
    count = 400_000
    frame = pd.DataFrame({name: rng.integers(0, 700, count) for name in ("source", "target")})
    frame["weight"] = rng.integers(-50, 50, count).astype(float)
    frame["n"] = rng.integers(-50, 50, count)
    frame.to_parquet(tmp_path / "rows.parquet")
    how: dict[str, Any] = {"directed": directed, "memory_limit": "13MiB", "threads": threads, "parallel_edges": rule}
    if not directed:
        low = frame[["source", "target"]].min(axis=1)
        frame["target"], frame["source"] = frame[["source", "target"]].max(axis=1), low
    expected = frame.groupby(["source", "target"])[["weight", "n"]].agg(rule).reset_index()
    for columns in ({}, {"edges": {"n": "int64"}}):
        with rz.read(tmp_path / "rows.parquet", into=tmp_path / f"{len(columns)}.rz", **how, **columns) as graph:
            found = graph.edges.to_arrow().to_pandas()
            low, high = found[["source", "target"]].min(axis=1), found[["source", "target"]].max(axis=1)
            if not directed:
                found["source"], found["target"] = low, high
            found = found.sort_values(["source", "target"]).reset_index(drop=True)
            names = ["source", "target", "weight", *columns.get("edges", {})]
            pd.testing.assert_frame_equal(found[names], expected[names], check_dtype=False)
            assert graph.last_import is not None
            assert graph.last_import.merged == count - len(expected)


def test_a_rule_for_all_columns_holds_for_later_ones(tmp_path: Path) -> None:
    with rz.open(tmp_path / "g.rz", directed=True, edges={"n": "int64"}, parallel_edges="max") as graph:
        graph.add_column("later", "float32")
        graph.add_edges({"source": [1, 1], "target": [2, 2], "n": [5, 3], "later": [1.0, 2.0]})
        assert graph.edges.to_arrow().to_pylist() == [{"source": 1, "target": 2, "n": 5, "later": 2.0}]
        assert "parallel edges: max" in str(graph.info())
        graph.copy_to(tmp_path / "copy.rz")
    with rz.open(tmp_path / "copy.rz") as copy:
        assert copy.info().parallel_edges == "max"


def test_edges_without_a_column_leave_a_sum_as_it_is() -> None:
    with rz.open(None, directed=True, edges={"n": "int64"}, parallel_edges="sum") as graph:
        graph.add_edges([(1, 2)])
        graph.add_edges({"source": [1], "target": [2], "n": [5]})
        graph.add_edges([(1, 2)])
        graph.remove_edges([(3, 4)])
        assert graph.edges.to_arrow().to_pylist() == [{"source": 1, "target": 2, "n": 5}]
        graph.set((1, 2), n=7)
        graph.add_edges({"source": [1], "target": [2], "n": [5]})
        assert graph.edges.to_arrow().to_pylist() == [{"source": 1, "target": 2, "n": 12}]
        graph.remove_edges([(1, 2)])
        graph.add_edges({"source": [1], "target": [2], "n": [5]})
        assert graph.edges.to_arrow().to_pylist() == [{"source": 1, "target": 2, "n": 5}]


def test_the_report_says_what_became_of_rows(tmp_path: Path) -> None:
    table = {"source": [1, 1, 2], "target": [2, 2, 3], "amount": [1, 2, 3]}
    columns = {"amount": "int64"}
    graph = rz.read(table, directed=True, edges=columns, parallel_edges={"amount": "sum"})
    assert "1 of 3 rows made no new edge" in str(graph.last_import)
    assert "sum of amount" in str(graph.last_import)
    assert "amount sum, others last" in str(graph.info())


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("sum", '\'note\' taking "first" or "last"'),
        ({"note": "min"}, '\'note\' taking "first" or "last"'),
        ({"nothing": "sum"}, "they have n, note"),
        ({"n": "mean"}, "'mean' is not known"),
        ("add", "'add' is not known"),
        (["sum"], "is not known"),
    ],
)
def test_what_cannot_be_is_refused(spec: Any, says: str) -> None:
    with pytest.raises(rz.InvalidArgumentError, match=says.replace("(", "\\(")):
        rz.open(None, edges={"n": "int64", "note": "string"}, parallel_edges=spec)


def test_rules_need_something_to_combine() -> None:
    with pytest.raises(rz.InvalidArgumentError, match="the edges have none"):
        rz.open(None, parallel_edges="sum")


def test_a_graph_keeps_its_rule(tmp_path: Path) -> None:
    rz.open(tmp_path / "g.rz", edges={"n": "int64"}, parallel_edges={"n": "sum"}).close()
    for spec in ({"n": "sum"}, "sum", None):
        rz.open(tmp_path / "g.rz", parallel_edges=spec).close()
    for other in ("keep", "merge", {"n": "max"}, {"x": "sum"}):
        with pytest.raises(rz.InvalidArgumentError, match="parallel_edges"):
            rz.open(tmp_path / "g.rz", parallel_edges=other)


def test_a_sum_that_does_not_fit_leaves_nothing_behind(tmp_path: Path) -> None:
    table = {"source": ["a", "a"], "target": ["b", "b"], "n": [2**31 - 1, 1]}
    how: dict[str, Any] = {"directed": True, "edges": {"n": "int32"}, "parallel_edges": "sum"}
    with pytest.raises(rz.InvalidArgumentError, match=r"'n'.*int32"):
        rz.read(table, into=tmp_path / "g.rz", **how)
    assert not (tmp_path / "g.rz").exists()
    with rz.open(tmp_path / "h.rz", **how) as graph:
        with pytest.raises(rz.InvalidArgumentError, match="'a' -> 'b'"):
            graph.add_edges(table)
        assert len(graph) == 0
