"""Values that a call does not give stay; a null that it gives clears: in one call, a batch, files and graphs alike."""

from __future__ import annotations

import json
import random
import re
import shutil
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import networkx as nx
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import rizoma as rz
from rizoma.cli.commands import app
from rizoma.graph.bulk import BULK_ROWS
from typer.testing import CliRunner

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
    twice = [(1, 3, {"a": 8, "b": 9}), (1, 2, {"a": None}), (1, 3, {"b": 10})]
    if parallel == "keep":  # each row would be of all edges of its pair
        with pytest.raises(rz.InvalidArgumentError, match=r"several rows name the pair \(1, 3\).* key="):
            graph.set_edges(twice)
        for row in twice:
            graph.set_edges([row])
    else:
        graph.set_edges(twice)
    assert graph.edges.to_arrow().to_pylist() == [
        {"source": 1, "target": 2, "a": None, "b": 6},
        {"source": 1, "target": 3, "a": 8, "b": 10},
    ]


@pytest.mark.parametrize("ids", [(1, 3, 5), ("a", "c", "é")])
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("setting", ["values", "weights"])
def test_a_pair_is_named_once_in_all_batches_of_a_call(ids: tuple, directed: bool, setting: str) -> None:
    given = {"edges": {"a": "int64"}} if setting == "values" else {"weights": True}
    graph = rz.open(None, directed=directed, parallel_edges="keep", **given)
    name = "a" if setting == "values" else "weight"
    u, v, w = ids
    graph.add_edges({"source": [u, v, u, v], "target": [v, u, v, w], name: [1, 2, 3, 4]})

    def change(*batches: tuple[list, list]) -> int:
        rows = [pa.record_batch({"source": s, "target": t, name: [7] * len(s)}) for s, t in batches]
        return graph.set_edges(pa.RecordBatchReader.from_batches(rows[0].schema, rows))

    before = graph.edges.to_arrow()
    said = re.escape(f"several rows name the pair {(u, v)}")
    for twice in [(([u, u], [v, v]),), (([u], [v]), ([v, u], [w, v]))]:
        with pytest.raises(rz.InvalidArgumentError, match=said):
            change(*twice)
    for turned in [(([v, u], [u, v]),), (([u], [v]), ([v], [u]))]:
        if directed:
            assert change(*turned) == 3
        else:
            with pytest.raises(rz.InvalidArgumentError, match=said):
                change(*turned)
            assert graph.edges.to_arrow() == before
    assert change(([u], [v]), ([v], [w])) == (3 if directed else 4)


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


Weighted = list[tuple[str, str, float | None]]  # None: the edge has no weight
PARTLY: Weighted = [("a", "b", 7.0), ("b", "c", None), ("c", "d", None), ("d", "a", 2.5), ("d", "a", None)]
NAMES = ("a", "b", "c", "d")


def _multigraph(rows: Weighted) -> nx.MultiDiGraph:
    graph = nx.MultiDiGraph()
    graph.add_nodes_from(NAMES)
    for u, v, weight in rows:
        graph.add_edge(u, v, **({} if weight is None else {"weight": weight}))
    return graph


def _weighted_gml(rows: Weighted, path: Path) -> None:
    nodes = "".join(f'node [ id {i} label "{name}" ]\n' for i, name in enumerate(NAMES))
    said = "".join(
        f"edge [ source {NAMES.index(u)} target {NAMES.index(v)} {'' if w is None else f'weight {w}'} ]\n"
        for u, v, w in rows
    )
    path.write_text(f"graph [ directed 1\n{nodes}{said}]\n")


def _weighted_json(rows: Weighted, path: Path) -> None:
    links = [{"source": u, "target": v} | ({} if w is None else {"weight": w}) for u, v, w in rows]
    path.write_text(json.dumps({"directed": True, "nodes": [{"id": name} for name in NAMES], "links": links}))


def _weighted_graphml(rows: Weighted, path: Path) -> None:
    nodes = "".join(f'<node id="{name}"/>' for name in NAMES)
    said = ["" if w is None else f'<data key="w">{w}</data>' for _, _, w in rows]
    edges = "".join(f'<edge source="{u}" target="{v}">{w}</edge>' for (u, v, _), w in zip(rows, said, strict=True))
    key = '<key id="w" for="edge" attr.name="weight" attr.type="double"/>'
    path.write_text(f'<graphml>{key}<graph edgedefault="directed">{nodes}{edges}</graph></graphml>')


def _weighted_gexf(rows: Weighted, path: Path) -> None:
    nodes = "".join(f'<node id="{name}"/>' for name in NAMES)
    said = ["" if w is None else f'weight="{w}"' for _, _, w in rows]
    edges = "".join(f'<edge source="{u}" target="{v}" {w}/>' for (u, v, _), w in zip(rows, said, strict=True))
    path.write_text(
        f'<gexf><graph defaultedgetype="directed"><nodes>{nodes}</nodes><edges>{edges}</edges></graph></gexf>'
    )


def _weighted_net(rows: Weighted, path: Path) -> None:
    vertices = "".join(f'{i} "{name}"\n' for i, name in enumerate(NAMES, 1))
    arcs = "".join(f"{NAMES.index(u) + 1} {NAMES.index(v) + 1} {'' if w is None else w}\n" for u, v, w in rows)
    path.write_text(f"*Vertices {len(NAMES)}\n{vertices}*Arcs\n{arcs}")


DOCUMENTS: dict[str, Callable[[Weighted, Path], None]] = {
    "gml": _weighted_gml,
    "json": _weighted_json,
    "graphml": _weighted_graphml,
    "gexf": _weighted_gexf,
    "net": _weighted_net,
}


def _weighted_igraph(rows: Weighted) -> Any:
    igraph = pytest.importorskip("igraph")
    ends = [(NAMES.index(u), NAMES.index(v)) for u, v, _ in rows]
    graph = igraph.Graph(n=len(NAMES), edges=ends, directed=True)
    graph.vs["name"] = list(NAMES)
    graph.es["weight"] = [w for _, _, w in rows]
    return graph


GRAPH_OBJECTS = {"networkx": _multigraph, "igraph": _weighted_igraph}


def _weights_of(graph: Any) -> dict[Pair, float]:
    return {(row["source"], row["target"]): row["weight"] for row in graph.edges.to_arrow().to_pylist()}


def _stored(into: Path | None, kind: str, columns: Any) -> Any:
    graph = rz.open(into, True, kind, ids="string", edges=columns)
    graph.add_edges([("a", "b", 5), ("b", "c", 6)])
    return graph


AFTERWARDS = {("a", "b"): 7, ("b", "c"): 6, ("c", "d"): 1, ("d", "a"): 2.5}
"""The weights that are not given: that of the graph, 1 of a new edge, and that of another row."""


@pytest.mark.parametrize("columns", [None, {"note": "string"}])
@pytest.mark.parametrize("kind", ["float64", "float32"])
@pytest.mark.parametrize("source", [*DOCUMENTS, *GRAPH_OBJECTS])
@pytest.mark.parametrize("way", ["read", "append", "add_edges", "batch", "command", "import"])
def test_edges_that_lack_a_weight_in_part_keep_it(
    way: str, source: str, kind: str, columns: Any, tmp_path: Path
) -> None:
    if source in DOCUMENTS:
        data: Any = tmp_path / f"edges.{source}"
        DOCUMENTS[source](PARTLY, data)
        if way in ("add_edges", "batch"):
            return
    else:
        data = GRAPH_OBJECTS[source](PARTLY)
        if way in ("command", "import"):
            return
    place = tmp_path / "g.rz"
    says = "2 of 5|3 of 5"
    if way == "read":
        with pytest.warns(rz.errors.ReadWarning, match=says):
            graph = rz.read(data, directed=True, weights=kind, parallel_edges="merge")
        assert "have no" in str(graph.last_import)
        assert _weights_of(graph) == AFTERWARDS | {("b", "c"): 1}
        return
    if way in ("add_edges", "batch"):
        graph = _stored(None, kind, columns)
        with pytest.warns(rz.errors.ReadWarning, match=says), graph.batch() as batch:
            (graph if way == "add_edges" else batch).add_edges(data)
        assert _weights_of(graph) == AFTERWARDS
        return
    _stored(place, kind, columns).close()
    if way == "append":
        with pytest.warns(rz.errors.ReadWarning, match=says):
            rz.read(data, into=place, append=True).close()
    else:
        words = ["add"] if way == "command" else ["import", "--append"]
        done = CliRunner().invoke(app, [words[0], str(place), str(data), *words[1:]])
        assert done.exit_code == 0, done.output
        assert "have no weight" in done.output
    with rz.open(place) as graph:
        assert _weights_of(graph) == AFTERWARDS


@pytest.mark.parametrize("source", GRAPH_OBJECTS)
@pytest.mark.parametrize("columns", [None, {"note": "string"}])
def test_weights_that_are_set_stay_where_none_is_given(source: str, columns: Any) -> None:
    graph = _stored(None, "float64", columns)
    assert graph.set_weights(GRAPH_OBJECTS[source](PARTLY)) == 1
    assert _weights_of(graph) == {("a", "b"): 7, ("b", "c"): 6}
    graph.set_edges(GRAPH_OBJECTS[source](PARTLY[:2]))
    assert _weights_of(graph) == {("a", "b"): 7, ("b", "c"): 6}


@pytest.mark.parametrize("columns", [None, {"note": "string"}])
@pytest.mark.parametrize("form", ["csv", "ndjson", "parquet", "txt", "net", "gml"])
@pytest.mark.parametrize("first", [True, False])
def test_a_file_without_weights_beside_one_with_them(form: str, columns: Any, first: bool, tmp_path: Path) -> None:
    """Read together, in both orders: an edge has the weight that some row gives."""
    heavy, light = tmp_path / "heavy.csv", tmp_path / f"light.{form}"
    heavy.write_text("source,target,weight\na,b,5\nb,c,6\n")
    pairs = [("a", "b"), ("c", "d")]
    if form in DOCUMENTS:
        DOCUMENTS[form]([(u, v, None) for u, v in pairs], light)
    elif form == "parquet":
        pq.write_table(pa.table({"source": ["a", "c"], "target": ["b", "d"]}), light)
    elif form == "ndjson":
        light.write_text("".join(json.dumps({"source": u, "target": v}) + "\n" for u, v in pairs))
    else:
        mark, head = (",", "source,target\n") if form == "csv" else (" ", "")
        light.write_text(head + "".join(f"{u}{mark}{v}\n" for u, v in pairs))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        files = (heavy, light) if first else (light, heavy)
        if columns is None and form in ("txt", *DOCUMENTS):  # others are not of one table, and are refused
            graph = rz.read(*files, directed=True, ids="string")
            assert _weights_of(graph) == {("a", "b"): 5, ("b", "c"): 6, ("c", "d"): 1}
        place = tmp_path / "g.rz"
        _stored(place, "float64", columns).close()
        rz.read(light, into=place, append=True, weights=False, ids="string").close()
    with rz.open(place) as graph:  # each edge of the file weighs 1, it was said
        assert _weights_of(graph) == {("a", "b"): 1, ("b", "c"): 6, ("c", "d"): 1}


@pytest.mark.parametrize("source", [*DOCUMENTS, *GRAPH_OBJECTS, "csv", "ndjson", "parquet"])
def test_weights_that_are_not_to_be_read_are_not(source: str, tmp_path: Path) -> None:
    """With `weights=False` each edge that is appended weighs 1, whatever the source has for it."""
    data: Any = tmp_path / f"edges.{source}"
    whole = [("a", "b", 7.0), ("c", "d", 8.0)]
    rows = [{"source": u, "target": v, "weight": w} for u, v, w in whole]
    if source in GRAPH_OBJECTS:
        data = GRAPH_OBJECTS[source](whole)
    elif source in DOCUMENTS:
        DOCUMENTS[source](whole, data)
    elif source == "parquet":
        pq.write_table(pa.Table.from_pylist(rows), data)
    elif source == "csv":
        data.write_text("source,target,weight\na,b,7\nc,d,8\n")
    else:
        data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    place = tmp_path / "g.rz"
    _stored(place, "float64", None).close()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rz.read(data, into=place, append=True, weights=False).close()
    with rz.open(place) as graph:
        assert _weights_of(graph) == {("a", "b"): 1, ("b", "c"): 6, ("c", "d"): 1}


def test_keys_that_json_lines_lack_are_not_given(tmp_path: Path) -> None:
    """A key that is missing keeps the value and null clears it, however the keys are written."""
    place, lines = tmp_path / "g.rz", tmp_path / "more.ndjson"
    said = {
        "a": '"x": 1, "name": "n"',
        "b": '"x": null',
        "c": '"name": null, "extra": {"x": null, "name": "x"}',
        "d": r'"\u0078": null, "other": "name"',
        "e": '"other": "x name"',
        "f": '"other": "\\"x\\": null"',
    }
    want = {
        "a": (1, "n"),
        "b": (None, "old"),
        "c": (0, None),
        "d": (None, "old"),
        "e": (0, "old"),
        "f": (0, "old"),
    }
    for broken in ("", '{"source": "z"}\n'):  # which is gone over line by line
        with rz.open(
            place, True, ids="string", edges={"x": "int64", "name": "string"}, vertices={"x": "int64"}
        ) as graph:
            graph.add_edges({"source": ["s"] * 6, "target": list(said), "x": [0] * 6, "name": ["old"] * 6})
            graph.add_vertices({"vertex": list(said), "x": [0] * 6})
        body = "".join(f'{{"source": "s", "target": "{key}", {values}}}\n' for key, values in said.items())
        lines.write_text('{"source": "s", "target": "t", "x": 3, "name": "t"}\n' + body + broken)
        rz.read(lines, into=place, append=True, skip_bad_lines=1).close()
        with rz.open(place) as graph:
            rows = {row["target"]: (row["x"], row["name"]) for row in graph.edges.to_arrow().to_pylist()}
            assert rows == want | {"t": (3, "t")}
        vertices = tmp_path / "vertices.ndjson"
        vertices.write_text("".join(f'{{"vertex": "{key}", {values}}}\n' for key, values in said.items()))
        rz.read(
            lines, into=place, append=True, skip_bad_lines=1, vertex_files=[vertices], vertices={"x": "int64"}
        ).close()
        with rz.open(place) as graph:
            assert [graph.vertex(key)["x"] for key in said] == [1, None, 0, None, 0, 0]
        shutil.rmtree(place)
