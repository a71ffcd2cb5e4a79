"""How an import may end: whole under its name, or nothing there, also if the process is killed."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import rizoma as rz
import rizoma.graph.graph


def start_making(tmp_path: Path) -> subprocess.Popen[str]:
    """A store that is being made, and takes a while."""
    process = subprocess.Popen(
        [sys.executable, "-m", "rizoma", "generate", "rmat", "g.rz", "--scale", "22", "--threads", "1"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
    )
    end = time.monotonic() + 900
    while not list(tmp_path.glob(".g.rz.loading-*/superblock")):
        assert process.poll() is None
        assert time.monotonic() < end
        time.sleep(0.02)
    return process


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_terminated_import_leaves_nothing(tmp_path: Path, number: signal.Signals) -> None:
    process = start_making(tmp_path)
    process.send_signal(number)
    process.communicate(timeout=900)
    assert process.returncode == {signal.SIGTERM: 143, signal.SIGINT: 130}[number]
    assert not list(tmp_path.iterdir())


def test_a_killed_import_has_not_made_the_store(tmp_path: Path) -> None:
    process = start_making(tmp_path)
    with pytest.raises(rz.NotFoundError):
        rz.open(tmp_path / "g.rz", mode="read_only")
    process.kill()
    process.communicate(timeout=900)
    assert not (tmp_path / "g.rz").exists()
    (tmp_path / "small.el").write_text("0 1\n")
    rz.read(tmp_path / "small.el", into=tmp_path / "g.rz").close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["g.rz", "small.el"]


@pytest.mark.parametrize("moment", ["being filled", "given its name"])
def test_one_that_fails_beside_it_takes_nothing_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    """Two processes make a store of one name; here calls within one another: their numbers may be equal."""
    (tmp_path / "good.el").write_text("0 1\n")
    (tmp_path / "bad.el").write_text("0 nonsense\n")
    target: Any = rizoma.graph.graph.os if moment == "given its name" else rz.Graph
    name = "rename" if moment == "given its name" else "_bulk_load"
    does_it = getattr(target, name)

    def meanwhile(*arguments: Any, **named: Any) -> Any:
        monkeypatch.setattr(target, name, does_it)
        with pytest.raises(rz.ParseError):
            rz.read(tmp_path / "bad.el", into=tmp_path / "g.rz", ids="integer")
        return does_it(*arguments, **named)

    monkeypatch.setattr(target, name, meanwhile)
    with rz.read(tmp_path / "good.el", into=tmp_path / "g.rz") as graph:
        assert graph.num_edges == 1
    assert not rz.check(tmp_path / "g.rz").findings
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.el", "g.rz", "good.el"]


def test_the_graph_that_read_returns_can_be_changed(tmp_path: Path) -> None:
    (tmp_path / "small.el").write_text("0 1\n")
    with rz.read(tmp_path / "small.el", into=tmp_path / "g.rz") as graph:
        graph.add_edges([(1, 2)])
        graph.checkpoint()
        assert graph.path == tmp_path / "g.rz"
    with rz.open(tmp_path / "g.rz") as graph:
        assert len(graph) == 3
    assert not rz.check(tmp_path / "g.rz").findings


def test_a_pipe_that_nobody_writes_to_is_waited_for_with_a_word(tmp_path: Path) -> None:
    pipe = tmp_path / "edges.el"
    os.mkfifo(pipe)
    process = subprocess.Popen(
        [sys.executable, "-m", "rizoma", "import", "g.rz", str(pipe)],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert "waiting for" in process.stderr.readline()
    pipe.write_text("0 1\n1 2\n")
    process.communicate(timeout=900)
    assert process.returncode == 0
    with rz.open(tmp_path / "g.rz", mode="read_only") as graph:
        assert graph.num_edges == 2


def test_a_pipe_is_no_parquet_file(tmp_path: Path) -> None:
    pipe = tmp_path / "edges.parquet"
    os.mkfifo(pipe)
    with pytest.raises(rz.errors.InvalidArgumentError, match="not a regular file"):
        rz.read(pipe)
    (tmp_path / "edges.el").write_text("0 1\n", encoding="utf-8")
    for name in ("edges.parquet", "vertices.csv"):
        if name != "edges.parquet":
            os.mkfifo(tmp_path / name)
        with pytest.raises(rz.errors.InvalidArgumentError, match="not a regular file"):
            rz.read(tmp_path / "edges.el", vertex_files=[tmp_path / name])


def test_in_edges_of_an_undirected_graph_are_refused_by_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "edges.el").write_text("0 1\n", encoding="utf-8")
    with pytest.raises(rz.errors.InvalidArgumentError, match=r"^in_edges=False is for directed graphs, but"):
        rz.read(tmp_path / "edges.el", into=tmp_path / "g.rz", in_edges=False)
    assert not (tmp_path / "g.rz").exists()
