"""What louvain and leiden share, and label_propagation with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from .. import _core
from ..core.engines import ProgressOption
from ..core.errors import InvalidArgumentError
from ..core.options import checked_seed, real_number, whole_number
from ..graph.checkpoints import checkpoints_of
from ..graph.diff import Changes
from ..graph.ids import VertexKey, find_many
from ..graph.schema import weight_wanted
from ..graph.state import Reader
from ..queries.cascades import vertices_named, worths_of
from ..results.by_number import former_parts, same_numbers
from ..results.partitions import CommunitiesResult, CommunityPhase, PartitionResult
from ..results.quality import Partition, labels_of
from ._arguments import changed_vertices
from ._running import run

__all__ = ["Objective", "Sizes", "find_communities", "former_and_changed"]

Objective: TypeAlias = Literal["modularity", "rb", "rber", "cpm"]
Sizes: TypeAlias = str | Mapping[VertexKey, float] | npt.ArrayLike | None

_OBJECTIVES = ("modularity", "rb", "rber", "cpm")


def find_communities(
    method: Callable[..., dict[str, Any]],
    state: _core.Snapshot,
    weight: str | None,
    resolution: float,
    threshold: float,
    max_levels: int | None,
    seed: int | None,
    start: Partition | None,
    changed: Iterable[VertexKey] | Changes | None,
    iterations: int,
    objective: str,
    sizes: Sizes,
    fixed: Iterable[VertexKey] | None,
    threads: int | None,
    progress: ProgressOption,
    keeper: Reader,
) -> CommunitiesResult:
    """Run one of the methods of the core; its levels become results of their own.

    `keeper`: the graph, beside which checkpoints are kept.
    """
    use_weights = weight_wanted(state, weight, must=False)
    most = -1 if max_levels is None else whole_number("max_levels", max_levels, 1)
    resolution, threshold = real_number("resolution", resolution), real_number("threshold", threshold)
    chance = int(np.random.default_rng(checked_seed(seed)).integers(2**63))
    whole_number("iterations", iterations, 1)
    first, woken = former_and_changed(state, start, changed)
    if objective not in _OBJECTIVES:
        raise InvalidArgumentError(f"objective={objective!r} is not known; choose one of {', '.join(_OBJECTIVES)}")
    if sizes is not None and objective not in ("cpm", "rber"):
        raise InvalidArgumentError(f"sizes= has no meaning for objective={objective!r}; use 'cpm' or 'rber'")
    masses = _masses(state, sizes)
    held = None if fixed is None else np.sort(vertices_named(state, fixed, "fixed"))

    kept: dict[str, Any] = {"weight": weight, "resolution": resolution, "threshold": threshold, "seed": seed}
    kept |= {"max_levels": max_levels, "start": first, "changed": woken}
    kept |= {"objective": objective, "sizes": masses, "fixed": held}
    keep = checkpoints_of(keeper, method.__name__, **kept)

    def kernel(borrowed: _core.Engine, view: _core.View) -> dict[str, Any]:
        answer = method(
            borrowed, view, resolution, threshold, most, chance, use_weights, first, woken, iterations,
            objective, masses, held,
        )  # fmt: skip
        answer["objective"] = objective
        answer["levels"] = [_level(state, view, labels) for labels in answer["levels"]]
        answer["phases"] = [
            CommunityPhase(kind, iteration, level, "copies" if copies else "sections", read, written)
            for kind, iteration, level, copies, read, written in answer["phases"]
        ]
        return answer

    result = run(CommunitiesResult, state, kernel, threads, progress, weight, keep)
    for each in (result, *result.levels):
        each._weight = weight
        each.objective = objective
    return result


def _masses(state: _core.Snapshot, sizes: Sizes) -> npt.NDArray[np.float64] | None:
    """Sizes by internal id; 1 for vertices that a mapping leaves out."""
    masses = worths_of(state, sizes, "sizes")
    if masses is not None and isinstance(sizes, Mapping):
        rest = np.ones(len(masses), np.bool_)
        rest[find_many(state, list(sizes))] = False
        masses[rest] = 1
    return masses


def former_and_changed(
    state: _core.Snapshot, start: Partition | None, changed: Iterable[VertexKey] | Changes | None
) -> tuple[npt.NDArray[np.uint64] | None, npt.NDArray[np.uint64] | None]:
    """Communities to begin with, by internal id, 2**64 - 1 for vertices without one; and the vertices that changed."""
    first = None if start is None else _former(state, start)
    if changed is None:
        return first, None
    if first is None:
        raise InvalidArgumentError("changed= needs start=, an earlier result")
    return first, changed_vertices(state, changed, start)


def _former(state: _core.Snapshot, start: Partition) -> npt.NDArray[np.uint64]:
    if isinstance(start, PartitionResult) and same_numbers(state, start):
        return former_parts(state, start)
    return labels_of(state, start, "start", must=False)


def _level(state: _core.Snapshot, view: _core.View, labels: Any) -> CommunitiesResult:
    """The communities of one level, without their modularity."""
    level = CommunitiesResult(state, view, {"community": labels})
    live = labels if level._live is None else labels[level._live]
    level.count = int(live.max()) + 1 if len(live) else 0
    level.levels = []
    return level
