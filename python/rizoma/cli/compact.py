"""rizoma compact."""

from __future__ import annotations

from typing import Annotated

import typer

from .. import _core
from ..graph.info import human_bytes
from ..graph.open import open_graph
from .app import Locations, Progress, Store, Threads, choices, command, number_of, say, show_progress

__all__ = ["compact"]


@command("compact")
def compact(
    store: Store,
    order: Annotated[
        str | None,
        typer.Option(
            help="New internal ids: auto, given, degree, locality, striped. Default: unchanged.",
            autocompletion=choices(*_core.VertexOrder.__members__),
        ),
    ] = None,
    purge: Annotated[bool, typer.Option(help="Erase every trace of removed and overwritten data.")] = False,
    online: Annotated[bool, typer.Option(help="Refuse --purge, which readers in other processes would block.")] = False,
    location: Locations = None,
    threads: Threads = 0,
    progress: Progress = None,
) -> None:
    """Rewrite a store compactly, and in a new inner order if you ask for one.

    Ids of removed vertices remain in the store until you compact with --order, and traces of them in its files until
    you compact with --purge.

    \b
    rizoma compact social.rz
    rizoma compact social.rz --order auto    # whatever suits the graph best
    rizoma compact social.rz --order auto --online
    rizoma compact social.rz --order degree  # hubs first: sweeps run faster
    rizoma compact social.rz --purge         # erases what was removed
    rizoma compact social.rz --location /mnt/pmem0 --location /mnt/pmem1
    """
    if online and purge:
        raise typer.BadParameter("--purge cannot run while other processes read the store; leave out --online")
    with open_graph(store, mode="open", locations=location or ()) as graph:
        before = graph.info()
        graph.compact(order, purge=purge, threads=threads, progress=show_progress(progress))
        after = graph.info()
    if after.removed_vertices and after.ids != "dense" and order is None:
        gone = number_of(after.removed_vertices, "removed vertex", "removed vertices")
        say(f"{store}: the ids of {gone} are still in its files; --purge erases them")
    say(
        f"{store}: {before.pending_entries:,} pending entries folded in, "
        f"{human_bytes(before.bytes_on_disk)} -> {human_bytes(after.bytes_on_disk)}, order {after.order}"
    )
