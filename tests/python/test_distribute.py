"""Parts of a graph in directories of their own: how they are made, refreshed, refused, and read by ranks."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import rizoma as rz
from rizoma import _core
from rizoma.core.engines import engine
from rizoma.core.errors import (
    AlreadyExistsError,
    ClusterError,
    CorruptError,
    InvalidArgumentError,
    LockedError,
    UnsupportedError,
)
from rizoma.distributed import distribute as distribution

MPIEXEC = Path(os.environ.get("RIZOMA_TEST_MPIEXEC", Path(sys.executable).with_name("mpiexec")))
HEARTBEAT_TIMEOUT = 300.0  # seconds: ranks may be more than processors, and those be busy otherwise
needs_mpi = pytest.mark.skipif(
    not MPIEXEC.exists() and shutil.which("mpiexec") is None, reason="there is no mpiexec (pip install mpich)"
)


def skewed(path: Path, seed: int, *, directed: bool = False, weights: bool = False) -> Path:
    """A graph of many sections, with string ids."""
    random = np.random.default_rng(seed)
    sources = (random.pareto(1.0, 150_000) * 1000).astype(np.int64) % 100_000
    targets = random.integers(0, 100_000, 150_000)
    columns = {"source": [f"v{s}" for s in sources], "target": [f"v{t}" for t in targets]}
    table = pa.table(columns | ({"weight": random.random(150_000)} if weights else {}))
    with rz.read(table, into=path, directed=directed, weights=weights) as graph:
        assert len(graph.snapshot()._native.sections()[0]) > 5
    return path


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return skewed(tmp_path / "g.rz", 1, directed=True)


def parts_of(folder: Path, count: int) -> list[Path]:
    return [folder / f"part-{number}" for number in range(count)]


def contents(place: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in place.iterdir()}


def allocated(path: Path) -> int:
    return path.stat().st_blocks * 512


def test_a_part_has_its_own_sections_and_the_heads_of_others(store: Path, tmp_path: Path) -> None:
    places = parts_of(tmp_path, 3)
    made = rz.distribute(store, *places)
    assert [part.place for part in made] == [str(place) for place in places]
    assert all(part.sent == part.bytes > 0 for part in made)
    for place in places:
        assert (place / "data").stat().st_size == (store / "data").stat().st_size
    assert sum(allocated(place / "data") for place in places) < 0.85 * 3 * allocated(store / "data")
    assert not [each for each in tmp_path.iterdir() if each.name.startswith(".")]


def test_a_second_run_copies_what_has_changed(store: Path, tmp_path: Path) -> None:
    places = parts_of(tmp_path, 2)
    first = rz.distribute(store, *places)
    assert [part.sent for part in rz.distribute(store, *places)] == [0, 0]
    with rz.open(store) as graph:
        graph.add_edges([("v1", "v2"), ("v1", "v3"), ("v1", "v4")])
    again = rz.distribute(store, *places)
    assert all(0 < part.sent < whole.bytes / 2 for part, whole in zip(again, first, strict=True))
    assert [part.sent for part in rz.distribute(store, *places)] == [0, 0]


def test_a_damaged_part_is_mended(store: Path, tmp_path: Path) -> None:
    (place,) = parts_of(tmp_path, 1)
    rz.distribute(store, place)
    good = (place / "data").read_bytes()
    at = next(at for at in range(len(good) - 1, 0, -1) if good[at])
    with open(place / "data", "r+b") as data:
        data.seek(at)
        data.write(bytes([good[at] ^ 1]))
    (mended,) = rz.distribute(store, place)
    assert 0 < mended.sent < mended.bytes
    assert (place / "data").read_bytes() == good


@pytest.mark.parametrize("step", ["fsync", "rename"])
def test_a_crash_leaves_the_former_part_or_none(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    (place,) = parts_of(tmp_path, 1)
    rz.distribute(store, place)
    former = contents(place)
    with rz.open(store) as graph:
        graph.add_edges([("v1", "v2"), ("v1", "v3"), ("v1", "v4")])
        graph.compact()
    rz.distribute(store, tmp_path / "other")
    latter = contents(tmp_path / "other")
    where, name = (distribution.os, "fsync") if step == "fsync" else (Path, "rename")
    real, remove = getattr(where, name), shutil.rmtree
    for crash_at in range(100):
        left = [crash_at]  # steps before the crash

        def dies(*args: object, left: list[int] = left) -> object:
            left[0] -= 1
            if left[0] < 0:
                raise KeyboardInterrupt
            return real(*args)

        def leaves(*args: object, left: list[int] = left, **options: object) -> None:
            if left[0] >= 0:  # who has died removes nothing
                remove(*args, **options)  # type: ignore[arg-type]

        with monkeypatch.context() as patch:
            patch.setattr(where, name, dies)
            patch.setattr(shutil, "rmtree", leaves)
            try:
                rz.distribute(store, place)
            except KeyboardInterrupt:
                pass
            else:
                break
        if place.exists():
            found = contents(place)
            assert found in (former, latter)
            if found == latter:
                break
    assert crash_at > 1
    assert [part.sent for part in rz.distribute(store, place)] == [0]
    assert contents(place) == latter
    assert not [each for each in tmp_path.iterdir() if each.name.startswith(".")]


def test_what_is_no_part_is_left_alone(store: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter").write_text("dear")
    with pytest.raises(AlreadyExistsError, match="holds files that are not a part of a graph"):
        rz.distribute(store, tmp_path / "mine")
    with pytest.raises(AlreadyExistsError, match="holds files that are not"):
        rz.distribute(store, store)
    with pytest.raises(InvalidArgumentError, match="named twice"):
        rz.distribute(store, tmp_path / "a", tmp_path / "a")
    with pytest.raises(InvalidArgumentError, match="named twice"):
        rz.distribute(store, tmp_path / "a", tmp_path / "mine" / ".." / "a")
    with pytest.raises(InvalidArgumentError, match="names no host"):
        rz.distribute(store, "-oProxyCommand=touch there:a")
    with pytest.raises(InvalidArgumentError, match="name one for each rank"):
        rz.distribute(store)
    with pytest.raises(InvalidArgumentError, match="one of chunk, halves, round_robin"):
        rz.distribute(store, tmp_path / "a", partition="interleave")


def test_places_where_no_part_can_be_say_why(store: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("dear")
    with pytest.raises(AlreadyExistsError, match="file is a file; give the path of a directory"):
        rz.distribute(store, tmp_path / "file")
    with pytest.raises(InvalidArgumentError, match="proc is a mount point"):
        rz.distribute(store, "/proc")
    with pytest.raises(rz.StorageError, match="cannot write /proc/a"):
        rz.distribute(store, "/proc/a")
    with pytest.raises(rz.StorageError, match=r"cannot write .*below"):
        rz.distribute(store, tmp_path / "file" / "below")
    with pytest.raises(InvalidArgumentError, match=r"\{rank\} is for opening parts"):
        rz.distribute(store, tmp_path / "{rank}")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter").write_text("dear")
    with pytest.raises(AlreadyExistsError, match="holds files that are not"):
        rz.distribute(store, tmp_path / "mine")
    assert (tmp_path / "file").read_text() == "dear"
    assert not [each for each in tmp_path.iterdir() if each.name.startswith(".")], "nothing of a part stays"


def test_changes_of_a_writer_are_not_left_out(store: Path, tmp_path: Path) -> None:
    rz.distribute(store, tmp_path / "a")
    with rz.open(store) as graph:
        order = graph.info().order
        rz.distribute(store, tmp_path / "a")  # nothing waits: it may stay open
        graph.add_edges([("v1", "v2"), ("v1", "v3")])
        with pytest.raises(LockedError):
            rz.distribute(store, tmp_path / "a")
        graph.compact()
        rz.distribute(store, tmp_path / "a")
        graph.add_edges([("v1", "new")])
    rz.distribute(store, tmp_path / "a")
    with rz.open(store, mode="read_only") as graph:
        assert "new" in graph
        assert graph.info().order == order


def with_columns(path: Path, *, directed: bool, locations: Sequence[Path] = ()) -> Path:
    """A graph whose edges have an amount, a note that some lack, and an hour; sources of the second half come later."""
    random = np.random.default_rng(7)
    kinds = {"amount": "float64", "note": "string", "hour": "int16"}
    options = {"directed": directed, "edges": kinds, "ids": "integer"}
    with rz.open(path, locations=locations, **options) as graph:  # type: ignore[arg-type]
        for half in range(2):
            sources = (random.pareto(1.0, 30_000) * 300).astype(np.int64) % 20_000 + half * 20_000
            targets = random.integers(0, 40_000, 30_000)
            amounts = random.integers(1, 1000, 30_000) / 8  # sums are exact
            notes = [None if amount < 3 else f"note {amount:.0f}" for amount in amounts]
            columns = {"source": sources, "target": targets, "amount": amounts, "note": notes}
            graph.add_edges(pa.table(columns | {"hour": random.integers(0, 24, 30_000).astype(np.int16)}))
            graph.compact()
    return path


def expect_same_on_ranks(store: Path, folder: Path, count: int) -> None:
    """Kernels by columns, and on what conditions over columns keep, find on parts what they find on one machine."""
    with (
        rz.open(store, mode="read_only") as alone,
        rz.cluster(count, heartbeat_timeout=HEARTBEAT_TIMEOUT) as cluster,
        cluster.open(store, parts=folder / "part-{rank}") as graph,
    ):
        source = rz.pagerank(alone).top(1)[0][0]
        found = rz.sssp(graph, source, weight="amount").to_numpy()
        np.testing.assert_array_equal(found, rz.sssp(alone, source, weight="amount").to_numpy())
        for condition in ("amount > 60", "hour < 3 or note == 'note 20'", "amount > 1e9"):
            here, there = alone.where(edges=condition), graph.where(edges=condition)
            for kernel in (rz.connected_components, rz.triangle_count, rz.core_number):
                np.testing.assert_array_equal(kernel(there).to_numpy(), kernel(here).to_numpy())
            np.testing.assert_array_equal(rz.bfs(there, source).levels, rz.bfs(here, source).levels)
            for weight in ("amount", "hour", None):
                found = rz.pagerank(there, weight=weight, tol=1e-9).to_numpy()
                np.testing.assert_allclose(found, rz.pagerank(here, weight=weight, tol=1e-9).to_numpy(), rtol=1e-9)
        here, there = (each.where(edges="amount > 20").where(edges="hour > 4") for each in (alone, graph))
        found = rz.sssp(there, source, weight="amount").to_numpy()
        np.testing.assert_array_equal(found, rz.sssp(here, source, weight="amount").to_numpy())
        np.testing.assert_array_equal(there.degrees().to_numpy(), here.degrees().to_numpy())


@needs_mpi
@pytest.mark.parametrize(("directed", "count", "partition"), [(True, 3, "chunk"), (False, 2, "round_robin")])
def test_columns_of_edges_are_where_the_edges_are(tmp_path: Path, directed: bool, count: int, partition: str) -> None:
    store = with_columns(tmp_path / "g.rz", directed=directed)
    rz.distribute(store, *parts_of(tmp_path, count), partition=partition)
    expect_same_on_ranks(store, tmp_path, count)


@needs_mpi
def test_several_locations_become_one_directory_a_part(tmp_path: Path) -> None:
    for name in ("x", "y"):
        (tmp_path / name).mkdir()
    store = with_columns(tmp_path / "g.rz", directed=True, locations=[tmp_path / "x", tmp_path / "y"])
    with rz.open(store) as graph:
        assert len(graph.info().locations) > 1
        graph.tag("early")
    places = parts_of(tmp_path, 2)
    first = rz.distribute(store, *places)
    assert sorted(os.listdir(places[0])) == sorted(os.listdir(places[1]))
    assert all(not list(place.glob("location*")) for place in places)
    assert [part.sent for part in rz.distribute(store, *places)] == [0, 0]
    expect_same_on_ranks(store, tmp_path, 2)
    with rz.open(store) as graph:
        graph.add_edges({"source": [1], "target": [2], "amount": [0.5], "note": ["new"], "hour": [1]})
    again = rz.distribute(store, *places)
    assert all(0 < part.sent < whole.bytes / 2 for part, whole in zip(again, first, strict=True))
    expect_same_on_ranks(store, tmp_path, 2)


def test_a_part_has_no_values_of_others_edges(tmp_path: Path) -> None:
    with rz.open(tmp_path / "o.rz", directed=True, edges={"amount": "float64"}, ids="dense", in_edges=False) as graph:
        graph.add_vertices(np.arange(400_000))
        for begin in range(0, 400_000, 100_000):  # rows in the order of the sources
            numbers = np.arange(begin, begin + 100_000)
            amounts = np.random.default_rng(begin).random(100_000)
            graph.add_edges(pa.table({"source": numbers, "target": (numbers * 7) % 400_000, "amount": amounts}))
            graph.compact("given")
    with engine() as borrowed:
        plan = _core.distribute(tmp_path / "o.rz", "chunk", 2, borrowed)
    assert plan is not None
    readers: dict[int, set[int]] = {}  # of each block of values
    for offset, _, head, part, *_ in plan.pieces:
        if head == 0 and part >= 0:
            readers.setdefault(offset, set()).add(part)
    assert {1} in readers.values(), "the last sources are of the second part alone"
    whole = rz.distribute(tmp_path / "o.rz", tmp_path / "alone")[0].bytes
    assert max(part.bytes for part in rz.distribute(tmp_path / "o.rz", *parts_of(tmp_path, 2))) < 0.9 * whole


@needs_mpi
def test_damaged_values_of_edges_are_told_of(tmp_path: Path) -> None:
    store = with_columns(tmp_path / "g.rz", directed=True)
    places = parts_of(tmp_path, 2)
    rz.distribute(store, *places)
    data = bytearray((places[1] / "data").read_bytes())
    at = data.find(b"RZRW")
    assert at > 0
    data[at + 200] ^= 1
    (places[1] / "data").write_bytes(data)
    with (
        rz.cluster(2, heartbeat_timeout=HEARTBEAT_TIMEOUT) as cluster,
        cluster.open(store, parts=tmp_path / "part-{rank}") as graph,
    ):
        for attempt in (
            lambda: rz.sssp(graph, 1, weight="amount"),
            lambda: rz.pagerank(graph, weight="hour"),
            lambda: graph.where(edges="amount > 60 or hour > 3 or note == 'x'"),
        ):
            with pytest.raises(CorruptError, match=r"part-1.*rows .* of edges.*fails its checksum"):
                attempt()


@needs_mpi
def test_conditions_that_need_more_than_columns_of_edges_are_refused(tmp_path: Path) -> None:
    store = with_columns(tmp_path / "g.rz", directed=True)
    rz.distribute(store, *parts_of(tmp_path, 2))
    with (
        rz.cluster(2, heartbeat_timeout=HEARTBEAT_TIMEOUT) as cluster,
        cluster.open(store, parts=tmp_path / "part-{rank}") as graph,
    ):
        with pytest.raises(UnsupportedError, match="needs more than edge columns"):
            graph.where(edges="source < 100 and amount > 1")
        with pytest.raises(UnsupportedError, match="by predicates over edge columns"):
            graph.where(vertices="vertex < 100")
        with pytest.raises(UnsupportedError, match="by predicates over edge columns"):
            graph.reverse()
        with pytest.raises(UnsupportedError, match="reads the whole graph on every rank, and ranks have a part each"):
            rz.influence_maximization(graph, k=2)


def test_a_part_is_opened_by_ranks_alone(store: Path, tmp_path: Path) -> None:
    places = parts_of(tmp_path, 2)
    rz.distribute(store, *places)
    for mode in ("read_only", "open", "open_or_create"):
        with pytest.raises(UnsupportedError, match="holds one part of a distributed graph"):
            rz.open(places[0], mode=mode)
    with pytest.raises(UnsupportedError, match="holds one part"):
        rz.check(places[0])
    with pytest.raises(UnsupportedError, match="holds one part"):
        rz.repair(places[0])


@needs_mpi
@pytest.mark.parametrize("partition", ["chunk", "round_robin"])
def test_ranks_answer_from_parts_as_one_process_does(tmp_path: Path, partition: str) -> None:
    store = skewed(tmp_path / "g.rz", 1, directed=True)
    places = parts_of(tmp_path, 3)
    rz.distribute(store, *places, partition=partition)
    with (
        rz.open(store, mode="read_only") as alone,
        rz.cluster(3, heartbeat_timeout=HEARTBEAT_TIMEOUT) as cluster,
        cluster.open(store, parts=tmp_path / "part-{rank}") as graph,
    ):
        expected = rz.pagerank(alone, tol=1e-9)
        np.testing.assert_allclose(rz.pagerank(graph, tol=1e-9).to_numpy(), expected.to_numpy(), rtol=1e-9)
        source = expected.top(1)[0][0]
        np.testing.assert_array_equal(rz.bfs(graph, source).levels, rz.bfs(alone, source).levels)
        for kernel in (rz.connected_components, rz.triangle_count, rz.core_number):
            np.testing.assert_array_equal(kernel(graph).to_numpy(), kernel(alone).to_numpy())
        for options in ({"k": 3, "seed": 5}, {"k": 40, "seed": 5}):
            found = rz.betweenness_centrality(graph, **options).to_numpy()
            np.testing.assert_allclose(found, rz.betweenness_centrality(alone, **options).to_numpy(), rtol=1e-9)
        np.testing.assert_array_equal(
            rz.label_propagation(graph, seed=3).to_numpy(), rz.label_propagation(alone, seed=3).to_numpy()
        )
        if partition == "chunk":
            found = rz.louvain(graph, seed=3, weight=None).to_numpy()
            np.testing.assert_array_equal(found, rz.louvain(alone, seed=3, weight=None).to_numpy())


@needs_mpi
def test_weighted_kernels_answer_from_parts_as_one_process_does(tmp_path: Path) -> None:
    store = skewed(tmp_path / "g.rz", 2, weights=True)
    places = parts_of(tmp_path, 3)
    rz.distribute(store, *places)
    with (
        rz.open(store, mode="read_only") as alone,
        rz.cluster(3, heartbeat_timeout=HEARTBEAT_TIMEOUT) as cluster,
        cluster.open(store, parts=tmp_path / "part-{rank}") as graph,
    ):
        for weight in ("weight", None):
            found = rz.sssp(graph, "v1", weight=weight).to_numpy()
            np.testing.assert_array_equal(found, rz.sssp(alone, "v1", weight=weight).to_numpy())
        found = rz.pagerank(graph, weight="weight", tol=1e-9).to_numpy()
        np.testing.assert_allclose(found, rz.pagerank(alone, weight="weight", tol=1e-9).to_numpy(), rtol=1e-9)
        found = rz.louvain(graph, seed=3).to_numpy()
        np.testing.assert_array_equal(found, rz.louvain(alone, seed=3).to_numpy())
        for kernel in (rz.triangle_count, rz.connected_components):
            np.testing.assert_array_equal(kernel(graph).to_numpy(), kernel(alone).to_numpy())


def on_ranks(count: int, program: str) -> str:
    launcher = str(MPIEXEC) if MPIEXEC.exists() else "mpiexec"
    begin = "import rizoma as rz\nfrom rizoma.ranks import join\nranks = join()\n"
    ran = subprocess.run(
        [launcher, "-n", str(count), sys.executable, "-c", begin + textwrap.dedent(program)],
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
        env=os.environ | {"RIZOMA_HEARTBEAT_TIMEOUT": str(HEARTBEAT_TIMEOUT)},
    )
    return ran.stdout + ran.stderr


@needs_mpi
def test_ranks_with_parts_that_do_not_belong_together_refuse(store: Path, tmp_path: Path) -> None:
    rz.distribute(store, *parts_of(tmp_path, 2))
    rz.distribute(store, *parts_of(tmp_path / "three", 3))
    with rz.open(store) as graph:
        graph.add_edges([("v1", "new")])
    later = parts_of(tmp_path / "later", 2)
    rz.distribute(store, *later)

    def refused(ranks: int, paths: list[Path]) -> str:
        return on_ranks(
            ranks,
            f"""
            path = {[str(path) for path in paths]!r}[ranks.rank]
            try:
                rz.open(path, comm=ranks)
            except rz.InvalidArgumentError as error:
                print("refused: " + str(error) + "\\n", end="")
            """,
        )

    first = parts_of(tmp_path, 2)
    said = refused(2, [first[0], later[1]])
    assert said.count("has a different graph than") == 2, said
    said = refused(2, [first[0], store])
    assert said.count("has a different kind of store than") == 2, said
    said = refused(2, [first[1], first[1]])
    assert said.count("have opened the same part, number 1; give each rank its own") == 2, said
    said = refused(2, parts_of(tmp_path / "three", 3)[:2])
    assert said.count("distributed over 3 parts, and there are 2 ranks") == 2, said
    with (
        rz.cluster(2, heartbeat_timeout=HEARTBEAT_TIMEOUT) as cluster,
        pytest.raises(InvalidArgumentError, match=r"parts of another state than .*; distribute the graph again"),
    ):
        cluster.open(store, parts=tmp_path / "part-{rank}")


@needs_mpi
def test_a_rank_with_a_part_reads_its_own_lists_and_no_others(store: Path, tmp_path: Path) -> None:
    rz.distribute(store, *parts_of(tmp_path, 2))
    said = on_ranks(
        2,
        f"""
        graph = rz.open({str(tmp_path)!r} + "/part-{{rank}}", comm=ranks)
        read = refused = 0
        for number in range(0, 20_000, 500):
            try:
                read += f"v{{number}}" in graph and len(graph.neighbors(f"v{{number}}")) >= 0
            except rz.UnsupportedError as error:
                assert "are in part" in str(error), error
                refused += 1
        degrees = graph.degrees().to_numpy()
        text = f"read {{read > 0}} refused {{refused > 0}} degrees {{degrees.sum() == graph.num_edges}} "
        for what in (lambda: graph.match("(a)-->(b)").count(), lambda: graph.edges.to_arrow(), graph.reverse):
            try:
                what()
                text += "wrong "
            except (rz.UnsupportedError, rz.RizomaError):
                text += "no "
        print(text + "\\n", end="")
        """,
    )
    assert said.count("read True refused True degrees True no no no") == 2, said


@needs_mpi
def test_the_command_makes_parts_that_the_command_runs_on(store: Path, tmp_path: Path) -> None:
    rizoma = [sys.executable, "-m", "rizoma"]
    places = [str(place) for place in parts_of(tmp_path, 2)]
    made = subprocess.run([*rizoma, "distribute", str(store), *places], capture_output=True, text=True, check=True)
    assert len(re.findall(r"part-\d: .* of which .* were copied", made.stderr)) == 2
    alone = subprocess.run([*rizoma, "run", "pagerank", str(store)], capture_output=True, text=True, check=True)
    launcher = str(MPIEXEC) if MPIEXEC.exists() else "mpiexec"
    ran = subprocess.run(
        [launcher, "-n", "2", *rizoma, "run", "pagerank", str(tmp_path / "part-{rank}")],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"RIZOMA_HEARTBEAT_TIMEOUT": str(HEARTBEAT_TIMEOUT)},
    )
    assert [line.split()[0] for line in ran.stdout.splitlines()] == [x.split()[0] for x in alone.stdout.splitlines()]


@needs_mpi
@pytest.mark.parametrize("directed", [False, True])
def test_parts_of_a_graph_without_vertices_are_opened_too(tmp_path: Path, directed: bool) -> None:
    rz.open(tmp_path / "g.rz", directed=directed).close()
    rz.distribute(tmp_path / "g.rz", *parts_of(tmp_path, 2))
    launcher = str(MPIEXEC) if MPIEXEC.exists() else "mpiexec"
    ran = subprocess.run(
        [launcher, "-n", "2", sys.executable, "-m", "rizoma", "run", "pagerank", str(tmp_path / "part-{rank}")],
        capture_output=True,
        text=True,
        env=os.environ | {"RIZOMA_HEARTBEAT_TIMEOUT": str(HEARTBEAT_TIMEOUT)},
    )
    assert ran.returncode == 0, ran.stderr


@pytest.fixture
def stand_in(tmp_path: Path) -> Path:
    """Runs on this machine what ssh would run on a host."""
    script = tmp_path / "ssh"
    script.write_text(f'#!/bin/sh\necho "$1" >> {tmp_path}/hosts\nshift\nexec sh -c "$*"\n')
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return script


def test_hosts_are_reached_through_a_program(store: Path, tmp_path: Path, stand_in: Path) -> None:
    program = tmp_path / "rizoma there"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m rizoma "$@"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    here, there = parts_of(tmp_path, 2), [tmp_path / "there 0", tmp_path / "there 1"]
    rz.distribute(store, *here)
    names = [f"mercury:{there[0]}", f"venus:{there[1]}"]
    options = {"via": str(stand_in), "program": str(program)}
    made = rz.distribute(store, *names, **options)
    assert all(part.sent == part.bytes for part in made)
    assert (tmp_path / "hosts").read_text().split() == ["mercury", "venus"]
    for one, other in zip(here, there, strict=True):
        assert sorted(os.listdir(one)) == sorted(os.listdir(other))
        for file in one.iterdir():
            assert file.read_bytes() == (other / file.name).read_bytes()
    assert [part.sent for part in rz.distribute(store, *names, **options)] == [0, 0]
    (there[0] / "part").unlink()
    with pytest.raises(ClusterError, match=r"mercury:.*holds files that are not a part"):
        rz.distribute(store, *names, **options)
    with pytest.raises(ClusterError, match=r"mercury:.*did not answer"):
        rz.distribute(store, *names, via=str(stand_in), program="no-such-program")
    with pytest.raises(ClusterError, match=r"cannot be started.*name another program with --via"):
        rz.distribute(store, *names, via="/nowhere/ssh")


def test_bytes_that_changed_on_their_way_are_refused(store: Path, tmp_path: Path) -> None:
    (place,) = parts_of(tmp_path, 1)
    rz.distribute(store, place)
    offer = distribution.Offer.of_json((place / "pieces.json").read_bytes())
    with distribution.PartitionWriter(tmp_path / "other") as writer:
        wanted = writer.wants(offer)
        assert len(wanted) == len(offer.pieces)
        with pytest.raises(CorruptError, match="is not what was sent"):
            writer.take(0, iter([b"x" * offer.pieces[0].bytes]))
    assert not (tmp_path / "other").exists()


def test_a_part_lies_where_a_link_leads(store: Path, tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "disk" / "part")
    rz.distribute(store, link)
    (link / "data").write_bytes(b"")
    rz.distribute(store, link)
    assert link.is_symlink()
    assert (tmp_path / "disk" / "part" / "data").stat().st_size > 0
    assert os.listdir(tmp_path / "disk") == ["part"]


def test_who_comes_next_keeps_what_it_writes(store: Path, tmp_path: Path) -> None:
    (place,) = parts_of(tmp_path, 1)
    rz.distribute(store, place)
    offer = distribution.Offer.of_json((place / "pieces.json").read_bytes())
    (place / "data").write_bytes(b"")
    first, second = distribution.PartitionWriter(place), distribution.PartitionWriter(place)
    with (store / "data").open("rb", buffering=0) as data:
        with first:
            for number in first.wants(offer):
                piece = offer.pieces[number]
                first.take(number, distribution._read(data, piece.offset, piece.bytes))
            first.finish()
            second.__enter__()
        assert second.wants(offer) == []
        assert (tmp_path / f".{place.name}.coming").exists()
        second.__exit__()


def test_a_greeting_is_no_answer(store: Path, tmp_path: Path) -> None:
    shell = tmp_path / "greets"
    shell.write_text("#!/bin/sh\necho Welcome\nexec cat > /dev/null\n")
    shell.chmod(shell.stat().st_mode | stat.S_IXUSR)
    with pytest.raises(ClusterError, match=r"mercury:/a: did not answer, but said 'Welcome'"):
        rz.distribute(store, "mercury:/a", via=str(shell))
