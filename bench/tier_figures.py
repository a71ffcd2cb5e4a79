"""The figures of "Three ways through two memories" (docs/measurements/placement.md):
python bench/tier_figures.py FILE...

The experiment of Ghosh et al., SC'21, sections 4.3.2 and 4.3.3, by the model: a node with four sockets, DRAM and
Optane, whose bandwidths are those of the paper's Table 2 (`optane-4s`). Traffic is what the calls report here in
`result.memory`. Files are edge lists. Pages of both memories take turns over the sockets, as in the paper's runs of
Ripples.
"""

from __future__ import annotations

import sys
from pathlib import Path

import rizoma as rz
from rizoma import _core
from rizoma.results.memory import MemoryReport
from rizoma.results.partitions import CommunityPhase

MISS_RATE = 0.3  # of reads of a neighbour's state
STATE_BYTES = 8
ENTRY_BYTES = {"sections": 4, "copies": 12}

# How often the bytes of all reverse reachable sets are (read, written) in Optane and in DRAM. No cache is taken to
# hold a set while it is sorted, which is one pass more; the selection of seeds reads them once.
WAYS = {
    "direct, sorted through DRAM": ((2, 2), (1, 1)),
    "in place": ((2, 2), (0, 0)),
    "built in DRAM, then moved": ((1, 1), (2, 2)),
}


def row(*cells: object) -> None:
    """Print a line of a table."""
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


class Node:
    """The described machine, and what its sockets do."""

    def __init__(self) -> None:
        self.machine = _core.find_machine("optane-4s")
        self.flows: list[_core.TrafficFlow] = []

    def add(self, tier: _core.Tier, **amounts: float) -> None:
        """Each socket has the same share of the traffic, and of each share a quarter goes to each socket."""
        sockets = self.machine.sockets
        share = {name: amount / sockets**2 for name, amount in amounts.items()}
        self.flows += [_core.TrafficFlow(a, b, tier, **share) for a in range(sockets) for b in range(sockets)]

    def add_graph(self, report: MemoryReport, lists: _core.Tier) -> float:
        """What a call reports of lists and state, which is in DRAM; returns the entries that were read."""
        for use in (*report["sections"], *report["vertex_state"]):
            if use.pattern == "random":
                reads = use.read / STATE_BYTES * MISS_RATE
                self.add(_core.Tier.dram, random_reads=reads, random_writes=use.written / STATE_BYTES)
            else:
                tier = lists if use.structure == "sections" else _core.Tier.dram
                self.add(tier, sequential_read_bytes=use.read, sequential_write_bytes=use.written)
        return sum(use.read for use in report["vertex_state"]) / STATE_BYTES

    def add_rr_sets(self, size: float, tier: _core.Tier, times: tuple[int, int]) -> None:
        """Bytes of all reverse reachable sets, read and written this many times."""
        self.add(tier, sequential_read_bytes=times[0] * size, sequential_write_bytes=times[1] * size)

    def seconds(self, entries: float) -> float:
        """How long it is busy with all that."""
        sockets = self.machine.sockets
        return _core.predict(self.machine, self.flows, [entries / sockets] * sockets, 0).seconds


def rr_sets(name: str, graph: rz.Graph) -> None:
    """Print a row for each model of influence: times by those of everything in DRAM."""
    for model in ("ic", "lt"):
        found = rz.influence_maximization(graph, 100, model, "weighted", 0.13, method="imm", seed=1)
        dram = Node()
        entries = dram.add_graph(found.memory, _core.Tier.dram)
        dram.add_rr_sets(found.rr_set_bytes, _core.Tier.dram, WAYS["in place"][0])
        times = []
        for slow, fast in WAYS.values():
            node = Node()
            node.add_graph(found.memory, _core.Tier.dram)
            node.add_rr_sets(found.rr_set_bytes, _core.Tier.persistent, slow)
            node.add_rr_sets(found.rr_set_bytes, _core.Tier.dram, fast)
            times.append(node.seconds(entries) / dram.seconds(entries))
        lists = sum(use.read for use in found.memory["sections"])
        row(name, model, f"{found.rr_set_bytes / lists:.2%}", *(f"{time:.2f}" for time in times))


def phase_seconds(phases: list[CommunityPhase], lists: _core.Tier, copies: _core.Tier) -> float:
    """How long the node is busy with phases: lists, and a neighbour's community for each of their entries."""
    dram, node, entries = _core.Tier.dram, Node(), 0.0
    for phase in phases:
        read = phase.read / ENTRY_BYTES[phase.structure]
        node.add(lists if phase.structure == "sections" else copies, sequential_read_bytes=phase.read)
        node.add(copies, sequential_write_bytes=phase.written)
        node.add(dram, random_reads=read * MISS_RATE)
        entries += read
    return node.seconds(entries)


def communities(name: str, graph: rz.Graph) -> None:
    """Print a row for each kind of phase: its share of the time with all in DRAM, and times by that."""
    dram, slow = _core.Tier.dram, _core.Tier.persistent
    for method in (rz.louvain, rz.leiden):
        phases = list(method(graph, seed=1, threads=2).phases)
        whole = phase_seconds(phases, dram, dram)
        groups = {(phase.kind, min(phase.level, 1)) for phase in phases}
        for kind, level in sorted(groups, key=lambda group: (group[1], group[0])):
            some = [phase for phase in phases if (phase.kind, min(phase.level, 1)) == (kind, level)]
            base = phase_seconds(some, dram, dram)
            ratios = [phase_seconds(some, slow, copies) / base for copies in (dram, slow)]
            where = "the graph" if level == 0 else "coarse graphs"
            row(name, method.__name__, f"{kind}, {where}", f"{base / whole:.1%}", *(f"{x:.2f}" for x in ratios))
        ratios = [phase_seconds(phases, slow, copies) / whole for copies in (dram, slow)]
        row(name, method.__name__, "all", "", *(f"{ratio:.2f}" for ratio in ratios))


def main() -> None:
    """Print both tables."""
    graphs = {Path(file).name.split(".")[0]: rz.read(file) for file in sys.argv[1:]}
    row("graph", "model", "reverse reachable sets, by lists read", *WAYS)
    row(*["---"] * (3 + len(WAYS)))
    for name, graph in graphs.items():
        rr_sets(name, graph)
    row("graph", "method", "phase", "share", "graph in Optane", "coarse graphs, too")
    row(*["---"] * 6)
    for name, graph in graphs.items():
        communities(name, graph)


if __name__ == "__main__":
    main()
