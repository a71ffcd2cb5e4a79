"""Every call on ranks compares its kernel, options and arguments first: ranks that differ get one error, at once."""

from __future__ import annotations

import inspect
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import rizoma as rz
from rizoma.algorithms._distributed import DISTRIBUTED
from rizoma.core.same_call import argument_text

MPIEXEC = Path(os.environ.get("RIZOMA_TEST_MPIEXEC", Path(sys.executable).with_name("mpiexec")))
needs_mpiexec = pytest.mark.skipif(
    not MPIEXEC.exists() and shutil.which("mpiexec") is None, reason="there is no mpiexec (pip install mpich)"
)
LAUNCHER = str(MPIEXEC) if MPIEXEC.exists() else "mpiexec"
PATIENT = os.environ | {"RIZOMA_HEARTBEAT_TIMEOUT": "300"}

# Two values of each parameter of a kernel that ranks share; the first is given to rank 0, the second to the others.
OTHERS: dict[str, tuple[str, str]] = {
    "source": ("0", "1900"),
    "max_depth": ("2", "None"),
    "weight": ("'weight'", "None"),
    "delta": ("0.5", "None"),
    "k": ("5", "6"),
    "normalized": ("True", "False"),
    "seed": ("1", "2"),
    "synchronous": ("True", "False"),
    "max_iter": ("10", "11"),
    "resolution": ("1.0", "1.5"),
    "threshold": ("1e-7", "1e-6"),
    "max_levels": ("1", "2"),
    "alpha": ("0.85", "0.5"),
    "beta": ("1.0", "0.5"),
    "personalization": ("{0: 1.0, 1: 2.0}", "{0: 1.0, 1: 3.0}"),
    "tol": ("1e-6", "1e-5"),
    "nstart": ("np.ones(2001)", "np.arange(2001.0)"),
    "start": ("g.run", "None"),
    "changed": ("[1, 2]", "[1, 3]"),
    "epsilon": ("0.1", "0.2"),
    "thresholds": ("[1.0]", "[2.0]"),
    "objective": ("'cpm'", "'rb'"),
    "sizes": ("np.ones(2001)", "np.arange(2001.0)"),
    "fixed": ("[1, 2]", "[1, 3]"),
    "model": ("'ic'", "'lt'"),
    "probability": ("0.1", "0.2"),
    "method": ("'opim'", "'imm'"),
    "seeds": ("[1, 2]", "[1, 3]"),
    "weights": ("np.ones(2001)", "np.arange(2001.0)"),
    "wf_improved": ("True", "False"),
    "definition": ("'networkx'", "'ldbc'"),
    "staging": ("'direct'", "'staged'"),
}
NEEDED = {"source": "0"}  # parameters without a default

# The second file has the cases: the calls of rank 0 and of the others, and what the error names.
CALLER = """
import json, sys
import numpy as np
import rizoma as rz
from rizoma.distributed.ranks import join
from rizoma.core.errors import InvalidArgumentError

def configured(call, **settings):
    with rz.config(**settings):
        return call()

with rz.open(sys.argv[1], mode="read_only", comm=join()) as g:
    for case in json.load(open(sys.argv[2])):
        said = "nothing"
        try:
            eval(case["calls"][min(g.ranks.rank, 1)])
        except (InvalidArgumentError, TypeError) as error:
            said = str(error)
        if not all(word in said for word in case["names"]):
            sys.exit(f"{case}: {said}")
    assert rz.bfs(g, 0).reached == 2001
"""


def call_of(kernel: str, **options: str) -> str:
    given = {**{n: v for n, v in NEEDED.items() if n in inspect.signature(getattr(rz, kernel)).parameters}, **options}
    return f"rz.{kernel}(g, {', '.join(f'{name}={value}' for name, value in given.items())})"


def cases() -> list[dict[str, list[str]]]:
    found = []
    for kernel in DISTRIBUTED:
        other = DISTRIBUTED[(DISTRIBUTED.index(kernel) + 1) % len(DISTRIBUTED)]
        found.append({"calls": [call_of(kernel), call_of(other)], "names": [kernel, other, "different calls"]})
        found.append(
            {
                "calls": [call_of(kernel), call_of(kernel, no_option="1")],
                "names": ["arguments", kernel, "no_option"],
            }
        )
        parameters = inspect.signature(getattr(rz, kernel)).parameters
        for name in set(parameters) - {"graph", "threads", "progress"}:
            first, second = OTHERS[name]
            if name == "start":
                made = call_of(kernel)
                calls = [f"[r := {made}, {call_of(kernel, start='r')}]", f"[r := {made}, {made}]"]
                found.append({"calls": calls, "names": [kernel, "start", "None"]})
                continue
            calls = [call_of(kernel, **{name: each}) for each in (first, second)]
            shown = [argument_text(eval(each, {"np": np})) for each in (first, second)]
            found.append({"calls": calls, "names": [name, kernel, *shown, "rank 0", "rank 1"]})
        if "source" in parameters:
            missing = f"rz.{kernel}(g)"
            found.append({"calls": [call_of(kernel), missing], "names": ["missing", "source"]})
        for view, same in (("where('weight > 1')", "where('weight > 2')"), ("subgraph([0, 1])", "subgraph([0, 2])")):
            calls = [call_of(kernel).replace("(g,", f"(g.{each},") for each in (view, same)]
            found.append({"calls": calls, "names": ["graph", kernel, view.partition("(")[0]]})
        resumed = f"configured(lambda: {call_of(kernel)}, resume=True)"
        found.append({"calls": [call_of(kernel), resumed], "names": ["resume", kernel, "False", "True"]})
    return found


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("same") / "g.rz"
    ends = np.arange(2000)
    with rz.open(path, directed=False, weights="float64") as graph:
        graph.add_edges({"source": ends, "target": ends + 1, "weight": 1.0 + ends % 3})
    return path


def mpiexec(*command: object, timeout: float = 600) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [LAUNCHER, *map(str, command)], capture_output=True, text=True, timeout=timeout, check=False, env=PATIENT
    )


@needs_mpiexec
@pytest.mark.parametrize("ranks", [2, 3])
def test_ranks_that_make_different_calls_are_told_what_differs(store: Path, tmp_path: Path, ranks: int) -> None:
    listed = tmp_path / "cases.json"
    listed.write_text(json.dumps(cases()), encoding="utf-8")
    ran = mpiexec("-n", ranks, sys.executable, "-c", CALLER, store, listed)
    assert ran.returncode == 0, ran.stdout + ran.stderr


COMMANDS = [
    (["run", "bfs", "g.rz", "--source", "0"], ["run", "bfs", "g.rz", "--source", "1900"], "source of bfs differs"),
    (["run", "bfs", "g.rz", "--source", "0"], ["run", "pagerank", "g.rz"], "different calls"),
    (["run", "pagerank", "g.rz"], ["run", "pagerank", "g.rz", "--alpha", "0.5"], "alpha of pagerank differs"),
    (["run", "pagerank", "g.rz"], ["run", "pagerank", "g.rz", "--column", "p"], "--column of run pagerank differs"),
    (["run", "pagerank", "g.rz"], ["match", "g.rz", "(a)-->(b)", "--count"], "different calls"),
    (["match", "g.rz", "(a)-->(b)", "--count"], ["match", "g.rz", "(a)-->(a)", "--count"], "pattern of match.count"),
    (["import", "new.rz", "e.csv"], ["import", "new.rz", "e.csv", "--directed"], "directed of read differs"),
    (["import", "new.rz", "e.csv"], ["import", "other.rz", "e.csv"], "into of read differs"),
]


@needs_mpiexec
@pytest.mark.parametrize(("first", "second", "named"), COMMANDS)
def test_commands_that_differ_between_ranks_are_refused(
    store: Path, monkeypatch: pytest.MonkeyPatch, first: list[str], second: list[str], named: str
) -> None:
    monkeypatch.chdir(store.parent)
    Path("e.csv").write_text("source,target\n1,2\n2,3\n", encoding="utf-8")
    program = [sys.executable, "-m", "rizoma"]
    ran = mpiexec("-n", 1, *program, *first, ":", "-n", 1, *program, *second, timeout=120)
    assert ran.returncode != 0
    assert named in " ".join(ran.stderr.split()).replace("│ ", "")
    assert ran.stderr.count("differ") == 1, ran.stderr  # once, and not by each rank
    assert not Path("new.rz").exists()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 1.0),
        (np.int64(5), 5),
        ({1: 2.0, 3: 4}, {3: 4.0, 1: 2}),
        ({"b", "a"}, {"a", "b"}),
        ((1, 2), [1, 2]),
        (np.arange(3), np.arange(3)),
    ],
)
def test_equal_arguments_have_one_text(one: object, other: object) -> None:
    assert argument_text(one) == argument_text(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, "1"),
        (None, "None"),
        ("a" * 100, "a" * 99 + "b"),
        (np.zeros(3), np.zeros(4)),
        (np.zeros(3), np.zeros(3, np.int64)),
        ({1: 2.0}, {1: 3.0}),
        (b"1", "1"),
    ],
)
def test_other_arguments_have_other_texts(one: object, other: object) -> None:
    assert argument_text(one) != argument_text(other)
