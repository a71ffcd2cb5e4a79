"""Every question crossed with every source: the same data give the same graph in every form, or the page says why not.

A cell that differs from its neighbours is in the table of docs/guide/what-is-read.md, with the reason.
"""

from __future__ import annotations

import csv
import json
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import fsspec
import igraph
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
import rizoma as rz
from rizoma.cli.commands import app
from typer.testing import CliRunner

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "what-is-read.md"
Columns = dict[str, list[Any]]


def _csv(columns: Columns, place: Path, delimiter: str, name: str) -> Path:
    with (place / name).open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return place / name


def _rows(columns: Columns) -> list[dict[str, Any]]:
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _ndjson(columns: Columns, place: Path) -> Path:
    path = place / "edges.ndjson"
    path.write_text("".join(json.dumps(row) + "\n" for row in _rows(columns)), encoding="utf-8")
    return path


def _parquet(columns: Columns, place: Path) -> Path:
    pq.write_table(pa.table(columns), place / "edges.parquet")
    return place / "edges.parquet"


def _pipe_like(columns: Columns, place: Path) -> Path:
    """Text whose name tells nothing, as what comes through a pipe."""
    return _csv(columns, place, ",", "stdin")


def _url(columns: Columns, place: Path) -> str:
    text = _csv(columns, place, ",", "far.csv").read_bytes()
    fsspec.filesystem("memory").pipe(f"/{place.name}/edges.csv", text)
    return f"memory://{place.name}/edges.csv"


def _dask(columns: Columns, _: Path) -> Any:
    frames = pytest.importorskip("dask.dataframe", reason="Dask is not installed")
    return frames.from_pandas(pd.DataFrame(columns), npartitions=2)


SOURCES: dict[str, Callable[[Columns, Path], Any]] = {
    "csv": lambda columns, place: _csv(columns, place, ",", "edges.csv"),
    "tsv": lambda columns, place: _csv(columns, place, "\t", "edges.tsv"),
    "no name": _pipe_like,
    "parquet": _parquet,
    "ndjson": _ndjson,
    "pandas": lambda columns, _: pd.DataFrame(columns),
    "polars": lambda columns, _: pl.DataFrame(columns),
    "lazy polars": lambda columns, _: pl.LazyFrame(columns),
    "arrow": lambda columns, _: pa.table(columns),
    "arrow reader": lambda columns, _: pa.table(columns).to_reader(),
    "dataset": lambda columns, place: ds.dataset(_parquet(columns, place)),
    "url": _url,
    "dask": _dask,
    "duckdb": lambda columns, _: duckdb.connect().from_arrow(pa.table(columns)),
    "dict": lambda columns, _: columns,
    "mappings": lambda columns, _: _rows(columns),
    "structured array": lambda columns, _: np.rec.fromarrays(list(columns.values()), names=list(columns)),
}
FILES = ("csv", "tsv", "no name", "parquet", "ndjson", "url")

ENDS = {"source": ["a", "b", "c"], "target": ["b", "c", "a"]}
PAIRS = [("a", "b"), ("b", "c"), ("c", "a")]


@dataclass
class Question:
    """Columns, the options they are read with, and the edges that come of it, with weights; None: refused."""

    columns: Columns
    edges: list[tuple[Any, ...]] | None
    options: dict[str, Any] = field(default_factory=dict)
    directed: bool = True
    says: str = ""  # in the report, or in what is raised
    warns: bool = False


def weighted(*weights: float) -> list[tuple[Any, ...]]:
    return [(*pair, weight) for pair, weight in zip(PAIRS, weights, strict=True)]


D = {"directed": True}
QUESTIONS = {
    "weight by name": Question(ENDS | {"weight": [1.5, 2.5, 3.5]}, weighted(1.5, 2.5, 3.5), D),
    "weight called w": Question(ENDS | {"W": [1.5, 2.5, 3.5]}, weighted(1.5, 2.5, 3.5), D),
    "a third column of numbers": Question(ENDS | {"year": [1999, 2001, 2024]}, PAIRS, D, says="year"),
    "a third column by option": Question(
        ENDS | {"year": [1999, 2001, 2024]}, weighted(1999, 2001, 2024), D | {"weight": "year"}
    ),
    "weights asked for, none named": Question(ENDS | {"year": [1999, 2001, 2024]}, None, D | {"weights": True}),
    "weights asked for, row numbers": Question({"Unnamed: 0": [0, 1, 2]} | ENDS, None, D | {"weights": True}),
    "weights asked for, none there": Question(ENDS, None, D | {"weights": True}),
    "weights of text": Question(ENDS | {"weight": ["1.5", " 2.5", "3"]}, weighted(1.5, 2.5, 3), D | {"weights": True}),
    "weights of other text": Question(
        ENDS | {"weight": ["1.5", "much", "3"]}, None, D | {"weights": True}, says="much"
    ),
    "a weight that is text": Question(
        ENDS | {"weight": ["x", "y", "z"]}, PAIRS, D, says="not read as the weight", warns=True
    ),
    "two columns that may be the weight": Question(
        ENDS | {"w": [1, 2, 3], "weight": [4, 5, 6]}, None, D, says="can both be the weight"
    ),
    "two that may be the weight, one named": Question(
        ENDS | {"w": [1, 2, 3], "weight": [4, 5, 6]}, weighted(1, 2, 3), D | {"weight": "w"}
    ),
    "two that may be the weight, read without": Question(
        ENDS | {"w": [1, 2, 3], "weight": [4, 5, 6]}, PAIRS, D | {"weights": False}
    ),
    "two that may be the weight, one of text": Question(
        ENDS | {"w": ["x", "y", "z"], "weight": [4, 5, 6]}, weighted(4, 5, 6), D, says="not read", warns=True
    ),
    "three columns, none known": Question(
        {"day": ["mon", "tue", "wed"], "account": ["a", "b", "c"], "counterparty": ["b", "c", "a"]}, None, D
    ),
    "ends by option": Question(
        {"day": ["mon", "tue", "wed"], "account": ["a", "b", "c"], "counterparty": ["b", "c", "a"]},
        PAIRS,
        D | {"source": "account", "target": "counterparty"},
    ),
    "ends by name in any place": Question(
        {"amount": [1, 2, 3], "payee": ["b", "c", "a"], "payer": ["a", "b", "c"]}, PAIRS, D
    ),
    "ends with two directions": Question({"head": ["a", "b"], "tail": ["b", "c"]}, None, D, says="tail"),
    "two columns, none known": Question({"one": ["a", "b", "c"], "other": ["b", "c", "a"]}, PAIRS, D),
    "an id and a name": Question({"id": ["a", "b", "c"], "name": ["x", "y", "z"]}, None, D),
    "kept columns": Question(ENDS | {"year": [1999, 2001, 2024]}, PAIRS, D | {"edges": {"year": "int64"}}),
    "a kept column that is missing": Question(ENDS, None, D | {"edges": {"year": "int64"}}, says="year"),
    "direction by row": Question(ENDS | {"Type": ["Directed"] * 3}, PAIRS, {}, says="Type"),
    "no direction by row": Question(ENDS | {"Type": ["Undirected"] * 3}, PAIRS, {}, directed=False),
    "no direction, read as directed": Question(
        ENDS | {"Type": ["Undirected"] * 3}, [*PAIRS, *(pair[::-1] for pair in PAIRS)], D
    ),
    "both directions": Question(
        ENDS | {"Type": ["Directed", "Directed", "Undirected"]}, [*PAIRS, ("a", "c")], {}, says="Type"
    ),
    "direction by truth value": Question(ENDS | {"directed": [True] * 3}, PAIRS, {}, says="directed"),
    "no direction by truth value": Question(ENDS | {"is_directed": [False] * 3}, PAIRS, {}, directed=False),
    "truth values of another name": Question(ENDS | {"checked": [True] * 3}, PAIRS, {}, directed=False),
    "direction, read without": Question(ENDS | {"Type": ["Directed"] * 3}, PAIRS, {"directed": False}, directed=False),
    "whole numbers as floats": Question({"source": [1.0, 2.0], "target": [2.0, 3.0]}, [(1, 2), (2, 3)], D),
    "ints and floats": Question({"source": [1, 2], "target": [2.0, 3.0]}, [(1, 2), (2, 3)], D),
    "negative ids": Question({"source": [-1, 2], "target": [2, -3]}, [(-1, 2), (2, -3)], D),
    "names that are no ASCII": Question(
        {"source": ["é", "日本"], "target": ["日本", "ß"]}, [("é", "日本"), ("日本", "ß")], D
    ),
    "loops": Question({"source": ["a", "b"], "target": ["a", "a"]}, [("a", "a"), ("b", "a")], D),
    "duplicates": Question({"source": ["a", "a"], "target": ["b", "b"]}, [("a", "b")], D, says="made no new edge"),
    "duplicates that are kept": Question(
        {"source": ["a", "a"], "target": ["b", "b"]}, [("a", "b"), ("a", "b")], D | {"parallel_edges": "keep"}
    ),
    "ids that begin with #": Question({"source": ["#a", "b"], "target": ["b", "#a"]}, [("#a", "b"), ("b", "#a")], D),
    "ids that say NULL": Question(
        {"source": ["a", "NULL"], "target": ["b", "a"]}, [("a", "b"), ("NULL", "a")], D, says="NULL", warns=True
    ),
    "ids that are empty": Question(
        {"source": ["a", ""], "target": ["b", "a"]}, [("a", "b"), ("", "a")], D, says="an empty text", warns=True
    ),
    "ids in single quotes": Question(
        {"source": ["'a'", "'b'"], "target": ["'b'", "'c'"]},
        [("'a'", "'b'"), ("'b'", "'c'")],
        D,
        says="with its single quotes",
        warns=True,
    ),
    "ids with blanks of Unicode": Question(
        {"source": ["a\u00a0", "b"], "target": ["b", "c\u200b"]},
        [("a\u00a0", "b"), ("b", "c\u200b")],
        D,
        says="without the blanks around it",
        warns=True,
    ),
    "an id that is missing": Question({"source": ["a", None], "target": ["b", "c"]}, None, D),
    "an unknown option": Question(ENDS, None, {"direced": True}, says="direced"),
}


def _networkx(columns: Columns, _: Path) -> Any:
    graph = nx.MultiDiGraph()
    for row in _rows(columns):
        graph.add_edge(row.pop("source"), row.pop("target"), **row)
    return graph


def _igraph(columns: Columns, _: Path) -> Any:
    names = list(dict.fromkeys([*columns["source"], *columns["target"]]))
    ends = zip(columns["source"], columns["target"], strict=True)
    graph = igraph.Graph(n=len(names), edges=[(names.index(u), names.index(v)) for u, v in ends], directed=True)
    graph.vs["name"] = names
    for name in columns.keys() - {"source", "target"}:
        graph.es[name] = columns[name]
    return graph


def _rizoma(columns: Columns, _: Path) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return rz.read(pa.table(columns), directed=True, parallel_edges="keep", edges="infer")


GRAPHS = {"networkx": _networkx, "igraph": _igraph, "rizoma": _rizoma}
"""They know their ends and direction, so that nothing asks them."""

OF_NO_STORE = (
    "weights of text",
    "weights of other text",
    "a weight that is text",
    "weight called w",
    "two columns that may be the weight",
    "two that may be the weight, one named",
    "two that may be the weight, read without",
    "two that may be the weight, one of text",
)
"""A store has numbers as weights, and calls them so."""

ASKED_OF_GRAPHS = [
    name
    for name, question in QUESTIONS.items()
    if question.columns.keys() >= {"source", "target"}
    and not question.columns.keys() & {"Type", "directed", "is_directed"}
    and name not in ("an id that is missing", "ids that say NULL", "truth values of another name")
]


def reasons() -> dict[tuple[str, str], str]:
    """The cells of the page that differ: by source and question, what comes instead."""
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \| (read|refused|otherwise) \| [^|]+ \|$", PAGE.read_text("utf-8"), re.M)
    return {(source.strip(), question.strip()): what for source, question, what in rows}


def read(source: str, question: Question, place: Path) -> tuple[Any, list[str]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        graph = rz.read((SOURCES | GRAPHS)[source](question.columns, place), **question.options)
    return graph, [str(warning.message) for warning in caught if issubclass(warning.category, rz.errors.ReadWarning)]


def edges_of(graph: Any, with_weights: bool) -> list[tuple[Any, ...]]:
    names = ["source", "target", *(["weight"] if with_weights else [])]
    return sorted(tuple(row[name] for name in names) for row in graph.edges.to_arrow().to_pylist())


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_cell_is_as_its_neighbours(source: str, name: str, tmp_path: Path) -> None:
    question, differs = QUESTIONS[name], reasons().get((source, name))
    if (question.edges is None) != (differs in ("read", "refused")):
        with pytest.raises((rz.RizomaError, TypeError)) as told:
            read(source, question, tmp_path)
        assert differs or question.says in str(told.value)
        return
    graph, warned = read(source, question, tmp_path)
    if differs:
        return
    expect_answer(graph, question)
    assert bool(warned) == question.warns


def expect_answer(graph: Any, question: Question) -> None:
    """The graph is what the question has for an answer."""
    assert question.edges is not None
    assert graph.directed == question.directed
    has_weights = len(question.edges[0]) == 3
    assert (graph.weights is not None) == has_weights
    expected = sorted(question.edges if question.directed else {tuple(sorted(edge)) for edge in question.edges})
    found = edges_of(graph, has_weights)
    assert (found if question.directed else sorted({tuple(sorted(edge)) for edge in found})) == expected
    if graph.last_import is not None:
        assert question.says in str(graph.last_import)


@pytest.mark.parametrize("source", GRAPHS)
@pytest.mark.parametrize("name", ASKED_OF_GRAPHS)
def test_a_graph_is_read_as_tables_are(source: str, name: str, tmp_path: Path) -> None:
    question, differs = QUESTIONS[name], reasons().get((source, name))
    if source == "rizoma" and name in OF_NO_STORE:
        return
    if question.edges is None and differs != "read":
        with pytest.raises((rz.RizomaError, TypeError)) as told:
            read(source, question, tmp_path)
        assert question.says in str(told.value)
        return
    graph, warned = read(source, question, tmp_path)
    if differs:
        return
    expect_answer(graph, question)
    kept = {"source", "target", question.options.get("weight", "weight"), *question.options.get("edges", ())}
    loses = bool(question.columns.keys() - kept) or name == "duplicates"
    assert bool(warned) == (question.warns or loses)


def _flags(options: dict[str, Any]) -> list[str]:
    """Options of `rizoma.read` as those of the command."""
    flags = []
    for name, value in options.items():
        if name == "directed":
            flags.append("--directed" if value else "--undirected")
        elif name == "edges":
            flags += [f"--edge-column={column}:{kind}" for column, kind in value.items()]
        elif name == "weights":
            flags.append("--weights=float64" if value else "--weights=none")
        else:
            known = {"weight": "weight-column", "source": "source-column", "target": "target-column"}
            flags.append(f"--{known.get(name, name.replace('_', '-'))}={value}")
    return flags


@pytest.mark.parametrize("source", ["csv", "parquet", "ndjson", "stdin"])
@pytest.mark.parametrize("name", QUESTIONS)
def test_the_command_reads_as_python_does(source: str, name: str, tmp_path: Path) -> None:
    question = QUESTIONS[name]
    piped = source == "stdin"
    differs = reasons().get(("no name" if piped else source, name))
    file = SOURCES["no name" if piped else source](question.columns, tmp_path)
    given = ["-"] if piped else [str(file)]
    done = CliRunner().invoke(
        app,
        ["import", str(tmp_path / "g.rz"), *given, *_flags(question.options)],
        input=file.read_bytes() if piped else None,
    )
    if (question.edges is None) != (differs in ("read", "refused")):
        assert done.exit_code != 0
        assert not (tmp_path / "g.rz").exists()
        return
    assert done.exit_code == 0, done.output
    if not differs:
        with rz.open(tmp_path / "g.rz") as graph:
            expect_answer(graph, question)


@pytest.fixture(scope="module")
def ranks() -> Any:
    with rz.cluster(2) as cluster:
        yield cluster


@pytest.mark.parametrize("source", ["csv", "parquet"])
@pytest.mark.parametrize("name", QUESTIONS)
def test_two_ranks_read_as_one_process_does(source: str, name: str, tmp_path: Path, ranks: Any) -> None:
    question, differs = QUESTIONS[name], reasons().get((source, name))
    file = SOURCES[source](question.columns, tmp_path)
    if (question.edges is None) != (differs in ("read", "refused")):
        with pytest.raises(rz.RizomaError):
            ranks.read(file, into=tmp_path / "g.rz", **question.options)
        assert not (tmp_path / "g.rz").exists()
        return
    ranks.read(file, into=tmp_path / "g.rz", **question.options).close()
    if not differs:
        with rz.open(tmp_path / "g.rz") as graph:
            expect_answer(graph, question)


@pytest.mark.parametrize("source", [name for name in SOURCES if name not in FILES])
@pytest.mark.parametrize(
    "name",
    [
        "weight by name",
        "weight called w",
        "a third column by option",
        "three columns, none known",
        "ends by option",
        "ends with two directions",
        "an id and a name",
        "whole numbers as floats",
        "ints and floats",
        "negative ids",
        "names that are no ASCII",
        "loops",
        "ids that begin with #",
        "an id that is missing",
    ],
)
def test_adding_edges_reads_as_reading_does(source: str, name: str, tmp_path: Path) -> None:
    question = QUESTIONS[name]
    weights = question.edges is not None and len(question.edges[0]) == 3
    graph = rz.open(None, directed=True, weights=weights or None)
    ends = {key: value for key, value in question.options.items() if key in ("source", "target", "weight")}
    columns = {key: values for key, values in question.columns.items() if not ends or key != "day"}
    data = SOURCES[source](columns, tmp_path)
    if question.edges is None:
        with pytest.raises(rz.RizomaError):
            graph.add_edges(data, **ends)
        assert len(graph) == 0
        return
    graph.add_edges(data, **ends)
    assert edges_of(graph, weights) == sorted(question.edges)
    if weights:
        assert graph.set_weights(SOURCES[source](columns, tmp_path), **ends) == len(question.edges)
    again = SOURCES[source](columns, tmp_path)
    assert graph.remove_edges(again, **{key: ends[key] for key in ends if key != "weight"}) == len(question.edges)


@pytest.mark.parametrize("source", [name for name in SOURCES if name not in (*FILES, "structured array")])
@pytest.mark.parametrize("ids", ["dense", "integer", "string"])
def test_no_rows_are_an_input_of_every_kind(source: str, ids: str, tmp_path: Path) -> None:
    pair = ("a", "b") if ids == "string" else (0, 1)
    graph = rz.open(None, ids=ids, weights=True)
    graph.add_edges([pair])
    for columns in ({"source": [], "target": []}, {"source": [], "target": [], "weight": []}):
        graph.add_edges(SOURCES[source](columns, tmp_path))
        assert graph.remove_edges(SOURCES[source]({"source": [], "target": []}, tmp_path)) == 0
        assert graph.set_weights(SOURCES[source](columns, tmp_path)) == 0
    with graph.batch() as batch:
        batch.remove_edges([])
        batch.add_edges([])
    assert graph.num_edges == 1
    assert len(rz.read(SOURCES[source]({"source": [], "target": []}, tmp_path))) == 0


def test_the_page_has_no_reason_that_no_cell_needs() -> None:
    for source, question in reasons():
        assert source in SOURCES | GRAPHS, source
        assert question in QUESTIONS, question
