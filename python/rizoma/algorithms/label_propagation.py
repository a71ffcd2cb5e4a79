"""Label propagation: communities by majority among neighbours.

When to use it
    Where ``louvain`` takes too long: it uses all threads and a few passes.  Communities are coarser, and differ
    from seed to seed.  ``synchronous=True`` is CDLP of LDBC Graphalytics.
Cost
    One pass over the edges a round, some ten rounds; all threads.
Memory
    8 bytes a vertex for each thread.
Source
    Raghavan, Albert, Kumara, "Near linear time algorithm to detect community structures in large-scale networks",
    Phys. Rev. E 76, 2007; Iosup et al., "LDBC Graphalytics", VLDB 2016.

>>> import rizoma as rz
>>> g = rz.open(None)
>>> g.add_edges([("ann", "bob"), ("bob", "cem"), ("cem", "ann"), ("dia", "eve"), ("eve", "fay"), ("fay", "dia")])
>>> result = rz.label_propagation(g, seed=1)
>>> result.count
2
>>> result["ann"] == result["cem"] != result["dia"]
True
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..checkpoints import checkpoints_of
from ..lazy_arrow import pa
from ..options import checked_seed, whole_number
from ..partitions import PartitionResult
from ..ranks import distributed
from ..reader import Reader
from ..vertex_ids import VertexKey, arrow_ids
from ._arguments import weight_wanted
from ._running import ProgressOption, run, state_of

__all__ = ["label_propagation"]


class LabelsResult(PartitionResult):
    """Communities: `community` names one vertex whose label its vertices have; `iterations`, `converged`."""

    name = "Label propagation"
    value = "community"
    vertex_columns = ("community",)
    iterations: int
    converged: bool
    resumed_after: int = 0  # rounds that a checkpoint had seen

    def _plain(self, number: int) -> VertexKey:
        label = self.to_numpy()[number : number + 1]
        found: VertexKey = self._ids_of(label)[0].as_py()
        return found

    def _labels(self, found: npt.NDArray[np.int64]) -> pa.Array:
        return self._ids_of(found)

    def _how(self) -> str:
        end = "at rest" if self.converged else "not at rest"
        resumed = f" ({self.resumed_after} before the checkpoint)" if self.resumed_after else ""
        return f"{self._parts('community', 'communities')}, {end} after {self.iterations} rounds{resumed}"


@distributed
def label_propagation(
    graph: Reader,
    weight: str | None = None,
    seed: int | None = None,
    synchronous: bool = False,
    max_iter: int = 100,
    *,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> LabelsResult:
    """Communities by majority: each vertex takes a label that is most frequent among its neighbours.

    In a directed graph in- and out-neighbours count alike.  By default vertices look at labels that are partly
    new, and choose among equals by chance, until every vertex agrees with most of its neighbours (Raghavan, Albert,
    Kumara, 2007).

    Args:
        graph: a Graph or a Snapshot.
        weight: "weight": heavier edges count more; None: all edges alike.
        seed: of the choices among equals; None: another one each time.
        synchronous: all vertices look at the labels of the round before, and of equals the label with the least id
            wins: CDLP of the LDBC Graphalytics benchmark.
        max_iter: most rounds.
    """
    state = state_of(graph)
    use_weights = weight_wanted(state, weight)
    whole_number("max_iter", max_iter, 0)
    start = int(np.random.default_rng(checked_seed(seed)).integers(2**63))
    in_order = _in_order_of_ids(state) if synchronous else None
    keep = checkpoints_of(graph, "label_propagation", weight=weight, seed=seed, synchronous=synchronous)

    def kernel(lent: _core.Engine, view: _core.View) -> dict[str, Any]:
        if in_order is None:
            return _core.label_propagation(lent, view, synchronous, max_iter, start, use_weights, keep=keep)
        places = np.empty(len(in_order), np.uint64)
        places[in_order] = np.arange(len(in_order), dtype=np.uint64)
        answer = _core.label_propagation(lent, view, synchronous, max_iter, start, use_weights, places, keep)
        return answer | {"community": in_order[answer["community"]]}

    return run(LabelsResult, state, kernel, threads, progress, keeps=True)


def _in_order_of_ids(state: _core.Snapshot) -> npt.NDArray[np.uint64]:
    """Inner numbers in the order of their external ids."""
    from pyarrow import compute

    ids = arrow_ids(state.ids_of_range(0, state.num_vertices))
    return np.asarray(compute.sort_indices(ids).to_numpy(), np.uint64)
