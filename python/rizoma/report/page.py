"""A report as one HTML page that needs nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.display import number_of
from ..graph.info import human_bytes
from ..graph.parallel import parallel_edges_text
from .columns import Column, Histogram
from .html import Bar, bars, document, escape, facts_table, network, points, table, timeline
from .parts import Communities, Core

if TYPE_CHECKING:
    from .facts import Home, Kernel, Report, Sections

__all__ = ["page"]

_LONGEST = 60  # letters of a value


def page(report: Report) -> str:
    """The whole document."""
    name = report.info["location"]
    made = report.made[:16].replace("T", " ") + " UTC"
    body = f"<p>As of {escape(made)}, by Rizoma {escape(report.version)}.</p>"
    body += _size(report) + _columns(report.columns) + _weights(report.weights) + _degrees(report) + _components(report)
    body += _communities(report.communities) + _core(report.core)
    body += "".join(_kernel(kernel) for kernel in report.kernels)
    storage = _files(report) + _sections(report.sections) + _placement(report.placement)
    return document(f"The graph {name}", body + "<h2>Storage</h2>" + storage)


def _size(report: Report) -> str:
    info = report.info
    return "<h2>Size</h2>" + facts_table(
        [
            ("kind", "directed" if info["directed"] else "undirected"),
            ("vertices", f"{info['num_vertices']:,}"),
            ("edges", f"{info['num_edges']:,}"),
            ("weights", info["weights"] or "none"),
            ("ids", info["ids"]),
            ("parallel edges", parallel_edges_text(info["parallel_edges"])),
            ("self-loops", info["self_loops"]),
            ("order of internal ids", info["order"]),
            ("on disk", human_bytes(info["bytes_on_disk"])),
        ]
    )


def _degrees(report: Report) -> str:
    degrees = report.degrees
    title = "Out-degrees" if report.info["directed"] else "Degrees"
    middles = [((low * high) ** 0.5, count) for low, high, count in degrees.bins]
    return (
        f"<h2>{title}</h2>"
        f"<p>{degrees.mean:.3g} on average, standard deviation {degrees.deviation:.3g}, median {degrees.median:.3g}, "
        f"at most {degrees.most:,}; "
        f"{degrees.without_edges:,} vertices have none. A point counts the vertices of a range of degrees.</p>"
        + points(middles, title.lower().removesuffix("s"), "vertices")
    )


def _components(report: Report) -> str:
    found = report.components
    rest = f", the greatest {len(found.sizes)}" if found.count > len(found.sizes) else ""
    rows = [Bar(f"component {place}", size, f"{size:,}") for place, size in enumerate(found.sizes, start=1)]
    kind = "weakly connected component" if report.info["directed"] else "connected component"
    return f"<h2>Components</h2><p>{number_of(found.count, kind)}{rest}:</p>" + bars(rows, "vertices")


def _weights(found: Histogram | None) -> str:
    if found is None:
        return ""
    said = f"{_range(found)} A bar counts the edges of a range of weights."
    return f"<h2>Weights</h2><p>{said}</p>" + _numbers(found, "edges")


def _range(found: Histogram) -> str:
    return f"From {found.least:.4g} to {found.greatest:.4g}, {found.mean:.4g} on average."


def _numbers(found: Histogram, of: str) -> str:
    rows = [
        Bar(f"{low:.4g} to {high:.4g}" if low < high else f"{low:.4g}", count, f"{count:,}")
        for low, high, count in found.bins
    ]
    return bars(rows, of)


def _columns(found: list[Column]) -> str:
    return "<h2>Columns</h2>" + "".join(_column(column) for column in found) if found else ""


def _column(column: Column) -> str:
    title = f"{column.name}, a column of the {column.of} ({column.type})"
    said = f"{column.filled:,} of {column.rows:,} {column.of} have a value." if column.filled < column.rows else ""
    chart = ""
    if column.numbers:
        said += " " + _range(column.numbers)
        chart = _numbers(column.numbers, column.of)
    elif column.values:
        rest = f", the {len(column.values)} most frequent" if column.different > len(column.values) else ""
        said += f" {number_of(column.different, 'value')}{rest}:"
        chart = bars([Bar(_short(value), count, f"{count:,}") for value, count in column.values], column.of)
    elif column.times:
        said += f" {column.of.capitalize()} by {column.unit}:"
        chart = timeline(column.times, f"{column.of} by {column.unit}")
    return f"<h3>{escape(title)}</h3><p>{said.strip()}</p>{chart}"


def _short(value: str) -> str:
    return value if len(value) <= _LONGEST else value[: _LONGEST - 1] + "…"


def _communities(found: Communities | None) -> str:
    if found is None:
        return ""
    rest = f", the greatest {len(found.sizes)}" if found.count > len(found.sizes) else ""
    rows = [Bar(f"community {place}", size, f"{size:,}") for place, size in enumerate(found.sizes, start=1)]
    count = number_of(found.count, "community", "communities")
    said = f"{count} by Louvain's method, modularity {found.modularity:.3f}{rest}:"
    return f"<h2>Communities</h2><p>{said}</p>" + bars(rows, "vertices")


def _core(found: Core | None) -> str:
    if found is None:
        return ""
    said = (
        f"The {len(found.vertices)} vertices that hold together most, by core number (at most {found.greatest:,}) and "
        "degree, and the edges among them. A name that would lie over another shows when you point at its vertex."
    )
    vertices = [(str(name), number, x, y) for name, number, x, y in found.vertices]
    return f"<h2>The core</h2><p>{said}</p>" + network(vertices, found.edges, "the core of the graph")


def _kernel(kernel: Kernel) -> str:
    rows = [Bar(str(vertex), value, f"{value:.6g}") for vertex, value in kernel.top]
    used = f"; its working set is {human_bytes(kernel.working_set)}" if kernel.working_set else ""
    return f"<h2>{escape(kernel.name)}</h2><p>{escape(kernel.summary)}{used}</p>" + bars(rows, kernel.column)


def _files(report: Report) -> str:
    rows = [(file["name"], file["purpose"], human_bytes(file["allocated"])) for file in report.info["files"]]
    return "<h3>Where the data lies</h3>" + table(("file", "holds", "on disk"), rows)


def _sections(sections: Sections) -> str:
    rows = [Bar(f"{low:,} to {high:,} entries", count, f"{count:,}") for low, high, count in sections.buckets]
    share = sections.most_pending_share
    most = f"are {share:.1%} of its entries" if share <= 1 else "outnumber its entries"
    waiting = f"Changes that wait to be written into images: {sections.pending:,}"
    if sections.pending:
        waiting += f"; in the most changed section they {most}"
    return (
        f"<h3>Sections</h3><p>{number_of(sections.count, 'section')} of up to {sections.vertices_each:,} vertices, "
        f"{sections.without_image:,} without an image, {human_bytes(sections.image_bytes)} of images. "
        f"{waiting}.</p>" + bars(rows, "sections")
    )


def _placement(homes: list[Home]) -> str:
    count = 1 + max((home.home for home in homes), default=0)
    rows = []
    for home in homes:
        edges = sum(each.edges for each in homes if each.policy == home.policy) or 1
        share = f"{home.edges / edges:.1%}"
        across = f"{home.edges_across:.1%}" if home.home == 0 else ""
        rows.append((home.policy, home.home, home.sections, home.vertices, home.edges, share, home.work, across))
    head = ("policy", "home", "sections", "vertices", "edges", "of all", "predicted work", "edges across")
    return (
        f"<h3>Placement</h3><p>How the policies would share the graph out over {count} homes (NUMA nodes "
        "with processors). Work is vertices and entries; edges across lead to a vertex of another home.</p>"
        + table(head, rows)
    )
