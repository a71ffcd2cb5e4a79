"""Directories, patterns and datasets as one source."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
import rizoma as rz
from rizoma.io import scans


@pytest.fixture
def parts(tmp_path):
    """A directory as jobs leave it: parts in several places, and files that are not one of the data."""
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


def _rows(graph):
    return sorted((tuple(row.values()) for row in graph.edges.to_arrow().select(NAMES).to_pylist()), key=str)


NAMES = ["source", "target", "weight", "year"]
WITH_YEAR = {"weights": True, "edges": {"year": "int64"}}


def test_partitions_are_columns(partitioned, tmp_path):
    graph = rz.read(partitioned, into=tmp_path / "g.rz", **WITH_YEAR)
    assert _rows(graph) == [tuple(row.values()) for row in TABLE.to_pylist()]
    assert graph.last_import.files[0].format == "partitioned parquet"
    assert rz.read(partitioned).num_edges == 3
    assert rz.read(f"{partitioned}/year=2021/*.parquet").num_edges == 1  # named: who asks knows the year
    for pattern in ("*/*.parquet", "**/*.parquet", "year=*/*"):
        with pytest.raises(rz.UnsupportedError, match=r"read the directory .*by-year"):
            rz.read(f"{partitioned}/{pattern}")


@pytest.mark.parametrize(
    ("values", "kind"),
    [(["1", "2"], "int64"), (["007", "8"], "string"), (["a b", "c/d"], "string"), (["-1", "x"], "string")],
)
def test_values_of_partitions_stand_as_they_are_written(tmp_path, values, kind):
    table = pa.table({"source": ["a", "b"], "target": ["b", "c"], "of": values})
    ds.write_dataset(table, tmp_path / "d", format="parquet", partitioning=["of"], partitioning_flavor="hive")
    graph = rz.read(tmp_path / "d", edges="infer")
    assert graph.edge_columns == {"of": kind}
    assert sorted(map(str, pa.table(graph.edges)["of"].to_pylist())) == sorted(values)


def test_partitions_of_other_files_are_refused(tmp_path):
    (tmp_path / "d" / "year=2020").mkdir(parents=True)
    (tmp_path / "d" / "year=2020" / "e.csv").write_text("source,target\n1,2\n")
    with pytest.raises(rz.UnsupportedError, match=r"e\.csv is none"):
        rz.read(tmp_path / "d")


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (TABLE.drop(["weight"]), "'weight'"),
        (TABLE.append_column("more", [[1, 2, 3]]), "'more'"),
        (TABLE.set_column(0, "source", [["a", "b", "c"]]), "text"),
    ],
)
@pytest.mark.parametrize("in_partitions", [False, True])
def test_files_of_two_tables_are_refused(tmp_path, other, said, in_partitions):
    places = [tmp_path / "d" / f"part={number}" if in_partitions else tmp_path / "d" for number in range(2)]
    for number, (place, table) in enumerate(zip(places, [TABLE, other], strict=True)):
        place.mkdir(parents=True, exist_ok=True)
        pq.write_table(table, place / f"{number}.parquet")
    with pytest.raises(rz.ParseError, match=r"(?s)(0\.parquet.*1\.parquet|1\.parquet.*0\.parquet)") as told:
        rz.read(tmp_path / "d")
    assert said in str(told.value)
    if not in_partitions and said == "'more'":
        assert rz.read(tmp_path / "d", source="source", target="target").num_edges == 3


PREDICATES = [
    "year = 2021",
    "weight >= 2",
    "year = 2020 or target = 4",
    "year in (2020, 7) and weight < 1.5",
    "2021 <= year",
    "target > source and not year = 2020",
    "year between 2021 and 2022 and weight is not null",
]


@pytest.mark.parametrize("predicate", PREDICATES)
def test_a_predicate_keeps_the_same_rows_of_every_source(partitioned, tmp_path, predicate):
    pq.write_table(TABLE, tmp_path / "t.parquet", row_group_size=1)
    (tmp_path / "t.ndjson").write_text("\n".join(json.dumps(row) for row in TABLE.to_pylist()))
    expected = _rows(rz.read(TABLE, directed=True, **WITH_YEAR).where(edges=predicate))
    dataset = ds.dataset(partitioned, partitioning="hive")
    sources = [partitioned, tmp_path / "t.parquet", tmp_path / "t.ndjson", TABLE, TABLE.to_pydict(), dataset]
    for given in sources:
        assert _rows(rz.read(given, where=predicate, directed=True, **WITH_YEAR)) == expected
        graph = rz.read(given, where=predicate)
        assert graph.num_edges == len(expected)
        assert predicate in str(graph.last_import)


def test_a_predicate_that_cannot_be_read_is_refused(partitioned, tmp_path):
    (tmp_path / "e.csv").write_text("source,target,year\n1,2,2020\n")
    for given in (partitioned, TABLE):
        with pytest.raises(rz.RizomaError, match="yaer"):
            rz.read(given, where="yaer = 2020")
    for given in (tmp_path / "e.csv", [(1, 2)], rz.read(TABLE)):
        with pytest.raises(rz.InvalidArgumentError, match="where= is for"):
            rz.read(given, where="year = 2020")


def test_only_the_columns_that_are_used_are_scanned(tmp_path, monkeypatch):
    pq.write_table(TABLE.append_column("big", [["x" * 100] * 3]), tmp_path / "t.parquet")
    seen = []
    whole = scans.ParquetScan.batches
    monkeypatch.setattr(
        scans.ParquetScan,
        "batches",
        lambda self, wanted: seen.append(list(wanted.columns)) or whole(self, wanted),
    )
    rz.read(tmp_path / "t.parquet", where="year = 2020", edges={"weight": "float64"})
    assert seen[1:]  # the first is the sample
    assert all(set(columns) == {"source", "target", "weight", "year"} for columns in seen[1:])


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


def _delta(place):
    deltalake = pytest.importorskip("deltalake", reason="deltalake is not installed")
    deltalake.write_deltalake(place, TABLE, partition_by=["year"])
    deltalake.write_deltalake(place, TABLE.slice(0, 1), mode="append")
    deltalake.DeltaTable(place).delete("source = 1")
    return deltalake.DeltaTable(place)


def _iceberg(place):
    pytest.importorskip("pyiceberg", reason="pyiceberg is not installed")
    pytest.importorskip("sqlalchemy", reason="pyiceberg has no catalog without SQLAlchemy")
    from pyiceberg.catalog.sql import SqlCatalog

    place.parent.mkdir()
    catalog = SqlCatalog("of", uri=f"sqlite:///{place.parents[1]}/catalog.db", warehouse=f"file://{place.parents[1]}")
    catalog.create_namespace("n")
    table = catalog.create_table("n.t", TABLE.schema, location=f"file://{place}")
    table.append(TABLE)
    table.append(TABLE.slice(0, 1))
    table.delete("source = 1")
    return table


@pytest.mark.parametrize("make", [_delta, _iceberg])
def test_a_table_with_a_log_is_its_last_state(tmp_path, make):
    table = make(tmp_path / "lake" / "one")
    expected = [tuple(row.values()) for row in TABLE.slice(1).to_pylist()]
    for given in (tmp_path / "lake" / "one", tmp_path / "lake", table):
        assert _rows(rz.read(given, **WITH_YEAR)) == expected
        assert _rows(rz.read(given, where="year = 2021", **WITH_YEAR)) == expected[1:]


@pytest.mark.parametrize(
    ("log", "package"), [("_delta_log/0.json", "deltalake"), ("metadata/v1.metadata.json", "pyiceberg")]
)
@pytest.mark.parametrize("under", ["", "tables/one"])
def test_a_table_with_a_log_is_not_read_as_its_files(tmp_path, monkeypatch, log, package, under):
    for name in (package, f"{package}.table"):
        monkeypatch.setitem(sys.modules, name, None)
    top = tmp_path / "lake" / under
    (top / log).parent.mkdir(parents=True)
    (top / log).write_text("{}")
    pq.write_table(TABLE, top / "part-0.parquet")
    with pytest.raises(rz.UnsupportedError, match=f"pip install rizoma.lake. .or .?{package}"):
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


def test_ranks_divide_a_directory(partitioned, tmp_path):
    alone = rz.read(partitioned, **WITH_YEAR)
    with rz.cluster(2) as ranks:
        kept = ranks.read(partitioned, into=tmp_path / "kept.rz", **WITH_YEAR)
        plain = ranks.read(partitioned, into=tmp_path / "plain.rz", where="year = 2020")
        assert _rows(kept) == _rows(alone)
        assert plain.num_edges == 2
    done = _command("import", tmp_path / "one.rz", partitioned, "--where", "year = 2020")
    assert "2 edges" in done.stderr
    assert "year = 2020" in done.stderr
