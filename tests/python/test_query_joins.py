"""Queries join what stood before with the matches of a pattern: as many as by hand, however many rows there are."""

from __future__ import annotations

import random
from collections import Counter

import pytest
import rizoma as rz

VERTICES = 40


def graph_of(edges, directed, typed):
    """A graph of edges (source, target, type), of which more than one may lead from one vertex to another."""
    columns = {"type": "string"} if typed else {}
    graph = rz.open(None, directed=directed, ids="integer", edges=columns, parallel_edges="keep")
    graph.add_vertices(list(range(VERTICES)))
    table = {"source": [s for s, _, _ in edges], "target": [t for _, t, _ in edges]}
    graph.add_edges(table | ({"type": [kind for _, _, kind in edges]} if typed else {}))
    return graph


def random_edges(seed, typed):
    draw = random.Random(seed)
    ends = [(draw.randrange(VERTICES), int(VERTICES * draw.random() ** 3)) for _ in range(90)]
    return [(s, t, draw.choice("XY") if typed else "") for s, t in ends]


def entries(edges, directed):
    """Each edge in each direction in which `(a)-->(b)` matches it."""
    return [*edges, *((t, s, kind) for s, t, kind in edges if s != t)] if not directed else list(edges)


KINDS = [(directed, typed) for directed in (True, False) for typed in (True, False)]


@pytest.mark.parametrize(("directed", "typed"), KINDS)
@pytest.mark.parametrize("few", [1, 3, 12, 19, VERTICES])
def test_patterns_beside_one_vertex(directed, typed, few):
    """EXISTS, NOT, COUNT and OPTIONAL MATCH beside few vertices, which are searched from, and many, which are not."""
    edges = random_edges(few, typed)
    graph = graph_of(edges, directed, typed)
    of = ":X" if typed else ""
    out = Counter(s for s, _, kind in entries(edges, directed) if kind in ("X", ""))
    begin = f"MATCH (a) WHERE id(a) < {few} "
    found = graph.query(f"{begin} RETURN id(a) AS a, COUNT {{ (a)-[{of}]->() }} AS n").to_arrow()
    assert dict(zip(*found.to_pydict().values(), strict=True)) == {a: out[a] for a in range(few)}
    for text, wanted in (("EXISTS { (a)-[%s]->() }", True), ("NOT (a)-[%s]->()", False)):
        found = graph.query(f"{begin} AND {text % of} RETURN id(a) AS a").to_arrow()
        assert sorted(found["a"].to_pylist()) == [a for a in range(few) if (out[a] > 0) == wanted]
    found = graph.query(f"{begin} OPTIONAL MATCH (a)-[e{of}]->(b) RETURN id(a) AS a, id(b) AS b").to_arrow()
    expected = [(s, t) for s, t, kind in entries(edges, directed) if kind in ("X", "") and s < few]
    expected += [(a, None) for a in range(few) if not out[a]]
    assert Counter(zip(*found.to_pydict().values(), strict=True)) == Counter(expected)


@pytest.mark.parametrize(("directed", "typed"), KINDS)
@pytest.mark.parametrize("few", [1, 5, VERTICES])
def test_patterns_beside_two_vertices(directed, typed, few):
    """Both ends stood before, in more rows than one."""
    edges = random_edges(100 + few, typed)
    graph = graph_of(edges, directed, typed)
    both = Counter((s, t) for s, t, kind in entries(edges, directed) if kind in ("X", ""))
    of = ":X" if typed else ""
    begin = f"UNWIND [1, 2] AS twice MATCH (a), (b) WHERE id(a) < {few} "
    found = graph.query(f"{begin} RETURN id(a) AS a, id(b) AS b, COUNT {{ (a)-[{of}]->(b) }} AS n").to_arrow()
    got = Counter(zip(*found.to_pydict().values(), strict=True))
    assert got == {(a, b, both[a, b]): 2 for a in range(few) for b in range(VERTICES)}
    found = graph.query(f"{begin} AND NOT (a)-[{of}]->(b) RETURN count(*) AS n").to_arrow()
    assert found["n"].to_pylist() == [2 * sum(not both[a, b] for a in range(few) for b in range(VERTICES))]
    found = graph.query(f"{begin} MATCH (a)-[{of}]->(b) RETURN id(a) AS a, id(b) AS b").to_arrow()
    expected = Counter({pair: 2 * times for pair, times in both.items() if pair[0] < few})
    assert Counter(zip(*found.to_pydict().values(), strict=True)) == expected


@pytest.mark.parametrize("typed", [True, False])
def test_patterns_beside_an_edge_that_stood_before(typed):
    """An edge is told from those parallel to it by its row; without columns parallel edges are alike."""
    edges = random_edges(7, typed) if typed else list(dict.fromkeys(random_edges(7, typed)))
    graph = graph_of(edges, True, typed)
    found = graph.query("MATCH (a)-[e]->(b) MATCH (a)-[e]->(c) RETURN id(a) AS a, id(b) AS b, id(c) AS c").to_arrow()
    expected = Counter((s, t, t) for s, t, _ in edges)
    assert Counter(zip(*found.to_pydict().values(), strict=True)) == expected


def test_rows_with_null_are_joined_with_nothing():
    """What an OPTIONAL MATCH before did not find."""
    graph = graph_of([(0, 1, "X"), (1, 2, "Y"), (3, 3, "X")], True, True)
    text = (
        "MATCH (a) WHERE id(a) < 4 OPTIONAL MATCH (a)-[:X]->(b) OPTIONAL MATCH (b)-[:Y]->(c) "
        "RETURN id(a) AS a, id(b) AS b, id(c) AS c, COUNT { (b)-->() } AS n, EXISTS { (a)-->(b) } AS there ORDER BY a"
    )
    assert [tuple(row.values()) for row in graph.query(text).to_arrow().to_pylist()] == [
        (0, 1, 2, 1, True),
        (1, None, None, 0, False),
        (2, None, None, 0, False),
        (3, 3, None, 1, True),
    ]


def test_an_exists_of_more_matches_than_rows_could_hold_is_counted():
    """Walks beside all vertices are counted without making rows."""
    hub = [(0, t, "") for t in range(1, VERTICES)] + [(s, 0, "") for s in range(1, VERTICES)]
    graph = graph_of(hub, True, False)
    walks = "(a)" + 9 * "-->()"
    found = graph.query(f"MATCH (a) RETURN id(a) AS a, COUNT {{ {walks} }} AS n").to_arrow()
    assert min(found["n"].to_pylist()) > 10**6


@pytest.mark.parametrize("keys", ["n DESC, a", "n, a DESC", "n DESC", "w, a", "w DESC, a", "x DESC, n, a"])
@pytest.mark.parametrize("most", [0, 1, 3, 9, 10, 39, 400])
def test_the_first_rows_are_those_of_all_rows_in_order(keys, most):
    """Ties, null and numbers that are none stay where a whole order has them."""
    graph = rz.open(None, directed=True, ids="integer", vertices={"w": "float64", "x": "int64"})
    draw = random.Random(most)
    w = [
        draw.choice([1.5, -0.0, 0.0, float("nan"), None, 7.0]) if most % 2 else float(draw.randrange(5))
        for _ in range(90)
    ]
    x = [draw.choice([1, 2, None]) for _ in w]
    graph.add_vertices({"vertex": list(range(90)), "w": w, "x": x})
    text = f"MATCH (v) RETURN id(v) AS a, id(v) % 7 AS n, v.w AS w, v.x AS x ORDER BY {keys}"
    whole = [str(row) for row in graph.query(text).to_arrow().to_pylist()]
    assert [str(row) for row in graph.query(f"{text} LIMIT {most}").to_arrow().to_pylist()] == whole[:most]


@pytest.mark.parametrize("key", ["a", "id(a)", "a.name", "a.name + '!'", "a.k % 2", "(a.k + id(a)) % 3"])
@pytest.mark.parametrize("optional", [True, False])
def test_sums_by_what_is_known_of_a_vertex(key, optional):
    """Groups of vertices, of null, and of numbers beyond a float's whole ones, as row by row."""
    graph = rz.open(
        None,
        directed=True,
        ids="integer",
        edges={"x": "int64", "y": "float64"},
        vertices={"name": "string", "k": "int64"},
        parallel_edges="keep",
    )
    n, draw = 30, random.Random(3)
    graph.add_vertices(
        {"vertex": list(range(n)), "name": [None if i % 7 == 0 else f"n{i % 5}" for i in range(n)], "k": list(range(n))}
    )
    m = 200
    graph.add_edges(
        {
            "source": [draw.randrange(20) for _ in range(m)],
            "target": [draw.randrange(n) for _ in range(m)],
            "x": [draw.choice([None, 2**53 + 1, -5, 8]) for _ in range(m)],
            "y": [draw.choice([None, 0.5, -1.0]) for _ in range(m)],
        }
    )
    match = "MATCH (b) OPTIONAL MATCH (a)-[e]->(b)" if optional else "MATCH (a)-[e]->(b)"
    sums = "sum(e.x) AS sx, sum(e.y) AS sy, avg(e.y) AS ay, count(*) AS n, count(e.x) AS nx"
    found = graph.query(f"{match} RETURN {key} AS key, {sums}").to_arrow().to_pylist()
    # The least of the values makes the groups be built row by row.
    slowly = graph.query(f"{match} RETURN {key} AS key, {sums}, min(e.x) AS least").to_arrow().to_pylist()
    for row in slowly:
        del row["least"]
    assert sorted(map(str, found)) == sorted(map(str, slowly))


@pytest.mark.parametrize("removed", [True, False])
@pytest.mark.parametrize(
    ("value", "expected"),
    [("COUNT { (a)-->() }", 0), ("EXISTS { (a)-->() }", False), ("NOT (a)-->()", True), ("COUNT { (a)-->(a) }", 0)],
)
def test_patterns_beside_null_in_a_graph_without_vertices(removed, value, expected):
    graph = rz.open(None, directed=True, ids="integer")
    if removed:
        graph.add_edges([(1, 2), (2, 1)])
        graph.remove_vertices([1, 2])
    for text in (
        f"OPTIONAL MATCH (a) RETURN {value} AS n",
        f"OPTIONAL MATCH (a) OPTIONAL MATCH (a)-->(b) RETURN {value} AS n",
    ):
        assert graph.query(text).to_arrow().to_pylist() == [{"n": expected}]


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("a.id = 7.0", [7]),
        ("id(a) = $x", [7]),
        ("a.id IN [7.0, 8, 7.5, 1e300]", [7, 8]),
        ("a.id = 7.5", []),
        ("NOT a.id = 7.0", [8]),
    ],
)
def test_an_id_equals_the_same_number_as_a_float(condition, found):
    graph = rz.open(None, directed=True)
    graph.add_edges([(7, 8)])
    made = graph.query(
        f"MATCH (a) WHERE {condition} RETURN a.id AS id ORDER BY id", {"x": 7.0} if "$" in condition else {}
    )
    assert made.to_arrow()["id"].to_pylist() == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("MATCH (a) WITH a WHERE a.id = 7.0 RETURN a.id", [7]),
        ("UNWIND [7.0] AS x MATCH (a {id: x}) RETURN a.id", [7]),
        ("MATCH (a) WITH a WHERE a.id > 9007199254740992.0 RETURN a.id", [2**53 + 1]),
        ("MATCH (a) WITH a WHERE a.id <> 9007199254740992.0 RETURN a.id ORDER BY a.id", [7, 8, 2**53 + 1]),
        ("MATCH (a) WITH a WHERE a.id IN [7.0, 9007199254740992.0] RETURN a.id", [7]),
        ("MATCH (a) WITH a WHERE a.id + 0.0 > 1e9 RETURN a.id + 0.0", [2.0**53]),
    ],
)
def test_a_whole_number_beyond_the_floats_is_compared_exactly(text, found):
    graph = rz.open(None, directed=True, ids="integer")
    graph.add_edges([(7, 8), (2**53 + 1, 7)])
    assert graph.query(text).to_arrow().column(0).to_pylist() == found


def test_a_list_of_a_great_whole_number_beside_a_float_is_refused():
    graph = rz.open(None, directed=True, ids="integer")
    graph.add_edges([(7, 8)])
    with pytest.raises(rz.ParseError, match=r"beyond 2\^53 is no float; write all as floats, or none"):
        graph.query("RETURN [7.0, 9007199254740993] AS x").to_arrow()
