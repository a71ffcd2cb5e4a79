"""No rows are an input of every kind: no call refuses them, none changes anything, none takes its batch with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import rizoma as rz

EDGES: dict[str, Callable[[], Any]] = {
    "list": list,
    "tuple": tuple,
    "iterator": lambda: iter([]),
    "numpy": lambda: np.empty((0, 2), np.int64),
    "pandas": lambda: pd.DataFrame({"source": ["a"], "target": ["b"]}).query("source == 'zz'"),
    "pandas, no type": lambda: pd.DataFrame(columns=["source", "target"]),
    "arrow": lambda: pa.table({"source": pa.array([], pa.string()), "target": pa.array([], pa.string())}),
    "arrow, integers": lambda: pa.table({"source": pa.array([], pa.int64()), "target": pa.array([], pa.int64())}),
    "arrow, no type": lambda: pa.table({"source": pa.array([], pa.null()), "target": pa.array([], pa.null())}),
    "mapping": lambda: {"source": [], "target": []},
    "networkx": nx.Graph,
}
VERTICES: dict[str, Callable[[], Any]] = {
    "list": list,
    "iterator": lambda: iter([]),
    "numpy": lambda: np.empty(0, np.int64),
    "arrow": lambda: pa.array([], pa.string()),
    "arrow, no type": lambda: pa.array([], pa.null()),
    "table": lambda: pd.DataFrame({"vertex": []}),
}
IDS = {"dense": [0, 1, 2], "integer": [10, 20, 30], "string": ["a", "b", "c"]}


def _graph(ids: str) -> rz.Graph:
    graph = rz.open(None, ids=ids)
    u, v, w = IDS[ids]
    graph.add_edges([(u, v), (v, w)])
    return graph


@pytest.mark.parametrize("ids", IDS)
@pytest.mark.parametrize("form", EDGES)
def test_no_edges(ids: str, form: str) -> None:
    graph = _graph(ids)
    graph.add_edges(EDGES[form]())
    assert graph.remove_edges(EDGES[form]()) == 0
    with graph.batch() as batch:
        batch.add_edges(EDGES[form]())
        batch.remove_edges(EDGES[form]())
        batch.add_edges([(IDS[ids][0], IDS[ids][2])])
    assert (len(graph), graph.num_edges) == (3, 3)


@pytest.mark.parametrize("ids", IDS)
@pytest.mark.parametrize("form", VERTICES)
def test_no_vertices(ids: str, form: str) -> None:
    graph = _graph(ids)
    graph.add_vertices(VERTICES[form]())
    assert graph.remove_vertices(VERTICES[form]()) == 0
    with graph.batch() as batch:
        batch.add_vertices(VERTICES[form]())
        batch.remove_vertices(VERTICES[form]())
        batch.add_edges([(IDS[ids][0], IDS[ids][2])])
    assert (len(graph), graph.num_edges) == (3, 3)


@pytest.mark.parametrize("ids", IDS)
def test_a_view_of_nothing(ids: str) -> None:
    """Of a graph that is small, and of one whose view is loaded in bulk."""
    for count in (3, 70_000):
        names = [f"v{i}" if ids == "string" else i for i in range(count)]
        graph = rz.open(None, ids=ids, vertices={"age": "int32"})
        graph.add_edges(pa.table({"source": names, "target": names[1:] + names[:1]}))
        graph.set_vertices({"vertex": names[:3], "age": [1, 2, 3]})
        assert len(graph.where(vertices="age > 100")) == 0
        assert len(graph.subgraph([])) == 0
        assert len(graph.where(vertices="age > 1")) == 2
