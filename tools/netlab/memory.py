"""Memory of ranks: what a kernel makes each of them hold, beyond the program itself.  Hosts need root; see README.md.

Usage: memory.py STORE [--hosts 1,2,8] [--kernels pagerank,bfs] [--together]

For each number of ranks and kernel prints, of the rank that has most and of the mean: anonymous bytes a vertex at their
peak within the call, less what the program had before it opened the graph; MB of the store in memory; seconds of the
second call.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

NETLAB = str(Path(__file__).with_name("netlab"))
OVER_TCP = ["env", "MPIR_CVAR_CH4_NETMOD=ucx", "UCX_TLS=tcp,self"]
KERNELS = "pagerank,bfs,connected_components,sssp"
CALLS = 3

PROGRAM = """
import json, sys, threading, time
import rizoma as rz
from rizoma.distributed.ranks import join, leave

def kilobytes(name, path="/proc/self/smaps_rollup"):
    with open(path) as file:
        return sum(int(line.split()[1]) for line in file if line.startswith(name + ":"))

def of_store(directory):
    resident, within = 0, False
    with open("/proc/self/smaps") as file:
        for line in file:
            if "-" in line.split()[0]:
                within = directory in line
            elif within and line.startswith("Rss:"):
                resident += int(line.split()[1])
    return resident

class Peak(threading.Thread):
    def __init__(self):
        super().__init__(daemon=True)
        self.most, self.over = 0, False
    def run(self):
        while not self.over:
            self.most = max(self.most, kilobytes("Anonymous"))
            time.sleep(0.004)

store, kernel, calls, alone = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4] == "alone"
ranks = None if alone else join()
if ranks is not None:
    ranks.answers_to = 0
arguments = {"pagerank": dict(tol=0, max_iter=20), "bfs": dict(source=1), "sssp": dict(source=1)}.get(kernel, {})
before = kilobytes("Anonymous")
with (rz.open(store, mode="read_only") if alone else rz.open(store, comm=ranks)) as graph:
    peak = Peak()
    peak.start()
    seconds = []
    for _ in range(calls):
        began = time.perf_counter()
        result = getattr(rz, kernel)(graph, **arguments)
        seconds.append(time.perf_counter() - began)
        del result
    peak.over = True
    peak.join()
    print("figures", json.dumps({"rank": 0 if alone else ranks.rank, "vertices": len(graph),
                                 "anonymous": peak.most - before, "store": of_store(store), "seconds": min(seconds)}),
          flush=True)
if ranks is not None:
    leave()
"""


def run(ranks: int, together: bool, program: Path, store: str, kernel: str) -> list[dict[str, float]]:
    """What each rank says."""
    python = [sys.executable, str(program), store, kernel, str(CALLS), "alone" if ranks == 1 else "ranks"]
    mpiexec = str(Path(sys.executable).with_name("mpiexec"))
    environment = os.environ | {"MPIEXEC": mpiexec, "PYTHONUNBUFFERED": "", "RIZOMA_THREADS": "1"}
    if ranks == 1:
        command = python
    elif together:
        command = [mpiexec, "-n", str(ranks), *python]
    else:
        command = [NETLAB, "run", str(ranks), *OVER_TCP, "RIZOMA_HEARTBEAT_TIMEOUT=60", "RIZOMA_THREADS=1", *python]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=600)
    said = [json.loads(line.split(" ", 1)[1]) for line in done.stdout.splitlines() if line.startswith("figures ")]
    if len(said) != ranks:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return said


def main() -> None:
    """Measure each kernel with each number of ranks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", type=Path)
    parser.add_argument("--hosts", default="1,2,8")
    parser.add_argument("--kernels", default=KERNELS)
    parser.add_argument("--together", action="store_true", help="the ranks share this machine's memory: no hosts")
    options = parser.parse_args()
    numbers = [int(text) for text in options.hosts.split(",")]
    if not options.together:
        subprocess.run([NETLAB, "down"], check=False, capture_output=True)
        subprocess.run([NETLAB, "up", str(max(numbers))], check=True, capture_output=True)
    try:
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "program.py"
            program.write_text(PROGRAM, encoding="utf-8")
            for kernel in options.kernels.split(","):
                for ranks in numbers:
                    report(kernel, ranks, run(ranks, options.together, program, str(options.store.resolve()), kernel))
    finally:
        if not options.together:
            subprocess.run([NETLAB, "down"], check=False, capture_output=True)


def report(kernel: str, ranks: int, said: list[dict[str, float]]) -> None:
    """A line of figures."""
    each = [1024 * one["anonymous"] / one["vertices"] for one in said]
    stored = max(one["store"] for one in said) / 1024
    seconds = max(one["seconds"] for one in said)
    first = next(bytes_a_vertex for bytes_a_vertex, one in zip(each, said, strict=True) if one["rank"] == 0)
    others = [bytes_a_vertex for bytes_a_vertex, one in zip(each, said, strict=True) if one["rank"] != 0]
    mean = f", others {max(others):5.1f} (mean {sum(others) / len(others):5.1f})" if others else ""
    print(
        f"{kernel:22} {ranks} ranks: rank 0 {first:5.1f} B/vertex{mean}; store {stored:.0f} MB; {seconds:.3f} s",
        flush=True,
    )


if __name__ == "__main__":
    main()
