"""How fast edges are added, removed and weighed again, in durable batches: for docs/measurements/store.md.

Usage: change_figures.py [--scale 20] [--edges 2000000] [--batch 4096] [--directory /dev/shm] [--rounds 3] [--weights]

A directed graph of 2^scale vertices gets `edges` edges with ends drawn evenly; half of them are then removed, and with
--weights the other half get new weights, each in batches.  Prints millions of edges a second, medians of the rounds.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import rizoma as rz


def rate(step: Callable[[slice], object], begin: int, end: int, batch: int) -> float:
    """Millions of edges a second, when `step` is called for each batch of edges [begin, end)."""
    begun = time.perf_counter()
    for first in range(begin, end, batch):
        step(slice(first, min(first + batch, end)))
    return (end - begin) / (time.perf_counter() - begun) / 1e6


def round_of(options: argparse.Namespace, seed: int) -> dict[str, float]:
    """The rates of one new graph."""
    random = np.random.default_rng(seed)
    table = {end: random.integers(0, 1 << options.scale, options.edges) for end in ("source", "target")}
    weights = {"weight": random.random(options.edges).astype("f4")} if options.weights else {}
    path = Path(options.directory) / f"change-figures-{seed}.rz"
    half = options.edges // 2

    def some(part: slice, columns: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        return {name: values[part] for name, values in columns.items()}

    try:
        with rz.open(path, directed=True, weights="float32" if options.weights else None, auto_reorder=False) as graph:
            added = table | weights
            rates = {"add": rate(lambda part: graph.add_edges(some(part, added)), 0, options.edges, options.batch)}
            rates["remove"] = rate(lambda part: graph.remove_edges(some(part, table)), 0, half, options.batch)
            if options.weights:
                anew = rate(lambda part: graph.set_weights(some(part, added)), half, options.edges, options.batch)
                rates["weigh anew"] = anew
    finally:
        shutil.rmtree(path, ignore_errors=True)
    return rates


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=int, default=20)
    parser.add_argument("--edges", type=int, default=2_000_000)
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--directory", default="/dev/shm")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--weights", action="store_true")
    options = parser.parse_args()
    rounds = [round_of(options, seed) for seed in range(options.rounds)]
    for name in rounds[0]:
        found = sorted(each[name] for each in rounds)
        print(f"{name:<12}{statistics.median(found):8.2f} M edges/s   ({found[0]:.2f} to {found[-1]:.2f})")


if __name__ == "__main__":
    main()
