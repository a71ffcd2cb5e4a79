"""rizoma bench."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rizoma.cli.app import Threads, command
from rizoma.core.errors import InvalidArgumentError, NotFoundError

__all__ = ["bench"]

# The options that a benchmark does not look at.
UNUSED = {
    "kernels": {"scenarios", "ladder", "ranks"},
    "match": {"graphs", "scale", "graph", "directed", "data", "kernels", "gap", "yardstick", "ladder", "ranks"},
    "cluster": {
        *("graphs", "graph", "directed", "data", "kernels", "competitors", "gap", "yardstick"),
        *("plot", "scenarios", "threads"),
    },
}


@command("bench")
def bench(
    context: typer.Context,
    what: Annotated[
        str,
        typer.Argument(help="kernels: six; match: patterns over followers; cluster: ways in which ranks share work."),
    ] = "kernels",
    graphs: Annotated[
        str | None,
        typer.Option(
            help="Graphs, separated by commas: gap (kron, urand, road, web, twitter), real (road, web, "
            "slashdot, facebook100, gowalla), one of these names, islands, or edge files."
        ),
    ] = None,
    scale: Annotated[
        int | None, typer.Option(min=4, max=30, help="Generated graphs have 2^scale vertices.  [default: 20]")
    ] = None,
    graph: Annotated[Path | None, typer.Option(help="An edge file instead; the same as --graphs FILE.")] = None,
    directed: Annotated[
        bool | None, typer.Option("--directed/--undirected", help="Edge files; default: as they say.")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(help="Directory of real graphs; default: data in $RIZOMA_SHARED, else generated ones."),
    ] = None,
    keep: Annotated[Path | None, typer.Option(help="Keep the graphs in this directory, or find them there.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Small generated graphs, 3 rounds.")] = False,
    rounds: Annotated[
        int | None,
        typer.Option(min=1, help="Rounds; in each every competitor runs every kernel.  [default: 5]"),
    ] = None,
    kernels: Annotated[str, typer.Option(help="Which kernels, separated by commas.")] = "pr,bfs,cc,bc,sssp,tc",
    competitors: Annotated[
        str | None,
        typer.Option(
            help="Out of yardstick, networkit, igraph, scipy, graphblas, graphtool; default: all installed, "
            "with --graphs the yardstick alone if it is there, with --gap none; of match: duckdb."
        ),
    ] = None,
    gap: Annotated[Path | None, typer.Option(help="Directory of the GAP benchmark's programs pr, bfs, cc, ...")] = None,
    yardstick: Annotated[Path | None, typer.Option(help="The program rizoma-yardstick; default: looked for.")] = None,
    seed: Annotated[int, typer.Option(help="Of the graph, its weights and the sources.")] = 1,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Everything measured, as JSON.")] = None,
    plot: Annotated[Path | None, typer.Option(help="A picture, .png or .svg (needs matplotlib).")] = None,
    scenarios: Annotated[
        str | None, typer.Option(help="Of match: data nodes + workers, such as 1+0,1+1, one thread each.")
    ] = None,
    ladder: Annotated[
        bool, typer.Option("--ladder", help="Of cluster: uneven work with each way switched on in turn.")
    ] = False,
    ranks: Annotated[int, typer.Option(min=2, help="Of cluster: ranks of one thread on this machine.")] = 2,
    threads: Threads = 0,
) -> None:
    """Measure algorithms, or patterns, against other programs, side by side, and check every answer.

    Each competitor holds the graph in a process of its own; rounds are interleaved, so that whatever else the machine
    does hits all alike.  For Rizoma the whole call from Python is timed, for the yardstick and the GAP benchmark's
    programs the kernel alone.  Shows medians with 95% bootstrap intervals.  `match` counts mutual follows and triangles
    of made-up followers beside DuckDB's joins, in one process.  `cluster --ladder` counts triangles on ranks that have
    equally many vertices but not edges, with migration and the rest switched on one after the other.

    \b
        rizoma bench kernels --scale 16 --rounds 3
        rizoma bench kernels --graphs gap --quick
        rizoma bench kernels --graphs gap,real --gap ~/gapbs --threads 2 -o gap.json --plot gap.png
        rizoma bench match --threads 2 -o match.json
        rizoma bench match --scenarios 1+0,1+1,2+0 --plot scenarios.svg
        rizoma bench cluster --ladder --ranks 2 --scale 20
    """
    _expect_used(context, what)
    if what == "cluster" and ladder:
        return _bench_ladder(scale, ranks, rounds, seed, quick, keep, output)
    if what == "match":
        return _bench_match(quick, keep, rounds, competitors, seed, threads, output, scenarios, plot)
    from ..bench import kernels as harness

    if what != "kernels":
        raise InvalidArgumentError(f"there is no benchmark {what!r}; there are: kernels, match, cluster --ladder")
    harness.measure(
        harness.Plan(
            graphs=_listed(graphs or "") + ((str(graph),) if graph else ()) or ("kron",),
            scale=scale or (14 if quick else 20),
            directed=directed,
            data=data,
            real=not quick,
            keep=keep,
            rounds=rounds or (3 if quick else 5),
            kernels=tuple(kernels.split(",")),
            competitors=_competitors(competitors, yardstick, one_graph=not graphs, gap=gap is not None),
            yardstick=yardstick,
            gap=gap,
            seed=seed,
            threads=threads,
        ),
        output,
        plot,
    )


def _expect_used(context: typer.Context, what: str) -> None:
    """Refuses options that were given and that this benchmark would not look at."""
    for name in UNUSED.get(what, set()):
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            others = " and ".join(other for other in UNUSED if name not in UNUSED[other])
            raise InvalidArgumentError(f"--{name} is no option of the benchmark {what}, but of {others}")


def _bench_ladder(
    scale: int | None, ranks: int, rounds: int | None, seed: int, quick: bool, keep: Path | None, output: Path | None
) -> None:
    from ..bench.ladder import LadderPlan, measure_ladder

    plan = LadderPlan(scale or (14 if quick else 20), ranks, rounds or (3 if quick else 5), seed, keep)
    measure_ladder(plan, output)


def _bench_match(
    quick: bool,
    keep: Path | None,
    rounds: int | None,
    competitors: str | None,
    seed: int,
    threads: int,
    output: Path | None,
    scenarios: str | None,
    plot: Path | None,
) -> None:
    from ..bench.followers import EDGES, VERTICES
    from ..bench.match import MatchPlan, measure
    from ..bench.scenarios import measure_scenarios, parse_scenarios

    if plot is not None and scenarios is None:
        raise InvalidArgumentError("--plot of match draws scenarios; give --scenarios too")
    part = 10 if quick else 1
    plan = MatchPlan(
        vertices=VERTICES // part,
        edges=EDGES // part,
        keep=keep,
        rounds=rounds or (3 if quick else 5),
        competitors=None if competitors is None else _listed(competitors),
        seed=seed,
        threads=threads,
    )
    if scenarios is None:
        measure(plan, output)
    else:
        measure_scenarios(plan, parse_scenarios(scenarios), output, plot)


def _listed(text: str) -> tuple[str, ...]:
    """Names with commas between them."""
    return tuple(name for name in text.split(",") if name)


def _competitors(given: str | None, yardstick: Path | None, one_graph: bool, gap: bool) -> tuple[str, ...] | None:
    """Those named, or usual; None: all that are installed, as where the yardstick was not built."""
    from ..bench.entrants import find_yardstick

    if given is not None:
        return _listed(given)
    if gap:
        return ()
    if one_graph:
        return None
    try:
        find_yardstick(yardstick)
    except NotFoundError:
        if yardstick is not None:
            raise
        return None
    return ("yardstick",)
