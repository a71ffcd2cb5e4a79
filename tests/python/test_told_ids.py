"""A warning names ids that nothing has, or that differ in capitals alone, where they are written."""

from __future__ import annotations

import warnings

import pytest
import rizoma as rz
from rizoma.errors import ReadWarning


@pytest.fixture
def graph():
    made = rz.open(None, directed=True, vertices={"age": "int64"})
    made.add_edges([("ann", "bob"), ("bob", "cem")])
    return made


def told(recorded):
    return [str(each.message) for each in recorded if issubclass(each.category, ReadWarning)]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("MATCH (a {id: 'nobody'}) RETURN a", "no vertex 'nobody'; its ids are such as 'ann' and 'bob'"),
        ("MATCH (a {id: 'Ann'})-->(b) RETURN b", "no vertex 'Ann'; did you mean 'ann'?"),
        ("MATCH (a)-->(b {id: 'Ann', age: 3}) RETURN b", "did you mean 'ann'?"),
        ("MATCH (a) WHERE a.id = ' ann' RETURN a", "no vertex ' ann'; did you mean 'ann'?"),
        ("MATCH (a) WHERE 'Bob' = id(a) RETURN a", "did you mean 'bob'?"),
        ("MATCH (a) WHERE NOT a.id = 'Bob' RETURN a", "did you mean 'bob'?"),
        ("MATCH (a) WHERE EXISTS { (a)-->({id: 'CEM'}) } RETURN a", "did you mean 'cem'?"),
    ],
)
def test_an_id_in_a_query_that_no_vertex_has(graph, query, said):
    with pytest.warns(ReadWarning) as recorded:
        graph.query(query).to_arrow()
    (text,) = told(recorded)
    assert said in text
    assert text.endswith("^")


@pytest.mark.parametrize(
    ("query", "values"),
    [
        ("MATCH (a {id: 'ann'}) RETURN a", {}),
        ("MATCH (a {id: $id}) RETURN a", {"id": "nobody"}),  # whether there is one may be what is asked
        ("MATCH (a)-[e {weight: 3}]->(b) RETURN a", {}),
        ("MATCH (a {age: 3}) RETURN a", {}),
        ("MATCH (a) WITH {id: 'x'} AS m, a WHERE m.id = 'nobody' RETURN a", {}),
    ],
)
@pytest.mark.filterwarnings("error")
def test_ids_of_which_nothing_is_told(graph, query, values):
    if "weight" in query:
        graph = rz.open(None, directed=True, weights=True)
        graph.add_edges([("ann", "bob", 3.0)])
    graph.query(query, **values).to_arrow()


def test_an_id_in_a_pattern_that_no_vertex_has(graph):
    with pytest.warns(ReadWarning, match="did you mean 'ann'"):
        assert graph.match("(a {id: 'Ann'})-->(b)").count() == 0


CHANGES = {
    "edges": lambda graph, id_: graph.add_edges([(id_, "cem")]),
    "vertices": lambda graph, id_: graph.add_vertices([id_]),
    "table": lambda graph, id_: graph.add_edges({"source": ["cem"], "target": [id_]}),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize(
    ("id_", "other"), [("Ann", "ann"), ("BOB", "bob"), ("Cem", "cem"), ("émile", None), ("an", None), ("anne", None)]
)
def test_a_new_vertex_that_differs_in_capitals(graph, change, id_, other):
    graph.add_vertices(["An"])
    with warnings.catch_warnings(record=True) as recorded:
        warnings.simplefilter("always")
        change(graph, id_)
    said = [text for text in told(recorded) if "capitals" in text]
    assert said == ([] if other is None else [said[0]])
    assert other is None or (f"{id_!r} in the ids" in said[0] and f"{other!r} is another one" in said[0])


def test_a_batch_and_a_first_small_change(graph):
    with pytest.warns(ReadWarning, match="differ in capitals alone"), graph.batch() as batch:
        batch.add_edges([("Ann", "bob")])
    with pytest.warns(ReadWarning, match="differ in capitals alone"):
        rz.read([("Zoe", "bob"), ("zoe", "bob")])


@pytest.mark.filterwarnings("error")
def test_capitals_of_codes_and_of_what_was_there(graph):
    graph.add_edges([("ann", "cem"), ("7Qx", "dia"), ("7qX", "eve")])
    graph.add_edges([("77x", "ann"), ("77X", "ann")])
