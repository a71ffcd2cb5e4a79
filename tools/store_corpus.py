"""Stores of past releases, which every later release opens: tests/data/stores.

Usage: store_corpus.py add NAME     adds stores of the tree's present state as NAME.tar.xz, with their answers
       store_corpus.py answers      writes the answers of stores that have none yet

`answers.json` has for each store what it answered when it was added; test_store_corpus.py compares. An answer is never
written again: a release that answers otherwise is wrong. Add stores at each release, and before and after a change of
`disk_format.h`.
"""

from __future__ import annotations

import argparse
import io
import json
import shutil
import sys
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import rizoma as rz

STORES = Path(__file__).resolve().parents[1] / "tests" / "data" / "stores"
ANSWERS = STORES / "answers.json"
DIGITS = 6


def make_columns(path: Path) -> None:
    """Text ids, columns of edges and vertices, nulls, a tag, removals, changes that wait in the log."""
    columns = {"amount": "float64", "note": "string", "at": "timestamp[us]"}
    with rz.open(
        path, directed=True, ids="string", edges=columns, vertices={"age": "int32", "name": "string"}
    ) as graph:
        names = [f"p{i}" for i in range(40)]
        graph.add_edges(
            pa.table(
                {
                    "source": [names[i * 7 % 40] for i in range(120)],
                    "target": [names[i * 11 % 37] for i in range(120)],
                    "amount": [None if i % 9 == 0 else i / 4 for i in range(120)],
                    "note": [None if i % 5 == 0 else "n" * (i % 4) for i in range(120)],
                    "at": pa.array([i * 1_000_000 for i in range(120)], pa.timestamp("us")),
                }
            )
        )
        graph.add_vertices(
            pa.table({"vertex": names[:9], "age": list(range(9)), "name": [f"Ada {i}" for i in range(9)]})
        )
        graph.tag("first")
        graph.remove_vertices(["p3"])
        graph.compact("degree")
        graph.set("p4", age=None)
        graph.add_edges([("p1", "é\u2603")])
        graph.remove_edges([("p7", "p11")], missing="ignore")


def make_weights(path: Path) -> None:
    """Integer ids, weights, an undirected graph, a delta beside images."""
    with rz.open(path, ids="integer", weights=True) as graph:
        graph.add_edges([(i * 5 % 61 - 30, i * i % 53 - 20, i / 2 + 1) for i in range(150)])
        graph.checkpoint()
        graph.add_edges([(1000, -(2**40), 7.5), (1000, 1, 2.5)])
        graph.checkpoint()
        graph.set_weights([(1000, 1, 4.25)])


def make_parallel(path: Path) -> None:
    """Parallel edges and loops kept, dense ids, removed vertices."""
    with rz.open(path, directed=True, parallel_edges="keep", ids="dense") as graph:
        graph.add_edges([(i % 17, i * 3 % 13) for i in range(90)] + [(1, 2)] * 3)
        graph.remove_vertices([5])
        graph.checkpoint()
        graph.add_edges([(16, 16), (16, 16)])


def make_rules(path: Path) -> None:
    """Parallel edges combined by a rule of each column, checkpointed and in the log; lists of numbers; two tags."""
    columns = {"amount": "float64", "since": "int64", "label": "string"}
    rules = {"amount": "sum", "since": "min", "label": "last"}
    with rz.open(
        path, ids="integer", edges=columns, vertices={"place": "list<float32>"}, parallel_edges=rules
    ) as graph:
        for turn in range(3):
            graph.add_edges(
                pa.table(
                    {
                        "source": [i % 11 for i in range(40)],
                        "target": [i * 3 % 7 + 20 for i in range(40)],
                        "amount": [i / 8 + turn for i in range(40)],
                        "since": [1000 - i * turn for i in range(40)],
                        "label": [f"{turn}-{i % 5}" for i in range(40)],
                    }
                )
            )
            if turn == 0:
                graph.checkpoint()
            if turn < 2:
                graph.tag(f"turn {turn}")
        graph.set(3, place=[0.5, -1.5, 2.0])


def make_gaps(path: Path) -> None:
    """Dense ids that became integers, because an edge named a far one; the order renewed; a purge."""
    with rz.open(path, directed=True, ids="dense", weights=True) as graph:
        graph.add_edges([(i % 23, i * 5 % 19, i / 4) for i in range(100)])
        graph.checkpoint()
        graph.add_edges([(3, 5_000_000_000, 9.5)])
        graph.remove_vertices([4])
        graph.compact("locality", purge=True)
        graph.add_edges([(4, 3, 1.25)])


def make_empty(path: Path) -> None:
    """Nothing at all."""
    rz.open(path).close()


KINDS: dict[str, Callable[[Path], None]] = {
    "columns": make_columns,
    "weights": make_weights,
    "parallel": make_parallel,
    "rules": make_rules,
    "gaps": make_gaps,
    "empty": make_empty,
}


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, float):
        return round(value, DIGITS)
    return value if value is None or isinstance(value, bool | int | str) else str(value)


def rows_of(table: pa.Table) -> list[list[Any]]:
    """The rows of a table, in an order that does not depend on the store's."""
    rows = [
        [plain(value) for value in row] for row in zip(*(column.to_pylist() for column in table.columns), strict=True)
    ]
    return sorted(rows, key=repr)


def edges_of(graph: rz.Graph | rz.Snapshot) -> list[list[Any]]:
    """The edges; those of an undirected graph have no first end."""
    rows = rows_of(graph.edges.to_arrow())
    if graph.directed:
        return rows
    return sorted([[*sorted(row[:2], key=repr), *row[2:]] for row in rows], key=repr)


def content_of(graph: rz.Graph | rz.Snapshot) -> dict[str, Any]:
    """What is in a state of a graph."""
    return {
        "directed": graph.directed,
        "edges": edges_of(graph),
        "vertices": rows_of(graph.vertices.to_arrow()),
    }


def answers_of(path: Path) -> dict[str, Any]:
    """What a store answers: its content, that of its tagged states, and what algorithms make of it."""
    with rz.open(path, mode="read_only") as graph:
        answers = content_of(graph)
        tags = list(graph.tags())
        if graph.num_vertices:
            answers["pagerank"] = sorted(
                plain(score) for score in rz.pagerank(graph, max_iter=500, tol=1e-12).to_dict().values()
            )
            answers["components"] = len(set(rz.connected_components(graph).to_dict().values()))
            answers["triangles"] = sum(rz.triangle_count(graph).to_dict().values())
    answers["tags"] = {}
    for tag in tags:
        with rz.open(path, at=tag) as state:
            answers["tags"][tag] = content_of(state)
    return json.loads(json.dumps(answers))


def names() -> list[str]:
    """All stores, those in archives as ARCHIVE/STORE."""
    found = [path.name for path in STORES.iterdir() if path.is_dir()]
    for archive in STORES.glob("*.tar.xz"):
        with tarfile.open(archive) as tar:
            inside = {Path(member.name).parts[0] for member in tar.getmembers()}
        found += [f"{archive.name.removesuffix('.tar.xz')}/{store}" for store in inside]
    return sorted(found)


def unpack(name: str, to: Path) -> Path:
    """A copy of a store, in a directory that exists."""
    archive, _, store = name.partition("/")
    if not store:
        return Path(shutil.copytree(STORES / archive, to / archive))
    with tarfile.open(STORES / f"{archive}.tar.xz") as tar:
        members = [member for member in tar.getmembers() if Path(member.name).parts[0] == store]
        tar.extractall(to, members, filter="data")
    return to / store


def pack(stores: Path, archive: Path) -> None:
    """An archive of stores; the same bytes whenever it is made."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:xz") as tar:
        for path in sorted(path for path in stores.rglob("*") if path.is_file() and path.name != "LOCK"):
            member = tarfile.TarInfo(str(path.relative_to(stores)))
            member.size = path.stat().st_size
            with path.open("rb") as file:
                tar.addfile(member, file)
    with archive.open("xb") as file:
        file.write(packed.getvalue())


def add(name: str) -> None:
    """Adds stores of the present state."""
    with tempfile.TemporaryDirectory() as scratch:
        for kind, make in KINDS.items():
            make(Path(scratch) / kind)
        pack(Path(scratch), STORES / f"{name}.tar.xz")


def write_answers() -> None:
    """Writes what is missing in `answers.json`."""
    known = json.loads(ANSWERS.read_text()) if ANSWERS.exists() else {}
    with tempfile.TemporaryDirectory() as scratch:
        for name in names():
            if name not in known:
                known[name] = answers_of(unpack(name, Path(tempfile.mkdtemp(dir=scratch))))
    lines = [
        f"{json.dumps(name)}: {json.dumps(answers, ensure_ascii=False)}" for name, answers in sorted(known.items())
    ]
    ANSWERS.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("command", choices=["add", "answers"])
    parser.add_argument("name", nargs="?", help="of the release, or of the state")
    options = parser.parse_args()
    if options.command == "add":
        if not options.name:
            parser.error("add needs a name")
        add(options.name)
    write_answers()
    return 0


if __name__ == "__main__":
    sys.exit(main())
