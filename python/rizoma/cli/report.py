"""rizoma report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from ..core.errors import InvalidArgumentError
from ..core.files import check_directory, written_whole
from ..graph.open import open_graph
from ..report import KERNELS, examine, page
from .app import At, Progress, Store, Threads, command, say, show_progress

__all__ = ["report"]


@command("report")
def report(
    store: Store,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="The page; a name that ends in .json gives the facts alone."),
    ] = Path("report.html"),
    algorithm: Annotated[
        list[str] | None,
        typer.Option(
            "--algorithm", "-a", help=f"Algorithm to show; repeatable: {', '.join(KERNELS)}.  Default: pagerank."
        ),
    ] = None,
    homes: Annotated[int, typer.Option(min=1, help="NUMA nodes whose share of the graph the page shows.")] = 2,
    at: At = None,
    threads: Threads = 0,
    progress: Progress = None,
) -> None:
    """Write a page of charts about a graph: columns, degrees, components, communities, top vertices, storage.

    The page is a single file that needs no network.

    \b
    rizoma report social.rz -o report.html
    rizoma report social.rz -a pagerank -a triangle_count -o report.html
    """
    if output.suffix not in ("", ".html", ".htm", ".json"):
        raise InvalidArgumentError(f"{output}: a report is a page; give it a name in .html, or in .json for its facts")
    check_directory(output)
    with open_graph(store, mode="read_only", at=at) as graph:
        facts = examine(
            graph,
            algorithm or ["pagerank"],
            homes=homes,
            threads=threads,
            progress=show_progress(progress) or None,
        )
    text = json.dumps(facts.to_dict(), indent=2) if output.suffix == ".json" else page(facts)
    with written_whole(output) as part:
        part.write_text(text, encoding="utf-8")
    say(f"wrote {output}")
