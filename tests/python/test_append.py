"""Files that are added to a store: as a batch or, where they are great, as a load of everything."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rizoma as rz
from rizoma import _core
from rizoma.core.engines import engine

LIMIT = "12M"  # the least; files of 3 MB and more are loaded, not gathered


def edge_file(path: Path, count: int, seed: int, names: bool = False) -> np.ndarray:
    """Writes `count` edges of which some are there already; returns them, with weights."""
    random = np.random.default_rng(seed)
    edges = random.integers(0, 20_000, size=(count, 2))
    prefix = "vertex" if names else ""
    weights = random.integers(1, 1000, size=count)
    lines = (f"{prefix}{u},{prefix}{v},{w}" for (u, v), w in zip(edges.tolist(), weights.tolist(), strict=True))
    path.write_text("source,target,weight\n" + "\n".join(lines) + "\n")
    return np.column_stack((edges, weights))


def content(graph: rz.Graph) -> tuple[int, list[tuple[Any, ...]]]:
    """How many vertices, and all edges."""
    table = graph.edges.to_arrow().to_pydict()
    ends = zip(table["source"], table["target"], strict=True)
    if not graph.directed:
        ends = (tuple(sorted(pair)) for pair in ends)  # type: ignore[assignment]
    return len(graph), sorted((*pair, w) for pair, w in zip(ends, table.get("weight", table["source"]), strict=True))


@pytest.mark.parametrize("names", [False, True], ids=["dense", "names"])
@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
def test_a_load_adds_what_a_batch_adds(tmp_path: Path, directed: bool, names: bool) -> None:
    edge_file(tmp_path / "first.csv", 50_000, 1, names)
    edge_file(tmp_path / "more.csv", 300_000, 2, names)
    found = []
    for name, limit in (("batch.rz", None), ("load.rz", LIMIT)):
        options: dict[str, Any] = {"into": tmp_path / name, "directed": directed, "weights": "int32"}
        rz.read(tmp_path / "first.csv", **options).close()
        with rz.open(tmp_path / name) as graph:
            graph.tag("before")
        with rz.read(tmp_path / "more.csv", into=tmp_path / name, append=True, memory_limit=limit) as graph:
            found.append(content(graph))
            assert graph.last_import is not None
            assert graph.last_import.files[0].edges == 300_000
        assert rz.check(tmp_path / name).findings == []
        with rz.open(tmp_path / name, mode="read_only", at="before") as graph:
            found.append(content(graph))
    assert found[0] == found[2]
    assert found[1] == found[3]


def test_what_a_load_cannot_take_is_a_batch(tmp_path: Path) -> None:
    edge_file(tmp_path / "more.csv", 300_000, 2)
    with rz.open(tmp_path / "holes.rz", ids="dense") as graph:
        graph.add_edges([(0, 1), (1, 2)])
        graph.remove_vertices([2])
    with rz.open(tmp_path / "columns.rz", edges={"amount": "int64"}) as graph:
        graph.add_edges([(0, 1)])
    for name, options in (("holes.rz", {}), ("columns.rz", {})):
        with rz.read(tmp_path / "more.csv", into=tmp_path / name, append=True, memory_limit=LIMIT, **options) as graph:
            assert graph.num_edges > 100_000
        assert rz.check(tmp_path / name).findings == []


def test_values_of_vertices_stay(tmp_path: Path) -> None:
    edge_file(tmp_path / "more.csv", 300_000, 2)
    with rz.open(tmp_path / "g.rz", ids="integer", vertices={"age": "int16"}) as graph:
        graph.add_vertices({"vertex": [7, 30_000], "age": [41, 42]}, vertex="vertex")
        graph.add_edges([(7, 8)])
    with rz.read(tmp_path / "more.csv", into=tmp_path / "g.rz", append=True, memory_limit=LIMIT) as graph:
        ages = graph.vertices.to_arrow().to_pydict()
    known = {v: age for v, age in zip(ages["vertex"], ages["age"], strict=True) if age is not None}
    assert known == {7: 41, 30_000: 42}


def test_a_file_with_a_fault_adds_nothing(tmp_path: Path) -> None:
    edge_file(tmp_path / "more.csv", 300_000, 2)
    with (tmp_path / "more.csv").open("a") as file:
        file.write("1,x,3\n")
    with rz.open(tmp_path / "g.rz", ids="integer") as graph:
        graph.add_edges([(0, 1)])
    with pytest.raises(rz.ParseError, match=r"more\.csv:300002"):
        rz.read(tmp_path / "more.csv", into=tmp_path / "g.rz", append=True, memory_limit=LIMIT)
    with rz.open(tmp_path / "g.rz") as graph:
        assert graph.num_edges == 1
    assert not list(tmp_path.glob("**/edges.*"))


def test_memory_stays_within_the_limit(tmp_path: Path) -> None:
    """Of 2.4 M edges, of which a batch takes more than 100 MB."""
    for name, seed in (("first.csv", 1), ("more.csv", 2)):
        edge_file(tmp_path / name, 2_400_000, seed)

    def grown(limit: str) -> int:
        """Most bytes beyond those of a process that has opened the store."""
        store = tmp_path / f"{limit}.rz"
        script = f"""
import re
import rizoma as rz

def most():
    return 1024 * int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])

rz.open({str(store)!r}, mode="read_only").close()
before = most()
rz.read({str(tmp_path / "more.csv")!r}, into={str(store)!r}, append=True, memory_limit={limit!r})
print(most() - before)
"""
        rz.read(tmp_path / "first.csv", into=store).close()
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        return int(done.stdout)

    limited, gathered = grown("48M"), grown("4G")
    assert limited < 128 << 20, "the lists of the store are mapped, and count"
    assert gathered > 2 * limited


def test_a_change_meanwhile_is_not_lost(tmp_path: Path) -> None:
    with rz.open(tmp_path / "g.rz", ids="integer") as graph, engine() as borrowed:
        graph.add_edges([(0, 1)])
        load = graph._native.append_load(borrowed, _core.VertexOrder.degree, 12 << 20)
        graph.add_edges([(1, 2)])
        with pytest.raises(rz.LockedError, match=r"another change was made to the graph.*during a bulk load"):
            load.finish(borrowed)
        assert graph.num_edges == 2
        again = graph._native.append_load(borrowed, _core.VertexOrder.degree, 12 << 20)
        graph.checkpoint()  # changes nothing
        again.finish(borrowed)
        assert sorted(tuple(sorted(edge)) for edge in graph.edges) == [(0, 1), (1, 2)]
    assert rz.check(tmp_path / "g.rz").findings == []
