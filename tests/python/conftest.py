"""What the tests share: where the real graphs lie, random graphs, a way to run the command."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
import rizoma as rz


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Directory of the real graphs: RIZOMA_SHARED/data, or ../shared/data beside the repository."""
    root = Path(__file__).resolve().parents[2]
    place = Path(os.environ.get("RIZOMA_SHARED", root.parent / "shared")) / "data"
    if not place.is_dir():
        pytest.skip(f"the real graphs are not at {place}; set RIZOMA_SHARED to the directory above data/")
    return place


@pytest.fixture
def rizoma(tmp_path):
    """Runs the command line in an empty directory; returns the finished process."""

    def run(*arguments: object, check: bool = True) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, "-m", "rizoma", *map(str, arguments)],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            timeout=300,
            env=os.environ | {"COLUMNS": "200", "NO_COLOR": "1"},
        )
        assert not check or done.returncode == 0, done.stderr
        return done

    return run


def random_graph(seed: int, n: int = 60, m: int = 180, directed: bool = False) -> nx.Graph:
    """A graph with isolated vertices, self-loops, weights and several components."""
    rng = np.random.default_rng(seed)
    graph = nx.DiGraph() if directed else nx.Graph()
    graph.add_nodes_from(range(n))
    ends = rng.integers(0, n - n // 6, (m, 2))
    graph.add_weighted_edges_from(
        (int(u), int(v), int(w)) for (u, v), w in zip(ends, rng.integers(1, 20, m), strict=True)
    )
    return graph


def stored(graph: nx.Graph, order: str = "auto", weights: str | None = "int32") -> rz.Graph:
    """The same graph in memory, with inner numbers in the given order."""
    out = rz.open(None, directed=graph.is_directed(), weights=weights)
    out.add_edges(graph)
    out.compact(order)
    return out
