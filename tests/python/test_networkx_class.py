"""What `g.__class__` is good for: NetworkX's functions that ask no backend.  Everybody else sees a graph of Rizoma."""

from __future__ import annotations

import inspect
import pickle

import networkx as nx
import pytest
import rizoma as rz

LAYOUTS = [nx.spring_layout, nx.fruchterman_reingold_layout, nx.kamada_kawai_layout, nx.spectral_layout]
COPIES = {
    "create_empty_copy": nx.create_empty_copy,
    "edge_subgraph": lambda g: nx.edge_subgraph(g, [(0, 1)]),
    "induced_subgraph": lambda g: nx.induced_subgraph(g, [0, 1, 2]),
    "restricted_view": lambda g: nx.restricted_view(g, [0], [(1, 2)]),
    "subgraph_view": lambda g: nx.subgraph_view(g, filter_node=lambda v: v > 0),
}


def pair(directed: bool) -> tuple[nx.Graph, rz.Graph]:
    theirs = nx.cycle_graph(8, create_using=nx.DiGraph if directed else nx.Graph)
    mine = rz.open(None, directed=directed)
    mine.add_edges(list(theirs.edges))
    return theirs, mine


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda f: f.__name__)
def test_layouts_see_the_edges(layout, directed):
    theirs, mine = pair(directed)
    options = {"seed": 1} if "seed" in inspect.signature(layout).parameters else {}
    want, found = layout(theirs, **options), layout(mine, **options)
    assert all(found[v] == pytest.approx(want[v], abs=1e-6) for v in theirs)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", COPIES)
def test_copies_and_views_are_graphs_of_networkx(name, directed):
    theirs, mine = pair(directed)
    want, found = COPIES[name](theirs), COPIES[name](mine)
    assert type(found) is type(want)
    assert set(found.nodes) == set(want.nodes)
    assert {frozenset(edge) for edge in found.edges} == {frozenset(edge) for edge in want.edges}


@pytest.mark.parametrize("directed", [False, True])
def test_people_and_tools_see_a_graph_of_rizoma(tmp_path, directed):
    _, mine = pair(directed)
    shown = mine.__class__
    assert isinstance(mine, nx.DiGraph if directed else nx.Graph)
    assert type(mine) is rz.Graph
    assert isinstance(mine, rz.Graph)
    assert (shown.__module__, shown.__name__, shown.__doc__) == ("rizoma", "Graph", rz.Graph.__doc__)
    # IPython prints by the first class of the order of resolution whose own members have a __repr__.
    printer = next(cls for cls in shown.__mro__ if "__repr__" in vars(cls))
    assert vars(printer)["__repr__"](mine) == repr(mine)
    assert "Graph(:memory:" in repr(mine)
    assert mine.snapshot().__class__.__name__ == "Snapshot"
    assert mine.where().__class__.__name__ == "View"
    rz.open(tmp_path / "g.rz", directed=directed).close()
    with rz.open(tmp_path / "g.rz", mode="read_only") as stored, pickle.loads(pickle.dumps(stored)) as sent:
        assert type(sent) is rz.Graph
