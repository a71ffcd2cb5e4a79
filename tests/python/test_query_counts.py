"""Queries that count matches or keep the first rows give what all rows, put together by hand, give."""

from __future__ import annotations

import random
from collections import Counter

import pytest
import rizoma as rz

VERTICES = 60


def graph_of(edges, label_of, score_of):
    columns = {"type": "string", "weight": "int32"}
    graph = rz.open(
        None,
        directed=True,
        ids="integer",
        edges=columns,
        parallel_edges="keep",
        vertices={"label": "string", "score": "int32", "day": "date"},
    )
    numbers = list(range(VERTICES))
    days = [None if score_of[v] is None else f"2020-01-{score_of[v] % 28 + 1:02}" for v in numbers]
    table = {"vertex": numbers, "label": [label_of[v] for v in numbers], "score": [score_of[v] for v in numbers]}
    graph.add_vertices(table | {"day": days})
    source, target, kind = zip(*edges, strict=True)
    graph.add_edges({"source": source, "target": target, "type": kind, "weight": [1] * len(edges)})
    return graph


@pytest.fixture(scope="module", params=range(4))
def world(request):
    """A random graph: edges (source, target, type), labels, and scores, of which some are null."""
    draw = random.Random(request.param)
    edges = [(draw.randrange(VERTICES), int(VERTICES * draw.random() ** 2), draw.choice("XY")) for _ in range(400)]
    labels = [draw.choice("AB") for _ in range(VERTICES)]
    scores = [None if draw.random() < 0.1 else draw.randrange(30) for _ in range(VERTICES)]
    return graph_of(edges, labels, scores), edges, labels, scores


def paths(edges, kinds):
    """The ends of all paths of edges of these types, none twice in a path; edges are told apart by their places."""
    found = [((i,), (s, t)) for i, (s, t, kind) in enumerate(edges) if kind == kinds[0]]
    for kind in kinds[1:]:
        onward = [(i, s, t) for i, (s, t, of) in enumerate(edges) if of == kind]
        found = [((*used, i), (*ends, t)) for used, ends in found for i, s, t in onward if s == ends[-1]]
    return [ends for used, ends in found if len(set(used)) == len(used)]


def pairs(table):
    return Counter(zip(*table.to_pydict().values(), strict=True))


@pytest.mark.parametrize("begin", ["a", "b", "c"])
@pytest.mark.parametrize("given", ["a.id = 7", "a.score > 20", "c.id IN [3, 9]", "b.label = 'A' AND c.score < 9"])
def test_counts_by_a_vertex_begin_where_it_is_cheapest(world, begin, given):
    """By each vertex of a path, where another has a known id, few of a predicate, or nothing of the kind."""
    graph, edges, labels, scores = world
    holds = {
        "a.id = 7": lambda a, b, c: a == 7,
        "a.score > 20": lambda a, b, c: scores[a] is not None and scores[a] > 20,
        "c.id IN [3, 9]": lambda a, b, c: c in (3, 9),
        "b.label = 'A' AND c.score < 9": lambda a, b, c: labels[b] == "A" and scores[c] is not None and scores[c] < 9,
    }[given]
    expected = Counter(ends["abc".index(begin)] for ends in paths(edges, "XY") if holds(*ends))
    text = f"MATCH (a)-[:X]->(b)-[:Y]->(c) WHERE {given} RETURN {begin}.id AS v, count(*) AS n"
    assert pairs(graph.query(text).to_arrow()) == Counter(expected.items())
    grouped = graph.match("(a)-[:X]->(b)-[:Y]->(c)", where=given.replace("IN", "in").replace("AND", "and"))
    expected = Counter({v: n for v, n in expected.items() if n})
    assert pairs(grouped.group_by(begin).count().to_arrow()) == Counter(expected.items())


@pytest.mark.parametrize("optional", [False, True])
@pytest.mark.parametrize("counted", ["e", "b", "*"])
@pytest.mark.parametrize("key", ["a.id", "a.label"])
def test_counts_beside_rows_that_stood_before(world, optional, counted, key):
    """Rows without a match are left out, or count 0 matches and 1 row; a row that stands there twice counts twice."""
    graph, edges, labels, scores = world
    word = "OPTIONAL MATCH" if optional else "MATCH"
    text = (
        f"UNWIND [1, 2] AS twice MATCH (a) WHERE a.score > 5 {word} (a)-[e:X]->(b:B) WHERE b.score > 3 "
        f"RETURN {key} AS k, count({counted}) AS n"
    )
    expected = Counter()
    for a in range(VERTICES):
        if scores[a] is None or scores[a] <= 5:
            continue
        fits = [t for s, t, kind in edges if (s, kind) == (a, "X") and labels[t] == "B" and (scores[t] or 0) > 3]
        if fits or optional:
            number = max(len(fits), 1) if counted == "*" else len(fits)
            expected[a if key == "a.id" else labels[a]] += 2 * number
    assert pairs(graph.query(text).to_arrow()) == Counter(expected.items())


@pytest.mark.parametrize("order", ["b.score DESC, b.id", "b.day, b.id DESC", "b.day DESC, b.id", "a.label, b.id"])
@pytest.mark.parametrize(("skip", "limit"), [(0, 3), (2, 5), (0, 0), (10, 1000)])
def test_the_first_rows_of_columns_that_are_not_shown(world, order, skip, limit):
    """ORDER BY with LIMIT sorts by what rows do not show, among equals by the next key, null last."""
    graph, _, _, _ = world
    begin = f"MATCH (a)-[:X]->(b) RETURN a.score AS score, b.id AS id ORDER BY {order}"
    every = graph.query(begin).to_arrow()
    first = graph.query(f"{begin} SKIP {skip} LIMIT {limit}").to_arrow()
    shown = ", ".join(f"{each.split()[0]} AS k{i}" for i, each in enumerate(order.split(", ")))
    keys = f"MATCH (a)-[:X]->(b) RETURN {shown}"
    ordered = graph.query(f"{keys} ORDER BY {order}").to_arrow().slice(skip, limit)
    assert first.schema == every.schema
    assert graph.query(f"{keys} ORDER BY {order} SKIP {skip} LIMIT {limit}").to_arrow() == ordered
    assert sorted(first["id"].to_pylist()) == sorted(every["id"].slice(skip, limit).to_pylist())


@pytest.mark.parametrize("limit", [1, 7, 40])
def test_the_first_rows_of_several_batches(limit):
    """The first key ties in most rows, so that the next ones decide, also between batches."""
    graph = rz.open(None, directed=True, ids="integer")
    graph.add_edges([(i, i + 1) for i in range(3)])
    begin = "UNWIND range(1, 300000) AS i WITH i WHERE i % 3 > 0"
    text = f"{begin} RETURN i % 2 AS odd, i AS i ORDER BY i % 2, -i LIMIT {limit}"
    expected = sorted((i for i in range(1, 300001) if i % 3), key=lambda i: (i % 2, -i))[:limit]
    assert graph.query(text).to_arrow()["i"].to_pylist() == expected


@pytest.mark.parametrize(
    "text",
    [
        "RETURN count(*) AS n",
        "RETURN 1 AS x, count(*) AS n",
        "RETURN max(1) AS n",
        "WITH count(*) AS n RETURN n",
        "RETURN count(*) AS n UNION RETURN 1 AS n",
    ],
)
def test_aggregates_with_no_clause_before_them(text):
    graph = rz.open(None, directed=True, ids="integer")
    graph.add_edges([(1, 2)])
    assert [row["n"] for row in graph.query(text).to_arrow().to_pylist()] == [1]


def test_vertices_out_of_reach_of_an_anchor_fail_no_predicate():
    graph = rz.open(None, directed=True, ids="integer", vertices={"score": "int64"})
    graph.add_vertices({"vertex": list(range(200)), "score": [1] * 199 + [2**63 - 1]})  # 199 has no edge
    graph.add_edges([(0, i) for i in range(1, 100)] + [(i, j) for i in range(1, 60) for j in range(100, 140)])
    text = "MATCH (a)-->(b)-->(c) WHERE a.id = 0 AND c.score + 1 > 0 RETURN count(*) AS n"
    assert graph.query(text).to_arrow().to_pylist() == [{"n": 59 * 40}]


def test_a_long_query_is_not_kept():
    graph = rz.open(None, directed=True, ids="integer")
    graph.add_edges([(1, 2), (2, 3)])
    numbers = ", ".join(map(str, range(2, 3000)))
    for _ in range(2):
        found = graph.query(f"MATCH (a)-->(b) WHERE a.id IN [{numbers}] RETURN b.id").to_arrow()
        assert found.to_pylist() == [{"b.id": 3}]
