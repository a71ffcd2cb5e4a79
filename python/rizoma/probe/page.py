"""A report as one HTML file that needs nothing else: plots are inline SVG."""

from __future__ import annotations

from html import escape
from itertools import groupby

from .cases import FileCase, Measurement, MemoryCase
from .figures import Figure
from .report import Report, case_words

__all__ = ["page"]

Row = tuple[Measurement, Figure]

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem;
  margin: 2rem auto; padding: 0 1rem; color: #222 }
h1 { font-size: 1.5rem } h2 { font-size: 1.2rem; margin-top: 2rem }
h3 { font-size: 1rem; margin-bottom: .3rem }
li { margin: .3rem 0 } .findings { background: #fff6df; padding: .6rem 1rem .6rem 2rem; border-radius: .4rem }
svg { width: 100%; height: auto } text { font: 12px system-ui, sans-serif; fill: #222 }
table { border-collapse: collapse } td { padding: .1rem .8rem .1rem 0 }
"""
WIDTH, LABEL, VALUE, ROW = 860, 300, 190, 20  # of a plot, in SVG units


def page(report: Report) -> str:
    """The whole document."""
    facts = "".join(
        f"<tr><td>{escape(str(name))}</td><td>{escape(str(value))}</td></tr>"
        for name, value in report.machine.facts.items()
    )
    texts = "".join(f"<li>{escape(text)}</li>" for text in report.findings)
    body = f"<h1>Rizoma probe</h1><table>{facts}</table>"
    body += f'<ul class="findings">{texts}</ul>' if texts else ""
    body += "<p>Bars are medians, lines their 95% bootstrap intervals (10,000 resamples).</p>"
    body += _section("Memory", report, MemoryCase) + _section("Files", report, FileCase)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Rizoma probe</title>'
        f"<style>{STYLE}</style></head><body>{body}</body></html>\n"
    )


def _section(title: str, report: Report, kind: type[MemoryCase] | type[FileCase]) -> str:
    rows = [(result, found) for result, found in report.rows(kind) if found]
    missing = [result for result, found in report.rows(kind) if not found]
    if not rows and not missing:
        return ""
    html = f"<h2>{title}</h2>"
    for place, group in groupby(rows, key=lambda row: case_words(row[0].case)[0]):
        html += f"<h3>{escape(place)}</h3>"
        for unit, bars in _by_unit(list(group)):
            html += plot(bars, unit)
    items = "".join(
        f"<li>{escape(', '.join(case_words(result.case)))}: {escape(result.missing)}</li>"
        for result in missing
    )
    return html + (f"<p>Not measured:</p><ul>{items}</ul>" if items else "")


def _by_unit(rows: list[Row]) -> list[tuple[str, list[Row]]]:
    units = dict.fromkeys(found.unit for _, found in rows)
    return [(unit, [row for row in rows if row[1].unit == unit]) for unit in units]


def plot(rows: list[Row], unit: str) -> str:
    """Horizontal bars from zero, one scale for all of them."""
    scale = (WIDTH - LABEL - VALUE) / (max(found.high for _, found in rows) or 1)
    height = ROW * len(rows)
    parts = [_bar(result, found, scale, ROW * place + ROW / 2) for place, (result, found) in enumerate(rows)]
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(unit)}">{"".join(parts)}</svg>'
    )


def _bar(result: Measurement, found: Figure, scale: float, y: float) -> str:
    _, kernel, how = case_words(result.case)
    label = escape(
        f"{kernel} ({how}, {result.threads} threads)" if result.threads > 1 else f"{kernel} ({how})"
    )
    low, high = LABEL + found.low * scale, LABEL + found.high * scale
    return (
        f'<text x="{LABEL - 6}" y="{y + 4}" text-anchor="end">{label}</text>'
        f'<rect x="{LABEL}" y="{y - 6}" width="{found.median * scale:.1f}" height="12" fill="#6a9fd4"/>'
        f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{y}" y2="{y}" stroke="#222" stroke-width="2"/>'
        f'<text x="{high + 6:.1f}" y="{y + 4}">{escape(str(found))}</text>'
    )
