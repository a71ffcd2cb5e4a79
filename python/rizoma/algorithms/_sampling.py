"""What algorithms that sample share: how sure and how near an answer is to be, and which vertices to begin at."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from .. import _core
from ..core.errors import InvalidArgumentError
from ..core.options import checked_seed, real_number, whole_number

__all__ = ["between_0_and_1", "hoeffding", "random_vertices", "sample_size"]


def between_0_and_1(name: str, value: float) -> float:
    """The value of an option.  Raises InvalidArgumentError if it is 0, 1 or beyond."""
    number = real_number(name, value)
    if not 0 < number < 1:
        raise InvalidArgumentError(f"{name} is {value!r}; it must be between 0 and 1")
    return number


def hoeffding(k: int, values: int, delta: float) -> float:
    """How far means of k samples between 0 and 1 are from the true ones: all `values` of them, but for a chance delta.

    Samples are drawn without replacement, for which the bound holds too.  1 if it says nothing.
    """
    return min(1.0, math.sqrt(math.log(2 * max(values, 1) / delta) / (2 * k))) if k > 0 else 1.0


def sample_size(state: _core.Snapshot, k: int | None, epsilon: float | None, values: int, delta: float) -> int | None:
    """How many vertices to sample: `k`, or as many as make `hoeffding` at most epsilon; None: all.

    Raises InvalidArgumentError for both, and for a k that the graph does not have.
    """
    if k is not None and epsilon is not None:
        raise InvalidArgumentError("k says how many vertices to sample, and epsilon how near to come; give one of them")
    if epsilon is not None:
        wanted = math.ceil(math.log(2 * max(values, 1) / delta) / (2 * between_0_and_1("epsilon", epsilon) ** 2)) + 1
        return wanted if wanted < state.num_live else None
    if k is None:
        return None
    if not 0 < whole_number("k", k, -(2**31)) <= state.num_live:
        raise InvalidArgumentError(f"k is {k}; it must be between 1 and the number of vertices, {state.num_live}")
    return k if k < state.num_live else None


def random_vertices(view: _core.View, k: int, seed: int | None) -> npt.NDArray[np.uint64]:
    """k different live vertices by internal id."""
    live = _core.live_vertices(view)
    chosen = np.random.default_rng(checked_seed(seed)).choice(view.num_live, size=k, replace=False).astype(np.uint64)
    return chosen if live is None else live[chosen]
