"""What a call might do otherwise than its writer means, and says."""

from __future__ import annotations

import copy
import pickle
import shutil
import warnings
from pathlib import Path

import pytest
import rizoma as rz
from rizoma.core.errors import ReadWarning


def test_values_as_read_refuse_changes() -> None:
    """What NetworkX's dictionaries take would change a copy here, in silence."""
    g = rz.open(None, vertices={"age": "int64"}, edges={"amount": "int64"})
    g.add_edges({"source": ["ann"], "target": ["bob"], "amount": [3]})
    g.set("ann", age=4)
    kept = rz.open(None, parallel_edges="keep", edges={"amount": "int64"})
    kept.add_edges({"source": ["ann"], "target": ["bob"], "amount": [3]})
    as_read = [g.vertex("ann"), g["ann"]["bob"], g.edges["ann", "bob"], kept["ann"]["bob"], kept["ann"]["bob"][0]]
    as_read += [values for row in (g["ann"], kept["ann"]) for _, values in row.items()]
    for values in as_read:
        before = dict(values)
        with pytest.raises(rz.UnsupportedError, match=r"g\.set\(v, age=5\)"):
            values["amount"] = 5
        with pytest.raises(rz.UnsupportedError, match="values as they were read"):
            values.update(amount=5)
        assert values == before
        for own in (values.copy(), copy.copy(values), copy.deepcopy(values), pickle.loads(pickle.dumps(values))):
            own["amount"] = 5
            assert own["amount"] == 5
            assert values == before
    assert g.vertex("ann") == {"age": 4}


def test_hops_of_a_graph_with_columns_of_numbers_are_told() -> None:
    g = rz.open(None, edges={"note": "string", "km": "float64", "fee": "int32"})
    g.add_edges({"source": [0, 1], "target": [1, 2], "note": ["a", "b"], "km": [2.5, 3.5], "fee": [1, 1]})
    with pytest.warns(ReadWarning, match="each edge has length 1, though it has km, fee: weight='km' takes"):
        assert rz.sssp(g, 0)[2] == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rz.sssp(g, 0, weight=None)[2] == 2
        assert rz.sssp(g, 0, weight="km")[2] == 6


def test_communities_of_another_graph_are_refused() -> None:
    g, other = rz.open(None), rz.open(None)
    g.add_edges([("ann", "bob")])
    other.add_edges([("ann", "bob"), ("bob", "cem")])
    for communities in (rz.louvain(other), rz.louvain(other).to_dict()):
        with pytest.raises(rz.VertexNotFoundError, match=r"names 'cem', which is not a vertex.* if v in g"):
            rz.modularity(g, communities)
    other.remove_vertices(["cem"])
    assert rz.modularity(g, rz.louvain(other)) == rz.modularity(g, {"ann": 0, "bob": 0})


def test_a_store_that_is_removed_while_open_takes_no_change(tmp_path: Path) -> None:
    g = rz.open(tmp_path / "g.rz")
    g.add_edges([("ann", "bob")])
    shutil.rmtree(tmp_path / "g.rz")
    with pytest.raises(rz.StorageError, match="was removed while it is open: this change is not kept"):
        g.add_edges([("bob", "cem")])
    g.copy_to(tmp_path / "saved.rz")
    with rz.open(tmp_path / "saved.rz") as saved:
        assert set(saved.edges) == {("ann", "bob")}


def test_labels_and_types_that_nothing_has_are_told() -> None:
    g = rz.open(None, vertices={"label": "string"}, edges={"type": "string"})
    g.add_edges({"source": ["ann", "bob"], "target": ["bob", "acme"], "type": ["KNOWS", "PAID"]})
    g.set_vertices({"vertex": ["ann", "bob", "acme"], "label": ["Person", "Person", "Company"]})
    with pytest.warns(ReadWarning, match=r"no vertex has the label 'person'; did you mean 'Person'\?\n.*person"):
        assert g.query("MATCH (a:person) RETURN a").count() == 0
    with pytest.warns(ReadWarning, match="no edge has the type 'OWNS'; did you mean 'KNOWS'") as told:
        assert g.query("MATCH (a) WHERE EXISTS { (a)-[:PAID|OWNS]->(:Company) } RETURN a").count() == 1
    assert len(told) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(2):
            assert g.query("MATCH (a:Person)-[:PAID|KNOWS]->(b:Company) RETURN a").count() == 1
        assert rz.open(None, vertices={"label": "string"}).query("MATCH (a:Person) RETURN a").count() == 0


def test_what_graphml_has_beside_values_is_named(tmp_path):
    (tmp_path / "a.graphml").write_text(
        '<graphml><graph edgedefault="directed"><desc>all</desc><node id="a" parse.outdegree="1"><desc>x</desc>'
        '<port name="N"/></node><node id="b"/><edge source="a" target="b" sourceport="N" targetport="S">'
        "<desc>y</desc></edge></graph></graphml>"
    )
    said = str(rz.read(tmp_path / "a.graphml").last_import)
    assert "not read, of vertices: 'desc', 'parse.outdegree', 'port'" in said
    assert "not read, of edges: 'desc', 'sourceport', 'targetport'" in said
    assert 'not read, of the graph itself: "desc"' in said


@pytest.mark.parametrize("page", ["<h1>Error, 404</h1>\n<p>Sorry, gone</p>\n", "<DIV>\na,b\n</DIV>\n", "<p>a</p>,b\n"])
def test_a_part_of_a_web_page_is_no_csv(page, tmp_path):
    (tmp_path / "a.csv").write_text(page)
    with pytest.raises(rz.RizomaError, match="is a web page"):
        rz.read(tmp_path / "a.csv")


def test_ids_in_angle_brackets_are_no_web_page(tmp_path):
    (tmp_path / "a.csv").write_text("source,target\n<p>,<div>\n")
    assert rz.read(tmp_path / "a.csv").num_edges == 1


COPIES = ["a.csv~", "#a.csv#", "~$a.csv", "a.csv.bak", "a.csv.ORIG", "a.csv.swp", "a.csv.part", "a.csv.crdownload"]


@pytest.mark.parametrize("copy", COPIES)
def test_copies_that_tools_leave_are_not_read(copy, tmp_path, rizoma):
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.csv").write_text("source,target\n1,2\n")
    (folder / copy).write_text("source,target\n7,8\n")
    for source in (folder, folder / "*"):
        with pytest.warns(ReadWarning, match=r"not read: .*a\.csv.* copy"):
            graph = rz.read(source)
        assert graph.num_edges == 1
    assert rz.read(folder / copy, format="csv").num_edges == 1  # by its own name
    assert "not read:" in rizoma("import", "g.rz", "folder").stderr


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.el"])
def test_an_id_that_may_have_thousands_is_refused_with_both_readings(name, tmp_path):
    mark = {"a.csv": ",", "a.tsv": "\t", "a.el": " "}[name]
    file = tmp_path / name
    head = "" if name == "a.el" else mark.join(["source", "target"]) + "\n"
    for line in ("1.000|2", "3|-250.000"):
        file.write_text(head + "5|6\n".replace("|", mark) + line.replace("|", mark) + "\n")
        with pytest.raises(rz.RizomaError, match=r"1\.000 is 1, or 1000.*ids=\"integer\".*ids=\"string\""):
            rz.read(file)
        assert {1, 2, 5, 6} >= set(rz.read(file, ids="integer")) - {3, -250}
        assert rz.read(file, ids="string").num_edges == 2
    for line in ("1.0|2.0", "1.00|2.00", "1.0000|7", "1234.000|7", "0.000|7"):
        file.write_text(head + line.replace("|", mark) + "\n")
        assert rz.read(file).num_edges == 1
