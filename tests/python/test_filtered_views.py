"""Views of the edges that a condition keeps: of a store that changes, against rows of Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
import rizoma as rz
from rizoma.core.errors import InvalidArgumentError


def edges_of(graph: Any) -> list[tuple[Any, ...]]:
    rows = graph.edges.to_arrow().to_pylist()
    ends = [(row["source"], row["target"]) for row in rows]
    pairs = ends if graph.directed else [tuple(sorted(pair)) for pair in ends]
    return sorted([(pair, row["amount"], row["kind"]) for pair, row in zip(pairs, rows, strict=True)], key=str)


@pytest.mark.parametrize("ids", ["dense", "string"])
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("parallel_edges", ["merge", "keep"])
def test_where_keeps_what_python_keeps(tmp_path: Path, directed: bool, parallel_edges: str, ids: str) -> None:
    """Of a store that changes: values set again, edges and vertices removed, changes waiting and written."""
    rng = np.random.default_rng(7)
    graph = rz.open(
        tmp_path / "g.rz",
        directed=directed,
        ids=ids,
        parallel_edges=parallel_edges,
        edges={"amount": "float64", "kind": "string"},
    )

    def named(numbers: Any) -> Any:
        return numbers if ids == "dense" else [f"v{i}" for i in numbers]

    def some(count: int) -> pa.Table:
        amounts = [None if i % 11 == 0 else float(i % 50) for i in rng.integers(0, 1000, count)]
        kinds = [None if i == 3 else "abc"[i] for i in rng.integers(0, 4, count)]
        ends = [pa.array(named(rng.integers(0, 60, count))) for _ in "st"]
        return pa.table({"source": ends[0], "target": ends[1], "amount": amounts, "kind": kinds})

    graph.add_vertices(named(np.arange(60)))
    for change in range(5):
        graph.add_edges(some(120))
        graph.remove_edges(some(200).select(["source", "target"]))
        given = some(100)
        if not directed:  # a pair in one direction, so that it has one row
            source, target = given["source"], given["target"]
            turned = pc.greater(source, target)
            ends = {"source": pc.if_else(turned, target, source), "target": pc.if_else(turned, source, target)}
            given = pa.table({**ends, "amount": given["amount"], "kind": given["kind"]})
        graph.set_edges(
            given.group_by(["source", "target"])
            .aggregate([("amount", "max"), ("kind", "max")])
            .rename_columns(given.column_names)
        )
        if change == 1:
            graph.checkpoint()
        if change == 2:
            graph.remove_vertices(named(np.array([5, 17])))
        if change == 3:
            graph.compact(order="degree")
        everything = edges_of(graph)
        for condition, keeps in (
            ("amount >= 20", lambda a, k: a is not None and a >= 20),
            ("amount is null or kind = 'b'", lambda a, k: a is None or k == "b"),
            ("not (kind in ('a', 'c'))", lambda a, k: k == "b"),
            ("amount < 0", lambda a, k: False),
            ("100 / (amount - 3) > 2", lambda a, k: a not in (None, 3) and 100 / (a - 3) > 2),
        ):
            view = graph.where(edges=condition)
            kept = [edge for edge in everything if keeps(*edge[1:])]
            assert edges_of(view) == kept
            assert view.num_edges == len(kept)
            assert len(view) == len(graph)
            again = graph.where(edges=f"({condition}) and source <> target")  # by a copy
            assert edges_of(again) == [edge for edge in kept if edge[0][0] != edge[0][1]]
            assert rz.connected_components(view).to_dict().keys() == rz.connected_components(graph).to_dict().keys()
            assert edges_of(view.where(edges="kind = 'b'")) == [edge for edge in kept if edge[2] == "b"]
    turned = sorted([((v, u) if directed else (u, v), *values) for (u, v), *values in kept], key=str)
    assert edges_of(view.reverse()) == turned
    graph.remove_edges(graph.edges.to_arrow().select(["source", "target"]))
    graph.close()
    assert edges_of(view) == kept
    assert rz.pagerank(view).to_dict()


def test_where_minds_only_edges_that_are_there() -> None:
    """A value that an edge had before may have no answer."""
    graph = rz.open(None, directed=True, edges={"i": "int64"})
    graph.add_edges({"source": [1, 2], "target": [2, 3], "i": [2**63 - 1, 5]})
    with pytest.raises(InvalidArgumentError, match="beyond 64 bits"):
        graph.where(edges="i + 1 > 0")
    graph.set((1, 2), i=-7)
    assert graph.where(edges="i + 1 > 0").num_edges == 1
