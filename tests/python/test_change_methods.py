"""A graph and a batch change by one set of methods, which differ in when they commit alone."""

from __future__ import annotations

import inspect

import pytest
import rizoma as rz
from rizoma.graph.change import ChangeMethods

METHODS = [name for name, _ in inspect.getmembers(ChangeMethods, inspect.isfunction) if name[0] != "_"]
CALLS = {
    "add_vertices": ([5, 6],),
    "set": ((0, 1),),
    "set_edges": ({"source": [0], "target": [1], "note": ["x"]},),
    "set_vertices": ({"vertex": [0], "age": [41]},),
    "set_weights": ([(0, 1, 7.0)],),
    "remove_edges": ([(1, 2)],),
    "remove_vertices": ([3],),
}


def graph() -> rz.Graph:
    made = rz.open(None, weights=True, edges={"note": "string"}, vertices={"age": "int64"})
    made.add_edges([(0, 1, 1.0), (1, 2, 2.0), (2, 3, 3.0)])
    return made


def test_all_methods_are_tried():
    assert set(METHODS) == set(CALLS)


@pytest.mark.parametrize("name", METHODS)
def test_neither_class_has_a_version_of_its_own(name):
    assert getattr(rz.Graph, name) is getattr(rz.Batch, name) is getattr(ChangeMethods, name)


@pytest.mark.parametrize("name", METHODS)
def test_a_batch_makes_the_change_that_a_graph_makes(name):
    values = {"note": "x", "weight": 4} if name == "set" else {}
    at_once, gathered = graph(), graph()
    counted = getattr(at_once, name)(*CALLS[name], **values)
    with gathered.batch() as batch:
        assert getattr(batch, name)(*CALLS[name], **values) is None
        assert gathered.edges.to_arrow().equals(graph().edges.to_arrow())  # nothing yet
    for of in ("edges", "vertices"):
        assert getattr(at_once, of).to_arrow().equals(getattr(gathered, of).to_arrow())
    assert not at_once.vertices.to_arrow().equals(graph().vertices.to_arrow()) or not at_once.edges.to_arrow().equals(
        graph().edges.to_arrow()
    )
    assert counted is None if name in ("add_vertices", "set") else counted == 1


def test_setting_a_weight_and_a_value_of_an_edge_is_one_change():
    changed = graph()
    with pytest.raises(rz.InvalidArgumentError):
        changed.set((0, 1), weight=float("nan"), note="x")
    with pytest.raises(rz.ColumnNotFoundError):
        changed.set((0, 1), weight=9, nothing="x")
    assert changed.weight(0, 1) == 1
