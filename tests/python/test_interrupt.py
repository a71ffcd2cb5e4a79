"""Ctrl-C stops a long call at once and leaves everything usable; a forked child works too."""

from __future__ import annotations

import os
import signal
import threading
import time

import pytest
import rizoma as rz


def press_ctrl_c(after: float) -> None:
    threading.Timer(after, lambda: os.kill(os.getpid(), signal.SIGINT)).start()


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
    for _ in range(300):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            assert status == 0
            return
        time.sleep(0.1)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    pytest.fail("the child hangs")
