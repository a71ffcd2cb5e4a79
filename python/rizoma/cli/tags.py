"""rizoma tags."""

from __future__ import annotations

from typing import Annotated

import typer

from ..graph.open import open_graph
from .app import Store, command, say, show

__all__ = ["tags"]


@command("tags")
def tags(
    store: Store,
    add: Annotated[str | None, typer.Option(help="Keep the present state under this name.")] = None,
    remove: Annotated[str | None, typer.Option(help="Remove the tag of this name.")] = None,
) -> None:
    """List, add or remove tagged states of a store.

    `rizoma.open(store, at=NAME)` opens a tagged state again.  It stays as it is however the graph changes, and costs
    the space of what has changed since.

    \b
        rizoma tags social.rz --add before-cleanup
        rizoma tags social.rz
        rizoma tags social.rz --remove before-cleanup
    """
    with open_graph(store, mode="read_only" if add is None and remove is None else "open") as graph:
        if remove is not None:
            graph.untag(remove)
        if add is not None:
            graph.tag(add)
        found = graph.tags()
    for name, time in found.items():
        show(f"{time:%Y-%m-%d %H:%M:%S} UTC  {name}")
    if not found:
        say(f"{store}: no tagged states; --add NAME keeps the present one")
