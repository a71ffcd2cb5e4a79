"""Rizoma's part of `rizoma bench growing`, in a process of its own.

python -m rizoma_lab.bench.growing_worker PLACE REQUEST: makes a store in the directory PLACE, adds the edges of the
request's files to it, runs kernels, saves their answers in PLACE, and prints a line of JSON: `insert_seconds`,
`seconds` (of each trial by kernel) and `answers` (paths of NumPy files).
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from rizoma.core.config import config
from rizoma.graph.graph import Graph
from rizoma.graph.open import open_graph

from .competitors.rizoma_ import kernels_of

__all__ = ["main"]


def main(place: str, request: str) -> None:
    """See above."""
    asked: dict[str, Any] = json.loads(request)
    config(threads=asked["threads"])
    with open_graph(Path(place) / "graph.rz", directed=False, ids="dense", durability=asked["durability"]) as graph:
        graph.add_edges(np.load(asked["base"]))
        told: dict[str, Any] = {
            "insert_seconds": _insert(graph, np.load(asked["dynamic"], mmap_mode="r"), asked["batch"])
        }
        told |= _run(graph, Path(place), asked)
    print(json.dumps(told))


def _insert(graph: Graph, edges: np.ndarray[Any, Any], batch: int) -> float:
    begin = time.perf_counter()
    for first in range(0, len(edges), batch):
        graph.add_edges(edges[first : first + batch])
    return time.perf_counter() - begin


def _run(graph: Graph, place: Path, asked: dict[str, Any]) -> dict[str, Any]:
    seconds: dict[str, list[float]] = {}
    answers: dict[str, str] = {}
    kernels = kernels_of(graph.snapshot(), asked["vertices"])
    for kernel in asked["kernels"]:
        answer: Any = None
        for _ in range(asked["trials"]):
            begin = time.perf_counter()
            answer = kernels[kernel]([asked["source"]])
            seconds.setdefault(kernel, []).append(time.perf_counter() - begin)
        answers[kernel] = str(place / f"{kernel}.npy")
        np.save(answers[kernel], answer() if callable(answer) else answer)
    return {"seconds": seconds, "answers": answers}


if __name__ == "__main__":
    main(*sys.argv[1:3])
