"""rizoma demo."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .app import Progress, Threads, command, show_progress
from .demo_network import show

__all__ = ["demo"]


@command("demo")
def demo(
    directory: Annotated[
        Path | None,
        typer.Option("--directory", "-d", help="Keep the store here. Default: a temporary directory."),
    ] = None,
    threads: Threads = 0,
    progress: Progress = None,
) -> None:
    """Show what Rizoma does on a real road network: an import, six algorithms, a durable change, the files.

    rizoma demo
    rizoma demo --directory /tmp/roads --threads 2
    """
    show(directory, threads, show_progress(progress))
