"""NetworkX's own tests of the functions that the backend has; `make test-networkx` runs all of NetworkX's."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SUITES = [
    *("assortativity.tests.test_connectivity", "assortativity.tests.test_neighbor_degree"),
    *("bipartite.tests.test_basic", "centrality", "coloring", "components", "link_analysis"),
    *(f"community.tests.test_{name}" for name in ("louvain", "leiden", "label_propagation", "quality")),
    *("operators.tests.test_unary", "shortest_paths", "traversal"),
    *("tree.tests.test_mst", "tree.tests.test_recognition"),
    *(
        f"tests.test_{name}"
        for name in (
            *("boundary", "bridges", "cluster", "core", "cuts", "dag", "distance_measures", "dominating"),
            *(
                "efficiency",
                "isolate",
                "link_prediction",
                "lowest_common_ancestors",
                "reciprocity",
                "regular",
            ),
            *("simple_paths", "smetric", "tournament", "wiener"),
        )
    ),
]
"""Below networkx.algorithms."""

MORE = [
    *("networkx.generators.tests.test_ego", "networkx.linalg"),
    *("networkx.tests.test_convert_numpy", "networkx.tests.test_convert_scipy"),
]


def run(modules: list[str], fallback: bool, directory: Path) -> str:
    """What pytest says of NetworkX's tests with every call sent to the backend; fails if one fails."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("NETWORKX_")}
    environment["NETWORKX_TEST_BACKEND"] = "rizoma"
    if fallback:
        environment["NETWORKX_FALLBACK_TO_NX"] = "True"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--pyargs", *modules]
    done = subprocess.run(command, capture_output=True, text=True, cwd=directory, env=environment)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    return done.stdout


def test_with_fallback(tmp_path):
    output = run([f"networkx.algorithms.{suite}" for suite in SUITES] + MORE, True, tmp_path)
    assert " passed" in output.splitlines()[-1]


def test_without_fallback_what_the_backend_lacks_is_not_run(tmp_path):
    output = run(["networkx.algorithms.link_analysis", "networkx.algorithms.tests.test_matching"], False, tmp_path)
    assert " xfailed" in output.splitlines()[-1]
    assert " passed" in output.splitlines()[-1]
