"""Placement from Python and from the command line."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest
import rizoma as rz
from rizoma import _core
from rizoma.core.config import current
from rizoma.graph.placement import explain, placement_of
from rizoma_lab import model

POLICIES = ["in_place", "interleave", "halves", "round_robin", "chunk", "adaptive"]


@pytest.fixture(scope="module")
def graph():
    return rz.generate("rmat", 12, seed=3, order="given")


def on_homes(policy, homes):
    return rz.config(placement=model.made_up_homes(policy, homes), threads=homes)


def old_and_new(n=1 << 15, each=8, seed=1):
    """Preferential attachment: vertex v joins `each` older ones, chosen by degree."""
    random = np.random.default_rng(seed)
    ends = np.zeros(2 * n * each, np.int64)
    edges = []
    filled = 1
    for v in range(1, n):
        older = ends[random.integers(0, filled, each)]
        edges += [(v, int(u)) for u in older]
        ends[filled : filled + each] = older
        ends[filled + each : filled + 2 * each] = v
        filled += 2 * each
    return edges


def test_policies_are_those_of_the_guide():
    assert _core.placement_policies() == POLICIES


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("homes", [2, 4])
def test_answers_do_not_depend_on_placement(graph, policy, homes):
    expected = rz.pagerank(graph).to_numpy(), rz.bfs(graph, 0).levels
    with on_homes(policy, homes):
        ranks, levels = rz.pagerank(graph), rz.bfs(graph, 0)
        components = rz.connected_components(graph)
    np.testing.assert_allclose(ranks.to_numpy(), expected[0], rtol=1e-9)
    np.testing.assert_array_equal(levels.levels, expected[1])
    for result in (ranks, levels, components):
        report = result.placement
        assert report.policy == policy
        assert report.homes == homes
        assert report.num_sweeps > 0
        assert report.local.edges + report.remote.edges > 0
        assert 0 <= report.local_share <= 1


def test_one_home_is_all_local(graph):
    report = rz.pagerank(graph, max_iter=3, tol=0).placement
    assert report.homes == 1
    assert report.remote.blocks == 0
    assert report.local.edges == 3 * graph.info().num_entries
    assert report.local_share == 1


def test_a_report_has_every_sweep_and_prints(graph):
    with on_homes("halves", 2):
        result = rz.pagerank(graph, max_iter=2, tol=0)
    report = result.placement
    entries = graph.info().num_entries
    assert sum(local.edges + remote.edges for local, remote in report.sweeps) == 2 * entries
    assert "halves over 2 homes" in repr(result)
    plain = json.loads(json.dumps(report.to_dict()))
    assert plain["local"]["edges"] + plain["remote"]["edges"] == 2 * entries


def test_a_report_keeps_its_sweeps_wherever_it_is_sent(graph):
    with on_homes("halves", 2):
        report = rz.bfs(graph, 0).placement
    again = pickle.loads(pickle.dumps(report))
    assert again == report
    assert again.sweeps == report.sweeps
    assert len(report.sweeps) == report.num_sweeps > 1
    assert sum(local.vertices for local, _ in report.sweeps) == report.local.vertices


def test_a_placement_is_a_value(graph):
    with on_homes("chunk", 2):
        placed = placement_of(graph)
    assert placed.policy == "chunk"
    assert placed.homes == 2
    again = rz.Placement.from_json(placed.to_json())
    assert again == placed
    assert hash(again) == hash(placed)
    assert again != model.made_up_homes("chunk", 2)
    assert "2 homes" in repr(placed)
    with rz.config(placement=placed, threads=2):
        assert placement_of(graph) == placed


def test_settings_come_and_go(tmp_path):
    with rz.config(placement="round_robin", tiers={"sections": "slow:interleave"}):
        assert current().placement == "round_robin"
        assert current().tiers == "sections=slow:interleave"
    assert current().placement == "in_place"
    file = tmp_path / "p.json"
    file.write_text(model.made_up_homes("halves", 3).to_json())
    with rz.config(placement=file):
        assert rz.Placement.from_json(current().placement).homes == 3
    with pytest.raises(rz.InvalidArgumentError, match="choose one of in_place"):
        rz.config(placement="thirds")
    with pytest.raises(rz.InvalidArgumentError, match="tier"):
        rz.config(tiers="sections=tape")


def test_settings_come_from_the_environment():
    code = "from rizoma.core.config import current; print(current().placement, current().tiers)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"RIZOMA_PLACEMENT": "chunk", "RIZOMA_TIERS": "vertex_state=dram"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["chunk", "vertex_state=dram"]


def test_halves_of_a_grown_graph_are_uneven_and_striped_out_ones_are_not():
    """The dissertation's finding: 67% and 33% of the edges against 50% and 50%."""
    edges = old_and_new()
    shares = {}
    for order in ("given", "striped"):
        graph = rz.open(None)
        graph.add_edges(edges, order=order)
        assert graph.info().order == order
        (halves,) = explain(graph, 2, ["halves"])
        shares[order] = halves.homes[0].edges / sum(home.edges for home in halves.homes)
    assert 0.62 < shares["given"] < 0.75
    assert 0.49 < shares["striped"] < 0.51


def test_answers_do_not_depend_on_the_cyclic_order(tmp_path):
    edges = [(a, b) for a, b in np.random.default_rng(1).integers(0, 500, (3000, 2)).tolist() if a != b]
    plain, striped = rz.open(None), rz.open(tmp_path / "striped.rz")
    plain.add_edges(edges, order="given")
    striped.add_edges(edges, order="striped")
    assert rz.bfs(plain, edges[0][0]).to_dict() == rz.bfs(striped, edges[0][0]).to_dict()
    striped.compact("given")
    striped.compact("striped")
    assert striped.info().order == "striped"
    assert rz.bfs(plain, edges[0][0]).to_dict() == rz.bfs(striped, edges[0][0]).to_dict()
    striped.close()


@pytest.mark.parametrize("homes", [2, 4])
def test_chunk_balances_the_edges_of_a_skewed_graph(homes):
    graph = rz.generate("rmat", 16, seed=1, order="given")
    (chunk,) = explain(graph, homes, ["chunk"])
    assert len(chunk.homes) == homes
    assert sum(home.edges for home in chunk.homes) == graph.info().num_entries
    assert chunk.imbalance("edges") < 1.15  # the sections of so small a graph are coarse
    assert 0 < chunk.edges_across < 1


KERNELS = ("pagerank", "bfs", "betweenness_centrality", "connected_components")


# Tables 5.2 and 5.3 of the dissertation at 48 threads: halves with free threads (DGAP DM) and round robin with bound
# ones (DGAP RR), by the time of everything on one node with free threads (DGAP).
PAPER = {
    "dense": {  # Orkut
        "pagerank": (1.62 / 1.59, 1.26 / 1.59),
        "betweenness_centrality": (0.25 / 0.29, 0.23 / 0.29),
        "bfs": (0.08 / 0.08, 0.04 / 0.08),
        "connected_components": (0.29 / 0.35, 0.16 / 0.35),
    },
    "sparse": {  # LiveJournal
        "pagerank": (0.96 / 0.95, 1.02 / 0.95),
        "betweenness_centrality": (0.22 / 0.25, 0.20 / 0.25),
        "bfs": (0.07 / 0.07, 0.15 / 0.07),
        "connected_components": (0.29 / 0.33, 0.14 / 0.33),
    },
}
VARIATION = 0.03  # of the paper's times
# There round robin loses in the paper, to coherence and synchronisation, which the model lacks: it predicts a gain.
CONTRADICTED = {("sparse", "pagerank"), ("sparse", "bfs")}


def direction(ratio):
    """-1: faster, 1: slower, 0: within what the paper's times vary by."""
    return 0 if abs(ratio - 1) <= VARIATION else (1 if ratio > 1 else -1)


@pytest.mark.parametrize(("name", "vertices", "each"), [("dense", 1 << 13, 38), ("sparse", 1 << 15, 9)])
def test_predictions_have_the_directions_of_the_paper(name, vertices, each):
    """Where the paper has one, but for two cells, which docs/measurements/placement.md names."""
    graph = rz.open(None)
    graph.add_edges(old_and_new(vertices, each), order="given")
    shares = {one.policy: one.homes[0].edges / graph.info().num_entries for one in explain(graph, 2)}
    assert shares["halves"] > 0.62
    assert 0.49 < shares["round_robin"] < 0.51
    found = {(one.kernel, one.variant): one.seconds for one in model.predict(graph, "optane-2s")}
    for kernel in KERNELS:
        halves, round_robin = PAPER[name][kernel]
        model_halves = found[kernel, "halves, free threads"] / found[kernel, "in_place"]
        model_round_robin = found[kernel, "round_robin"] / found[kernel, "in_place"]
        pairs = [(halves, model_halves), (round_robin, model_round_robin)]
        pairs.append((round_robin / halves, model_round_robin / model_halves))
        for i, (paper, predicted) in enumerate(pairs):
            if direction(paper) == 0:
                continue
            if i > 0 and (name, kernel) in CONTRADICTED:
                assert (direction(paper), predicted < 1) == (1, True), "they agree now: take it out of CONTRADICTED"
            else:
                assert direction(paper) == direction(predicted), (kernel, i)
    # Section 4.3: binding threads to uneven halves made PageRank worse.
    assert found["pagerank", "halves"] > found["pagerank", "round_robin"]


def test_a_probe_describes_a_machine():
    def case(kernel, node, memory, seconds, units):
        where = {"kernel": kernel, "processor_node": node, "memory_node": memory, "directory": ""}
        return {"case": where, "seconds": [seconds] * 3, "units": units}

    results = [case("latency", 0, 0, 1e-4, 1000), case("latency", 0, 1, 2e-4, 1000)]
    for kernel in ("sequential_read", "sequential_write", "random_read", "random_write"):
        results += [case(kernel, 0, 0, 1.0, 10e9), case(kernel, 0, 1, 1.0, 5e9)]
    nodes = [{"processors": [0, 1]}, {"processors": [2, 3]}]
    machine = model.machine_from_probe({"machine": {"nodes": nodes}, "results": results})
    assert (machine.sockets, machine.cores_per_socket) == (2, 2)
    graph = rz.generate("rmat", 10)
    assert all(one.seconds > 0 for one in model.predict(graph, machine, ["pagerank"]))
    with pytest.raises(rz.InvalidArgumentError, match="lacks figures"):
        model.machine_from_probe({"machine": {"nodes": nodes}, "results": []})


# -- the command -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    path = tmp_path_factory.mktemp("placed") / "g.rz"
    rz.generate("rmat", 12, into=path).close()
    return path


def test_explain_shows_a_table_a_plot_and_json(rizoma, store, tmp_path):
    shown = rizoma("placement", "explain", store, "--homes", 3, "--plot", "balance.svg").stdout
    assert "round_robin" in shown
    assert "chunk" in shown
    assert "halves" in shown
    assert (tmp_path / "balance.svg").read_text().startswith("<?xml")
    listed = json.loads(rizoma("placement", "explain", store, "--policy", "chunk", "--json").stdout)
    assert [one["policy"] for one in listed] == ["chunk"]
    assert len(listed[0]["homes"]) == 2


def test_figures_of_ranks_are_whole_where_a_line_is_short(rizoma, store):
    narrow = rizoma("placement", "explain", store, "--ranks", 2, columns=60).stdout
    listed = json.loads(rizoma("placement", "explain", store, "--ranks", 2, "--json").stdout)
    assert "…" not in narrow
    for rank in (rank for balance in listed for rank in balance["ranks"]):
        assert f"{rank['edges']:,}" in narrow


def test_a_policy_that_is_none_of_ranks_is_refused(rizoma, store):
    done = rizoma("placement", "explain", store, "--ranks", 2, "--policy", "adaptive", check=False)
    assert done.returncode == 2
    assert "choose one of auto, chunk, halves, round_robin" in done.stderr


def test_predict_shows_estimates(rizoma, store):
    shown = rizoma("placement", "predict", store, "--machine", "cxl-2s", "--kernels", "pagerank").stdout
    assert "round_robin" in shown
    assert "against in_place" in shown
    failed = rizoma("placement", "predict", store, "--machine", "abacus", check=False)
    assert failed.returncode == 1
    assert "optane-2s" in failed.stderr


def test_info_shows_the_topology_without_a_store(rizoma, monkeypatch):
    monkeypatch.setenv("HWLOC_SYNTHETIC", "node:2 core:2 pu:1")
    shown = rizoma("info", "--topology").stdout
    assert "node 1" in shown
    assert "2 nodes, 4 processors" in shown
    assert rizoma("info", check=False).returncode == 2


def test_run_takes_a_placement(rizoma, store, monkeypatch):
    monkeypatch.setenv("HWLOC_SYNTHETIC", "node:2 core:1 pu:1")
    done = rizoma("run", "pagerank", store, "--placement", "round_robin", "--threads", 2)
    assert "round_robin over 2 homes" in done.stderr
    failed = rizoma("run", "pagerank", store, "--placement", "thirds", check=False)
    assert failed.returncode == 2
    assert "choose one of" in failed.stderr


# -- tiers -----------------------------------------------------------------------------------------

MACHINE_WITH_SLOW_MEMORY = "pack:2 [numa(memory=1073741824)] [numa(memory=2147483648)] core:1 pu:1"
WITH_TIERS = """
import rizoma as rz
from rizoma import _core
from rizoma.core.engines import engine

def targets():
    "The graph's entries as analytics reads them; not copied, as the graph is one section."
    with engine() as borrowed:
        return _core.csr(borrowed, g._state().working_view(borrowed))[1]

g = rz.open("g.rz")
plain = rz.pagerank(g).to_numpy()
stored = targets()
with rz.config(tiers={"sections": "slow:interleave", "vertex_state": "dram"}, placement="chunk"):
    result = rz.pagerank(g)
    assert abs(result.to_numpy() - plain).max() < 1e-12
    assert result.placement.tiers == "sections=slow:interleave,vertex_state=dram"
    assert result.placement.to_dict()["tiers"] == result.placement.tiers
    assert "sections=slow" in repr(result)
    copy = targets()
    assert copy.ctypes.data != stored.ctypes.data
    assert targets().ctypes.data == copy.ctypes.data, "loaded again"
    assert (copy == stored).all()
assert targets().ctypes.data == stored.ctypes.data
g.add_edges([(0, 1), (0, 1000)])
with rz.config(tiers="sections=slow"):
    assert len(targets()) == len(stored) + 2 * (g.num_edges - len(stored) // 2)
"""


def test_tiers_lead_to_a_working_copy_that_is_loaded_once(tmp_path):
    edges = [(int(a), int(b)) for a, b in np.random.default_rng(5).integers(0, 900, (4000, 2)) if a != b]
    with rz.open(tmp_path / "g.rz") as graph:
        graph.add_edges(edges)
        assert graph.info().num_sections == 1
    environment = os.environ | {"HWLOC_SYNTHETIC": MACHINE_WITH_SLOW_MEMORY}
    subprocess.run([sys.executable, "-c", WITH_TIERS], cwd=tmp_path, env=environment, check=True)


def test_a_missing_tier_is_an_error_that_names_the_remedy(graph, rizoma, store, monkeypatch):
    monkeypatch.setenv("HWLOC_SYNTHETIC", "node:2 core:1 pu:1")
    for structure in ("sections", "vertex_state", "frontiers", "rr_sets"):
        with (
            rz.config(tiers={structure: "slow"}),
            pytest.raises(rz.UnsupportedError, match="memory-only node"),
        ):
            rz.bfs(graph, 0)
    with rz.config(tiers={"vertex_state": "hbm"}), pytest.raises(rz.UnsupportedError, match="flat mode"):
        rz.bfs(graph, 0)
    failed = rizoma("run", "pagerank", store, "--tiers", "sections=slow", check=False)
    assert failed.returncode == 1
    assert "CXL expander" in failed.stderr


def test_run_takes_tiers_by_option_and_by_environment(rizoma, store, monkeypatch):
    monkeypatch.setenv("HWLOC_SYNTHETIC", MACHINE_WITH_SLOW_MEMORY)
    done = rizoma("run", "pagerank", store, "--tiers", "sections=slow,frontiers=dram:interleave")
    assert "sections=slow,frontiers=dram:interleave" in done.stderr
    monkeypatch.setenv("RIZOMA_TIERS", "vertex_state=slow:bind")
    assert "vertex_state=slow:bind" in rizoma("run", "bfs", store, "--source", 0).stderr


# -- work of kernels whose loops are not over sections ----------------------------------------------


@pytest.mark.parametrize("kernel", ["sssp", "triangle_count", "betweenness_centrality", "clustering"])
def test_kernels_with_loops_of_their_own_count_their_work(graph, kernel):
    arguments = {"sssp": [0], "betweenness_centrality": [4]}.get(kernel, [])
    for homes in (1, 2):
        with on_homes("chunk", homes):
            report = getattr(rz, kernel)(graph, *arguments).placement
        assert report.homes == homes
        work = report.local + report.remote
        assert work.edges > 0
        assert work.bytes >= 4 * work.edges


def test_shortest_paths_count_each_list_they_relax():
    path = rz.open(None)
    path.add_edges([(i, i + 1) for i in range(500)])
    report = rz.sssp(path, 0).placement
    assert (report.local.vertices, report.local.edges) >= (501, 1000)
