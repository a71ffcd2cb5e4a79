"""Columns whose type rounds numbers of a source say so: files of every format, texts, decimals, great whole numbers."""

from __future__ import annotations

import decimal
import json
import warnings

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import rizoma as rz
from rizoma.cli.commands import app
from typer.testing import CliRunner


def told(read):
    """The graph, and what Python warns of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        graph = read()
    return graph, " ".join(str(each.message) for each in caught)


def _document(kind, value):
    node_link = {"directed": False, "nodes": [{"id": i, "x": value} for i in (0, 1)]}
    return {
        "csv": f"source,target,x\n0,1,{value}\n",
        "tsv": f"source\ttarget\tx\n0\t1\t{value}\n",
        "ndjson": json.dumps({"source": 0, "target": 1, "x": value}) + "\n",
        "gml": f"graph [ node [ id 0 x {value} ] node [ id 1 ] edge [ source 0 target 1 x {value} ] ]",
        "json": json.dumps(node_link | {"links": [{"source": 0, "target": 1, "x": value}]}),
        "graphml": '<graphml><key id="n" for="node" attr.name="x" attr.type="long"/><key id="e" for="edge" '
        'attr.name="x" attr.type="long"/><graph edgedefault="undirected"><node id="0">'
        f'<data key="n">{value}</data></node><node id="1"/><edge source="0" target="1"><data key="e">{value}</data>'
        "</edge></graph></graphml>",
    }[kind]


def _written_file(tmp_path, kind, value):
    path = tmp_path / f"a.{kind}"
    path.write_text(_document(kind, value))
    return path


KINDS = ["csv", "tsv", "ndjson", "gml", "json", "graphml"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_column_of_a_file_that_rounds_whole_numbers_is_said_once(kind, tmp_path):
    for value, type_, says in [
        (16_777_217, "float32", True),
        (16_777_216, "float32", False),
        (16_777_217, "float64", False),
        (2**53 + 1, "float64", True),
        *([(6.02e23, "float32", False)] if kind != "graphml" else []),  # whose attribute is of type long
    ]:
        path = _written_file(tmp_path, kind, value)
        graph, said = told(lambda path=path, type_=type_: rz.read(path, edges={"x": type_}))
        assert said.count("column 'x' has whole numbers beyond") == says, (value, type_)
        assert graph.edges.to_arrow()["x"].to_pylist() == [float(np.dtype(type_).type(value))]


@pytest.mark.parametrize("kind", KINDS)
def test_the_command_says_it_of_what_it_adds(kind, tmp_path):
    path, store = _written_file(tmp_path, kind, 16_777_217), tmp_path / "g.rz"
    rz.open(store, edges={"x": "float32"}).close()
    done = CliRunner().invoke(app, ["add", str(store), str(path)])
    assert done.exit_code == 0, done.output
    assert done.output.count("column 'x' has whole numbers beyond 2^24") == 1


@pytest.mark.parametrize("kind", ["gml", "json", "graphml"])
def test_a_column_of_vertices_says_it_too(kind, tmp_path):
    path = _written_file(tmp_path, kind, 16_777_217)
    assert "column 'x' has whole" in told(lambda: rz.read(path, vertices={"x": "float32"}))[1]


@pytest.mark.parametrize("kind", ["csv", "csv.gz", "ndjson", "parquet"])
def test_so_does_a_file_of_vertices(kind, tmp_path):
    edges, vertices = tmp_path / "e.csv", tmp_path / f"v.{kind}"
    edges.write_text("source,target\n0,1\n")
    frame = pd.DataFrame({"vertex": [0, 1], "x": [16_777_217, 3]})
    if kind.startswith("csv"):
        frame.to_csv(vertices, index=False)
    elif kind == "ndjson":
        frame.to_json(vertices, orient="records", lines=True)
    else:
        frame.astype({"x": "float64"}).to_parquet(vertices)
    _, said = told(lambda: rz.read(edges, vertex_files=[vertices], vertices={"x": "float32"}))
    assert said.count("column 'x' has whole") == 1


def test_texts_of_a_table_as_people_write_them_say_it():
    graph = rz.open(None, edges={"x": "float32"})
    rows = {"source": [0], "target": [1], "x": ["16.777.217,0"]}
    _, said = told(lambda: graph.add_edges(rows, thousands=".", decimal=","))
    assert said.count("column 'x' has whole") == 1


@pytest.mark.parametrize("kind", ["csv", "tsv", "ndjson", "json", "gml"])
def test_great_whole_numbers_beside_fractions_are_said_to_be_rounded(kind, tmp_path):
    path = _written_file(tmp_path, kind, 2**53 + 1)
    text = path.read_text()
    more = {
        "csv": text + "1,2,0.5\n",
        "tsv": text + "1\t2\t0.5\n",
        "ndjson": json.dumps({"source": 1, "target": 2, "x": 0.5}) + "\n" + text,
        "json": text.replace('"links": [', '"links": [{"source": 1, "target": 1, "x": 0.5}, '),
        "gml": text.replace("edge [", "edge [ source 1 target 1 x 0.5 ] edge [", 1),
    }
    path.write_text(more[kind])
    graph, said = told(lambda: rz.read(path, edges="infer"))
    assert graph.edge_columns == {"x": "float64"}
    assert said.count("column 'x' has whole numbers beyond 2^53 that float64 does not hold") == 1


def test_decimals_that_float64_does_not_hold_are_said():
    digits = {"source": [0, 1], "target": [1, 2], "x": pa.array([decimal.Decimal("9007199254740993.25"), None])}
    graph, said = told(lambda: rz.read(pa.table(digits), edges="infer"))
    assert graph.edge_columns == {"x": "float64"}
    assert "column 'x'" in said
    digits["x"] = pa.array([decimal.Decimal("0.25"), None])
    assert told(lambda: rz.read(pa.table(digits), edges="infer"))[1] == ""


@pytest.mark.parametrize("values", [{"x": [1.0, 16_777_217]}, {"x": [1.5, 16_777_216]}, {"x": []}])
def test_items_of_lists_in_json_lines_are_looked_at_too(values, tmp_path):
    path = tmp_path / "a.ndjson"
    path.write_text(json.dumps({"source": 0, "target": 1, **values}) + "\n")
    graph, said = told(lambda: rz.read(path, edges={"x": "list<float32>"}))
    assert ("column 'x' has whole numbers beyond 2^24 that list<float32>" in said) == (16_777_217 in values["x"])
    assert graph.edges.to_arrow()["x"].to_pylist() == [np.array(values["x"], np.float32).tolist()]


def test_decimals_are_the_nearest_floats() -> None:
    cents = [decimal.Decimal(i) / 100 for i in range(1, 10_001)]
    rows = {"source": list(range(10_000)), "target": list(range(1, 10_001))}
    rows |= {"x": pa.array(cents, pa.decimal128(12, 2)), "weight": pa.array(cents, pa.decimal128(9, 2))}
    graph = rz.read(pa.table(rows), directed=True, edges={"x": "float64"}, weights=True)
    expected = [float(str(each)) for each in cents]
    found = graph.edges.to_arrow().sort_by("source")
    assert found["x"].to_pylist() == expected
    assert found["weight"].to_pylist() == expected
