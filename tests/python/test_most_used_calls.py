"""The calls of NetworkX that people use most, on stored graphs: they run as they are and answer as NetworkX does."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import networkx as nx
import pytest
import rizoma as rz
from networkx.algorithms import approximation, bipartite, community, isomorphism
from networkx_cases import assert_same

Call = Callable[[Any], Any]


def sets(found: Iterable[Iterable[Any]]) -> list[list[Any]]:
    """Sets in an order of their own."""
    return sorted(sorted(each) for each in found)


def pairs(found: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Undirected edges in an order of their own."""
    return sorted(tuple(sorted(edge[:2])) for edge in found)


def by_name(found: dict[Any, Any]) -> dict[Any, Any]:
    """A dictionary in the order of its keys, of edges in one direction."""
    return dict(sorted((tuple(sorted(key)) if isinstance(key, tuple) else key, found[key]) for key in found))


def content(found: Any) -> tuple[list[Any], list[Any]]:
    """What a graph has."""
    order = list if found.is_directed() else sorted
    return sorted(found), sorted((*order((u, v)), sorted(data.items())) for u, v, data in found.edges(data=True))


def whole(partition: Iterable[Iterable[Any]]) -> list[Any]:
    """The vertices of communities that are drawn by chance, each once."""
    return sorted(v for each in partition for v in each)


KARATE: dict[str, Call] = {
    "shortest_path": lambda g: len(nx.shortest_path(g, "0", "33")),
    "all_shortest_paths": lambda g: sorted(nx.all_shortest_paths(g, "0", "33")),
    "all_simple_paths": lambda g: sorted(nx.all_simple_paths(g, "0", "33", cutoff=3)),
    "shortest_simple_paths": lambda g: len(next(nx.shortest_simple_paths(g, "0", "33"))),
    "floyd_warshall": lambda g: by_name({v: by_name(row) for v, row in nx.floyd_warshall(g).items()}),
    "connected_components": lambda g: sets(nx.connected_components(g)),
    "bridges": lambda g: pairs(nx.bridges(g)),
    "articulation_points": lambda g: sorted(nx.articulation_points(g)),
    "pagerank": lambda g: by_name(nx.pagerank(g)),
    "hits": lambda g: [by_name(part) for part in nx.hits(g)],
    "betweenness_centrality": lambda g: by_name(nx.betweenness_centrality(g)),
    "betweenness_centrality, weighted": lambda g: by_name(nx.betweenness_centrality(g, weight="weight")),
    "edge_betweenness_centrality": lambda g: by_name(nx.edge_betweenness_centrality(g)),
    "closeness_centrality": lambda g: by_name(nx.closeness_centrality(g)),
    "closeness_centrality, weighted": lambda g: by_name(nx.closeness_centrality(g, distance="weight")),
    "eigenvector_centrality": lambda g: by_name(nx.eigenvector_centrality(g)),
    "katz_centrality": lambda g: by_name(nx.katz_centrality(g, alpha=0.01)),
    "degree_centrality": lambda g: by_name(nx.degree_centrality(g)),
    "load_centrality": lambda g: by_name(nx.load_centrality(g)),
    "current_flow_betweenness_centrality": lambda g: by_name(nx.current_flow_betweenness_centrality(g)),
    "voterank": lambda g: len(nx.voterank(g)),
    "clustering": lambda g: by_name(nx.clustering(g)),
    "clustering, weighted": lambda g: by_name(nx.clustering(g, weight="weight")),
    "triangles": lambda g: by_name(nx.triangles(g)),
    "transitivity": nx.transitivity,
    "core_number": lambda g: by_name(nx.core_number(g)),
    "k_core": lambda g: content(nx.k_core(g, 3)),
    "k_truss": lambda g: content(nx.k_truss(g, 3)),
    "find_cliques": lambda g: sets(nx.find_cliques(g)),
    "louvain_communities": lambda g: whole(community.louvain_communities(g, seed=1)),
    "label_propagation_communities": lambda g: whole(community.label_propagation_communities(g)),
    "greedy_modularity_communities": lambda g: whole(community.greedy_modularity_communities(g)),
    "girvan_newman": lambda g: len(next(community.girvan_newman(g))),
    "modularity": lambda g: community.modularity(g, [{str(v) for v in range(17)}, {str(v) for v in range(17, 34)}]),
    "minimum_spanning_tree": lambda g: nx.minimum_spanning_tree(g).size(weight="weight"),
    "find_cycle": lambda g: len(nx.find_cycle(g)) > 2,
    "max_weight_matching": lambda g: sum(g[u][v]["weight"] for u, v in nx.max_weight_matching(g)),
    "bipartite.projected_graph": lambda g: content(bipartite.projected_graph(g, ["0"])),
    "greedy_color": lambda g: sorted(nx.greedy_color(g)),
    "is_isomorphic": lambda g: nx.is_isomorphic(g, g),
    "GraphMatcher": lambda g: isomorphism.GraphMatcher(g, g).is_isomorphic(),
    "degree_assortativity_coefficient": nx.degree_assortativity_coefficient,
    "average_neighbor_degree": lambda g: by_name(nx.average_neighbor_degree(g)),
    "diameter": nx.diameter,
    "average_shortest_path_length": nx.average_shortest_path_length,
    "jaccard_coefficient": lambda g: list(nx.jaccard_coefficient(g, [("0", "33")])),
    "adamic_adar_index": lambda g: list(nx.adamic_adar_index(g, [("0", "33")])),
    "common_neighbors": lambda g: sorted(nx.common_neighbors(g, "0", "33")),
    "ego_graph": lambda g: content(nx.ego_graph(g, "0")),
    "subgraph": lambda g: sorted(nx.subgraph(g, ["0", "1", "2"])),
    "density": nx.density,
    "spring_layout": lambda g: sorted(nx.spring_layout(g, seed=1)),
    "generate_random_paths": lambda g: [len(path) for path in nx.generate_random_paths(g, 2)],
    "simrank_similarity": lambda g: by_name(nx.simrank_similarity(g)["0"]),
    "rich_club_coefficient": lambda g: nx.rich_club_coefficient(g, normalized=False),
    "constraint": lambda g: by_name(nx.constraint(g)),
    "steiner_tree": lambda g: nx.is_tree(approximation.steiner_tree(g, ["0", "5", "33"])),
    "min_weighted_vertex_cover": lambda g: cover(g, approximation.min_weighted_vertex_cover(g)),
    "barycenter": lambda g: sorted(nx.barycenter(g)),
    "laplacian_spectrum": lambda g: sorted(nx.laplacian_spectrum(g).tolist()),
    "number_of_nodes": nx.number_of_nodes,
    "relabel_nodes": lambda g: content(nx.relabel_nodes(g, {"0": "x"})),
}
"""Of an undirected graph with weights."""

ARCS: dict[str, Call] = {
    "strongly_connected_components": lambda g: sets(nx.strongly_connected_components(g)),
    "topological_sort": lambda g: list(nx.topological_sort(g)),
    "dag_longest_path": nx.dag_longest_path,
    "transitive_closure": lambda g: sorted(nx.transitive_closure(g).edges),
    "simple_cycles": lambda g: sets(nx.simple_cycles(g)),
    "triadic_census": nx.triadic_census,
    "overall_reciprocity": nx.overall_reciprocity,
    "immediate_dominators": lambda g: by_name(nx.immediate_dominators(g, "a")),
    "shortest_path, weighted": lambda g: nx.shortest_path(g, "a", "d", weight="weight"),
    "dijkstra_path": lambda g: nx.dijkstra_path(g, "a", "d"),
    "astar_path": lambda g: nx.astar_path(g, "a", "d"),
    "bellman_ford_path": lambda g: nx.bellman_ford_path(g, "a", "d"),
    "bidirectional_dijkstra": lambda g: nx.bidirectional_dijkstra(g, "a", "d"),
    "maximum_flow_value": lambda g: nx.maximum_flow_value(g, "a", "d", capacity="weight"),
    "minimum_cut": lambda g: nx.minimum_cut(g, "a", "d", capacity="weight"),
}
"""Of a directed one without cycles."""


def cover(g: Any, found: Iterable[Any]) -> bool:
    """Whether each edge has an end among these."""
    return all({u, v} & set(found) for u, v in g.edges)


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, tuple[Any, rz.Graph]]:
    """By whether it is directed: NetworkX's graph, and a stored one of the same edges."""
    karate = [(str(u), str(v), float(w)) for u, v, w in nx.karate_club_graph().edges(data="weight")]
    arcs = [("a", "b", 1.0), ("b", "c", 2.0), ("c", "d", 1.0), ("a", "d", 7.0)]
    made: dict[bool, tuple[Any, rz.Graph]] = {}
    for directed, edges in ((False, karate), (True, arcs)):
        theirs = nx.DiGraph() if directed else nx.Graph()
        theirs.add_weighted_edges_from(edges)
        path = tmp_path_factory.mktemp("stored") / "g.rz"
        with rz.open(path, directed=directed, weights="float64") as ours:
            ours.add_edges(edges)
        made[directed] = (theirs, rz.open(path))
    return made


CALLS = [(False, *item) for item in KARATE.items()] + [(True, *item) for item in ARCS.items()]


@pytest.mark.parametrize(("directed", "name", "call"), CALLS, ids=[name for _, name, _ in CALLS])
def test_it_answers_as_networkx_does(stored, directed, name, call):
    theirs, ours = stored[directed]
    wanted = call(theirs)
    for each in (ours, ours.snapshot()):
        assert_same(wanted, call(each), name)


def test_leiden_and_bipartite_sets(stored):
    """NetworkX has no Leiden of its own, and `sets` wants a bipartite graph."""
    assert whole(community.leiden_communities(stored[False][1], seed=1)) == sorted(stored[False][0])
    both = rz.open(None)
    both.add_edges([("ann", "chess"), ("bob", "chess"), ("bob", "go")])
    assert sorted(map(sorted, bipartite.sets(both))) == [["ann", "bob"], ["chess", "go"]]
