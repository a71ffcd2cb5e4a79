"""MEMORY mode: a direct-mapped cache, emulated, and the model's three ways to use two memories."""

from __future__ import annotations

import json

import numpy as np
import pytest
import rizoma as rz
from rizoma_lab.bench.memory_mode import MODES, direct_mapped_hits, predict_modes, sweep_hits


def one_by_one(lines, places):
    held = {}
    hits = []
    for line in lines:
        hits.append(held.get(line % places) == line)
        held[line % places] = line
    return hits


@pytest.mark.parametrize("places", [1, 2, 7, 64, 1000])
def test_the_emulation_is_a_direct_mapped_cache(places):
    random = np.random.default_rng(places)
    for lines in (random.integers(0, 200, 3000), np.tile(np.arange(50), 5), np.array([], np.int64), np.array([3])):
        assert direct_mapped_hits(lines, places).tolist() == one_by_one(lines.tolist(), places)


def test_a_cache_needs_a_place():
    with pytest.raises(rz.InvalidArgumentError, match="one at least"):
        direct_mapped_hits(np.arange(3), 0)


@pytest.mark.parametrize("directed", [True, False])
def test_hits_grow_with_the_cache_until_all_is_there(directed):
    graph = rz.open(None, directed=directed)
    graph.add_edges(np.random.default_rng(3).integers(0, 2000, (8000, 2)))
    whole = sweep_hits(graph, 1 << 30)
    assert (whole.lists, whole.state_reads, whole.state_writes) == (1, 1, 1)
    shares = [sweep_hits(graph, int(whole.working_set * part)) for part in (0.05, 0.25, 0.6)]
    reads = [each.state_reads for each in shares]
    assert reads == sorted(reads)
    assert all(0 < each.lists < 1 for each in shares)
    assert shares[0].all_reads < 1


def test_memory_mode_is_dram_where_all_fits_and_loses_to_appdirect_where_it_does_not():
    """SC'21: MEMORY is as fast as DRAM on medium graphs; APPDIRECT beats it, by 12%, on the largest working sets."""
    graph = rz.generate("rmat", 12, seed=1)
    assert [each.mode for each in predict_modes(graph)] == list(MODES)
    fitting = {each.mode: each.seconds for each in predict_modes(graph, dram_share=2)}
    assert fitting["MEMORY"] == pytest.approx(fitting["DRAM"])
    tight = {each.mode: each.seconds for each in predict_modes(graph, dram_share=0.125)}
    assert tight["MEMORY"] > tight["APPDIRECT"]
    assert tight["DRAM"] == fitting["DRAM"]
    json.dumps([each.to_dict() for each in predict_modes(graph, "cxl-2s")])


@pytest.mark.parametrize("share", [0, -1])
def test_no_dram_is_refused(share):
    with pytest.raises(rz.InvalidArgumentError, match="some DRAM"):
        predict_modes(rz.generate("rmat", 4), dram_share=share)


def test_the_command_shows_the_modes(rizoma, tmp_path):
    rz.generate("rmat", 8, into=tmp_path / "g.rz").close()
    asked = ("placement", "predict", "g.rz", "--machine", "optane-4s", "--dram-share", 0.25)
    shown = rizoma(*asked).stdout
    assert all(mode in shown for mode in MODES)
    assert [each["mode"] for each in json.loads(rizoma(*asked, "--json").stdout)] == list(MODES)
