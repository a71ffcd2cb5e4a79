"""Sampled neighbourhoods of several hops, with vertices numbered again: what a training batch is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .. import _core
from ..core.engines import engine
from ..core.errors import InvalidArgumentError

__all__ = ["Neighborhood", "sample_hops"]

Numbers = npt.NDArray[np.uint64]

_ALL = 2**62  # more neighbours than any vertex has


@dataclass(frozen=True)
class Neighborhood:
    """Vertices around seeds, and the sampled edges that led to them.

    `vertices` has internal ids: the seeds as they were given, then what each hop found first.  `sources` and `targets`
    are places in `vertices`, one pair for each sampled edge, hop by hop.  `found` and `drawn` count the vertices (the
    seeds first) and the edges of each hop.
    """

    vertices: Numbers
    sources: npt.NDArray[np.int64]
    targets: npt.NDArray[np.int64]
    found: list[int]
    drawn: list[int]


def sample_hops(
    state: _core.Snapshot,
    seeds: Numbers,
    counts: Sequence[int],
    seed: int = 0,
    *,
    in_edges: bool = False,
    threads: int | None = None,
) -> Neighborhood:
    """At most `counts[i]` random neighbours of each vertex that hop i begins at; -1: all of them.

    A vertex is sampled from in the hop after the one that found it; a seed that is given twice, each time.  With
    `in_edges` edges that lead to the vertices are followed back, so that `sources` are the neighbours; without,
    `targets` are.  The same for the same seed whatever the number of threads.
    """
    if any(count < -1 for count in counts):
        raise InvalidArgumentError(f"counts are {list(counts)}; each must be a number of neighbours, or -1 for all")
    vertices = np.ascontiguousarray(seeds, np.uint64)
    places = np.arange(len(vertices), dtype=np.int64)
    near: list[npt.NDArray[np.int64]] = []
    far: list[npt.NDArray[np.int64]] = []
    found, drawn = [len(vertices)], []
    with engine(threads) as borrowed:
        view = state.view(borrowed)
        for hop, count in enumerate(counts):
            begins = vertices[places]
            most = _ALL if count == -1 else count
            offsets, others = _core.sample_neighbors(borrowed, view, begins, most, seed + hop, in_edges)
            near.append(np.repeat(places, np.diff(offsets).astype(np.int64)))
            new, told = _numbered(vertices, others)
            far.append(told)
            places = np.arange(len(vertices), len(vertices) + len(new), dtype=np.int64)
            vertices = np.concatenate([vertices, new])
            found.append(len(new))
            drawn.append(len(others))
    ends = [np.concatenate(parts) if parts else np.empty(0, np.int64) for parts in (far, near)]
    sources, targets = ends if in_edges else ends[::-1]
    return Neighborhood(vertices, sources, targets, found, drawn)


def _numbered(known: Numbers, others: Numbers) -> tuple[Numbers, npt.NDArray[np.int64]]:
    """Those of `others` that are not `known`, by first occurrence, and the place of each of `others` after `known`."""
    every = np.concatenate([known, others])
    _, first, inverse = np.unique(every, return_index=True, return_inverse=True)
    new = np.sort(first[first >= len(known)])
    places = np.where(first < len(known), first, len(known) + np.searchsorted(new, first))
    return every[new], places[inverse[len(known) :]].astype(np.int64)
