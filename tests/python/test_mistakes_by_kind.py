"""Kinds of mistakes, each over everything in which it can be made: place, cause and remedy."""

from __future__ import annotations

import copy
import gc
import inspect
import operator
import pickle
import weakref
from collections.abc import Callable
from typing import Any

import pytest
import rizoma as rz
from rizoma.core.aliases import FUNCTIONS

GRAPH = rz.open(None, directed=True, vertices={"label": "string"}, edges={"type": "string", "amount": "float64"})
GRAPH.add_edges(
    {"source": ["ann", "bob"], "target": ["bob", "cem"], "type": ["KNOWS", "PAID"], "amount": [2.5, 4.0]},
)
GRAPH.set_vertices({"vertex": ["ann", "bob", "cem"], "label": ["Person", "Person", "Shop"]})
with GRAPH.batch() as BATCH:
    pass

# An object of each class that has methods of its own.
OBJECTS: dict[str, Any] = {
    "Graph": GRAPH,
    "Snapshot": GRAPH.snapshot(),
    "View": GRAPH.undirected(),
    "Batch": BATCH,
    "EdgeScan": GRAPH.edges,
    "VertexScan": GRAPH.vertices,
    "Csr": GRAPH.csr(weight=None),
    "Matches": GRAPH.match("(a)-->(b)"),
    "Query": GRAPH.query("MATCH (a) RETURN a"),
    "PageRankResult": rz.pagerank(GRAPH),
    "BfsResult": rz.bfs(GRAPH, "ann"),
    "SsspResult": rz.sssp(GRAPH, "ann", weight=None),
    "ComponentsResult": rz.connected_components(GRAPH),
    "Neighbors": GRAPH.neighbors("ann"),
}


def methods(thing: Any) -> list[str]:
    """The public methods of an object."""
    found = {name: member for each in reversed(type(thing).__mro__) for name, member in vars(each).items()}
    return [name for name, member in found.items() if name[0] != "_" and inspect.isfunction(member)]


OLD_NAMES = {name.rpartition(".")[2] for name in FUNCTIONS}
METHODS = [(kind, name) for kind, thing in OBJECTS.items() for name in methods(thing) if name not in OLD_NAMES]

TAKEN_FOR_VALUES: list[Callable[[Any], object]] = [
    operator.itemgetter("ann"),
    operator.itemgetter(0),
    operator.attrgetter("num_edges"),
    iter,
    len,
    lambda method: method < 3,
    lambda method: "ann" in method,
    lambda method: operator.setitem(method, "ann", 3),
]


def test_there_is_an_object_of_each_kind() -> None:
    assert {kind: type(thing).__name__ for kind, thing in OBJECTS.items()} == {kind: kind for kind in OBJECTS}
    assert len(METHODS) > 150


@pytest.mark.parametrize(("kind", "name"), METHODS)
def test_a_method_that_is_taken_for_a_value_says_that_it_is_called(kind: str, name: str) -> None:
    method = getattr(OBJECTS[kind], name)
    for use in TAKEN_FOR_VALUES:
        with pytest.raises((TypeError, AttributeError)) as error:
            use(method)
        assert f"{kind}.{name} is a method" in str(error.value)
        assert f".{name}(" in str(error.value)


@pytest.mark.parametrize(
    ("call", "remedy"),
    [
        (lambda: GRAPH.neighbors["ann"], "write .neighbors('ann')"),
        (lambda: GRAPH.has_edge["ann", "bob"], "write .has_edge('ann', 'bob')"),
        (lambda: GRAPH.weight["ann"], "write .weight(u, v)"),
        (lambda: OBJECTS["PageRankResult"].top[3], "write .top(3)"),
        (lambda: OBJECTS["PageRankResult"].to_dict["ann"], "write .to_dict()['ann']"),
        (lambda: OBJECTS["PageRankResult"].to_numpy[0], "write .to_numpy()[0]"),
        (lambda: GRAPH.info.num_edges, "as in .info().num_edges"),
    ],
)
def test_what_is_meant_by_square_brackets(call: Callable[[], object], remedy: str) -> None:
    with pytest.raises((TypeError, AttributeError)) as error:
        call()
    assert remedy in str(error.value)


def test_methods_are_as_python_has_them() -> None:
    """What looks at functions and methods finds what they have."""
    method, function = GRAPH.match, type(GRAPH).match
    assert inspect.isfunction(function)
    assert inspect.ismethod(method)
    assert inspect.signature(method) == inspect.signature(function).replace(
        parameters=[each for name, each in inspect.signature(function).parameters.items() if name != "self"]
    )
    assert method.__self__ is GRAPH
    assert method.__name__ == function.__name__ == "match"
    assert method.__doc__ == function.__doc__
    assert method == GRAPH.match != GRAPH.query
    assert hash(method) == hash(GRAPH.match)
    assert bool(method)
    assert not hasattr(method, "count")
    assert "bound method" in repr(method)
    assert function(GRAPH, "(a)-->(b)").count() == 2
    assert list(map(GRAPH.neighbors, ["ann", "bob"])) == [["bob"], ["cem"]]
    ranks = OBJECTS["PageRankResult"]
    assert pickle.loads(pickle.dumps(ranks.get))("ann") == ranks["ann"]
    assert copy.copy(ranks).get("ann") == ranks["ann"]


def test_a_bound_method_keeps_its_object_and_is_collected_with_it() -> None:
    graph = rz.open(None)
    alive, info = weakref.ref(graph), graph.info
    del graph
    assert alive() is not None
    assert info().num_edges == 0
    del info
    assert alive() is None
    graph = rz.open(None)
    graph.own = graph.info  # type: ignore[attr-defined]
    alive = weakref.ref(graph)
    del graph
    gc.collect()
    assert alive() is None


@pytest.mark.parametrize(
    ("index", "error", "said"),
    [
        ("bob", TypeError, r"'bob' is no number; g\[u\]\[v\] has the edge to a neighbour"),
        (0.5, TypeError, "0.5 is no number"),
        (None, TypeError, "None is no number"),
        (3, IndexError, "no neighbour has the number 3; they are numbered 0 to 0"),
        (2**70, IndexError, "cannot fit"),
    ],
)
def test_an_index_that_neighbours_do_not_have(index: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        GRAPH.neighbors("ann")[index]


@pytest.mark.parametrize(
    ("use", "remedy"),
    [
        (lambda found: found.append("cem"), r"add_edges\(\[\(u, v\)\]\)"),
        (lambda found: found.remove("cem"), r"remove_edges\(\[\(u, v\)\]\)"),
        (lambda found: found.sort(), r"sorted\("),
        (lambda found: found.items(), r"g\[v\]"),
        (lambda found: found.weigths(), "did you mean weights"),
        (lambda found: found & {"ann"}, r"write set\(g.neighbors\(v\)\) & ..."),
        (lambda found: operator.add(found, ["ann"]), r"write list\(g.neighbors\(v\)\) \+ ..."),
        (lambda found: operator.add(["ann"], found), r"write list\(g.neighbors\(v\)\) \+ ..."),
        (lambda found: found - found, r"write set\(g.neighbors\(v\)\) - ..."),
    ],
)
def test_what_neighbors_do_not_have(use: Callable[[Any], object], remedy: str) -> None:
    with pytest.raises((TypeError, AttributeError), match=remedy):
        use(GRAPH.neighbors("ann"))
