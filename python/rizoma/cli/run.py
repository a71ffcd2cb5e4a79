"""rizoma run."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from .. import _core, algorithms, structure
from ..config import config
from ..display import text_table
from ..errors import InvalidArgumentError
from ..export import check_name
from ..opening import open_graph
from ..results import VertexResult
from ..vertex_ids import VertexKey
from .app import Progress, Store, Threads, choices, command, out, say, show_progress
from .launched import launched_ranks, speaks
from .machines import STDOUT, Format, print_json, print_table

__all__ = ["KERNELS", "run"]

KERNELS: dict[str, Callable[..., VertexResult]] = {
    name: getattr(module, name) for module in (algorithms, structure) for name in sorted(module.__all__)
}


Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="Write all values: .parquet, .csv or .tsv; - is standard output."),
]
AsJson = Annotated[bool, typer.Option("--json", help="What came of it and the greatest, as one JSON object.")]


@command("run")
def run(
    kernel: Annotated[
        str,
        typer.Argument(
            help=f"One of {', '.join(KERNELS)}.", show_default=False, autocompletion=choices(*KERNELS)
        ),
    ],
    store: Store,
    source: Annotated[
        str | None, typer.Option("--source", "-s", help="bfs, sssp: id of the first vertex.")
    ] = None,
    k: Annotated[
        int | None, typer.Option("-k", "--k", help="betweenness_centrality: sampled sources.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="betweenness_centrality: of the sample; louvain.")] = None,
    alpha: Annotated[float | None, typer.Option(help="pagerank: damping.")] = None,
    tol: Annotated[float | None, typer.Option(help="pagerank: stop within so much of the exact ranks (sum).")] = None,
    max_iter: Annotated[int | None, typer.Option(help="pagerank: most iterations.")] = None,
    weight: Annotated[
        str | None, typer.Option(help="pagerank: 'weight' to follow heavier edges more.")
    ] = None,
    resolution: Annotated[
        float | None, typer.Option(help="louvain: above 1 for smaller communities.")
    ] = None,
    max_depth: Annotated[int | None, typer.Option(help="bfs: levels.")] = None,
    top: Annotated[int, typer.Option(min=0, help="Rows to show.")] = 10,
    output: Output = None,
    format: Format = "csv",
    as_json: AsJson = False,
    placement: Annotated[
        str | None,
        typer.Option(
            envvar="RIZOMA_PLACEMENT",
            help="in_place, interleave, halves, round_robin, chunk, adaptive, or a .json file.",
            autocompletion=choices(*_core.placement_policies()),
        ),
    ] = None,
    tiers: Annotated[
        str | None,
        typer.Option(envvar="RIZOMA_TIERS", help="Such as sections=slow:interleave,vertex_state=dram."),
    ] = None,
    threads: Threads = 0,
    progress: Progress = None,
) -> None:
    """Run a kernel on a store and show or write the answer.

    rizoma run pagerank social.rz --top 10
    rizoma run core_number social.rz -o - --format ndjson | jq .core
    mpiexec -n 4 rizoma run pagerank social.rz
    rizoma run betweenness_centrality social.rz -k 256 --seed 1 --threads 8 -o scores.parquet
    """
    kernel = kernel.replace("-", "_")
    if kernel not in KERNELS:
        raise InvalidArgumentError(f"there is no kernel {kernel!r}; choose one of {', '.join(KERNELS)}")
    if output is not None and str(output) != STDOUT:
        check_name(output)
    given: dict[str, Any] = {
        "k": k,
        "seed": seed,
        "alpha": alpha,
        "tol": tol,
        "max_iter": max_iter,
        "weight": weight,
        "resolution": resolution,
        "max_depth": max_depth,
        "source": source,
    }
    arguments = _arguments(kernel, {name: value for name, value in given.items() if value is not None})
    with (
        config(placement=placement, tiers=tiers),
        launched_ranks() as ranks,
        open_graph(store, mode="read_only", comm=ranks) as graph,
    ):
        if "source" in arguments:
            arguments["source"] = _vertex(arguments["source"], graph.ids)
        shown = show_progress(progress) and speaks(ranks)
        result = KERNELS[kernel](graph, **arguments, threads=threads, progress=shown)
        if not speaks(ranks):
            return
        say(result._summary())
        if as_json:
            print_json(_facts(kernel, graph.location, result, top))
        if output is not None:
            _write(result, output, format)
        elif top and not as_json:
            out.print(text_table(result.top_table(top)), highlight=False, markup=False)


def _write(result: VertexResult, output: Path, format: str) -> None:
    """Write all values to a file, or to standard output."""
    if str(output) == STDOUT:
        table = result.to_arrow()
        print_table(table.schema, table.to_batches(max_chunksize=1 << 16), format)
        return
    result.write(output)
    say(f"{output}: {len(result):,} rows")


def _facts(kernel: str, store: str, result: VertexResult, top: int) -> dict[str, Any]:
    """What came of a run, for programs."""
    plain = (bool, int, float, str)
    told = {name: value for name, value in vars(result).items() if name[0] != "_" and isinstance(value, plain)}
    return {
        "kernel": kernel,
        "store": store,
        "vertices": len(result),
        **told,
        "top": result.top_table(top).to_pylist(),
    }


def _arguments(kernel: str, given: dict[str, Any]) -> dict[str, Any]:
    """What was given, if the kernel takes it and all it needs is there."""
    parameters = inspect.signature(KERNELS[kernel]).parameters
    for name in given:
        if name not in parameters:
            raise InvalidArgumentError(f"{kernel} takes no --{name.replace('_', '-')}")
    if "source" in parameters and "source" not in given:
        raise InvalidArgumentError(f"{kernel} needs --source ID, the vertex to start from")
    return given


def _vertex(text: str, ids: str) -> VertexKey:
    if ids == "string":
        return text
    try:
        return int(text)
    except ValueError:
        raise InvalidArgumentError(f"--source {text!r} is not an integer, as the graph's ids are") from None
