"""What a stranger gets wrong at first: the message says what is wrong, with the value, and how to mend it."""

from __future__ import annotations

import re

import numpy as np
import pytest
import rizoma as rz
from rizoma.cli.commands import COMMANDS, app
from rizoma.core.suggestions import COMMANDS_ELSEWHERE, FUNCTIONS_ELSEWHERE
from typer.main import get_command
from typer.testing import CliRunner

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
    ("g.view(edges='weight > 1')", AttributeError, "'view'", "where(edges=..., vertices=...)"),
    ("g.add_vertex(0)", AttributeError, "'add_vertex'", "add_vertices([v])"),
    ("g.to_csv('x')", AttributeError, "'to_csv'", "export(file)"),
    ("g.to_pandas()", AttributeError, "'to_pandas'", "edges.to_pandas()"),
    ("rz.pagerank('social.rz')", TypeError, "not str", "rizoma.open('social.rz') opens one"),
    ("rz.pagerank([(0, 1)])", TypeError, "not list", "give a Graph or a Snapshot"),
    ("rz.pagerank(g, threads=-1)", rz.RizomaError, "threads is -1", "0 (all) or more"),
    ("rz.pagerank(g, alpha='high')", rz.RizomaError, "pagerank: alpha is 'high'", "a number"),
    ("rz.pagerank(g, max_iter=2.5)", rz.RizomaError, "max_iter is 2.5", "a whole number"),
    ("rz.louvain(g, resolution='x')", rz.RizomaError, "resolution is 'x'", "a number"),
    ("rz.bfs(g, 0, max_depth='2')", rz.RizomaError, "max_depth is '2'", "a whole number"),
    ("rz.pagerank(g, tol='x')", rz.RizomaError, "tol is 'x'", "a number"),
    ("rz.random_walks(g, [0], 'x')", rz.RizomaError, "length is 'x'", "a whole number"),
    ("rz.katz_centrality(g, alpha=None)", rz.RizomaError, "alpha is None", "a number"),
    ("g.add_edges({'source': [0, 1], 'target': [2]})", rz.RizomaError, "'source' has 2, 'target' has 1", "every row"),
    ("rz.bfs(g, [0, 33])", rz.RizomaError, "no vertex", "33"),
    ("rz.shortest_path(g, [0, 33], 1)", rz.RizomaError, "[0, 33]", "give the id of one vertex"),
    ("rz.bfs(g, '0')", rz.RizomaError, "no vertex '0'", "its ids are integers"),
    ("rz.bfs(s, 0)", rz.RizomaError, "no vertex 0", "its ids are strings"),
    ("rz.sample_neighbors(g, [0], [10, 5])", rz.RizomaError, "count is [10, 5]", "one whole number"),
    ("rz.sample_neighbors(g, [0], '10')", rz.RizomaError, "count is '10'", "one whole number"),
    ("rz.sample_neighbors(g, [0], -1)", rz.RizomaError, "count is -1", "0 neighbours or more"),
    ("g.where('amount > ')", rz.RizomaError, "amount > ", "expected a name, a number"),
    ("g.where('amout > 1')", rz.RizomaError, "'amout'", "there are source, target, amount"),
    ("g.where(lambda e: e.amount > 1)", rz.RizomaError, "is not a predicate", "write one as text"),
    ("g.where(edges=3)", rz.RizomaError, "3 is not a predicate", 'such as "age >= 18"'),
    ("g.match('(a)-[e:]->(b)')", rz.RizomaError, "(a)-[e:]->(b)", 'expected a type after ":"'),
    ("g.match('(a)-->(b)', where='a.agee > 1').count()", rz.RizomaError, "'agee'", "their columns: id, age"),
    ("g.add_edges((np.arange(5), np.arange(5)))", rz.RizomaError, "row 0 is array", '{"source": sources, "target"'),
    ("rz.read('x.csv', 'y.rz')", rz.RizomaError, "y.rz: no such file", "by into='y.rz'"),
    ("g.add_edges([(0,)])", rz.RizomaError, "row 0 is (0,)", "as pairs (source, target)"),
    ("g.add_edges([('a', 'b')])", rz.RizomaError, "not strings", "convert them"),
    ("g.add_edges([(0, 1.5)])", rz.RizomaError, "1.5 in row 0", "drop or mend such rows"),
    ("g.add_edges({'from': [0], 'to': [1], 'x': [3]})", rz.RizomaError, "column 'x'", "add it with add_column"),
    ("g.add_vertices('ann')", rz.RizomaError, "('ann')", "give a list of vertex ids"),
    ("g.neighbors(99)", rz.RizomaError, "no vertex 99", "the graph has no vertex"),
    ("rz.read([(0, 1)], weigths=True)", TypeError, "'weigths'", "did you mean weights?"),
    ("rz.open(None, ids='int')", rz.RizomaError, "ids='int'", "choose one of"),
    ("rz.read([(0, 1)], order='random')", rz.RizomaError, "order='random'", "choose one of"),
    ("rz.pagerank(g, dampening=0.9)", TypeError, "pagerank() has no argument 'dampening'", "did you mean alpha?"),
    ("rz.pagerank(g, damping=0.9)", TypeError, "'damping'", "did you mean alpha?"),
    ("rz.pagerank(g, dampingFactor=0.9)", TypeError, "'dampingFactor'", "did you mean alpha?"),
    ("rz.pagerank(g, maxIterations=9)", TypeError, "'maxIterations'", "did you mean max_iter?"),
    ("rz.pagerank(g, max_iters=9)", TypeError, "'max_iters'", "did you mean max_iter?"),
    ("rz.pagerank(g, tolerance=1e-9)", TypeError, "'tolerance'", "did you mean tol?"),
    ("rz.pagerank(g, eps=1e-9)", TypeError, "'eps'", "did you mean tol?"),
    ("rz.pagerank(g, weights='amount')", TypeError, "'weights'", "did you mean weight?"),
    ("rz.pagerank(g, reset={0: 1})", TypeError, "'reset'", "did you mean personalization?"),
    ("rz.pagerank(g, n_jobs=4)", TypeError, "'n_jobs'", "did you mean threads?"),
    ("rz.pagerank(g, concurrency=4)", TypeError, "'concurrency'", "did you mean threads?"),
    ("rz.pagerank(g, verbose=True)", TypeError, "'verbose'", "did you mean progress?"),
    ("rz.bfs(g, root=0)", TypeError, "'root'", "did you mean source?"),
    ("rz.bfs(g, sourceNode=0)", TypeError, "'sourceNode'", "did you mean source?"),
    ("rz.bfs(g, 0, depth_limit=2)", TypeError, "'depth_limit'", "did you mean max_depth?"),
    ("rz.bfs(g, 0, cutoff=2)", TypeError, "'cutoff'", "did you mean max_depth?"),
    ("rz.louvain(g, gamma=2)", TypeError, "'gamma'", "did you mean resolution?"),
    ("rz.louvain(g, random_state=1)", TypeError, "'random_state'", "did you mean seed?"),
    ("rz.betweenness_centrality(g, samples=9)", TypeError, "'samples'", "did you mean k?"),
    ("rz.betweenness_centrality(g).score", AttributeError, "no attribute 'score'", 'use to_numpy("score")'),
    ("rz.triangle_count(g, zzyzx=1)", TypeError, "'zzyzx'", "it takes graph"),
    ("rz.read('x.csv', sep=';')", TypeError, "read() has no argument 'sep'", "did you mean delimiter?"),
    ("rz.read('x.csv', src='a')", TypeError, "'src'", "did you mean source?"),
    ("rz.read('x.csv', dst='a')", TypeError, "'dst'", "did you mean target?"),
    ("rz.read('x.csv', create_using=None)", TypeError, "'create_using'", "write directed=True"),
    ("rz.open(None, nodetype=int)", TypeError, "'nodetype'", 'write ids="integer"'),
    ("rz.open(None, read_only=True)", TypeError, "'read_only'", 'mode="read_only"'),
    ("rz.open(None, direct=True)", TypeError, "'direct'", "did you mean directed?"),
    ("rz.coreness(g)", AttributeError, "'coreness'", "did you mean core_number?"),
    ("rz.wcc(g)", AttributeError, "'wcc'", "did you mean connected_components?"),
]


@pytest.fixture(scope="module")
def graphs():
    numbers = rz.open(None, edges={"amount": "float64"}, vertices={"age": "int64"})
    numbers.add_edges({"source": [0, 1, 2], "target": [1, 2, 0], "amount": [1.0, 2.0, 3.0]})
    names = rz.open(None)
    names.add_edges([("ann", "bob"), ("bob", "cem")])
    return {"rz": rz, "np": np, "g": numbers, "s": names}


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


@pytest.mark.parametrize("name", COMMANDS_ELSEWHERE)
def test_names_of_other_programs_lead_to_commands_that_exist(name):
    assert COMMANDS_ELSEWHERE[name] in COMMANDS
    assert name not in COMMANDS


def test_what_resembles_nothing_gets_no_suggestion():
    with pytest.raises(AttributeError, match=r"has no attribute 'zzyzx'; dir\(rizoma\) lists what there is$"):
        rz.zzyzx  # noqa: B018


# What is typed behind `rizoma`, and what the one line of the answer says.
COMMANDS_MISTYPED = [
    ("improt s.rz x.txt", "there is no command 'improt'; did you mean rizoma import?"),
    ("load s.rz x.txt", "there is no command 'load'; did you mean rizoma import?"),
    ("qurey s.rz", "did you mean rizoma query?"),
    ("stats s.rz", "did you mean rizoma info?"),
    ("vacuum s.rz", "did you mean rizoma compact?"),
    ("convert s.rz x.csv", "did you mean rizoma export?"),
    ("pagerank s.rz", "an algorithm is run by: rizoma run pagerank STORE"),
    ("core-number s.rz", "an algorithm is run by: rizoma run core_number STORE"),
    ("dijkstra s.rz", "an algorithm is run by: rizoma run sssp STORE"),
    ("betweenes_centrality s.rz", "did you mean rizoma run betweenness_centrality STORE?"),
    ("zzyzx", "there is no command 'zzyzx'; rizoma --help lists all"),
    ("run page_rank s.rz", "did you mean pagerank?"),
    ("run pagerank s.rz --damping 0.9", "--alpha"),
    ("run pagerank s.rz --max-iterations 9", "--max-iter"),
    ("run pagerank s.rz --thread 2", "--threads"),
    ("info s.rz --jsn", "--json"),
    ("help algorithms", "rizoma run --help lists all algorithms"),
    ("distribute s.rz --ranks 2", "a directory for each rank: rizoma distribute STORE parts/0 parts/1"),
    ("run pagerank s.rz --placement absent.json", "there is no such file; a policy is one of in_place"),
]


@pytest.mark.parametrize(("words", "said"), COMMANDS_MISTYPED, ids=[words for words, _ in COMMANDS_MISTYPED])
def test_the_command_says_what_was_meant(words, said):
    done = CliRunner().invoke(app, words.split())
    assert done.exit_code == 2
    assert said in done.stderr


@pytest.mark.parametrize("words", [["-h"], ["help"], ["info", "-h"], ["help", "info"], ["help", "run", "pagerank"]])
def test_help_is_there_however_it_is_asked_for(words):
    done = CliRunner().invoke(app, words)
    asked = CliRunner().invoke(app, [*(word for word in words if word not in ("-h", "help")), "--help"])
    assert done.exit_code == 0
    assert done.stdout == asked.stdout
    assert "Usage" in done.stdout


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("rz.open(None, direct=True)", "open() has no argument 'direct'; did you mean directed?"),
        ("rz.config(num_threads=1)", "config() has no argument 'num_threads'; did you mean threads?"),
        ("rz.cluster(2, num_threads=3)", "cluster() has no argument 'num_threads'; did you mean threads?"),
        ("rz.check('x', location=1)", "check() has no argument 'location'; did you mean locations?"),
        ("rz.modularity(g, {}, weights=None)", "modularity() has no argument 'weights'; did you mean weight?"),
        ("g.add_edges([(0, 1)], src='a')", "Graph.add_edges() has no argument 'src'; did you mean source?"),
        ("g.set_vertices({}, vertx=1)", "Graph.set_vertices() has no argument 'vertx'; did you mean vertex?"),
        ("g.batch().remove_edges([], dst=1)", "Batch.remove_edges() has no argument 'dst'; did you mean target?"),
        ("g.snapshot().where(edge='x')", "Snapshot.where() has no argument 'edge'; did you mean edges?"),
        ("g.edges.batches(row=1)", "EdgeScan.batches() has no argument 'row'; did you mean rows?"),
        ("g.match('(a)--(b)').sample(1, random_state=1)", "Matches.sample() has no argument 'random_state'"),
        ("rz.pagerank(g).top(number=1)", "PageRankResult.top() has no argument 'number'; did you mean n?"),
    ],
)
def test_every_call_with_options_says_which_argument_is_meant(call, said):
    g = rz.open(None)
    with pytest.raises(TypeError, match=re.escape(said)):
        eval(call, {"rz": rz, "g": g})


def _options(command, words=()):
    """Each option of a command and of those below it."""
    for name in command.list_commands(None) if hasattr(command, "list_commands") else ():
        yield from _options(command.get_command(None, name), (*words, name))
    for each in command.params:
        yield (*words, each.name), getattr(each, "help", "said"), each


def test_every_option_of_every_command_has_help():
    """Those of algorithms too, which are derived from docstrings."""
    lacking = [
        " ".join(name)
        for name, said, option in _options(get_command(app))
        if not getattr(option, "hidden", False) and not (said or "").partition("Default: ")[0].strip()
    ]
    assert lacking == []


# Others, of a second stranger: what is typed, the error, what is said of place and cause, what of the remedy.
MORE_MISTAKES = [
    ("g.add_edges([0, 1])", rz.RizomaError, "row 0 is 0", "as pairs (source, target)"),
    ("g.add_edges('0 1')", rz.RizomaError, "from str", "an iterable of pairs"),
    ("g.add_edges(np.zeros((3, 4)))", rz.RizomaError, "not (3, 4)", "scipy.sparse.coo_array(matrix)"),
    ("g.add_edges([(0, 1, 2.0, 5)])", rz.RizomaError, "row 0 is (0, 1, 2.0, 5)", "as pairs (source, target)"),
    ("s.add_edges([('a', 'b', 1), ('a', 'b', 'c')])", rz.RizomaError, "row 1 is ('a', 'b', 'c')", "named columns"),
    ("s.add_edges([('a', None)])", rz.RizomaError, "(None)", "must be integers or strings"),
    ("s.add_edges([(1, 2)])", rz.RizomaError, "are strings, not integers", "convert them"),
    ("g.remove_vertices(0)", rz.RizomaError, "not one id (0)", "give a list of vertex ids"),
    ("g.subgraph(0)", rz.RizomaError, "not one id (0)", "give a list of vertex ids"),
    ("g.add_vertices(3.5)", rz.RizomaError, "not one id (3.5)", "give a list of vertex ids"),
    ("g.neighbors([0])", rz.RizomaError, "no vertex [0]", "give the id of one vertex"),
    ("g.snapshot().add_edges([(0, 1)])", AttributeError, "a snapshot does not change", "call it on the graph"),
    ("g.reverse().add_vertices([1])", AttributeError, "a view does not change", "call it on the graph"),
    ("g.snapshot().flush()", AttributeError, "'flush'", "call it on the graph"),
    ("g.set(0, agee=3)", rz.RizomaError, "'agee'", "there are age"),
    ("g.set(0, age='old')", rz.RizomaError, "column 'age'", "'old'"),
    ("g.set_edges({'source': [0], 'target': [1], 'amout': [2.0]})", rz.RizomaError, "'amout'", "there are amount"),
    ("g.add_column('amount', 'float64')", rz.RizomaError, "'amount'", "already one of this name"),
    ("g.add_column('new', float)", rz.RizomaError, "<class 'float'>", "such as 'float64'"),
    ("g.drop_column('nope')", rz.RizomaError, "'nope'", "of the edges there are amount"),
    ("g.drop_column('nope', of='vertices')", rz.RizomaError, "'nope'", "of the vertices there are age"),
    ("g.tag('')", rz.RizomaError, "unlike ''", "1 to 200 bytes"),
    ("g.untag('nope')", rz.RizomaError, "'nope'", "there are none"),
    ("rz.open(None, at='monday')", rz.RizomaError, "at='monday'", "give the path of a graph on disk"),
    ("rz.open(None, durability='never')", rz.RizomaError, "durability='never'", "choose one of"),
    ("rz.open(None, edges={'amount': 'money'})", rz.RizomaError, "'money'", "did you mean 'float64'"),
    ("rz.open(None, edges=['amount'])", rz.RizomaError, "['amount']", 'give {"NAME": "TYPE"}'),
    ("rz.open(None, weights='float')", rz.RizomaError, "weights='float'", "choose one of none, int32"),
    ("rz.open(None, parallel_edges='add')", rz.RizomaError, "parallel_edges='add'", '"sum"'),
    ("rz.open('/nowhere/x.rz', mode='r')", rz.RizomaError, "mode='r'", "read_only"),
    ("rz.pagerank(g, weight='amout')", rz.RizomaError, "weight='amout'", "there are amount"),
    ("rz.pagerank(g, personalization={99: 1})", rz.RizomaError, "names 99", "not a vertex of the graph"),
    ("rz.pagerank(g, personalization=[0])", rz.RizomaError, "shape (1,)", "one value for each internal id: (3,)"),
    ("rz.betweenness_centrality(g, k=100)", rz.RizomaError, "k is 100", "between 1 and the number of vertices, 3"),
    ("rz.sssp(g, 0, weight='age')", rz.RizomaError, "weight='age'", "there are amount"),
    ("rz.louvain(g, seed='x')", rz.RizomaError, "seed is 'x'", "a whole number from 0"),
    ("rz.bfs(g, 0, max_depth='2')", rz.RizomaError, "max_depth is '2'", "a whole number from 0"),
    ("rz.influence(g, [99])", rz.RizomaError, "seeds names 99", "not a vertex of the graph"),
    ("rz.motifs(g, 7)", rz.RizomaError, "size is 7", "3, 4 or 5 vertices"),
    ("rz.katz_centrality(g, alpha=5)", rz.RizomaError, "alpha = 5", "choose an alpha below"),
    ("rz.pagerank(g)['zoe']", rz.RizomaError, "no vertex 'zoe'", "its ids are integers"),
    ("rz.pagerank(g).top('3')", rz.RizomaError, "n is '3'", "a whole number"),
    ("rz.pagerank(g).to_numpy('scores')", rz.RizomaError, "'scores'", "there are rank"),
    ("rz.pagerank(g).write('x.doc')", rz.RizomaError, "x.doc", "use .parquet, .csv"),
    ("g.match('a-->b').count()", rz.RizomaError, 'not "a"', 'expected "(" to begin a vertex'),
    ("g.match('').count()", rz.RizomaError, "the pattern is empty", "write one such as (a)-->(b)"),
    ("g.match('(a)-->(b)').select('c')", rz.RizomaError, "no column 'c'", "there are a, a.age"),
    ("g.match('(a)-->(b)').limit(-1)", rz.RizomaError, "n is -1", "a whole number from 0"),
    ("g.where(vertices='amount > 1')", rz.RizomaError, "'amount'", "there are vertex, age"),
    ("g.export('out.xlsx')", rz.RizomaError, "out.xlsx", "cannot tell the format"),
    ("g.compact(order='fast')", rz.RizomaError, "order='fast'", "choose one of auto, given"),
    ("rz.config(memory_limit='lots')", rz.RizomaError, "'lots'", "write for example 512M or 4G"),
    ("rz.config(thread=3)", TypeError, "'thread'", "did you mean threads?"),
    ("rz.generate('random', 4)", rz.RizomaError, "kind='random'", "choose one of rmat, uniform, grid"),
    ("rz.read('x.csv', delimiter='||')", rz.RizomaError, "delimiter is '||'", "one ASCII character"),
]


@pytest.mark.parametrize(("call", "error", "cause", "remedy"), MORE_MISTAKES, ids=[call for call, *_ in MORE_MISTAKES])
def test_a_second_stranger_is_told_what_is_wrong_and_how_to_mend_it(graphs, call, error, cause, remedy):
    with pytest.raises(error) as raised:
        eval(call, {**graphs, "np": np})
    assert cause in str(raised.value)
    assert remedy in str(raised.value)


# Of a third stranger, who comes with the habits of NetworkX, igraph, pandas and graph databases.
THIRD_MISTAKES = [
    ("rz.load('social.rz')", AttributeError, "'load'", "did you mean open?"),
    ("rz.connect('social.rz')", AttributeError, "'connect'", "did you mean open?"),
    ("rz.from_pandas(None)", AttributeError, "'from_pandas'", "did you mean read?"),
    ("rz.read_edgelist('x.txt')", AttributeError, "'read_edgelist'", "did you mean read?"),
    ("rz.community_louvain(g)", AttributeError, "'community_louvain'", "did you mean louvain?"),
    ("rz.degree_centrality(g)", AttributeError, "'degree_centrality'", "g.degrees()"),
    ("rz.eigenvector_centrality(g)", AttributeError, "'eigenvector_centrality'", "rizoma.katz_centrality"),
    ("rz.cliques(g)", AttributeError, "'cliques'", "g.match"),
    ("rz.mst(g)", AttributeError, "'mst'", "did you mean minimum_spanning_tree?"),
    ("rz.open(42)", TypeError, "the path is 42", "give a directory as text"),
    ("rz.open(None, in_edges='no')", rz.RizomaError, "in_edges is 'no'", "True or False"),
    ("rz.read({'a': [1], 'b': [2]}, source='a', target='a')", rz.RizomaError, "both 'a'", "name the two columns"),
    ("rz.bfs(g)", TypeError, "bfs() lacks 'source'", "call it as bfs(graph, source)"),
    ("rz.shortest_path(g, 0)", TypeError, "lacks 'target'", "shortest_path(graph, source, target)"),
    ("rz.common_neighbors(g, 0)", TypeError, "lacks 'v'", "common_neighbors(graph, u, v)"),
    ("rz.bfs(g, 0, source=1)", TypeError, "'source'", "call it as bfs(graph, source)"),
    ("rz.random_walks(g, 0, 5)", rz.RizomaError, "not one id (0)", "give a list of vertex ids"),
    ("rz.bfs(s, 'Ann')", rz.RizomaError, "no vertex 'Ann'", "did you mean 'ann'?"),
    ("rz.bfs(g, 99)", rz.RizomaError, "no vertex 99", "its ids are 0 to 2"),
    ("g.pagerank()", AttributeError, "'pagerank'", "call rizoma.pagerank(graph, ...)"),
    ("g.snapshot().check()", AttributeError, "'check'", "a snapshot does not change, a Graph does"),
    ("g.add_edges(0, 1)", TypeError, "takes 1 value without a name, not 2", "call it as add_edges(["),
    ("g.add_edges(['a.csv', 'b.csv'])", rz.RizomaError, "row 0 is 'a.csv'", "read(*files)"),
    ("g.remove_edges({'a': [0]}, source='a', target='a')", rz.RizomaError, "are both 'a'", "name the two columns"),
    ("g.query(\"RETURN date('soon')\").to_arrow()", rz.RizomaError, "'soon' is not a date", "'2026-01-31 12:30:00'"),
    ("g.set(0, 5)", TypeError, "Graph.set() takes 1 value", "set(key, NAME=VALUE, ...)"),
    ("g.add_column('amount')", TypeError, "lacks 'type'", "call it as add_column(name, type)"),
    ("g.rename_column('amount', 'x')", AttributeError, "'rename_column'", "add_column and drop_column"),
    ("g.delete_edges([(0, 1)])", AttributeError, "'delete_edges'", "remove_edges([(u, v), ...])"),
    ("g.update_vertices({})", AttributeError, "'update_vertices'", "set_vertices(table)"),
    ("g.num_nodes", AttributeError, "'num_nodes'", "num_vertices"),
    ("g.summary()", AttributeError, "'summary'", "info()"),
    ("g.plot()", AttributeError, "'plot'", "draw()"),
    ("g.commit()", AttributeError, "'commit'", "batch() gathers many"),
    ("g.compact(purge='yes')", rz.RizomaError, "purge is 'yes'", "True or False"),
    ("g['ann']", rz.RizomaError, "no vertex 'ann'", "its ids are integers"),
    ("g[0, 1]", rz.RizomaError, "no vertex (0, 1)", "graph[u][v]"),
    ("g[0][9]", KeyError, "no edge 0 -> 9", "has_edge(u, v)"),
    ("g.edges['amount']", rz.RizomaError, "edges['amount']", "edges.to_pandas()[name]"),
    ("g.vertices[0]", rz.RizomaError, "vertices[0]", "vertex(v)"),
    ("g.edges.to_pandas(columns=['amount'])", TypeError, "no argument 'columns'", "it takes no arguments"),
    ("g.batch().commit()", AttributeError, "'commit'", "the end of the `with` block"),
    ("g.batch().neighbors(0)", AttributeError, "'neighbors'", "use the graph"),
    ("rz.pagerank(g).sort()", AttributeError, "'sort'", "top(n)"),
    ("rz.pagerank(g).mean()", AttributeError, "'mean'", "to_numpy().mean()"),
    ("rz.louvain(g).members(0)", AttributeError, "'members'", "groupby"),
    ("g.match('(a)-->(b)').count(3)", TypeError, "takes no values without a name", "call it as count()"),
]


@pytest.mark.parametrize(("call", "error", "cause", "remedy"), THIRD_MISTAKES, ids=[row[0] for row in THIRD_MISTAKES])
def test_habits_of_other_libraries_are_met_with_what_there_is(graphs, call, error, cause, remedy):
    test_the_message_says_what_is_wrong_and_how_to_mend_it(graphs, call, error, cause, remedy)


@pytest.mark.parametrize(
    "call", ["rz.open('peple.rz', mode='read_only')", "rz.check('peple.rz')", "rz.read('peple.rz')"]
)
def test_a_path_that_is_not_there_is_told_with_the_one_that_resembles_it(tmp_path, monkeypatch, call):
    monkeypatch.chdir(tmp_path)
    rz.open("people.rz").close()
    with pytest.raises(rz.RizomaError, match=r"peple\.rz.*; did you mean people\.rz\?"):
        eval(call, {"rz": rz})


def test_a_directory_with_other_files_and_rows_of_other_lengths_come_with_a_remedy(tmp_path):
    (tmp_path / "a.csv").write_text("source,target\nann,bob\nbob\n")
    with pytest.raises(rz.RizomaError, match=r"other files \(a\.csv\).*give a new or empty directory"):
        rz.open(tmp_path)
    with pytest.raises(rz.RizomaError, match=r"a\.csv:3:4: .*2 fields.*skip_bad_lines="):
        rz.read(tmp_path / "a.csv")


def test_a_vertex_that_was_removed_is_not_said_to_be_among_the_ids():
    graph = rz.open(None, ids="dense")
    graph.add_edges([(0, 1), (1, 2)])
    graph.remove_vertices([1])
    with pytest.raises(rz.RizomaError, match="no vertex 1; it was removed"):
        rz.bfs(graph, 1)
    with pytest.raises(rz.RizomaError, match="no vertex 9; its ids are 0 to 2"):
        rz.random_walks(graph, np.array([9]), 3)


def test_no_private_name_is_recommended():
    with pytest.raises(AttributeError, match=r"no attribute 'rows_view'; dir\(graph\) lists"):
        rz.open(None).rows_view  # noqa: B018


def test_a_batch_of_a_closed_graph_has_no_other_attributes():
    with rz.open(None) as graph:
        batch = graph.batch()
    with pytest.raises(AttributeError, match="'num_edges'; use the graph"):
        batch.num_edges  # noqa: B018
