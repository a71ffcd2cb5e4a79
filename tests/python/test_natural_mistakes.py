"""What a stranger gets wrong at first: the message says what is wrong, with the value, and how to mend it."""

from __future__ import annotations

import pytest
import rizoma as rz
from rizoma.core.suggestions import FUNCTIONS_ELSEWHERE

# A call; the error; what the message says of the place and the cause; what it says of the remedy.
MISTAKES = [
    ("rz.page_rank", AttributeError, "'page_rank'", "did you mean pagerank?"),
    ("rz.dijkstra", AttributeError, "'dijkstra'", "did you mean sssp?"),
    ("rz.conected_components", AttributeError, "'conected_components'", "did you mean connected_components?"),
    ("rz.PageRank", AttributeError, "'PageRank'", "did you mean pagerank?"),
    ("rz.read_csv('x.csv')", AttributeError, "'read_csv'", "did you mean read?"),
    ("g.neighbours(0)", AttributeError, "'neighbours'", "did you mean neighbors?"),
    ("g.add_edge(0, 1)", AttributeError, "'add_edge'", "add_edges([(u, v)])"),
    ("g.add_node(0)", AttributeError, "'add_node'", "add_vertices([v])"),
    ("g.add_vertex(0)", AttributeError, "'add_vertex'", "did you mean add_vertices?"),
    ("g.to_csv('x')", AttributeError, "'to_csv'", "export(file)"),
    ("g.to_pandas()", AttributeError, "'to_pandas'", "edges.to_pandas()"),
    ("rz.pagerank('social.rz')", TypeError, "not str", "see rizoma.open and rizoma.read"),
    ("rz.pagerank([(0, 1)])", TypeError, "not list", "give a Graph or a Snapshot"),
    ("rz.pagerank(g, threads=-1)", rz.RizomaError, "threads is -1", "0 (all) or more"),
    ("rz.bfs(g, [0, 33])", rz.RizomaError, "[0, 33]", "give the id of one vertex"),
    ("rz.bfs(g, '0')", rz.RizomaError, "no vertex '0'", "its ids are integers"),
    ("rz.bfs(s, 0)", rz.RizomaError, "no vertex 0", "its ids are strings"),
    ("rz.sample_neighbors(g, [0], [10, 5])", rz.RizomaError, "count is [10, 5]", "one whole number"),
    ("rz.sample_neighbors(g, [0], '10')", rz.RizomaError, "count is '10'", "one whole number"),
    ("rz.sample_neighbors(g, [0], -1)", rz.RizomaError, "count is -1", "0 neighbours or more"),
    ("g.where('amount > ')", rz.RizomaError, "amount > ", "expected a name, a number"),
    ("g.where('amout > 1')", rz.RizomaError, '"amout"', "there are source, target, amount"),
    ("g.where(lambda e: e.amount > 1)", rz.RizomaError, "is not a predicate", "write one as text"),
    ("g.where(edges=3)", rz.RizomaError, "3 is not a predicate", 'such as "age >= 18"'),
    ("g.match('(a)-[e:]->(b)')", rz.RizomaError, "(a)-[e:]->(b)", 'expected a type after ":"'),
    ("g.match('(a)-->(b)', where='a.agee > 1').count()", rz.RizomaError, '"agee"', "their columns: id, age"),
    ("g.add_edges([(0,)])", rz.RizomaError, "row 0 is (0,)", "as pairs (source, target)"),
    ("g.add_edges([('a', 'b')])", rz.RizomaError, "strings came", "convert them"),
    ("g.add_edges([(0, 1.5)])", rz.RizomaError, "1.5 in row 0", "drop or mend such rows"),
    ("g.add_edges([(0, -1)])", rz.RizomaError, "vertex id -1 is negative", "ids=integer"),
    ("g.add_edges({'from': [0], 'to': [1], 'x': [3]})", rz.RizomaError, "column 'x'", "add it with add_column"),
    ("g.add_vertices('ann')", rz.RizomaError, "('ann')", "give a list of vertex ids"),
    ("g.neighbors(99)", rz.RizomaError, "no vertex 99", "the graph has no vertex"),
    ("rz.read([(0, 1)], weigths=True)", (TypeError, rz.RizomaError), "weigths", "weigths"),
    ("rz.open(None, ids='int')", rz.RizomaError, "ids='int'", "choose one of"),
    ("rz.read([(0, 1)], order='random')", rz.RizomaError, "order='random'", "choose one of"),
]


@pytest.fixture(scope="module")
def graphs():
    numbers = rz.open(None, edges={"amount": "float64"}, vertices={"age": "int64"})
    numbers.add_edges({"source": [0, 1, 2], "target": [1, 2, 0], "amount": [1.0, 2.0, 3.0]})
    names = rz.open(None)
    names.add_edges([("ann", "bob"), ("bob", "cem")])
    return {"rz": rz, "g": numbers, "s": names}


@pytest.mark.parametrize(("call", "error", "cause", "remedy"), MISTAKES, ids=[call for call, *_ in MISTAKES])
def test_the_message_says_what_is_wrong_and_how_to_mend_it(graphs, call, error, cause, remedy):
    with pytest.raises(error) as raised:
        eval(call, graphs)
    assert cause in str(raised.value)
    assert remedy in str(raised.value)


@pytest.mark.parametrize("name", FUNCTIONS_ELSEWHERE)
def test_names_of_other_libraries_lead_to_functions_that_exist(name):
    assert FUNCTIONS_ELSEWHERE[name] in rz.__all__
    assert not hasattr(rz, name)


def test_what_resembles_nothing_gets_no_suggestion():
    with pytest.raises(AttributeError, match=r"has no attribute 'zzyzx'$"):
        rz.zzyzx  # noqa: B018
