"""Patterns of one edge, counted by a scan over the edges: against SQL in DuckDB on graphs that were changed."""

from __future__ import annotations

import random
from collections import Counter

import duckdb
import pyarrow as pa
import pytest
import rizoma as rz
from hypothesis import given, settings
from hypothesis import strategies as st
from rizoma.queries.relation import ROWS

EDGES = {"amount": "float64", "rank": "int64", "since": "timestamp[ms]", "kind": "string", "open": "bool"}
VERTICES = {"age": "int64", "born": "date", "name": "string"}
HUGE = 2**62
PREDICATES = (
    "e.amount > 0",
    "e.amount is null",
    "e.rank * 4 > 8",
    "e.kind in ('a', 'b') and e.rank <> 2",
    "e.since >= '1970-01-01 00:00:01' or e.open",
    "not e.open and e.amount < 2",
    "a.age < b.age",
    "a.age + b.age > e.rank * 4",
    "e.amount > 0 and a.age <= b.age",
    "e.amount > 0 and b.age > 20",
    "e.amount > 0 and a.age > 20 and b.age > 20",
    "a.born < b.born or e.since < b.born",
    "a.name = b.name or e.kind = b.name",
    "coalesce(e.amount, a.age, 1) > 3",
)


def changed_graph(rng: random.Random, n: int, m: int, parallel_edges: str) -> rz.Graph:
    """A graph whose rows are not its edges: some are gone, some replaced, and some edges have no values."""
    graph = rz.open(
        None,
        directed=rng.random() < 0.6,
        ids="integer",
        edges=EDGES,
        vertices=VERTICES,
        parallel_edges=parallel_edges,
    )

    def some(values: list[object]) -> list[object]:
        return [rng.choice([*values, None]) for _ in range(n)]

    born = pa.array(some([0, 10, 20]), pa.int32()).cast(pa.date32())
    ages, names = some(list(range(40))), pa.array(some(["a", "ann", "b"]), pa.string())
    graph.add_vertices(
        pa.table({"vertex": list(range(n)), "age": pa.array(ages, pa.int64()), "born": born, "name": names})
    )
    for _ in range(2):
        graph.add_edges(edges_of(rng, n, m, (1, 2, 3, HUGE)))
        graph.add_edges([(rng.randrange(n), rng.randrange(n)) for _ in range(m // 10)])
    # No edge keeps a number that, times four, is beyond 64 bits; rows of edges that are gone do.
    table = graph.edges.to_arrow()
    huge = table.filter(pa.compute.equal(table["rank"], HUGE)).select(["source", "target"])
    graph.remove_edges(huge)
    if rng.random() < 0.5:
        graph.remove_vertices([rng.randrange(n)])
        graph.compact()
    graph.add_edges(edges_of(rng, n, m // 10, (1, 2, 3)))
    return graph


def edges_of(rng: random.Random, n: int, m: int, ranks: tuple[int, ...]) -> pa.Table:
    def some(values: list[object] | tuple[object, ...]) -> list[object]:
        return [rng.choice([*values, None]) for _ in range(m)]

    return pa.table(
        {
            "source": [rng.randrange(n) for _ in range(m)],
            "target": [rng.randrange(n) for _ in range(m)],
            "amount": pa.array(some([-1.5, 0.5, 2.5, 3.5]), pa.float64()),
            "rank": pa.array(some(ranks), pa.int64()),
            "since": pa.array(some([0, 5_000, 10**9]), pa.int64()).cast(pa.timestamp("ms")),
            "kind": pa.array(some(["a", "b", "c"]), pa.string()),
            "open": pa.array(some([True, False]), pa.bool_()),
        }
    )


def database_of(graph: rz.Graph) -> duckdb.DuckDBPyConnection:
    database = duckdb.connect()
    database.register("given_edges", graph.edges.to_arrow())
    database.register("given_vertices", graph.vertices.to_arrow())
    database.execute("create table v as from given_vertices; create table e as from given_edges")
    turned = "select target as source, source as target, * exclude (source, target) from e where source <> target"
    database.execute(f"create table both_ways as from e union all {turned}")
    return database


def rows_of(table: pa.Table) -> Counter[tuple[object, ...]]:
    return Counter(zip(*(column.to_pylist() for column in table.columns), strict=True))


def expect_sql(graph: rz.Graph, database: duckdb.DuckDBPyConnection, rng: random.Random, threads: int) -> None:
    for where in PREDICATES:
        pattern = rng.choice(["(a)-[e]->(b)", "(b)<-[e]-(a)", "(a)-[e]-(b)"])
        distinct = rng.choice([None, None, "nodes"])
        both = "-(b)" in pattern or not graph.directed
        source = "both_ways" if both else "e"
        sql = f"from {source} e, v a, v b where e.source = a.vertex and e.target = b.vertex and ({where})"
        sql += " and a.vertex <> b.vertex" if distinct else ""
        matches = graph.match(pattern, where=where, distinct=distinct, threads=threads)
        said = (pattern, where, distinct)
        (expected,) = database.execute(f"select count(*) {sql}").fetchone() or (None,)
        assert matches.count() == expected, said
        for name in ("a", "b"):
            groups = matches.group_by(name).count().to_arrow().to_pydict()
            by_sql = database.execute(f"select {name}.vertex, count(*) {sql} group by 1").fetchall()
            assert dict(zip(groups[name], groups["count"], strict=True)) == dict(by_sql), said
        columns = f"select a.vertex, b.vertex, e.rank, e.kind {sql}"
        by_sql = Counter(database.execute(columns).fetchall())
        chosen = matches.select("a", "b", "e.rank", "e.kind")
        assert rows_of(chosen.to_arrow()) == by_sql, said
        assert sum((rows_of(chosen.part(i, 3).to_arrow()) for i in range(3)), Counter()) == by_sql, said


@settings(derandomize=True, max_examples=12, deadline=None)
@given(st.integers(0, 2**32))
def test_counts_are_those_of_the_join(seed):
    rng = random.Random(seed)
    graph = changed_graph(rng, rng.choice([2, 9, 60]), rng.choice([3, 40, 1_500]), rng.choice(["keep", "merge"]))
    expect_sql(graph, database_of(graph), rng, rng.choice([1, 3]))
    view = graph.where(edges="amount > -1")
    expect_sql(view, database_of(view), rng, 2)


def test_a_value_that_no_answer_fits_is_an_error_if_an_edge_has_it():
    graph = rz.open(None, directed=True, ids="integer", edges=EDGES)
    graph.add_edges(edges_of(random.Random(1), 5, 50, (HUGE,)))
    with pytest.raises(rz.InvalidArgumentError, match="beyond 64 bits"):
        graph.match("(a)-[e]->(b)", where="e.rank * 4 > 8").count()
    for _ in range(3):  # also once lists of a type could be known
        with pytest.raises(rz.InvalidArgumentError, match="beyond 64 bits"):
            graph.match("(a)-[e]->(b)-[f]->(c)", where="e.rank * 4 > 8", type_column="rank").count()


def test_few_vertices_and_anchors_are_not_scanned_for():
    graph = rz.open(None, directed=True, ids="integer", edges={"amount": "float64"}, vertices={"age": "int64"})
    graph.add_vertices({"vertex": list(range(1_000)), "age": [min(i, 500) for i in range(1_000)]})
    graph.add_edges(
        {"source": list(range(999)), "target": list(range(1, 1_000)), "amount": [float(i) for i in range(999)]}
    )
    pattern = "(a)-[e]->(b)"
    assert "scans the edges" in graph.match(pattern, where="e.amount > 5").explain()
    assert "scans the edges" not in graph.match(pattern, where="e.amount > 5 and a.age < 50").explain()
    assert graph.match(pattern, where="e.amount > 5 and a.age < 50").count() == 44
    assert "scans the edges" not in graph.match(pattern, where="e.amount > 5", a=7).explain()
    assert graph.match(pattern, where="e.amount > 5", a=[3, 7, 8]).count() == 2


@pytest.mark.parametrize("directed", [True, False])
def test_weights_that_lie_beside_the_entries_are_scanned_too(directed):
    rng = random.Random(5)
    graph = rz.open(None, directed=directed, ids="integer", weights="float32", vertices={"age": "int64"})
    graph.add_vertices({"vertex": list(range(80)), "age": [rng.randrange(40) for _ in range(80)]})
    edges = [(rng.randrange(80), rng.randrange(80), float(rng.randrange(9))) for _ in range(1_500)]
    graph.add_edges(edges)
    database = database_of(graph)
    source = "e" if directed else "both_ways"
    for where in ("e.weight > 4", "e.weight > a.age - b.age", "e.weight < 5 and a.age > 20"):
        sql = f"from {source} e, v a, v b where e.source = a.vertex and e.target = b.vertex and {where}"
        expected = database.execute(f"select count(*) {sql}").fetchall()[0][0]
        assert graph.match("(a)-[e]->(b)", where=where).count() == expected


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("where", [None, "e.amount > 3", "e.amount > b.age"])
def test_rows_of_a_great_list_come_in_batches(directed, where):
    n = 300_000
    graph = rz.open(None, directed=directed, ids="integer", edges={"amount": "float64"}, vertices={"age": "int64"})
    graph.add_vertices({"vertex": list(range(n)), "age": [5] * n})
    amounts = [float(i % 10) for i in range(1, n)]
    graph.add_edges({"source": [0] * (n - 1), "target": list(range(1, n)), "amount": amounts})
    least = {None: -1, "e.amount > 3": 3, "e.amount > b.age": 5}[where]
    expected = {(0, i, i % 10) for i in range(1, n) if i % 10 > least}
    if not directed:
        expected |= {(b, a, amount) for a, b, amount in expected}
    found = list(graph.match("(a)-[e]->(b)", where=where, threads=2).select("a", "b", "e.amount").batches())
    assert rows_of(pa.Table.from_batches(found)) == Counter(expected)
    assert max(batch.num_rows for batch in found) < ROWS + 8_192  # at most a few blocks of the scan more
    assert len(graph.match("(a)-[e]->(b)", where=where).limit(7).to_arrow()) == 7
