"""JSON in the node-link form, in and out."""

from __future__ import annotations

import json

import pytest
import rizoma as rz
from document_cases import everything, round_trips


@pytest.mark.parametrize("ending", [".json", ".json.zst"])
def test_round_trips(tmp_path, ending):
    assert len(list(round_trips(tmp_path, ending))) == 12


def test_networkx_reads_it_and_writes_it(tmp_path):
    networkx = pytest.importorskip("networkx")
    for path in round_trips(tmp_path, ".json"):
        with rz.read(path) as graph:
            directed, vertices, edges = everything(graph)
        theirs = networkx.node_link_graph(json.loads(path.read_text()), edges="edges")
        assert theirs.is_directed() == directed
        assert set(theirs) == vertices
        found = sorted(
            ((u, v) if directed else tuple(sorted((u, v))), weight) for u, v, weight in theirs.edges(data="weight")
        )
        assert found == edges
    for name in ("edges", "links"):
        data = networkx.node_link_data(networkx.karate_club_graph(), edges=name)
        (tmp_path / f"{name}.json").write_text(json.dumps(data))
        with rz.read(tmp_path / f"{name}.json") as graph:
            assert (len(graph), graph.num_edges) == (34, 78)


def test_nodes_without_ids_are_numbered(tmp_path):
    (tmp_path / "a.json").write_text('{"nodes": [{"name": "x"}, {}, {}], "links": [{"source": 0, "target": 2}]}')
    with rz.read(tmp_path / "a.json") as graph:
        assert everything(graph) == (False, {0, 1, 2}, [((0, 2), None)])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"a.json:1: Expecting value"),
        ('{"nodes": [\n{"id": }]}', r"a.json:2: Expecting value"),
        ("[1]", "expected an object"),
        ('{"nodes": 5}', "called `nodes`"),
        ('{"nodes": []}', "called `edges`"),
        ('{"nodes": [{"id": 1}], "edges": [{"source": 1}]}', "has the keys 'source': name its ends"),
        ('{"nodes": [{"id": 1}, {"id": "a"}], "edges": []}', "this file has int, str"),
        ('{"nodes": [{"id": 1.5}], "edges": []}', "this file has float"),
        ('{"nodes": [{"id": 99999999999999999999}], "edges": []}', "a.json"),
        ("[" * 100000, "a.json"),
        ('{"ann": ["bob"], "bob": []}', r"lists of neighbours by networkx\.from_dict_of_lists\("),
        ('{"elements": {"nodes": [{"data": {"id": "1"}}]}}', r"Cytoscape's by networkx\.cytoscape_graph\("),
        ("{}", "expected a list of objects called `nodes`"),
    ],
)
def test_faults_are_named(tmp_path, text, message):
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(rz.ParseError, match=message):
        rz.read(tmp_path / "a.json")
