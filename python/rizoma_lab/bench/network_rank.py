"""One rank of `rizoma bench network`: mpiexec -n N python -m rizoma_lab.bench.network_rank TASKS.

TASKS is a list of tasks as JSON; rank 0 prints what they took as a line of JSON, a dict a task.
"""

from __future__ import annotations

import json
import sys

import numpy as np
from rizoma.distributed.ranks import join, leave

__all__ = ["main"]


def main(tasks: str) -> None:
    """Measure, and say how it went."""
    ranks = join()
    measured = []
    for task in json.loads(tasks):
        seconds, processor = ranks.time_network(**task)
        busy = ranks.all(round(processor * 1e6))
        if ranks.rank == 0:
            middle, most = np.percentile(seconds, [50, 95])
            measured.append(
                {
                    "operations": len(seconds),
                    "median": float(middle),
                    "percentile_95": float(most),
                    "processor_seconds": [each / 1e6 for each in busy],
                }
            )
    if ranks.rank == 0:
        print(json.dumps(measured), flush=True)
    leave()


if __name__ == "__main__":
    main(*sys.argv[1:])
