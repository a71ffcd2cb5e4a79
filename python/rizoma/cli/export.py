"""rizoma export."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from ..graph.graph import Graph
from ..graph.open import open_graph
from ..io.export import has_edges_alone
from .app import At, Progress, Store, Threads, command, number_of, say, show_progress
from .machines import STDOUT, Format, print_table

__all__ = ["export"]


@command("export")
def export(
    store: Store,
    file: Annotated[
        Path, typer.Argument(help="Its ending names the format; - is standard output.", show_default=False)
    ],
    format: Format = "csv",
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
    """
    with open_graph(store, mode="read_only", at=at) as graph:
        if str(file) == STDOUT:
            edges = graph.edges
            print_table(edges.schema, edges.batches(), format)
            return
        graph.export(file, threads=threads, progress=show_progress(progress))
        say(f"{file}: {graph.num_edges:,} edges")
        alone = _without_edges(graph) if has_edges_alone(file) else 0
        if alone:
            say(f"  {number_of(alone, 'vertex', 'vertices')} without edges left out: a table of edges cannot name them")


def _without_edges(graph: Graph) -> int:
    """The number of vertices without edges; 0 if a directed graph stores no in-edges to decide it."""
    scan = graph.vertices
    names = [name for name in scan.schema.names if name in ("degree", "in_degree", "out_degree")]
    if names == ["out_degree"]:
        return 0
    degrees = (sum(column.to_numpy() for column in batch.columns) for batch in scan.batches(columns=names))
    return sum(int(np.count_nonzero(of_batch == 0)) for of_batch in degrees)
