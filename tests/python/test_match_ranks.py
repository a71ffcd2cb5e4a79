"""Patterns on ranks: a command started by mpiexec, and parts of the matches."""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import rizoma as rz
from rizoma.errors import InvalidArgumentError
from rizoma.export import numbered

MPIEXEC = Path(sys.executable).with_name("mpiexec")
needs_mpiexec = pytest.mark.skipif(
    not MPIEXEC.exists() and shutil.which("mpiexec") is None, reason="there is no mpiexec (pip install mpich)"
)
TRIANGLES = "(a)-->(b)-->(c)-->(a)"


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    path = tmp_path_factory.mktemp("ranks") / "g.rz"
    random = np.random.default_rng(5)
    sources = (random.pareto(1.0, 40_000) * 200).astype(np.int64) % 3000
    with rz.open(path, directed=True, edges={"amount": "int32"}) as graph:
        amounts = random.integers(0, 100, len(sources)).astype(np.int32)
        targets = random.integers(0, 3000, len(sources))
        graph.add_edges({"source": sources, "target": targets, "amount": amounts})
    return path


def match_on_ranks(store, *arguments):
    return on_ranks(store, "-m", "rizoma", "match", store, *arguments)


def on_ranks(store, *arguments, ranks=2):
    launcher = str(MPIEXEC) if MPIEXEC.exists() else "mpiexec"
    command = [launcher, "-n", str(ranks), sys.executable, *map(str, arguments)]
    patient = {**os.environ, "RIZOMA_PATIENCE": "600"}  # no rank is taken for lost because the machine is busy
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=store.parent, env=patient)


def in_order(table):
    return table.sort_by([(name, "ascending") for name in table.schema.names])


@needs_mpiexec
@pytest.mark.parametrize("where", ["a <> b", "e.amount > 60"])
def test_ranks_share_a_count(store, where):
    pattern = "(a)-[e]->(b)-->(c)-->(a)"
    with rz.open(store, mode="read_only") as graph:
        expected = graph.match(pattern, where=where).count()
    ran = match_on_ranks(store, pattern, "--where", where, "--count")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split() == [str(expected)]


@needs_mpiexec
def test_each_rank_writes_a_part_of_the_rows(store):
    with rz.open(store, mode="read_only") as graph:
        expected = in_order(graph.match(TRIANGLES).to_arrow())
    ran = match_on_ranks(store, TRIANGLES, "-o", "rows.parquet")
    assert ran.returncode == 0, ran.stderr
    parts = [pq.read_table(store.parent / f"rows-{rank}.parquet") for rank in range(2)]
    assert all(part.num_rows for part in parts)
    assert in_order(pa.concat_tables(parts)).equals(expected)


@needs_mpiexec
def test_parts_may_be_compressed(store):
    with rz.open(store, mode="read_only") as graph:
        expected = graph.match(TRIANGLES).count()
    ran = match_on_ranks(store, TRIANGLES, "-o", "rows.csv.gz")
    assert ran.returncode == 0, ran.stderr
    lines = 0
    for rank in range(2):
        with gzip.open(store.parent / f"rows-{rank}.csv.gz", "rt") as file:
            assert next(file).split() == ['"a","b","c"']
            lines += sum(1 for _ in file)
    assert lines == expected


def test_numbers_stand_before_what_tells_the_format():
    names = {
        name: numbered(Path("d", name), 3).name for name in ("r.csv", "r.csv.gz", "may.2.tsv.zst", "may.2.parquet")
    }
    assert names == {
        "r.csv": "r-3.csv",
        "r.csv.gz": "r-3.csv.gz",
        "may.2.tsv.zst": "may.2-3.tsv.zst",
        "may.2.parquet": "may.2-3.parquet",
    }


COUNTED_BY_RANKS = """
import sys
import rizoma as rz

with rz.open(sys.argv[1], mode="read_only", comm=rz.ranks.join()) as graph:
    mine = graph.ranks.rank
    for asked in (
        graph.match("(a)-->(b)", a=[mine, 5]),
        graph.match("(a)-->(b)", where=f"a.id > {mine}"),
        graph.match("(a)-->(b)" if mine else "(a)<--(b)"),
        graph.match("(a)-->(b)", distinct="nodes" if mine else None),
    ):
        try:
            sys.exit(f"counted {asked.count()}")
        except rz.errors.InvalidArgumentError as error:
            assert "another pattern" in str(error), error
    assert graph.match("(a)-->(b)", a=[7, 5, 5] if mine else [5, 7]).count() == int(sys.argv[2])
"""


@needs_mpiexec
def test_ranks_that_count_different_patterns_are_told(store):
    with rz.open(store, mode="read_only") as graph:
        expected = graph.match("(a)-->(b)", a=[5, 7]).count()
    ran = on_ranks(store, "-c", COUNTED_BY_RANKS, store, expected)
    assert ran.returncode == 0, ran.stderr


@needs_mpiexec
def test_what_ranks_do_not_share_is_told_once(store):
    ran = match_on_ranks(store, TRIANGLES, "--explain")
    assert ran.returncode != 0
    assert ran.stderr.count("run one process") == 1


def test_parts_have_all_rows_between_them(store):
    with rz.open(store, mode="read_only") as graph:
        matches = graph.match(TRIANGLES)
        parts = [matches.part(i, 3) for i in range(3)]
        assert in_order(pa.concat_tables([part.to_arrow() for part in parts])).equals(in_order(matches.to_arrow()))
        assert sum(part.count() for part in parts) == matches.count()
        counts = [part.group_by("a").count().to_arrow() for part in parts]
        assert sum(table["count"].to_numpy().sum() for table in counts) == matches.count()
        with pytest.raises(InvalidArgumentError, match="no part 3 of 3"):
            matches.part(3, 3)


def test_parts_are_not_parts_of_parts(store):
    with rz.open(store, mode="read_only") as graph:
        part = graph.match(TRIANGLES).part(0, 2)
        with pytest.raises(InvalidArgumentError, match="a part already"):
            part.part(1, 2)


def test_whether_a_part_has_any_match(store):
    with rz.open(store, mode="read_only") as graph:
        single = graph.match("(a)-->(b)-->(a)", a=graph.match("(a)-->(b)-->(a)").limit(1).to_arrow()["a"][0].as_py())
        counts = [single.part(i, 64).count() for i in range(64)]
        assert 0 in counts
        assert sum(counts) > 0
        assert [single.part(i, 64).exists() for i in range(64)] == [count > 0 for count in counts]
        assert single.exists()
        assert not single.limit(0).exists()
        assert not single.sample(0).exists()
