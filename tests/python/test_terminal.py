"""Ids, names and messages cannot command the terminal; what is no text is refused in our own words."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
import rizoma as rz
from rizoma.core.display import text_table
from rizoma.core.printable import printable

HOSTILE = "\x1b[31mred\x1b]0;title\x07\x9b2J\r\u202e"


def _raw(text: str) -> list[str]:
    return [sign for sign in ("\x1b", "\x07", "\x9b", "\r", "\u202e", "\x00", "\x7f") if sign in text]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("hostile") / "x.rz"
    with rz.open(path, vertices={HOSTILE[:12]: "string"}) as graph:
        graph.add_edges([(HOSTILE, "b"), ("b", "c")])
        graph.tag(HOSTILE)
    return path


COMMANDS = [
    "run pagerank STORE --top 5",
    "run louvain STORE",
    "run bfs STORE --source b",
    "run bfs STORE --source \x1b[31m",
    "match STORE (a)--(b)",
    "match STORE (a)--(\x1b[31m",
    "match STORE (a)--(b) --explain",
    "info STORE",
    "tags STORE",
    "tags STORE --remove \x1b[31m",
    "check STORE",
    "remove STORE --vertex \x1b[31m",
]


@pytest.mark.parametrize("command", COMMANDS, ids=printable)
def test_what_commands_show_has_no_control_characters(store: Path, command: str) -> None:
    words = [str(store) if word == "STORE" else word for word in command.split(" ")]
    done = subprocess.run([sys.executable, "-m", "rizoma", *words], capture_output=True, check=False)
    assert not _raw((done.stdout + done.stderr).decode())


MARKUP = "[bold]a[/]:smile:"


@pytest.mark.parametrize(
    "command",
    [
        "info STORE",
        "check STORE",
        "tags STORE",
        "run pagerank STORE",
        "match STORE (a)--(b)",
        f"run bfs STORE --source {MARKUP}z",
    ],
)
def test_names_are_not_markup(tmp_path: Path, command: str) -> None:
    """Neither brackets nor names of emoji between colons: what a user named is shown as it is."""
    path = tmp_path / f"{MARKUP.replace('/', '')}.rz"
    with rz.open(path, edges={MARKUP: "string"}) as graph:
        graph.add_edges([(MARKUP, "b")])
        graph.tag(MARKUP)
    words = [str(path) if word == "STORE" else word for word in command.split(" ")]
    done = subprocess.run([sys.executable, "-m", "rizoma", *words], capture_output=True, check=False, text=True)
    shown = "".join((done.stdout + done.stderr).split())
    if "check" not in command:
        assert "]a[" in shown
        assert ":smile:" in shown
    assert "\N{SMILING FACE WITH OPEN MOUTH AND SMILING EYES}" not in shown


def test_tables_and_errors_have_no_control_characters(store: Path) -> None:
    with rz.open(store) as graph:
        shown = [
            str(rz.pagerank(graph)),
            text_table(graph.vertices.to_arrow()),
            str(graph.info()),
        ]
        for wrong in (
            lambda: graph.degree("\x1b[31m"),
            lambda: graph.untag("\x1b[31m"),
            lambda: graph.drop_column("\x1b[31m"),
            lambda: graph.remove_vertices(["\x1b[31m"], missing="error"),
            lambda: graph.set(("\x1b[31m", "b"), weight=1.0),
        ):
            with pytest.raises(rz.RizomaError) as error:
                wrong()
            shown.append(str(error.value))
    assert [_raw(text) for text in shown] == [[]] * len(shown)
    assert any("\\x1b[31mred" in text for text in shown)


WRONG_TEXT: dict[str, Callable[[rz.Graph], object]] = {
    "id in a pattern": lambda g: g.match("(a {id: '\ud800'})-->(b)").count(),
    "where of a match": lambda g: g.match("(a)-->(b)", where="a = '\ud800'").count(),
    "pattern": lambda g: g.match(5).count(),
    "tag": lambda g: g.tag("\ud800"),
    "tag of another type": lambda g: g.tag(5),
    "untag": lambda g: g.untag("\ud800"),
    "untag of another type": lambda g: g.untag(None),
    "changes": lambda g: g.changes(since=5),
    "name of a column": lambda g: g.add_column("\ud800", "int8"),
    "type of a column": lambda g: g.add_column("x", "\ud800"),
    "dropped column": lambda g: g.drop_column("\ud800"),
    "dropped column of another type": lambda g: g.drop_column(5),
    "id": lambda g: g.add_vertices(["\ud800"]),
    "ends": lambda g: g.add_edges([("\ud800", "b")]),
    "column of edges": lambda g: g.add_edges({"source": ["a"], "target": ["b"], "note": ["\ud800"]}),
    "column of vertices": lambda g: g.add_vertices({"vertex": ["a"], "name": ["\ud800"]}),
    "value": lambda g: g.set("a", name="\ud800"),
    "great number": lambda g: g.add_vertices({"vertex": ["a"], "n": [2**64]}),
    "great and negative": lambda g: g.add_vertices({"vertex": ["a", "b"], "n": [2**63, -1]}),
    "great number set": lambda g: g.set("a", n=2**64),
}


@pytest.mark.parametrize("what", WRONG_TEXT)
def test_what_is_no_text_or_number_is_refused_in_our_own_words(what: str, tmp_path: Path) -> None:
    columns = {"name": "string", "n": "uint64"}
    with rz.open(tmp_path / "g.rz", ids="string", edges={"note": "string"}, vertices=columns) as graph:
        graph.add_edges([("a", "b")])
        with pytest.raises(rz.RizomaError) as error:
            WRONG_TEXT[what](graph)
        assert "incompatible function arguments" not in str(error.value)
        assert graph.num_edges == 1


@pytest.mark.parametrize("number", [2**63, 2**64 - 1])
def test_uint64_takes_whole_numbers_of_python_to_its_end(number: int) -> None:
    graph = rz.open(None, edges={"u": "uint64"}, vertices={"w": "uint64"})
    graph.add_edges({"source": [1, 2], "target": [2, 3], "u": [number, 0]})
    graph.add_edges([{"source": 5, "target": 6, "u": number}])
    graph.add_vertices({"vertex": [1], "w": [number]})
    graph.set((2, 3), u=number)
    graph.set(2, w=number)
    graph.set_edges({"source": [1], "target": [2], "u": [number - 1]})
    graph.set_vertices({"vertex": [1], "w": [number - 1]})
    assert sorted(graph.edges.to_arrow().column("u").to_pylist()) == [number - 1, number, number]
    assert (graph.vertex(1), graph.vertex(2)) == ({"w": number - 1}, {"w": number})
    with rz.read({"source": [1], "target": [2], "u": [number]}, edges="infer") as taken:
        assert taken.edges.to_arrow().column("u").to_pylist() == [number]


@pytest.fixture(scope="module")
def wide_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("wide") / "wide.rz"
    with rz.open(path, ids="string", directed=True, edges={"note": "string"}) as graph:
        graph.add_edges(
            {"source": ["ann " + "a" * 300, "bob"], "target": ["bob", "cem " + "c" * 200], "note": ["n" * 90, "m"]}
        )
    return path


@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("command", ["run pagerank STORE --no-progress", "match STORE (a)-[e]->(b)"])
def test_no_row_is_wider_than_the_terminal(wide_store: Path, command: str, width: int) -> None:
    """Rows of long ids were folded, so that columns could not be told apart."""
    words = [str(wide_store) if word == "STORE" else word for word in command.split(" ")]
    reader, writer = os.openpty()
    environment = {**os.environ, "COLUMNS": str(width), "TERM": "xterm"}
    started = [sys.executable, "-m", "rizoma", *words]
    done = subprocess.run(started, stdout=writer, stderr=subprocess.PIPE, env=environment, check=False)
    os.close(writer)
    lines = os.read(reader, 1 << 16).decode().replace("\r\n", "\n").splitlines()
    os.close(reader)
    assert done.returncode == 0, done.stderr
    assert max(len(line) for line in lines) <= width
    assert max(len(line) for line in lines) > width - 9
    assert any("…" in line for line in lines)
    piped = subprocess.run(started, capture_output=True, text=True, check=True, env=environment).stdout
    assert "a" * 300 in piped


TABLES = [(10, 23, 23), (24, 23, 24), (30, 28, 30), (100, 77, 77), (None, 77, 77)]  # width; least and most of the lines


@pytest.mark.parametrize(("width", "least", "most"), TABLES)
def test_a_table_is_cut_where_it_is_widest(width: int | None, least: int, most: int) -> None:
    table = pa.table({"id": ["a" * 50, "b"], "n": [1, 2], "text": ["c" * 20, "d" * 10]})
    lines = text_table(table, width).splitlines()
    assert len({len(line) for line in lines}) == 1
    assert least <= len(lines[0]) <= most
    assert all(number in line for number, line in zip("n12", lines, strict=True))
