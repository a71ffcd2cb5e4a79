"""Patterns against SQL joins in DuckDB and against NetworkX's matcher, and what the relation of matches can do."""

from __future__ import annotations

import random

import duckdb
import networkx as nx
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
import rizoma as rz

FOLLOWS = [("ann", "bob"), ("bob", "ann"), ("bob", "cem"), ("cem", "ann"), ("cem", "dia"), ("ann", "ann")]


@pytest.fixture
def follows():
    graph = rz.open(None, directed=True)
    graph.add_edges(FOLLOWS)
    return graph


# ---- against DuckDB ----


class Pattern:
    """A random pattern as text and as the SQL of the same join."""

    def __init__(self, rng: random.Random, directed: bool) -> None:
        self.names = "abcd"[: rng.randint(2, 4)]
        self.paths: list[str] = []
        self.tables: list[str] = []
        self.conditions: list[str] = []
        self.where: list[str] = []
        self.column: dict[str, str] = {}
        for i in range(rng.randint(1, 4)):
            left, right = rng.choice(self.names), rng.choice(self.names)
            arrow = rng.choice(["-->", "<--", "--", "->", "<-"])
            self._edge(i, left, right, arrow, directed, rng.random() < 0.3)
        if rng.random() < 0.3 and len(self.column) > 1:
            x, y = rng.sample(sorted(self.column), 2)
            self.paths.append(f"!({x})-->({y})")
            ends = f"s = {self.column[x]} and t = {self.column[y]}"
            self.conditions.append(f"not exists (select 1 from entries where {ends})")
        if rng.random() < 0.4:
            x, y = rng.choice(sorted(self.column)), rng.choice(sorted(self.column))
            sign = rng.choice(["<", "<=", "<>", "="])
            self.where.append(f"{x} {sign} {y}")
            self.conditions.append(f"{self.column[x]} {sign} {self.column[y]}")

    def _edge(self, i: int, left: str, right: str, arrow: str, directed: bool, weighed: bool) -> None:
        backward = arrow.startswith("<")
        source, target = (right, left) if backward else (left, right)
        self.tables.append(f"{'entries' if arrow != '--' or not directed else 'either_way'} e{i}")
        for name, column in ((source, f"e{i}.s"), (target, f"e{i}.t")):
            if name in self.column:
                self.conditions.append(f"{column} = {self.column[name]}")
            else:
                self.column[name] = column
        if weighed:
            body = f"[x{i}]"
            self.where.append(f"x{i}.weight >= 5")
            self.conditions.append(f"e{i}.w >= 5")
            arrow = {"-->": f"-{body}->", "<--": f"<-{body}-", "--": f"-{body}-"}.get(
                arrow, f"-{body}->" if arrow == "->" else f"<-{body}-"
            )
        self.paths.append(f"({left}){arrow}({right})")

    @property
    def text(self) -> str:
        return ", ".join(self.paths)

    def sql(self) -> str:
        columns = ", ".join(f"{self.column[name]} as {name}" for name in sorted(self.column))
        where = " and ".join(self.conditions) or "true"
        return f"select {columns} from {', '.join(self.tables)} where {where}"


@pytest.mark.parametrize("seed", range(8))
def test_random_patterns_give_the_rows_of_the_join(seed):
    rng = random.Random(seed)
    directed = seed % 2 == 0
    n = rng.randint(4, 25)
    edges = [(rng.randrange(n), rng.randrange(n), rng.randint(1, 9)) for _ in range(rng.randint(5, 60))]
    graph = rz.open(None, directed=directed, weights="int32", parallel_edges="keep")
    graph.add_edges(edges)
    base = "select source as s, target as t, weight as w from edges"
    turned = "select target, source, weight from edges where source <> target"
    database = duckdb.connect()
    database.register("edges", graph.edges.to_arrow())
    both = f"{base} union all {turned}"
    database.execute(f"create table entries as {base if directed else both}")
    database.execute(f"create table either_way as {both}")
    for _ in range(60):
        pattern = Pattern(rng, directed)
        sql = pattern.sql()
        expected = sorted(database.execute(sql).fetchall())
        matches = graph.match(pattern.text, where=" and ".join(pattern.where) or None)
        assert matches.count() == len(expected), (pattern.text, pattern.where)
        names = sorted(pattern.column)
        rows = matches.select(*names).to_arrow()
        found = sorted(zip(*(rows[name].to_pylist() for name in names), strict=True))
        assert found == expected, (pattern.text, pattern.where)
        groups = matches.group_by(names[0]).count().to_arrow()
        by_sql = database.execute(f"select {names[0]}, count(*) from ({sql}) group by 1").fetchall()
        assert dict(zip(*(column.to_pylist() for column in groups.columns), strict=True)) == dict(by_sql)


@pytest.mark.parametrize("seed", range(10))
def test_subgraphs_as_networkx_finds_them(seed):
    rng = random.Random(seed)
    kind = nx.DiGraph if seed % 2 else nx.Graph
    host = kind(nx.gnm_random_graph(14, 40, seed=seed, directed=bool(seed % 2)))
    small = kind(nx.gnm_random_graph(4, rng.randint(3, 5), seed=seed + 50, directed=bool(seed % 2)))
    small.remove_nodes_from(list(nx.isolates(small)))
    graph = rz.open(None, directed=bool(seed % 2))
    graph.add_edges(host)
    arrow = "-->" if seed % 2 else "--"
    pattern = ", ".join(f"(v{u}){arrow}(v{v})" for u, v in small.edges)
    matcher = nx.isomorphism.DiGraphMatcher if seed % 2 else nx.isomorphism.GraphMatcher
    found = sum(1 for _ in matcher(host, small).subgraph_monomorphisms_iter())
    assert graph.match(pattern, distinct="nodes").count() == found


# ---- the relation ----


def test_rows_by_external_id(follows):
    mutual = follows.match("(a)-->(b)-->(a)")
    assert mutual.columns == ["a", "b"]
    assert set(zip(*mutual.to_arrow().to_pydict().values(), strict=True)) == {
        ("ann", "bob"),
        ("bob", "ann"),
        ("ann", "ann"),
    }
    assert mutual.count() == 3
    assert mutual.exists()
    assert not follows.match("(a)-->(b)-->(a)", a="dia").exists()
    assert follows.snapshot().match("(a)-->(b)", b="ann").count() == 3
    assert repr(mutual) == "Matches('(a)-->(b)-->(a)'; a: large_string, b: large_string)"


def test_anchors(follows):
    def reached(**anchors):
        return set(follows.match("(a)-->(b)", **anchors).select("b").to_arrow()["b"].to_pylist())

    assert reached(a="cem") == {"ann", "dia"}
    assert reached(a=["cem", "bob", "nobody"]) == {"ann", "dia", "cem"}
    assert reached(a=[]) == set()
    with pytest.raises(rz.VertexNotFoundError, match="a='nobody' names a vertex that the graph does not have"):
        reached(a="nobody")
    with pytest.raises(rz.InvalidArgumentError, match="no vertex 'x'; its vertices: a, b"):
        reached(x="ann")
    assert follows.match("(a {id: 'cem'})-->(b)").count() == 2
    assert follows.match("(a)-->(b)").where("a in ['cem', 'bob'] and b <> 'ann'").count() == 2


def test_order_limit_distinct_and_groups(follows):
    two = follows.match("(a)-->(b)-->(c)")
    rows = sorted(zip(*two.to_arrow().to_pydict().values(), strict=True))
    assert rows == sorted((a, b, c) for a, b in FOLLOWS for x, c in FOLLOWS if b == x)
    ordered = two.order_by("a", "-c", "b").limit(3).to_arrow().to_pylist()
    assert [tuple(row.values()) for row in ordered] == sorted(
        sorted(sorted(rows, key=lambda r: r[1]), key=lambda r: r[2], reverse=True), key=lambda r: r[0]
    )[:3]
    assert two.limit(4).count() == 4
    assert two.limit(0).to_arrow().num_rows == 0
    ends = {(a, c) for a, _, c in rows}
    assert two.select("a", "c").distinct().count() == len(ends)
    counts = {row["a"]: row["count"] for row in two.group_by("a").count().to_arrow().to_pylist()}
    assert counts == {a: sum(row[0] == a for row in rows) for a, _, _ in rows}
    pairs = {(r["a"], r["c"]): r["count"] for r in two.group_by("a", "c").count().to_arrow().to_pylist()}
    assert pairs == {pair: sum((a, c) == pair for a, _, c in rows) for pair in ends}


def test_other_libraries_take_matches(follows):
    mutual = follows.match("(a)-->(b)-->(a)", distinct="nodes")
    database = duckdb.connect()
    for name, relation in (("mutual", mutual), ("edges", follows.edges), ("vertices", follows.vertices)):
        database.register(name, relation)
    joined = database.sql("""
        select m.a, v.out_degree, count(*) as followers
        from mutual m join vertices v on v.vertex = m.a join edges e on e.target = m.a
        group by all order by m.a
    """).fetchall()
    assert joined == [("ann", 2, 3), ("bob", 2, 1)]
    assert pl.DataFrame(mutual).height == 2
    assert pa.table(mutual).num_rows == mutual.to_pandas().shape[0] == 2
    with pytest.raises(rz.InvalidArgumentError, match="Matches is not an array"):
        np.asarray(mutual)


def test_samples_are_those_of_the_seed():
    graph = rz.open(None)
    rng = np.random.default_rng(0)
    graph.add_edges(rng.integers(0, 200, (1500, 2)))
    matches = graph.match("(a)--(b)--(c)")

    def sampled(threads, seed):
        rows = graph.match("(a)--(b)--(c)", threads=threads).sample(50, seed=seed).to_arrow()
        return sorted(zip(*rows.to_pydict().values(), strict=True))

    taken = [sampled(1, 7), sampled(3, 7), sampled(1, 8)]
    assert taken[0] == taken[1] != taken[2]
    assert len(taken[0]) == 50
    every = set(zip(*matches.to_arrow().to_pydict().values(), strict=True))
    assert set(taken[0]) <= every
    assert matches.sample(10**9).count() == matches.count()


def test_weights_are_columns():
    graph = rz.open(None, directed=True, weights="float32", parallel_edges="keep")
    graph.add_edges([(1, 2, 0.5), (1, 2, 1.5), (2, 3, 2.5)])
    rows = graph.match("(a)-[e]->(b)-[f]->(c)").order_by("e.weight").to_arrow()
    assert rows.schema.names == ["a", "b", "c", "e.weight", "f.weight"]
    assert rows["e.weight"].to_pylist() == [0.5, 1.5]
    assert rows["f.weight"].type == pa.float32()
    assert graph.match("(a)-[e]->(b)").where("e.weight > 1").select("b", "e.weight").to_arrow().num_rows == 2
    assert graph.match("(a)-[e]->(b)-[f]->(c)", distinct="edges").count() == 2


def test_errors_name_the_place_and_what_there_is(follows):
    with pytest.raises(rz.ParseError) as wrong:
        follows.match("(a)-->b")
    assert str(wrong.value).splitlines()[1:] == ["  (a)-->b", "        ^"]
    with pytest.raises(rz.NotFoundError, match="no column 'age'; their columns: id"):
        follows.match("(a)-->(b)").where("a.age > 3")
    with pytest.raises(rz.ColumnNotFoundError, match="no column 'x'; there are a, b"):
        follows.match("(a)-->(b)").select("x")
    with pytest.raises(rz.InvalidArgumentError, match="choose one of none, edges, nodes"):
        follows.match("(a)-->(b)", distinct="both")


def test_a_plan_in_words(follows):
    text = follows.match("(a)-->(b)-->(c)-->(a)").explain(run=True)
    assert "7 counted" not in text.splitlines()[0]  # split by order, and by self-loops
    assert sum(int(line.split(", ")[1].split()[0]) for line in text.splitlines() if "counted" in line) == 7
    assert "targets of" in text
    assert "about" in follows.match("(a)-->(b)").explain()


def test_the_command(rizoma, tmp_path):
    (tmp_path / "edges.csv").write_text("source,target\n" + "".join(f"{u},{v}\n" for u, v in FOLLOWS))
    rizoma("import", "social.rz", "edges.csv", "--directed")
    assert rizoma("match", "social.rz", "(a)-->(b)-->(a)", "--count").stdout == "3\n"
    shown = rizoma("match", "social.rz", "(a)-->(b)", "--top", 2)
    assert len(shown.stdout.splitlines()) == 3
    assert "the first 2 rows" in shown.stderr
    assert "the first" not in rizoma("match", "social.rz", "(a)-->(b)").stderr
    rizoma("match", "social.rz", "(a)-->(b)", "--where", "b = 'ann'", "-o", "rows.csv")
    assert len((tmp_path / "rows.csv").read_text().splitlines()) == 4
    assert "counted" in rizoma("match", "social.rz", "(a)-->(b)", "--explain").stdout
    wrong = rizoma("match", "social.rz", "(a)-->b", check=False)
    assert wrong.returncode == 2
    assert wrong.stderr.splitlines()[1:] == ["  (a)-->b", "        ^"]
