"""Patterns on ranks: a command started by mpiexec, and parts of the matches."""

from __future__ import annotations

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


def match_on_ranks(store, *arguments, ranks=2):
    launcher = str(MPIEXEC) if MPIEXEC.exists() else "mpiexec"
    command = [launcher, "-n", str(ranks), sys.executable, "-m", "rizoma", "match", str(store), *map(str, arguments)]
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
