"""One rank of a scenario: mpiexec -n N python -m rizoma_lab.bench.scenario_rank STORE DATA_NODES ROUNDS PATTERN...

Counts each pattern 1 + ROUNDS times; rank 0 prints what all of them took as a line of JSON: the first execution apart,
as it finds no list in a cache.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from rizoma.core.launcher import launched
from rizoma.distributed.ranks import join, leave
from rizoma.graph.graph import Graph
from rizoma.graph.open import open_graph

__all__ = ["main"]


def main(store: str, data_nodes: str, rounds: str, *patterns: str) -> None:
    """Count, and say how it went.  Alone it needs no launcher."""
    ranks = join() if launched() else None
    with open_graph(Path(store), mode="read_only", comm=ranks) as graph:
        counted = [_counted(graph, pattern, int(data_nodes), int(rounds)) for pattern in patterns]
    if ranks is None or ranks.rank == 0:
        print(json.dumps(counted), flush=True)
    if ranks is not None:
        leave()


def _counted(graph: Graph, pattern: str, data_nodes: int, rounds: int) -> dict[str, Any]:
    matches = graph.match(pattern, threads=1, data_nodes=data_nodes)
    began = time.perf_counter()
    found = {matches.count()}
    first = time.perf_counter() - began
    seconds, processor = [], []
    for _ in range(rounds):
        clock, used = time.perf_counter(), time.process_time()
        found.add(matches.count())
        seconds.append(time.perf_counter() - clock)
        processor.append(time.process_time() - used)
    shares = [[each.blocks, each.lists, each.bytes, each.hits] for each in matches.shares]
    return {
        "counts": sorted(found),
        "first": first,
        "seconds": seconds,
        "processor_seconds": processor,
        "shares": shares,
    }


if __name__ == "__main__":
    main(*sys.argv[1:])
