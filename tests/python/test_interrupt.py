"""Ctrl-C stops a long call at once and leaves everything usable; a forked child works too."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import pytest
import rizoma as rz
from rizoma import engines


def press_ctrl_c(after: float) -> None:
    threading.Timer(after, lambda: os.kill(os.getpid(), signal.SIGINT)).start()


def waited(child: int) -> int:
    """The status that the child ends with, soon."""
    for _ in range(300):
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


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_a_kernel_is_interrupted(graph, threads):
    begin = time.perf_counter()
    press_ctrl_c(0.2)
    with pytest.raises(KeyboardInterrupt):
        rz.betweenness_centrality(graph, threads=threads)  # would take minutes
    assert time.perf_counter() - begin < 10
    assert rz.pagerank(graph, threads=threads).converged


def test_an_import_is_interrupted_and_leaves_nothing(tmp_path):
    press_ctrl_c(0.3)
    with pytest.raises(KeyboardInterrupt):
        rz.generate("rmat", 22, into=tmp_path / "big.rz")
    assert list(tmp_path.iterdir()) == []
    with rz.generate("rmat", 8, into=tmp_path / "big.rz") as small:
        assert len(small) == 256


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
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False
        )
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
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False
    )
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
