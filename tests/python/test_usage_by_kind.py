"""Kinds of mistakes at the command: each has its place, its cause and what to type, in words of the shell."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import rizoma as rz
from rizoma.cli.commands import app
from rizoma.core.errors import ReadWarning
from typer.testing import CliRunner

FILES = {
    "edges.csv": "source,target,amount\nann,bob,3\nbob,cem,4\ncem,ann,5\nann,cem,1\n",
    "nodes.csv": "id,name,age\nann,Ann,3\nbob,Bob,4\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with two files and a store."""
    made = tmp_path_factory.mktemp("usage")
    for name, text in FILES.items():
        (made / name).write_text(text, encoding="utf-8")
    (made / "other").mkdir()
    (made / "other" / "x.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    done = CliRunner().invoke(app, ["import", f"{made}/g.rz", f"{made}/edges.csv", "--directed", "--all-columns"])
    assert done.exit_code == 0, done.output
    return made


MORE = "MATCH (a)-[e]->(b) WHERE e.amount > $least RETURN a"

# What is typed behind `rizoma`; what is said of it.
TYPED: list[tuple[list[str], str]] = [
    (["import", "n.rz", "edges.csv", "--directed", "--undirected"], "--directed and --undirected contradict"),
    (["import", "n.rz", "edges.csv", "--in-edges", "--no-in-edges"], "contradict one another; give one"),
    (["run", "pagerank", "g.rz", "--top", "3", "--top=5"], "--top is given twice (3, 5) and takes one value"),
    (["run", "bfs", "g.rz", "--source", "ann", "--source", "bob"], "--source is given twice (ann, bob)"),
    (["import", "n.rz", "edges.csv", "--delimiter"], "in quotes: --delimiter ';'"),
    (["import", "n.rz", "nodes.csv", "edges.csv"], "--vertices nodes.csv of rizoma import"),
    (["query", "g.rz", MORE, "--param", "least", "3"], "did you mean --param least=3?"),
    (["query", "g.rz", MORE, "--least", "3"], "the value of $least is given by --param least=VALUE"),
    (["--threads", "2", "run", "pagerank", "g.rz"], "stand behind it: rizoma run ... --threads"),
    (["--json", "info", "g.rz"], "stand behind it: rizoma info ... --json"),
    (["-v"], "did you mean --version?"),
    (["run", "pagerank", "g.rz", "--k", "10"], "did you mean --top?"),
    (["neighbors", "g.rz", "ann", "bob"], "it takes one ID, ask for more by another call"),
    (["path", "g.rz", "ann", "bob", "cem"], "it takes 2 IDs"),
    (["info", "g.rz", "g.rz"], "it takes one STORE"),
    (["add", "g.rz", "--vertices", "nodes.csv"], "nodes.csv is a table, and --vertices takes an id on each line"),
    (["remove", "g.rz", "--vertices", "nodes.csv"], "cut -d ',' -f 1 nodes.csv"),
    (["check", "other"], "other holds other files (x.csv) and no Rizoma store; rizoma import makes one of files"),
    (["run", "pagerank", "other"], "and no Rizoma store; rizoma import makes one of files"),
    (["generate", "rmat", "g.rz"], "g.rz is a graph already; give another path, or remove it first (rm -r g.rz)"),
    (["generate", "tree", "n.rz"], "kind 'tree' is not known; choose one of rmat"),
    (["generate", "rmat", "n.rz", "--n", "100"], "--scale 10 makes 2**10 vertices"),
    (["import", ":memory:", "edges.csv"], "a store is a directory on disk"),
    (["import", "n.rz", "edges.csv", "--where", "amount > 3"], "--where is for Parquet files"),
    (["query", "g.rz", "MATCH (a) RETURN a", "--param", "x=3"], "leave --param x out, or use it"),
    (["query", "g.rz", "MATCH (a) RETURN a", "--limit", "3"], "LIMIT stands in the query"),
    (["match", "g.rz", "(a)-->(b)", "--a", "ann"], "a vertex is chosen by --where \"a.id = '...'\""),
    (["match", "g.rz", "(a)-->(b)", "--group-by", "a"], "rizoma query groups rows"),
    (["run", "pagerank", "g.rz", "--personalization", "ann:1"], "write ID=NUMBER"),
    (["run", "pagerank", "g.rz", "--hlep"], "did you mean --help?"),
    (["tags", "g.rz", "--list"], "rizoma tags STORE lists them"),
    (["tags", "g.rz", "--label", "v1"], "there are --"),
    (["memory", "g.rz"], "did you mean rizoma info?"),
    (["hlep"], "did you mean rizoma help?"),
    (["--verison"], "did you mean --version?"),
    (["info", "none.rz"], "there is no graph at none.rz; rizoma import makes one of files"),
    (["info", "edges.csv"], "edges.csv is a file, but a graph is a directory; rizoma import reads files"),
    (["compact", "g.rz", "--order", "hubs"], "--order hubs is not known"),
    (["run", "leiden", "g.rz", "--weight", "price"], "--weight price is not an edge column; there are amount"),
    (["run", "minimum-spanning-tree", "g.rz"], "rizoma import NEW.rz edges.csv --undirected"),
]


@pytest.mark.parametrize(("typed", "said"), TYPED, ids=[" ".join(typed) for typed, _ in TYPED])
def test_what_is_typed_by_mistake(typed: list[str], said: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    done = CliRunner().invoke(app, typed)
    assert done.exit_code in (1, 2)
    shown = " ".join(done.output.split())
    assert said in shown
    for of_python in ("rizoma.read and", "None", "=None", "weight='", "order='"):
        assert of_python not in shown


@pytest.mark.parametrize(
    "typed",
    [
        ["run", "pagerank", "g.rz", "--top", "3", "--top", "3"],
        ["match", "g.rz", "(a)-[e]->(b)", "--select", "a", "--select", "b"],
        ["run", "sssp", "g.rz", "--source", "ann", "--weight", "none"],
        ["query", "g.rz", MORE, "--param", "least=3"],
    ],
)
def test_what_is_meant_is_done(typed: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    done = CliRunner().invoke(app, typed)
    assert done.exit_code == 0, done.output


def test_info_sees_that_a_store_is_cut_off(folder: Path, tmp_path: Path) -> None:
    edges = "\n".join(f"{i} {i * 7 % 997}" for i in range(3000))
    (tmp_path / "edges.el").write_text(edges, encoding="utf-8")
    store = tmp_path / "cut.rz"
    assert CliRunner().invoke(app, ["import", str(store), str(tmp_path / "edges.el")]).exit_code == 0
    assert "damage" not in CliRunner().invoke(app, ["info", str(store)]).output
    data = store / "data"
    with data.open("r+b") as file:
        file.truncate(data.stat().st_size * 3 // 4)
    shown = " ".join(CliRunner().invoke(app, ["info", str(store)]).output.split())
    assert "damage" in shown
    assert "rizoma check STORE" in shown
    with pytest.warns(ReadWarning, match="data ends at byte .* restore a copy of the store"):
        rz.open(store).close()


def test_what_an_import_says_is_in_words_of_the_shell(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "twice.csv"
    file.write_text("source,target,weight\na,b,1\nb,a,2\n", encoding="utf-8")
    shown = " ".join(CliRunner().invoke(app, ["import", str(tmp_path / "t.rz"), str(file)]).output.split())
    assert "--parallel-edges keep keeps an edge for each row" in shown
    assert "parallel_edges=" not in shown
    assert "directed=True" not in shown


def test_warnings_speak_of_options(folder: Path) -> None:
    command = [sys.executable, "-m", "rizoma", "run", "sssp", str(folder / "g.rz"), "--source", "ann"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "--weight amount takes such a column, --weight none says that 1 is meant" in done.stderr
