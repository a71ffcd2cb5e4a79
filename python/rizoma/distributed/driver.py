"""The program's end of a cluster: starts the ranks, sends commands, brings back results, errors and progress."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from multiprocessing.connection import Connection, Listener, wait
from pathlib import Path
from types import TracebackType
from typing import IO, Any, cast

from .. import _core
from ..core import errors
from ..core.aliases import renamed_options
from ..core.arguments import methods_checked, names_checked
from ..core.config import current
from ..core.engines import engine
from ..core.errors import ClosedError, ClusterError, InvalidArgumentError, RizomaError
from ..core.progress import progress_bar
from ..core.read_warnings import warn_of
from ..graph.graph import Graph
from ..graph.ids import VertexKey
from ..graph.import_report import ImportReport
from ..graph.open import open_graph
from ..graph.state import Reader
from ..io.read import read
from ..io.read_options import ReadOptions
from ..io.remote import is_url
from ..queries import views
from ..queries.views import View
from ..results.vertex import VertexResult
from .launching import CANNOT_START, ByMpiexec, InPlaces, Launching
from .partitions import written_partitions
from .places import dask_places, ray_places
from .ranks import HEARTBEAT_TIMEOUT, not_on_ranks, state_of

__all__ = ["Cluster", "ClusterGraph", "cluster"]

_START = 60.0  # seconds for all ranks to be there
_END = 10.0  # seconds for all ranks to be gone
_LAST_WORD = 2.0  # seconds for the others, once one has named the lost rank
_POLL = 0.1


@renamed_options("rizoma.cluster")
@names_checked
def cluster(
    ranks: int | None = None,
    *,
    hosts: Sequence[str] | None = None,
    dask: Any = None,
    ray: bool = False,
    threads: int | None = None,
    heartbeat_timeout: float = HEARTBEAT_TIMEOUT,
) -> Cluster:
    """Start ranks, processes that share the work on a graph; a context manager that ends them.

    Args:
        ranks: how many; default 2, or one for each worker of Dask or node of Ray.
        hosts: the machines they are to run on, in turn, as mpiexec reaches them (by ssh); default this one.  Rizoma
            and the stores must be there under the same paths.
        dask: a `dask.distributed.Client`: the ranks are started beside its workers, which need rizoma[cluster] and
            see the stores under the same paths.
        ray: whether to start the ranks on the nodes of the Ray cluster that `ray.init` has connected this program to,
            with the same needs.
        threads: of each rank; default: a machine's processors divided among its ranks, or those of a worker or node.
        heartbeat_timeout: seconds without a sign of life after which a rank counts as lost.

    Raises ClusterError if a rank cannot be started (the message names the host), InvalidArgumentError if hosts, dask
    and ray contradict one another.  Cost: a Python process a rank, 0.3 to 2 seconds.
    """
    if ranks is not None and ranks < 1:
        raise InvalidArgumentError(f"ranks is {ranks}; it must be 1 or more")
    if bool(hosts) + (dask is not None) + ray > 1:
        raise InvalidArgumentError("hosts, dask and ray each say where the ranks run; give one of them")
    launching: Launching
    if dask is not None:
        launching = InPlaces(dask_places(dask, ranks), threads)
    elif ray:
        launching = InPlaces(ray_places(ranks), threads)
    else:
        launching = ByMpiexec(2 if ranks is None else ranks, list(hosts or ()), threads)
    return Cluster(launching, heartbeat_timeout, dask)


class _Driven(Reader):
    """A graph that the ranks of a cluster share: kernels on it, and on its views, run there."""

    _shared_by_ranks = True
    _number: int
    _owner: Cluster

    def _may_run(self, kernel: str) -> None:
        raise not_on_ranks(kernel)

    def _run(self, algorithm: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run an algorithm on the ranks."""
        progress = kwargs.pop("progress", None)
        if progress is None:
            progress = current().progress
        command = {"do": "run", "graph": self._number, "kernel": algorithm.__name__, "args": args, "kwargs": kwargs}
        command["settings"] = current().of_ranks
        answer = self._owner._call(command, progress)
        state = self._state()
        with engine() as borrowed:
            view = state.view(borrowed)
        made: VertexResult = answer["kind"](state, view, answer["columns"], answer["seconds"], answer["threads"], None)
        for name, value in answer["figures"].items():
            setattr(made, name, value)
        return made

    def _made(self, view: View, method: str, *args: Any) -> View:
        """Make a view on every rank, too."""
        number = self._owner._new_number()
        self._owner._call({"do": "view", "graph": self._number, "view": number, "method": method, "args": args})
        return ClusterView(view, number, self._owner)

    def where(self, edges: str | None = None, vertices: str | None = None) -> View:
        """Made here and on each rank, whole, and all ranks share the work on it; so it is with all views."""
        return self._made(views.where(self, edges, vertices), "where", edges, vertices)

    def subgraph(self, ids: Any) -> View:
        """Return the vertices with these ids and the edges among them; ids that are no vertices are left out."""
        own = list(ids) if isinstance(ids, Iterator) else ids
        return self._made(views.subgraph(self, own), "subgraph", own)

    def reverse(self) -> View:
        """Return the graph with every edge reversed."""
        return self._made(views.reverse(self), "reverse")

    def undirected(self) -> View:
        """Return the graph without directions; an edge that has another one back stays with the values of one."""
        return self._made(views.undirected(self), "undirected")

    def neighborhood(self, v: VertexKey, hops: int = 1) -> View:
        """Return the vertices that at most `hops` edges lead to from `v`, and the edges among them."""
        return self._made(views.neighborhood(self, v, hops), "neighborhood", v, hops)


class ClusterView(_Driven, View):
    """A view of a graph that runs on a cluster; the ranks keep theirs until the graph is closed."""

    def __init__(self, view: View, number: int, owner: Cluster) -> None:
        super().__init__(view._state(), view._held)
        self._number = number
        self._owner = owner


class ClusterGraph(_Driven, Graph):
    """A stored graph whose kernels run on a cluster.  Made by `Cluster.open`."""

    def __init__(self, graph: Graph, number: int, owner: Cluster) -> None:
        super().__init__(graph._native, graph.path, graph._settings, read_only=True)
        self._shared = self._native.snapshot()
        self._number = number
        self._owner = owner

    def _state(self) -> _core.Snapshot:
        self._native  # noqa: B018 - raises if the graph was closed
        return self._shared

    def close(self) -> None:
        """Close it, here and on the ranks.  Cost: one message to each rank."""
        if self._open is not None and self._owner.running:
            self._owner._call({"do": "close", "graph": self._number})
        super().close()


def _absolute(files: Iterable[str | os.PathLike[str]]) -> list[str]:
    """Paths as every process knows them; URLs as they are."""
    return [os.fspath(file) if is_url(file) else os.path.abspath(file) for file in files]


@methods_checked
class Cluster:
    """Ranks that run.  Made by `rizoma.cluster`."""

    def __init__(self, launching: Launching, heartbeat_timeout: float, dask: Any = None) -> None:
        self.size = launching.ranks
        self.names: list[str] = []
        self._graphs = 0
        self._heartbeat_timeout = heartbeat_timeout
        self._launching = launching
        self._dask = dask
        self._processes: list[int] = []  # of the ranks on this machine
        self._ranks: list[Connection] = []
        self._log: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `close`
        self._launcher: subprocess.Popen[bytes] | None = None
        try:
            self._start()
        except BaseException:
            self.close()
            raise

    @property
    def running(self) -> bool:
        """Whether calls can be made."""
        return len(self._ranks) == self.size

    def open(self, path: str | os.PathLike[str], parts: str | os.PathLike[str] | None = None) -> ClusterGraph:
        """Open the store at `path`, for reading, on all ranks and here: the state that it has now.

        `parts`: where the ranks have their parts of this state, which `rizoma.distribute` has made, so that they need
        not see the store; "{rank}" in it stands for the number of each rank.

        Raises NotFoundError, InvalidArgumentError if the parts are of another state, ClusterError if a rank is lost.
        Cost: that of opening the store on each rank.
        """
        where = Path(path).absolute()
        graph = open_graph(where, mode="read_only")
        number = self._new_number()
        there = where if parts is None else Path(parts).absolute()
        try:
            answer = self._call({"do": "open", "graph": number, "path": str(there)})
            if parts is not None and answer["state"] != state_of(graph):
                self._call({"do": "close", "graph": number})
                raise InvalidArgumentError(
                    f"{parts} has parts of another state than {path}; distribute the graph again"
                )
        except BaseException:
            graph.close()
            raise
        return ClusterGraph(graph, number, self)

    def read(self, *data: Any, into: str | os.PathLike[str], **options: Any) -> ClusterGraph:
        """Read files, tables or a Dask DataFrame of edges into a new store, and open it on the ranks.

        `data` are files, which the ranks read together, each a share of them, or a DataFrame, whose partitions the
        workers of Dask write to such files beside the store, or tables.  `into` is the directory of the store;
        `options` are those of `rizoma.read`.  The graph's `last_import` says what was guessed, merged and left out, and
        what may be meant otherwise is warned of, as `rizoma.read` does.

        Raises what `rizoma.read` raises, and ClusterError if a rank is lost.  Cost: that of an import divided by the
        ranks, and the exchange of all edges between them.
        """
        ReadOptions.of(options)
        if not data:
            raise InvalidArgumentError("there is no file to read; name one or more")
        if len(data) == 1 and hasattr(data[0], "to_delayed"):
            with written_partitions(data[0], Path(into), self._dask) as files:
                report = self._read_files(files, into, options)
            for number, file in enumerate(report.files if report else ()):
                file.path = f"partition {number}"
        elif all(isinstance(each, (str, os.PathLike)) for each in data):
            report = self._read_files(_absolute(data), into, options)
        else:
            with read(*data, into=into, **options) as made:
                report = made.last_import
        graph = self.open(into)
        graph.last_import = report
        return graph

    def _new_number(self) -> int:
        self._graphs += 1
        return self._graphs

    def _read_files(
        self, files: Sequence[str | os.PathLike[str]], into: str | os.PathLike[str], options: dict[str, Any]
    ) -> ImportReport | None:
        options = dict(options)
        progress = options.pop("progress", current().progress)
        for name in ("vertex_files", "locations"):  # the ranks may run in another directory
            if options.get(name):
                options[name] = _absolute(options[name])
        command = {"do": "read", "files": [os.fspath(file) for file in files], "into": os.path.abspath(into)}
        report: ImportReport | None = self._call(command | {"options": options}, progress).get("report")
        if report is not None:
            warn_of(report.warnings if options.get("parallel_edges") is None else report.guesses)
        return report

    def close(self) -> None:
        """End the ranks.  Cost: one message to each; ranks that do not end within seconds are killed."""
        for rank in self._ranks:
            _send(rank, {"do": "end"})
        ranks, self._ranks = self._ranks, []
        if self._launcher is not None and ranks:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._launcher.wait(_END)
                self._launcher = None
        for rank in ranks:
            rank.close()
        self._end_at_once()

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_launcher", None) is not None:
            self.close()

    def __repr__(self) -> str:
        return f"Cluster({self.size} ranks)" if self.running else "Cluster(ended)"

    # -- starting ---------------------------------------------------------------------------------

    def _start(self) -> None:
        key = secrets.token_bytes(32)
        with Listener((self._launching.address, 0), backlog=self.size, authkey=key) as door:
            address, port = door.address
            environment = os.environ | {
                "RIZOMA_DRIVER": f"{address}:{port}",
                "RIZOMA_DRIVER_KEY": key.hex(),
                "RIZOMA_HEARTBEAT_TIMEOUT": str(self._heartbeat_timeout),
                "RIZOMA_THREADS": str(self._launching.threads),
            }
            self._launcher = subprocess.Popen(
                self._launching.command(),
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=self._log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # this program handles Ctrl-C, and then notifies the ranks
            )
            self._launching.follow(self._launcher, self._log.fileno())
            self._admit(door)

    def _admit(self, door: Listener) -> None:
        """Wait until every rank has connected."""
        listening: socket.socket = door._listener._socket  # type: ignore[attr-defined]
        listening.settimeout(_POLL)
        until = time.monotonic() + _START
        arrived: dict[int, tuple[Connection, dict[str, Any]]] = {}
        while len(arrived) < self.size:
            assert self._launcher is not None
            said = os.pread(self._log.fileno(), 1 << 20, 0).decode(errors="replace")
            if self._launcher.poll() is not None or time.monotonic() > until or CANNOT_START in said:
                why = f"{self._final_status()}{self._launching.remedy}"
                raise ClusterError(f"{self.size} ranks could not be started: {why}")
            try:
                rank = door.accept()
            except TimeoutError:
                continue
            hello = rank.recv()
            arrived[hello["rank"]] = (rank, hello)
        self._ranks = [arrived[number][0] for number in range(self.size)]
        self.names = [arrived[number][1]["name"] for number in range(self.size)]
        here = socket.gethostname()
        hellos = [hello for _, hello in arrived.values()]
        self._processes = [hello["process"] for hello in hellos if hello["host"] == here]

    def _final_status(self) -> str:
        self._log.seek(0)
        lines = [line for line in self._log.read().decode(errors="replace").splitlines() if line.strip("= ")]
        lines = [line for line in lines if not line.startswith("HYDRA_LAUNCH")]
        of_ranks = [line for line in lines if line.startswith(CANNOT_START)]
        if of_ranks:
            return of_ranks[0].removeprefix(CANNOT_START)
        # Without the launcher's own course of events and the lines of code that a traceback shows.
        told = [line for line in lines if not line.startswith(("[mpiexec@", "[proxy:", "=", " ", "Traceback"))]
        return " / ".join(map(str.strip, told or lines))[-1000:] or "mpiexec said nothing"

    # -- calling ----------------------------------------------------------------------------------

    def _call(self, command: dict[str, Any], progress: Any = None) -> dict[str, Any]:
        """Send all ranks a command; return the answer of the first."""
        if not self.running:
            raise ClosedError("the cluster has ended; start another with rizoma.cluster")
        for rank in self._ranks:
            _send(rank, command)
        answers: list[dict[str, Any] | None] = [None] * self.size
        waiting: dict[Any, int] = {rank: number for number, rank in enumerate(self._ranks)}
        try:
            if progress is True:
                with progress_bar() as bar:
                    self._collect(answers, waiting, bar)
            else:
                self._collect(answers, waiting, progress)
        except BaseException:
            # Ctrl-C, or an exception of the progress function: the ranks stop, and stay ready for the next call.
            for rank in self._ranks:
                _send(rank, {"do": "stop"})
            self._collect(answers, waiting, None)
            raise
        self._raise_worst(answers)
        warn_of(dict.fromkeys(said for answer in answers if answer for said in answer.get("warnings", ())))
        return answers[0] or {}

    def _collect(self, answers: list[dict[str, Any] | None], waiting: dict[Any, int], progress: Any) -> None:
        """Wait for the answers of these ranks; None stands for a rank that is lost."""
        give_up = float("inf")
        while waiting:
            for ready in wait(list(waiting), timeout=_POLL):
                number = waiting[ready]
                try:
                    message: dict[str, Any] = cast(Connection, ready).recv()
                except (EOFError, OSError):
                    del waiting[ready]
                    give_up = min(give_up, time.monotonic() + self._heartbeat_timeout + _LAST_WORD)
                    continue
                if message["say"] == "progress":
                    if progress:
                        progress(*message["how_far"])
                    continue
                answers[number] = message
                del waiting[ready]
                if message.get("lost"):
                    give_up = min(give_up, time.monotonic() + _LAST_WORD)
            # A stopped or disconnected rank will not answer, and does not close its connection either.
            if time.monotonic() > give_up:
                break

    def _raise_worst(self, answers: list[dict[str, Any] | None]) -> None:
        failed = [(number, a) for number, a in enumerate(answers) if a is None or a["say"] == "failed"]
        if not failed:
            return
        told = [(number, a) for number, a in failed if a is not None]
        lost = any(a is None or a.get("lost") for _, a in failed)
        if lost:
            text = told[0][1]["message"] if told else f"all ranks are gone: {self._final_status()}"
            self._end_at_once()
            raise ClusterError(text)
        # The rank that failed has the cause; others only report it, with its name.
        number, answer = min(told, key=lambda one: one[1]["message"].startswith("rank "))
        alone = sum(not a["message"].startswith("rank ") for _, a in told) == 1 and self.size > 1
        text = f"{self.names[number]}: {answer['message']}" if alone else answer["message"]
        kind = getattr(errors, answer["error"], RizomaError)
        raise kind(text)

    def _end_at_once(self) -> None:
        """Kill the remaining ranks; a stopped one receives nothing else."""
        self._ranks = []
        launcher, self._launcher = self._launcher, None
        if launcher is not None:
            for process in self._processes:
                with contextlib.suppress(OSError):
                    os.kill(process, signal.SIGKILL)
            with contextlib.suppress(OSError):
                os.killpg(launcher.pid, signal.SIGKILL)
            launcher.wait()
            self._launching.end()
        self._log.close()


def _send(rank: Connection, message: dict[str, Any]) -> None:
    with contextlib.suppress(OSError):  # it is gone, which `_collect` detects
        rank.send(message)
