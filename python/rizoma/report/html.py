"""Pages and plots as HTML that needs nothing else: one file, styles and SVG inline."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape as escape_markup

from ..core.display import shortened
from ..core.printable import printable
from .labels import Label, place_labels

__all__ = ["Bar", "bars", "document", "escape", "facts_table", "network", "points", "table", "timeline"]

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem;
  margin: 2rem auto; padding: 0 1rem; color: #222 }
h1 { font-size: 1.5rem } h2 { font-size: 1.2rem; margin-top: 2rem }
h3 { font-size: 1rem; margin-bottom: .3rem }
li { margin: .3rem 0 } .findings { background: #fff6df; padding: .6rem 1rem .6rem 2rem; border-radius: .4rem }
svg { width: 100%; height: auto } text { font: 12px system-ui, sans-serif; fill: #222 }
table { border-collapse: collapse; display: block; overflow-x: auto; max-width: 100% }
.bars { display: grid; grid-template-columns: fit-content(45%) 1fr auto; column-gap: .5rem; font-size: 12px }
.bars span:nth-of-type(odd) { text-align: right; overflow-wrap: anywhere } .bars span { align-self: center }
@media (max-width: 44rem) { .plot text { font-size: 26px } .plot .minor { display: none } .plot .point { r: 7px } }
td, th { padding: .1rem .8rem .1rem 0; text-align: left } td:last-child { white-space: nowrap }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums }
"""
WIDTH, PLOT_HEIGHT, MARGIN = 860, 320, 60  # of a plot of points, in SVG units; a phone shows them at two fifths
NETWORK_HEIGHT, LONGEST_LABEL, MAJOR = 560, 16, 12  # of a drawing of vertices and edges; a phone names the MAJOR only
FONT, PHONE_FONT = 12, 26  # of its names, as in STYLE


def escape(text: str) -> str:
    """Text for a page: neither markup nor control characters nor changes of direction."""
    return escape_markup(printable(text))


def document(title: str, body: str) -> str:
    """A whole HTML document."""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{escape(title)}</title>'
        f"<style>{STYLE}</style></head><body><h1>{escape(title)}</h1>{body}</body></html>\n"
    )


def facts_table(facts: Iterable[tuple[str, object]]) -> str:
    """Names and values, two columns."""
    rows = "".join(f"<tr><td>{escape(name)}</td><td>{escape(str(value))}</td></tr>" for name, value in facts)
    return f"<table>{rows}</table>"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table with a heading; numbers stand to the right."""
    rows = [list(row) for row in rows]
    numbers = [all(isinstance(row[i], (int, float)) for row in rows) for i in range(len(head))]
    kind = [' class="number"' if number else "" for number in numbers]
    cells = "".join(f"<th{k}>{escape(name)}</th>" for name, k in zip(head, kind, strict=True))
    body = "".join(
        "<tr>" + "".join(f"<td{k}>{escape(_cell(c))}</td>" for c, k in zip(row, kind, strict=True)) + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


@dataclass(frozen=True)
class Bar:
    """One bar of a plot; `low` and `high` are the ends of an interval, if there is one."""

    label: str
    value: float
    text: str
    low: float | None = None
    high: float | None = None

    @property
    def end(self) -> float:
        """Where the bar, or its range, ends."""
        return self.value if self.high is None else self.high


def bars(rows: Sequence[Bar], name: str) -> str:
    """Horizontal bars from zero, one scale for all of them; nothing without rows."""
    if not rows:
        return ""
    most = max(bar.end for bar in rows) or 1
    parts = "".join(f"{_label(bar.label)}{_bar(bar, 100 / most)}<span>{escape(bar.text)}</span>" for bar in rows)
    return f'<div class="bars" role="img" aria-label="{escape(name)}">{parts}</div>'


def _label(text: str) -> str:
    """What names a bar; a long id is cut, and whole where one points at it."""
    cut = shortened(text)
    whole = "" if cut == text else f' title="{escape(text)}"'
    return f"<span{whole}>{escape(cut)}</span>"


def _bar(bar: Bar, percent: float) -> str:
    interval = ""
    if bar.low is not None:
        low, high = bar.low * percent, bar.end * percent
        interval = f'<line x1="{low:.2f}%" x2="{high:.2f}%" y1="10" y2="10" stroke="#222" stroke-width="2"/>'
    box = f'<rect y="4" width="{bar.value * percent:.2f}%" height="12" fill="#6a9fd4"/>'
    return f'<svg style="height: 20px">{box}{interval}</svg>'


def points(pairs: Sequence[tuple[float, float]], x_name: str, y_name: str) -> str:
    """Points (x, y), all above zero, on two logarithmic axes."""
    if not pairs:
        return ""
    x_top, y_top = (_decades(max(pair[i] for pair in pairs)) for i in (0, 1))

    def place(x: float, y: float) -> tuple[float, float]:
        across = MARGIN + math.log10(x) / x_top * (WIDTH - 2 * MARGIN)
        return across, PLOT_HEIGHT - MARGIN - math.log10(y) / y_top * (PLOT_HEIGHT - 1.5 * MARGIN)

    marks = "".join(
        f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="3" fill="#6a9fd4" class="point"/>'
        for cx, cy in (place(x, y) for x, y in pairs)
    )
    x_ticks = "".join(_tick(*place(10.0**d, 1), _power(d), below=True) for d in range(x_top + 1))
    y_ticks = "".join(_tick(*place(1, 10.0**d), _power(d), below=False) for d in range(y_top + 1))
    names = (
        f'<text x="{WIDTH / 2}" y="{PLOT_HEIGHT - 10}" text-anchor="middle">{escape(x_name)}</text>'
        f'<text x="{MARGIN}" y="22">{escape(y_name)}</text>'
    )
    title = escape(f"{y_name} by {x_name}")
    return (
        f'<div class="plot"><svg viewBox="0 0 {WIDTH} {PLOT_HEIGHT}" role="img" aria-label="{title}">'
        f"{x_ticks}{y_ticks}{marks}{names}</svg></div>"
    )


def timeline(pairs: Sequence[tuple[str, int]], name: str) -> str:
    """Upright bars, one a moment, on a linear axis; the first, the middle and the last moment are named."""
    if not pairs:
        return ""
    most = max(count for _, count in pairs) or 1
    step = (WIDTH - 2 * MARGIN) / len(pairs)
    tall = PLOT_HEIGHT - 1.5 * MARGIN
    marks = "".join(
        f'<rect x="{MARGIN + i * step:.2f}" y="{PLOT_HEIGHT - MARGIN - count / most * tall:.1f}" '
        f'width="{max(step * 0.85, 0.5):.2f}" height="{count / most * tall:.1f}" fill="#6a9fd4">'
        f"<title>{escape(moment)}: {count:,}</title></rect>"
        for i, (moment, count) in enumerate(pairs)
        if count
    )
    ends = {0: "start", len(pairs) // 2: "middle", len(pairs) - 1: "end"} if len(pairs) > 2 else {0: "start"}
    moments = "".join(
        f'<text x="{MARGIN + (i + (0, 0.5, 1)[("start", "middle", "end").index(anchor)]) * step:.1f}" '
        f'y="{PLOT_HEIGHT - MARGIN + 30}" text-anchor="{anchor}"{_middle(anchor)}>{escape(pairs[i][0])}</text>'
        for i, anchor in ends.items()
    )
    axis = _tick(MARGIN, PLOT_HEIGHT - MARGIN - tall, _count(most), below=False)
    axis += _tick(MARGIN, PLOT_HEIGHT - MARGIN, "0", below=False)
    return (
        f'<div class="plot"><svg viewBox="0 0 {WIDTH} {PLOT_HEIGHT}" role="img" aria-label="{escape(name)}">'
        f"{axis}{marks}{moments}</svg></div>"
    )


def _middle(anchor: str) -> str:
    return ' class="minor"' if anchor == "middle" else ""  # three would overlap on a phone


def _count(number: int) -> str:
    """A count in few letters."""
    for unit, size in (("G", 10**9), ("M", 10**6), ("k", 10**3)):
        if number >= 10 * size:
            return f"{number // size}{unit}"
    return str(number)


def network(vertices: Sequence[tuple[str, float, float, float]], edges: Sequence[tuple[int, int]], name: str) -> str:
    """A drawing of vertices (label, size, x, y), x and y in [0, 1], and of edges between them by their numbers."""
    greatest = max((size for _, size, _, _ in vertices), default=0) or 1

    def place(x: float, y: float) -> tuple[float, float]:
        return MARGIN + x * (WIDTH - 3 * MARGIN), MARGIN / 2 + y * (NETWORK_HEIGHT - MARGIN)

    at = [place(x, y) for _, _, x, y in vertices]
    lines = "".join(
        f'<line x1="{at[u][0]:.1f}" y1="{at[u][1]:.1f}" x2="{at[v][0]:.1f}" y2="{at[v][1]:.1f}" stroke="#ccd5de"/>'
        for u, v in edges
    )
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{4 + 6 * size / greatest:.1f}" fill="#6a9fd4" stroke="#fff">'
        f"<title>{escape(label)}</title></circle>"
        for (label, size, _, _), (x, y) in zip(vertices, at, strict=True)
    )
    names = "".join(
        f'<text x="{label.x:.1f}" y="{label.y:.1f}"{_kind(label)}>{escape(label.text)}</text>'
        for label in _names(vertices, at)
    )
    return (
        f'<div class="plot"><svg viewBox="0 0 {WIDTH} {NETWORK_HEIGHT}" role="img" aria-label="{escape(name)}">'
        f"{lines}{dots}{names}</svg></div>"
    )


def _names(vertices: Sequence[tuple[str, float, float, float]], at: Sequence[tuple[float, float]]) -> list[Label]:
    """Names beside the dots, the largest first; those that would overlap are left out."""
    order = sorted(range(len(vertices)), key=lambda i: -vertices[i][1])
    texts = [_short(printable(vertices[i][0])) for i in order]
    spots = [at[i] for i in order]
    return place_labels(texts, spots, MAJOR, (FONT, PHONE_FONT), (WIDTH, NETWORK_HEIGHT))


def _kind(label: Label) -> str:
    anchor = "" if label.anchor == "start" else f' text-anchor="{label.anchor}"'
    return anchor + ("" if label.major else ' class="minor"')


def _short(label: str) -> str:
    return label if len(label) <= LONGEST_LABEL else label[: LONGEST_LABEL - 1] + "…"


def _power(decade: int) -> str:
    """A power of ten, in few letters."""
    unit = ("", "k", "M", "G", "T")[decade // 3]
    return f"{10 ** (decade % 3)}{unit}"


def _decades(most: float) -> int:
    return max(1, math.ceil(math.log10(most)))


def _tick(x: float, y: float, text: str, *, below: bool) -> str:
    if below:
        return (
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{MARGIN / 2}" y2="{y}" stroke="#ddd"/>'
            f'<text x="{x:.1f}" y="{y + 22}" text-anchor="middle">{text}</text>'
        )
    return (
        f'<line x1="{MARGIN}" x2="{WIDTH - MARGIN}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>'
        f'<text x="{x - 8:.1f}" y="{y + 4:.1f}" text-anchor="end">{text}</text>'
    )
