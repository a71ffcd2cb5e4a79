"""NetworkX's functions and methods on stored graphs, against the same on NetworkX's own classes.

A stored graph is compared as graph, as snapshot and as filtered view, for each of 24 kinds (directed or not, simple or
multi, without data, with weights or with columns, ids that are integers or strings) and for several shapes.  NetworkX's
graph gets its vertices and edges in the order in which the store has them, so that answers are equal, order included.
"""

from __future__ import annotations

import datetime
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

import networkx as nx
import pytest
import rizoma as rz
from networkx_cases import assert_same

pytestmark = pytest.mark.filterwarnings("ignore:Note. conversions to backend graphs", "ignore:The hashes produced")

COLUMNS = {"amount": "float64", "note": "string", "since": "date"}
VERTEX_COLUMNS = {"age": "int32", "name": "string"}


@dataclass(frozen=True)
class Kind:
    """What a stored graph is, and NetworkX's class for it."""

    directed: bool
    multi: bool
    data: str
    ids: str

    def __str__(self) -> str:
        return f"{'di' if self.directed else 'undi'}rected-{'multi' if self.multi else 'simple'}-{self.data}-{self.ids}"

    @property
    def theirs(self) -> Any:
        return ((nx.Graph, nx.DiGraph), (nx.MultiGraph, nx.MultiDiGraph))[self.multi][self.directed]()

    @property
    def weight(self) -> str | None:
        return {"bare": None, "weight": "weight", "columns": "amount"}[self.data]

    def vertex(self, number: int) -> Any:
        return 10 * number + 3 if self.ids == "integer" else f"v{number}"


KINDS = [
    Kind(*each) for each in product((False, True), (False, True), ("bare", "weight", "columns"), ("integer", "string"))
]

SHAPES = ("loops", "connected", "acyclic", "signed", "edgeless", "empty")


def pairs_of(shape: str, directed: bool) -> tuple[int, list[tuple[int, int]]]:
    """The vertices, and the edges in the order of the store: by their ends."""
    draw = random.Random(shape)
    if shape in ("edgeless", "empty"):
        return (3 if shape == "edgeless" else 0), []
    size = 12
    pairs = {(v, v + 1) for v in range(size - 1)} if shape != "loops" else set()
    while len(pairs) < 24:
        u, v = draw.randrange(size), draw.randrange(size)
        pairs.add((u, v) if directed and shape != "acyclic" else (min(u, v), max(u, v)))
        if shape != "loops":
            pairs = {(u, v) for u, v in pairs if u != v}
    isolated = 2 if shape == "loops" else 0
    return size + isolated, sorted(pairs)


def data_of(kind: Kind, shape: str, at: int) -> dict[str, Any]:
    """What one edge has; some columns are null, which is no attribute."""
    draw = random.Random(100 * at + SHAPES.index(shape))
    number = draw.randint(1, 9)
    if shape == "signed" and at % 5 == 1:
        number = -number
    if kind.data == "bare":
        return {}
    if kind.data == "weight":
        return {"weight": number if kind.ids == "string" else number + 0.25}
    data = {"amount": number + 0.5, "note": f"n{at}", "since": datetime.date(2020, 1, 1 + number % 9)}
    return {name: value for i, (name, value) in enumerate(data.items()) if (at + 3 * i) % 7}


def edges_of(kind: Kind, shape: str) -> tuple[list[Any], list[tuple[Any, Any, dict[str, Any]]]]:
    """The vertices and the edges, each with its data; every third pair of a multigraph has several edges."""
    size, pairs = pairs_of(shape, kind.directed)
    edges = []
    for i, (u, v) in enumerate(pairs):
        edges += [(kind.vertex(u), kind.vertex(v))] * (1 + (i % 3 if kind.multi else 0))
    return [kind.vertex(v) for v in range(size)], [(u, v, data_of(kind, shape, i)) for i, (u, v) in enumerate(edges)]


def vertex_data(kind: Kind, at: int) -> dict[str, Any]:
    if kind.data != "columns" or at % 4 == 3:
        return {}
    return {"age": 20 + at, "name": f"name {at}"} if at % 2 else {"age": 20 + at}


@cache
def theirs(kind: Kind, shape: str, filtered: bool) -> Any:
    """NetworkX's graph; `filtered`: without the edges that the view leaves out."""
    graph = kind.theirs
    vertices, edges = edges_of(kind, shape)
    graph.add_nodes_from((v, vertex_data(kind, i)) for i, v in enumerate(vertices))
    graph.add_edges_from(each for each in edges if not filtered or kept(kind, each[2]))
    return graph


def kept(kind: Kind, data: dict[str, Any]) -> bool:
    return kind.weight is None or data.get(kind.weight, 0) > 3


@cache
def stored(kind: Kind, shape: str) -> rz.Graph:
    """The same graph in a store, from batches in another order than NetworkX's graph has."""
    columns = {} if kind.data != "columns" else {"edges": COLUMNS, "vertices": VERTEX_COLUMNS}
    weights = None if kind.data != "weight" else "int32" if kind.ids == "string" else "float64"
    parallel = "keep" if kind.multi else "merge"
    graph = rz.open(None, kind.directed, weights, ids=kind.ids, parallel_edges=parallel, **columns)
    vertices, edges = edges_of(kind, shape)
    if shape == "acyclic":  # the numbers of the vertices have a hole
        graph.add_vertices([kind.vertex(99)])
    graph.add_vertices(vertices)
    if shape == "acyclic":
        graph.remove_vertices([kind.vertex(99)])
    for part in (edges[::2], edges[1::2]) if not kind.multi else (edges,):
        if part:
            graph.add_edges(batch(kind, part))
    for i, v in enumerate(vertices):
        if data := vertex_data(kind, i):
            graph.set(v, **data)
    if shape == "connected":  # images; the other shapes are pending changes
        graph.compact()
    return graph


def batch(kind: Kind, edges: list[tuple[Any, Any, dict[str, Any]]]) -> dict[str, list[Any]]:
    names = {"bare": [], "weight": ["weight"], "columns": list(COLUMNS)}[kind.data]
    ends = {"source": [u for u, _, _ in edges], "target": [v for _, v, _ in edges]}
    return ends | {name: [data.get(name) for _, _, data in edges] for name in names}


@cache
def states(kind: Kind, shape: str) -> list[tuple[Any, list[tuple[str, Any]]]]:
    """NetworkX's graph, and (how it is read, the same stored); all functions share them, and what they have cached."""
    graph = stored(kind, shape)
    if shape not in ("loops", "connected"):
        return [(theirs(kind, shape, False), [("graph", graph)])]
    whole = (theirs(kind, shape, False), [("graph", graph), ("snapshot", graph.snapshot())])
    if shape != "loops":
        return [whole]
    view = graph.where() if kind.weight is None else graph.where(f"{kind.weight} > 3")
    return [whole, (theirs(kind, shape, True), [("view", view)])]


@dataclass
class Asked:
    """What a function is asked about."""

    w: str | None
    nodes: list[Any]

    @property
    def s(self) -> Any:
        return self.nodes[1] if self.nodes else "nowhere"

    @property
    def t(self) -> Any:
        return self.nodes[-1] if self.nodes else "nowhere"

    @property
    def third(self) -> list[Any]:
        return self.nodes[::3]

    @property
    def pairs(self) -> list[tuple[Any, Any]]:
        return [(u, v) for u in self.nodes[:4] for v in self.nodes[4:9]]

    @property
    def parts(self) -> list[set[Any]]:
        return [set(self.nodes[i::3]) for i in range(3)]


def asked_of(kind: Kind, shape: str) -> Asked:
    return Asked(kind.weight, edges_of(kind, shape)[0])


Call = Callable[[Any, Asked], Any]


def plain(row: Any) -> Any:
    """Mappings of mappings as dicts, in their order."""
    return {key: plain(value) for key, value in row.items()} if hasattr(row, "items") else row


def edges_in(graph: Any) -> list[Any]:
    """The edges, with their keys where there are parallel ones.  `g.edges` itself is Rizoma's, and gives pairs."""
    return list(graph.edges(keys=True) if graph.is_multigraph() else graph.edges())


def without_dates(graph: Any) -> Any:
    """A copy that GraphML has types for."""
    found = graph.copy()
    for *_, data in found.edges(data=True):
        data.pop("since", None)
    return found


READING: dict[str, Call] = {
    "G[v]": lambda g, a: plain(g[a.s]),
    "G[u][v]": lambda g, a: [plain(g[u][v]) for u in a.nodes for v in g[u]],
    "G.adj": lambda g, a: plain(g.adj),
    "G.adjacency": lambda g, a: [(v, plain(row)) for v, row in g.adjacency()],
    "G.pred": lambda g, a: plain(g.pred),
    "G.succ": lambda g, a: plain(g.succ),
    "G.nodes": lambda g, a: list(g.nodes),
    "G.nodes[v]": lambda g, a: [dict(g.nodes[v]) for v in a.nodes],
    "G.nodes(data)": lambda g, a: list(g.nodes(data=True)),
    "G.nodes(data='age')": lambda g, a: list(g.nodes(data="age", default=-1)),
    "G.nodes.data('name')": lambda g, a: list(g.nodes.data("name")),
    "G.edges": lambda g, a: list(g.edges()),
    "G.edges(data)": lambda g, a: list(g.edges(data=True)),
    "G.edges(data=w)": lambda g, a: list(g.edges(data=a.w or "weight", default=7)),
    "G.edges(nbunch)": lambda g, a: list(g.edges(a.third, data=True)),
    "G.edges(keys)": lambda g, a: list(g.edges(keys=True, data=True)),
    "G.edges[e]": lambda g, a: [dict(g.edges[e]) for e in edges_in(g)],
    "G.in_edges(data)": lambda g, a: list(g.in_edges(data=True)),
    "G.out_edges(data)": lambda g, a: list(g.out_edges(data=a.w or "weight")),
    "G.get_edge_data": lambda g, a: [plain(g.get_edge_data(u, v, "none")) for u, v in a.pairs],
    "G.has_edge": lambda g, a: [g.has_edge(u, v) for u, v in a.pairs],
    "G.number_of_edges": lambda g, a: (g.number_of_edges(), [g.number_of_edges(u, v) for u, v in a.pairs]),
    "G.size": lambda g, a: (g.size(), g.size(weight=a.w)),
    "G.degree": lambda g, a: dict(g.degree),
    "G.degree(weight)": lambda g, a: dict(g.degree(weight=a.w)),
    "G.in_degree": lambda g, a: dict(g.in_degree(weight=a.w)),
    "G.out_degree": lambda g, a: dict(g.out_degree(a.third, weight=a.w)),
    "G.copy": lambda g, a: g.copy(),
    "G.subgraph": lambda g, a: sorted(nx.MultiDiGraph(g.subgraph(a.third)).edges(keys=True, data=True), key=str),
    "G.edge_subgraph": lambda g, a: nx.MultiDiGraph(g.edge_subgraph(edges_in(g)[::2]))._adj,
    "G.reverse": lambda g, a: g.reverse() if g.is_directed() else None,
    "G.to_directed": lambda g, a: g.to_directed(),
    "G.to_undirected": lambda g, a: g.to_undirected(),
    "nx.neighbors": lambda g, a: list(dict.fromkeys(nx.neighbors(g, a.s))),
    "Graph(G)": lambda g, a: nx.Graph(g),
    "DiGraph(G)": lambda g, a: nx.DiGraph(g),
    "MultiGraph(G)": lambda g, a: nx.MultiGraph(g),
    "MultiDiGraph(G)": lambda g, a: nx.MultiDiGraph(g),
    "get_node_attributes": lambda g, a: nx.get_node_attributes(g, "age"),
    "get_edge_attributes": lambda g, a: nx.get_edge_attributes(g, a.w or "weight"),
    "is_weighted": lambda g, a: nx.is_weighted(g, weight=a.w or "weight"),
    "is_negatively_weighted": lambda g, a: nx.is_negatively_weighted(g, weight=a.w or "weight"),
    "to_dict_of_dicts": lambda g, a: plain(nx.to_dict_of_dicts(g)),
    "to_dict_of_lists": lambda g, a: nx.to_dict_of_lists(g),
    "to_edgelist": lambda g, a: list(nx.to_edgelist(g)),
    "to_pandas_edgelist": lambda g, a: nx.to_pandas_edgelist(g).to_dict("list"),
    "node_link_data": lambda g, a: nx.node_link_data(g),
    "generate_edgelist": lambda g, a: list(nx.generate_edgelist(g)),
    "generate_graphml": lambda g, a: list(nx.generate_graphml(without_dates(g))),
    "generate_gml": lambda g, a: list(nx.generate_gml(g, stringizer=str)),
}

WITH_WEIGHTS: dict[str, Call] = {
    "pagerank": lambda g, a: nx.pagerank(g, weight=a.w),
    "pagerank()": lambda g, a: nx.pagerank(g),
    "google_matrix": lambda g, a: nx.google_matrix(g, weight=a.w),
    "to_numpy_array": lambda g, a: nx.to_numpy_array(g, weight=a.w or "weight"),
    "to_numpy_array(min)": lambda g, a: nx.to_numpy_array(g, weight=a.w or "weight", multigraph_weight=min),
    "to_scipy_sparse_array": lambda g, a: nx.to_scipy_sparse_array(g, weight=a.w),
    "adjacency_matrix": lambda g, a: nx.adjacency_matrix(g, weight=a.w),
    "laplacian_matrix": lambda g, a: nx.laplacian_matrix(g, weight=a.w),
    "to_pandas_adjacency": lambda g, a: nx.to_pandas_adjacency(g, weight=a.w or "weight").to_dict(),
    "dijkstra_path_length": lambda g, a: nx.dijkstra_path_length(g, a.s, a.t, weight=a.w),
    "single_source_dijkstra": lambda g, a: nx.single_source_dijkstra(g, a.s, weight=a.w),
    "single_source_dijkstra()": lambda g, a: nx.single_source_dijkstra_path_length(g, a.s),
    "dijkstra by a function": lambda g, a: nx.dijkstra_path_length(g, a.s, a.t, weight=lambda u, v, d: 1 + len(d)),
    "all_pairs_dijkstra": lambda g, a: dict(nx.all_pairs_dijkstra_path_length(g, weight=a.w)),
    "bellman_ford": lambda g, a: nx.single_source_bellman_ford_path_length(g, a.s, weight=a.w),
    "bidirectional_dijkstra": lambda g, a: nx.bidirectional_dijkstra(g, a.s, a.t, weight=a.w)[0],
    "astar_path_length": lambda g, a: nx.astar_path_length(g, a.s, a.t, weight=a.w),
    "floyd_warshall": lambda g, a: plain(nx.floyd_warshall(g, weight=a.w)),
    "johnson": lambda g, a: nx.johnson(g, weight=a.w),
    "negative_edge_cycle": lambda g, a: nx.negative_edge_cycle(g, weight=a.w or "weight"),
    "negative_edge_cycle()": lambda g, a: nx.negative_edge_cycle(g),
    "shortest_path_length": lambda g, a: nx.shortest_path_length(g, a.s, a.t, weight=a.w),
    "average_shortest_path_length": lambda g, a: nx.average_shortest_path_length(g, weight=a.w),
    "eccentricity": lambda g, a: nx.eccentricity(g, weight=a.w),
    "betweenness_centrality": lambda g, a: nx.betweenness_centrality(g, weight=a.w),
    "edge_betweenness_centrality": lambda g, a: nx.edge_betweenness_centrality(g, weight=a.w),
    "closeness_centrality": lambda g, a: nx.closeness_centrality(g, distance=a.w),
    "harmonic_centrality": lambda g, a: nx.harmonic_centrality(g, distance=a.w),
    "load_centrality": lambda g, a: nx.load_centrality(g, weight=a.w),
    "katz_centrality": lambda g, a: nx.katz_centrality(g, alpha=0.01, weight=a.w),
    "eigenvector_centrality": lambda g, a: nx.eigenvector_centrality(g, weight=a.w, max_iter=1000),
    "global_reaching_centrality": lambda g, a: nx.global_reaching_centrality(g, weight=a.w),
    "laplacian_centrality": lambda g, a: nx.laplacian_centrality(g, weight=a.w or "weight"),
    "clustering": lambda g, a: nx.clustering(g, weight=a.w),
    "average_clustering": lambda g, a: nx.average_clustering(g, weight=a.w),
    "modularity": lambda g, a: nx.community.modularity(g, a.parts, weight=a.w or "weight"),
    "modularity(None)": lambda g, a: nx.community.modularity(g, a.parts, weight=None),
    "modularity()": lambda g, a: nx.community.modularity(g, a.parts),
    "partition_quality": lambda g, a: nx.community.partition_quality(g, a.parts),
    "average_clustering of some": lambda g, a: nx.average_clustering(g, [*a.third, *a.third[:1]]),
    "minimum_spanning_edges": lambda g, a: list(nx.minimum_spanning_edges(g, weight=a.w or "weight")),
    "maximum_spanning_tree": lambda g, a: nx.maximum_spanning_tree(g, weight=a.w or "weight"),
    "max_weight_matching": lambda g, a: nx.max_weight_matching(g, weight=a.w or "weight"),
    "stoer_wagner": lambda g, a: nx.stoer_wagner(g, weight=a.w or "weight")[0],
    "maximum_flow_value": lambda g, a: nx.maximum_flow_value(g, a.s, a.t, capacity=a.w or "weight"),
    "average_neighbor_degree": lambda g, a: nx.average_neighbor_degree(g, weight=a.w),
    "cut_size": lambda g, a: nx.cut_size(g, a.third, weight=a.w),
    "volume": lambda g, a: nx.volume(g, a.third, weight=a.w),
    "degree_assortativity_coefficient": lambda g, a: nx.degree_assortativity_coefficient(g, weight=a.w),
    "attribute_mixing_dict": lambda g, a: nx.attribute_mixing_dict(g, "age"),
    "constraint": lambda g, a: nx.constraint(g, weight=a.w),
    "rich_club_coefficient": lambda g, a: nx.rich_club_coefficient(g, normalized=False),
    "dag_longest_path_length": lambda g, a: nx.dag_longest_path_length(g, weight=a.w or "weight"),
    "weisfeiler_lehman_graph_hash": lambda g, a: nx.weisfeiler_lehman_graph_hash(g, edge_attr=a.w),
    "ego_graph": lambda g, a: nx.ego_graph(g, a.s, radius=3, distance=a.w),
}

OF_STRUCTURE: dict[str, Call] = {
    "connected_components": lambda g, a: list(nx.connected_components(g)),
    "strongly_connected_components": lambda g, a: list(map(sorted, nx.strongly_connected_components(g))),
    "weakly_connected_components": lambda g, a: list(nx.weakly_connected_components(g)),
    "biconnected_components": lambda g, a: list(map(sorted, nx.biconnected_components(g))),
    "bridges": lambda g, a: list(nx.bridges(g)),
    "articulation_points": lambda g, a: sorted(nx.articulation_points(g)),
    "core_number": lambda g, a: nx.core_number(g),
    "k_core": lambda g, a: nx.k_core(g, 2),
    "k_truss": lambda g, a: nx.k_truss(g, 3),
    "triangles": lambda g, a: nx.triangles(g),
    "square_clustering": lambda g, a: nx.square_clustering(g),
    "transitivity": lambda g, a: nx.transitivity(g),
    "degree_centrality": lambda g, a: nx.degree_centrality(g),
    "in_degree_centrality": lambda g, a: nx.in_degree_centrality(g),
    "bfs_edges": lambda g, a: list(nx.bfs_edges(g, a.s)),
    "bfs_tree": lambda g, a: nx.bfs_tree(g, a.s),
    "dfs_edges": lambda g, a: list(nx.dfs_edges(g, a.s)),
    "dfs_postorder_nodes": lambda g, a: list(nx.dfs_postorder_nodes(g, a.s)),
    "edge_bfs": lambda g, a: list(nx.edge_bfs(g, a.s)),
    "descendants": lambda g, a: nx.descendants(g, a.s),
    "ancestors": lambda g, a: nx.ancestors(g, a.s),
    "has_path": lambda g, a: nx.has_path(g, a.s, a.t),
    "all_simple_paths": lambda g, a: list(nx.all_simple_paths(g, a.s, a.t, cutoff=4)),
    "all_pairs_shortest_path_length": lambda g, a: dict(nx.all_pairs_shortest_path_length(g)),
    "topological_sort": lambda g, a: list(nx.topological_sort(g)),
    "is_directed_acyclic_graph": lambda g, a: nx.is_directed_acyclic_graph(g),
    "transitive_closure": lambda g, a: nx.transitive_closure(g),
    "condensation": lambda g, a: sorted(sorted(members) for _, members in nx.condensation(g).nodes("members")),
    "is_bipartite": lambda g, a: nx.is_bipartite(g),
    "greedy_color": lambda g, a: nx.greedy_color(g),
    "maximal_matching": lambda g, a: nx.maximal_matching(g),
    "find_cycle": lambda g, a: nx.find_cycle(g),
    "cycle_basis": lambda g, a: sorted(map(sorted, nx.cycle_basis(g))),
    "find_cliques": lambda g, a: sorted(map(sorted, nx.find_cliques(g))),
    "is_eulerian": lambda g, a: nx.is_eulerian(g),
    "number_of_selfloops": lambda g, a: nx.number_of_selfloops(g),
    "selfloop_edges": lambda g, a: list(nx.selfloop_edges(g, data=True)),
    "nodes_with_selfloops": lambda g, a: list(nx.nodes_with_selfloops(g)),
    "isolates": lambda g, a: list(nx.isolates(g)),
    "density": lambda g, a: nx.density(g),
    "degree_histogram": lambda g, a: nx.degree_histogram(g),
    "reciprocity": lambda g, a: nx.overall_reciprocity(g),
    "jaccard_coefficient": lambda g, a: list(nx.jaccard_coefficient(g, a.pairs)),
    "common_neighbors": lambda g, a: list(map(set, (nx.common_neighbors(g, u, v) for u, v in a.pairs))),
    "s_metric": lambda g, a: nx.s_metric(g),
    "complement": lambda g, a: nx.complement(g),
    "line_graph": lambda g, a: sorted(map(str, nx.line_graph(g).nodes)),
    "compose": lambda g, a: nx.compose(g, g),
    "disjoint_union": lambda g, a: nx.disjoint_union(g, g),
    "relabel_nodes": lambda g, a: nx.relabel_nodes(g, {a.s: "new"}),
    "contracted_nodes": lambda g, a: nx.contracted_nodes(g, a.s, a.t),
    "convert_node_labels_to_integers": lambda g, a: nx.convert_node_labels_to_integers(g, label_attribute="old"),
    "is_isomorphic": lambda g, a: nx.is_isomorphic(g, g),
    "node_connectivity": lambda g, a: nx.node_connectivity(g),
    "min_edge_cover": lambda g, a: len(nx.min_edge_cover(g)),
    "check_planarity": lambda g, a: nx.check_planarity(g)[0],
}

CALLS = READING | WITH_WEIGHTS | OF_STRUCTURE

REFUSED = {
    "nx.neighbors": "it calls G.neighbors, which is Rizoma's own: an edge more is an entry more, and a vertex that is "
    "not there is a VertexNotFoundError",
}
"""Calls that a stored graph may refuse with an error of its own, and why."""

SIGNED = {
    *("single_source_dijkstra", "bellman_ford", "johnson", "negative_edge_cycle", "negative_edge_cycle()"),
    *("floyd_warshall", "to_numpy_array", "minimum_spanning_edges", "maximum_spanning_tree"),
}
"""Calls that are asked about negative weights too; some of NetworkX's never end there."""


def comparable(value: Any) -> Any:
    """Numbers as floats: where some weights are absent NetworkX adds its int 1 to floats, and sums of floats are it."""
    if isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if type(value) in (list, tuple):
        return type(value)(map(comparable, value))
    return {key: comparable(each) for key, each in value.items()} if isinstance(value, dict) else value


def answer(call: Call, graph: Any, asked: Asked) -> tuple[Any, Exception | None]:
    """(answer, exception)."""
    try:
        return call(graph, asked), None
    except Exception as error:  # whatever NetworkX raises is to be raised for a stored graph
        return None, error


def cases(name: str) -> Iterator[tuple[Kind, str, Any, list[tuple[str, Any]]]]:
    """(kind, shape, NetworkX's graph, the same stored) of all that a call is asked about."""
    for kind, shape in product(KINDS, SHAPES):
        if shape != "signed" or name in SIGNED or name in READING:
            for own, read in states(kind, shape):
                yield kind, shape, own, read


def differences(name: str) -> Iterator[str]:
    """Where a call on a stored graph is not what it is on NetworkX's."""
    call = CALLS[name]
    for kind, shape, own, read in cases(name):
        asked = asked_of(kind, shape)
        want, expected = answer(call, own, asked)
        for how, mine in read:
            got, error = answer(call, mine, asked)
            if isinstance(error, rz.RizomaError) and name in REFUSED:
                continue
            where = f"{kind}-{shape}-{how}"
            mixed = kind.data == "columns" and name in WITH_WEIGHTS
            try:
                assert (expected is None) == (error is None), f"{where}: {expected!r} is not {error!r}"
                assert expected is None or isinstance(error, type(expected)), f"{where}: {expected!r} is not {error!r}"
                assert_same(*map(comparable, (want, got)), where) if mixed else assert_same(want, got, where)
            except AssertionError as difference:
                yield str(difference).splitlines()[0]


@pytest.mark.parametrize("name", CALLS)
def test_as_networkx_has_it(name: str) -> None:
    wrong = list(differences(name))
    assert any(answer(CALLS[name], own, asked_of(kind, shape))[1] is None for kind, shape, own, _ in cases(name))
    assert not wrong, f"{len(wrong)} cases differ: " + "\n".join(wrong[:12])


@pytest.mark.parametrize("name", REFUSED)
def test_what_may_be_refused_is(name: str) -> None:
    asked = [(mine, asked_of(kind, shape)) for kind, shape, _, read in cases(name) for _, mine in read]
    assert any(isinstance(answer(CALLS[name], *each)[1], rz.RizomaError) for each in asked)


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_graphs_go_to_networkx_and_come_from_it_with_their_data(kind: Kind) -> None:
    options: dict[str, Any] = {"parallel_edges": "keep"} if kind.multi else {}
    if kind.data == "columns":
        options |= {"edges": COLUMNS, "vertices": VERTEX_COLUMNS}
    for shape in SHAPES:
        own = theirs(kind, shape, False)
        assert_same(own, stored(kind, shape).to_networkx(), shape)
        assert_same(own, rz.read(own, order="given", **options).to_networkx(), shape)
