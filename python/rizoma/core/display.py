"""Short tables for the terminal and for notebooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from .lazy_arrow import pa
from .lazy_numpy import np
from .printable import printable

__all__ = ["cell", "cells", "html_rows", "html_table", "number_of", "shortened", "text_table"]

_NARROWEST = 8  # letters of a column that is cut


def number_of(count: int, one: str, many: str = "") -> str:
    """A number and what it counts."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def shortened(text: str, longest: int = 60) -> str:
    """A text of a file, or one that may have such a text in it, as a message has it."""
    return printable(text if len(text) <= longest else text[:longest] + "...")


def _cells(table: pa.Table) -> list[list[str]]:
    return [list(row) for row in zip(*map(cells, table.columns), strict=True)]


def cells(column: pa.Array | pa.ChunkedArray) -> list[str]:
    """The values of a column as a table shows them."""
    if pa.types.is_float32(column.type):
        return ["-" if value is None else _number(np.float32(value)) for value in column.to_pylist()]
    return [cell(value) for value in column.to_pylist()]


def _number(value: Any) -> str:
    """The shortest text that is read back as this number."""
    return str(value).removesuffix(".0")


def cell(value: Any) -> str:
    """A value as a table shows it."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return _number(value)
    return printable(str(value), lines=False)


def text_table(table: pa.Table, width: int | None = None) -> str:
    """Columns padded to equal width; the widest are cut where the table would be wider than `width` characters."""
    rows = [[cell(name) for name in table.schema.names], *_cells(table)]
    widths = [max(len(row[i]) for row in rows) for i in range(table.num_columns)]
    if width is not None:
        widths = _narrowed(widths, width - 2 * len(widths))
    return "\n".join(
        "  " + "  ".join(_cut(cell, w).rjust(w) for cell, w in zip(row, widths, strict=True)) for row in rows
    )


def _narrowed(widths: list[int], room: int) -> list[int]:
    """The same, but for the widest, which share what the others leave; none is less than `_NARROWEST`."""
    for most in range(max(room, _NARROWEST), _NARROWEST, -1):
        found = [min(width, most) for width in widths]
        if sum(found) <= room:
            return found
    return [min(width, _NARROWEST) for width in widths]


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def html_table(title: str, table: pa.Table) -> str:
    """A table with a heading."""
    return html_rows(title, dict(zip(table.schema.names, map(cells, table.columns), strict=True)))


def html_rows(title: str, columns: Mapping[str, Sequence[str]]) -> str:
    """A heading above a table of columns of texts; no table if there is no row.

    A narrow page stays as wide as it is: the heading breaks anywhere, the table has a scroll bar of its own.
    """
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    rows = ["".join(f"<td>{escape(text)}</td>" for text in row) for row in zip(*columns.values(), strict=True)]
    heading = f'<p style="overflow-wrap: anywhere">{escape(title)}</p>'
    if not rows:
        return heading
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'{heading}<div style="overflow-x: auto">{table}</div>'
