"""Sampled neighbourhoods of several hops, against the graph itself."""

import numpy as np
import pytest
import rizoma as rz
from hypothesis import given, settings
from hypothesis import strategies as st
from rizoma.graph.state import state_of
from rizoma.queries.neighborhoods import sample_hops

edge_lists = st.lists(st.tuples(st.integers(0, 14), st.integers(0, 14)), min_size=1, max_size=60, unique=True)


def drawn_of(graph, seeds, counts, seed=0, **options):
    return sample_hops(state_of(graph), np.asarray(seeds, np.uint64), counts, seed, **options)


@given(edge_lists, st.lists(st.integers(-1, 3), max_size=3), st.booleans(), st.integers(0, 9), st.data())
@settings(max_examples=150, deadline=None)
def test_what_is_drawn_are_edges_of_each_vertex_once_and_no_more_than_asked_for(edges, counts, backwards, seed, data):
    graph = rz.read(edges, directed=True)
    ids = list(graph)  # by internal id
    seeds = data.draw(st.lists(st.integers(0, len(graph) - 1), min_size=1, max_size=4))
    drawn = drawn_of(graph, seeds, counts, seed, in_edges=backwards)

    vertices = drawn.vertices.tolist()
    assert vertices[: len(seeds)] == seeds
    assert len(set(vertices[len(seeds) :]) | set(seeds)) == len(vertices) - len(seeds) + len(set(seeds))
    assert [len(seeds), len(vertices)] == [drawn.found[0], sum(drawn.found)]
    assert len(drawn.sources) == len(drawn.targets) == sum(drawn.drawn)

    near, far = (drawn.targets, drawn.sources) if backwards else (drawn.sources, drawn.targets)
    whole = graph.in_neighbors if backwards else graph.neighbors
    known, begin = len(seeds), 0  # places of vertices that hops before have found
    frontier = set(range(len(seeds)))  # a seed that is given twice is drawn for twice
    for count, found, number in zip(counts, drawn.found[1:], drawn.drawn, strict=True):
        hop = slice(begin, begin + number)
        assert set(near[hop].tolist()) <= frontier
        for place in frontier:
            there = [ids[vertices[far_end]] for far_end in far[hop][near[hop] == place]]
            all_of_it = list(whole(ids[vertices[place]]))
            assert len(there) == (len(all_of_it) if count == -1 else min(count, len(all_of_it)))
            assert len(set(there)) == len(there)
            assert set(there) <= set(all_of_it)
        reached = {int(place) for place in far[hop]}
        assert {place for place in reached if place >= known} == set(range(known, known + found))
        frontier, known, begin = set(range(known, known + found)), known + found, begin + number


def test_the_same_seed_draws_the_same_with_any_number_of_threads():
    graph = rz.read([(i, (i * i + 7 * j) % 997) for i in range(997) for j in range(20)], directed=True)
    seeds = list(range(100))
    first = drawn_of(graph, seeds, [5, 4, 3], 17, threads=1)
    second = drawn_of(graph, seeds, [5, 4, 3], 17, threads=4)
    other = drawn_of(graph, seeds, [5, 4, 3], 18, threads=1)
    assert np.array_equal(first.vertices, second.vertices)
    assert np.array_equal(first.sources, second.sources)
    assert not np.array_equal(first.vertices, other.vertices)


def test_a_count_below_all_is_refused():
    with pytest.raises(rz.InvalidArgumentError, match="-1 for all"):
        drawn_of(rz.read([(0, 1)]), [0], [-2])
