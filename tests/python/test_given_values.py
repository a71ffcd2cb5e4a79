"""Values that a call does not give stay; a null that it gives clears: in one call, a batch, files and graphs alike."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
import rizoma as rz

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
    """set_edges; add_edges says all of an edge: what it lacks is null, one call or several."""
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
    from rizoma.graph.bulk import BULK_ROWS

    return [{"source": 2, "target": 3 + i % 9, "a": i, "b": i} for i in range(BULK_ROWS)] + data
