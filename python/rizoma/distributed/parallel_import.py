"""Import by many ranks: each reads a share of the files, and builds a part of the store.

Each rank reads what is next to each other in the order given, about as many bytes as the others: whole files, lines
of text that is not compressed by ranges of bytes, and row groups of Parquet.  The store is the one that one process
makes: the ids get one dictionary, and of rows that name the same edge the last one counts.

The ranks build it together (`_core.SharedLoad`): edges go to the owners of sections by files in a directory beside the
store.  With columns of edges, the order "locality" or into a store that exists, the first rank builds it alone: the
others write their edges to such files (tables as Arrow, text as the core's own spools), which it loads in the order of
the edge files.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from copy import copy, deepcopy
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import numpy as np

from .. import _core
from ..core.aliases import new_value
from ..core.config import current, parse_bytes
from ..core.engines import engine, ranks_here
from ..core.errors import AlreadyExistsError, ParseError
from ..core.files import told_of
from ..core.lazy_arrow import pa
from ..core.options import enum_value
from ..core.same_call import argument_text, expect_same_call
from ..graph.graph import Graph
from ..graph.import_report import FileReport, ImportReport, VertexFileReport
from ..graph.odd_ids import OddIds
from ..graph.open import open_graph
from ..graph.open_settings import location_paths
from ..graph.schema import PartlyGiven, with_marks
from ..graph.staging import lock_directory
from ..graph.tables import EdgeColumns
from ..graph.tables.text_options import CsvOptions
from ..io.chunked import FileInPieces
from ..io.count_line import note_count_line
from ..io.file_sets import expanded
from ..io.read import add_vertices, has_anything, new_graph, read_sources, widest
from ..io.read_options import Inspector, ReadOptions
from ..io.remote import fetch, local_copies, name_in, path_here
from ..io.sources import Divisible, EdgeFile, SpooledFile, TextFile
from .ranks import together

__all__ = ["read_on_ranks", "shares_of"]

_ENDS = ("rizoma:source", "rizoma:target", "rizoma:weight")  # no column is called so


@dataclass
class Piece:
    """What a rank reads of a file: the units from `first` to before `end`."""

    file: int
    first: int
    end: int


def shares_of(files: Sequence[Sequence[int]], ranks: int) -> list[list[Piece]]:
    """What each rank reads: neighbours in the given order, about equally many bytes.

    `files` has the bytes of each unit of each file; units are not divided.
    """
    shares: list[list[Piece]] = [[] for _ in range(ranks)]
    total, done = max(sum(map(sum, files)), 1), 0
    for number, sizes in enumerate(files):
        for unit, size in enumerate(sizes):
            mine = shares[min(ranks - 1, (2 * done + size) * ranks // (2 * total))]  # whose part contains its middle
            if mine and mine[-1].file == number:
                mine[-1].end = unit + 1
            else:
                mine.append(Piece(number, unit, unit + 1))
            done += size
    return shares


def _units(file: EdgeFile) -> list[int]:
    """The bytes of each part of a file that a rank may read alone."""
    return file.units() if isinstance(file, Divisible) else [Path(file.report.path).stat().st_size]


def read_on_ranks(
    ranks: _core.Ranks, files: Sequence[str | os.PathLike[str]], into: str | os.PathLike[str], **options: Any
) -> Graph | None:
    """Read edge files into a store, together with the other ranks; the first gets the graph.  Collective.

    `options` are those of `rizoma.read`, and wrong ones are refused before anything is read.  The first rank reads
    alone what is added to a store, and files of formats that have vertices apart (GML, GraphML, GEXF, JSON, Pajek).
    """
    place = Path(into).absolute()
    same = {name: value for name, value in options.items() if name not in ("progress", "threads", "memory_limit")}
    given = {"files": [os.fspath(file) for file in files], "into": os.fspath(into), **same}
    expect_same_call(ranks, "read", {name: argument_text(given[name]) for name in sorted(given)})
    if not callable(options.get("progress")) and ranks.rank != 0:
        options["progress"] = False  # one bar for all
    with together(ranks):
        asked, files = ReadOptions.of(options), expanded(files)
        if not options.get("append"):
            _expect_room(place)
            if ranks.rank == 0:  # who makes the store
                _expect_locations(place, options.get("locations", ()))
    graph = None
    with ExitStack() as stack:
        far = any(path_here(file) is None for file in files)  # wrong options must be refused before anything is made
        folder = stack.enter_context(_folder(ranks, place)) if far else Path()
        paths = _fetched(ranks, files, folder)
        with together(ranks):
            inspector = Inspector(asked)
            found = inspector.at_files(paths, options.get("vertex_files", ()))
            if not options.get("append"):
                _expect_sound(found, inspector, options)
        together_built = _can_build(found, inspector, place, options)  # before any rank makes the store
        agreed = [
            [os.fspath(file), each.ids, each.weights, _units(each)] for file, each in zip(files, found, strict=True)
        ]
        ranks.agree("files to import", json.dumps([together_built, agreed]))
        if not far:
            folder = stack.enter_context(_folder(ranks, place))
        shared = not options.get("append") and all(map(_in_pieces, found))
        if shared and together_built:
            graph = _build_of_any_ids(ranks, found, inspector, folder, into, options)
        else:
            with together(ranks):
                if shared:
                    _write_share(ranks, found, inspector, folder, options)
            with together(ranks):
                if ranks.rank == 0:
                    if shared:
                        graph = _load(found, inspector, folder, into, options)
                    else:
                        graph = read_sources(paths, into, ReadOptions.of(options))
        if graph is not None:
            _name(graph, files)
    return graph


def _can_build(files: list[EdgeFile], inspector: Inspector, place: Path, options: dict[str, Any]) -> bool:
    """Whether all ranks build sections: of a new store, without columns of edges, in another order than locality.

    Of files with weights and others without, a weight of one rank's edge must stay where another rank has none for it.
    """
    alike = not _weights(files, inspector) or all(each.weights is not None for each in files)
    by_all = alike and not _kept(inspector) and new_value("order", options.get("order")) != "locality"
    return by_all and not has_anything(place)


_REMEDY = 'ids="integer"'  # that errors of dense ids name


def _build_of_any_ids(
    ranks: _core.Ranks, files: list[EdgeFile], inspector: Inspector, folder: Path, into: Any, options: dict[str, Any]
) -> Graph | None:
    """Build; ids that looked dense and, as one is negative or far away, are not, are read again as integers."""
    ids = _ids(files, inspector)
    try:
        return _build(ranks, files, inspector, folder, into, options, ids)
    except Exception as error:  # of this rank or another: it is one step of all
        failed = error
    with together(ranks):
        guessed = ids == "dense" and inspector.ids is None
        if not guessed or isinstance(failed, ParseError) or _REMEDY not in str(failed):
            raise failed
    del failed  # with what it holds of the first load
    return _build(ranks, files, inspector, folder, into, options, "integer")


def _build(
    ranks: _core.Ranks,
    files: list[EdgeFile],
    inspector: Inspector,
    folder: Path,
    into: Any,
    options: dict[str, Any],
    ids: str,
) -> Graph | None:
    """Read and build together, each rank its share (see `rizoma/cluster.h`); the first gets the graph."""
    graph, threads, progress = None, options.get("threads"), options.get("progress")
    with ExitStack() as stack:
        with together(ranks):
            given = {name: options.get(name) for name in ("parallel_edges", "self_loops", "in_edges")}
            if ranks.rank == 0:
                given |= {"into": into, "locations": options.get("locations", ())}
            made = stack.enter_context(_new_graph(files, inspector, **given))
            limit = options.get("memory_limit")
            share = _SharedStore(ranks, made, folder, options.get("order", "auto"), limit, ids)
        with together(ranks):
            for file, told in _my_pieces(ranks, files, folder):
                with engine(threads, progress) as borrowed:
                    file.load(cast(_core.BulkLoad, share.load), share.schema, borrowed)
                told.write_text(json.dumps(asdict(file.report)), encoding="utf-8")
        share.make(threads, progress)
        with together(ranks):
            if ranks.rank == 0:
                graph = made
                with local_copies(list(options.get("vertex_files", ()))) as tables:
                    kinds = inspector.kept.vertex_kinds()
                    vertex_files = add_vertices(graph, [], tables, options.get("vertex"), kinds, inspector.csv)
                _tell(graph, _reports(len(files), folder, options), vertex_files, options)
            stack.close()  # the store gets its final name
    return graph


def _new_graph(
    files: list[EdgeFile], inspector: Inspector, into: Any = None, **options: Any
) -> AbstractContextManager[Graph]:
    """The graph to fill; on ranks other than the first it only has the schema."""
    return new_graph(
        into,
        directed=_directed(files, inspector),
        weights=_weights(files, inspector) or False,
        ids=inspector.ids,
        vertices=inspector.kept.vertices or None,
        **options,
    )


class _SharedStore:
    """A load by all ranks together: receives edges, and runs the steps that follow."""

    def __init__(
        self, ranks: _core.Ranks, graph: Graph, folder: Path, order: str, limit: int | str | None, ids: str
    ) -> None:
        kind = enum_value(_core.IdKind, "ids", ids)
        size = current().memory_limit if limit is None else parse_bytes(limit)
        self._ranks = ranks
        self._whole = None
        if ranks.rank == 0:
            self._whole = graph._native.bulk_load(enum_value(_core.VertexOrder, "order", order), size, kind)
        self.schema = graph._state().schema
        self.schema.ids = kind if self._whole is None else self._whole.ids
        self.load = _core.SharedLoad.create(self.schema, folder, ranks.rank, ranks.size, size, ranks_here(ranks))

    def make(self, threads: int | None, progress: Any) -> None:
        """Build and publish what all have added.  Collective."""
        ranks, load, whole = self._ranks, self.load, self._whole
        with together(ranks):
            load.end()
        with together(ranks):
            if whole is not None:
                load.merge(whole)
        with together(ranks):
            load.count()
        with together(ranks), engine(threads, progress) as borrowed:
            if whole is not None:
                load.plan(whole, borrowed)
        with together(ranks):
            load.send()
        with together(ranks), engine(threads, progress) as borrowed:
            load.build(borrowed)
        with together(ranks):
            if whole is not None:
                load.publish(whole)
            self._whole = None


def _name(graph: Graph, files: Iterable[str | os.PathLike[str]]) -> None:
    """Put the names that the user gave into the reports, in place of those of copies."""
    if graph.last_import is not None:
        for report, file in zip(graph.last_import.files, files, strict=True):
            report.path = os.fspath(file)


def _fetched(ranks: _core.Ranks, files: Sequence[str | os.PathLike[str]], folder: Path) -> list[Path]:
    """The paths of the files; one of the ranks downloads each URL into the folder."""
    paths, fetched = [], 0
    with together(ranks):
        for number, file in enumerate(files):
            path = path_here(file)
            if path is None:
                path = folder / f"{number}.fetched.{name_in(str(file))}"
                if fetched % ranks.size == ranks.rank:
                    fetch(str(file), path)
                fetched += 1
            paths.append(path)
    return paths


def _expect_room(place: Path) -> None:
    """Check that the place is free before reading, which may take long."""
    if not has_anything(place):
        return
    with open_graph(place, mode="read_only") as graph:
        if len(graph) > 0:
            raise AlreadyExistsError(
                f"{place} already has a graph; give another path, or give append=True to add to it"
            )


def _expect_locations(place: Path, locations: Iterable[str | os.PathLike[str]]) -> None:
    """The same: whether the store can have a directory of its name in each."""
    if has_anything(place):  # an empty graph, with its columns
        return
    for location in map(Path, location_paths(locations)):
        home = location / place.name
        with told_of(location):
            if home.exists() and (not home.is_dir() or any(home.iterdir())):
                raise AlreadyExistsError(f"{home} already exists; name another directory as a location")
            with TemporaryDirectory(prefix=f".{place.name}.", dir=location):
                pass


def _expect_sound(files: list[EdgeFile], inspector: Inspector, options: dict[str, Any]) -> None:
    """The same: make a graph in memory as it is asked for, and begin to fill it."""
    given = {name: options.get(name) for name in ("parallel_edges", "self_loops", "in_edges")}
    with _new_graph(files, inspector, edges=_kept(inspector) or None, **given) as graph:
        graph._bulk_load(options.get("order", "auto"), options.get("memory_limit"), options.get("threads"), False)


def _kept(inspector: Inspector) -> dict[str, str]:
    """Columns of edges, without what is their ends or their weight."""
    return {name: kind for name, kind in inspector.kept.edges.items() if name in inspector.kept.names().columns}


# What ranks write there.
_SHARE = re.compile(
    r"[0-9]+(\.[0-9]+)?\.(spool|arrow|json|edges|share|ids|map|total|distances|outs|ins|order|plan|out|in|images|totals)"
    r"|[0-9]+\.fetched\..+|spill\..+"
)


def _in_pieces(file: EdgeFile) -> bool:
    return isinstance(file, (FileInPieces, Divisible))


@contextmanager
def _folder(ranks: _core.Ranks, place: Path) -> Iterator[Path]:
    """A directory beside the store, on the file system that all ranks see, until the block ends."""
    folder = place.with_name(f".{place.name}.shares")
    held = None
    try:
        with together(ranks):
            if ranks.rank == 0:
                held = _own(folder, place)
        yield folder
    finally:
        if held is not None:
            shutil.rmtree(folder, ignore_errors=True)
            os.close(held)


def _own(folder: Path, place: Path) -> int:
    """Lock and empty a folder for shares.  Raises AlreadyExistsError if it is none, or belongs to another import."""
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise AlreadyExistsError(f"{folder} is not a directory, but an import by ranks needs one there; move it away")
    folder.mkdir(parents=True, exist_ok=True)
    held = lock_directory(folder)
    if held is None:
        raise AlreadyExistsError(f"{folder} is in use by another import of {place}; wait until it has ended")
    _remove_left(folder)
    present = list(folder.iterdir())
    foreign = [path.name for path in present if not _SHARE.fullmatch(path.name)]
    if foreign:
        os.close(held)
        raise AlreadyExistsError(
            f"{folder} holds {foreign[0]}, which does not belong to an import by ranks; move it away"
        )
    for left in present:  # by a job that was killed
        left.unlink()
    return held


_ABANDONED = 60.0  # seconds without a new file in a folder that no process holds; its maker locks it at once


def _remove_left(own: Path) -> None:
    """Remove folders that killed imports of other stores have left."""
    for folder in own.parent.glob(".*.shares"):
        if folder == own or folder.is_symlink() or not folder.is_dir():
            continue
        held = lock_directory(folder)
        if held is None:
            continue
        try:
            old = time.time() - folder.stat().st_mtime > _ABANDONED
            if old and all(_SHARE.fullmatch(path.name) for path in folder.iterdir()):
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            continue  # another process's, then
        finally:
            os.close(held)


def _write_share(
    ranks: _core.Ranks, files: list[EdgeFile], inspector: Inspector, folder: Path, options: dict[str, Any]
) -> None:
    """Read this rank's files, and write their edges and what there is to tell of them."""
    schema = _core.GraphSchema()
    schema.directed = _directed(files, inspector)
    schema.ids = enum_value(_core.IdKind, "ids", _ids(files, inspector))
    schema.weights = _core.WeightType.float64 if _weights(files, inspector) else _core.WeightType.none
    for file, told in _my_pieces(ranks, files, folder):
        with engine(options.get("threads"), options.get("progress")) as borrowed:
            if isinstance(file, TextFile):
                file.spool(told.with_suffix(".spool"), schema, borrowed)
            else:
                with _EdgeSpool(told.with_suffix(".arrow")) as spool:
                    file.load(cast(_core.BulkLoad, spool), schema, borrowed)
        told.write_text(json.dumps(asdict(file.report)), encoding="utf-8")


def _my_pieces(ranks: _core.Ranks, files: list[EdgeFile], folder: Path) -> Iterator[tuple[EdgeFile, Path]]:
    """The pieces that this rank reads, and the file of its report."""
    for piece in shares_of([_units(each) for each in files], ranks.size)[ranks.rank]:
        whole = files[piece.file]
        file = whole.only(piece.first, piece.end) if isinstance(whole, Divisible) else whole
        if file is whole:  # it may be read again
            file = copy(whole)
            file.report = deepcopy(whole.report)
        yield file, folder / f"{piece.file}.{ranks.rank}.json"


def _directed(files: list[EdgeFile], inspector: Inspector) -> bool:
    return any(each.directed for each in files) if inspector.directed is None else inspector.directed


def _ids(files: list[EdgeFile], inspector: Inspector) -> str:
    return inspector.ids or max((each.ids for each in files), key=["dense", "integer", "string"].index)


def _weights(files: list[EdgeFile], inspector: Inspector) -> str | bool | None:
    return widest(each.weights for each in files) if inspector.wanted is None else inspector.wanted


def _load(files: list[EdgeFile], inspector: Inspector, folder: Path, into: Any, options: dict[str, Any]) -> Graph:
    """Make the store of what all ranks have written."""
    pieces = [_pieces_of(number, folder) for number in range(len(files))]
    reports = _reports(len(files), folder, options)
    weights = _weights(files, inspector)
    of_text = {"format", "where", *(field.name for field in fields(CsvOptions))}  # what is read already
    given = {name: value for name, value in options.items() if name not in of_text} | {
        "directed": _directed(files, inspector),
        "ids": _ids(files, inspector),
        "weights": weights or False,
        "source": _ENDS[0],
        "target": _ENDS[1],
        "weight": _ENDS[2] if weights else None,
        "edges": _kept(inspector) or None,
        "vertices": inspector.kept.vertices or None,
    }
    graph = read_sources(_spooled(pieces, reports, bool(weights)), into, ReadOptions.of(given))
    _tell(graph, reports, [] if graph.last_import is None else graph.last_import.vertex_files, options)
    return graph


def _tell(
    graph: Graph, reports: list[FileReport], vertex_files: list[VertexFileReport], options: dict[str, Any]
) -> None:
    """Write the reports of the files."""
    report = ImportReport(reports, vertex_files=vertex_files)
    state = graph._state()
    report.finish((0, 0), (state.num_live, state.num_edges()), state.schema, options.get("directed") is not None)
    report.note_filter(options.get("where"))
    note_count_line(report, state)
    report.note_ids(OddIds.of(state), OddIds())
    graph.last_import = report


def _reports(files: int, folder: Path, options: dict[str, Any]) -> list[FileReport]:
    """The reports of all ranks, added up for each file."""
    return [_added_up(_pieces_of(number, folder), options.get("skip_bad_lines", 0)) for number in range(files)]


def _pieces_of(number: int, folder: Path) -> list[Path]:
    """The ranks' reports about the pieces of a file, in the order of the file."""
    return sorted(folder.glob(f"{number}.*.json"), key=lambda path: int(path.name.split(".")[1]))


def _added_up(pieces: list[Path], most_bad: int) -> FileReport:
    """The report of a whole file.  Raises ParseError if more lines are malformed than may be left out."""
    reports = [FileReport(**json.loads(path.read_text(encoding="utf-8"))) for path in pieces]
    report = reports[0]
    for other in reports[1:]:
        report.add(other)
    if report.bad_lines > most_bad:
        raise ParseError(
            f"more than the {most_bad} malformed lines that may be left out; the first is {report.first_bad}"
        )
    return report


def _spooled(pieces: list[list[Path]], reports: list[FileReport], weighted: bool) -> list[Any]:
    """The data read, in the order of the files; adjacent tables are one."""
    found: list[Any] = []
    for of_file, report in zip(pieces, reports, strict=True):
        for told in of_file:
            text, table = told.with_suffix(".spool"), told.with_suffix(".arrow")
            if text.exists():
                found.append(SpooledFile(text, report))
            elif table.exists() and found and isinstance(found[-1], _Spooled):
                found[-1].paths.append(table)
            elif table.exists():
                found.append(_Spooled([table], weighted))
    return found or [_Spooled([], weighted)]


class _EdgeSpool:
    """Writes the edges of a file to an Arrow file, in place of a bulk load."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writer: Any = None

    def __enter__(self) -> _EdgeSpool:
        return self

    def __exit__(self, *_: object) -> None:
        if self._writer is not None:
            self._writer.close()

    def take(self, edges: EdgeColumns) -> None:
        """Write edges."""
        ends = [pa.array(ids) if isinstance(ids, np.ndarray) else ids for ids in (edges.sources, edges.targets)]
        # Files may have integers of other widths; those of a store have 64 bits.
        columns = {name: ids.cast(_id_type(ids.type)) for name, ids in zip(_ENDS, ends, strict=False)}
        if edges.weights is not None:
            columns[_ENDS[2]] = pa.array(np.asarray(edges.weights, np.float64))
        values = {_ENDS[2] if name == "weight" else name: column for name, column in edges.values.items()}
        marks = dict.fromkeys([*columns, *values][2:], np.ones(len(edges), np.bool_))  # of all pieces the same columns
        for name, column in values.items():
            if isinstance(column, PartlyGiven):
                marks[name] = column.given
                column = column.array
            columns.setdefault(name, column)
        table = with_marks(pa.record_batch(columns), marks)
        if self._writer is None:
            self._writer = pa.ipc.new_file(str(self._path), table.schema)
        self._writer.write_batch(table)


def _id_type(kind: Any) -> Any:
    return pa.int64() if pa.types.is_integer(kind) else pa.large_string()


class _Spooled:
    """The output of several ranks, as a stream of Arrow that is read once."""

    def __init__(self, paths: list[Path], weighted: bool) -> None:
        self.paths = paths
        self._weighted = weighted

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        schema = pa.schema([(name, pa.int64()) for name in _ENDS[:2]])
        if self.paths:
            with pa.memory_map(str(self.paths[0])) as first:
                schema = pa.ipc.open_file(first).schema
        elif self._weighted:
            schema = schema.append(pa.field(_ENDS[2], pa.float64()))
        return pa.RecordBatchReader.from_batches(schema, self._batches(schema)).__arrow_c_stream__(requested_schema)

    def _batches(self, schema: Any) -> Iterator[Any]:
        for path in self.paths:
            with pa.memory_map(str(path)) as mapped:
                pieces = pa.ipc.open_file(mapped)
                for number in range(pieces.num_record_batches):
                    yield from pa.Table.from_batches([pieces.get_batch(number)]).cast(schema).to_batches()
