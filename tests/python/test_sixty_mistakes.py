"""What sixty more natural mistakes met in silence, or without a remedy: reading, changing, asking, results."""

from __future__ import annotations

import io
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import rizoma as rz
from rizoma.errors import ReadWarning


@pytest.fixture
def graph():
    made = rz.open(None, directed=True, vertices={"age": "int64"}, edges={"amount": "float64"})
    made.add_vertices({"vertex": ["ann", "bob", "cem"], "age": [30, 40, None]})
    made.add_edges({"source": ["ann", "bob"], "target": ["bob", "cem"], "amount": [1.0, 2.0]})
    return made


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (io.StringIO("a,b\n"), r"the StringIO holds data without a name; .*pandas\.read_csv\(data\)"),
        (io.BytesIO(b"a,b\n"), "the BytesIO holds data without a name"),
        ({"a": ["b", "c"], "b": ["c"]}, r"of lists of neighbours \[\(u, v\) for u in data for v in data\[u\]\]"),
        ({"a": {"b": {"weight": 1}}}, r"networkx\.Graph\(data\)"),
        ({("a", "b"): 1.0}, r"\[\(u, v, weight\) for \(u, v\), weight in data\.items\(\)\]"),
        (
            SimpleNamespace(obsp={"connectivities": 1}),
            r"data\.obsp\['connectivities'\].*has 'connectivities'",
        ),
    ],
    ids=["text", "bytes", "lists", "mappings", "pairs", "cells"],
)
def test_data_that_are_no_edges(data, said):
    with pytest.raises((ValueError, KeyError, TypeError), match=said):
        rz.read(data)


@pytest.mark.parametrize(
    ("kind", "meant"),
    [
        *[("Int64", "int64"), ("INT", "int64"), ("integer", "int64"), ("Float32", "float32"), ("String", "string")],
        *[("datetime64[ns]", "timestamp[ns]"), ("category", "string"), ("smallint", "int16"), ("Boolean", "bool")],
    ],
)
def test_names_of_types_elsewhere(kind, meant):
    with pytest.raises(rz.InvalidArgumentError) as error:
        rz.open(None, vertices={"age": kind})
    assert f"did you mean {meant!r}?" in str(error.value)


def test_a_matrix_as_csv(tmp_path):
    file = tmp_path / "matrix.csv"
    file.write_text(",a,b,c\na,0,1,0\nb,0,0,2\nc,1,0,0\n")
    with pytest.raises(rz.ParseError, match=r"of an adjacency matrix m = pandas\.read_csv"):
        rz.read(file)
    m = pd.read_csv(file, index_col=0).stack()
    read = rz.read(m[m != 0].reset_index(name="weight"), directed=True)
    assert sorted(read.edges) == [("a", "b"), ("b", "c"), ("c", "a")]
    assert read.weight("b", "c") == 2


@pytest.mark.parametrize(
    "change",
    [
        lambda graph: graph.set("ann", age=3),
        lambda graph: graph.set(("ann", "bob"), amount=3),
        lambda graph: graph.set_vertices({"id": ["ann"], "age": [3]}),
        lambda graph: graph.set_edges({"source": ["ann"], "target": ["bob"], "amount": [1.0]}),  # as it is
        lambda graph: graph.set_vertices({"id": [], "age": []}),
        lambda graph: rz.read([("a", "b", 1.0)]).set(("a", "b"), weight=2),
    ],
)
def test_nothing_is_said_of_values_that_are_set(graph, change, recwarn):
    change(graph)
    assert not recwarn.list, recwarn.list[0].message


@pytest.mark.parametrize(
    "change",
    [
        lambda graph: graph.set_vertices({"id": ["Ann"], "age": [3]}),
        lambda graph: graph.set_edges({"source": ["ann"], "target": ["cem"], "amount": [3.0]}),
        lambda graph: rz.read([("a", "b", 1.0)]).set_weights([("a", "c", 3.0)]),
    ],
)
def test_values_for_nothing(graph, change):
    with pytest.warns(ReadWarning, match='no row names an? .* of the graph, so nothing was set; missing="error"'):
        assert change(graph) == 0


@pytest.mark.filterwarnings("error")
def test_values_for_something_or_of_no_rows(graph):
    assert graph.set_vertices({"id": ["ann", "nobody"], "age": [3, 4]}) == 1
    assert graph.set_vertices({"id": np.array([], str), "age": np.array([], np.int64)}) == 0
    graph.add_vertices({"id": ["dia"], "age": [3]})
    graph.add_vertices({"id": ["dia"], "age": [3]})
    assert graph.remove_edges([("ann", "cem")]) == 0


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("MATCH (a)-(b) RETURN a", "write -- for either direction"),
        ("MATCH (a)=>(b) RETURN a", "an edge is written -->"),
        ("MATCH (a)-[2]->(b) RETURN a", r"a walk of 2 edges is written \*2"),
        ("MATCH (a) WHERE a.id IN ('ann') RETURN a", r"write \['ann'\]"),
        ("MATCH (a) WHERE a.age IN 30 RETURN a", r"write \[30\]"),
        ("MATCH (a {id: Ann}) RETURN a", "text stands in quotes: 'Ann'"),
        ("MATCH (a)-[e]->(b) RETURN a, sum(amount)", "write e.amount"),
        ("MATCH (a) WHERE a.age = '41' RETURN a", "write 41 without quotes"),
        ("MATCH (a) RETURN a ORDER BY a DSC", "did you mean DESC"),
    ],
)
def test_what_is_no_query(graph, query, said):
    with pytest.raises(rz.ParseError, match=said):
        graph.query(query).to_arrow()


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("MATCH (a) WHERE a.age = NULL RETURN a", "true of no row; write IS NULL"),
        ("MATCH (a) WHERE a.age <> null RETURN a", "true of no row; write IS NOT NULL"),
        ("MATCH (a) WHERE null < a.age RETURN a", "true of no row"),
        ("MATCH (a)-[*2..1]->(b) RETURN a", "no walk has at least 2 edges and at most 1"),
    ],
)
def test_conditions_that_never_hold(graph, query, said):
    with pytest.warns(ReadWarning, match=said):
        assert graph.query(query).to_arrow().num_rows == 0


NAMED = r"'ann' is any vertex, though one has this id; to mean it write \(ann \{id: 'ann'\}\)"


def test_the_id_of_a_vertex_as_a_name(graph):
    with pytest.warns(ReadWarning, match=NAMED):
        assert graph.match("(ann)-->(b)").count() == 2
    with pytest.warns(ReadWarning, match=NAMED):
        graph.query("MATCH (x)-->(ann) RETURN x").to_arrow()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("pattern", "options"),
    [
        ("(ann)-->(b)", {"ann": "ann"}),
        ("(ann {id: 'ann'})-->(b)", {}),
        ("(ann {age: 30})-->(b)", {}),
        ("(person)-->(other)", {}),
        ("(a)-[ann]->(b)", {}),
    ],
)
def test_names_that_are_meant(graph, pattern, options):
    assert graph.match(pattern, **options).count() > 0


@pytest.fixture
def payments(graph):
    graph.add_column("label", "string", of="vertices")
    graph.set_vertices({"vertex": ["ann", "bob", "cem"], "label": ["Person", "Person", "Shop;Place"]})
    graph.add_column("type", "string", of="edges")
    graph.set_edges({"source": ["ann", "bob"], "target": ["bob", "cem"], "type": ["PAID", "OWES"]})
    return graph


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("(a)-[PAID]->(b)", r"'PAID' is any edge, though it is a type, too; to mean that write \[:PAID\]"),
        ("(a)-[OWES {amount: 2}]->(b)", r"write \[:OWES\]"),
        ("(Shop)", r"'Shop' is any vertex, though it is a label, too; to mean that write \(:Shop\)"),
        ("(Person)-->(b)", r"write \(:Person\)"),
    ],
)
def test_labels_and_types_without_a_colon(payments, pattern, said):
    with pytest.warns(ReadWarning, match=said):
        payments.query(f"MATCH {pattern} RETURN 1").to_arrow()
    with pytest.warns(ReadWarning, match=said):
        payments.match(pattern).count()


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("e.type = 'paid'", "no edge has the type 'paid'; did you mean 'PAID'"),
        ('"person" = a.label', "no vertex has the label 'person'; did you mean 'Person'"),
    ],
)
def test_labels_and_types_compared_with(payments, condition, said):
    with pytest.warns(ReadWarning, match=said):
        assert payments.query(f"MATCH (a)-[e]->(b) WHERE {condition} RETURN a").to_arrow().num_rows == 0


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("condition", ["e.type = 'OWES'", "b.label = 'Shop;Place'", "a.label = 'Person'"])
def test_labels_and_types_that_are_there(payments, condition):
    assert payments.query(f"MATCH (a)-[e]->(b) WHERE {condition} RETURN a").to_arrow().num_rows > 0


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("pattern", ["(Shop:Shop)", "(a)-[PAID:PAID]->(b)", "(PAID)-[Shop]->(b)", "(shop)-[paid]->(b)"])
def test_variables_like_labels_that_are_meant(payments, pattern):
    payments.query(f"MATCH {pattern} RETURN 1").to_arrow()
    payments.match(pattern).count()


def test_the_order_as_a_column(graph):
    with pytest.raises(KeyError, match=r'as in order_by\("-a"\)'):
        graph.match("(a)-->(b)").order_by("a", "desc")


@pytest.mark.parametrize("quote", ["'", '"'])
def test_patterns_as_of_names_of_files(payments, quote):
    with pytest.warns(ReadWarning, match="stand for themselves: .* as in 'P%'"):
        payments.where(vertices=f"label like {quote}P*{quote}")


def test_rows_are_neither_true_nor_false(graph):
    for rows in (graph.match("(a)-->(b)"), graph.query("MATCH (a) RETURN a")):
        with pytest.raises(TypeError, match=r"not true or false; use exists\(\) of matches, or count\(\)"):
            bool(rows)
    assert graph.match("(a)-->(b)").exists()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("rz.has_path", "is None without one"),
        ("rz.max_flow", "networkx.maximum_flow"),
        ("rz.average_clustering", r"rizoma\.clustering\(g\) has it: average"),
        ("result.bottom", "nsmallest"),
        ("result.round", r"round\(n\)"),
        ("parts.to_sets", "groupby"),
    ],
)
def test_names_elsewhere(graph, call, said):
    owner, name = call.split(".")
    of = {"rz": rz, "result": rz.pagerank(graph), "parts": rz.connected_components(graph)}[owner]
    with pytest.raises(AttributeError, match=said):
        getattr(of, name)


@pytest.mark.filterwarnings("error")
def test_rows_of_vertices(graph):
    graph.add_vertices([{"id": "fay", "age": 3}, {"id": "gil", "age": None}])
    graph.set_vertices([{"id": "ann", "age": 31}])
    assert dict(zip(graph, graph.vertices.to_arrow()["age"].to_pylist(), strict=True)) == {
        **{"ann": 31, "bob": 40, "cem": None},
        **{"fay": 3, "gil": None},
    }
    assert graph.remove_vertices([{"id": "fay"}]) == 1
    with pytest.raises(
        rz.InvalidArgumentError, match=r"row 1 is .*give each row the keys of the first one, \['id', 'a"
    ):
        graph.add_vertices([{"id": "ida", "age": 3}, {"id": "joe"}])
    with pytest.raises(rz.ColumnNotFoundError, match="the vertices have no column 'size'"):
        graph.add_vertices([{"id": "ida", "size": 3}])


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda graph: graph.add_edges([(1, 2)]), "source: 1"),
        (lambda graph: graph.add_vertices(np.array([7])), "id: 7"),
    ],
)
def test_ids_of_the_other_kind(graph, change, place):
    with pytest.raises(rz.InvalidArgumentError, match=rf"not integers \({place}\); .* 'ann' and 'bob'; convert them"):
        change(graph)
    with pytest.raises(
        rz.InvalidArgumentError, match=r"not strings \(source: 'a'\); its ids are such as 1 and 2; conv"
    ):
        rz.read([(1, 2)]).add_edges([("a", "b")])


@pytest.mark.parametrize(
    ("data", "asked", "meant"),
    [
        ([(1, 2)], lambda g: g.has_edge("1", "2"), "'1', .* integers: give 1"),
        ([(1, 2)], lambda g: "2" in g, "give 2"),
        ([("1", "2")], lambda g: g.has_edge("1", 2), "strings: give '2'"),
        ([("1", "2")], lambda g: 1 in g, "give '1'"),
    ],
)
def test_questions_with_ids_of_the_other_kind(data, asked, meant):
    with pytest.warns(ReadWarning, match=meant):
        assert not asked(rz.read(data))


@pytest.mark.filterwarnings("error")
def test_questions_about_no_vertex():
    g = rz.read([(1, 2)])
    assert not any(v in g for v in ("3", "ann", "", None, 1.5, True, (1, 2), 3, 10**5000, "9" * 5000, "²"))
    assert not g.has_edge(2, "ann")


def test_a_column_where_a_number_is_expected(graph):
    with pytest.raises(rz.InvalidArgumentError, match=r"it must be a number; for .* write weight='amount'"):
        rz.pagerank(graph, "amount")
    with pytest.raises(rz.InvalidArgumentError, match=r"it must be a number$"):
        rz.pagerank(graph, "size")


def test_weights_where_a_column_has_the_numbers(graph):
    with pytest.warns(ReadWarning, match=r"'amount' are given in a table: \{\"source\": .*\"amount\": \[\.\.\.\]\}"):
        graph.add_edges([("a", "b", 3)])


@pytest.mark.parametrize(
    ("there", "asked", "meant"),
    [
        *[
            ("pay.csv", "pay.txt", "pay.csv"),
            ("people.csv", "poeple.csv", "people.csv"),
            ("a.csv.gz", "a.csv", "a.csv"),
        ],
        *[("space.txt", "pay.txt", None), ("people.csv", "nofile.csv", None)],
    ],
)
def test_files_that_are_not_there(tmp_path, there, asked, meant):
    (tmp_path / there).write_text("a,b\n")
    with pytest.raises(rz.errors.NotFoundError) as error:
        rz.read(tmp_path / asked)
    assert ("did you mean" in str(error.value)) == (meant is not None)
    assert meant is None or f"did you mean {tmp_path / meant}" in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (ann)--(b) WHERE ann.id = 'ann' RETURN b",
        "MATCH (ann)--(b) WHERE ann.id IN ['ann'] RETURN b",
        "MATCH (a {id: 'ann'}) WITH a AS bob MATCH (bob)--(c) RETURN c",
        "UNWIND ['ann'] AS bob MATCH (a {id: 'ann'}) RETURN bob, a",
        "MATCH (a) RETURN a.age = null",
        "MATCH (a) RETURN CASE WHEN a.age = 30 THEN 1 ELSE null END",
    ],
)
def test_nothing_is_said_of_what_is_asked_on_purpose(graph, text, recwarn):
    assert graph.query(text).to_arrow().num_rows > 0
    assert not recwarn.list, recwarn.list[0].message
