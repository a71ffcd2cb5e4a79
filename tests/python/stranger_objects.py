"""Cases of mappings, rows, arrays, matrices and graphs of other libraries."""

from __future__ import annotations

import sqlite3
from collections import Counter, namedtuple
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import rizoma as rz
import scipy.sparse as sp
from stranger_cases import AB, ABC, E12, D, case, of


def cursor(query: str) -> sqlite3.Cursor:
    return sqlite3.connect(":memory:").execute(query)


# mappings and rows
case("dict of lists", of({0: [1, 2], 1: [2]}), None)
case("dict of dicts", of({0: {1: {"weight": 3}}}), None, [(0, 1, 3.0)])
case("dict of weights", of({"a": {"b": 2.0}}), None)
case("dict of sets", of({0: {1, 2}}), None)
case("dict of pairs", of({("a", "b"): 2.0}), None)
case("items of pairs", of({("a", "b"): 2.0}.items()), None)
case("counter", of(Counter([("a", "b"), ("a", "b")])), None)
case("dict of columns of other lengths", of({"source": ["a", "b"], "target": ["b"]}), None)
case("dict of columns, one number", of({"source": "a", "target": "b"}), AB, None)
case("pairs", of([("a", "b"), ("b", "c")]), ABC)
case("pairs as lists", of([["a", "b"], ["b", "c"]]), ABC)
case("pairs of a generator", lambda _: ((i, i + 1) for i in range(1, 3)), [(1, 2), (2, 3)])
case("pairs of zip", lambda _: zip("ab", "bc", strict=True), ABC)
case("pairs of a set", of({("a", "b")}), AB)
case("pairs of frozensets", of([frozenset(("a", "b"))]), None, AB)
case("pairs of strings", of(["ab", "bc"]), None)
case("pairs of mixed ids", of([(1, "a")]), None)
case("pairs of ids mixed late", of([(1, 2)] * 5 + [("1", 2)]), None)
case("pairs of floats", of([(1.0, 2.0)]), E12)
case("pairs of truth", of([(True, False)]), None)
case("pairs with None", of([("a", None)]), None)
case("pairs of great ints", of([(2**70, 1)]), None)
case("pairs of tuples", of([((0, 0), (0, 1))]), None)
case("pairs of numpy ints", of([(np.int64(1), np.uint8(2))]), E12)
case("pairs of enum like text", of([(np.str_("a"), "b")]), AB)
case("pairs of another length", of([(1, 2), (1, 2, 3)]), None)
case("pairs and weights late", of([(1, 2, 0.5), (1, 2)]), None)
case("triples of whole numbers", of([(1, 2, 3)]), None)
case("triples of text and numbers", of([("a", "b", 3)]), [("a", "b", 3.0)], None)
case("triples of year", of([("a", "b", "2024")]), None)
case("triples of None", of([("a", "b", None)]), None)
case("triples of nan", of([("a", "b", float("nan"))]), None)
case("triples beyond 2^53", of([("a", "b", 2**53 + 1)]), None, [("a", "b", 2.0**53)], weights=True, warns="2\\^53")
case("triples of data", of([("a", "b", {"weight": 2})]), [("a", "b", 2.0)])
case(
    "triples of data that some lack",
    of([("a", "b", {"weight": 2}), ("b", "c", {})]),
    None,
    [("a", "b", 2.0), ("b", "c", 1.0)],
)
case("triples of data that the first lacks", of([("a", "b", {}), ("b", "c", {"weight": 2})]), None)
case("four items", of([(1, 2, 3, 4)]), None)
case("one item", of([(1,)]), None)
case("numbers", of([1, 2, 3]), None)
case("nothing", of([]), [])
case("rows of mappings", of([{"source": 1, "target": 2}, {"target": 3, "source": 2}]), [(1, 2), (2, 3)])
case("rows with another key", of([{"source": 1, "target": 2}, {"source": 2, "target": 3, "weight": 2}]), None)
case("rows of from and to", of([{"from": 1, "to": 2}]), E12)
case("rows without any weight", of([{"source": "a", "target": "b", "weight": None}]), AB, warns="no value there")
case(
    "rows of type that some lack",
    of([{"source": "a", "target": "b", "type": "directed"}, {"source": "b", "target": "c", "type": ""}]),
    ABC,
    warns="'type'.*direction",
)
case(
    "rows of a structured array",
    lambda _: list(np.array([(1, 2)], [("target", "i8"), ("source", "i8")])),
    [(2, 1)],
    **D,
)
case("named tuples, the third is a year", of([namedtuple("E", "x y year")("a", "b", 2001)]), None)
case("cursor", lambda _: cursor("select 'b' as target, 'a' as source"), AB)
case(
    "cursor, the third is a year",
    lambda _: cursor("select 'b' as target, 'a' as source, 2001 as year"),
    AB,
    says="not read: 'year'",
)
case("cursor with a weight", lambda _: cursor("select 'a' as source, 'b' as target, 2 as weight"), [("a", "b", 2.0)])
case("cursor, no name is known", lambda _: cursor("select 'a' as x, 'b' as y, 2001 as year"), None)
case("cursor, ends are named", lambda _: cursor("select 'b' as x, 'a' as y, 2001 as year"), AB, source="y", target="x")
case("dict of sets of ends", of({"source": {1, 3}, "target": {2, 4}}), None, says="no order")
case(
    "dict of series with other indexes",
    lambda _: {"source": pd.Series([1, 2]), "target": pd.Series([3, 4], index=[1, 0])},
    None,
)
case("dict of series", lambda _: {"source": pd.Series([1], index=[7]), "target": pd.Series([2], index=[7])}, E12)
case("pairs, ids 1 and 1.0", of([("1", "2"), ("1.0", "3")]), [("1", "2"), ("1.0", "3")], warns="alike")
case("pairs in quotes", of([('"a"', '"b"')]), [('"a"', '"b"')], warns="quotes")
case("triples beyond float64", of([("a", "b", 10**400)]), None)
case("triples of 1_000", of([("a", "b", "1_000")]), None, weights=True)
case("rows of id and name", of([{"id": 1, "name": "x"}]), None)

# NumPy and SciPy
case("numpy pairs", of(np.array([[1, 2], [2, 3]])), [(1, 2), (2, 3)])
case("numpy floats", of(np.array([[1.0, 2.0]])), E12)
case("numpy fractions", of(np.array([[1.5, 2.0]])), None)
case("numpy nan", of(np.array([[np.nan, 2.0]])), None)
case("numpy text", of(np.array([["a", "b"]])), AB)
case("numpy objects", of(np.array([["a", "b"]], object)), AB)
case("numpy mixed objects", of(np.array([["a", 1]], object)), None)
case("numpy bytes", of(np.array([[b"a", b"b"]])), None, AB)
case("numpy truth", of(np.array([[True, False]])), None)
case("numpy uint64", of(np.array([[2**64 - 1, 1]], np.uint64)), None, [(2**64 - 1, 1)])
case("numpy big endian", of(np.array([[1, 2]], ">i4")), E12)
case("numpy float32 beyond its whole numbers", of(np.array([[2**24 + 1, 1]], np.float32)), None, says="2\\^24")
case("numpy float16 beyond its whole numbers", of(np.array([[2049, 1]], np.float16)), None, says="2\\^11")
case("numpy float32 of whole numbers", of(np.array([[1, 2]], np.float32)), E12)
case("numpy big endian weights", of(np.array([[0, 1, 0.5]], ">f8")), [(0, 1, 0.5)])
case("numpy long double weights", of(np.array([[0, 1, 0.5]], np.longdouble)), [(0, 1, 0.5)])
case("numpy half weights", of(np.array([[0, 1, 0.5]], np.float16)), [(0, 1, 0.5)])
case(
    "numpy structured, big endian",
    of(np.array([(1, 2, 0.5)], [("source", ">i8"), ("target", ">i8"), ("weight", ">f4")])),
    [(1, 2, 0.5)],
)
case("numpy structured, a field of two", of(np.array([((1, 2), 3)], [("e", "i8", 2), ("weight", "i8")])), None)
case("dict of big endian", of({"source": np.array([1], ">i8"), "target": np.array([2], ">i8")}), E12)
case("numpy edge index", of(np.array([[0, 1, 2], [1, 2, 0]])), None)
case("numpy edge index, long", of(np.array([[0, 1, 2, 3], [1, 2, 3, 0]])), None)
case("numpy matrix 3x3", of(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])), None)
case("numpy matrix 2x2", of(np.array([[0, 1], [1, 0]])), [(0, 1), (1, 0)], None, **D)
case("numpy third column of floats", of(np.array([[0, 1, 0.5]])), [(0, 1, 0.5)])
case("numpy third column of whole floats", of(np.array([[0, 1, 5.0], [1, 2, 7.0]])), None)
case(
    "numpy third beyond 2^53", of(np.array([[0, 1, 2**53 + 1]])), None, [(0, 1, 2.0**53)], weights=True, warns="2\\^53"
)
case("numpy masked", of(np.ma.array([[1, 2], [3, 4]], mask=[[0, 0], [1, 0]])), None)
case("numpy one dimension", of(np.array([1, 2])), None)
case("numpy empty", of(np.empty((0, 2), np.int64)), [])
case("numpy empty, three", of(np.empty((0, 3))), [])
case(
    "numpy structured",
    of(np.array([(1, 2, 0.5)], [("source", "i8"), ("target", "i8"), ("weight", "f4")])),
    [(1, 2, 0.5)],
)
case(
    "numpy structured, other order",
    of(np.array([(2, 0.5, 1)], [("target", "i8"), ("weight", "f4"), ("source", "i8")])),
    [(1, 2, 0.5)],
)
case("numpy structured, unnamed", of(np.array([(1, 2, 3)], "i8,i8,i8")), None)
case("numpy datetimes", of(np.array([["2024-01-01", "2024-01-02"]], "M8[D]")), None)
case("scipy", lambda _: sp.coo_array(([1.0, 2.0], ([0, 1], [1, 2])), shape=(3, 3)), [(0, 1, 1.0), (1, 2, 2.0)])
case(
    "scipy explicit zero below",
    lambda _: sp.coo_array(([0.0], ([1], [0])), shape=(2, 2)),
    [(1, 0, 0.0)],
    [(0, 1, 0.0)],
    None,
)
case("scipy explicit zero above", lambda _: sp.coo_array(([0.0], ([0], [1])), shape=(2, 2)), [(0, 1, 0.0)], None)
case(
    "scipy explicit zero beside",
    lambda _: sp.csr_array((np.array([5.0, 5.0, 0.0]), np.array([1, 0, 0]), np.array([0, 1, 2, 3])), shape=(3, 3)),
    [(0, 1, 5.0), (2, 0, 0.0)],
    [(0, 1, 5.0), (1, 0, 5.0), (2, 0, 0.0)],
    [(0, 1, 5.0), (0, 2, 0.0)],
    None,
)
case(
    "scipy zero by sums", lambda _: sp.coo_array(([1.0, -1.0], ([0, 0], [1, 1])), shape=(2, 2)), [(0, 1, 0.0)], [], None
)
case("scipy truth", lambda _: sp.coo_array(([True], ([0], [1])), shape=(2, 2)), [(0, 1, 1.0)], [(0, 1)])
case("scipy not square", lambda _: sp.coo_array(([1.0], ([0], [2])), shape=(2, 3)), None)
case("scipy nan", lambda _: sp.coo_array(([np.nan], ([0], [1])), shape=(2, 2)), None)
case(
    "scipy beyond 2^53",
    lambda _: sp.coo_array((np.array([2**53 + 1]), ([0], [1])), shape=(2, 2)),
    None,
    [(0, 1, 2.0**53)],
    warns="2\\^53",
)
case("scipy dia", lambda _: sp.dia_array((np.array([[1.0, 2.0, 3.0]]), [1]), shape=(3, 3)), [(0, 1, 2.0), (1, 2, 3.0)])
case("scipy lil", lambda _: sp.lil_array(np.array([[0, 2.0], [0, 0]])), [(0, 1, 2.0)])
case("scipy dok", lambda _: sp.dok_array(np.array([[0, 2.0], [0, 0]])), [(0, 1, 2.0)])
case(
    "scipy bsr",
    lambda _: sp.bsr_array(np.array([[0, 2.0], [0, 0]])),
    [(0, 1, 2.0)],
    [(0, 0, 0.0), (0, 1, 2.0), (1, 0, 0.0), (1, 1, 0.0)],
)
case(
    "scipy int8 that overflows",
    lambda _: sp.coo_array((np.array([100, 100], np.int8), ([0, 0], [1, 1])), shape=(2, 2)),
    None,
    [(0, 1, 200.0)],
    [(0, 1, -56.0)],
    warns="",
)
case("scipy uint symmetric", lambda _: sp.csr_array(np.array([[0, 1], [2, 0]], np.uint8)), [(0, 1, 1.0), (1, 0, 2.0)])

# graphs


def networkx(kind: type = nx.DiGraph, *edges: Any, **attributes: Any) -> Callable[[Path], Any]:
    def made(_: Path) -> Any:
        graph = kind()
        graph.add_edges_from(edges)
        return graph

    return made


case("networkx", networkx(nx.DiGraph, (1, 2)), E12)
case("networkx mixed nodes", networkx(nx.DiGraph, (1, "a")), None)
case("networkx nodes of tuples", networkx(nx.DiGraph, ((0, 0), (0, 1))), None)
case("networkx nodes of floats", networkx(nx.DiGraph, (1.0, 2.0)), E12)
case("networkx nodes of fractions", networkx(nx.DiGraph, (1.5, 2.0)), None)
case("networkx nodes of truth", networkx(nx.DiGraph, (True, 2)), None)
case("networkx weight", networkx(nx.DiGraph, (1, 2, {"weight": 5})), [(1, 2, 5.0)])
case(
    "networkx weight None",
    networkx(nx.DiGraph, (1, 2, {"weight": None}), (2, 3, {"weight": 2})),
    [(1, 2, 1.0), (2, 3, 2.0)],
    None,
    warns="weigh",
)
case("networkx weight NaN", networkx(nx.DiGraph, (1, 2, {"weight": float("nan")})), None)
case(
    "networkx weight beyond 2^53",
    networkx(nx.DiGraph, (1, 2, {"weight": 2**53 + 1})),
    None,
    [(1, 2, 2.0**53)],
    warns="2\\^53",
)
case("networkx weight Decimal", networkx(nx.DiGraph, (1, 2, {"weight": Decimal("2.5")})), [(1, 2, 2.5)], None)
case("networkx weight 1_000", networkx(nx.DiGraph, (1, 2, {"weight": "1_000"})), E12, warns="1_000")
case("networkx weight of truth", networkx(nx.DiGraph, (1, 2, {"weight": True})), [(1, 2, 1.0)], None, [(1, 2)])
case("networkx weight of a list", networkx(nx.DiGraph, (1, 2, {"weight": [1]})), E12, None, warns="weight")
case("networkx reversed view", lambda _: nx.DiGraph([(2, 1)]).reverse(copy=False), E12)
case("networkx part", lambda _: nx.DiGraph([(1, 2), (2, 3)]).subgraph([1, 2]), E12)
case("networkx multigraph", networkx(nx.MultiDiGraph, (1, 2), (1, 2)), E12, warns="parallel_edges")
case("networkx multigraph, kept", networkx(nx.MultiDiGraph, (1, 2), (1, 2)), [(1, 2), (1, 2)], parallel_edges="keep")
case("networkx keys", networkx(nx.MultiDiGraph, (1, 2, "k", {"x": 1})), [(1, 2, 1)], edges={"x": "int64"})
case("networkx loop", networkx(nx.Graph, (1, 1)), [(1, 1)])
case("networkx edges", lambda _: nx.DiGraph([(1, 2)]).edges, E12)
case("networkx edges of two directions", lambda _: nx.DiGraph([(1, 2), (2, 1)]).edges, [(1, 2), (2, 1)])
case("networkx edges against the direction", lambda _: nx.DiGraph([(2, 1)]).in_edges, [(2, 1)], edges="infer")
case("edges of a graph", lambda _: rz.read([(1, 2), (2, 1)], directed=True).edges, [(1, 2), (2, 1)])
case("edges of a graph, inferred", lambda _: rz.read([(1, 2), (2, 1)], **D).edges, [(1, 2), (2, 1)], edges="infer")
case("edges of a graph without direction", lambda _: rz.read([(1, 2)]).edges, [(1, 2), (2, 1)], **D)
case("networkx edges with data", lambda _: nx.DiGraph([(1, 2, {"weight": 2})]).edges(data=True), [(1, 2, 2.0)])
case("networkx edges with keys", lambda _: nx.MultiDiGraph([(1, 2)]).edges(keys=True), E12, None)
case("networkx attributes", networkx(nx.DiGraph, (1, 2, {"x": 1})), E12, warns="x")


case("networkx attribute of a number", networkx(nx.DiGraph, (1, 2, {5: 7})), [(1, 2, 7)], edges="infer")
case("igraph edges", lambda _: igraph.Graph(edges=[(0, 1)]).es, None)


def _igraph(weights: Any = None, names: Any = None, directed: bool = True) -> Any:
    graph = igraph.Graph(n=3, edges=[(0, 1), (1, 2)], directed=directed)
    if weights is not None:
        graph.es["weight"] = weights
    if names is not None:
        graph.vs["name"] = names
    return graph


case("igraph", lambda _: _igraph(), [(0, 1), (1, 2)])
case("igraph weights", lambda _: _igraph([2, 3.5]), [(0, 1, 2.0), (1, 2, 3.5)])
case("igraph weights NaN", lambda _: _igraph([2, float("nan")]), None)
case("igraph weights None", lambda _: _igraph([2, None]), [(0, 1, 2.0), (1, 2, 1.0)], None, warns="weigh")
case(
    "igraph weights beyond 2^53",
    lambda _: _igraph([2**53 + 1, 2]),
    None,
    [(0, 1, 2.0**53), (1, 2, 2.0)],
    warns="2\\^53",
)
case("igraph names", lambda _: _igraph(names=["a", "b", "c"]), ABC)
case("igraph names None", lambda _: _igraph(names=["a", None, "c"]), None, [(0, 1), (1, 2)])
case("igraph names of ints", lambda _: _igraph(names=[5, 6, 7]), [(5, 6), (6, 7)])
case("igraph names mixed", lambda _: _igraph(names=[5, "b", 7]), None)
