"""`rizoma.distribute`: each rank's part of a graph on a disk of its own.

The state to be distributed is divided by `_core.distribute` into pieces of the file `data`: the sections, each for
one part, their heads for the others, the blocks of edges' values for the parts that have such edges, and what all
have.  A graph in several locations has several such files, whose pieces come into one.  A part is made by
`PartitionWriter` beside the former one, whose pieces it takes over where their digests are the same, and gets its place
by renaming: a crash leaves the former part or none.  On another host the same is done by `rizoma distribute DIR
--receive`, which a program such as ssh starts there: a line of JSON says what the part is to have, another what is
wanted of it, and then these bytes follow.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import IO, Any, Protocol

from .. import _core
from ..core.arguments import names_checked
from ..core.config import RANK_POLICIES
from ..core.engines import ProgressFunction, engine
from ..core.errors import (
    AlreadyExistsError,
    ClusterError,
    CorruptError,
    InvalidArgumentError,
    LockedError,
    StorageError,
)
from ..core.files import sync_directory, told_of
from ..graph.open import open_graph
from ..graph.staging import lock_directory

__all__ = ["DistributedPart", "distribute", "receive"]

_CHUNK = 4 << 20
_PIECES = "pieces.json"
_PART = "part"

_REMOTE = re.compile(r"([^/:]+):(.+)", re.DOTALL)

Chunks = Iterator[bytes]
_Source = tuple[IO[bytes], int]  # a file, and where in it


@dataclass(frozen=True)
class DistributedPart:
    """What `rizoma.distribute` has made: where, of how many bytes, and how many of them were sent there."""

    place: str
    bytes: int
    sent: int


@dataclass(frozen=True)
class Piece:
    """A run of bytes of `data`, and their BLAKE2 digest."""

    offset: int
    bytes: int
    digest: str


@dataclass(frozen=True)
class Offer:
    """Everything that a part is to have."""

    state: str
    data_bytes: int
    pieces: list[Piece]
    files: dict[str, str] = field(default_factory=dict)  # base64

    def to_json(self) -> str:
        """One line."""
        return json.dumps(asdict(self))

    @classmethod
    def of_json(cls, text: str | bytes) -> Offer:
        """Raise `ValueError`, `KeyError` or `TypeError` for what is none."""
        found = json.loads(text)
        return cls(found["state"], found["data_bytes"], [Piece(**each) for each in found["pieces"]], found["files"])


class _Receiver(Protocol):
    def wants(self, offer: Offer) -> list[int]: ...
    def take(self, number: int, chunks: Chunks) -> None: ...
    def finish(self) -> None: ...


@names_checked
def distribute(
    store: str | os.PathLike[str],
    *places: str | os.PathLike[str],
    partition: str = "chunk",
    via: str = "ssh",
    program: str = "rizoma",
    threads: int | None = None,
    progress: ProgressFunction | bool | None = None,
) -> list[DistributedPart]:
    """Put a part of a stored graph into each of several directories, one for each rank.

    Ranks that open these instead of the store read their own sections from there, and need no file system in common. A
    part has the values of its own edges' columns, in the blocks in which they were written, and of all vertices'.  It
    is one directory, whatever locations the store has; states under tags are not read in it.  It is of the present
    state of the graph.  Called again, this copies the sections that have changed since, and only those.  Changes that
    wait in the log are put into the store's sections first, for which no other process may have the store open for
    writing.

    Args:
        store: the graph.
        places: DIR or HOST:DIR for each rank, the first rank's first.
        partition: how sections are divided: "chunk" (runs with equally many edges), "halves" (runs with equally many
            vertices) or "round_robin".
        via: the command that runs another one on a host, as "ssh -p 2222"; it gets the host and the command line.
        program: Rizoma's command on these hosts.
        threads: that verify the sections (default: as configured).
        progress: see `rizoma.config`.

    Returns what was made, in the order of `places`.  Raises `AlreadyExistsError` if something else is there,
    `LockedError`, `UnsupportedError`, `ClusterError` (a host), `CorruptError`.

    Cost: it reads the sections that have changed, and sends each to one place.
    """
    if not places:
        raise InvalidArgumentError("no directory is given; name one for each rank")
    if partition not in RANK_POLICIES:
        raise InvalidArgumentError(f"partition is {partition!r}; it must be one of {', '.join(RANK_POLICIES)}")
    names = [os.fsdecode(place) for place in places]
    if any("{rank}" in name for name in names):
        raise InvalidArgumentError("{rank} is for opening parts; name the directory of each rank here")
    if len({name if _REMOTE.fullmatch(name) else os.path.realpath(name) for name in names}) < len(names):
        raise InvalidArgumentError("a directory is named twice; give each rank its own")
    path = Path(store)
    made = []
    with engine(threads, progress) as borrowed:
        plan = _plan(path, partition, len(names), borrowed)
        with ExitStack() as files:
            data = [files.enter_context(open(source, "rb", buffering=0)) for source in plan.sources]
            digests: dict[tuple[int, int], str] = {}
            for number, name in enumerate(names):
                offer, places_in = _offer(plan, number, data, digests)
                tell = partial(_tell, borrowed, number, len(names))
                with _receiver_at(name, via, program) as receiver:
                    sent = _send(offer, places_in, receiver, tell)
                made.append(DistributedPart(name, sum(piece.bytes for piece in offer.pieces), sent))
    return made


def _plan(path: Path, partition: str, parts: int, borrowed: _core.Engine) -> _core.Distribution:
    """Divide the present state, after merging pending changes into its sections."""
    for rewrite in (False, True):
        plan = _core.distribute(path, partition, parts, borrowed)
        if plan is not None:
            return plan
        with open_graph(path, mode="open", auto_reorder=False) as graph:
            # A section that has got vertices, and no edges, is rewritten with all others only.
            graph.compact(graph.info().order if rewrite else None)
    plan = _core.distribute(path, partition, parts, borrowed)
    if plan is None:
        raise StorageError(f"{path} changed while it was distributed; retry when no writer is active")
    return plan


def _offer(
    plan: _core.Distribution, number: int, data: Sequence[IO[bytes]], digests: dict[tuple[int, int], str]
) -> tuple[Offer, list[_Source]]:
    """The content of a part, and the source of each piece."""
    pieces, sources = [], []
    for offset, size, head, owner, source, begin in plan.pieces:
        length = size if owner in (number, -1) else head
        if length == 0:
            continue
        if (offset, length) not in digests:
            digests[offset, length] = _digest(_read(data[source], begin, length))
        pieces.append(Piece(offset, length, digests[offset, length]))
        sources.append((data[source], begin))
    files = {name: base64.b64encode(content).decode() for name, content in plan.files(number).items()}
    return Offer(plan.state, plan.data_bytes, pieces, files), sources


def _tell(borrowed: _core.Engine, number: int, parts: int, share: float) -> None:
    borrowed.tell("distribute", number + share, parts)


def _send(offer: Offer, sources: Sequence[_Source], receiver: _Receiver, tell: Callable[[float], None]) -> int:
    tell(0)
    wanted = receiver.wants(offer)
    total = sum(offer.pieces[number].bytes for number in wanted)
    sent = 0
    for number in wanted:
        piece = offer.pieces[number]
        receiver.take(number, _read(*sources[number], piece.bytes))
        sent += piece.bytes
        tell(sent / total)
    receiver.finish()
    return sent


def _read(data: IO[bytes], offset: int, size: int) -> Chunks:
    done = 0
    while done < size:
        chunk = os.pread(data.fileno(), min(_CHUNK, size - done), offset + done)
        if not chunk:
            raise CorruptError(f"{data.name} ends before byte {offset + size}")
        done += len(chunk)
        yield chunk


def _digest(chunks: Chunks) -> str:
    hashed = hashlib.blake2b(digest_size=16)
    for chunk in chunks:
        hashed.update(chunk)
    return hashed.hexdigest()


class PartitionWriter:
    """Makes a part in a directory; nothing of it is there before `finish`."""

    def __init__(self, place: Path) -> None:
        self._place = place.resolve()  # a link leads to the disk of the part
        self._coming = self._place.with_name(f".{self._place.name}.coming")
        self._former = self._place.with_name(f".{self._place.name}.former")
        self._held: int | None = None
        self._data: IO[bytes] | None = None
        self._offer: Offer | None = None
        self._same = False
        self._made = False

    def __enter__(self) -> PartitionWriter:
        try:
            self._begin()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _begin(self) -> None:
        """Lock the new part, after checking that its place can be renamed."""
        if self._place.exists() and not self._place.is_dir():
            raise AlreadyExistsError(f"{self._place} is a file; give the path of a directory")
        if self._place.is_mount():
            raise InvalidArgumentError(
                f"{self._place} is a mount point, which cannot be renamed; give a directory in it"
            )
        self._coming.mkdir(parents=True, exist_ok=True)
        self._held = lock_directory(self._coming)
        if self._held is None:
            raise LockedError(f"{self._place} is being written by another process; retry when it has ended")
        if self._former.exists() and not self._place.exists():  # a crash between two renamings
            self._former.rename(self._place)
        shutil.rmtree(self._former, ignore_errors=True)
        if self._place.exists() and any(self._place.iterdir()) and not (self._place / _PART).exists():
            raise AlreadyExistsError(f"{self._place} holds files that are not a part of a graph; give another path")
        for left in self._coming.iterdir():
            left.unlink()

    def __exit__(self, *_: object) -> None:
        if self._data is not None:
            self._data.close()
        if self._held is not None:
            if not self._made:  # or another process may have made its own there meanwhile
                shutil.rmtree(self._coming, ignore_errors=True)
            os.close(self._held)

    def wants(self, offer: Offer) -> list[int]:
        """Take over what the former part has; return the numbers of the other pieces."""
        self._offer = offer
        found = self._found()
        self._same = found is not None and found == offer and self._is_whole(found)
        if self._same:
            return []
        self._data = open(self._coming / "data", "w+b", buffering=0)  # noqa: SIM115 - closed by __exit__
        os.ftruncate(self._data.fileno(), offer.data_bytes)
        there = {piece.digest: piece for piece in (found.pieces if found is not None else ())}
        wanted = []
        with _opened(self._place / "data" if there else None) as former:
            for number, piece in enumerate(offer.pieces):
                own = there.get(piece.digest)
                if former is None or own is None or not self._copies(piece, _read(former, own.offset, own.bytes)):
                    wanted.append(number)
        return wanted

    def take(self, number: int, chunks: Chunks) -> None:
        """Write a piece that was wanted."""
        assert self._offer is not None
        if not self._copies(self._offer.pieces[number], chunks):
            raise CorruptError(f"what arrived at {self._place} is not what was sent; distribute the graph again")

    def finish(self) -> None:
        """Put the part in its place, durably."""
        assert self._offer is not None
        if self._same:
            return
        assert self._data is not None
        os.fsync(self._data.fileno())
        files = {name: base64.b64decode(text) for name, text in self._offer.files.items()}
        for name, content in {**files, _PIECES: self._offer.to_json().encode()}.items():
            if os.sep in name:
                raise InvalidArgumentError(f"a part has no file {name!r}")
            with open(self._coming / name, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        sync_directory(self._coming)
        if self._place.exists():
            self._place.rename(self._former)
        self._coming.rename(self._place)
        self._made = True
        sync_directory(self._place.parent)
        shutil.rmtree(self._former, ignore_errors=True)

    def _copies(self, piece: Piece, chunks: Chunks) -> bool:
        """Write bytes to where a piece belongs; False if they are not those of the piece."""
        assert self._data is not None
        hashed = hashlib.blake2b(digest_size=16)
        at = piece.offset
        try:
            for chunk in chunks:
                hashed.update(chunk)
                at += os.pwrite(self._data.fileno(), chunk, at)
        except CorruptError:  # the former part was cut short
            return False
        return at == piece.offset + piece.bytes and hashed.hexdigest() == piece.digest

    def _found(self) -> Offer | None:
        """The description of the former part."""
        try:
            return Offer.of_json((self._place / _PIECES).read_bytes())
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _is_whole(self, found: Offer) -> bool:
        """Whether every byte is there that a part has."""
        try:
            for name, text in found.files.items():
                if (self._place / name).read_bytes() != base64.b64decode(text):
                    return False
            with open(self._place / "data", "rb", buffering=0) as data:
                return all(_digest(_read(data, each.offset, each.bytes)) == each.digest for each in found.pieces)
        except (OSError, CorruptError):
            return False


class _Remote:
    """A `PartitionWriter` on another host."""

    def __init__(self, process: subprocess.Popen[bytes], name: str, said: IO[bytes]) -> None:
        self._process = process
        self._name = name
        self._said = said

    def wants(self, offer: Offer) -> list[int]:
        """Ask."""
        self._write([offer.to_json().encode(), b"\n"])
        wanted: list[int] = self._answer()["wants"]
        return wanted

    def take(self, number: int, chunks: Chunks) -> None:
        """Send a piece: the other end knows which ones come, and how long they are."""
        self._write(chunks)

    def finish(self) -> None:
        """Wait until it is durable there."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._answer()

    def _write(self, chunks: Any) -> None:
        assert self._process.stdin is not None
        try:
            for chunk in chunks:
                self._process.stdin.write(chunk)
            self._process.stdin.flush()
        except OSError:
            self._answer()  # which says why
            raise self._error("ended too early") from None

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        try:
            answer: dict[str, Any] = {**json.loads(line)}
        except (ValueError, TypeError):
            self.end()  # a shell's greeting, for example; the other end then waits for us
            heard = line.decode(errors="replace").strip()[:100]
            raise self._error(f"did not answer, but said {heard!r}" if heard else "did not answer") from None
        if "error" in answer:
            raise self._error(answer["error"])
        return answer

    def end(self) -> None:
        """Let go of the other end."""
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            with _quietly():
                stream.close()
        self._process.wait()

    def _error(self, what: str) -> ClusterError:
        self._said.seek(0)
        said = self._said.read().decode(errors="replace").strip()[-500:]
        return ClusterError(f"{self._name}: {what}" + (f" ({said})" if said else ""))


@contextmanager
def _receiver_at(name: str, via: str, program: str) -> Iterator[_Receiver]:
    """What writes the part `name`: here, or for "host:directory" a program on that host."""
    remote = _REMOTE.fullmatch(name)
    if remote is None:
        with told_of(Path(name)), PartitionWriter(Path(name)) as writer:
            yield writer
        return
    if remote[1].startswith("-"):  # the program would read it as an option
        raise InvalidArgumentError(f"{name!r} names no host; write ./ before a directory whose name has a colon")
    command = [*shlex.split(via), remote[1], shlex.join([program, "distribute", remote[2], "--receive"])]
    with tempfile.TemporaryFile() as said:
        try:
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said)
        except OSError as error:
            raise ClusterError(f"{command[0]} cannot be started ({error}); name another program with --via") from error
        remote_writer = _Remote(process, name, said)
        try:
            yield remote_writer
        finally:
            remote_writer.end()


@contextmanager
def _quietly() -> Iterator[None]:
    try:
        yield
    except OSError:
        return


@contextmanager
def _opened(path: Path | None) -> Iterator[IO[bytes] | None]:
    """A file to read, if there is one."""
    try:
        file = None if path is None else open(path, "rb", buffering=0)  # noqa: SIM115 - closed below
    except OSError:
        file = None
    try:
        yield file
    finally:
        if file is not None:
            file.close()


def receive(place: Path, source: IO[bytes], answers: IO[bytes]) -> None:
    """Be the other end of `rizoma.distribute` on this host."""

    def answer(**said: Any) -> None:
        answers.write(json.dumps(said).encode() + b"\n")
        answers.flush()

    def exactly(size: int) -> Chunks:
        while size > 0:
            chunk = source.read(min(_CHUNK, size))
            if not chunk:
                raise StorageError("the sender ended too early")
            size -= len(chunk)
            yield chunk

    try:
        here = place.expanduser()  # quoted, because no shell has removed the quotes
        with told_of(here), PartitionWriter(here) as writer:
            offer = Offer.of_json(source.readline())
            wanted = writer.wants(offer)
            answer(wants=wanted)
            for number in wanted:
                writer.take(number, exactly(offer.pieces[number].bytes))
            if source.read(1):
                raise StorageError("the sender sent more than was asked for")
            writer.finish()
        answer(done=True)
    except Exception as error:
        answer(error=str(error) or type(error).__name__)
        raise
