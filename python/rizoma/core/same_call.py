"""The first collective of every call on ranks: all ranks make the same call, or all get one error.

Each rank sends a hash of its call: the name and a text of each argument.  Where the hashes differ, further collectives
find the first argument that differs, and its value on every rank.  Cost: one collective of 8 bytes a call.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping, Set
from hashlib import blake2b
from typing import Any

from .. import _core
from .config import current
from .errors import InvalidArgumentError
from .lazy_numpy import np

__all__ = ["argument_text", "arguments_of", "expect_same_call"]

_LOCAL = {"threads", "progress", "memory_limit"}  # each rank has its own
_LONGEST = 80  # characters of a value in an error
_WORD = 8  # bytes of text in a collective


def arguments_of(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, str]:
    """Return the texts of a call's arguments after the first, defaults included; of a wrong call what is wrong with it.

    Settings that change what a kernel does are arguments, too.
    """
    settings = current()
    signature = inspect.signature(function)
    names = [name for name in list(signature.parameters)[1:] if name not in _LOCAL]
    try:
        bound = signature.bind(None, *args, **kwargs)
        bound.apply_defaults()
        texts = {"arguments": "valid", **{name: argument_text(bound.arguments[name]) for name in names}}
    except TypeError as error:
        texts = {"arguments": str(error), **dict.fromkeys(names, "not known")}
    return {**texts, "checkpoint": argument_text(settings.checkpoint), "resume": argument_text(settings.resume)}


def argument_text(value: Any) -> str:
    """Return a text that is the same on all ranks if the value is; a long one is cut, and ends with a hash."""
    text = _text_of(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 20]}... ({_hash(text):016x})"


def _text_of(value: Any) -> str:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, np.ndarray):
        content = value.tobytes() if value.dtype != object else repr(value.tolist()).encode()
        return f"array of {value.shape} {value.dtype} ({_hash(content):016x})"
    if isinstance(value, Mapping):
        return "{" + ", ".join(sorted(f"{_text_of(k)}: {_text_of(v)}" for k, v in value.items())) + "}"
    if isinstance(value, Set):
        return "{" + ", ".join(sorted(map(_text_of, value))) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_text_of, value)) + "]"
    call = getattr(value, "_call", None)  # of a result: the call that made it
    if call is not None:
        return f"the result of {call}"
    plain = value is None or isinstance(value, (bool, int, float, str, bytes))
    return repr(value) if plain else type(value).__name__


def expect_same_call(ranks: _core.Ranks, name: str, arguments: Mapping[str, str]) -> str:
    """Raise on all ranks unless they make the same call with the same arguments; return its text.  Collective."""
    call = json.dumps([name, list(arguments.items())])
    if _same(ranks, call):
        return f"{name}({', '.join(f'{key}={text}' for key, text in arguments.items())})"
    if not _same(ranks, name):
        raise InvalidArgumentError(
            f"ranks make different calls: {_values(ranks, name)}; "
            "make the same calls on the graph in the same order on all ranks"
        )
    names = ", ".join(arguments)
    if not _same(ranks, names):
        raise InvalidArgumentError(
            f"ranks give {name} different options: {_values(ranks, names)}; give all ranks the same"
        )
    for key, text in arguments.items():
        if not _same(ranks, text):
            raise InvalidArgumentError(
                f"{key} of {name} differs between ranks: {_values(ranks, text)}; give all ranks the same {key}"
            )
    raise InvalidArgumentError(f"ranks give {name} different arguments; give all ranks the same")


def _same(ranks: _core.Ranks, text: str) -> bool:
    return len(set(ranks.all(_hash(text)))) == 1


def _values(ranks: _core.Ranks, text: str) -> str:
    """Return every value with the ranks that have it.  Collective."""
    by_value: dict[str, list[str]] = {}
    for rank, theirs in enumerate(_gathered(ranks, text)):
        by_value.setdefault(theirs, []).append(ranks.name_of(rank))
    return "; ".join(f"{value} on {', '.join(names)}" for value, names in by_value.items())


def _gathered(ranks: _core.Ranks, text: str) -> list[str]:
    """Return the texts of all ranks, which are short.  Collective."""
    mine = text.encode()
    sizes = ranks.all(len(mine))
    words = [
        ranks.all(int.from_bytes(mine[begin : begin + _WORD].ljust(_WORD, b"\0"), "little"))
        for begin in range(0, max(sizes), _WORD)
    ]
    texts = (b"".join(word[rank].to_bytes(_WORD, "little") for word in words) for rank in range(ranks.size))
    return [theirs[:size].decode(errors="replace") for theirs, size in zip(texts, sizes, strict=True)]


def _hash(content: str | bytes) -> int:
    data = content.encode() if isinstance(content, str) else content
    return int.from_bytes(blake2b(data, digest_size=_WORD).digest(), "little")
