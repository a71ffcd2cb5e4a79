"""Graph, Snapshot and Batch: a stored (or in-memory) graph as Python sees it."""

from __future__ import annotations

import errno
import gc
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property, partial
from html import escape
from pathlib import Path
from threading import get_ident
from types import TracebackType
from typing import Any
from weakref import WeakValueDictionary

from .. import _core
from ..core.arguments import methods_checked
from ..core.config import current, parse_bytes
from ..core.engines import ProgressFunction, engine
from ..core.errors import (
    AlreadyExistsError,
    ClosedError,
    InvalidArgumentError,
    LockedError,
    NotFoundError,
    OutOfMemoryError,
    StorageError,
    UnsupportedError,
)
from ..core.files import sync_directory
from ..core.lazy_numpy import np
from ..core.log import logger
from ..core.options import enum_value, unicode_text
from ..core.printable import printable
from ..core.read_warnings import warn_of
from .adjacency import ReadRow
from .attributes import EdgeAttributes, rows_view
from .bulk import (
    BULK_ROWS,
    Change,
    CountedRows,
    fill,
    id_kind,
    peek,
    prepare_added,
    warn_of_ids,
)
from .change import Batch, ChangeMethods, Pending
from .diff import Changes, changes
from .ids import VertexKey
from .import_report import ImportReport, warn_of_merged
from .info import Info, damage_of
from .open_settings import OpenSettings
from .schema import vertex_schema
from .state import Reader
from .tables import EdgeColumns, EdgeSource
from .tables.arrow import BatchStream
from .timestamps import moment, tag_or_time

__all__ = ["Batch", "Graph", "Snapshot"]


@methods_checked
class Snapshot(Reader):
    """An immutable state of a graph; stays as it is however the graph changes."""

    _native: _core.Snapshot

    def __init__(self, core: _core.Snapshot) -> None:
        self._native = core
        self._csr_in_use = WeakValueDictionary[Any, Any]()

    def _state(self) -> _core.Snapshot:
        return self._native

    def snapshot(self) -> Snapshot:
        """Return itself.  Cost: O(1)."""
        return self

    def __getitem__(self, v: VertexKey) -> ReadRow:
        """Return the edges of `v`, as `Graph` does; all rows share one view of the columns."""
        return ReadRow(self._native, v, attributes=self._edge_attributes)

    @cached_property
    def _rows_view(self) -> _core.View:
        return rows_view(self._native)

    def _edge_attributes(self) -> EdgeAttributes:
        return EdgeAttributes(self._native, self._rows_view)

    def __repr__(self) -> str:
        return f"Snapshot({self._describe()})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Refuse: a state cannot be sent to another process."""
        raise TypeError(
            "a snapshot belongs to this process; send a result of it, its edges.to_arrow(), or the path of the graph"
        )


@methods_checked
class Graph(Reader, ChangeMethods[int]):
    """A durable graph in a directory, or one in memory.  Made by `rizoma.open` and `rizoma.read`.

    Calls may come from several threads.  Use it in a `with` statement, or call `close`: afterwards each call raises
    ClosedError.
    """

    def __init__(
        self,
        core: _core.Graph | None = None,
        path: Path | None = None,
        settings: OpenSettings | None = None,
        read_only: bool = False,
    ) -> None:
        if not isinstance(core, _core.Graph):
            raise TypeError("Graph cannot be called; use rizoma.open(path), or rizoma.open(None) for a graph in memory")
        self._open: _core.Graph | None = core
        self._path = path
        self._read_only = read_only
        self._settings = settings or OpenSettings()
        self._batch_thread: int | None = None  # in which a batch gathers changes
        self.last_import: ImportReport | None = None
        """What `rizoma.read` took for what, and what became of the lines; None for a graph that was only opened."""
        paths = [] if path is None else [path, *self._settings.locations]
        # Relative paths keep their meaning if the process changes its directory.
        self._opened_in = Path() if all(p.is_absolute() for p in paths) else Path.cwd()

    @property
    def _native(self) -> _core.Graph:  # type: ignore[override]
        if self._open is None:
            raise ClosedError(f"the graph {self.location} is closed; open it again")
        return self._open

    def _state(self) -> _core.Snapshot:
        return self._native.snapshot()

    @property
    def path(self) -> Path | None:
        """Directory of the store; None for a graph in memory."""
        return self._path

    @property
    def location(self) -> str:
        """Path of the store, or ":memory:"."""
        return str(self._path) if self._path is not None else ":memory:"

    def snapshot(self) -> Snapshot:
        """Return the present state, which later changes do not touch.

        Cost: O(sections); it never waits for a writer.
        """
        return Snapshot(self._state())

    def add_edges(
        self,
        data: Any,
        *,
        source: str | None = None,
        target: str | None = None,
        weight: str | None = None,
        rename: Mapping[str, str] | None = None,
        thousands: str | None = None,
        decimal: str = ".",
        date_format: str | None = None,
        order: str = "auto",
        memory_limit: int | str | None = None,
        threads: int | None = None,
        progress: ProgressFunction | bool | None = None,
    ) -> None:
        """Add edges, and the vertices they name, as one atomic change; durable when it returns.

        `data` is a table (pandas, polars, pyarrow, DuckDB, ...), a NumPy array (m, 2) or (m, 3), a SciPy sparse matrix,
        a NetworkX or igraph graph, or an iterable of pairs or triples.  `source`, `target` and `weight` name the
        columns of a table; else their names alone tell them.  A graph without weights does not keep those of the data,
        and warns of the first weight other than 1; a weighted graph takes 1 where the data has none, and warns.  Other
        columns of a table are values, and an error if the graph has no column for them.  Graphs bring the values of
        their edges and vertices along, where this one has columns for them.  An edge that is there keeps its values of
        columns that a row does not give.  `rename`, `thousands`, `decimal` and `date_format` are as for `rizoma.read`.

        Ctrl-C, or a `progress` function that raises, leaves the graph as it was.  An empty graph is loaded in bulk:
        `order` and `memory_limit` are as for `rizoma.read`.  Should another thread add to it meanwhile, the data is
        read again and added as a change; from an iterator, which is read only once, nothing is added then, and
        AlreadyExistsError raised.

        Raises InvalidArgumentError and ColumnNotFoundError if the data do not fit the graph (the message names the
        row), CancelledError, OutOfSpaceError, LockedError.  Cost: O(rows), one append to the log and one sync; of an
        empty graph that of a load.
        """
        enum_value(_core.VertexOrder, "order", order)
        if memory_limit is not None:
            parse_bytes(memory_limit)
        self._tell_of_batch()
        state = self._state()  # one reading for all: most changes are of a few edges
        schema, first_added = state.schema, state.num_vertices
        before, counted = (state.num_live, state.num_edges()), CountedRows()
        del state  # it would keep what the change replaces
        columns = self._names(schema, source, target, weight)
        data = self._written(data, lambda: self._edge_types(weight), rename, thousands, decimal, date_format)
        edges = self._read(data, columns, schema)
        rest: EdgeSource | None = edges
        if not first_added:
            first, edges = peek(edges, BULK_ROWS)
            again = None if isinstance(data, (Iterator, BatchStream)) else partial(self._read, data, columns, schema)
            begin = partial(self._bulk_load, order, memory_limit, threads, progress)
            rest = self._load_first(first, edges, again, begin, counted)
        if rest is not None:
            self._change_by(rest, schema, threads, progress, counted)
        state = self._state()
        warn_of_ids(state, first_added, edges.guesses)
        if counted.multigraph or not first_added:
            after = state.num_live, state.num_edges()
            warn_of_merged(counted.rows, counted.multigraph, before, after, state.schema)

    def _load_first(
        self,
        first: list[EdgeColumns],
        edges: EdgeSource,
        again: Callable[[], EdgeSource] | None,
        begin: Callable[..., _Load],
        counted: CountedRows,
    ) -> EdgeSource | None:
        """Load an empty graph in bulk if there are enough edges, of which `first` are some.

        Returns what is still to be added; None: nothing.  `again` reads the edges once more.
        """
        kind = id_kind(first, edges.vertex_columns)
        if sum(len(chunk) for chunk in first) <= BULK_ROWS or edges.vertex_values:
            self._settle_ids(kind)
            return edges
        try:
            return None if self._load(edges, partial(begin, kind), counted) else edges
        except AlreadyExistsError:
            if again is None:
                raise
            return again()

    def _change_by(
        self,
        edges: EdgeSource,
        schema: _core.GraphSchema,
        threads: int | None,
        progress: ProgressFunction | bool | None,
        counted: CountedRows,
    ) -> None:
        """Add edges as one change."""
        change = Change()
        for ids in edges.vertex_columns:
            change.add_vertices(ids, edges.vertex_values)
        for chunk in counted.of(prepare_added(edges, schema)).chunks:
            change.add(chunk)
        change.commit(self._native, threads, progress)

    def _load(self, edges: EdgeSource, begin: Callable[[], _Load], counted: CountedRows) -> bool:
        """Load them in bulk; False, and none has been read, if another thread has added to the graph before.

        AlreadyExistsError: one did it meanwhile.
        """
        try:
            bulk_load = begin()
        except AlreadyExistsError:
            return False
        with bulk_load as load:
            schema = self._state().schema
            fill(load, counted.of(prepare_added(edges, schema)))
        return True

    def _target(self) -> Graph:
        return self

    def _sink(self, pending: Pending, counted: str) -> int:
        """Commit changes; return how many edges or vertices were changed."""
        self._tell_of_batch()
        count = int(getattr(pending.commit(self), counted))
        if not count and pending.rows and counted.endswith("_set") and not (pending.edges or pending.vertices):
            kind = "a vertex" if counted == "vertices_set" else "an edge"
            warn_of([f'no row names {kind} of the graph, so nothing was set; missing="error" says which is not there'])
        return count

    def _tell_of_batch(self) -> None:
        """Warn that a change is committed at once while this thread gathers others in a batch."""
        if self._batch_thread is not None and self._batch_thread == get_ident():
            warn_of(
                [
                    "a batch of this graph is open, and this change is not part of it, but committed at once; call the "
                    "method of the batch: with graph.batch() as b: b.add_edges(...)"
                ]
            )

    def tag(self, name: str) -> None:
        """Keep the present state under a name; `rizoma.open(path, at=name)` opens it again, until `untag`.

        `name` has 1 to 200 bytes and does not begin with @.

        Raises AlreadyExistsError if a tag has this name, InvalidArgumentError if the name is not allowed.  Cost: eight
        syncs, and the space of what changes afterwards.
        """
        _core.tag(self._native, unicode_text("the name of the tag", name))

    def untag(self, name: str) -> None:
        """Remove the tag `name`; its space is free again.

        Raises NotFoundError if there is no such tag.  Cost: that of `tag`.
        """
        try:
            _core.untag(self._native, unicode_text("the name of the tag", name))
        except NotFoundError as error:
            raise NotFoundError(f"{error}; {_listed(self.tags())}") from None

    def tags(self) -> dict[str, datetime]:
        """Return the names of the tagged states and when (UTC) they were tagged, oldest first.

        Cost: O(tags).
        """
        return {name: moment(nanoseconds) for name, nanoseconds in _core.tags(self._native)}

    def changes(self, since: str | datetime) -> Changes:
        """Return what was added, removed and set since a tag, as Arrow tables.

        `since` is the name of a tag, or a time (naive: UTC) for the last tag not after it.

        Raises NotFoundError if there is no such tag, InvalidArgumentError of a graph in memory, OutOfMemoryError.
        Cost: it reads both states whole and sorts their edges, in memory.
        """
        if self._path is None:
            raise InvalidArgumentError("a graph in memory cannot be opened at a tag; give the path of a graph on disk")
        locations = tuple(self._opened_in / location for location in self._settings.locations)
        settings = replace(self._settings, locations=locations, at=tag_or_time(since))
        path = self._opened_in / self._path
        core = settings.open(path, _core.OpenMode.read_only, _core.GraphSchema())
        with Graph(core, path, settings) as before:
            try:
                return changes(before.snapshot(), self.snapshot())
            except MemoryError as error:
                raise OutOfMemoryError(
                    "not enough memory to compare both states, which are read whole; free some, or raise the "
                    "limit of the process"
                ) from error

    def add_column(self, name: str, type: str, *, of: str = "edges") -> None:
        """Add a column to the edges, or with `of="vertices"` to the vertices: null everywhere at first.

        `name` has 1 to 1000 bytes; `type` is one of those that `rizoma.open` lists.

        Raises InvalidArgumentError if there is such a column or no such type, UnsupportedError for edges whose sections
        hold weights.  Cost: one record of the manifest; it rewrites no section.
        """
        (column,) = vertex_schema({unicode_text("the name of the column", name): type})
        if not column[2]:
            raise InvalidArgumentError(
                "a new column is null everywhere at first, so it cannot be 'not null'; leave that out"
            )
        _core.add_column(self._native, _of_vertices(of), column[0], column[1])

    def drop_column(self, name: str, *, of: str = "edges") -> None:
        """Remove the column `name` of the edges, or with `of="vertices"` of the vertices, with all its values.

        Snapshots and tagged states keep it.

        Raises NotFoundError if there is no such column.  Cost: one record of the manifest; the space is free again
        after `compact`.
        """
        there = self.vertex_columns if _of_vertices(of) else self.edge_columns
        try:
            _core.drop_column(self._native, _of_vertices(of), unicode_text("the name of the column", name))
        except NotFoundError as error:
            others = self.edge_columns if _of_vertices(of) else self.vertex_columns
            other = "edges" if _of_vertices(of) else "vertices"
            meant = f'; the {other} have it: of="{other}"' if name in others else ""
            raise NotFoundError(f"{error}; of the {of} {_listed(there)}{meant}") from None

    def batch(self) -> Batch:
        """Gather many changes and commit them at once when the `with` block ends.

        Cost: O(1); the commit is one append to the log and one sync, whatever the number of changes.
        """
        return Batch(self)

    def _is_empty(self) -> bool:
        return self._state().num_vertices == 0

    def _settle_ids(self, kind: _core.IdKind | None) -> None:
        """Give an empty graph the kind of ids that its first data has, unless one was asked for."""
        if kind is not None:
            self._native.settle_ids(kind)

    def _move(self, path: Path) -> None:
        """Give the store its name, under which nothing may be yet but an empty directory.

        It is renamed while it is open: a store that no process has open counts as left by a killed process, which
        another one that builds a store of this name removes.
        """
        assert self._path is not None
        self.flush()
        try:
            os.rename(self._path, path)
        except OSError as error:
            if error.errno in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR):
                raise AlreadyExistsError(
                    f"another process has put something at {path} meanwhile; give another path"
                ) from error
            raise StorageError(f"cannot rename {self._path} to {path}: {error.strerror}") from error
        sync_directory(path.parent)
        self.close()
        self._path = path
        self._open = self._settings.open(path, _core.OpenMode.open, _core.GraphSchema())

    def _bulk_load(
        self,
        order: str,
        memory_limit: int | str | None,
        threads: int | None,
        progress: ProgressFunction | bool | None,
        kind: _core.IdKind | None = None,
    ) -> _Load:
        if not self._is_empty():
            raise AlreadyExistsError(
                f"the graph {self.location} is not empty; give the path of a new one, or remove it first"
            )
        limit = current().memory_limit if memory_limit is None else parse_bytes(memory_limit)
        load = self._native.bulk_load(enum_value(_core.VertexOrder, "order", order), limit, kind)
        return _Load(load, threads, progress)

    def refresh(self) -> None:
        """Read what a writer in another process has committed since this graph was opened for reading.

        Results, snapshots and running calls keep the state that they have.  A graph that is not opened with
        mode="read_only" always sees its own changes, and nothing is done.

        Raises UnsupportedError on ranks, CorruptError.  Cost: that of opening the graph, O(sections) and the log's
        tail.
        """
        if not self._read_only:
            return
        if self._shared_by_ranks:
            raise UnsupportedError("ranks share one state of the graph; close it and open it again for a newer one")
        self._open = self._reopened()

    def _reopened(self) -> _core.Graph:
        """The same store opened once more, for reading."""
        assert self._path is not None
        self._native  # noqa: B018 - raises if the graph was closed
        locations = tuple(self._opened_in / location for location in self._settings.locations)
        settings = replace(self._settings, locations=locations)
        return settings.open(self._opened_in / self._path, _core.OpenMode.read_only, _core.GraphSchema())

    def __reduce__(self) -> tuple[Any, ...]:
        """A graph opened for reading is opened again where it is sent to; no other can be sent."""
        if not self._read_only or self._shared_by_ranks or self._path is None:
            raise TypeError(
                f"the graph {self.location} belongs to this process; open it there with mode='read_only', or send a "
                "result of it, g.edges.to_arrow() or its path; for a copy use g.copy_to(path) or rizoma.read(g)"
            )
        locations = [str(self._opened_in / location) for location in self._settings.locations]
        return _open_reader, (
            str(self._opened_in / self._path),
            locations,
            self._settings.medium.name,
            self._settings.at,
        )

    def flush(self) -> None:
        """Return when every change made before is durable; with durability="always" each one already is.

        Raises StorageError if changes may not be durable.  Cost: one sync, if something is not durable.
        """
        self._native.flush()

    def checkpoint(self) -> None:
        """Make everything durable and move the log into sections; other threads may change the graph meanwhile.

        Raises StorageError and OutOfSpaceError.  Cost: it writes each section that has pending changes.
        """
        self._native.checkpoint()

    def compact(
        self,
        order: str | None = None,
        *,
        purge: bool = False,
        threads: int | None = None,
        progress: ProgressFunction | bool | None = None,
    ) -> None:
        """Fold pending changes in; `order` (as for `rizoma.read`) also gives new internal ids.

        A graph that grows later can get the same order again by itself (`auto_reorder` of `rizoma.open`), but for
        "given".  "auto" also tries "locality" here, which takes longer than a load should.  Other threads may go on
        reading and changing meanwhile, but with `purge`.

        Sections outside the graph's present locations move to them.  With `purge` no file of the store keeps a trace of
        what was removed or overwritten; it is refused while a tag, a snapshot or another process keeps an older state.

        Raises InvalidArgumentError if `order` is not known or `purge` is refused, OutOfSpaceError, CancelledError.
        Cost: it reads and writes all edges once; a new order takes that of a load.
        """
        wanted = None if order is None else enum_value(_core.VertexOrder, "order", order)
        with engine(threads, progress) as borrowed:
            if purge:
                gc.collect()
                _core.purge(self._native, borrowed, wanted or _core.VertexOrder.given)
            else:
                self._native.compact(borrowed, wanted)

    def reorder(
        self, order: str = "auto", *, threads: int | None = None, progress: ProgressFunction | bool | None = None
    ) -> None:
        """Give a graph that has grown by small changes the internal order that a load would have given it.

        The same as `compact(order)`, whose `order` it takes.  Snapshots and results keep the numbers that they have.
        `info().reordering` says whether the graph would do so by itself, and when.

        Raises InvalidArgumentError if `order` is not known, OutOfSpaceError, CancelledError.  Cost: that of a load of
        all edges.
        """
        self.compact(order, threads=threads, progress=progress)

    def place(self, homes: Sequence[int]) -> None:
        """Move each section to the location of its home, of which `homes` has one for each section.

        Home h is location h modulo their number, in the order that the graph was opened with.  Other threads and
        processes may read and change the graph meanwhile.

        Raises InvalidArgumentError if there is not one home, 0 or more, for each section, or only one location.  Cost:
        it writes the sections that move.
        """
        wrong = next((home for home in homes if not isinstance(home, (int, np.integer)) or home < 0), None)
        if wrong is not None:
            raise InvalidArgumentError(f"homes has {wrong!r}; each home must be a whole number, 0 or more")
        self._native.place(list(homes))

    def info(self) -> Info:
        """Return sizes, schema, and where the bytes lie.  Cost: O(sections)."""
        return Info(self._native.info(), damage_of(self._native))

    def check(self, *, progress: ProgressFunction | bool | None = None) -> _core.CheckReport:
        """Read and verify every byte of the store; `findings` is empty if it is whole.

        Raises InvalidArgumentError of a graph in memory, CancelledError.  Cost: it reads the whole store once.
        """
        if self._path is None:
            raise InvalidArgumentError("a graph in memory has no files to check; give a graph on disk")
        with engine(progress=progress) as borrowed:
            locations = [self._opened_in / location for location in self._settings.locations]
            return _core.Graph.check(self._opened_in / self._path, borrowed, locations)

    def close(self) -> None:
        """Close the graph; everything added is durable then.  Closing twice does nothing.

        Raises `StorageError` if, at "group" or "none", changes may not be durable because a sync in the background
        failed.

        Raises `InvalidArgumentError` if the progress function of a running change calls it, and `LockedError` if
        another thread's has not returned for long; the graph then stays open.  Cost: one sync, and a checkpoint if the
        log is long.
        """
        if self._release(_core.Graph.close):
            logger.info("closed %s", self.location)

    def _discard(self) -> None:
        """Close the graph and remove the files that it made; those of others stay, and so do directories."""
        self._release(_core.Graph.discard)

    def _release(self, end: Callable[[_core.Graph], None]) -> bool:
        """Whether there was anything to end; a refusal leaves the graph open."""
        core, self._open = self._open, None
        try:
            if core is not None:
                end(core)
        except (InvalidArgumentError, LockedError):
            self._open = core
            raise
        return core is not None

    @property
    def closed(self) -> bool:
        """True once the graph was closed."""
        return self._open is None

    def __enter__(self) -> Graph:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Graph({self.location}, {'closed' if self.closed else self._describe()})"

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self))}</p>" if self.closed else super()._repr_html_()


def _open_reader(path: str, locations: list[str], medium: str, at: str = "") -> Graph:
    """Open a store for reading, as one that was sent from another process has it."""
    settings = OpenSettings(
        medium=enum_value(_core.MediumChoice, "medium", medium),
        locations=tuple(Path(location) for location in locations),
        at=at,
    )
    core = settings.open(Path(path), _core.OpenMode.read_only, _core.GraphSchema())
    return Graph(core, Path(path), settings, read_only=True)


def _listed(names: Iterable[str]) -> str:
    there = [printable(name) for name in names]
    return f"there are {', '.join(there)}" if there else "there are none"


def _of_vertices(of: str) -> bool:
    if of not in ("edges", "vertices"):
        raise InvalidArgumentError(f"of={of!r} is not known; choose one of edges, vertices")
    return of == "vertices"


class _Load:
    """A bulk load that is finished if the `with` block ends well, and discarded if not."""

    def __init__(self, load: _core.BulkLoad, threads: int | None, progress: ProgressFunction | bool | None) -> None:
        self._load: _core.BulkLoad | None = load
        self._threads = threads
        self._progress = progress

    def __enter__(self) -> _core.BulkLoad:
        assert self._load is not None
        return self._load

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        load, self._load = self._load, None
        if kind is None and load is not None:
            with engine(self._threads, self._progress) as borrowed:
                load.finish(borrowed)
