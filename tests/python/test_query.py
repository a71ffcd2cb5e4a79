"""Queries as text: against SQL in DuckDB and against walks by hand, errors with their places, and the command."""

from __future__ import annotations

import itertools
import json
import math
import random
import sys
import warnings
from collections import Counter
from typing import Any

import duckdb
import pyarrow as pa
import pytest
import rizoma as rz
from hypothesis import given, settings
from hypothesis import strategies as st


@pytest.fixture
def bank():
    graph = rz.open(
        None,
        directed=True,
        ids="string",
        edges={"type": "string", "amount": "float64", "since": "timestamp[s]"},
        vertices={"label": "string", "name": "string", "age": "int32"},
    )
    vertices = ["ann", "bob", "cem", "dia"]
    names = ["Ann", "Bob", "Cem's", None]
    labels = ["Person", "Person", "Shop", None]
    graph.add_vertices({"vertex": vertices, "label": labels, "name": names, "age": [41, 17, None, 30]})
    graph.add_edges(
        {
            "source": ["ann", "ann", "bob", "cem", "dia"],
            "target": ["bob", "cem", "cem", "ann", "dia"],
            "type": ["OWES", "PAID", "PAID", "PAID", "OWES"],
            "amount": [3.0, 12.5, 4.0, None, 1.0],
            "since": ["2026-01-15", "2026-02-01", "2026-03-01", "2026-03-02", None],
        }
    )
    return graph


def rows(graph, text, /, **parameters):
    return graph.query(text, parameters).to_arrow().to_pylist()


def values(graph, text, /, **parameters):
    """The rows of a query as tuples."""
    return [tuple(row.values()) for row in rows(graph, text, **parameters)]


# ---- what the language has, by hand ----


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("MATCH (a:Person) RETURN a ORDER BY a", [("ann",), ("bob",)]),
        ("MATCH (a) WHERE a:Person OR a:Shop RETURN count(*)", [(3,)]),
        ("MATCH (a) WHERE NOT a:Person RETURN a ORDER BY a", [("cem",), ("dia",)]),
        ("MATCH (a)-[e:PAID]->(b) RETURN a, sum(e.amount) ORDER BY a", [("ann", 12.5), ("bob", 4.0), ("cem", 0.0)]),
        ("MATCH (a)-[e:PAID|OWES]->(b) RETURN count(e.amount), count(*)", [(4, 5)]),
        ("MATCH (a)-[e]->(b) RETURN type(e) AS t, avg(e.amount) ORDER BY t", [("OWES", 2.0), ("PAID", 8.25)]),
        ("MATCH (a)-[e]->() RETURN min(e.amount), max(e.amount)", [(1.0, 12.5)]),
        ("MATCH (a {name: \"Cem's\"}) RETURN a", [("cem",)]),
        ("MATCH (a {name: 'Cem\\'s'}) RETURN a", [("cem",)]),
        ("MATCH (a) WHERE a.age IS NULL RETURN a", [("cem",)]),
        ("MATCH (a) RETURN a.age ORDER BY a.age DESC LIMIT 2", [(None,), (41,)]),
        ("MATCH (a) RETURN a ORDER BY a SKIP 1 LIMIT 2", [("bob",), ("cem",)]),
        ("MATCH (a) WHERE id(a) IN ['ann', 'nobody'] RETURN a.age / 2", [(20,)]),
        ("MATCH (a) WHERE a.id = 'bob' RETURN a.age % 5, a.age * 1.0 / 2", [(2, 8.5)]),
        ("MATCH (a)-->(b) WHERE a = b RETURN a", [("dia",)]),
        ("MATCH (a)-[e]->(b) WHERE e.since >= '2026-03-01' RETURN a ORDER BY a", [("bob",), ("cem",)]),
        ("MATCH (a)-[e]->(b) WHERE e.since.month = 2 RETURN a, b", [("ann", "cem")]),
        ("MATCH (a) WHERE a.name STARTS WITH 'A' OR a.name ENDS WITH 'b' RETURN a ORDER BY a", [("ann",), ("bob",)]),
        ("MATCH (a) WHERE a.name =~ '[AB].*' RETURN count(*)", [(2,)]),
        ("MATCH (a) WHERE a.name CONTAINS \"'\" RETURN a", [("cem",)]),
        ("MATCH (a) WHERE NOT (a)-[:PAID]->() RETURN a", [("dia",)]),
        ("MATCH (a) WHERE EXISTS { (a)-[e]->(b) WHERE e.amount > 10 } RETURN a", [("ann",)]),
        ("MATCH (a) RETURN a, COUNT { (a)-->() } AS n ORDER BY n DESC, a LIMIT 1", [("ann", 2)]),
        ("MATCH (a {id: 'ann'}) RETURN [(a)-[e]->(b) WHERE e.amount > 1 | b.name]", [(["Bob", "Cem's"],)]),
        ("MATCH (a:Person) OPTIONAL MATCH (a)-[:OWES]->(b) RETURN a, b ORDER BY a", [("ann", "bob"), ("bob", None)]),
        ("MATCH (a) WITH a.label AS l, count(*) AS n WHERE n > 1 RETURN l, n", [("Person", 2)]),
        ("MATCH (a)-->(b) WITH b, count(*) AS n MATCH (b)-->(c) RETURN b, n, c ORDER BY b, c LIMIT 1", [("ann", 1, "bob")]),  # noqa: E501
        ("MATCH (a) RETURN count(DISTINCT a.label)", [(2,)]),
        ("MATCH (a) WITH a ORDER BY a RETURN collect(a.age)", [([41, 17, 30],)]),
        ("MATCH (a) RETURN DISTINCT a.label ORDER BY a.label", [("Person",), ("Shop",), (None,)]),
        ("UNWIND [3, 1, 2] AS x RETURN x ORDER BY x", [(1,), (2,), (3,)]),
        ("UNWIND [] AS x RETURN count(x)", [(0,)]),
        ("RETURN 1 AS x UNION RETURN 2.5 AS x UNION RETURN 1 AS x", [(1.0,), (2.5,)]),
        ("RETURN 1 AS x UNION ALL RETURN 1 AS x", [(1,), (1,)]),
        ("RETURN [x IN range(1, 6) WHERE x % 2 = 0 | x * x] AS xs", [([4, 16, 36],)]),
        ("RETURN all(x IN [1, 2] WHERE x > 0), any(x IN [1, null] WHERE x > 1), none(x IN [] WHERE x)", [(True, None, True)]),  # noqa: E501
        ("RETURN CASE WHEN 2 > 1 THEN 'a' ELSE 'b' END, CASE 3 WHEN 3 THEN 1.5 END", [("a", 1.5)]),
        ("RETURN [1, 2, 3][-1], [1, 2, 3][1..], 'abc' + 1, {x: [1]}.x[0], 2 ^ 3", [(3, [2, 3], "abc1", 1, 8.0)]),
        ("RETURN null = null, 1 <> 2, 1 < null, null IN [1], 1 IN [2, null], NOT null", [(None, True, None, None, None, None)]),  # noqa: E501
        ("RETURN toFloat('1e400'), toFloat('-9e999'), toFloat('1e3'), toFloat('x')", [(None, None, 1000.0, None)]),
        ("RETURN coalesce(null, 3), size('héllo'), toUpper('a'), reverse([1, 2]), toInteger('7')", [(3, 5, "A", [2, 1], 7)]),  # noqa: E501
        ("RETURN -7 / 2, -7 % 2, 7 / 0, 1 < 2 < 3, true XOR false", [(-3, -1, None, True, True)]),
        ("MATCH (a {id: 'ann'})-[e]->(b) WITH a, collect(e.amount) AS xs RETURN xs[0] + xs[1]", [(15.5,)]),
        ("MATCH (a) RETURN count(*) * 2 + 1 AS n", [(9,)]),
        ("MATCH (a) WITH a.age AS age WHERE a.label = 'Person' RETURN sum(age)", [(58,)]),
    ],
)  # fmt: skip
def test_by_hand(bank, text, expected):
    assert values(bank, text) == expected


def test_values_of_the_graph(bank):
    (row,) = rows(bank, "MATCH p = (a {id: 'ann'})-[e:OWES]->(b) RETURN p, e, nodes(p) AS vs, properties(b) AS ps")
    edge = row["e"]
    assert (edge["source"], edge["target"], edge["type"], edge["amount"]) == ("ann", "bob", "OWES", 3.0)
    assert row["p"] == {"vertices": ["ann", "bob"], "edges": [edge]}
    assert row["vs"] == ["ann", "bob"]
    assert row["ps"] == {"label": "Person", "name": "Bob", "age": 17}
    ends = values(bank, "MATCH (a)-[e:OWES]-(b) RETURN DISTINCT startNode(e) AS s, endNode(e) AS t ORDER BY s")
    assert ends == [("ann", "bob"), ("dia", "dia")]


def test_paths(bank):
    found = values(bank, "MATCH p = (a {id: 'ann'})-[*]->(b) RETURN nodes(p) AS vs, length(p) AS n ORDER BY n, vs")
    assert found == [
        (["ann", "bob"], 1),
        (["ann", "cem"], 1),
        (["ann", "bob", "cem"], 2),
        (["ann", "cem", "ann"], 2),
        (["ann", "bob", "cem", "ann"], 3),
        (["ann", "cem", "ann", "bob"], 3),
        (["ann", "bob", "cem", "ann", "cem"], 4),
        (["ann", "cem", "ann", "bob", "cem"], 4),
    ]
    assert values(bank, "MATCH (a {id: 'bob'})-[*0..1]->(b) RETURN b ORDER BY b") == [("bob",), ("cem",)]
    shortest = "MATCH p = shortestPath((a {id: 'bob'})-[*]->(b)) WHERE a <> b RETURN nodes(p) AS vs ORDER BY vs"
    assert values(bank, shortest) == [(["bob", "cem"],), (["bob", "cem", "ann"],)]
    amounts = "MATCH (a {id: 'ann'})-[es:PAID*2]->(b) RETURN [e IN es | e.amount], b"
    assert values(bank, amounts) == [([12.5, None], "ann")]


def test_parameters(bank):
    text = "MATCH (a)-[e]->(b) WHERE e.amount > $least AND a.label IN $labels RETURN a, b"
    assert values(bank, text, least=10, labels=["Person"]) == [("ann", "cem")]
    assert bank.query("MATCH (a {id: $id}) RETURN a", id="bob").count() == 1
    assert bank.query("RETURN $threads AS x", {"threads": 3}).to_arrow()["x"].to_pylist() == [3]
    with pytest.raises(rz.ParseError, match="no value is given for \\$least"):
        bank.query("MATCH (a) WHERE a.age > $least RETURN a")
    with pytest.raises(rz.InvalidArgumentError, match="no parameter \\$most"):
        bank.query("MATCH (a) RETURN a", most=3)


# ---- errors say where ----


@pytest.mark.parametrize(
    ("text", "message", "at"),
    [
        ("CREATE (a)", "queries read", "CREATE"),
        ("MATCH (a) SET a.x = 1 RETURN a", "queries read", "SET"),
        ("CALL db.labels()", "functions of Python", "CALL"),
        ("MATCH (a)", "ends with RETURN", ""),
        ("MATCH (a) RETURN b", "nothing here is called 'b'; there are a", "b"),
        ("MATCH (a) RETURN a.nme", "no column 'nme'; their columns: id, label, name, age; did you mean 'name'", "nme"),
        ("MATCH (a) WHERE a.nme = 1 RETURN a", "no column 'nme'", "nme"),
        ("MATCH (a)-[e]->(b) WHERE e.amunt > 1 RETURN a", "no column 'amunt'", "amunt"),
        ("MATCH (a) WHERE a.age RETURN a", "a number is no predicate", "age RETURN"),
        ("MATCH (a) RETURN a.name + [1] * 2", "there is no a list * a number", "* 2"),
        ("MATCH (a) RETURN sum(a.name)", "sum takes numbers, not text", "name)"),
        ("MATCH (a) WHERE count(*) > 1 RETURN a", "count has no meaning in WHERE", "count"),
        ("MATCH (a) RETURN a.age + count(*)", "has several values in a group", "a.age"),
        ("MATCH (a) WITH a.age RETURN 1 AS x", "add AS name", "a.age"),
        ("MATCH (a)-[a]->(b) RETURN b", "a vertex and of an edge", "-[a]"),
        ("MATCH (a)-[e]->(b)-[e]->(c) RETURN c", "uses no edge twice", "-[e]->(b)"),
        ("MATCH (a) RETURN a, a", "two columns are called 'a'", "a"),
        ("RETURN [1, 'a']", "a list has values of one type", "'a'"),
        ("RETURN foo(1)", "there is no function 'foo'", "foo"),
        ("RETURN 9223372036854775807 + 1", "does not fit 64 bits", "+ 1"),
        ("RETURN 1 AS x UNION RETURN 2 AS y", "UNION puts x and y together", "UNION"),
        ("RETURN 'abc", "is not closed", "'abc"),
        ("MATCH (a) RETURN a LIMIT -1", "LIMIT takes a whole number", "-1"),
        ("MATCH (a) RETURN EXISTS { MATCH (a)-->(b) RETURN b }", "no other clauses", "RETURN b"),
    ],
)
def test_errors_show_the_place(bank, text, message, at):
    with pytest.raises(rz.ParseError) as error:
        bank.query(text).to_arrow()
    lines = str(error.value).split("\n")
    assert message in lines[0]
    place = text.rindex(at) if at else len(text)
    assert lines[2].index("^") - 2 == place


@pytest.mark.parametrize("text", ["soon", "01.02.2026", "2026-02-30", "2026-01", ""])
@pytest.mark.parametrize(
    "query", ["MATCH ()-[e]->() WHERE e.since >= $t RETURN e", "MATCH ()-[e]->() RETURN e.since = $t"]
)
def test_text_that_is_no_time_says_how_times_are_written(bank, query, text):
    with pytest.raises(rz.ParseError) as raised:
        rows(bank, query, t=text)
    assert f"{text!r} is not a date or time of the years 1678 to 2261; write one as '2026-01-31'" in str(raised.value)


@pytest.mark.parametrize(
    "query", ["MATCH (a)-[e]->(b) WHERE {} RETURN a", "MATCH (a)-[e]->(b) WITH a, e WHERE {} RETURN a"]
)
def test_a_column_of_text_beside_one_of_times(query):
    """The engine, which compares times with literal text alone, refused it in its own words."""
    graph = rz.open(
        None, directed=True, ids="integer", edges={"since": "timestamp[s]", "day": "date", "note": "string"}
    )
    graph.add_edges(
        {
            "source": [1, 2, 3],
            "target": [2, 3, 4],
            "since": ["2026-01-15", "2026-02-01", "2026-03-01"],
            "day": ["2026-01-15", "2026-02-01", "2026-03-01"],
            "note": ["2026-01-15", "2026-01-01", None],
        }
    )
    for time in ("e.since", "e.day"):
        assert rows(graph, query.format(f"{time} = e.note")) == [{"a": 1}]
        assert rows(graph, query.format(f"e.note < {time}")) == [{"a": 2}]
        assert rows(graph, query.format(f"{time} >= '2026-02-01' AND {time} > lower(e.note)")) == [{"a": 2}]


@pytest.mark.parametrize("zone", ["Z", "+02:00", "+0200", "-05:00", "-0530"])
@pytest.mark.parametrize(
    "query", ["MATCH (a)-[e]->(b) WHERE {} RETURN a, b", "MATCH (a)-[e]->(b) WITH a, b, e WHERE {} RETURN a, b"]
)
def test_zones_of_times_are_read_as_in_patterns(bank, query, zone):
    condition = f"e.since > '2026-02-01 00:00:00{zone}'"
    there = sorted(bank.match("(a)-[e]->(b)", where=condition).select("a", "b").to_arrow().to_pylist(), key=str)
    assert sorted(rows(bank, query.format(condition)), key=str) == there
    assert ({"a": "ann", "b": "cem"} in there) == zone.startswith("+")


@pytest.mark.parametrize(
    "query", ["MATCH (a)-[e]->(b) WHERE {} RETURN a", "MATCH (a)-[e]->(b) WITH * WHERE {} RETURN a"]
)
@pytest.mark.parametrize(
    ("condition", "at", "message"),
    [
        ("e.amount > '3'", "'3'", "'amount' is a column of numbers, which is compared with numbers, not text"),
        ("'3' <> e.amount", "'3'", "'amount' is a column of numbers"),
        ("a.name = 41", "41", "'name' is a column of text, which is compared with text, not numbers"),
        ("e.amount < true", "true", "not truth values"),
        ("e.since = 2026", "2026", "'since' is a column of times, which is compared with times, not numbers"),
    ],
)
def test_a_column_beside_a_constant_of_another_kind(bank, query, condition, at, message):
    text = query.format(condition)
    with pytest.raises(rz.ParseError) as raised:
        rows(bank, text)
    lines = str(raised.value).splitlines()
    assert message in lines[0]
    assert lines[2].index("^") - 2 == text.rindex(at)


@pytest.mark.parametrize(
    ("condition", "says"),
    [
        ("a = 'ann'", "vertices are compared with text, which are never equal, and none is less; name a property"),
        ("a.name = e.amount", "text is compared with numbers, which are never equal, and none is less; toString"),
        ("toString(a.age) = 41", "text is compared with numbers"),
        ("1 = 'a'", "numbers are compared with text"),
        ("e = 5", "edges are compared with numbers"),
        ("a.age < a.name", "numbers are compared with text"),
        ("e.since > e.amount", "times are compared with numbers"),
        ("(a.age > 3) = 'true'", "truth values are compared with text"),
        ("a.age = [41]", "numbers are compared with lists"),
        ("a.age IN ['41']", "numbers are compared with text"),
        ("a.name IN $numbers", "text is compared with numbers"),
        ("CASE a.age WHEN '41' THEN true ELSE false END", "numbers are compared with text"),
        ("a.age CONTAINS '4'", "CONTAINS tests text, not numbers: it is null; toString converts"),
        ("a.name STARTS WITH a.age", "STARTS WITH tests text, not numbers"),
    ],
)
@pytest.mark.parametrize(
    "query", ["MATCH (a)-[e]->(b) WHERE {} RETURN a", "MATCH (a)-[e]->(b) WITH * WHERE {} RETURN a"]
)
def test_values_of_different_kinds_are_equal_in_no_row_and_that_is_said_once(bank, query, condition, says):
    with pytest.warns(rz.errors.ReadWarning) as caught:
        assert rows(bank, query.format(condition), **({"numbers": [1, 2]} if "$" in condition else {})) == []
    (said,) = [str(each.message).splitlines() for each in caught]
    assert said[0].startswith(says)
    assert "^" in said[2]


@pytest.mark.parametrize(
    "condition",
    ["a.age = 41.0", "e.since > '2020-01-01'", "a.age IN [1, null]", "a.name = toString(a.age)"],
)
def test_nothing_is_said_of_values_that_can_be_equal(bank, condition):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rows(bank, f"MATCH (a)-[e]->(b) WHERE {condition} RETURN a")


def test_the_command_says_what_a_query_warns_of(rizoma, tmp_path):
    with rz.open(tmp_path / "g.rz") as graph:
        graph.add_edges([(1, 2)])
    done = rizoma("query", "g.rz", "MATCH (a) WHERE toString(a.id) = 1 RETURN a")
    said = done.stderr.splitlines()
    assert said[0].startswith("rizoma: text is compared with numbers, which are never equal")
    assert "ReadWarning" not in done.stderr


@pytest.mark.parametrize(("word", "test", "found"), [("OR", "=", 2), ("AND", "<>", 1), ("XOR", "=", 2)])
def test_hundreds_of_conditions_are_no_deep_expression(bank, word, test, found):
    condition = f" {word} ".join(f"a.age {test} {i}" for i in range(30, 1000))
    assert values(bank, f"MATCH (a) WHERE a.age IS NOT NULL AND ({condition}) RETURN count(*)") == [(found,)]


@pytest.mark.parametrize(
    ("condition", "says"),
    [
        ("a.age" + " + 1" * 90 + " > 0", None),
        ("a.age" + " + 1" * 3000 + " > 0", "more than 100 operations within each other"),
        ("NOT " * 3000 + "a.age > 1", "more than 100 operations within each other"),
        ("(" * 25 + "a.age" + ")" * 25 + " > 1", None),
        ("(" * 300 + "a.age" + ")" * 300 + " > 1", "more than 42 brackets within each other"),
        ("[" * 300 + "]" * 300 + " = 1", "more than 42 brackets within each other"),
    ],
)
def test_expressions_too_deep_to_follow_are_refused(bank, condition, says):
    asked = f"MATCH (a) WHERE {condition} RETURN count(*)"
    if says is None:
        assert len(values(bank, asked)) == 1
    else:
        with pytest.raises(rz.ParseError, match=says):
            bank.query(asked)


@pytest.mark.parametrize("end", ["LIMIT {}", "ORDER BY a SKIP 1 LIMIT {}", "ORDER BY a SKIP {}", "SKIP {} LIMIT {}"])
def test_as_many_rows_as_64_bits_say(bank, end):
    every = len(values(bank, "MATCH (a) RETURN a"))
    left = every if end == "LIMIT {}" else every - 1 if "SKIP 1" in end else 0
    assert len(values(bank, f"MATCH (a) RETURN a {end.replace('{}', str(2**63 - 1))}")) == left


def test_the_line_of_an_error_is_shown(bank):
    with pytest.raises(rz.ParseError) as error:
        bank.query("MATCH (a)\n  WHERE a.age > 1\n  RETURN b\nLIMIT 3")
    assert str(error.value).split("\n")[1:] == ["    RETURN b", "           ^"]


# ---- against SQL ----


@st.composite
def networks(draw):
    directed = draw(st.booleans())
    n = draw(st.integers(2, 6))
    ends = st.integers(0, n - 1)
    pairs = draw(st.lists(st.tuples(ends, ends), max_size=14, unique_by=lambda p: p if directed else tuple(sorted(p))))
    kinds = draw(st.lists(st.sampled_from(["A", "B"]), min_size=len(pairs), max_size=len(pairs)))
    amounts = draw(st.lists(st.one_of(st.none(), st.integers(-3, 3)), min_size=len(pairs), max_size=len(pairs)))
    ages = draw(st.lists(st.one_of(st.none(), st.integers(0, 3)), min_size=n, max_size=n))
    return directed, n, pairs, kinds, amounts, ages


def made(network):
    directed, n, pairs, kinds, amounts, ages = network
    graph = rz.open(
        None,
        directed=directed,
        ids="integer",
        edges={"type": "string", "amount": "int64"},
        vertices={"age": "int64"},
    )
    graph.add_vertices({"vertex": list(range(n)), "age": ages})
    if pairs:
        source, target = zip(*pairs, strict=True)
        graph.add_edges({"source": list(source), "target": list(target), "type": kinds, "amount": amounts})
    return graph


def sql(network, text):
    directed, n, pairs, kinds, amounts, ages = network
    both = [(i, s, t) for i, (s, t) in enumerate(pairs)]
    if not directed:
        both += [(i, t, s) for i, s, t in both if s != t]
    types = [pa.int64(), pa.int64(), pa.int64(), pa.string(), pa.int64()]
    table = [(i, s, t, kinds[i], amounts[i]) for i, s, t in both]
    columns = [pa.array([row[k] for row in table], kind) for k, kind in enumerate(types)]
    with duckdb.connect() as base:
        base.register("e", pa.table(columns, names=["n", "s", "t", "type", "amount"]))
        base.register("v", pa.table({"id": pa.array(range(n), pa.int64()), "age": pa.array(ages, pa.int64())}))
        return base.sql(text).fetchall()


QUERIES = [
    (
        "MATCH (a)-[x:A]->(b)-[y]->(c) WHERE x.amount < y.amount RETURN a, b, c, x.amount + y.amount",
        "select x.s, x.t, y.t, x.amount + y.amount from e x join e y on x.t = y.s where x.n <> y.n and x.type = 'A' "
        "and x.amount < y.amount",
    ),
    (
        "MATCH (a)-[x]->(b) RETURN a, count(*), count(x.amount), sum(x.amount), min(x.amount), max(b.age), avg(x.amount)",  # noqa: E501
        "select s, count(*), count(amount), coalesce(sum(amount), 0), min(amount), max(age), avg(amount) from e join v "
        "on t = id group by s",
    ),
    (
        "MATCH (a) OPTIONAL MATCH (a)-[x:B]->(b) WHERE b.age > a.age RETURN a, b, x.amount",
        "select a.id, r.t, r.amount from v a left join (select e.*, b.age from e join v b on t = b.id where type = 'B') r "  # noqa: E501
        "on r.s = a.id and r.age > a.age",
    ),
    (
        "MATCH (a)-[x]->(b) WITH a, sum(x.amount) AS total WHERE total > 0 MATCH (c)-->(a) RETURN c, a, total",
        "select e.s, e.t, total from e join (select s, coalesce(sum(amount), 0) as total from e group by s) r on r.s = e.t "  # noqa: E501
        "where total > 0",
    ),
    (
        "MATCH (a) WHERE NOT (a)-[:A]->() AND EXISTS { (a)-[x]->(b) WHERE x.amount > 0 } RETURN a",
        "select id from v where not exists (select 1 from e where s = id and type = 'A') and exists (select 1 from e where "  # noqa: E501
        "s = id and amount > 0)",
    ),
    (
        "MATCH (a)-->(b) RETURN DISTINCT a.age, b.age UNION ALL MATCH (a)<--(b) RETURN a.age, b.age",
        "select distinct a.age, b.age from e join v a on s = a.id join v b on t = b.id union all "
        "select b.age, a.age from e join v a on s = a.id join v b on t = b.id",
    ),
    ("MATCH (a)-[x]->(b) RETURN b.age, count(*)", "select age, count(*) from e join v on t = id group by age"),
    ("MATCH (a)-->(b)-->(c) RETURN count(*)", "select count(*) from e x join e y on x.t = y.s where x.n <> y.n"),
    (
        "MATCH (a)-[x]->(b) RETURN x.type, count(DISTINCT b), count(DISTINCT x.amount), sum(DISTINCT x.amount)",
        "select type, count(distinct t), count(distinct amount), coalesce(sum(distinct amount), 0) from e group by type",  # noqa: E501
    ),
    (
        "MATCH (a), (b) WHERE a.age = b.age AND id(a) < id(b) RETURN a, b",
        "select a.id, b.id from v a, v b where a.age = b.age and a.id < b.id",
    ),
    (
        "MATCH (a)-[x]->(b) WHERE x.amount IN [1, 2] OR x.amount IS NULL OR NOT x.type = 'A' RETURN a, b",
        "select s, t from e where amount in (1, 2) or amount is null or type <> 'A'",
    ),
]


@pytest.mark.parametrize("number", range(len(QUERIES)))
@settings(max_examples=25, deadline=None)
@given(network=networks())
def test_queries_against_sql(number, network):
    text, same = QUERIES[number]
    found = values(made(network), text)
    assert Counter(found) == Counter(sql(network, same))


@settings(max_examples=40, deadline=None)
@given(network=networks(), least=st.integers(0, 2), more=st.integers(0, 2), either=st.booleans())
def test_walks_use_no_edge_twice(network, least, more, either):
    directed, n, pairs, kinds, *_ = network
    graph = made(network)
    steps = [(i, s, t) for i, (s, t) in enumerate(pairs) if kinds[i] == "A"]
    if either or not directed:
        steps += [(i, t, s) for i, s, t in steps if s != t]
    expected = Counter()
    frontier = [((v,), ()) for v in range(n)]
    for length in range(least + more + 1):
        if length >= least:
            expected.update(vertices for vertices, _ in frontier)
        frontier = [
            ((*vertices, t), (*used, i))
            for vertices, used in frontier
            for i, s, t in steps
            if s == vertices[-1] and i not in used
        ]
    arrow = "-" if either else "->"
    found = values(graph, f"MATCH p = (a)-[:A*{least}..{least + more}]{arrow}(b) RETURN nodes(p)")
    assert Counter(tuple(vertices) for (vertices,) in found) == expected
    if least:
        plain = f"MATCH (a)-[:A*{least}..{least + more}]{arrow}(b) RETURN a, b"
        assert Counter(values(graph, plain)) == Counter((p[0], p[-1]) for p in expected.elements())


@settings(max_examples=40, deadline=None)
@given(network=networks(), every=st.booleans())
def test_shortest_paths(network, every):
    directed, n, pairs, *_ = network
    graph = made(network)
    after = {v: {t for s, t in pairs if s == v} | ({s for s, t in pairs if t == v and not directed}) for v in range(n)}
    expected = {}
    for a, b in itertools.product(range(n), repeat=2):
        paths = [(a,)]
        seen = set()
        while paths and (a, b) not in expected:
            paths = [(*p, t) for p in paths for t in after[p[-1]] if t not in seen]
            seen |= {p[-1] for p in paths}
            if found := [p for p in paths if p[-1] == b]:
                expected[a, b] = set(found)
    name = "allShortestPaths" if every else "shortestPath"
    found = values(graph, f"MATCH p = {name}((a)-[*]->(b)) RETURN a, b, nodes(p)")
    assert {(a, b) for a, b, _ in found} == set(expected)
    for pair, several in itertools.groupby(sorted(found), key=lambda row: row[:2]):
        paths = [tuple(path) for _, _, path in several]
        assert set(paths) == expected[pair] if every else len(paths) == 1 and set(paths) <= expected[pair]


@settings(max_examples=30, deadline=None)
@given(numbers=st.lists(st.one_of(st.none(), st.integers(-5, 5)), max_size=8))
def test_lists(numbers):
    graph = rz.open(None)
    text = "RETURN size($xs), [x IN $xs WHERE x > 0 | x * 2], reverse($xs), any(x IN $xs WHERE x > 3)"
    (found,) = values(graph, text, xs=numbers)
    some = [x for x in numbers if x is not None]
    known = True if any(x > 3 for x in some) else None if None in numbers else False
    assert found == (len(numbers), [2 * x for x in some if x > 0], numbers[::-1], known)


# ---- streams, plans, the command ----


def test_rows_come_in_batches():
    rng = random.Random(1)
    graph = rz.open(None, directed=True, weights="float32")
    graph.add_edges([(rng.randrange(3000), rng.randrange(3000), i % 7 + 0.5) for i in range(60_000)])
    two = graph.query("MATCH (a)-[e]->(b)-[f]->(c) RETURN a, c, e.weight + f.weight AS w")
    first = next(iter(two.batches()))
    assert (
        first.num_rows
        < two.count()
        == graph.query("MATCH (a)-->(b)-->(c) RETURN count(*) AS n").to_arrow()["n"][0].as_py()
    )
    edges = graph.edges  # noqa: F841 - DuckDB finds it
    total = duckdb.sql(
        "select source, sum(weight) as s, count(*) as n from edges group by 1 order by s desc, 1 limit 5"
    )
    found = values(graph, "MATCH (a)-[e]->(b) RETURN a, sum(e.weight) AS s, count(*) ORDER BY s DESC, a LIMIT 5")
    for one, other in zip(found, total.fetchall(), strict=True):
        assert one[0] == other[0]
        assert math.isclose(one[1], other[1])
        assert one[2] == other[2]


def test_counts_make_no_rows(bank):
    assert bank.query("MATCH (a)-->(b) RETURN count(*)").explain().startswith("count")
    assert "without rows" in bank.query("MATCH (a)-->(b) RETURN a.label, count(b)").explain()
    assert "rows in" in bank.query("MATCH (a)-->(b) RETURN a, b").explain(run=True)


def test_a_view_and_a_snapshot_are_asked_alike(bank):
    text = "MATCH (a)-[e]->(b) RETURN count(e)"
    assert values(bank.where(edges="type = 'PAID'"), text) == [(3,)]
    state = bank.snapshot()
    bank.add_edges({"source": ["bob"], "target": ["ann"], "type": ["PAID"], "amount": [1.0], "since": [None]})
    assert values(state, text) == [(5,)]
    assert values(bank, text) == [(6,)]


def test_the_command(tmp_path, monkeypatch, rizoma):
    monkeypatch.chdir(tmp_path)
    with rz.open("bank.rz", directed=True, edges={"amount": "float64"}) as graph:
        graph.add_edges({"source": [1, 2, 3], "target": [2, 3, 1], "amount": [5.0, 7.0, 9.0]})
    text = "MATCH (a)-[e]->(b) WHERE e.amount > $least RETURN a, e.amount AS x ORDER BY x"
    shown = rizoma("query", "bank.rz", text, "--param", "least=6", "--json")
    assert json.loads(shown.stdout)["rows"] == [{"a": 2, "x": 7.0}, {"a": 3, "x": 9.0}]
    assert rizoma("query", "bank.rz", text, "--param", "least=6", "-o", "-").stdout == '"a","x"\n2,7\n3,9\n'
    rizoma("query", "bank.rz", text, "--param", "least=6", "-o", "rows.parquet")
    assert "rows in" in rizoma("query", "bank.rz", text, "--param", "least=6", "--explain").stdout
    assert "the first" in rizoma("query", "bank.rz", "MATCH (a) RETURN a", "--top", 1).stderr
    wrong = rizoma("query", "bank.rz", "MATCH (a RETURN a", check=False)
    assert wrong.returncode == 2
    assert "^" in wrong.stderr


PEOPLE = {"ann": "Person;Actor", "bob": "Person", "cem": "Actor", "dia": "Pers;on", "eve": None, "fay": "Persona;x"}


@pytest.mark.parametrize(
    ("labels", "found"),
    [
        ("Person", "ann bob"),
        ("Person:Actor", "ann"),
        ("Person|Actor", "ann bob cem"),
        ("Person|Persona:Actor|x", "ann fay"),
        ("on", "dia"),
        ("`Pers;on`", "dia"),
    ],
)
def test_a_vertex_has_several_labels(labels, found):
    graph = rz.open(None, directed=True, vertices={"label": "string"}, edges={"type": "string"})
    graph.add_vertices({"vertex": list(PEOPLE), "label": list(PEOPLE.values())})
    graph.add_edges([(name, name) for name in PEOPLE])
    graph.set_edges({"source": list(PEOPLE), "target": list(PEOPLE), "type": list(PEOPLE.values())})
    expected = [(name,) for name in found.split()]
    assert values(graph, f"MATCH (a:{labels}) RETURN a.id") == expected
    assert values(graph, f"MATCH (a) WHERE a:{labels} RETURN a.id") == expected
    assert values(graph, f"MATCH (a) WITH a RETURN CASE WHEN a:{labels} THEN a.id END") == [
        (name,) if (name,) in expected else (None,) for name in PEOPLE
    ]
    assert values(graph, f"MATCH (a) WHERE NOT a:{labels} RETURN a.id") == [
        (x,) for x in PEOPLE if (x,) not in expected
    ]
    assert values(graph, f"MATCH (a:{labels})-[e]->(a) RETURN a.id") == expected
    assert graph.match(f"(a:{labels})-->(a)").count() == len(expected)


def test_keys_are_the_columns_with_a_value(bank):
    graph = rz.open(None, directed=True, vertices={"label": "string", "age": "int64"}, edges={"type": "string"})
    graph.add_vertices({"vertex": ["ann", "bob"], "label": ["Person", None], "age": [41, None]})
    graph.add_edges({"source": ["ann"], "target": ["bob"], "type": ["KNOWS"]})
    assert values(graph, "MATCH (a) RETURN keys(a)") == [(["label", "age"],), ([],)]
    assert values(graph, "MATCH ()-[e]->() RETURN keys(e)") == [(["type"],)]
    assert values(graph, "MATCH (a) OPTIONAL MATCH (a)-[e]->() RETURN keys(e)") == [(["type"],), (None,)]
    assert values(graph, "MATCH (a) WHERE 'age' IN keys(a) RETURN a.id") == [("ann",)]
    assert values(graph, "RETURN keys({b: 1, a: null}), keys(null)") == [(["b", "a"], None)]
    with pytest.raises(rz.ParseError, match="keys takes a vertex or an edge, not a number"):
        graph.query("RETURN keys(3)").to_arrow()


def test_random_numbers_are_drawn_for_each_row(bank):
    drawn = [row[0] for row in values(bank, "UNWIND range(1, 200) AS x RETURN rand()")]
    assert len(set(drawn)) == 200
    assert all(0 <= each < 1 for each in drawn)


def test_labels_are_a_list_and_types_one_text():
    graph = rz.open(None, directed=True, vertices={"label": "string"}, edges={"type": "string"})
    graph.add_vertices({"vertex": list(PEOPLE), "label": list(PEOPLE.values())})
    graph.add_edges({"source": ["ann", "ann"], "target": ["bob", "cem"], "type": ["A;B", "A"]})
    lists = [([] if text is None else text.split(";"),) for text in PEOPLE.values()]
    assert values(graph, "MATCH (a) RETURN labels(a)") == lists
    assert values(graph, "MATCH (a) WHERE 'Actor' IN labels(a) RETURN a.id") == [("ann",), ("cem",)]
    assert values(graph, "MATCH ()-[:A]->(b) RETURN b.id") == [("cem",)]
    assert values(graph, "MATCH ()-[e]->(b) WHERE e:A RETURN b.id") == [("cem",)]
    assert len(graph.where(vertices="has(label, 'Actor')")) == 2


def test_a_pattern_in_where_has_names_of_its_own():
    graph = rz.open(None, directed=True)
    graph.add_edges([(0, 1), (1, 0), (1, 2)])
    for pattern in ("(a)-->(b)", "p = (a)-->(b)", "(a)-->(b), p = (a)-->(b)"):
        rows = graph.query(f"MATCH {pattern} WHERE NOT (b)-->(a) RETURN DISTINCT a, b").to_arrow().to_pylist()
        assert rows == ([] if pattern.count("-->") == 2 else [{"a": 1, "b": 2}]), pattern


@pytest.mark.parametrize(
    "query",
    [
        "MATCH p = shortestPath((a)-[*]->(b)) WHERE id(a) = $s AND id(b) = $t RETURN length(p) AS l",
        "MATCH p = shortestPath((a)-[*]->(b)) WHERE a.id = $s AND $t = b.id RETURN length(p) AS l",
        "MATCH p = shortestPath((a {id: $s})-[*]->(b {id: $t})) RETURN length(p) AS l",
        "MATCH p = shortestPath((a)-[*]->(b)) WHERE $t = id(b) AND a.number = $s RETURN length(p) AS l",
        "MATCH p = shortestPath((a)-[*]->(b)) WHERE id(a) IN [$s] AND b.number = $t RETURN length(p) AS l",
        "MATCH (a), (b) WHERE id(a) = $s AND id(b) = $t MATCH p = shortestPath((a)-[*]->(b)) RETURN length(p) AS l",
    ],
)
def test_walks_begin_with_what_a_predicate_says_of_an_end(query):
    rng = random.Random(3)
    graph = rz.open(None, directed=True, ids="integer", vertices={"number": "int64"})
    graph.add_vertices({"vertex": list(range(3_000)), "number": list(range(3_000))})
    graph.add_edges([(rng.randrange(3_000), rng.randrange(3_000)) for _ in range(9_000)])
    for _ in range(3):
        s, t = rng.sample(range(3_000), 2)
        found = graph.query(query, s=s, t=t).to_arrow()["l"].to_pylist()
        distance = rz.bfs(graph, s).to_dict().get(t, -1)
        assert found == ([] if distance < 0 else [distance]), (s, t)


@pytest.mark.parametrize(
    ("query", "remedy"),
    [
        ("MATCH (a) RETURN toUpper(a)", r"text, not a vertex; give a column of it, as in toupper\(a\.label\)"),
        ("MATCH (a) RETURN abs(a)", r"a number, not a vertex; give a column of it, as in abs\(a\.label\)"),
        ("MATCH ()-[e]->() RETURN size(e)", r"a list, not an edge; give a column of it, as in size\(e\.type\)"),
        ("RETURN toUpper([1])", r"text, not a list$"),
    ],
)
def test_a_vertex_given_for_one_of_its_values(bank, query, remedy):
    with pytest.raises(rz.ParseError, match=remedy.removesuffix("$")):
        rows(bank, query)


@pytest.mark.parametrize("kind", ["date", "timestamp[s]", "timestamp[ms]", "timestamp[us]"])
@pytest.mark.parametrize("query", ["MATCH (a) WHERE {} RETURN a", "MATCH (a) WITH a WHERE {} RETURN a"])
def test_times_of_any_year_are_compared(kind, query):
    graph = rz.open(None, directed=True, ids="integer", vertices={"at": kind, "note": "string"})
    at = ["0900-05-05", "1500-01-01", "2026-01-31", "2300-01-01", "9999-12-31"]
    graph.add_vertices({"vertex": list(range(5)), "at": at, "note": at})
    assert rows(graph, query.format("a.at < '1600-01-01'")) == [{"a": 0}, {"a": 1}]
    assert rows(graph, query.format("a.at >= $t"), t="2300-01-01") == [{"a": 3}, {"a": 4}]
    assert rows(graph, query.format("a.at = a.note")) == [{"a": i} for i in range(5)]
    assert rows(graph, query.format("a.at > date('2299-12-31')")) == [{"a": 3}, {"a": 4}]
    assert rows(graph, query.format("a.at > '2026-01-30 23:59:59.123456'")) == [{"a": 2}, {"a": 3}, {"a": 4}]


def test_times_of_any_year_beside_nanoseconds(bank):
    graph = rz.open(None, directed=True, ids="integer", vertices={"at": "date"})
    graph.add_vertices({"vertex": [1, 2], "at": ["2026-01-31", "9999-12-31"]})
    query = "MATCH (a) WITH a WHERE a.at > '2026-01-31 00:00:00.123456789' RETURN a"
    with pytest.raises(rz.ParseError, match="six digits of a second at most"):
        rows(graph, query)
    assert rows(graph.where(vertices="at < '2200-01-01'"), query) == []


def test_nested_brackets() -> None:
    """Forty within each other are read; where Python's stack is nearly full, the error says so."""
    graph = rz.open(None, directed=True)
    nested: list[Any] = []
    for _ in range(39):
        nested = [nested]
    assert graph.query(f"RETURN {'[' * 40}{']' * 40} AS x").to_arrow()["x"].to_pylist() == [nested]

    def deep(calls: int) -> int:
        return deep(calls - 1) if calls else graph.query(f"RETURN {'(' * 40}1{')' * 40} AS y").count()

    with pytest.raises(rz.ParseError, match="brackets nested this deep do not fit Python's stack"):
        deep(sys.getrecursionlimit() - 400)
