"""Measures kernels on a store that is larger than memory: figures of docs/measurements/scale.md.

    sudo python bench/larger_than_memory.py big.rz --share 0.5 --kernels pagerank,components,bfs,triangles

Runs in a control group of its own (of either version; making one needs the right to), whose limit is a share of the
size of the store: the page cache counts, so does what Python and the kernels take.  The store is pushed out of the
cache first.  What is read is what the system has read from the device for this process; the first call of each kernel
is left out, in which checksums are verified.  PageRank is the difference between 8 and 3 iterations, for each.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import rizoma as rz

GROUPS = Path("/sys/fs/cgroup")
THREADS = 2


@contextmanager
def limited(limit: int) -> Iterator[None]:
    """Run in a control group that may take this many bytes."""
    second = (GROUPS / "cgroup.controllers").is_file()
    group = GROUPS / ("" if second else "memory") / f"rizoma-{os.getpid()}"
    before = _group_of_this_process(second)
    try:
        group.mkdir()
        (group / ("memory.max" if second else "memory.limit_in_bytes")).write_text(str(limit))
        (group / "cgroup.procs").write_text(str(os.getpid()))
        yield
    finally:
        if group.is_dir():
            (before / "cgroup.procs").write_text(str(os.getpid()))
            group.rmdir()


def _group_of_this_process(second: bool) -> Path:
    lines = [line.split(":", 2) for line in Path("/proc/self/cgroup").read_text().splitlines()]
    path = next(path for _, kinds, path in lines if ("memory" in kinds.split(",") or (second and not kinds)))
    return GROUPS / ("" if second else "memory") / path.lstrip("/")


def push_out(store: Path) -> int:
    """Let the system forget a store's pages; returns its bytes."""
    total = 0
    for file in store.iterdir():
        with file.open("rb") as opened:
            os.fsync(opened.fileno())
            os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        total += file.stat().st_size
    return total


def bytes_read() -> int:
    """What the system has read from devices for this process."""
    lines = Path("/proc/self/io").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("read_bytes"))


def cost_of(call: Callable[[], object]) -> tuple[float, int]:
    """Seconds and bytes read of one call."""
    before, begin = bytes_read(), time.perf_counter()
    call()
    return time.perf_counter() - begin, bytes_read() - before


def iterations(graph: rz.Graph) -> tuple[float, float]:
    """Seconds and bytes of one iteration of PageRank."""

    def run(count: int) -> tuple[float, int]:
        return cost_of(lambda: rz.pagerank(graph, max_iter=count, tol=0, threads=THREADS))

    few, many = run(3), run(8)
    return (many[0] - few[0]) / 5, (many[1] - few[1]) / 5


KERNELS: dict[str, Callable[[rz.Graph], tuple[float, float]]] = {
    "pagerank": iterations,
    "components": lambda graph: cost_of(lambda: rz.connected_components(graph, threads=THREADS)),
    "bfs": lambda graph: cost_of(lambda: rz.bfs(graph, next(iter(graph)), threads=THREADS)),
    "triangles": lambda graph: cost_of(lambda: rz.triangle_count(graph, threads=THREADS)),
}


def main() -> None:
    """Measure and print one line a kernel."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", type=Path)
    parser.add_argument("--share", type=float, default=0.5, help="of the store's size that memory is limited to")
    parser.add_argument("--kernels", default="pagerank,components,bfs")
    parser.add_argument("--rounds", type=int, default=3)
    command = parser.parse_args()
    size = push_out(command.store)
    with limited(int(size * command.share)), rz.open(command.store, mode="read_only") as graph:
        print(f"{size / 2**20:.0f} MiB, limit {size * command.share / 2**20:.0f} MiB")
        for name in command.kernels.split(","):
            KERNELS[name](graph)
            runs = [KERNELS[name](graph) for _ in range(command.rounds)]
            seconds = statistics.median(run[0] for run in runs)
            reads = [run[1] / size for run in runs]
            print(f"{name}: {seconds:.2f} s, {statistics.median(reads):.2f} reads of the store ({min(reads):.2f} - "
                  f"{max(reads):.2f})", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
