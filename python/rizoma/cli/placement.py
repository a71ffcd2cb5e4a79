"""rizoma placement."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.table import Table

from .. import _core
from ..core.errors import InvalidArgumentError
from ..core.lab import lab
from ..graph.open import open_graph
from ..graph.placement import Balance, RankBalance, explain, explain_ranks
from .app import Store, Threads, choices, command, group, say, show_table

__all__ = ["explain_placement", "predict_placement"]

placement = group("placement", "Show where a graph's sections would lie, and how fast a machine would be.")
DEFAULT_MACHINE = "optane-2s"
_RUNS = 512  # of vertices, a point each
_NETWORKS = ("1gbit", "10gbit", "25gbit", "100gbit", "400gbit", "rdma")  # of rizoma_lab
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON array, for programs.")]


@command("explain", on=placement)
def explain_placement(
    store: Store,
    homes: Annotated[int, typer.Option(min=1, help="NUMA nodes to share the graph out over.")] = 2,
    ranks: Annotated[int | None, typer.Option(min=1, help="Instead of homes: ranks, the processes of mpiexec.")] = None,
    policy: Annotated[
        str | None,
        typer.Option(
            help="One only; of ranks also auto, what they do unless told; default: halves, round_robin and chunk.",
            autocompletion=choices(*_core.placement_policies(), "auto"),
        ),
    ] = None,
    network: Annotated[
        str | None,
        typer.Option(
            help=f"Of ranks: estimate the seconds of a sweep over {', '.join(_NETWORKS)}.",
            autocompletion=choices(*_NETWORKS),
        ),
    ] = None,
    speed: Annotated[
        float, typer.Option(help="For --network: million entries of lists that a rank processes a second.")
    ] = 200.0,
    plot: Annotated[Path | None, typer.Option(help="A picture, .png or .svg (needs matplotlib).")] = None,
    plot_degrees: Annotated[
        Path | None, typer.Option(help="A picture of the edges a vertex over the ids (needs matplotlib).")
    ] = None,
    as_json: AsJson = False,
    threads: Threads = 0,
) -> None:
    """Show how evenly the policies would share out vertices, edges and work.

    \b
        rizoma placement explain social.rz
        rizoma placement explain social.rz --homes 4 --policy chunk --plot balance.svg
        rizoma placement explain social.rz --ranks 8
        rizoma placement explain social.rz --ranks 8 --policy auto --network 25gbit
    """
    if plot_degrees is not None:
        _draw_degrees(store, plot_degrees)
        say(f"wrote {plot_degrees}")
    if ranks is not None:
        joined = None if network is None else (network, speed * 1e6)
        _explain_ranks(store, ranks, policy, joined, plot, as_json, threads)
        return
    if network is not None:
        raise InvalidArgumentError("--network connects ranks; give their number with --ranks")
    with open_graph(store, mode="read_only") as graph:
        balances = explain(graph, homes, None if policy is None else [policy], threads=threads)
    if as_json:
        print(json.dumps([balance.to_dict() for balance in balances], indent=2))
    else:
        show_table(_table(balances))
    if plot is not None:
        _draw(balances, plot)
        say(f"wrote {plot}")


def _explain_ranks(
    store: Path,
    ranks: int,
    policy: str | None,
    joined: tuple[str, float] | None,
    plot: Path | None,
    as_json: bool,
    threads: int,
) -> None:
    with open_graph(store, mode="read_only") as graph:
        balances = explain_ranks(graph, ranks, None if policy is None else [policy], threads=threads)
    estimates = None if joined is None else [lab("network").estimate_sweep(balance, *joined) for balance in balances]
    if as_json:
        told = [balance.to_dict() for balance in balances]
        for each, estimate in zip(told, estimates or [], strict=False):
            each |= {"work_seconds": estimate.work, "exchange_seconds": estimate.exchange}
        print(json.dumps(told, indent=2))
    else:
        show_table(_rank_table(balances))
        for balance, estimate in zip(balances, estimates or [], strict=False):
            say(
                f"{balance.policy}: a sweep of PageRank in about {estimate.seconds:.3g} s, of which "
                f"{estimate.exchange:.3g} s to exchange values"
            )
    if plot is not None:
        _draw_ranks(balances, plot)
        say(f"wrote {plot}")


def _rank_table(balances: list[RankBalance]) -> Table:
    table = Table(title="what each rank would have", title_justify="left", padding=0, show_edge=False)
    for name in ("policy", "rank"):
        table.add_column(name)
    for name in ("sections", "vertices", "edges", "boundary", "sent", "replication", "bytes a sweep"):
        table.add_column(name, justify="right")
    for balance in balances:
        for number, rank in enumerate(balance.ranks):
            amounts = [rank.sections, rank.vertices, rank.edges, rank.boundary, rank.sent]
            table.add_row(
                "" if number else balance.policy,
                str(number),
                *(f"{amount:,}" for amount in amounts),
                "" if number else f"{balance.replication:.2f}",
                "" if number else f"{balance.bytes_a_sweep:,}",
            )
        table.add_section()
    return table


def _draw_ranks(balances: list[RankBalance], path: Path) -> None:
    """Bars of each rank's vertices, edges and boundary, as shares of their sums."""
    figure = _figure(4 * len(balances))
    axes = figure.subplots(1, len(balances), sharey=True, squeeze=False)[0]
    measures = ("vertices", "edges", "boundary")
    for axis, balance in zip(axes, balances, strict=True):
        for place, measure in enumerate(measures):
            amounts = [getattr(rank, measure) for rank in balance.ranks]
            width = 0.8 / len(amounts)
            places = [place - 0.4 + width * (number + 0.5) for number in range(len(amounts))]
            axis.bar(places, [amount / (sum(amounts) or 1) for amount in amounts], width=width)
        axis.axhline(1 / len(balance.ranks), color="black", linewidth=0.8, linestyle="dashed")
        axis.set_xticks(range(len(measures)), measures)
        axis.set_title(f"{balance.policy}: {balance.bytes_a_sweep / 1e6:.3g} MB a sweep")
    axes[0].set_ylabel("share of all")
    figure.savefig(path)


def _table(balances: list[Balance]) -> Table:
    table = Table(title="what each home would have", title_justify="left", padding=0, show_edge=False)
    for name in ("policy", "home"):
        table.add_column(name)
    for name in ("sections", "vertices", "edges", "of all edges", "work", "edges across"):
        table.add_column(name, justify="right")
    for balance in balances:
        all_edges = sum(home.edges for home in balance.homes) or 1
        for number, home in enumerate(balance.homes):
            table.add_row(
                "" if number else balance.policy,
                str(number),
                f"{home.sections:,}",
                f"{home.vertices:,}",
                f"{home.edges:,}",
                f"{home.edges / all_edges:.1%}",
                f"{home.work:,}",
                "" if number else f"{balance.edges_across:.1%}",
            )
        table.add_section()
    return table


def _figure(width: float) -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InvalidArgumentError("--plot needs Matplotlib; install it: pip install matplotlib") from None
    return Figure(figsize=(width, 3.2), layout="constrained")


def _draw(balances: list[Balance], path: Path) -> None:
    """Bars of each home's share of vertices, edges and work, against an even share."""
    figure = _figure(4 * len(balances))
    axes = figure.subplots(1, len(balances), sharey=True, squeeze=False)[0]
    measures = ("vertices", "edges", "work")
    for axis, balance in zip(axes, balances, strict=True):
        homes = len(balance.homes)
        for number, home in enumerate(balance.homes):
            sums = [sum(getattr(each, measure) for each in balance.homes) or 1 for measure in measures]
            shares = [getattr(home, measure) / total for measure, total in zip(measures, sums, strict=True)]
            places = [i + 0.8 * (number + 0.5) / homes - 0.4 for i in range(len(measures))]
            axis.bar(places, shares, width=0.8 / homes, label=f"home {number}")
        axis.axhline(1 / homes, color="black", linewidth=0.8, linestyle="dashed")
        axis.set_xticks(range(len(measures)), measures)
        axis.set_title(balance.policy)
    axes[0].set_ylabel("share of all")
    axes[-1].legend()
    figure.savefig(path)


def _draw_degrees(store: Path, path: Path) -> None:
    """Mean and largest degree of runs of internal ids, as in figures 4.3 and 4.4 of Spagnol's dissertation."""
    with open_graph(store, mode="read_only") as graph:
        degrees = np.asarray(graph.degrees())
        order = graph.info().order
    runs = [run for run in np.array_split(degrees, min(_RUNS, len(degrees) or 1)) if len(run)]
    firsts = np.cumsum([0, *(len(run) for run in runs[:-1])])
    figure = _figure(7)
    axes = figure.subplots()
    axes.plot(firsts, [run.max() for run in runs], linewidth=0.8, label="largest of a run")
    axes.plot(firsts, [run.mean() for run in runs], linewidth=1.2, label="mean of a run")
    axes.set_yscale("symlog")
    axes.set_xlabel(f"internal id (order: {order})")
    axes.set_ylabel("edges of a vertex")
    axes.legend()
    figure.savefig(path)


def _predict_modes(store: Path, machine: str, dram_share: float, miss_rate: float, as_json: bool) -> None:
    """Times of a sweep in the modes of a machine with slow memory, and the hits of DRAM as its cache."""
    with open_graph(store, mode="read_only") as graph:
        estimates = lab("bench.memory_mode").predict_modes(graph, machine, dram_share, miss_rate=miss_rate)
    if as_json:
        print(json.dumps([estimate.to_dict() for estimate in estimates], indent=2))
        return
    table = Table(title=f"a sweep on {machine}, DRAM for {dram_share:.0%} of the working set", title_justify="left")
    table.add_column("mode")
    for name in ("seconds", "against DRAM", "hits: lists", "state", "bounded by"):
        table.add_column(name, justify="right")
    for one in estimates:
        hits = ("", "") if one.hits is None else (f"{one.hits.lists:.0%}", f"{one.hits.state_reads:.0%}")
        ratio = one.seconds / estimates[0].seconds if estimates[0].seconds else 1.0
        table.add_row(one.mode, f"{one.seconds:.3g}", f"{ratio:.2f}x", *hits, one.bottleneck)
    show_table(table)


@command("predict", on=placement)
def predict_placement(
    store: Store,
    machine: Annotated[
        str, typer.Option(help="A described machine, or the JSON file of rizoma probe.")
    ] = DEFAULT_MACHINE,
    kernels: Annotated[
        str, typer.Option(help="Separated by commas.")
    ] = "pagerank,betweenness_centrality,bfs,connected_components",
    threads_per_home: Annotated[int, typer.Option(min=0, help="Of each socket; 0: all it has.")] = 0,
    miss_rate: Annotated[
        float, typer.Option(min=0, max=1, help="Share of the reads of vertex state that miss all caches.")
    ] = 0.3,
    dram_share: Annotated[
        float | None,
        typer.Option(
            min=0,
            help="Instead: a sweep with DRAM of this share of the working set, in DRAM, MEMORY and APPDIRECT mode.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Estimate algorithms on a machine that you do not have, from the traffic counted here.

    Machines: optane-2s (two sockets with Optane), optane-4s (four), cxl-2s (two sockets, DDR5 and CXL).
    Use the estimates to compare placements; they are not promises.

    \b
        rizoma placement predict social.rz --machine optane-2s
        rizoma probe --json here.json && rizoma placement predict social.rz --machine here.json
        rizoma placement predict social.rz --machine optane-4s --dram-share 0.25
    """
    if dram_share is not None:
        _predict_modes(store, machine, dram_share, miss_rate, as_json)
        return
    model = lab("model")
    described: object = machine
    if machine == DEFAULT_MACHINE:
        say(f"estimates for {machine}; for this machine: rizoma probe --json, then --machine FILE.json")
    if machine.endswith(".json"):
        described = model.machine_from_probe(json.loads(Path(machine).read_text(encoding="utf-8")))
    with open_graph(store, mode="read_only") as graph:
        estimates = model.predict(
            graph,
            described,
            [name.replace("-", "_") for name in kernels.split(",") if name],
            threads_per_home=threads_per_home,
            miss_rate=miss_rate,
        )
    if as_json:
        print(json.dumps([estimate.to_dict() for estimate in estimates], indent=2))
        return
    table = Table(title=f"estimates for {machine}", title_justify="left")
    for name in ("kernel", "placement"):
        table.add_column(name)
    for name in ("seconds", "against in_place", "local", "bounded by"):
        table.add_column(name, justify="right")
    base = {one.kernel: one.seconds for one in estimates if one.variant == "in_place"}
    for one in estimates:
        ratio = one.seconds / base[one.kernel] if base[one.kernel] else 1.0
        table.add_row(
            one.kernel,
            one.variant,
            f"{one.seconds:.3g}",
            f"{ratio:.2f}x",
            f"{one.local_share:.0%}",
            one.bottleneck,
        )
    show_table(table)
