"""Ranks on made-up hosts, over real TCP: answers, counted bytes, cut links.  Needs root; see README.md.

Usage: suite.py [--hosts N] [--rate 1gbit]
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import rizoma as rz
from rizoma.placement import explain_ranks

NETLAB = str(Path(__file__).with_name("netlab"))
OVER_TCP = ["env", "MPIR_CVAR_CH4_NETMOD=ucx", "UCX_TLS=tcp,self"]
LINGER = ["sh", "-c", 'trap "" USR1; "$@" || sleep 20', "sh"]  # see rizoma/cluster/launching.py
DETECTION = 10.0  # seconds within which a lost rank must end the others

PROGRAM = """
import json, sys, time
import rizoma as rz
from rizoma.ranks import join, leave
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

DASK_PROGRAM = """
import sys
import rizoma as rz
from dask import dataframe
from distributed import Client
client = Client("tcp://10.77.0.1:8786")
client.wait_for_workers(int(sys.argv[1]))
with rz.cluster(dask=client, patience=30, threads=1) as cluster:
    edges = dataframe.read_parquet(sys.argv[2])
    with cluster.read(edges, into=sys.argv[3], source="source", target="target", directed=False) as graph:
        result = rz.pagerank(graph, tol=0, max_iter=20)
        result.write(sys.argv[4])
        print("ranks", result.ranks, *cluster.names, flush=True)
client.shutdown()
"""


def netlab(*arguments: str) -> str:
    """Run netlab; return what it prints."""
    return subprocess.run([NETLAB, *arguments], check=True, capture_output=True, text=True).stdout


def sent_bytes() -> int:
    """Bytes that all hosts have sent since they were made."""
    return sum(int(found) for found in re.findall(r"sent (\d+) B", netlab("counters")))


def start(hosts: int, store: Path, iterations: int, output: Path) -> subprocess.Popen[str]:
    """Start a rank on each host."""
    program = output.with_name("program.py")
    program.write_text(PROGRAM, encoding="utf-8")
    mpiexec = Path(sys.executable).with_name("mpiexec")
    command = [NETLAB, "run", str(hosts), *OVER_TCP, f"RIZOMA_PATIENCE={DETECTION / 4}", "RIZOMA_THREADS=1"]
    return subprocess.Popen(
        [*command, *LINGER, sys.executable, str(program), str(store), str(iterations), str(output)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | {"MPIEXEC": str(mpiexec)},
    )


def check_answer(hosts: int, store: Path, folder: Path) -> None:
    """The ranks' answer is that of one process; what the links carried is what was counted."""
    iterations = 20
    before = sent_bytes()
    job = start(hosts, store, iterations, folder / "ranks.parquet")
    text, _ = job.communicate(timeout=120)
    crossed = sent_bytes() - before
    assert job.returncode == 0, text
    traffic = json.loads(re.search(r"traffic (.*)", text)[1])  # type: ignore[index]
    with rz.open(store, mode="read_only") as graph:
        expected = rz.pagerank(graph, tol=0, max_iter=iterations).to_arrow()
        predicted = explain_ranks(graph, hosts, ["chunk"])[0].bytes_a_sweep
    import pyarrow.parquet as pq

    got = pq.read_table(folder / "ranks.parquet")
    assert np.allclose(got.column("rank").to_numpy(), expected.column("rank").to_numpy(), rtol=1e-6)
    a_sweep = traffic["bytes"] / iterations
    print(
        f"{hosts} hosts: {a_sweep:,.0f} bytes a sweep told ({a_sweep / predicted:.2f}x predicted); "
        f"the links carried {crossed:,} bytes, of which the 20 sweeps are {traffic['bytes']:,}"
    )
    assert a_sweep <= 1.1 * predicted + 4096
    assert crossed >= traffic["bytes"]


def check_loss(hosts: int, store: Path, folder: Path, what: str, strike: Callable[[int], None]) -> None:
    """A rank is lost in the middle: all others end, in time, with its name."""
    job = start(hosts, store, 10**9, folder / "never.parquet")
    assert job.stdout is not None
    victims: dict[int, int] = {}
    while len(victims) < hosts:
        found = re.match(r"ready (\d+) rank \d+ \(process (\d+)", job.stdout.readline())
        if found:
            victims[int(found[1])] = int(found[2])
    time.sleep(1)
    begin = time.time()
    strike(victims[hosts - 1])
    told = []
    while len(told) < hosts - 1:
        line = job.stdout.readline()
        assert line, "a rank ended without a word"
        if found := re.match(r"lost (\d+) ([\d.]+) (.*)", line):
            if int(found[1]) == hosts - 1:
                continue  # a rank that is cut off loses all the others
            told.append(found)
            assert f"rank {hosts - 1} " in found[3], line
            assert float(found[2]) - begin < DETECTION, line
    print(f"{what}: told after {max(float(one[2]) for one in told) - begin:.1f} s: {told[0][3]}")
    subprocess.run(["kill", "-KILL", *map(str, victims.values())], check=False, capture_output=True)
    job.kill()
    job.wait()


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
    options = parser.parse_args()
    hosts = options.hosts
    netlab("down")
    netlab("up", str(hosts), options.rate)
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            store = folder / "g.rz"
            rz.generate("rmat", scale=16, seed=1, into=store).close()
            check_answer(hosts, store, folder)
            if find_spec("distributed") is None:
                print("no Dask (pip install rizoma[dask]): ranks beside its workers are not tried")
            else:
                check_dask(hosts, store, folder)
            check_loss(hosts, store, folder, "killed", lambda p: kill("-KILL", p))
            check_loss(hosts, store, folder, "stopped", lambda p: kill("-STOP", p))
            check_loss(hosts, store, folder, "cut off", lambda _: cut(hosts))
            netlab("heal", str(hosts))
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
