"""GML, GraphML and JSON against NetworkX's readers and writers, on graphs that are made by chance."""

from __future__ import annotations

import json
from typing import Any

import networkx as nx
import pyarrow as pa
import pytest
import rizoma as rz
from document_cases import everything
from hypothesis import given, settings
from hypothesis import strategies as st

FORMATS = ["gml", "graphml", "json"]
SETTINGS = settings(max_examples=40)

# What XML can carry.  NetworkX's GML has no way for control characters, but for line ends and the like.
TEXT = st.text(st.characters(min_codepoint=32, exclude_categories=["Cs", "Cc", "Cn", "Co"]), max_size=8)
INTEGER = st.integers(-(2**31) + 1, 2**31 - 1)  # NetworkX writes others to GML as texts
FLOAT = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def graphs(draw: Any) -> nx.Graph:
    """Graphs with weights and values on some edges and vertices."""
    graph = draw(st.sampled_from([nx.Graph, nx.DiGraph]))()
    name = TEXT.map("v".__add__)  # what looks like an integer is read as one from GraphML
    ids = draw(st.lists(draw(st.sampled_from([INTEGER, name])), min_size=1, max_size=8, unique=True))
    graph.add_nodes_from(ids)
    for name, values in {"size": INTEGER, "title": TEXT, "share": FLOAT}.items():
        for node in draw(st.lists(st.sampled_from(ids), max_size=3)):
            graph.nodes[node][name] = draw(values)
    pairs = draw(st.lists(st.tuples(st.sampled_from(ids), st.sampled_from(ids)), max_size=12))
    weight = draw(st.sampled_from([None, INTEGER, FLOAT]))
    for u, v in pairs:
        graph.add_edge(u, v)
        if weight is not None and draw(st.booleans()):
            graph[u][v]["weight"] = draw(weight)
        if draw(st.booleans()):
            graph[u][v]["note"] = draw(TEXT)
    return graph


def write(graph: nx.Graph, path: Any, format: str) -> None:
    if format == "gml":
        nx.write_gml(graph, path)
    elif format == "graphml":
        nx.write_graphml(graph, path)
    else:
        path.write_text(json.dumps(nx.node_link_data(graph, edges="edges")))


def read(path: Any, format: str, kind: type) -> nx.Graph:
    if format == "gml":
        return nx.read_gml(path, label="label" if kind is str else "id")
    if format == "graphml":
        return nx.read_graphml(path, node_type=kind)
    return nx.node_link_graph(json.loads(path.read_text()), edges="edges")


def told(graph: nx.Graph, weighted: bool) -> tuple[bool, set[Any], list[Any]]:
    """What `everything` says of the same graph."""
    directed = graph.is_directed()
    edges = graph.edges(data="weight", default=1 if weighted else None)
    return (
        directed,
        set(graph),
        sorted(((u, v) if directed else tuple(sorted((u, v))), weight) for u, v, weight in edges),
    )


def names_of(rows: Any) -> list[str]:
    return sorted({name for *_, values in rows for name in values if name != "weight"})


KINDS = {"size": "int64", "title": "string", "share": "float64", "note": "string"}


@pytest.mark.parametrize("format", FORMATS)
@SETTINGS
@given(graph=graphs())
def test_what_networkx_writes_is_read(tmp_path, format, graph):
    path = tmp_path / f"g.{format}"
    write(graph, path, format)
    if format == "gml":  # whose labels NetworkX writes as text, whatever they are
        graph = nx.relabel_nodes(graph, {node: str(node) for node in graph})
    edges, vertices = names_of(graph.edges(data=True)), names_of(graph.nodes(data=True))
    kept = {name: KINDS[name] for name in edges}, {name: KINDS[name] for name in vertices}
    with rz.read(path, edges=kept[0], vertices=kept[1]) as read_back:
        weighted = any("weight" in values for *_, values in graph.edges(data=True))
        assert everything(read_back) == told(graph, weighted)
        for node, values in graph.nodes(data=True):
            found = read_back.vertex(node) if vertices else {}
            assert {name: value for name, value in found.items() if value is not None} == values
        rows = read_back.edges.to_arrow().to_pylist()
        for row in rows:
            values = graph[row["source"]][row["target"]]
            assert {name: row[name] for name in edges if row[name] is not None} == {
                name: value for name, value in values.items() if name != "weight"
            }


@pytest.mark.parametrize("format", FORMATS)
@SETTINGS
@given(graph=graphs())
def test_what_is_written_is_read_by_networkx(tmp_path, format, graph):
    path = tmp_path / f"g.{format}"
    weighted = any("weight" in values for *_, values in graph.edges(data=True))
    ints = all(isinstance(weight, int) for *_, weight in graph.edges(data="weight", default=1))
    kinds = {"weights": ("int32" if ints else "float64") if weighted else None}
    edges = {name: KINDS[name] for name in names_of(graph.edges(data=True))}
    vertices = {name: KINDS[name] for name in names_of(graph.nodes(data=True))}
    ids = "string" if isinstance(next(iter(graph)), str) else "integer"
    with rz.open(None, directed=graph.is_directed(), ids=ids, edges=edges, vertices=vertices, **kinds) as ours:
        ours.add_edges(graph)
        rows = {name: [values.get(name) for _, values in graph.nodes(data=True)] for name in vertices}
        ours.add_vertices(pa.table({"vertex": list(graph)} | rows))
        ours.export(path)
    theirs = read(path, format, type(next(iter(graph))))
    assert told(theirs, weighted) == told(graph, weighted)
    for node, values in graph.nodes(data=True):
        assert {name: theirs.nodes[node][name] for name in values} == values
    with rz.read(path, edges=edges, vertices=vertices) as again:
        assert everything(again) == told(graph, weighted)


@pytest.mark.parametrize("format", FORMATS)
def test_columns_are_found_out(tmp_path, format):
    graph = nx.Graph()
    graph.add_node("a", size=3, title="x")
    graph.add_edge("a", "b", weight=1.5, share=0.25)
    graph.add_edge("b", "c", weight=2.5, share=2)
    write(graph, tmp_path / f"g.{format}", format)
    if format != "graphml":  # where NetworkX declares two keys
        read_back = rz.read(tmp_path / f"g.{format}", edges="infer", vertices="infer")
        assert read_back.edge_columns == {"share": "float64"}
        assert read_back.vertex_columns == {"size": "int64", "title": "string"}
        assert read_back.vertex("a") == {"size": 3, "title": "x"}


def test_values_of_several_types_are_asked_about(tmp_path):
    edges = '{"source": 1, "target": 1, "n": VALUE}, {"source": 1, "target": 1, "n": 3}'
    text = f'{{"nodes": [{{"id": 1}}], "edges": [{edges}]}}'
    for value, message in [('"x"', "'n' are not of one type"), ("null", None)]:
        (tmp_path / "a.json").write_text(text.replace("VALUE", value))
        if message is None:
            assert rz.read(tmp_path / "a.json", edges="infer").edge_columns == {"n": "int64"}
        else:
            with pytest.raises(rz.InvalidArgumentError, match=message):
                rz.read(tmp_path / "a.json", edges="infer")
    (tmp_path / "a.json").write_text(text.replace("VALUE", '"x"'))
    with pytest.raises(rz.ParseError, match=r"a\.json:1: the n 'x' cannot be stored as int8"):
        rz.read(tmp_path / "a.json", edges={"n": "int8"})


@pytest.mark.parametrize("format", FORMATS)
def test_a_change_reads_documents_with_their_values(tmp_path, format):
    graph = nx.DiGraph()
    graph.add_node("z", size=1)
    graph.add_edge("a", "b", note="x")
    write(graph, tmp_path / f"g.{format}", format)
    with rz.open(tmp_path / "g.rz", directed=True, ids="string", edges={"note": "string"}) as store:
        store.add_edges([("q", "a")])
    read_back = rz.read(tmp_path / f"g.{format}", into=tmp_path / "g.rz", append=True)
    with read_back:
        assert set(read_back.vertices.to_arrow()["vertex"].to_pylist()) == {"q", "a", "b", "z"}
        rows = {(row["source"], row["target"]): row["note"] for row in read_back.edges.to_arrow().to_pylist()}
        assert rows == {("q", "a"): None, ("a", "b"): "x"}


def test_control_characters_are_refused_where_xml_has_no_way(tmp_path):
    with rz.open(None) as graph:
        graph.add_edges([("a\x01", "b")])
        with pytest.raises(rz.UnsupportedError, match="control character"):
            graph.export(tmp_path / "g.graphml")
        assert not list(tmp_path.iterdir())
        for name in ("g.gml", "g.json"):
            graph.export(tmp_path / name)
            assert everything(rz.read(tmp_path / name))[1] == {"a\x01", "b"}
