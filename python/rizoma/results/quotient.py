"""Graphs whose vertices are the communities of another graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..core.engines import engine
from ..core.errors import UnsupportedError
from ..core.lazy_arrow import pa
from ..graph.open import open_graph
from ..graph.schema import weight_wanted
from ..graph.state import weighted_view

if TYPE_CHECKING:
    from ..graph.graph import Graph

__all__ = ["graph_of_labels"]


def graph_of_labels(
    state: _core.Snapshot, labels: npt.NDArray[np.uint64], weight: str | None, threads: int | None = None
) -> Graph:
    """The quotient graph of labels from 0 on, one a vertex by internal id; those of removed vertices do not count."""
    use_weights = weight_wanted(state, weight, must=False)
    with engine(threads, None) as borrowed:
        view = weighted_view(state, borrowed, weight)
        offsets, targets, weights, *_ = _core.csr(borrowed, view)
        live = _core.live_vertices(view)
    directed = state.schema.directed
    sources = np.repeat(np.arange(len(labels), dtype=np.uint64), np.diff(offsets))
    values = weights.astype(np.float64) if use_weights and weights is not None else np.ones(len(targets))
    if not directed:  # an edge has an entry at both ends
        once = sources <= targets
        sources, targets, values = sources[once], targets[once], values[once]
    kept = labels if live is None else labels[live]
    count = int(kept.max()) + 1 if len(kept) else 0
    found = open_graph(None, directed=directed, weights="float64", ids="dense")
    with found.batch() as batch:
        batch.add_vertices(np.arange(count, dtype=np.int64))
        batch.add_edges(_summed(labels[sources], labels[targets], values, count, directed))
    return found


def _summed(
    sources: npt.NDArray[np.uint64],
    targets: npt.NDArray[np.uint64],
    values: npt.NDArray[Any],
    count: int,
    directed: bool,
) -> pa.Table:
    """One row for each pair."""
    if not directed:
        sources, targets = np.minimum(sources, targets), np.maximum(sources, targets)
    width = np.uint64(max(count, 1))
    pairs, place = np.unique(sources * width + targets, return_inverse=True)
    sums = np.bincount(place, values, len(pairs))
    if not np.isfinite(sums).all():
        raise UnsupportedError(
            "quotient_graph: the weights between two communities have a sum beyond the range of float64; scale "
            "the weights, or give weight=None"
        )
    return pa.table(
        {
            "source": (pairs // width).astype(np.int64),
            "target": (pairs % width).astype(np.int64),
            "weight": sums,
        }
    )
