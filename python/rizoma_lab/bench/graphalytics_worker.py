"""A benchmark run of `rizoma bench graphalytics`, in a process of its own.

python -m rizoma_lab.bench.graphalytics_worker REQUEST: opens the store of the request (JSON), runs the algorithm with
its parameters, writes "vertex value" lines to the file `output`, and prints a line of JSON: `processing_time`.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import csv
from rizoma.algorithms.bfs import bfs
from rizoma.algorithms.clustering import clustering
from rizoma.algorithms.connected_components import connected_components
from rizoma.algorithms.label_propagation import label_propagation
from rizoma.algorithms.pagerank import pagerank
from rizoma.algorithms.sssp import sssp
from rizoma.graph.graph import Graph
from rizoma.graph.open import open_graph

__all__ = ["NEVER", "main"]

NEVER = 2**63 - 1
"""What Graphalytics writes as the level of a vertex that a search does not reach."""

_CALLS: dict[str, Callable[[Graph, dict[str, Any], int], Any]] = {
    "BFS": lambda graph, of, threads: bfs(graph, of["source"], threads=threads),
    "PR": lambda graph, of, threads: pagerank(
        graph, alpha=of["damping"], tol=0, max_iter=of["iterations"], threads=threads
    ),
    "WCC": lambda graph, _, threads: connected_components(graph, threads=threads),
    "CDLP": lambda graph, of, threads: label_propagation(
        graph, synchronous=True, max_iter=of["iterations"], threads=threads
    ),
    "LCC": lambda graph, _, threads: clustering(graph, definition="ldbc", threads=threads),
    "SSSP": lambda graph, of, threads: sssp(graph, of["source"], threads=threads),
}


def main(request: str) -> None:
    """See above."""
    asked: dict[str, Any] = json.loads(request)
    with open_graph(asked["store"], mode="read_only") as graph:
        found = _CALLS[asked["algorithm"]](graph, asked["parameters"], asked["threads"])
        _write(found, asked["algorithm"], asked["output"])
        print(json.dumps({"processing_time": found.seconds}))


def _write(found: Any, algorithm: str, output: str) -> None:
    table = found.to_arrow()
    values = table.column(1)
    if algorithm == "BFS":
        levels = values.to_numpy().astype(np.int64)
        values = pa.array(np.where(levels < 0, NEVER, levels))
    elif algorithm == "SSSP":
        values = values.fill_null(math.inf)
    lines = pa.table({"vertex": table.column(0), "value": values})
    csv.write_csv(lines, output, csv.WriteOptions(include_header=False, delimiter=" "))


if __name__ == "__main__":
    main(sys.argv[1])
