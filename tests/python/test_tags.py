"""Tagged states, what changed since one, and deletion that deletes."""

from __future__ import annotations

import pickle
import random
import shutil
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import rizoma as rz
from rizoma.core.errors import AlreadyExistsError, InvalidArgumentError, NotFoundError, UnsupportedError


def rows(graph: rz.Graph | rz.Snapshot) -> list[tuple[object, ...]]:
    table = graph.edges.to_arrow()
    return sorted(zip(*(column.to_pylist() for column in table.columns), strict=True), key=str)


def test_a_tagged_state_stays(tmp_path: Path) -> None:
    path = tmp_path / "g.rz"
    with rz.open(path, ids="string", edges={"amount": "int64"}, vertices={"age": "int32"}) as graph:
        graph.add_edges(pa.table({"source": ["a", "b"], "target": ["b", "c"], "amount": [1, 2]}))
        graph.add_vertices(pa.table({"vertex": ["a"], "age": [3]}))
        before = rows(graph)
        graph.tag("first")
        assert list(graph.tags()) == ["first"]
        between = datetime.now(UTC)
        time.sleep(0.001)
        graph.remove_vertices(["b"])
        graph.add_edges([("a", "z")])
        graph.set("a", age=4)
        graph.compact("degree")
        graph.add_column("more", "string")
        graph.tag("second")
        graph.compact()
        with pytest.raises(AlreadyExistsError):
            graph.tag("first")
        with pytest.raises(InvalidArgumentError):
            graph.tag("")
        for at in ("first", between, between.replace(tzinfo=None)):
            with rz.open(path, at=at) as old:
                assert rows(old) == before
                assert old.vertex("a") == {"age": 3}
                assert rz.pagerank(old).to_dict().keys() == {"a", "b", "c"}
                with pytest.raises(InvalidArgumentError):
                    old.add_edges([("x", "y")])
        assert not graph.check().findings
    with rz.open(path) as graph:
        assert list(graph.tags()) == ["first", "second"]
        graph.untag("first")
        with pytest.raises(NotFoundError):
            graph.untag("first")
    with pytest.raises(NotFoundError, match="second"):
        rz.open(path, at="first")
    with rz.open(path, at="second") as old:
        assert [row[:2] for row in rows(old)] == [("a", "z")]


def test_changes_since_a_tag(tmp_path: Path) -> None:
    path = tmp_path / "g.rz"
    with rz.open(path, directed=True, ids="string", edges={"n": "int64"}, vertices={"age": "int32"}) as graph:
        graph.add_edges(pa.table({"source": ["a", "b", "c"], "target": ["b", "c", "a"], "n": [1, 2, 3]}))
        graph.tag("then")
        assert {len(table) for table in vars(graph.changes(since="then")).values()} == {0}
        graph.add_edges(pa.table({"source": ["a"], "target": ["d"], "n": [4]}))
        graph.remove_edges([("b", "c")])
        graph.set(("c", "a"), n=None)
        graph.set("b", age=1)
        graph.compact("degree")
        found = graph.changes(since="then")
    assert found.edges_added.to_pylist() == [{"source": "a", "target": "d", "n": 4}]
    assert found.edges_removed.to_pylist() == [{"source": "b", "target": "c", "n": 2}]
    assert found.edges_set.to_pylist() == [{"source": "c", "target": "a", "n": None}]
    assert found.vertices_added.to_pylist() == [{"vertex": "d", "age": None}]
    assert found.vertices_removed.to_pylist() == []
    assert found.vertices_set.to_pylist() == [{"vertex": "b", "age": 1}]


def traces(path: Path, words: list[bytes]) -> list[tuple[str, bytes]]:
    return [(file.name, word) for file in path.iterdir() for word in words if word in file.read_bytes()]


def test_the_time_of_a_tag_leads_to_it(tmp_path: Path) -> None:
    path = tmp_path / "g.rz"
    with rz.open(path, directed=True) as graph:
        for i in range(12):
            graph.add_edges([(i, i + 1)])
            graph.tag(f"t{i}")
        for i, when in enumerate(graph.tags().values()):
            with rz.open(path, at=when) as old:
                assert old.num_edges == i + 1
        with pytest.raises(InvalidArgumentError, match="empty"):
            rz.open(path, at="")
        with pytest.raises(InvalidArgumentError, match="empty"):
            graph.changes(since="")


def test_a_tagged_state_that_is_sent_is_the_same_there(tmp_path: Path) -> None:
    path = tmp_path / "g.rz"
    with rz.open(path, directed=True) as graph:
        graph.add_edges([(1, 2)])
        graph.tag("first")
        graph.add_edges([(2, 3)])
    with rz.open(path, at="first") as old, pickle.loads(pickle.dumps(old)) as sent:
        assert (old.num_edges, sent.num_edges) == (1, 1)


def test_changes_of_odd_values_and_names(tmp_path: Path) -> None:
    columns = {"_nth": "int64", "x": "float64", "l": "list<float32>"}
    with rz.open(tmp_path / "g.rz", directed=True, parallel_edges="keep", edges=columns) as graph:
        graph.tag("empty")
        nan = float("nan")
        values = {"_nth": [1, 2], "x": pa.array([nan, nan]), "l": [[nan], []]}
        graph.add_edges(pa.table({"source": ["a", "a"], "target": ["b", "b"], **values}))
        since_empty = graph.changes("empty")
        assert (len(since_empty.edges_added), len(since_empty.vertices_added)) == (2, 2)
        assert since_empty.edges_added.schema.names == ["source", "target", *columns]
        graph.tag("full")
        assert all(len(found) == 0 for found in vars(graph.changes("full")).values())
        graph.set(("a", "b"), _nth=5)
        assert graph.changes("full").edges_set.column("_nth").to_pylist() == [5, 5]


@pytest.mark.parametrize("directed", [True, False])
def test_a_purge_leaves_no_trace(tmp_path: Path, directed: bool) -> None:
    path = tmp_path / "g.rz"
    words = [b"jane@example.org", b"a secret note", b"overwritten", b"confidential"]
    columns = {"note": "string"}
    with rz.open(path, directed=directed, ids="string", edges=columns, vertices={"about": "string"}) as graph:
        graph.add_edges(
            pa.table(
                {
                    "source": ["jane@example.org", "ann", "ann"],
                    "target": ["ann", "bob", "cem"],
                    "note": ["a secret note", "overwritten by another", "stays"],
                }
            )
        )
        graph.add_vertices(pa.table({"vertex": ["jane@example.org", "ann"], "about": ["confidential", "keeps"]}))
        graph.checkpoint()
        graph.set(("ann", "bob"), note="written")
        graph.remove_vertices(["jane@example.org"])
        graph.compact()
        assert traces(path, words), "an ordinary compaction is not what this test is about"
        graph.tag("old")
        with pytest.raises(InvalidArgumentError, match="remove the tag"):
            graph.compact(purge=True)
        graph.untag("old")
        graph.compact(purge=True)
        assert traces(path, words) == []
        assert {row[2] for row in rows(graph)} == {"written", "stays"}
        assert graph.vertex("ann") == {"about": "keeps"}
        assert not graph.check().findings
    assert traces(path, words) == []
    assert traces(path, [b"stays"]), "what is there is found by this search"


def test_a_store_of_format_1(tmp_path: Path) -> None:
    path = tmp_path / "old.rz"
    shutil.copytree(Path(__file__).parents[1] / "data" / "stores" / "format-1-changed", path)
    expected = [("ann", "bob", 8.5), ("bob", "cem", 2.0), ("cem", "eve", 7.0), ("eve", "eve", 6.0), ("fay", "gus", 9.0)]
    with rz.open(path, mode="read_only") as graph:
        assert rows(graph) == expected
        assert graph.info().format_version == 1
    with pytest.raises(UnsupportedError, match="rizoma upgrade"):
        rz.open(path)
    assert rz.upgrade(path)
    assert not rz.upgrade(path)
    with rz.open(path) as graph:
        assert rows(graph) == expected
        assert graph.info().format_version == 2
        graph.add_edges([("ann", "zoe", 1.0)])
        graph.tag("now")
        assert not graph.check().findings


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("ids", ["integer", "string"])
@pytest.mark.parametrize("directed", [False, True])
def test_changes_are_those_of_a_model(
    seed: int, ids: str, directed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With parallel edges, removed vertices and another order; compared in small pieces."""
    from rizoma.graph import diff

    monkeypatch.setattr(diff, "_PIECE", 3)
    draw = random.Random(seed)
    name = int if ids == "integer" else str
    columns = {"x": "int64", "v": "list<float32>"}

    def pair_of(row: dict[str, Any]) -> tuple[Any, Any]:
        pair = (row["source"], row["target"])
        return pair if directed or pair[0] <= pair[1] else pair[::-1]

    def edges_of(graph: rz.Graph) -> dict[tuple[Any, Any], list[Any]]:
        found: dict[tuple[Any, Any], list[Any]] = {}
        for row in graph.edges.to_arrow().to_pylist():
            found.setdefault(pair_of(row), []).append((row["x"], row["v"]))
        return found

    def change(graph: rz.Graph) -> None:
        for _ in range(12):
            u, v = name(draw.randrange(8)), name(draw.randrange(8))
            match draw.randrange(6):
                case 0 | 1 | 2:
                    x, vector = draw.choice([None, 1, 2]), draw.choice([None, [0.5], [1.0, 2.0]])
                    vectors = pa.array([vector], pa.list_(pa.float32()))
                    graph.add_edges({"source": [u], "target": [v], "x": [x], "v": vectors})
                case 3:
                    graph.remove_edges([(u, v)], parallel="one")
                case 4:
                    graph.set_edges({"source": [u], "target": [v], "x": [draw.randrange(5)]})
                case _:
                    graph.remove_vertices([u])

    with rz.open(tmp_path / "g.rz", directed=directed, ids=ids, parallel_edges="keep", edges=columns) as graph:
        change(graph)
        graph.tag("then")
        before, old = edges_of(graph), set(graph.vertices.to_arrow().column("vertex").to_pylist())
        change(graph)
        graph.compact("degree")
        after, new = edges_of(graph), set(graph.vertices.to_arrow().column("vertex").to_pylist())
        found = graph.changes(since="then")
    assert set(found.vertices_added.column("vertex").to_pylist()) == new - old
    assert set(found.vertices_removed.column("vertex").to_pylist()) == old - new
    expected: dict[str, list[Any]] = {"added": [], "removed": [], "set": []}
    for pair in before.keys() | after.keys():
        of_old, of_new = before.get(pair, []), after.get(pair, [])
        shared = min(len(of_old), len(of_new))
        expected["added"] += [(pair, *row) for row in of_new[shared:]]
        expected["removed"] += [(pair, *row) for row in of_old[shared:]]
        expected["set"] += [(pair, *row) for row, was in zip(of_new, of_old, strict=False) if row != was]
    for what, rows in expected.items():
        table = getattr(found, f"edges_{what}").to_pylist()
        assert sorted(((pair_of(row), row["x"], row["v"]) for row in table), key=str) == sorted(rows, key=str)


SHORT_OF_MEMORY = """
import resource, sys
import rizoma as rz
from rizoma.graph import diff
with rz.open(sys.argv[1]) as graph:
    graph.changes(since="then")
    for extra in (8, 24, 48, 80, 120, 200, 4000):
        pages = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (pages + (extra << 20), resource.RLIM_INFINITY))
        try:
            graph.changes(since="then")
            print("compared")
        except rz.OutOfMemoryError:
            print("short")
"""


def test_changes_end_where_memory_does(tmp_path: Path) -> None:
    with rz.generate("rmat", 15, into=tmp_path / "g.rz") as graph:
        graph.tag("then")
        graph.add_edges([(1, 2), (3, 4)])
    script = [sys.executable, "-c", SHORT_OF_MEMORY, str(tmp_path / "g.rz")]
    ended = subprocess.run(script, capture_output=True, text=True, timeout=300)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.split()[0] == "short"
    assert ended.stdout.split()[-1] == "compared"
