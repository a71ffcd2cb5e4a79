"""What a source says of itself is heard, in every format; what is no source of edges is called by its name."""

from __future__ import annotations

import warnings
from pathlib import Path

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import pytest
import rizoma as rz
import scipy.sparse as sp


def edges_of(graph):
    return sorted(tuple(row.values())[:2] for row in graph.edges.to_arrow().to_pylist())


GRAPHML = '<graphml><graph edgedefault="{kind}"><node id="1"/><node id="2"/><node id="3"/>{edges}</graph></graphml>'
GEXF = (
    '<gexf><graph defaultedgetype="{kind}"><nodes><node id="1"/><node id="2"/><node id="3"/></nodes>'
    "<edges>{edges}</edges></graph></gexf>"
)
ONE = '<edge source="1" target="2"/>'
NODES = '"nodes": [{"id": 1}, {"id": 2}, {"id": 3}]'
UNDIRECTED = {
    "a.gml": "graph [ directed 0 node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]",
    "b.gml": "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]",
    "a.graphml": GRAPHML.format(kind="undirected", edges=ONE),
    "a.gexf": GEXF.format(kind="undirected", edges=ONE),
    "a.net": "*Vertices 3\n*Edges\n1 2\n",
    "a.json": '{"directed": false, ' + NODES + ', "edges": [{"source": 1, "target": 2}]}',
    "a.txt": "# Undirected graph: of friends\n1 2\n",
    "out.friends": "% sym unweighted\n1 2\n",
    "a.csv": "source,target,Type\n1,2,Undirected\n",
    "b.csv": "# Undirected graph\nsource,target\n1,2\n",
}


@pytest.mark.parametrize("name", UNDIRECTED)
def test_what_says_undirected_counts_in_both_directions(tmp_path, name):
    (tmp_path / name).write_text(UNDIRECTED[name])
    assert not rz.read(tmp_path / name).directed
    graph = rz.read(tmp_path / name, directed=True)
    assert edges_of(graph) == [(1, 2), (2, 1)]
    with rz.open(tmp_path / "g.rz", directed=True, ids="integer") as store:
        store.add_vertices([7])
    with rz.read(tmp_path / name, into=tmp_path / "g.rz", append=True) as graph:
        assert edges_of(graph) == [(1, 2), (2, 1)]


MIXED = {
    "a.graphml": GRAPHML.format(kind="undirected", edges=ONE + '<edge source="2" target="3" directed="true"/>'),
    "b.graphml": GRAPHML.format(
        kind="directed", edges='<edge source="1" target="2" directed="false"/><edge source="2" target="3"/>'
    ),
    "a.gexf": GEXF.format(kind="undirected", edges=ONE + '<edge source="2" target="3" type="directed"/>'),
    "b.gexf": GEXF.format(
        kind="directed", edges='<edge source="1" target="2" type="mutual"/><edge source="2" target="3"/>'
    ),
    "a.net": "*Vertices 3\n*Arcs\n2 3\n*Edges\n1 2\n",
    "a.csv": "source,target,type\n1,2,undirected\n2,3,directed\n",
}


@pytest.mark.parametrize("name", MIXED)
def test_edges_without_a_direction_beside_others_count_in_both(tmp_path, name):
    (tmp_path / name).write_text(MIXED[name])
    graph = rz.read(tmp_path / name)
    assert graph.directed
    assert edges_of(graph) == [(1, 2), (2, 1), (2, 3)]
    assert "direction" in str(graph.last_import)
    assert rz.read(tmp_path / name, directed=False).num_edges == 2


@pytest.mark.parametrize("type_", ["String", "java.lang.String", "xs:string", "text", "int", "double", "boolean", ""])
def test_an_attribute_that_nobody_asked_for_stops_no_import(tmp_path, type_):
    text = (
        f'<graphml><key id="k" for="all" attr.name="color" attr.type="{type_}"/><graph edgedefault="undirected">'
        '<node id="1"><data key="k">red</data></node><node id="2"/>'
        '<edge source="1" target="2"><data key="k">red</data></edge></graph></graphml>'
    )
    (tmp_path / "a.graphml").write_text(text)
    assert rz.read(tmp_path / "a.graphml").num_edges == 1
    gexf = (
        f'<gexf><graph><attributes class="edge"><attribute id="0" title="color" type="{type_}"/></attributes><nodes>'
        '<node id="1"/><node id="2"/></nodes><edges><edge source="1" target="2"><attvalues>'
        '<attvalue for="0" value="red"/></attvalues></edge></edges></graph></gexf>'
    )
    (tmp_path / "a.gexf").write_text(gexf)
    assert rz.read(tmp_path / "a.gexf").num_edges == 1
    kept = rz.read(tmp_path / "a.gexf", edges={"color": "string"})
    assert kept.edges.to_arrow()["color"].to_pylist() == ["red"] or type_ == "boolean"


FOREIGN = {
    "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n": "git lfs pull",
    "/annex/objects/SHA256E-s1--2.csv\n": "git annex get",
    "<!DOCTYPE html>\n<html><body>Sign in</body></html>\n": "web page",
    '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>': "XML that is neither",
    "digraph g {\n  a -> b;\n}\n": "GraphViz",
    "<http://a> <http://b> <http://c> .\n": "RDF",
    "%PDF-1.7\n1 2\n": "PDF",
    ">>graph6<<D?{\n": "graph6",
}


@pytest.mark.parametrize("name", ["edges.txt", "edges.csv", "edges.tsv", "edges.el", "edges", "edges.txt.gz"])
@pytest.mark.parametrize("content", FOREIGN)
def test_content_of_another_kind_is_called_by_its_name(tmp_path, name, content):
    if name.endswith(".gz"):
        import gzip

        (tmp_path / name).write_bytes(gzip.compress(content.encode()))
    else:
        (tmp_path / name).write_text(content)
    with pytest.raises(rz.ParseError, match=FOREIGN[content]):
        rz.read(tmp_path / name)


@pytest.mark.parametrize(
    ("like", "format"),
    [("a.graphml", "graphml"), ("a.gexf", "gexf"), ("a.net", "net"), ("a.json", "json"), ("a.gml", "gml")],
)
def test_what_has_no_name_is_read_by_its_content(tmp_path, like, format):
    for name in ("stdin", "edges.txt"):
        (tmp_path / name).write_text(UNDIRECTED[like])
        graph = rz.read(tmp_path / name)
        assert graph.last_import.files[0].format == format
        assert edges_of(graph) == [(1, 2)]
    (tmp_path / "edges.csv").write_text(UNDIRECTED[like])
    with pytest.raises(rz.ParseError, match=f"by its content {format}|{format}"):
        rz.read(tmp_path / "edges.csv")
    pd.DataFrame({"source": [1], "target": [2]}).to_parquet(tmp_path / "stdin")
    assert edges_of(rz.read(tmp_path / "stdin")) == [(1, 2)]


def test_vertices_of_one_name_stay_apart():
    graph = igraph.Graph(n=3, edges=[(0, 1), (1, 2)])
    graph.vs["name"] = ["a", "a", "b"]
    with pytest.warns(rz.errors.ReadWarning, match="several vertices are called 'a'"):
        read = rz.read(graph)
    assert edges_of(read) == [(0, 1), (1, 2)]
    with pytest.warns(rz.errors.ReadWarning):
        kept = rz.read(graph, vertices="infer")
    assert kept.vertices.to_arrow()["name"].to_pylist() == ["a", "a", "b"]
    graph.vs["name"] = ["a", "c", "b"]
    assert edges_of(rz.read(graph)) == [("a", "c"), ("c", "b")]


@pytest.mark.parametrize("kind", [sp.csr_array, sp.coo_matrix, sp.csc_array])
def test_a_matrix_tells_its_direction(kind):
    graph = rz.read(kind(np.array([[0, 2.0], [1.0, 0]])))
    assert graph.directed
    assert [tuple(row.values()) for row in graph.edges.to_arrow().to_pylist()] == [(0, 1, 2.0), (1, 0, 1.0)]
    assert not rz.read(kind(np.array([[0, 2.0], [2.0, 0]]))).directed
    with pytest.warns(rz.errors.ReadWarning, match="not symmetric"):
        assert not rz.read(kind(np.array([[0, 2.0], [1.0, 0]])), directed=False).directed
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rz.read(kind(np.array([[0, 2.0], [0, 0]])), directed=False)


@pytest.mark.parametrize("matrix", [np.eye(3), np.array([[0, 2, 3], [4, 0, 5], [6, 7, 0]]), np.ones((4, 4))])
def test_a_matrix_is_no_list_of_edges(tmp_path, matrix):
    np.savetxt(tmp_path / "m.csv", matrix, "%g", ",")
    np.savetxt(tmp_path / "m.txt", matrix, "%g")
    for data in (matrix, pd.DataFrame(matrix), tmp_path / "m.csv", tmp_path / "m.txt"):
        with pytest.raises(rz.RizomaError, match=r"matrix|do not tell"):
            rz.read(data)
    assert rz.read(np.array([[0, 1, 5], [1, 2, 3], [2, 0, 4]]), weights=True).num_edges == 3


def test_attributes_that_are_not_kept_are_told():
    club = nx.karate_club_graph()
    told = str(rz.read(club).last_import)
    assert 'not read, of vertices: "club"' in told
    assert "club" not in str(rz.read(club, vertices={"club": "string"}).last_import)
    graph = igraph.Graph(n=2, edges=[(0, 1)])
    graph.es["kind"], graph.vs["age"] = ["road"], [1, 2]
    told = str(rz.read(graph).last_import)
    assert '"kind"' in told
    assert '"age"' in told
    stored = rz.read(pd.DataFrame({"source": [1], "target": [2], "toll": [3]}), edges="infer")
    assert '"toll"' in str(rz.read(stored).last_import)


def _graph_that_loses(kind):
    """A graph with two parallel edges and attributes, of each package."""
    if kind == "igraph":
        graph = igraph.Graph(n=2, edges=[(0, 1), (0, 1)], directed=True)
        graph.es["toll"] = [1, 2]
        return graph
    if kind == "rizoma":
        stored = rz.open(None, parallel_edges="keep", edges={"toll": "int64"}, directed=True)
        stored.add_edges({"source": [0, 0], "target": [1, 1], "toll": [1, 2]})
        return stored
    graph = nx.MultiDiGraph()
    graph.add_edge(0, 1, toll=1)
    graph.add_edge(0, 1, toll=2)
    return graph


@pytest.mark.parametrize("kind", ["networkx", "igraph", "rizoma"])
def test_what_a_graph_loses_is_warned_of_once(kind):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rz.read(_graph_that_loses(kind))
    assert sorted("toll" in str(each.message) for each in caught) == [False, True]
    assert any('parallel_edges="keep"' in str(each.message) for each in caught)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rz.read(_graph_that_loses(kind), parallel_edges="keep", edges={"toll": "int64"})
        rz.read(_graph_that_loses(kind), parallel_edges="merge", edges={"toll": "int64"})
        rz.read(nx.path_graph(3))


def _adds(graph, data):
    graph.add_edges(data)


def _adds_in_a_batch(graph, data):
    with graph.batch() as batch:
        batch.add_edges(data)


@pytest.mark.parametrize("kind", ["networkx", "igraph", "rizoma"])
@pytest.mark.parametrize("add", [_adds, _adds_in_a_batch])
@pytest.mark.parametrize("filled", [False, True])
def test_parallel_edges_that_an_added_graph_loses_are_warned_of_once(kind, add, filled):
    def graph(**options):
        made = rz.open(None, edges={"toll": "int64"}, directed=True, **options)
        if filled:
            made.add_edges({"source": [7], "target": [8], "toll": [1]})
        return made

    with pytest.warns(rz.errors.ReadWarning, match="1 of 2 rows made no new edge") as told:
        add(graph(), _graph_that_loses(kind))
    assert len(told) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        add(graph(parallel_edges="keep"), _graph_that_loses(kind))
        add(graph(parallel_edges={"toll": "sum"}), _graph_that_loses(kind))
        add(graph(), nx.DiGraph([(0, 1), (1, 0)]))


@pytest.mark.parametrize("add", [_adds, _adds_in_a_batch])
def test_values_that_a_first_table_loses_are_warned_of(add):
    rows = {"source": [1, 1], "target": [2, 2], "weight": [3.0, 4.0]}
    with pytest.warns(rz.errors.ReadWarning, match="the weight read last stays"):
        add(rz.open(None, weights=True), rows)
    graph = rz.open(None, weights=True)
    graph.add_edges([(5, 6, 1.0)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        add(graph, rows)  # of a graph that has edges rows are news, the last of which counts


@pytest.mark.parametrize("add", [_adds, _adds_in_a_batch])
def test_minus_one_that_comes_later_is_warned_of(add):
    graph = rz.read([(10, 20), (20, 40)])
    with pytest.warns(rz.errors.ReadWarning, match="-1 is read as the id of a vertex, with 2 edges"):
        add(graph, [(10, -1), (20, -1)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        add(graph, [(30, -1), (40, -1)])  # it was said


def test_complex_weights_are_refused():
    matrix = np.array([[0, 1j], [2, 0]])
    for data in (sp.csr_array(matrix), np.array([[0, 1, 2j]])):
        with pytest.raises(rz.InvalidArgumentError, match="complex"):
            rz.read(data, weights=True)


def test_json_lines_keep_the_direction_and_tell_what_they_lose(tmp_path):
    graph = rz.open(None, directed=True, edges={"type": "string", "x": "float64"})
    graph.add_edges({"source": [1, 2], "target": [2, 1], "type": ["a", "b"], "x": [1.0, 2.0]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        graph.export(tmp_path / "a.ndjson")
    again = rz.read(tmp_path / "a.ndjson", edges="infer")
    assert again.directed
    assert edges_of(again) == [(1, 2), (2, 1)]
    assert again.edge_columns == graph.edge_columns
    graph.add_edges({"source": [3], "target": [1], "type": ["c"], "x": [float("inf")]})
    with pytest.warns(rz.errors.ReadWarning, match="'x' has NaN or infinity"):
        graph.export(tmp_path / "b.ndjson")


def test_weights_of_graphs_that_are_none_are_told():
    graph = nx.Graph()
    graph.add_edge(1, 2, weight="much")
    with pytest.raises(rz.InvalidArgumentError, match="'much', which is not a weight"):
        rz.read(graph, weights=True)
    with pytest.warns(rz.errors.ReadWarning, match="not read as the weight"):
        assert rz.read(graph).weights is None
    graph.edges[1, 2]["weight"] = "2.5"
    assert rz.read(graph).weight(1, 2) == 2.5
    with pytest.raises(rz.ColumnNotFoundError, match="no edge has the attribute 'weight'"):
        rz.read(nx.path_graph(3), weights=True)


def test_an_export_that_nobody_could_read_is_refused(tmp_path):
    graph = rz.open(None, ids="string")
    graph.add_edges([("a\x0bb", "c")])
    for name in ("x.gexf", "x.graphml"):
        with pytest.raises(rz.RizomaError, match="control character"):
            graph.export(tmp_path / name)
        assert not (tmp_path / name).exists()


def test_the_command_says_what_python_warns_of(rizoma, tmp_path: Path):
    (tmp_path / "a.csv").write_text("source,target,weight\na,b,much\n")
    done = rizoma("import", "g.rz", tmp_path / "a.csv")
    assert "'weight' is not read as the weight" in done.stderr
    assert "Warning" not in done.stderr
    (tmp_path / "tags.csv").write_text("source,target\n#a,b\n# c,d\n")
    assert "2 edges" in rizoma("import", "t.rz", tmp_path / "tags.csv").stderr
    done = rizoma("import", "u.rz", tmp_path / "tags.csv", "--comment", "#")
    assert "1 edge" not in done.stderr
    assert "left out 2 comment lines" in done.stderr


def test_a_name_that_igraph_kept_beside_the_ids_is_not_called_unread() -> None:
    made = rz.open(None, vertices={"name": "string"})
    made.add_vertices({"id": ["a", "b"], "name": ["Ann", "Bob"]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = rz.read(made.to_igraph(), vertices={"name": "string"})
    assert again.vertices.to_pandas()["name"].tolist() == ["Ann", "Bob"]
