"""Values in the place of `$names` in patterns and predicates."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from ..core.errors import InvalidArgumentError
from ..core.lazy_numpy import np

__all__ = ["filled", "literal_text", "with_names"]

_QUOTED_OR_NAME = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\$(\w+)""")


_NAME = re.compile(
    r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|\d[\w.]*|(?P<of>\.\s*)?(?:`(?P<quoted>(?:[^`]|``)*)`|(?P<word>[^\W\d]\w*))"""
)


def with_names(text: str, names: Mapping[str, str | None]) -> str:
    """A predicate over other names of vertices and edges; columns stay what they are.

    Raises InvalidArgumentError for a name that has none: None in `names`.
    """

    def other(found: re.Match[str]) -> str:
        name = found["word"] or (found["quoted"] or "").replace("``", "`")
        if found["of"] or name not in names:
            return found[0]
        made = names[name]
        if made is None:
            raise InvalidArgumentError(
                f"where tests what the engine matches, and {name!r} is reached by a path or an optional part; state "
                f"what it is there, as in ({name} {{age: 30}}), or use g.query"
            )
        return made

    return _NAME.sub(other, text)


def literal_text(value: Any) -> str | None:
    """A value as predicates write it; None: they cannot."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value) if value == value and abs(value) != float("inf") else None
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, datetime):
        utc = value if value.tzinfo is None else value.astimezone(UTC).replace(tzinfo=None)
        return f"timestamp '{utc.isoformat(sep=' ')}'"
    if isinstance(value, date):
        return f"date '{value.isoformat()}'"
    return None


def filled(texts: Sequence[str], parameters: Mapping[str, Any]) -> list[str]:
    """The texts with the values of their `$names`.

    Raises InvalidArgumentError for a name without a value, a value without a name, and a value that has no literal.
    """
    used: set[str] = set()

    def value(found: re.Match[str]) -> str:
        name = found[1]
        if name is None:
            return found[0]
        if name not in parameters:
            raise InvalidArgumentError(f"no value is given for ${name}; give {name}=...")
        used.add(name)
        return _written(name, parameters[name])

    made = [_QUOTED_OR_NAME.sub(value, text) for text in texts]
    for name in parameters:
        if name not in used:
            raise InvalidArgumentError(f"nothing here is called ${name}; leave {name}= out, or use it")
    return made


def _written(name: str, value: Any) -> str:
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (list, tuple, set, frozenset)):
        return f"({', '.join(_written(name, each) for each in value)})"
    text = literal_text(value)
    if text is None:
        raise InvalidArgumentError(
            f"{name}={value!r} cannot stand in a predicate; give a number, text, truth value, time, or a list of these"
        )
    return text
