"""rizoma cost."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

import typer
from rizoma import algorithms
from rizoma.cli.app import choices, command, expect_before, say, store_path
from rizoma.cli.machines import print_json
from rizoma.core.errors import InvalidArgumentError
from rizoma.graph.open import open_graph

from ..cost import cost

__all__ = ["show_cost"]

_POWERS = {"": 0, "K": 3, "M": 6, "G": 9, "B": 9, "T": 12}
DEFAULT_SYSTEMS = "dram-6tb,optane-6tb,cxl,nvme,cori:8,summit:8"


@command("cost")
def show_cost(
    kernel: Annotated[str, typer.Argument(help="An algorithm.", autocompletion=choices(*algorithms.__all__))],
    store: Annotated[
        Path | None,
        typer.Argument(help="A store to count on; or --vertices and --edges.", parser=store_path, metavar="[STORE]"),
    ] = None,
    vertices: Annotated[str | None, typer.Option(help="Of a graph that is not here: 65.6M.")] = None,
    edges: Annotated[str | None, typer.Option(help="Of a graph that is not here: 1.8G.")] = None,
    directed: Annotated[bool, typer.Option("--directed", help="Of a graph that is not here.")] = False,
    rounds: Annotated[
        int | None, typer.Option(min=1, help="Passes over the lists of a graph that is not here.")
    ] = None,
    scale: Annotated[float, typer.Option(help="Scale the graph: this many times the size of the store.")] = 1,
    systems: Annotated[
        str, typer.Option(help="Separated by commas; :8 for 8 nodes, :min for as few as hold the job.")
    ] = DEFAULT_SYSTEMS,
    prices: Annotated[
        Path | None, typer.Option(help="JSON of prices and systems; default: the prices of SC'21.")
    ] = None,
    years: Annotated[float, typer.Option(help="Years over which the price of a system is spread.")] = 4,
    miss_rate: Annotated[
        float, typer.Option(min=0, max=1, help="Share of the reads of vertex state that miss all caches.")
    ] = 0.3,
    plot: Annotated[Path | None, typer.Option(help="A picture, .png or .svg (needs matplotlib).")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object, for programs.")] = False,
) -> None:
    """Estimate what a job would cost on other machines, in seconds and dollars.

    The estimates come from a model: use them to compare machines. "price x time" is relative to the first system that
    has both; a system that is "even at" 10x has to be ten times as fast as that one to be worth its price.

    \b
        rizoma cost pagerank social.rz --scale 1000
        rizoma cost louvain --vertices 65.6M --edges 1.8G --systems optane-6tb,cori:8,cori:min,summit:8
        rizoma cost louvain social.rz --prices ours.json --plot cost.svg
    """
    expect_before("rizoma cost algorithm", kernel, store, algorithms.__all__)
    settings: dict[str, Any] = {
        "rounds": rounds,
        "scale": scale,
        "systems": [name for name in systems.split(",") if name],
        "prices": prices,
        "years": years,
        "miss_rate": miss_rate,
    }
    name = kernel.replace("-", "_")
    if store is not None:
        if directed:
            raise InvalidArgumentError("--directed is for a graph that is not here; the store knows what it is")
        with open_graph(store, mode="read_only") as graph:
            found = cost(name, graph, vertices=_count(vertices), edges=_count(edges), **settings)
    else:
        found = cost(name, vertices=_count(vertices), edges=_count(edges), directed=directed, **settings)
    if as_json:
        print_json(found.to_dict())
    else:
        print(found)
    if plot is not None:
        found.plot(plot)
        say(f"wrote {plot}")


def _count(text: str | None) -> float | None:
    """A number of vertices or edges: 1500, 65.6M, 1.8G."""
    if text is None:
        return None
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGBT]?)\s*", text, re.IGNORECASE)
    if match is None:
        raise InvalidArgumentError(f"{text!r} is not a number of vertices or edges; write for example 65.6M or 1.8G")
    return float(match[1]) * 10.0 ** _POWERS[match[2].upper()]
