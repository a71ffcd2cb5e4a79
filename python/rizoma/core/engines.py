"""Engines (threads) of this process, made when first needed and used again.

An engine runs one call at a time, so calls from several Python threads take one each.
"""

from __future__ import annotations

import atexit
import os
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from .. import _core
from .config import checked_threads, current
from .errors import ClusterError, InvalidArgumentError, StorageError
from .placements import engine_placement
from .progress import progress_bar

__all__ = ["ProgressFunction", "ProgressOption", "answers_here", "engine", "local_threads", "on_ranks", "ranks_here"]

ProgressFunction = Callable[[str, float, float], object]
"""Called as f(phase, done, total) some twenty times a second at most; an exception stops the call."""

ProgressOption = ProgressFunction | bool | None

_lock = threading.Lock()
# Threads, placement, tiers, who shares the work, the limit of memory, where vertex state goes.
_Kind = tuple[int, str, str, _core.Ranks | None, int, str]
_idle: defaultdict[_Kind, list[_core.Engine]] = defaultdict(list)


_sharing: ContextVar[_core.Ranks | None] = ContextVar("sharing", default=None)


@contextmanager
def on_ranks(ranks: _core.Ranks | None) -> Iterator[None]:
    """Let the engines borrowed meanwhile share their work with these ranks; None: this process alone.

    A rank that is lost is a `ClusterError`.
    """
    token = _sharing.set(ranks)
    try:
        yield
    except StorageError as error:
        if ranks is None or ranks.well:
            raise
        raise ClusterError(str(error)) from None
    finally:
        _sharing.reset(token)


def answers_here() -> bool:
    """Whether the values of all vertices come to this process: there are no ranks, or they answer to this one."""
    ranks = _sharing.get()
    return ranks is None or ranks.answers_to < 0 or ranks.answers_to == ranks.rank


@contextmanager
def engine(
    threads: int | None = None, progress: ProgressFunction | bool | None = None, placement: str | None = None
) -> Iterator[_core.Engine]:
    """Borrow an engine with `threads` threads and `placement` (None: as configured) that reports to `progress`."""
    now = current()
    count = now.threads if threads is None else checked_threads(threads)
    if progress is None:
        progress = now.progress
    if not isinstance(progress, bool) and not callable(progress):
        raise InvalidArgumentError(f"progress is {progress!r}; it must be True, False or a function")
    placed = engine_placement(placement or now.placement, count)
    kind = (count, placed, now.tiers, _sharing.get(), now.memory_limit, now.state_directory)
    with _lock:
        borrowed = _idle[kind].pop() if _idle[kind] else None
    if borrowed is None:
        borrowed = _start(kind)
    try:
        if progress is True:
            with progress_bar() as bar:
                borrowed.set_progress(bar)
                yield borrowed
        else:
            borrowed.set_progress(progress or None)
            yield borrowed
    finally:
        borrowed.set_progress(None)
        with _lock:
            _idle[kind].append(borrowed)


def _start(kind: _Kind) -> _core.Engine:
    try:
        return _core.Engine(*kind)
    except RuntimeError as error:
        raise StorageError(f"cannot start {kind[0]} threads: {error}; ask for fewer") from error


def _forget_engines() -> None:
    """Forget the engines in a forked child, which lacks their threads: they are neither used nor joined."""
    global _lock
    _lock = threading.Lock()
    _core.forget_calls()
    for engines in _idle.values():
        for old in engines:
            old.abandon()
    _idle.clear()


def _leave() -> None:
    """Stop calls before the interpreter is finalized: daemon threads may be in one, which must end first."""
    _core.finish_calls(any(thread.daemon and thread.is_alive() for thread in threading.enumerate()))
    _idle.clear()


os.register_at_fork(after_in_child=_forget_engines)
atexit.register(_leave)


def ranks_here(ranks: _core.Ranks) -> int:
    """How many of the ranks share this machine; all of them, if the launcher does not say."""
    local = os.environ.get("MPI_LOCALNRANKS") or os.environ.get("OMPI_COMM_WORLD_LOCAL_SIZE") or ""
    return int(local) if local.isdigit() and int(local) > 0 else ranks.size


def local_threads(ranks: _core.Ranks) -> int:
    """This rank's part of the processors, which the ranks of a machine share."""
    return max(1, len(os.sched_getaffinity(0)) // ranks_here(ranks))
