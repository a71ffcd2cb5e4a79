"""PyTorch Geometric over a stored graph; skipped where it is not installed, for it is no dependency of the tests."""

import subprocess
import sys

import numpy as np
import pytest
import rizoma as rz

EDGES = [("a", "b"), ("c", "b"), ("d", "c"), ("d", "a"), ("b", "d"), ("e", "a")]


def test_without_pytorch_geometric_the_import_says_what_to_install():
    code = """
import sys
sys.modules["torch_geometric"] = None
try:
    import rizoma.geometric
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install torch torch_geometric" in done.stdout


@pytest.fixture
def torch():
    pytest.importorskip("torch_geometric", reason="PyTorch Geometric is not installed")
    return pytest.importorskip("torch")


@pytest.fixture
def graph(tmp_path):
    with rz.open(
        tmp_path / "g.rz",
        directed=True,
        vertices={"embedding": "list<float32>", "label": "uint16", "name": "string", "age": "float64", "since": "date"},
    ) as stored:
        stored.add_edges(EDGES)
        stored.set_vertices(
            {
                "vertex": list("abcde"),
                "embedding": [[float(i), i + 0.5] for i in range(5)],
                "label": list(range(5)),
                "name": list("vwxyz"),
                "age": [1.0, None, 3.0, 4.0, 5.0],
                "since": ["2026-01-01"] * 5,
            }
        )
        yield stored


def test_a_batch_has_the_neighbourhood_and_the_features_of_its_seeds(torch, graph):
    from rizoma.geometric import ids, neighbor_loader

    loader = neighbor_loader(graph, ["b", "a", "d"], [-1, -1], batch_size=2)
    batches = list(loader)
    graph.compact("degree")  # gives the vertices of the graph other numbers
    assert [batch.batch_size for batch in batches] == [2, 1]
    first = batches[0]
    names = ids(loader, first.n_id)
    assert names[:2] == ["b", "a"]
    told = {(names[u], names[v]) for u, v in first.edge_index.t().tolist()}
    assert told == {("a", "b"), ("c", "b"), ("d", "a"), ("e", "a"), ("d", "c"), ("b", "d")}
    assert first.embedding.tolist() == [["abcde".index(v), "abcde".index(v) + 0.5] for v in names]
    assert first.label.dtype == torch.int64
    assert first.label.tolist() == ["abcde".index(v) for v in names]
    assert np.isnan(first.age[0].item())
    assert first.since.dtype == torch.int32
    assert not hasattr(first, "name")


def test_at_most_so_many_neighbours_are_drawn_by_the_seed_of_torch(torch, graph):
    from rizoma.geometric import neighbor_loader

    def drawn(seed):
        torch.manual_seed(seed)
        return [
            batch.edge_index.tolist() for batch in neighbor_loader(graph, list("abcde"), [1], columns=[], batch_size=5)
        ]

    assert drawn(1) == drawn(1)
    assert len({str(drawn(seed)) for seed in range(20)}) > 1
    assert all(len(edges[0]) == 4 for edges in drawn(3))  # of five vertices, e has no in-edge


def test_a_model_learns_from_it(torch, graph):
    from rizoma.geometric import neighbor_loader
    from torch_geometric.nn import SAGEConv

    torch.manual_seed(0)
    model = SAGEConv(2, 2)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    losses = []
    for _ in range(30):
        for batch in neighbor_loader(graph, list("abcde"), [-1], columns=["embedding", "label"], batch_size=5):
            optimizer.zero_grad()
            out = model(batch.embedding, batch.edge_index)[: batch.batch_size]
            loss = torch.nn.functional.cross_entropy(out, batch.label[: batch.batch_size] % 2)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    assert losses[-1] < losses[0]


def test_the_stores_answer_as_those_of_data_do(torch, graph):
    from rizoma.geometric import Edges, Features

    features, edges = Features(graph), Edges(graph)
    labels = ["abcde".index(str(v)) for v in graph]  # by internal id
    assert features.get_tensor_size(group_name=None, attr_name="embedding") == (5, 2)
    assert features.get_tensor(group_name=None, attr_name="label", index=slice(1, 3)).tolist() == labels[1:3]
    mask = torch.tensor([True, False, False, True, False])
    assert features.get_tensor(group_name=None, attr_name="label", index=mask).tolist() == [labels[0], labels[3]]
    offsets, targets = edges.get_edge_index(None, "csr")
    assert offsets.tolist()[-1] == len(targets) == len(EDGES)
    row, _colptr, _ = edges.csc()
    assert sum(len(part) for part in (row.values() if isinstance(row, dict) else [row])) == len(EDGES)


def test_what_cannot_be_is_refused_by_name(torch, graph):
    from rizoma.geometric import Features, Sampler, neighbor_loader

    with pytest.raises(rz.InvalidArgumentError, match="no column 'height'"):
        Features(graph, ["height"])
    with pytest.raises(rz.InvalidArgumentError, match="of type string"):
        Features(graph, ["name"])
    with pytest.raises(rz.VertexNotFoundError, match="'z'"):
        neighbor_loader(graph, ["a", "z"], [1])
    with pytest.raises(rz.UnsupportedError, match="set_vertices"):
        Features(graph).put_tensor(torch.zeros(5), group_name=None, attr_name="label", index=None)
    one_way = rz.read(EDGES, directed=True, in_edges=False)
    with pytest.raises(rz.InvalidArgumentError, match="in-edges"):
        Sampler(one_way, [1])
    graph.add_edges([("f", "a")])
    with pytest.raises(rz.InvalidArgumentError, match="vertex 'f' has no value in column 'label'"):
        list(neighbor_loader(graph, ["f"], [1], columns=["label"]))


def test_the_loader_keeps_its_state_while_the_graph_changes(torch, graph):
    from rizoma.geometric import neighbor_loader

    loader = neighbor_loader(graph, ["a"], [-1], columns=["label"])
    graph.add_edges([("c", "a")])
    assert next(iter(loader)).edge_index.shape == (2, 2)
    assert next(iter(neighbor_loader(graph, ["a"], [-1], columns=["label"]))).edge_index.shape == (2, 3)


def test_edges_of_undirected_graphs_lead_to_the_seeds(torch):
    from rizoma.geometric import ids, neighbor_loader

    graph = rz.read([("a", "b"), ("b", "c")])
    batch = next(iter(neighbor_loader(graph, ["b"], [-1])))
    names = ids(graph, batch.n_id)
    assert {(names[u], names[v]) for u, v in batch.edge_index.t().tolist()} == {("a", "b"), ("c", "b")}


def test_a_vertex_that_is_given_twice_is_drawn_for_twice(torch):
    from rizoma.geometric import neighbor_loader

    graph = rz.read([("a", "b"), ("c", "b")], directed=True)
    (batch,) = neighbor_loader(graph, ["b", "b"], [-1], batch_size=2)
    assert batch.num_nodes == 4
    assert sorted(batch.edge_index[1].tolist()) == [0, 0, 1, 1]


def test_columns_that_a_batch_cannot_have_and_workers_are_refused(torch):
    from rizoma.geometric import Features, neighbor_loader

    with rz.open(None, vertices={"n_id": "int64"}) as graph:
        graph.add_edges([(1, 2)])
        with pytest.raises(rz.InvalidArgumentError, match="'n_id'"):
            Features(graph)
        with pytest.raises(rz.InvalidArgumentError, match="num_workers"):
            neighbor_loader(graph, [1], [1], columns=[], num_workers=2)
