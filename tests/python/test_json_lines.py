"""JSON lines: edges and vertices, in and out."""

from __future__ import annotations

import gzip
import json
from datetime import datetime

import pytest
import rizoma as rz
from rizoma.cli.commands import app
from typer.testing import CliRunner


def written(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def edges_of(graph):
    return sorted(graph.edges.to_arrow().to_pylist(), key=str)


def test_edges_are_read_with_their_weights_and_kept_values(tmp_path):
    rows = [
        {"from": "007", "to": "bob", "weight": 2, "kind": "2011-01-01", "more": {"deep": 1}},
        {"from": "bob", "to": "cem", "weight": 0.5, "kind": None},
        {"to": "007", "from": "cem", "weight": -1},
    ]
    graph = rz.read(written(tmp_path / "a.ndjson", rows), directed=True, edges={"kind": "string"})
    assert edges_of(graph) == sorted(
        (
            {"source": row["from"], "target": row["to"], "weight": float(row["weight"]), "kind": row.get("kind")}
            for row in rows
        ),
        key=str,
    )
    report = graph.last_import.files[0]
    assert (report.format, report.source, report.target, report.weight) == ("ndjson", "from", "to", "weight")
    assert any("more" in note and "not read" in note for note in report.notes)


def test_ids_are_integers_as_in_other_files(tmp_path):
    file = tmp_path / "a.jsonl.gz"
    file.write_bytes(gzip.compress(b'{"u":5,"v":7}\n\n{"u":7,"v":-1}'))
    graph = rz.read(file, source="u", target="v")
    assert (sorted(graph), graph.last_import.ids) == ([-1, 5, 7], "integer")
    dense = written(tmp_path / "d.ndjson", [{"source": 0, "target": 1}, {"source": 1, "target": 2}])
    assert rz.read(dense).last_import.ids == "dense"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"source": 1, "target": 2', "expected an object on one line"),
        ("[1, 2]", "expected an object, such as"),
        ('{"source": 1}', "there is no 'target'; it has 'source': add it"),
        ('{"source": 1, "target": "2"}', "'target' is \"2\"; it must be an integer"),
        ('{"source": 1, "target": 1e99}', "must be an integer of 64 bits"),
        ('{"source": 1, "target": 2, "weight": "3"}', "a weight is a finite number"),
        ('{"source": 1, "target": 2, "weight": NaN}', "a weight is a finite number"),
    ],
)
def test_a_malformed_line_is_told_with_its_place_or_left_out_and_counted(tmp_path, monkeypatch, line, said):
    monkeypatch.setattr("rizoma.io.json_lines._BLOCK", 100)
    good = '{"source": 1, "target": 2, "weight": 1}\n{"source": 2, "target": 3, "weight": 1}\n'
    file = tmp_path / "a.ndjson"
    # Far after the lines that the columns are found by, and right among them.
    for before in ("", "\n" + good * 20):
        file.write_text(good + before + line + "\n" + good)
        number = 3 + before.count("\n")
        with pytest.raises(rz.ParseError) as caught:
            rz.read(file)
        assert said in str(caught.value)
        assert f"a.ndjson:{number}: " in str(caught.value)
        graph = rz.read(file, skip_bad_lines=1)
        report = graph.last_import.files[0]
        assert (graph.num_edges, report.bad_lines) == (2, 1)
        assert f"a.ndjson:{number}: " in report.first_bad


def test_an_empty_file_is_an_empty_graph(tmp_path):
    file = tmp_path / "a.ndjson"
    file.write_text("\n")
    assert rz.read(file).num_vertices == 0


def test_a_graph_is_written_and_read_again(tmp_path):
    columns = {"at": "timestamp[us]", "raw": "binary", "close": "list<float32>", "share": "float64"}
    graph = rz.open(tmp_path / "g.rz", directed=True, weights="float64", ids="string", edges=columns)
    values = {"at": datetime(2020, 1, 2, 3, 4, 5), "raw": b"\0\xff", "close": [1, 2], "share": 0.1}
    graph.add_edges(
        [
            {"source": "a", "target": "é\n", "weight": 1.5} | values,
            {"source": "é\n", "target": "a", "weight": 2.0} | dict.fromkeys(values),
        ]
    )
    for name in ("a.ndjson", "a.jsonl.zst"):
        graph.export(tmp_path / name)
        again = rz.read(tmp_path / name, directed=True, edges=columns)
        assert edges_of(again) == edges_of(graph)
    lines = (tmp_path / "a.ndjson").read_text().splitlines()
    assert sorted(json.loads(line)["weight"] for line in lines) == [1.5, 2.0]


def test_vertices_come_from_json_lines(tmp_path):
    edges = written(tmp_path / "e.ndjson", [{"source": 1, "target": 2}])
    people = written(tmp_path / "v.ndjson", [{"id": 1, "name": "ann"}, {"id": 9, "name": "dia", "rest": [1]}])
    graph = rz.read(edges, vertices={"name": "string"}, vertex_files=[people])
    found = {row["vertex"]: row["name"] for row in graph.vertices.to_arrow().to_pylist()}
    assert found == {1: "ann", 2: None, 9: "dia"}


def test_columns_are_found_out(tmp_path):
    rows = [{"source": 1, "target": 2, "n": 3, "s": "x"}, {"source": 2, "target": 3, "n": 4}]
    file = written(tmp_path / "e.ndjson", rows)
    assert dict(rz.read(file, edges="infer").edge_columns) == {"n": "int64", "s": "string"}


def test_moments_are_printed_as_json_lines(tmp_path):
    with rz.open(tmp_path / "g.rz", edges={"at": "timestamp[s]"}) as graph:
        graph.add_edges([{"source": 0, "target": 1, "at": datetime(2020, 1, 2)}])
    out = CliRunner().invoke(app, ["export", str(tmp_path / "g.rz"), "-", "--format", "ndjson"])
    assert out.exit_code == 0, out.output
    assert json.loads(out.output) == {"source": 0, "target": 1, "at": "2020-01-02 00:00:00"}


ODD = ['{"tags": [1, "a"]', '{"hash": 123456789012345678901234567890', '{"text": "\\ud800"', '{"deep": {"a": [1, "b"]}']


@pytest.mark.parametrize("odd", ODD)
def test_keys_that_nobody_asked_for_may_have_any_values(tmp_path, odd):
    file = tmp_path / "a.ndjson"
    file.write_text('{"source": 1, "target": 2}\n' + odd + ', "source": 2, "target": 3}\n')
    assert sorted(rz.read(file, directed=True).edges) == [(1, 2), (2, 3)]
    name = odd.split('"')[1]
    with pytest.raises(rz.ParseError, match=rf"a\.ndjson:2: '{name}' is .*, which is no int64"):
        rz.read(file, edges={name: "int64"})
    people = tmp_path / "v.ndjson"
    people.write_text('{"id": 1, "age": 30}\n' + odd + ', "id": 2, "age": 40}\n')
    graph = rz.read(file, vertices={"age": "int32"}, vertex_files=[people])
    ages = {row["vertex"]: row["age"] for row in graph.vertices.to_arrow().to_pylist()}
    assert ages == {1: 30, 2: 40, 3: None}


def test_keys_of_vertices_that_nobody_asked_for_may_change_later(tmp_path, monkeypatch):
    monkeypatch.setattr("rizoma.io.json_lines._BLOCK", 100)
    rows = [{"id": i, "age": i, "note": i} for i in range(50)] + [{"id": 50, "age": 50, "note": "x"}]
    people = written(tmp_path / "v.ndjson", rows)
    edges = written(tmp_path / "e.ndjson", [{"source": 0, "target": 50}])
    graph = rz.read(edges, vertices={"age": "int32"}, vertex_files=[people])
    assert {row["vertex"]: row["age"] for row in graph.vertices.to_arrow().to_pylist()} == {i: i for i in range(51)}
    with pytest.raises(rz.ParseError, match=r"v\.ndjson:51: 'note' is \"x\", which is no int64"):
        rz.read(edges, vertices={"note": "int64"}, vertex_files=[people])
    (tmp_path / "none.ndjson").write_text("")
    assert rz.read(edges, vertices={"age": "int32"}, vertex_files=[tmp_path / "none.ndjson"]).num_vertices == 2


@pytest.mark.parametrize(
    "lines", ['{"source": 1, "target": 2} {"source": 2, "target": 3}\n', '{"source": 1,\n"target": 2}\n']
)
def test_each_object_has_a_line_of_its_own_throughout(tmp_path, monkeypatch, lines):
    """Only among the first lines was it refused."""
    monkeypatch.setattr("rizoma.io.json_lines._BLOCK", 100)
    good = '{"source": 1, "target": 2}\n\n'
    file = tmp_path / "a.ndjson"
    file.write_text(good * 20)
    assert rz.read(file).num_edges == 1
    for before in (0, 20):
        file.write_text(good * before + lines + good)
        with pytest.raises(rz.ParseError, match=rf"a\.ndjson:{2 * before + 1}: expected an object on one line"):
            rz.read(file)
