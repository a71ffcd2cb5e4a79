"""What an export says of its graph: the direction, weights, and names that tell no format."""

import re
from pathlib import Path

import pytest
import rizoma as rz
from rizoma.formats import FORMATS
from rizoma.json_rows import ENDINGS

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
    for ending in (*FORMATS, *ENDINGS, ".csv", ".parquet", ".el"):  # all that there are, also those written in Python
        assert re.search(rf"\.{ending.removeprefix('.')}\b", str(refused.value)), ending
    with pytest.raises(rz.UnsupportedError, match=r"write \.el"):
        graph.export(tmp_path / "g.wel")
    assert not list(tmp_path.iterdir())
