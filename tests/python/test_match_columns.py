"""Patterns over columns of vertices and edges: against SQL joins in DuckDB, and what each part of the language says."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest
import rizoma as rz
from hypothesis import given, settings
from hypothesis import strategies as st

EDGES = {"type": "string", "amount": "float64", "rank": "int16", "since": "timestamp[ms]", "open": "bool"}
VERTICES = {"label": "string", "age": "int32", "size": "uint64", "born": "date", "name": "string"}


# ---- against DuckDB ----


class World:
    """A random graph, and tables of DuckDB with the same."""

    def __init__(self, rng: random.Random) -> None:
        self.directed = rng.random() < 0.6
        self.n = rng.randint(2, 6)
        keep = rng.random() < 0.7
        self.graph = rz.open(
            None,
            directed=self.directed,
            ids="integer",
            edges=EDGES,
            vertices=VERTICES,
            parallel_edges="keep" if keep else "merge",
        )
        self.graph.add_vertices(self._vertices(rng))
        if rng.random() < 0.5:  # among 2,000 vertices those of a predicate are few: a plan begins with them
            self.graph.add_vertices(list(range(100, 600)))
        count = rng.randint(4, 30)
        self.graph.add_edges(self._edges(rng, count))
        if rng.random() < 0.3:
            self.graph.remove_vertices([rng.randrange(self.n)])
        self.database = duckdb.connect()
        self.database.register("given_edges", self.graph.edges.to_arrow())
        self.database.register("given_vertices", self.graph.vertices.to_arrow())
        self.database.execute("create table v as select * from given_vertices")
        self.database.execute("create table e as select *, row_number() over () as number from given_edges")
        turned = "select target as source, source as target, * exclude (source, target) from e"
        self.database.execute(f"create table both_ways as from e union all {turned} where source <> target")

    def _vertices(self, rng: random.Random) -> pa.Table:
        def some(values: list[Any]) -> list[Any]:
            return [rng.choice([*values, *values, None]) for _ in range(self.n)]

        return pa.table(
            {
                "vertex": list(range(self.n)),
                "label": pa.array(some(["User", "Bot"]), pa.string()),
                "age": pa.array(some([1, 2, 3, -4]), pa.int32()),
                "size": pa.array(some([7, 2**64 - 1, 2**63]), pa.uint64()),
                "born": pa.array(some([0, 10_000, -3]), pa.int32()).cast(pa.date32()),
                "name": pa.array(some(["", "ann", "änn", "bob"]), pa.string()),
            }
        )

    def _edges(self, rng: random.Random, count: int) -> pa.Table:
        def some(values: list[Any]) -> list[Any]:
            return [rng.choice([*values, *values, None]) for _ in range(count)]

        return pa.table(
            {
                "source": [rng.randrange(self.n) for _ in range(count)],
                "target": [rng.randrange(self.n) for _ in range(count)],
                "type": pa.array(some(["KNOWS", "LIKES"]), pa.string()),
                "amount": pa.array(some([0.5, 2.0, -1.25]), pa.float64()),
                "rank": pa.array(some([1, 2, 3]), pa.int16()),
                "since": pa.array(some([0, 864_000_000_123, -5]), pa.int64()).cast(pa.timestamp("ms")),
                "open": pa.array(some([True, False]), pa.bool_()),
            }
        )


class Pattern:
    """A random pattern with conditions as text, and as the SQL of the same join."""

    def __init__(self, rng: random.Random, world: World) -> None:
        self.rng, self.world = rng, world
        self.distinct = rng.choice([None, None, "nodes", "edges"])
        self.tables: list[str] = []
        self.conditions: list[str] = []
        self.paths: list[str] = []
        self.names: list[str] = []
        self.edges: list[str] = []
        self.numbers: list[str] = []
        self.hidden: list[str] = []
        for i in range(rng.choice([1, 1, 2, 2, 3])):
            self._path(i)
        if rng.random() < 0.2:
            x, y = rng.choice(self.names), rng.choice(self.names)
            self.paths.append(f"!({x})-->({y})")
            table = "e" if world.directed else "both_ways"
            ends = f"source = {x}.vertex and target = {y}.vertex"
            self.conditions.append(f"not exists (select 1 from {table} where {ends})")
        self.where = self._condition(rng.randint(0, 2)) if rng.random() < 0.8 else None
        if self.where is not None:
            self.conditions.append(f"({self.where})")
        if self.distinct == "nodes":
            vertices = [f"{name}.vertex" for name in self.names] + self.hidden
            self._all_differ(vertices)
        elif self.distinct == "edges":
            self._all_differ(self.numbers)

    def _all_differ(self, columns: list[str]) -> None:
        for i, x in enumerate(columns):
            self.conditions += [f"{x} <> {y}" for y in columns[:i]]

    def _vertex(self) -> tuple[str, str]:
        """Its name, and how the pattern mentions it."""
        rng = self.rng
        name = rng.choice("abcd")
        if name not in self.names:
            self.names.append(name)
            self.tables.append(f"v {name}")
        said = name
        if rng.random() < 0.15:
            labels = rng.choice([["User"], ["Bot"], ["User", "Bot"], ["Nobody"]])
            said += ":" + "|".join(labels)
            self.conditions.append(f"{name}.label in ({', '.join(map(repr, labels))})")
        if rng.random() < 0.08:
            column, value = rng.choice([("age", "2"), ("name", "'ann'"), ("born", "'1970-01-01'")])
            said += f" {{{column}: {value}}}"
            self.conditions.append(f"{name}.{column} = {value}")
        return name, f"({said})"

    def _path(self, i: int) -> None:
        rng = self.rng
        left, said_left = self._vertex()
        right, said_right = self._vertex()
        length = 2 if rng.random() < 0.15 else 1
        arrow = rng.choice(["forward", "backward", "either"])
        body, on_each = self._body()
        name = ""
        if length == 1 and rng.random() < 0.7:
            name = f"e{i}"
            self.edges.append(name)
        body = name + body + ("*2" if length == 2 else "")
        properties, of_properties = self._properties()
        text = f"[{body}{properties}]" if body or properties else ""
        begin, end = {"forward": ("-", "->"), "backward": ("<-", "-"), "either": ("-", "-")}[arrow]
        self.paths.append(f"{said_left}{begin}{text}{end}{said_right}")
        ends = [f"{left}.vertex", f"{right}.vertex"]
        if length == 2:
            ends.insert(1, f"e{i}_0.{'source' if arrow == 'backward' else 'target'}")
            self.hidden.append(ends[1])
        table = "both_ways" if arrow == "either" or not self.world.directed else "e"
        for step in range(length):
            alias = f"e{i}" if length == 1 else f"e{i}_{step}"
            self.tables.append(f"{table} {alias}")
            self.numbers.append(f"{alias}.number")
            source, target = ends[step], ends[step + 1]
            if arrow == "backward":
                source, target = target, source
            self.conditions += [f"{alias}.source = {source}", f"{alias}.target = {target}"]
            self.conditions += [condition.format(alias) for condition in (*on_each, *of_properties)]

    def _body(self) -> tuple[str, list[str]]:
        rng = self.rng
        if rng.random() < 0.7:
            return "", []
        types = rng.choice([["KNOWS"], ["LIKES"], ["KNOWS", "LIKES"]])
        return ":" + "|".join(types), [f"{{}}.type in ({', '.join(map(repr, types))})"]

    def _properties(self) -> tuple[str, list[str]]:
        if self.rng.random() < 0.9:
            return "", []
        column, value = self.rng.choice([("rank", "2"), ("amount", "-1.25"), ("open", "true")])
        return f" {{{column}: {value}}}", [f"{{}}.{column} = {value}"]

    def _condition(self, depth: int) -> str:
        """One that means the same in both languages."""
        rng = self.rng
        if depth and rng.random() < 0.5:
            parts = [self._condition(depth - 1) for _ in range(2)]
            joined = rng.choice([" and ", " or "]).join(f"({part})" for part in parts)
            return joined if rng.random() < 0.8 else f"not ({joined})"
        x, y = rng.choice(self.names), rng.choice(self.names)
        sign = rng.choice(["<", "<=", "=", "<>", ">", ">="])
        choices = [
            f"{x}.age {sign} {y}.age",
            f"{x}.age * 2 - 1 {sign} {rng.randint(-3, 5)}",
            f"{x}.age % 2 = {rng.randint(-1, 1)}",
            f"{x}.size {sign} {rng.choice([7, 2**63, 2**64 - 1])}",
            f"{x}.name {sign} {y}.name",
            f"length({x}.name) {sign} 3",
            f"{x}.born {sign} '{rng.choice(['1970-01-01', '1997-05-19'])}'",
            f"{x}.label in ('User', 'x')",
            f"{x}.label not in ('User', 'x')",
            f"{x}.age is {rng.choice(['', 'not '])}null",
            f"abs({x}.age) in (4, 1)",
        ]
        if self.edges:
            e, f = rng.choice(self.edges), rng.choice(self.edges)
            choices += [
                f"{e}.amount {sign} {rng.choice([0.5, 2, -1.25])}",
                f"{e}.rank + {f}.amount {sign} {x}.age",
                f"{e}.since {sign} '1997-05-19 00:00:00.123'",
                f"{e}.since {sign} {x}.born",
                f"{e}.open",
                f"{e}.open is null or not {e}.open",
                f"{e}.type = {f}.type",
            ]
        return rng.choice(choices)

    @property
    def text(self) -> str:
        return ", ".join(self.paths)

    def columns(self) -> dict[str, str]:
        """Those to select, and their SQL."""
        chosen = {name: f"{name}.vertex" for name in self.names}
        for name in self.names:
            column = self.rng.choice(list(VERTICES))
            chosen[f"{name}.{column}"] = f"{name}.{column}"
        for edge in self.edges:
            column = self.rng.choice(list(EDGES))
            chosen[f"{edge}.{column}"] = f"{edge}.{column}"
        return chosen

    def sql(self, columns: list[str]) -> str:
        where = " and ".join(self.conditions)
        return f"select {', '.join(columns)} from {', '.join(self.tables)} where {where}"


def rows_of(table: pa.Table) -> Counter[tuple[Any, ...]]:
    return Counter(zip(*(column.to_pylist() for column in table.columns), strict=True))


@settings(derandomize=True, max_examples=40, deadline=None)
@given(st.integers(0, 2**32))
def test_random_patterns_over_columns_give_the_rows_of_the_join(seed):
    rng = random.Random(seed)
    world = World(rng)
    for _ in range(6):
        pattern = Pattern(rng, world)
        chosen = pattern.columns()
        sql = pattern.sql([f'{column} as "{name}"' for name, column in chosen.items()])
        expected = Counter(world.database.execute(sql).fetchall())
        matches = world.graph.match(pattern.text, where=pattern.where, distinct=pattern.distinct)
        told = (seed, pattern.text, pattern.where, pattern.distinct, sql)
        assert matches.count() == expected.total(), told
        assert rows_of(matches.select(*chosen).to_arrow()) == expected, told
        group = rng.choice([name for name in chosen if "." in name])
        counts = matches.group_by(group).count().to_arrow()
        by_sql = world.database.execute(f'select "{group}", count(*) from ({sql}) group by 1').fetchall()
        assert dict(zip(*(column.to_pylist() for column in counts.columns), strict=True)) == dict(by_sql), told
        first = rng.choice(list(chosen))
        ordered = matches.select(first).order_by(f"-{first}").to_arrow()[first].to_pylist()
        descending = f'select "{first}" from ({sql}) order by 1 desc nulls last'
        assert ordered == [row[0] for row in world.database.execute(descending).fetchall()], told
        distinct = matches.select(first).distinct().to_arrow()
        assert rows_of(distinct) == Counter(
            {(row[0],): 1 for row in world.database.execute(f'select distinct "{first}" from ({sql})').fetchall()}
        ), told


# ---- each part of the language ----


@pytest.fixture
def payments():
    graph = rz.open(
        None,
        directed=True,
        ids="string",
        edges={"type": "string", "amount": "float64", "since": "timestamp[s]"},
        vertices={"label": "string", "age": "int32", "vector": "list<float32>", "kind": "string"},
        parallel_edges="keep",
    )
    graph.add_vertices(
        pa.table(
            {
                "vertex": ["ann", "bob", "cem", "dia"],
                "label": ["Person", "Person", "Bank", None],
                "age": pa.array([41, 17, None, 30], pa.int32()),
                "kind": ["x", "y", "x", "y"],
            }
        )
    )
    graph.add_edges(
        pa.table(
            {
                "source": ["ann", "ann", "bob", "cem", "dia"],
                "target": ["bob", "bob", "cem", "ann", "ann"],
                "type": ["PAID", "OWES", "PAID", "PAID", None],
                "amount": [12.5, 3.0, None, 7.0, 1.0],
                "since": pa.array([0, 1, 2, 3, 4], pa.timestamp("s")),
            }
        )
    )
    return graph


def found(matches: rz.match.Matches) -> list[tuple[Any, ...]]:
    return sorted(rows_of(matches.to_arrow()).elements(), key=repr)


def test_labels_types_and_properties(payments):
    assert found(payments.match("(a:Person)-->(b)")) == [("ann", "bob")] * 2 + [("bob", "cem")]
    assert found(payments.match("(a:Person|Bank)-[:PAID]->(b {age: 17})")) == [("ann", "bob")]
    assert payments.match("(a)-[e:PAID|OWES {amount: 3}]->(b)").count() == 1
    assert payments.match("(a:Person)-[:PAID*2]->(c)").count() == 2
    assert payments.match("(a:x)-->(b:y)", label_column="kind").count() == 2
    assert payments.match("(:x)-->(b)", label_column="kind", b="ann").count() == 1


def test_an_empty_graph_has_no_matches():
    """Conditions on several vertices had a plan of an empty graph that never ended, and took all of the stack."""
    for directed in (False, True):
        graph = rz.open(None, directed=directed, vertices={"age": "int32", "label": "string"})
        for pattern in ("(a)--(b {age: 2})", "(a:X)-->(b:Y)-->(c)", "(a {age: 1})-[*1..3]->(b {age: 2}); !(b)-->(a)"):
            assert graph.match(pattern).count() == 0
            assert graph.match(pattern).to_arrow().num_rows == 0
            assert str(graph.match(pattern).explain())


@pytest.mark.parametrize(
    ("condition", "rows"),
    [
        *[("1 = 2", 0), ("1 = 1", 5), ("false", 0), ("null", 0), ("not null", 0), ("null and a = 'ann'", 0)],
        *[("'x' = 'y' or a = 'ann'", 2), ("a = 'ann' and 1 < 2", 2), ("-7 % 3 = 2 and -7 % 3 = -1", 0)],
    ],
)
def test_conditions_that_name_nothing_count(payments, condition, rows):
    matches = payments.match("(a)-[e]->(b)").where(condition)
    assert (matches.count(), matches.to_arrow().num_rows) == (rows, rows)
    assert payments.match("(a)-[e]->(b)", where=condition, a=["ann", "bob", "cem", "dia"]).count() == rows
    pairs = payments.match("(a)-->(b)-->(c)").where(condition).count()
    assert (pairs == 0) == (rows == 0)


def test_a_condition_of_many_terms_is_refused(payments):
    """Each makes it deeper, and thousands took minutes."""
    matches = payments.match("(a)-->(b)")
    assert matches.where("a.age" + " + 1" * 1000 + " > 0").count() == 4
    for sign in "+", "*":
        with pytest.raises(rz.ParseError, match="more than 1000 additions and multiplications"):
            matches.where("a.age" + f" {sign} 1" * 1001 + " > 0").count()


@pytest.mark.parametrize("limit", ["1B", "64K", "1G"])
def test_lists_of_edges_heed_the_limit_of_memory(limit):
    rng = np.random.default_rng(4)
    graph = rz.open(None, directed=True, edges={"amount": "int32"})
    ends, amounts = rng.integers(0, 1000, (2, 8000)), rng.integers(0, 100, 8000).astype(np.int32)
    graph.add_edges({"source": ends[0], "target": ends[1], "amount": amounts})
    kept = graph.edges.to_arrow().to_pandas().query("amount > 20")
    expected = len(kept.merge(kept, left_on="target", right_on="source"))
    with rz.config(memory_limit=limit):
        matches = graph.match("(a)-[e]->(b)-[f]->(c)", where="e.amount > 20 and f.amount > 20")
        assert matches.count() == expected
        assert matches.to_arrow().num_rows == expected


def test_rows_without_columns_are_counted(payments):
    matches = payments.match("()-->()")
    assert matches.exists()
    assert matches.count() == 5
    assert [matches.limit(n).count() for n in (0, 2, 99)] == [0, 2, 5]
    assert not payments.match("(:nothing)").exists()
    for n in (-1, 1.5, True, 2**64):
        with pytest.raises(rz.InvalidArgumentError):
            matches.limit(n)
        with pytest.raises(rz.InvalidArgumentError):
            matches.sample(n)
    with pytest.raises(rz.InvalidArgumentError, match="a=None"):
        payments.match("(a)-->(b)", a=None)


def test_values_are_columns(payments):
    matches = payments.match("(a)-[e]->(b)").where("e.amount > 2").select("a", "b.age", "e.since")
    table = matches.to_arrow()
    assert table.schema.types == [pa.large_string(), pa.int32(), pa.timestamp("s")]
    assert rows_of(table.select(["a", "b.age"])) == Counter([("ann", 17), ("ann", 17), ("cem", 41)])
    by_hidden = payments.match("(a)-[e]->(b)").select("b").order_by("-e.amount").limit(2)
    assert by_hidden.to_arrow().to_pydict() == {"b": ["bob", "ann"]}
    assert payments.match("(a)-->(b)").select("a.vector").to_arrow()["a.vector"].null_count == 5
    sums = payments.match("(a)-->(b)").group_by("a.label", "b.label").count().to_arrow()
    assert rows_of(sums) == Counter(
        [("Person", "Person", 2), ("Person", "Bank", 1), ("Bank", "Person", 1), (None, "Person", 1)]
    )
    chosen = payments.match("(a)-[e]->(b)").select("e.type", "e.since", "a.age")
    assert chosen.sample(3, seed=5).to_arrow().num_rows == 3
    assert found(chosen.sample(3, seed=5)) == found(chosen.sample(3, seed=5))


def test_dates_stand_as_text(payments):
    matches = payments.match("(a)-[e]->(b)")
    assert matches.where("e.since >= '1970-01-01 00:00:03'").count() == 2
    assert matches.where("e.since < '1970-01-01T00:00:01Z'").count() == 1
    assert matches.where("'1970-01-02' > e.since > '1970-01-01'").count() == 4
    assert matches.where("e.since in ['1970-01-01', '1970-01-01 00:00:02']").count() == 2


def test_anchored_patterns_use_columns(payments):
    assert found(payments.match("(a {id: 'ann'})-[e]->(b:Person)").where("e.amount < a.age").select("e.amount")) == [
        (12.5,),
        (3.0,),
    ]
    assert payments.match("(a)-[e]->(b)", a=["cem", "dia"]).where("b.age = 41 and e.type is null").count() == 1


def test_the_plan_begins_with_what_few_vertices_have():
    graph = rz.open(None, directed=True, vertices={"name": "string"})
    graph.add_edges([(i, (7 * i + 3) % 1000) for i in range(1000)])
    graph.add_vertices({"vertex": [500, 501], "name": ["x", "y"]})
    text = graph.match("(a)-->(b)-->(c {name: 'x'})").explain(run=True)
    steps = text.splitlines()[1:]
    assert steps[0].startswith("  c, of 1 by its predicates: about 1, 1 seen")
    assert "conditions" not in "".join(steps[1:])


@pytest.mark.parametrize("directed", [True, False])
def test_values_beyond_one_block(directed, tmp_path):
    rng = np.random.default_rng(4)
    n, m = 10_000, 30_000
    source, target = rng.integers(0, n, (2, m))
    amount, age = rng.integers(0, 100, m), rng.integers(0, 100, n)
    graph = rz.open(
        tmp_path / "g.rz",
        directed=directed,
        ids="integer",
        edges={"amount": "int32"},
        vertices={"age": "uint8"},
        parallel_edges="keep",
    )
    graph.add_vertices({"vertex": np.arange(n), "age": age})
    graph.add_edges({"source": source, "target": target, "amount": amount})
    found = graph.match("(a)-[e]->(b)").where("e.amount < a.age and b.age >= 50").select("a", "b", "e.amount", "b.age")
    kept = (amount < age[source]) & (age[target] >= 50)
    expected = Counter(zip(source[kept], target[kept], amount[kept], age[target[kept]], strict=True))
    if not directed:
        turned = (amount < age[target]) & (age[source] >= 50) & (source != target)
        expected += Counter(zip(target[turned], source[turned], amount[turned], age[source[turned]], strict=True))
    assert rows_of(found.to_arrow()) == expected
    assert found.count() == expected.total()
    graph.close()


@pytest.mark.parametrize("stored", [False, True])
def test_values_are_those_of_the_state_whether_one_is_read_or_thousands(stored, tmp_path):
    n = 6000
    types = {"age": "int32", "size": "uint64", "score": "float32", "open": "bool", "name": "string"}
    graph = rz.open(tmp_path / "g.rz" if stored else None, directed=True, ids="integer", vertices=types)
    graph.add_edges([(i, (i + 1) % n) for i in range(n)])

    def values(v: int, shift: int) -> tuple[Any, ...]:
        v += shift
        return (None if v % 7 == 0 else v % 90, 2**63 + v, v / 4, v % 3 == 0, None if v % 5 == 0 else f"name {v % 11}")

    def give(vertices: range, shift: int) -> None:
        columns = zip(*(values(v, shift) for v in vertices), strict=True)
        table = {name: pa.array(column, type) for (name, type), column in zip(arrow.items(), columns, strict=True)}
        graph.add_vertices(pa.table({"vertex": list(vertices)} | table))

    def seen(state: Any, **anchors: Any) -> set[tuple[Any, ...]]:
        found = state.match("(a)-->(b)", **anchors).select("b", *(f"b.{name}" for name in types))
        return set(rows_of(found.to_arrow()))

    arrow = {"age": pa.int32(), "size": pa.uint64(), "score": pa.float32(), "open": pa.bool_(), "name": pa.string()}
    give(range(n - 10), 0)
    if stored:
        graph.compact()
    before = {v: (v, *values(v, 0)) if v < n - 10 else (v, *[None] * 5) for v in range(n)}
    after = before | {v: (v, *values(v, 1)) for v in range(100, 5000, 3)}
    some = [20, 21, 99, 100, 101, 3000, 4999, n - 5]

    def check(state: Any, truth: dict[int, tuple[Any, ...]]) -> None:
        for v in some:
            assert seen(state, a=v - 1) == {truth[v]}
        assert seen(state, a=[v - 1 for v in some]) == {truth[v] for v in some}
        assert seen(state) == set(truth.values())
        older = [v for v in range(n) if (truth[v][1] or 0) > 60]
        assert state.match("(a)-->(b)", a=[v - 1 for v in some], where="b.age > 60").count() == len({*some} & {*older})
        assert state.match("(a)-->(b)", where="b.age > 60").count() == len(older)

    check(graph, before)
    old = graph.snapshot()
    give(range(100, 5000, 3), 1)
    check(graph, after)
    check(old, before)
    graph.close()


def test_views_and_stores_keep_their_columns(payments, tmp_path):
    assert payments.where(vertices="label = 'Person'").match("(a:Person)-[e {amount: 3}]->(b)").count() == 1
    stored = rz.open(tmp_path / "payments.rz", directed=True, ids="string", edges={"amount": "float64"})
    stored.add_edges({"source": ["a", "b", "c"], "target": ["b", "c", "a"], "amount": [1.0, 2.0, 3.0]})
    stored.compact()
    stored.add_edges({"source": ["c"], "target": ["b"], "amount": [4.0]})
    assert found(stored.match("(a)-[e]->(b)").where("e.amount > 1.5").select("a", "e.amount")) == [
        ("b", 2.0),
        ("c", 3.0),
        ("c", 4.0),
    ]
    stored.close()


def test_errors_name_the_columns_that_exist(payments):
    def wrong(error: type[Exception], pattern: str, where: str | None = None, **options: Any) -> str:
        with pytest.raises(error) as told:
            payments.match(pattern, where=where, **options)
        return str(told.value)

    message = wrong(rz.NotFoundError, "(a)-->(b)", "b.agee > 3")
    assert message.splitlines() == [
        "vertices have no column 'agee'; their columns: id, label, age, vector, kind",
        "  b.agee > 3",
        "  ^",
    ]
    message = wrong(rz.NotFoundError, "(a)-[e {sum: 3}]->(b)")
    assert message.splitlines() == [
        "edges have no column 'sum'; their columns: type, amount, since",
        "  (a)-[e {sum: 3}]->(b)",
        "          ^",
    ]
    assert "an edge has no value of its own" in wrong(rz.NotFoundError, "(a)-[e]->(b)", "e > 3")
    assert "label_column= names another" in wrong(rz.NotFoundError, "(a:User)-->(b)", label_column="role")
    assert "a label is text" in wrong(rz.InvalidArgumentError, "(a:User)-->(b)", label_column="age")
    message = wrong(rz.ParseError, "(a)-->(b)", "a.age > 'x'")
    assert message.splitlines() == ["a number is compared with text", "  a.age > 'x'", "        ^"]
    assert "is not a date or time" in wrong(rz.ParseError, "(a)-[e]->(b)", "e.since > 'soon'")
    assert "expected a predicate here, not a number" in wrong(rz.ParseError, "(a)-->(b)", "a.age + 1")
    assert "a list cannot be compared" in wrong(rz.ParseError, "(a)-->(b)", "a.vector = b.vector")
    assert "no function 'reverse'" in wrong(rz.ParseError, "(a)-->(b)", "reverse(a.label) = 'X'")
    matches = payments.match("(a)-[e]->(b)")
    known = (
        "there are a, a.label, a.age, a.vector, a.kind, b, b.label, b.age, b.vector, b.kind, e.type, e.amount, e.since"
    )
    with pytest.raises(rz.ColumnNotFoundError, match=f"no column 'e.sum'; {known}"):
        matches.select("e.sum")
    with pytest.raises(rz.InvalidArgumentError, match=r"a\.vector is a list"):
        matches.group_by("a.vector")
    with pytest.raises(rz.InvalidArgumentError, match=r"select 'e\.amount', too"):
        matches.select("a").distinct().order_by("e.amount")


@pytest.mark.parametrize(
    "condition",
    [
        "age >= 18",
        "age is null or label = 'Bank'",
        "label in ('Person', 'Bank') and not age < 20",
        "label not in ('Person', 'x')",
        "10 < age < 35",
        "abs(age - 30) % 11 = 0",
        "length(label) = 4 or startswith(kind, 'y')",
        "kind <> 'x'",
        "age / 2 > 15",
    ],
)
def test_conditions_mean_what_they_mean_for_views(payments, condition):
    view = payments.where(vertices=condition).vertices.to_arrow()["vertex"].to_pylist()
    columns = ("age", "label", "kind")
    of_match = condition
    for column in columns:
        of_match = of_match.replace(column, f"a.{column}")
    assert sorted(row[0] for row in found(payments.match("(a)").where(of_match))) == sorted(view)


def test_the_command(rizoma, tmp_path):
    graph = rz.open(tmp_path / "bank.rz", directed=True, ids="string", edges={"amount": "float64", "kind": "string"})
    graph.add_edges({"source": ["ann", "bob"], "target": ["bob", "cem"], "amount": [5.0, 9.0], "kind": ["A", "B"]})
    graph.close()
    arguments = ("--where", "e.amount > 1", "--select", "a", "--select", "e.amount", "--order-by", "-e.amount")
    rizoma("match", "bank.rz", "(a)-[e]->(b)", *arguments, "-o", "rows.csv")
    assert (tmp_path / "rows.csv").read_text().splitlines()[1:] == ['"bob",9', '"ann",5']
    counted = rizoma("match", "bank.rz", "(a)-[:A]->(b)", "--type-column", "kind", "--count")
    assert counted.stdout == "1\n"
    wrong = rizoma("match", "bank.rz", "(a)-[e]->(b)", "--where", "e.sum > 1", check=False)
    assert "edges have no column 'sum'; their columns: amount, kind" in wrong.stderr
