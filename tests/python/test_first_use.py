"""What a first user gets wrong, and what Rizoma says to it."""

from __future__ import annotations

from pathlib import Path

import pytest
import rizoma as rz
from rizoma.cli.commands import app
from typer.testing import CliRunner


@pytest.fixture
def path_graph() -> rz.Graph:
    graph = rz.open(None)
    graph.add_edges([("ann", "bob"), ("bob", "cem")])
    return graph


def test_what_is_no_graph_is_named() -> None:
    with pytest.raises(TypeError, match=r"give a Graph or a Snapshot, not str"):
        rz.pagerank("social.rz")  # type: ignore[arg-type]
    networkx = pytest.importorskip("networkx")
    with pytest.raises(TypeError, match=r"give a Graph or a Snapshot, not networkx.Graph"):
        rz.pagerank(networkx.path_graph(3))


def test_senseless_limits_are_refused(path_graph: rz.Graph) -> None:
    with pytest.raises(rz.InvalidArgumentError, match="max_depth is -1"):
        rz.bfs(path_graph, "ann", max_depth=-1)
    with pytest.raises(rz.InvalidArgumentError, match="tol is -1"):
        rz.pagerank(path_graph, tol=-1)


def test_one_string_is_no_list_of_vertices(path_graph: rz.Graph) -> None:
    with pytest.raises(rz.InvalidArgumentError, match="not one id \\('zoe'\\)"):
        path_graph.add_vertices("zoe")
    assert len(path_graph) == 3


def test_unknown_column_lists_those_there_are(path_graph: rz.Graph) -> None:
    with pytest.raises(rz.ColumnNotFoundError, match="level, parent"):
        rz.bfs(path_graph, "ann").to_numpy("distance")


def test_output_into_no_directory_is_refused(path_graph: rz.Graph, tmp_path: Path) -> None:
    with pytest.raises(rz.StorageError, match="there is no directory"):
        rz.pagerank(path_graph).write(tmp_path / "none" / "ranks.csv")


def test_ids_that_are_not_utf8(tmp_path: Path) -> None:
    (tmp_path / "latin.txt").write_bytes(b"Ann Bob\nAndr\xe9 Bob\n")
    with pytest.raises(rz.ParseError, match=r"latin.txt:2:1: found bytes that are not UTF-8"):
        rz.read(tmp_path / "latin.txt", into=tmp_path / "latin.rz")
    assert not (tmp_path / "latin.rz").exists()


@pytest.mark.parametrize("name", ["edges.csv", "edges.tsv.gz", "edges.txt", "edges.wel.zst"])
def test_an_export_is_read_back_with_its_weights(tmp_path: Path, name: str) -> None:
    with rz.open(None, weights="float64") as graph:
        graph.add_edges([("ann", "bob", 0.5), ("bob", "cem", 2.25)])
        graph.export(tmp_path / name)
    with rz.read(tmp_path / name) as again:
        assert again.weights == "float64"
        assert rz.sssp(again, "ann").to_dict()["cem"] == 2.75
    with rz.read(tmp_path / name, weights=False) as plain:
        assert plain.weights is None


def test_a_memory_limit_that_is_too_small_is_refused(tmp_path: Path) -> None:
    (tmp_path / "edges.txt").write_text("1 2\n")
    with pytest.raises(rz.InvalidArgumentError, match="12 MiB or more"):
        rz.read(tmp_path / "edges.txt", into=tmp_path / "g.rz", memory_limit="8M")


def test_columns_of_a_file_that_has_none(tmp_path: Path) -> None:
    (tmp_path / "edges.txt").write_text("1 2\n")
    with pytest.raises(rz.RizomaError, match="no column 'origin' for the source; there are column 0, column 1"):
        rz.read(tmp_path / "edges.txt", source="origin")


def test_a_full_store_names_append(tmp_path: Path) -> None:
    (tmp_path / "edges.txt").write_text("1 2\n")
    rz.read(tmp_path / "edges.txt", into=tmp_path / "g.rz").close()
    with pytest.raises(rz.AlreadyExistsError, match="append"):
        rz.read(tmp_path / "edges.txt", into=tmp_path / "g.rz")


@pytest.mark.parametrize("kernel", ["connected-components", "connected_components"])
def test_kernel_names_with_dashes(tmp_path: Path, kernel: str) -> None:
    rz.generate("grid", 4, into=tmp_path / "g.rz").close()
    answer = CliRunner().invoke(app, ["run", kernel, str(tmp_path / "g.rz")])
    assert answer.exit_code == 0, answer.output
