"""How the function of a command is run: an error becomes one line on stderr and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..core.errors import RizomaError
from ..core.files import is_store
from .exit_codes import EXIT_INTERRUPTED, EXIT_PIPE
from .speaking import speaks_of_error
from .terminal import exit_code, say, say_error

__all__ = ["run_guarded"]


def _with_order(error: Exception, arguments: Mapping[str, Any]) -> Exception:
    """The error; where another argument than that of the store is one, with the order of arguments."""
    store = arguments.get("store")
    if not isinstance(error, RizomaError) or not isinstance(store, Path) or _leads_to_store(store):
        return error
    meant = next((each for each in arguments.values() if _leads_to_store(each)), None)
    return error if meant is None else type(error)(f"{error}; the store comes first, and {meant} is one")


def _leads_to_store(argument: object) -> bool:
    """False for what cannot be a path, too, such as a long query."""
    with suppress(OSError, ValueError):
        return isinstance(argument, (str, Path)) and is_store(Path(argument))
    return False


def run_guarded(function: Callable[..., Any], *args: Any, **kwargs: Any) -> int:
    """Call it, and return the exit code; other exceptions than errors of the user pass."""
    try:
        function(*args, **kwargs)
    except BrokenPipeError:  # the reader of standard output has enough, as `head` has
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_PIPE
    except (RizomaError, OSError, MemoryError) as error:
        if os.environ.get("RIZOMA_DEBUG"):
            raise
        if speaks_of_error(str(error)):
            say_error(_with_order(error, kwargs), function)
        return exit_code(error)
    except KeyboardInterrupt:
        say("rizoma: interrupted; nothing half-done was left behind")
        return EXIT_INTERRUPTED
    return 0
