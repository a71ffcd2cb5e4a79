"""Connected, weakly and strongly connected components; trees and forests; orders of acyclic graphs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from rizoma import _core

from .compiled import Compiled, run
from .convert import compiled_of
from .graphs import graph_class
from .registry import CACHED, LINEAR, ONLY_OURS, implements, undirected
from .searches import search

__all__: list[str] = []


def labels_of(compiled: Compiled) -> npt.NDArray[np.int64]:
    """Number of each node's (weak) component, counted in the order of their first nodes."""
    raw = run(_core.connected_components, compiled.view())["component"]
    _, first, inverse = np.unique(raw, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[inverse]


def sets_of(compiled: Compiled, labels: npt.NDArray[np.int64]) -> Iterator[set[Any]]:
    """The nodes of each label, in the order of the labels."""
    order = np.argsort(labels, kind="stable")
    nodes = [compiled.nodes[v] for v in order.tolist()]
    begin = 0
    for count in np.bincount(labels).tolist():
        yield set(nodes[begin : begin + count])
        begin += count


def _count(compiled: Compiled) -> int:
    return int(run(_core.connected_components, compiled.view())["count"]) if len(compiled) else 0


def _is_one(compiled: Compiled) -> bool:
    if len(compiled) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return _count(compiled) == 1


@implements(smallest=CACHED)
def connected_components(G: Any) -> Iterator[set[Any]]:
    compiled = compiled_of(G)
    yield from sets_of(compiled, labels_of(compiled))


@implements(smallest=CACHED)
def number_connected_components(G: Any) -> int:
    return _count(compiled_of(G))


@implements(smallest=CACHED)
def is_connected(G: Any) -> bool:
    return _is_one(compiled_of(G))


@implements(smallest=CACHED)
def node_connected_component(G: Any, n: Any) -> set[Any]:
    compiled = compiled_of(G)
    start = compiled._numbers[n]  # NetworkX too lets the KeyError through
    return {compiled.nodes[v] for v in search(compiled, start)["order"].tolist()}


@implements(smallest=CACHED)
def weakly_connected_components(G: Any) -> Iterator[set[Any]]:
    compiled = compiled_of(G)
    yield from sets_of(compiled, labels_of(compiled))


@implements(smallest=CACHED)
def number_weakly_connected_components(G: Any) -> int:
    return _count(compiled_of(G))


@implements(smallest=CACHED)
def is_weakly_connected(G: Any) -> bool:
    return _is_one(compiled_of(G))


def _strong(compiled: Compiled, depth_first_order: bool = False) -> dict[str, Any]:
    """Strong components, numbered as NetworkX's search finds them if so asked, or else as the threads do."""
    return run(_core.strong_components, compiled.ordered_view(), depth_first_order=depth_first_order)


@implements
def strongly_connected_components(G: Any) -> Iterator[set[Any]]:
    compiled = compiled_of(G)
    yield from sets_of(compiled, _strong(compiled, depth_first_order=True)["component"].astype(np.int64))


@implements
def number_strongly_connected_components(G: Any) -> int:
    return int(_strong(compiled_of(G))["count"])


@implements(refuses=undirected)
def condensation(G: Any, scc: Iterable[set[Any]] | None = None) -> Any:
    compiled = compiled_of(G)
    parts = list(strongly_connected_components(G) if scc is None else scc)
    mapping = {n: number for number, part in enumerate(parts) for n in part}
    C = graph_class(True, False)()
    C.graph["mapping"] = mapping
    C.add_nodes_from((number, {"members": part}) for number, part in enumerate(parts))
    new = np.fromiter((mapping[n] for n in compiled.nodes), np.int64, len(compiled))
    sources, targets = new[compiled.out.sources], new[compiled.out.targets]
    across = sources != targets
    C.add_edges_from(zip(sources[across].tolist(), targets[across].tolist(), strict=True))
    return C


@implements(smallest=LINEAR)
def is_aperiodic(G: Any) -> bool:
    if not G.is_directed():
        raise nx.NetworkXError("is_aperiodic not defined for undirected graphs")
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Graph has no nodes.")
    compiled = compiled_of(G)
    if int(_strong(compiled)["count"]) != 1:
        raise nx.NetworkXError("Graph is not strongly connected.")
    found = search(compiled, 0)
    levels = np.zeros(len(compiled), np.int64)
    levels[found["order"].astype(np.int64)] = found["distance"]
    # Each edge closes cycles whose lengths differ by how far it is from leading one level on.
    slack = levels[compiled.out.sources] - levels[compiled.out.targets] + 1
    return bool(np.gcd.reduce(np.abs(slack), initial=0) == 1)


@implements(smallest=LINEAR)
def is_strongly_connected(G: Any) -> bool:
    compiled = compiled_of(G)
    if len(compiled) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return int(_strong(compiled)["count"]) == 1


@implements(refuses=undirected)
def is_semiconnected(G: Any) -> bool:
    compiled = compiled_of(G)
    if len(compiled) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    labels = _strong(compiled)["component"].astype(np.int64)
    # Labels are a reversed topological order, and a path through all components leaves no other.
    sources, targets = labels[compiled.out.sources], labels[compiled.out.targets]
    return len(np.unique(targets[sources == targets + 1])) == int(labels.max())


@implements(refuses=undirected)
def attracting_components(G: Any) -> Iterator[set[Any]]:
    compiled = compiled_of(G)
    answer = _strong(compiled, depth_first_order=True)
    labels = answer["component"].astype(np.int64)
    sources, targets = labels[compiled.out.sources], labels[compiled.out.targets]
    left = np.zeros(int(answer["count"]), np.bool_)
    left[sources[sources != targets]] = True
    for component, leaves in zip(sets_of(compiled, labels), left.tolist(), strict=True):
        if not leaves:
            yield component


@implements(refuses=undirected)
def number_attracting_components(G: Any) -> int:
    return sum(1 for _ in attracting_components(G))


@implements(refuses=undirected)
def is_attracting_component(G: Any) -> bool:
    return [len(component) for component in attracting_components(G)] == [len(compiled_of(G))]


@implements(smallest=ONLY_OURS)
def is_tree(G: Any) -> bool:
    compiled = compiled_of(G)
    if len(compiled) == 0:
        raise nx.NetworkXPointlessConcept("G has no nodes.")
    return len(compiled) - 1 == compiled.num_edges and _count(compiled) == 1


@implements(smallest=LINEAR)
def is_forest(G: Any) -> bool:
    compiled = compiled_of(G)
    if len(compiled) == 0:
        raise nx.NetworkXPointlessConcept("G has no nodes.")
    return len(compiled) - compiled.num_edges == _count(compiled)


@implements(smallest=ONLY_OURS)
def is_arborescence(G: Any) -> bool:
    return is_tree(G) and int(compiled_of(G).in_degrees.max()) <= 1


@implements(smallest=LINEAR)
def is_branching(G: Any) -> bool:
    return is_forest(G) and int(compiled_of(G).in_degrees.max()) <= 1


def _sorted(compiled: Compiled) -> dict[str, Any]:
    if not compiled.directed:
        raise nx.NetworkXError("Topological sort not defined on undirected graphs.")
    return run(_core.topological_order, compiled.ordered_view())


def _generations(G: Any) -> Iterator[list[Any]]:
    """As NetworkX, notices nodes that come and go while the caller reads the generations."""
    compiled = compiled_of(G)
    answer = _sorted(compiled)
    names = [compiled.nodes[v] for v in answer["order"].tolist()]
    generations = [names[begin:end] for begin, end in pairwise(answer["offsets"].tolist()) if begin < end]
    nodes = G.__dict__.get("_adj") or compiled._numbers
    unfeasible = nx.NetworkXUnfeasible("Graph contains a cycle or graph changed during iteration")
    for i, generation in enumerate(generations):
        following = generations[i + 1] if i + 1 < len(generations) else []
        yield generation
        if len(nodes) > len(compiled) or any(node not in nodes for node in following):
            raise RuntimeError("Graph changed during iteration")
        if len(nodes) < len(compiled):
            raise unfeasible
    if not answer["acyclic"]:
        raise unfeasible


@implements
def topological_generations(G: Any) -> Iterator[list[Any]]:
    yield from _generations(G)


@implements
def topological_sort(G: Any) -> Iterator[Any]:
    for generation in _generations(G):
        yield from generation


@implements
def has_cycle(G: Any) -> bool:
    return not _sorted(compiled_of(G))["acyclic"]


@implements
def is_directed_acyclic_graph(G: Any) -> bool:
    compiled = compiled_of(G)
    return compiled.directed and not has_cycle(G)


@implements(smallest=ONLY_OURS)
def is_simple_path(G: Any, nodes: Any) -> bool:
    compiled = compiled_of(G)
    if len(nodes) == 0:
        return False
    found = [compiled.number(node) for node in nodes]
    numbers = [number for number in found if number is not None]
    if len(numbers) < len(found) or len(set(nodes)) != len(nodes):
        return False
    offsets, targets = compiled.out.offsets, compiled.out.targets
    return all(v in targets[offsets[u] : offsets[u + 1]] for u, v in pairwise(numbers))
