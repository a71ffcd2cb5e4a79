"""rizoma info."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .. import _core
from ..core.errors import InvalidArgumentError
from .app import command, store_path
from .store_facts import show_facts

__all__ = ["info"]


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
    show_facts(store, as_json)
