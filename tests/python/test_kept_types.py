"""Labels and types that a state of a graph keeps as sets and lists: every query gives the same before and after."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
import rizoma as rz

LABELS = ("Person", "City", "Post")
TYPES = ("KNOWS", "LIKES", "LIVES_IN", None)
Edge = tuple[int, int, Any, float]


class Model:
    """The same graph as lists in Python."""

    def __init__(self, directed: bool, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.directed = directed
        self.label = {v: LABELS[rng.integers(3)] for v in range(40)}
        self.edges: list[Edge] = [
            (int(rng.integers(40)), int(rng.integers(40)), TYPES[rng.integers(4)], float(rng.integers(10)))
            for _ in range(300)
        ]

    def graph(self) -> rz.Graph:
        graph = rz.open(
            None,
            directed=self.directed,
            ids="integer",
            parallel_edges="keep",
            edges={"type": "string", "amount": "float64"},
            vertices={"label": "string"},
        )
        graph.add_vertices({"vertex": list(self.label), "label": list(self.label.values())})
        self.add_to(graph, self.edges)
        return graph

    @staticmethod
    def add_to(graph: rz.Graph, edges: list[Edge]) -> None:
        columns = [list(each) for each in zip(*edges, strict=True)]
        graph.add_edges(dict(zip(("source", "target", "type", "amount"), columns, strict=True)))

    def steps(self, kind: str) -> Iterator[tuple[int, int, int, float]]:
        """Each edge of a type as it may be walked, with its number."""
        for number, (source, target, of, amount) in enumerate(self.edges):
            if of == kind:
                yield number, source, target, amount
                if not self.directed and source != target:
                    yield number, target, source, amount


def answers(graph: rz.Graph, threads: int) -> dict[str, Any]:
    """Of counts, rows, anchors, paths of two types and of one."""
    asked = {
        "one": "MATCH (a:Person)-[e:LIKES]->(b:Post) RETURN count(*) AS n",
        "rows": "MATCH (a:Person)-[e:LIKES]->(b) WHERE e.amount > 4 RETURN a, b, e.amount AS x ORDER BY a, b, x",
        "two": "MATCH (a:Person)-[:KNOWS]->(b)-[:LIKES]->(c:Post) RETURN count(*) AS n",
        "same": "MATCH (a)-[x:KNOWS]->(b)-[y:KNOWS]->(c) WHERE x.amount < y.amount RETURN count(*) AS n",
        "anchored": "MATCH (a {id: 7})-[e:KNOWS]->(b:Person) RETURN b, e.amount AS x ORDER BY b, x",
        "sums": "MATCH (a)-[e:LIVES_IN]->(b) RETURN a, sum(e.amount) AS s ORDER BY a",
        "absent": "MATCH (a:Person) WHERE NOT (a)-[:LIKES]->() RETURN count(*) AS n",
    }
    return {name: graph.query(text, threads=threads).to_arrow().to_pylist() for name, text in asked.items()}


def expected(model: Model) -> dict[str, Any]:
    label, steps = model.label, model.steps
    likes, knows = list(steps("LIKES")), list(steps("KNOWS"))
    sums: dict[int, float] = {}
    for _, a, _, x in steps("LIVES_IN"):
        sums[a] = sums.get(a, 0.0) + x
    rows = sorted((a, b, x) for _, a, b, x in likes if label[a] == "Person" and x > 4)
    near = sorted((b, x) for _, a, b, x in knows if a == 7 and label[b] == "Person")
    alone = [v for v in label if label[v] == "Person" and all(a != v for _, a, _, _ in likes)]
    return {
        "one": [{"n": sum(label[a] == "Person" and label[b] == "Post" for _, a, b, _ in likes)}],
        "rows": [{"a": a, "b": b, "x": x} for a, b, x in rows],
        "two": [
            {
                "n": sum(
                    label[a] == "Person" and label[c] == "Post" and b == d
                    for _, a, b, _ in knows
                    for _, d, c, _ in likes
                )
            }
        ],
        "same": [{"n": sum(i != j and b == c and x < y for i, _, b, x in knows for j, c, _, y in knows)}],
        "anchored": [{"b": b, "x": x} for b, x in near],
        "sums": [{"a": a, "s": sums[a]} for a in sorted(sums)],
        "absent": [{"n": len(alone)}],
    }


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("threads", [1, 2])
def test_the_same_before_and_after(directed: bool, threads: int) -> None:
    model = Model(directed, 5)
    graph = model.graph()
    for _ in range(3):
        assert answers(graph, threads) == expected(model)
    more: list[Edge] = [(7, 3, "KNOWS", 9.0), (3, 8, "LIKES", 1.0), (8, 7, None, 2.0), (5, 5, "KNOWS", 1.0)]
    model.add_to(graph, more)
    model.edges += more
    for _ in range(2):
        assert answers(graph, threads) == expected(model)


def test_a_type_is_read_by_its_own_lists_once_it_was_tested_enough() -> None:
    model = Model(True, 6)
    snapshot = model.graph().snapshot()
    text = "(a:Person)-[e:LIKES]->(b)-[f:KNOWS]->(c)"
    assert snapshot.match(text).count() == snapshot.match(text).count()
    assert "edges that predicates keep" in snapshot.match("(a {id: 7})-[e:LIKES]->(b)").explain()


def test_different_types_of_edges_are_not_told_apart_one_by_one() -> None:
    model = Model(True, 7)
    snapshot = model.graph().snapshot()
    text = "(a)-[:LIKES]->(b)-[:KNOWS]->(c)"
    one, same = (snapshot.match(text, distinct=kind) for kind in ("edges", "none"))
    assert one.count() == same.count()
    assert "each edge" not in one.explain()


@pytest.mark.parametrize("share", [0.001, 0.1, 0.24, 0.26, 0.9])
def test_predicates_on_a_type_that_stands_among_others(share):
    rng = np.random.default_rng(5)
    graph = rz.open(
        None,
        directed=True,
        ids="integer",
        parallel_edges="keep",
        edges={"type": "string", "amount": "float64", "rank": "int64", "note": "string"},
    )
    rows = []
    for _ in range(5):
        is_paid = rng.random(9_000) < share
        some = pa.table(
            {
                "source": rng.integers(50, size=9_000),
                "target": rng.integers(50, size=9_000),
                "type": np.where(is_paid, "PAID", "KNOWS"),
                "amount": pa.array(rng.random(9_000), mask=rng.random(9_000) < 0.3),
                "rank": rng.integers(100, size=9_000),
                "note": rng.choice(["", "a", "b"], 9_000),
            }
        )
        graph.add_edges(some)
        rows.append(some)
    edges = pa.concat_tables(rows)
    paid = edges.filter(pc.equal(edges["type"], "PAID"))
    where = "e.amount > 0.5 AND e.rank * 4 < 200 AND e.note <> 'a'"
    is_kept = pc.and_(pc.greater(paid["amount"], 0.5), pc.less(paid["rank"], 50))
    kept = paid.filter(pc.and_(is_kept, pc.not_equal(paid["note"], "a")))
    for _ in range(4):  # also once the lists of the type are known
        counted = graph.query(f"MATCH (a)-[e:PAID]->(b) WHERE {where} RETURN count(*) AS n").to_arrow()
        assert counted["n"].to_pylist() == [len(kept)]
        found = graph.query(f"MATCH (a)-[e:PAID]->(b) WHERE {where} RETURN a, b, e.amount AS x").to_arrow()
        expected = kept.select(["source", "target", "amount"]).rename_columns(["a", "b", "x"])
        order = [(name, "ascending") for name in "abx"]
        assert found.sort_by(order).to_pydict() == expected.sort_by(order).to_pydict()
