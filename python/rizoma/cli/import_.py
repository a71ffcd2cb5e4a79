"""rizoma import."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer

from .. import _core
from ..core.errors import InvalidArgumentError
from ..distributed.parallel_import import read_on_ranks
from ..graph.graph import Graph
from ..graph.info import human_bytes
from ..graph.parallel import ParallelSpec
from ..io.file_sets import expanded
from ..io.inference import WantedColumns
from ..io.read import read_sources
from ..io.read_options import Inspector, ReadOptions
from ..io.remote import is_url
from .app import Locations, Progress, Store, Threads, choices, command, number_of, say, show_progress
from .launched import launched_ranks, speaks
from .memory import left_of
from .option_names import in_options
from .piped import expect_no_pipes, given_files, name_reports
from .reading import reads_edges

__all__ = ["import_files"]

Files = Annotated[
    list[str],
    typer.Argument(
        help="Edge files, directories or URLs of some; - is standard input.", show_default=False, metavar="FILE"
    ),
]
Directed = Annotated[
    bool | None,
    typer.Option(
        "--directed/--undirected",
        help="Whether edges have a direction. Default: as the file says, else undirected.",
    ),
]
Ids = Annotated[
    str | None,
    typer.Option(
        help="dense (0..n-1), integer or string. Default: detected.",
        show_default=False,
        autocompletion=choices(*_core.IdKind.__members__),
    ),
]
EdgeColumn = Annotated[
    list[str] | None, typer.Option(help="CSV, Parquet, GML, GraphML, JSON and its lines: kept by edges, NAME:TYPE.")
]
VertexColumn = Annotated[
    list[str] | None, typer.Option(help="The same for vertices, of --vertices or of GML, GraphML, JSON.")
]
AllColumns = Annotated[
    bool, typer.Option("--all-columns", help="Keep every column of the first file, with the type it has there.")
]
VertexFiles = Annotated[
    list[str] | None, typer.Option(help="CSV, Parquet, JSON lines: a table of vertices, or its URL.", metavar="FILE")
]
VertexIds = Annotated[
    str | None,
    typer.Option(
        "--vertex",
        help="The column of the ids in --vertices files (default: vertex or id, else the first of two).",
        metavar="NAME",
    ),
]
ParallelEdges = Annotated[
    list[str] | None,
    typer.Option(
        help="merge (default: the last stays), keep, or what one edge has of all: sum, min, max, first, last; or "
        "COLUMN=RULE, such as amount=sum.",
        metavar="RULE",
    ),
]
SelfLoops = Annotated[str | None, typer.Option(help="keep (default) or drop.")]
InEdges = Annotated[
    bool | None, typer.Option("--in-edges/--no-in-edges", help="Directed: store in-edges too (default).")
]
Order = Annotated[
    str,
    typer.Option(
        help="Internal ids: auto, given, degree (hubs first), locality (neighbours together), striped (round-robin).",
        autocompletion=choices(*_core.VertexOrder.__members__),
    ),
]
MemoryLimit = Annotated[
    str | None,
    typer.Option(envvar="RIZOMA_MEMORY_LIMIT", help="Most memory that the command may take, such as 4G."),
]
Append = Annotated[bool, typer.Option(help="Add to a store that is not empty, as one commit.")]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Say how the files would be read, from their first lines; make nothing.")
]


def _columns(given: list[str] | None, all_columns: bool) -> WantedColumns:
    """NAME:TYPE as names and types; without any, all columns if they are wanted."""
    columns = {}
    for each in given or []:
        name, colon, kind = each.rpartition(":")
        if not colon or not name:
            raise InvalidArgumentError(f"column {each!r} has no type; write NAME:TYPE, such as amount:float64")
        columns[name] = kind
    return columns or ("infer" if all_columns else None)


def _parallel_edges(given: list[str] | None) -> ParallelSpec | None:
    """One word for all columns, or COLUMN=RULE for some."""
    if not given:
        return None
    if len(given) == 1 and "=" not in given[0]:
        return given[0]
    rules = {}
    for each in given:
        column, equals, rule = each.rpartition("=")
        if not equals or not column:
            raise InvalidArgumentError(
                f"parallel edges {each!r} are not a rule; write COLUMN=RULE, such as amount=sum, or one rule alone"
            )
        rules[column] = rule
    return rules


@command("import")
@reads_edges()
def import_files(
    store: Store,
    files: Files,
    directed: Directed = None,
    ids: Ids = None,
    edge_column: EdgeColumn = None,
    vertices: VertexFiles = None,
    vertex: VertexIds = None,
    vertex_column: VertexColumn = None,
    all_columns: AllColumns = False,
    parallel_edges: ParallelEdges = None,
    self_loops: SelfLoops = None,
    in_edges: InEdges = None,
    order: Order = "auto",
    memory_limit: MemoryLimit = None,
    location: Locations = None,
    append: Append = False,
    dry_run: DryRun = False,
    threads: Threads = 0,
    progress: Progress = None,
    *,
    reading: dict[str, Any],
) -> None:
    """Make a store from edge files.

    Reads SNAP text, CSV and TSV, MatrixMarket, METIS, LDBC Graphalytics .v/.e, GAP .sg/.wsg, DIMACS .gr,
    Parquet, JSON lines, GraphML, GEXF, GML, JSON and Pajek.  Text may be compressed as .gz or .zst, and the graph may
    be larger than memory.  s3://, gs:// and https:// URLs need fsspec: pip install rizoma[remote].

    The store gets its name when it is complete.  If anything goes wrong, nothing is left behind; what a killed import
    left (.STORE.loading-PID) is removed by the next one.  A malformed line is reported with file, line and column.

    At the end the command says how it read the columns, and what it merged or left out.  --dry-run says how it would
    read the files, and stops.

    \b
        rizoma import calls.rz calls.csv --dry-run
        rizoma import social.rz soc-Epinions1.txt.gz --directed
        rizoma import flights.rz flights.csv --source-column origin --target-column dest --weight-column miles
        rizoma import paid.rz paid.csv --edge-column amount:float64 --edge-column "since:timestamp[s]"
        rizoma import people.rz knows.csv --vertices people.csv --vertex login --vertex-column name:string
        rizoma import events.rz events.ndjson.gz --source-column user --target-column item
        rizoma import prices.rz prices.csv --delimiter ";" --decimal ,
        rizoma import paid.rz paid.csv --all-columns
        rizoma import paid.rz paid.csv --all-columns --parallel-edges amount=sum --parallel-edges since=min
        rizoma import big.rz part-*.parquet --memory-limit 4G --order degree
        mpiexec -n 4 rizoma import big.rz part-*.csv.gz
        rizoma import big.rz edges.el --location /mnt/pmem0 --location /mnt/pmem1
    """
    begin = time.perf_counter()
    options: dict[str, Any] = {
        **reading,
        "directed": directed,
        "ids": ids,
        "vertex": vertex,
        "parallel_edges": _parallel_edges(parallel_edges),
        "self_loops": self_loops,
        "in_edges": in_edges,
        "order": order,
        "append": append,
        "locations": location or (),
        "edges": _columns(edge_column, all_columns),
        "vertices": _columns(vertex_column, all_columns),
        "threads": threads,
    }
    _expect_store_first(store, files)
    files = expanded(files)
    if dry_run:
        _preview(files, ReadOptions.of(options))
        return
    with launched_ranks() as ranks, _given(files, vertices, ranks) as given, given_files(vertices) as given_vertices:
        options |= {"vertex_files": given_vertices, "memory_limit": left_of(memory_limit)}
        options["progress"] = show_progress(progress) and speaks(ranks)
        if ranks is None:
            graph: Graph | None = read_sources(given, store, ReadOptions.of(options))
        else:
            graph = read_on_ranks(ranks, given, store, **options)
        if graph is not None:
            with graph:
                if graph.last_import:
                    name_reports(graph.last_import.files, files)
                _tell(graph, store, time.perf_counter() - begin)


def _expect_store_first(store: Path, files: list[str]) -> None:
    """Raise if the store and the file to read are swapped."""
    at_url = store.parts[:1] and store.parts[0].endswith(":") and len(store.parts) > 1  # of a URL as a path
    if not store.is_file() and not at_url:
        return
    swapped = len(files) == 1 and not Path(files[0]).is_file()
    turned = f"rizoma import {files[0]} {store}" if swapped and not at_url else "rizoma import STORE FILE ..."
    raise InvalidArgumentError(f"{store} is a file, not a store; the store comes first: {turned}")


def _given(files: list[str], vertices: Any, ranks: Any) -> AbstractContextManager[Sequence[str | Path]]:
    """The files here; ranks fetch what URLs name together."""
    if ranks is None:
        return given_files(files)
    expect_no_pipes([*files, *(vertices or [])])
    return nullcontext([name if is_url(name) else Path(name) for name in files])


def _tell(graph: Graph, store: Path, seconds: float) -> None:
    """Print what an import made, and how it read the columns."""
    info = graph.info()
    rate = info.num_edges / max(seconds, 1e-9) / 1e6
    say(
        f"{store}: {number_of(info.num_vertices, 'vertex', 'vertices')}, {number_of(info.num_edges, 'edge')}, "
        f"{human_bytes(info.bytes_on_disk)}, in {seconds:.2f} s"
        + (f" ({rate:.2f} M edges/s)" if info.num_edges >= 100_000 else "")
    )
    for line in graph.last_import.lines() if graph.last_import else ():
        say(f"  {in_options(line, import_files)}")


def _preview(files: list[str], options: ReadOptions) -> None:
    """Print how files would be read."""
    with given_files(files) as given:
        inspector = Inspector(options)
        reports = [each.report for each in inspector.at_files(given)]
        name_reports(reports, files)
        for report in reports:
            kind = "directed" if report.directed else "undirected"
            found = f"{report.weights} weights" if report.weights else "no weights"
            say(f"{report.path}: {report.format}, {kind}, {report.ids} ids, {found}")
            if report.delimiter is not None:
                says = "a header" if report.header else "no header"
                say(f"  {says}, fields separated by {report.delimiter!r}: {', '.join(report.columns)}")
            for note in dict.fromkeys([*report.notes, *report.guesses]):
                say(f"  {in_options(note, import_files)}")
        say("This is what the first lines say; malformed lines further on are found by the import.")
