"""What a notebook shows: previews as HTML, drawings."""

from __future__ import annotations

import base64
import io
import json
import re
import shutil
import subprocess
from html import escape, unescape

import numpy as np
import pytest
import rizoma as rz
from rizoma.report import examine
from rizoma.report.layout import spring_layout

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

MEASURED = """<pre></pre><script>
window.onload = () => {
  const shown = document.querySelector("iframe").contentDocument, root = shown.documentElement;
  const facts = {width: root.clientWidth, content: root.scrollWidth};
  for (const section of shown.querySelectorAll("section")) {
    const table = section.querySelector("table"), image = section.querySelector("img");
    facts[section.id] = {
      rows: section.querySelectorAll("tbody tr").length,
      texts: [...section.querySelectorAll("td")].map(cell => cell.innerText.trim()),
      height: (table || image || section.querySelector("iframe") || section).getBoundingClientRect().height,
      drawn: image ? image.naturalWidth : 0,
      charts: [...section.querySelectorAll("iframe")].map(
        frame => frame.contentDocument.querySelectorAll("svg").length)[0] || 0,
    };
  }
  document.querySelector("pre").innerText = JSON.stringify(facts);
};
</script>"""
"""Says in its page what a browser made of the page in the frame before it."""


def test_everything_has_a_preview(tmp_path):
    with rz.open(tmp_path / "<g>.rz", directed=True, weights="float64") as graph:
        assert graph._repr_html_().count("<p ") == 1  # empty: no table
        assert "<tr>" not in graph._repr_html_()
        graph.add_edges([("<b>", "a&b", 1.5)] + [(f"v{i}", "a&b", i) for i in range(9)])
        view = graph.where(edges="weight < 3")
        for shown in (graph, graph.snapshot(), view, graph.edges, graph.vertices, graph.info(), rz.pagerank(graph)):
            page = shown._repr_html_()
            assert page.startswith("<p ")
            assert page.count("<table>") == page.count("</table>") == 1
            assert "<b>" not in page
            assert "<g>" not in page
        page = graph._repr_html_()
        assert "&lt;b&gt;" in page
        assert "1.5" in page
        assert page.count("<tr>") == 1 + 5 + 1  # the head, five edges, and that exist more
    assert "closed" in graph._repr_html_()


def test_a_graph_with_columns_has_a_preview():
    graph = rz.open(None, edges={"amount": "float64", "weight": "int32"})
    graph.add_edges({"source": [1], "target": [2], "amount": [0.5], "weight": [3]})
    assert "<td>2</td>" in graph._repr_html_()
    assert "<td>3</td>" in graph._repr_html_()  # it had no weight
    assert "<td>0.5</td>" in graph.edges._repr_html_()


def test_parallel_edges_have_weights_of_their_own_in_a_preview():
    graph = rz.open(None, weights="int32", parallel_edges="keep")
    graph.add_edges([(1, 2, 3), (1, 2, 4), (2, 3, 5)])
    shown = graph._repr_html_()
    assert all(f"<td>{weight}</td></tr>" in shown for weight in (3, 4, 5))


def test_matches_have_a_preview():
    graph = rz.open(None, directed=True, ids="string")
    graph.add_edges([("<a>", f"v{i}") for i in range(9)])
    matches = graph.match("(x) -> (y)")
    page = matches._repr_html_()
    assert page.count("<tr>") == 1 + 5 + 1
    assert "&lt;a&gt;" in page
    assert "<a>" not in page
    assert matches.where("x = 'v1'")._repr_html_().count("<tr>") == 0
    assert "y: large_string" in matches.where("x = 'v1'")._repr_html_()
    assert matches.limit(2)._repr_html_().count("<tr>") == 1 + 2
    # Rows that cannot be known without all others are not looked for.
    for shown in (matches.order_by("y"), matches.distinct(), matches.sample(2), matches.group_by("x").count()):
        assert "when rows are asked for" in shown._repr_html_()
        assert "<tr>" not in shown._repr_html_()


def in_a_browser(pages, width, directory):
    """What Chromium made of these pieces of HTML, one under the other on a page of this width."""
    inner = "".join(f'<section id="{name}">{page}</section>' for name, page in pages.items())
    frame = f'<iframe style="width: {width}px; height: 3000px; border: 0" srcdoc="{escape(inner)}"></iframe>'
    file = directory / "notebook.html"
    file.write_text(f'<!doctype html><meta charset="utf-8"><body>{frame}{MEASURED}', encoding="utf-8")
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=20000", "--dump-dom"]
    done = subprocess.run([*command, file.as_uri()], check=True, capture_output=True, text=True, timeout=900)
    return json.loads(unescape(re.search("<pre>(.*?)</pre>", done.stdout, re.DOTALL)[1]))


@pytest.mark.skipif(BROWSER is None, reason="no Chromium here")
@pytest.mark.parametrize("width", [375, 1000])
def test_a_browser_shows_every_preview(tmp_path, width, axes):
    """On a phone, too: ids of 300 characters made the page as wide as they were."""
    link = "https://example.org/" + "x" * 300
    with rz.open(tmp_path / ("g" * 100), directed=True, weights="float64") as graph:
        graph.add_edges([(link, "a&b", 1.5), ("<b>", "a&b", 2.5)] + [(f"v{i}", "a&b", i) for i in range(9)])
        shown = {
            **{"graph": graph, "snapshot": graph.snapshot(), "view": graph.where(edges="weight < 9")},
            **{"edges": graph.edges, "vertices": graph.vertices, "info": graph.info()},
            **{"result": rz.pagerank(graph), "matches": graph.match("(x)->(y)"), "report": examine(graph, [])},
        }
        table = tmp_path / ("t" * 100 + ".csv")
        table.write_text("source,target,kind\n1,2,x\n1,2,y\n")
        shown["import"] = rz.read(table, into=None).last_import
        shown |= {"memory": rz.pagerank(graph).memory, "placement": rz.pagerank(graph).placement}
        pages = {name: each._repr_html_() for name, each in shown.items()}
        graph.draw(labels=False, ax=axes)
    picture = io.BytesIO()
    axes.figure.savefig(picture, format="png", dpi=50)
    code = base64.b64encode(picture.getvalue()).decode()
    pages["drawing"] = f'<img src="data:image/png;base64,{code}">'
    facts = in_a_browser(pages, width, tmp_path)
    assert facts["content"] <= facts["width"] <= width
    for name in ("graph", "snapshot", "view", "edges", "vertices", "matches"):
        assert facts[name]["rows"] == 5 + 1, name  # and that exist more
        assert facts[name]["height"] > 60
    assert {link, "<b>", "a&b", "1.5"} <= set(facts["graph"]["texts"])
    assert facts["result"]["rows"] == 5
    assert "a&b" in facts["result"]["texts"]
    assert "float64" in facts["info"]["texts"]
    assert "sections" in facts["memory"]["texts"]
    assert facts["report"]["charts"] >= 3
    assert facts["drawing"]["drawn"] > 100


def test_neighbours_are_drawn_near_each_other():
    # Two cliques of eight with one edge between them.
    pairs = [(u, v) for half in (0, 8) for u in range(half, half + 8) for v in range(half, u)] + [(0, 8)]
    sources, targets = np.array(pairs).T
    places = spring_layout(16, sources, targets)
    assert places.min() >= 0
    assert places.max() <= 1
    middles = places[:8].mean(axis=0), places[8:].mean(axis=0)
    apart = np.linalg.norm(middles[0] - middles[1])
    for half, middle in zip((places[:8], places[8:]), middles, strict=True):
        assert np.linalg.norm(half - middle, axis=1).max() < apart / 2
    assert np.array_equal(places, spring_layout(16, sources, targets))
    assert spring_layout(0, np.empty(0, np.int64), np.empty(0, np.int64)).shape == (0, 2)


@pytest.fixture
def axes():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    _, ax = pyplot.subplots()
    yield ax
    pyplot.close("all")


def test_a_drawing_has_every_vertex_and_edge(axes):
    graph = rz.open(None)
    graph.add_edges([("ann", "bob"), ("bob", "cem"), ("cem", "cem")])
    graph.add_vertices(["dia"])
    values = {"ann": 2, "bob": 3, "cem": 7, "dia": 1}
    assert graph.draw(values, ax=axes) is axes
    lines, dots = axes.collections
    assert len(lines.get_segments()) == 3
    assert len(dots.get_offsets()) == 4
    assert sorted(text.get_text() for text in axes.texts) == ["ann", "bob", "cem", "dia"]
    sizes = dict(zip(["ann", "bob", "cem", "dia"], dots.get_sizes(), strict=True))
    assert sizes["cem"] == max(sizes.values())
    assert sizes["dia"] == min(sizes.values())
    axes.figure.canvas.draw()
    picture = np.asarray(axes.figure.canvas.buffer_rgba())
    assert (picture[..., :3].min(axis=2) < 200).mean() > 0.003  # something is to be seen


def test_drawings_of_directed_graphs_values_and_parts(axes):
    graph = rz.open(None, directed=True)
    graph.add_edges([(i, (i * 7 + 1) % 2000) for i in range(2000)])
    with pytest.raises(rz.InvalidArgumentError, match=r"2,000 vertices.*neighborhood\(v, 2\)"):
        graph.draw(ax=axes)
    part = graph.neighborhood(0, 3)
    part.draw({0: "left"}, labels=False, ax=axes)
    arrows = [text for text in axes.texts if text.arrow_patch is not None]
    assert len(arrows) == part.num_edges > 2
    rz.open(None).draw(ax=axes)
    single = rz.open(None)
    single.add_vertices([1])
    single.draw({1: None}, ax=axes)
    axes.figure.canvas.draw()


def test_completion_lists_what_a_graph_has(tmp_path):
    """With NetworkX loaded it listed the methods of NetworkX's class, which are refused here, and none of its own."""
    pytest.importorskip("networkx")
    g = rz.open(None)
    g.add_edges([("a", "b")])
    for graph in (g, g.snapshot(), g.subgraph(["a"])):
        listed = dir(graph)
        assert {"match", "neighbors", "to_networkx", "edges", "nodes", "number_of_nodes"} <= set(listed)
        assert not {"add_edge", "remove_node", "clear"} & set(listed)
        assert not [name for name in listed if not name.startswith("_") and not hasattr(graph, name)]
    assert "add_edges" in dir(g)
    g.close()
    assert "add_edges" in dir(g)
    assert not isinstance(g, dict)  # used to raise that the graph was closed
