"""rizoma info."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from .. import _core
from ..core.aliases import with_old_keys
from ..core.errors import InvalidArgumentError
from ..graph.info import Info, human_bytes, stored_info
from .app import command, out, show_table, store_path

__all__ = ["files_table", "info"]


@command("info")
def info(
    store: Annotated[
        Path | None,
        typer.Argument(
            help="Directory of the store, such as social.rz",
            show_default=False,
            parser=store_path,
            metavar="STORE",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object, for programs.")] = False,
    topology: Annotated[
        bool,
        typer.Option("--topology", help="This machine's nodes and memories; needs no store."),
    ] = False,
) -> None:
    """Show what a store holds and where its bytes are.  Works while another process writes.

    rizoma info social.rz
    rizoma info social.rz --json
    rizoma info --topology
    """
    if topology:
        print(_core.topology_text(), end="")
    if store is None:
        if not topology:
            raise InvalidArgumentError("no store is named; name one, or give --topology")
        return
    facts = stored_info(store)
    if as_json:
        print(json.dumps(with_old_keys(facts.to_dict(), "rizoma info --json"), indent=2))
    else:
        out.print(str(facts), highlight=False)
        show_table(files_table(facts))


def files_table(facts: Info) -> Table:
    """The files of a store, by purpose and size; "on disk" is without what has been given back."""
    entries = max(facts.num_entries, 1)
    table = Table(title=f"where the data lies: {facts.location}", title_justify="left")
    table.add_column("file")
    table.add_column("holds")
    table.add_column("size", justify="right")
    table.add_column("on disk", justify="right")
    table.add_column("bytes an entry", justify="right")
    for file in facts.files:
        taken = int(file["allocated"])
        table.add_row(
            file["name"],
            file["purpose"],
            human_bytes(int(file["bytes"])),
            human_bytes(taken),
            f"{taken / entries:.2f}",
        )
    table.add_section()
    size = sum(int(file["bytes"]) for file in facts.files)
    table.add_row(
        "all", "", human_bytes(size), human_bytes(facts.bytes_on_disk), f"{facts.bytes_on_disk / entries:.2f}"
    )
    return table
