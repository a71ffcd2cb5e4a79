"""Cases of documents: GraphML, GML, GEXF, Pajek, JSON and JSON lines."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
from stranger_cases import AB, E12, D, case, text

# GraphML
GRAPHML = (
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">{keys}<graph edgedefault="directed">'
    "{body}</graph></graphml>"
)
NODES = '<node id="a"/><node id="b"/>'


def graphml(keys: str = "", body: str = "") -> Callable[[Path], Path]:
    return text("e.graphml", GRAPHML.format(keys=keys, body=body))


KEY = '<key id="{}" for="{}" attr.name="{}" attr.type="{}"/>'
EDGE = '<edge source="a" target="b">{}</edge>'
case("graphml", graphml(body=NODES + EDGE.format("")), AB)
case(
    "graphml two keys, one name",
    graphml(
        KEY.format("d0", "edge", "x", "int") + KEY.format("d1", "edge", "x", "int"),
        NODES + EDGE.format('<data key="d0">1</data><data key="d1">2</data>'),
    ),
    None,
    says="two values of 'x'",
    edges={"x": "int64"},
)
case(
    "graphml two keys, one name, inferred",
    graphml(
        KEY.format("d0", "edge", "x", "int") + KEY.format("d1", "edge", "x", "int"),
        NODES + EDGE.format('<data key="d0">1</data><data key="d1">2</data>'),
    ),
    None,
    edges="infer",
)
TWO_TYPES = KEY.format("d0", "edge", "{0}", "int") + KEY.format("d1", "edge", "{0}", "double")
TWO_TYPES += KEY.format("d2", "edge", "{0}", "string")
TWO_EDGES = '<edge source="a" target="b"><data key="d0">1</data></edge>'
TWO_EDGES += '<edge source="b" target="a"><data key="{}">{}</data></edge>'
case(
    "graphml weights of two types, as networkx writes them",
    graphml(TWO_TYPES.format("weight"), NODES + TWO_EDGES.format("d1", "2.5")),
    [("a", "b", 1.0), ("b", "a", 2.5)],
)
case(
    "graphml weights and a text, as networkx writes them",
    graphml(TWO_TYPES.format("weight"), NODES + TWO_EDGES.format("d2", "heavy")),
    [("a", "b"), ("b", "a")],
    warns="'heavy'",
)
case(
    "graphml column of two types",
    graphml(TWO_TYPES.format("x"), NODES + TWO_EDGES.format("d1", "2.5")),
    [("a", "b", 1.0), ("b", "a", 2.5)],
    edges="infer",
)
case(
    "graphml column of numbers and text",
    graphml(TWO_TYPES.format("x"), NODES + TWO_EDGES.format("d2", "t")),
    None,
    says="not of one type",
    edges="infer",
)
case(
    "graphml column of numbers and text, asked for",
    graphml(TWO_TYPES.format("x"), NODES + TWO_EDGES.format("d2", "t")),
    [("a", "b", "1"), ("b", "a", "t")],
    edges={"x": "string"},
)
case(
    "graphml two defaults of one name",
    graphml(
        "".join(
            f'<key id="d{i}" for="edge" attr.name="x" attr.type="int"><default>{i}</default></key>' for i in range(2)
        ),
        NODES + EDGE.format(""),
    ),
    None,
    says="default values",
    edges={"x": "int64"},
)
case(
    "graphml two keys of weights",
    graphml(
        KEY.format("d0", "edge", "weight", "int") + KEY.format("d1", "edge", "weight", "int"),
        NODES + EDGE.format('<data key="d0">1</data><data key="d1">2</data>'),
    ),
    None,
)
case(
    "graphml two keys, not read",
    graphml(KEY.format("d0", "node", "x", "int") + KEY.format("d1", "node", "x", "int"), NODES + EDGE.format("")),
    AB,
    None,
)
case(
    "graphml key of nodes and of edges",
    graphml(
        KEY.format("d0", "node", "x", "int") + KEY.format("d1", "edge", "x", "int"),
        NODES + EDGE.format('<data key="d1">2</data>'),
    ),
    [("a", "b", 2)],
    edges={"x": "int64"},
)
case(
    "graphml weight of nodes at an edge",
    graphml(KEY.format("d0", "node", "weight", "int"), NODES + EDGE.format('<data key="d0">2</data>')),
    None,
    says="for other elements",
)
case(
    "graphml key of nodes at an edge, not read",
    graphml(KEY.format("d0", "node", "x", "int"), NODES + EDGE.format('<data key="d0">2</data>')),
    AB,
    says='not read, of edges: "x"',
)
case(
    "graphml ids 1 and 1.0",
    graphml(body='<node id="1"/><node id="1.0"/><edge source="1" target="1.0"/>'),
    [("1", "1.0")],
    None,
    warns="write such numbers alike",
)
case(
    "graphml one id twice",
    graphml(
        KEY.format("d0", "edge", "x", "int") + KEY.format("d0", "edge", "y", "int"),
        NODES + EDGE.format('<data key="d0">1</data>'),
    ),
    None,
    edges={"x": "int64"},
)
case(
    "graphml value twice",
    graphml(
        KEY.format("d0", "edge", "x", "int"), NODES + EDGE.format('<data key="d0">1</data><data key="d0">2</data>')
    ),
    None,
    edges={"x": "int64"},
)
case(
    "graphml weight twice",
    graphml(
        KEY.format("d0", "edge", "weight", "int"), NODES + EDGE.format('<data key="d0">1</data><data key="d0">2</data>')
    ),
    None,
)
case(
    "graphml key without a name",
    graphml('<key id="d0" for="node" yfiles.type="nodegraphics"/>', NODES + EDGE.format("")),
    AB,
)
case(
    "graphml default weight",
    graphml(
        '<key id="d0" for="edge" attr.name="weight" attr.type="double"><default>2.5</default></key>',
        NODES + EDGE.format(""),
    ),
    [("a", "b", 2.5)],
)
case(
    "graphml weight beyond 2^53",
    graphml(KEY.format("d0", "edge", "weight", "long"), NODES + EDGE.format('<data key="d0">9007199254740993</data>')),
    None,
    [("a", "b", 2.0**53)],
    warns="2\\^53",
)
case(
    "graphml weight nan",
    graphml(KEY.format("d0", "edge", "weight", "double"), NODES + EDGE.format('<data key="d0">NaN</data>')),
    None,
)
case("graphml hyperedge", graphml(body=NODES + '<hyperedge><endpoint node="a"/><endpoint node="b"/></hyperedge>'), None)
case(
    "graphml nested",
    graphml(
        body='<node id="a"><graph edgedefault="directed"><node id="c"/></graph></node><node id="b"/>' + EDGE.format("")
    ),
    None,
    AB,
)
case("graphml no such node", graphml(body='<node id="a"/>' + EDGE.format("")), None, AB)
case("graphml no target", graphml(body=NODES + '<edge source="a"/>'), None)
case(
    "graphml prefix",
    text(
        "e.graphml",
        '<g:graphml xmlns:g="http://graphml.graphdrawing.org/xmlns"><g:graph edgedefault="directed">'
        '<g:node id="a"/><g:node id="b"/><g:edge source="a" target="b"/></g:graph></g:graphml>',
    ),
    AB,
    None,
)
case(
    "graphml two graphs",
    text(
        "e.graphml",
        "<graphml><graph edgedefault='directed'><node id='a'/><node id='b'/>"
        "<edge source='a' target='b'/></graph><graph edgedefault='directed'><node id='c'/></graph>"
        "</graphml>",
    ),
    None,
)
case(
    "graphml entities",
    graphml(body='<node id="a&amp;&#x41;"/><node id="b"/><edge source="a&amp;A" target="b"/>'),
    [("a&A", "b")],
)
case("graphml cut", text("e.graphml", GRAPHML.format(keys="", body=NODES + EDGE.format(""))[:-12]), None)
case(
    "graphml latin-1",
    text(
        "e.graphml",
        (
            '<?xml version="1.0" encoding="ISO-8859-1"?>'
            + GRAPHML.format(keys="", body='<node id="é"/><node id="b"/><edge source="é" target="b"/>')
        ).encode("latin-1"),
    ),
    [("é", "b")],
    None,
)
case("graphml numbers", graphml(body='<node id="1"/><node id="2"/><edge source="1" target="2"/>'), E12)
case("graphml zeros", graphml(body='<node id="01"/><node id="1"/><edge source="01" target="1"/>'), [("01", "1")], None)

# GML
case(
    "gml weight beyond 2^53",
    text(
        "e.gml", "graph [ directed 1 node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 weight 9007199254740993 ] ]"
    ),
    None,
    [(1, 2, 2.0**53)],
    warns="2\\^53",
)
case("gml no target", text("e.gml", "graph [ node [ id 1 ] edge [ source 1 ] ]"), None)
case("gml no such node", text("e.gml", "graph [ node [ id 1 ] edge [ source 1 target 2 ] ]"), None, E12)
case(
    "gml weight twice",
    text("e.gml", "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 weight 1 weight 2 ] ]"),
    None,
    says="two values of 'weight'",
)
case(
    "gml source twice",
    text("e.gml", "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 source 2 target 2 ] ]"),
    None,
    says="two values of 'source'",
)
case(
    "gml list of networkx, kept",
    text("e.gml", "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 x 1 x 2 ] ]"),
    None,
    says="two values of 'x'",
    edges={"x": "int64"},
)
case(
    "gml list of networkx, not read",
    text("e.gml", "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 x 1 x 2 ] ]"),
    E12,
)
case(
    "gml text ids", text("e.gml", 'graph [ node [ id "a" ] node [ id "b" ] edge [ source "a" target "b" ] ]'), AB, None
)
case("gml two graphs", text("e.gml", "graph [ node [ id 1 ] ] graph [ node [ id 2 ] ]"), None)
case("gml cut", text("e.gml", "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 "), None)

case(
    "gml direction twice",
    text("e.gml", "graph [ directed 1 directed 0 node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]"),
    None,
    says="two values of `directed`",
)

# GEXF and Pajek
GEXF = (
    '<gexf><graph defaultedgetype="directed">{}<nodes><node id="a"/><node id="b"/></nodes><edges>'
    "{}</edges></graph></gexf>"
)
case("gexf weight", text("e.gexf", GEXF.format("", '<edge source="a" target="b" weight="-2.5"/>')), [("a", "b", -2.5)])
case("gexf weight text", text("e.gexf", GEXF.format("", '<edge source="a" target="b" weight="much"/>')), None)
case(
    "gexf weight beyond 2^53",
    text("e.gexf", GEXF.format("", '<edge source="a" target="b" weight="9007199254740993"/>')),
    None,
    [("a", "b", 2.0**53)],
    warns="2\\^53",
)
case(
    "gexf ids of 19 digits",
    text(
        "e.gexf",
        '<gexf><graph defaultedgetype="directed"><nodes><node id="1234567890123456789"/><node id="-2"/></nodes>'
        '<edges><edge source="1234567890123456789" target="-2"/></edges></graph></gexf>',
    ),
    [(1234567890123456789, -2)],
)
case(
    "gexf ids 0 and -0",
    text(
        "e.gexf",
        '<gexf><graph defaultedgetype="directed"><nodes><node id="0"/><node id="-0"/></nodes>'
        '<edges><edge source="0" target="-0"/></edges></graph></gexf>',
    ),
    [("0", "-0")],
)
case(
    "pajek names of 19 digits",
    text("e.net", '*Vertices 1\n1 "1234567890123456789"\n*Arcs\n1 1\n'),
    [(1234567890123456789,) * 2],
)
case("gexf weight 1_000", text("e.gexf", GEXF.format("", '<edge source="a" target="b" weight="1_000"/>')), None)
case(
    "gexf truth of another word",
    text(
        "e.gexf",
        GEXF.format(
            '<attributes class="edge"><attribute id="0" title="x" type="boolean"/></attributes>',
            '<edge source="a" target="b"><attvalues><attvalue for="0" value="yes"/></attvalues></edge>',
        ),
    ),
    None,
    edges={"x": "bool"},
)
case(
    "gexf two attributes, one title",
    text(
        "e.gexf",
        GEXF.format(
            '<attributes class="edge"><attribute id="0" title="x" type="integer"/>'
            '<attribute id="1" title="x" type="integer"/></attributes>',
            '<edge source="a" target="b"><attvalues><attvalue for="0" value="1"/>'
            '<attvalue for="1" value="2"/></attvalues></edge>',
        ),
    ),
    None,
    says="two values of 'x'",
    edges={"x": "int64"},
)
case(
    "gexf numbers and text, asked for",
    text(
        "e.gexf",
        GEXF.format(
            '<attributes class="edge"><attribute id="0" title="x" type="integer"/></attributes>',
            '<edge source="a" target="b"><attvalues><attvalue for="0" value="1"/></attvalues></edge>'
            '<edge source="b" target="a"><attvalues><attvalue for="0" value="t"/></attvalues></edge>',
        ),
    ),
    [("a", "b", "1"), ("b", "a", "t")],
    edges={"x": "string"},
)
case(
    "gexf nested nodes",
    text(
        "e.gexf",
        '<gexf><graph defaultedgetype="directed"><nodes><node id="a"><nodes><node id="b"/></nodes>'
        '</node></nodes><edges><edge source="a" target="b"/></edges></graph></gexf>',
    ),
    AB,
    None,
)
case("gexf no such node", text("e.gexf", GEXF.format("", '<edge source="a" target="c"/>')), None, [("a", "c")])
case("gexf cut", text("e.gexf", GEXF.format("", '<edge source="a" target="b"/>')[:-20]), None)
case(
    "pajek arcs",
    text("e.net", '*Vertices 2\n1 "a b"\n2 "b"\n*Arcs\n1 2 2.5\n'),
    [("a b", "b", 2.5)],
    [(1, 2, 2.5)],
    None,
)
case("pajek arcslist", text("e.net", "*Vertices 3\n*Arcslist\n1 2 3\n"), [(1, 2), (1, 3)], None)
case("pajek edgeslist", text("e.net", "*Vertices 3\n*Edgeslist\n1 2 3\n"), [(1, 2), (1, 3)], None)
case("pajek matrix", text("e.net", "*Vertices 3\n*Matrix\n0 1 0\n0 0 2\n0 0 0\n"), [(1, 2, 1.0), (2, 3, 2.0)], None)
case("pajek two modes", text("e.net", "*Vertices 3 2\n*Edges\n1 3\n"), [(1, 3)], None)
case(
    "pajek relations",
    text("e.net", '*Vertices 3\n*Arcs :1 "likes"\n1 2\n*Arcs :2 "hates"\n2 3\n'),
    [(1, 2), (2, 3)],
    None,
)
case("pajek beyond", text("e.net", "*Vertices 2\n*Arcs\n1 3\n"), None)
case("pajek weight text", text("e.net", "*Vertices 2\n*Arcs\n1 2 much\n"), None)
case("pajek other case", text("e.net", "*vertices 2\n*arcs\n1 2\n"), E12)
case(
    "pajek two networks",
    text("e.net", "*Network one\n*Vertices 2\n*Arcs\n1 2\n*Network two\n*Vertices 2\n*Arcs\n2 1\n"),
    None,
)
case(
    "pajek one label twice",
    text("e.net", '*Vertices 3\n1 "a"\n2 "a"\n3 "b"\n*Edges\n1 3\n2 3\n'),
    [(1, 3), (2, 3)],
    None,
)
case(
    "pajek some labels",
    text("e.net", '*Vertices 3\n1 "a"\n3 "c"\n*Edges\n1 2\n'),
    [(1, 2)],
    None,
    warns="vertex 2 has no name",
)
case("pajek quote within a label", text("e.net", '*Vertices 2\n1 "a "q" b"\n2 "b"\n*Edges\n1 2\n'), None)
case("pajek quote that is not closed", text("e.net", '*Vertices 2\n1 "ab\n2 "b"\n*Edges\n1 2\n'), None)
case("pajek number 1_0", text("e.net", "*Vertices 20\n*Arcs\n1 1_0\n"), None)
case("pajek weight 1_000", text("e.net", "*Vertices 2\n*Arcs\n1 2 1_000\n"), None)
case("pajek crlf", text("e.net", "*Vertices 2\r\n*Arcs\r\n1 2\r\n"), E12)

# JSON


def doc(value: Any, name: str = "e.json") -> Callable[[Path], Path]:
    return text(name, value if isinstance(value, str) else json.dumps(value))


def lines(*rows: Any) -> Callable[[Path], Path]:
    return text("e.ndjson", "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))


TWO = [{"id": 1}, {"id": 2}]
case(
    "json d3 by place",
    doc({"nodes": [{"name": "x"}, {"name": "y"}], "links": [{"source": 0, "target": 1}]}),
    [(0, 1)],
    [("x", "y")],
    None,
)
case(
    "json ids beside places",
    doc({"nodes": [{"id": "x"}, {"id": "y"}], "links": [{"source": 0, "target": 1}]}),
    None,
    [("x", "y")],
)
case(
    "json cytoscape",
    doc(
        {
            "elements": {
                "nodes": [{"data": {"id": "a"}}, {"data": {"id": "b"}}],
                "edges": [{"data": {"source": "a", "target": "b"}}],
            }
        }
    ),
    None,
    AB,
)
case("json adjacency", doc({"directed": True, "nodes": TWO, "adjacency": [[{"id": 2}], []]}), None, E12)
case("json adjacency of networkx", doc(nx.adjacency_data(nx.path_graph(3))), None, [(0, 1), (1, 2)])
case("json tree", doc({"id": 1, "children": [{"id": 2}]}), None)
case("json pairs", doc([[1, 2], [2, 3]]), None, [(1, 2), (2, 3)])
case("json records", doc([{"source": 1, "target": 2}]), None, E12)
case(
    "json one source twice",
    doc('{"nodes": [{"id": 1}, {"id": 2}], "edges": [{"source": 1, "source": 2, "target": 2}]}'),
    None,
    says="two values of 'source'",
)
case(
    "json weight twice",
    doc('{"nodes": [{"id": 1}, {"id": 2}], "edges": [{"source": 1, "target": 2, "weight": 1, "weight": 2}]}'),
    None,
    says="two values of 'weight'",
)
case(
    "json kept value twice",
    doc('{"nodes": [{"id": 1}, {"id": 2}], "edges": [{"source": 1, "target": 2, "x": 1, "x": 2}]}'),
    None,
    says="two values of 'x'",
    edges={"x": "int64"},
)
case(
    "json great ids",
    doc(
        {
            "directed": True,
            "nodes": [{"id": 2**53 + 1}, {"id": 2**53}],
            "edges": [{"source": 2**53 + 1, "target": 2**53}],
        }
    ),
    [(2**53 + 1, 2**53)],
)
case(
    "json ids 1.0",
    doc('{"directed": true, "nodes": [{"id": 1.0}, {"id": 2}], "edges": [{"source": 1, "target": 2.0}]}'),
    E12,
    None,
)
case(
    "json ids 1.5",
    doc('{"nodes": [{"id": 1.5}, {"id": 2}], "edges": [{"source": 1.5, "target": 2}]}'),
    None,
    [("1.5", "2")],
)
case("json ids of truth", doc('{"nodes": [{"id": true}, {"id": 2}], "edges": [{"source": true, "target": 2}]}'), None)
case("json ids null", doc('{"nodes": [{"id": null}, {"id": 2}], "edges": [{"source": null, "target": 2}]}'), None)
case(
    "json ids 1 and '1'",
    doc('{"directed": true, "nodes": [{"id": 1}, {"id": "1"}], "edges": [{"source": 1, "target": "1"}]}'),
    None,
)
case(
    "json weight beyond 2^53",
    doc({"directed": True, "nodes": TWO, "edges": [{"source": 1, "target": 2, "weight": 2**53 + 1}]}),
    None,
    [(1, 2, 2.0**53)],
    warns="2\\^53",
)
case(
    "json weight nan",
    doc('{"nodes": [{"id": 1}, {"id": 2}], "edges": [{"source": 1, "target": 2, "weight": NaN}]}'),
    None,
)
case(
    "json weight true",
    doc({"nodes": TWO, "edges": [{"source": 1, "target": 2, "weight": True}]}),
    None,
    E12,
    warns="weight",
)
case("json no such node", doc({"nodes": [{"id": 1}], "edges": [{"source": 1, "target": 2}]}), None, E12)
case("json rubbish behind", doc('{"nodes": [{"id": 1}, {"id": 2}], "edges": [{"source": 1, "target": 2}]} x'), None)
case("json two documents", doc('{"nodes": [{"id": 1}], "edges": []}\n{"nodes": [{"id": 2}], "edges": []}\n'), None)
case("json empty", doc(""), None, [])
case(
    "json bom",
    text(
        "e.json",
        b"\xef\xbb\xbf" + json.dumps({"directed": True, "nodes": TWO, "edges": [{"source": 1, "target": 2}]}).encode(),
    ),
    E12,
    None,
)
case(
    "json utf-16",
    text(
        "e.json", json.dumps({"directed": True, "nodes": TWO, "edges": [{"source": 1, "target": 2}]}).encode("utf-16")
    ),
    E12,
    None,
)
case("lines of arrays", lines([1, 2]), None, E12)
case("lines, keys in another order", lines({"source": 1, "target": 2}, {"target": 3, "source": 2}), [(1, 2), (2, 3)])
case("lines without a source", lines({"source": 1, "target": 2}, {"target": 3}), None)
case("lines with null", lines({"source": 1, "target": None}), None)
case("lines, ids 1 and '1'", lines({"source": 1, "target": 2}, {"source": "1", "target": 2}), None)
case(
    "lines, ids 1 and 1.0",
    lines('{"source": 1, "target": 2}', '{"source": 1.0, "target": 3}'),
    [(1, 2), (1, 3)],
    None,
    **D,
)
case("lines, ids 1.5", lines('{"source": 1, "target": 2}', '{"source": 1.5, "target": 3}'), None, **D)
case("lines, great ids", lines({"source": 2**53 + 1, "target": 2**53}), [(2**53 + 1, 2**53)], **D)
case("lines, ids of uint64", lines({"source": 2**64 - 1, "target": 1}), None, [(2**64 - 1, 1)])
case("lines, one key twice", lines('{"source": 1, "source": 2, "target": 3}'), [(2, 3)], None)
case(
    "lines, weight beyond 2^53",
    lines({"source": 1, "target": 2, "weight": 2**53 + 1}),
    None,
    [(1, 2, 2.0**53)],
    warns="2\\^53",
)
case("lines, weight missing", lines({"source": 1, "target": 2, "weight": 1}, {"source": 2, "target": 3}), None)
case(
    "lines, weight late",
    lines({"source": 1, "target": 2}, {"source": 2, "target": 3, "weight": 2}),
    None,
    [(1, 2, 1.0), (2, 3, 2.0)],
)
case("lines, nested", lines({"source": {"id": 1}, "target": {"id": 2}}), None)
case("lines, pretty", text("e.ndjson", json.dumps({"source": 1, "target": 2}, indent=1)), None, E12)
case("lines, blank", text("e.ndjson", '{"source": 1, "target": 2}\n\n\n'), E12)
case("lines, crlf", text("e.ndjson", '{"source": 1, "target": 2}\r\n'), E12)
case("lines, cut", text("e.ndjson", '{"source": 1, "target": 2}\n{"source": 1, "tar'), None)
case(
    "lines, kept of two types",
    lines({"source": 1, "target": 2, "x": 1}, {"source": 2, "target": 3, "x": "b"}),
    None,
    edges="infer",
)
case(
    "lines, type that some lack",
    lines({"source": "a", "target": "b", "type": "directed"}, {"source": "b", "target": "c"}),
    [("a", "b"), ("b", "c")],
    warns="'type'.*direction",
)
case("lines, gz", text("e.ndjson.gz", gzip.compress(b'{"source": 1, "target": 2}\n')), E12)
