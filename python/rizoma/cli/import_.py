"""rizoma import."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from .. import _core
from ..formats import FORMATS
from ..info import human_bytes
from ..read import read
from .app import Locations, Progress, Store, Threads, choices, command, say, show_progress
from .memory import left_of
from .piped import given_files

__all__ = ["import_files"]


@command("import")
def import_files(
    store: Store,
    files: Annotated[list[Path], typer.Argument(help="Edge files; - is standard input.", show_default=False)],
    directed: Annotated[
        bool | None,
        typer.Option("--directed/--undirected", help="Default: as the file says, else undirected."),
    ] = None,
    weights: Annotated[
        str | None,
        typer.Option(help="int32, float32, float64 or none. Default: as the file says.", show_default=False),
    ] = None,
    ids: Annotated[
        str | None,
        typer.Option(
            help="dense (0..n-1), integer or string. Default: found out.",
            show_default=False,
            autocompletion=choices(*_core.IdKind.__members__),
        ),
    ] = None,
    format: Annotated[
        str, typer.Option(help=", ".join([*_core.FileFormat.__members__, "parquet", *FORMATS]) + ".")
    ] = "auto",
    source_column: Annotated[str | None, typer.Option(help="CSV, Parquet: name of the column.")] = None,
    target_column: Annotated[str | None, typer.Option(help="CSV, Parquet: name of the column.")] = None,
    weight_column: Annotated[str | None, typer.Option(help="CSV, Parquet: name of the column.")] = None,
    parallel_edges: Annotated[str | None, typer.Option(help="merge (default) or keep.")] = None,
    self_loops: Annotated[str | None, typer.Option(help="keep (default) or drop.")] = None,
    in_edges: Annotated[
        bool | None, typer.Option("--in-edges/--no-in-edges", help="Directed: store in-edges too (default).")
    ] = None,
    order: Annotated[
        str,
        typer.Option(
            help="Inner numbers: auto, given, degree (hubs first), cyclic (dealt out).",
            autocompletion=choices(*_core.VertexOrder.__members__),
        ),
    ] = "auto",
    memory_limit: Annotated[
        str | None,
        typer.Option(envvar="RIZOMA_MEMORY_LIMIT", help="Most memory that the command may take, such as 4G."),
    ] = None,
    location: Locations = None,
    append: Annotated[bool, typer.Option(help="Add to a store that is not empty, as one commit.")] = False,
    threads: Threads = 0,
    progress: Progress = None,
) -> None:
    """Make a store from edge files.

    Reads SNAP text, CSV and TSV, MatrixMarket, METIS, LDBC Graphalytics .v/.e, GAP .sg/.wsg, DIMACS .gr
    and Parquet; text may be compressed as .gz or .zst.  A graph larger than memory is fine.
    Nothing has the name of the store before it is whole (without --location it is built beside it), and
    if anything goes wrong nothing is left behind; what a killed import left, .STORE.loading-PID, the next one
    removes.  A malformed line is named by file, line and column.

    \b
        rizoma import social.rz soc-Epinions1.txt.gz --directed
        rizoma import flights.rz flights.csv --source-column origin --target-column dest --weight-column miles
        rizoma import big.rz part-*.parquet --memory-limit 4G --order degree
        rizoma import big.rz edges.el --location /mnt/pmem0 --location /mnt/pmem1
    """
    begin = time.perf_counter()
    with (
        given_files(files) as given,
        read(
            *given,
            into=store,
            directed=directed,
            weights=False if weights == "none" else weights,
            ids=ids,
            format=format,
            source=source_column,
            target=target_column,
            weight=weight_column,
            parallel_edges=parallel_edges,
            self_loops=self_loops,
            in_edges=in_edges,
            order=order,
            memory_limit=left_of(memory_limit),
            append=append,
            locations=location or (),
            threads=threads,
            progress=show_progress(progress),
        ) as graph,
    ):
        seconds = time.perf_counter() - begin
        info = graph.info()
        say(
            f"{store}: {info.num_vertices:,} vertices, {info.num_edges:,} edges, "
            f"{human_bytes(info.bytes_on_disk)}, in {seconds:.2f} s "
            f"({info.num_edges / max(seconds, 1e-9) / 1e6:.2f} M edges/s)"
        )
