"""How many small questions a second a graph answers from Python, on one thread, beside NetworkX.

    python bench/local_calls.py [ROUNDS [EDGE_FILE]]

Every round asks each kind of question 100,000 times (passes over all edges: once), in turn; figures are the medians of
the rounds, with the smallest and the largest.  Passes over edges are also of graphs with few edges a vertex: a path, a
grid and, if it is named, a file such as a road network's.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import networkx as nx
import numpy as np
import rizoma as rz

CALLS = 100_000


def every(call: Callable[..., object], rows: Iterable[tuple[object, ...]]) -> None:
    """Ask them all."""
    for row in rows:
        call(*row)


def every_vertex(graph: rz.Graph) -> None:
    """Pass over the vertices."""
    for _ in graph:
        pass


def every_edge(graph: rz.Graph | nx.Graph) -> None:
    """Pass over the edges."""
    for _u, _v in graph.edges:
        pass


def questions(graph: rz.Graph, name: Callable[[int], object], rows: np.ndarray) -> dict[str, Callable[[], None]]:
    """Each kind of question, as a function that asks it CALLS times."""
    vertices = [(name(u),) for u in rows[:, 0].tolist()]
    pairs = [(name(u), name(v)) for u, v in rows.tolist()]
    neighbors, degree, has_edge, weight = graph.neighbors, graph.degree, graph.has_edge, graph.weight
    return {
        "neighbors(v)": lambda: every(neighbors, vertices),
        "degree(v)": lambda: every(degree, vertices),
        "has_edge(u, v)": lambda: every(has_edge, pairs),
        "weight(u, v)": lambda: every(weight, pairs),
        "v in g": lambda: every(graph.__contains__, vertices),
    }


def few_edges(file: str | None) -> dict[str, rz.Graph]:
    """Graphs with few edges a vertex, with integer ids that are not 0..n-1 and with strings."""
    vertices = np.arange(1 << 20)
    tables = {
        "a path": np.stack([vertices[:-1], vertices[1:]], axis=1),
        "a grid": np.asarray(rz.generate("grid", 20).edges.to_pandas()),
    }
    if file is not None:
        tables[Path(file).name] = np.asarray(rz.read(file, weights=False).edges.to_pandas())
    graphs = {}
    for name, table in tables.items():
        graphs[f"integer ids, {name}"] = rz.open(None, ids="integer")
        graphs[f"integer ids, {name}"].add_edges(3 * table + 1)
        graphs[f"string ids, {name}"] = rz.open(None, ids="string")
        texts = table.astype(str)
        graphs[f"string ids, {name}"].add_edges({"source": texts[:, 0], "target": texts[:, 1]})
    return graphs


def main() -> None:
    """Measure, and print the table."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    sparse = few_edges(sys.argv[2] if len(sys.argv) > 2 else None)
    with tempfile.TemporaryDirectory() as directory:
        made = rz.generate("rmat", 17, seed=1, directed=True, weights="float32", into=Path(directory) / "integers.rz")
        edges = made.edges.to_arrow()
        sources, targets = (edges.column(name).to_numpy() for name in ("source", "target"))
        drawn = np.random.default_rng(1).integers(len(sources), size=CALLS)
        rows = np.stack([sources[drawn], targets[drawn]], axis=1)
        texts = rz.open(Path(directory) / "strings.rz", directed=True, weights="float32", ids="string")
        weights = edges.column("weight").to_numpy()
        texts.add_edges({"source": sources.astype(str), "target": targets.astype(str), "weight": weights})
        hub = rz.open(Path(directory) / "hub.rz", directed=True)
        hub.add_edges(np.stack([np.zeros(10**6, np.int64), np.arange(1, 10**6 + 1)], axis=1))
        theirs = nx.DiGraph(zip(sources.tolist(), targets.tolist(), strict=True))

        cases: dict[tuple[str, str], tuple[Callable[[], object], int]] = {}
        for kind, graph, name in (("integer ids", made, int), ("string ids", texts, str)):
            for where, asked in (("graph", graph), ("snapshot", graph.snapshot())):
                for question, ask in questions(asked, name, rows).items():
                    cases[question, f"{kind}, {where}"] = (ask, CALLS)
        of_hub = [(0,)] * CALLS
        cases["neighbors(v)", "a vertex with a million neighbours"] = (lambda: every(hub.neighbors, of_hub), CALLS)
        asked_of_them, pairs = [(v,) for v in rows[:, 0].tolist()], rows.tolist()
        cases["neighbors(v)", "NetworkX's successors"] = (lambda: every(theirs.successors, asked_of_them), CALLS)
        cases["has_edge(u, v)", "NetworkX"] = (lambda: every(theirs.has_edge, pairs), CALLS)
        cases["for v in g", "integer ids"] = (lambda: every_vertex(hub), len(hub))
        cases["for u, v in g.edges", "integer ids"] = (lambda: every_edge(made), made.num_edges)
        cases["for u, v in g.edges", "string ids"] = (lambda: every_edge(texts), texts.num_edges)
        for kind, graph in sparse.items():
            cases["for u, v in g.edges", kind] = (lambda graph=graph: every_edge(graph), graph.num_edges)
        cases["for u, v in g.edges", "NetworkX"] = (lambda: every_edge(theirs), theirs.number_of_edges())
        rates: dict[tuple[str, str], list[float]] = {case: [] for case in cases}
        for number in range(rounds + 1):
            for case, (ask, count) in cases.items():
                begin = time.perf_counter()
                ask()
                if number:  # the first round warms up
                    rates[case].append(count / (time.perf_counter() - begin))
    print("| question | of | thousand a second |\n| --- | --- | --- |")
    for (question, where), found in rates.items():
        low, middle, high = (f"{rate / 1000:,.0f}" for rate in (min(found), float(np.median(found)), max(found)))
        print(f"| `{question}` | {where} | {middle} ({low} - {high}) |")


if __name__ == "__main__":
    main()
