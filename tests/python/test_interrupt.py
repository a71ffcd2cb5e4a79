"""Ctrl-C stops a long call at once and leaves everything usable; a forked child works too."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyarrow as pa
import pytest
import rizoma as rz
from enough_work import with_work_enough
from rizoma.core import engines


def interrupt(call: Callable[[], object], after: float) -> None:
    """Make a call, and press Ctrl-C so long after it has begun, or later."""

    def pressed() -> None:
        threading.Timer(after, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        call()

    with pytest.raises(KeyboardInterrupt):
        pressed()


def waited(child: int) -> int:
    """The status that the child ends with."""
    for _ in range(6000):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status
        time.sleep(0.1)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    pytest.fail("the child hangs")


@pytest.fixture(scope="module")
def graph():
    return rz.generate("rmat", 15)


@pytest.fixture(scope="module")
def great_graph():
    return rz.generate("rmat", 18)


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_a_kernel_is_interrupted(great_graph, threads):
    interrupt(lambda: rz.betweenness_centrality(great_graph, threads=threads), after=0.2)  # would take hours
    assert rz.bfs(great_graph, 0, threads=threads).reached > 1


@pytest.mark.parametrize("kernel", [rz.closeness_centrality, rz.harmonic_centrality])
def test_searches_from_all_vertices_are_interrupted(great_graph, kernel):
    interrupt(lambda: kernel(great_graph), after=0.2)  # would take an hour


def test_an_import_is_interrupted_and_leaves_nothing(tmp_path):
    interrupt(lambda: rz.generate("rmat", 22, into=tmp_path / "big.rz"), after=0.3)
    assert list(tmp_path.iterdir()) == []
    with rz.generate("rmat", 8, into=tmp_path / "big.rz") as small:
        assert len(small) == 256


def state_of(graph):
    return (len(graph), graph.num_edges, sorted(graph.edges.to_pandas().itertuples(index=False, name=None)))


@pytest.mark.parametrize("kind", ["integers", "strings"])
def test_a_great_change_is_interrupted_and_leaves_the_graph_as_it_was(kind):
    name = int if kind == "integers" else str

    def interrupted(size):
        graph = rz.open(None, weights="float64", ids="integer" if kind == "integers" else "string")
        graph.add_edges([(name(1), name(2), 3.0), (name(2), name(7), 4.0)])
        before = state_of(graph)
        numbers = np.arange(size)
        edges = {"source": numbers, "target": numbers + 1, "weight": numbers * 0.5}
        if kind == "strings":
            edges |= {end: pa.array(edges[end]).cast(pa.large_string()) for end in ("source", "target")}
        table = pa.table(edges)
        told = []

        def stop(phase, done, total):
            told.append((phase, done, total))
            raise KeyboardInterrupt

        with contextlib.suppress(KeyboardInterrupt):
            graph.add_edges(table, progress=stop)
            assert not told
            return False
        assert all(phase == "change" and 0 < done <= total == size for phase, done, total in told)
        assert state_of(graph) == before
        graph.add_edges(table)
        assert graph.num_edges == size + 1  # 2 and 7 are no neighbours in the table
        assert graph.neighbors(name(size)) == [name(size - 1)]
        weights = dict(zip(graph.neighbors(name(7)), graph.neighbor_weights(name(7)), strict=True))
        assert weights == {name(2): 4.0, name(6): 3.0, name(8): 3.5}
        return True

    with_work_enough(interrupted, 1_300_000)


def test_the_progress_of_a_change_cannot_change_flush_or_close_the_graph():
    def met(size):
        graph = rz.open(None)
        graph.add_edges([(0, 1)])  # else it is a bulk load
        numbers = np.arange(size)
        refused = []

        def meddle(phase, done, total):
            for what in (graph.flush, graph.close, lambda: graph.add_edges([(0, 9)])):
                with pytest.raises(rz.InvalidArgumentError, match="from a progress function"):
                    what()
                refused.append(what)

        graph.add_edges(np.stack([numbers, numbers + 1], axis=1), progress=meddle)
        assert graph.num_edges == size
        graph.add_edges([(0, 9)])
        graph.close()
        return bool(refused)

    with_work_enough(met, 1_300_000)


def test_the_progress_of_renumbering_may_read_but_not_change_flush_or_close_the_graph():
    def met(size):
        numbers = np.arange(size)
        graph = rz.open(None)
        graph.add_edges(np.stack([numbers, numbers + 1], axis=1))
        refused, answers = [], []

        def meddle(phase, done, total):
            for what in (graph.flush, graph.close, graph.compact, lambda: graph.add_edges([(0, 9)])):
                with pytest.raises(rz.InvalidArgumentError, match="from a progress function"):
                    what()
                refused.append(what)
            answers.append((graph.num_edges, graph.has_edge(7, 8), len(rz.bfs(graph, 5, max_depth=1).top(10))))

        graph.compact("degree", threads=1, progress=meddle)
        assert set(answers) <= {(size, True, 3)}
        graph.close()
        return bool(refused)

    with_work_enough(met, 600_000)


@pytest.mark.parametrize("what", ["change", "compact"])
def test_progress_may_wait_for_a_thread_that_wants_the_graph(tmp_path, what):
    outcomes = []

    def attempt(size):
        numbers = np.arange(size)
        edges = np.stack([numbers, numbers + 1], axis=1)
        with rz.open(tmp_path / f"{size}.rz", durability="none", lock_timeout=0.01) as graph:
            graph.add_edges([(0, 1)] if what == "change" else edges)

            # Changes go on beside a compaction.
            wish = (lambda: graph.add_edges([(0, 9)])) if what == "change" else graph.checkpoint

            def wait(phase, done, total):
                with ThreadPoolExecutor(1) as thread:
                    outcomes.append(thread.submit(wish).exception())

            if what == "change":
                graph.add_edges(edges, progress=wait)
            else:
                graph.compact("degree", threads=1, progress=wait)
            assert graph.num_edges == size
            graph.add_edges([(0, 9)])
            assert graph.num_edges == size + 1
        for each in outcomes:
            assert isinstance(each, rz.LockedError), each
            assert "has not returned" in str(each)
        return bool(outcomes)

    with_work_enough(attempt, 1_300_000 if what == "change" else 600_000)


def test_a_signal_ends_a_great_change(tmp_path):
    with rz.open(tmp_path / "g.rz") as graph:
        graph.add_edges([(0, 1)])
        numbers = np.arange(20_000_000)
        edges = np.stack([numbers, numbers + 1], axis=1)
        interrupt(lambda: graph.add_edges(edges), after=0.2)
        assert graph.num_edges == 1
    with rz.open(tmp_path / "g.rz") as graph:
        assert (len(graph), graph.num_edges) == (2, 1)


_COMMAND = """
import sys, _rizoma_command

class Tell:
    def find_spec(self, name, path=None, target=None):
        if name == "rizoma":
            print("begun", flush=True)

sys.meta_path.insert(0, Tell())
_rizoma_command.main()
"""


def expect_no_traceback(command, wait, **environment):
    """Interrupt the command `wait` seconds after it has said that it begins."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen([sys.executable, *command], env=os.environ | environment, **pipes)
    assert process.stdout.readline() == "begun\n"
    time.sleep(wait)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=900)
    assert process.returncode in (-signal.SIGINT, 2, 130), error  # 2: it had asked for a path already
    assert "Traceback" not in error


@pytest.mark.parametrize("wait", [0, 0.02, 0.05, 0.1, 0.2, 0.4])
def test_the_command_shows_no_traceback_however_early_it_is_interrupted(wait):
    expect_no_traceback(["-c", _COMMAND, "info"], wait)


_HOOK = """
import sys

class Tell:
    def find_spec(self, name, path=None, target=None):
        if name == "rizoma._core":  # the first import after the handler stands
            print("begun", flush=True)

sys.meta_path.insert(0, Tell())
"""


@pytest.mark.parametrize("wait", [0, 0.02, 0.05, 0.1, 0.2, 0.4])
def test_python_m_shows_no_traceback_however_early_it_is_interrupted(tmp_path, wait):
    (tmp_path / "sitecustomize.py").write_text(_HOOK)
    expect_no_traceback(["-m", "rizoma", "info"], wait, PYTHONPATH=f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}")


def test_a_forked_child_has_engines_of_its_own(graph):
    state = graph.snapshot()  # the graph itself stays the parent's
    assert rz.pagerank(state, threads=2).converged
    child = os.fork()
    if child == 0:
        os._exit(0 if rz.pagerank(state, threads=2).converged else 1)
    assert waited(child) == 0


_AT_EXIT = """
import threading, time
import rizoma as rz

graph = rz.generate("rmat", 14)
begun = threading.Event()


def work():
    while True:
        begun.set()
        try:
            {call}
        except rz.RizomaError:
            return


for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
begun.wait()
time.sleep({wait})
"""


@pytest.mark.parametrize(
    "call",
    [
        "rz.betweenness_centrality(graph, threads=2)",  # would take minutes
        "rz.pagerank(graph, threads=1, progress=lambda *_: None)",
        "graph.add_edges([(0, 1)])",
        "rz.generate('rmat', 12)",
    ],
)
def test_daemon_threads_in_a_call_when_the_interpreter_ends(call):
    """Neither an abort, nor a process that stays."""
    for wait in (0.05, 0.2, 0.5):
        script = _AT_EXIT.format(call=call, wait=wait)
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=900, check=False)
        assert done.returncode == 0, done.stderr[-2000:]


def test_what_runs_at_exit_may_still_use_graphs(tmp_path):
    """The thread that ends the interpreter is not refused, in hooks before and after Rizoma's own."""
    script = f"""
import atexit, sys
atexit.register(lambda: (graph.add_edges([(1, 2)]), print(graph.num_edges, rz.pagerank(graph).converged)))
import rizoma as rz
graph = rz.open({str(tmp_path / "g.rz")!r})
graph.add_edges([(0, 1)])
atexit.register(lambda: print(rz.pagerank(graph).converged))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=900, check=False)
    assert (done.returncode, done.stdout.split()) == (0, ["True", "2", "True"]), done.stderr


def test_a_child_forked_beside_a_call_ends(graph):
    """The calls of the parent's other threads are not waited for in the child."""
    state = graph.snapshot()
    stop = threading.Event()

    def work():
        while not stop.is_set():
            rz.pagerank(state, threads=1)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        for _ in range(5):
            child = os.fork()
            if child == 0:
                engines._leave()
                os._exit(0)
            assert waited(child) == 0
    finally:
        stop.set()
        thread.join()


LONG_CALLS = {
    "influence_maximization": lambda g: rz.influence_maximization(g, k=50, probability=0.5, seed=1),
    "influence_maximization, imm": lambda g: rz.influence_maximization(g, k=50, probability=0.5, method="imm", seed=1),
    "influence_maximization, lt": lambda g: rz.influence_maximization(g, k=5000, model="lt", epsilon=0.02, seed=1),
    "influence": lambda g: rz.influence(g, [0, 1, 2], probability=0.5, runs=2_000_000),
    "square_clustering": rz.square_clustering,
    "eccentricity": rz.eccentricity,
    "katz_centrality": lambda g: rz.katz_centrality(g, alpha=1e-5, max_iter=10**6, tol=0),
    "betweenness_centrality": rz.betweenness_centrality,
    "closeness_centrality": rz.closeness_centrality,
}


@pytest.mark.parametrize("name", LONG_CALLS)
def test_a_long_call_ends_soon_after_ctrl_c(name):
    """Ten times what it takes on a machine that does nothing else."""
    graph = rz.generate("rmat", 17, seed=1)
    pressed = []

    def press():
        pressed.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(2, press)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        LONG_CALLS[name](graph)
    assert time.monotonic() - pressed[0] < 4
