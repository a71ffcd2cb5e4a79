"""Ranks on synthetic hosts, over real TCP: answers, counted bytes, cut links.  Needs root; see README.md.

Usage: suite.py [--hosts N] [--rate 1gbit] [--kills N] [--only-kills]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import rizoma as rz
from rizoma.graph.placement import explain_ranks

NETLAB = str(Path(__file__).with_name("netlab"))
OVER_TCP = ["env", "MPIR_CVAR_CH4_NETMOD=ucx", "UCX_TLS=tcp,self"]
LINGER = ["sh", "-c", 'trap "" USR1; "$@" || sleep 20', "sh"]  # see rizoma/distributed/launching.py
DETECTION = 10.0  # seconds within which a lost rank must end the others

PROGRAM = """
import json, sys, time
import rizoma as rz
from rizoma.distributed.ranks import join, leave
ranks = join()
ranks.answers_to = 0
with rz.open(sys.argv[1], comm=ranks) as graph:
    rz.pagerank(graph, tol=0, max_iter=1)
    print("ready", ranks.rank, ranks.name_of(ranks.rank), flush=True)
    try:
        result = rz.pagerank(graph, tol=0, max_iter=int(sys.argv[2]))
        if ranks.rank == 0:
            result.write(sys.argv[3])
            print("traffic", json.dumps(result.traffic.to_dict()), flush=True)
    except rz.ClusterError as error:
        print("lost", ranks.rank, time.time(), error, flush=True)
        import os
        os._exit(1)
leave()
"""

# Kernels one after the other until a rank is lost; the answers of each are those of the first time.
KERNELS_PROGRAM = """
import os, sys, time
import numpy as np
import rizoma as rz
from rizoma.distributed.ranks import join
ranks = join()
with rz.open(sys.argv[1], comm=ranks) as graph:
    kernels = [
        lambda: rz.pagerank(graph, tol=0, max_iter=20),
        lambda: rz.bfs(graph, 0),
        lambda: rz.sssp(graph, 0),
        lambda: rz.connected_components(graph),
        lambda: rz.core_number(graph),
        lambda: rz.triangle_count(graph),
        lambda: rz.label_propagation(graph, max_iter=2, seed=1),
        lambda: rz.betweenness_centrality(graph, k=2, seed=1),
    ]
    known = {}
    try:
        print("ready", ranks.rank, ranks.name_of(ranks.rank), flush=True)
        while True:
            for number, kernel in enumerate(kernels):
                values = kernel().to_numpy()
                assert np.allclose(known.setdefault(number, values), values, rtol=1e-9), number
    except rz.ClusterError as error:
        print("lost", ranks.rank, time.time(), error, flush=True)
        os._exit(1)
    except BaseException as error:
        print("wrong", ranks.rank, repr(error), flush=True)
        os._exit(1)
"""

DASK_PROGRAM = """
import sys
import rizoma as rz
from dask import dataframe
from distributed import Client
client = Client("tcp://10.77.0.1:8786")
client.wait_for_workers(int(sys.argv[1]))
with rz.cluster(dask=client, heartbeat_timeout=30, threads=1) as cluster:
    edges = dataframe.read_parquet(sys.argv[2])
    with cluster.read(edges, into=sys.argv[3], source="source", target="target", directed=False) as graph:
        result = rz.pagerank(graph, tol=0, max_iter=20)
        result.write(sys.argv[4])
        print("ranks", result.ranks, *cluster.names, flush=True)
client.shutdown()
"""


Job = subprocess.Popen[str]


def netlab(*arguments: str) -> str:
    """Run netlab; return what it prints."""
    return subprocess.run([NETLAB, *arguments], check=True, capture_output=True, text=True).stdout


def sent_bytes() -> int:
    """Bytes that all hosts have sent since they were made."""
    return sum(int(found) for found in re.findall(r"sent (\d+) B", netlab("traffic")))


def start(hosts: int, text: str, folder: Path, *arguments: object, timeout: float = DETECTION / 4) -> Job:
    """Start a rank of a program on each host."""
    program = folder / "program.py"
    program.write_text(text, encoding="utf-8")
    mpiexec = Path(sys.executable).with_name("mpiexec")
    command = [NETLAB, "run", str(hosts), *OVER_TCP, f"RIZOMA_HEARTBEAT_TIMEOUT={timeout}", "RIZOMA_THREADS=1"]
    return subprocess.Popen(
        [*command, *LINGER, sys.executable, str(program), *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | {"MPIEXEC": str(mpiexec), "PYTHONUNBUFFERED": ""},  # a line in one piece
    )


def check_answer(hosts: int, store: Path, folder: Path) -> None:
    """The ranks' answer is that of one process; what the links carried is what was counted."""
    iterations = 20
    before = sent_bytes()
    text = finished(start(hosts, PROGRAM, folder, store, iterations, folder / "ranks.parquet"))
    crossed = sent_bytes() - before
    traffic = json.loads(re.search(r"traffic (.*)", text)[1])  # type: ignore[index]
    expect_answer(store, folder, iterations)
    with rz.open(store, mode="read_only") as graph:
        predicted = explain_ranks(graph, hosts, ["chunk"])[0].bytes_a_sweep
    a_sweep = traffic["bytes"] / iterations
    print(
        f"{hosts} hosts: {a_sweep:,.0f} bytes a sweep told ({a_sweep / predicted:.2f}x predicted); "
        f"the links carried {crossed:,} bytes, of which the 20 sweeps are {traffic['bytes']:,}"
    )
    assert a_sweep <= 1.1 * predicted + 4096
    assert crossed >= traffic["bytes"]


def check_bytes(hosts: int, folder: Path) -> None:
    """What a sweep adds to what the links carry is little more than 4 bytes for each boundary vertex."""
    store, carried, few, many = folder / "floats.rz", [], 5, 25
    with rz.generate("rmat", scale=18, seed=1, into=store) as graph:
        values = sum(rank.boundary for rank in explain_ranks(graph, hosts, ["auto"])[0].ranks)
    for iterations in (few, many):
        before = sent_bytes()
        finished(start(hosts, PROGRAM, folder, store, iterations, folder / "ranks.parquet"))
        carried.append(sent_bytes() - before)
    a_sweep = (carried[1] - carried[0]) / (many - few)
    print(
        f"the links carried {a_sweep:,.0f} bytes more for each sweep, "
        f"{a_sweep / (4 * values):.2f}x 4 bytes for each of {values:,} boundary vertices"
    )
    assert a_sweep <= 1.1 * 4 * values


def finished(job: Job) -> str:
    """What a job has said that has ended well."""
    text, _ = job.communicate(timeout=300)
    assert job.returncode == 0, text
    return text


def expect_answer(store: Path, folder: Path, iterations: int) -> None:
    """What the ranks have written is what one process finds."""
    import pyarrow.parquet as pq

    with rz.open(store, mode="read_only") as graph:
        expected = rz.pagerank(graph, tol=0, max_iter=iterations).to_arrow()
    got = pq.read_table(folder / "ranks.parquet")
    assert np.allclose(got.column("rank").to_numpy(), expected.column("rank").to_numpy(), rtol=1e-6)


def check_restored(hosts: int, store: Path, folder: Path) -> None:
    """A link that is down for less than the timeout costs time and nothing else."""
    iterations = 300
    job = start(hosts, PROGRAM, folder, store, iterations, folder / "ranks.parquet", timeout=30)
    ready(job, hosts)
    netlab("cut", str(hosts))
    time.sleep(2)
    netlab("restore", str(hosts))
    finished(job)
    expect_answer(store, folder, iterations)
    print("a link that is cut and restored: the answer of one process")


def ready(job: Job, hosts: int) -> dict[int, int]:
    """Wait until all ranks are at work; their processes."""
    assert job.stdout is not None
    processes: dict[int, int] = {}
    while len(processes) < hosts:
        line = job.stdout.readline()
        assert line, "the ranks have ended before they were at work"
        if found := re.match(r"ready (\d+) rank \d+ \(process (\d+)", line):
            processes[int(found[1])] = int(found[2])
    return processes


@dataclass
class Losses:
    """What the others have said of a rank that was lost."""

    seconds: float = 0.0  # until the last of them has ended
    text: str = ""  # of one
    crashes: int = 0  # of ranks that have ended within MPI instead


def losses(job: Job, hosts: int, victim: int, begin: float) -> Losses:
    """Wait until all other ranks have named the one that was lost.

    A message to a rank whose connection is known to be broken crashes MPICH 5.0 over UCX: such a rank has no last word.
    """
    assert job.stdout is not None
    found, lines = Losses(), []
    missing = hosts - 1
    while missing > 0:
        lines.append(job.stdout.readline())
        assert lines[-1], "a rank ended without a word: " + "".join(lines)
        assert not lines[-1].startswith("wrong"), lines[-1]
        ended = time.time()
        if lines[-1].startswith("Segmentation fault"):
            found.crashes += 1
        elif told := re.match(r"lost (\d+) ([\d.]+) (.*)", lines[-1]):
            if int(told[1]) == victim:
                continue  # a rank that is cut off loses all the others
            assert found.crashes > 0 or f"rank {victim} " in told[3], lines[-1]
            ended, found.text = float(told[2]), told[3]
        else:
            continue
        missing -= 1
        found.seconds = max(found.seconds, ended - begin)
    assert found.seconds < DETECTION, found
    return found


def end(job: Job, processes: dict[int, int]) -> None:
    """End what is left of a job."""
    subprocess.run(["kill", "-KILL", *map(str, processes.values())], check=False, capture_output=True)
    job.kill()
    job.communicate()


def check_loss(hosts: int, store: Path, folder: Path, what: str, strike: Callable[[int], None]) -> None:
    """A rank is lost in the middle: all others end, in time, with its name."""
    job = start(hosts, PROGRAM, folder, store, 10**9, folder / "never.parquet")
    victims = ready(job, hosts)
    time.sleep(1)
    begin = time.time()
    strike(victims[hosts - 1])
    found = losses(job, hosts, hosts - 1, begin)
    print(f"{what}: told after {found.seconds:.1f} s: {found.text or 'a crash within MPI'}")
    end(job, victims)


def check_kills(hosts: int, store: Path, folder: Path, kills: int) -> None:
    """A rank is killed at a random moment, in whatever kernel that is, again and again; the store stays whole."""
    chance = random.Random(kills)
    found = []
    for _ in range(kills):
        job = start(hosts, KERNELS_PROGRAM, folder, store)
        processes = ready(job, hosts)
        time.sleep(chance.random() * 1.5)
        victim = chance.randrange(hosts)
        begin = time.time()
        kill("-KILL", processes[victim])
        found.append(losses(job, hosts, victim, begin))
        end(job, processes)
    checked = subprocess.run([sys.executable, "-m", "rizoma", "check", str(store)], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    taken = [one.seconds for one in found]
    print(
        f"{kills} kills at random moments: all have ended after {np.median(taken):.2f} s, {max(taken):.2f} s at most, "
        f"{sum(one.crashes for one in found)} of them by a crash within MPI; the store is whole"
    )


def check_dask(hosts: int, store: Path, folder: Path) -> None:
    """A rank beside each worker of a Dask cluster, one worker a host, which also make the store."""
    with rz.open(store, mode="read_only") as graph:
        graph.export(folder / "edges.parquet")
    with rz.read(folder / "edges.parquet") as graph:
        expected = rz.pagerank(graph, tol=0, max_iter=20).to_dict()
    program = folder / "with_dask.py"
    program.write_text(DASK_PROGRAM, encoding="utf-8")
    python = [sys.executable, "-m"]
    quietly: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    at = "tcp://10.77.0.1:8786"
    scheduler = [*python, "distributed.cli.dask_scheduler", "--host", "10.77.0.1", "--port", "8786", "--no-dashboard"]
    servers = [subprocess.Popen([NETLAB, "exec", "1", *scheduler], **quietly)]
    worker = [*python, "distributed.cli.dask_worker", at, "--nthreads", "1", "--no-dashboard", "--no-nanny"]
    for host in range(1, hosts + 1):
        servers.append(subprocess.Popen([NETLAB, "exec", str(host), *worker, "--host", f"10.77.0.{host}"], **quietly))
    try:
        files = [str(folder / name) for name in ("edges.parquet", "dask.rz", "dask.parquet")]
        ran = subprocess.run(
            [NETLAB, "exec", "1", *OVER_TCP, sys.executable, str(program), str(hosts), *files],
            capture_output=True,
            text=True,
            timeout=120,
        )
    finally:
        for server in servers:
            server.terminate()
            server.wait()
    assert f"ranks {hosts} " in ran.stdout, ran.stdout + ran.stderr
    import pyarrow.parquet as pq

    got = pq.read_table(folder / "dask.parquet")
    values = dict(zip(got.column("vertex").to_pylist(), got.column("rank").to_pylist(), strict=True))
    assert np.allclose([values[v] for v in values], [expected[v] for v in values], rtol=1e-5, atol=0)
    print(f"Dask on {hosts} hosts: the answer of one process")


def main() -> None:
    """Run everything."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--hosts", type=int, default=2)
    parser.add_argument("--rate", default="1gbit")
    parser.add_argument("--kills", type=int, default=10, help="ranks that are killed at random moments")
    parser.add_argument("--only-kills", action="store_true")
    options = parser.parse_args()
    hosts = options.hosts
    netlab("down")
    netlab("up", str(hosts), options.rate)
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            store = folder / "g.rz"
            rz.generate("rmat", scale=16, seed=1, into=store).close()
            check_kills(hosts, store, folder, options.kills)
            if options.only_kills:
                return
            check_answer(hosts, store, folder)
            check_bytes(hosts, folder)
            check_restored(hosts, store, folder)
            if find_spec("distributed") is None:
                print("no Dask (pip install rizoma[dask]): ranks beside its workers are not tried")
            else:
                check_dask(hosts, store, folder)
            check_loss(hosts, store, folder, "killed", lambda p: kill("-KILL", p))
            check_loss(hosts, store, folder, "stopped", lambda p: kill("-STOP", p))
            check_loss(hosts, store, folder, "cut off", lambda _: cut(hosts))
            netlab("restore", str(hosts))
    finally:
        netlab("down")
    print("netlab: all well")


def kill(signal: str, process: int) -> None:
    """Send a signal."""
    subprocess.run(["kill", signal, str(process)], check=True)


def cut(host: int) -> None:
    """Take a host's link down."""
    netlab("cut", str(host))


if __name__ == "__main__":
    main()
