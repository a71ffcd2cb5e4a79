"""What a wheel must do where nothing of the source tree is in reach: store, change, reopen, analyse, be typed.

Answers are compared with those of a few lines of Python.
"""

import math
import random
import subprocess
import sys
import tempfile
from collections import deque
from pathlib import Path

import rizoma as rz


def lists_of(edges):
    """Neighbours by vertex, in both directions."""
    neighbors = {}
    for u, v in edges:
        neighbors.setdefault(u, set()).add(v)
        neighbors.setdefault(v, set()).add(u)
    return neighbors


def hops_from(neighbors, source):
    """Distances by breadth-first search."""
    found, queue = {source: 0}, deque([source])
    while queue:
        u = queue.popleft()
        for v in neighbors[u] - found.keys():
            found[v] = found[u] + 1
            queue.append(v)
    return found


def ranks_of(neighbors):
    """PageRank by 200 rounds."""
    n = len(neighbors)
    ranks = dict.fromkeys(neighbors, 1 / n)
    for _ in range(200):
        ranks = {v: 0.15 / n + 0.85 * sum(ranks[u] / len(neighbors[u]) for u in neighbors[v]) for v in neighbors}
    return ranks


def same_answers(graph, edges):
    """Compare the kernels with the lines above."""
    neighbors = lists_of(edges)
    assert {v: graph.degree(v) for v in graph} == {v: len(near) for v, near in neighbors.items()}
    triangles = sum(len(neighbors[u] & neighbors[v]) for u, v in edges) // 3
    assert rz.triangle_count(graph).total == triangles
    source = min(neighbors)
    hops = hops_from(neighbors, source)
    found = rz.bfs(graph, source).to_arrow()
    levels = dict(zip(found["vertex"].to_pylist(), found["level"].to_pylist(), strict=True))
    assert {v: level for v, level in levels.items() if level is not None and level >= 0} == hops
    component = rz.connected_components(graph).to_dict()
    assert {v for v in component if component[v] == component[source]} == hops.keys()
    ranks = ranks_of(neighbors)
    assert all(math.isclose(rank, ranks[v], abs_tol=1e-6) for v, rank in rz.pagerank(graph).to_dict().items())


def main():
    """Make a store, change it, open it again, and look at it from Python and from the command line."""
    draw = random.Random(1)
    edges = {tuple(sorted(draw.sample(range(300), 2))) for _ in range(900)}
    with tempfile.TemporaryDirectory() as directory:
        store = Path(directory) / "try.rz"
        with rz.open(store, ids="integer") as graph:
            graph.add_edges(list(edges))
            gone = draw.sample(sorted(edges), 100)
            graph.remove_edges(gone)
        edges -= set(gone)
        with rz.open(store) as graph:
            same_answers(graph, edges)
            graph.compact()
            same_answers(graph, edges)
            graph.export(Path(directory) / "edges.csv.gz")
            assert rz.read(Path(directory) / "edges.csv.gz").num_edges == len(edges)
        command = Path(sys.executable).with_name("rizoma")
        subprocess.run([command, "check", store], check=True)
    package = Path(rz.__file__).parent
    assert (package / "py.typed").exists()
    assert (package / "_core.pyi").exists()
    print(f"rizoma {rz.__version__} works on Python {sys.version.split()[0]}")


main()
