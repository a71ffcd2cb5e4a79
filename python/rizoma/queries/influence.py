"""The influence of given seeds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .. import _core
from ..core.arguments import names_checked
from ..core.engines import ProgressOption, engine
from ..core.options import checked_seed, whole_number
from ..graph.checkpoints import checkpoints_of, saving
from ..graph.ids import ErrorsWithIds, VertexKey
from ..graph.state import Reader, state_of
from .cascades import cascade_of, vertices_named, worths_of

__all__ = ["Influence", "influence"]


class Influence(NamedTuple):
    """What a cascade reaches on average, seeds included: vertices, or weight; `low` to `high`: the 95% interval."""

    mean: float
    low: float
    high: float


@names_checked
def influence(
    graph: Reader,
    seeds: Iterable[VertexKey],
    model: str = "ic",
    probability: float | str = 0.1,
    runs: int = 10_000,
    seed: int | None = None,
    weights: str | Mapping[VertexKey, float] | npt.ArrayLike | None = None,
    *,
    threads: int | None = None,
    progress: ProgressOption = None,
) -> Influence:
    """How many vertices a cascade from these seeds reaches on average, by simulation.

    Args:
        graph: a Graph or a Snapshot.
        seeds: vertices that are reached from the start.
        model: "ic" or "lt", as in `influence_maximization`.
        probability: of the edges, as in `influence_maximization`.
        runs: how many cascades; the interval narrows with their square root.
        seed: of the cascades; None: another one each time.
        weights: what each vertex counts that is reached, as in `influence_maximization`.
        threads: instead of `rizoma.config`.
        progress: True, or a function f(phase, done, total).

    Returns an Influence: the mean and its 95% interval, `low` to `high`.  Raises InvalidArgumentError if an argument is
    out of range, VertexNotFoundError if a seed is not in the graph.  Cost: O(runs * edges of the vertices that a
    cascade reaches).  Source: Kempe, Kleinberg, Tardos, "Maximizing the spread of influence through a social network",
    KDD'03.
    """
    state = state_of(graph)
    cascade = cascade_of(state, model, probability)
    whole_number("runs", runs, 1, 2**63 - 1)
    given = vertices_named(state, seeds)
    worths = worths_of(state, weights)
    chance = int(np.random.default_rng(checked_seed(seed)).integers(2**63))
    options = {"model": model, "probability": probability, "runs": runs, "seed": seed, "weights": worths}
    keep = checkpoints_of(graph, "influence", seeds=given, **options)
    with engine(threads, progress) as borrowed:
        column = cascade.column or "weight"
        view = state.working_view(borrowed) if column == "weight" else _core.weight_view(state, borrowed, column)
        with ErrorsWithIds(state), saving(borrowed, view, keep):
            found = _core.influence(
                borrowed, view, given, cascade.model, cascade.chance, cascade.probability, runs, chance, worths
            )
    return Influence(**found)
