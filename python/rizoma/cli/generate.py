"""rizoma generate."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from .. import _core
from ..core.errors import AlreadyExistsError
from ..core.files import is_store
from ..graph.info import human_bytes
from ..io.read import generate
from .app import Progress, Store, Threads, choices, command, expect_before, say, show_progress
from .memory import left_of

__all__ = ["generate_graph"]


@command("generate")
def generate_graph(
    kind: Annotated[
        str,
        typer.Argument(
            help="rmat (skewed), uniform (random) or grid (road-like).",
            autocompletion=choices(*_core.GeneratorKind.__members__),
        ),
    ],
    store: Store,
    scale: Annotated[int, typer.Option(min=0, max=40, help="2^scale vertices.")] = 16,
    edge_factor: Annotated[int, typer.Option(min=1, help="Edges a vertex (rmat, uniform).")] = 16,
    seed: Annotated[int, typer.Option(help="The same seed gives the same graph.")] = 1,
    directed: Annotated[bool, typer.Option("--directed/--undirected", help="Whether edges have a direction.")] = False,
    weights: Annotated[
        str | None, typer.Option(help="int32, float32 or float64: random weights 1..255. Default: none.")
    ] = None,
    parallel_edges: Annotated[
        str | None, typer.Option(help="merge (default), keep, sum, min, max, first or last.")
    ] = None,
    self_loops: Annotated[str | None, typer.Option(help="keep (default) or drop.")] = None,
    in_edges: Annotated[
        bool | None, typer.Option("--in-edges/--no-in-edges", help="Directed: store in-edges too (default).")
    ] = None,
    order: Annotated[str, typer.Option(help="Internal ids: auto, given, degree, locality, striped.")] = "auto",
    memory_limit: Annotated[
        str | None,
        typer.Option(envvar="RIZOMA_MEMORY_LIMIT", help="Most memory that the command may take, such as 4G."),
    ] = None,
    threads: Threads = 0,
    progress: Progress = None,
) -> None:
    """Make a store with a synthetic graph.

    rizoma generate rmat kron20.rz --scale 20
    rizoma generate grid city.rz --scale 16 --weights int32
    """
    expect_before("rizoma generate kind", kind, store, _core.GeneratorKind.__members__)
    if is_store(store):
        raise AlreadyExistsError(f"{store} is a graph already; give another path, or remove it first (rm -r {store})")
    begin = time.perf_counter()
    with generate(
        kind,
        scale,
        edge_factor=edge_factor,
        seed=seed,
        into=store,
        directed=directed,
        weights=weights,
        parallel_edges=parallel_edges,
        self_loops=self_loops,
        in_edges=in_edges,
        order=order,
        memory_limit=left_of(memory_limit),
        threads=threads,
        progress=show_progress(progress),
    ) as graph:
        info = graph.info()
        say(
            f"{store}: {info.num_vertices:,} vertices, {info.num_edges:,} edges, "
            f"{human_bytes(info.bytes_on_disk)}, in {time.perf_counter() - begin:.2f} s"
        )
