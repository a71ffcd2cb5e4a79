"""Influence maximization: the seeds from which a cascade reaches most.

When to use it
    To choose whom to tell, to vaccinate or to watch, so that what spreads along edges reaches (or misses) most.
    ``rizoma.influence`` estimates the spread of seeds that you have.
Cost
    Reverse reachable sets along the edges that a cascade takes; the more, the smaller ``epsilon``.
Memory
    One to four bytes for each vertex of each set; what goes beyond ``config(memory_limit=)`` is in temporary files
    (in $TMPDIR, or /tmp), and the answer is the same.
Source
    Tang, Tang, Xiao, Yuan, "Online processing algorithms for influence maximization", SIGMOD, 2018; Tang, Shi, Xiao,
    "Influence maximization in near-linear time: a martingale approach", SIGMOD, 2015.

>>> import rizoma as rz
>>> g = rz.open(None)
>>> g.add_edges([("ann", "bob"), ("bob", "cem"), ("cem", "ann"), ("dia", "eve"), ("eve", "fay"), ("fay", "dia")])
>>> g.add_edges([("cem", "dia")])
>>> result = rz.influence_maximization(g, k=1, probability=1, seed=1)
>>> round(result.spread)
6
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..core.aliases import renamed_attribute
from ..core.config import current
from ..core.engines import ProgressOption
from ..core.errors import InvalidArgumentError
from ..core.options import checked_seed, enum_value, real_number, whole_number
from ..graph.ids import VertexKey
from ..graph.state import Reader, state_of
from ..queries.cascades import cascade_of, vertices_named, worths_of
from ..results.vertex import VertexResult
from ._distributed import distributed
from ._running import run

__all__ = ["influence_maximization"]


class SeedsResult(VertexResult):
    """The seeds found, best first: `seeds`, their ids; `gain` of each to the spread, 0 for other vertices.

    `spread` of all seeds as reverse reachable sets estimate it, with its `lower_bound`; `upper_bound` of the best
    spread; `guarantee`: the smallest share of it that these reach; `rr_sets`: how many sets; `rr_set_bytes`:
    what they took, `spilled_bytes` of it in temporary files; `rr_set_read_bytes` were read to choose and judge seeds.
    """

    name = "Influence maximization"
    value = "gain"
    _sent = ("_numbers", "_weighted")
    seeds: list[VertexKey]
    spread: float
    lower_bound: float
    upper_bound: float
    guarantee: float
    rr_sets: int
    rr_set_entries: int
    rr_set_bytes: int
    spilled_bytes: int
    rr_set_read_bytes: int

    sketches = renamed_attribute("rizoma.SeedsResult.sketches")
    sketch_entries = renamed_attribute("rizoma.SeedsResult.sketch_entries")
    sketch_bytes = renamed_attribute("rizoma.SeedsResult.sketch_bytes")
    sketch_read_bytes = renamed_attribute("rizoma.SeedsResult.sketch_read_bytes")

    _numbers: npt.NDArray[np.uint64]
    _weighted: bool

    def __len__(self) -> int:
        return len(self._numbers)

    def _kept(self) -> dict[str, tuple[int, int]]:
        return {"rr_sets": (self.rr_set_read_bytes, self.rr_set_bytes)}

    def _rows(self) -> npt.NDArray[np.uint64]:
        return self._numbers

    def _how(self) -> str:
        reach = f"a weight of {self.spread:,.6g}" if self._weighted else f"{self.spread:,.0f} vertices"
        return (
            f"{len(self.seeds)} seeds that reach {reach}, "
            f"at least {self.guarantee:.1%} of the best, by {self.rr_sets:,} reverse reachable sets"
        )


@distributed
def influence_maximization(
    graph: Reader,
    k: int = 50,
    model: str = "ic",
    probability: float | str = 0.1,
    epsilon: float = 0.13,
    delta: float | None = None,
    method: str = "opim",
    seeds: Iterable[VertexKey] = (),
    seed: int | None = None,
    weights: str | Mapping[VertexKey, float] | npt.ArrayLike | None = None,
    *,
    staging: str = "direct",
    threads: int | None = None,
    progress: ProgressOption = None,
) -> SeedsResult:
    """The k vertices from which a cascade reaches most: at least 1 - 1/e - epsilon of the best possible spread.

    Args:
        graph: a Graph or a Snapshot; in an undirected one each edge leads both ways.
        k: number of seeds.
        model: "ic", independent cascade: each reached vertex tries once to reach each neighbour, with the chance
            of the edge; "lt", linear threshold: a vertex listens to one of its in-neighbours at most.
        probability: the chance of each edge: a number; "weighted": one over the number of in-edges of its target;
            or the name of an edge column, such as "weight".
        epsilon: how far the spread may fall below 1 - 1/e, as a share of the optimum.
        delta: probability that it falls below that; None: 1 / number of vertices.
        method: "opim": reverse reachable sets double until the bound is proven (OPIM-C); "imm": as many as
            the martingale bound asks for.
        seeds: vertices that are seeds already; the k new ones are others.
        seed: seed of the sampling; None: a new one each time.
        weights: what each vertex counts that is reached, 0 or more: the name of a vertex column (null: nothing),
            {vertex: weight} or a pandas Series by vertex (those left out: nothing), or an array by internal id, of
            the shape (num_vertices,); None: 1 each.  The spread is then a sum of weights.
        staging: how sets come to the memory of the tier rr_sets: "direct", sorted in a buffer of ordinary memory;
            "in_place", sorted there; "staged", built in ordinary memory and moved.  The seeds are the same.

    Returns:
        SeedsResult: the seeds in the order of choice, with the estimated spread.

    Raises:
        InvalidArgumentError: k is not from 1 to the number of vertices that are left; epsilon, delta, a probability
            or a weight is out of range or no number; no vertex has a weight above 0.
        VertexNotFoundError: `seeds` or `weights` names no vertex of the graph.
    """
    state = state_of(graph)
    cascade = cascade_of(state, model, probability)
    kind = enum_value(_core.InfluenceMethod, "method", method)
    placed = enum_value(_core.RrSetStaging, "staging", staging)
    whole_number("k", k, 1)
    epsilon = real_number("epsilon", epsilon)
    if delta is not None and not 0 < real_number("delta", delta) < 1:
        raise InvalidArgumentError(f"delta is {delta!r}; it must be above 0 and below 1")
    given = vertices_named(state, seeds)
    worths = worths_of(state, weights)
    chance = int(np.random.default_rng(checked_seed(seed)).integers(2**63))

    def kernel(borrowed: _core.Engine, view: _core.View) -> dict[str, Any]:
        answer = _core.influence_maximization(
            borrowed, view, k, cascade.model, cascade.chance, cascade.probability,
            epsilon, delta or 0.0, kind, given, chance, current().memory_limit, worths, placed,
        )  # fmt: skip
        numbers, gains = answer.pop("seeds"), answer.pop("gains")
        gain = np.zeros(state.num_vertices)
        gain[numbers] = gains
        return {"gain": gain, "_numbers": [numbers], **answer}

    result = run(SeedsResult, state, kernel, threads, progress, cascade.column)
    result._numbers = result._numbers[0]
    result._weighted = worths is not None
    result.seeds = result._ids_of(result._numbers).to_pylist()
    return result
