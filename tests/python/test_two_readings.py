"""Input that can be read in two ways is refused with both named, or read in the one that the data proves."""

import warnings

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import rizoma as rz


def test_rows_that_are_mappings_are_read_by_their_keys():
    g = rz.open(None, weights="float64")
    g.add_edges([{"source": "ann", "target": "bob"}, {"target": "cem", "source": "bob"}])
    assert sorted(g.edges) == [("ann", "bob"), ("bob", "cem")]
    with pytest.raises(rz.ColumnNotFoundError, match="'note'"):
        g.add_edges([{"Weight": 2.5, "to": "dee", "From": "ann", "note": "x"}])
    g.add_edges([{"Weight": 2.5, "to": "dee", "From": "ann"}])
    assert g.weight("ann", "dee") == 2.5
    g.add_edges([{"a": "x", "b": "y"}], source="a", target="b")
    assert g.has_edge("x", "y")


@pytest.mark.parametrize(
    "rows",
    [
        [{"a": "ann", "b": "bob"}],
        [{"ann": "bob"}],
        [{"source": "ann", "target": "bob"}, {"source": "ann"}],
        [{"source": "ann", "target": "bob"}, ("a", "b")],
        [("a", "b"), {"source": "ann", "target": "bob"}],
        [("a", "b"), "cd"],
        [{"ann", "bob"}],
        [b"ab"],
    ],
)
def test_rows_that_are_no_pairs_are_refused(rows):
    g = rz.open(None)
    with pytest.raises(rz.InvalidArgumentError, match="row"):
        g.add_edges(rows)
    assert len(g) == 0


FRAME = {"name": ["x", "y"], "vertex": ["ann", "bob"]}


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame(FRAME),
        pl.DataFrame(FRAME),
        pl.LazyFrame(FRAME),
        pa.table(FRAME),
        pa.record_batch(FRAME),
        pd.DataFrame({"ID": ["ann", "bob"], "n": [1, 2]}),
        pl.DataFrame({"who": ["ann", "bob"]}),
        pd.Series(["ann", "bob"]),
        pl.Series(["ann", "bob"]),
        pa.array(["ann", "bob"]),
        pa.chunked_array([["ann"], ["bob"]]),
        np.array(["ann", "bob"]),
        ["ann", "bob"],
        iter(["ann", "bob"]),
    ],
    ids=lambda table: type(table).__module__ + "." + type(table).__name__,
)
def test_a_table_of_vertices_is_read_by_its_column(table):
    g = rz.open(None)
    if hasattr(table, "__next__"):
        table = list(table)
    g.add_vertices(table)
    assert sorted(g) == ["ann", "bob"]
    assert g.remove_vertices(table) == 2
    assert len(g) == 0


def test_a_table_of_vertices_that_does_not_tell_the_column_is_refused():
    g = rz.open(None)
    g.add_vertices(["ann"])
    for table in (pd.DataFrame({"a": ["ann"], "b": ["bob"]}), {"vertex": ["ann"]}, {"ann": 1}):
        for call in (g.add_vertices, g.remove_vertices):
            with pytest.raises((rz.ColumnNotFoundError, rz.InvalidArgumentError)):
                call(table)
    assert list(g) == ["ann"]


def test_a_lazy_frame_of_edges_is_collected():
    g = rz.open(None)
    g.add_edges(pl.LazyFrame({"source": [1, 2], "target": [2, 3]}))
    assert sorted(g.edges) == [(1, 2), (2, 3)]


def test_a_dense_graph_does_not_grow_by_a_million_in_passing():
    """`1 999999` added to 58,000 vertices used to make 941,772 more."""
    graph = rz.open(None, ids="dense")
    graph.add_edges(np.stack([np.arange(58_000), np.arange(58_000) // 2], axis=1))
    graph.add_edges([(1, 999_999)])
    assert (len(graph), graph.ids) == (58_001, "integer")


def test_head_and_tail_are_read_in_neither_direction_unasked(tmp_path):
    """The head of an arrow is its target, that of a fact in a knowledge graph its subject."""
    facts = pd.DataFrame({"head": ["Paris"], "relation": ["capital of"], "tail": ["France"]})
    facts.to_csv(tmp_path / "facts.csv", index=False)
    facts[["head", "tail"]].to_csv(tmp_path / "pairs.csv", index=False)
    for refused in (facts, tmp_path / "facts.csv", tmp_path / "pairs.csv"):
        with pytest.raises(rz.RizomaError, match=r"from .head. to .tail. or from .tail. to .head.") as told:
            rz.read(refused, directed=True)
        assert "source=" in str(told.value)
        g = rz.read(refused, directed=True, source="head", target="tail")
        assert list(g.edges) == [("Paris", "France")]
    (tmp_path / "words.txt").write_text("head tail\nParis France\nOslo Norway\n")
    with pytest.raises(ValueError, match="head"):
        rz.read(tmp_path / "words.txt")


def test_a_table_whose_ends_have_several_names_is_refused():
    table = pd.DataFrame({"from_name": ["a"], "from_city": ["R"], "to_name": ["b"], "to_city": ["O"]})
    with pytest.raises(rz.ColumnNotFoundError, match="from 'from_name' to 'to_name' or"):
        rz.open(None).add_edges(table)
    g = rz.read(table, source="from_name", target="to_name")
    assert list(g.edges) == [("a", "b")]


def test_numbers_of_two_columns_are_said_to_be_ids_of_the_same_vertices(tmp_path):
    table = pd.DataFrame({"user_id": [1, 2], "film_id": [1, 1]})
    table.to_csv(tmp_path / "seen.csv", index=False)
    table.to_parquet(tmp_path / "seen.parquet")
    for data in (table, tmp_path / "seen.csv", tmp_path / "seen.parquet"):
        assert '"user_id" and "film_id" are ids of the same vertices' in str(rz.read(data).last_import)
    for quiet in (table.rename(columns={"user_id": "source", "film_id": "target"}), table.astype(str)):
        assert "same vertices" not in str(rz.read(quiet).last_import)


def test_a_third_column_is_no_weight_unless_it_is_named(tmp_path):
    table = pd.DataFrame({"src": ["a"], "dst": ["b"], "ts": [1577836800]})
    table.to_parquet(tmp_path / "t.parquet")
    for data in (table, tmp_path / "t.parquet"):
        graph = rz.read(data)
        assert graph.weights is None
        assert "not read: 'ts'" in str(graph.last_import)
        assert rz.read(data, weight="ts").weight("a", "b") == 1577836800
        with pytest.raises(rz.ColumnNotFoundError, match="there are numbers in 'ts'"):
            rz.read(data, weights=True)


def test_ids_that_look_like_fractions_are_said_to_be_text(tmp_path):
    (tmp_path / "f.csv").write_text("source,target\n1.5,2.0\n3.5,4.0\n")
    assert "ids are strings: '1.5' is not an integer" in str(rz.read(tmp_path / "f.csv").last_import)
    (tmp_path / "f.txt").write_text("1.5 2.5\n2.5 3.5\n")
    assert "ids are strings: '1.5' is not an integer" in str(rz.read(tmp_path / "f.txt").last_import)


@pytest.mark.parametrize(
    ("text", "edges"), [("a b c d\nb c\nc d\nd\n", 5), ("# x\n1 2 3 4\n2 3\n3 4\n4\n", 5), ("4\n1 2 3 4\n", 3)]
)
def test_lists_of_neighbours_are_not_read_as_edges(tmp_path, text, edges):
    """Of lines of integers the first two were an edge."""
    file = tmp_path / "a.txt"
    file.write_text(text)
    with pytest.raises(rz.ParseError, match=r"networkx\.read_adjlist|expected (a target id|the end of the line)"):
        rz.read(file)
    assert rz.read(nx.read_adjlist(file)).num_edges == edges


@pytest.mark.parametrize("weights", [None, True])
def test_an_edge_list_has_the_same_columns_in_each_line(tmp_path, weights):
    file = tmp_path / "a.txt"
    file.write_text("1 2 0.5\n2 3 1.5 7\n3 4 2.5\n")
    with pytest.raises(rz.ParseError, match=r"a\.txt:2:10: found 4 columns, expected 3.*skip_bad_lines"):
        rz.read(file, weights=weights)
    assert rz.read(file, weights=weights, skip_bad_lines=1).num_edges == 2


@pytest.mark.parametrize("text", ["select * from edges", "SELECT a, b FROM 'e.csv'", "1 2\n2 3\n", '{"source": 1}'])
def test_text_in_the_place_of_a_file_is_told(tmp_path, text):
    with pytest.raises(rz.InvalidArgumentError, match=r"duckdb\.sql|write it to a file"):
        rz.read(text)
    (tmp_path / "q.txt").write_text(text)
    if "from" in text.lower():
        with pytest.raises(rz.ParseError, match="is SQL"):
            rz.read(tmp_path / "q.txt")


def test_a_header_of_vertices_is_refused_in_every_text(tmp_path):
    for name, text in (("a.csv", "id,name\n1,ann\n2,bob\n"), ("a.txt", "id name\n1 ann\n2 bob\n")):
        (tmp_path / name).write_text(text)
        with pytest.raises(rz.RizomaError, match="vertices with one value each"):
            rz.read(tmp_path / name)
        assert rz.read(tmp_path / name, source="id", target="name", ids="string").num_edges == 2


def test_a_header_within_a_table_is_refused(tmp_path):
    for name, text in (
        ("a.csv", "source,target\na,b\nsource,target\nb,c\n"),
        ("a.txt", "source target\na b\nsource target\nb c\n"),
    ):
        (tmp_path / name).write_text(text)
        with pytest.raises(rz.ParseError, match=":3:1: found the names of the columns again"):
            rz.read(tmp_path / name, header=True)
        assert rz.read(tmp_path / name, header=True, skip_bad_lines=1).num_edges == 2


def guesses_of(table, **names):
    graph = rz.open(None, weights=True)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        graph.add_edges(table, **names)
    assert all(warning.filename == __file__ for warning in caught)
    return [str(warning.message) for warning in caught]


def test_changes_by_a_table_tell_what_was_guessed():
    """They said nothing; an import has it in its summary."""
    table = pd.DataFrame({"user": [1, 2], "film": [1, 3], "year": [1999, 2001]})
    with pytest.raises(rz.ColumnNotFoundError, match="from 'user' to 'film', or from 'film' to 'year'"):
        guesses_of(table)
    (told,) = guesses_of(pa.table(table), weight="year")
    assert '"user" and "film" are ids of the same vertices' in told
    assert not guesses_of(table, source="user", target="film", weight="year")
    for labels in (["source", "target", "weight"], ["a", "b", "w"], ["from_id", "to_id", "weight"]):
        assert not guesses_of(table.set_axis(labels, axis=1)), labels
    named = pd.DataFrame({"user": ["ann"], "film": ["Alien"]})
    assert all("each weighs 1" in told for told in guesses_of(named))
    assert any("of the same vertices" in told for told in guesses_of(table.drop(columns="year")))
    with rz.open(None).batch() as batch, pytest.warns(UserWarning, match="of the same vertices"):
        batch.add_edges(table[["user", "film"]])


def test_edges_with_data_are_read_as_networkx_lists_them():
    g = rz.open(None, weights=True, edges={"kind": "string"})
    g.add_edges([("a", "b", {"weight": 2.5, "kind": "road"}), ("b", "c", {"weight": 1, "kind": "rail"})])
    assert g.weight("a", "b") == 2.5
    assert g.edges.to_pandas()["kind"].tolist() == ["road", "rail"]
    with pytest.raises(rz.ColumnNotFoundError, match="toll"):
        g.add_edges([("a", "d", {"toll": 3})])
    with pytest.raises(rz.InvalidArgumentError, match="row 1"):
        g.add_edges([("a", "d", {"weight": 3}), ("a", "e")])
    weighted = nx.path_graph(3)
    nx.set_edge_attributes(weighted, 4, "weight")
    plain = rz.open(None, weights=True)
    plain.add_edges(weighted.edges(data=True))
    assert plain.weight(0, 1) == plain.weight(1, 2) == 4
    several = nx.MultiDiGraph(weighted)
    for edges, weights in ((weighted.edges, None), (several.edges, None), (weighted.edges.data("weight"), "float64")):
        g = rz.read(edges, directed=True)
        assert {(0, 1), (1, 2)} <= set(g.edges)
        assert g.weights == weights


@pytest.mark.parametrize("end", ["source", "target"])
def test_data_of_an_edge_do_not_replace_its_ends(end):
    g = rz.open(None)
    for take in (g.add_edges, rz.read):
        with pytest.raises(rz.InvalidArgumentError, match=rf"row 1 is .*has a '{end}'.*rename it"):
            take([("a", "b", {}), ("b", "c", {end: "wiki"})])
    assert len(g) == 0


def test_weights_that_the_first_edge_lacks_are_not_lost():
    for rows in (
        [("a", "b", {}), ("b", "c", {"weight": 5})],
        [("a", "b", {"kind": "road"}), ("b", "c", {"kind": "rail", "W": 5})],
        [{"from": "a", "to": "b"}, {"from": "b", "to": "c", "weight": 5}],
    ):
        with pytest.raises(rz.InvalidArgumentError, match=r"row 1 is .*; the first row has no '(weight|W)'; give it"):
            rz.read(rows)
    g = rz.read([("a", "b", {"w": 2}), ("b", "c", {"w": 5, "weight": 7, "kind": "rail"})])
    assert g.weight("b", "c") == 5
    assert rz.read([("a", "b", {}), ("b", "c", {"kind": "rail"})]).num_edges == 2


def test_an_attribute_is_the_weight_by_its_name_alone():
    for data in ({"capacity": 3}, {"color": "red"}):
        with pytest.raises(rz.ColumnNotFoundError, match=f"no column '{next(iter(data))}'"):
            rz.open(None, weights=True).add_edges([("a", "b", data)])
        g = rz.read([("a", "b", data)])
        assert (g.weights, g.num_edges) == (None, 1)
    assert rz.read([("a", "b", {"capacity": 3})], weight="capacity").weight("a", "b") == 3


def test_an_adjacency_matrix_is_no_table_of_edges():
    matrix = pd.DataFrame([[0, 2], [1, 0]], index=["a", "b"], columns=["a", "b"])
    with pytest.raises(rz.InvalidArgumentError, match="adjacency matrix") as told:
        rz.read(matrix)
    remedy = str(told.value).partition("give ")[2].partition(";")[0]
    g = rz.read(eval(remedy, {"data": matrix}), directed=True)
    assert sorted(g.edges) == [("a", "b"), ("b", "a")]
    assert (g.weight("a", "b"), g.weight("b", "a")) == (2, 1)
    assert list(rz.read(pd.DataFrame([[1, 2], [2, 3]])).edges) == [(1, 2), (2, 3)]  # no names of rows
    listed = pd.DataFrame([[1, 2], [2, 3]], index=[0, 1])
    with pytest.raises(rz.InvalidArgumentError, match=r"list of edges, give data\.reset_index\(drop=True\)"):
        rz.read(listed)
    assert list(rz.read(listed.reset_index(drop=True)).edges) == [(1, 2), (2, 3)]


def test_a_file_is_no_store(tmp_path):
    (tmp_path / "edges.csv").write_text("1,2\n")
    with pytest.raises(rz.InvalidArgumentError, match=r"is a file.*rizoma.read"):
        rz.open(tmp_path / "edges.csv")
