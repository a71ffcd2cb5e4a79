"""The page on a graph says what the graph is, needs nothing else, and shows in a browser."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser

import numpy as np
import pytest
import rizoma as rz
from rizoma.cli.commands import app
from rizoma.report import examine, page
from typer.testing import CliRunner

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture
def store(tmp_path):
    """Two components, <script> as the name of a vertex, and a pending change."""
    path = tmp_path / "small.rz"
    with rz.open(path) as graph:
        graph.add_edges([("hub", f"v{i}") for i in range(20)])
        graph.add_edges([("<script>", "b&b"), ("v1", "v2")])
    return path


def test_facts(store):
    with rz.open(store) as graph:
        report = examine(graph, ["pagerank", "triangle_count"])
        assert report.degrees.most == 20
        assert sum(count for _, _, count in report.degrees.bins) == len(graph)
        assert report.components.count == 2
        assert report.components.sizes == [21, 2]
        assert [kernel.name for kernel in report.kernels] == ["PageRank", "Triangles"]
        assert report.kernels[0].top[0][0] == "hub"
        assert report.sections.count == graph.info().num_sections
        assert report.sections.pending == graph.info().pending_entries
    assert json.loads(json.dumps(report.to_dict()))["info"]["num_edges"] == 22


def test_the_balance_of_a_placement_is_told(store):
    with rz.open(store) as graph:
        report = examine(graph, [], homes=3)
        entries = graph.info().num_entries
    assert {home.policy for home in report.placement} == {"halves", "round_robin", "chunk"}
    for policy in ("halves", "round_robin", "chunk"):
        homes = [home for home in report.placement if home.policy == policy]
        assert [home.home for home in homes] == [0, 1, 2]
        assert sum(home.edges for home in homes) == entries
        assert sum(home.work for home in homes) == entries + 23
    html = page(report)
    assert "over 3 homes" in html
    assert "predicted work" in html


def test_every_degree_is_in_the_bin_that_names_it():
    rng = np.random.default_rng(2)
    graph = rz.open(None)
    graph.add_edges(np.minimum(rng.zipf(1.3, (3000, 2)), 2000))
    degrees = graph.degrees().to_numpy()
    for low, high, count in examine(graph).degrees.bins:
        assert count == ((degrees >= low) & (degrees <= high)).sum()


def test_the_page_is_well_formed_and_needs_nothing_else(store):
    with rz.open(store) as graph:
        html = page(examine(graph))
    assert not re.search(r"(src|href)\s*=|@import|url\(", html)
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    open_tags = []

    class Checker(HTMLParser):
        def handle_starttag(self, tag, attrs):
            if tag != "meta":
                open_tags.append(tag)

        def handle_startendtag(self, tag, attrs):
            pass

        def handle_endtag(self, tag):
            assert open_tags.pop() == tag

    Checker().feed(html)
    assert open_tags == []


@pytest.mark.parametrize("rows", [[], [(3, 3)]])
def test_a_graph_of_nothing_or_one_loop(rows):
    graph = rz.open(None)
    if rows:
        graph.add_edges(rows)
    assert "Components" in page(examine(graph))


def test_the_command(store, tmp_path):
    html, facts = tmp_path / "page.html", tmp_path / "facts.json"
    for output in (html, facts):
        done = CliRunner().invoke(app, ["report", str(store), "-o", str(output), "-a", "triangle_count"])
        assert done.exit_code == 0, done.output
    assert html.read_text().startswith("<!doctype html>")
    assert json.loads(facts.read_text())["components"]["count"] == 2
    done = CliRunner().invoke(app, ["report", str(store), "-o", str(html), "-a", "louvre"])
    assert done.exit_code == 2


@pytest.mark.skipif(BROWSER is None, reason="no Chromium here")
def test_a_browser_shows_it(store, tmp_path):
    html = tmp_path / "page.html"
    with rz.open(store) as graph:
        html.write_text(page(examine(graph)), encoding="utf-8")
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", html.as_uri()]
    dom = subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout
    assert dom.count("<svg") >= 3
    assert "2 connected" in dom
    assert "&lt;script&gt;" in dom
