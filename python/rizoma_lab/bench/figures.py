"""Whether what a program tells of its answer agrees with our own answer."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .oracle import Oracle

__all__ = ["figure_agrees", "told_agrees"]

Array = npt.NDArray[Any]
_TOLERANCE = {"pr": 1e-3, "bc": 1e-3, "bfs": 0.0, "cc": 0.0, "sssp": 1e-9, "tc": 0.0}
_TOP_TOLERANCE = {"pr": 0.02, "bc": 1e-3}  # ranks after twenty iterations, of two orders of the sums


def told_agrees(kernel: str, ours: Array, told: dict[str, Any], sources: list[int], oracle: Oracle) -> bool:
    """`told`: {"figure"}: a sum over the answer; {"count"}: a number; {"top"}: the largest scores."""
    if "figure" in told:
        return figure_agrees(kernel, _figure(kernel, ours, sources, oracle), told["figure"])
    if "count" in told:
        return bool(_count(kernel, ours) == told["count"])
    scores = _with_sources(ours, sources, oracle) if kernel == "bc" else ours
    return _same_top(scores, told["top"], _TOP_TOLERANCE[kernel])


def _same_top(ours: Array, top: dict[int, float], tolerance: float) -> bool:
    """Whether the scores of another program are in the proportions of ours, and of our largest."""
    vertices = np.array(list(top))
    told, mine = np.array(list(top.values())), ours[vertices].astype(np.float64)
    greatest = np.sort(ours)[::-1][: len(vertices)]
    scale = float(told.max()) / max(float(mine.max()), 1e-300)
    near = tolerance * float(told.max())
    return bool(
        (np.abs(mine * scale - told) <= near).all() and (np.abs(greatest * scale - np.sort(told)[::-1]) <= near).all()
    )


def _count(kernel: str, ours: Array) -> int:
    if kernel in ("bfs", "sssp"):
        return int(((ours >= 0) & np.isfinite(ours)).sum())
    return len(np.unique(ours)) if kernel == "cc" else int(ours)


def _figure(kernel: str, ours: Array, sources: list[int], oracle: Oracle) -> float:
    """What rizoma-yardstick must print if it is right."""
    if kernel == "pr":
        return oracle.kept_mass
    if kernel == "bc":
        scores = _with_sources(ours, sources, oracle)
        return float(scores.sum() / max(float(scores.max()), 1e-300))
    if kernel == "sssp":
        return float(ours[np.isfinite(ours)].sum())
    return float(_count(kernel, ours))


def _with_sources(ours: Array, sources: list[int], oracle: Oracle) -> Array:
    """Scores as in the GAP benchmark, where a source scores too."""
    scores = ours.astype(np.float64)
    np.add.at(scores, sources, [oracle.reached(source) - 1 for source in sources])
    return scores


def figure_agrees(kernel: str, expected: float, told: float) -> bool:
    """Within the tolerance of the kernel (exact for counts; printed with nine digits)."""
    return abs(told - expected) <= max(_TOLERANCE[kernel], 1e-8) * max(abs(expected), 1.0)
