"""What further strangers got wrong, in Python, at the command and with files of their own: place, cause and remedy."""

from __future__ import annotations

import copy
import operator
import pickle
import shutil
import warnings
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import rizoma as rz
from rizoma.cli.commands import app
from rizoma.core.errors import ReadWarning
from typer.testing import CliRunner

# A call; the error; what the message says of the place and the cause; what it says of the remedy.
MISTAKES = [
    ("rz.bfs(0, g)", TypeError, "the graph comes first", "write rizoma.bfs(graph, ..)"),
    ("rz.shortest_path(0, g, 1)", TypeError, "the graph comes first", "write rizoma.shortest_path(graph, ..)"),
    ("g.add_vertices({7: {'age': 3}})", ValueError, "each vertex has a mapping of its own", '{"id": ["ann", "bob"]'),
    (
        "rz.open(None).where(edges='fee > 3')",
        ValueError,
        "no column 'fee'",
        'rizoma.read(.., edges="infer", vertices="infer")',
    ),
    (
        "g.query('MATCH (a) WHERE a.id IN (1, 2) RETURN a').to_arrow()",
        ValueError,
        "to close the bracket",
        "IN ['Ann', 'Bob']",
    ),
    ("g.has_edge(0)", TypeError, "has_edge() lacks 'v'", "call it as has_edge(u, v)"),
    ("g.has_edge((0, 1))", TypeError, "has_edge() lacks 'v'", "call it as has_edge(u, v)"),
    ("g.weight(0)", TypeError, "weight() lacks 'v'", "call it as weight(u, v)"),
    ("g.out_degree", AttributeError, "'out_degree'", "degree(v), and in_degree and out_degree where it is directed"),
    ("g.draw('picture.svg')", rz.RizomaError, "values is 'picture.svg'", "g.draw().figure.savefig(path)"),
    ("g.export(3)", TypeError, "the path is 3", "give the name of a file as text"),
    ("g.set(0, age=3.5)", rz.RizomaError, "3.5 in row 0 is no whole number", "round it, or make the column float64"),
    ("g.edges.filter('amount > 1')", AttributeError, "'filter'", "where(...) of the graph"),
    ("g.vertices.head()", AttributeError, "'head'", "to_pandas()"),
    ("r > 0.1", TypeError, "PageRankResult is no array, so it has no >", "use to_numpy() > ..."),
    ("r + 1", TypeError, "has no +", "use to_numpy() + ..."),
    ("1 - r", TypeError, "has no -", "use to_numpy() - ..."),
    ("r * r", TypeError, "has no *", "use to_numpy() * ..."),
    ("r[0:2]", rz.RizomaError, "slice(0, 2, None)", "a slice of values is one of to_numpy() or to_pandas()"),
    ("r.iloc[0]", AttributeError, "'iloc'", "to_pandas()"),
    ("r.nodes", AttributeError, "'nodes'", "use ids"),
    ("b.path_to(2)", AttributeError, "'path_to'", "rizoma.shortest_path(graph, source, v)"),
    ("b.distance", AttributeError, "'distance'", "levels"),
    ("d.path(2)", AttributeError, "'path'", "path_to(v)"),
    ("rz.bfs(s, 'zoe')", rz.RizomaError, "no vertex 'zoe'", "its ids are such as 'ann' and 'bob'"),
    (
        "rz.open('nowhere.rz', mode='read_only')",
        rz.RizomaError,
        "no graph at nowhere.rz",
        "rizoma.read makes one of files",
    ),
    ("rz.check('nowhere.rz')", rz.RizomaError, "no graph at nowhere.rz", "rizoma.read makes one of files"),
    ("g.match('(a)-->(b)', limit=7)", rz.RizomaError, "limit=7 names a vertex", "of the matches there is limit(7)"),
    ("g.match('(a)-->(b)').rows()", AttributeError, "'rows'", "to_pandas() or to_arrow()"),
    ("g.match('(a)-->(b)').to_pandas('a')", TypeError, "takes no values without a name", "call it as to_pandas()"),
    ("g.query('MATCH (a) RETURN a').fetchall()", AttributeError, "'fetchall'", "to_pandas() or to_arrow()"),
    ("g.query('MATCH (a:Person) RETURN a')", rz.RizomaError, "no column 'label'", "add_column('label', 'string', of="),
    ("g.query('MATCH (a) RETRUN a')", rz.RizomaError, 'not "RETRUN"', "did you mean RETURN?"),
    ("g.query('MATCH (a) RETURN a WHERE a.age > 1')", rz.RizomaError, 'not "WHERE"', "behind MATCH or WITH, before"),
    ("g.query('MATCH (a) RETURN a ORDERBY a.age')", rz.RizomaError, 'not "ORDERBY"', "did you mean ORDER BY?"),
    ("g.query('MATCH (a) RETURN a; MATCH (b) RETURN b')", rz.RizomaError, 'not "MATCH"', "one query at a time"),
    ("g.query('MATCH (a {nme: 3}) RETURN a')", rz.RizomaError, "no column 'nme'", "did you mean 'name'?"),
    ("g.query('MATCH (a) RETURN cnt(a)')", rz.RizomaError, "no function 'cnt'", "did you mean 'count'?"),
    ("g.query(\"RETURN date('2026-13-01')\").to_arrow()", rz.RizomaError, "'2026-13-01' is not a date", "'2026-01-31'"),
    ("g.set_vertices({'id': [0]})", rz.InvalidArgumentError, "no values to set, only ids", "vertex="),
    ("g.set_vertices([3])", rz.RizomaError, "a table of vertices must be a DataFrame", "a mapping {column: values}"),
    (
        "rz.read(pd.DataFrame({'source': ['a', 2], 'target': ['b', 'c']}))",
        rz.RizomaError,
        "the column 'source' of the DataFrame holds values of several types",
        "table['source'].astype(str)",
    ),
    ("g.add_edges(pd.Series([0, 1]))", rz.RizomaError, "the Series is one column", 'table[["source", "target"]]'),
    ("g.add_edges([(0, 1)], amount=2.0)", TypeError, "no argument 'amount'", "give its values with the data"),
    ("g.batch().add_edges([(0, 1)])", rz.RizomaError, "within its `with` block alone", "with graph.batch() as b:"),
    ("g.batch().remove_vertices([0])", rz.RizomaError, "within its `with` block alone", "with graph.batch() as b:"),
    ("g.set(9, age=3)", rz.RizomaError, "no vertex 9 (row 0)", "add_vertices adds it"),
    ("g.set((0, 9), amount=3)", rz.RizomaError, "no edge from 0 to 9 (row 0)", "add_edges adds it"),
    ("g.weight(0, 9)", rz.RizomaError, "no edge from 0 to 9", "has_edge(u, v) tells"),
    ("g.add_vertices([(0, {'age': 3})])", rz.RizomaError, "not tuple ((0, {'age': 3}))", '{"id": [...], "age": [...]}'),
    ("g.set_vertices({'ann': {'age': 3}})", rz.RizomaError, "only ids", '{"id": ["ann"], "age": [41]}'),
    ("rz.modularity(g, [0, 1])", rz.RizomaError, "not a list with 0", "a list of sets of vertices"),
    ("rz.bfs(s, 'ann')['level']", rz.RizomaError, "'level' is a column", "to_numpy('level')"),
    ("rz.config(memory_limit=4)", rz.RizomaError, "4 bytes without a unit", "write 4M or 4G"),
    ("rz.config(memory_limit='512')", rz.RizomaError, "512 bytes without a unit", "write 512M or 512G"),
    ("g.match('MATCH (a)-->(b) RETURN a')", rz.RizomaError, "this is a query, not a pattern alone", "query runs it"),
    ("g.match('(a)-[e > 3]->(b)')", rz.RizomaError, 'not ">"', 'where="a.age > 3"'),
    ("g.match('(a > 3)-->(b)')", rz.RizomaError, 'not ">"', 'where="a.age > 3"'),
    ("g.match('(a)-->(b) where a.age > 3')", rz.RizomaError, 'not "where"', 'where="a.age > 3"'),
    (
        "g.match('(a)-->(b)').where('amount > 3')",
        rz.RizomaError,
        "names no 'amount'",
        "as in (a)-[e]->(b), and write e.amount",
    ),
    ("g.match('(a)-->(b)').where('e.amount > 3')", rz.RizomaError, "names no 'e'", "in the pattern, as in -[e]->"),
    ("g.match('(a)-->(b)').where('c.age > 3')", rz.RizomaError, "names no 'c'", "in the pattern, as in (c)"),
    ("g.match('(a)-->(b)').where('age > 3')", rz.RizomaError, "names no 'age'", "as in a.age"),
    ("g.query('MATCH (a) RETURN a LIMIT ten').to_arrow()", rz.RizomaError, "not 'ten'", "a whole number of rows"),
    ("rz.open(None, vertices={'id': 'int64'})", rz.RizomaError, "a column 'id'", "choose another name"),
    ("nx.pagerank(r)", AttributeError, "'PageRankResult' object has no attribute", "use the graph"),
    ("g.query('MATCH (a) RETURN a, count(*) GROUP BY a')", rz.RizomaError, 'not "GROUP"', "leave GROUP BY out"),
    ("g.query('MATCH (a) RETURN a, count(*) HAVING a')", rz.RizomaError, 'not "HAVING"', "WHERE n > 1"),
    ("g.add_edges(open(__file__))", rz.RizomaError, "an open file", "give its path to rizoma.read"),
    ("rz.read(open(__file__))", rz.RizomaError, "an open file", "give its path to rizoma.read"),
    ("g.query('(a)-->(b)')", rz.RizomaError, 'not "("', "a pattern without MATCH is for match"),
    ("g.query('MATCH (a) WHERE a.name = ann RETURN a')", rz.RizomaError, "called 'ann'", "stands in quotes: 'ann'"),
    ("g.where(vertices='name = ann')", rz.RizomaError, "no column 'ann'", "text stands in quotes: 'ann'"),
    ("g.where('age > 3')", rz.RizomaError, "no column 'age'", "it belongs to the vertices: where(vertices=...)"),
    ("g.where(vertices='amount > 3')", rz.RizomaError, "no column 'amount'", "belongs to the edges: where(edges=...)"),
    (
        "nx.set_node_attributes(g, {0: 3}, 'height')",
        rz.UnsupportedError,
        "set_node_attributes changes a graph in place",
        "set_vertices and set_edges for attributes (add_column makes one)",
    ),
    ("g.neighbors()", TypeError, "neighbors() lacks 'v'", "call it as neighbors(v)"),
    ("g.query('RETURN $a', parameters=3)", rz.RizomaError, "parameters is 3", "a mapping, such as {"),
    ("g.match('(a)-->(b)').where(3)", rz.RizomaError, "where is 3", "it must be text"),
    ("g.match('(a)-->(b)').select(['a'])", rz.RizomaError, "not ['a']", 'select("a", "b")'),
    ("g.match('(a)-->(b)').sharing_estimate(4)", rz.RizomaError, "ranks is 4", "a list of whole numbers"),
    ("g.draw([1, 2, 3])", rz.RizomaError, "values is list", "a result or {vertex: value}"),
    ("g.draw(ax=3)", rz.RizomaError, "ax is int", "give an Axes"),
    ("g.find(np.zeros((2, 2), int))", rz.RizomaError, "not the shape (2, 2)", "give array.ravel()"),
    ("g.subgraph(np.array(3))", rz.RizomaError, "not the shape ()", "give array.ravel()"),
    ("g.add_vertices(['ann', 3])", rz.RizomaError, "a mixture such as 'ann' and 3", "give all as text (str)"),
    ("g.add_edges(rz.Graph)", rz.RizomaError, "cannot read edges from type", "give a table"),
    ("g.to_scipy('decimal')", rz.RizomaError, "dtype is 'decimal'", "a type of NumPy, such as 'float32'"),
    ("g.csr(in_edges=np.ones(2))", rz.RizomaError, "in_edges is array([1., 1.])", "it must be True or False"),
    ("r.write(3)", rz.RizomaError, "path is 3", "a path as text or pathlib.Path"),
    ("r.write('r.csv', part=2)", rz.RizomaError, "part is 2", "two whole numbers, as in (0, 4)"),
    ("r.write('r.csv', part=(4, 4))", rz.RizomaError, "part[0] is 4", "from 0 to 3"),
    ("r.store('score')", rz.RizomaError, "there is no graph at score", "result.store(graph, 'score')"),
    ("r.store('')", rz.RizomaError, "the path is empty", "give a directory"),
    ("rz.modularity(g, None)", rz.RizomaError, "not None", "communities must be a result, a mapping"),
    ("rz.modularity(g, {0: 1, 1: 1, 9: 2})", rz.RizomaError, "communities names 9", "its ids are 0 to 2"),
    ("rz.nmi({0: 1})", TypeError, "nmi() lacks 'b'", "call it as nmi(a, b)"),
    (
        "rz.pagerank(s, personalization={'zoe': 1})",
        rz.RizomaError,
        "names 'zoe'",
        "its ids are such as 'ann' and 'bob'",
    ),
    ("rz.influence(g, [7])", rz.RizomaError, "seeds names 7", "its ids are 0 to 2"),
    ("rz.sample_neighbors(g, [0], 3, seed=-1)", rz.RizomaError, "seed is -1", "a whole number from 0"),
    ("rz.generate('rmat', into=3)", rz.RizomaError, "into is 3", "a path as text or pathlib.Path"),
    ("g.match('(a)-->(b)', a=9)", rz.RizomaError, "a=9 names a vertex", "its ids are 0 to 2"),
    ("rz.read('nowhere.csv')", rz.RizomaError, "nowhere.csv: no such file", "is empty"),
    ("rz.open(None, nodes={'age': 'int64'})", TypeError, "no argument 'nodes'", "did you mean vertices?"),
    ("rz.open(None, readonly=True)", TypeError, "no argument 'readonly'", 'mode="read_only"'),
    ("rz.open(None, multigraph=True)", TypeError, "no argument 'multigraph'", 'parallel_edges="keep"'),
    ("rz.open(None, schema={})", TypeError, "no argument 'schema'", "declare columns as in vertices="),
    ("rz.open(None, version='v1')", TypeError, "no argument 'version'", "did you mean at?"),
    ("rz.read('x.csv', source_col='a')", TypeError, "no argument 'source_col'", "did you mean source?"),
    ("rz.read('x.csv', to='a')", TypeError, "no argument 'to'", "did you mean target?"),
    ("rz.read('x.csv', edge_attr=True)", TypeError, "no argument 'edge_attr'", 'edges="infer" keeps columns'),
    ("rz.read('x.csv', store='x.rz')", TypeError, "no argument 'store'", 'into="x.rz"'),
    ("rz.read('x.csv', skiprows=1)", TypeError, "no argument 'skiprows'", "comment="),
    ("rz.read('x.csv', vertex_files='v.csv')", rz.RizomaError, "vertex_files is 'v.csv'", "vertex_files=['v.csv']"),
    ("rz.read('')", rz.RizomaError, "the path is empty", "give a file"),
    ("rz.pagerank(g, d=0.9)", TypeError, "no argument 'd'", "did you mean alpha?"),
    ("rz.pagerank(g, top=3)", TypeError, "no argument 'top'", "top(n)"),
    ("rz.pagerank(g, nodes=[0])", TypeError, "no argument 'nodes'", "graph.subgraph(ids)"),
    ("rz.pagerank(g, directed=False)", TypeError, "no argument 'directed'", "graph.undirected()"),
    ("rz.bfs(g, start=0)", TypeError, "no argument 'start'", "did you mean source?"),
    ("rz.bfs(g, 0, target=1)", TypeError, "no argument 'target'", "shortest_path(graph, source, target)"),
    ("rz.shortest_path(g, src=0, dst=1)", TypeError, "no argument 'src'", "did you mean source?"),
    ("rz.betweenness_centrality(g, pivots=2)", TypeError, "no argument 'pivots'", "did you mean k?"),
    ("rz.connected_components(g, strong=True)", TypeError, "no argument 'strong'", "strongly_connected_components"),
    ("rz.generate('rmat', vertices=10)", TypeError, "no argument 'vertices'", "scale=10 makes 2**10"),
    ("rz.pagerank(pd.DataFrame())", TypeError, "not pandas.DataFrame", "rizoma.read(data) makes one of it"),
    ("rz.pagerank(r)", TypeError, "not rizoma.PageRankResult", "give the graph that it is of"),
    ("s.add_edges(('ann', 'bob'))", rz.RizomaError, "row 0 is 'ann'", "a list of one pair"),
    ("s.add_edges(['ann bob'])", rz.RizomaError, "row 0 is 'ann bob'", "line.split()"),
    ("g.add_edges(np.zeros((2, 5), int))", rz.RizomaError, "not (2, 5)", "give array.T"),
    ("g.add_edges({'source': [True], 'target': [False]})", rz.RizomaError, "type bool", "astype(str)"),
    ("g.add_vertices([5], age=[3])", TypeError, "age is a column", '{"id": [...], "age": [...]}'),
    ("g.add_vertices({'id': [5, 6], 'age': [1]})", rz.RizomaError, "'id' has 2, 'age' has 1", "for every row"),
    ("g.add_vertices({'id': 5, 'age': 1})", rz.RizomaError, "'id' has one value (5)", "a list for each column"),
    ("g.set_vertices(pd.Series([3]))", rz.RizomaError, "one column without ids", "reset_index()"),
    ("g.where(age=3)", TypeError, "no argument 'age'", 'where(vertices="age = ...")'),
    ("g.neighbors(True)", rz.RizomaError, "no vertex True", "whole numbers"),
    ("rz.bfs(rz.open(None), 0)", rz.RizomaError, "no vertex 0", "no vertices yet"),
    ("g.vertices()", TypeError, "vertices is no function", "list(graph.vertices)"),
    ("g.match('(a)-->(b)').order_by('a desc')", rz.RizomaError, "'a desc'", '"-a"'),
    ("g.match('(a)-->(b)').select('a, b')", rz.RizomaError, "'a, b'", '"a", "b"'),
    ("g.match('(a)-->(b)').order_by('a', ascending=False)", TypeError, "'ascending'", 'order_by("-a")'),
    ("g.match('(a)-->(b)').group_by('a').size()", AttributeError, "'size'", "use count()"),
    ("g.match('(a)-->(b)')[0]", TypeError, "no [0]", "to_pandas()"),
    ("g.match('(a)-->(b)', filter='a.age > 3')", TypeError, "no argument 'filter'", "did you mean where?"),
    ("g.query('SELECT * FROM edges')", rz.RizomaError, "SELECT * FROM", "MATCH (a)-->(b) RETURN a, b"),
    ("g.query('MATCH (a) LIMIT 3')", rz.RizomaError, 'not "LIMIT"', "behind RETURN"),
    ("g.query(\"MATCH (a) WHERE a.name LIKE 'a%' RETURN a\")", rz.RizomaError, 'not "LIKE"', "STARTS WITH"),
    ("g.query('MATCH (a) RETURN mean(a.age)')", rz.RizomaError, "'mean'", "did you mean 'avg'?"),
    ("g.query('RETURN $n', params={'n': 3})", rz.RizomaError, "$params", 'parameters={"n": 3}'),
    ("g.where('amount === 1')", rz.RizomaError, 'not "="', "the operators are"),
    ("g.where('amount >')", rz.RizomaError, "not the end", "ends in its middle"),
    ("g.where('')", rz.RizomaError, "the predicate is empty", "age >= 18"),
    ("g.where('Amount > 1')", rz.RizomaError, "no column 'Amount'", "did you mean amount?"),
    ("g.where('e.amount > 1')", rz.RizomaError, "no name before it", "write amount alone"),
    ("g.where(vertices='name like %a%')", rz.RizomaError, 'not "%"', "like '%a%'"),
    ("g.where(vertices=\"name starts with 'a'\")", rz.RizomaError, 'not "starts"', "startswith(x, 'y')"),
    ("g.where(vertices=\"name =~ 'a.*'\")", rz.RizomaError, '"~" has no meaning', "like 'a%'"),
    ("g.where('amount > $x')", rz.RizomaError, "no parameters here", "the value itself"),
    ("g.where('amount > 1 LIMIT 3')", rz.RizomaError, 'not "LIMIT"', "limit what comes of it"),
    ("g.match('a-->b')", rz.RizomaError, 'not "a"', "(a)-->(b)"),
    ("g.match('(1)-->(b)')", rz.RizomaError, 'not "1"', "a=1"),
    ("g.match('(a)-->(b) LIMIT 3')", rz.RizomaError, 'not "LIMIT"', "limit(3)"),
    ("g.restore('v1')", AttributeError, "no attribute 'restore'", 'rizoma.open(path, at="v1")'),
    (
        "g.set(0, height=3.5)",
        rz.ColumnNotFoundError,
        "vertices have no column 'height'; there are age, name",
        'graph.add_column("height", "float64", of="vertices") adds one',
    ),
    ("g.set((0, 1), note='x')", rz.RizomaError, "edges have no column 'note'", '"string", of="edges") adds one'),
    ("g.set(0, 1, amount=3)", TypeError, "takes 1 value", 'an edge is a pair, as in set(("ann", "bob"), amount=3)'),
    ("g.add_column('y', 'int64', [1, 2])", TypeError, "takes 2 values", "values go in by set_vertices, set_edges or"),
    ("g.where(vertices=['ann'])", rz.RizomaError, "['ann'] is not a predicate", "graph.subgraph(ids)"),
    ("g.subgraph(r.top(2))", rz.RizomaError, "not tuple ((", "[v for v, _ in result.top(2)]"),
    ("len(g.match('(a)-->(b)'))", TypeError, "no len()", "use count()"),
    ("len(g.query('MATCH (a) RETURN a'))", TypeError, "no len()", "use count()"),
    ("max(r, key=r.get)", TypeError, "get takes the id of a vertex, not (", "top(n) the largest"),
    ("g.add_edges({'a': [0], 'amount': [1]}, weight='amount')", rz.RizomaError, "no weights", "leave weight= out"),
    (
        "rz.read([(0, 1)], vertices=pd.DataFrame({'id': [0], 'age': [3]}))",
        rz.RizomaError,
        "vertices= declares columns",
        "a table is given to graph.add_vertices, and files of vertices as vertex_files=",
    ),
    ("rz.open('https://x.org/g.rz')", rz.RizomaError, "https:/x.org/g.rz is an address", "rizoma.read(address, into="),
    ("rz.open('s3://bucket/g.rz')", rz.RizomaError, "s3:/bucket/g.rz is an address", "rizoma.read(address, into="),
    ("rz.open('~/g.rz')", rz.RizomaError, "~/g.rz", "expanduser()"),
    ("copy.deepcopy(g)", TypeError, "belongs to this process", "g.copy_to(path)"),
    ("g.drop_column('age')", rz.RizomaError, "no column 'age'", 'of="vertices"'),
    ("g.export('.')", rz.RizomaError, ". is a directory", "name a file in it, such as edges.csv"),
    ("g.add_edges([(None, 1)])", rz.RizomaError, "row 0 of column 'source'", "dropna"),
    ("g.add_edges([((0, 0), (0, 1))])", rz.RizomaError, "not tuple ((0, 0))", "make text of it"),
    ("g.add_edges([(1, 2, {'weight': 3}), (2, 3, {'cost': 4})])", rz.RizomaError, "has no 'weight'", "each row"),
    ("rz.read(np.array([[0, 1, 2], [1, 2, 0]]))", rz.RizomaError, "the third column", "give array.T"),
    ("g.where(vertices='isnull(age)')", rz.RizomaError, "no function 'isnull'", "write x is null"),
    ("g.where(vertices='ifnull(age, 3) > 1')", rz.RizomaError, "no function 'ifnull'", "write coalesce(x, 0)"),
    ("g.where('amount > 1').refresh()", AttributeError, "a view does not change", "make it anew of the graph"),
    ("g.set(0, age=[1])", rz.RizomaError, "column 'age'", "[1] in row 0 is a list"),
    ("rz.sssp(g, 0, 1)", rz.RizomaError, "weight=1 is not an edge column", "shortest_path(graph, source, target)"),
    ("rz.louvain(g).labels", AttributeError, "no attribute 'labels'", "to_dict() by vertex"),
    ("rz.connected_components(g).components", AttributeError, "no attribute 'components'", "groupby(result.value)"),
    ("g.set([0, 1], age=3)", rz.RizomaError, "one vertex or edge, not [0, 1]", "set_vertices(table)"),
    ("g.num_vertices()", TypeError, "'int' object", "is not callable"),
    ("g.directed()", TypeError, "'bool' object", "is not callable"),
    ("g.snapshot().num_edges()", TypeError, "'int' object", "is not callable"),
    ("g.match('(a)-->(b)').columns()", TypeError, "'list' object", "is not callable"),
    ("r.ids()", TypeError, "'numpy.ndarray' object", "is not callable"),
    ("r.converged()", TypeError, "'bool' object", "is not callable"),
    ("rz.louvain(g).modularity()", TypeError, "'float' object", "is not callable"),
    ("g.neighbors(0, 1)", TypeError, "takes 1 value without a name, not 2", "call it as neighbors(v)"),
    ("g.neighbors(0, mode='in')", TypeError, "has no argument 'mode'", "in_neighbors(v)"),
    ("g.has_edge(0, 1, 2)", TypeError, "takes 2 values without a name, not 3", "call it as has_edge(u, v)"),
    ("g.has_edge(0, target=1)", TypeError, "Graph.has_edge() has no argument 'target'", "did you mean v?"),
    ("g.snapshot(1)", TypeError, "takes no values without a name, not 1", "call it as snapshot()"),
    ("r.get()", TypeError, "PageRankResult.get() lacks 'v'", "call it as get(v)"),
    ("g + s", TypeError, "a graph has no +", "g.add_edges(h)"),
    ("operator.setitem(g, 0, 3)", TypeError, "graph[...] is for reading", "set((u, v), amount=3)"),
    ("operator.delitem(g, 0)", TypeError, "graph[...] is for reading", "remove_vertices([v])"),
    ("g.edges.amount", AttributeError, "no attribute 'amount'", 'to_pandas()["amount"]'),
    ("g.schema", AttributeError, "no attribute 'schema'", "edges.schema"),
    ("g.where(r)", rz.RizomaError, "PageRank of 3 vertices", "result.store(graph)"),
    ("rz.modularity(g, {0: 1})", rz.RizomaError, "leaves out 2 vertices of the graph, such as 1", "one community"),
    ("rz.modularity(s, rz.louvain(g))", rz.RizomaError, "communities names 0", "those of its vertices alone"),
    ("g.query('MATCH (a)-[:KNOWS]->(b) RETURN b')", rz.RizomaError, "  MATCH (a)-[:KNOWS]->(b)", "add_column('type'"),
]


@pytest.fixture(scope="module")
def things():
    graph = rz.open(None, edges={"amount": "float64"}, vertices={"age": "int64", "name": "string"})
    graph.add_edges({"source": [0, 1, 2], "target": [1, 2, 0], "amount": [1.0, 2.0, 3.0]})
    names = rz.open(None)
    names.add_edges([("ann", "bob"), ("bob", "cem")])
    found = {"r": rz.pagerank(graph), "b": rz.bfs(graph, 0), "d": rz.sssp(graph, 0)}
    return {
        "__file__": __file__,
        "copy": copy,
        "operator": operator,
        "rz": rz,
        "np": np,
        "nx": nx,
        "pd": pd,
        "g": graph,
        "s": names,
        **found,
    }


@pytest.mark.parametrize(("call", "error", "cause", "remedy"), MISTAKES, ids=[call for call, *_ in MISTAKES])
def test_the_message_says_what_is_wrong_and_how_to_mend_it(things, call, error, cause, remedy, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error) as raised:
        eval(call, things)
    assert cause in str(raised.value)
    assert remedy in str(raised.value)


def test_arrays_and_tables_still_take_the_values_of_a_result(things):
    ranks, values = things["r"], things["r"].to_numpy()
    assert ((ranks + np.ones(3)) == values + 1).all()
    assert ((np.ones(3) * ranks) == values).all()
    assert (np.log(ranks) == np.log(values)).all()
    assert ((pd.Series(np.ones(3)) - ranks) == 1 - values).all()
    assert np.asarray(ranks).max() == values.max()


def test_a_result_serves_as_a_function_of_ids(things):
    ranks = things["r"]
    assert sorted(things["g"], key=ranks) == sorted(things["g"], key=ranks.get)
    assert [*pd.Series([2, 0]).map(ranks)] == [ranks[2], ranks[0]]
    assert [*pd.DataFrame({"a": [1, 2, 3]}).assign(rank=ranks)["rank"]] == [*ranks.to_numpy()]
    with pytest.raises(rz.VertexNotFoundError, match="no vertex 77"):
        pd.Series([77]).map(ranks)


def test_values_are_read_as_ever(things):
    graph, ranks = things["g"], things["r"]
    assert (graph.num_edges.bit_length(), getattr(graph, "num_edges"), [*map(len, [ranks.ids])]) == (2, 3, [3])  # noqa: B009
    assert rz.Graph.num_edges.__doc__.startswith("Number of edges")
    assert pickle.loads(pickle.dumps(ranks)).iterations == ranks.iterations
    assert not hasattr(ranks, "modularity")


def test_numbers_of_numpy_are_numbers(things):
    ranks = [rz.pagerank(things["g"], tol=tol).to_numpy() for tol in (1e-9, np.float64(1e-9))]
    assert (ranks[0] == ranks[1]).all()


def test_rows_without_a_length_are_listed(things):
    for rows in (things["g"].match("(a)-->(b)"), things["g"].query("MATCH (a)-->(b) RETURN a")):
        assert sum(batch.num_rows for batch in list(rows)) == rows.count()


def test_a_time_as_text_is_no_tag(tmp_path):
    rz.open(tmp_path / "s.rz").close()
    with pytest.raises(rz.RizomaError, match=r"no tag '2026-01-02'.*; text names a tag, .*datetime\(2026, 1, 2"):
        rz.open(tmp_path / "s.rz", at="2026-01-02")
    with pytest.raises(rz.RizomaError, match=r"no tag 'v1'; it has none$"):
        rz.open(tmp_path / "s.rz", at="v1")


def test_help_shows_what_has_edge_needs():
    import inspect

    assert str(inspect.signature(rz.Graph.has_edge)).startswith("(self, u: 'VertexKey', v: 'VertexKey')")


def test_private_arguments_are_not_listed():
    with pytest.raises(TypeError, match="it takes path, directed") as raised:
        rz.open(None, graphic=False)
    assert "_part" not in str(raised.value)


def test_ids_are_shown_shortened_and_none_of_removed_vertices():
    graph = rz.open(None)
    graph.add_edges([("a" * 100, "bob")])
    with pytest.raises(rz.RizomaError, match=f"such as '{'a' * 40}\\.\\.\\.' and 'bob'$"):
        graph.neighbors("zoe")
    graph.remove_vertices(["bob"])
    with pytest.raises(rz.RizomaError, match=r"no vertex 'zoe'$"):
        graph.neighbors("zoe")


# A file; what it holds; what is said of it.
FILES = [
    ("not.parquet", "no parquet", "not.parquet: this is no Parquet file", "format="),
    ("weights.csv", "source,target,weight\n1,2,heavy\n", "weights.csv:2:5: found 'heavy'", "weights=False takes none"),
    ("plain.csv.gz", "source,target\n1,2\n", "plain.csv.gz: this is no gzip data", "rename a file"),
    (
        "ends.json",
        '{"nodes": [], "links": [{"from": 1, "to": 2}]}',
        "ends.json:1: edge 0",
        "keys 'from', 'to': name its",
    ),
    ("kinds.txt", "ann bob friend\n", "kinds.txt:1:9: found 'friend'", 'format="csv", delimiter=" ", source="0"'),
    ("list.json", '[{"source": 1, "target": 2}, {"sou', "list.json:1: expected an object", "cut off at its end"),
    ("half.graphml", "<graphml><graph><edge source='a' targ ", "half.graphml:1", "cut off at its end"),
    (
        "name.csv",
        "source,target,weight\nSmith, John,bob,2\n",
        "name.csv:2:",
        "4 fields, the first line 3: a value with",
    ),
    ("cut.gml", "graph [ node [ id 1 ]", "cut.gml:1: the file ends within a record", "write or fetch it again"),
    ("cut.graphml", "<graphml><graph>", "cut.graphml:1: the file ends within the element 'graph'", "fetch it again"),
    ("days.csv", "source,target,day\n1,2,2026-13-01\n", "days.csv:2:5: '2026-13-01' in column 'day'", "null="),
]


@pytest.mark.parametrize(("name", "text", "cause", "remedy"), FILES, ids=[name for name, *_ in FILES])
def test_a_file_is_named_with_its_line_and_a_remedy(tmp_path, name, text, cause, remedy):
    (tmp_path / name).write_text(text)
    columns = {"day": "date"} if name == "days.csv" else None
    with pytest.raises(rz.RizomaError) as raised:
        rz.read(tmp_path / name, weights=True if name == "weights.csv" else None, edges=columns)
    assert cause in str(raised.value)
    assert remedy in str(raised.value)


def test_files_of_a_directory_and_ids_of_vertices_are_told_with_their_cause(tmp_path):
    (tmp_path / "edges.csv").write_text("source,target\n1,2\n")
    (tmp_path / "notes.md").write_text("# notes\nhello\n")
    with pytest.raises(rz.RizomaError, match=r"files of several kinds \(\.csv, \.md\): name those to read"):
        rz.read(tmp_path)
    (tmp_path / "people.csv").write_text("name,number\nann,1\n")
    with pytest.raises(rz.RizomaError, match="the column 'name' is taken for the ids; name another by vertex="):
        rz.read(tmp_path / "edges.csv", vertex_files=[tmp_path / "people.csv"])


def test_what_became_of_an_open_store_is_told(tmp_path):
    with rz.open(tmp_path / "s.rz") as graph:
        graph.add_edges([(0, 1)])
        graph.tag("v1")
        graph.compact()
    with (
        rz.open(tmp_path / "s.rz", at="v1") as past,
        pytest.raises(rz.RizomaError, match="a tagged state does not change; open it without at="),
    ):
        past.add_edges([(1, 2)])
    with pytest.raises(rz.RizomaError, match=r"graph\.add_column\(name, type\) adds one"):
        rz.open(tmp_path / "s.rz", edges={"amount": "float64"})
    shutil.copytree(tmp_path / "s.rz", tmp_path / "t.rz")
    (tmp_path / "t.rz" / "data").unlink()
    with pytest.raises(rz.CorruptError, match=r"lacks a file.*data.*; restore a copy of the store"):
        rz.open(tmp_path / "t.rz")
    graph = rz.open(tmp_path / "s.rz")
    shutil.rmtree(tmp_path / "s.rz")
    with pytest.raises(rz.RizomaError, match=r"was removed while it is open.*copy_to"):
        graph.compact()


@pytest.mark.parametrize("text", ["", "source,target\n", "# nothing\n"], ids=["empty", "a header", "comments"])
def test_a_file_without_edges_is_told_of(tmp_path, text):
    (tmp_path / "nothing.csv").write_text(text)
    with pytest.warns(ReadWarning, match=r"no edge was read from .*nothing\.csv: empty, a header alone"):
        assert len(rz.read(tmp_path / "nothing.csv")) == 0
    done = CliRunner().invoke(app, ["import", str(tmp_path / "nothing.rz"), str(tmp_path / "nothing.csv")])
    assert "no edge was read from" in done.stderr
    (tmp_path / "one.csv").write_text("source,target\n1,2\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # one of many files may well be empty, and a table in memory is known
        rz.read(tmp_path / "nothing.csv", tmp_path / "one.csv")
        rz.read([])


# What is typed behind `rizoma`; the parts of the one line of the answer.
COMMANDS = [
    ("run s.rz pagerank", ["the algorithm comes first: rizoma run pagerank s.rz"]),
    ("run s.rz core-number", ["the algorithm comes first: rizoma run core-number s.rz"]),
    ("run pagerank", ["missing argument 'STORE'", "write rizoma run pagerank [OPTIONS] STORE"]),
    ("run pagerank s.rz --top ten", ["'--top': 'ten'", "give a whole number"]),
    ("run pagerank s.rz --top=-1", ["'--top': '-1'", "give 0 or more"]),
    ("run pagerank s.rz --alpha high", ["'--alpha': 'high'", "give a number"]),
    ("run bfs s.rz ann", ["extra argument(s) (ann)", "a vertex is named by --source ann"]),
    ("import . pay.csv", ["holds other files", "a new or empty directory"]),
    ("import n.rz pay.csv --sep ,", ["no such option: --sep", "did you mean --delimiter?"]),
    ("import n.rz pay.csv --edges", ["no such option: --edges", "--edge-column NAME:TYPE"]),
    ("import n.rz pay.csv --nodes pay.csv", ["no such option: --nodes", "did you mean --vertices?"]),
    ("import n.rz pay.csv --src a", ["no such option: --src", "did you mean --source-column?"]),
    ("import n.rz pay.csv --to a", ["no such option: --to", "did you mean --target-column?"]),
    ("import n.rz pay.csv --weighted", ["no such option: --weighted", "did you mean --weights?"]),
    ("import n.rz pay.csv --force", ["no such option: --force", "rm -r STORE"]),
    ("import n.rz pay.csv --output n.rz", ["no such option: --output", "rizoma import STORE FILE"]),
    ("import n.rz pay.csv --format tsv", ["--format tsv is not known", "did you mean 'csv'?"]),
    ("import n.rz pay.csv -j 2", ["no such option: -j", "did you mean --threads?"]),
    ("import n.rz pay.csv --verbose", ["no such option: --verbose", "did you mean --progress?"]),
    ("run pagerank s.rz --damping 0.9", ["no such option: --damping", "did you mean --alpha?"]),
    ("run pagerank s.rz --limit 3", ["no such option: --limit", "did you mean --top?"]),
    ("run pagerank s.rz --iterations 3", ["no such option: --iterations", "did you mean --max-iter?"]),
    ("run pagerank s.rz --csv", ["no such option: --csv", "-o FILE"]),
    ("run pagerank s.rz --personalization ann", ["personalization is 'ann'", "--personalization ann=1"]),
    ("run bfs s.rz --root ann", ["no such option: --root", "did you mean --source?"]),
    ("tags s.rz v1", ["(v1)", "did you mean --add v1?"]),
    ("match s.rz (a)-->(b) a=ann", ["(a=ann)", "--where \"a.id = 'ann'\""]),
    ("export s.rz out.csv --sep ;", ["no such option: --sep", ".tsv tabs"]),
    ("neighbors ann s.rz", ["no graph at ann", "the store comes first, and s.rz is one"]),
    ("run bfs s.rz --source zoe", ["no vertex 'zoe'", "its ids are such as 'ann' and 'bob'"]),
    ("run louvain s.rz --column", ["'--column' requires an argument", "Keep the values in the store as a column"]),
    ("neighbors s.rz -5", ["no such option: -5", "negative ids come behind --, as in rizoma neighbors STORE -- -5"]),
    ("neighbors s.rz", ["missing argument 'ID'", "write rizoma neighbors [OPTIONS] STORE ID"]),
    ("generate rmat g.rz --scale 99", ["'--scale': '99'", "give 40 or less"]),
    ("export s.rz nodir/out.txt", ["cannot write nodir/out.txt", "there is no directory nodir"]),
    ("add s.rz dan", ["dan: no such file", "--vertex dan adds a vertex"]),
    ("remove s.rz ann", ["ann: no such file", "--vertex ann removes a vertex"]),
    ("set-weights s.rz pay.csv", ["s.rz has no weights", "rizoma import --weight-column NAME"]),
    ("info nothere.rz", ["no graph at nothere.rz", "rizoma import"]),
    ("info pay.csv", ["pay.csv is a file, but a graph is a directory", "rizoma import"]),
    ("check pay.csv", ["pay.csv is a file, but a graph is a directory", "rizoma import"]),
    ("check nothere.rz", ["no graph at nothere.rz", "rizoma import"]),
    ("shell s.rz", ["no command 'shell'", "did you mean rizoma query?"]),
    ("plot s.rz", ["no command 'plot'", "did you mean rizoma report?"]),
    ("report s.rz page.html", ["(page.html)", "a file to write is named by -o page.html"]),
    ("match s.rz (a)-->(b) pairs.csv", ["(pairs.csv)", "a file to write is named by -o pairs.csv"]),
    ("query s.rz MATCH (a) RETURN a", ["((a) RETURN a)", "put the text in quotes"]),
    ("match s.rz (a)--> (b)", ["((b))", "put the pattern in quotes"]),
    ("match s.rz a--", ['to begin a vertex, not "a"', "put the text in quotes"]),
    ("match s.rz (a)-->(b) --where a.amount", ["no column 'amount'", "put the text in quotes"]),
    ("match s.rz (a>3)-->(b)", ['not ">"', 'give --where "a.age > 3"']),
    ("run pagerank s.rz --memory-limit 4", ["4 bytes without a unit", "write 4M or 4G"]),
    ("report s.rz -o page.pdf", ["page.pdf: a report is a page", ".html"]),
    ("import n.rz pay.csv --delimiter ;", ["pay.csv:1:1", "divided by ','", "--delimiter"]),
    ("run pagerank s.rz -k 10", ["no such option: -k", "did you mean --top?"]),
    ("tags s.rz add v1", ["(add v1)", "did you mean --add v1?"]),
    ("bench kernels --competitors networkx2", ["no competitor 'networkx2'", "networkit"]),
    ("import n.rz pay.csv --directed true", ["--directed takes no value", "leave out 'true'"]),
    ("run pagerank s.rz --ranks 2", ["no such option: --ranks", "mpiexec -n 2 rizoma run pagerank"]),
    ("snapshot s.rz", ["no command 'snapshot'", "did you mean rizoma tags?"]),
    ("import n.rz pay.csv --source a", ["no such option: --source", "did you mean --source-column?"]),
    ("import n.rz pay.csv -s a", ["no such option: -s", "did you mean --source-column?"]),
    ("import n.rz pay.csv --target a", ["no such option: --target", "did you mean --target-column?"]),
    ("import n.rz pay.csv --weight amount", ["no such option: --weight", "did you mean --weight-column?"]),
    ("import n.rz pay.csv --weight-col amount", ["no such option: --weight-col", "did you mean --weight-column?"]),
    ("import n.rz pay.csv --columns amount", ["no such option: --columns", "--edge-column NAME:TYPE"]),
    ("info s", ["no graph at s", "did you mean s.rz?"]),
    ("run bfs s.rz --target ann", ["no such option: --target", "rizoma path STORE A B"]),
    ("run shortest_path s.rz", ["no algorithm 'shortest_path'", "rizoma path STORE A B"]),
    ("run s.rz shortest-path", ["no algorithm 'shortest_path'", "rizoma path STORE A B"]),
    ("shortest_path s.rz", ["no command 'shortest_path'", "did you mean rizoma path?"]),
    ("remove s.rz --edge ann bob", ["no such option: --edge", 'echo "ann bob" | rizoma remove STORE -']),
    ("add s.rz --edge ann bob", ["no such option: --edge", 'echo "ann bob" | rizoma add STORE -']),
    ("add s.rz pay.csv --weight-column amount", ["has no weights", "leave --weight-column out"]),
    ("query s.rz RETURN($x)", ["no value is given for $x", "give --param x=VALUE"]),
    ("query s.rz pay.csv", ["pay.csv is a file", 'rizoma query s.rz "$(cat pay.csv)"']),
    ("query s.rz MATCH(a:P)RETURN(a)", ["no column 'label'", "rizoma import --vertex-column label:string"]),
    ("export s.rz out.csv --columns amount", ["no such option: --columns", "all columns are written", "--select NAME"]),
    ("export kept.rz out.mtx", ["this graph has edge columns (amount)", "write one of these\n"]),
    ("rm s.rz", ["no command 'rm'", "rm -r STORE"]),
    ("match s.rz (a)-[:K]->(b)", ["no column 'type'", "--type-column names another"]),
    ("run pagerank s.rz --at 2026-01-01", ["no tag '2026-01-01'", "text names a tag"]),
]


@pytest.mark.parametrize(("words", "parts"), COMMANDS, ids=[words for words, _ in COMMANDS])
def test_the_command_says_what_is_wrong_and_how_to_mend_it(tmp_path, monkeypatch, words, parts):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pay.csv").write_text("source,target,amount\nann,bob,3\n")
    rz.read(tmp_path / "pay.csv", into="s.rz").close()
    rz.read(tmp_path / "pay.csv", into="kept.rz", edges="infer").close()
    done = CliRunner().invoke(app, words.split(), prog_name="rizoma")
    assert done.exit_code in (1, 2)
    for part in parts:
        assert part in done.stderr


def test_an_error_stays_where_its_cause_cannot_be_looked_for(tmp_path: Path) -> None:
    """Python's reader of CSV takes no field of more than 131,072 characters."""
    (tmp_path / "e.csv").write_text(f"source,target,weight\na,b,1\nc,{'x' * 140_000},y,2\n")
    with pytest.raises(rz.ParseError, match=r"e\.csv:3:"):
        rz.read(tmp_path / "e.csv")


@pytest.mark.parametrize("of", ["edges", "vertices"])
def test_an_index_that_pandas_wrote_is_no_column(tmp_path: Path, of: str) -> None:
    pd.DataFrame({"source": [1, 2], "target": [2, 3], "km": [1, 2], "fee": [3, 4]}).to_csv(tmp_path / "e.csv")
    beside = {"vertex_files": [tmp_path / "e.csv"], "vertex": "source", "source": "source", "target": "target"}
    graph = rz.read(tmp_path / "e.csv", **{of: "infer"}, **(beside if of == "vertices" else {}))
    kept = {"edges": {"km", "fee"}, "vertices": {"target", "km", "fee"}}[of]
    assert set(graph.edge_columns if of == "edges" else graph.vertex_columns) == kept
    assert "not read: ''" in str(graph.last_import)


def test_a_decimal_comma_is_no_delimiter(tmp_path: Path) -> None:
    (tmp_path / "e.csv").write_text("source;target;km\na;b;1\na;c;2,5\n")
    with pytest.raises(rz.ParseError, match=r'^.*e\.csv:3:5: .*decimal=","'):
        rz.read(tmp_path / "e.csv", edges={"km": "float64"})
