"""Shortest paths in patterns, against NetworkX."""

from __future__ import annotations

from collections import Counter

import networkx as nx
import numpy as np
import pytest
import rizoma as rz
from rizoma.core.errors import ParseError, UnsupportedError

N = 14


def random_pair(seed, directed):
    """A random graph, and the same of NetworkX."""
    rng = np.random.default_rng(seed)
    edges = rng.integers(0, N, (int(rng.integers(8, 30)), 2))
    edges = edges[edges[:, 0] != edges[:, 1]]
    graph = rz.open(None, directed=directed)
    graph.add_vertices(range(N))
    graph.add_edges(edges)
    known = nx.DiGraph() if directed else nx.Graph()
    known.add_nodes_from(range(N))
    known.add_edges_from(edges.tolist())
    return graph, known


def paths_between(known, most=None):
    """How many shortest paths there are for each two different vertices."""
    found = Counter()
    for u in known:
        for v in known:
            if u == v or not nx.has_path(known, u, v):
                continue
            paths = list(nx.all_shortest_paths(known, u, v))
            if most is None or len(paths[0]) - 1 <= most:
                found[u, v] = len(paths)
    return found


def pairs_of(matches):
    table = matches.to_arrow()
    return Counter(zip(table["a"].to_pylist(), table["b"].to_pylist(), strict=True))


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("seed", range(8))
def test_shortest_paths_between_all_vertices(seed, directed):
    graph, known = random_pair(seed, directed)
    ends = {"a": list(range(N)), "b": list(range(N))}
    for most, said in ((None, "*"), (2, "*..2"), (3, "*1..3")):
        expected = paths_between(known, most)
        every = graph.match(f"all shortest (a)-[{said}]->(b)", where="a <> b", **ends)
        one = graph.match(f"shortest (a)-[{said}]->(b)", where="a <> b", **ends)
        assert pairs_of(every) == expected
        assert every.count() == expected.total()
        assert pairs_of(one) == Counter(expected.keys())
        assert one.count() == len(expected)
        turned = graph.match(f"any shortest (b)<-[{said}]-(a)", where="a <> b", **ends)
        assert pairs_of(turned) == Counter(expected.keys())
    either = graph.match("shortest (a)-[*]-(b)", where="a <> b", **ends)
    assert pairs_of(either) == Counter(paths_between(known.to_undirected()).keys())


@pytest.mark.parametrize("seed", range(8))
def test_a_path_beside_edges(seed):
    graph, known = random_pair(seed, True)
    expected = Counter()
    lengths = dict(nx.all_pairs_shortest_path_length(known))
    for a, c in known.edges:
        for b in (1, 2, 3):
            round_and_back = any(c in lengths[near] for near in known.successors(c))
            if round_and_back if b == c else b in lengths[c]:
                expected[a, b] += 1
    found = graph.match("(a)-->(c); shortest (c)-[*]->(b)", b=[1, 2, 3])
    assert pairs_of(found) == expected
    assert found.count() == expected.total()


@pytest.mark.parametrize("seed", range(4))
def test_from_a_vertex_to_itself(seed):
    graph, known = random_pair(seed, True)
    lengths = dict(nx.all_pairs_shortest_path_length(known))
    for a in range(N):
        rounds = [1 + lengths[near][a] for near in known.successors(a) if a in lengths[near]]
        for most in (2, 3, 5):
            expected = int(bool(rounds) and min(rounds) <= most)
            assert graph.match(f"shortest (a)-[*..{most}]->(a)", a=a).count() == expected


def test_parallel_edges_make_paths_of_their_own():
    graph = rz.open(None, directed=True, parallel_edges="keep")
    graph.add_edges([(0, 1), (0, 1), (1, 3), (0, 2), (2, 3), (2, 3), (2, 3), (3, 4)])
    assert graph.match("all shortest (a)-[*]->(b)", a=0, b=3).count() == 5
    assert graph.match("all shortest (a)-[*]->(b)", a=0, b=4).count() == 5
    assert graph.match("shortest (a)-[*]->(b)", a=0, b=[3, 4]).count() == 2
    assert graph.match("all shortest (a)-[*]->(b)", a=4, b=0).count() == 0
    assert graph.match("all shortest (a)-[*]-(b)", a=4, b=0).count() == 5
    assert "1 shortest paths" in graph.match("shortest (a)-[*]->(b)", a=0, b=4).explain()


def test_more_paths_than_64_bits_count():
    graph = rz.open(None, directed=True, parallel_edges="keep")
    graph.add_edges([(i, i + 1) for i in range(64) for _ in range(2)])
    assert graph.match("all shortest (a)-[*]->(b)", a=0, b=63).count() == 2**63
    assert graph.match("shortest (a)-[*]->(b)", a=0, b=64).count() == 1
    with pytest.raises(UnsupportedError, match="64 bits"):
        graph.match("all shortest (a)-[*]->(b)", a=0, b=64).count()


@pytest.mark.parametrize(
    ("pattern", "says"),
    [
        ("shortest (a)-->(b)", "needs a repeated edge"),
        ("shortest (a)", "one repeated edge"),
        ("shortest (a)-[*]->(b)-[*]->(c)", "one repeated edge"),
        ("shortest (a)-[e*2..]->(b)", "1 edge or more"),
        ("shortest (a)-[*2..3]->(b)", "1 edge or more"),
        ("shortest (a)-[*3]->(b)", "1 edge or more"),
        ("!shortest (a)-[*1]->(b)", "a negated edge cannot be"),
        ("shortest (a)-[*..0]->(b)", "1 edge or more"),
        ("all (a)-[*]->(b)", 'expected "shortest" after "all"'),
        ("(a)-[*]->(b)", "without a bound"),
    ],
)
def test_mistakes_show_their_place(pattern, says):
    graph, _ = random_pair(0, True)
    with pytest.raises(ParseError, match=says) as raised:
        graph.match(pattern, a=1)
    assert "^" in str(raised.value)


def test_ends_must_be_bound():
    graph, _ = random_pair(0, True)
    for pattern in ("shortest (a)-[*]->(b)", "(a)-->(c), shortest (c)-[*]->(b)"):
        with pytest.raises(UnsupportedError, match="needs bound ends"):
            graph.match(pattern, a=1)
    with pytest.raises(UnsupportedError, match="distinct"):
        graph.match("shortest (a)-[*]->(b)", a=1, b=2, distinct="nodes")


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_pairs_that_are_named_have_the_shortest_paths_of_networkx(directed, seed):
    """Searched from both ends: lengths, each of all shortest paths once, bounds and types."""
    given = nx.gnm_random_graph(14, 22, seed=seed, directed=directed)
    graph = rz.open(None, directed=directed, ids="integer", edges={"type": "string"})
    graph.add_vertices(list(given))
    edges = list(given.edges)
    types = ["A", "A", "B"] * 7 + ["A"]
    graph.add_edges({"source": [u for u, _ in edges], "target": [v for _, v in edges], "type": types})
    of_a = given.edge_subgraph([edge for i, edge in enumerate(edges) if i % 3 != 2]).copy()
    of_a.add_nodes_from(given)
    for u in range(0, 14, 6):
        for v in (w for w in range(0, 14, 2) if w != u):
            for kind, searched in (("", given), (":A", of_a)):
                length = nx.shortest_path_length(searched, u, v) if nx.has_path(searched, u, v) else None
                ways = sorted(nx.all_shortest_paths(searched, u, v)) if length is not None else []
                text = f"(a {{id: {u}}})-[{kind}*]->(b {{id: {v}}})".replace("->", "->" if directed else "-")
                one = graph.query(f"MATCH p = shortestPath({text}) RETURN [n IN nodes(p) | n.id] AS way").to_arrow()
                every = graph.query(
                    f"MATCH p = allShortestPaths({text}) RETURN [n IN nodes(p) | n.id] AS way"
                ).to_arrow()
                assert sorted(every["way"].to_pylist()) == ways
                assert len(one) == (length is not None)
                assert all(found in ways for found in one["way"].to_pylist())
                if length is not None:
                    short = text.replace("*", f"*..{max(1, length - 1)}")
                    near = graph.query(f"MATCH p = shortestPath({short}) RETURN length(p) AS l").to_arrow()
                    assert near["l"].to_pylist() == ([1] if length == 1 else [])
