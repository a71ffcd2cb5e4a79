"""`rizoma.open`: creating and opening graphs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from datetime import datetime
from functools import partial
from numbers import Real
from pathlib import Path
from typing import Any

from .. import _core
from ..core.above import load_ranks
from ..core.aliases import renamed_options
from ..core.arguments import names_checked_as
from ..core.config import parse_bytes
from ..core.errors import InvalidArgumentError, LockedError, RizomaError
from ..core.lazy_numpy import np
from ..core.log import logger
from ..core.options import enum_value, weight_type
from ..core.read_warnings import warn_of
from .graph import Graph
from .info import damage_of
from .open_settings import OpenSettings, expect_outside_stores, location_paths, store_location
from .parallel import ParallelSpec, parallel_edges_of, same_parallel_edges, set_parallel_edges
from .schema import ColumnSpec, edge_schema, vertex_schema
from .staging import remove_partial
from .timestamps import tag_or_time

__all__ = ["open_graph", "share_with"]

_LONGEST_DELAY = 86400.0  # seconds; a greater group_delay is no delay, but durability="none"


_OpenOnRanks = Callable[[Any, Any, Callable[[Any], Graph]], Graph]
_open_on_ranks: _OpenOnRanks  # of a communicator, a path, and what opens the path on one rank: `distributed/ranks.py`


def share_with(open_on_ranks: _OpenOnRanks) -> None:
    """Set the function that opens a graph on all ranks of a communicator."""
    global _open_on_ranks
    _open_on_ranks = open_on_ranks


@renamed_options("rizoma.open")
@names_checked_as("open")
def open_graph(
    path: str | os.PathLike[str] | None,
    directed: bool | None = None,
    weights: str | bool | None = None,
    *,
    ids: str | None = None,
    parallel_edges: ParallelSpec | None = None,
    self_loops: str | None = None,
    in_edges: bool | None = None,
    mode: str = "open_or_create",
    durability: str = "always",
    group_delay: float = 0.01,
    lock_timeout: float = 10.0,
    log_limit: int | str | None = None,
    medium: str = "auto",
    locations: Iterable[str | os.PathLike[str]] = (),
    edges: ColumnSpec | None = None,
    vertices: ColumnSpec | None = None,
    at: str | datetime | None = None,
    auto_reorder: bool | None = None,
    comm: Any = None,
    _part: bool = False,
) -> Graph:
    """Open the graph stored in the directory `path`, or create it there; None: a graph in memory.

    Args:
        path: directory of the store.
        directed: new graph: whether edges have a direction (default no).
        weights: new graph: type of edge weights, "int32", "float32" or "float64" (True); default none.
        ids: new graph: "dense" (0..n-1), "integer" (any 64-bit integers) or "string".  By default the
            first data decides: strings, integers, or dense if the integers are 0..n-1.
        parallel_edges: new graph: "merge" (default: of edges between the same two vertices the last stays), "keep", or
            one edge stays that has the "sum", "min", "max", "first" or "last" of their weights and columns; by column:
            {"amount": "sum", "since": "min"}.  Nulls do not count; a sum that does not fit is an error.
        self_loops: new graph: "keep" (default) or "drop".
        in_edges: new directed graph: store in-edges too (default yes; PageRank and fast BFS use them).
        mode: "open_or_create", "open" (must exist), "create" (must not exist), or "read_only", which
            works beside a writer in another process.
        durability: when a change is safe from a crash of the machine: "always" (when the call returns),
            "group" (at most `group_delay` seconds later, or when `flush` returns) or "none" (when `flush`
            or `close` returns).  A crash of the program alone loses nothing at any level.
        group_delay: of durability "group", seconds.
        lock_timeout: seconds that a change waits for one call of a progress function, or of a signal handler, that a
            change or a compaction in another thread makes; then it raises `LockedError`.
        log_limit: how much log the next open may have to replay, such as "64MiB" (default 256 MiB).
        medium: "auto" (persistent memory where the directory grants MAP_SYNC, files elsewhere), "files" or
            "dax" (an error where there is no such memory).
        locations: directories, such as DAX mounts, that the sections are spread over; the store makes one of
            its own name in each, and remembers them.  See `Graph.place` and `Graph.compact`.
        comm: a communicator of mpi4py, as MPI.COMM_WORLD: its ranks open the store together, for reading, and
            share the work of kernels.  All make the same calls.  "{rank}" in the path is the number of each.
        edges: new graph: columns of edges, {"amount": "float64", "since": "timestamp[s]", "note": "string"}; types are
            bool, int8 to uint64, float32, float64, string, binary, date, timestamp[s|ms|us|ns] and list<float32>,
            or those of pyarrow, and end in " not null" where every edge must have a value.  A column "weight" is
            the same as `weights`.
        vertices: new graph: columns of vertices, in the same way; they may always be null.
        at: open a tagged state (`Graph.tag`), for reading only: the name of the tag, or a time (naive: UTC) for the
            last tag not after it.
        auto_reorder: give a stored graph that has grown by small changes its inner order again by itself, in the
            background, once nothing has changed for some seconds (default), but not while it has tags;
            `rizoma.config(memory_limit=...)` bounds its memory.

    An existing store keeps the properties it was made with; asking for others is an error.

    Raises NotFoundError and AlreadyExistsError as `mode` says, InvalidArgumentError, LockedError if another process
    writes to the store, CorruptError, UnsupportedError for a newer format, PermissionDeniedError.

    Cost: it reads the manifest, O(sections), and the log's tail; of the edges it reads none.
    """
    if comm is not None:
        kept = {"ids": ids, "parallel_edges": parallel_edges, "self_loops": self_loops, "in_edges": in_edges}
        here = {"mode": "read_only", "medium": medium, "locations": locations, "at": at, "_part": True}
        one = partial(open_graph, directed=directed, weights=weights, **kept, **here)  # type: ignore[arg-type]
        return _opened_together(comm, path, one)
    asked: dict[str, Any] = {
        "directed": _flag("directed", directed),
        "weights": None if weights is None else weight_type(weights),
        "ids": _one_of(_core.IdKind, "ids", ids),
        "self_loops": _one_of(_core.SelfLoops, "self_loops", self_loops),
        "in_edges": _flag("in_edges", in_edges),
    }
    asked = _with_columns(asked, edges, vertices)
    schema = _core.GraphSchema()
    for name, value in asked.items():
        setattr(schema, name, value)
    is_new = path is None or _is_new(path, mode)
    asked |= _with_rules(schema, parallel_edges, is_new)
    schema.ids_fixed = ids is not None
    reorders = _flag("auto_reorder", auto_reorder)
    if path is None:
        _expect_for_memory(durability, at, reorders)
        return Graph(_core.Graph.in_memory(schema), None)
    location = store_location(path, has_store=mode == "open_or_create" and not is_new)
    settings = OpenSettings(
        enum_value(_core.Durability, "durability", durability),
        _milliseconds("group_delay", group_delay),
        _milliseconds("lock_timeout", lock_timeout),
        0 if log_limit is None else parse_bytes(log_limit),
        enum_value(_core.MediumChoice, "medium", medium),
        location_paths(locations),
        tag_or_time(at),
        reorders is not False,
        _part,
    )
    mode = mode if at is None else "read_only"
    if is_new and mode != "read_only":
        expect_outside_stores(location)
    made = is_new and mode != "read_only" and _make_directory(location)
    try:
        core = settings.open(location, enum_value(_core.OpenMode, "mode", mode), schema)
    except LockedError:
        raise
    except RizomaError:
        if made:
            remove_partial(location)
        raise
    try:
        if "ids" in asked and mode != "read_only":
            core.settle_ids(asked["ids"], True)
        if asked:
            _require(location, core.snapshot().schema, asked)
    except RizomaError:
        core.close()
        raise
    _tell_opened(core, location)
    return Graph(core, location, settings, read_only=mode == "read_only")


def _tell_opened(core: _core.Graph, location: Path) -> None:
    logger.info("opened %s", location)
    if core.damage:
        warn_of([damage_of(core)])


def _expect_for_memory(durability: str, at: str | datetime | None, reorders: bool | None) -> None:
    """Refuse what a graph in memory does not have."""
    enum_value(_core.Durability, "durability", durability)
    if at is not None:
        raise InvalidArgumentError(
            f"at={at!r}: a graph in memory has no tagged states; give the path of a graph on disk"
        )
    if reorders:
        raise InvalidArgumentError(
            "auto_reorder=True is for graphs on disk; a graph in memory does not renumber itself"
        )


def _opened_together(comm: Any, path: Any, one: Callable[[Any], Graph]) -> Graph:
    load_ranks()
    return _open_on_ranks(comm, path, one)


def _with_rules(schema: _core.GraphSchema, rules: ParallelSpec | None, is_new: bool) -> dict[str, Any]:
    """What was asked for of parallel edges, which a new graph gets."""
    if is_new:
        set_parallel_edges(schema, rules)
    return {} if rules is None else {"parallel_edges": rules}


def _is_new(path: str | os.PathLike[str], mode: str) -> bool:
    """Whether opening makes a store."""
    return mode == "create" or (mode == "open_or_create" and not os.path.exists(store_location(path) / "superblock"))


def _milliseconds(name: str, seconds: float) -> int:
    """Seconds in milliseconds; `name` is the option, for messages."""
    number = isinstance(seconds, Real) and not isinstance(seconds, bool)
    if not number or not 0 <= seconds <= _LONGEST_DELAY:
        raise InvalidArgumentError(
            f"{name} is {seconds!r}; it must be 0 or more seconds, and {_LONGEST_DELAY:.0f} at most"
        )
    return round(seconds * 1000)


def _make_directory(path: Path) -> bool:
    """Make the directory of a store; False if it exists already, or cannot be made: opening says why."""
    try:
        path.mkdir()
    except OSError:
        return False
    return True


def _with_columns(asked: dict[str, Any], edges: ColumnSpec | None, vertices: ColumnSpec | None) -> dict[str, Any]:
    """The options asked for, with the columns of a new graph; one called weight is its weight."""
    if edges is not None:
        weight, asked["edge_columns"] = edge_schema(edges)
        if weight is not None and asked["weights"] not in (None, weight):
            raise InvalidArgumentError(
                f"the column weight is {weight.name}, but weights={asked['weights'].name}; leave one of them out"
            )
        asked["weights"] = weight if asked["weights"] is None else asked["weights"]
    if vertices is not None:
        asked["vertex_columns"] = vertex_schema(vertices)
    return {name: value for name, value in asked.items() if value is not None}


def _one_of(kind: Any, name: str, value: str | None) -> Any:
    return None if value is None else enum_value(kind, name, value)


def _flag(name: str, value: object) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    raise InvalidArgumentError(f"{name} is {value!r}; it must be True or False")


def _require(path: Path, stored: _core.GraphSchema, asked: dict[str, Any]) -> None:
    for name, value in asked.items():
        has = parallel_edges_of(stored) if name == "parallel_edges" else getattr(stored, name)
        if name == "parallel_edges" and same_parallel_edges(stored, value):
            continue
        if name == "edge_columns" and stored.weights != _core.WeightType.none:
            has = [column for column in has if column[0] != "weight"]
        if name == "in_edges" and value is False and not stored.directed:
            raise InvalidArgumentError(
                "in_edges=False is for directed graphs, but this graph is undirected; leave it out"
            )
        if name == "ids" and (value, has) == (_core.IdKind.dense, _core.IdKind.integer):
            continue  # dense ids that got gaps are integers
        if has != value:
            adds = "; graph.add_column(name, type) adds one" if name.endswith("_columns") else ""
            raise InvalidArgumentError(
                f"{path} was created with {_asked(name, has)}, not {_asked(name, value)}; "
                f"leave that out to open it as it is, or give another path{adds}"
            )


def _asked(name: str, value: Any) -> str:
    """A property as a user writes it; columns, with names and types, in words."""
    if name.endswith("_columns"):
        listed = ", ".join(f"{column} {kind}" for column, kind, *_ in value)
        return f"{name.replace('_', ' ')} ({listed or 'none'})"
    return f"{name}={getattr(value, 'name', value)}"
