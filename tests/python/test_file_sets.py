"""Directories, patterns and datasets as one source."""

from __future__ import annotations

import gzip
import subprocess
import sys

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
import rizoma as rz


@pytest.fixture
def parts(tmp_path):
    """A directory as jobs leave it: parts in several places, and files that are none of the data."""
    top = tmp_path / "parts"
    (top / "more").mkdir(parents=True)
    (top / "part-1.csv").write_text("source,target\nann,bob\n")
    (top / "part-0.csv.gz").write_bytes(gzip.compress(b"source,target\nbob,cem\n"))
    pq.write_table(pa.table({"source": ["cem"], "target": ["dia"]}), top / "more" / "part-2.parquet")
    for name in ("_SUCCESS", ".part-1.csv.crc", "part-1.csv.crc", ".hidden.csv"):
        (top / name).write_text("no data")
    (top / ".staging").mkdir()
    (top / ".staging" / "part-3.csv").write_text("source,target\nx,y\n")
    rz.open(top / "store.rz").close()
    return top


def _names(graph):
    return [str(file.path).rpartition("parts/")[2] for file in graph.last_import.files]


def test_a_directory_is_its_data_in_a_stable_order(parts, tmp_path):
    graph = rz.read(parts, into=tmp_path / "g.rz")
    assert _names(graph) == ["more/part-2.parquet", "part-0.csv.gz", "part-1.csv"]
    assert sorted(graph) == ["ann", "bob", "cem", "dia"]


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("*.csv", ["part-1.csv"]),
        ("part-?.csv*", ["part-0.csv.gz", "part-1.csv"]),
        ("**/part-*", ["more/part-2.parquet", "part-0.csv.gz", "part-1.csv"]),
    ],
)
def test_a_pattern_is_its_matches(parts, pattern, names):
    assert _names(rz.read(f"{parts}/{pattern}")) == names


def test_a_file_whose_name_looks_like_a_pattern_is_that_file(tmp_path):
    (tmp_path / "e[1].csv").write_text("source,target\n1,2\n")
    (tmp_path / "e1.csv").write_text("source,target\n3,4\n")
    assert list(rz.read(tmp_path / "e[1].csv").edges) == [(1, 2)]


def test_nothing_to_read_is_refused(tmp_path):
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "_SUCCESS").write_text("")
    with pytest.raises(rz.NotFoundError, match="without a file to read"):
        rz.read(tmp_path / "none")
    with pytest.raises(rz.NotFoundError, match=r"no file matches .*\*\.csv"):
        rz.read(f"{tmp_path}/*.csv")


TABLE = pa.table({"source": [1, 2, 3], "target": [2, 3, 4], "weight": [1.0, 2.0, 3.0], "year": [2020, 2020, 2021]})


@pytest.fixture
def partitioned(tmp_path):
    """Parquet in directories that are called after a column."""
    top = tmp_path / "by-year"
    ds.write_dataset(TABLE, top, format="parquet", partitioning=["year"], partitioning_flavor="hive")
    return top


def test_partitions_are_not_lost_in_silence(partitioned):
    for given in (partitioned, f"{partitioned}/*/*.parquet", f"{partitioned}/**/*.parquet", f"{partitioned}/year=*/*"):
        with pytest.raises(rz.UnsupportedError, match=r"year=2020 .*dataset\('.*by-year', partitioning='hive'\)"):
            rz.read(given)
    assert rz.read(f"{partitioned}/year=2021/*.parquet").num_edges == 1  # named: who asks knows the year


def test_a_dataset_is_a_table(partitioned):
    dataset = ds.dataset(partitioned, partitioning="hive")
    expected = rz.read(TABLE, weights=True, edges="infer")
    for given in (dataset, dataset.scanner()):
        graph = rz.read(given, weights=True, edges="infer")
        assert sorted(pa.table(graph.edges).to_pylist(), key=str) == sorted(
            pa.table(expected.edges).to_pylist(), key=str
        )
    graph = rz.open(None)
    graph.add_edges(dataset.scanner(columns=["source", "target"], filter=ds.field("year") == 2021))
    assert list(graph.edges) == [(3, 4)]


@pytest.mark.parametrize(
    ("log", "package"), [("_delta_log/0.json", "deltalake"), ("metadata/v1.metadata.json", "pyiceberg")]
)
@pytest.mark.parametrize("under", ["", "tables/one"])
def test_a_table_with_a_log_is_not_read_as_its_files(tmp_path, log, package, under):
    top = tmp_path / "lake" / under
    (top / log).parent.mkdir(parents=True)
    (top / log).write_text("{}")
    pq.write_table(TABLE, top / "part-0.parquet")
    with pytest.raises(rz.UnsupportedError, match=f"pip install .?{package}"):
        rz.read(tmp_path / "lake")


def _command(*arguments):
    return subprocess.run([sys.executable, "-m", "rizoma", *map(str, arguments)], capture_output=True, text=True)


def test_the_command_reads_directories_and_patterns(parts, tmp_path):
    for number, given in enumerate([parts, f"{parts}/**/part-*"]):
        assert _command("import", tmp_path / f"{number}.rz", given).returncode == 0
        with rz.open(tmp_path / f"{number}.rz") as graph:
            assert graph.num_edges == 3
    assert "no file matches" in _command("import", tmp_path / "n.rz", f"{tmp_path}/*.none").stderr


def test_tables_of_vertices_may_be_a_directory(tmp_path):
    (tmp_path / "people").mkdir()
    for number, name in enumerate(["ann", "bob"]):
        (tmp_path / "people" / f"{number}.csv").write_text(f"id,age\n{name},{30 + number}\n")
    graph = rz.read(
        pa.table({"source": ["ann"], "target": ["bob"]}), vertex_files=[tmp_path / "people"], vertices={"age": "int64"}
    )
    assert pa.table(graph.vertices).column("age").to_pylist() == [30, 31]
