"""rizoma bench: a command for each benchmark."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rizoma import _core
from rizoma.cli.app import Store, Threads, choices, command, group
from rizoma.core.config import parse_bytes
from rizoma.core.errors import InvalidArgumentError, NotFoundError

__all__ = [
    "bench_cluster",
    "bench_communities",
    "bench_graphalytics",
    "bench_growing",
    "bench_kernels",
    "bench_match",
    "bench_network",
    "bench_overnight",
    "bench_placement",
    "bench_scaling",
]

bench = group("bench", "Measure Rizoma beside other programs, and over threads, homes and ranks.")

Keep = Annotated[Path | None, typer.Option(help="Keep the graphs in this directory, or find them there.")]
Quick = Annotated[bool, typer.Option("--quick", help="Small generated graphs, 3 rounds.")]
Rounds = Annotated[
    int | None, typer.Option(min=1, help="Rounds; in each everything that is compared runs once.  [default: 5]")
]
Seed = Annotated[int, typer.Option(help="Of the graph, its weights and the sources.")]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="Everything measured, as JSON.")]
Plot = Annotated[Path | None, typer.Option(help="A picture, .png or .svg (needs matplotlib).")]
Scale = Annotated[
    int | None, typer.Option(min=4, max=30, help="Generated graphs have 2^scale vertices.  [default: 20]")
]
Data = Annotated[Path | None, typer.Option(help="Directory of real graphs; default: data in $RIZOMA_SHARED.")]
Yardstick = Annotated[Path | None, typer.Option(help="The program rizoma-yardstick; default: looked for.")]


@command("kernels", on=bench)
def bench_kernels(
    graphs: Annotated[
        str | None,
        typer.Option(
            help="Graphs, separated by commas: gap (kron, urand, road, web, twitter), real (road, web, "
            "slashdot, facebook100, gowalla), one of these names, islands, or edge files."
        ),
    ] = None,
    scale: Scale = None,
    graph: Annotated[Path | None, typer.Option(help="An edge file instead; the same as --graphs FILE.")] = None,
    directed: Annotated[
        bool | None, typer.Option("--directed/--undirected", help="Edge files; default: as they say.")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(help="Directory of real graphs; default: data in $RIZOMA_SHARED, else generated ones."),
    ] = None,
    keep: Keep = None,
    quick: Quick = False,
    rounds: Rounds = None,
    kernels: Annotated[str, typer.Option(help="Which kernels, separated by commas.")] = "pr,bfs,cc,bc,sssp,tc",
    competitors: Annotated[
        str | None,
        typer.Option(
            help="Out of yardstick, networkit, igraph, scipy, graphblas, graphtool, ladybug, grafeo; default: all "
            "installed, with --graphs the yardstick alone if it is there, with --gap none."
        ),
    ] = None,
    gap: Annotated[Path | None, typer.Option(help="Directory of the GAP benchmark's programs pr, bfs, cc, ...")] = None,
    yardstick: Yardstick = None,
    seed: Seed = 1,
    output: Output = None,
    plot: Plot = None,
    threads: Threads = 0,
) -> None:
    """Measure six algorithms beside other programs, side by side, and check every answer.

    Each competitor holds the graph in a process of its own; rounds are interleaved, so that whatever else the machine
    does hits all alike.  For Rizoma the whole call from Python is timed, for the yardstick and the GAP benchmark's
    programs the kernel alone.  Shows medians with 95% bootstrap intervals.

    \b
        rizoma bench kernels --scale 16 --rounds 3
        rizoma bench kernels --graphs gap --quick
        rizoma bench kernels --graphs gap,real --gap ~/gapbs --threads 2 -o gap.json --plot gap.png
    """
    from ..bench import kernels as harness

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


@command("match", on=bench)
def bench_match(
    keep: Keep = None,
    quick: Quick = False,
    rounds: Rounds = None,
    competitors: Annotated[
        str | None, typer.Option(help="duckdb, or empty for none; default: duckdb where it is installed.")
    ] = None,
    seed: Seed = 1,
    output: Output = None,
    scenarios: Annotated[
        str | None,
        typer.Option(
            help="Data nodes + workers, such as 1+0,1+1, one thread each; on hosts m:2_dn:2_wn:6, or study:8x8, all "
            "that the study has on 8 machines of 8 processors."
        ),
    ] = None,
    hosts: Annotated[str | None, typer.Option(help="Machines of scenarios with m:, separated by commas.")] = None,
    concurrent: Annotated[int, typer.Option(min=1, help="Programs of a scenario that count at once.")] = 1,
    plot: Annotated[Path | None, typer.Option(help="A picture of scenarios, .png or .svg (needs matplotlib).")] = None,
    threads: Threads = 0,
) -> None:
    """Count mutual follows and triangles of made-up followers, beside DuckDB's joins.

    \b
        rizoma bench match --threads 2 -o match.json
        rizoma bench match --scenarios 1+0,1+1,2+0 --plot scenarios.svg
        rizoma bench match --scenarios study:8x8 --hosts node1,node2,node3,node4,node5,node6,node7,node8
        rizoma bench match --scenarios 1+1 --concurrent 4
    """
    from ..bench.followers import EDGES, VERTICES
    from ..bench.match import MatchPlan, measure
    from ..bench.scenarios import measure_scenarios, parse_scenarios

    if plot is not None and scenarios is None:
        raise InvalidArgumentError("--plot of match draws scenarios; give --scenarios too")
    if (hosts or concurrent > 1) and scenarios is None:
        raise InvalidArgumentError("--hosts and --concurrent are about scenarios; give --scenarios too")
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
        measure_scenarios(plan, parse_scenarios(scenarios), output, plot, _listed(hosts or ""), concurrent)


@command("cluster", on=bench)
def bench_cluster(
    ladder: Annotated[
        bool, typer.Option("--ladder", help="Switch on one way of sharing work after the other (the only way so far).")
    ] = True,
    scale: Scale = None,
    ranks: Annotated[int, typer.Option(min=2, help="Ranks of one thread on this machine.")] = 2,
    rounds: Rounds = None,
    seed: Seed = 1,
    quick: Quick = False,
    keep: Keep = None,
    output: Output = None,
) -> None:
    """Measure how ranks share uneven work: each way switched on in turn.

    Triangles are counted on ranks that have equally many vertices but not edges, with migration and the rest switched
    on one after the other.

    \b
        rizoma bench cluster --ladder --ranks 2 --scale 20
    """
    from ..bench.ladder import LadderPlan, measure_ladder

    measure_ladder(LadderPlan(scale or (14 if quick else 20), ranks, rounds or (3 if quick else 5), seed, keep), output)


@command("network", on=bench)
def bench_network(
    ranks: Annotated[int, typer.Option(min=2, help="Ranks of one thread; rank 0 measures, mostly with rank 1.")] = 2,
    hosts: Annotated[
        str | None, typer.Option(help="Machines that ranks go to in turn, separated by commas; default: this one.")
    ] = None,
    sizes: Annotated[
        str, typer.Option(help="Bytes of an operation, separated by commas, such as 8,4K,1M.")
    ] = "8,64,512,4K,32K,256K,2M",
    seconds: Annotated[float, typer.Option(min=0.001, help="For each operation and size, in each round.")] = 0.1,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds, each with ranks that begin anew.")] = 3,
    output: Output = None,
) -> None:
    """Measure messages and one-sided operations between ranks, by size.

    Reads, writes and additions that the other rank has no part in; messages there and back, of which half is counted;
    rounds of all ranks, which is how the messages of a step travel.  The other rank waits or computes.

    \b
        rizoma bench network
        rizoma bench network --hosts node1,node2 --sizes 64,64K -o network.json
    """
    from ..bench.network import NetworkPlan, measure_network

    wanted = tuple(parse_bytes(size) for size in _listed(sizes))
    if not wanted or min(wanted) < 1:
        raise InvalidArgumentError(f"--sizes is {sizes!r}; give bytes of 1 or more, with commas, such as 8,4K,1M")
    measure_network(NetworkPlan(ranks, wanted, seconds, rounds, _listed(hosts or "")), output)


@command("scaling", on=bench)
def bench_scaling(
    algorithm: Annotated[str, typer.Argument(help="An algorithm of rizoma run, such as pagerank.")],
    store: Store,
    threads: Annotated[
        str | None, typer.Option("--threads", "-t", help="Numbers of threads.  [default: 1, 2, 4 ... all processors]")
    ] = None,
    homes: Annotated[
        str, typer.Option(help="Numbers of homes; more or fewer than this machine's NUMA nodes are made up.")
    ] = "1",
    ranks: Annotated[str, typer.Option(help="Numbers of ranks on this machine, each of that many threads.")] = "1",
    placements: Annotated[
        str,
        typer.Option(
            help="Policies of placement, where there are several homes.",
            autocompletion=choices(*_core.placement_policies()),
        ),
    ] = "round_robin",
    rounds: Annotated[int, typer.Option(min=1, help="Rounds; in each everything that is compared runs once.")] = 10,
    yardstick: Yardstick = None,
    output: Output = None,
    plot: Plot = None,
) -> None:
    """Measure how an algorithm scales over threads, homes and ranks.

    Every combination of the given numbers runs in a process of its own, in interleaved rounds.  Speed-ups are over
    a static CSR on one thread where rizoma-yardstick is built and knows the algorithm (PageRank, BFS, components,
    triangles), else over Rizoma on one thread; the table says which.  Shows medians with 95% bootstrap intervals.

    \b
        rizoma bench scaling pagerank social.rz
        rizoma bench scaling bfs social.rz --threads 1,2,4 --homes 1,2 --placements chunk,round_robin
        rizoma bench scaling core_number social.rz --threads 1 --ranks 1,2 -o cores.json --plot cores.svg
    """
    from ..bench.scaling import ScalingPlan, measure_scaling

    plan = ScalingPlan(
        algorithm=algorithm,
        store=store,
        threads=_numbers("threads", threads),
        homes=_numbers("homes", homes),
        ranks=_numbers("ranks", ranks),
        placements=_listed(placements),
        rounds=rounds,
        yardstick=yardstick,
    )
    measure_scaling(plan, output, plot)


@command("placement", on=bench)
def bench_placement(
    store: Store,
    kernels: Annotated[
        str, typer.Option(help="Algorithms of rizoma run, separated by commas.")
    ] = "pagerank,bfs,betweenness_centrality,connected_components",
    ways: Annotated[
        str | None,
        typer.Option(
            help="Out of in_place, interleave, halves, round_robin, chunk, adaptive, a policy with :free (threads not "
            "bound), auto, all_local, all_remote, modulo (v mod N); default: all.",
        ),
    ] = None,
    homes: Annotated[
        int | None, typer.Option(min=2, help="NUMA nodes; more or fewer than this machine's are made up.")
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds; in each everything that is compared runs once.")] = 10,
    output: Output = None,
    plot: Plot = None,
    threads: Threads = 0,
) -> None:
    """Measure algorithms under every way to place data and threads.

    Every way runs in a process of its own, in interleaved rounds; answers are compared.  Shows medians with 95%
    bootstrap intervals, and the share of the work that was local.

    \b
        rizoma bench placement social.rz --plot placement.svg
        rizoma bench placement social.rz --kernels pagerank --ways all_local,all_remote
        rizoma bench placement social.rz --ways auto,halves:free,modulo --threads 48 -o placement.json
    """
    from ..bench.placements import PlacementPlan, measure_placements

    plan = PlacementPlan(store, _listed(kernels), _listed(ways or ""), homes, threads, rounds)
    measure_placements(plan, output, plot)


@command("growing", on=bench)
def bench_growing(
    graphs: Annotated[str, typer.Option(help="As of rizoma bench kernels; directions are left out.")] = "kron",
    scale: Scale = None,
    data: Data = None,
    threads: Annotated[str, typer.Option("--threads", "-t", help="Numbers of threads.")] = "1",
    kernels: Annotated[str, typer.Option(help="Out of pr, bfs, cc, bc.")] = "pr,bfs,cc,bc",
    dgap: Annotated[Path | None, typer.Option(help="Directory of DGAP's programs pr, bfs, cc_sv and bc.")] = None,
    graphone: Annotated[Path | None, typer.Option(help="GraphOne's program graphone_test.")] = None,
    xpgraph: Annotated[Path | None, typer.Option(help="XPGraph's program bin/main.")] = None,
    yardstick: Yardstick = None,
    batch: Annotated[int, typer.Option(min=1, help="Edges of a call of Rizoma's add_edges.")] = 4096,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds; in each every store grows once.")] = 3,
    trials: Annotated[int, typer.Option(min=1, help="Calls of a kernel in a round, of which the median counts.")] = 5,
    directory: Annotated[Path | None, typer.Option(help="Where stores and files lie.  [default: $TMPDIR]")] = None,
    quick: Quick = False,
    seed: Seed = 1,
    output: Output = None,
) -> None:
    """Measure stores that grow: insertion, memory, and kernels on what has grown.

    A tenth of the edges is there first; the others are inserted in random order, in batches by Rizoma (with durability
    always, and with none), one by one by DGAP, in pieces of 65,536 by GraphOne and XPGraph.  These are built elsewhere
    from DIR-LAB/DGAP.  The static CSR is rizoma-yardstick, where it is built.  Every answer is checked.

    \b
        rizoma bench growing --quick
        rizoma bench growing --graphs kron,gowalla --dgap ~/DGAP/dgap --graphone ~/DGAP/GraphOne/build/graphone_test
        rizoma bench growing --threads 1,2 --xpgraph ~/DGAP/XPGraph/bin/main --directory /mnt/pmem0 -o growing.json
    """
    from ..bench.growing import GrowingPlan, measure_growing

    plan = GrowingPlan(
        graphs=_listed(graphs),
        scale=scale or (12 if quick else 20),
        data=data,
        threads=_numbers("threads", threads),
        kernels=_listed(kernels),
        batch=batch,
        rounds=1 if quick else rounds,
        trials=2 if quick else trials,
        dgap=dgap,
        graphone=graphone,
        xpgraph=xpgraph,
        yardstick=yardstick,
        directory=directory,
        seed=seed,
    )
    measure_growing(plan, output)


@command("communities", on=bench)
def bench_communities(
    graphs: Annotated[str, typer.Option(help="As of rizoma bench kernels; directions are left out.")] = "gowalla",
    scale: Scale = None,
    data: Data = None,
    gve: Annotated[list[Path] | None, typer.Option(help="A program of GVE, built elsewhere; repeatable.")] = None,
    rounds: Rounds = None,
    seed: Seed = 1,
    output: Output = None,
    threads: Threads = 0,
) -> None:
    """Measure Louvain and Leiden beside GVE's, time and modularity.

    GVE's threads are compiled into its program; Leiden runs with iterations=1, as GVE's does.

    \b
        rizoma bench communities --graphs gowalla,kron --scale 16
        rizoma bench communities --graphs real --gve ~/leiden-communities-openmp/a.out --threads 2 -o communities.json
    """
    from ..bench.communities import CommunitiesPlan, measure_communities

    plan = CommunitiesPlan(_listed(graphs), scale or 18, data, tuple(gve or ()), rounds or 5, threads, None, seed)
    measure_communities(plan, output)


@command("graphalytics", on=bench)
def bench_graphalytics(
    datasets: Annotated[
        list[Path], typer.Argument(help="Datasets: directories, or a file of each (NAME.v, .e or .properties).")
    ],
    algorithms: Annotated[
        str | None,
        typer.Option(help="Out of BFS, PR, WCC, CDLP, LCC, SSSP; default: those that a dataset's properties name."),
    ] = None,
    repetitions: Annotated[int, typer.Option(min=1, help="Runs of each algorithm, each in a new process.")] = 5,
    timeout: Annotated[float, typer.Option(min=0, help="Seconds after which a run is stopped.")] = 900,
    directory: Annotated[Path | None, typer.Option(help="Where the stores lie.  [default: $TMPDIR]")] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The result as Graphalytics' driver writes it, JSON.")
    ] = None,
    threads: Threads = 0,
) -> None:
    """Run LDBC Graphalytics' six algorithms on its datasets, validate them, and show its metrics.

    A dataset is NAME.v, NAME.e and NAME.properties, with validation data NAME-BFS and so on beside them (any of them
    .gz or .zst, but for the properties).  Load time is the import into a store, once a dataset.  The makespan is that
    of a new process that opens the store, runs and writes its output; processing time is that of the algorithm in it.
    Both are medians.  EPS and EVPS are edges, and edges and vertices, a second of processing time.

    \b
        rizoma bench graphalytics ~/graphs/wiki-Talk
        rizoma bench graphalytics ~/graphs --algorithms BFS,PR --repetitions 3 -o result.json
    """
    from ..bench.graphalytics import GraphalyticsPlan, measure_graphalytics

    asked = tuple(name.strip().upper() for name in _listed(algorithms or ""))
    plan = GraphalyticsPlan(tuple(datasets), asked, repetitions, timeout, threads, directory)
    measure_graphalytics(plan, output)


@command("overnight", on=bench)
def bench_overnight(
    folder: Annotated[Path, typer.Argument(help="Where the report goes: report.md, figures and pictures.")],
    stores: Annotated[list[Path] | None, typer.Option("--store", help="A graph; repeatable.  [default: R-MAT]")] = None,
    scale: Scale = None,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of each measurement.")] = 10,
) -> None:
    """Measure a large machine overnight: all kernels over threads, homes, placements and ranks.

    Writes a report that grows with each measurement, and goes on where it was interrupted.

    \b
        rizoma bench overnight report --store social.rz
    """
    from ..bench.overnight import OvernightPlan, measure_overnight

    measure_overnight(OvernightPlan(folder, tuple(stores or ()), scale or 22, rounds))


def _numbers(option: str, text: str | None) -> tuple[int, ...]:
    """Numbers with commas between them; none: nothing was said."""
    names = _listed(text or "")
    if not all(name.strip().isdecimal() and int(name) > 0 for name in names):
        raise InvalidArgumentError(f"--{option} {text!r} is no list of numbers; write for example --{option} 1,2,4")
    return tuple(dict.fromkeys(int(name) for name in names))


def _listed(text: str) -> tuple[str, ...]:
    """Names with commas between them."""
    return tuple(name for name in text.split(",") if name)


def _competitors(given: str | None, yardstick: Path | None, one_graph: bool, gap: bool) -> tuple[str, ...] | None:
    """Those named, or usual; None: all that are installed, as where the yardstick was not built."""
    from ..bench.entrants import find_yardstick
    from ..bench.kernels import ALL_COMPETITORS

    if given is not None:
        for name in _listed(given):
            if name not in ALL_COMPETITORS:
                raise InvalidArgumentError(
                    f"there is no competitor {name!r}; choose out of {', '.join(ALL_COMPETITORS)}"
                )
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
