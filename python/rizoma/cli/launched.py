"""A command that an MPI launcher has started on several ranks: one of them speaks for all."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from .. import _core
from ..core.errors import RizomaError
from ..distributed.ranks import join, launched, leave
from .app import exit_code, say_error

__all__ = ["launched_ranks", "speaks"]

# Seconds after which all ranks end.  The launcher kills the others as soon as one has ended: the speaker would not be
# heard then, and the exit code would be that of the kill.
_LAST_WORD = 1.0


@contextmanager
def launched_ranks() -> Iterator[_core.Ranks | None]:
    """Join the other ranks, and leave together; None if this process is alone.

    Where something went wrong, one rank says so, and the processes end at once: MPI cannot be ended in order
    once a rank is lost.
    """
    if not launched():
        yield None
        return
    ranks = join()
    ranks.answers_to = 0
    try:
        yield ranks
        leave()
    except (RizomaError, OSError, MemoryError) as error:
        ranks.abort(str(error))
        end = time.monotonic() + _LAST_WORD
        if ranks.rank == (1 if str(error).startswith("rank 0 ") else 0):
            say_error(error)
        sys.stdout.flush()
        sys.stderr.flush()
        time.sleep(max(0.0, end - time.monotonic()))
        os._exit(exit_code(error))


def speaks(ranks: _core.Ranks | None) -> bool:
    """Whether this process shows the answer."""
    return ranks is None or ranks.rank == 0
