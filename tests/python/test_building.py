"""Two processes that make a store at one place, and what others put there meanwhile."""

import os
import subprocess
import sys
import textwrap

import pytest
import rizoma as rz
from rizoma.graph import open as opening
from rizoma.graph import staging as building


def test_a_directory_of_others_survives_a_failed_creation(tmp_path, monkeypatch):
    """Another program makes the directory after it was looked for, and puts something in it."""
    path = tmp_path / "g.rz"
    real = opening.OpenSettings.open

    def meanwhile(self, location, mode, schema):
        (location / "letters").mkdir(parents=True)
        (location / "letters" / "dear.txt").write_text("dear")
        return real(self, location, _create(mode), schema)

    def _create(mode):
        return type(mode).open  # which finds no store

    monkeypatch.setattr(opening.OpenSettings, "open", meanwhile)
    with pytest.raises(rz.RizomaError):
        rz.open(path)
    assert (path / "letters" / "dear.txt").read_text() == "dear"


def test_what_a_failed_creation_left_goes(tmp_path, monkeypatch):
    path = tmp_path / "g.rz"

    def fails(self, location, mode, schema):
        (location / "LOCK").write_text("")
        (location / "log.1").write_text("")
        raise rz.StorageError("no space left")

    monkeypatch.setattr(opening.OpenSettings, "open", fails)
    with pytest.raises(rz.StorageError):
        rz.open(path)
    assert not path.exists()


def test_a_store_that_another_process_builds_is_not_removed(tmp_path):
    """Neither before it has a lock of its own, nor after."""
    first = building.StagingDirectory(tmp_path / "g.rz")
    assert list(first.path.iterdir()) == []
    second = building.StagingDirectory(tmp_path / "g.rz")
    assert first.path.exists()
    assert second.path.exists()
    first.remove()
    assert not first.path.exists()
    second.release()
    third = building.StagingDirectory(tmp_path / "g.rz")
    assert not second.path.exists()  # no process holds it: it was left by a killed process
    third.remove()


def test_directories_that_only_look_alike_stay(tmp_path):
    mine = tmp_path / ".g.rz.loading-notes"
    mine.mkdir()
    linked = tmp_path / ".g.rz.loading-1-01234567"
    os.symlink(mine, linked)
    building.StagingDirectory(tmp_path / "g.rz").remove()
    assert mine.exists()
    assert linked.is_symlink()


def test_an_import_does_not_take_a_store_of_others_for_its_own(tmp_path, monkeypatch):
    """Another process makes a store in the empty directory while this one begins; its failure leaves that one alone."""
    path = tmp_path / "g.rz"
    path.mkdir()
    (tmp_path / "bad.csv").write_text("source,target\n1,2\n3\n")
    real = opening.OpenSettings.open

    def meanwhile(self, location, mode, schema):
        monkeypatch.setattr(opening.OpenSettings, "open", real)
        with rz.open(path) as theirs:
            theirs.add_vertices(["precious"])
        return real(self, location, mode, schema)

    monkeypatch.setattr(opening.OpenSettings, "open", meanwhile)
    with pytest.raises(rz.RizomaError):
        rz.read(tmp_path / "bad.csv", into=path)
    assert list(rz.open(path)) == ["precious"]


_BATCHES_OF_INTEGERS = """
import sys
import numpy as np
import rizoma as rz
g = rz.open(None)
g.add_edges([(1, 2), (2, 3)])
g.add_edges(np.array([[3, 4], [4, 1]]))
g.remove_edges([(1, 2)])
assert sorted(g) == [1, 2, 3, 4] and g.num_edges == 3
print(*(name for name in ("pyarrow", "numpy.ma") if name in sys.modules))
"""


def test_batches_of_integers_import_no_more_than_they_need():
    done = subprocess.run(
        [sys.executable, "-c", _BATCHES_OF_INTEGERS], check=True, timeout=900, capture_output=True, text=True
    )
    assert done.stdout.split() == []


_FORK_DURING_AN_IMPORT = """
import os, signal, sys, threading, time
import importlib.abc
began = threading.Event()

class Slow(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == "pyarrow":
            began.set()
            time.sleep(1)
        return None

sys.meta_path.insert(0, Slow())
import rizoma as rz
assert "pyarrow" not in sys.modules
thread = threading.Thread(target=lambda: rz.open(None).add_edges([("a", "b")]))
thread.start()
assert began.wait(600)
child = os.fork()
if child == 0:
    signal.alarm(600)
    g = rz.open(None)
    g.add_edges([("c", "d")])
    os._exit(0 if list(g) == ["c", "d"] else 1)
thread.join()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_a_child_forked_during_the_first_import_of_arrow_works():
    subprocess.run([sys.executable, "-c", _FORK_DURING_AN_IMPORT], check=True, timeout=900)


_DAEMON = textwrap.dedent("""
import threading, time
import numpy as np
import rizoma as rz
g = rz.generate("rmat", 12)
began = threading.Event()
def work():
    while True:
        began.set()
        rz.pagerank(g)
threading.Thread(target=work, daemon=True).start()
began.wait()
time.sleep(0.2)
""")


def test_a_daemon_thread_at_exit_is_no_leak():
    ended = subprocess.run([sys.executable, "-c", _DAEMON], capture_output=True, text=True, timeout=900)
    assert ended.returncode == 0
    assert "leak" not in ended.stderr
