"""rizoma placement."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from .. import _core
from ..errors import InvalidArgumentError
from ..opening import open_graph
from ..placement import Balance, explain
from .app import Store, Threads, choices, command, group, out, say

__all__ = ["explain_placement", "predict_placement"]

placement = group("placement", "Where a graph's sections would lie, and what a machine would make of it.")
DEFAULT_MACHINE = "optane-2s"
AsJson = Annotated[bool, typer.Option("--json", help="For programs.")]


@command("explain", on=placement)
def explain_placement(
    store: Store,
    homes: Annotated[int, typer.Option(min=1, help="NUMA nodes to share the graph out over.")] = 2,
    policy: Annotated[
        str | None,
        typer.Option(
            help="One policy only; default: halves, round_robin and chunk.",
            autocompletion=choices(*_core.placement_policies()),
        ),
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="A picture, .png or .svg (needs matplotlib).")] = None,
    as_json: AsJson = False,
    threads: Threads = 0,
) -> None:
    """Show how evenly the policies would share out vertices, edges and work.

    \b
        rizoma placement explain social.rz
        rizoma placement explain social.rz --homes 4 --policy chunk --plot balance.svg
    """
    with open_graph(store, mode="read_only") as graph:
        balances = explain(graph, homes, None if policy is None else [policy], threads=threads)
    if as_json:
        print(json.dumps([balance.to_dict() for balance in balances], indent=2))
    else:
        out.print(_table(balances))
    if plot is not None:
        _draw(balances, plot)
        say(f"wrote {plot}")


def _table(balances: list[Balance]) -> Table:
    table = Table(title="what each home would have", title_justify="left")
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


def _draw(balances: list[Balance], path: Path) -> None:
    """Bars of each home's share of vertices, edges and work, against an even share."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InvalidArgumentError("--plot needs matplotlib: pip install matplotlib") from None
    figure = Figure(figsize=(4 * len(balances), 3.2), layout="constrained")
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
    as_json: AsJson = False,
) -> None:
    """Estimate kernels on a machine that is not at hand, from the traffic counted here.

    Machines: optane-2s (two sockets with Optane), optane-4s (four), cxl-2s (two sockets, DDR5 and CXL).
    Compares placements; does not promise seconds.

    \b
        rizoma placement predict social.rz --machine optane-2s
        rizoma probe --json here.json && rizoma placement predict social.rz --machine here.json
    """
    from .. import model

    described: object = machine
    if machine == DEFAULT_MACHINE:
        say(f"estimates for {machine}; for this machine: rizoma probe --json, then --machine FILE.json")
    if machine.endswith(".json"):
        described = model.machine_from_probe(json.loads(Path(machine).read_text(encoding="utf-8")))
    with open_graph(store, mode="read_only") as graph:
        estimates = model.predict(
            graph,
            described,  # type: ignore[arg-type]
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
    out.print(table)
