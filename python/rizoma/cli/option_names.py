"""Errors name the arguments of Python; on the command line they are to name the command's options."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, get_args, get_origin, get_type_hints

__all__ = ["in_options"]

# What an error asks for: a verb, the argument, perhaps a value, perhaps the option already.
_ASKED = re.compile(
    r"""\b(?P<verb>with|not|give|say|leave)[ ](?P<name>[a-z_]+)=
        (?P<value>"[^"]*"|'[^']*'|\w+)?(?:[ ]or[ ](?:True|False))?
        (?:[ ]\((?P<option>--[^)]+)\)|,[ ](?P<behind>--[-\w]+))?""",
    re.VERBOSE,
)
# The argument with the option behind it: (weights=False; --weights none).
_BOTH = re.compile(r"""\([a-z_]+=[^();]*?[;,] (?P<options>--[^()]+)\)""")
# An argument with its value, as an error quotes it: weight='amount', max_iter=100.
_NAMED = re.compile(r"""(?<![-\w.(])(?P<name>[a-z_]+)=(?P<value>"[^"]*"|'[^']*'|None|\d[\w.+-]*)(?![\w=(])""")
# The same in words, with the option behind them: parallel_edges="keep" keeps an edge for each (--parallel-edges keep).
_EXPLAINED = re.compile(
    r"""\b[a-z_]+=(?:"[^"]*"|\w+)(?:[ ]and[ ][a-z_]+=(?:"[^"]*"|\w+))*
        (?P<words>(?:[ ][^();=]*?)?)[ ]\((?P<option>--[^()]+)\)""",
    re.VERBOSE,
)
# What was decided as the graph was made: a command that changes it has no such option.
_DECIDED_AT_IMPORT = {"ids": "rizoma import --ids"}

_UNDIRECTED = "make one: rizoma export STORE edges.csv, then rizoma import NEW.rz edges.csv --undirected"

# What a command must have (empty: nothing), what Python's messages say, and what is typed.
_PHRASES = (
    ("missing", r" \(row \d+\); add_vertices adds it", "; leave out --missing error to pass over such"),
    ("select", r"give each by itself:", "give each behind an option of its own:"),
    ("param", r"pass (\w+)=\.\.\.", r"give --param \1=VALUE"),
    ("type_column", r"\b(label|type)_column names another", r"--\1-column names another"),
    ("", r"add_column\('(\w+)', '(\w+)', of='vertices'\)", r"rizoma import --vertex-column \1:\2"),
    ("", r"add_column\('(\w+)', '(\w+)', of='edges'\)", r"rizoma import --edge-column \1:\2"),
    ("", r", or open it for reading only(?: \(if that process was just killed, try again\))?$", ""),
    ("", r", or a copy without the columns \(copy_to, drop_column\)", ""),
    ("", r"\brizoma\.read(?:\([^)]*\))? and rizoma import (make|read)\b", r"rizoma import \1s"),
    ("", r", rizoma\.check\(path\)", ""),
    ("", r"(?:give|make one by|(?:give an undirected one, )?such as) g\.undirected\(\)", _UNDIRECTED),
    ("", r"; graph\.add_column\(name, type\) adds one", ""),
    ("", r"rizoma\.open\(None\) makes a graph in memory.*", "a store is a directory on disk"),
    ("", r"read this with the columns that the predicate .*", "import all, and choose rows by export or match --where"),
    ("param", r"leave (\w+)= out, or use it", r"leave --param \1 out, or use it"),
    ("vertices", r"or vertices= and edges=", "or --vertices and --edges"),
    ("where", r"\bwhere= is for", "--where is for"),
    ("at", r"\brizoma\.open\(path, at=[^)]*\)", "--at TAG"),
)


def in_options(text: str, function: Callable[..., Any]) -> str:
    """The text with `ids="string"` as `--ids string`, where the command that `function` is has such an option.

    Where it has none, as of what was decided at the import, the command that has it is named.
    """
    options = {name: hint for name, hint in get_type_hints(function, include_extras=True).items() if name != "return"}

    def own_of(argument: str) -> str | None:
        return next((name for name in _names(argument) if name in options), None)

    def as_option(match: re.Match[str]) -> str:
        option = match["option"] or match["behind"]
        if option is None:
            own = own_of(match["name"])
            value = (match["value"] or "").strip("\"'")
            if own is not None:
                option = _spelled(own, options[own], value)
            elif value and match["name"] in _DECIDED_AT_IMPORT:
                option = f"{_DECIDED_AT_IMPORT[match['name']]} {value}"
            else:
                return match[0]
        return f"{match['verb']} {option}"

    def quoted(match: re.Match[str]) -> str:
        own = own_of(match["name"])
        value = "none" if match["value"] == "None" else match["value"].strip("\"'")
        return match[0] if own is None else _spelled(own, options[own], value)

    for wanted, python, command in _PHRASES:
        if wanted in options or not wanted:
            text = re.sub(python, command, text)
    text = _EXPLAINED.sub(r"\g<option>\g<words>", _ASKED.sub(as_option, text))
    said, newline, shown = _BOTH.sub(r"(\g<options>)", text).partition("\n")
    return _NAMED.sub(quoted, said) + newline + shown


def _names(argument: str) -> tuple[str, ...]:
    """Which parameters of a command may stand for an argument of Python."""
    one = argument.removesuffix("s")
    return argument, f"{argument}_column", f"{one}_column", one


def _spelled(name: str, hint: Any, value: str) -> str:
    """The option of a parameter as it is typed."""
    kind, *details = get_args(hint) if get_origin(hint) is not None else (hint,)
    # The first name that an annotation gives is where typer otherwise has the default.
    given = [
        word
        for detail in details
        if hasattr(detail, "param_decls")  # an option of typer, which is not imported to tell
        for word in (detail.default, *(detail.param_decls or ()))
    ]
    if any(type(detail).__name__ == "ArgumentInfo" for detail in details):
        return f"{name} {value!r}"
    words = next((str(word) for word in given if str(word).startswith("--")), "--" + name.replace("_", "-"))
    if kind is bool or bool in get_args(kind):
        yes, _, no = words.partition("/")
        return (no or yes) if value == "False" else yes
    if value in ("", "True", "False"):
        return words
    return f'{words} "{value}"' if re.search(r"[\s<>(]", value) else f"{words} {value}"
