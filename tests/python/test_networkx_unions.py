"""Functions of the NetworkX backend that take several graphs: the same answers as NetworkX."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import networkx as nx
import pytest
import rizoma as rz
import rizoma.networkx as rzx
from networkx_cases import TOGETHER, assert_same, graphs, public
from rizoma.networkx.backend import FUNCTIONS

pytestmark = pytest.mark.filterwarnings("ignore:Note. conversions to backend graphs")

GRAPHS = dict(graphs())


def others_of(graph: Any) -> Iterator[Any]:
    """Graphs to take together with this one: equal, of the same nodes, of some of them, of none, of other kinds."""
    yield graph.copy()
    draw = random.Random(1)
    same = graph.copy()
    same.remove_edges_from(draw.sample([*graph.edges], graph.number_of_edges() // 3))
    same.graph["of"] = "same"
    nx.set_node_attributes(same, 3, "mark")
    yield same
    yield graph.subgraph([*graph][::2]).copy()
    yield nx.relabel_nodes(graph, {n: f"other {n}" for n in graph})
    yield from (nx.DiGraph([(0, 1)]), nx.MultiGraph([(0, 1), (0, 1)]))


def outcome(function: Any, args: tuple[Any, ...], backend: str) -> tuple[Any, Exception | None]:
    try:
        return function(*args, backend=backend), None
    except Exception as error:  # whatever NetworkX raises is to be raised by the backend
        return None, error


def test_the_functions_of_several_graphs_are_there():
    assert FUNCTIONS.keys() >= TOGETHER


@pytest.mark.parametrize("name", sorted(TOGETHER))
def test_same_as_networkx(name):
    function = public(name)
    answered = 0
    for kind, graph in GRAPHS.items():
        for other in others_of(graph):
            cases = [([graph, other],), ([graph, other, graph],)] if name.endswith("_all") else [(graph, other)]
            if name in ("union", "full_join"):
                cases.append((graph, other, ("a", None)))
            for args in cases:
                if name == "is_isomorphic" and len(graph) > 40 and [*other] != [*graph]:
                    continue  # NetworkX's search may take for ever
                want, expected = outcome(function, args, "networkx")
                got, error = outcome(function, args, "rizoma")
                where = f"{name}({kind}, {args[1:]})"
                if isinstance(error, NotImplementedError):
                    continue  # NetworkX runs it then
                assert type(expected) is type(error), f"{where}: {expected!r} is not {error!r}"
                if expected is not None:
                    continue
                answered += 1
                if name.startswith("intersection"):  # NetworkX has the nodes in the order of a set
                    assert nx.utils.graphs_equal(want, got), where
                else:
                    assert_same(want, got, where)
    assert answered > 0


@pytest.mark.parametrize("name", sorted(name for name in TOGETHER if name.endswith("_all")))
def test_no_graphs_at_all(name):
    with pytest.raises(ValueError, match="empty list"):
        public(name)([], backend="rizoma")


def test_isomorphic_or_not():
    ring = nx.cycle_graph(60)
    turned = nx.relabel_nodes(ring, {n: (7 * n) % 60 for n in ring})
    halves = nx.disjoint_union(nx.cycle_graph(30), nx.cycle_graph(30))
    assert nx.is_isomorphic(ring, turned, backend="rizoma") is True
    assert nx.is_isomorphic(ring, halves, backend="rizoma") is False
    assert nx.is_isomorphic(ring, nx.path_graph(60), backend="rizoma") is False
    arcs = nx.DiGraph([(0, 1), (0, 2)])
    assert nx.is_isomorphic(arcs, arcs.reverse(), backend="rizoma") is False
    nx.set_edge_attributes(ring, 1, "w")
    same = nx.algorithms.isomorphism.numerical_edge_match("w", 0)
    assert nx.is_isomorphic(ring, turned, edge_match=same, backend="rizoma") is False


def test_names_of_attributes_need_not_be_strings():
    multi = nx.MultiGraph()
    multi.add_edges_from([(0, 1, 0, {0: "zero"}), (0, 1, 1, {(1, 2): "pair"})])
    named = nx.relabel_nodes(multi, {0: "a"}, backend="rizoma")
    assert sorted(map(repr, named["a"][1].values())) == ["{(1, 2): 'pair'}", "{0: 'zero'}"]


def test_stored_graphs_are_renamed_without_dictionaries(tmp_path):
    with rz.open(tmp_path / "g.rz", ids="string") as graph:
        graph.add_edges([("a", "b"), ("b", "c")])
        numbers = nx.convert_node_labels_to_integers(graph)
        assert "_adj" not in numbers.__dict__
        assert sorted(numbers.edges) == [(0, 1), (1, 2)]
        named = nx.relabel_nodes(graph, {"a": "z"})
        assert sorted(map(sorted, named.edges)) == [["b", "c"], ["b", "z"]]
        one = nx.relabel_nodes(graph, {"a": "c"})
        assert sorted(map(sorted, one.edges)) == [["b", "c"]]
        both = nx.union(graph, rzx.from_networkx(nx.path_graph(3)))
        assert both.number_of_edges() == 4
        assert nx.contracted_nodes(graph, "a", "c").number_of_edges() == 1
        assert nx.is_isomorphic(graph, rzx.from_networkx(nx.path_graph(3)))
        assert graph.num_edges == 2
