"""A probe's report as one HTML file that needs nothing else."""

from __future__ import annotations

from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

from rizoma.report.html import Bar, bars, document, facts_table

from .cases import FileCase, Measurement, MemoryCase, case_words
from .figures import Figure

if TYPE_CHECKING:
    from .report import Report

__all__ = ["page"]

Row = tuple[Measurement, Figure]


def page(report: Report) -> str:
    """The whole document."""
    texts = "".join(f"<li>{escape(text)}</li>" for text in report.findings)
    machine = report.machine
    mounts = {f"mount of {each.path}": ", ".join(each.mount_options) for each in machine.directories}
    body = facts_table([*machine.facts.items(), *machine.settings.items(), *mounts.items()])
    body += f'<ul class="findings">{texts}</ul>' if texts else ""
    body += "<p>Bars are medians, lines their 95% bootstrap intervals (10,000 resamples).</p>"
    body += _section("Memory", report, MemoryCase) + _section("Files", report, FileCase)
    return document("Rizoma probe", body)


def _section(title: str, report: Report, kind: type[MemoryCase] | type[FileCase]) -> str:
    rows = [(result, found) for result, found in report.rows(kind) if found]
    missing = [result for result, found in report.rows(kind) if not found]
    if not rows and not missing:
        return ""
    html = f"<h2>{title}</h2>"
    for place, group in groupby(rows, key=lambda row: case_words(row[0].case)[0]):
        html += f"<h3>{escape(place)}</h3>"
        for unit, measured in _by_unit(list(group)):
            html += bars([_bar(result, found) for result, found in measured], unit)
    items = "".join(
        f"<li>{escape(', '.join(case_words(result.case)))}: {escape(result.missing)}</li>" for result in missing
    )
    return html + (f"<p>Not measured:</p><ul>{items}</ul>" if items else "")


def _by_unit(rows: list[Row]) -> list[tuple[str, list[Row]]]:
    units = dict.fromkeys(found.unit for _, found in rows)
    return [(unit, [row for row in rows if row[1].unit == unit]) for unit in units]


def _bar(result: Measurement, found: Figure) -> Bar:
    _, kernel, how = case_words(result.case)
    circumstances = f"{how}, {result.threads} threads" if result.threads > 1 else how
    return Bar(f"{kernel} ({circumstances})", found.median, str(found), found.low, found.high)
