"""The demonstration: a real road network through the durable store to ranked answers."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from .. import __path__ as package_path
from .. import _core
from ..algorithms import betweenness_centrality, bfs, connected_components, pagerank, sssp, triangle_count
from ..core.engines import engine
from ..core.errors import NotFoundError
from ..graph.graph import Graph
from ..graph.open import open_graph
from ..io.read import read
from ..results.vertex import VertexResult
from .store_facts import files_table

__all__ = ["road_file", "show"]

_TOP = 3


def road_file() -> Path:
    """The road network that Rizoma ships: in the installed package, or in the source tree."""
    places = [Path(place) / "data" for place in package_path]
    places.append(Path(__file__).resolve().parents[3] / "data")
    for place in places:
        found = sorted(place.glob("road-*"))
        if found:
            return found[0]
    raise NotFoundError(f"there is no road network (road-*) in {', '.join(map(str, places))}; install Rizoma again")


def show(directory: Path | None, threads: int, progress: bool) -> None:
    """Run the demonstration; the store stays if a directory is given."""
    console = Console()
    if directory is not None:
        directory.mkdir(parents=True, exist_ok=True)
        _show(console, directory, threads, progress)
        return
    with tempfile.TemporaryDirectory(prefix="rizoma-demo-") as temporary:
        _show(console, Path(temporary), threads, progress)


def _show(console: Console, directory: Path, threads: int, progress: bool) -> None:
    file, store = road_file(), directory / "road.rz"
    _import(console, file, store, threads, progress)
    with _timed(console, "open it again", lambda: open_graph(store)) as graph:
        _change(console, graph)
        _kernels(console, graph, threads)
        _where(console, graph)
    with engine(threads) as borrowed:
        report = _timed(console, "check every byte", lambda: _core.Graph.check(store, borrowed))
    console.print(f"  {len(report.findings)} findings: the store is {'damaged' if report.findings else 'whole'}\n")


def _timed(console: Console, what: str, act: Callable[[], Any]) -> Any:
    begin = time.perf_counter()
    answer = act()
    console.print(f"[bold]{what}[/bold]: {(time.perf_counter() - begin) * 1e3:,.1f} ms", highlight=False)
    return answer


def _import(console: Console, file: Path, store: Path, threads: int, progress: bool) -> None:
    if store.exists():
        console.print(f"{store} is there from an earlier run", highlight=False)
        return
    graph = _timed(
        console,
        f"rizoma import {store.name} {file.name}",
        lambda: read(file, into=store, threads=threads, progress=progress),
    )
    console.print(f"  {graph!r}\n", highlight=False)
    graph.close()


def _change(console: Console, graph: Graph) -> None:
    """Add two roads, durable when the call returns."""
    ids = graph.degrees().ids
    roads = [(int(ids[0]), int(ids[-1])), (int(ids[len(ids) // 2]), int(ids[-1]))]
    _timed(console, "add two roads, durably", lambda: graph.add_edges(roads))
    console.print(f"  {graph!r}\n", highlight=False)


def _kernels(console: Console, graph: Graph, threads: int) -> None:
    source = int(graph.degrees().top(1)[0][0])
    runs: list[Callable[[], VertexResult]] = [
        lambda: pagerank(graph, threads=threads),
        lambda: bfs(graph, source, threads=threads),
        lambda: connected_components(graph, threads=threads),
        lambda: betweenness_centrality(graph, k=8, seed=1, threads=threads),
        lambda: sssp(graph, source, threads=threads),
        lambda: triangle_count(graph, threads=threads),
    ]
    table = Table(title="algorithms", title_justify="left", show_lines=True)
    for heading, side in (("kernel", "left"), ("time", "right"), ("answer", "left"), ("greatest", "left")):
        table.add_column(heading, justify=side)  # type: ignore[arg-type]
    for run in runs:
        result = run()
        top = "\n".join(
            f"{name}: {value:,}" if isinstance(value, int) else f"{name}: {value:.4g}"
            for name, value in result.top(_TOP)
        )
        table.add_row(result.name, f"{result.seconds * 1e3:,.1f} ms", result._how(), top)
    console.print(table, highlight=False)
    console.print()


def _where(console: Console, graph: Graph) -> None:
    graph.checkpoint()
    console.print(files_table(graph.info()))
    console.print()
