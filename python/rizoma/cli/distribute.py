"""rizoma distribute."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from ..core.config import RANK_POLICIES
from ..distributed.distribute import distribute as distribute_store
from ..distributed.distribute import receive as receive_part
from ..graph.info import human_bytes
from .app import Progress, Store, Threads, choices, command, say, show_progress

__all__ = ["distribute"]


@command("distribute")
def distribute(
    store: Store,
    places: Annotated[
        list[str] | None, typer.Argument(help="DIR or HOST:DIR for each rank, in order.", metavar="PLACE")
    ] = None,
    partition: Annotated[
        str,
        typer.Option(
            help=f"How sections are divided: {', '.join(RANK_POLICIES)}.",
            autocompletion=choices(*RANK_POLICIES),
        ),
    ] = "chunk",
    via: Annotated[
        str, typer.Option(help="Program that runs a command on a host; it gets the host and the command line.")
    ] = "ssh",
    program: Annotated[str, typer.Option(help="Rizoma's command on the hosts.")] = "rizoma",
    receive: Annotated[
        bool, typer.Option("--receive", hidden=True, help="Make the part that standard input brings in STORE.")
    ] = False,
    threads: Threads = 0,
    progress: Progress = None,
) -> None:
    """Put a part of a graph into each of several directories, one for each rank.

    Ranks that open these read their own sections from their own disks.  A second run copies only what has changed.

    \b
        rizoma distribute social.rz parts/0 parts/1
        mpiexec -n 2 rizoma run pagerank 'parts/{rank}'
        rizoma distribute social.rz mercury:/scratch/social venus:/scratch/social
        mpiexec -hosts mercury,venus -n 2 rizoma run pagerank /scratch/social
    """
    if receive:
        receive_part(store, sys.stdin.buffer, sys.stdout.buffer)
        return
    parts = distribute_store(
        store,
        *(places or ()),
        partition=partition,
        via=via,
        program=program,
        threads=threads or None,
        progress=show_progress(progress),
    )
    for part in parts:
        say(f"{part.place}: {human_bytes(part.bytes)}, of which {human_bytes(part.sent)} were copied")
