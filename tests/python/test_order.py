"""The inner order: chosen by what is measured of the edges, told by info, and of no influence on answers."""

import numpy as np
import pytest
import rizoma as rz

SIDE = 280


def grid(scattered: bool) -> list[tuple[int, int]]:
    """A square of vertices, each joined to the next in its row and in its column."""
    numbers = np.random.default_rng(1).permutation(SIDE * SIDE) if scattered else np.arange(SIDE * SIDE)
    square = numbers.reshape(SIDE, SIDE)
    rows = np.column_stack([square[:, :-1].ravel(), square[:, 1:].ravel()])
    columns = np.column_stack([square[:-1].ravel(), square[1:].ravel()])
    return np.concatenate([rows, columns]).tolist()


def stars() -> list[tuple[int, int]]:
    """Hubs anywhere among vertices that are joined to some of them."""
    rng = np.random.default_rng(2)
    return np.column_stack([rng.integers(0, 9000, 150_000), rng.integers(0, 150, 150_000) * 60]).tolist()


@pytest.mark.parametrize(
    ("edges", "loaded", "compacted"),
    [(grid(False), "given", "given"), (grid(True), "given", "locality"), (stars(), "degree", "degree")],
    ids=["grid", "mixed", "hubs"],
)
def test_auto_chooses_by_the_edges_and_says_why(tmp_path, edges, loaded, compacted):
    with rz.open(tmp_path / "g.rz", ids="dense") as graph:
        graph.add_edges(edges, order="auto")
    with rz.open(tmp_path / "g.rz") as again:
        info = again.info()
        assert info.order == loaded
        assert "chosen" in info.order_reason
        assert info.order_reason in repr(info)
        assert info.to_dict()["order_reason"] == info.order_reason
        again.compact("given")
        assert again.info().order == "given"
        assert again.info().order_reason == ""
        again.compact("auto")
        assert again.info().order == compacted


@pytest.mark.parametrize("ids", ["dense", "integer", "string"])
def test_answers_do_not_depend_on_the_order(ids):
    edges = [(str(a), str(b)) if ids == "string" else (a, b) for a, b in grid(True)[:5000]]
    orders = {order: rz.open(None, ids=ids) for order in ("given", "locality")}
    for order, graph in orders.items():
        graph.add_edges(edges)
        graph.compact(order)
        assert graph.info().order == order
    source = edges[0][0]
    assert rz.bfs(orders["locality"], source).to_dict() == rz.bfs(orders["given"], source).to_dict()
    assert rz.triangle_count(orders["locality"]).to_dict() == rz.triangle_count(orders["given"]).to_dict()
    near, given = (rz.pagerank(orders[order]).to_dict() for order in ("locality", "given"))
    assert near.keys() == given.keys()
    assert all(abs(near[v] - given[v]) < 1e-9 for v in near)


def test_removed_vertices_do_not_come_back_with_a_new_order():
    graph = rz.open(None, ids="integer")
    graph.add_edges(grid(True), order="given")
    graph.remove_vertices([0, 1, 2])
    graph.compact("locality")
    assert graph.info().num_vertices == SIDE * SIDE - 3
    assert graph.info().removed_vertices == 0
    assert 1 not in graph


def test_info_says_whether_the_order_is_made_anew(tmp_path):
    with rz.open(tmp_path / "g.rz") as graph:
        graph.add_edges([(0, 1), (1, 2)])
        reordering = graph.info().reordering
        assert reordering["on"]
        assert not reordering["running"]
        assert (reordering["arrived"], reordering["done"], reordering["error"]) == (4, 0, "")
        assert "small" in reordering["next"]
        assert reordering["next"] in repr(graph.info())
        graph.compact("auto")
        assert graph.info().reordering["arrived"] == 0
    with rz.open(tmp_path / "g.rz", auto_reorder=False) as again:
        assert not again.info().reordering["on"]
    with rz.open(tmp_path / "g.rz", auto_reorder=True) as again:
        assert again.info().reordering["on"]
    assert not rz.open(None).info().reordering["on"]
    with pytest.raises(rz.InvalidArgumentError, match="auto_reorder is 'no'"):
        rz.open(tmp_path / "g.rz", auto_reorder="no")
