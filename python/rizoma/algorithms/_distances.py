"""Scores that are made of the distances to every vertex."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..core.engines import ProgressOption
from ..results.vertex import ClosenessResult
from ._running import run

__all__ = ["distance_scores"]


def distance_scores(
    state: _core.Snapshot,
    score: Callable[[dict[str, Any], int], npt.NDArray[np.float64]],
    threads: int | None,
    progress: ProgressOption,
) -> ClosenessResult:
    """Scores made of the distances to every live vertex; 0 for removed ones."""

    def kernel(borrowed: _core.Engine, view: _core.View) -> dict[str, Any]:
        live = _core.live_vertices(view)
        found = score(_core.distance_sums(borrowed, view, live, in_edges=True), view.num_live)
        if live is None:
            return {"score": found}
        scores = np.zeros(view.num_vertices)
        scores[live] = found
        return {"score": scores}

    return run(ClosenessResult, state, kernel, threads, progress)
