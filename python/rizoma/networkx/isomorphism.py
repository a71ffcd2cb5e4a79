"""Whether two graphs are the same but for names: degrees tell most apart, NetworkX's search the rest."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt
from networkx.algorithms.isomorphism import DiGraphMatcher, GraphMatcher

from .compiled import Compiled, Rows
from .convert import attributes_of, compiled_of
from .registry import ONLY_OURS, implements

__all__: list[str] = []


def _degrees(compiled: Compiled) -> list[npt.NDArray[np.int64]]:
    """Each node's number of out- and in-edges, sorted: the same for graphs that are the same but for names."""
    n = len(compiled)
    pairs = [_counts(rows, n) for rows in ((compiled.out, compiled.into) if compiled.directed else (compiled.out,))]
    order = np.lexsort(pairs)
    return [counts[order] for counts in pairs]


def _counts(rows: Rows, n: int) -> npt.NDArray[np.int64]:
    return np.bincount(rows.sources, rows.edges, n).astype(np.int64)


@implements(smallest=ONLY_OURS)
def is_isomorphic(G1: Any, G2: Any, node_match: Any = None, edge_match: Any = None) -> bool:
    if G1.is_directed() != G2.is_directed():
        raise nx.NetworkXError("Graphs G1 and G2 are not of the same type.")
    first, second = compiled_of(G1), compiled_of(G2)
    if len(first) != len(second):
        return False
    if not all(np.array_equal(a, b) for a, b in zip(_degrees(first), _degrees(second), strict=True)):
        return False
    matcher = DiGraphMatcher if G1.is_directed() else GraphMatcher
    return bool(matcher(attributes_of(G1), attributes_of(G2), node_match, edge_match).is_isomorphic())
