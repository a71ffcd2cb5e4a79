"""Results as arrays, tables, dicts, files and text."""

from __future__ import annotations

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
import rizoma as rz
from pyarrow import csv, parquet


@pytest.fixture
def graph():
    graph = rz.open(None, directed=True)
    graph.add_edges([("a", "b"), ("b", "c"), ("c", "a"), ("d", "a")])
    return graph


def test_arrays_and_ids_are_parallel(graph):
    result = rz.pagerank(graph)
    values = result.to_numpy()
    assert result.ids.tolist() == ["a", "b", "c", "d"]
    assert [result[v] for v in result.ids] == values.tolist()
    assert np.asarray(result) is values or np.shares_memory(np.asarray(result), values)
    assert np.asarray(result, np.float32).dtype == np.float32
    assert values.sum() == pytest.approx(1)


def test_arrays_outlive_everything(graph):
    values = rz.pagerank(graph).to_numpy()
    graph.close()
    assert values.sum() == pytest.approx(1)


def test_unreached_vertices(graph):
    result = rz.bfs(graph, "a")
    assert result.levels.tolist() == [0, 1, 2, -1]
    assert result.to_arrow().to_pydict() == {
        "vertex": ["a", "b", "c", "d"],
        "level": [0, 1, 2, None],
        "parent": ["a", "a", "b", None],
    }
    assert result.to_dict() == {"a": 0, "b": 1, "c": 2}
    assert result["d"] is None
    assert (result.reached, result.depth, result.source) == (3, 2, "a")
    far = rz.sssp(graph, "a")
    assert far["d"] == float("inf")
    assert "d" not in far.to_dict()
    assert [v for v, _ in far.top(5)] == ["c", "b", "a"]


def test_a_search_answers_for_single_vertices_before_it_has_an_array_of_all(tmp_path):
    many = [(i, (i * a + 1) % 500) for i in range(500) for a in (3, 7)]
    with rz.open(tmp_path / "two") as graph:
        graph.add_edges(many + [(i, i + 1) for i in range(1000, 1010)])
        for _ in range(3):
            whole = rz.bfs(graph, 0)  # leaves values after in memory that the next search uses
            assert whole.reached > 100
            few = rz.bfs(graph, 1005)
            assert [few[v] for v in range(1000, 1011)] == [5, 4, 3, 2, 1, 0, 1, 2, 3, 4, 5]
            assert few[3] is None
            assert (few.reached, few.depth) == (11, 5)
            assert few.levels is few.levels
            assert (few.levels >= 0).sum() == (few.parents >= 0).sum() == 11
            assert few.to_dict() == {v: abs(v - 1005) for v in range(1000, 1011)}
            assert few[1010] == 5
            assert few[3] is None


def test_tables(graph):
    result = rz.triangle_count(graph)
    assert result.total == 1
    want = {"vertex": ["a", "b", "c", "d"], "triangles": [1, 1, 1, 0]}
    assert result.to_arrow().to_pydict() == want
    assert result.to_pandas().to_dict("list") == want
    assert result.to_polars().to_dict(as_series=False) == want
    assert pl.DataFrame(result).height == 4
    assert pa.table(result).num_rows == 4
    assert dict(result) == result.to_dict() == {"a": 1, "b": 1, "c": 1, "d": 0}
    assert len(result) == 4


KERNELS = {
    "degrees": lambda g: g.degrees(),
    "pagerank": rz.pagerank,
    "bfs": lambda g: rz.bfs(g, "a"),
    "connected_components": rz.connected_components,
    "betweenness_centrality": rz.betweenness_centrality,
    "sssp": lambda g: rz.sssp(g, "a"),
    "triangle_count": rz.triangle_count,
    "core_number": rz.core_number,
    "clustering": rz.clustering,
    "closeness_centrality": rz.closeness_centrality,
    "harmonic_centrality": rz.harmonic_centrality,
    "louvain": rz.louvain,
    "strongly_connected_components": rz.strongly_connected_components,
}


@pytest.mark.parametrize("name", KERNELS)
def test_every_result_goes_out_in_every_way(graph, name):
    result = KERNELS[name](graph)
    values = result.to_numpy()
    assert np.array_equal(np.asarray(result), values, equal_nan=values.dtype.kind == "f")
    assert np.shares_memory(np.from_dlpack(result), values)
    table = result.to_arrow()
    assert pa.table(result).equals(table)
    assert result.to_pandas().columns.tolist() == result.to_polars().columns == table.column_names
    assert {"a", "b", "c"} <= set(result.to_dict()) <= {"a", "b", "c", "d"}  # d is not reached from a


def test_top():
    graph = rz.open(None)
    graph.add_edges([(0, i) for i in range(1, 50)] + [(1, 2)])
    degrees = graph.degrees()
    assert degrees.top(3) == [(0, 49), (1, 2), (2, 2)]
    assert degrees.top(0) == []
    assert len(degrees.top(1000)) == 50
    assert degrees.top_table(2).schema.names == ["vertex", "degree"]


@pytest.mark.parametrize("name", ["r.parquet", "r.csv", "r.tsv", "r.csv.gz", "r.csv.zst"])
def test_write(graph, tmp_path, name):
    path = tmp_path / name
    result = rz.pagerank(graph)
    result.write(path)
    options = csv.ParseOptions(delimiter="\t" if "tsv" in name else ",")
    if name.endswith("parquet"):
        table = parquet.read_table(path)
    else:
        codec = {".gz": "gzip", ".zst": "zstd"}.get(path.suffix)
        with pa.input_stream(str(path), compression=codec) as stream:
            table = csv.read_csv(stream, parse_options=options)
    assert dict(zip(table[0].to_pylist(), table[1].to_pylist(), strict=True)) == pytest.approx(result.to_dict())
    assert list(tmp_path.iterdir()) == [path]


def test_write_refuses_unknown_names_and_places(graph, tmp_path):
    with pytest.raises(ValueError, match="cannot tell the format"):
        rz.pagerank(graph).write(tmp_path / "r.xyz")
    with pytest.raises(OSError, match="cannot write"):
        rz.pagerank(graph).write(tmp_path / "nowhere" / "r.csv")


def test_how_it_was_got(graph):
    ranks = rz.pagerank(graph, threads=2)
    assert ranks.converged
    assert ranks.iterations > 1
    assert ranks.threads == 2
    assert ranks.seconds > 0
    assert not rz.pagerank(graph, max_iter=1).converged
    assert rz.betweenness_centrality(graph, k=2, seed=1).sources == 2
    components = rz.connected_components(graph)
    assert (components.count, components.largest) == (1, 4)
    assert components.sizes().to_pydict() == {"component": [components["a"]], "size": [4]}


def test_printing(graph):
    text = repr(rz.pagerank(graph, threads=1))
    assert text.startswith("PageRank of 4 vertices: ")
    assert "1 thread" in text
    assert len(text.splitlines()) == 6
    html = rz.bfs(graph, "a")._repr_html_()
    assert "<th>level</th>" in html


def test_an_empty_graph():
    graph = rz.open(None)
    for run in (rz.pagerank, rz.connected_components, rz.triangle_count, rz.betweenness_centrality):
        result = run(graph)
        assert len(result) == 0
        assert result.to_dict() == {}
        assert repr(result)


def test_results_speak_of_the_state_they_were_made_from(graph):
    result = rz.pagerank(graph)
    graph.add_edges([("e", "a")])
    assert len(result) == 4
    with pytest.raises(KeyError, match="'e'"):
        result["e"]


def test_get_gives_the_default_where_there_is_no_value():
    graph = rz.open(None, directed=True, weights="float64")
    graph.add_edges([("a", "b", 1.0), ("c", "a", 1.0)])
    for result in (rz.bfs(graph, "a"), rz.sssp(graph, "a")):
        assert result.get("b") == 1
        assert result.get("c", -1) == result.to_dict().get("c", -1) == -1
        assert result.get("nobody", -2) == -2
        assert "c" not in dict(result.items())


def test_one_iteration_is_told_as_one():
    graph = rz.open(None)
    graph.add_edges([(0, 1), (1, 2), (2, 0)])
    ranks = rz.pagerank(graph)
    assert ranks.iterations == 1
    assert ": 1 iteration, converged" in repr(ranks)
