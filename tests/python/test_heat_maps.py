"""Heat maps of a run, degrees over ids, working sets and the deviation of degrees."""

from __future__ import annotations

import json

import numpy as np
import pytest
import rizoma as rz
from rizoma.report import examine
from rizoma.results.heat_map import draw_heat_maps, heat_maps_of


@pytest.fixture(scope="module")
def graph():
    return rz.generate("rmat", 8, seed=2)


def test_structures_are_rows_and_bytes_are_kept(graph):
    result = rz.pagerank(graph)
    ((title, rows, columns, values),) = heat_maps_of(result)
    assert title == "bytes by structure"
    assert len(rows) == len(values) == len(result.memory.uses)
    assert sum(map(sum, values)) == result.memory.read + result.memory.written
    assert len(columns) == 4


@pytest.mark.parametrize("find", [rz.louvain, rz.leiden])
def test_phases_are_function_groups(graph, find):
    result = find(graph, seed=1)
    title, groups, columns, values = heat_maps_of(result)[1]
    assert "function group" in title
    assert {"move", "aggregate"} <= set(groups)
    assert len(columns) == len({(phase.level, phase.iteration) for phase in result.phases})
    assert sum(map(sum, values)) == sum(phase.read + phase.written for phase in result.phases)


def test_sets_of_influence_are_a_row(graph, tmp_path):
    result = rz.influence_maximization(graph, k=2, probability=0.1, seed=1)
    rows = heat_maps_of(result)[0][1]
    assert any(row.startswith("rr_sets") for row in rows)
    draw_heat_maps(result, tmp_path / "h.svg")
    assert "<svg" in (tmp_path / "h.svg").read_text()


def test_what_was_not_counted_is_refused(graph):
    result = rz.pagerank(graph)
    result.placement = None
    with pytest.raises(rz.InvalidArgumentError, match="nothing to draw"):
        heat_maps_of(result)


def test_a_working_set_has_lists_values_and_sets(graph):
    ranks, levels = rz.pagerank(graph), rz.bfs(graph, graph.degrees().top(1)[0][0])
    assert levels.working_set - ranks.working_set == levels.levels.nbytes + levels.to_numpy("parent").nbytes - 8 * len(
        ranks.to_numpy()
    )
    drawn = rz.influence_maximization(graph, k=2, probability=0.1, seed=1)
    written = sum(use.written for use in drawn.memory["rr_sets"])
    assert drawn.working_set > written > 0


def test_reports_tell_deviation_and_working_set(graph):
    facts = examine(graph)
    assert facts.degrees.deviation == pytest.approx(float(np.std(graph.degrees().to_numpy())))
    assert facts.kernels[0].working_set > 0
    assert examine(rz.open(None), ()).degrees.deviation == 0


def test_the_commands_draw(rizoma, tmp_path):
    rz.generate("rmat", 8, into=tmp_path / "g.rz").close()
    rizoma("run", "louvain", "g.rz", "--heat-map", "h.svg")
    rizoma("placement", "explain", "g.rz", "--plot-degrees", "d.svg")
    for name in ("h.svg", "d.svg"):
        assert (tmp_path / name).stat().st_size > 1000
    facts = json.loads(rizoma("run", "pagerank", "g.rz", "--json").stdout)
    assert facts["working_set"] > 0
