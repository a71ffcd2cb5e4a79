"""Patterns with optional parts, typed absent edges and paths as values, against enumeration of all of them."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest
import rizoma as rz

TYPES = ("KNOWS", "PAID")


def some_graph(seed: int, directed: bool = True, n: int = 7, m: int = 12) -> tuple[rz.Graph, list[dict[str, Any]]]:
    """A graph of typed edges, and these as dicts."""
    rng = np.random.default_rng(seed)
    seen: dict[tuple[int, int], dict[str, Any]] = {}
    for a, b, kind, amount in zip(
        *rng.integers(0, n, (2, m)), rng.integers(0, 2, m), rng.integers(0, 4, m), strict=True
    ):
        ends = (int(a), int(b)) if directed else (int(min(a, b)), int(max(a, b)))
        seen[ends] = {"source": ends[0], "target": ends[1], "type": TYPES[kind], "amount": float(amount)}
    rows = list(seen.values())
    graph = rz.open(None, directed=directed, edges={"type": "string", "amount": "float64"}, vertices={"age": "int32"})
    graph.add_vertices({"vertex": list(range(n)), "age": [v % 4 for v in range(n)]})
    graph.add_edges({name: [row[name] for row in rows] for name in ("source", "target", "type", "amount")})
    return graph, rows


def steps(rows: list[dict[str, Any]], directed: bool) -> list[tuple[int, int, int]]:
    """(from, to, number of the edge), both ways in an undirected graph."""
    found = [(row["source"], row["target"], i) for i, row in enumerate(rows)]
    if not directed:
        found += [(b, a, i) for a, b, i in found if a != b]
    return found


def walks(rows, directed, least, most, distinct="none", wanted=lambda row: True) -> list[tuple[list[int], list[int]]]:
    """All walks of some lengths: their vertices and the numbers of their edges."""
    every = [each for each in steps(rows, directed) if wanted(rows[each[2]])]
    vertices = range(7)
    now: list[tuple[list[int], list[int]]] = [([v], []) for v in vertices]
    found = [each for each in now if least == 0]
    for length in range(1, most + 1):
        now = [
            ([*way, b], [*edges, i])
            for way, edges in now
            for a, b, i in every
            if a == way[-1] and not (distinct == "edges" and i in edges) and not (distinct == "nodes" and b in way)
        ]
        if length >= least:
            found += now
    return found


def counted(table, *names: str) -> Counter:
    columns = [table.column(name).to_pylist() for name in names]
    return Counter(zip(*([_plain(value) for value in column] for column in columns), strict=True))


def _plain(value: Any) -> Any:
    return (
        tuple(map(_plain, value))
        if isinstance(value, list)
        else tuple(value.items())
        if isinstance(value, dict)
        else value
    )


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("directed", [True, False])
def test_optional_parts_are_null_where_nothing_matches(seed, directed):
    graph, rows = some_graph(seed, directed)
    every = steps(rows, directed)
    want: Counter = Counter()
    for a, b, i in every:
        found = [(c, j) for x, c, j in every if x == b and rows[j]["type"] == "PAID" and rows[j]["amount"] == 2]
        if rows[i]["amount"] >= 1:
            want.update((a, b, rows[i]["amount"], c, rows[j]["amount"]) for c, j in found)
            want.update([] if found else [(a, b, rows[i]["amount"], None, None)])
    matches = graph.match("(a)-[e]->(b), optional (b)-[f:PAID {amount: 2}]->(c)", where="e.amount >= 1")
    table = matches.select("a", "b", "e.amount", "c", "f.amount").to_arrow()
    assert counted(table, *table.column_names) == want
    assert matches.count() == sum(want.values())
    assert matches.exists() == (sum(want.values()) > 0)
    groups = matches.group_by("c").count().to_arrow().to_pylist()
    by_c = Counter()
    for (_, _, _, c, _), times in want.items():
        by_c[c] += times
    assert {row["c"]: row["count"] for row in groups} == by_c
    some = matches.select("a", "c").distinct().order_by("a", "-c").to_arrow()
    assert counted(some, "a", "c") == Counter({(a, c): 1 for a, _, _, c, _ in want})
    assert some.column("a").to_pylist() == sorted(some.column("a").to_pylist())


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("kind", ["[:PAID]", "[:PAID|KNOWS]", "[{amount: 2}]", "[:KNOWS {amount: 1}]"])
def test_absent_edges_have_types_and_properties(seed, directed, kind):
    graph, rows = some_graph(seed, directed)

    def is_meant(row):
        return ("[:" not in kind or row["type"] in kind) and (
            "amount" not in kind or f"amount: {row['amount']:g}" in kind
        )

    every = steps(rows, directed)
    absent = {(a, b) for a, b, i in every if is_meant(rows[i])}
    ends = {a for a, _ in absent}
    for pattern, keeps in (
        (f"(a)-->(b), !(a)-{kind}->(b)", lambda a, b: (a, b) not in absent),
        (f"(a)-->(b); !(b)-{kind}->(a)", lambda a, b: (b, a) not in absent),
        (f"(a)-->(b), !(b)-{kind}->()", lambda a, b: b not in ends),
        (f"!(a)-{kind}->(), (a)-->(b), !(b)-{kind}->()", lambda a, b: a not in ends and b not in ends),
    ):
        want = Counter((a, b) for a, b, _ in every if keeps(a, b))
        found = graph.match(pattern)
        assert counted(found.to_arrow(), "a", "b") == want, pattern
        assert found.count() == sum(want.values())


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("distinct", [None, "edges", "nodes"])
def test_repeated_edges_are_values(seed, directed, distinct):
    graph, rows = some_graph(seed, directed)
    want = Counter()
    for way, edges in walks(rows, directed, 1, 3, distinct or "none", lambda row: row["type"] == "PAID"):
        if distinct != "nodes" or way[0] != way[-1]:
            want[(way[0], way[-1], tuple(way), tuple(rows[i]["amount"] for i in edges))] += 1
    found = graph.match("p = (a)-[es:PAID*1..3]->(b)", distinct=distinct)
    assert found.columns == ["a", "b", "es", "p"]
    table = found.select("a", "b", "p.length", "p.vertices", "es", "p.edges").to_arrow()
    got = Counter()
    for row in table.to_pylist():
        assert row["p.length"] == len(row["es"]) == len(row["p.vertices"]) - 1
        assert row["es"] == row["p.edges"]
        got[(row["a"], row["b"], tuple(row["p.vertices"]), tuple(each["amount"] for each in row["es"]))] += 1
    assert got == want
    assert found.count() == sum(want.values())
    if distinct is not None:
        endless = graph.match("(a)-[*]->(b)", distinct=distinct, a=[0, 3])
        full = Counter((w[0], w[-1]) for w, _ in walks(rows, directed, 1, 12, distinct) if w[0] in (0, 3))
        assert counted(endless.to_arrow(), "a", "b") == full


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("distinct", ["edges", "nodes"])
def test_walks_are_distinct_from_the_other_parts(seed, distinct):
    graph, rows = some_graph(seed)
    want: Counter = Counter()
    for a, b, i in steps(rows, True):
        for way, edges in walks(rows, True, 1, 12, distinct):
            fresh = i not in edges if distinct == "edges" else a not in way and a != b
            if way[0] == b and fresh:
                want[(a, b, way[-1], tuple(way))] += 1
    found = graph.match("(a)-[e]->(b), p = (b)-[*]->(c)", distinct=distinct).select("a", "b", "c", "p.vertices")
    assert counted(found.to_arrow(), "a", "b", "c", "p.vertices") == want


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("words", ["shortest", "any shortest", "all shortest"])
def test_shortest_paths_are_values(seed, directed, words):
    graph, rows = some_graph(seed, directed)
    best: dict[tuple[int, int], list[tuple[int, ...]]] = {}
    for way, _ in walks(rows, directed, 1, 7, "none", lambda row: row["type"] == "PAID"):
        known = best.setdefault((way[0], way[-1]), [])
        if not known or len(known[0]) == len(way):
            known.append(tuple(way))
    found = graph.match(f"p = {words} (a)-[es:PAID*]->(b)").select("a", "b", "p.length", "p.vertices", "es")
    got: dict[tuple[int, int], list[tuple[int, ...]]] = {}
    for row in found.to_arrow().to_pylist():
        assert len(row["es"]) == row["p.length"]
        assert all(each["type"] == "PAID" for each in row["es"])
        got.setdefault((row["a"], row["b"]), []).append(tuple(row["p.vertices"]))
    assert got.keys() == best.keys()
    for ends, ways in got.items():
        assert set(ways) <= set(best[ends])
        assert sorted(ways) == sorted(best[ends]) if words == "all shortest" else len(ways) == 1
    reached = set(best)
    apart = graph.match("(a), (b), !(a)-[:PAID*]->(b)").to_arrow()
    every = set(itertools.product(range(7), range(7)))
    assert set(counted(apart, "a", "b")) == every - reached


def test_the_same_as_the_engine_where_both_can():
    for seed, directed in itertools.product(range(2), (True, False)):
        graph, _ = some_graph(seed, directed)
        for plain, composed in (
            ("(a)-->(b)-->(c)", "q = (a)-->(b)-->(c)"),
            ("(a)-[e:PAID]->(b)", "q = (a)-[e:PAID]->(b)"),
            ("(a)->{2}(b)", "q = (a)->{2}(b)"),
            ("(a)-[*1..3]->(b)", "(a)-[x*1..3]->(b)"),
            ("(a)--(b)", "q = (a)--(b)"),
            ("(a)-->(b); !(b)-->(a)", "q = (a)-->(b); !(b)-->(a)"),
        ):
            for distinct in (None, "edges", "nodes"):
                one = graph.match(plain, distinct=distinct)
                other = graph.match(composed, distinct=distinct)
                names = [name for name in one.columns if "." not in name]
                assert counted(other.to_arrow(), *names) == counted(one.to_arrow(), *names), (plain, distinct, directed)


def test_anchors_predicates_and_parameters():
    graph, _ = some_graph(1)
    found = graph.match(
        "(a)-[e]->(b), optional (b)-[:PAID]->(c)", where="a.age < $most", a=[1, 2, 3], parameters={"most": 3}
    )
    assert set(found.to_arrow().column("a").to_pylist()) <= {1, 2}
    more = found.where("e.amount > $least", least=1)
    assert all(row["e.amount"] > 1 for row in more.select("e.amount").to_arrow().to_pylist())
    ends = graph.match("p = shortest (a)-[:PAID*]->(b)", a=0, b=[1, 2, 3])
    assert set(ends.to_arrow().column("b").to_pylist()) <= {1, 2, 3}
    assert "shortest" in ends.explain()
    assert ends.limit(1).count() <= 1
    assert found.exists()
    assert not found.limit(0).exists()
    assert not found.sample(0, 1).exists()


def test_what_cannot_be_is_refused_with_its_place():
    graph, _ = some_graph(1)
    for pattern, given, said in (
        ("(a)-[*]->(b)", {}, "distinct"),
        ("optional (a)-->(b)", {}, "must match"),
        ("(a)-->(b), optional (b)-[f:X->(c)", {}, r"to end the edge"),
        ("(a)-->(b), optional (b)-->(c)", {"where": "c.age > 3"}, "optional part"),
        ("(a)-->(b), optional (b)-->(c)", {"where": "a.size > 3"}, "size"),
        ("(a)-->(b), optional (b)-[{size: 3}]->(c)", {}, "size"),
        ("(a)-[x*]->(b)-[y*]->(c)", {"distinct": "nodes"}, "distinct='edges'"),
        ("(a)-[x*]->(a)", {"distinct": "nodes"}, "distinct='edges'"),
        ("p = shortest (a)-->(b)", {}, "repeated edge"),
        ("(a)-->(b), !(b)-[:PAID]->(c)", {"c": 3}, "must match"),
    ):
        with pytest.raises(rz.RizomaError, match=said):
            graph.match(pattern, **given)
    found = graph.match("(a)-->(b), optional (b)-->(c)")
    with pytest.raises(rz.UnsupportedError, match="divided"):
        found.part(0, 2)
    with pytest.raises(rz.ColumnNotFoundError, match=r"p\.length"):
        graph.match("p = (a)-[x*..2]->(b)").select("p.size")
    with pytest.raises(ValueError, match="cannot sort"):
        graph.match("p = (a)-[x*..2]->(b)").order_by("p")
