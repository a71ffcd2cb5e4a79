"""Whether two graphs are the same but for names: degrees tell most apart, NetworkX's search the rest."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt
from networkx.algorithms.isomorphism import DiGraphMatcher, GraphMatcher

from .compiled import Compiled, Rows
from .convert import attributes_of, compiled_of
from .registry import FUNCTIONS, ONLY_OURS, by_networkx, implements

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


def _look_alike(G1: Any, G2: Any, properties: str) -> bool:
    """Whether as many nodes have the same values of all these properties in the one as in the other."""
    first, second = attributes_of(G1), attributes_of(G2)
    if len(first) != len(second):
        return False
    ways = {"d": _degree_of, "t": FUNCTIONS["triangles"], "c": _cliques_of}
    values: tuple[list[Any], list[Any]] = [], []
    for name in "dtc":  # the cheap ones first
        if name in properties:
            for found, graph in zip(values, (G1, G2), strict=True):
                found.append(ways[name](graph))
            if _table(first, values[0]) != _table(second, values[1]):
                return False
    return True


def _table(graph: Any, values: list[Any]) -> list[tuple[int, ...]]:
    return sorted(tuple(each[n] for each in values) for n in graph)


def _degree_of(G: Any) -> dict[Any, int]:
    return dict(attributes_of(G).degree())


def _cliques_of(G: Any) -> Counter[Any]:
    """The number of maximal cliques that each node is in."""
    return Counter(chain.from_iterable(by_networkx("find_cliques", G)))


def _directed(arguments: dict[str, Any]) -> str | None:
    either = arguments["G1"].is_directed() or arguments["G2"].is_directed()
    return "triangles of directed graphs are left to NetworkX" if either else None


@implements(smallest=ONLY_OURS, refuses=_directed)
def could_be_isomorphic(G1: Any, G2: Any, *, properties: str = "dtc") -> bool:
    return _look_alike(G1, G2, properties)


@implements(smallest=ONLY_OURS, refuses=_directed)
def fast_could_be_isomorphic(G1: Any, G2: Any) -> bool:
    return _look_alike(G1, G2, "dt")


@implements(smallest=ONLY_OURS)
def faster_could_be_isomorphic(G1: Any, G2: Any) -> bool:
    return _look_alike(G1, G2, "d")
