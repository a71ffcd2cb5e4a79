"""Ctrl-C at a random moment of every call on R-MAT 17: it ends within a bound, and the store is usable after it."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
import zlib
from pathlib import Path

import numpy as np
import pytest
import rizoma as rz
from rizoma import algorithms

BOUND = 5.0  # seconds on a busy machine; docs/measurements has what a quiet one takes
LONGEST_WAIT = 1.5  # seconds after the first call began

# Calls on the graph `g`, in the directory of the store; each is repeated until Ctrl-C comes.
NEEDED = {"bfs": "0", "sssp": "0", "k_truss": "4", "katz_centrality": "1e-5"}
OPTIONS = {"influence_maximization": "50, probability=0.5, seed=1"}
OTHERS = {
    "influence": "rz.influence(g, [0, 1, 2], probability=0.5, runs=2_000_000)",
    "leiden, many iterations": "rz.leiden(g, iterations=50)",
    "motifs": "rz.motifs(rz.open('simple.rz', mode='read_only'), 4)",
    "match": "g.match('(a)-->(b)-->(c)-->(d)').count()",
    "where": "g.where('source < 1000')",
    "reverse": "g.reverse()",
    "undirected": "g.undirected()",
    "random_walks": "rz.random_walks(g, range(100_000), 200)",
    "read": "rz.read('edges.csv', into=fresh()).close()",
    "read, many columns": "rz.read('wide.csv', into=fresh()).close()",
    "export csv": "g.export(fresh() + '.csv')",
    "export parquet": "g.export(fresh() + '.parquet')",
    "copy_to": "g.copy_to(fresh())",
    "changes": "g.changes('before')",
    "edges": "g.edges.to_pandas()",
    "compact": "g.compact('degree'); g.compact('locality')",
    "check": "rz.check('copy.rz')",
    "distribute": "rz.distribute('copy.rz', fresh(), fresh())",
    "add_edges": "g.add_edges({'source': np.arange(2_000_000), 'target': np.arange(2_000_000)[::-1]})",
}

CHILD = """
import itertools, signal, sys
import numpy as np
import rizoma as rz
signal.signal(signal.SIGINT, signal.default_int_handler)
count = itertools.count()
fresh = lambda: f"made-{next(count)}"
with rz.open("g.rz", mode="open") as g:
    try:
        print("begun", flush=True)
        while True:
            CALL
    except KeyboardInterrupt:
        print("interrupted", flush=True)
    assert rz.bfs(g, 0).reached > 1
with rz.open("g.rz", mode="open") as again:
    again.add_edges([(0, 1)])
print("usable", flush=True)
"""


def calls() -> dict[str, str]:
    """A call of every algorithm, and of what else works long."""
    of_algorithms = {
        name: f"rz.{name}(g{', ' + more if (more := OPTIONS.get(name, NEEDED.get(name, ''))) else ''})"
        for name in algorithms.__all__
    }
    of_algorithms["topological_generations"] = "rz.topological_generations(rz.open('dag.rz', mode='read_only'))"
    of_algorithms["single_linkage"] = "rz.single_linkage(rz.open('weighted.rz', mode='read_only'))"
    return of_algorithms | OTHERS


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("interrupt")
    with rz.generate("rmat", 17, seed=1, into=home / "g.rz") as graph:
        graph.tag("before")
        graph.add_edges([(number, number + 7) for number in range(20_000)])
        graph.export(home / "edges.csv")
        graph.copy_to(home / "copy.rz")
        ends = graph.edges.to_pandas()
    ascending = np.sort(ends[["source", "target"]].to_numpy(), axis=1)
    ascending = ascending[ascending[:, 0] < ascending[:, 1]]
    rz.read(ascending, into=home / "dag.rz", directed=True).close()
    rz.read(ascending, into=home / "simple.rz", self_loops="drop").close()
    rz.read(ends[["source", "target"]].assign(weight=1.0), into=home / "weighted.rz").close()
    names = ",".join(["source", "target", *(f"c{number}" for number in range(30_000))])
    (home / "wide.csv").write_text(names + "\n" + "1,2" + ",3" * 30_000 + "\n", encoding="utf-8")
    return home


@pytest.fixture
def home(original: Path, tmp_path: Path) -> Path:
    subprocess.run(["cp", "-r", f"{original}/.", str(tmp_path)], check=True)
    return tmp_path


@pytest.mark.parametrize("name", calls())
def test_ctrl_c_ends_any_call_soon_and_leaves_the_store_usable(home: Path, name: str) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD.replace("CALL", calls()[name])],
        cwd=home,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    try:
        assert child.stdout.readline() == "begun\n", child.stderr and child.stderr.read()
        time.sleep(random.Random(zlib.crc32(name.encode())).uniform(0.05, LONGEST_WAIT))
        pressed = time.monotonic()
        child.send_signal(2)
        said = child.stdout.readline()
        took = time.monotonic() - pressed
        rest, error = child.communicate(timeout=300)
    finally:
        child.kill()
    assert (said, rest) == ("interrupted\n", "usable\n"), error
    if measured := os.environ.get("RIZOMA_TEST_INTERRUPTS"):  # a file for the times
        with Path(measured).open("a", encoding="utf-8") as file:
            file.write(f"{name}\t{took:.2f}\n")
    assert took < BOUND


CHILD_THAT_IMPORTS = """
import signal, sys
import rizoma as rz
signal.signal(signal.SIGINT, signal.default_int_handler)

class Presses:
    def find_spec(self, name, *rest):
        if name == "pandas._libs.tslibs":
            sys.meta_path.remove(self)
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Presses())
with rz.open("g.rz", mode="read_only") as g:
    try:
        g.where("source < 10")
    except KeyboardInterrupt:
        print("interrupted")
    print(len(g.where("source < 10").edges.to_pandas()) > 0)
"""


def test_ctrl_c_while_pandas_is_imported_is_not_lost_and_breaks_nothing(original: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CHILD_THAT_IMPORTS], cwd=original, capture_output=True, text=True, timeout=100
    )
    assert done.stdout == "interrupted\nTrue\n", done.stderr
