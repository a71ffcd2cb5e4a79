"""Influence maximization and simulation from Python; the kernels' own tests compare with enumeration."""

from __future__ import annotations

import itertools
import math

import networkx as nx
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import rizoma as rz


def chain() -> rz.Graph:
    graph = rz.open(None, directed=True, weights="float64")
    graph.add_edges([("a", "b", 0.5), ("b", "c", 0.25), ("x", "y", 1.0), ("y", "z", 1.0)])
    return graph


def test_influence_of_a_chain():
    graph = chain()
    found = rz.influence(graph, ["a"], probability="weight", runs=50_000, seed=1)
    assert found.mean == pytest.approx(1 + 0.5 + 0.125, abs=0.02)
    assert found.low < found.mean < found.high
    assert rz.influence(graph, ["a", "x"], probability=1, runs=10) == (6, 6, 6)
    assert rz.influence(graph, ["a"], "lt", "weighted", runs=10).mean == 3
    assert rz.influence(graph, [], runs=10).mean == 0
    same = [rz.influence(graph, ["a"], probability="weight", seed=7, threads=t) for t in (1, 2, 3)]
    assert same[0] == same[1] == same[2]


@pytest.mark.parametrize("method", ["opim", "imm"])
@pytest.mark.parametrize("model", ["ic", "lt"])
def test_seeds_are_nearly_the_best(method, model):
    given = nx.gnm_random_graph(14, 30, seed=3, directed=True)
    graph = rz.open(None, directed=True)
    graph.add_vertices(list(given))
    graph.add_edges(given)
    found = rz.influence_maximization(graph, 2, model, "weighted", 0.1, 0.01, method, seed=1)
    best = max(
        rz.influence(graph, pair, model, "weighted", 4000, seed=2).mean for pair in itertools.combinations(given, 2)
    )
    got = rz.influence(graph, found.seeds, model, "weighted", 40_000, seed=4).mean
    assert got > 0.93 * best
    assert found.guarantee > 1 - 1 / math.e - 0.1 - 1e-9
    assert found.spread == pytest.approx(got, rel=0.1)
    assert found.lower_bound <= found.spread <= found.upper_bound
    assert found.rr_sets > 0
    assert found.rr_set_bytes > 0
    assert sum(row["gain"] for row in found.to_arrow().to_pylist()) == pytest.approx(found.spread, rel=0.1)


@pytest.mark.parametrize("method", ["opim", "imm"])
@pytest.mark.parametrize("model", ["ic", "lt"])
def test_weights_say_what_a_vertex_counts(method, model):
    given = nx.gnm_random_graph(14, 30, seed=3, directed=True)
    counts = {v: float(v % 5) ** 3 for v in given}  # some of them nothing
    graph = rz.open(None, directed=True, vertices={"worth": "float64", "name": "string"})
    graph.add_vertices(pa.table({"vertex": list(counts), "worth": list(counts.values())}))
    graph.add_edges(given)
    found = rz.influence_maximization(graph, 2, model, "weighted", 0.1, 0.01, method, seed=1, weights="worth")
    best = max(
        rz.influence(graph, pair, model, "weighted", 4000, seed=2, weights=counts).mean
        for pair in itertools.combinations(given, 2)
    )
    got = rz.influence(graph, found.seeds, model, "weighted", 40_000, seed=4, weights="worth").mean
    assert got > 0.93 * best
    assert found.spread == pytest.approx(got, rel=0.1)
    assert found.lower_bound <= found.spread <= found.upper_bound <= sum(counts.values())
    assert "reach a weight of" in repr(found)
    same = rz.influence_maximization(graph, 2, model, "weighted", 0.1, 0.01, method, seed=1, weights=counts, threads=3)
    assert (same.seeds, same.spread) == (found.seeds, found.spread)


def test_the_weight_of_what_is_reached():
    graph = chain()
    graph.add_vertices(["alone"])
    counts = {"a": 4.0, "b": 2.0, "c": 8.0, "alone": 100.0}
    found = rz.influence(graph, ["a"], probability="weight", runs=50_000, seed=1, weights=counts)
    assert found.mean == pytest.approx(4 + 0.5 * 2 + 0.125 * 8, abs=0.05)
    assert found.low < found.mean < found.high
    assert rz.influence_maximization(graph, 1, probability=1, seed=1, weights=counts).seeds == ["alone"]
    assert rz.influence_maximization(graph, 1, probability=1, seed=1, weights={"z": 1, "x": 1.5}).seeds == ["x"]
    graph.remove_vertices(["alone"])
    counts.pop("alone")
    assert rz.influence_maximization(graph, 1, probability=1, seed=1, weights=counts).seeds == ["a"]
    for wrong in ("no such column", {"a": -1.0}, {"a": math.inf}, {"a": 0.0}, [1.0]):
        for call in (rz.influence_maximization, rz.influence):
            with pytest.raises(rz.InvalidArgumentError, match="weight"):
                call(graph, *([["a"]] if call is rz.influence else [1]), weights=wrong)
    named = rz.open(None, vertices={"name": "string"})
    named.add_edges([(0, 1)])
    with pytest.raises(rz.InvalidArgumentError, match="name a column of numbers"):
        rz.influence(named, [0], weights="name")


def test_a_series_counts_by_its_index():
    graph = chain()
    series = pd.Series([1.0, 5.0], index=["x", "c"])
    assert rz.influence(graph, ["c"], runs=10, weights=series).mean == 5
    assert rz.influence(graph, ["a"], probability=0, runs=10, weights=series).mean == 0
    shares = rz.pagerank(graph, personalization=series).to_dict()
    assert shares == rz.pagerank(graph, personalization={"x": 1.0, "c": 5.0}).to_dict()
    with pytest.raises(rz.VertexNotFoundError):
        rz.influence(graph, ["a"], weights=pd.Series(np.ones(6)))
    with pytest.raises(rz.InvalidArgumentError, match="twice"):
        rz.influence(graph, ["a"], weights=pd.Series([1.0, 2.0], index=["a", "a"]))


def test_weights_are_a_result_of_the_same_state():
    graph = chain()
    ranks = rz.pagerank(graph)
    assert rz.influence(graph, ["a"], probability=0, runs=10, weights=ranks).mean == pytest.approx(ranks["a"])
    other = rz.open(None, directed=True)
    other.add_edges([("z", "y"), ("y", "x"), ("c", "b"), ("b", "a")])
    with pytest.raises(rz.InvalidArgumentError, match="another state"):
        rz.influence(other, ["a"], weights=ranks)


def test_errors_and_pictures_speak_of_weights_and_ids():
    graph = chain()
    for call in (rz.influence_maximization, rz.influence):
        first = 1 if call is rz.influence_maximization else ["a"]
        with pytest.raises(rz.InvalidArgumentError, match="vertex 'c'"):
            call(graph, first, weights={"c": -1.0})
        with pytest.raises(rz.InvalidArgumentError, match="vertex: weight"):
            call(graph, first, weights=[object()])
    found = rz.influence_maximization(graph, 1, probability=1, seed=1, weights={"a": 0.25, "b": 0.5})
    assert "reach a weight of 0.75," in repr(found)


@pytest.mark.parametrize("weight", [5e-324, 1e307, 1.7e308])
@pytest.mark.parametrize("method", ["opim", "imm"])
def test_weights_of_any_size(weight, method):
    graph = chain()
    found = rz.influence_maximization(graph, 1, probability=1, seed=1, weights={"a": weight}, method=method)
    assert found.seeds == ["a"]
    assert found.spread == pytest.approx(weight)
    assert rz.influence(graph, ["a"], runs=1000, weights={"a": weight}).high == pytest.approx(weight)


def test_seeds_come_as_ids_in_order():
    graph = chain()
    found = rz.influence_maximization(graph, 2, probability=1, seed=1)
    assert set(found.seeds) == {"a", "x"}
    assert found.to_arrow().column("vertex").to_pylist() == found.seeds
    assert len(found) == 2
    assert "seeds that reach" in repr(found)
    more = rz.influence_maximization(graph, 1, probability=1, seeds=["x"], seed=1)
    assert more.seeds == ["a"]


def test_what_makes_no_sense_is_refused():
    graph = chain()
    for wrong in (
        {"k": 0}, {"k": 7}, {"epsilon": 0}, {"delta": 1}, {"model": "sir"}, {"method": "best"},
        {"probability": 2}, {"probability": "no such column"}, {"probability": None},
    ):  # fmt: skip
        with pytest.raises(rz.InvalidArgumentError):
            rz.influence_maximization(graph, **{"k": 2, **wrong})
    with pytest.raises(rz.VertexNotFoundError):
        rz.influence_maximization(graph, 1, seeds=["nobody"])
    with pytest.raises(rz.VertexNotFoundError):
        rz.influence(graph, ["nobody"])
    graph.add_edges([("a", "z", 3.0)])
    with pytest.raises(rz.InvalidArgumentError, match="'a'"):
        rz.influence_maximization(graph, 1, probability="weight")


def test_rr_sets_beyond_the_memory_limit_are_spilled():
    graph = chain()
    whole = rz.influence_maximization(graph, 2, seed=1)
    assert whole.spilled_bytes == 0
    with rz.config(memory_limit="10B"):
        spilled = rz.influence_maximization(graph, 2, seed=1)
    assert spilled.seeds == whole.seeds
    assert spilled.spread == whole.spread
    assert spilled.spilled_bytes == spilled.rr_set_bytes > 0


@pytest.mark.parametrize("staging", ["in_place", "staged"])
@pytest.mark.parametrize("model", ["ic", "lt"])
def test_the_way_of_sets_to_their_memory_does_not_change_the_seeds(staging, model):
    graph = rz.generate("rmat", 9, seed=4)
    ways = [rz.influence_maximization(graph, k=4, model=model, seed=3, staging=way) for way in ("direct", staging)]
    assert ways[0].seeds == ways[1].seeds
    assert ways[0].rr_set_bytes == ways[1].rr_set_bytes
    with pytest.raises(rz.InvalidArgumentError, match="in_place"):
        rz.influence_maximization(graph, k=4, staging="beside")
