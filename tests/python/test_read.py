"""Files in and out, all or nothing."""

from __future__ import annotations

import gzip

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import rizoma as rz
from pyarrow import parquet


@pytest.fixture
def store(tmp_path):
    return tmp_path / "g.rz"


def edges(graph):
    table = graph.edges.to_arrow()
    return sorted(zip(*(column.to_pylist() for column in table.columns), strict=True))


def test_edge_list(tmp_path, store):
    path = tmp_path / "e.txt.gz"
    path.write_bytes(gzip.compress(b"# a comment\n0\t1\n1 2\n\n2 0\n"))
    with rz.read(path, into=store, directed=True) as graph:
        assert edges(graph) == [(0, 1), (1, 2), (2, 0)]
        assert graph.ids == "dense"


def test_in_memory_and_strings(tmp_path):
    path = tmp_path / "e.txt"
    path.write_text("ann bob\nbob cem\n")
    graph = rz.read(path)
    assert graph.path is None
    assert graph.neighbors("bob") == ["ann", "cem"]


def test_csv_columns(tmp_path):
    path = tmp_path / "flights.csv"
    path.write_text("miles,origin,dest\n5,a,b\n7,b,c\n")
    graph = rz.read(path, directed=True, source="origin", target="dest", weight="miles")
    assert edges(graph) == [("a", "b", 5.0), ("b", "c", 7.0)]


def test_weighted_edge_list(tmp_path):
    path = tmp_path / "e.txt"
    path.write_text("0 1 2.5\n1 2 0.5\n")
    assert edges(rz.read(path, directed=True, weights=True)) == [(0, 1, 2.5), (1, 2, 0.5)]
    assert edges(rz.read(path, directed=True, weights=False)) == [(0, 1), (1, 2)]
    assert edges(rz.read(path, directed=True, weights="none")) == [(0, 1), (1, 2)]
    path.write_text("0 1\n1 2\n")
    assert edges(rz.read(path, directed=True, weights="none")) == [(0, 1), (1, 2)]


@pytest.mark.parametrize("rows", [3, 300_000])
def test_parquet(tmp_path, store, rows):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.integers(0, max(rows // 4, 3), (rows, 2)), columns=["src", "dst"])
    frame["weight"] = rng.integers(1, 9, rows).astype(np.int32)
    frame = frame.drop_duplicates(["src", "dst"])
    parquet.write_table(
        pa.Table.from_pandas(frame, preserve_index=False), tmp_path / "e.parquet", row_group_size=50_000
    )
    with rz.read(tmp_path / "e.parquet", into=store, directed=True) as graph:
        assert graph.weights == "int32"
        assert edges(graph) == sorted(frame.itertuples(index=False, name=None))


def test_parquet_of_strings(tmp_path):
    parquet.write_table(pa.table({"a": ["x", "y"], "b": ["y", "z"]}), tmp_path / "e.parquet")
    assert rz.read(tmp_path / "e.parquet").neighbors("y") == ["x", "z"]


@pytest.mark.parametrize("name", ["o.txt", "o.el.gz", "o.csv.zst", "o.parquet", "o.mtx", "o.sg"])
@pytest.mark.parametrize("order", ["given", "degree"])
def test_export_and_read_back(tmp_path, name, order):
    graph = rz.generate("rmat", 8, order=order)
    graph.export(tmp_path / name)
    back = rz.read(tmp_path / name, directed=False)
    want = {frozenset(pair) for pair in edges(graph)}
    assert {frozenset(pair) for pair in edges(back)} == want
    assert back.num_edges == graph.num_edges


def test_an_error_leaves_nothing(tmp_path, store):
    path = tmp_path / "bad.txt"
    path.write_text("0 1\n" * 1000 + "5 x\n")
    with pytest.raises(rz.ParseError, match=r"bad\.txt:1001:3"):
        rz.read(path, into=store, ids="integer")
    assert not store.exists()
    store.mkdir()
    with pytest.raises(ValueError, match="1001"):
        rz.read(path, into=store, ids="integer")
    assert list(store.iterdir()) == []
    with pytest.raises(FileNotFoundError):
        rz.read(tmp_path / "none.txt", into=store)
    with pytest.raises(ValueError, match="no file"):
        rz.read()


def bad_file(tmp_path):
    path = tmp_path / "bad.txt"
    path.write_text("0 1\n" * 1000 + "5 x\n")
    return path


def test_a_failed_import_spares_what_others_put_into_its_places(tmp_path, monkeypatch):
    """The store's directory is the current one; its location has files and directories of others."""
    bad = bad_file(tmp_path)
    here, memory = tmp_path / "here", tmp_path / "memory"
    here.mkdir()
    (memory / "other.rz" / "sub").mkdir(parents=True)
    (memory / "other.rz" / "data").write_text("mine")
    monkeypatch.chdir(here)
    with pytest.raises(rz.ParseError, match="1001"):
        rz.read(bad, into=".", locations=[memory], ids="integer")
    assert list(here.iterdir()) == []
    assert [path.name for path in memory.iterdir()] == ["other.rz"]
    assert (memory / "other.rz" / "data").read_text() == "mine"
    assert (memory / "other.rz" / "sub").is_dir()


def test_a_failed_import_removes_its_locations(tmp_path):
    bad = bad_file(tmp_path)
    places = [tmp_path / "a", tmp_path / "b"]
    for place in places:
        place.mkdir()
    (places[1] / "g.rz").mkdir()
    with pytest.raises(rz.ParseError, match="1001"):
        rz.read(bad, into=tmp_path / "g.rz", locations=places, ids="integer")
    assert not (tmp_path / "g.rz").exists()
    assert list(places[0].iterdir()) == []
    assert list((places[1] / "g.rz").iterdir()) == []  # was there before


@pytest.mark.parametrize("what", ["file", "directory"])
def test_an_import_that_a_location_refuses_leaves_nothing(tmp_path, what):
    good = tmp_path / "good.txt"
    good.write_text("0 1\n")
    first, second = tmp_path / "a", tmp_path / "b"
    first.mkdir()
    foreign = second / "g.rz" / "notes"
    foreign.parent.mkdir(parents=True)
    foreign.write_text("mine") if what == "file" else (foreign / "2026").mkdir(parents=True)
    with pytest.raises(rz.AlreadyExistsError, match="holds other files"):
        rz.read(good, into=tmp_path / "g.rz", locations=[first, second])
    assert not (tmp_path / "g.rz").exists()
    assert list(first.iterdir()) == []
    assert list((second / "g.rz").iterdir()) == [foreign]


def test_append(tmp_path, store):
    for number, text in enumerate(["0 1\n1 2\n", "2 3\n3 0\n", "9 9\nx y\n"]):
        (tmp_path / f"{number}.txt").write_text(text)
    rz.read(tmp_path / "0.txt", into=store).close()
    with pytest.raises(FileExistsError, match="not empty"):
        rz.read(tmp_path / "1.txt", into=store)
    with pytest.raises(rz.ParseError):
        rz.read(tmp_path / "1.txt", tmp_path / "2.txt", into=store, append=True)
    with rz.open(store) as graph:
        assert graph.num_edges == 2
    with rz.read(tmp_path / "1.txt", into=store, append=True) as graph:
        assert graph.num_edges == 4


def test_several_files(tmp_path):
    (tmp_path / "a.txt").write_text("0 1\n1 2\n")
    (tmp_path / "b.csv").write_text("source,target\n2,3\n3,4\n")
    graph = rz.read(tmp_path / "a.txt", tmp_path / "b.csv")
    assert graph.num_edges == 4


def test_generators_repeat_themselves():
    for kind in ("rmat", "uniform", "grid"):
        first, again = (rz.generate(kind, 9, seed=5, threads=threads) for threads in (1, 3))
        assert edges(first) == edges(again)
        assert len(first) == 512
    assert edges(rz.generate("rmat", 9, seed=6)) != edges(rz.generate("rmat", 9, seed=5))
    weighted = rz.generate("grid", 6, weights="int32")
    assert {type(w) for *_, w in edges(weighted)} == {int}
    with pytest.raises(ValueError, match="kind"):
        rz.generate("nope", 4)


@pytest.mark.parametrize("left", ["lost+found", "empty", "LOCK"])
def test_a_place_without_a_store_is_filled_as_a_new_one(tmp_path, left):
    path = tmp_path / "general.mtx"
    path.write_text("%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 0.5\n2 3 1.5\n")
    store = tmp_path / "disk"
    store.mkdir()
    if left == "LOCK":
        (store / left).touch()
    else:
        (store / left).mkdir()
    with rz.read(path, into=store) as graph:
        assert graph.directed
        assert graph.info().weights == "float64"
        assert graph.num_edges == 2
