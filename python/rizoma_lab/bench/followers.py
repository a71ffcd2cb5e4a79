"""A synthetic graph of followers with the size and the joins of the one that MyriaX was measured on.

With the seed 7 two edges make 1.99 G paths, of which a third closes 88 M; in the study 2.0 G and 89 M.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["EDGES", "VERTICES", "Edges", "followers", "kept_followers"]

VERTICES = 435_154
EDGES = 4_500_000
_NEIGHBORHOOD = 1500  # people who follow each other more often than others

Edges = npt.NDArray[np.int64]


def followers(vertices: int = VERTICES, edges: int = EDGES, seed: int = 7) -> Edges:
    """Edges, a row each: heavy-tailed, partly reciprocated and clustered, with some self-loops and duplicates.

    The same for the same arguments.
    """
    rng = np.random.default_rng(seed)
    fans, idols = np.arange(1, vertices + 1) ** -0.83, np.arange(1, vertices + 1) ** -0.75
    out, into = np.cumsum(fans) / fans.sum(), np.cumsum(idols) / idols.sum()
    names = rng.permutation(vertices)
    made: npt.NDArray[Any] = np.empty((0, 2), np.int64)
    while len(made) < edges:
        count = edges // 2
        source, target = np.searchsorted(out, rng.random(count)), np.searchsorted(into, rng.random(count))
        near = rng.random(count) < 0.6  # similar people follow each other
        within = (_NEIGHBORHOOD * rng.random(int(near.sum())) ** 1.3).astype(np.int64)
        target[near] = source[near] // _NEIGHBORHOOD * _NEIGHBORHOOD + within
        some = np.column_stack([source, np.minimum(target, vertices - 1)])
        some = np.concatenate([some, some[rng.random(count) < 0.4][:, ::-1]])
        some = some[(some[:, 0] != some[:, 1]) | (rng.random(len(some)) < 0.01)]
        made = np.unique(np.concatenate([made, some]), axis=0)
    rng.shuffle(made)
    twice = edges // 1125
    made = np.concatenate([made[: edges - twice], made[:twice]])
    named: Edges = names[made]
    return named


def kept_followers(file: Path | None, vertices: int, edges: int, seed: int) -> Edges:
    """The same out of a .npy file, if there is one; else they are made, and put into it."""
    if file is not None and file.exists():
        kept: Edges = np.load(file)
        return kept
    made = followers(vertices, edges, seed)
    if file is not None:
        np.save(file, made)
    return made
