"""A graph that has weights asks for them, whatever is added to it and whichever way."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import rizoma as rz
from pyarrow import parquet

NONE = {"source": [1, 2], "target": [2, 3]}
OTHER = NONE | {"cost": [5.0, 6.0]}
TEXT = NONE | {"weight": ["1.5", "much"]}
GIVEN = NONE | {"weight": [1.5, 2.5]}


def _csv(columns: dict[str, Any], place: Path) -> Path:
    pd.DataFrame(columns).to_csv(place / "more.csv", index=False)
    return place / "more.csv"


def _ndjson(columns: dict[str, Any], place: Path) -> Path:
    pd.DataFrame(columns).to_json(place / "more.ndjson", orient="records", lines=True)
    return place / "more.ndjson"


def _parquet(columns: dict[str, Any], place: Path) -> Path:
    parquet.write_table(pa.table(columns), place / "more.parquet")
    return place / "more.parquet"


def _edge_list(columns: dict[str, Any], place: Path) -> Path:
    rows = zip(*columns.values(), strict=True)
    (place / "more.el").write_text("".join(" ".join(map(str, row)) + "\n" for row in rows))
    return place / "more.el"


SOURCES: dict[str, Callable[[dict[str, Any], Path], Any]] = {
    "csv": _csv,
    "ndjson": _ndjson,
    "parquet": _parquet,
    "pandas": lambda columns, _: pd.DataFrame(columns),
    "arrow": lambda columns, _: pa.table(columns),
    "mappings": lambda columns, _: pd.DataFrame(columns).to_dict("records"),
    "edge list": _edge_list,
    "rows": lambda columns, _: list(zip(*columns.values(), strict=True)),
    "array": lambda columns, _: np.array(list(columns.values())).T,
}
NAMED = ("csv", "ndjson", "parquet", "pandas", "arrow", "mappings")
FILES = ("csv", "ndjson", "parquet", "edge list")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    with rz.open(tmp_path / "g.rz", weights=True, directed=True, ids="integer") as graph:
        graph.add_edges([(7, 8, 2.0)])
    return tmp_path / "g.rz"


def rows_of(store: Path) -> list[tuple[Any, ...]]:
    with rz.open(store) as graph:
        return sorted(tuple(row.values()) for row in graph.edges.to_arrow().to_pylist())


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("columns", [NONE, OTHER, TEXT], ids=["none", "another", "text"])
def test_what_has_no_weights_is_not_appended_to_a_graph_that_has(
    source: str, columns: dict[str, Any], store: Path, tmp_path: Path
) -> None:
    if columns is OTHER and source not in NAMED:
        return  # a third item without a name is the weight that is asked for
    with pytest.raises((rz.RizomaError, ValueError), match=r"weight|much|number"):
        rz.read(SOURCES[source](columns, tmp_path), into=store, append=True)
    assert rows_of(store) == [(7, 8, 2.0)]


@pytest.mark.parametrize("source", SOURCES)
def test_each_edge_weighs_1_where_somebody_says_so(source: str, store: Path, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rz.read(SOURCES[source](NONE, tmp_path), into=store, append=True, weights=False).close()
    assert rows_of(store) == [(1, 2, 1.0), (2, 3, 1.0), (7, 8, 2.0)]


@pytest.mark.parametrize("source", SOURCES)
def test_weights_are_appended(source: str, store: Path, tmp_path: Path) -> None:
    rz.read(SOURCES[source](GIVEN, tmp_path), into=store, append=True).close()
    assert rows_of(store) == [(1, 2, 1.5), (2, 3, 2.5), (7, 8, 2.0)]


@pytest.mark.parametrize("source", [name for name in NAMED if name in FILES])
@pytest.mark.parametrize("how", [["add"], ["import", "--append"]], ids=["add", "import"])
def test_commands_ask_as_python_does(source: str, how: list[str], store: Path, tmp_path: Path, rizoma: Any) -> None:
    for columns in (NONE, OTHER, TEXT):
        failed = rizoma(how[0], store, SOURCES[source](columns, tmp_path), *how[1:], check=False)
        assert failed.returncode in (1, 2)
        assert rows_of(store) == [(7, 8, 2.0)]
    rizoma(how[0], store, SOURCES[source](OTHER, tmp_path), *how[1:], "--weight-column", "cost")
    assert rows_of(store) == [(1, 2, 5.0), (2, 3, 6.0), (7, 8, 2.0)]
    rizoma(how[0], store, SOURCES[source](NONE, tmp_path), *how[1:], "--weights", "none")
    assert rows_of(store) == [(1, 2, 1.0), (2, 3, 1.0), (7, 8, 2.0)]


@pytest.mark.parametrize("source", [name for name in SOURCES if name not in FILES])
def test_adding_edges_says_that_each_weighs_1(source: str, tmp_path: Path) -> None:
    graph = rz.open(None, weights=True, directed=True, ids="integer")
    with pytest.warns(rz.errors.ReadWarning, match="each weighs 1"):
        graph.add_edges(SOURCES[source](NONE, tmp_path))
    with pytest.warns(rz.errors.ReadWarning, match="each weighs 1"), graph.batch() as batch:
        batch.add_edges(SOURCES[source](NONE, tmp_path))
    with pytest.raises((rz.RizomaError, ValueError)):
        graph.add_edges(SOURCES[source](TEXT, tmp_path))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        graph.add_edges(SOURCES[source](GIVEN, tmp_path))
    assert sorted(graph.edges.to_arrow()["weight"].to_pylist()) == [1.5, 2.5]


@pytest.mark.parametrize("command", ["add", "remove", "set-weights"])
def test_commands_that_change_have_the_options_of_reading(
    command: str, store: Path, tmp_path: Path, rizoma: Any
) -> None:
    (tmp_path / "odd.csv").write_text("# note\na;b;cost\n7;8;4,5\n# more\n")
    options = ["--delimiter", ";", "--decimal", ",", "--comment", "#", "--header"]
    columns = ["--source-column", "a", "--target-column", "b", "--weight-column", "cost"]
    rizoma(command, store, tmp_path / "odd.csv", *options, *columns)
    assert rows_of(store) == ([] if command == "remove" else [(7, 8, 4.5)])


TRIPLES = {
    "whole numbers": ([(0, 1, 2001), (1, 2, 2002)], None),
    "fractions": ([(0, 1, 1.5), (1, 2, 2.0)], [1.5, 2.0]),
    "whole floats": ([(0, 1, 1.0), (1, 2, 2.0)], None),
    "text and numbers": ([("a", "b", 5), ("b", "c", 6)], [5, 6]),
    "text": ([("a", "b", "c"), ("b", "c", "d")], None),
    "truth values": ([("a", "b", True), ("b", "c", False)], None),
}


@pytest.mark.parametrize("kind", TRIPLES)
def test_a_third_item_is_the_weight_where_it_can_be_nothing_else(kind: str) -> None:
    rows, expected = TRIPLES[kind]
    forms = [rows, [list(row) for row in rows], iter(rows)]
    if not isinstance(rows[0][0], str):
        forms.append(np.array(rows))
    for form in forms:
        if expected is None:
            with pytest.raises(rz.RizomaError, match=r"weights=True|number"):
                rz.read(form, directed=True)
        else:
            graph = rz.read(form, directed=True)
            assert sorted(graph.edges.to_arrow()["weight"].to_pylist()) == expected
    if expected is not None or kind in ("whole numbers", "whole floats"):
        graph = rz.read(rows, directed=True, weights=True)
        assert sorted(graph.edges.to_arrow()["weight"].to_pylist()) == sorted(row[2] for row in rows)
