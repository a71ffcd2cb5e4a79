"""Predicates on edges that are tested for several vertices at once, and values that are read together, by hand."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
import rizoma as rz

HUBS = 3
MANY = 700  # vertices: a hub has more neighbours than are tested together


class World:
    """A graph with a few hubs, parallel edges, loops and values that are missing; and its edges."""

    def __init__(self, directed: bool, seed: int) -> None:
        draw = random.Random(seed)
        self.directed = directed
        self.edges: list[tuple[int, int, str, int | None]] = []
        for _ in range(4000):
            ends = [draw.randrange(HUBS if draw.random() < 0.5 else MANY), draw.randrange(MANY)]
            draw.shuffle(ends)
            self.edges.append((*ends, draw.choice("XY"), None if draw.random() < 0.1 else draw.randrange(100)))
        kinds = {"type": "string", "amount": "int32"}
        self.graph = rz.open(None, directed=directed, ids="integer", edges=kinds, parallel_edges="keep")
        for begin in range(0, len(self.edges), 1500):  # several blocks of rows
            columns = [list(each) for each in zip(*self.edges[begin : begin + 1500], strict=True)]
            self.graph.add_edges(dict(zip(("source", "target", "type", "amount"), columns, strict=True)))

    def steps(self, either: bool) -> dict[int, list[tuple[int, int, str, int | None]]]:
        """From each vertex: the number of an edge, its other end, and its values."""
        found: dict[int, list[tuple[int, int, str, int | None]]] = {v: [] for v in range(MANY)}
        for number, (source, target, kind, amount) in enumerate(self.edges):
            found[source].append((number, target, kind, amount))
            if (either or not self.directed) and source != target:
                found[target].append((number, source, kind, amount))
        return found


@pytest.fixture(scope="module", params=[(True, 3), (False, 4)], ids=["directed", "undirected"])
def world(request: pytest.FixtureRequest) -> World:
    return World(*request.param)


def counted(rows: rz.queries.Query) -> Counter[Any]:
    return Counter(zip(*(column.to_pylist() for column in rows.to_arrow().columns), strict=True))


@pytest.mark.parametrize("arrow", ["->", "-"])
@pytest.mark.parametrize("start", [0, 2, 450])
@pytest.mark.parametrize("least", [20, 95])
def test_second_edge_by_value(world: World, arrow: str, start: int, least: int) -> None:
    text = f"MATCH (a {{id: $a}})-[e:X]{arrow}(b)-[f]{arrow}(c) WHERE f.amount > $least "
    steps = world.steps(arrow == "-")
    expected: Counter[Any] = Counter()
    for one, b, kind, _ in steps[start]:
        for other, c, _, amount in steps[b] if kind == "X" else ():
            if one != other and amount is not None and amount > least:
                expected[b, c, amount] += 1
    for threads in (1, 2):
        given = {"a": start, "least": least}
        found = world.graph.query(text + "RETURN b.id, c.id, f.amount", given, threads=threads)
        assert counted(found) == expected
        few = world.graph.query(text + "RETURN b.id, c.id, f.amount LIMIT 7", given, threads=threads)
        assert few.count() == min(7, expected.total())
        assert counted(few) <= expected


def test_type_and_value_of_one_edge(world: World) -> None:
    """Before and after the lists of types are kept."""
    steps = world.steps(False)
    expected = Counter((b, amount) for _, b, kind, amount in steps[1] if kind == "Y" and amount is not None)
    for _ in range(3):
        found = world.graph.query("MATCH (a {id: 1})-[e:Y]->(b) WHERE e.amount >= 0 RETURN b.id, e.amount")
        assert counted(found) == expected
        every = world.graph.query("MATCH (a)-[e:Y]->(b) WHERE e.amount < 50 RETURN a.id, b.id, e.amount")
        own = [
            (v, b, x) for v, some in steps.items() for _, b, kind, x in some if kind == "Y" and x is not None and x < 50
        ]
        assert counted(every) == Counter(own)  # undirected: from both ends, a loop once


def test_loops_by_value(world: World) -> None:
    loops = Counter((s, x) for s, t, _, x in world.edges if s == t and x is not None and x % 2 == 0)
    found = world.graph.query("MATCH (a)-[e]->(a) WHERE e.amount % 2 = 0 RETURN a.id, e.amount")
    assert counted(found) == loops


@pytest.mark.parametrize("share", [0.05, 0.5, 0.95, 1.0])
def test_values_of_vertices_near_each_other(share: float) -> None:
    """Rows of several blocks, changed ones, vertices without a value and without a row."""
    draw = random.Random(17)
    kinds = {"small": "int16", "great": "int64", "amount": "float64", "open": "bool", "chosen": "bool"}
    graph = rz.open(None, directed=True, ids="integer", vertices=kinds)
    graph.add_vertices(range(0, 6000, 7))  # these have no row
    rows: dict[int, dict[str, Any]] = {v: dict.fromkeys(kinds) for v in range(0, 6000, 7)}
    for begin in (0, 2000, 3000):
        some = [v for v in range(begin, begin + 3000) if v not in rows or draw.random() < share]
        new = {
            v: {
                "small": draw.choice([None, draw.randrange(-300, 300)]) if begin == 2000 else draw.randrange(300),
                "great": draw.randrange(-(2**60), 2**60),
                "amount": None if draw.random() < 0.01 else draw.random(),
                "open": draw.random() < 0.5,
                "chosen": draw.random() < share,
            }
            for v in some
        }
        graph.add_vertices({"vertex": some} | {name: [each[name] for each in new.values()] for name in kinds})
        rows |= new
    found = graph.query("MATCH (v) WHERE v.chosen RETURN v.id, v.small, v.great, v.amount, v.open ORDER BY v.id")
    expected = [
        (v, each["small"], each["great"], each["amount"], each["open"])
        for v, each in sorted(rows.items())
        if each["chosen"]
    ]
    assert list(zip(*(column.to_pylist() for column in found.to_arrow().columns), strict=True)) == expected
