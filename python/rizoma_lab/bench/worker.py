"""A competitor's process: python -m rizoma_lab.bench.worker NAME DIRECTORY THREADS.

Reads a JSON line {"kernel", "calls": [sources, ...], "answer": path} from stdin; runs the kernel once to warm
up and once for each of the calls, saves the last answer as a NumPy file, and writes a JSON line
{"seconds": [...]} or {"error"}.  The first line written tells of the
start: {"version", "kernels", "load_seconds"}.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from .competitors import Competitor
from .graph import GraphFiles
from .pipes import AnswerPipe

__all__ = ["main"]


def main(name: str, directory: str, threads: str) -> None:
    """Load the graph, then serve runs until stdin ends."""
    pipe = AnswerPipe()
    module = importlib.import_module(f"rizoma_lab.bench.competitors.{name}_")
    begin = time.perf_counter()
    competitor: Competitor = module.Contender(GraphFiles(Path(directory)), int(threads))
    loaded = time.perf_counter() - begin
    pipe.send({"version": competitor.version, "kernels": sorted(competitor.kernels), "load_seconds": loaded})
    for line in sys.stdin:
        request = json.loads(line)
        try:
            pipe.send(_run(competitor, request))
        except Exception as error:  # a competitor may fail: the others continue
            pipe.send({"error": f"{type(error).__name__}: {error}"})


def _run(competitor: Competitor, request: dict[str, Any]) -> dict[str, Any]:
    kernel = competitor.kernels[request["kernel"]]
    calls = request["calls"]
    answer = kernel(calls[0])
    seconds = []
    for sources in calls:
        begin = time.perf_counter()
        answer = kernel(sources)
        seconds.append(time.perf_counter() - begin)
    np.save(request["answer"], np.asarray(answer() if callable(answer) else answer))
    return {"seconds": seconds}


if __name__ == "__main__":
    main(*sys.argv[1:4])
