"""What `rizoma info` shows of a store, without the library that reads command lines."""

from __future__ import annotations

import json
from pathlib import Path

from rich.table import Table

from ..core.aliases import with_old_keys
from ..graph.info import Info, human_bytes, stored_info
from .option_names import in_options
from .terminal import out, show_table

__all__ = ["files_table", "plain_request", "show_facts"]


def plain_request(words: list[str]) -> tuple[Path, bool] | None:
    """The store of `info STORE` and whether `--json` is there; None: the command line says something else.

    To look at a store is what people and programs do most, and reading a command line takes longer than the look.
    """
    named = [word for word in words[1:] if word != "--json"]
    if words[:1] != ["info"] or len(words) > 3 or len(named) != 1 or not named[0] or named[0].startswith("-"):
        return None
    return Path(named[0]), len(words) == 3


def show_facts(store: Path, as_json: bool) -> None:
    """Print what a store holds and where its bytes are."""
    facts = stored_info(store)
    facts.damage = in_options(facts.damage, show_facts)
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
