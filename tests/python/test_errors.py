"""Calls that go wrong do so by the documented classes, in the user's ids, and leave nothing behind."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import rizoma as rz


@pytest.fixture
def people() -> rz.Graph:
    graph = rz.open(None, directed=True, weights="float64")
    graph.add_edges([("ann", "bob", 1.0), ("bob", "cem", -5.0)])
    return graph


def test_messages_of_kernels_have_the_ids_of_the_graph(people: rz.Graph) -> None:
    with pytest.raises(rz.InvalidArgumentError, match="edge 'bob' -> 'cem' has weight -5"):
        rz.sssp(people, "ann")
    with pytest.raises(rz.InvalidArgumentError, match="vertex 'bob' has a negative"):
        rz.pagerank(people, weight="weight")
    with pytest.raises(rz.InvalidArgumentError, match=r"vertex '(bob|cem)' has a negative"):
        rz.louvain(people)


def test_sssp_without_weights_counts_edges(people: rz.Graph) -> None:
    result = rz.sssp(people, "ann", weight=None)
    assert result.to_dict() == {"ann": 0, "bob": 1, "cem": 2}
    assert rz.sssp(people, "cem", weight=None).to_dict() == {"cem": 0}


@pytest.mark.parametrize("what", ["remove_vertices", "remove_edges", "set_weights"])
def test_changes_of_what_is_not_there_do_nothing_in_a_new_graph(what: str) -> None:
    graph = rz.open(None, weights=True)
    rows: Any = {"remove_vertices": ["a"], "remove_edges": [("a", "b")], "set_weights": [("a", "b", 2.0)]}[what]
    assert getattr(graph, what)(rows) == 0
    with pytest.raises(rz.NotInGraphError):
        getattr(graph, what)(rows, missing="error")
    graph.add_edges([("a", "b")])
    assert graph.ids == "string"


def test_ids_of_the_other_kind_are_not_there() -> None:
    graph = rz.open(None)
    graph.add_edges([(0, 1)])
    assert graph.find(["x"]).tolist() == [-1]
    assert "x" not in graph
    names = rz.open(None)
    names.add_edges([("a", "b")])
    assert names.find([1]).tolist() == [-1]
    assert "\ud800" not in names
    with pytest.raises(rz.InvalidArgumentError, match="surrogate"):
        names.add_edges([("a", "\ud800")])


def test_wrong_values_are_errors_of_rizoma(people: rz.Graph, tmp_path: Path) -> None:
    file = tmp_path / "edges.el"
    file.write_text("0 1\n")
    for call in (
        lambda: rz.generate("rmat", -1),
        lambda: rz.open("never.rz", group_delay=-1),
        lambda: rz.pagerank(people, threads="2"),  # type: ignore[arg-type]
        lambda: rz.pagerank(people, progress=7),  # type: ignore[arg-type]
        lambda: rz.betweenness_centrality(people, k=2.5),  # type: ignore[arg-type]
        lambda: people.place([-1]),
        lambda: rz.open("never.rz", locations="/tmp"),
        lambda: rz.read(file, into="never.rz", locations=Path("/tmp")),  # type: ignore[arg-type]
        lambda: rz.open(""),
        lambda: rz.read(file, into=""),
    ):
        with pytest.raises(rz.InvalidArgumentError):
            call()
    assert not Path("never.rz").exists()


def test_columns_that_are_not_there(people: rz.Graph) -> None:
    frame = pd.DataFrame({"a": ["x"], "b": ["y"]})
    with pytest.raises(rz.ColumnNotFoundError, match="no column 'zz'"):
        rz.open(None).add_edges(frame, source="zz", target="b")
    with pytest.raises(KeyError, match="no column 'zz'"):
        rz.pagerank(people).to_numpy("zz")


def test_pandas_is_told_how_to_take_a_scan(people: rz.Graph) -> None:
    with pytest.raises(rz.InvalidArgumentError, match="to_pandas"):
        pd.DataFrame(people.edges)
    with pytest.raises(rz.InvalidArgumentError, match="to_arrow"):
        np.asarray(people.vertices)
    assert list(people.edges.to_pandas().columns) == ["source", "target", "weight"]


def test_categories_of_polars_are_ids() -> None:
    frame = pl.DataFrame({"source": ["a", "b"], "target": ["b", "c"]}).with_columns(pl.all().cast(pl.Categorical))
    graph = rz.open(None)
    graph.add_edges(frame)
    assert sorted(graph.vertices.to_pandas()["vertex"]) == ["a", "b", "c"]


@pytest.mark.parametrize("weights", ["float64", "float32"])
@pytest.mark.parametrize("weight", [float("inf"), float("-inf"), float("nan")])
def test_a_weight_that_is_not_finite_is_refused(weights: str, weight: float) -> None:
    graph = rz.open(None, weights=weights)
    with pytest.raises(rz.InvalidArgumentError, match=r"not finite|not a number"):
        graph.add_edges([(0, 1, 2.0), (1, 2, weight)])
    assert graph.num_edges == 0
    graph.add_edges([(0, 1, 2.0)])
    with pytest.raises(rz.InvalidArgumentError, match=r"not finite|not a number"):
        graph.set_weights([(0, 1, weight)])
    assert graph.neighbor_weights(0).tolist() == [2.0]


def test_a_store_that_cannot_be_created_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(rz.RizomaError):
        rz.open(tmp_path / "m.rz", medium="dax")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("edges", "said"),
    [
        ([(None, "ann")], "not NoneType"),
        (np.array([[0, np.nan]]), "whole numbers"),
        (np.ma.array([[0, 1], [1, 2]], mask=[[0, 0], [1, 0]]), "masked"),
        (pd.DataFrame({"source": [0, "x"], "target": [1, 2]}, dtype=object), "holds values of several types"),
        (pd.Series(["ann", "bob"]), "the Series is one column, and an edge has two ends"),
        ({"source": ["ann"], "target": ["bob", "cem"]}, "not a table of edges"),
        ({"ann": ["bob"], "bob": ["cem"]}, "a mapping is read as columns"),  # not an edge from bob to cem
    ],
)
@pytest.mark.filterwarnings("error")
def test_what_is_no_edges_is_refused_whole(edges: Any, said: str) -> None:
    graph = rz.open(None)
    with pytest.raises(rz.RizomaError, match=said):
        graph.add_edges(edges)
    assert len(graph) == 0


@pytest.mark.parametrize(
    "settings",
    [
        {"directed": "yes"},
        {"in_edges": 2},
        {"group_delay": float("nan")},
        {"group_delay": 1e30},
        {"group_delay": -1},
        {"lock_timeout": float("nan")},
        {"lock_timeout": "10"},
        {"lock_timeout": None},
        {"group_delay": True},
        {"path": "a\0b"},
    ],
)
def test_senseless_settings_of_a_graph_are_named(tmp_path: Path, settings: dict[str, Any]) -> None:
    path = tmp_path / settings.pop("path", "g.rz")
    with pytest.raises(rz.InvalidArgumentError, match=next(iter(settings), "path")):
        rz.open(path, **settings)
    assert list(tmp_path.iterdir()) == []


def test_a_new_graph_does_not_claim_a_kind_of_ids() -> None:
    with pytest.raises(KeyError, match=r"no vertex 'ann'; it has no vertices yet"):
        rz.open(None).neighbors("ann")


def test_a_refused_permission_is_a_permission_error(tmp_path: Path) -> None:
    place = tmp_path / "closed"
    place.mkdir(mode=0o755)
    with rz.open(place / "g.rz") as graph:
        graph.add_edges([(0, 1)])
        root = os.geteuid() == 0
        place.chmod(0o755 if root else 0o500)
        tmp_path.chmod(0o755)
        if root:
            os.seteuid(65534)  # root may do everything
        try:
            with pytest.raises(PermissionError) as caught:
                rz.open(place / "new.rz")
            assert isinstance(caught.value, rz.StorageError)
            assert isinstance(caught.value, rz.PermissionDeniedError)
            for name, said in [("edges.net", "cannot write"), ("edges.json", "cannot create")]:
                with pytest.raises(PermissionError, match=said):
                    graph.export(place / name)
        finally:
            if root:
                os.seteuid(0)
            place.chmod(0o755)


@pytest.fixture
def open_place() -> Iterator[Path]:
    """A directory that any user may enter; those of pytest are its user's alone."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.mark.parametrize("name", ["a.csv", "a.el", "a.parquet", "a.ndjson", "a.gml", "a.json.gz", "closed/a.csv"])
def test_a_file_that_may_not_be_read_is_named(open_place: Path, name: str) -> None:
    closed = open_place / "closed"
    closed.mkdir()
    graph = rz.open(None)
    graph.add_edges([("ann", "bob")])
    graph.export(open_place / name)
    rz.read(open_place / name)
    (open_place / name).chmod(0o000)
    closed.chmod(0o000)
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)  # root may read everything
    try:
        for ask in (lambda: rz.read(open_place / name), lambda: graph.copy_to(closed / "copy.rz")):
            with pytest.raises(rz.PermissionDeniedError, match=r"^cannot open .*: Permission denied; check the perm"):
                ask()
    finally:
        if root:
            os.seteuid(0)
        closed.chmod(0o755)
