"""How the function of a command is run: an error becomes one line on stderr and an exit code."""

from __future__ import annotations

import inspect
import os
import sys
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any

from ..core.errors import ReadWarning, RizomaError
from ..core.files import is_store
from .exit_codes import EXIT_INTERRUPTED, EXIT_PIPE
from .option_names import in_options
from .speaking import speaks_of_error
from .terminal import exit_code, say, say_error

__all__ = ["OUTPUT", "SaidWarnings", "drop_output", "run_guarded"]

OUTPUT = "standard output"
"""The name of the file that standard output has in errors."""


def _with_order(error: Exception, function: Callable[..., Any], arguments: Mapping[str, Any]) -> Exception:
    """The error; of a store in another place than the first, where it belongs, that it does."""
    store = arguments.get("store")
    if not isinstance(error, RizomaError) or not isinstance(store, Path) or _leads_to_store(store):
        return error
    first = next(iter(inspect.signature(function).parameters))
    given = chain.from_iterable(each if isinstance(each, list) else [each] for each in arguments.values())
    meant = next((each for each in given if _leads_to_store(each)), None)
    if meant is None or first != "store" or str(store) not in str(error):
        return error
    return type(error)(f"there is no graph at {store}; the store comes first, and {meant} is one")


def _leads_to_store(argument: object) -> bool:
    """False for what cannot be a path, too, such as a long query."""
    with suppress(OSError, ValueError):
        return isinstance(argument, (str, Path)) and is_store(Path(argument))
    return False


def drop_output() -> None:
    """Forget what standard output still holds: it cannot take any."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _placed(error: Exception) -> Exception:
    """The error; one of the system in its words, with the file."""
    if isinstance(error, RizomaError) or not isinstance(error, OSError) or not error.filename:
        return error
    if error.filename == OUTPUT:
        drop_output()
    return OSError(f"{error.filename}: {error.strerror}")


class SaidWarnings:
    """Prints what calls warn of as commands say all else, with the options of the command that runs.

    Of a `ReadWarning` the line of this package that called it says nothing.
    """

    function: Callable[..., Any] | None = None  # that the command is

    def __call__(
        self,
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: object = None,
        line: object = None,
    ) -> None:
        """Print one, as `warnings.showwarning` is called."""
        place = "" if issubclass(category, ReadWarning) else f"{filename}:{lineno}: {category.__name__}: "
        said = str(message) if self.function is None else in_options(str(message), self.function)
        print(f"rizoma: {place}{said}", file=sys.stderr)


def run_guarded(function: Callable[..., Any], *args: Any, **kwargs: Any) -> int:
    """Call it, and return the exit code; other exceptions than errors of the user pass."""
    if isinstance(warnings.showwarning, SaidWarnings):
        warnings.showwarning.function = function
    try:
        function(*args, **kwargs)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of standard output has enough, as `head` has
        drop_output()
        return EXIT_PIPE
    except (RizomaError, OSError, MemoryError) as error:
        if os.environ.get("RIZOMA_DEBUG"):
            raise
        if speaks_of_error(str(error)):
            say_error(_with_order(_placed(error), function, kwargs), function)
        return exit_code(error)
    except KeyboardInterrupt:
        say("rizoma: interrupted; nothing half-done was left behind")
        return EXIT_INTERRUPTED
    return 0
