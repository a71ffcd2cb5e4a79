"""Measures what the store promises: import, open, size, memory, and the price of pending edges.

    python bench/store_figures.py --scale 20 --large 22 --rounds 5 -o figures.json

Competitors (NetworKit's reader, python-graphblas) run in the same rounds where they are installed.
Every row is a median of the rounds with its 95% bootstrap interval.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import rizoma as rz
from rizoma_lab.bench.machine import describe
from rizoma_lab.bench.statistics import median_interval

Case = Callable[[], object]

_IMPORT_PROGRAM = """
import sys, rizoma as rz
def peak():  # of this program alone: getrusage would count the one that started it
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
before = peak()
limit = sys.argv[3] or None
rz.read(sys.argv[1], into=sys.argv[2], directed=False, ids="dense", threads=2, memory_limit=limit).close()
print((peak() - before) * 1024)
"""


def seconds(case: Case) -> float:
    begin = time.perf_counter()
    case()
    return time.perf_counter() - begin


def interleave(cases: dict[str, Case], rounds: int) -> dict[str, Any]:
    """Times of every case, one of each a round; keys: median, low, high (seconds), samples."""
    samples: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(rounds):
        for name, case in cases.items():
            samples[name].append(seconds(case))
    return {
        name: dict(zip(("median", "low", "high"), median_interval(times), strict=True), samples=times)
        for name, times in samples.items()
    }


def edges_of(scale: int) -> np.ndarray:
    """Each undirected R-MAT edge once, shuffled: (m, 2)."""
    with rz.generate("rmat", scale) as graph:
        table = graph.edges.to_arrow()
    pairs = np.column_stack([table.column(0).to_numpy(), table.column(1).to_numpy()]).astype(np.int64)
    np.random.default_rng(1).shuffle(pairs)
    return pairs


def fresh(path: Path) -> Path:
    shutil.rmtree(path, ignore_errors=True)
    return path


def store_pairs(pairs: np.ndarray, path: Path, vertices: int) -> rz.Graph:
    """A store of dense ids on which `pairs` have been loaded in bulk."""
    graph = rz.open(fresh(path), ids="dense")
    graph.add_edges(pairs)
    assert len(graph) <= vertices
    return graph


def import_text(pairs: np.ndarray, work: Path, rounds: int) -> dict[str, Any]:
    text = work / "edges.txt"
    with text.open("wb") as file:
        for part in np.array_split(pairs, 64):
            file.write("\n".join(f"{u}\t{v}" for u, v in part.tolist()).encode() + b"\n")
    store = work / "text.rz"
    cases: dict[str, Case] = {
        "rizoma": lambda: rz.read(text, into=fresh(store), directed=False, ids="dense", threads=2).close()
    }
    try:
        import networkit as nk

        nk.setNumberOfThreads(2)
        reader = nk.graphio.EdgeListReader("\t", 0, continuous=True, directed=False)
        cases["networkit"] = lambda: reader.read(str(text))
    except ImportError:
        pass
    result = interleave(cases, rounds)
    for limit in ("", "128MiB"):
        out = subprocess.run(
            [sys.executable, "-c", _IMPORT_PROGRAM, str(text), str(fresh(store)), limit],
            check=True, capture_output=True, text=True,
        )  # fmt: skip
        size = sum(file.stat().st_size for file in store.iterdir())
        result[f"peak memory, limit {limit or 'none'}"] = {"bytes": int(out.stdout), "store_bytes": size}
    return result


def import_arrays(pairs: np.ndarray, vertices: int, work: Path, rounds: int) -> dict[str, Any]:
    cases: dict[str, Case] = {"rizoma": lambda: store_pairs(pairs, work / "numpy.rz", vertices).close()}
    try:
        import graphblas as gb

        rows = np.concatenate([pairs[:, 0], pairs[:, 1]])
        columns = np.concatenate([pairs[:, 1], pairs[:, 0]])
        shape = {"nrows": vertices, "ncols": vertices}
        cases["graphblas"] = lambda: gb.Matrix.from_coo(rows, columns, True, **shape).wait()
    except ImportError:
        pass
    return interleave(cases, rounds)


def open_and_read(path: Path) -> None:
    with rz.open(path, mode="open") as graph:
        graph.neighbors(0)


KERNELS: dict[str, Callable[[rz.Graph, int], object]] = {
    "pagerank, 20 iterations": lambda g, _: rz.pagerank(g, tol=0, max_iter=20, threads=2),
    "bfs": lambda g, source: rz.bfs(g, source, threads=2),
    "connected_components": lambda g, _: rz.connected_components(g, threads=2),
    "sssp": lambda g, source: rz.sssp(g, source, threads=2),
}


def pending(pairs: np.ndarray, vertices: int, work: Path, rounds: int) -> dict[str, Any]:
    """Kernels on a store with 5% of its edges pending against the same edges compacted."""
    cut = len(pairs) * 95 // 100
    source = int(pairs[0, 0])
    whole = store_pairs(pairs, work / "whole.rz", vertices)
    part = store_pairs(pairs[:cut], work / "part.rz", vertices)
    for batch in np.array_split(pairs[cut:], 64):
        part.add_edges(batch)
    first = seconds(lambda: rz.bfs(part, source, threads=2))
    result: dict[str, Any] = {"pending entries": part.info().pending_entries, "first bfs, folding": first}
    for name, kernel in KERNELS.items():
        cases: dict[str, Case] = {
            "compacted": lambda kernel=kernel: kernel(whole, source),
            "pending": lambda kernel=kernel: kernel(part, source),
        }
        interleave(cases, 1)
        result[name] = interleave(cases, rounds)
    whole.close()
    part.close()
    return result


def main() -> None:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--scale", type=int, default=20)
    parser.add_argument("--large", type=int, default=22, help="scale of the large store that is opened")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("-o", "--output", type=Path, default=Path("store_figures.json"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=".") as directory:
        work = Path(directory)
        stores = {scale: work / f"scale{scale}.rz" for scale in (16, options.large)}
        for scale, path in stores.items():
            rz.generate("rmat", scale, into=path).close()
        report: dict[str, Any] = {"machine": describe(), "scale": options.scale}
        report["open to first neighbours"] = interleave(
            {f"scale {scale}": (lambda path=path: open_and_read(path)) for scale, path in stores.items()}, 20
        )
        with rz.open(stores[options.large]) as graph:
            info = graph.info()
            report["bytes an entry"] = info.bytes_on_disk / info.num_entries
        pairs = edges_of(options.scale)
        report["edges"] = len(pairs)
        report["pending"] = pending(pairs, 1 << options.scale, work, options.rounds)
        report["import of arrays"] = import_arrays(pairs, 1 << options.scale, work, options.rounds)
        report["import of text"] = import_text(pairs, work, min(options.rounds, 3))
    options.output.write_text(json.dumps(report, indent=2))
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
