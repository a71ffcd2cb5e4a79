"""Data and arguments that can be read in two ways: refused or told of at the boundary that reads them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import rizoma as rz


def payments() -> rz.Graph:
    """Two parallel edges that a column tells apart."""
    graph = rz.open(None, directed=True, parallel_edges="keep", edges={"id": "int64", "amount": "float64"})
    graph.add_edges({"source": ["a", "a"], "target": ["b", "b"], "id": [7, 8], "amount": [1.0, 2.0]})
    return graph


ONE_VALUE: list[dict[str, Any]] = [
    {"source": "ann", "target": "bob"},
    {"source": ["ann", "bob", "cem"], "target": "xyz"},
    {"source": b"ann", "target": b"bob"},
    {"source": ["ann"], "target": ["bob"], "amount": 3},
]
WAYS_IN: dict[str, Callable[[rz.Graph, Any], object]] = {
    "add_edges": lambda g, data: g.add_edges(data),
    "remove_edges": lambda g, data: g.remove_edges(data),
    "set_edges": lambda g, data: g.set_edges(data),
    "read": lambda _, data: rz.read(data),
    "read, inferred": lambda _, data: rz.read(data, edges="infer"),
    "add_vertices": lambda g, data: g.add_vertices({"id": data["source"], "age": data["target"], **data}),
    "set_vertices": lambda g, data: g.set_vertices({"id": data["source"], "age": data["target"], **data}),
}


@pytest.mark.parametrize("way", WAYS_IN)
@pytest.mark.parametrize("data", ONE_VALUE)
def test_one_value_is_no_column(way: str, data: dict[str, Any]) -> None:
    graph = rz.open(None, edges={"amount": "float64"}, vertices={"age": "int64"})
    with pytest.raises(rz.InvalidArgumentError, match=r"has one value .* a list for each column; write \{\"\w+\": \["):
        WAYS_IN[way](graph, data)
    assert len(graph) == 0


BOTH = {"source": ["a"], "target": ["b"], "id": [7], "amount": [5.0]}
TWICE = {"source": ["a", "a"], "target": ["b", "b"], "amount": [5.0, 6.0]}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda g: g.remove_edges(BOTH), "key='id', and to take all edges of each pair leave"),
        (lambda g: g.remove_edges([dict(zip(BOTH, ("a", "b", 7, 5.0), strict=True))]), "key='id'"),
        (lambda g: g.set_edges(BOTH), "key='id'"),
        (lambda g: g.set(("a", "b"), id=7, amount=5.0), "key='id'"),
        (lambda g: g.set_edges(TWICE), r"several rows name the pair \('a', 'b'\).* with key="),
    ],
)
def test_what_may_tell_parallel_edges_apart_is_named(change: Callable[[rz.Graph], object], said: str) -> None:
    graph = payments()
    with pytest.raises(rz.InvalidArgumentError, match=said):
        change(graph)
    assert graph.edges.to_arrow()["amount"].to_pylist() == [1.0, 2.0]


def test_parallel_edges_change_as_documented() -> None:
    graph = payments()
    assert graph.set_edges({"source": ["a"], "target": ["b"], "amount": [3.0]}) == 2
    assert graph.set_edges(BOTH, key="id") == 1
    assert graph.remove_edges(BOTH, key="id") == 1
    assert graph.remove_edges({"source": ["a"], "target": ["b"]}) == 1
    simple = rz.open(None, edges={"amount": "float64"})
    simple.add_edges(TWICE)
    assert simple.remove_edges(simple.edges.to_arrow()) == 1
    weighted = rz.open(None, parallel_edges="keep", weights=True)
    weighted.add_edges([(1, 2, 1.0), (1, 2, 2.0)])
    with pytest.raises(rz.InvalidArgumentError, match="several rows name"):
        weighted.set_weights([(1, 2, 3.0), (1, 2, 4.0)])
    assert weighted.set_weights([(1, 2, 3.0)]) == 2
