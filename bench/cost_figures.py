"""The figures of docs/measurements/placement.md: python bench/cost_figures.py

The first phase of Louvain's method on the graphs of Ghosh et al., SC'21, Table 3, with the iterations given there, on
one node with Optane and on clusters: price times time against the one node, and what the paper says of it.
"""

from __future__ import annotations

from dataclasses import replace

from rizoma_lab.cost import Job, cost
from rizoma_lab.systems import SYSTEMS

# Vertices, edges, iterations of the first phase.
GRAPHS = {
    "friendster": (65.6e6, 1.8e9, 158),
    "moliere2016": (30.2e6, 3.3e9, 21),
    "clueweb12": (978.4e6, 42.5e9, 10),
    "uk2014": (787.8e6, 47.6e9, 10),
}
NODES = (8, 16, 32)


def row(*cells: object) -> None:
    """Print a line of a table."""
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def job(vertices: float, edges: float, rounds: int) -> Job:
    """One phase: each round reads all lists."""
    entries = 2 * edges
    return Job("louvain", vertices, entries, rounds * vertices, rounds * entries, rounds, exchanged_bytes=32)


def main() -> None:
    """Print a row for each graph and kind of cluster."""
    clusters = {
        "cori": SYSTEMS["cori"],
        "cori, a quarter of the speed": replace(SYSTEMS["cori"], efficiency=0.25),
        "summit": SYSTEMS["summit"],
        "summit-gpu": SYSTEMS["summit-gpu"],
    }
    row("graph", "optane-6tb", "dram-6tb", "cluster", *(f"{nodes} nodes" for nodes in NODES))
    row(*["---"] * (4 + len(NODES)))
    for name, size in GRAPHS.items():
        one, dram = cost(job(*size), systems=["optane-6tb", "dram-6tb"]).estimates
        for kind, system in clusters.items():
            found = cost(job(*size), systems=["optane-6tb", *(system.of(nodes) for nodes in NODES)]).estimates[1:]
            told = [f"{each.against:.2f}x ({each.seconds:.3g} s)" for each in found]
            row(name, f"{one.seconds:.3g} s", f"{dram.against:.2f}x ({dram.seconds:.3g} s)", kind, *told)


if __name__ == "__main__":
    main()
