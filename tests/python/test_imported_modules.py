"""Which modules starting loads: what takes long waits until it is needed."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
import rizoma as rz
from rizoma import _core
from rizoma.cli.commands import COMMANDS

HEAVY = {
    *("asyncio", "dask", "fsspec", "igraph", "IPython", "matplotlib", "mpi4py", "networkx", "numpy", "pandas"),
    *("polars", "pyarrow", "ray", "rizoma_lab", "scipy", "torch"),
}
OF_A_COMMAND = {"rich", "typer", "click", "rizoma.cli"}
BEYOND_A_LOOK = {
    *("rizoma.algorithms", "rizoma.api", "rizoma.distributed", "rizoma.geometric", "rizoma.io", "rizoma.networkx"),
    *("rizoma.queries", "rizoma.report", "rizoma.results"),
}
TELL = "import json, sys; print('MODULES', json.dumps(sorted(sys.modules)))"


def modules_after(code: str, *arguments: object) -> set[str]:
    """The modules that a fresh Python has loaded after the code."""
    code = f"import atexit; atexit.register(lambda: exec({TELL!r}))\n{code}"
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("COV", "PYTEST"))}
    run = [sys.executable, "-W", "error", "-c", code, *map(str, arguments)]
    done = subprocess.run(run, check=False, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return {*json.loads(done.stdout.rpartition("MODULES ")[2])}


def none_of(loaded: set[str], forbidden: set[str]) -> None:
    assert not {name for name in loaded if any(f"{name}.".startswith(f"{each}.") for each in forbidden)}


def test_importing_the_package_loads_little():
    none_of(modules_after("import rizoma"), HEAVY | OF_A_COMMAND | BEYOND_A_LOOK | {"rizoma.graph"})


def test_opening_a_store_loads_no_numpy(tmp_path):
    rz.open(tmp_path / "a.rz").close()
    code = "import sys\nfrom rizoma.graph.open import open_graph\nopen_graph(sys.argv[1]).info()"
    none_of(modules_after(code, tmp_path / "a.rz"), HEAVY | OF_A_COMMAND | BEYOND_A_LOOK)


def test_a_kernel_loads_no_pattern_language(tmp_path):
    with rz.open(tmp_path / "a.rz") as graph:
        graph.add_edges([(0, 1)])
    code = "import sys, rizoma as rz\nwith rz.open(sys.argv[1], mode='read_only') as g: rz.pagerank(g)"
    unused = {"rizoma.queries.match", "rizoma.queries.opencypher", "rizoma.report"}
    none_of(modules_after(code, tmp_path / "a.rz"), unused)


def test_a_thread_that_a_host_started_may_be_the_first_to_import():
    code = f"""
import _thread, sys
from importlib.machinery import ExtensionFileLoader, ModuleSpec
class Core:  # which an editable installation has elsewhere
    def find_spec(name, path=None, target=None, file={_core.__file__!r}):
        return ModuleSpec(name, ExtensionFileLoader(name, file), origin=file) if name == "rizoma._core" else None
sys.meta_path.append(Core)
assert "threading" not in sys.modules  # the thread that imports it is its main thread
done = _thread.allocate_lock()
done.acquire()
def work():
    import rizoma as rz
    graph = rz.open(None)
    graph.add_edges([(0, 1)])
    print(len(rz.pagerank(graph).to_numpy()))
    done.release()
_thread.start_new_thread(work, ())
sys.exit(not done.acquire(timeout=60))
"""
    done = subprocess.run(
        [sys.executable, "-S", "-c", "import sys; sys.path[:] = sys.argv[2:]; exec(sys.argv[1])", code, *sys.path],
        check=False,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (0, "2\n"), done.stderr


def test_looking_at_a_store_loads_the_module_of_its_command_alone(tmp_path):
    rz.open(tmp_path / "a.rz").close()
    code = "import sys\nfrom rizoma.cli.main import main\nsys.argv[0] = 'rizoma'\ntry: main()\nexcept SystemExit: pass"
    for words in (["info", tmp_path / "a.rz"], ["--help"]):
        loaded = modules_after(code, *words)
        none_of(loaded, HEAVY | BEYOND_A_LOOK)
        assert not {name for name in loaded if name.removeprefix("rizoma.cli.") in COMMANDS.values()}
        if words[0] == "info":
            none_of(loaded, {"rizoma.graph.graph", "rizoma.graph.tables", "typer", "pydantic"})


@pytest.mark.parametrize("words", ["STORE", "STORE --json", "--json STORE", "MISSING", "MISSING --json"])
def test_a_plain_look_says_what_the_whole_command_says(tmp_path, words):
    rz.open(tmp_path / "a.rz").close()
    paths = {"STORE": str(tmp_path / "a.rz"), "MISSING": str(tmp_path / "b.rz")}
    words = ["info", *(paths.get(word, word) for word in words.split())]
    whole = "from rizoma.cli.commands import app; app(prog_name='rizoma')"
    said = [
        subprocess.run([sys.executable, *run, *words], check=False, capture_output=True, text=True)
        for run in (["-m", "rizoma"], ["-c", whole])
    ]
    assert [said[0].returncode, said[0].stdout, said[0].stderr] == [said[1].returncode, said[1].stdout, said[1].stderr]


@pytest.mark.parametrize("name", ["api", "algorithms", "core", "distributed", "graph", "io", "queries", "results"])
def test_folders_are_attributes_at_once(name):
    assert f"rizoma.{name}" in modules_after(f"import rizoma\nrizoma.{name}")


@pytest.mark.parametrize(
    "use",
    [
        "import rizoma.cluster; assert callable(rizoma.cluster)",
        "import rizoma; import rizoma.distributed.ranks; assert callable(rizoma.cluster)",
        "from rizoma import cluster; assert callable(cluster)",
        "import rizoma.algorithms.pagerank; rizoma.pagerank(g); rizoma.algorithms.pagerank(g)",
        "from rizoma.algorithms.pagerank import pagerank; import rizoma; rizoma.algorithms.pagerank(g)",
        "import rizoma.graph.graph; rizoma.Graph.match",
        "g.match('(a)-->(b)').count(); g.degrees(); g.where('source > 0')",
        "[name for name in dir(g) if name == 'draw'][0]",
        "import pickle, rizoma; assert pickle.loads(pickle.dumps(rizoma.pagerank)) is rizoma.pagerank",
        "from rizoma import *; pagerank(g)",
        "import rizoma.errors; rizoma.errors.NotFoundError",
        "import inspect, rizoma; inspect.getmembers(rizoma); rizoma.Graph.export",
    ],
)
def test_names_are_found_in_whatever_order_they_are_used(use):
    modules_after(f"from rizoma.graph.open import open_graph\ng = open_graph(None)\ng.add_edges([(0, 1)])\n{use}")


def test_a_graph_that_another_process_opens_again_has_all_methods(tmp_path):
    code = """
import sys
from multiprocessing import get_context
def count(graph):
    return graph.match("(a)--(b)").count()
if __name__ == "__main__":
    import rizoma as rz
    with rz.open(sys.argv[1]) as g:
        g.add_edges([(0, 1)])
    with get_context("spawn").Pool(1) as pool:
        assert pool.map(count, [rz.open(sys.argv[1], mode="read_only")]) == [2]
"""
    script = tmp_path / "program.py"
    script.write_text(code)
    done = subprocess.run(
        [sys.executable, "-W", "error", script, tmp_path / "g.rz"], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
