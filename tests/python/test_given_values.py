"""Values that a call does not give stay; a null that it gives clears: in one call, a batch, files and graphs alike."""

from __future__ import annotations

import json
import random
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import networkx as nx
import pyarrow as pa
import pytest
import rizoma as rz
from rizoma.graph.bulk import BULK_ROWS

IDS = ["a", "b", "c", "d"]
KINDS = {"x": "int64", "name": "string", "share": "float64"}

Row = dict[str, Any]
Rows = list[tuple[str, Row]]  # an id, and what is said of it


def _value(draw: random.Random, column: str) -> Any:
    number = draw.randrange(50)
    return {"x": number, "name": f"n{number}", "share": number / 4}[column]


def _row(draw: random.Random, columns: Sequence[str], nulls: bool) -> Row:
    """A row that gives some of the columns."""
    given = [column for column in columns if draw.random() < 0.6]
    return {column: None if nulls and draw.random() < 0.3 else _value(draw, column) for column in given}


def _put(model: dict[Any, Row], rows: Rows) -> None:
    for key, row in rows:
        model.setdefault(key, dict.fromkeys(KINDS)).update(row)


def _vertices(graph: rz.Graph) -> dict[Any, Row]:
    table = graph.vertices.to_arrow().select(["vertex", *KINDS])
    return {row.pop("vertex"): row for row in table.to_pylist()}


def _table(draw: random.Random, into: Callable[[Any], None]) -> Rows:
    """A table: each of its rows gives all of its columns."""
    columns = draw.sample(list(KINDS), draw.randrange(len(KINDS) + 1))
    ids = [draw.choice(IDS) for _ in range(draw.randrange(4))]
    rows = [(each, {c: None if draw.random() < 0.3 else _value(draw, c) for c in columns}) for each in ids]
    into({"vertex": ids} | {column: [row[column] for _, row in rows] for column in columns} if columns else ids)
    return rows


def _networkx(draw: random.Random, into: Callable[[Any], None]) -> Rows:
    """A graph of NetworkX: each node has attributes of its own."""
    graph = nx.Graph()
    rows = [(key, _row(draw, list(KINDS), nulls=True)) for key in draw.sample(IDS, draw.randrange(1, 4))]
    for key, row in rows:
        graph.add_node(key, **row)
    into(graph)
    return rows


def _change(draw: random.Random, graph: rz.Graph, target: rz.Graph | rz.Batch, model: dict[Any, Row]) -> None:
    """One call that gives values."""
    match draw.randrange(4):
        case 0:
            _put(model, _table(draw, target.add_vertices))
        case 1:
            there = {key: row for key, row in model.items() if row is not None}
            rows = _table(draw, lambda data: target.set_vertices(data) if isinstance(data, dict) else None)
            _put(model, [(key, row) for key, row in rows if key in there])
        case 2:
            _put(model, _networkx(draw, target.add_edges))
        case _:
            key = draw.choice(IDS)
            row = _row(draw, list(KINDS), nulls=True)
            if row and key in model:
                target.set(key, **row)
                _put(model, [(key, row)])


@pytest.mark.parametrize("seed", range(40))
def test_calls_alone_and_in_batches_give_one_state(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    path = tmp_path / "g.rz"
    model: dict[Any, Row] = {}
    graph = rz.open(path, ids="string", vertices=KINDS)
    for _ in range(6):
        if draw.random() < 0.6:
            with graph.batch() as batch:
                for _ in range(draw.randrange(1, 5)):
                    _change(draw, graph, batch, model)
        else:
            _change(draw, graph, graph, model)
        if draw.random() < 0.3:
            graph.compact()
        if draw.random() < 0.3:
            graph.close()
            graph = rz.open(path)
        assert _vertices(graph) == model


def _gml(path: Path, rows: Rows) -> None:
    nodes = "".join(
        f'node [ id {i} label "{key}" {" ".join(f"{n} {json.dumps(v)}" for n, v in row.items())} ]\n'
        for i, (key, row) in enumerate(rows)
    )
    path.write_text(f"graph [\n{nodes}]\n")


def _json(path: Path, rows: Rows) -> None:
    path.write_text(json.dumps({"nodes": [{"id": key} | row for key, row in rows], "links": []}))


def _of_networkx(write: Callable[[nx.Graph, Path], None]) -> Callable[[Path, Rows], None]:
    def written(path: Path, rows: Rows) -> None:
        graph = nx.Graph()
        for key, row in rows:
            graph.add_node(key, **row)
        write(graph, path)

    return written


WRITERS = {
    "gml": _gml,
    "json": _json,
    "graphml": _of_networkx(nx.write_graphml),
    "gexf": _of_networkx(nx.write_gexf),
}


@pytest.mark.parametrize("form", WRITERS)
@pytest.mark.parametrize("whole", [True, False])
def test_a_record_without_a_value_keeps_what_is_there(form: str, whole: bool, tmp_path: Path) -> None:
    """Files read together, and each appended to the graph of the others."""
    draw = random.Random(5)
    for trial in range(6):
        model: dict[Any, Row] = {}
        files = []
        for number in range(3):
            keys = IDS if number == 0 else draw.sample(IDS, 3)
            rows = [(key, _row(draw, list(KINDS), nulls=form == "json")) for key in keys]
            # Each column is somewhere in the file, as naming it asks for.
            rows[0] = (rows[0][0], {column: _value(draw, column) for column in KINDS})
            files.append(tmp_path / f"{trial}-{number}.{form}")
            WRITERS[form](files[-1], rows)
            _put(model, rows)
        into = tmp_path / f"{trial}.rz"
        if whole:
            graph = rz.read(*files, into=into, ids="string", vertices=KINDS)
        else:
            for file in files:
                rz.read(file, into=into, ids="string", vertices=KINDS, append=True).close()
            graph = rz.open(into)
        assert _vertices(graph) == model


def test_a_batch_keeps_values_that_none_of_its_calls_gives() -> None:
    graph = rz.open(None, ids="string", vertices={"a": "int64", "b": "int64"})
    graph.add_vertices({"vertex": ["x", "y"], "a": [1, 2], "b": [3, None]})
    with graph.batch() as batch:
        batch.add_vertices(["x"])
        batch.add_vertices({"vertex": ["y"], "a": [5]})
        batch.add_vertices({"vertex": ["x"], "b": [6]})
        batch.add_vertices({"vertex": ["x", "x"], "b": [7, None]})
    assert graph.vertex("x") == {"a": 1, "b": None}
    assert graph.vertex("y") == {"a": 5, "b": None}


@pytest.mark.parametrize("parallel", ["merge", "keep"])
def test_edges_keep_what_a_row_does_not_set(parallel: str) -> None:
    columns = {"a": "int64", "b": "int64"}
    graph = rz.open(None, directed=True, parallel_edges=parallel, edges=columns)
    graph.add_edges({"source": [1, 1], "target": [2, 3], "a": [1, 2], "b": [3, 4]})
    graph.set_edges([{"source": 1, "target": 2, "a": 5, "b": 6}, {"source": 1, "target": 3, "b": 7}])
    graph.set_edges([(1, 3, {"a": 8, "b": 9}), (1, 2, {"a": None}), (1, 3, {"b": 10})])
    assert graph.edges.to_arrow().to_pylist() == [
        {"source": 1, "target": 2, "a": None, "b": 6},
        {"source": 1, "target": 3, "a": 8, "b": 10},
    ]


def test_added_edges_are_the_same_in_one_call_and_in_several() -> None:
    rows = [{"a": 1, "b": 2}, {"b": 3}, {"a": None, "b": 4}, {"b": 5}, {"a": 6}]
    states = []
    for way in range(4):
        graph = rz.open(None, directed=True, edges={"a": "int64", "b": "int64"})
        data = [({"source": 1, "target": i % 2} | row) for i, row in enumerate(rows)]
        if way == 0:
            graph.add_edges(data[:4])
            graph.add_edges(data[4:])
        elif way == 1:
            for row in data:
                graph.add_edges([row])
        elif way == 2:
            with graph.batch() as batch:
                for row in data:
                    batch.add_edges([row])
        else:
            graph.add_edges(_with_many(data))
        table = graph.edges.to_arrow().to_pylist()
        states.append(sorted((row for row in table if row["source"] == 1), key=str))
    assert states == [states[0]] * len(states)


def _with_many(data: list[Row]) -> list[Row]:
    """Behind as many others as make a bulk load."""
    return [{"source": 2, "target": 3 + i % 9, "a": i, "b": i} for i in range(BULK_ROWS)] + data


EDGE_KINDS = {"x": "int64", "name": "string", "share": "float64"}
RULES = ("merge", {"x": "sum"}, {"x": "min", "name": "first"}, {"share": "max", "x": "first"})
Pair = tuple[str, str]


def _put_edge(model: dict[Pair, Row], pair: Pair, row: Row, rules: dict[str, str]) -> None:
    """One more row of an edge: of a column that it does not give only the row that makes the edge has a null."""
    is_new = pair not in model
    state = model.setdefault(pair, dict.fromkeys(EDGE_KINDS))
    for column, value in row.items():
        before, rule = state[column], rules.get(column, "last")
        if rule == "first" and not is_new:
            continue
        if rule in ("sum", "min", "max") and (before is None or value is None):
            value = before if value is None else value
        elif rule in ("sum", "min", "max"):
            value = {"sum": lambda a, b: a + b, "min": min, "max": max}[rule](before, value)
        state[column] = value


def _edges_of(draw: random.Random, whole_columns: bool) -> list[tuple[Pair, Row]]:
    columns = draw.sample(list(EDGE_KINDS), draw.randrange(len(EDGE_KINDS) + 1))
    rows = []
    for _ in range(draw.randrange(1, 6)):
        some = rows and not whole_columns  # the first row names the columns
        given = [column for column in columns if draw.random() < 0.6] if some else columns
        row = {column: None if draw.random() < 0.2 else _value(draw, column) for column in given}
        rows.append(((draw.choice(IDS), draw.choice(IDS)), row))
    return rows


def _as_frame(rows: list[tuple[Pair, Row]], _: Path) -> Any:
    columns = list(rows[0][1])
    ends = {"source": [u for (u, _), _ in rows], "target": [v for (_, v), _ in rows]}
    return pa.table(ends | {c: pa.array([row[c] for _, row in rows], fitting(c)) for c in columns})


def fitting(column: str) -> pa.DataType:
    return {"x": pa.int64(), "name": pa.string(), "share": pa.float64()}[column]


def _as_rows(rows: list[tuple[Pair, Row]], _: Path) -> Any:
    return [(u, v, row) for (u, v), row in rows]


def _as_networkx(rows: list[tuple[Pair, Row]], _: Path) -> Any:
    graph = nx.MultiDiGraph()
    for (u, v), row in rows:
        graph.add_edge(u, v, **row)
    return graph


def _as_json_lines(rows: list[tuple[Pair, Row]], place: Path) -> Path:
    path = place / f"{len(list(place.iterdir()))}.ndjson"
    path.write_text("".join(json.dumps({"source": u, "target": v} | row) + "\n" for (u, v), row in rows))
    return path


def _as_json(rows: list[tuple[Pair, Row]], place: Path) -> Path:
    path = place / f"{len(list(place.iterdir()))}.json"
    nodes = [{"id": key} for key in IDS]
    edges = [{"source": u, "target": v} | row for (u, v), row in rows]
    path.write_text(json.dumps({"directed": True, "nodes": nodes, "edges": edges}))
    return path


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("seed", range(12))
def test_added_edges_keep_what_a_row_does_not_give(rules: Any, seed: int, tmp_path: Path) -> None:
    """Frames, rows and graphs by calls and batches; files appended; in between checkpoints and reopening."""
    draw = random.Random(seed)
    path, files = tmp_path / "g.rz", tmp_path / "files"
    files.mkdir()
    rule_of = rules if isinstance(rules, dict) else {}
    model: dict[Pair, Row] = {}
    graph = rz.open(path, directed=True, ids="string", edges=EDGE_KINDS, parallel_edges=rules)
    graph.add_vertices(IDS)
    for _ in range(8):
        way = draw.choice((_as_frame, _as_rows, _as_networkx, _as_json_lines, _as_json))
        rows = _edges_of(draw, whole_columns=way in (_as_frame, _as_json_lines))
        data = way(rows, files)
        if way is _as_networkx:  # which lists edges by their source
            rows = [((u, v), row) for u, v, row in data.edges(data=True)]
        for pair, row in rows:
            _put_edge(model, pair, row, rule_of)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what keys that all rows lack make of it is another question
            if isinstance(data, Path):
                graph.close()
                rz.read(data, into=path, append=True).close()
                graph = rz.open(path)
            elif draw.random() < 0.5:
                with graph.batch() as batch:
                    batch.add_edges(data)
            else:
                graph.add_edges(data)
        if draw.random() < 0.3:
            graph.compact()
        if draw.random() < 0.3:
            graph.close()
            graph = rz.open(path)
        there = {(row.pop("source"), row.pop("target")): row for row in graph.edges.to_arrow().to_pylist()}
        assert there == model


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_a_bulk_load_and_a_change_make_the_same_of_what_rows_do_not_give(rules: Any) -> None:
    rows: list[Row] = [{"x": 1}, {"name": "b"}, {}, {"x": 3, "share": 0.5}, {"share": None}, {"name": None, "x": 2}]
    data = [{"source": "a", "target": f"v{i % 2}"} | row for i, row in enumerate(rows * 3)]
    first = {"source": "z", "target": "y", "x": 1, "name": "n", "share": 0.1}
    others = [{"source": f"u{i}", "target": "w"} | {"x": i, "name": "n", "share": 0.1} for i in range(BULK_ROWS)]
    states = []
    for load in ([first, *others, *data], [first, *data]):
        graph = rz.open(None, directed=True, ids="string", edges=EDGE_KINDS, parallel_edges=rules)
        graph.add_edges(load)
        states.append([row for row in graph.edges.to_arrow().to_pylist() if row["source"] == "a"])
    assert sorted(states[0], key=str) == sorted(states[1], key=str)
    one_by_one: dict[Pair, Row] = {}
    for row in data:
        values = {name: value for name, value in row.items() if name not in ("source", "target")}
        _put_edge(one_by_one, (row["source"], row["target"]), values, rules if isinstance(rules, dict) else {})
    assert {(row.pop("source"), row.pop("target")): row for row in states[0]} == one_by_one


@pytest.mark.parametrize("columns", [None, {"note": "string"}])
@pytest.mark.parametrize("weights", ["float64", "float32", "int32"])
@pytest.mark.parametrize("directed", [True, False])
def test_an_edge_keeps_the_weight_that_a_call_does_not_give(columns: Any, weights: str, directed: bool) -> None:
    graph = rz.open(None, directed, weights, edges=columns)
    graph.add_edges([(1, 2, 5), (2, 3, 6)])
    with pytest.warns(rz.errors.ReadWarning, match="keep their weight"):
        graph.add_edges([(1, 2), (1, 4), (1, 4)])
    assert [graph.weight(u, v) for u, v in ((1, 2), (2, 3), (1, 4))] == [5, 6, 1]
    with warnings.catch_warnings(), graph.batch() as batch:
        warnings.simplefilter("ignore")
        for data in ([(2, 3)], [(2, 3, 9)], [(2, 3), (7, 8)], [(7, 8, 3)], [(7, 8)]):
            batch.add_edges(data)
    assert [graph.weight(u, v) for u, v in ((2, 3), (7, 8))] == [9, 3]


@pytest.mark.parametrize("rule", ["sum", "first", "max", "keep"])
def test_a_row_without_a_weight_counts_1_where_weights_are_combined(rule: str) -> None:
    graph = rz.open(None, True, "float64", parallel_edges=rule)
    graph.add_edges([(1, 2, 0.5)])
    with pytest.warns(rz.errors.ReadWarning, match="each weighs 1;"):
        graph.add_edges([(1, 2)])
    weights = graph.edges.to_arrow()["weight"].to_pylist()
    assert weights == {"sum": [1.5], "first": [0.5], "max": [1.0], "keep": [0.5, 1.0]}[rule]
