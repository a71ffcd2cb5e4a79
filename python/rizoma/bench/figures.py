"""The figure of a yardstick's answer, computed from our own answer."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["figure", "figure_agrees"]

_TOLERANCE = {"pr": 1e-3, "bc": 1e-3, "bfs": 0.0, "cc": 0.0, "sssp": 1e-9, "tc": 0.0}


def figure(
    kernel: str,
    ours: npt.NDArray[Any],
    sources: list[int],
    degrees: npt.NDArray[Any],
    reach: npt.NDArray[Any],
) -> float:
    """What rizoma-yardstick must print if it is right; `reach`: vertices in the component of each vertex."""
    if kernel == "pr":
        return _kept_mass(degrees)
    if kernel == "bfs":
        return float((ours >= 0).sum())
    if kernel == "cc":
        return float(len(np.unique(ours)))
    if kernel == "bc":
        scores = ours.astype(np.float64)
        np.add.at(scores, sources, reach[sources] - 1)  # as in the GAP benchmark, a source scores too
        return float(scores.sum() / max(float(scores.max()), 1e-300))
    if kernel == "sssp":
        return float(ours[np.isfinite(ours)].sum())
    return float(ours)


def _kept_mass(degrees: npt.NDArray[Any], alpha: float = 0.85, iterations: int = 20) -> float:
    """Sum of ranks where, as in the GAP benchmark, the rank of vertices without edges is lost."""
    share = float((degrees == 0).mean())
    total, lost = 1.0, share
    for _ in range(iterations):
        total, lost = (1 - alpha) + alpha * (total - lost), share * (1 - alpha)
    return total


def figure_agrees(kernel: str, expected: float, told: float) -> bool:
    """Within the tolerance of the kernel (exact for counts; printed with nine digits)."""
    return abs(told - expected) <= max(_TOLERANCE[kernel], 1e-8) * max(abs(expected), 1.0)
