"""rizoma add, remove, set-weights."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from .. import _core
from ..core.errors import ColumnNotFoundError, InvalidArgumentError, NotFoundError, ParseError
from ..core.options import enum_value
from ..core.plain_numbers import are_plain_integers
from ..graph.bulk import Change, ListedEdges, id_kind
from ..graph.graph import Graph
from ..graph.ids import IdArray, VertexKey, id_array
from ..graph.import_report import ImportReport
from ..graph.info import Info
from ..graph.odd_ids import OddIds
from ..graph.open import open_graph
from ..io.file_sets import expanded
from ..io.read import gather, kind_of_ids
from ..io.read_options import Inspector, ReadOptions
from .app import Progress, Store, Threads, choices, command, number_of, say, show_progress
from .option_names import in_options
from .piped import given_files, name_reports
from .reading import reads_edges

__all__ = ["add", "remove", "set_weights"]

_AS_WEIGHTS = re.compile(r" \(as weights: [^)]*\)$")

Files = Annotated[
    list[str] | None,
    typer.Argument(help="Edge files, or URLs of some; - is standard input.", show_default=False, metavar="FILE"),
]
Vertex = Annotated[list[str] | None, typer.Option("--vertex", help="A vertex, by its id; may be repeated.")]
Vertices = Annotated[list[Path] | None, typer.Option("--vertices", help="A file with an id on each line, or -.")]
DurabilityOption = Annotated[
    str,
    typer.Option(
        "--durability",
        help="Of the commit: always, group or none, as in Python. The store is closed at the end of the "
        "command, and then the change is durable at any level.",
        autocompletion=choices(*_core.Durability.__members__),
    ),
]
MissingOption = Annotated[
    str, typer.Option(help="For edges or vertices that do not exist: ignore them, or error (change nothing).")
]


@command("add")
@reads_edges()
def add(
    store: Store,
    files: Files = None,
    vertex: Vertex = None,
    vertices: Vertices = None,
    durability: DurabilityOption = "always",
    threads: Threads = 0,
    progress: Progress = None,
    *,
    reading: dict[str, Any],
) -> None:
    """Add edges and vertices to a store, as one commit.

    If the graph has weights, the files must have them too, unless --weights none says that each edge weighs 1; if it
    has none, they are not read.  Columns of CSV, Parquet and JSON lines files are kept if the graph has columns of the
    same names; the command names the ones that it did not read.

    \b
        rizoma add social.rz today.csv
        rizoma add social.rz --vertex ann --vertex bob
        zcat today.gz | rizoma add social.rz -
    """
    if not (files or vertex or vertices):
        raise InvalidArgumentError("there is nothing to add; name edge files, or give --vertex or --vertices")
    _expect_files(files, "adds")
    with open_graph(store, mode="open", durability=durability) as graph:
        change, report = _added(graph, files, reading, threads, progress)
        change.add_vertices(_ids(graph, vertex, vertices, settle=not files))
        before, first_added = graph.info(), graph._state().num_vertices
        change.commit(graph._native)
        after = graph.info()
        for line in _told(report, before, after, graph._state(), first_added):
            say(in_options(line, add))
    say(
        f"{store}: {number_of(after.num_edges - before.num_edges, 'new edge')}, "
        f"{number_of(after.num_vertices - before.num_vertices, 'new vertex', 'new vertices')}"
    )


@command("remove")
@reads_edges("weights")
def remove(
    store: Store,
    files: Files = None,
    vertex: Vertex = None,
    vertices: Vertices = None,
    missing: MissingOption = "ignore",
    parallel: Annotated[str, typer.Option(help="Remove all parallel edges, or one for each row.")] = "all",
    key: Annotated[
        str | None,
        typer.Option(help="Edge column: takes the parallel edges that have the row's value in it.", metavar="COLUMN"),
    ] = None,
    durability: DurabilityOption = "always",
    threads: Threads = 0,
    progress: Progress = None,
    *,
    reading: dict[str, Any],
) -> None:
    """Remove the edges listed in files, or vertices with all their edges, as one commit.

    \b
        rizoma remove social.rz unfollows.csv
        rizoma remove social.rz --vertex bob --missing error
        rizoma remove payments.rz voided.csv --key id
    """
    if not (files or vertex or vertices):
        raise InvalidArgumentError("there is nothing to remove; name edge files, or give --vertex or --vertices")
    _expect_files(files, "removes")
    absent = enum_value(_core.Missing, "missing", missing)
    which = enum_value(_core.Parallel, "parallel", parallel)
    with open_graph(store, mode="open", durability=durability) as graph:
        columns = {} if key is None else _key_of(graph, key)
        without = {**reading, "weights": False}
        listed = _listed(graph, files, without, threads, progress, weighted=False, columns=columns)
        change = Change()
        for batch in listed:
            change.steps.remove_edges(batch, absent, which, key or "")
        change.remove_vertices(_ids(graph, vertex, vertices), absent)
        counts = change.commit(graph._native)
    say(
        f"{store}: {number_of(counts.edges_removed, 'edge')} and "
        f"{number_of(counts.vertices_removed, 'vertex', 'vertices')} removed; "
        f"not there: {number_of(counts.edges_missing, 'edge')}, "
        f"{number_of(counts.vertices_missing, 'vertex', 'vertices')}"
    )


@command("set-weights")
@reads_edges("weights")
def set_weights(
    store: Store,
    files: Annotated[
        list[str], typer.Argument(help="Edge files with weights; - is standard input.", show_default=False)
    ],
    missing: MissingOption = "ignore",
    durability: DurabilityOption = "always",
    threads: Threads = 0,
    progress: Progress = None,
    *,
    reading: dict[str, Any],
) -> None:
    """Set the weights of edges that are in a store to those in files, as one commit.

    rizoma set-weights roads.rz closed.csv --weight-column minutes
    """
    with open_graph(store, mode="open", durability=durability) as graph:
        if graph.weights is None:
            remedy = "import it with them (rizoma import --weight-column NAME)"
            raise InvalidArgumentError(f"the graph {store} has no weights, so none can be set; {remedy}")
        listed = _listed(graph, files, reading, threads, progress)
        change = Change()
        for batch in listed:
            change.steps.set_weights(batch, enum_value(_core.Missing, "missing", missing))
        counts = change.commit(graph._native)
    say(f"{store}: {number_of(counts.weights_set, 'weight')} set; not there: {number_of(counts.edges_missing, 'edge')}")


def _added(
    graph: Graph,
    files: list[str] | None,
    reading: Mapping[str, Any],
    threads: int,
    progress: bool | None,
) -> tuple[Change, ImportReport]:
    """What the files add, with the values that the graph has columns for."""
    inspector = _inspector(graph, reading, graph.edge_columns)
    names = expanded(files or [])
    with given_files(names) as given, _weights_told(reading):
        edge_files = inspector.at_files(given)
        if edge_files and graph._is_empty():
            graph._settle_ids(enum_value(_core.IdKind, "ids", kind_of_ids(edge_files)))
        change = gather(graph, edge_files, threads, show_progress(progress), Change())
    report = ImportReport([file.report for file in edge_files])
    name_reports(report.files, names)
    return change, report


@contextmanager
def _weights_told(reading: Mapping[str, Any]) -> Iterator[None]:
    """Within it, files without weights, which the graph alone asks for, raise with that."""
    try:
        yield
    except ParseError as error:
        why = "the graph has weights; with --weights none each edge weighs 1"
        raise ParseError(
            str(error).replace("weights were asked for", why) if reading["weights"] is None else error
        ) from None


def _told(report: ImportReport, before: Info, after: Info, state: _core.Snapshot, first_added: int) -> list[str]:
    """What of the files is not in the graph as it stands there, and what may be meant otherwise."""
    sizes = [(info.num_vertices, info.num_edges) for info in (before, after)]
    report.finish(sizes[0], sizes[1], state.schema, True)
    lost = [_core.READ_WITHOUT_DIRECTION, "not read"]
    told = [line for file in report.files for line in file.lines() if any(each in line for each in lost)]
    if state.schema.weights == _core.WeightType.none:
        told = [_AS_WEIGHTS.sub("; the graph has no weights: rizoma import makes one that has", line) for line in told]
    told += [*report.guesses, *report.notes]
    return told + OddIds.of(state, first_added).guesses(told)


def _listed(
    graph: Graph,
    files: list[str] | None,
    reading: Mapping[str, Any],
    threads: int,
    progress: bool | None,
    weighted: bool = True,
    columns: Mapping[str, str] | None = None,
) -> list[_core.EdgeBatch]:
    """The edges that the files list, with ids as the graph has them and, if wanted, weights and these columns."""
    inspector = _inspector(graph, reading, columns or {})
    with given_files(files) as given:
        edge_files = inspector.at_files(given)
        return gather(graph, edge_files, threads, show_progress(progress), ListedEdges(), weighted).all_batches()


def _inspector(graph: Graph, reading: Mapping[str, Any], columns: Mapping[str, str]) -> Inspector:
    inspector = Inspector(ReadOptions.of({**reading, "directed": graph.directed}))
    inspector.adds_to(graph, columns)
    return inspector


def _key_of(graph: Graph, key: str) -> dict[str, str]:
    """The column that tells parallel edges apart."""
    if key not in graph.edge_columns:
        there = ", ".join(graph.edge_columns) or "none"
        raise ColumnNotFoundError(f"the graph has no column {key!r} to tell edges apart by; there are {there}")
    return {key: graph.edge_columns[key]}


def _ids(graph: Graph, vertex: list[str] | None, files: list[Path] | None, *, settle: bool = False) -> IdArray:
    """The vertices named, as the graph has its ids; `settle`: an empty graph whose kind of ids is open gets theirs."""
    names = list(vertex or [])
    with given_files(files) as given:
        for file, name in zip(given, files or (), strict=True):
            lines = [line for line in _lines(file) if line and not line.startswith("#")]
            _expect_one_column(name, lines)
            names += lines
    ids: list[VertexKey] = list(names)
    if settle and names and graph._is_empty():
        numbers = are_plain_integers(names)
        graph._settle_ids(id_kind([], [id_array([int(name) for name in names] if numbers else names)]))
    if graph.ids != "string":
        ids = [_number(name) for name in names]
    return id_array(ids)


def _expect_one_column(file: Path, lines: list[str]) -> None:
    """Refuse a table where a file has an id on each line: its rows would be ids."""
    for sign in (",", ";", "\t"):
        counts = {line.count(sign) for line in lines}
        if len(lines) > 1 and len(counts) == 1 and counts != {0}:
            raise InvalidArgumentError(
                f"{file} is a table, and --vertices takes an id on each line: cut -d '{sign}' -f 1 {file} | "
                f"rizoma ... --vertices -; values of vertices come with rizoma import --append --vertices {file}"
            )


def _expect_files(files: Iterable[str | Path] | None, does: str) -> None:
    """Refuse a vertex where files of edges are named."""
    for file in map(str, files or ()):
        if Path(file).name == file and not Path(file).suffix and file != "-" and not Path(file).exists():
            raise NotFoundError(f"{file}: no such file; --vertex {file} {does} a vertex; edges are lines of files")


def _lines(file: Path) -> list[str]:
    try:
        text = file.read_text(encoding="utf-8-sig")  # "\r\n" becomes "\n"
    except FileNotFoundError:
        raise NotFoundError(f"{file}: no such file; --vertices reads ids from a file, --vertex takes one") from None
    except UnicodeDecodeError as error:
        raise ParseError(f"{file}: byte {error.start} is not UTF-8 text; convert the file (iconv)") from None
    return text.split("\n")


def _number(name: str) -> int:
    if not are_plain_integers([name]):
        raise typer.BadParameter(f"the ids of this graph are integers, but {name!r} is not one")
    return int(name)
