"""The page on a graph says what the graph is, needs nothing else, and shows in a browser."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import replace
from html import escape
from html.parser import HTMLParser

import numpy as np
import pytest
import rizoma as rz
from rizoma.cli.commands import app
from rizoma.report import examine, page
from rizoma.report.columns import histogram
from rizoma.report.html import FONT, PHONE_FONT, Bar, bars, document, network, points, timeline
from rizoma.report.labels import place_labels
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
    dom = subprocess.run(command, check=True, capture_output=True, text=True, timeout=900).stdout
    assert dom.count("<svg") >= 3
    assert "2 connected components" in dom
    assert "&lt;script&gt;" in dom


def test_weights_communities_and_the_core(tmp_path):
    cliques = [(u, v, 1.0) for first in (0, 10) for u in range(first, first + 6) for v in range(first, u)]
    chain = [(5, 6, 8.0), (6, 7, 9.0), (7, 8, 9.0), (8, 9, 2.5), (9, 10, 100.0)]
    graph = rz.open(None, weights="float64")
    graph.add_edges(cliques + chain)
    report = examine(graph, [])
    assert report.weights.least == 1
    assert report.weights.greatest == 100
    assert report.weights.mean == pytest.approx((30 + 128.5) / 35)
    assert sum(count for *_, count in report.weights.bins) == graph.num_edges
    for low, high, count in report.weights.bins[:-1]:
        assert count == sum(low <= weight < high for *_, weight in cliques + chain)
    found = rz.louvain(graph)
    assert report.communities.modularity == pytest.approx(found.modularity, abs=0.05)  # threads: not the same ones
    assert sum(report.communities.sizes) == len(graph)
    assert report.core.greatest == 5
    drawn = {v: number for v, number, _, _ in report.core.vertices}
    assert drawn == {v: number for v, number in rz.core_number(graph).to_dict().items() if number}
    ids = [v for v, *_ in report.core.vertices]
    pairs = {frozenset((u, v)) for u, v, _ in cliques + chain}
    assert {frozenset((ids[i], ids[j])) for i, j in report.core.edges} == pairs
    html = page(report)
    for title in ("Weights", "Communities", "The core"):
        assert f"<h2>{title}</h2>" in html
    assert report._repr_html_().startswith("<iframe")


def test_weights_of_every_size():
    for weights in ([5.0], [-3.0, 4.0], [1e-3, 1.0, 1e6], [2.0, 2.0]):
        graph = rz.open(None, weights="float64")
        graph.add_edges([(i, i + 1, weight) for i, weight in enumerate(weights)])
        found = examine(graph, []).weights
        assert (found.least, found.greatest) == (min(weights), max(weights))
        assert sum(count for *_, count in found.bins) == len(weights)
        assert "<h2>Weights</h2>" in page(examine(graph, []))


def test_nothing_is_charted_of_nothing():
    html = page(examine(rz.open(None)))
    assert "<svg" not in html
    for title in ("Weights", "Communities", "The core"):
        assert f"<h2>{title}</h2>" not in html


def test_files_are_as_large_as_what_they_take(tmp_path):
    with rz.open(tmp_path / "g.rz") as graph:
        graph.add_edges([(0, 1)])
        report = examine(graph, [])
        report.info["files"][0] |= {"bytes": 1 << 40, "allocated": 4096}
        assert "1.0 TiB" not in page(report)
        assert "4.0 KiB" in page(report)


@pytest.mark.skipif(BROWSER is None, reason="no Chromium here")
@pytest.mark.parametrize("width", [375, 1280])
def test_a_screenshot_shows_the_drawing(store, tmp_path, width):
    """No wider than the screen, and something is drawn."""
    html = tmp_path / "page.html"
    with rz.open(store) as graph:
        html.write_text(page(examine(graph)), encoding="utf-8")
    picture = tmp_path / "page.png"
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    command += [f"--window-size={width},3000", f"--screenshot={picture}", html.as_uri()]
    subprocess.run(command, check=True, capture_output=True, timeout=900)
    pixels = pytest.importorskip("matplotlib.image").imread(picture)
    assert pixels.shape[1] == width
    blue = (pixels[..., 2] > 0.7) & (pixels[..., 0] < 0.5)
    assert blue.mean() > 0.002


@pytest.mark.skipif(BROWSER is None, reason="no Chromium here")
@pytest.mark.parametrize("width", [375, 1000])
def test_charts_are_whole_on_a_phone(store, tmp_path, width):
    """Bars lost their numbers at the edge of the screen, and drawings their right halves."""
    with rz.open(store) as graph:
        inner = escape(page(examine(graph)))
    script = """<script>onload = () => {
      const wide = [...document.querySelector("iframe").contentDocument.querySelectorAll(".bars, .plot")];
      document.title = wide.length + " charts, " + wide.filter(e => e.scrollWidth > e.clientWidth).length + " cut";
    }</script>"""
    frame = f'<iframe style="width: {width}px; height: 3000px; border: 0" srcdoc="{inner}"></iframe>{script}'
    (tmp_path / "frame.html").write_text(f'<!doctype html><meta charset="utf-8">{frame}', encoding="utf-8")
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=20000", "--dump-dom"]
    command += [(tmp_path / "frame.html").as_uri()]
    dom = subprocess.run(command, check=True, capture_output=True, text=True, timeout=900).stdout
    assert re.search(r"<title>([\w ,]+)</title>", dom)[1].endswith(" charts, 0 cut")
    assert "<title>0 charts" not in dom


@pytest.mark.parametrize(("pending", "said"), [(0, "images: 0."), (9, "90.0% of its entries"), (99, "outnumber its")])
def test_changes_that_wait_are_told(store, pending, said):
    """It said "470000.0% of its entries"."""
    with rz.open(store) as graph:
        report = examine(graph, [])
    sections = replace(report.sections, pending=pending, most_pending_share=pending / 10)
    assert said in page(replace(report, sections=sections))


def test_axes_are_marked_in_few_letters():
    assert ">100k</text>" in points([(1, 1), (200_000, 5)], "degree", "vertices")


def _columns_of(kinds, values):
    graph = rz.open(None, edges=kinds, parallel_edges="keep", directed=True)
    rows = len(next(iter(values.values())))
    graph.add_edges({"source": [0] * rows, "target": list(range(1, rows + 1)), **values})
    return {column.name: column for column in examine(graph, []).columns}


def test_columns_tell_how_their_values_are_distributed():
    values = {
        "amount": [1.0, 10.0, 1e5, None],
        "kind": ["a", "b", "a", None],
        "good": [True, True, False, True],
        "many": [2**60, 2**60, 2**60, 5],
        "nothing": [None] * 4,
    }
    kinds = {"amount": "float64", "kind": "string", "good": "bool", "many": "int64", "nothing": "float32"}
    found = _columns_of(kinds, values)
    assert list(found) == list(kinds)
    assert [found[name].filled for name in kinds] == [3, 3, 4, 4, 0]
    assert all(column.of == "edges" and column.rows == 4 for column in found.values())
    amount = found["amount"].numbers
    assert (amount.least, amount.greatest, amount.mean) == (1, 1e5, pytest.approx(100011 / 3))
    assert sum(count for *_, count in amount.bins) == 3
    assert found["kind"].values == [("a", 2), ("b", 1)]
    assert found["good"].values == [("True", 3), ("False", 1)]
    assert found["many"].numbers.greatest == 2**60
    assert found["nothing"] == replace(found["nothing"], numbers=None, values=None, times=None)


@pytest.mark.parametrize(
    ("moments", "unit", "bars"),
    [
        (["2026-01-01 10:00:00", "2026-01-01 12:59:59"], "hour", 3),
        (["2026-01-31 23:00:00", "2026-03-01 01:00:00"], "day", 30),
        (["1969-12-31 23:59:59", "1970-01-01 00:00:00"], "hour", 2),
        (["2000-12-31 00:00:00", "2026-01-01 00:00:00"], "month", 302),
        (["1700-01-01 00:00:00", "2026-01-01 00:00:00"], "year", 327),
        (["2026-01-01 10:00:00"], "hour", 1),
    ],
)
@pytest.mark.parametrize("kind", ["timestamp[s]", "timestamp[us]"])
def test_moments_are_counted_by_a_unit_that_fits(moments, unit, bars, kind):
    found = _columns_of({"at": kind}, {"at": moments})["at"]
    assert (found.unit, len(found.times)) == (unit, bars)
    assert sum(count for _, count in found.times) == len(moments)
    assert found.times[0][0].startswith(moments[0][:4])
    assert found.times[-1][0].startswith(moments[-1][:4])


def test_a_column_of_very_many_values_is_not_counted(monkeypatch):
    monkeypatch.setattr("rizoma.report.columns._MOST_VALUES", 2)
    assert _columns_of({"name": "string"}, {"name": ["a", "b", "c"]})["name"].values is None


def test_what_is_of_use_comes_before_the_storage():
    graph = rz.open(None, edges={"at": "date32"}, vertices={"<i>": "string"}, weights="float32")
    graph.add_edges({"source": [1], "target": [2], "weight": [3.0], "at": ["2026-01-02"]})
    graph.set(1, **{"<i>": "\u202e<b>\x1b[31m"})
    html = page(examine(graph))
    heads = re.findall(r"<h2>([\w ]+)</h2>", html)
    assert heads[:4] == ["Size", "Columns", "Weights", "Degrees"]
    assert heads[-1] == "Storage"
    assert html.index("<h2>Storage") < html.index("<h3>Sections") < html.index("<h3>Placement")
    assert not any(sign in html for sign in ("<i>", "<b>", "\x1b", "\u202e"))
    assert "\\u202e&lt;b&gt;" in html


def _boxes(labels, font):
    ends = {"start": 0, "middle": 0.5, "end": 1}
    wide = [0.62 * font * len(label.text) for label in labels]
    return [
        (label.x - w * ends[label.anchor], label.y - 0.85 * font, label.x + w * (1 - ends[label.anchor]), label.y)
        for label, w in zip(labels, wide, strict=True)
    ]


@pytest.mark.parametrize("seed", range(20))
def test_no_name_of_a_drawing_lies_over_another(seed):
    rng = np.random.default_rng(seed)
    spots = [(float(x), float(y)) for x, y in rng.random((60, 2)) * (860, 560)]
    texts = ["n" * int(rng.integers(1, 17)) for _ in spots]
    labels = place_labels(texts, spots, 12, (FONT, PHONE_FONT), (860, 560))
    assert len(labels) > 5
    for font, some in ((FONT, labels), (PHONE_FONT, [label for label in labels if label.major])):
        boxes = _boxes(some, font)
        assert all(left >= 0 and right <= 860 and top >= 0 for left, top, right, _ in boxes)
        for i, one in enumerate(boxes):
            left, top, right, bottom = one
            over = [each for each in boxes[:i] if each[0] < right and left < each[2] and each[1] < bottom]
            assert not any(top < each[3] for each in over)


@pytest.mark.skipif(BROWSER is None, reason="no Chromium here")
@pytest.mark.parametrize("width", [375, 1280])
def test_a_browser_shows_no_name_over_another(tmp_path, width):
    """Names of hubs lay over each other in the middle of the drawing."""
    rng = np.random.default_rng(3)
    vertices = [
        (f"person {i:04}", float(60 - i), float(x), float(y)) for i, (x, y) in enumerate(rng.random((60, 2)) ** 2)
    ]
    drawing = network(vertices, [(0, i) for i in range(1, 60)], "a core")
    chart = timeline([(f"2026-01-{day:02}", day) for day in range(1, 32)], "edges by day")
    script = """<script>onload = () => {
      const boxes = [...document.querySelector("iframe").contentDocument.querySelectorAll("svg text")]
        .map(e => e.getBoundingClientRect()).filter(b => b.width > 0);
      const meet = (a, b) => a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom;
      const pairs = boxes.flatMap((a, i) => boxes.slice(0, i).filter(b => meet(a, b)));
      document.title = boxes.length + " names, " + pairs.length + " over others";
    }</script>"""
    inner = escape(document("names", drawing + chart))
    frame = f'<iframe style="width: {width}px; height: 3000px; border: 0" srcdoc="{inner}"></iframe>{script}'
    (tmp_path / "frame.html").write_text(f'<!doctype html><meta charset="utf-8">{frame}', encoding="utf-8")
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=20000", "--dump-dom"]
    command += [(tmp_path / "frame.html").as_uri()]
    dom = subprocess.run(command, check=True, capture_output=True, text=True, timeout=900).stdout
    names, over = re.search(r"<title>(\d+) names, (\d+) over others</title>", dom).groups()
    assert int(names) > 5
    assert over == "0"


@pytest.mark.parametrize(
    ("values", "width"),
    [(range(15, 90), 4), (range(3), 1), ([7, 7], 0), ([1, 5, 40, 9000], None), ([-(2**52) + 1, 2**51], None)],
)
def test_bins_of_whole_numbers_begin_and_end_with_whole_numbers(values, width):
    found = histogram(lambda: iter([np.array(values)]), whole=True)
    assert found is not None
    assert sum(count for *_, count in found.bins) == len(values)
    assert all(low.is_integer() and high.is_integer() and low <= high for low, high, _ in found.bins)
    assert (found.bins[0][0], found.bins[-1][1]) == (min(values), max(values))
    if width:
        assert {high - low + 1 for low, high, _ in found.bins[:-1]} == {width}


def test_bins_of_integers_that_doubles_do_not_tell_apart_do_not_end_before_they_begin():
    found = histogram(lambda: iter([np.array([2.0**53, 2.0**53 + 4])]), whole=True)
    assert found is not None
    assert all(low <= high for low, high, _ in found.bins)
    assert sum(count for *_, count in found.bins) == 2


def test_a_long_id_takes_one_line_of_a_chart():
    found = bars([Bar("<" * 300, 1.0, "1")], "ranks")
    assert f">{'&lt;' * 60}...</span>" in found
    assert f'title="{"&lt;" * 300}"' in found
    assert "title" not in bars([Bar("ann", 1.0, "1")], "ranks")
