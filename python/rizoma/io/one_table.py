"""Files that are read together are parts of one table: the same columns, of the same kinds."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.errors import ParseError
from ..graph.import_report import FileReport
from .json_rows import NAME as NDJSON
from .scanned import ScannedFile
from .sources import EdgeFile

__all__ = ["expect_one_table"]

_REMEDY = (
    "they are not of one table: name the columns to read in both (source=, target=, weight=, edges=), or read one and "
    "add the other with append=True"
)


def expect_one_table(files: Sequence[EdgeFile], ends_are_named: bool, ids: str | None) -> None:
    """ParseError names two files that are of different tables; where the ends are named, other columns may differ."""
    tables = [each for each in files if each.report.columns and each.report.header is not False]
    tables = [each for each in tables if not (isinstance(each, ScannedFile) and each.is_empty)]
    for other in tables[1:]:
        _expect_same_columns(tables[0].report, other.report, ends_are_named)
    typed = [each for each in tables if isinstance(each, ScannedFile) or each.report.format == NDJSON]
    for other in typed[1:]:
        if ids is None and (typed[0].ids == "string") != (other.ids == "string"):
            text, numbers = (typed[0], other) if typed[0].ids == "string" else (other, typed[0])
            raise ParseError(
                f"the ids of {text.report.path} are text, and those of {numbers.report.path} whole numbers; write them "
                "alike; 1 and '1' are two vertices"
            )


def _expect_same_columns(first: FileReport, other: FileReport, ends_are_named: bool) -> None:
    used = [name for report in (first, other) for name in (report.source, report.target, report.weight) if name]
    strict = not ends_are_named and NDJSON not in (first.format, other.format)
    names = [*first.columns, *other.columns] if strict else used
    odd = set(first.columns) ^ set(other.columns)
    lacking = next((name for name in names if name in odd), None)
    if lacking is None:
        return
    has, lacks = (first, other) if lacking in first.columns else (other, first)
    raise ParseError(f"{has.path} has a column {lacking!r} and {lacks.path} has none: {_REMEDY}")
