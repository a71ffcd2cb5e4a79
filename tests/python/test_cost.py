"""What jobs would cost: the arithmetic against figures by hand, what must grow with what, tables and the command."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
import rizoma as rz
from rizoma.graph.placement import explain_ranks
from rizoma_lab.cost import Job, cost
from rizoma_lab.systems import SYSTEMS, Sockets, System, read_systems

YEAR = 365 * 86400

# One socket; enough cores that a job waits for its memory, never for them.
PLAIN = Sockets(1, 10**6, (1e-9, 100e9, 50e9, 10e9, 5e9), (1e-9, 100e9, 50e9, 10e9, 5e9))
NODE = System("plain", sockets=PLAIN, dram=1e12, network=1e9, network_latency=1e-3, price=1000.0)
JOB = Job("pagerank", vertices=1e6, entries=1e7, visited=20e6, entries_read=2e8, rounds=20)


def alone(job: Job, system: System, **options):
    (one,) = cost(job, systems=[system], **options).estimates
    return one


def test_seconds_are_those_by_hand():
    one = alone(JOB, NODE, miss_rate=0.5)
    lists = (4 * 20e6 + 4 * 2e8) / 100e9
    reads = 64 * 0.5 * 2e8 / 10e9
    written = 8 * 20e6 / 50e9
    assert one.seconds == pytest.approx(lists + reads + written)
    assert one.lists == "dram"
    assert one.bottleneck == "DRAM"
    assert one.node_memory == 8e6 + 4e7 + 24e6
    assert one.network == 0


def test_threads_bound_a_node_of_few_cores():
    slow = replace(NODE, sockets=replace(PLAIN, cores=1, local=(1e-6, 1e15, 1e15, 1e15, 1e15)))
    one = alone(JOB, slow, miss_rate=1)
    lines = (4 * 20e6 + 4 * 2e8 + 8 * 20e6) / 64
    assert one.seconds == pytest.approx(1e-6 * (lines / 32 + 2e8 / 10) + 2e8 * 1e-9)
    assert one.bottleneck == "threads"


def test_a_second_socket_has_half_of_the_reads_from_afar():
    two = replace(PLAIN, sockets=2, remote=(1e-9, 100e9, 50e9, 2e9, 1e9))
    one = alone(replace(JOB, visited=0, target_bytes=0), replace(NODE, sockets=two), miss_rate=1)
    # Each memory serves a quarter of all reads to its own socket, and a quarter to the other.
    assert one.seconds == pytest.approx(64 * 2e8 / 4 * (1 / 10e9 + 1 / 2e9))


def test_money_is_a_share_of_the_years_or_by_the_hour():
    one = alone(JOB, NODE, years=2)
    assert one.dollars == pytest.approx(1000 * one.seconds / (2 * YEAR))
    assert one.dollar_seconds == pytest.approx(1000 * one.seconds)
    rented = alone(JOB, replace(NODE, price=None, hourly=7.2).of(4))
    assert rented.dollars == pytest.approx(7.2 * 4 * rented.seconds / 3600)
    assert rented.dollar_seconds is None
    unknown = alone(JOB, replace(NODE, price=None))
    assert unknown.seconds is not None
    assert (unknown.dollars, unknown.price, unknown.against) == (None, None, None)


def test_nodes_share_the_work_and_exchange_values():
    single, four = alone(JOB, NODE), alone(JOB, NODE.of(4))
    ghosts = 0.75e6 * (1 - math.exp(-1e7 / 4 / 1e6))
    network = ghosts * 8 * 20 / 1e9 + 20 * 2 * 1e-3
    assert four.network == pytest.approx(network)
    assert four.seconds == pytest.approx(single.seconds / 4 + network)
    assert four.price == 4000
    assert four.node_memory == pytest.approx(single.node_memory / 4 + 8 * ghosts)
    half = alone(JOB, replace(NODE, efficiency=0.5).of(4))
    assert half.seconds == pytest.approx(2 * four.seconds)
    assert alone(JOB, replace(NODE, efficiency=0.5)).seconds == single.seconds


def test_where_the_graph_is_on_every_node_counts_are_summed_up():
    job = replace(JOB, kernel="influence_maximization", shared=True, rr_sets=8e9, rounds=50)
    one = alone(job, NODE.of(2))
    assert one.node_memory == pytest.approx(8e6 + 4e7 + 24e6 + 4e9)
    assert one.network == pytest.approx(2 * 0.5 * 50 * 8 * 1e6 / 1e9 + 50 * 1e-3)


def test_lists_go_where_there_is_room():
    assert alone(JOB, replace(NODE, dram=73e6)).lists == "dram"
    assert alone(JOB, replace(NODE, dram=71e6)).lists == ""
    streamed = alone(JOB, replace(NODE, dram=71e6, drive=1e6))
    assert streamed.lists == "drive"
    assert streamed.seconds == pytest.approx((4 * 20e6 + 4 * 2e8) / 1e6)
    assert streamed.bottleneck == "drive"
    assert not alone(JOB, replace(NODE, dram=23e6, drive=1e6)).fits  # the state
    for name, tier in (("optane-6tb", "persistent"), ("cxl", "cxl")):
        shipped = SYSTEMS[name]
        assert alone(JOB, replace(shipped, slow=0)).lists == "dram"
        full = replace(shipped, dram=30e6)
        assert alone(JOB, full).lists == tier
        assert alone(JOB, full).seconds >= alone(JOB, shipped).seconds
        assert not alone(JOB, replace(full, slow=1e6)).fits


def test_lists_go_where_the_job_is_done_first():
    """Two memories serve at once, so that slow memory pays as long as it is not what the job waits for."""
    few = alone(JOB, SYSTEMS["optane-6tb"], miss_rate=0.5)
    assert few.lists == "persistent"
    assert few.seconds < alone(JOB, replace(SYSTEMS["optane-6tb"], slow=0), miss_rate=0.5).seconds
    assert alone(JOB, SYSTEMS["optane-6tb"], miss_rate=0).lists == "dram"


def test_as_few_nodes_as_hold_the_job():
    big = JOB.scaled(1e4)  # 720 GB
    (least,) = cost(big, systems=["cori:min"]).estimates
    assert least.fits
    assert not alone(big, SYSTEMS["cori"].of(least.nodes - 1)).fits
    assert cost(JOB, systems=["cori:min"]).estimates[0].nodes == 1


def test_what_must_grow_and_what_must_not():
    random = np.random.default_rng(5)
    for _ in range(40):
        vertices, rounds = float(random.integers(1e5, 1e9)), int(random.integers(1, 100))
        entries = vertices * float(random.uniform(1, 60))
        job = Job("pagerank", vertices, entries, rounds * vertices, rounds * entries, rounds)
        system = replace(SYSTEMS["cori"], dram=1e14).of(int(random.integers(1, 64)))
        one = alone(job, system)
        assert alone(job.scaled(2), system).seconds > one.seconds
        assert alone(job, system, miss_rate=0.6).seconds >= one.seconds
        assert alone(job, replace(system, network=16e9)).seconds <= one.seconds
        assert alone(job, replace(system, price=2 * system.price)).dollars == pytest.approx(2 * one.dollars)
        assert alone(job, system, years=8).dollars == pytest.approx(one.dollars / 2)
        optane = SYSTEMS["optane-6tb"]
        sizes = [alone(job, replace(optane, dram=bytes)).seconds for bytes in (2e11, 1e12, 1e13)]
        known = [seconds for seconds in sizes if seconds is not None]
        assert known == sorted(known, reverse=True)
        alike = replace(system, network_latency=0, network=1e18)
        assert alone(job, alike).seconds * alike.nodes == pytest.approx(alone(job, alike.of(1)).seconds)


# -- jobs ------------------------------------------------------------------------------------------


def test_a_job_is_counted_on_a_graph():
    graph = rz.generate("rmat", 10, seed=1)
    entries = graph.info().num_entries
    job = cost("pagerank", graph, max_iter=3, tol=0).job
    assert (job.vertices, job.entries) == (len(graph), entries)
    assert (job.entries_read, job.rounds) == (3 * entries, 3)
    ten = cost("pagerank", graph, scale=10, max_iter=3, tol=0).job
    assert (ten.entries_read, ten.vertices, ten.rounds) == (30 * entries, 10 * len(graph), 3)
    assert cost("bfs", graph).job.entries_read > 0
    found = cost("influence_maximization", graph, k=3, seed=1).job
    assert found.shared
    assert found.rounds == 3
    assert found.rr_sets > 0


def test_how_nodes_divide_a_graph_is_counted():
    graph = rz.generate("rmat", 14, seed=1)
    assert graph.info().num_sections >= 16
    (balance,) = explain_ranks(graph, 4, ["auto"])
    found = cost("pagerank", graph, scale=3, systems=["cori:4", "cori:64"], max_iter=3, tol=0)
    ghosts, most = found.job.divisions[4]
    assert ghosts == 3 * max(rank.boundary for rank in balance.ranks)
    assert most == max(rank.edges for rank in balance.ranks) * 4 / graph.info().num_entries
    assert 64 not in found.job.divisions  # too few sections
    even = replace(found.job, divisions={4: (ghosts, 1.0)})
    busy = alone(found.job, SYSTEMS["cori"].of(4))
    assert busy == found.estimates[0]
    assert busy.seconds - busy.network == pytest.approx(
        most * (alone(even, SYSTEMS["cori"].of(4)).seconds - busy.network)
    )
    assert busy.network == pytest.approx(ghosts * 8 * 3 / 8e9 + 3 * 2 * 2e-6)


def test_a_job_of_a_size():
    job = cost("pagerank", vertices=100, edges=500, rounds=7).job
    assert (job.entries, job.entries_read, job.visited, job.rounds) == (1000, 7000, 700, 7)
    assert cost("pagerank", vertices=100, edges=500, rounds=7, directed=True).job.entries == 500
    assert cost("pagerank", vertices=1e10, edges=5e10).job.target_bytes == 8
    empty = cost("pagerank", vertices=0, edges=0, systems=["dram-3tb", "cori:2"])
    assert empty["dram-3tb"].seconds == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"job": "pagerang", "vertices": 1, "edges": 1}, "no algorithm"),
        ({"job": "pagerank"}, "give a graph"),
        ({"job": "pagerank", "vertices": 1}, "give a graph"),
        ({"job": "pagerank", "vertices": -1, "edges": 1}, "0 or more"),
        ({"job": "triangle_count", "vertices": 1, "edges": 1}, "rounds="),
        ({"job": "pagerank", "vertices": 1, "edges": 1, "years": 0}, "years"),
        ({"job": "pagerank", "vertices": 1, "edges": 1, "miss_rate": 2}, "miss_rate"),
        ({"job": "pagerank", "vertices": 1, "edges": 1, "systems": ["abacus"]}, "no system"),
        ({"job": "pagerank", "vertices": 1, "edges": 1, "systems": ["cori:0"]}, "number of nodes"),
        ({"job": "pagerank", "vertices": 1, "edges": 1, "systems": ["nvme:2"]}, "network="),
    ],
)
def test_what_is_refused(arguments, says):
    with pytest.raises(rz.InvalidArgumentError, match=says):
        cost(**arguments)


def test_a_graph_has_its_own_size():
    with pytest.raises(rz.InvalidArgumentError, match="a graph or a size"):
        cost("pagerank", rz.generate("rmat", 4), vertices=5)


# -- systems and prices ----------------------------------------------------------------------------


def test_a_table_of_ones_own(tmp_path):
    table = tmp_path / "prices.json"
    rows = [
        {"name": "optane-6tb", "price": 61000},
        {"name": "ours", "like": "nvme", "dram": "768G", "price": None, "hourly": 4.5},
        {"name": "probed", "machine": "cxl-2s", "dram": 1e9},
    ]
    table.write_text(json.dumps(rows))
    known = read_systems(table)
    assert known["optane-6tb"] == replace(SYSTEMS["optane-6tb"], price=61000)
    assert (known["ours"].dram, known["ours"].hourly, known["ours"].price) == (768 * 2**30, 4.5, None)
    assert known["ours"].sockets == SYSTEMS["nvme"].sockets
    assert known["probed"].described().sockets == 2
    assert read_systems({"cori": 5})["cori"].price == 5
    found = cost(JOB, systems=["ours", "optane-6tb"], prices=table)
    assert found["ours"].dollars == pytest.approx(4.5 * found["ours"].seconds / 3600)
    assert found["optane-6tb"].against == 1
    assert SYSTEMS["optane-6tb"].price == 79_075


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("nonsense", "not JSON"),
        ('{"name": "x"}', "list of systems"),
        ('[{"name": "x", "colour": 1, "like": "cori"}]', "colour"),
        ('[{"name": "x"}]', "like="),
        ('[{"name": "x", "like": "y"}]', "like="),
        ('[{"name": "cori", "price": -1}]', "price"),
        ('[{"name": "cori", "price": "much"}]', "wrong kind"),
        ('[{"name": "cori", "efficiency": 0}]', "efficiency"),
    ],
)
def test_tables_that_are_refused(tmp_path, text, says):
    file = tmp_path / "prices.json"
    file.write_text(text)
    with pytest.raises(rz.InvalidArgumentError, match=says):
        read_systems(file)


def louvain(vertices, edges, rounds):
    """The first phase of Louvain's method on a graph of SC'21, Table 3."""
    entries = 2 * edges
    return Job("louvain", vertices, entries, rounds * vertices, rounds * entries, rounds, exchanged_bytes=32)


PAPER = {
    "friendster": louvain(65.6e6, 1.8e9, 158),
    "moliere2016": louvain(30.2e6, 3.3e9, 21),
    "clueweb12": louvain(978.4e6, 42.5e9, 10),
    "uk2014": louvain(787.8e6, 47.6e9, 10),
}


@pytest.mark.parametrize("name", PAPER)
def test_the_directions_of_the_paper_that_the_model_has(name):
    """Section 4.5 and Figure 9 of SC'21, as docs/measurements/placement.md says: where the model agrees."""
    chosen = ["optane-6tb", "dram-6tb", "cori:8", "cori:16", "cori:32", "summit:8", "summit-gpu:8"]
    found = cost(PAPER[name], systems=chosen).estimates
    against = {one.title: one.against for one in found}
    assert against["dram-6tb"] > 1
    # Nodes with GPUs never pay, by whichever of their memories; their price alone asks for ten times the speed.
    assert against["summit x 8"] > 1.5
    assert against["summit-gpu x 8"] > 1.5
    assert {one.title: one.break_even for one in found}["summit x 8"] > 10
    # The more nodes, the worse the price of the same answer.
    assert against["cori x 8"] < against["cori x 16"] < against["cori x 32"]
    assert against["cori x 32"] > 1
    # A cluster is faster before it is cheaper.
    seconds = {one.title: one.seconds for one in found}
    assert seconds["cori x 8"] < seconds["optane-6tb"]
    # What the program makes of it decides at 8 nodes: a quarter of the modelled speed makes the one node cheaper.
    real = replace(SYSTEMS["cori"], efficiency=0.25).of(8)
    assert cost(PAPER[name], systems=["optane-6tb", real])["cori"].against > 2


# -- answers ---------------------------------------------------------------------------------------


def test_an_answer_prints_and_is_plain_data(tmp_path):
    found = cost(JOB, systems=["optane-6tb", "cori:8", "cxl", replace(NODE, name="tiny", dram=1.0)])
    lines = str(found).splitlines()
    assert len(lines) == 1 + len(found) == 5
    assert "does not fit" in lines[4]
    assert "cori x 8" in found._repr_html_()
    plain = json.loads(json.dumps(found.to_dict()))
    assert [one["system"] for one in plain["systems"]] == ["optane-6tb", "cori", "cxl", "tiny"]
    assert plain["job"]["entries"] == 1e7
    with pytest.raises(KeyError):
        found["abacus"]
    pytest.importorskip("matplotlib")
    found.plot(tmp_path / "cost.svg")
    assert (tmp_path / "cost.svg").read_text().startswith("<?xml")


def test_the_command(rizoma, tmp_path):
    rz.generate("rmat", 8, into=tmp_path / "g.rz").close()
    assert "optane-6tb" in rizoma("cost", "pagerank", "g.rz", "--scale", 1000).stdout
    size = ("--vertices", "65.6M", "--edges", "1.8G", "--rounds", 158, "--systems", "optane-6tb,cori:8")
    told = json.loads(rizoma("cost", "louvain", *size, "--json").stdout)
    assert told["job"]["entries"] == 3.6e9
    assert [one["nodes"] for one in told["systems"]] == [1, 8]
    (tmp_path / "p.json").write_text('[{"name": "cori", "price": 1}]')
    cheap = json.loads(rizoma("cost", "louvain", *size, "--json", "--prices", "p.json").stdout)
    assert cheap["systems"][1]["price"] == 8
    assert rizoma("cost", "louvain", "--vertices", "many", "--edges", 1, check=False).returncode == 2
    failed = rizoma("cost", "louvain", check=False)
    assert failed.returncode == 2
    assert "give a graph" in failed.stderr
    assert rizoma("cost", "pagerank", "g.rz", "--directed", check=False).returncode == 2
    pytest.importorskip("matplotlib")
    rizoma("cost", "louvain", *size, "--plot", "cost.svg")
    assert (tmp_path / "cost.svg").read_text().startswith("<?xml")
