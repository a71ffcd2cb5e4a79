"""Medians and their uncertainty."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

__all__ = ["MOST_CALLS", "SECONDS_A_ROUND", "geometric_mean", "median_interval", "ratio_interval", "trimmed_mean"]

SECONDS_A_ROUND = 0.1
"""A short call is repeated until a round has taken this long."""

MOST_CALLS = 15
"""The most calls of a round."""

_RESAMPLES = 10_000


def median_interval(values: Sequence[float], seed: int = 0) -> tuple[float, float, float]:
    """The median and its 95% bootstrap interval (percentile method, 10,000 resamples)."""
    sample = np.asarray(values, np.float64)
    rng = np.random.default_rng(seed)
    medians = np.median(rng.choice(sample, (_RESAMPLES, len(sample))), axis=1)
    low, high = np.percentile(medians, [2.5, 97.5])
    return float(np.median(sample)), float(low), float(high)


def ratio_interval(above: Sequence[float], below: Sequence[float], seed: int = 0) -> tuple[float, float, float]:
    """The ratio of two medians and its 95% bootstrap interval; both were measured in the same rounds."""
    a, b = np.asarray(above, np.float64), np.asarray(below, np.float64)
    rounds = np.random.default_rng(seed).integers(len(a), size=(_RESAMPLES, len(a)))
    ratios = np.median(a[rounds], axis=1) / np.median(b[rounds], axis=1)
    low, high = np.percentile(ratios, [2.5, 97.5])
    return float(np.median(a) / np.median(b)), float(low), float(high)


def trimmed_mean(values: Sequence[float]) -> float:
    """The mean without the least and the greatest value, where there are more than two."""
    kept = sorted(values)[1:-1] if len(values) > 2 else values
    return float(np.mean(kept))


def geometric_mean(values: Sequence[float]) -> float:
    """The mean of ratios."""
    return float(np.exp(np.log(values).mean()))
