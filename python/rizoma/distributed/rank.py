"""One rank of a `rizoma.cluster`, as mpiexec starts it: does what the driver says.

The driver's address and the key that both prove to know come in the environment.
"""

from __future__ import annotations

import os
import queue
import socket
import sys
import threading
import time
import warnings
from multiprocessing.connection import Client, Connection
from typing import Any

from .. import _core, algorithms
from ..core.config import config
from ..core.errors import CancelledError, InvalidArgumentError, ReadWarning, RizomaError
from ..graph.graph import Graph
from ..graph.open import open_graph
from ..graph.state import Reader
from .launching import CANNOT_START
from .parallel_import import read_on_ranks
from .ranks import join, leave, state_of, together

__all__ = ["main"]

_TELL = 0.1  # seconds between two messages of progress


class Rank:
    """The rank's end of the connection."""

    def __init__(self, driver: Connection, ranks: _core.Ranks) -> None:
        self.driver = driver
        self.ranks = ranks
        self.threads = int(os.environ.get("RIZOMA_THREADS", "0")) or None
        self.graphs: dict[int, Reader] = {}
        self.views: dict[int, list[int]] = {}  # of graphs, and of views
        self.commands: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self.stop = threading.Event()
        self.told = 0.0
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self) -> None:
        """Hear the driver while the rank works: it may say stop; if it is gone, so is the rank."""
        while True:
            try:
                command = self.driver.recv()
            except (EOFError, OSError):
                os._exit(1)
            if command["do"] == "stop":
                self.stop.set()
            else:
                self.stop.clear()
                self.commands.put(command)

    def serve(self) -> None:
        """Do what comes until the end."""
        while True:
            command = self.commands.get()
            if command["do"] == "end":
                return
            try:
                with warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("always", ReadWarning)
                    answer = {"say": "done", **getattr(self, f"do_{command['do']}")(**_without(command, "do"))}
                answer["warnings"] = [str(each.message) for each in caught if issubclass(each.category, ReadWarning)]
            except (RizomaError, OSError, MemoryError, TypeError, ValueError) as error:
                answer = {
                    "say": "failed",
                    "error": type(error).__name__,
                    "message": str(error),
                    "lost": not self.ranks.well,
                }
            self.driver.send(answer)
            if answer.get("lost"):
                time.sleep(_TELL)
                os._exit(1)  # MPI cannot be ended any more

    def do_open(self, graph: int, path: str) -> dict[str, Any]:
        """Open a store together with the other ranks."""
        self.graphs[graph] = opened = open_graph(path, comm=self.ranks)
        return {"state": state_of(opened)}

    def do_view(self, graph: int, view: int, method: str, args: Any) -> dict[str, Any]:
        """Make a view of a graph, or of a view."""
        if method not in ("where", "subgraph", "reverse", "undirected", "neighborhood"):
            raise InvalidArgumentError(f"there is no view {method!r}")
        with together(self.ranks):
            self.graphs[view] = getattr(self.graphs[graph], method)(*args)
        self.views.setdefault(graph, []).append(view)
        return {}

    def do_read(self, files: list[str], into: str, options: dict[str, Any]) -> dict[str, Any]:
        """Make a store of files together with the other ranks; the first has the report."""
        options["threads"] = options.get("threads") or self.threads
        graph = read_on_ranks(self.ranks, files, into, progress=self.tell, **options)
        if graph is None:
            return {}
        graph.close()
        return {"report": graph.last_import}

    def do_close(self, graph: int) -> dict[str, Any]:
        """Close it."""
        for view in self.views.pop(graph, ()):
            self.do_close(view)
        closed = self.graphs.pop(graph, None)
        if isinstance(closed, Graph):
            closed.close()
        return {}

    def do_run(
        self, graph: int, kernel: str, args: Any, kwargs: dict[str, Any], settings: dict[str, Any]
    ) -> dict[str, Any]:
        """Run a kernel; the first rank sends the result."""
        if kernel not in algorithms.__all__:
            raise InvalidArgumentError(f"there is no kernel {kernel!r}")
        kwargs["threads"] = kwargs.get("threads") or self.threads
        with config(**settings):
            result = getattr(algorithms, kernel)(self.graphs[graph], *args, progress=self.tell, **kwargs)
        if self.ranks.rank != 0:
            return {}
        figures = {
            name: value
            for name, value in vars(result).items()
            if (not name.startswith("_") or name in result._sent) and name not in ("seconds", "threads", "placement")
        }
        columns = {name: result.to_numpy(name) for name in result._columns}
        return {
            "kind": type(result),
            "columns": columns,
            "figures": figures,
            "seconds": result.seconds,
            "threads": result.threads,
        }

    def tell(self, phase: str, done: float, total: float) -> None:
        """Report progress; end the call if the driver says stop."""
        if self.stop.is_set():
            raise CancelledError("stopped by the program that started the ranks")
        now = time.monotonic()
        if self.ranks.rank == 0 and now - self.told > _TELL:
            self.told = now
            self.driver.send({"say": "progress", "how_far": (phase, done, total)})


def _without(command: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in command.items() if key != name}


def main() -> None:
    """Join the ranks, find the driver, serve it."""
    address, _, port = os.environ.pop("RIZOMA_DRIVER").rpartition(":")
    key = bytes.fromhex(os.environ.pop("RIZOMA_DRIVER_KEY"))
    try:
        ranks = join()
    except RizomaError as error:
        print(CANNOT_START + " ".join(str(error).split()), file=sys.stderr)
        sys.exit(1)
    ranks.answers_to = 0
    driver = Client((address, int(port)), authkey=key)
    hello = {"rank": ranks.rank, "name": ranks.name_of(ranks.rank)}
    driver.send({**hello, "process": os.getpid(), "host": socket.gethostname()})
    rank = Rank(driver, ranks)
    rank.serve()
    for graph in list(rank.graphs):
        rank.do_close(graph)
    leave()
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
