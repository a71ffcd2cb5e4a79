"""The types that Arrow reads the columns of a CSV file as, and what it says of values that do not fit."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..core.display import shortened
from ..core.lazy_arrow import pa
from ..graph.schema import arrow_type
from .float_lists import LIST

__all__ = ["read_as", "told_of_columns", "types_to_read"]


def read_as(kind: str) -> pa.DataType:
    """The type that a column of text is read as: moments with any fraction of a second, which must fit later."""
    if kind == LIST:
        return pa.string()
    coarse = ("timestamp[s]", "timestamp[ms]")
    return pa.timestamp("us") if kind in coarse else arrow_type(kind)


def types_to_read(kinds: Mapping[str, str], seen: pa.Schema) -> dict[str, pa.DataType]:
    """The types that columns of text are read as; moments with a zone if the first lines, read as `seen`, have one."""
    types = {name: read_as(kind) for name, kind in kinds.items()}
    for field in seen:
        if pa.types.is_timestamp(field.type) and field.type.tz is not None and field.name in types:
            types[field.name] = pa.timestamp(types[field.name].unit, field.type.tz)
    return types


def told_of_columns(error: pa.ArrowInvalid, columns: list[str]) -> str:
    """What Arrow says of a CSV file, with the name of the column in place of its number."""

    def named(match: re.Match[str]) -> str:
        return f"column {columns[int(match[1])]!r} cannot be read as {match[2]}: "

    said = re.sub(r"In CSV column #(\d+): CSV conversion error to ([^:]+): ", named, str(error))
    if "zone offset" in said:
        said = said.partition(". If these timestamps")[0]
        said += " (some lines have a zone and others none; keep it as string)"
    return shortened(said, 300)
