"""Patterns with symmetries, whose matches are searched for once for each orbit: against all ways to place vertices."""

from __future__ import annotations

from itertools import permutations, product

import networkx as nx
import pytest
import rizoma as rz

SHAPES = {
    "edge": [(0, 1)],
    "wedge": [(0, 1), (1, 2)],
    "path": [(0, 1), (1, 2), (2, 3)],
    "path of five": [(0, 1), (1, 2), (2, 3), (3, 4)],
    "star": [(0, 1), (0, 2), (0, 3)],
    "cycle of four": [(0, 1), (1, 2), (2, 3), (3, 0)],
    "cycle of five": [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)],
    "two edges": [(0, 1), (2, 3)],
    "bull": [(0, 1), (1, 2), (2, 0), (0, 3), (1, 4)],
    "k_2_3": [(0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4)],
}


def pattern_of(edges, directed):
    arrow = "-->" if directed else "--"
    return ", ".join(f"(v{a}){arrow}(v{b})" for a, b in edges)


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("directed", [False, True])
def test_matches_are_those_of_all_placements(name, directed):
    edges = SHAPES[name]
    size = 1 + max(v for edge in edges for v in edge)
    for seed in range(3):
        given = nx.gnm_random_graph(7, 12, seed=seed, directed=directed)
        graph = rz.open(None, directed=directed, ids="integer")
        graph.add_vertices(list(given))
        graph.add_edges(list(given.edges))
        fits = [
            place for place in product(given, repeat=size) if all(given.has_edge(place[a], place[b]) for a, b in edges)
        ]
        differ = [place for place in fits if len(set(place)) == size]
        pattern = pattern_of(edges, directed)
        assert graph.match(pattern).count() == len(fits)
        found = graph.match(pattern, distinct="nodes")
        assert found.count() == len(differ)
        table = found.to_arrow()
        rows = zip(*(table[f"v{v}"].to_pylist() for v in range(size)), strict=True)
        assert sorted(rows) == sorted(differ)


def test_cycles_of_four_are_counted_in_any_order_of_their_edges():
    given = nx.gnm_random_graph(40, 200, seed=5)
    graph = rz.open(None, ids="integer")
    graph.add_edges(list(given.edges))
    cycles = 0
    for a, b in permutations(given, 2):
        wedges = len(set(given[a]) & set(given[b]))
        cycles += wedges * (wedges - 1) // 2
    squares, ends = sum(d * d for _, d in given.degree), sum(d for _, d in given.degree)
    for order in permutations(["(a)--(b)", "(c)--(b)", "(c)--(d)", "(a)--(d)"]):
        assert graph.match(", ".join(order)).count() == 2 * cycles + 2 * squares - ends
        assert graph.match(", ".join(order), distinct="nodes").count() == 2 * cycles
    assert "follows from the wedges" in graph.match("(a)--(b)--(c)--(d)--(a)").explain()
