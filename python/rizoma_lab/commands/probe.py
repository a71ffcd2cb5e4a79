"""rizoma probe."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer
from rizoma.cli.app import Progress, command, out, say, show_progress
from rizoma.core.errors import InvalidArgumentError
from rizoma.core.files import is_store
from rizoma.core.progress import progress_bar

__all__ = ["probe"]

MIB = 1 << 20
QUICK_SECONDS, FULL_SECONDS = 10.0, 60.0


@command("probe")
def probe(
    directories: Annotated[
        list[Path] | None, typer.Argument(help="Where stores lie or will lie, not a store; default: here.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="The most important cases, in about 10 s.")] = False,
    seconds: Annotated[float | None, typer.Option(min=1, help="About how long; default 60.")] = None,
    memory: Annotated[int, typer.Option(min=1, help="Most memory to use, in MiB.")] = 1024,
    file_size: Annotated[int, typer.Option(min=1, help="Size of trial files, in MiB.")] = 64,
    no_files: Annotated[bool, typer.Option("--no-files", help="Memory only.")] = False,
    drop_caches: Annotated[
        bool, typer.Option("--drop-caches", help="Empty the machine's page cache for cold cases (root).")
    ] = False,
    as_json: Annotated[Path | None, typer.Option("--json", help="Everything, raw samples too.")] = None,
    html: Annotated[Path | None, typer.Option(help="A page with plots, for sharing.")] = None,
    progress: Progress = None,
) -> None:
    """Measure memory (local, remote, sequential, random) and storage (cached, cold, bypassed, synced).

    Prints medians with 95% bootstrap intervals, and a warning wherever the page cache would flatter a device.
    Leaves nothing behind.  Run it on an idle machine.

        rizoma probe --quick
        rizoma probe /mnt/pmem0 /mnt/pmem1 /data --html probe.html --json probe.json
    """

    for place in directories or []:
        if is_store(place):
            raise InvalidArgumentError(
                f"{place} is a store; name the directory in which it lies, whose device is measured: "
                f"rizoma probe {place.absolute().parent}"
            )
    from ..probe import probe as run
    from ..probe.plan import Limits

    limits = Limits(
        seconds=seconds or (QUICK_SECONDS if quick else FULL_SECONDS),
        memory_bytes=memory * MIB,
        file_bytes=file_size * MIB,
        quick=quick,
        drop_caches=drop_caches,
    )
    with ExitStack() as stack:
        callback = stack.enter_context(progress_bar()) if show_progress(progress) else None
        report = run([] if no_files else directories or [Path()], limits=limits, progress=callback)
    out.print(report)
    if as_json:
        as_json.write_text(json.dumps(report.to_dict(), indent=1) + "\n", encoding="utf-8")
        say(f"wrote {as_json}")
    if html:
        html.write_text(report.to_html(), encoding="utf-8")
        say(f"wrote {html}")
