"""`rizoma.read` and `rizoma.generate`: whole graphs from files and generators, all or nothing."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from .. import _core
from ..core.arguments import names_checked
from ..core.config import current, parse_bytes
from ..core.engines import ProgressFunction, engine
from ..core.errors import (
    AlreadyExistsError,
    InvalidArgumentError,
    NotFoundError,
    UnsupportedError,
    permissions_told,
)
from ..core.files import is_store
from ..core.options import enum_value
from ..graph.bulk import Change, warn_of
from ..graph.graph import Graph
from ..graph.import_report import ImportReport, VertexFileReport
from ..graph.odd_ids import OddIds
from ..graph.open import open_graph
from ..graph.open_settings import expect_outside_stores, location_paths
from ..graph.parallel import ParallelSpec
from ..graph.schema import ColumnSpec
from ..graph.staging import StagingDirectory
from ..graph.tables.text_options import CsvOptions
from .causes import causes_told
from .count_line import note_count_line
from .file_sets import expanded
from .inference import WantedColumns
from .read_options import Inspector, ReadOptions
from .remote import local_copies
from .sources import EdgeFile, SpooledFile, TextFile
from .vertex_files import add_vertex_file

C = TypeVar("C", bound=Change)

__all__ = [
    "add_vertices",
    "gather",
    "generate",
    "has_anything",
    "has_store",
    "kind_of_ids",
    "new_graph",
    "read",
    "read_sources",
    "widest",
]

PathLike = str | os.PathLike[str]

_GATHERED = 4  # bytes that a batch takes for each byte of a file: an edge has 16 and more, and about 4 to 14 in text


@names_checked
def read(
    *files: PathLike | Any,
    into: PathLike | None = None,
    directed: bool | None = None,
    weights: str | bool | None = None,
    ids: str | None = None,
    format: str = "auto",
    source: str | int | None = None,
    target: str | int | None = None,
    weight: str | int | None = None,
    parallel_edges: ParallelSpec | None = None,
    self_loops: str | None = None,
    in_edges: bool | None = None,
    order: str = "auto",
    memory_limit: int | str | None = None,
    append: bool = False,
    header: bool | None = None,
    delimiter: str | None = None,
    quote: str | None = '"',
    null: str | None = None,
    skip_bad_lines: int = 0,
    decimal: str = ".",
    comment: str | None = None,
    multiline: bool = False,
    thousands: str | None = None,
    date_format: str | None = None,
    encoding: str | None = None,
    rename: Mapping[str, str] | None = None,
    locations: Iterable[PathLike] = (),
    edges: WantedColumns = None,
    vertices: WantedColumns = None,
    vertex_files: Iterable[PathLike] = (),
    vertex: str | None = None,
    where: str | None = None,
    threads: int | None = None,
    progress: ProgressFunction | bool | None = None,
) -> Graph:
    """Read edge files, in bounded memory, or tables into a new graph; on an error nothing is left behind.

    `last_import` of the graph says how everything was read, and what was merged or left out.

    Args:
        files: SNAP text, CSV/TSV, MatrixMarket, METIS, Graphalytics .v/.e, GAP .sg/.wsg, DIMACS .gr, Parquet, JSON
            lines (.ndjson, .jsonl), GML, GraphML, GEXF, JSON (node-link), Pajek .net; text also as .gz or .zst.  URLs
            such as s3:// and https:// are read by fsspec; a directory or a pattern is its files.  Or tables, arrays and
            graphs, as `Graph.add_edges` takes them.
        into: directory of the store; None: a graph in memory.
        directed: None: as the files say, else undirected.
        weights: type of the weights, True for float64, False for none; None: as the files say.
        ids: "dense", "integer" or "string"; None: detected.
        format: "edge_list", "csv", "matrix_market", "metis", "graphalytics", "gapbs", "dimacs", "gml", "graphml",
            "json", "parquet", "ndjson" or one of `rizoma.formats`: "gexf", "net"; "auto": detected.
        source: column of a CSV, Parquet or JSON lines file, by name (CSV: or number); likewise `target` and `weight`.
        target: see `source`.
        weight: see `source`; makes the graph weighted.
        parallel_edges: "merge" (default), "keep", or "sum", "min", "max", "first", "last" of the weights and columns of
            parallel edges, also by column: {"amount": "sum", "since": "min"}; see `rizoma.open`.
        self_loops: "keep" (default) or "drop".
        in_edges: store in-edges of a directed graph (default yes).
        order: internal ids: "auto" ("degree" or "given" by what is measured of the edges, which `info().order_reason`
            tells), "given", "degree" (hubs first), "locality" (neighbours near one another: roads, crawls; all edges
            have to fit the memory limit), "striped" (the given ones round-robin, so that equal runs of numbers have
            equal shares of the work).
        memory_limit: bytes for buffers, or "4G".
        append: add to a store that is not empty, as one commit; values of its columns come along from CSV, TSV, Parquet
            and JSON lines files and tables, unless `edges` says which.  It is gathered in memory or, where files are
            too large for `memory_limit`, loaded as a new store is, with all that the graph has: unless that has columns
            of edges, or dense ids of which some were removed.
        header: CSV: whether the first line names the columns; None: detected, or an error if it may or may not.
        delimiter: CSV: what separates fields; "tab": a tab; None: detected among , ; | and tab.
        quote: CSV: what may enclose a field; None: nothing.
        null: CSV: a text that stands for no value; lines without an id or a weight are left out and counted.
        skip_bad_lines: CSV, edge lists, JSON lines: up to this many malformed lines are left out and counted; one more
            is an error.
        decimal: CSV: what stands before the fraction of a number, "." or ",".
        comment: CSV, edge lists: the character that begins a comment; "": none does; None: # and % in edge lists, #
            before the first line of CSV.
        multiline: CSV: quoted fields may go over several lines; such a file is read by one process.
        thousands: CSV, and texts of tables and Parquet: what separates thousands in numbers, such as "." in 2.720,01
            (with decimal=","), "," in 1,00,000, "'" or a blank, which stands for a no-break one too.
        date_format: the same: how dates and times are written, such as "%d.%m.%Y" or "%m/%d/%Y %H:%M"; None: ISO 8601.
        encoding: text in lines: "latin-1", "cp1252", "utf-16" and what else Python's codecs know; None: UTF-8, or
            UTF-16 or UTF-32 where the file begins with its mark.
        rename: CSV, Parquet, tables: other names for columns, {"Betrag (EUR)": "amount"}, which all other options then
            mean; without a header the number of a column is its old name.
        locations: directories that the sections are spread over, as for `rizoma.open`.
        edges: columns of CSV, TSV, Parquet and JSON lines files, and values in GML, GraphML and JSON, that edges keep,
            with their types: {"amount": "float64"}.  "infer": all of the first file or table but source, target and
            weight, with the types that they have there (CSV, JSON lines: in its first lines).
        vertices: the same of vertices: columns of `vertex_files`, and values in GML, GraphML, JSON and of graphs of
            NetworkX and igraph.
        vertex_files: tables of vertices (CSV with a header, TSV, Parquet, JSON lines), or URLs of some; vertices
            without edges come from them too.
        vertex: their column of ids; None: "vertex" or "id", else the first of at most two.
        where: a predicate over the columns of Parquet files, JSON lines, directories that are one table and tables in
            memory, such as "year >= 2024 and amount > 0": other rows are left out.  What row groups, files and
            partitions say is used to read less.
        threads: as in `rizoma.config`.
        progress: True for a bar, or a function f(phase, done, total).

    Returns the graph, open.  Raises ParseError for malformed input (file, line and column), NotFoundError,
    AlreadyExistsError if `into` is not empty and `append` is False, InvalidArgumentError and ColumnNotFoundError for
    options that do not fit the data, UnsupportedError, OutOfMemoryError, OutOfSpaceError, CancelledError.  Cost: one
    pass over the files (JSON lines and "locality": two) and a sort of the edges, in `memory_limit` bytes, beside three
    pieces of the input a thread (8 MiB of text at most, each); what exceeds them is written to disk and read again.
    """
    if not files:
        raise InvalidArgumentError("there is no file to read; name one or more")
    if into is None:
        _expect_no_store(files)
    options = ReadOptions.of({name: value for name, value in locals().items() if name not in ("files", "into")})
    graph = read_sources(files, into, options)
    assert graph.last_import is not None
    warn_of(graph.last_import.warnings if parallel_edges is None else graph.last_import.guesses)
    return graph


def _expect_no_store(files: Sequence[Any]) -> None:
    """Raise if the last of several files has the name of a store that is not there: it is to be made."""
    last = os.fspath(files[-1]) if len(files) > 1 and isinstance(files[-1], (str, os.PathLike)) else ""
    if str(last).endswith(".rz") and not os.path.lexists(last):
        raise NotFoundError(f"{last}: no such file; name the graph that is to be made by into={str(last)!r}")


def read_sources(files: Sequence[Any], into: PathLike | None, options: ReadOptions) -> Graph:
    """Do what `read` does; without a warning of what was guessed, which `last_import` has."""
    with causes_told(files, options.vertex_files):
        return _read_sources(files, into, options)


def _read_sources(files: Sequence[Any], into: PathLike | None, options: ReadOptions) -> Graph:
    files, inspector = expanded(files), Inspector(options)
    locations, vertex, ids = options.locations, options.vertex, options.ids
    if options.append and into is not None and has_store(Path(into)):
        with open_graph(Path(into), mode="read_only", locations=location_paths(locations)) as present:
            inspector.adds_to(present, {} if options.edges else present.edge_columns)
    kept, wanted, directed = inspector.kept, inspector.wanted, options.directed
    as_wanted: dict[str, Any] = {
        "ids": ids,
        "parallel_edges": options.parallel_edges,
        "self_loops": options.self_loops,
        "in_edges": options.in_edges,
        "locations": locations,
    }
    named = expanded(list(options.vertex_files))
    with local_copies(named) as tables, _inputs(files, inspector, tables) as inputs:
        if wanted is None:
            for each in inputs:
                if isinstance(each, TextFile):
                    each.tell_of_weights()
        as_wanted |= {"edges": kept.edges or None, "vertices": kept.vertices or None}
        if into is None or not has_store(Path(into)):  # else: as the store is
            as_wanted["directed"] = any(each.directed for each in inputs) if directed is None else directed
            as_wanted["weights"] = widest(each.weights for each in inputs) if wanted is None else wanted
        else:
            # weights=False says of edges that are added that each weighs 1.
            as_wanted |= {"directed": directed, "weights": None if options.append and wanted is False else wanted}
        with new_graph(into, **as_wanted) as graph:
            before, first_added = _size_of(graph), graph._state().num_vertices
            ids_before = _fill(graph, inputs, options)
            if ids_before is not None:
                first_added = 0
            odd = OddIds.of(graph._state(), first_added)  # of the edges: what adds vertices warns of theirs itself
            told = add_vertices(graph, [] if tables else inputs, tables, vertex, kept.vertex_kinds(), inspector.csv)
            for file, name in zip(told, named, strict=True):
                file.path = os.fspath(name)
            report = ImportReport([each.report for each in inputs], vertex_files=told)
            report.finish(before, _size_of(graph), graph._state().schema, directed is not None)
            report.note_filter(options.where)
            if before == (0, 0):
                note_count_line(report, graph._state())
            report.note_ids(odd, ids_before or OddIds())
            graph.last_import = report
    return graph


@contextmanager
def _inputs(files: Sequence[Any], inspector: Inspector, vertex_files: Sequence[Path]) -> Iterator[list[EdgeFile]]:
    """The inputs, which stay readable until the block ends."""
    tables = [not isinstance(file, (str, os.PathLike)) for file in files]
    if all(tables):
        yield [each if isinstance(each, SpooledFile) else inspector.at_table(each, vertex_files) for each in files]
        return
    if any(tables):
        texts = [file for file in files if isinstance(file, str) and not os.path.exists(file)]
        columns = f"; columns are named by source= and target=, if {texts[0]!r} is one" if texts else ""
        raise InvalidArgumentError(f"the data mixes files and tables; read one kind, then append the other{columns}")
    with local_copies(files) as paths:
        found = inspector.at_files(paths, vertex_files)
        for each, name, path in zip(found, files, paths, strict=True):
            each.report.size = each.report.size or path.stat().st_size
            each.report.path = os.fspath(name)
        yield found


def _fill(graph: Graph, inputs: list[EdgeFile], options: ReadOptions) -> OddIds | None:
    """Read everything into a graph, in bulk if it is empty; return the odd ids of vertices that it renumbers."""
    order, memory_limit, threads, progress = options.order, options.memory_limit, options.threads, options.progress
    if options.append and graph._state().num_vertices:
        return _append(graph, inputs, order, memory_limit, threads, progress)
    if graph._state().num_vertices:
        raise AlreadyExistsError(f"the graph {graph.location} is not empty; to add to it, give append=True")
    kind = options.ids or kind_of_ids(inputs)
    found = enum_value(_core.IdKind, "ids", kind)
    with graph._bulk_load(order, memory_limit, threads, progress, found) as load:
        schema = graph._state().schema
        schema.ids = load.ids
        for each in inputs:
            with engine(threads, progress) as borrowed:
                each.load(load, schema, borrowed)
    return None


def _append(
    graph: Graph,
    inputs: list[EdgeFile],
    order: str,
    memory_limit: int | str | None,
    threads: int | None,
    progress: ProgressFunction | bool | None,
) -> OddIds | None:
    """Add everything to a graph that has something, as one commit: a batch, or a load where memory asks for it.

    Returns the odd ids that were there if it was a load, which renumbers the vertices.
    """
    limit = current().memory_limit if memory_limit is None else parse_bytes(memory_limit)
    load = None
    if sum(each.report.size for each in inputs) * _GATHERED > (limit or _free_memory() // 2):
        with suppress(UnsupportedError), engine(threads, progress) as borrowed:  # what cannot be loaded is a batch
            load = graph._native.append_load(borrowed, enum_value(_core.VertexOrder, "order", order), limit)
    if load is None:
        gather(graph, inputs, threads, progress, Change()).commit(graph._native)
        return None
    there = OddIds.of(graph._state())
    for each in inputs:
        with engine(threads, progress) as borrowed:
            each.load(load, graph._state().schema, borrowed)
    with engine(threads, progress) as borrowed:
        load.finish(borrowed)
    return there


def kind_of_ids(inputs: Iterable[EdgeFile]) -> str:
    """The kind of ids that all of some files have."""
    return max((each.ids for each in inputs), key=["dense", "integer", "string"].index)


def _free_memory() -> int:
    """Bytes of the machine that are free."""
    return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def add_vertices(
    graph: Graph,
    edge_files: list[EdgeFile],
    tables: Iterable[PathLike],
    vertex: str | None,
    columns: Mapping[str, str],
    csv: CsvOptions,
) -> list[VertexFileReport]:
    """Add the values of vertices that files of edges have, and the vertices of tables, with these columns.

    Returns what is to be said of each table.
    """
    found = [file.vertices for file in edge_files if file.vertices is not None]
    found = [(ids, values) for ids, values in found if values and len(ids)]
    if found:
        with graph.batch() as batch:
            for ids, values in found:
                batch._add_vertices(ids, values)
    return [add_vertex_file(graph, Path(path), vertex, columns, csv) for path in tables]


def _size_of(graph: Graph) -> tuple[int, int]:
    state = graph._state()
    return state.num_live, state.num_edges()


@names_checked
def generate(
    kind: str = "rmat",
    scale: int = 16,
    *,
    edge_factor: int = 16,
    seed: int = 1,
    into: PathLike | None = None,
    directed: bool | None = None,
    weights: str | bool | None = None,
    parallel_edges: ParallelSpec | None = None,
    self_loops: str | None = None,
    in_edges: bool | None = None,
    order: str = "auto",
    memory_limit: int | str | None = None,
    threads: int | None = None,
    progress: ProgressFunction | bool | None = None,
) -> Graph:
    """Make a graph of 2**scale vertices; the same arguments give the same graph.

    Args:
        kind: "rmat" (skewed, like social networks), "uniform" (random) or "grid" (like a road map).
        scale: logarithm of the number of vertices.
        edge_factor: edges a vertex, before parallel ones are merged (rmat, uniform).
        seed: of the random numbers.
        into: directory of the store; None: a graph in memory.
        directed: whether edges have a direction (default no).
        weights: type of random weights 1..255; None: no weights.
        parallel_edges: as for `read`, and so the rest.
        self_loops: see `read`.
        in_edges: see `read`.
        order: see `read`.
        memory_limit: bytes for buffers, as in `read`.
        threads: see `read`.
        progress: see `read`.

    Raises InvalidArgumentError if an argument is out of range, AlreadyExistsError if `into` is not empty,
    OutOfMemoryError, OutOfSpaceError.  Cost: that of a load of edge_factor * 2**scale edges (grid: 2 * 2**scale).
    """
    what = enum_value(_core.GeneratorKind, "kind", kind)
    for name, value, most in (
        ("scale", scale, 40),
        ("edge_factor", edge_factor, 2**32 - 1),
        ("seed", seed, 2**64 - 1),
    ):
        if not isinstance(value, int) or not 0 <= value <= most:
            raise InvalidArgumentError(f"{name} is {value!r}; it must be a whole number from 0 to {most}")
    with (
        new_graph(
            into,
            directed=directed,
            weights=weights,
            ids="dense",
            parallel_edges=parallel_edges,
            self_loops=self_loops,
            in_edges=in_edges,
        ) as graph,
        graph._bulk_load(order, memory_limit, threads, progress) as load,
        engine(threads, progress) as borrowed,
    ):
        _core.generate(load, what, scale, edge_factor, seed, graph.weights is not None, borrowed)
    return graph


def widest(kinds: Iterator[str | None]) -> str | None:
    """The weight type that holds all of them."""
    order = ["int32", "float32", "float64"]
    found = {kind for kind in kinds if kind is not None}
    if found == {"int32", "float32"}:
        return "float64"  # float32 does not hold every int32
    return max(found, key=order.index) if found else None


def has_store(path: Path) -> bool:
    """Whether a store is there; what else may be in its way, the engine says."""
    with permissions_told(path):
        return is_store(path)


def has_anything(path: Path) -> bool:
    """Whether something is there that a new store would meet, and that is not ours to remove."""
    with permissions_told(path):
        return path.is_dir() and any(path.iterdir())


@contextmanager
def new_graph(
    into: PathLike | None,
    *,
    directed: bool | None,
    weights: str | bool | None,
    ids: str | None,
    parallel_edges: ParallelSpec | None,
    self_loops: str | None,
    in_edges: bool | None,
    locations: Iterable[PathLike] = (),
    edges: ColumnSpec | None = None,
    vertices: ColumnSpec | None = None,
) -> Iterator[Graph]:
    """Open the graph to fill; if that or filling fails, remove what it left where no store was before.

    Nothing has the name of a store before it is whole, however the process ends: it is built beside it.
    The directories in locations have the store's name too, so that one spread out is made in its place.
    """
    if into is not None and not os.fspath(into):
        raise InvalidArgumentError("the path is empty; give the directory of the store to make")
    path = None if into is None else Path(os.path.abspath(into))
    if path is not None:
        expect_outside_stores(path)
    spread = [Path(os.path.abspath(location)) for location in location_paths(locations)]
    made = path is not None and not has_anything(path)
    place = None if path is None or path.exists() or spread else _staging_directory(path)
    built = None if place is None else place.path
    places = [] if path is None else [built or path, *(location / path.name for location in spread)]
    new_directories = [place for place in places if made and not place.exists()]
    graph = None
    try:
        graph = open_graph(
            built or path,
            directed,
            weights,
            ids=ids,
            parallel_edges=parallel_edges,
            self_loops=self_loops,
            in_edges=in_edges,
            locations=spread,
            edges=edges,
            vertices=vertices,
            mode="create" if made else "open_or_create",  # not the store that another process makes there meanwhile
        )
        yield graph
        if place is not None and path is not None:
            graph._move(path)
            place.release()
    except BaseException:
        if graph is not None and made:
            graph._discard()
        elif graph is not None:
            graph.close()
        for directory in new_directories:
            with suppress(OSError):  # not there, or files of others in it
                directory.rmdir()
        if place is not None:
            place.remove()
        raise


def _staging_directory(path: Path) -> StagingDirectory | None:
    """A directory beside `path`; None if none can be made there: opening `path` then raises the reason."""
    try:
        return StagingDirectory(path)
    except OSError:
        return None


def gather(
    graph: Graph,
    files: list[EdgeFile],
    threads: int | None,
    progress: ProgressFunction | bool | None,
    change: C,
    weighted: bool = True,
) -> C:
    """Put what all files hold into a change, as the graph has its ids and weights; not yet committed."""
    schema = graph._state().schema
    if not weighted:
        schema.weights = _core.WeightType.none
    for file in files:
        with engine(threads, progress) as borrowed:
            file.gather(change, schema, borrowed)
    return change
