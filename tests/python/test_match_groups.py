"""Groups of matches and values by name in patterns and predicates, against SQL in DuckDB."""

from __future__ import annotations

import random

import duckdb
import pyarrow as pa
import pytest
import rizoma as rz

_FUNCTIONS = ("sum", "avg", "min", "max")


def payments(seed, directed):
    rng = random.Random(seed)
    pairs = {(rng.randrange(8), rng.randrange(8)) for _ in range(30)}
    pairs = sorted(pairs if directed else {tuple(sorted(pair)) for pair in pairs})
    rows = [(u, v, rng.choice([None, rng.randrange(-5, 9)]), rng.choice("xyz")) for u, v in pairs]
    graph = rz.open(None, directed=directed, ids="integer", edges={"amount": "int32", "kind": "string"})
    graph.add_edges(dict(zip(("source", "target", "amount", "kind"), map(list, zip(*rows, strict=True)), strict=True)))
    if not directed:
        rows += [(v, u, amount, kind) for u, v, amount, kind in rows if u != v]
    columns = [pa.array(column) for column in zip(*rows, strict=True)]
    return graph, pa.table(columns, names=["s", "t", "amount", "kind"])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize(
    ("groups", "columns"), [(["a"], "x.s"), (["e.kind"], "x.kind"), (["a", "f.kind"], "x.s, y.kind")]
)
def test_groups_are_those_of_sql(seed, directed, groups, columns):
    graph, e = payments(seed, directed)  # noqa: RUF059 - DuckDB finds e
    matches = graph.match("(a)-[e]->(b)-[f]->(c)")
    found = matches.group_by(*groups).agg(**dict.fromkeys(_FUNCTIONS, "e.amount")).to_arrow()
    sums = ", ".join(f"{function}(x.amount)" for function in _FUNCTIONS).replace(
        "sum(x.amount)", "coalesce(sum(x.amount), 0)"
    )
    expected = duckdb.sql(f"select {columns}, {sums}, count(*) from e x join e y on x.t = y.s group by all").fetchall()
    rows = [tuple(row.values()) for row in found.to_pylist()]
    assert sorted(rows, key=repr) == sorted(((*row[:-5], int(row[-5]), *row[-4:]) for row in expected), key=repr)
    names = [*groups, *(f"{function}(e.amount)" for function in _FUNCTIONS), "count"]
    assert found.column_names == names
    top = matches.group_by(*groups).count().order_by("-count", *groups).limit(2).to_arrow().to_pylist()
    every = matches.group_by(*groups).count().to_arrow().to_pylist()
    every.sort(key=lambda row: (-row["count"], *(row[name] for name in groups)))
    assert top == every[:2]


def test_groups_of_nothing_and_mistakes():
    graph, _ = payments(1, True)
    nothing = graph.match("(a)-[e]->(b)", a=[]).group_by("a").agg(max="e.kind")
    assert nothing.to_arrow().num_rows == 0
    assert nothing.schema.names == ["a", "max(e.kind)", "count"]
    with pytest.raises(rz.InvalidArgumentError, match="no aggregate 'median'"):
        graph.match("(a)-[e]->(b)").group_by("a").agg(median="e.amount")
    with pytest.raises(rz.InvalidArgumentError, match=r"sum takes numbers, and e\.kind is string"):
        graph.match("(a)-[e]->(b)").group_by("a").agg(sum="e.kind")
    with pytest.raises(rz.ColumnNotFoundError, match=r"groups have no column 'e\.amount'"):
        graph.match("(a)-[e]->(b)").group_by("a").count().order_by("e.amount")


@pytest.mark.parametrize("value", ["plain", "O'Brien", '"', "$x", "`", "a\\b", ""])
def test_texts_stand_in_the_place_of_names(value):
    graph = rz.open(None, directed=True, ids="string", edges={"kind": "string"})
    graph.add_edges({"source": ["a", "b"], "target": ["b", "a"], "kind": [value, "other"]})
    assert graph.match("(a)-[e {kind: $k}]->(b)", parameters={"k": value}).count() == 1
    assert graph.match("(a)-[e]->(b)", where="e.kind = $k and e.kind <> '$k'", parameters={"k": value}).count() == 1
    assert graph.match("(a)-[e]->(b)").where("e.kind in $ks", ks=[value, "none"]).count() == 1


def test_names_need_values():
    graph, _ = payments(1, True)
    with pytest.raises(rz.InvalidArgumentError, match=r"no value is given for \$least"):
        graph.match("(a)-[e]->(b)", where="e.amount > $least", parameters={"most": 1})
    with pytest.raises(rz.InvalidArgumentError, match=r"nothing here is called \$most"):
        graph.match("(a)-[e]->(b)").where("e.amount > $least", least=1, most=2)
    with pytest.raises(rz.InvalidArgumentError, match="cannot stand in a predicate"):
        graph.match("(a)-[e]->(b)").where("e.amount > $least", least={"x": 1})
