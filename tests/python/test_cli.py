"""The command `rizoma`, run as people run it."""

from __future__ import annotations

import json
import re
from importlib import import_module
from pathlib import Path

import pytest
import rizoma as rz
from pyarrow import parquet
from rizoma.cli.app import Store
from rizoma.cli.commands import COMMANDS, GROUPS, OF_LAB, app
from rizoma.cli.import_ import import_files
from rizoma.cli.option_names import in_options
from rizoma.core.progress import progress_bar
from typer.testing import CliRunner

EDGES = "# people\n0 1\n1 2\n2 0\n2 3\n"


@pytest.fixture
def edges(tmp_path):
    path = tmp_path / "edges.txt"
    path.write_text(EDGES)
    return path


@pytest.fixture
def store(rizoma, edges):
    rizoma("import", "g.rz", edges)
    return "g.rz"


def test_import_tells_what_it_made(rizoma, edges):
    done = rizoma("import", "g.rz", edges, "--directed", "--order", "given", "--memory-limit", "96M")
    assert "4 vertices, 4 edges" in done.stderr
    info = json.loads(rizoma("info", "g.rz", "--json").stdout)
    assert (info["num_vertices"], info["num_edges"], info["directed"]) == (4, 4, True)
    assert sum(file["allocated"] for file in info["files"]) == info["bytes_on_disk"]


def test_files_with_ids_of_two_kinds_are_told(rizoma, edges, tmp_path):
    (tmp_path / "names.csv").write_text("source,target\nann,bob\n")
    told = rizoma("import", "g.rz", "edges.txt", "names.csv").stderr
    assert "ids of edges.txt are numbers, kept as text, since names.csv has names" in told
    assert "kept as text" not in rizoma("import", "s.rz", "edges.txt", "names.csv", "--ids", "string").stderr


def test_info_is_readable(rizoma, store):
    text = rizoma("info", store).stdout
    assert "undirected" in text
    assert "bytes an entry" in text


@pytest.mark.parametrize(
    ("kernel", "options", "first"),
    [
        ("pagerank", [], "2"),
        ("bfs", ["--source", "3"], "0"),
        ("sssp", ["--source", "0"], "3"),
        ("connected_components", [], "0"),
        ("betweenness_centrality", ["-k", "4", "--seed", "1"], "2"),
        ("triangle_count", [], "0"),
        ("core_number", [], "0"),
        ("closeness_centrality", [], "2"),
    ],
)
def test_run_shows_the_greatest(rizoma, store, kernel, options, first):
    done = rizoma("run", kernel, store, *options, "--top", "2", "--threads", "2")
    lines = done.stdout.splitlines()
    assert len(lines) == 2 + (kernel != "connected_components")
    assert lines[1].split()[0] == first
    assert "of 4 vertices" in done.stderr


def test_run_finds_communities(rizoma, store):
    done = rizoma("run", "louvain", store, "--resolution", "0.1", "--seed", "1")
    assert done.stdout.splitlines()[1].split() == ["0", "4"]
    assert "1 community, modularity" in done.stderr


def test_run_writes(rizoma, store, tmp_path):
    rizoma("run", "pagerank", store, "-o", "r.parquet")
    assert parquet.read_table(tmp_path / "r.parquet").num_rows == 4
    rizoma("run", "bfs", store, "--source", "0", "-o", "r.csv")
    assert (tmp_path / "r.csv").read_text().startswith('"vertex","level","parent"')


def test_export_and_import_again(rizoma, store):
    rizoma("export", store, "o.csv")
    rizoma("import", "again.rz", "o.csv")
    assert json.loads(rizoma("info", "again.rz", "--json").stdout)["num_edges"] == 4


@pytest.mark.parametrize(("name", "told"), [("o.csv", 1), ("o.parquet", 1), ("o.el", 1), ("o.gml", 0), ("o.mtx", 0)])
def test_an_export_says_which_vertices_have_no_place(rizoma, tmp_path, name, told):
    with rz.open(tmp_path / "g.rz") as graph:
        graph.add_edges([(0, 1), (1, 2)])
        graph.add_vertices([3])
    done = rizoma("export", "g.rz", name)
    assert done.stderr.count("1 vertex without edges left out") == told


def test_errors_name_the_options_of_the_command(rizoma, tmp_path):
    (tmp_path / "names.el").write_text("1 2\n3 x\n")
    assert "(for names read with --ids string)" in rizoma("import", "g.rz", "names.el", check=False).stderr
    rizoma("generate", "uniform", "g.rz", "--scale", "4")
    told = rizoma("import", "g.rz", "names.el", check=False).stderr
    assert "give --append" in told
    assert "append=" not in told


@pytest.mark.parametrize(
    ("written", "typed"),
    [
        ('read with ids="string" it', "read with --ids string it"),
        ("lists read with directed=False", "lists read with --undirected"),
        ("give directed=True or directed=False", "give --directed or --undirected"),
        ("name them (source= and target=)", "name them (--source-column and --target-column)"),
        ("read it without weights (weights=False)", "read it without weights (--weights none)"),
        ('null="" or delimiter=";" or thousands="\'"', """--null '' or --delimiter ";" or --thousands "'\""""),
        ("leave lines out with skip_bad_lines=. If", "leave lines out with --skip-bad-lines. If"),
        ("say edges={'km': \"float64\"}", "say --edge-column km:float64"),
        ("by vertex_files=['people.csv'] of rizoma.read", "by --vertices people.csv of rizoma import"),
        ("rizoma.read makes one of files", "rizoma import makes one of files"),
        ('found "ids=3", give ids="string"', 'found "ids=3", give --ids string'),
        ("calls such as f(ids=3), a==b and nothing=3", "calls such as f(ids=3), a==b and nothing=3"),
        ("not ids=3\n  ids=3", "not --ids 3\n  ids=3"),
        ("edges={...} or null=[...]", "--edge-column or --null"),
        ("null=...", "--null"),
    ],
)
def test_arguments_of_a_message_are_typed_as_options(written, typed):
    assert in_options(written, import_files) == typed


def test_an_argument_that_a_command_has_not_is_one_of_the_import():
    def of_this_command(store: Store, top: int | None = 3) -> None: ...

    assert in_options("create it with in_edges=True, or say top=5 or tol=1e-06", of_this_command) == (
        "create it with rizoma import --in-edges, or say --top 5 or tol=1e-06"
    )
    assert in_options("store='g.rz' is none; give $least by least=...", of_this_command) == (
        "store 'g.rz' is none; give $least by --param least=VALUE"
    )


def test_no_message_names_an_option_beside_its_argument():
    """The command shows arguments as options, so a message says each once."""
    root = Path(__file__).parents[2]
    files = [*root.glob("src/**/*.cpp"), *root.glob("src/**/*.h"), *root.glob("python/rizoma/**/*.py")]
    beside = re.compile(r"""\w=(?:"[^"]*"|\w+)?[,;]? \(?--[a-z]|\(--[a-z][-a-z]*(?: [a-z']+)?\)""")
    told = [file for file in files if "cli" not in file.parts and beside.search(file.read_text(encoding="utf-8"))]
    assert told == []


@pytest.mark.parametrize(
    ("name", "content", "option"),
    [
        ("a.csv", "a,b\n1,x\n", "with rizoma import --ids string"),
        ("a.csv", "a,b\n1,02\n", "with rizoma import --ids string"),
        ("a.csv", "a,b\n1,\n", "with --null '', or up to a number with --skip-bad-lines"),
        ("a.el", "1 2\n1 x\n", "with rizoma import --ids string"),
        ("a.el", "1 02\n", "with rizoma import --ids string"),
        ("a.graphml", "<graphml><graph><node id='1'/><node id='x'/></graph></graphml>", "rizoma import --ids string"),
    ],
)
def test_what_is_added_is_refused_in_the_words_of_commands(rizoma, store, tmp_path, name, content, option):
    (tmp_path / name).write_text(content)
    refused = rizoma("add", store, tmp_path / name, check=False)
    assert refused.returncode != 0
    assert option in refused.stderr
    assert "ids=" not in refused.stderr
    assert "skip_bad_lines=" not in refused.stderr


def test_generate_check_compact(rizoma):
    rizoma("generate", "rmat", "k.rz", "--scale", "10")
    assert "whole" in rizoma("check", "k.rz").stdout
    assert "order degree" in rizoma("compact", "k.rz", "--order", "degree", "--online").stderr
    assert "whole" in rizoma("check", "k.rz").stdout


def test_progress_in_a_pipe_is_a_line_for_each_phase(capsys):
    with progress_bar() as report:
        report("reading", 1, 4)
        report("reading", 2, 4)
        report("sorting", 0, 0)
    assert capsys.readouterr().err == "reading: 25%\nsorting\n"


def test_a_purge_is_not_done_online(rizoma, store):
    refused = rizoma("compact", store, "--purge", "--online", check=False)
    assert refused.returncode == 2
    assert "cannot run while other processes read" in refused.stderr


def test_check_tells_damage(rizoma, tmp_path):
    rizoma("generate", "uniform", "k.rz", "--scale", "10")
    data = max((tmp_path / "k.rz").iterdir(), key=lambda file: file.stat().st_size)
    content = bytearray(data.read_bytes())
    content[len(content) // 2] ^= 1
    data.write_bytes(content)
    done = rizoma("check", "k.rz", check=False)
    assert done.returncode == 3
    assert "lost:" in done.stdout
    assert "--repair makes a whole store" in done.stderr
    data.unlink()
    done = rizoma("check", "k.rz", check=False)
    nothing = "k.rz lacks its file data, which has the edges: nothing can be repaired; restore the store from a copy\n"
    assert (done.returncode, done.stderr) == (3, nothing)
    done = rizoma("check", "k.rz", "--repair", check=False)
    assert (done.returncode, done.stderr) == (1, f"rizoma: {nothing}")
    with pytest.raises(rz.RizomaError, match="nothing can be repaired"):
        rz.repair(tmp_path / "k.rz")
    assert "there is no graph at no.rz" in rizoma("check", "no.rz", "--repair", check=False).stderr


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["info", "none.rz"], 1, "none.rz"),
        (["import", "g.rz", "none.txt"], 1, "none.txt"),
        (["import", "g.rz"], 2, "file"),
        (["run", "nope", "g.rz"], 2, "choose one of"),
        (["run", "bfs", "g.rz"], 2, "needs --source"),
        (["run", "pagerank", "g.rz", "--source", "1"], 2, "no such option: --source"),
        (["run", "pagerank", "g.rz", "-o", "r.xyz"], 2, "format"),
        (["generate", "nope", "k.rz"], 2, "choose one of"),
        (["bench", "nope"], 2, "rizoma bench has no command 'nope'; choose one of kernels, match"),
        (["placement", "explian"], 2, "did you mean explain?"),
        (["nope"], 2, "nope"),
    ],
)
def test_errors_are_one_line(rizoma, tmp_path, arguments, code, message):
    done = rizoma(*arguments, check=False)
    assert done.returncode == code
    assert message.lower() in done.stderr.lower()
    assert "Traceback" not in done.stderr
    told_by_the_parser = message in ("file", "nope", "no such option: --source")
    assert told_by_the_parser or len(done.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_malformed_line_is_named(rizoma, tmp_path):
    (tmp_path / "bad.txt").write_text(EDGES + "4 x\n")
    done = rizoma("import", "g.rz", "bad.txt", check=False)
    assert done.returncode == 1
    assert "bad.txt:6:3" in done.stderr
    assert not (tmp_path / "g.rz").exists()
    assert "Traceback" in rizoma("--debug", "import", "g.rz", "bad.txt", check=False).stderr


def test_a_vertex_that_is_not_there(rizoma, store):
    done = rizoma("run", "bfs", store, "--source", "99", check=False)
    assert done.returncode == 1
    assert "no vertex 99" in done.stderr
    assert "not an integer" in rizoma("run", "bfs", store, "--source", "ann", check=False).stderr


def test_help_teaches(rizoma):
    assert "rizoma import social.rz" in rizoma("--help").stdout
    for name in (
        "import",
        "generate",
        "info",
        "check",
        "compact",
        "export",
        "run",
        "bench",
        "demo",
        "version",
    ):
        text = rizoma(name, "--help").stdout
        assert "Usage" in text
        assert name == "version" or f"rizoma {name} " in text


def test_version(rizoma):
    assert rizoma("version").stdout.startswith("rizoma 0.")


def test_demo(rizoma, tmp_path):
    text = rizoma("demo", "--directory", tmp_path / "demo").stdout
    for name in ("PageRank", "Breadth-first", "Connected", "Betweenness", "Shortest", "Triangles"):
        assert name in text
    assert "the store is whole" in text
    assert "where the data lies" in text


def test_standard_input_and_pipes(rizoma, store, tmp_path):
    assert "1 new edge, " in rizoma("add", store, "-", input="7 8\n").stderr
    assert "2 new vertices" in rizoma("add", store, "--vertices", "-", input="9\r\n\n# none\n10").stderr
    assert "1 edge and" in rizoma("remove", store, "/dev/stdin", input="8 7\n").stderr
    rizoma("import", "w.rz", "-", "--weights", "int32", input="0 1 5\n1 2 6\n")
    assert "1 weight set" in rizoma("set-weights", "w.rz", "-", input="1 0 9\n").stderr
    rizoma("export", "w.rz", "w.csv")
    assert (tmp_path / "w.csv").read_text() == "source,target,weight\n0,1,9\n1,2,6\n"
    done = rizoma("add", store, "-", input="1 x\n", check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("rizoma: standard input:1:3: found 'x'")


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_a_list_of_vertices_that_cannot_be_read(rizoma, store, tmp_path, content):
    if content is not None:
        (tmp_path / "ids.txt").write_bytes(content)
    done = rizoma("add", store, "--vertices", "ids.txt", check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("rizoma: ids.txt: ")


@pytest.mark.parametrize("how", [["add"], ["set-weights"], ["import", "--append"]])
def test_weights_come_from_the_column_of_that_name_whoever_reads_the_file(rizoma, tmp_path, how):
    file = tmp_path / "timed.csv"
    file.write_text("source,target,time,weight\nann,bob,2020,2.5\nbob,cem,2021,3\n")
    rizoma("import", "g.rz", file, "--weights", "float64")
    rizoma(*how, "g.rz", file)
    rizoma("export", "g.rz", "out.csv")
    assert (tmp_path / "out.csv").read_text() == "source,target,weight\nann,bob,2.5\nbob,cem,3\n"


def test_a_file_without_the_weights_of_the_graph_says_so(rizoma, tmp_path):
    rizoma("import", "w.rz", "-", "--weights", "int32", input="0 1 5\n")
    refused = rizoma("add", "w.rz", "-", input="1 2\n", check=False).stderr
    assert "the graph has weights; with --weights none each edge weighs 1" in refused
    rizoma("import", "n.rz", "-", input="0 1\n")
    told = rizoma("add", "n.rz", "-", input="1 2 7\n").stderr
    assert "standard input: not read: column 2, counted from 0; the graph has no weights" in told
    missing = rizoma("remove", "n.rz", "--vertex", "9", "--missing", "error", check=False).stderr
    assert missing == "rizoma: the graph has no vertex 9 (row 0); rizoma add adds it\n"
    (tmp_path / "pairs.csv").write_text("source,target\n1,2\n")
    assert "weights" in rizoma("add", "w.rz", "pairs.csv", check=False).stderr


def test_a_finding_is_one_line_in_a_narrow_pipe(rizoma, store, tmp_path):
    next((tmp_path / store).glob("manifest.*")).unlink()
    assert "--repair" in rizoma("check", store, check=False).stderr
    done = rizoma("check", store, "--repair", columns=40)
    first, *_, last = done.stdout.splitlines()
    assert first.startswith("manifest: ")
    assert first.endswith("lost: nothing: the other copy is intact")
    assert last.startswith("restored: the manifest")
    assert "g.rz/manifest." in last


def test_a_report_needs_a_directory(rizoma, store):
    done = rizoma("report", store, "-o", "none/page.html", check=False)
    assert done.returncode == 1
    assert done.stderr == "rizoma: cannot write none/page.html: there is no directory none; make it first (mkdir -p)\n"


@pytest.mark.parametrize(
    "words", ["import", "match", "compact", "bench scaling", "bench kernels", "cost", "probe", "placement explain"]
)
def test_examples_of_the_help_are_whole_on_a_narrow_terminal(rizoma, monkeypatch, words):
    """They were broken anywhere, and those of `probe` run together."""
    monkeypatch.setenv("COLUMNS", "80")
    text = rizoma(*words.split(), "--help").stdout.split("\u256d")[0]
    lines = re.sub(r" \\\s*\n\s+", " ", text).splitlines()  # as a shell joins them
    name = words.split()[0].replace("import", "import_")
    module = import_module(f"rizoma_lab.commands.{name}" if name in OF_LAB else f"rizoma.cli.{name}")
    source = Path(str(module.__file__)).read_text()
    shown = [line.strip() for line in lines if re.match(r" *(rizoma|mpiexec) (?!--)", line)]
    examples = [line.strip() for line in source.splitlines() if re.match(r" +(rizoma|mpiexec) \S", line)]
    assert shown
    for line in shown:
        assert line in examples


def test_the_help_groups_the_commands():
    """It was one list of 21."""
    assert set(COMMANDS) <= {name for names in GROUPS.values() for name in names}
    shown = CliRunner().invoke(app, ["--help"], env={"COLUMNS": "100"}).stdout
    places = [shown.index(f"─ {heading} ─") for heading in GROUPS]
    assert places == sorted(places)
    for (heading, names), end in zip(GROUPS.items(), [*places[1:], len(shown)], strict=True):
        part = shown[shown.index(f"─ {heading} ─") : end]
        assert re.findall(r"^│ ([\w-]+) ", part, re.MULTILINE) == [name for name in names if name in COMMANDS]
