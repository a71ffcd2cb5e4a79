"""result.counters: what the processor counted. A machine may forbid or lack it: a sentence then, and never an error."""

from __future__ import annotations

import json

import pytest
import rizoma as rz
from rizoma import _core
from rizoma.core.config import current
from rizoma.results.counters import Counters


@pytest.fixture(scope="module")
def graph():
    return rz.generate("rmat", 10, seed=3)


def test_each_counter_is_there_or_absent_for_a_reason(graph):
    assert rz.pagerank(graph).counters is None
    with rz.config(perf_counters=True):
        assert current().perf_counters
        result = rz.pagerank(graph)
    told = result.counters
    names = _core.counter_names()
    assert set(told.values) <= set(names)
    for name in set(names) - set(told.values):
        assert name in told.absent
    assert (told.absent == "") == (len(told.values) == len(names))
    assert all(value >= 0 for value in told.values.values())
    assert str(told) in repr(result)
    plain = json.loads(json.dumps(told.to_dict()))
    assert plain["absent"] == told.absent
    assert not current().perf_counters


def test_bandwidth_is_lines_missed_by_the_time():
    assert Counters({"cache_misses": 1e6}, "", 0.5).bandwidth == 128e6
    assert Counters({}, "not counted: cache_misses: why", 0.5).bandwidth is None
    assert "0.128 GB/s" in str(Counters({"cache_misses": 1e6}, "", 0.5))
    assert str(Counters({}, "why", 1.0)) == "why"
    assert Counters({"cycles": 2.0}, "", 1.0)["cycles"] == 2


def test_the_command_tells_of_counters(rizoma, tmp_path):
    rz.generate("rmat", 8, into=tmp_path / "g.rz").close()
    told = json.loads(rizoma("run", "pagerank", "g.rz", "--perf-counters", "--json").stdout)
    names = set(_core.counter_names())
    assert set(told["perf_counters"]["values"]) == {name for name in names if name in told["perf_counters"]["values"]}
    assert told["perf_counters"]["values"] or told["perf_counters"]["absent"]
    without = json.loads(rizoma("run", "pagerank", "g.rz", "--json").stdout)
    assert without["perf_counters"] is None
