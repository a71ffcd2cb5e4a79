"""Ranks: the processes that share one graph, started by an MPI launcher, and this one's place among them.

Every rank runs the same program.  `rizoma.open(path, comm=MPI.COMM_WORLD)` opens the same store on all of them;
kernels then share the work, each rank on the sections that it owns, and return the same result everywhere.
"""

from __future__ import annotations

import atexit
import importlib.metadata
import os
import sys
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from .. import _core
from ..algorithms._distributed import DISTRIBUTED
from ..core.aliases import environment
from ..core.config import current
from ..core.engines import engine, local_threads, on_ranks
from ..core.errors import ClusterError, InvalidArgumentError, UnsupportedError
from ..core.same_call import argument_text, arguments_of, expect_same_call
from ..graph import open as opening
from ..graph.graph import Graph
from ..graph.ids import VertexKey
from ..graph.state import Reader
from ..queries import views
from ..queries.views import View, rows_where
from ..results.rank_traffic import RankTraffic
from ..results.vertex import DegreeResult, degrees
from .rendezvous import meet, start_timeout, starting, unlink_segments

__all__ = [
    *(
        "EVERY_RANK",
        "RankCount",
        "RankGraph",
        "RankTraffic",
        "join",
        "joined",
        "mpi_library",
        "open_on_ranks",
        "state_of",
    ),
]

EVERY_RANK = -1  # may be given to `Ranks.answers_to`
_ATTEMPTS = 20  # to open the same state of a store that is being changed
_AGAIN = 0.05  # seconds between two of them
_OPEN_MPI = "libmpi.so.40"  # of the releases without the standard ABI
_OWN_INTERFACES = {"libmpi.so.12": "librizoma_mpich.so", _OPEN_MPI: "librizoma_openmpi.so"}
HEARTBEAT_TIMEOUT = 5.0  # seconds without a sign of life after which a rank counts as lost

_ranks: dict[int | None, _core.Ranks] = {}


def joined() -> bool:
    """Whether this process is one of the ranks of a run now."""
    return bool(_ranks)


def mpi_library() -> str:
    """Path of an MPI library with the standard ABI; "": let the system look for one."""
    if named := os.environ.get("RIZOMA_MPI_LIBRARY"):
        if "/" in named and not Path(named).is_file():
            raise ClusterError(f"RIZOMA_MPI_LIBRARY is {named}, where no file is; unset it, or name an MPI library")
        return named
    try:
        files = importlib.metadata.files("mpich") or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    for file in files:
        if file.name.startswith("libmpi_abi.so."):
            return str(Path(str(file.locate())).resolve())
    return ""


def join(comm: Any = None, heartbeat_timeout: float | None = None) -> _core.Ranks:
    """Join the ranks of a communicator of mpi4py; None: all that the launcher has started.  Collective.

    MPI is started if the program has not done so.  `heartbeat_timeout`: seconds without a sign of life after which a
    rank counts as lost (default 5, or RIZOMA_HEARTBEAT_TIMEOUT).

    Errors: ClusterError, which names the ranks that have not come within RIZOMA_START_TIMEOUT seconds (default 30).
    """
    handle = None if comm is None else _handle_of(comm)
    if handle not in _ranks:
        library = _mpi_of_launcher() if comm is None else _mpi_in_use() or mpi_library()
        seconds = (
            float(environment("RIZOMA_HEARTBEAT_TIMEOUT") or HEARTBEAT_TIMEOUT)
            if heartbeat_timeout is None
            else heartbeat_timeout
        )
        if not _ranks:
            atexit.register(_at_exit)
        timeout = start_timeout(seconds)
        starts = comm is None and "mpi4py.MPI" not in sys.modules
        came = meet(timeout) if starts else None
        with starting(came, timeout) if starts else nullcontext():
            ranks = _core.Ranks(str(_module_for(library)), library, handle, seconds)
        _ranks[handle] = ranks
        ranks.agree("version of Rizoma", _core.__version__)
        unlink_segments()
    return _ranks[handle]


def _mpi_in_use() -> str:
    """Path of the MPI library that mpi4py has loaded, if mpi4py was built for that library's own interface, or ""."""
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        paths = {line.split(maxsplit=5)[-1].strip() for line in maps if "libmpi" in line}
    return next((path for path in paths if Path(path).name.startswith(tuple(_OWN_INTERFACES))), "")


def _mpi_of_launcher() -> str:
    """The MPI library to load: the one that is named, or that of a launcher without the standard ABI."""
    named = mpi_library()
    if "OMPI_COMM_WORLD_SIZE" in os.environ and not os.environ.get("RIZOMA_MPI_LIBRARY"):
        return _OPEN_MPI if _module_for(_OPEN_MPI).exists() else named
    return named


def _module_for(library: str) -> Path:
    """The transport built for the interface of this library."""
    name = Path(library).name
    own = (module for start, module in _OWN_INTERFACES.items() if name.startswith(start))
    return Path(str(_core.__file__)).with_name(next(own, "librizoma_mpi.so"))


def _handle_of(comm: Any) -> int:
    mpi = sys.modules.get("mpi4py.MPI")
    if mpi is None or not isinstance(comm, mpi.Comm):
        raise InvalidArgumentError(f"comm is {comm!r}; it must be a communicator of mpi4py, as MPI.COMM_WORLD")
    return int(mpi._handleof(comm))


@contextmanager
def together(ranks: _core.Ranks) -> Iterator[None]:
    """Do a piece of work on all ranks: it goes well on all of them, or on none."""
    try:
        yield
    except Exception as error:
        if ranks.well:
            ranks.finalize(str(error) or type(error).__name__)
        raise
    ranks.finalize()


def leave() -> None:
    """Leave all runs, together with the other ranks.  After a rank was lost there is nothing to leave."""
    for ranks in _ranks.values():
        if ranks.well:
            ranks.close()
    _ranks.clear()


def _at_exit() -> None:
    """Leave the run before MPI ends; if that would wait for a lost rank, end the process."""
    error = getattr(sys, "last_value", None)
    for ranks in _ranks.values():
        if error is not None and ranks.well:
            ranks.abort(f"the program ended by {type(error).__name__}: {error}")
    if not all(ranks.well for ranks in _ranks.values()):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(1)
    leave()


def not_on_ranks(kernel: str) -> UnsupportedError:
    """The error of a kernel that ranks cannot share yet."""
    return UnsupportedError(
        f"{kernel} does not run on several ranks; open the graph in one process for it (on ranks run "
        f"{', '.join(DISTRIBUTED)})"
    )


def _not_of_a_part() -> UnsupportedError:
    return UnsupportedError(
        "a part of a graph has only views by predicates over edge columns; open the store that it was made from "
        "for others"
    )


class _OnRanks(Reader):
    """A graph that ranks share: kernels on it, and on its views, run on all of them."""

    _shared_by_ranks = True
    _working = False
    _part: _core.GraphPart | None = None
    _owners: Sequence[int] = ()
    _made_by = "graph"  # of a view: the calls that made it
    ranks: _core.Ranks

    def _may_run(self, kernel: str) -> None:
        if not self._working:
            raise not_on_ranks(kernel)

    def _run(self, algorithm: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run an algorithm on all ranks."""
        call = self._expect_same_call(algorithm.__name__, arguments_of(algorithm, args, kwargs))
        if not kwargs.get("threads") and not current().threads:
            kwargs["threads"] = local_threads(self.ranks)
        _share(self)
        with self._at_work():
            result = algorithm(self, *args, **kwargs)
        result._call = call
        result.ranks = self.ranks.size
        result.traffic = RankTraffic.of(self.ranks.traffic)
        return result

    def _expect_same_call(self, name: str, arguments: dict[str, str]) -> str:
        with on_ranks(self.ranks):
            return expect_same_call(self.ranks, name, {"graph": self._made_by, **arguments})

    def _view_of_ranks(self, view: View, method: str, *args: Any) -> RankView:
        """The view that was made here; calls on it compare how the ranks have made theirs."""
        return RankView(view, self, f"{self._made_by}.{method}({', '.join(map(argument_text, args))})")

    def _expect_whole(self) -> None:
        if self._part is not None:
            raise _not_of_a_part()

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        self._working = True
        try:
            with on_ranks(self.ranks):
                yield
        finally:
            self._working = False

    def where(self, edges: str | None = None, vertices: str | None = None) -> View:
        """Each rank makes the whole view, and all share the work on it; so it is with all views.

        Of a graph that was distributed each filters its own part, by predicates over columns of edges only.
        """
        if self._part is None:
            return self._view_of_ranks(views.where(self, edges, vertices), "where", edges, vertices)
        if edges is None or vertices is not None:
            raise _not_of_a_part()
        self._expect_same_call("where", {"edges": argument_text(edges)})
        _share(self)
        with together(self.ranks):
            bits = rows_where(self._state(), edges)
        with on_ranks(self.ranks), engine() as borrowed:
            return self._view_of_ranks(View(_core.with_rows(self._state(), borrowed, bits)), "where", edges)

    def degrees(self, in_edges: bool = False) -> DegreeResult:
        """Return the degree of every vertex (of a directed graph: out-degree, or in-degree)."""
        if self._part is None:
            return degrees(self._state(), in_edges)
        self._expect_same_call("degrees", {"in_edges": argument_text(in_edges)})
        _share(self)
        with on_ranks(self.ranks), engine() as borrowed:
            view = self._state().working_view(borrowed)  # it has the lengths of all lists
        with engine() as borrowed:
            return DegreeResult(self._state(), view, {"degree": _core.degrees(borrowed, view, in_edges)})

    def subgraph(self, ids: Any) -> View:
        """Return the vertices with these ids and the edges among them; ids that are no vertices are left out."""
        self._expect_whole()
        own = list(ids) if isinstance(ids, Iterator) else ids
        return self._view_of_ranks(views.subgraph(self, own), "subgraph", own)

    def reverse(self) -> View:
        """Return the graph with every edge reversed."""
        self._expect_whole()
        return self._view_of_ranks(views.reverse(self), "reverse")

    def undirected(self) -> View:
        """Return the graph without directions; an edge that has another one back stays with the values of one."""
        self._expect_whole()
        return self._view_of_ranks(views.undirected(self), "undirected")

    def neighborhood(self, v: VertexKey, hops: int = 1) -> View:
        """Return the vertices that at most `hops` edges lead to from `v`, and the edges among them."""
        self._expect_whole()
        return self._view_of_ranks(views.neighborhood(self, v, hops), "neighborhood", v, hops)


class RankView(_OnRanks, View):
    """A view of a graph that ranks share."""

    def __init__(self, view: View, source: _OnRanks, made_by: str) -> None:
        super().__init__(view._state(), view._held)
        self._made_by = made_by
        self.ranks = source.ranks
        self._part = source._part
        self._owners = source._owners


class RankGraph(_OnRanks, Graph):
    """A stored graph that ranks share: the state that it had when all of them opened it.  Made by `rizoma.open`."""

    def __init__(self, graph: Graph, ranks: _core.Ranks) -> None:
        super().__init__(graph._native, graph.path, graph._settings, read_only=True)
        self.ranks = ranks
        self._shared = self._native.snapshot()
        schema = self._shared.schema
        part = self._shared.part
        ranks.agree("kind of store", "a whole graph" if part is None else f"one of {part.parts} partitions")
        text = (
            f"{self._shared.num_live} vertices, {self._shared.num_edges()} edges, "
            f"{'directed' if schema.directed else 'undirected'}, {schema.ids.name} ids"
        )
        if part is not None:
            text += f", distributed as {part.state} by {part.partition}"
        ranks.agree("graph", text)
        self._part = part
        self._owners = () if part is None else _owners(part, ranks)

    def _state(self) -> _core.Snapshot:
        self._native  # noqa: B018 - raises if the graph was closed
        return self._shared

    def close(self) -> None:
        """Close it on this rank."""
        self.ranks.forget()
        super().close()


def _owners(part: _core.GraphPart, ranks: _core.Ranks) -> list[int]:
    """The rank of each section, if each has one of the parts."""
    if part.parts != ranks.size:
        raise InvalidArgumentError(
            f"the graph is distributed over {part.parts} parts, and there are {ranks.size} ranks; start as many "
            "ranks, or distribute the graph again"
        )
    numbers = ranks.all(part.number)
    for number in range(part.parts):
        if numbers.count(number) > 1:
            twice = [ranks.name_of(rank) for rank, found in enumerate(numbers) if found == number]
            raise InvalidArgumentError(
                f"{' and '.join(twice)} have opened the same part, number {number}; give each rank its own"
            )
    rank_of = {number: rank for rank, number in enumerate(numbers)}
    return [rank_of[owner] for owner in part.owners]


def open_on_ranks(comm: Any, path: Any, open_here: Callable[[Any], Graph]) -> RankGraph:
    """Open a store on all ranks of a communicator, or on none; "{rank}" in the path is the number of each.

    All open the same state: where a writer publishes another one meanwhile, they try again.
    """
    ranks = comm if isinstance(comm, _core.Ranks) else join(comm)
    own = None if path is None else os.fsdecode(path).replace("{rank}", str(ranks.rank))
    with together(ranks):
        graph = open_here(own)
        try:
            for _ in range(_ATTEMPTS):
                if _same_state(graph, ranks):
                    break
                graph.close()
                time.sleep(_AGAIN)
                graph = open_here(own)
            # Copies of a store that were written in other steps may still be of the same graph.
            return RankGraph(graph, ranks)
        except BaseException:
            graph.close()
            raise


def state_of(graph: Graph) -> str:
    """What tells the state of a stored graph from its other states; nearly sure while changes are in the log."""
    state = graph._native.snapshot()
    waiting = int(state.sections()[2].sum())
    return f"{graph._native.info().generation}: {state.num_live} vertices, {state.num_edges()} edges, {waiting} waiting"


def _same_state(graph: Graph, ranks: _core.Ranks) -> bool:
    """Whether all ranks have opened the same one; the same answer on all of them."""
    found: list[int] = ranks.all(zlib.crc32(state_of(graph).encode()))
    return found.count(found[0]) == len(found)


def _share(graph: _OnRanks) -> None:
    """Let the ranks divide this graph as it was distributed, or else as the settings say."""
    settings = current()
    partition = settings.partition if graph._part is None else graph._part.partition
    owners = list(graph._owners)
    graph.ranks.share_by(partition, settings.migration, settings.rank_cache, owners, settings.rank_batch)


opening.share_with(open_on_ranks)
