"""Groups by columns of few values, and by vertices, give what rows put together by hand give; kept plans, too."""

from __future__ import annotations

import random
from collections import defaultdict
from datetime import date, datetime, timedelta

import pytest
import rizoma as rz

VERTICES = 3000
MADE = datetime(2019, 11, 5, 23, 59, 59)


def values(draw):
    """One vertex: a label, a small number, a great one, a time, a day, a text; some are null."""

    def some(value):
        return None if draw.random() < 0.1 else value

    return {
        "label": draw.choice("AB"),
        "small": some(draw.randrange(-20, 30)),
        "great": some(draw.randrange(-(2**62), 2**62)),
        "amount": some(draw.randrange(1, 99) / 4),
        "made": some(MADE + timedelta(seconds=draw.randrange(90_000_000))),
        "day": some(date(1969, 12, 30) + timedelta(days=draw.randrange(900))),
    }


@pytest.fixture(scope="module")
def world():
    """A graph of vertices with values, and edges with some; and both as rows."""
    draw = random.Random(7)
    kinds = {"label": "string", "small": "int32", "great": "int64", "amount": "float64"}
    kinds |= {"made": "timestamp[s]", "day": "date"}
    edge_kinds = {"type": "string", "amount": "float64", "small": "int16"}
    graph = rz.open(None, directed=True, ids="integer", edges=edge_kinds, parallel_edges="keep", vertices=kinds)
    vertices = [{"vertex": v} | values(draw) for v in range(VERTICES)]
    graph.add_vertices({name: [each[name] for each in vertices] for name in vertices[0]})
    edges = []
    for _ in range(9000):
        of = values(draw)
        ends = {"source": draw.randrange(100, 160), "target": draw.randrange(VERTICES)}
        edges.append(ends | {"type": draw.choice("XY"), "amount": of["amount"], "small": of["small"]})
    graph.add_edges({name: [each[name] for each in edges] for name in edges[0]})
    return graph, vertices, edges


def by_hand(rows, keys, summed):
    """(keys, rows, values, sum) of each group, as text so that null has a place."""
    groups = defaultdict(list)
    for row in rows:
        groups[tuple(key(row) for key in keys)].append(row[summed])
    found = []
    for group, some in groups.items():
        there = [value for value in some if value is not None]
        found.append((*group, len(some), len(there), round(float(sum(there)), 6)))
    return sorted(map(repr, found))


def asked(graph, text, **parameters):
    """The same of a query."""
    table = graph.query(text, parameters).to_arrow()
    columns = [table.column(name).to_pylist() for name in table.column_names]
    if table.column_names[-1] == "s":  # of nothing it is 0, whatever the column is
        columns[-1] = [round(float(each), 6) for each in columns[-1]]
    return sorted(map(repr, zip(*columns, strict=True)))


def of(name, then=lambda value: value):
    return lambda row: None if row[name] is None else then(row[name])


KEYS = [
    ("v.small", of("small")),
    ("v.small % 7", of("small", lambda x: x - 7 * int(x / 7))),
    ("CASE WHEN v.small < 0 THEN 'below' WHEN v.small < 9 THEN 'few' ELSE 'many' END", None),
    ("v.made.year", of("made", lambda t: t.year)),
    ("month(v.made)", of("made", lambda t: t.month)),
    ("v.made.hour", of("made", lambda t: t.hour)),
    ("v.made.year * 100 + v.made.month", of("made", lambda t: t.year * 100 + t.month)),
    ("v.day", of("day")),
    ("v.day.quarter", of("day", lambda d: (d.month + 2) // 3)),
    ("v.great", of("great")),
    ("v.small + v.great", None),
    ("v.label", of("label")),
    ("v.amount", of("amount")),
]


def _class(row):
    if row["small"] is None:
        return "many"
    return "below" if row["small"] < 0 else "few" if row["small"] < 9 else "many"


KEYS[2] = (KEYS[2][0], _class)
KEYS[10] = (KEYS[10][0], lambda r: None if None in (r["small"], r["great"]) else r["small"] + r["great"])


@pytest.mark.parametrize("number", range(len(KEYS)))
@pytest.mark.parametrize("summed", ["small", "amount"])
def test_groups_by_a_computed_key(world, number, summed):
    graph, vertices, _ = world
    text, key = KEYS[number]
    rows = [row for row in vertices if row["label"] == "A"]
    query = f"MATCH (v:A) RETURN {text} AS k, count(*) AS n, count(v.{summed}) AS m, sum(v.{summed}) AS s"
    assert asked(graph, query) == by_hand(rows, [key], summed)


@pytest.mark.parametrize("pair", [(0, 3), (2, 4), (7, 2), (0, 11), (8, 8)])
def test_groups_by_two_computed_keys(world, pair):
    graph, vertices, _ = world
    (one, first), (other, second) = KEYS[pair[0]], KEYS[pair[1]]
    query = f"MATCH (v) RETURN {one} AS a, {other} AS b, count(*) AS n, count(v.amount) AS m, sum(v.amount) AS s"
    assert asked(graph, query) == by_hand(vertices, [first, second], "amount")


def test_sums_of_great_numbers_are_exact(world):
    graph, vertices, _ = world
    few = [row for row in vertices if row["great"] is not None and row["vertex"] < 2]
    assert few
    text = "MATCH (v) WHERE v.id < 2 AND v.great IS NOT NULL "
    text += "RETURN v.small AS k, count(*), count(v.great), sum(v.great) AS s"
    assert asked(graph, text) == by_hand(few, [of("small")], "great")


def test_a_key_that_fails_for_a_value_that_no_row_has(world):
    graph, vertices, _ = world
    rows = [row for row in vertices if row["small"] not in (0, None)]
    text = "MATCH (v) WHERE v.small <> 0 RETURN 60 / v.small AS k, count(*), count(v.small), sum(v.small) AS s"
    assert asked(graph, text) == by_hand(rows, [of("small", lambda x: int(60 / x))], "small")


@pytest.mark.parametrize("key", ["a.id", "a", "a.small", "id(a)", "b.id"])
def test_sums_by_the_ends_of_edges(world, key):
    """The sources are few, close to one another; the targets are anywhere."""
    graph, vertices, edges = world
    end = "target" if key[0] == "b" else "source"
    rows = [row | {"k": row[end]} for row in edges if row["type"] == "X"]
    if key == "a.small":
        rows = [row | {"k": vertices[row[end]]["small"]} for row in rows]
    text = f"MATCH (a)-[e:X]->(b) RETURN {key} AS k, count(*) AS n, count(e.amount) AS m, sum(e.amount) AS s"
    assert asked(graph, text) == by_hand(rows, [lambda row: row["k"]], "amount")


def test_sums_by_a_vertex_that_may_be_null(world):
    graph, _, edges = world
    rows = [{"k": e["target"], "amount": e["amount"]} for e in edges if e["type"] == "X" and e["source"] == 107]
    rows += [{"k": None, "amount": None}] * sum(not any(e["source"] == v for e in edges) for v in (0, 1, 2))
    text = "MATCH (a) WHERE a.id IN [107, 0, 1, 2] OPTIONAL MATCH (a)-[e:X]->(b) "
    text += "RETURN b.id AS k, count(*) AS n, count(e.amount) AS m, sum(e.amount) AS s"
    assert asked(graph, text) == by_hand(rows, [lambda row: row["k"]], "amount")


# ---- plans that are kept ----


def test_a_kept_plan_takes_other_values(world):
    graph, _, edges = world
    text = (
        "MATCH (a)-[e:X]->(b) WHERE a.id = $v AND e.small > $least RETURN count(*) AS n, sum(e.small) + $more AS total"
    )
    for v, least, more in ((110, 3, 1), (111, -5, 2), (159, 3, 1), (9_999_999, 3, 1), (110, 29, 0)):
        rows = [e["small"] for e in edges if e["type"] == "X" and e["source"] == v and e["small"] is not None]
        rows = [small for small in rows if small > least]
        assert asked(graph, text, v=v, least=least, more=more) == [repr((len(rows), sum(rows) + more))]


def test_a_kept_plan_takes_values_of_other_types(world):
    graph, vertices, _ = world
    text = "MATCH (v) WHERE v.small >= $least RETURN count(*) AS n"
    for least in (3, 2.5, None, 29.0):
        rows = [row["small"] for row in vertices if None not in (least, row["small"])]
        assert asked(graph, text, least=least) == [repr((sum(small >= least for small in rows),))]
    with pytest.raises(rz.ParseError, match="compared with numbers"):
        asked(graph, text, least=True)


def test_a_kept_plan_takes_a_list_that_the_engine_cannot_read(world):
    graph, vertices, _ = world
    text = "MATCH (v) WHERE v.small IN $some RETURN count(*) AS n"
    for some in ([1, 2], [], [3], list(range(2000)), [None, 4], [5, 6]):
        found = [row for row in vertices if row["small"] is not None and row["small"] in some]
        assert asked(graph, text, some=some) == [repr((len(found),))]


def test_a_kept_plan_reads_the_state_that_is_asked():
    graph = rz.open(None, directed=True, ids="integer", edges={"kind": "int32"})
    text = "MATCH (a)-[e]->(b) WHERE a.id = 7 RETURN b.id AS b, e.kind AS kind ORDER BY b LIMIT $most"
    assert graph.query(text, most=5).to_arrow().num_rows == 0
    graph.add_edges({"source": [7, 7, 8], "target": [1, 2, 3], "kind": [4, 5, 6]})
    before = graph.snapshot()
    assert graph.query(text, most=5).to_arrow().to_pydict() == {"b": [1, 2], "kind": [4, 5]}
    graph.add_edges({"source": [7], "target": [0], "kind": [9]})
    assert graph.query(text, most=2).to_arrow().to_pydict() == {"b": [0, 1], "kind": [9, 4]}
    assert before.query(text, most=1).to_arrow().to_pydict() == {"b": [1], "kind": [4]}
    other = rz.open(None, directed=True, ids="integer", edges={"kind": "string"})
    other.add_edges({"source": [7], "target": [1], "kind": ["x"]})
    assert other.query(text, most=1).to_arrow().to_pydict() == {"b": [1], "kind": ["x"]}


def test_a_kept_table_grows_with_the_values():
    graph = rz.open(None, directed=True, ids="integer", vertices={"x": "int32", "made": "timestamp[ms]"})
    text = "MATCH (v) RETURN v.x % 3 AS k, v.made.year AS y, count(*) AS n, sum(v.x) AS s"
    rows = []
    for x, made in (
        (5, datetime(2001, 1, 1)),
        (-400, datetime(1969, 12, 31, 23)),
        (None, None),
        (999, datetime(2020, 2, 29)),
    ):
        graph.add_vertices({"vertex": [len(rows)], "x": [x], "made": [made]})
        rows.append({"x": x, "made": made})
        table = graph.query(text).to_arrow()
        found = sorted(map(repr, zip(*(table[name].to_pylist() for name in "kyns"), strict=True)))
        keys = [of("x", lambda x: x - 3 * int(x / 3)), of("made", lambda t: t.year)]
        groups = {tuple(key(row) for key in keys): [] for row in rows}
        for row in rows:
            groups[tuple(key(row) for key in keys)].append(row["x"] or 0)
        assert found == sorted(repr((*group, len(some), sum(some))) for group, some in groups.items())


def test_a_kept_plan_holds_no_graph():
    import gc
    import weakref

    graph = rz.open(None, directed=True, ids="integer")
    graph.add_edges([(1, 2)])
    query = graph.query("MATCH (a)-->(b) WHERE a.id = $one RETURN a, count(*) AS n, collect(b.id) AS all", one=1)
    assert query.to_arrow().num_rows == 1
    held = weakref.ref(query._graph)
    del query
    gc.collect()
    assert held() is None
