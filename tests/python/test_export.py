"""What an export says of its graph: the direction, weights, and names that tell no format."""

import re
from pathlib import Path

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


@pytest.mark.parametrize("name", ["g.el", "g.txt.gz", "g.mtx", "g.graph", "g.sg", "g.foo"])
def test_columns_of_edges_are_not_lost_in_silence(tmp_path: Path, name: str) -> None:
    with rz.open(None, edges={"n": "int64", "day": "date"}) as graph:
        graph.add_edges({"source": [0], "target": [1], "n": [7], "day": [None]})
        with pytest.raises(rz.UnsupportedError, match=r"edge columns \(n, day\).*\.csv.*drop_column"):
            graph.export(tmp_path / name)
        assert not list(tmp_path.iterdir())
        graph.drop_column("n")
        graph.drop_column("day")
        if name != "g.foo":
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
