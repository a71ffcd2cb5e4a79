"""What single_linkage and the components of several thresholds share."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from ..core.engines import ProgressOption
from ..core.errors import InvalidArgumentError, UnsupportedError
from ..graph.schema import edge_columns, weight_wanted
from ..results.linkage import Linkage, SingleLinkageResult
from ._running import run

__all__ = ["linkage_of", "weights_are_single"]


def weights_are_single(state: _core.Snapshot, weight: str) -> bool:
    """Whether the weights that clusters go by are float32; raises if an undirected graph with them is not there."""
    if state.schema.directed:
        raise UnsupportedError("clusters by weight need an undirected graph; give g.undirected()")
    if not weight_wanted(state, weight, must=False):
        raise InvalidArgumentError("the graph has no column 'weight'; name a numeric edge column with weight=")
    kind = state.schema.weights.name if weight == "weight" else edge_columns(state.schema)[weight]
    return kind == "float32"


def linkage_of(
    state: _core.Snapshot, weight: str, nearest: bool, threads: int | None, progress: ProgressOption
) -> SingleLinkageResult:
    """The single-linkage tree of a state of a graph."""
    single = weights_are_single(state, weight)

    def kernel(borrowed: _core.Engine, view: _core.View) -> dict[str, Any]:
        tree = Linkage(_core.single_linkage(borrowed, view, nearest), nearest, single)
        firsts = np.full(view.num_vertices, np.nan)
        for clusters in (tree.second, tree.first):
            vertices = clusters < view.num_vertices
            firsts[clusters[vertices].astype(np.int64)] = tree.weights[vertices]
        return {"weight": firsts, "_linkage": tree, "count": len(tree), "nearest": nearest}

    return run(SingleLinkageResult, state, kernel, threads, progress, weight)
