"""NetworkX's own tests of the functions that the backend has; `make test-networkx` runs all of NetworkX's."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import networkx as nx
import pytest

SUITES = [
    "algorithms/assortativity/tests/test_connectivity.py",
    "algorithms/assortativity/tests/test_neighbor_degree.py",
    "algorithms/bipartite/tests/test_basic.py",
    "algorithms/centrality/tests",
    "algorithms/coloring/tests",
    "algorithms/components/tests",
    "algorithms/link_analysis/tests",
    "algorithms/operators/tests/test_unary.py",
    "algorithms/shortest_paths/tests",
    *(
        f"algorithms/tests/test_{name}.py"
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
    "algorithms/traversal/tests",
    "algorithms/tree/tests/test_mst.py",
    "algorithms/tree/tests/test_recognition.py",
    "generators/tests/test_ego.py",
    "linalg/tests",
    "tests/test_convert_numpy.py",
    "tests/test_convert_scipy.py",
]


@pytest.mark.parametrize("fallback", [True, False], ids=["with fallback", "without"])
def test_networkx_own_tests(fallback, tmp_path):
    root = Path(nx.__file__).parent
    environment = os.environ | {"NETWORKX_TEST_BACKEND": "rizoma"}
    if fallback:
        environment["NETWORKX_FALLBACK_TO_NX"] = "True"
    suites = SUITES if fallback else ["algorithms/link_analysis/tests", "algorithms/components/tests"]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-x"]
    done = subprocess.run(
        [*command, *(str(root / suite) for suite in suites)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment,
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
