"""result.memory: what a call did to memory, counted and modelled."""

from __future__ import annotations

import inspect
import json
from contextlib import suppress
from dataclasses import replace

import pytest
import rizoma as rz
from rizoma_lab import model


@pytest.fixture(scope="module")
def graph():
    return rz.generate("rmat", 12, seed=3, order="given")


def on_homes(homes, policy="chunk"):
    return rz.config(placement=model.made_up_homes(policy, homes), threads=homes)


def test_lists_are_counted_to_the_byte(graph):
    result = rz.pagerank(graph, max_iter=3, tol=0)
    (lists,) = result.memory["sections"]
    work = result.placement.local
    assert lists.counted
    assert (lists.tier, lists.pattern) == ("in_place", "sequential")
    assert work.edges == 3 * graph.info().num_entries
    assert lists.read == 4 * (work.edges + work.vertices)  # targets, and where each list begins
    assert (lists.remote_read, lists.written) == (0, 0)


@pytest.mark.parametrize("weight", ["weight", None])
@pytest.mark.parametrize("find", [rz.louvain, rz.leiden])
def test_communities_count_the_lists_of_the_graph(find, weight):
    graph = rz.open(None, weights=True)
    graph.add_edges([(u, (u + step) % 100, 2.0) for u in range(100) for step in (1, 2)])
    result = find(graph, weight, seed=1)
    (lists,) = result.memory["sections"]
    assert lists.counted
    assert lists.read >= 4 * (graph.info().num_entries + 100)  # each list is read once at least


@pytest.mark.parametrize("weights", [False, True])
@pytest.mark.parametrize("find", [rz.louvain, rz.leiden])
def test_communities_count_their_copies_of_lists(find, weights):
    graph = rz.open(None, weights=weights)
    graph.add_edges([(u, (u + step) % 100, *((2.0,) if weights else ())) for u in range(100) for step in (1, 2)])
    result = find(graph, seed=1)
    (copies,) = result.memory["copies"]
    assert copies.counted
    assert (copies.tier, copies.pattern) == ("in_place", "sequential")
    assert copies.written % 12 == 0
    assert copies.read >= copies.written >= 12 * graph.info().num_entries * weights
    assert find(graph, seed=1, threads=1).memory["copies"] == [copies]
    assert rz.label_propagation(graph, seed=1).memory["copies"] == []


def test_phases_of_louvain_sum_to_what_was_counted(graph):
    result = rz.louvain(graph, seed=1)
    assert [phase.kind for phase in result.phases[:3]] == ["move", "aggregate", "move"]
    assert [phase.level for phase in result.phases[:3]] == [0, 0, 1]
    assert {phase.structure for phase in result.phases if phase.level > 0} == {"copies"}
    own = [phase for phase in result.phases if phase.structure == "sections"]
    (lists,) = result.memory["sections"]
    assert own[1].read == 4 * graph.info().num_entries  # each list is merged once
    assert own[0].read >= own[1].read  # the first round looks at each vertex
    assert sum(phase.read for phase in own) <= lists.read
    (copies,) = result.memory["copies"]
    others = [phase for phase in result.phases if phase.structure == "copies"]
    assert (copies.read, copies.written) == (
        sum(phase.read for phase in others),
        sum(phase.written for phase in result.phases),
    )
    assert result.phases == rz.louvain(graph, seed=1, threads=1).phases
    assert rz.label_propagation(graph, seed=1).phases == ()


def test_phases_of_leiden_and_of_weights():
    graph = rz.open(None, weights=True)
    graph.add_edges([(u, (u + step) % 100, 2.0) for u in range(100) for step in (1, 2)])
    result = rz.leiden(graph, seed=1, iterations=2)
    entries = graph.info().num_entries
    first = result.phases[0]
    assert (first.kind, first.structure, first.read, first.written) == ("copy", "sections", 4 * entries, 12 * entries)
    assert [phase.kind for phase in result.phases[1:4]] == ["move", "refine", "aggregate"]
    assert {phase.structure for phase in result.phases[1:]} == {"copies"}
    assert {phase.iteration for phase in result.phases} == {0, 1}
    assert all(phase.written == 0 for phase in result.phases if phase.kind in ("move", "refine"))


def test_triangles_count_the_lists_that_they_make(graph):
    (copies,) = rz.triangle_count(graph).memory["copies"]  # order="given": not by degree
    loops = sum(graph.has_edge(v, v) for v in range(len(graph)))
    assert (copies.read, copies.written) == (0, 4 * (graph.num_edges - loops))
    by_degree = rz.generate("rmat", 12, seed=3, order="degree")
    assert rz.triangle_count(by_degree).memory["copies"] == []  # read in the graph itself


def test_state_is_modelled_and_says_so(graph):
    result = rz.pagerank(graph, max_iter=3, tol=0)
    reads, writes = result.memory["vertex_state"]
    assert not reads.counted
    assert not writes.counted
    assert (reads.pattern, writes.pattern) == ("random", "sequential")
    assert reads.read == 3 * graph.info().num_entries * 8
    assert writes.written == result.placement.local.vertices * 8
    assert (reads.written, writes.read) == (0, 0)
    assert result.memory.read == reads.read + result.memory["sections"][0].read


@pytest.mark.parametrize("homes", [2, 4])
def test_near_and_far_have_the_same_sum(graph, homes):
    alone = rz.pagerank(graph, max_iter=3, tol=0).memory
    with on_homes(homes):
        report = rz.pagerank(graph, max_iter=3, tol=0).memory
    assert report["sections"][0].read == alone["sections"][0].read
    state, before = report["vertex_state"][0], alone["vertex_state"][0]
    assert state.read == before.read
    assert state.local_read == pytest.approx(state.read / homes, abs=8)
    assert before.remote_read == 0


def run(kernel):
    """A kernel on a path, directed if it wants that; None if it wants what is not known here."""
    function = getattr(rz, kernel)
    wanted = [p.name for p in inspect.signature(function).parameters.values() if p.default is p.empty][1:]
    if not {"source": 0, "k": 2}.keys() >= set(wanted):
        return None
    for directed in (False, True):
        graph = rz.open(None, directed=directed)
        graph.add_edges([(i, i + 1) for i in range(100)])
        with suppress(rz.RizomaError):
            return function(graph, **{name: {"source": 0, "k": 2}[name] for name in wanted})
    return None


@pytest.mark.parametrize("kernel", sorted(rz.algorithms.__all__))
def test_every_kernel_has_a_report(kernel):
    result = run(kernel)
    if not isinstance(result, rz.VertexResult):
        pytest.skip(f"{kernel} wants other arguments, or has no value for each vertex")
    report = result.memory
    assert [use.structure for use in report.uses][:3] == ["sections", "vertex_state", "vertex_state"]
    assert all(n >= 0 for use in report.uses for n in (use.local_read, use.remote_read, use.written))
    assert json.loads(json.dumps(report.to_dict()))[0]["structure"] == "sections"
    assert "counted" in str(report)


def test_searches_have_frontiers_and_influence_has_rr_sets(graph):
    (frontier,) = rz.bfs(graph, 0).memory["frontiers"]
    assert frontier.read == frontier.written > 0
    assert rz.pagerank(graph).memory["frontiers"] == []
    found = rz.influence_maximization(graph, k=3, seed=1)
    (sets,) = found.memory["rr_sets"]
    assert sets.counted
    assert sets.written == found.rr_set_bytes
    assert sets.read == found.rr_set_read_bytes
    assert sets.read > sets.written  # all are looked at when seeds are chosen, and judged by as many others
    again = rz.influence_maximization(graph, k=3, seed=1, threads=1)
    assert again.memory["rr_sets"] == [sets]


def test_tiers_are_those_of_the_settings(graph):
    result = rz.pagerank(graph)
    result.placement = replace(result.placement, tiers="sections=slow:interleave,vertex_state=dram")
    assert result.memory["sections"][0].tier == "slow:interleave"
    assert {use.tier for use in result.memory["vertex_state"]} == {"dram"}
    result.placement = None
    assert result.memory is None


def test_the_command_tells_of_memory(rizoma, tmp_path):
    rz.generate("rmat", 8, into=tmp_path / "g.rz").close()
    told = json.loads(rizoma("run", "pagerank", "g.rz", "--json").stdout)
    assert told["memory"][0]["structure"] == "sections"
