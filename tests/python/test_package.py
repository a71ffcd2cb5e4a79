"""The package itself: types, public names, the harness."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import rizoma as rz
from rizoma.bench.checks import agrees
from rizoma.bench.figures import figure, figure_agrees
from rizoma.bench.statistics import median_interval

ROOT = Path(__file__).resolve().parents[2]


def test_public_names():
    assert set(rz.__all__) <= set(dir(rz))
    assert (Path(rz.errors.__file__).parent / "py.typed").exists()
    assert rz.__version__.count(".") == 2


def test_the_stub_is_that_of_the_extension(tmp_path):
    pytest.importorskip("nanobind.stubgen")
    stub = tmp_path / "_core.pyi"
    patterns = ROOT / "python" / "stub_patterns.txt"
    command = [
        sys.executable,
        "-m",
        "nanobind.stubgen",
        "-q",
        "-m",
        "rizoma._core",
        "-p",
        patterns,
        "-o",
        stub,
    ]
    subprocess.run(command, check=True, cwd=tmp_path)
    kept = ROOT / "python" / "rizoma" / "_core.pyi"
    assert stub.read_text() == kept.read_text(), f"run: {' '.join(map(str, command[:-1]))} {kept}"


def test_bootstrap_interval():
    middle, low, high = median_interval([1.0, 2.0, 3.0, 4.0, 100.0])
    assert low <= middle == 3.0 <= high
    assert median_interval([2.0]) == (2.0, 2.0, 2.0)


def test_checks_can_fail():
    degrees = np.array([1, 2, 1])
    assert agrees("cc", np.array([0, 0, 2]), np.array([5, 5, 1]), degrees)
    assert not agrees("cc", np.array([0, 0, 2]), np.array([5, 1, 1]), degrees)
    assert not agrees("cc", np.array([0, 0, 2]), np.array([5, 5, 5]), degrees)
    assert agrees("bfs", np.array([0, 1, -1]), np.array([0, 1, np.inf]), degrees)
    assert not agrees("bfs", np.array([0, 1, -1]), np.array([0, 2, -1]), degrees)
    assert agrees("pr", np.array([0.2, 0.6, 0.2]), np.array([2.0, 6.0, 2.0]), degrees)
    assert not agrees("pr", np.array([0.2, 0.6, 0.2]), np.array([0.3, 0.5, 0.2]), degrees)
    assert not agrees("sssp", np.array([0.0, 1.0]), np.array([0.0, 2.0]), degrees)
    assert not agrees("bc", np.array([0.0, 10.0]), np.array([1.0, 10.0]), degrees)
    assert not agrees("tc", np.array(3), np.array(4), degrees)
    assert agrees("bc", np.array([1.0]), np.empty(0), degrees) is None


def test_figures_of_the_yardstick():
    degrees, reach = np.array([1, 1, 0]), np.array([2, 2, 1])
    assert figure("bfs", np.array([0, 1, -1]), [0], degrees, reach) == 2
    assert figure("cc", np.array([0, 0, 2]), [], degrees, reach) == 2
    assert figure("sssp", np.array([0, 7.0, np.inf]), [0], degrees, reach) == 7
    assert figure("bc", np.array([0.0, 0.5, 0.0]), [0], degrees, reach) == 1.5
    assert figure("pr", np.array([0.5, 0.5, 0.0]), [], np.array([1, 1, 1]), reach) == pytest.approx(1)
    assert not figure_agrees("tc", 5, 6)


def test_bench_against_what_is_installed(rizoma, tmp_path):
    pytest.importorskip("scipy")
    pytest.importorskip("igraph")
    rizoma("bench", "kernels", "--scale", 8, "--rounds", 2, "--competitors", "scipy,igraph", "-o", "r.json")
    report = json.loads((tmp_path / "r.json").read_text())
    assert {row["by"] for row in report["results"]} == {"rizoma", "scipy", "igraph"}
    for row in report["results"]:
        assert row["answer"] == "agrees"
        assert len(row["seconds"]) == 2
        assert row["low"] <= row["median"] <= row["high"]


def test_the_logger_is_silent_until_a_program_asks(tmp_path, caplog, capfd):
    with rz.open(tmp_path / "a.rz") as graph:
        graph.add_edges([(0, 1)])
        rz.pagerank(graph)
    assert capfd.readouterr().err == ""
    with caplog.at_level("DEBUG", logger="rizoma"), rz.open(tmp_path / "a.rz") as graph:
        rz.pagerank(graph)
    words = caplog.text
    assert "opened" in words
    assert "PageRank took" in words
    assert "closed" in words
