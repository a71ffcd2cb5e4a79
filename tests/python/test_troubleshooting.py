"""The messages that docs/guide/troubleshooting.md explains are those that exist."""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import rizoma as rz

PAGE = (Path(__file__).resolve().parents[2] / "docs/guide/troubleshooting.md").read_text()
EXPLAINED = [
    [part.strip() for part in cell.split("...") if part.strip()]
    for cell in re.findall(r"^\| `(.+?)`(?: \(`\w+`\)| when pickling)? \|", PAGE, re.MULTILINE)
]


def written(name: str, text: str) -> str:
    Path(name).write_text(text)
    return name


def encoded(name: str, text: str, encoding: str) -> str:
    Path(name).write_text(text, encoding=encoding)
    return name


def opened() -> rz.Graph:
    graph = rz.open("g.rz")
    graph.add_edges([("ann", "bob")])
    return graph


def while_open() -> None:
    with opened():
        rz.open("g.rz")


def while_open_elsewhere() -> None:
    program = "import rizoma as rz; g = rz.open('g.rz'); print(flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdin is not None
        other.stdout.readline()
        try:
            rz.open("g.rz")
        finally:
            other.stdin.write(b"\n")
            other.stdin.close()


def amid_directories() -> None:
    Path("disk/photos/2026").mkdir(parents=True)
    rz.open("disk")


def without_its_lock() -> None:
    with opened():
        Path("g.rz/LOCK").unlink()
        rz.open("g.rz")


def for_reading() -> None:
    opened().close()
    with rz.open("g.rz", mode="read_only") as reader:
        reader.add_edges([("a", "b")])


def otherwise() -> None:
    opened().close()
    rz.open("g.rz", directed=True)


def by_a_link() -> None:
    opened().close()
    os.symlink("/etc/hostname", "g.rz/log.9")
    rz.open("g.rz")


def foreign() -> None:
    Path("x.rz").mkdir()
    written("x.rz/file", "mine")
    rz.open("x.rz")


def within_progress() -> None:
    with opened() as graph:
        edges = np.arange(6_000_000).astype(str).reshape(-1, 2)
        graph.add_edges(edges, progress=lambda *_: graph.add_edges([("x", "y")]))


def while_another_hangs() -> None:
    refused: list[rz.LockedError] = []

    def add(graph: rz.Graph) -> None:
        try:
            graph.add_edges([("x", "y")])
        except rz.LockedError as error:
            refused.append(error)

    def hang(*_: object) -> None:
        if not refused:
            thread = threading.Thread(target=add, args=(graph,))
            thread.start()
            thread.join()

    with opened() as graph:
        graph.add_edges(np.arange(6_000_000).astype(str).reshape(-1, 2), progress=hang)
        raise refused[0]


def forked() -> None:
    with opened() as graph:
        end, begin = os.pipe()
        if os.fork() == 0:
            try:
                len(graph)
            except rz.ClosedError as error:
                os.write(begin, str(error).encode())
            os._exit(0)
        os.wait()
        raise rz.ClosedError(os.read(end, 4096).decode())


CASES = {
    "being written by this process": while_open,
    "being written by process": while_open_elsewhere,
    "is open for reading only": for_reading,
    "was created with": otherwise,
    "symbolic link": by_a_link,
    "other files": foreign,
    "other directories": amid_directories,
    "has been removed": without_its_lock,
    "but a graph is a directory": lambda: rz.open(written("a.csv", "1,2\n")),
    "no graph at": lambda: rz.open("none.rz", mode="open"),
    "forked": forked,
    "found 'x'": lambda: rz.read(written("a.el", "0 1\n1 2\n2 x\n")),
    "as a header": lambda: rz.read(written("a.csv", "ann,bob\ncem,dee\n")),
    "the ends of an edge": lambda: rz.read(written("b.csv", "id,name,x\n1,a,2\n2,b,3\n")),
    "edges can be read from": lambda: rz.read(pd.DataFrame({"head": ["Paris"], "tail": ["France"]})),
    "in an adjacency matrix": lambda: rz.read(pd.DataFrame([[0, 2], [1, 0]], index=["a", "b"], columns=["a", "b"])),
    "memory limit": lambda: rz.read(
        written("e.el", "\n".join(f"{i} {i * 7 % 200000}" for i in range(200_000))), into="e.rz", memory_limit="12M"
    ),
    "no vertex": lambda: opened().degree(7),  # type: ignore[arg-type]
    "that are not UTF-8": lambda: rz.read(encoded("a.csv", "source,target\nänn,bob\n", "latin-1")),
    "by its name this is": lambda: rz.read(written("a.xlsx", "")),
    "belongs to this process": lambda: pickle.dumps(opened()),
    "from a progress function": within_progress,
    "has not returned": while_another_hangs,
}


def test_every_message_of_the_page_is_tried():
    assert len(EXPLAINED) >= len(CASES)
    for parts in EXPLAINED:
        if len(parts) > 1 or " " in parts[0]:
            assert any(any(mark in part for part in parts) for mark in CASES), parts


@pytest.mark.parametrize("mark", CASES)
def test_a_message_is_as_the_page_has_it(mark, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises((rz.RizomaError, TypeError)) as caught:
        CASES[mark]()
    message = str(caught.value)
    (parts,) = [parts for parts in EXPLAINED if any(mark in part for part in parts)]
    at = 0
    for part in parts:
        assert part in message[at:], (part, message)
        at = message.index(part, at) + len(part)
