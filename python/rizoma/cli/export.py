"""rizoma export."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .. import _core
from ..graph.open import open_graph
from ..io.export import is_csv
from .app import At, Progress, Store, Threads, command, number_of, say, show_progress
from .machines import STDOUT, Format, format_of, print_table

__all__ = ["export"]


@command("export")
def export(
    store: Store,
    file: Annotated[
        Path, typer.Argument(help="Its ending names the format; - is standard output.", show_default=False)
    ],
    where: Annotated[
        str | None,
        typer.Option(help='Predicate of the edges to keep, such as "amount > 3".', show_default=False),
    ] = None,
    format: Format = None,
    at: At = None,
    threads: Threads = 0,
    progress: Progress = None,
) -> None:
    """Write all edges of a store to a file, in bounded memory; each undirected edge once.

    Formats: .parquet; .csv and .tsv; .ndjson; .txt, .el and .wel (edge lists); .mtx (MatrixMarket); .graph
    (METIS); .sg and .wsg (GAP benchmark); .gml, .graphml, .gexf and .json (node-link); .net (Pajek).  Text may end
    in .gz or .zst.  What is written can be imported again; text of a directed graph begins with the comment
    "# Directed graph", that of string ids like integers with "# String ids"; standard output has rows
    alone, so say --directed and --ids string when you import it.  A graph with columns of edges is
    written to .parquet, .csv, .tsv, .ndjson, .gml, .graphml, .gexf and .json; other formats are refused.

    \b
        rizoma export social.rz edges.parquet
        rizoma export social.rz edges.txt.zst
        rizoma export social.rz - --format ndjson | jq .source
        rizoma export bank.rz large.csv --where "amount > 1000"
    """
    form = format_of(file, format)
    with open_graph(store, mode="read_only", at=at) as stored:
        graph = stored if where is None else stored.where(edges=where)
        if str(file) == STDOUT:
            edges = graph.edges
            if form != "ndjson":
                _core.check_text_ids(graph._state(), file)
            print_table(edges.schema, edges.batches(), form)
            return
        graph.export(file, threads=threads, progress=show_progress(progress))
        say(f"{file}: {number_of(graph.num_edges, 'edge')}")
        if is_csv(file) and graph.directed:
            say('its first line is the comment "# Directed graph" (pandas.read_csv(file, comment="#") passes over it)')
