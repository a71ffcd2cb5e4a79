"""Plans as data, and patterns by hash joins."""

from __future__ import annotations

import json

import numpy as np
import pytest
import rizoma as rz
from rizoma.cli.commands import app
from rizoma.queries import join_plan
from typer.testing import CliRunner

PATTERNS = (
    "(a)-->(b)",
    "(a)-->(b)-->(a)",
    "(a)-->(b)-->(c)",
    "(a)-->(b)-->(c)-->(a)",
    "(a)-->(b), (c)-->(b)",
    "(a)<--(b)-->(c), (a)-->(c)",
    "(a)-->(a)",
    "(a)-->(b), (b)-->(b)",
    "(a)-->(b)-->(c)-->(d), (d)-->(a), (a)-->(c)",
)


def random_graph(directed, parallel, ids=int):
    edges = np.random.default_rng(5).integers(0, 30, (150, 2)).tolist()
    graph = rz.open(None, directed=directed, parallel_edges=parallel)
    graph.add_edges([(ids(a), ids(b)) for a, b in edges])
    return graph


@pytest.fixture(scope="module", params=["directed", "multigraph", "undirected", "names"])
def graph(request):
    kinds = {"directed": (True, "merge"), "multigraph": (True, "keep"), "undirected": (False, "merge")}
    return random_graph(*kinds.get(request.param, (True, "merge")), ids=str if request.param == "names" else int)


@pytest.fixture(params=[1 << 27, 7])
def rows_at_once(request, monkeypatch):
    monkeypatch.setattr(join_plan, "_ROWS_AT_ONCE", request.param)


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.usefixtures("rows_at_once")
def test_both_ways_find_the_same(graph, pattern):
    by_lists, by_joins = graph.match(pattern, plan="intersect"), graph.match(pattern, plan="hash_join")
    assert by_joins.count() == by_lists.count()
    assert by_joins.columns == by_lists.columns
    rows = [sorted(tuple(row.values()) for row in each.to_arrow().to_pylist()) for each in (by_lists, by_joins)]
    assert rows[0] == rows[1]


@pytest.mark.parametrize(
    "pattern",
    [
        "(a)-->(b);",
        " (a) --> (b) ; (b)-->(c) ",
        "(a)-->(b), (b)-->(c);",
        "(`a`)-->(b)",
        "(`a, (b; -->`)-->(b)-->(c)",
        "(`a``b`)-->(b), (b)-->(`a``b`)",
    ],
)
def test_both_ways_read_a_pattern_alike(graph, pattern):
    test_both_ways_find_the_same(graph, pattern)
    plan = graph.match(pattern, plan="hash_join").explain()
    assert graph.match(pattern, plan=plan).count() == graph.match(pattern).count()


@pytest.mark.parametrize(
    "pattern",
    ["(a)", "(a)-->()", "(a)--(b)", "(a)-[e]->(b)", "(a)-->(b) (c)", "(a:x)-->(b)", "(``)-->(b)", "", "(a)-->(b),,"],
)
def test_what_a_hash_join_does_not_know_is_refused(graph, pattern):
    with pytest.raises(rz.errors.UnsupportedError, match="named vertices and plain directed edges"):
        graph.match(pattern, plan="hash_join")


def test_a_file_of_a_plan_that_cannot_be_read_is_named(tmp_path):
    store = tmp_path / "g.rz"
    rz.open(store, directed=True).close()
    (tmp_path / "odd.json").write_bytes(b"\xff\xfe\x00")
    for file, said in (("none.json", "there is no such file"), ("odd.json", "it is not text"), (".json", "no such")):
        done = CliRunner().invoke(app, ["match", str(store), "(a)-->(b)", "--plan", str(tmp_path / file)])
        assert done.exit_code != 0
        assert "--plan" in done.output
        assert said in done.output


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_plan_is_data_and_runs_as_given(graph, pattern):
    joins = graph.match(pattern, plan="hash_join")
    told = json.loads(joins.explain())
    assert told["pattern"] == pattern
    edges = sum(each["op"] == "scan" for fragment in told["fragments"] for each in fragment["operators"])
    joined = sum(each["op"] == "hash_join" for fragment in told["fragments"] for each in fragment["operators"])
    assert joined == edges - 1 == pattern.count(">") + pattern.count("<") - 1
    assert {fragment["nodes"] for fragment in told["fragments"]} == {"data nodes", "workers"}
    for given in (told, json.dumps(told)):
        assert graph.match(pattern, plan=given).count() == joins.count()
    assert json.loads(joins.explain(run=True))["rows"] == joins.count()


def test_the_order_of_joins_may_be_another_one(graph):
    pattern = "(a)-->(b)-->(c)-->(d)"
    plan = json.loads(graph.match(pattern, plan="hash_join").explain())
    scan = {name: [{"op": "scan", "table": "edges", "columns": list(name)}] for name in ("ab", "bc", "cd")}
    fragments = [{"id": name, "nodes": "data nodes", "operators": each} for name, each in scan.items()]
    join = [("bcd", "bc", "cd", ["c"]), ("abcd", "bcd", "ab", ["b"])]
    for name, left, right, on in join:
        operator = {"op": "hash_join", "left": left, "right": right, "on": on}
        fragments.append({"id": name, "nodes": "workers", "operators": [operator]})
    last = [{"op": "project", "input": "abcd", "columns": ["a", "b", "c", "d"]}]
    fragments.append({"id": "rows", "nodes": "workers", "operators": last})
    assert graph.match(pattern, plan=plan | {"fragments": fragments}).count() == graph.match(pattern).count()


@pytest.mark.parametrize("pattern", [*PATTERNS, "(a:X)-->(b)", "(a)-->(b), (c)-->(b), (d)", "(a {id: 1})-->(b)-->(a)"])
def test_an_intersection_is_told_as_data(pattern):
    graph = rz.open(None, directed=True, vertices={"label": "string"})
    graph.add_edges([(0, 1), (1, 2), (2, 0), (1, 0)])
    matches = graph.match(pattern)
    told = json.loads(matches.explain(format="json"))
    assert told["physical"] == "intersect"
    for fragment in told["fragments"]:
        assert fragment["operators"][-1]["op"] == "aggregate"
        assert fragment["operators"][-1]["times"] >= 1
    lines = [line.split(": about")[0] for line in matches.explain().splitlines() if line.startswith("  ")]
    operators = [each for fragment in told["fragments"] for each in fragment["operators"][:-1]]
    for line, operator in zip(lines, operators, strict=True):
        lists = " in " + " and ".join(operator["lists"]) if "lists" in operator else ""
        words = [operator["vertex"] + lists, *operator.get("filters", ())]
        assert line == "  " * operator["depth"] + ", ".join(words)
    with pytest.raises(rz.InvalidArgumentError, match="text or json"):
        matches.explain(format="yaml")


@pytest.mark.parametrize(
    ("pattern", "options", "said"),
    [
        ("(a)--(b)", {}, "plain directed edges"),
        ("(a:X)-->(b)", {}, "plain directed edges"),
        ("(a)-[e]->(b)", {}, "plain directed edges"),
        ("()-->(b)", {}, "plain directed edges"),
        ("(a)-->(b), (c)-->(d)", {}, "share no vertex"),
        ("(a)-->(b)", {"where": "a.id > 1"}, "knows no where"),
        ("(a)-->(b)", {"distinct": "edges"}, "knows no distinct"),
        ("(a)-->(b)", {"a": 1}, "knows no a"),
        ("(a)-->(b)", {"a": 0}, "knows no a"),
        ("(a)-->(b)", {"b": []}, "knows no b"),
        ("(a)-->(b)", {"a": np.array([0, 1])}, "knows no a"),
    ],
)
def test_what_hash_joins_do_not_do_is_refused(pattern, options, said):
    graph = random_graph(True, "merge")
    with pytest.raises(rz.UnsupportedError, match=said):
        graph.match(pattern, plan="hash_join", **options)


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        ("fast", "is not known"),
        ("[]", "is not known"),
        ({}, "no fragments"),
        ({"fragments": []}, "no fragments"),
        ({"fragments": [{"id": 0, "operators": []}]}, "begins with no scan"),
        ({"fragments": [{"id": 0, "operators": [{"op": "sort"}]}]}, "operator 'sort'"),
        ({"fragments": [{"id": 0, "operators": [{"op": "project", "input": 7, "columns": []}]}]}, "fragment 7"),
        ({"pattern": "(x)-->(y)", "fragments": []}, "is of"),
        ({"physical": "intersect"}, "plans an intersection itself"),
    ],
)
def test_what_is_no_plan_is_refused(plan, said):
    graph = random_graph(True, "merge")
    with pytest.raises((rz.InvalidArgumentError, rz.ParseError, rz.UnsupportedError), match=said):
        graph.match("(a)-->(b)", plan=plan)


def test_rows_of_joins_have_a_limit(graph):
    matches = graph.match("(a)-->(b)-->(c)", plan="hash_join")
    assert matches.limit(3).count() == len(matches.limit(3).to_arrow()) == 3
    assert matches.limit(3).limit(10**6).count() == 3
    assert matches.limit(0).to_arrow().num_rows == 0


def changed(plan, number, **given):
    """A plan with other settings of the first operator of a fragment; None: without one."""
    plan = json.loads(json.dumps(plan))
    operator = plan["fragments"][number]["operators"][0]
    operator.update(given)
    for name in [name for name, value in given.items() if value is None]:
        del operator[name]
    return plan


@pytest.mark.parametrize(
    ("number", "given", "said"),
    [
        (4, {"on": ["c"]}, "all they share"),
        (4, {"on": []}, "all they share"),
        (2, {"left": 2}, "gives itself"),
        (2, {"left": None}, "'left'"),
        (5, {"input": 2}, "not the edges of"),
        (5, {"columns": ["a", "a"]}, "keeps columns"),
        (0, {"columns": ["b", "a"]}, "not the edges of"),
        (0, {"columns": ["a", "b", "c"]}, "two columns"),
        (0, {"table": "vertices"}, "two columns"),
        (1, {"op": "filter", "keep": "b > c"}, "a filter of the plan"),
    ],
)
def test_a_changed_plan_that_is_of_something_else_is_refused(number, given, said):
    graph = random_graph(True, "merge")
    pattern = "(a)-->(b)-->(c)-->(a)"
    plan = json.loads(graph.match(pattern, plan="hash_join").explain())
    with pytest.raises((rz.ParseError, rz.InvalidArgumentError), match=said):
        graph.match(pattern, plan=changed(plan, number, **given))


def test_the_command_tells_and_takes_plans(rizoma, tmp_path):
    with rz.open(tmp_path / "g.rz", directed=True) as graph:
        graph.add_edges([(0, 1), (1, 2), (2, 0), (1, 0)])
    asked = ("match", "g.rz", "(a)-->(b)-->(c)-->(a)")
    told = rizoma(*asked, "--plan", "hash_join", "--explain", "--json").stdout
    (tmp_path / "plan.json").write_text(told)
    assert rizoma(*asked, "--plan", "plan.json", "--count").stdout == rizoma(*asked, "--count").stdout == "3\n"
    assert json.loads(rizoma(*asked, "--explain", "--json").stdout)["physical"] == "intersect"
    assert len(rizoma(*asked, "--plan", "hash_join", "--top", "2").stdout.splitlines()) == 3
    assert len(json.loads(rizoma(*asked, "--plan", "hash_join", "--json").stdout)["rows"]) == 3
    assert "leave out --where" in rizoma(*asked, "--plan", "hash_join", "--where", "a.id > 1", check=False).stderr
