"""Import by many ranks: real MPI on this machine; the store is that of one process."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
import rizoma as rz
from rizoma import _core
from rizoma.distributed.parallel_import import Piece, _fetched, _SharedStore, shares_of
from rizoma.graph.staging import lock_directory
from rizoma.io.read_options import Inspector, ReadOptions
from rizoma.io.sources import Divisible

MPIEXEC = Path(os.environ.get("RIZOMA_TEST_MPIEXEC", Path(sys.executable).with_name("mpiexec")))
needs_mpi = pytest.mark.skipif(
    not MPIEXEC.exists() and shutil.which("mpiexec") is None, reason="there is no mpiexec (pip install mpich)"
)


def mpi_import(ranks: int, *arguments: object, heartbeat_timeout: int = 300) -> subprocess.CompletedProcess[str]:
    launcher = str(MPIEXEC) if MPIEXEC.exists() else "mpiexec"
    return subprocess.run(
        [launcher, "-n", str(ranks), sys.executable, "-m", "rizoma", "import", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env=os.environ | {"RIZOMA_HEARTBEAT_TIMEOUT": str(heartbeat_timeout)},
    )


def same(one: Path, other: Path) -> None:
    """The same graph, whatever the internal ids are."""
    assert not rz.check(one).findings
    with rz.open(one, mode="read_only") as a, rz.open(other, mode="read_only") as b:
        assert (a.directed, a.ids, a.weights, len(a)) == (b.directed, b.ids, b.weights, len(b))
        assert a.edge_columns == b.edge_columns
        tables = [pa.table(graph.edges) for graph in (a, b)]
        keys = [(name, "ascending") for name in tables[0].schema.names]
        assert tables[0].sort_by(keys).equals(tables[1].sort_by(keys))


@pytest.fixture
def edges() -> pa.Table:
    random = np.random.default_rng(5)
    return pa.table(
        {
            "source": random.integers(0, 5000, 30_000),
            "target": random.integers(0, 5000, 30_000),
            "amount": random.random(30_000),
        }
    )


def parts(table: pa.Table, folder: Path, suffix: str, count: int = 5) -> list[Path]:
    """Write a table to several files; ends that some parts have are of a narrower type."""
    made = []
    for number in range(count):
        part = table.slice(number * len(table) // count, len(table) // count)
        path = folder / f"part-{number}{suffix}"
        if suffix == ".parquet":
            narrow = pa.int32() if number % 2 == 0 and pa.types.is_integer(part["source"].type) else part["source"].type
            pq.write_table(part.set_column(0, "source", part["source"].cast(narrow)), path)
        else:
            with pa.output_stream(str(path), compression="gzip" if suffix.endswith(".gz") else None) as stream:
                pa.csv.write_csv(part, stream)
        made.append(path)
    return made


def test_files_are_shared_out_in_order_by_their_bytes() -> None:
    def numbers(sizes: list[int], ranks: int) -> list[list[int]]:
        return [[piece.file for piece in share] for share in shares_of([[size] for size in sizes], ranks)]

    assert numbers([1, 1, 1, 1], 2) == [[0, 1], [2, 3]]
    assert numbers([10, 1, 1, 1], 2) == [[0], [1, 2, 3]]
    assert numbers([5], 3) == [[], [0], []]
    assert numbers([0, 0], 2) == [[0, 1], []]
    for ranks in (1, 2, 3, 7):
        assert sum(numbers([3, 9, 2, 7, 7, 1], ranks), []) == list(range(6))  # noqa: RUF017


def test_files_of_several_units_are_divided() -> None:
    assert shares_of([[1, 1, 1, 1]], 2) == [[Piece(0, 0, 2)], [Piece(0, 2, 4)]]
    assert shares_of([[4], [2, 2, 2], [1]], 2) == [[Piece(0, 0, 1), Piece(1, 0, 1)], [Piece(1, 1, 3), Piece(2, 0, 1)]]
    for ranks in (1, 2, 3, 7):
        files = [[5, 5], [1], [0, 3, 9, 2], [7]]
        read = [(p.file, unit) for share in shares_of(files, ranks) for p in share for unit in range(p.first, p.end)]
        assert read == [(number, unit) for number, sizes in enumerate(files) for unit in range(len(sizes))]


def test_a_file_whose_header_lies_far_behind_is_not_divided(tmp_path: Path) -> None:
    file, rows = tmp_path / "a.csv", "1,2\n" * 2_000_000
    for comments, units in (("", 4), ("# a comment\n", 4), ("#" + "x" * (3 << 20) + "\n", 1)):
        file.write_text(f"{comments}source,target\n{rows}", encoding="utf-8")
        whole = Inspector(ReadOptions()).at_file(file, ())
        assert isinstance(whole, Divisible)
        assert len(whole.units()) == units


@needs_mpi
@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".csv.gz"])
@pytest.mark.parametrize("options", [["--directed"], ["--directed", "--weight-column", "amount"]])
def test_ranks_make_the_store_of_one_process(edges: pa.Table, tmp_path: Path, suffix: str, options: list[str]) -> None:
    files = parts(edges, tmp_path, suffix)
    ran = mpi_import(3, tmp_path / "ranks.rz", *files, *options)
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr.count("edges") >= 1
    arguments = {"weight": "amount"} if "--weight-column" in options else {}
    rz.read(*files, into=tmp_path / "alone.rz", directed=True, **arguments).close()
    same(tmp_path / "ranks.rz", tmp_path / "alone.rz")
    assert not list(tmp_path.glob(".*"))


@needs_mpi
def test_text_ids_and_columns_come_along(edges: pa.Table, tmp_path: Path) -> None:
    named = edges.set_column(0, "source", pa.array([f"v{v}" for v in edges["source"].to_pylist()]))
    named = named.set_column(1, "target", pa.array([f"v{v}" for v in named["target"].to_pylist()]))
    files = parts(named, tmp_path, ".csv", 4)
    people = tmp_path / "people.csv"
    people.write_text("vertex,name\nv1,Ann\nalone,Bob\n", encoding="utf-8")
    columns = ["--edge-column", "amount:float64", "--vertices", people, "--vertex-column", "name:string"]
    ran = mpi_import(2, tmp_path / "ranks.rz", *files, "--directed", *columns)
    assert ran.returncode == 0, ran.stderr
    options = {"edges": {"amount": "float64"}, "vertices": {"name": "string"}, "vertex_files": [people]}
    rz.read(*files, into=tmp_path / "alone.rz", directed=True, **options).close()
    same(tmp_path / "ranks.rz", tmp_path / "alone.rz")
    with rz.open(tmp_path / "ranks.rz") as graph:
        assert graph.degree("alone") == 0
        vertices = pa.table(graph.vertices)
        names = dict(zip(vertices["vertex"].to_pylist(), vertices["name"].to_pylist(), strict=True))
        assert (names["v1"], names["alone"], names["v2"]) == ("Ann", "Bob", None)


@needs_mpi
def test_a_cluster_reads_files_together(edges: pa.Table, tmp_path: Path) -> None:
    files = parts(edges, tmp_path, ".parquet")
    heard: list[str] = []
    with rz.cluster(2, heartbeat_timeout=300) as cluster:
        tell = lambda phase, done, total: heard.append(phase)  # noqa: E731
        with cluster.read(*files, into=tmp_path / "ranks.rz", weight="amount", progress=tell) as graph:
            assert rz.connected_components(graph).count > 0
        with pytest.raises(rz.NotFoundError, match=r"absent\.parquet: no such file"):
            cluster.read(tmp_path / "absent.parquet", into=tmp_path / "no.rz")
    rz.read(*files, into=tmp_path / "alone.rz", weight="amount").close()
    same(tmp_path / "ranks.rz", tmp_path / "alone.rz")


@needs_mpi
def test_an_error_on_a_rank_leaves_nothing_behind(edges: pa.Table, tmp_path: Path) -> None:
    files = parts(edges, tmp_path, ".csv")
    with files[-1].open("a", encoding="utf-8") as last:
        last.write("1;2\n")
    ran = mpi_import(2, tmp_path / "ranks.rz", *files, "--directed")
    assert ran.returncode != 0
    assert "part-4.csv:" in ran.stderr
    assert not (tmp_path / "ranks.rz").exists()
    assert not list(tmp_path.glob(".*"))


@needs_mpi
@pytest.mark.parametrize("kind", ["snap", "weighted", "mtx", "names", "mixed"])
def test_text_is_read_by_all_ranks(edges: pa.Table, tmp_path: Path, kind: str) -> None:
    """Internal ids are those of one process, too."""
    files = []
    for number in range(5):
        part = edges.slice(number * 6_000, 6_000)
        rows = zip(part["source"].to_pylist(), part["target"].to_pylist(), part["amount"].to_pylist(), strict=True)
        if kind == "names":
            lines = [f"v{u} v{v}" for u, v, _ in rows]
        elif kind == "snap" or (kind == "mixed" and number % 2 == 0):
            lines = [f"{u} {v}" for u, v, _ in rows]
        elif kind == "mtx":
            lines = ["%%MatrixMarket matrix coordinate real general", "5001 5001 6000"]
            lines += [f"{u + 1} {v + 1} {w}" for u, v, w in rows]
        else:
            lines = [f"{u},{v},{w}" for u, v, w in rows]
        suffix = {"mtx": ".mtx", "weighted": ".csv"}.get(kind, ".txt")
        files.append(tmp_path / f"part-{number}{suffix}")
        files[-1].write_text("\n".join(lines) + "\n", encoding="utf-8")
    if kind == "mixed":
        files[1:1] = parts(edges.select([1, 0]).rename_columns(["source", "target"]), tmp_path, ".parquet", 2)
        files = [file for file in files if file.name not in ("part-1.txt", "part-3.txt")]
    options = ["--directed", "--weights", "float64"] if kind == "weighted" else ["--directed"]
    ran = mpi_import(3, tmp_path / "ranks.rz", *files, *options)
    assert ran.returncode == 0, ran.stderr
    weights = {"weights": "float64"} if kind == "weighted" else {}
    with rz.read(*files, into=tmp_path / "alone.rz", directed=True, **weights) as alone:
        ids = rz.pagerank(alone).ids
    same(tmp_path / "ranks.rz", tmp_path / "alone.rz")
    with rz.open(tmp_path / "ranks.rz", mode="read_only") as made:
        np.testing.assert_array_equal(rz.pagerank(made).ids, ids)
    assert not list(tmp_path.glob(".*"))


def one_great_file(folder: Path, kind: str) -> Path:
    """400,000 edges, of some megabytes; rows that name an edge again have another weight."""
    random = np.random.default_rng(6)
    ids = random.integers(10_000_000, 10_030_000, (2, 400_000))
    table = pa.table({"source": ids[0], "target": ids[1], "weight": random.integers(1, 100, 400_000)})
    if kind == "parquet":
        pq.write_table(table, folder / "great.parquet", row_group_size=30_000)
        return folder / "great.parquet"
    path = folder / ("great.csv" if kind == "csv" else "great.el")
    with pa.output_stream(str(path)) as stream:
        options = pa.csv.WriteOptions(include_header=kind == "csv", delimiter="," if kind == "csv" else " ")
        pa.csv.write_csv(table, stream, options)
    return path


@needs_mpi
@pytest.mark.parametrize("kind", ["text", "csv", "parquet"])
def test_one_great_file_is_read_by_all_ranks(tmp_path: Path, kind: str) -> None:
    """Internal ids and weights are those of one process, too."""
    file = one_great_file(tmp_path, kind)
    ran = mpi_import(3, tmp_path / "ranks.rz", file, "--directed", "--weights", "int32", "--order", "given")
    assert ran.returncode == 0, ran.stderr
    with rz.read(file, into=tmp_path / "alone.rz", directed=True, weights="int32", order="given") as alone:
        ids, said = alone.degrees().ids, alone.last_import.lines()
    merged = said[-1].partition(";")[0]  # the rest speaks of arguments, and there of options
    assert " ".join(merged.split()) in " ".join(ran.stderr.split())
    same(tmp_path / "ranks.rz", tmp_path / "alone.rz")
    with rz.open(tmp_path / "ranks.rz", mode="read_only") as made:
        np.testing.assert_array_equal(made.degrees().ids, ids)
    assert not list(tmp_path.glob(".*"))


def inner_form(store: Path) -> dict[str, object]:
    """What internal ids, lists and the order of a store are."""
    with rz.open(store, mode="read_only") as graph:
        found = pa.table(graph.edges)
        ids = graph.degrees().ids.tolist()
        return {"ids": ids, "order": graph.info().order, "edges": found}


@needs_mpi
@pytest.mark.parametrize("weights", [None, "int32", "float64"])
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_owners_build_the_sections_of_one_process(
    tmp_path: Path, kind: str, directed: bool, weights: str | None
) -> None:
    """Parallel edges and loops; ids are strings where there are weights of 32 bits."""
    random = np.random.default_rng(7)
    names = random.integers(0, 3000, (2, 60_000))
    names[0][:500] = names[1][:500]
    ids = [[f"n{v}" for v in column] if weights == "int32" else column for column in names]
    table = pa.table({"source": ids[0], "target": ids[1], "weight": random.integers(1, 9, 60_000)})
    files = []
    for number in range(4):
        part = table.slice(number * 15_000, 15_000)
        files.append(tmp_path / f"{number}.{kind}")
        pq.write_table(part, files[-1]) if kind == "parquet" else pa.csv.write_csv(part, files[-1])
    more: dict[str, Any] = {"weights": weights or False, "directed": directed}
    options = ["--weights", weights or "none", "--directed" if directed else "--undirected"]
    if weights == "float64":
        more |= {"parallel_edges": "keep", "self_loops": "drop"}
        options += ["--parallel-edges", "keep", "--self-loops", "drop"]
    ran = mpi_import(3, tmp_path / "ranks.rz", *files, *options)
    assert ran.returncode == 0, ran.stderr
    rz.read(*files, into=tmp_path / "alone.rz", **more).close()
    assert not rz.check(tmp_path / "ranks.rz").findings
    assert inner_form(tmp_path / "ranks.rz") == inner_form(tmp_path / "alone.rz")


@needs_mpi
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("rule", ["sum", "min", "max", "first", "last"])
def test_ranks_combine_parallel_edges_as_one_process_does(rule: str, directed: bool, tmp_path: Path) -> None:
    """The weight alone, which the ranks combine each in its own sections, and beside it a column."""
    random = np.random.default_rng(8)
    values = {name: random.integers(0, 40, 30_000) for name in ("source", "target", "weight", "amount")}
    table, files = pa.table(values), []
    for number in range(4):
        files.append(tmp_path / f"{number}.parquet")
        pq.write_table(table.slice(number * 7_500, 7_500), files[-1])
    options = ["--weights", "int32", "--directed" if directed else "--undirected", "--parallel-edges", rule]
    for columns in ({}, {"amount": "int64"}):
        more = [part for name, kind in columns.items() for part in ("--edge-column", f"{name}:{kind}")]
        made, alone = tmp_path / f"ranks{len(columns)}.rz", tmp_path / f"alone{len(columns)}.rz"
        ran = mpi_import(3, made, *files, *options, *more)
        assert ran.returncode == 0, ran.stderr
        how: dict[str, Any] = {"weights": "int32", "directed": directed, "parallel_edges": rule}
        rz.read(*files, into=alone, edges=columns or None, **how).close()
        assert not rz.check(made).findings
        with rz.open(made) as found, rz.open(alone) as expected:
            keys = [("source", "ascending"), ("target", "ascending")]
            assert found.edges.to_arrow().sort_by(keys) == expected.edges.to_arrow().sort_by(keys)
            assert found.info().parallel_edges == expected.info().parallel_edges


@needs_mpi
def test_what_the_first_rank_builds_alone(edges: pa.Table, tmp_path: Path) -> None:
    files = parts(edges, tmp_path, ".csv")
    assert mpi_import(2, tmp_path / "near.rz", *files, "--order", "locality").returncode == 0
    rz.open(tmp_path / "empty.rz", directed=True, self_loops="drop").close()
    assert mpi_import(2, tmp_path / "empty.rz", *files, "--directed").returncode == 0
    rz.read(*files, into=tmp_path / "alone.rz", directed=True, self_loops="drop").close()
    same(tmp_path / "empty.rz", tmp_path / "alone.rz")
    rz.read(*files, into=tmp_path / "order.rz", order="locality").close()
    assert inner_form(tmp_path / "near.rz") == inner_form(tmp_path / "order.rz")


def rank_process(number: int, store: Path) -> int:
    """The process of a rank that imports into a store; 0: there is none."""
    for place in Path("/proc").iterdir():
        try:
            ours = place.name.isdigit() and str(store).encode() in (place / "cmdline").read_bytes()
            if ours and f"PMI_RANK={number}".encode() in (place / "environ").read_bytes().split(b"\0"):
                return int(place.name)
        except OSError:
            continue
    return 0


@needs_mpi
@pytest.mark.parametrize("written", ["1.edges", "1.share", "1.totals"])
def test_a_rank_that_is_killed_leaves_no_store(tmp_path: Path, written: str) -> None:
    file = one_great_file(tmp_path, "text")
    store, folder = tmp_path / "ranks.rz", tmp_path / ".ranks.rz.shares"
    killed = []

    def kill() -> None:
        while not killed:
            if (folder / written).exists():
                number = 0 if written == "1.totals" else 1
                killed.append(rank_process(number, store))
                if killed[0]:
                    os.kill(killed[0], signal.SIGKILL)
            time.sleep(0.0005)

    watch = threading.Thread(target=kill, daemon=True)
    watch.start()
    ran = mpi_import(2, store, file, "--directed", "--ids", "integer", heartbeat_timeout=5)
    killed.append(0)
    watch.join()
    if ran.returncode == 0:  # it was done before
        assert not rz.check(store).findings
        return
    assert not store.exists()
    again = mpi_import(2, store, file, "--directed", "--ids", "integer")
    assert again.returncode == 0, again.stderr
    rz.read(file, into=tmp_path / "alone.rz", directed=True, ids="integer").close()
    same(store, tmp_path / "alone.rz")
    assert not list(tmp_path.glob(".*"))


@needs_mpi
def test_a_malformed_line_of_a_great_file_is_named_and_counted(tmp_path: Path) -> None:
    file = one_great_file(tmp_path, "text")
    lines = file.read_text(encoding="utf-8").splitlines()
    for wrong in (100, 350_000, 399_999):
        lines[wrong] = "what is this"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    alone, ranks = tmp_path / "alone.rz", tmp_path / "ranks.rz"
    skip = ["--skip-bad-lines", 3]
    assert mpi_import(3, ranks, file, "--directed", *skip, "--ids", "integer").returncode == 0
    rz.read(file, into=alone, directed=True, skip_bad_lines=3, ids="integer").close()
    same(ranks, alone)
    ran = mpi_import(3, tmp_path / "no.rz", file, "--skip-bad-lines", 2, "--ids", "integer")
    assert ran.returncode != 0
    said = "".join(ran.stderr.split())
    assert "morethanthe2malformedlines" in said
    assert "great.el:101:1:" in said
    lines[100] = "1 2 3"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    ran = mpi_import(3, tmp_path / "no.rz", file, "--ids", "integer")
    assert ran.returncode != 0
    assert "great.el:350001:1:" in "".join(ran.stderr.split())
    assert not (tmp_path / "no.rz").exists()


@needs_mpi
def test_more_ranks_than_lines_and_empty_files(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("empty.el", "one.el", "none.parquet")]
    files[0].touch()
    files[1].write_text("1 2\n", encoding="utf-8")
    pq.write_table(pa.table({"source": pa.array([], pa.int64()), "target": pa.array([], pa.int64())}), files[2])
    ran = mpi_import(4, tmp_path / "ranks.rz", *files)
    assert ran.returncode == 0, ran.stderr
    rz.read(*files, into=tmp_path / "alone.rz").close()
    same(tmp_path / "ranks.rz", tmp_path / "alone.rz")


class OneOfThree:
    """Stands for a rank in what needs no others."""

    size, well = 3, True

    def __init__(self, rank: int) -> None:
        self.rank = rank

    def finalize(self, why: str = "") -> None:
        assert not why


def test_ranks_of_a_machine_divide_its_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def take(sharing: int, limit: int | None) -> None:
        monkeypatch.setenv("MPI_LOCALNRANKS", str(sharing))
        with rz.open(None) as graph:
            share = _SharedStore(cast(Any, OneOfThree(1)), graph, tmp_path, "auto", limit, "dense")
            vertices = _core.VertexBatch()
            vertices.add_integers(np.array([1_000_000]))
            share.load.add_vertices(vertices)

    take(1, None)
    with pytest.raises(rz.OutOfMemoryError, match="memory limit is too small"):
        take(1_000_000, None)
    take(1_000_000, 1 << 30)


def test_rows_of_row_groups_are_numbered_as_in_the_file(tmp_path: Path) -> None:
    ends = pa.array(range(100))
    path = tmp_path / "a.parquet"
    pq.write_table(
        pa.table({"source": ends, "target": ends.take(pa.array([*range(77), None, *range(78, 100)]))}),
        path,
        row_group_size=30,
    )
    whole = cast(Divisible, Inspector(ReadOptions(ids="integer")).at_file(path, ()))
    for file in (whole, whole.only(1, 4), whole.only(2, 3)):
        with pytest.raises(rz.InvalidArgumentError, match=r"a\.parquet: .*'target' has no vertex id in row 77 "):
            list(cast(Any, file)._source().chunks)


def test_each_url_is_fetched_by_one_rank(tmp_path: Path) -> None:
    far = pytest.importorskip("fsspec").filesystem("memory")
    urls = []
    for number in range(5):
        far.pipe(f"/far/{number}.csv", b"a,b\n")
        urls.append(f"memory://far/{number}.csv")
    here = tmp_path / "here.csv"
    brought = []
    for rank in range(3):
        (tmp_path / str(rank)).mkdir()
        paths = _fetched(cast(Any, OneOfThree(rank)), [*urls[:2], here, *urls[2:]], tmp_path / str(rank))
        assert paths[2] == here
        assert [path.name for path in paths[3:]] == ["3.fetched.2.csv", "4.fetched.3.csv", "5.fetched.4.csv"]
        brought += sorted(path.name for path in (tmp_path / str(rank)).iterdir())
    assert brought == ["0.fetched.0.csv", "4.fetched.3.csv", "1.fetched.1.csv", "5.fetched.4.csv", "3.fetched.2.csv"]
    far.rm("/far", recursive=True)


@needs_mpi
def test_ranks_read_no_pipes(edges: pa.Table, tmp_path: Path) -> None:
    """Each would wait for what another has read."""
    (file,) = parts(edges, tmp_path, ".csv", 1)
    os.mkfifo(tmp_path / "pipe")
    for given, told in ((["-"], "standard input"), ([file, "--vertices", tmp_path / "pipe"], "the pipe")):
        ran = mpi_import(2, tmp_path / "no.rz", *given)
        assert ran.returncode != 0
        assert f"several ranks cannot read {told}" in " ".join(ran.stderr.split())
    assert not (tmp_path / "no.rz").exists()


@needs_mpi
def test_ranks_read_what_urls_name(edges: pa.Table, tmp_path: Path) -> None:
    pytest.importorskip("fsspec")
    (tmp_path / "far").mkdir()
    files = parts(edges, tmp_path / "far", ".csv", 3)
    urls = [f"local://{files[0]}", f"file://{files[1]}", f"local://{files[2]}"]
    ran = mpi_import(2, tmp_path / "ranks.rz", *urls, "--directed")
    assert ran.returncode == 0, ran.stderr
    assert f"local://{files[0]}" in "".join(ran.stderr.split())
    rz.read(*files, into=tmp_path / "alone.rz", directed=True).close()
    same(tmp_path / "ranks.rz", tmp_path / "alone.rz")
    assert not list(tmp_path.glob(".*"))
    ran = mpi_import(2, tmp_path / "no.rz", f"local://{tmp_path}/absent.csv")
    assert ran.returncode != 0
    assert "there is no file local://" in " ".join(ran.stderr.split())
    assert not list(tmp_path.glob(".*"))


@needs_mpi
def test_wrong_options_are_refused_before_anything_is_read(edges: pa.Table, tmp_path: Path) -> None:
    files = parts(edges, tmp_path, ".csv")
    with files[-1].open("a", encoding="utf-8") as last:
        last.write("1;2\n")
    for wrong in (["--order", "sideways"], ["--parallel-edges", "twice"], ["--edge-column", "amount:colour"]):
        ran = mpi_import(2, tmp_path / "ranks.rz", *files, *wrong)
        assert ran.returncode != 0
        assert "part-4" not in ran.stderr, wrong
        assert wrong[1].rpartition(":")[2] in ran.stderr


@needs_mpi
def test_locations_that_cannot_be_used_are_refused_before_anything_is_read(edges: pa.Table, tmp_path: Path) -> None:
    files = parts(edges, tmp_path, ".csv")
    good = mpi_import(2, tmp_path / "ranks.rz", *files, *spread(tmp_path, "x", "y"))
    assert good.returncode == 0, good.stderr
    with files[-1].open("a", encoding="utf-8") as last:
        last.write("1;2\n")
    (tmp_path / "file").touch()
    for wrong, why in ((tmp_path / "absent", "absent: No such file"), (tmp_path / "file", "file: Not a directory")):
        ran = mpi_import(2, tmp_path / "other.rz", *files, *spread(tmp_path, "x"), "--location", wrong)
        assert ran.returncode != 0
        assert "part-4" not in ran.stderr
        assert why in " ".join(ran.stderr.split()).replace("- ", "-")
    (tmp_path / "x" / "other.rz").mkdir()
    (tmp_path / "x" / "other.rz" / "letter").touch()
    ran = mpi_import(2, tmp_path / "other.rz", *files, *spread(tmp_path, "x"))
    assert ran.returncode != 0
    assert "name another directory as a location" in " ".join(ran.stderr.split())
    assert sorted(os.listdir(tmp_path / "x")) == ["other.rz", "ranks.rz"]


def spread(folder: Path, *names: str) -> list[object]:
    options: list[object] = []
    for name in names:
        (folder / name).mkdir(exist_ok=True)
        options += ["--location", folder / name]
    return options


@needs_mpi
def test_what_killed_imports_of_other_stores_left_is_removed(tmp_path: Path) -> None:
    (tmp_path / "a.el").write_text("1 2\n2 3\n", encoding="utf-8")
    left, mine, young = (tmp_path / f".{name}.rz.shares" for name in ("left", "mine", "young"))
    for folder in (left, mine, young):
        folder.mkdir()
        (folder / "0.spool").touch()
    (mine / "notes.txt").touch()
    for folder in (left, mine):
        os.utime(folder, (0, 0))
    held = lock_directory(young)
    assert held is not None
    assert mpi_import(2, tmp_path / "s.rz", tmp_path / "a.el", tmp_path / "a.el").returncode == 0
    assert not left.exists()
    assert (mine / "0.spool").exists(), "it holds what no import has written"
    assert (young / "0.spool").exists(), "another import is under way"
    os.close(held)


@needs_mpi
def test_a_format_with_vertices_apart_is_read_by_the_first_rank(tmp_path: Path) -> None:
    with rz.read([("a", "b"), ("b", "c")]) as graph:
        graph.export(tmp_path / "small.gml")
    ran = mpi_import(2, tmp_path / "ranks.rz", tmp_path / "small.gml")
    assert ran.returncode == 0, ran.stderr
    with rz.open(tmp_path / "ranks.rz") as graph:
        assert len(graph) == 3


@needs_mpi
def test_a_folder_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "a.el").write_text("1 2\n2 3\n", encoding="utf-8")
    folder = tmp_path / ".s.rz.shares"
    folder.mkdir()
    (folder / "0.spool").touch()
    (folder / "notes.txt").write_text("precious", encoding="utf-8")
    ran = mpi_import(2, tmp_path / "s.rz", tmp_path / "a.el", tmp_path / "a.el")
    assert ran.returncode != 0
    assert "notes.txt, which does not belong to an import by ranks" in ran.stderr
    assert (folder / "notes.txt").read_text(encoding="utf-8") == "precious"
    (folder / "notes.txt").unlink()
    assert mpi_import(2, tmp_path / "s.rz", tmp_path / "a.el", tmp_path / "a.el").returncode == 0
    assert not folder.exists()
