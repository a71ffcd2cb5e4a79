"""LDBC Graphalytics' own validation: its six algorithms, on its graphs, against its outputs and within its bounds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import rizoma as rz

DATA = Path(__file__).parent.parent / "data" / "graphalytics"
NEVER = 2**63 - 1  # the level of a vertex that a search does not reach


def values_in(path: Path, kind: Callable[[str], Any]) -> dict[int, Any]:
    return {int(vertex): kind(value) for vertex, value in (line.split() for line in path.read_text().splitlines())}


def graph_of_lists(path: Path, directed: bool) -> rz.Graph:
    """A vertex and its neighbours in each line."""
    graph = rz.open(None, directed=directed, ids="integer")
    lists = [[int(word) for word in line.split()] for line in path.read_text().splitlines() if line.strip()]
    graph.add_edges([(v, w) for v, *neighbours in lists for w in neighbours])
    graph.add_vertices([v for v, *_ in lists])
    return graph


def bfs(graph: rz.Graph, source: int, _: int) -> dict[int, int]:
    found = rz.bfs(graph, source)
    return {v: NEVER if level < 0 else level for v, level in zip(found.ids, found.to_numpy().tolist(), strict=True)}


def pagerank(graph: rz.Graph, _: int, iterations: int) -> dict[int, float]:
    return dict(rz.pagerank(graph, alpha=0.85, tol=0, max_iter=iterations).to_dict())


def components(graph: rz.Graph, *_: int) -> dict[int, int]:
    return dict(rz.connected_components(graph).to_dict())


def label_propagation(graph: rz.Graph, _: int, iterations: int) -> dict[int, int]:
    return dict(rz.label_propagation(graph, synchronous=True, max_iter=iterations).to_dict())


def clustering(graph: rz.Graph, *_: int) -> dict[int, float]:
    return dict(rz.clustering(graph, definition="ldbc").to_dict())


# The algorithm, its folder, its name in the examples, and the relative error that Graphalytics allows.
ALGORITHMS: list[tuple[Callable[..., dict[int, Any]], str, str, float]] = [
    (bfs, "bfs", "BFS", 0),
    (pagerank, "pr", "PR", 1e-4),
    (components, "wcc", "WCC", 0),
    (label_propagation, "cdlp", "CDLP", 0),
    (clustering, "lcc", "LCC", 1e-6),
]
ITERATIONS = {("pr", True): 14, ("pr", False): 26, ("cdlp", True): 5, ("cdlp", False): 5}


def same_groups(found: dict[int, int], expected: dict[int, int]) -> bool:
    """Graphalytics compares components by which vertices are together."""
    pairs = {(found[v], expected[v]) for v in expected}
    return len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})


def check(name: str, found: dict[int, Any], expected: dict[int, Any], error: float) -> None:
    if name == "wcc":
        assert found.keys() == expected.keys()
        assert same_groups(found, expected)
    else:
        assert found == (pytest.approx(expected, rel=error, abs=1e-12) if error else expected)


@pytest.mark.parametrize("directed", [True, False], ids=["directed", "undirected"])
@pytest.mark.parametrize(("run", "name", "_", "error"), ALGORITHMS, ids=[name for _, name, _, _ in ALGORITHMS])
def test_the_graph_of_an_algorithm(run, name, _, error, directed):
    kind = "dir" if directed else "undir"
    expected = values_in(DATA / name / f"{kind}-output", float if error else int)
    with graph_of_lists(DATA / name / f"{kind}-input", directed) as graph:
        check(name, run(graph, 1, ITERATIONS.get((name, directed), 0)), expected, error)


@pytest.mark.parametrize("directed", [True, False], ids=["directed", "undirected"])
@pytest.mark.parametrize(("run", "name", "upper", "error"), ALGORITHMS, ids=[name for _, name, _, _ in ALGORITHMS])
def test_the_example_of_the_specification(run, name, upper, error, directed):
    kind = "directed" if directed else "undirected"
    expected = values_in(DATA / "example" / f"example-{kind}-{upper}", float if error else int)
    with graph_of_lists(DATA / "example" / f"example-{kind}-input", directed) as graph:
        check(name, run(graph, 1 if directed else 2, 2), expected, error)


@pytest.mark.parametrize(
    ("edges", "output", "directed", "source"),
    [
        ("sssp/dir-input.e", "sssp/dir-output", True, 1),
        ("sssp/undir-input.e", "sssp/undir-output", False, 1),
        ("example/example-directed.e", "example/example-directed-SSSP", True, 1),
        ("example/example-undirected.e", "example/example-undirected-SSSP", False, 2),
    ],
)
def test_lengths_of_paths_in_files_of_graphalytics(edges, output, directed, source):
    expected = values_in(DATA / output, float)
    with rz.read(DATA / edges, format="graphalytics", directed=directed, weights=True, ids="integer") as graph:
        found = rz.sssp(graph, source)
        lengths = dict(zip(found.ids, found.to_numpy().tolist(), strict=True))
        assert lengths == pytest.approx(expected, rel=1e-4)
