"""A command that an MPI launcher has started on several ranks: one of them speaks for all."""

from __future__ import annotations

import math
import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from .. import _core
from ..core.errors import InvalidArgumentError, RizomaError
from ..core.launcher import launched
from ..distributed.ranks import join, joined, leave
from ..distributed.rendezvous import MissingRanksError, end_job, wait_for_speaker
from .exit_codes import EXIT_ERROR, EXIT_USAGE
from .terminal import exit_code, say_error

__all__ = ["expect_shared", "launched_ranks", "speaks", "speaks_of_error"]

_SHARING = ("import", "match", "run")  # the commands of which several processes make one
_OF_EACH = ("info", "version")  # what each process may say of its own machine

# Seconds after which all ranks end, at a moment that the clock tells all of a host.  The launcher kills the others as
# soon as one has ended: the speaker's output would be lost then, and the exit code would be that of the kill.
_LAST_WORD = 1.0
_MOMENTS = 2.0  # seconds from one such moment to the next
_FIRST_LOST = re.compile(r"rank 0 \(process \d+ on [^)]*\) is lost")


@contextmanager
def launched_ranks() -> Iterator[_core.Ranks | None]:
    """Join the other ranks, and leave together; None if this process is alone.

    Where something went wrong, one rank says so, and the processes end at once: MPI cannot be ended in order
    once a rank is lost.
    """
    if not launched():
        yield None
        return
    ranks = _join()
    ranks.answers_to = 0
    try:
        ranks.finalize()
    except RizomaError as error:  # the command of another rank is wrong: nothing has begun
        _end_in_order(error if ranks.rank == 0 else None, EXIT_USAGE)
    try:
        yield ranks
        leave()
    except (RizomaError, OSError, MemoryError) as error:
        ranks.abort(str(error))
        end = math.ceil((time.time() + _LAST_WORD) / _MOMENTS) * _MOMENTS
        if ranks.rank == (1 if _FIRST_LOST.match(str(error)) else 0):
            say_error(error)
        _flush()
        time.sleep(max(0.0, end - time.time()))
        os._exit(exit_code(error))


def _join() -> _core.Ranks:
    """Join the other ranks; if some never start, one of the others names them, and all end."""
    try:
        return join()
    except MissingRanksError as error:
        if os.environ["PMI_RANK"] == str(error.speaker):
            say_error(error)
            _flush()
            end_job()
        else:
            wait_for_speaker()
        os._exit(EXIT_ERROR)


def _end_in_order(error: Exception | None, code: int) -> NoReturn:
    """End MPI and this process, as all ranks do now."""
    if error is not None:
        say_error(error)
    _flush()
    leave()
    os._exit(code)


def _flush() -> None:
    sys.stdout.flush()
    sys.stderr.flush()


def expect_shared() -> None:
    """Raise InvalidArgumentError if each process would do for itself what the command does; the first speaks."""
    name = next(iter(_words()), "")
    if name in (*_SHARING, *_OF_EACH):
        return
    if os.environ.get("PMI_RANK", "0") != "0" and _is_rank():
        sys.exit(EXIT_USAGE)
    raise InvalidArgumentError(
        f"rizoma {name} is the work of one process, and several were started: run it without mpiexec; "
        f"ranks share {', '.join(_SHARING)}"
    )


def _is_rank() -> bool:
    """Whether the launcher listens to this very process, not to one that has started it."""
    try:
        os.fstat(int(os.environ["PMI_FD"]))
    except (KeyError, ValueError, OSError):
        return False
    return True


def _words() -> list[str]:
    return [word for word in sys.argv[1:] if not word.startswith("-")]


def speaks_of_error(message: str) -> bool:
    """Whether this process shows an error that came before ranks joined, such as a wrong option: the first rank does.

    Collective with `launched_ranks` of the ranks whose command is right, which end with this error.
    """
    words = _words()
    if not launched() or joined() or not words or words[0] not in _SHARING:
        return True
    try:
        ranks = _join()
        ranks.finalize(message)
        if ranks.rank != 0:
            leave()  # it waits until the first rank has reported and ended
            return False
    except (RizomaError, OSError):  # there is no MPI, or it is lost
        return True
    return True


def speaks(ranks: _core.Ranks | None) -> bool:
    """Whether this process shows the answer."""
    return ranks is None or ranks.rank == 0
