"""Short tables for the terminal and for notebooks."""

from __future__ import annotations

from html import escape
from typing import Any

from .lazy_arrow import pa

__all__ = ["html_table", "text_table"]


def _cells(table: pa.Table) -> list[list[str]]:
    columns = [[_cell(value) for value in column.to_pylist()] for column in table.columns]
    return [list(row) for row in zip(*columns, strict=True)]


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)


def text_table(table: pa.Table) -> str:
    """Columns padded to equal width."""
    rows = [table.schema.names, *_cells(table)]
    widths = [max(len(row[i]) for row in rows) for i in range(table.num_columns)]
    return "\n".join(
        "  " + "  ".join(cell.rjust(w) for cell, w in zip(row, widths, strict=True)) for row in rows
    )


def html_table(title: str, table: pa.Table) -> str:
    """A table with a heading."""
    head = "".join(f"<th>{escape(name)}</th>" for name in table.schema.names)
    body = "".join("<tr>" + "".join(f"<td>{escape(c)}</td>" for c in row) + "</tr>" for row in _cells(table))
    return f"<p>{escape(title)}</p><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
