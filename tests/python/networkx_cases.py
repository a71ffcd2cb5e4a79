"""Graphs and arguments on which the backend's functions are compared with NetworkX's own."""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np
import scipy.sparse
from networkx.utils.backends import _registered_algorithms
from rizoma.graph.read_values import ReadValues
from rizoma.networkx.backend import FUNCTIONS

NOWHERE = "no node"

PAIR = {
    *("has_path", "dijkstra_path", "dijkstra_path_length", "bellman_ford_path", "bellman_ford_path_length"),
    *("efficiency", "lowest_common_ancestor"),
    *("all_shortest_paths", "astar_path", "astar_path_length"),
}
SOURCE = {
    *(name for name in FUNCTIONS if name.startswith(("single_source", "single_target", "bfs_"))),
    *(
        "descendants",
        "ancestors",
        "local_reaching_centrality",
        "node_connected_component",
        "is_isolate",
        "ego_graph",
    ),
}
SETS = {"volume", "node_boundary", "node_expansion", "boundary_expansion", "is_dominating_set"}
CUTS = {"cut_size", "conductance", "normalized_cut_size", "edge_expansion", "mixing_expansion"}
PREDICTIONS = {*("jaccard_coefficient", "adamic_adar_index", "resource_allocation_index", "preferential_attachment")}
TOGETHER = {
    *("union", "union_all", "disjoint_union", "disjoint_union_all", "compose", "compose_all"),
    *("intersection", "intersection_all", "difference", "symmetric_difference", "full_join", "is_isomorphic"),
    *("could_be_isomorphic", "fast_could_be_isomorphic", "faster_could_be_isomorphic"),
}
"""Functions of several graphs, which tests/python/test_networkx_unions.py compares."""

SIGNED = {"fiedler_vector", "spectral_bisection", "spectral_ordering"}
"""Functions whose answers have two directions, which tests/python/test_networkx_spectra.py tests."""

ENDLESS = {"shortest_simple_paths"}
"""Functions of too many answers to take all, which tests/python/test_networkx_several_paths.py compares."""

WEIGHTED = {
    *("clustering", "average_clustering", "eigenvector_centrality", "katz_centrality", "eccentricity"),
    *("diameter", "average_shortest_path_length", "wiener_index", "modularity_matrix"),
    *("average_neighbor_degree", "laplacian_centrality", "algebraic_connectivity"),
}


def shuffled(edges: Any, seed: int) -> list[tuple[Any, Any]]:
    """Edges in random order and direction, so that no order in the answers comes from the numbers."""
    draw = random.Random(seed)
    turned = [(u, v) if draw.random() < 0.5 else (v, u) for u, v in edges]
    draw.shuffle(turned)
    return turned


def graphs() -> Iterator[tuple[str, Any]]:
    """Small graphs of every class and shape."""
    draw = random.Random(7)
    edges = shuffled(nx.gnm_random_graph(60, 150, seed=1).edges, 1)
    yield "undirected", nx.Graph(edges)
    yield "directed", nx.DiGraph(list(nx.gnm_random_graph(60, 250, seed=2, directed=True).edges)[::-1])
    named = nx.Graph(title="named")
    named.add_edges_from((f"n{u}", f"n{v}", {"weight": draw.randint(1, 4)}) for u, v in edges)
    named.add_edge("n1", "n1", weight=2)
    named.add_node((1, 2), color="red")
    yield "named", named
    multi = nx.MultiGraph()
    multi.add_edges_from((u, v, {"weight": draw.choice([1.5, 2.5])}) for u, v in edges for _ in range(u % 3 + 1))
    yield "multigraph", multi
    arcs = nx.MultiDiGraph()
    arcs.add_edges_from((u, v, {"weight": draw.choice([1, 2])}) for u, v in edges for _ in range(v % 2 + 1))
    yield "multidigraph", arcs
    weighted = nx.gnm_random_graph(50, 300, seed=3, directed=True)
    for _, _, data in weighted.edges(data=True):
        data["weight"] = draw.random() + 0.1
    yield "weighted", weighted
    yield "acyclic", nx.DiGraph((min(u, v), max(u, v)) for u, v in edges)
    yield "tree", nx.random_labeled_tree(40, seed=1)
    yield "connected", nx.connected_watts_strogatz_graph(50, 4, 0.3, seed=1)
    yield "tournament", nx.tournament.random_tournament(12, seed=1)
    yield "strong", nx.gnm_random_graph(40, 600, seed=4, directed=True)
    yield "empty", nx.Graph()
    yield "single", nx.path_graph(1)


def calls(name: str, graph: Any) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Arguments, beside the graph, to call a function with."""
    nodes = list(graph)
    s, t = (nodes[3 % len(nodes)], nodes[-1]) if nodes else (0, 0)
    third = nodes[: len(nodes) // 3]
    if name in PAIR:
        yield from [((s, t), {}), ((t, s), {}), ((s, s), {}), ((NOWHERE, s), {}), ((s, NOWHERE), {})]
    elif name in SOURCE:
        yield from [((s,), {}), ((t,), {}), ((NOWHERE,), {})]
    elif name == "descendants_at_distance":
        yield from [((s, 2), {}), ((s, 0), {}), ((s, 99), {}), ((NOWHERE, 1), {})]
    elif name in SETS:
        yield (third,), {}
    elif name in CUTS:
        yield from [((third,), {}), ((third, nodes[len(nodes) // 3 :]), {})]
    elif name in PREDICTIONS:
        yield ([(u, v) for u in nodes[:6] for v in nodes[6:20]],), {}
    elif name.startswith("multi_source"):
        yield from [(([s, t],), {}), (([],), {})]
    elif name in ("set_node_attributes", "set_edge_attributes"):
        yield from [((7, "seven"), {}), (({}, "none"), {})]
    elif name in ("remove_node_attributes", "remove_edge_attributes"):
        yield from [(("weight", "color"), {}), (("weight",), {f"{name[7]}bunch": third[:2]}), ((), {})]
    elif name in ("is_matching", "is_maximal_matching", "is_perfect_matching"):
        edges = [tuple(edge[:2]) for edge in graph.edges]
        yield from [((set(edges[:1]),), {}), ((set(edges),), {}), (({(s, NOWHERE)},), {}), (({(s,)},), {})]
        found = _registered_algorithms["maximal_matching"].orig_func(nx.Graph(graph))
        yield from [((found,), {}), ((dict(found) | {v: u for u, v in found},), {}), (({s: s},), {})]
    elif name == "is_partition":
        yield from [(([set(nodes[i::3]) for i in range(3)],), {}), (([set(third)],), {}), (([nodes, third],), {})]
    elif name == "is_weighted":
        yield from [((), {}), (((s, NOWHERE),), {}), ((), {"weight": "none"})]
        yield from (((edge[:2],), {}) for edge in [*graph.edges][:1] if not graph.is_multigraph())
    elif name == "condensation":
        yield from [((), {}), (([set(nodes)],), {})]
    elif name in ("diameter", "radius", "center", "periphery"):
        yield from [((), {}), ((), {"usebounds": True}), ((), {"weight": "weight"})]
        yield (), {"usebounds": True, "weight": "weight"}
    elif name == "relabel_nodes":
        yield from [(({s: "new", t: "new"},), {}), (({s: t, t: s},), {}), ((str,), {}), (({NOWHERE: 1},), {})]
        yield (dict.fromkeys(third, 7),), {}
    elif name == "convert_node_labels_to_integers":
        yield from [((), {}), ((5,), {"label_attribute": "old"}), ((), {"ordering": "sorted"})]
        yield from [((0, f"{how} degree"), {}) for how in ("increasing", "decreasing", "no")]
    elif name == "contracted_nodes":
        yield from [((s, t), {}), ((s, t), {"self_loops": False, "store_contraction_as": None}), ((s, NOWHERE), {})]
        yield from (((u, v), {"self_loops": loops}) for u in nodes[:3] for v in nodes[5:8] for loops in (True, False))
    elif name == "contracted_edge":
        yield from (((edge,), {}) for edge in [*graph.edges][:3])
        yield ((s, NOWHERE),), {}
    elif name in ("get_node_attributes", "get_edge_attributes"):
        yield from [(("weight",), {}), (("seven", 3), {})]
    elif name == "modularity":
        parts = [set(nodes[i::3]) for i in range(min(3, len(nodes)))]
        yield from [((parts,), {}), ((parts,), {"weight": None}), ((parts,), {"resolution": 0.5}), ((parts[:1],), {})]
    elif name == "birank":
        yield from [((third,), {}), ((third,), {"weight": None, "beta": 0.5}), ((nodes,), {}), (([s, NOWHERE],), {})]
        yield from [((third,), {"top_personalization": {s: 2, t: 1}}), ((third,), {"alpha": 1.5})]
        yield from [((third,), {"bottom_personalization": {t: -1}}), ((third,), {"alpha": 0.9, "max_iter": 1})]
    elif name == "is_simple_path":
        yield (nodes[:3],), {}
    elif name in ("is_k_regular", "k_truss", "k_corona"):
        yield from [((3,), {}), ((4,), {})]
    else:
        yield from (((), options) for options in keywords(name, s, t, nodes))


def keywords(name: str, s: Any, t: Any, nodes: list[Any]) -> Iterator[dict[str, Any]]:
    """Keyword arguments of functions that need no others."""
    if name not in ("shortest_path", "shortest_path_length"):
        yield {}
    if name in WEIGHTED:
        yield {"weight": "weight"}
    if name.startswith("shortest_path"):
        for ends in ({}, {"source": s}, {"target": s}, {"source": s, "target": t}):
            yield from (ends, ends | {"weight": "weight"})
        yield {"source": s, "weight": "weight", "method": "bellman-ford"}
    if name in ("betweenness_centrality", "edge_betweenness_centrality"):
        yield from ({"k": 5, "seed": 3}, {"weight": "weight"}, {"normalized": False})
    if name == "betweenness_centrality":
        yield from ({"endpoints": True}, {"k": 5, "seed": 1, "endpoints": True})
        yield {"k": 5, "seed": 1, "normalized": False}
    if name in ("closeness_centrality", "harmonic_centrality"):
        yield {"distance": "weight"}
    if name == "algebraic_connectivity":
        yield from ({"normalized": True}, {"method": "tracemin_lu"}, {"method": "lobpcg"}, {"method": "none"})
    if name in ("triangles", "generalized_degree", "square_clustering", "reciprocity", "clustering"):
        yield from ({"nodes": s}, {"nodes": nodes[:5]})


def public(name: str) -> Any:
    """The function as users call it."""
    inner = _registered_algorithms[name].orig_func
    return getattr(sys.modules[inner.__module__], inner.__name__)


def outcome(name: str, graph: Any, args: Any, options: Any, backend: str | None) -> tuple[Any, Exception | None]:
    """(answer, exception); what a generator yields is a list."""
    try:
        answer = public(name)(graph, *args, backend=backend, **options)
        return (list(answer) if hasattr(answer, "__next__") else answer), None
    except Exception as error:  # whatever NetworkX raises is to be raised by the backend
        return None, error


def assert_same(want: Any, got: Any, where: str) -> None:
    """Assert that answers are equal: types, order, and floats but for rounding."""
    if isinstance(want, nx.Graph):
        assert_same_graph(want, got, where)
    elif scipy.sparse.issparse(want):
        assert want.shape == got.shape, where
        assert want.dtype == got.dtype, where
        np.testing.assert_allclose(want.toarray(), got.toarray(), err_msg=where)
    elif isinstance(want, np.ndarray):
        assert want.dtype == got.dtype, where
        np.testing.assert_allclose(want, got, err_msg=where)
    else:
        assert_same_values(want, got, where)


def assert_same_values(want: Any, got: Any, where: str) -> None:
    """As assert_same, for what is neither a graph nor an array."""
    if isinstance(got, ReadValues):  # a stored graph's dicts refuse changes, which would not reach it
        got = dict(got)
    assert type(want) is type(got), f"{where}: {want!r} is not {got!r}"
    if isinstance(want, dict):
        assert list(want) == list(got) or "generalized_degree" in where, f"{where}: {list(want)} {list(got)}"
        for key in want:
            assert_same(want[key], got[key], f"{where}[{key!r}]")
    elif isinstance(want, (list, tuple)):
        assert len(want) == len(got), where
        for i, (a, b) in enumerate(zip(want, got, strict=True)):
            assert_same(a, b, f"{where}[{i}]")
    elif isinstance(want, float):
        alike = math.isclose(want, got, rel_tol=1e-5, abs_tol=1e-9) or (math.isnan(want) and math.isnan(got))
        assert alike, f"{where}: {want} is not {got}"
    else:
        assert want == got, where


def assert_same_graph(want: Any, got: Any, where: str) -> None:
    """Assert equal graphs: class, attributes, nodes in their order, edges."""
    assert (want.is_directed(), want.is_multigraph()) == (got.is_directed(), got.is_multigraph()), where
    assert want.graph == got.graph, where
    assert list(want.nodes.items()) == list(got.nodes.items()), where
    assert want._adj == got._adj, where
    if want.is_directed():
        assert want._pred == got._pred, where
