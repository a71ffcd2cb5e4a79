"""The start of ranks: all come within a time, or those that came say who did not.

MPI_Init waits for ever for a process that never calls it.  So ranks meet before they start MPI, by way of the launcher
(the wire protocol of PMI-1, which MPICH's mpiexec speaks), and a watch ends a process whose MPI does not start.
"""

from __future__ import annotations

import array
import fcntl
import os
import re
import select
import socket
import stat
import sys
import termios
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..core.errors import ClusterError, InvalidArgumentError

__all__ = [
    "MissingRanksError",
    "StartedRanks",
    "end_job",
    "meet",
    "start_timeout",
    "starting",
    "unlink_segments",
    "wait_for_speaker",
]

START_TIMEOUT = 30.0  # seconds for all ranks to come, and again for MPI to start
_FEW = 64  # ranks: each of these asks who the others are
_LAST_WORD = 2.0  # seconds for the launcher to read what a process said last
_LONGEST = 4096  # bytes of an answer of the launcher
_OF_HYDRA = "MPI_LOCALNRANKS"  # set by MPICH's mpiexec on each host; other launchers refuse a second `init`, MPI's
_SEGMENT = re.compile(r"(/dev/shm/mpich_\w+)$")


class MissingRanksError(ClusterError):
    """Ranks that the launcher has started did not come.  `speaker`: the rank that says so for all."""

    def __init__(self, message: str, speaker: int) -> None:
        super().__init__(message)
        self.speaker = speaker


class StartedRanks:
    """This rank's number, and the processes of all that came, as far as they are known."""

    def __init__(self, rank: int, size: int, processes: dict[int, tuple[int, str]]) -> None:
        self.rank = rank
        self.size = size
        self.processes = processes


def start_timeout(heartbeat_timeout: float) -> float:
    """Seconds in which all ranks have to come: RIZOMA_START_TIMEOUT, or 30, or `heartbeat_timeout` if it is longer."""
    text = os.environ.get("RIZOMA_START_TIMEOUT")
    if not text:
        return max(START_TIMEOUT, heartbeat_timeout)
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 86_400:
        raise InvalidArgumentError(
            f"RIZOMA_START_TIMEOUT is {text!r}; it must be a number of seconds above 0, and a day at most"
        )
    return seconds


class _Launcher:
    """The launcher's end of the connection that it hands to each rank."""

    def __init__(self, descriptor: int) -> None:
        self._socket = socket.socket(fileno=os.dup(descriptor))

    def close(self) -> None:
        self._socket.close()

    def tell(self, command: str) -> None:
        self._socket.sendall(f"cmd={command}\n".encode())

    def answer(self, until: float) -> dict[str, str]:
        """The next line; not a byte more, since what follows is MPI's."""
        line = bytearray()
        while not line.endswith(b"\n"):
            left = until - time.monotonic()
            if left <= 0 or not select.select([self._socket], [], [], left)[0]:
                raise TimeoutError
            byte = self._socket.recv(1)
            if not byte or len(line) > _LONGEST:
                raise ConnectionError
            line += byte
        words = (word.partition("=") for word in line.decode(errors="replace").split())
        return {name: value for name, _, value in words}

    def ask(self, command: str, until: float) -> dict[str, str]:
        self.tell(command)
        return self.answer(until)


def meet(timeout: float) -> StartedRanks | None:
    """Wait until every rank has come; None: this launcher cannot tell.

    Errors: MissingRanksError, which names those that have not come within `timeout` seconds.
    """
    place = [os.environ.get(name, "") for name in ("PMI_FD", "PMI_RANK", "PMI_SIZE")]
    if _OF_HYDRA not in os.environ or not all(text.isdigit() for text in place):
        return None
    descriptor, rank, size = map(int, place)
    try:
        launcher = _Launcher(descriptor)
    except OSError:
        return None
    try:
        return _meet(launcher, rank, size, timeout)
    except (OSError, KeyError):  # of another protocol, or gone: MPI says what it thinks of that
        return None
    finally:
        launcher.close()


def _meet(launcher: _Launcher, rank: int, size: int, timeout: float) -> StartedRanks | None:
    until = time.monotonic() + timeout
    if launcher.ask("init pmi_version=1 pmi_subversion=1", until).get("rc") != "0":
        return None
    kvs = launcher.ask("get_my_kvsname", until)["kvsname"]
    launcher.ask(f"put kvsname={kvs} key=rizoma-{rank} value={os.getpid()}@{socket.gethostname()}", until)
    launcher.tell("barrier_in")
    try:
        launcher.answer(until)
    except TimeoutError:
        came = _came(launcher, kvs, range(size))
        missing = [other for other in range(size) if other not in came]
        raise MissingRanksError(_said(missing, size, timeout), min(came, default=rank)) from None
    return StartedRanks(rank, size, _came(launcher, kvs, range(size)) if size <= _FEW else {})


def _came(launcher: _Launcher, kvs: str, ranks: range) -> dict[int, tuple[int, str]]:
    """The processes of the ranks that have started, as far as the launcher knows here."""
    found = {}
    until = time.monotonic() + START_TIMEOUT
    for rank in ranks:
        process, _, host = launcher.ask(f"get kvsname={kvs} key=rizoma-{rank}", until).get("value", "").partition("@")
        if process.isdigit():
            found[rank] = (int(process), host)
    return found


def _said(missing: list[int], size: int, timeout: float) -> str:
    several = len(missing) > 1
    who = f"rank{'s' if several else ''} {', '.join(map(str, missing))} of {size} {'have' if several else 'has'}"
    return (
        f"{who} not come within {timeout:g} s. See whether the command of each is right, and whether it stopped, "
        "was ended or is on a host that is cut off (ranks of such a host may all be named); RIZOMA_START_TIMEOUT sets "
        "how long the others wait"
    )


def end_job() -> None:
    """Have the launcher end all processes on all hosts, those that never spoke to it included."""
    _wait_until_heard()
    with suppress(OSError, KeyError, ValueError):
        launcher = _Launcher(int(os.environ["PMI_FD"]))
        launcher.tell("abort exitcode=1")
        launcher.close()
        time.sleep(1.0)  # it kills this process, too; if it does not, the caller ends


def wait_for_speaker() -> None:
    """Wait until the rank that speaks was heard: the launcher kills all as soon as one has ended."""
    time.sleep(_LAST_WORD + 1.0)


def _wait_until_heard() -> None:
    """Wait until the launcher has read what this process said: what is in the pipe when it ends a job is lost."""
    until = time.monotonic() + _LAST_WORD
    with suppress(OSError, ValueError):
        while time.monotonic() < until and any(_unread(stream.fileno()) for stream in (sys.stdout, sys.stderr)):
            time.sleep(0.01)
    time.sleep(0.3)  # on its way from this host's part of the launcher to its terminal


def _unread(descriptor: int) -> int:
    """Bytes of a pipe that its reader has not taken; 0 of what is no pipe."""
    if not stat.S_ISFIFO(os.fstat(descriptor).st_mode):
        return 0
    count = array.array("i", [0])
    fcntl.ioctl(descriptor, termios.FIONREAD, count)
    return count[0]


@contextmanager
def starting(ranks: StartedRanks | None, timeout: float) -> Iterator[None]:
    """End this process if the block, which starts MPI and cannot be interrupted, takes longer."""
    watch = threading.Timer(timeout, _end, (ranks, timeout))
    watch.daemon = True
    watch.start()
    try:
        yield
    finally:
        watch.cancel()


def _end(ranks: StartedRanks | None, timeout: float) -> None:
    if ranks is None:
        stopped, speaker = [], True
    else:
        here = socket.gethostname()
        states = {rank: _trouble(process) for rank, (process, host) in ranks.processes.items() if host == here}
        stopped = [f"rank {rank} (process {ranks.processes[rank][0]}) {how}" for rank, how in states.items() if how]
        speaker = ranks.rank == min((rank for rank, how in states.items() if not how), default=ranks.rank)
    why = ", ".join(stopped) or "a rank has stopped, or its host is cut off"
    if speaker:
        with suppress(OSError):
            limit = f"within {timeout:g} s (RIZOMA_START_TIMEOUT)"
            print(f"rizoma: MPI has not started {limit}: {why}", file=sys.stderr, flush=True)
        end_job()
    else:
        wait_for_speaker()
    os._exit(1)


def _trouble(process: int) -> str:
    """The reason why a process of this machine cannot continue, or ""."""
    try:
        line = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return "has ended"
    state = line.rpartition(")")[2].split()[0]
    return {"T": "is stopped", "t": "is stopped", "Z": "has ended", "X": "has ended"}.get(state, "")


def unlink_segments() -> None:
    """Remove the names of MPI's shared memory, once all ranks use it: the system frees it with the last of them.

    MPICH itself removes them in MPI_Finalize, which a job that ends by an error does not reach.
    """
    with suppress(OSError), open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        found = {match[1] for line in maps if (match := _SEGMENT.search(line.rstrip()))}
        for name in found:
            with suppress(OSError):
                os.unlink(name)
