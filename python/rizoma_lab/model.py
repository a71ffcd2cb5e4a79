"""The model: what a described machine would take for the work that was counted on this one.

A kernel runs here on as many synthetic homes as the machine has sockets; the work on the sections of each
home is counted.  Who would do it there follows from the placement (bound threads: those of that home; here
the processors are too few and too shared to tell).  That work becomes traffic between sockets (see
`Assumptions`), and the roofline of `include/rizoma/lab/predict.h` says how long the machine would be busy with
it.  It compares placements; it does not promise seconds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rizoma import _core
from rizoma.algorithms.betweenness_centrality import betweenness_centrality
from rizoma.algorithms.bfs import bfs
from rizoma.algorithms.connected_components import connected_components
from rizoma.algorithms.pagerank import pagerank
from rizoma.core.config import config
from rizoma.core.engines import engine
from rizoma.core.errors import InvalidArgumentError
from rizoma.graph.placement import PlacementReport, WorkCount, explain
from rizoma.graph.state import Reader
from rizoma.results.vertex import VertexResult

__all__ = ["VARIANTS", "Assumptions", "Estimate", "machine_from_probe", "predict"]


@dataclass(frozen=True)
class Variant:
    """A way to place data and threads: its policy, and whether threads are bound to their homes."""

    policy: str
    bound: bool


VARIANTS: Mapping[str, Variant] = {
    "in_place": Variant("in_place", False),  # all on node 0, threads anywhere: DGAP
    "halves, free threads": Variant("halves", False),  # DGAP DM
    "halves": Variant("halves", True),
    "round_robin": Variant("round_robin", True),  # DGAP RR
    "chunk": Variant("chunk", True),
    "interleave": Variant("interleave", True),
}

Run = Callable[[Reader], VertexResult]


@dataclass(frozen=True)
class Assumptions:
    """What the counters do not tell.

    miss_rate: share of the reads of a neighbour's state that no cache answers.
    state_bytes: written once for each vertex that a sweep hands out.
    list_starts: each list begins with a read at random (searches) instead of in sequence (sweeps).
    sections, state: the memory that they are in.
    """

    miss_rate: float = 0.3
    state_bytes: int = 8
    list_starts: bool = False
    sections: str = "dram"
    state: str = "dram"


@dataclass(frozen=True)
class Estimate:
    """A kernel under one variant: seconds of the model, what bounds it, and the counted local share."""

    kernel: str
    variant: str
    seconds: float
    bottleneck: str
    local_share: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as JSON has them."""
        return dict(vars(self))


def predict(
    graph: Reader,
    machine: str | _core.MachineDescription = "optane-2s",
    kernels: list[str] | None = None,
    *,
    threads_per_home: int = 0,
    miss_rate: float = 0.3,
    seed: int = 1,
) -> list[Estimate]:
    """Return estimates for each kernel ("pagerank", "bfs", "betweenness_centrality",
    "connected_components") under each of VARIANTS on a described machine, or one made from a probe."""
    described = _core.find_machine(machine) if isinstance(machine, str) else machine
    runs = _runs(graph, seed)
    unknown = set(kernels or []) - set(runs)
    if unknown:
        raise InvalidArgumentError(f"no estimate for {', '.join(unknown)}; there are {', '.join(runs)}")
    persistent = described.has(_core.Tier.persistent)
    estimates = []
    for kernel in kernels or list(runs):
        assumptions = Assumptions(
            miss_rate=miss_rate,
            list_starts=kernel in ("bfs", "betweenness_centrality"),
            sections="persistent" if persistent else "dram",
        )
        for name, variant in VARIANTS.items():
            report = _counted(graph, runs[kernel], variant.policy, described.sockets)
            flows, edges = _traffic(graph, report, variant, described.sockets, assumptions)
            found = _core.predict(described, flows, edges, threads_per_home)
            local = report.local_share if variant.bound else 1 / described.sockets
            estimates.append(Estimate(kernel, name, found.seconds, found.bottleneck, local))
    return estimates


def _runs(graph: Reader, seed: int) -> dict[str, Run]:
    degrees = graph.degrees()
    source = degrees.top(1)[0][0] if len(degrees) else 0
    return {
        "pagerank": lambda g: pagerank(g, max_iter=10, tol=0),
        "betweenness_centrality": lambda g: betweenness_centrality(g, k=min(4, len(g)), seed=seed),
        "bfs": lambda g: bfs(g, source),
        "connected_components": connected_components,
    }


def made_up_homes(policy: str, homes: int) -> _core.Placement:
    """Return a placement over homes that this machine need not have: threads are counted, not bound."""
    return _core.Placement.from_json(
        json.dumps({"policy": policy, "homes": homes, "home_of_thread": list(range(homes))})
    )


def _counted(graph: Reader, run: Run, policy: str, homes: int) -> PlacementReport:
    with config(placement=made_up_homes(policy, homes), threads=homes):
        report = run(graph).placement
    assert report is not None
    return report


def _traffic(
    graph: Reader, report: PlacementReport, variant: Variant, homes: int, assume: Assumptions
) -> tuple[list[_core.TrafficFlow], list[float]]:
    """Flows between sockets, and the entries that each socket's threads handle."""
    sections = getattr(_core.Tier, assume.sections)
    state = getattr(_core.Tier, assume.state)
    targets = _target_shares(graph, variant.policy, homes)
    flows = []
    edges = [0.0] * homes
    for home in range(homes):
        for of in range(homes):
            # Bound threads do the work of their own home; free ones share out that of all alike.
            share = float(home == of) if variant.bound else 1 / homes
            work = sum((report.between[i][of] for i in range(homes)), WorkCount())
            entries = share * work.edges
            vertices = share * work.vertices
            edges[home] += entries
            starts = vertices if assume.list_starts else 0.0
            flows.append(_core.TrafficFlow(home, of, sections, share * work.bytes, random_reads=starts))
            flows.append(_core.TrafficFlow(home, of, state, sequential_write_bytes=vertices * assume.state_bytes))
            flows += [
                _core.TrafficFlow(home, to, state, random_reads=entries * assume.miss_rate * part)
                for to, part in enumerate(targets[of])
            ]
    return flows, edges


def _target_shares(graph: Reader, policy: str, homes: int) -> list[list[float]]:
    """For sections of each home, the share of their entries that lead to each home."""
    if policy == "interleave":
        return [[1 / homes] * homes] * homes
    placed = explain(graph, homes, [policy])[0].home_of_section
    with engine() as borrowed:
        between = _core.entries_between(graph._state().view(borrowed), placed, homes)
    rows = [between[i * homes : (i + 1) * homes] for i in range(homes)]
    return [[count / max(sum(row), 1) for count in row] for row in rows]


def machine_from_probe(report: Mapping[str, Any]) -> _core.MachineDescription:
    """Return a description of the machine that `rizoma probe --json` measured, DRAM only.

    Figures of each kind are medians over pairs of nodes; what was not measured from afar (one node)
    counts as local.
    """
    nodes = [node for node in report["machine"]["nodes"] if node["processors"]]
    kinds = ("latency", "sequential_read", "sequential_write", "random_read", "random_write")
    local = [_figure(report, kind, local=True) for kind in kinds]
    remote = [_figure(report, kind, local=False) or near for kind, near in zip(kinds, local, strict=True)]
    if not all(local):
        raise InvalidArgumentError("the probe's report lacks figures of memory; run rizoma probe --json FILE")
    cores = max(len(nodes[0]["processors"]), 1) if nodes else 1
    return _core.MachineDescription.from_figures("probed", max(len(nodes), 1), cores, local, remote)


def _figure(report: Mapping[str, Any], kernel: str, *, local: bool) -> float:
    """Median over the cases: seconds a load for latency, else bytes a second; 0 if there is none."""
    values = []
    for result in report["results"]:
        case = result["case"]
        near = case.get("processor_node") == case.get("memory_node")
        if case.get("kernel") != kernel or case.get("directory") or "memory_node" not in case or near != local:
            continue
        if result["seconds"] and result["units"]:
            seconds = sorted(result["seconds"])[len(result["seconds"]) // 2]
            values.append(seconds / result["units"] if kernel == "latency" else result["units"] / seconds)
    return sorted(values)[len(values) // 2] if values else 0.0
