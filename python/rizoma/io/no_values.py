"""Columns of CSV files that are text only because a text such as NA stands for no value among their numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from .. import _core
from ..core.errors import RizomaError
from ..core.lazy_arrow import pa
from ..graph.tables.text_options import CsvOptions

__all__ = ["text_for_no_value"]

_LOOKED_AT = 1 << 20  # bytes

Kinds = Mapping[str, "str | None"]


def text_for_no_value(
    path: Path, kinds: Kinds, kinds_with: Callable[[CsvOptions], Kinds], csv: CsvOptions
) -> list[str]:
    """What to say of text columns that would have another type if a text in them stood for no value.

    `kinds`: the types of the columns by the first lines; `kinds_with` finds them with other options.
    """
    if csv.null is not None or "string" not in kinds.values():
        return []
    with suppress(OSError, pa.ArrowInvalid), pa.input_stream(str(path), compression="detect") as stream:
        head = bytes(stream.read(_LOOKED_AT))
        return [said for text in _texts_in(head) for said in _said_of(text, kinds, kinds_with, csv)]
    return []


def _texts_in(head: bytes) -> list[str]:
    """What programs write for no value, if it is a field."""
    texts = [text for text in _core.no_value_texts() if text and text.encode() in head]
    some = b"|".join(re.escape(text.encode()) for text in texts)
    fields = set(re.findall(rb"(?<![^,;|\t\n])(?:" + some + rb")(?=[,;|\t\r\n])", head)) if texts else set()
    return [text for text in texts if text.encode() in fields]


def _said_of(text: str, kinds: Kinds, kinds_with: Callable[[CsvOptions], Kinds], csv: CsvOptions) -> list[str]:
    with suppress(RizomaError):  # with this text for no value the file cannot be read so
        return [
            f"{name!r} is kept as text because of {text!r} in it: null={text!r} reads that as no value, and "
            f"the column as {kind}"
            for name, kind in kinds_with(csv.with_options(null=text)).items()
            if kinds.get(name) == "string" and kind not in ("string", None)
        ]
    return []
