"""rizoma bench."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..errors import InvalidArgumentError
from .app import Threads, command

__all__ = ["bench"]


@command("bench")
def bench(
    what: Annotated[str, typer.Argument(help="kernels: the six kernels against other programs.")] = "kernels",
    scale: Annotated[int, typer.Option(min=4, max=30, help="An R-MAT graph of 2^scale vertices.")] = 20,
    graph: Annotated[Path | None, typer.Option(help="An edge file instead (undirected, dense ids).")] = None,
    rounds: Annotated[
        int, typer.Option(min=1, help="Rounds; in each every competitor runs every kernel once.")
    ] = 5,
    kernels: Annotated[
        str, typer.Option(help="Which kernels, separated by commas.")
    ] = "pr,bfs,cc,bc,sssp,tc",
    competitors: Annotated[
        str,
        typer.Option(
            help="Out of yardstick, networkit, igraph, scipy, graphblas, graphtool; those installed."
        ),
    ] = "yardstick,networkit,igraph,scipy,graphblas,graphtool",
    yardstick: Annotated[
        Path | None, typer.Option(help="The program rizoma-yardstick; default: looked for.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the graph, its weights and the sources.")] = 1,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Everything measured, as JSON.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="A picture, .png or .svg (needs matplotlib).")] = None,
    threads: Threads = 0,
) -> None:
    """Measure the six kernels against other programs, side by side, and check every answer.

    Each competitor holds the graph in a process of its own; the rounds are interleaved, so that whatever
    else the machine does hits all alike.  Shows medians with 95% bootstrap intervals.

    \b
        rizoma bench kernels --scale 16 --rounds 3
        rizoma bench kernels --scale 22 --threads 2 --competitors yardstick -o r22.json --plot r22.png
    """
    from ..bench import kernels as harness

    if what != "kernels":
        raise InvalidArgumentError(f"there is no benchmark {what!r}; there is: kernels")
    harness.measure(
        harness.Plan(
            scale=scale,
            graph=graph,
            rounds=rounds,
            kernels=tuple(kernels.split(",")),
            competitors=tuple(name for name in competitors.split(",") if name),
            yardstick=yardstick,
            seed=seed,
            threads=threads,
        ),
        output,
        plot,
    )
