"""The kind of ids of a graph that is empty, or that gets an id of another kind, by every way in."""

from __future__ import annotations

import json
import warnings

import pyarrow as pa
import pytest
import rizoma as rz
from rizoma.cli.commands import app
from typer.testing import CliRunner


def command(*words):
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exit_code == 0, done.output
    return done.output


def ids_of(path):
    with rz.open(path, mode="read_only") as graph:
        return graph.ids, sorted(graph.vertices)


FILES = {
    "a.csv": "source,target\nann,bob\n",
    "a.txt": "ann bob\n",
    "a.gml": 'graph [ node [ id 0 label "ann" ] node [ id 1 label "bob" ] edge [ source 0 target 1 ] ]',
    "a.ndjson": json.dumps({"source": "ann", "target": "bob"}) + "\n",
}


@pytest.mark.parametrize("name", FILES)
def test_the_command_gives_an_empty_graph_the_ids_of_what_it_adds(name, tmp_path):
    store, path = tmp_path / "g.rz", tmp_path / name
    path.write_text(FILES[name])
    rz.open(store).close()
    command("add", store, path)
    assert ids_of(store) == ("string", ["ann", "bob"])


@pytest.mark.parametrize(
    ("names", "kind", "ids"),
    [
        (["bob"], "string", ["bob"]),
        (["7", "bob"], "string", ["7", "bob"]),
        (["7", "-3"], "integer", [-3, 7]),
        (["0", "1"], "dense", [0, 1]),
        (["007"], "string", ["007"]),
        (["1234567890123456789", str(-(2**63))], "integer", [-(2**63), 1234567890123456789]),
        ([str(2**63)], "string", [str(2**63)]),
    ],
)
def test_so_do_vertices_that_are_named(names, kind, ids, tmp_path):
    store = tmp_path / "g.rz"
    rz.open(store).close()
    command("add", store, *[f"--vertex={name}" for name in names])
    assert ids_of(store) == (kind, ids)


def test_an_empty_graph_whose_ids_were_asked_for_keeps_their_kind(tmp_path):
    store, path = tmp_path / "g.rz", tmp_path / "a.csv"
    path.write_text("source,target\nann,bob\n")
    rz.open(store, ids="integer").close()
    done = CliRunner().invoke(app, ["add", str(store), str(path)])
    assert done.exit_code == 1
    assert "--ids string" in done.output


def test_reading_into_an_empty_graph_does_as_well(tmp_path):
    store, path = tmp_path / "g.rz", tmp_path / "a.csv"
    path.write_text("source,target\nann,bob\n")
    rz.open(store).close()
    rz.read(path, into=store, append=True).close()
    assert ids_of(store) == ("string", ["ann", "bob"])


def _by_file(store, name, rows):
    path = store.parent / name
    path.write_text("".join(f"{source}{',' if name.endswith('csv') else ' '}{target}\n" for source, target in rows))
    rz.read(path, into=store, append=True, **({"header": False} if name.endswith("csv") else {})).close()


def _by_change(store, rows):
    with rz.open(store) as graph:
        graph.add_edges(rows)


WAYS = {
    "rows": _by_change,
    "table": lambda store, rows: _by_change(
        store, pa.table({"source": [a for a, _ in rows], "target": [b for _, b in rows]})
    ),
    "csv": lambda store, rows: _by_file(store, "b.csv", rows),
    "edge list": lambda store, rows: _by_file(store, "b.txt", rows),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("rows", [[(0, -1)], [(-1, -2)], [(0, 2**50), (1, -1)], [(-1, 0), (0, 2**50)]])
def test_a_negative_id_is_taken_by_a_dense_graph_as_one_that_is_far_away(rows, way, tmp_path):
    store = tmp_path / "g.rz"
    rz.read([(0, 1), (1, 2)], into=store).close()
    assert ids_of(store) == ("dense", [0, 1, 2])
    WAYS[way](store, rows)
    assert ids_of(store) == ("integer", sorted({0, 1, 2, *(v for row in rows for v in row)}))


def _told(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return [str(each.message) for each in caught]


PADDED = {
    "rows": lambda graph, id_: graph.add_edges([(id_, "bob")]),
    "table": lambda graph, id_: graph.add_edges({"source": [id_], "target": ["bob"]}),
    "vertices": lambda graph, id_: graph.add_vertices(["bob", id_]),
    "many": lambda graph, id_: graph.add_edges([(str(i), id_ if i == 99 else "bob") for i in range(100)]),
    "batch": lambda graph, id_: _in_a_batch(graph, id_),
}


def _in_a_batch(graph, id_):
    with graph.batch() as batch:
        batch.add_edges([("bob", id_)])


@pytest.mark.parametrize("way", PADDED)
@pytest.mark.parametrize("id_", [" ann", "ann ", "\tann", "ann\u00a0", "\ufeffann", " "])
@pytest.mark.parametrize("there", [False, True])
def test_blanks_around_an_id_are_told_by_every_way_in(there, id_, way):
    graph = rz.open(None)
    if there:
        graph.add_edges([("ann", "eve")])
    said = _told(lambda: PADDED[way](graph, id_))
    assert [" in " in each and "without the blanks around it" in each for each in said] == [True], said


@pytest.mark.parametrize("way", PADDED)
@pytest.mark.parametrize("id_", ["ann", "an n", "a\tb", "\u00e4", "7"])
def test_nothing_is_said_of_ids_without(id_, way):
    assert _told(lambda: PADDED[way](rz.open(None), id_)) == []


def test_blanks_beyond_the_first_lines_of_a_file_are_told(tmp_path):
    rows = [f"v{i},w{i}\n" for i in range(100_000)] + [" ann,bob\n"]
    path = tmp_path / "a.csv"
    path.write_text("source,target\n" + "".join(rows))
    said = _told(lambda: rz.read(path))
    assert len([each for each in said if "without the blanks around it" in each]) == 1
