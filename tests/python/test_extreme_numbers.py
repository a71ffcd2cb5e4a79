"""The largest and the smallest numbers: what is finite stays finite, and what is written comes back."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import rizoma as rz
from rizoma.core.errors import RizomaError

LARGE = ["1e400", "-1e400", "1" + "0" * 309, "1.8e308", "+2E+308", "1" + "0" * 400 + "e-5"]
SMALL = ["1e-400", "-1e-400", "0." + "0" * 400 + "1e5", "5e-324"]
ENDLESS = ["inf", "-inf", "Infinity"]

COLUMNS = {"edges": {"x": "float64"}, "vertices": {"y": "float64"}}


def _document(kind: str, x: str, y: str, weight: str | None = None) -> str:
    """A file in which the second edge has the value x, and the second vertex the value y."""
    if kind in ("csv", "tsv"):
        last = "weight" if weight else "x"
        text = f"source,target,{last}\n1,2,1.5\n2,1,{weight or x}\n"
        return text if kind == "csv" else text.replace(",", "\t")
    if kind == "ndjson":
        key = "weight" if weight else "x"
        return f'{{"source": 1, "target": 2, "{key}": 1.5}}\n{{"source": 2, "target": 1, "{key}": {weight or x}}}\n'
    w = weight or "1"
    if kind == "json":
        return (
            f'{{"directed": true, "nodes": [{{"id": 1, "y": 0.5}}, {{"id": 2, "y": {y}}}], "links": [{{"source": 1, '
            f'"target": 2, "weight": 1.5, "x": 1.5}}, {{"source": 2, "target": 1, "weight": {w}, "x": {x}}}]}}'
        )
    if kind == "gml":
        return (
            f"graph [ directed 1\nnode [ id 1 y 0.5 ]\nnode [ id 2 y {y} ]\n"
            f"edge [ source 1 target 2 weight 1.5 x 1.5 ]\nedge [ source 2 target 1 weight {w} x {x} ] ]"
        )
    if kind == "graphml":
        keys = "".join(
            f'<key id="{name}" for="{of}" attr.name="{name}" attr.type="double"/>'
            for name, of in (("y", "node"), ("x", "edge"), ("weight", "edge"))
        )
        return (
            f'<graphml>{keys}<graph edgedefault="directed"><node id="1"><data key="y">0.5</data></node><node id="2">'
            f'<data key="y">{y}</data></node><edge source="1" target="2"><data key="weight">1.5</data><data key="x">1.5'
            f'</data></edge><edge source="2" target="1"><data key="weight">{w}</data><data key="x">{x}</data></edge>'
            "</graph></graphml>"
        )
    values = (("node", "y"), ("edge", "x"))
    declared = "".join(
        f'<attributes class="{of}"><attribute id="{name}" title="{name}" type="double"/></attributes>'
        for of, name in values
    )
    return (
        f'<gexf version="1.3"><graph defaultedgetype="directed">{declared}<nodes><node id="1"><attvalues><attvalue for='
        f'"y" value="0.5"/></attvalues></node><node id="2"><attvalues><attvalue for="y" value="{y}"/></attvalues>'
        '</node></nodes><edges><edge source="1" target="2" weight="1.5"><attvalues><attvalue for="x" value="1.5"/>'
        f'</attvalues></edge><edge source="2" target="1" weight="{w}"><attvalues><attvalue for="x" value="{x}"/>'
        "</attvalues></edge></edges></graph></gexf>"
    )


TABLES = ["csv", "tsv", "ndjson"]
DOCUMENTS = ["json", "gml", "graphml", "gexf"]
JSON = ("json", "ndjson")


def _writes(kind: str, text: str) -> bool:
    """Whether a number can stand so in a file of this kind: JSON knows neither +1 nor inf, GML no words with a sign."""
    if kind in JSON:
        return text == "Infinity" or not (text.startswith("+") or "inf" in text)
    return True


def _read(tmp_path: Path, kind: str, x: str = "1", y: str = "1", **options: Any) -> rz.Graph:
    path = tmp_path / f"a.{kind}"
    path.write_text(_document(kind, x, y, options.pop("weight", None)))
    return rz.read(path, directed=True, **options)


def _second(graph: rz.Graph, of: str, name: str) -> float:
    return float(getattr(graph, of).to_arrow().column(name).to_pylist()[1])


@pytest.mark.parametrize("text", LARGE)
@pytest.mark.parametrize("kind", [*TABLES, *DOCUMENTS])
def test_a_number_that_is_too_large_is_refused_and_named(kind: str, text: str, tmp_path: Path) -> None:
    if not _writes(kind, text):
        return
    ways: list[dict[str, Any]] = [{"x": text, "edges": {"x": "float64"}}, {"x": text, "edges": "infer"}]
    ways += [{"x": text, "edges": {"x": "float32"}}]
    if kind in DOCUMENTS:
        ways += [{"y": text, "vertices": {"y": "float64"}}, {"y": text, "vertices": "infer"}]
    for way in ways:
        with pytest.raises(RizomaError) as refused:
            _read(tmp_path, kind, **way)
        assert text.lstrip("+")[:20] in str(refused.value), way
        assert "1.8e308" in str(refused.value) or (kind == "gexf" and "infer" in way.values()), way
    with pytest.raises(RizomaError):
        _read(tmp_path, kind, weight=text, weights=True)


@pytest.mark.parametrize("text", [*SMALL, *ENDLESS])
@pytest.mark.parametrize("kind", [*TABLES, *DOCUMENTS])
def test_what_is_small_is_near_0_and_what_is_without_bound_is_infinite(kind: str, text: str, tmp_path: Path) -> None:
    if not _writes(kind, text):
        return
    value = _second(_read(tmp_path, kind, text, edges={"x": "float64"}), "edges", "x")
    assert value == (float(text) if text in ENDLESS else {"5e-324": 5e-324}.get(text, 0.0))


def test_a_table_of_vertices_refuses_it_too(tmp_path: Path) -> None:
    (tmp_path / "e.csv").write_text("source,target\n1,2\n")
    (tmp_path / "v.csv").write_text("vertex,y\n1,0.5\n2,1e400\n")
    (tmp_path / "v.ndjson").write_text('{"vertex": 1, "y": 0.5}\n{"vertex": 2, "y": 1e400}\n')
    for file in ("v.csv", "v.ndjson"):
        with pytest.raises(RizomaError, match=r"1e400.*1\.8e308"):
            rz.read(tmp_path / "e.csv", vertices={"y": "float64"}, vertex_files=[tmp_path / file])


def test_texts_of_python_refuse_it_too() -> None:
    columns = {"source": [1, 2], "target": [2, 3], "x": ["1.5", "1e400"]}
    tables = [columns, pd.DataFrame(columns), pl.DataFrame(columns), pa.table(columns)]
    for table in tables:
        with pytest.raises(RizomaError, match=r"'1e400' in row 1.*1\.8e308"):
            rz.read(table, edges={"x": "float64"})
        graph = rz.open(None, edges={"x": "float64"})
        with pytest.raises(RizomaError, match=r"'1e400' in row 1.*1\.8e308"):
            graph.add_edges(table)
        with pytest.raises(RizomaError, match="1e400"):
            rz.read(table, weight="x")
    graph = rz.open(None, edges={"x": "float64"}, vertices={"y": "float64"})
    with pytest.raises(RizomaError, match=r"1e400.*1\.8e308"):
        graph.add_vertices(pa.table({"vertex": [1, 2], "y": ["0.5", "1e400"]}))
    with pytest.raises(RizomaError, match=r"1e400"):
        graph.add_edges([(1, 2, {"x": "1e400"})])
    with pytest.raises(RizomaError, match=r"1E\+400"):
        graph.add_edges([(1, 2, {"x": Decimal("1e400")})])
    with pytest.raises(RizomaError):
        graph.add_edges([(1, 2, {"x": 10**400})])


@pytest.mark.skipif(np.finfo(np.longdouble).max <= np.finfo(np.float64).max, reason="no wider type here")
def test_a_wider_type_of_numpy_refuses_it_too() -> None:
    wide = np.array([np.longdouble("1.5"), np.longdouble("1e400")])
    columns = {"source": np.array([1, 2]), "target": np.array([2, 3]), "x": wide}
    with pytest.raises(RizomaError, match=r"1e\+400"):
        rz.read(columns, edges={"x": "float64"})
    rz.read({**columns, "x": np.array([np.longdouble("1.5"), np.longdouble("inf")])}, edges={"x": "float64"})


EXTREMES = {
    "float64": [1.7976931348623157e308, -1.7976931348623157e308, 2.2250738585072014e-308, 5e-324, -0.0, 0.1],
    "float32": [float(np.finfo(np.float32).max), -float(np.finfo(np.float32).max), 2.0**-149, 2.0**-126, 0.10000000149],
}


@pytest.mark.parametrize("kind", EXTREMES)
@pytest.mark.parametrize("ending", ["csv", "csv.gz", "tsv", "ndjson", "json", "gml", "graphml", "gexf", "parquet"])
def test_extreme_numbers_come_back(ending: str, kind: str, tmp_path: Path) -> None:
    values = np.array(EXTREMES[kind], kind)
    rows = pa.table({"source": range(len(values)), "target": range(1, len(values) + 1), "x": values})
    vertices = pa.table({"vertex": range(len(values)), "y": values})
    graph = rz.open(None, directed=True, edges={"x": kind}, vertices={"y": kind})
    graph.add_edges(rows)
    graph.add_vertices(vertices)
    graph.export(tmp_path / f"a.{ending}")
    again = rz.read(tmp_path / f"a.{ending}", directed=True, edges={"x": kind})
    held = again.edges.to_arrow().sort_by("source").column("x").to_pylist()
    assert [math.copysign(1, value) for value in held] == [math.copysign(1, value) for value in values]
    assert held == values.tolist()
    if ending in ("json", "gml", "graphml", "gexf"):
        kept = rz.read(tmp_path / f"a.{ending}", directed=True, vertices={"y": kind})
        assert kept.vertices.to_arrow().sort_by("vertex").column("y").to_pylist()[: len(values)] == values.tolist()


@pytest.mark.parametrize("weights", ["float64", "float32"])
@pytest.mark.parametrize("ending", ["csv", "ndjson", "json", "gml", "graphml", "gexf", "net", "wel", "mtx"])
def test_extreme_weights_come_back(ending: str, weights: str, tmp_path: Path) -> None:
    values = [value for value in EXTREMES[weights] if value != 0]
    graph = rz.open(None, directed=True, ids="dense", weights=weights)
    graph.add_edges([(i, i + 1, value) for i, value in enumerate(values)])
    graph.export(tmp_path / f"a.{ending}")
    again = rz.read(tmp_path / f"a.{ending}", directed=True, weights=weights)
    held = again.edges.to_arrow().sort_by("source").column("weight").to_pylist()
    assert np.array(held, weights).tolist() == np.array(values, weights).tolist()


def test_json_keeps_its_own_words(tmp_path: Path) -> None:
    """Numbers beyond float64 in keys that no option reads are left alone."""
    lines = [json.dumps({"source": 1, "target": 2}), '{"source": 2, "target": 3, "other": 1e400}']
    (tmp_path / "a.ndjson").write_text("\n".join(lines))
    assert rz.read(tmp_path / "a.ndjson").num_edges == 2
