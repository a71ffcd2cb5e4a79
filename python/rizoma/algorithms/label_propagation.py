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

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..core.engines import ProgressOption
from ..core.errors import UnsupportedError
from ..core.lazy_arrow import pa
from ..core.options import checked_seed, whole_number
from ..graph.checkpoints import checkpoints_of
from ..graph.diff import Changes
from ..graph.ids import VertexKey, arrow_ids
from ..graph.schema import weight_wanted
from ..graph.state import Reader, state_of
from ..results.by_number import same_numbers
from ..results.partitions import CommunitiesResult
from ..results.quality import Partition, quality_of_labels
from ._communities import former_and_changed
from ._distributed import distributed
from ._running import run

__all__ = ["label_propagation"]

_NONE = np.iinfo(np.uint64).max


class LabelsResult(CommunitiesResult):
    """Communities: `community` names one vertex whose label its vertices have; `iterations`, `converged`.

    `modularity` is worked out when it is first asked for, by the weights that the call went by.  `levels` is this
    result alone.  `graph()` numbers the communities 0.. in the order of `sizes()`.
    """

    name = "Label propagation"
    vertex_columns = ("community",)
    iterations: int
    converged: bool

    @property
    def levels(self) -> list[CommunitiesResult]:  # type: ignore[override]
        """The communities, once: there are no levels."""
        return [self]

    @cached_property
    def modularity(self) -> float:  # type: ignore[override]
        """Modularity of the communities, as `rizoma.modularity` has it: one pass over the edges, once."""
        if not isinstance(self._snapshot, _core.Snapshot) or self.ranks > 1:
            raise UnsupportedError(
                "this result came from another process, so its modularity is not known; call "
                "rizoma.modularity(graph, result) in a process that has the graph"
            )
        labels = self._values().astype(np.uint64, copy=False)
        return float(quality_of_labels(self._snapshot, labels, self._weight)["modularity"])

    def _facts(self) -> dict[str, Any]:
        return super()._facts() | ({"modularity": self.modularity} if self.ranks == 1 else {})

    def _numbered(self) -> npt.NDArray[np.uint64]:
        number = np.full(self._snapshot.num_vertices, _NONE, np.uint64)
        labels, _ = self._by_size()
        number[labels] = np.arange(len(labels), dtype=np.uint64)
        numbered: npt.NDArray[np.uint64] = number[self._values()]
        return numbered

    def _plain(self, number: int) -> VertexKey:
        label = self._values()[number : number + 1]
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
    start: Partition | None = None,
    changed: Iterable[VertexKey] | Changes | None = None,
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
        weight: "weight", or the name of a numeric edge column: heavier edges count more; None: all edges alike.
        seed: seed of the choices among equal labels; None: a new one each time.
        synchronous: all vertices read the labels of the round before, and of equal labels the one with the smallest id
            wins: CDLP of the LDBC Graphalytics benchmark.
        max_iter: largest number of rounds.
        start: communities to begin with, such as a former result; vertices without one begin alone.
        changed: with start=, the vertices whose edges have changed, or the result of `Graph.changes`; only they, and
            the neighbours of a vertex whose label changes, are visited again.

    Returns:
        LabelsResult: the label, one value for each vertex, in the order of internal ids.

    Raises:
        InvalidArgumentError: a weight is negative or not a number; changed= without start=.
        VertexNotFoundError: `changed` names no vertex of the graph (of `start` those are left out that are none).
    """
    state = state_of(graph)
    use_weights = weight_wanted(state, weight)
    whole_number("max_iter", max_iter, 0)
    chance = int(np.random.default_rng(checked_seed(seed)).integers(2**63))
    former, woken = former_and_changed(state, start, changed)
    keeps_names = isinstance(start, LabelsResult) and same_numbers(state, start)
    in_order = _in_order_of_ids(state) if synchronous else None
    keep = checkpoints_of(
        graph, "label_propagation", weight=weight, seed=seed, synchronous=synchronous, start=former, changed=woken
    )

    def kernel(borrowed: _core.Engine, view: _core.View) -> dict[str, Any]:
        first = None if former is None else _names(view, former, keeps_names)
        if in_order is None:
            return _core.label_propagation(borrowed, view, synchronous, max_iter, chance, use_weights, first, woken)
        places = np.empty(len(in_order), np.uint64)  # so that the smallest label belongs to the smallest id
        places[in_order] = np.arange(len(in_order), dtype=np.uint64)
        first = places if first is None else places[first]
        answer = _core.label_propagation(borrowed, view, synchronous, max_iter, chance, use_weights, first, woken)
        return answer | {"community": in_order[answer["community"]]}

    result = run(LabelsResult, state, kernel, threads, progress, weight, keep=keep)
    result._weight = weight
    return result


def _names(view: _core.View, former: npt.NDArray[np.uint64], keep: bool) -> npt.NDArray[np.uint64]:
    """For each vertex the one that names its community: its present one, if that may be kept, or the first of each."""
    numbers = np.arange(len(former), dtype=np.uint64)
    live = _core.live_vertices(view)
    known = former != _NONE
    if live is not None:
        known &= np.isin(numbers, live)
    elif keep:
        return np.where(known, former, numbers)
    first = np.full(len(former), _NONE, np.uint64)
    backwards = np.flatnonzero(known)[::-1]
    first[former[backwards]] = backwards  # the last write wins
    return np.where(known, first[np.where(known, former, 0)], numbers)


def _in_order_of_ids(state: _core.Snapshot) -> npt.NDArray[np.uint64]:
    """Internal ids in the order of their external ids."""
    from pyarrow import compute

    ids = arrow_ids(state.ids_of_range(0, state.num_vertices))
    return np.asarray(compute.sort_indices(ids).to_numpy(), np.uint64)
