"""Patterns on ranks: a command started by mpiexec, and parts of the matches."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import rizoma as rz
from rizoma.core.errors import InvalidArgumentError
from rizoma.io.export import numbered
from rizoma.queries.fetch_cost import FetchCost, ranks_that_pay

MPIEXEC = Path(os.environ.get("RIZOMA_TEST_MPIEXEC", Path(sys.executable).with_name("mpiexec")))
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
    command = command_of(store, [sys.executable, *arguments], ranks)
    return subprocess.run(**command, capture_output=True, text=True, check=False)


def command_of(store, program, ranks):
    launcher = str(MPIEXEC) if MPIEXEC.exists() else "mpiexec"
    patient = {**os.environ, "RIZOMA_HEARTBEAT_TIMEOUT": "600"}  # no rank is taken for lost because the machine is busy
    return {"args": [launcher, "-n", str(ranks), *map(str, program)], "cwd": store.parent, "env": patient}


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


@pytest.fixture(scope="module")
def wide_store(tmp_path_factory):
    """Several sections: triangles with amounts, and edges between any two vertices."""
    path = tmp_path_factory.mktemp("ranks") / "wide.rz"
    random = np.random.default_rng(6)
    a, b, c = random.permutation(60_000).reshape(3, -1)
    some, others = random.integers(0, 60_000, (2, 60_000))
    sources, targets = np.concatenate([a, b, c, some]), np.concatenate([b, c, a, others])
    with rz.open(path, directed=True, edges={"amount": "int32"}) as graph:
        amounts = random.integers(0, 100, len(sources)).astype(np.int32)
        graph.add_edges({"source": sources, "target": targets, "amount": amounts})
    return path


SHARED_BY_RANKS = """
import json
import sys
import pyarrow as pa
import rizoma as rz
from rizoma.core.errors import InvalidArgumentError, UnsupportedError

asked = json.loads(sys.argv[2])
found = []
with rz.open(sys.argv[1], mode="read_only", comm=rz.ranks.join()) as graph:
    for data_nodes in (1, 2):
        for pattern, where in asked:
            matches = graph.match(pattern, where=where, data_nodes=data_nodes, list_cache=1 << 20, threads=1)
            count = matches.count()
            shares = [[each.holds, each.blocks, each.lists, each.bytes, each.hits] for each in matches.shares]
            rows = matches.to_arrow()
            hashed = sum(hash(tuple(row.values())) for row in rows.to_pylist()) % 2**64
            found.append([data_nodes, pattern, count, rows.num_rows, hashed, shares])
    matches = graph.match("(a)-->(b)", data_nodes=1)
    for refused in (
        matches.limit(3),
        matches.distinct(),
        matches.order_by("a"),
        matches.sample(2),
        matches.part(0, 2),
        matches.group_by("a").count(),
        matches.group_by("a", "b").count(),
    ):
        try:
            sys.exit(f"{refused} has {refused.to_arrow().num_rows} rows")
        except UnsupportedError as error:
            assert "without data_nodes" in str(error), error
    nameless = graph.match("()-->()-->()", data_nodes=1)
    assert nameless.count() == graph.match("(a)-->(b)-->(c)").count()
    assert [each.holds for each in nameless.shares] == [True] + [False] * (graph.ranks.size - 1), nameless.shares
    for pattern in ("(a)-->(b)", "()-->()"):
        try:
            sys.exit(f"found {graph.match(pattern, data_nodes=1).exists()}")
        except UnsupportedError as error:
            assert "without data_nodes" in str(error), error
    try:
        sys.exit(f"counted {graph.match('(a)-->(b)', data_nodes=graph.ranks.size + 1).count()}")
    except InvalidArgumentError as error:
        assert "data nodes are more than" in str(error), error
    with open(f"{sys.argv[3]}-{graph.ranks.rank}.json", "w") as file:
        json.dump(found, file)
"""

SHARED = [
    (TRIANGLES, None),
    ("(a)-[e]->(b)-->(c)-->(a)", "e.amount > 60 and a <> c"),
    ("(a {id: 5})-[e]->(b)-->(c), (d {id: 6})-->(a)", None),
    ("(a)-->(b)<--(c), !(a)-->(c)", "a.id < 2000"),
]


@needs_mpiexec
@pytest.mark.parametrize("ranks", [2, 3])
def test_data_nodes_and_workers_share_counts_and_rows(wide_store, ranks):
    found = wide_store.parent / f"found-{ranks}"
    ran = on_ranks(wide_store, "-c", SHARED_BY_RANKS, wide_store, json.dumps(SHARED), found, ranks=ranks)
    assert ran.returncode == 0, ran.stderr
    per_rank = [json.loads(Path(f"{found}-{rank}.json").read_text()) for rank in range(ranks)]
    with rz.open(wide_store, mode="read_only") as graph:
        expected = {}
        for pattern, where in SHARED:
            rows = graph.match(pattern, where=where).to_arrow().to_pylist()
            expected[pattern] = len(rows), sum(hash(tuple(row.values())) for row in rows) % 2**64
    assert expected[TRIANGLES][0] >= 60_000
    for of_all in zip(*per_rank, strict=True):
        data_nodes, pattern, count, _, _, shares = of_all[0]
        assert all(each[:3] == [data_nodes, pattern, count] for each in of_all)
        assert (count, sum(each[3] for each in of_all)) == (expected[pattern][0], expected[pattern][0])
        assert sum(each[4] for each in of_all) % 2**64 == expected[pattern][1]
        assert [holds for holds, *_ in shares] == [rank < data_nodes for rank in range(ranks)]
        if pattern == TRIANGLES:
            fetched = [lists for _, _, lists, _, _ in shares]
            assert all(lists > 0 for lists in fetched[data_nodes:])
            assert any(fetched[:data_nodes]) == (data_nodes > 1)
            assert all(blocks > 0 for _, blocks, *_ in shares)


@needs_mpiexec
def test_a_command_shares_with_data_nodes(store):
    with rz.open(store, mode="read_only") as graph:
        count, estimated = graph.match(TRIANGLES).count(), graph.match(TRIANGLES).sharing_estimate([3])[0]
    ran = on_ranks(store, "-m", "rizoma", "match", store, TRIANGLES, "--data-nodes", 1, "--explain", ranks=3)
    assert ran.returncode == 0, ran.stderr
    found, _, *shares = ran.stdout.splitlines()
    assert found == f"{count} matches"
    columns = [line.replace("data node", "data").replace(",", "").split() for line in shares]
    assert [(rank, role) for rank, role, *_ in columns] == [("0", "data"), ("1", "worker"), ("2", "worker")]
    fetched = [int(size) for *_, size, _ in columns]
    assert fetched == [
        0,
        pytest.approx(estimated.worker_bytes, rel=0.3),
        pytest.approx(estimated.worker_bytes, rel=0.3),
    ]


@needs_mpiexec
def test_a_command_writes_the_rows_of_data_nodes_and_workers(store):
    with rz.open(store, mode="read_only") as graph:
        expected = in_order(graph.match(TRIANGLES).to_arrow())
    ran = match_on_ranks(store, TRIANGLES, "-o", "shared.parquet", "--data-nodes", "1", "--list-cache", "0")
    assert ran.returncode == 0, ran.stderr
    parts = [pq.read_table(store.parent / f"shared-{rank}.parquet") for rank in range(2)]
    assert in_order(pa.concat_tables(parts)).equals(expected)


ONE_DIES = """
import os
import signal
import sys
import rizoma as rz

ranks = rz.ranks.join()
with rz.open(sys.argv[1], mode="read_only", comm=ranks) as graph:
    if ranks.rank == int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)
    try:
        print("counted", graph.match(sys.argv[2], data_nodes=1).count(), flush=True)
    except rz.errors.ClusterError as error:
        print(error, flush=True)
"""
OUTLIVING = ["sh", "-c", 'trap "" USR1; "$@" || sleep 600', "sh"]  # the launcher sees no failure and ends no other rank


@needs_mpiexec
@pytest.mark.parametrize("dead", [0, 2])
def test_a_dead_rank_ends_the_count_by_its_name(store, dead):
    program = [*OUTLIVING, sys.executable, "-c", ONE_DIES, store, TRIANGLES, dead]
    with subprocess.Popen(**command_of(store, program, 3), stdout=subprocess.PIPE, text=True) as ran:
        assert ran.stdout is not None
        limit = threading.Timer(900, ran.kill)
        limit.daemon = True
        limit.start()
        said = [next(ran.stdout, ""), next(ran.stdout, "")]
        limit.cancel()
        ran.terminate()
    # Two ranks write to one pipe: a line of one may be within that of the other.
    assert len(re.findall(rf"rank {dead} \(process \d+ on [^()]*\) is lost", "".join(said))) == 2, said


def test_data_nodes_need_ranks(store):
    with rz.open(store, mode="read_only") as graph, pytest.raises(InvalidArgumentError, match="as many ranks"):
        graph.match(TRIANGLES, data_nodes=2)


def test_ranks_that_share_are_estimated(store):
    with rz.open(store, mode="read_only") as graph:
        alone, two, many = graph.match(TRIANGLES).sharing_estimate([1, 2, 64])
    assert alone.served_bytes == 0
    assert 0 < many.worker_bytes < two.worker_bytes
    assert two.served_bytes == two.worker_bytes
    assert many.served_bytes == pytest.approx(63 * many.worker_bytes)
    assert many.seconds(64.0, FetchCost(1.0, 0.0)) == pytest.approx(1 + 64 * many.worker_lists)
    assert many.seconds(64.0, FetchCost(0.0, 0.5)) == pytest.approx(1 + 32 * many.worker_bytes)
    assert alone.seconds(3.0) == 3.0
    assert ranks_that_pay([alone, two, many], 1000.0, FetchCost(0.0, 1e-9)) == 64
    assert ranks_that_pay([alone, two, many], 1e-6, FetchCost(0.0, 1e-9)) == 1


def test_numbers_of_ranks_to_estimate_are_checked(store):
    with rz.open(store, mode="read_only") as graph:
        matches = graph.match(TRIANGLES)
        for ranks in ([0], [2, -1], [2.5], ["2"]):
            with pytest.raises(InvalidArgumentError, match=r"ranks is .* whole number from 1"):
                matches.sharing_estimate(ranks)
        with pytest.raises(InvalidArgumentError, match="data_nodes is 0"):
            matches.sharing_estimate([2], data_nodes=0)
        with pytest.raises(InvalidArgumentError, match="no number of ranks"):
            matches.sharing_estimate([])


def test_a_command_does_not_ignore_the_ranks_that_it_is_to_estimate(store):
    command = [sys.executable, "-m", "rizoma", "match", store, TRIANGLES, "--count", "--ranks", "4"]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert refused.returncode != 0
    assert "give --explain too" in refused.stderr


def test_a_command_estimates_ranks(store):
    asked = ["--explain", "--ranks", "6", "--data-nodes", "2"]
    command = [sys.executable, "-m", "rizoma", "match", store, TRIANGLES, *asked]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    rows = [line.split()[:3] for line in told[-4:-1]]
    assert rows == [["2", "2", "50.0%"], ["4", "2", "25.0%"], ["6", "2", "16.7%"]]
    command[5] = "shortest (a {id: 5})-[*..3]->(b {id: 6})"
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert refused.returncode != 0
    assert "a shortest path may lead anywhere" in refused.stderr


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
            assert "match.count differs between ranks" in str(error), error
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
        with pytest.raises(InvalidArgumentError, match="index is 3; it must be a whole number from 0 to 2"):
            matches.part(3, 3)


@pytest.mark.parametrize("pattern", ["(a)-[e]->(b)-->(c)", "(a)-->(b)-[e]->(c)"])
def test_parts_are_the_same_parts_whatever_memory_there_is(tmp_path, pattern):
    rng = np.random.default_rng(3)
    ends = {name: rng.integers(0, 1000, 8000) for name in ("source", "target")}
    table = pa.table(ends | {"amount": rng.integers(0, 100, 8000)})
    with rz.open(tmp_path / "paid.rz", directed=True, edges={"amount": "int64"}) as graph:
        graph.add_edges(table)
        parts = []
        for part, limit in enumerate(("1B", "1G")):
            with rz.config(memory_limit=limit):
                parts.append(graph.match(pattern).where("e.amount > 90").part(part, 2).to_arrow())
        whole = graph.match(pattern).where("e.amount > 90").to_arrow()
        assert in_order(pa.concat_tables(parts)).equals(in_order(whole))


def test_parts_are_not_parts_of_parts(store):
    with rz.open(store, mode="read_only") as graph:
        part = graph.match(TRIANGLES).part(0, 2)
        with pytest.raises(InvalidArgumentError, match="already a part"):
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


@needs_mpiexec
def test_scenarios_are_measured_in_one_go(rizoma, tmp_path):
    rizoma("bench", "match", "--quick", "--scenarios", "1+1,2+0", "--rounds", 1, "--competitors", "", "-o", "r.json")
    results = json.loads((tmp_path / "r.json").read_text())["results"]
    assert [row["scenario"] for row in results[::2]] == ["dn:1_wn:0", "dn:1_wn:1", "dn:2_wn:0"]
    assert "DIFFERS" not in {row["answer"] for row in results}
    assert len({(row["task"], row["count"]) for row in results}) == 2
