"""What messages write in Python's words, in those of a command.

A message of the core or of the package writes an argument as in a call, `ids=` or `ids="string"`, and never the option
beside it; the command shows the option that is typed instead.  Where the command that runs has no such option, as of
what was decided when the graph was made, the one of `rizoma import` is meant.
"""

from __future__ import annotations

import re
import shlex
from ast import literal_eval
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Annotated, Any, get_args, get_origin, get_type_hints

__all__ = ["in_options"]

_CALLS = {
    "rizoma.read(address, into=path)": "rizoma import",
    "rizoma.read": "rizoma import",
    "rizoma.check(path)": "rizoma check STORE",
    "add_vertices": "rizoma add",
    "add_edges": "rizoma add",
    "g.where(edges=...)": "rizoma export --where",
    "g.undirected()": "one made by rizoma export STORE edges.csv, rizoma import NEW.rz edges.csv --undirected",
}
"""What a command does, by the call that does it in Python."""

_CALL = rf"""(?<![\w.])(?P<call>{"|".join(map(re.escape, _CALLS))})(?![\w(])"""
_TEXT = r"""(?<!\w)(?:"[^"]*"|'[^']*')"""  # of the user
_OTHER_CALL = r"""\w[\w.]*\([^()]+\)"""
_VALUE = r""""[^"]*"|'[^']*'|\{[^{}]*\}|\[[^][]*\]|\.\.\.|\d[\w.]*e-\d+|[\w.]*\w"""
_ARGUMENT = rf"""(?<![-\w$.])(?P<name>[a-z][a-z_]*)=(?!=)(?P<value>{_VALUE}|)"""
_IN_WORDS = re.compile("|".join((_CALL, _TEXT, _OTHER_CALL, _ARGUMENT)))

_PARAMETERS = {
    "source": "source_column",
    "target": "target_column",
    "weight": "weight_column",
    "edges": "edge_column",
    "vertices": "vertex_column",
    "vertex_files": "vertices",
}
"""By argument: the parameter of commands that read files which stands for it."""


def in_options(text: str, function: Callable[..., Any]) -> str:
    """The text with `ids="string"` as `--ids string` of the command that `function` is."""
    own, imports = _Options(function), None

    def typed(found: re.Match[str]) -> str:
        nonlocal imports
        if found["call"]:
            return _CALLS[found["call"]]
        if not found["name"]:
            return found[0]
        name, value = found["name"], found["value"]
        if f"${name}" in text:  # a parameter of the query
            return f"--param {name}" + ("=VALUE" if value else "")
        option = own.typed(name, value)
        if option is None and value:
            imports = imports or _Options(import_module(f"{__package__}.import_").import_files)
            option = imports.typed(name, value, "rizoma import ")
        return found[0] if option is None else option

    said, newline, shown = text.partition("\n")  # the lines behind it show a place in a text
    return _IN_WORDS.sub(typed, said) + newline + shown


class _Options:
    """The options of a command, by the parameters of its function."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._hints: Mapping[str, Any] = get_type_hints(function, include_extras=True)

    def typed(self, name: str, value: str, command: str = "") -> str | None:
        """An argument, with its value or "", as it is typed behind `command`; None: there is no such option."""
        own = next((each for each in (_PARAMETERS.get(name, ""), name) if each in self._hints), None)
        if own is None or own == "return":
            return None
        hint = self._hints[own]
        kind, details = (hint.__origin__, hint.__metadata__) if get_origin(hint) is Annotated else (hint, ())
        if any(type(detail).__name__ == "ArgumentInfo" for detail in details):
            return None if command else f"{own} {value}".rstrip()
        yes, no = _names(own, details)
        if kind is bool or bool in get_args(kind):
            return command + (no if value == "False" and no else yes)
        return f"{command}{yes} {_word(value)}".rstrip()


def _names(parameter: str, details: tuple[Any, ...]) -> tuple[str, str]:
    """The option of a parameter, and what says no to it, or nothing."""
    # The first name that an annotation gives is where typer otherwise has the default.
    given = [str(name) for each in details for name in (each.default, *(each.param_decls or ()))]
    own = next((name for name in given if name.startswith("--")), "--" + parameter.replace("_", "-"))
    yes, _, no = own.partition("/")
    return yes, no


def _word(value: str) -> str:
    """A value of Python as a word of the shell; nothing for what an option says by itself."""
    if value in ("", "True", "...", "{...}", "[...]"):
        return ""
    if value in ("False", "None"):
        return "none"
    try:
        given = literal_eval(value)
    except (SyntaxError, ValueError):
        given = value  # a name without quotes
    if isinstance(given, dict):
        given = [f"{name}:{kind}" for name, kind in given.items()]
    text = str(next(iter(given), "") if isinstance(given, list) else given)
    plain = shlex.quote(text) == text or not text or set('"$`\\!') & {*text}
    return shlex.quote(text) if plain else f'"{text}"'
