"""What an export says of its graph: the direction, weights, and names that tell no format."""

import json
import re
import warnings
from pathlib import Path
from typing import Any

import pytest
import rizoma as rz
from rizoma.io.formats import FORMATS
from rizoma.io.json_rows import ENDINGS

TEXT = ["g.el", "g.txt.gz", "g.edges", "g.csv", "g.tsv", "g.csv.zst"]
ARCS = [("a", "b"), ("b", "a"), ("b", "c")]


@pytest.mark.parametrize("name", [*TEXT, "g.parquet"])
@pytest.mark.parametrize("directed", [True, False])
def test_the_direction_is_read_back(tmp_path: Path, name: str, directed: bool) -> None:
    with rz.open(None, directed=directed) as graph:
        graph.add_edges(ARCS)
        graph.export(tmp_path / name)
    with rz.read(tmp_path / name) as again:
        assert again.directed is directed
        assert again.num_edges == (3 if directed else 2)
        assert again.has_edge("c", "b") is not directed
    with rz.read(tmp_path / name, directed=not directed) as other:
        assert other.directed is not directed


@pytest.mark.parametrize("name", ["g.wel", "g.csv", "g.parquet"])
def test_direction_and_weights_together(tmp_path: Path, name: str) -> None:
    with rz.open(None, directed=True, weights="float64") as graph:
        graph.add_edges([(0, 1, 0.5), (1, 0, 2.0)])
        graph.export(tmp_path / name)
    with rz.read(tmp_path / name) as again:
        assert again.directed
        assert again.neighbor_weights(1).tolist() == [2.0]


def test_direction_of_numbered_formats(tmp_path: Path) -> None:
    for name in ["g.mtx", "g.sg"]:
        with rz.open(None, directed=True) as graph:
            graph.add_edges([(0, 1), (1, 0), (1, 2)])
            graph.export(tmp_path / name)
        assert rz.read(tmp_path / name).directed


@pytest.mark.parametrize("name", ["g.foo", "g", "g.xyz.gz"])
def test_a_name_that_tells_no_format_is_refused(tmp_path: Path, name: str) -> None:
    graph = rz.open(None)
    graph.add_edges(ARCS)
    with pytest.raises(rz.InvalidArgumentError, match="cannot tell the format") as refused:
        graph.export(tmp_path / name)
    for ending in (*FORMATS, *ENDINGS, ".csv", ".parquet", ".el"):  # all that exist, also those written in Python
        assert re.search(rf"\.{ending.removeprefix('.')}\b", str(refused.value)), ending
    with pytest.raises(rz.UnsupportedError, match=r"write \.el"):
        graph.export(tmp_path / "g.wel")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("columns", [{}, {"n": "int64"}])
@pytest.mark.parametrize("name", ["g.csv", "g.tsv.gz", "g.el"])
def test_strings_are_read_back_whatever_the_first_ones_look_like(
    tmp_path: Path, name: str, columns: dict[str, str]
) -> None:
    if columns and name == "g.el":
        return  # has no columns
    count = 200_000  # more than the first MiB, by which a reader decides
    rows = {"source": [str(i) for i in range(count)], "target": [str(i + 1) for i in range(count)]}
    rows = {
        "source": [*rows["source"], "x"],
        "target": [*rows["target"], "y"],
        **{n: [1] * (count + 1) for n in columns},
    }
    with rz.open(None, ids="string", edges=columns) as graph:
        graph.add_edges(rows)
        graph.export(tmp_path / name)
    with rz.read(tmp_path / name, edges=columns) as again:
        assert again.num_edges == count + 1
        assert again.has_edge("x", "y")
        assert again.has_edge("0", "1")


@pytest.mark.parametrize("name", ["g.el", "g.txt.gz", "g.mtx", "g.graph", "g.sg"])
def test_columns_of_edges_are_not_lost_in_silence(tmp_path: Path, name: str) -> None:
    with rz.open(None, edges={"n": "int64", "day": "date"}) as graph:
        graph.add_edges({"source": [0], "target": [1], "n": [7], "day": [None]})
        with pytest.raises(rz.UnsupportedError, match=r"edge columns \(n, day\).*\.csv.*write one of these"):
            graph.export(tmp_path / name)
        assert not list(tmp_path.iterdir())
        graph.drop_column("n")
        graph.drop_column("day")
        graph.export(tmp_path / name)


@pytest.mark.parametrize("name", ["G.CSV", "G.TSV.gz", "G.PARQUET", "G.pq", "G.NDJSON", "G.GraphML"])
def test_endings_in_capitals_are_the_same_formats(tmp_path: Path, name: str) -> None:
    with rz.open(None, directed=True, edges={"n": "int64"}) as graph:
        graph.add_edges({"source": [0, 1], "target": [1, 2], "n": [7, None]})
        graph.export(tmp_path / name)
        expected = graph.edges.to_arrow().to_pylist()
    with rz.read(tmp_path / name, directed=True, edges="infer") as again:
        assert again.edge_columns == {"n": "int64"}
        assert again.edges.to_arrow().to_pylist() == expected


def test_edge_lists_with_endings_in_capitals(tmp_path: Path) -> None:
    with rz.open(None, weights="int32") as graph:
        graph.add_edges([(0, 1, 5), (1, 2, 6)])
        for name in ("g.WEL", "g.TXT", "g.TSV", "g.WSG"):
            graph.export(tmp_path / name)
            with rz.read(tmp_path / name) as again:
                assert again.weight(1, 2) == 6
    assert "1\t2\t6" in (tmp_path / "g.TSV").read_text()


@pytest.mark.parametrize("columns", [{}, {"n": "int64"}])
@pytest.mark.parametrize("name", ["g.csv", "g.tsv.gz"])
@pytest.mark.parametrize("odd", ["", "a\0b", "a\nb"])
def test_ids_that_text_cannot_hold_are_refused_with_columns_and_without(
    tmp_path: Path, name: str, columns: dict[str, str], odd: str, rizoma: Any
) -> None:
    store = tmp_path / "s.rz"
    with rz.open(store, ids="string", edges=columns) as graph:
        graph.add_edges({"source": ["a"], "target": ["b"], **{n: [1] for n in columns}})
        graph.export(tmp_path / name)
        graph.add_edges({"source": ["a"], "target": [odd], **{n: [1] for n in columns}})
        with pytest.raises(rz.UnsupportedError, match=r"write \.parquet"):
            graph.export(tmp_path / name)
    assert rz.read(tmp_path / name).num_edges == 1  # the earlier file stays
    for format, code in {"csv": 1, "tsv": 1, "ndjson": 0}.items():
        done = rizoma("export", store, "-", "--format", format, check=False)
        assert done.returncode == code, done.stderr


@pytest.mark.parametrize("name", ["g.graphml", "g.gexf", "g.gml", "g.json", "g.ndjson", "g.csv", "g.parquet"])
@pytest.mark.parametrize("rows", [0, 2])
def test_columns_without_a_value_are_declared_or_told(tmp_path: Path, name: str, rows: int) -> None:
    of_edges, of_vertices = {"n": "int64", "x": "float64", "t": "string", "b": "bool"}, {"age": "int64"}
    graph = rz.open(None, ids="string", directed=True, edges=of_edges, vertices=of_vertices)
    if rows:
        graph.add_edges({"source": ["a", "b"], "target": ["b", "c"], **{each: [None] * 2 for each in of_edges}})
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        graph.export(tmp_path / name)
    said = " ".join(str(each.message) for each in told)
    assert ("of edges, for want of a value: 'n', 'x', 't', 'b'" in said) == (name in ("g.gml", "g.json", "g.ndjson"))
    assert ("of vertices, for want of a value: 'age'" in said) == (name in ("g.gml", "g.json"))
    if name in ("g.graphml", "g.gexf"):
        assert said == ""
        for options in ({"edges": "infer", "vertices": "infer"}, {"edges": of_edges, "vertices": of_vertices}):
            again = rz.read(tmp_path / name, **options)
            assert (again.edge_columns, again.vertex_columns) == (of_edges, of_vertices)
        assert "not read" not in str(rz.read(tmp_path / name).last_import)


def test_names_that_gml_cannot_have_are_told_and_never_one(tmp_path: Path) -> None:
    graph = rz.open(None, edges={"a b": "int64", "1st": "int64"})
    graph.add_edges({"source": [0], "target": [1], "a b": [7], "1st": [8]})
    with pytest.warns(rz.errors.ReadWarning, match="'a b' is a_b, '1st' is _1st"):
        graph.export(tmp_path / "g.gml")
    assert rz.read(tmp_path / "g.gml", edges="infer").edge_columns == {"a_b": "int64", "_1st": "int64"}
    graph = rz.open(None, edges={"a b": "int64", "a_b": "int64"})
    graph.add_edges({"source": [0], "target": [1], "a b": [7], "a_b": [8]})
    with pytest.raises(rz.UnsupportedError, match="both have the name a_b in GML"):
        graph.export(tmp_path / "h.gml")


@pytest.mark.parametrize("name", ["g.gml", "g.json", "g.graphml", "g.gexf"])
@pytest.mark.parametrize("keep", [True, False])
def test_networkx_finds_the_parallel_edges_of_documents(tmp_path: Path, name: str, keep: bool) -> None:
    networkx = pytest.importorskip("networkx")
    graph = rz.open(None, directed=True, parallel_edges="keep" if keep else "merge", edges={"n": "int64"})
    graph.add_edges({"source": [0, 0], "target": [1, 2], "n": [1, 2]})
    if keep:
        graph.add_edges({"source": [0], "target": [1], "n": [3]})
    graph.export(tmp_path / name)
    if name == "g.json":
        read = networkx.node_link_graph(json.loads((tmp_path / name).read_text()), edges="edges")
    else:
        read = getattr(networkx, f"read_{name[2:]}")(tmp_path / name, **({"label": "id"} if name == "g.gml" else {}))
    assert sorted(data["n"] for _, _, data in read.edges(data=True)) == [1, 2, 3][: 2 + keep]
    assert read.is_multigraph() == keep


def test_empty_texts_that_csv_has_no_form_for_are_told(tmp_path: Path) -> None:
    graph = rz.open(None, edges={"note": "string"})
    graph.add_edges({"source": [0, 1], "target": [1, 2], "note": ["x", None]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        graph.export(tmp_path / "g.csv")
    graph.add_edges({"source": [2, 3], "target": [3, 4], "note": ["", ""]})
    with pytest.warns(rz.errors.ReadWarning, match="'note' has empty texts") as told:
        graph.export(tmp_path / "g.csv")
    assert len(told) == 1
