"""How ranks are started: by mpiexec on hosts that it reaches, or by processes that exist already, at its word."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
from abc import ABC, abstractmethod

from ..core.errors import ClusterError
from .places import Place, end_proxy, start_proxy, this_host, tool
from .ranks import mpi_library

__all__ = ["CANNOT_START", "ByMpiexec", "InPlaces", "Launching"]

# MPICH's launcher ends all ranks at once when one dies, before they can say who it was: a shell in between keeps
# the news from it for a while.
_LINGER = ["sh", "-c", 'trap "" USR1; "$@" || sleep 20', "sh"]
_RANK = ["-m", "rizoma.distributed.rank"]
_LINES = 20.0  # seconds for mpiexec to say what it wants started
_ASKING = 30.0  # seconds for a process of Dask or Ray to start what is wanted
_ENDING = 2.0  # seconds for all of them to end it: one that is stopped does not answer
_POLL = 0.02


CANNOT_START = "a rank cannot start: "
"""What a rank writes before the error, in one line, if it ends before it has found the program."""


class Launching(ABC):
    """A way to start ranks."""

    remedy = ""  # what to look at if no rank starts

    def __init__(self, ranks: int, threads: int, address: str) -> None:
        self.ranks = ranks
        self.threads = threads  # of each rank; 0: as the machine has
        self.address = os.environ.get("RIZOMA_DRIVER_HOST", address)  # of this program, as the ranks reach it

    @abstractmethod
    def command(self) -> list[str]:
        """The command of mpiexec."""

    def follow(self, launcher: subprocess.Popen[bytes], log: int) -> None:  # noqa: B027 - mpiexec may need no help
        """Give mpiexec, which runs and writes to `log`, what it needs to start the ranks."""

    def end(self) -> None:  # noqa: B027 - mpiexec may have nothing to leave behind
        """End what is left after mpiexec has ended."""


class ByMpiexec(Launching):
    """Ranks that mpiexec starts by itself, on this machine or on hosts."""

    def __init__(self, ranks: int, hosts: list[str], threads: int | None) -> None:
        super().__init__(ranks, threads or 0, socket.gethostbyname(socket.gethostname()) if hosts else "127.0.0.1")
        self.hosts = hosts
        if hosts:
            self.remedy = "; hosts= names machines that ssh reaches without a password: ssh HOST true tries it"
        else:
            mpi_library()  # or there is none where it is said to be

    def command(self) -> list[str]:
        """One rank on each host in turn."""
        where = ["-hosts", ",".join(self.hosts), "-ppn", "1"] if self.hosts else []
        return [tool("mpiexec"), *where, "-n", str(self.ranks), *_LINGER, sys.executable, *_RANK]


class InPlaces(Launching):
    """Ranks that processes of another cluster start: mpiexec prints what they are to run."""

    def __init__(self, places: list[Place], threads: int | None) -> None:
        super().__init__(sum(place.ranks for place in places), threads or places[0].threads, this_host(places))
        self.places = places
        self.proxies: list[tuple[Place, int]] = []

    def command(self) -> list[str]:
        """The Python of each place, which need not have the path of this one."""
        hosts = ",".join(f"{place.host}:{place.ranks}" for place in self.places)
        launch = [tool("mpiexec"), "-launcher", "manual", "-localhost", self.address, "-hosts", hosts]
        return [*launch, "-n", str(self.ranks), *_LINGER, "sh", "-c", 'exec "$RIZOMA_PYTHON" "$@"', "sh", *_RANK]

    def follow(self, launcher: subprocess.Popen[bytes], log: int) -> None:
        """Let each place run its line."""
        for place, line in zip(self.places, _lines(launcher, log), strict=True):
            try:
                self.proxies.append((place, place.ask(_ASKING, start_proxy, line)))
            except Exception as error:  # of Dask or Ray, of every kind
                raise ClusterError(
                    f"no rank could be started on {place.host}; install the same rizoma[cluster] there as here: "
                    f"{type(error).__name__}: {error}"
                ) from error

    def end(self) -> None:
        """End the proxies that mpiexec's end has not reached, as far as their places still listen."""
        proxies, self.proxies = self.proxies, []
        until = time.monotonic() + _ENDING
        for place, process in proxies:
            with contextlib.suppress(Exception):
                place.ask(max(until - time.monotonic(), 0.1), end_proxy, process)


def _lines(launcher: subprocess.Popen[bytes], log: int) -> list[str]:
    """The commands that mpiexec prints, one for each host in their order."""
    until = time.monotonic() + _LINES
    while time.monotonic() < until:
        said = os.pread(log, 1 << 20, 0).decode(errors="replace")
        if "HYDRA_LAUNCH_END" in said:
            return [line.partition(":")[2] for line in said.splitlines() if line.startswith("HYDRA_LAUNCH:")]
        if launcher.poll() is not None:
            break
        time.sleep(_POLL)
    said = os.pread(log, 1000, 0).decode(errors="replace").strip()
    raise ClusterError(f"mpiexec does not say what to start: {said or 'nothing at all'}")
