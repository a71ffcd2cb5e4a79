"""One way to run in a process of its own: python -m rizoma_lab.bench.scaling_worker JSON ANSWER.

Each line on stdin asks for a round; the reply is a line of JSON: the seconds of each call and the placement.  The
values of the last call are in the NumPy file ANSWER.  Homes that the machine does not have are made up by hwloc
(HWLOC_SYNTHETIC).
"""

from __future__ import annotations

import inspect
import json
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from rizoma import algorithms
from rizoma.core.config import config
from rizoma.distributed import cluster
from rizoma.graph.open import open_graph
from rizoma.results.partitions import PartitionResult

from .pipes import AnswerPipe, Piped
from .statistics import MOST_CALLS, SECONDS_A_ROUND

__all__ = ["SAMPLED", "Asked", "Runner", "main"]

_GIVEN: dict[str, dict[str, Any]] = {  # arguments that make the work the same in every run
    "pagerank": {"max_iter": 20, "tol": 0},
    "betweenness_centrality": {"k": 4, "seed": 1},
}

SAMPLED = ("betweenness_centrality",)
"""Algorithms that sample vertices by their internal ids."""


@dataclass(frozen=True)
class Asked:
    """What a process is to run.

    `hub`: the id of a vertex of greatest degree, where searches start; `by_id`: values are in the order of external
    ids, so that stores in different orders compare.
    """

    algorithm: str
    store: str
    hub: Any
    threads: int
    ranks: int
    placement: str
    by_id: bool = False


class Runner:
    """A process that has opened the store and runs its algorithm when asked; `homes`: made up; None: real ones."""

    def __init__(self, asked: Asked, homes: int | None) -> None:
        self._directory = TemporaryDirectory(prefix="rizoma-scaling-")
        self._answer = Path(self._directory.name, "answer.npy")
        environment = {} if homes is None else {"HWLOC_SYNTHETIC": synthetic(homes, asked.threads)}
        program = [sys.executable, "-m", "rizoma_lab.bench.scaling_worker"]
        command = [*program, json.dumps(asdict(asked)), str(self._answer)]
        name = f"{asked.algorithm} on {asked.threads} threads and {asked.ranks} ranks"
        self._piped = Piped(name, command, environment)
        self.placement: dict[str, Any] | None = None  # of the last call, where the answer has one

    def run(self) -> tuple[list[float], Any]:
        """One round: the seconds of each call, and the values of the last."""
        reply = self._piped.ask("run")
        self.placement = reply["placement"]
        return reply["seconds"], np.load(self._answer)

    def stop(self) -> None:
        """End the process."""
        self._piped.stop()
        self._directory.cleanup()


def synthetic(homes: int, threads: int) -> str:
    """A machine of `homes` NUMA nodes with at least one processor for each thread, as hwloc describes it."""
    return f"node:{homes} core:{-(-max(threads, homes) // homes)} pu:1"


def main(told: str, answer: str) -> None:
    """Serve rounds until stdin ends."""
    asked = Asked(**json.loads(told))
    pipe = AnswerPipe()
    with ExitStack() as stack:
        call = _prepared(asked, stack)
        for _ in sys.stdin:
            seconds: list[float] = []
            while len(seconds) < MOST_CALLS and sum(seconds) < SECONDS_A_ROUND:
                begin = time.perf_counter()
                result = call()
                seconds.append(time.perf_counter() - begin)
            np.save(answer, _values(result, asked.by_id))
            pipe.send({"seconds": seconds, "placement": _placement(result)})


def _prepared(asked: Asked, stack: ExitStack) -> Callable[[], Any]:
    algorithm = getattr(algorithms, asked.algorithm)
    given = _GIVEN.get(asked.algorithm, {})
    if "source" in inspect.signature(algorithm).parameters:
        given = given | {"source": asked.hub}
    stack.enter_context(config(threads=asked.threads, placement=asked.placement))
    if asked.ranks > 1:
        ranks = stack.enter_context(cluster(asked.ranks, threads=asked.threads))
        graph: Any = stack.enter_context(ranks.open(Path(asked.store)))
    else:
        graph = stack.enter_context(open_graph(Path(asked.store), mode="read_only"))
    return lambda: algorithm(graph, **given)


def _values(result: Any, by_id: bool) -> Any:
    if not hasattr(result, "to_numpy"):
        return np.asarray(float(result))
    values = result.to_numpy()
    if not by_id:
        return values
    values = values[np.argsort(result.ids, kind="stable")]
    return _by_first_member(values) if isinstance(result, PartitionResult) else values


def _by_first_member(labels: Any) -> Any:
    """A partition with each part named by its first vertex, whatever the labels were."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    return first[inverse]


def _placement(result: Any) -> dict[str, Any] | None:
    report = getattr(result, "placement", None)
    if report is None:
        return None
    return {name: value for name, value in report.to_dict().items() if name not in ("between", "sweeps")}


if __name__ == "__main__":
    main(*sys.argv[1:3])
