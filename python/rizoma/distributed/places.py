"""Places for ranks in clusters that other software manages: where they are, and how to run a command there."""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.errors import ClusterError, InvalidArgumentError

__all__ = ["Place", "dask_places", "end_proxy", "ray_places", "start_proxy", "this_host", "tool"]


@dataclass(frozen=True)
class Place:
    """A host and how many ranks it is to have; `call(function, *args)` calls a function in a process there."""

    host: str
    ranks: int
    threads: int  # of each rank
    call: Callable[..., Any]

    def ask(self, within: float, function: Callable[..., Any], *args: Any) -> Any:
        """Call a function there; raise `TimeoutError` if there is no answer within these seconds."""
        answers: queue.SimpleQueue[tuple[Any, Exception | None]] = queue.SimpleQueue()

        def call() -> None:
            try:
                answers.put((self.call(function, *args), None))
            except Exception as error:  # of Dask or Ray, of every kind
                answers.put((None, error))

        # Such a call cannot be cancelled: the thread of one without an answer ends with the process.
        threading.Thread(target=call, daemon=True).start()
        try:
            answer, failure = answers.get(timeout=within)
        except queue.Empty:
            raise TimeoutError(f"no answer within {within:g} seconds") from None
        if failure is not None:
            raise failure
        return answer


def dask_places(client: Any, ranks: int | None) -> list[Place]:
    """The hosts of a Dask cluster, with a rank for each of its workers, or for the first `ranks`."""
    if not hasattr(client, "nthreads") or not hasattr(client, "run"):
        raise InvalidArgumentError(f"dask is {client!r}; it must be a dask.distributed.Client")
    from distributed.comm import get_address_host

    def call_at(address: str) -> Callable[..., Any]:
        def call(function: Callable[..., Any], *args: Any) -> Any:
            return client.run(function, *args, workers=[address])[address]

        return call

    workers = client.nthreads().items()
    found = ((get_address_host(address), threads, call_at(address)) for address, threads in workers)
    return grouped(found, ranks, "workers")


def ray_places(ranks: int | None) -> list[Place]:
    """The nodes of the Ray cluster that this program is connected to, a rank for each, or for the first `ranks`."""
    try:
        import ray
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy
    except ImportError:
        raise InvalidArgumentError("ray=True needs Ray; install it (pip install rizoma[ray])") from None
    if not ray.is_initialized():
        raise InvalidArgumentError("ray=True needs a connection to a Ray cluster; call ray.init first")

    def call_at(node: str) -> Callable[..., Any]:
        def call(function: Callable[..., Any], *args: Any) -> Any:
            there = NodeAffinitySchedulingStrategy(node, soft=False)
            return ray.get(ray.remote(num_cpus=0, scheduling_strategy=there)(function).remote(*args))

        return call

    nodes = [node for node in ray.nodes() if node["Alive"]]
    found = ((n["NodeManagerAddress"], int(n["Resources"].get("CPU", 1)), call_at(n["NodeID"])) for n in nodes)
    return grouped(found, ranks, "nodes")


def grouped(found: Iterable[tuple[str, int, Callable[..., Any]]], ranks: int | None, what: str) -> list[Place]:
    """Places for `ranks` ranks, one a process found (None: all); those of a host together, as they share memory."""
    processes = list(found)
    if not processes:
        raise ClusterError(f"the cluster has no {what} yet; wait until it has")
    if ranks is not None and ranks > len(processes):
        raise InvalidArgumentError(
            f"ranks is {ranks}, but the cluster has {len(processes)} {what}; ask for no more ranks than these"
        )
    threads = min(count for _, count, _ in processes[:ranks])
    hosts: dict[str, list[Callable[..., Any]]] = {}
    for host, _, call in processes[:ranks]:
        hosts.setdefault(host, []).append(call)
    return [Place(host, len(calls), max(1, threads), calls[0]) for host, calls in hosts.items()]


def tool(name: str) -> str:
    """Path of a program of MPI, of the Python environment first."""
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        raise ClusterError(f"there is no {name} on {socket.gethostname()}; pip install rizoma[cluster]")
    return found


def start_proxy(line: str) -> int:
    """Start what mpiexec wants started on this host, in the background; return its process.

    Neither this process nor what it runs for others waits for it, and it does not get their signals.
    """
    words = shlex.split(line)
    words[0] = tool("hydra_pmi_proxy")  # it may be in another place than on the host of mpiexec
    started = subprocess.run(
        ["sh", "-c", '"$@" </dev/null >/dev/null 2>&1 & echo $!', "sh", *words],
        env=os.environ | {"RIZOMA_PYTHON": sys.executable},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        start_new_session=True,
    )
    return int(started.stdout)


def end_proxy(process: int) -> None:
    """End a proxy if it is still there; its ranks end with it."""
    with contextlib.suppress(OSError):
        os.kill(process, signal.SIGTERM)


def this_host(places: list[Place]) -> str:
    """The address under which other places reach this program."""
    for place in places:
        if not place.host.startswith("127.") and place.host not in ("localhost", "::1"):
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:  # nothing is sent
                way.connect((place.host, 9))
                return str(way.getsockname()[0])
    return "127.0.0.1"
