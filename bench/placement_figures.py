"""The figures of docs/measurements/placement.md: python bench/placement_figures.py CASE [GRAPH...]

  balance   edges of the fullest home by the mean, for each policy and order, over 2 and 4 homes
  local     share of the edge work that was local, by kernel and policy, on 2 and 4 synthetic homes
  predict   the model's times against in_place on the dissertation's server, beside what it measured

R-MAT of SCALE (default 20) is generated; more graphs are edge lists given by their files.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import rizoma as rz
from rizoma.graph.placement import explain
from rizoma_lab import model

SCALE = int(os.environ.get("SCALE", "20"))
HOMES = (2, 4)

# Tables 5.2 and 5.3 of the dissertation, 48 threads: DGAP DM (halves, free threads) and DGAP RR (round
# robin, bound threads), both by DGAP.
PAPER = {
    "dense (Orkut)": {
        "pagerank": (1.62 / 1.59, 1.26 / 1.59),
        "betweenness_centrality": (0.25 / 0.29, 0.23 / 0.29),
        "bfs": (0.08 / 0.08, 0.04 / 0.08),
        "connected_components": (0.29 / 0.35, 0.16 / 0.35),
    },
    "sparse (LiveJournal)": {
        "pagerank": (0.96 / 0.95, 1.02 / 0.95),
        "betweenness_centrality": (0.22 / 0.25, 0.20 / 0.25),
        "bfs": (0.07 / 0.07, 0.15 / 0.07),
        "connected_components": (0.29 / 0.33, 0.14 / 0.33),
    },
}


def row(*cells: object) -> None:
    """Print a line of a table."""
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def graphs(order: str) -> dict[str, rz.Graph]:
    """R-MAT, and the graphs that the command names, with internal ids in this order."""
    found = {f"R-MAT {SCALE}": rz.generate("rmat", SCALE, seed=1, order=order)}
    for file in sys.argv[2:]:
        found[Path(file).name.split("-und")[0]] = rz.read(file, order=order)
    return found


def balance() -> None:
    """Print a row for each graph, order and number of homes."""
    row("graph", "order", "homes", "sections", "halves", "round_robin", "chunk", "edges across, in this order")
    row(*["---"] * 8)
    for order in ("given", "degree", "striped"):
        for name, graph in graphs(order).items():
            for homes in HOMES:
                found = explain(graph, homes)
                even = [f"{one.imbalance('edges'):.4f}" for one in found]
                across = ", ".join(f"{one.edges_across:.0%}" for one in found)
                row(name, order, homes, graph.info().num_sections, *even, across)


def local() -> None:
    """Print a row for each kernel and policy."""
    kernels = {
        "pagerank": lambda g: rz.pagerank(g, max_iter=10, tol=0),
        "bfs": lambda g: rz.bfs(g, g.degrees().top(1)[0][0]),
        "connected_components": rz.connected_components,
        "betweenness_centrality (4)": lambda g: rz.betweenness_centrality(g, k=4, seed=1),
        "sssp": lambda g: rz.sssp(g, g.degrees().top(1)[0][0]),
        "triangle_count": rz.triangle_count,
    }
    row("graph", "homes", "policy", *kernels)
    row(*["---"] * (3 + len(kernels)))
    for name, graph in graphs("degree").items():
        for homes in HOMES:
            for policy in ("round_robin", "chunk", "adaptive"):
                with rz.config(placement=model.made_up_homes(policy, homes), threads=homes):
                    shares = [run(graph).placement.local_share for run in kernels.values()]
                row(name, homes, policy, *(f"{share:.1%}" for share in shares))


def preferential(vertices: int, each: int, seed: int = 1) -> rz.Graph:
    """Vertex v joins `each` older ones, chosen by degree: old vertices have low ids and many edges."""
    random = np.random.default_rng(seed)
    ends = np.zeros(2 * vertices * each, np.int64)
    for v in range(1, vertices):
        first = 2 * (v - 1) * each
        ends[first : first + each] = ends[random.integers(0, max(first, 1), each)]
        ends[first + each : first + 2 * each] = v
    pairs = ends[: 2 * (vertices - 1) * each].reshape(-1, 2, each)
    graph = rz.open(None)
    graph.add_edges(np.column_stack([pairs[:, 1].ravel(), pairs[:, 0].ravel()]), order="given")
    return graph


def predict() -> None:
    """Print the balance of halves, and the model beside the paper."""
    for name, vertices, each in (("dense (Orkut)", 1 << 16, 38), ("sparse (LiveJournal)", 1 << 18, 9)):
        graph = preferential(vertices, each)
        for balance in explain(graph, 2):
            shares = [home.edges / graph.info().num_entries for home in balance.homes]
            print(f"{name}: {balance.policy}: " + " / ".join(f"{share:.1%}" for share in shares))
        found = {(one.kernel, one.variant): one for one in model.predict(graph, "optane-2s")}
        row("kernel", "halves, free: paper", "model", "round_robin, bound: paper", "model", "bounded by")
        row(*["---"] * 6)
        for kernel, (halves, round_robin) in PAPER[name].items():
            base = found[kernel, "in_place"].seconds
            free, bound = found[kernel, "halves, free threads"], found[kernel, "round_robin"]
            ratios = [halves, free.seconds / base, round_robin, bound.seconds / base]
            row(kernel, *(f"{ratio:.2f}" for ratio in ratios), bound.bottleneck)


if __name__ == "__main__":
    {"balance": balance, "local": local, "predict": predict}[sys.argv[1]]()
