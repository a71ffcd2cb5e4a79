"""Medians and their uncertainty."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

__all__ = ["median_interval"]

_RESAMPLES = 10_000


def median_interval(values: Sequence[float], seed: int = 0) -> tuple[float, float, float]:
    """The median and its 95% bootstrap interval (percentile method, 10,000 resamples)."""
    sample = np.asarray(values, np.float64)
    rng = np.random.default_rng(seed)
    medians = np.median(rng.choice(sample, (_RESAMPLES, len(sample))), axis=1)
    low, high = np.percentile(medians, [2.5, 97.5])
    return float(np.median(sample)), float(low), float(high)
