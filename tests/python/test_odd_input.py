"""Values that once passed for others, or gave another library's error."""

import warnings

import networkx as nx
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import rizoma as rz
from rizoma.graph.schema import arrow_values


@pytest.fixture
def path():
    g = rz.open(None, weights="float64")
    g.add_edges([("ann", "bob", 1.0), ("bob", "cem", 2.0)])
    return g


@pytest.mark.parametrize(
    "call",
    [
        lambda g: rz.betweenness_centrality(g, k=True),
        lambda g: rz.betweenness_centrality(g, k=1, seed=-1),
        lambda g: rz.betweenness_centrality(g, k=1, seed="x"),
        lambda g: rz.louvain(g, seed=-5),
        lambda g: rz.louvain(g, max_levels=2**40),
        lambda g: rz.leiden(g, resolution="x"),
        lambda g: rz.louvain(g, threshold=None),
        lambda g: rz.louvain(g, resolution=10**400),
        lambda g: rz.sssp(g, "ann", delta="x"),
        lambda g: rz.influence_maximization(g, 1, epsilon="x"),
        lambda g: rz.influence_maximization(g, 1, epsilon=None),
        lambda g: rz.influence_maximization(g, 1, delta="x"),
        lambda g: rz.influence_maximization(g, 1, weights=np.ones(3) * 1j),
        lambda g: rz.influence_maximization(g, 1, weights={"ann": 1j}),
        lambda g: rz.pagerank(g, personalization={"ann": 10**400}),
        lambda g: rz.pagerank(g, max_iter=2**31),
        lambda g: rz.pagerank(g, max_iter=1.5),
        lambda g: rz.pagerank(g, max_iter=True),
        lambda g: rz.bfs(g, "ann", max_depth=2**31),
        lambda g: rz.pagerank(g, personalization={"ann": "much"}),
        lambda g: rz.pagerank(g, personalization="ann"),
        lambda g: rz.pagerank(g, personalization=[[1.0, 2.0, 3.0]]),
        lambda g: rz.pagerank(g, personalization=[1.0]),
        lambda g: rz.pagerank(g, nstart=object()),
        lambda g: rz.pagerank(g).top(-1),
        lambda g: rz.connected_components(g).top(-1),
        lambda g: g.add_edges(np.zeros((3, 0))),
        lambda g: g.add_edges(np.zeros((0, 2, 2))),
        lambda g: g.set_vertices([{"vertex": "ann"}]),
        lambda g: g.set_vertices(3),
        lambda g: g.set_vertices({"vertex": 3}),
        lambda g: g.set_vertices({"vertex": ["ann", "bob"], "age": [1]}),
        lambda g: rz.influence(g, "ann"),
        lambda g: rz.influence(g, 3),
        lambda g: rz.influence_maximization(g, 1, seeds="ann"),
        lambda g: rz.louvain(g, start="nob"),
        lambda g: rz.louvain(g, start=["ann"]),
        lambda g: rz.leiden(g, start=3),
        lambda g: rz.leiden(g, start={"ann": None, "bob": 1}),
        lambda g: rz.modularity(g, {"ann": (1, 2), "bob": (1, 2), "cem": (3, 4)}),
        lambda g: rz.modularity(g, {"ann": 1, "bob": "1", "cem": 2}),
        lambda g: rz.read(pa.table({"a": [1], "b": [2]}), source=1.5, target="b"),
        lambda g: g.add_edges(pa.Table.from_arrays([pa.array(["x"])] * 3, ["source", "target", "target"])),
    ],
)
def test_it_is_refused_by_name(path, call):
    with pytest.raises(rz.InvalidArgumentError):
        call(path)


def test_a_result_contains_its_vertices(path):
    ranks = rz.pagerank(path)
    assert "ann" in ranks
    assert "eve" not in ranks
    assert ("ann", ranks["ann"]) not in ranks
    assert rz.pagerank(path).top(0) == []


def test_the_least_shares_are_shares(path):
    ranks = rz.pagerank(path, personalization={"ann": 5e-324}).to_dict()
    expected = rz.pagerank(path, personalization={"ann": 1.0}).to_dict()
    assert ranks == pytest.approx(expected, abs=1e-12)


def test_a_weight_too_small_for_a_float_is_zero(tmp_path):
    (tmp_path / "g.csv").write_text("source,target,weight\n0,1,1e-400\n1,2,-1e-999999999999\n2,3,0.5\n")
    g = rz.read(tmp_path / "g.csv")
    assert [g.weight(0, 1), g.weight(1, 2), g.weight(2, 3)] == [0, 0, 0.5]
    (tmp_path / "g.csv").write_text("source,target,weight\n0,1,1e400\n")
    with pytest.raises(rz.ParseError):
        rz.read(tmp_path / "g.csv")


def test_an_empty_id_is_exported_only_where_it_can_be_read_again(tmp_path):
    g = rz.open(None)
    g.add_edges([("", "b"), ("b", "c")])
    for name in ("g.csv", "g.tsv", "g.el"):
        with pytest.raises(rz.RizomaError, match="empty"):
            g.export(tmp_path / name)
    g.export(tmp_path / "g.parquet")
    assert sorted(rz.read(tmp_path / "g.parquet")) == ["", "b", "c"]


def test_networkx_gets_louvain_of_great_weights():
    g = nx.Graph()
    for i in range(0, 30, 3):
        g.add_edges_from([(i, i + 1), (i + 1, i + 2), (i, i + 2)], weight=1e308)
        g.add_edge(i, (i + 3) % 30, weight=1e300)
    stored = rz.open(None, weights="float64")
    stored.add_edges(g)
    assert rz.louvain(stored, seed=1).count == 10


def test_columns_of_csv_have_numbers(tmp_path):
    (tmp_path / "a.csv").write_text("x,y,z\n1,2,3\n4,5,6\n")
    with rz.read(tmp_path / "a.csv", source=2, target=0, directed=True) as graph:
        assert sorted(graph.edges) == [(3, 1), (6, 4)]


def test_two_columns_of_one_name_are_refused(tmp_path):
    columns = [pa.array([1]), pa.array([2]), pa.array([9.5]), pa.array([3.5])]
    for names in (["source", "target", "target", "x"], ["source", "target", "weight", "weight"]):
        table = pa.Table.from_arrays(columns, names)
        pq.write_table(table, tmp_path / "a.parquet")
        for data in (table, tmp_path / "a.parquet"):
            with pytest.raises(rz.InvalidArgumentError, match="2 columns are called"):
                rz.read(data)


def test_decimal_weights_of_a_parquet_file_are_weights(tmp_path):
    weights = pa.array([1.5, 2.25]).cast(pa.decimal128(5, 2))
    pq.write_table(pa.table({"source": [1, 2], "target": [2, 3], "weight": weights}), tmp_path / "a.parquet")
    with rz.read(tmp_path / "a.parquet") as graph:
        assert graph.weights == "float64"
        assert graph.weight(2, 3) == 2.25


def test_nested_columns_of_a_great_parquet_file_are_not_taken_for_ids(tmp_path):
    """The statistics of a file are those of leaves: a nested column before the ids has several."""
    count = (1 << 20) + 10
    numbers = np.arange(count)
    nested = pa.StructArray.from_arrays([pa.array(numbers), pa.array(np.full(count, "abc"))], ["n", "text"])
    ends = {"source": numbers * 1_000_003, "target": (numbers + 1) * 1_000_003}
    pq.write_table(pa.table({"x": nested, **ends}), tmp_path / "a.parquet")
    with rz.read(tmp_path / "a.parquet") as graph:
        assert (graph.ids, graph.num_edges) == ("integer", count)


def test_a_file_with_carriage_returns_alone_is_no_empty_graph(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"source,target\rann,bob\rbob,cem\r")
    with pytest.raises(rz.ParseError, match=r"a\.csv:1:14: .*carriage return"):
        rz.read(tmp_path / "a.csv")


def not_text(*values: bytes) -> pa.Array:
    """Strings that are not UTF-8, as a library hands them over that does not look."""
    binary = pa.array(values, pa.large_binary())
    return pa.Array.from_buffers(pa.large_string(), len(values), binary.buffers())


def add_in_a_batch(g, ids):
    with g.batch() as changes:
        changes.add_edges([("ann", "bob")])
        changes.add_vertices(ids)


def test_ids_and_values_that_are_no_text_are_refused(tmp_path):
    latin = not_text(b"ann", b"caf\xe9")
    table = pa.table({"source": latin, "target": ["bob", "cem"]})
    noted = pa.table({"source": ["ann", "bob"], "target": ["bob", "cem"], "note": latin})
    with rz.open(tmp_path / "g.rz", edges={"note": "string"}, vertices={"name": "string"}, ids="string") as g:
        for call in (
            lambda: g.add_edges(table),
            lambda: g.add_edges(noted),
            lambda: g.add_vertices(latin),
            lambda: g.add_vertices(pa.table({"vertex": ["ann", "bob"], "name": latin})),
            lambda: add_in_a_batch(g, latin),
            lambda: rz.read(table, into=tmp_path / "other.rz"),
            lambda: rz.read(noted, into=tmp_path / "other.rz", edges={"note": "string"}),
        ):
            with pytest.raises(rz.InvalidArgumentError, match="not UTF-8"):
                call()
        assert len(g) == 0
    assert not (tmp_path / "other.rz").exists()


def test_a_stored_value_that_is_no_text_is_an_error():
    values = (np.frombuffer(b"\xff", np.uint8), np.array([1], np.uint64), None)
    assert len(arrow_values(values, "binary")) == 1
    with pytest.raises(rz.UnsupportedError, match="rizoma check"):
        arrow_values(values, "string")


@pytest.mark.parametrize(
    ("rows", "warns"),
    [
        ([("source", "target"), ("a", "b")], True),
        ([("v1", "v2"), ("x", "y")], True),
        ([("v1", "v2"), ("v2", "v3")], False),  # an id in another row is no name
        ([("source", "target")], False),  # nothing that it could be the header of
        (np.array([["source", "target"], ["a", "b"]]), True),
        (np.array([["v1", "v2"], ["v2", "v3"]], object), False),
    ],
    ids=["names", "other names", "ids", "alone", "array of names", "array of ids"],
)
def test_a_first_row_of_names_is_told_unless_they_are_ids(rows, warns):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        rz.open(None).add_edges(rows)
    assert ["if it names the columns" in str(each.message) for each in told] == [True] * warns
