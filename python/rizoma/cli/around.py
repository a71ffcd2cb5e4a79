"""rizoma path, neighbors."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ..core.lazy_arrow import pa
from ..graph.graph import Graph
from ..graph.open import open_graph
from ..queries.paths import shortest_path
from .app import At, Store, Threads, command, number_of, say, show_rows
from .exit_codes import EXIT_ERROR
from .machines import Format, print_json, print_table, rows_to
from .vertex_ids import vertex_of

__all__ = ["neighbors", "path"]

_Vertex = Annotated[str, typer.Argument(help="A vertex, by its id.", show_default=False, metavar="ID")]
_AsJson = Annotated[bool, typer.Option("--json", help="One JSON object.")]


@command("path")
def path(
    store: Store,
    source: _Vertex,
    target: _Vertex,
    weight: Annotated[
        str | None,
        typer.Option(help="How long an edge is: weight, or a numeric column of edges.  Default: each has length 1."),
    ] = None,
    coordinates: Annotated[
        str | None,
        typer.Option(help="Two or three numeric columns of vertices, x,y: those on the way to the end come first."),
    ] = None,
    geographic: Annotated[bool, typer.Option("--geographic", help="They are longitude,latitude in degrees.")] = False,
    at: At = None,
    as_json: _AsJson = False,
    format: Format = None,
    threads: Threads = 0,
) -> None:
    """Find a shortest path between two vertices.

    \b
        rizoma path roads.rz 17 4711 --weight km
        rizoma path roads.rz 17 4711 --weight km --coordinates lon,lat --geographic
        rizoma path social.rz ann zoe --json | jq .length
        rizoma path roads.rz 17 4711 --format csv > route.csv

    It searches from both ends at once, and so looks at a small part of the graph.  Of several shortest paths it shows
    one.  The exit code is 1 if there is none.
    """
    rows_to(None, format, json=as_json)
    with open_graph(store, mode="read_only", at=at) as graph:
        first, last = (vertex_of("the end", end, graph.ids) for end in (source, target))
        columns = None if coordinates is None else coordinates.split(",")
        found = shortest_path(
            graph, first, last, weight=weight, coordinates=columns, geographic=geographic, threads=threads
        )
        edges = None if found is None else found.edges
    if as_json:
        length = None if found is None else found.length
        print_json({"store": str(store), "vertices": list(found or ()), "length": length})
    if found is None or edges is None:
        say(f"there is no path from {source} to {target}")
        raise typer.Exit(EXIT_ERROR)
    if not as_json:
        say(f"{number_of(len(edges), 'edge')}, length {found.length:.10g}")
        _show(edges, len(edges), format)


@command("neighbors")
def neighbors(
    store: Store,
    vertex: _Vertex,
    incoming: Annotated[bool, typer.Option("--in", help="The vertices whose edges lead to it.")] = False,
    at: At = None,
    top: Annotated[int, typer.Option(min=0, help="Rows to show.")] = 10,
    as_json: _AsJson = False,
    format: Format = None,
) -> None:
    """List the neighbours of a vertex, with the weights of the edges to them.

    \b
        rizoma neighbors social.rz ann
        rizoma neighbors social.rz ann --in --format csv | sort

    --format and --json list all of them.  rizoma match shows columns of edges, too.
    """
    rows_to(None, format, json=as_json)
    with open_graph(store, mode="read_only", at=at) as graph:
        table = _neighbors(graph, vertex, incoming)
    if as_json:
        print_json({"store": str(store), "neighbors": table.to_pylist()})
        return
    say(number_of(len(table), "neighbour"))
    _show(table, top, format)


def _neighbors(graph: Graph, vertex: str, incoming: bool) -> Any:
    """A row for each neighbour."""
    v = vertex_of("the vertex", vertex, graph.ids)
    found = graph.in_neighbors(v) if incoming else graph.neighbors(v)
    columns = {"neighbor": pa.array(list(found), pa.string() if graph.ids == "string" else pa.int64())}
    if graph.weights is not None and not incoming:
        columns["weight"] = pa.array(graph.neighbor_weights(v))
    return pa.table(columns)


def _show(table: Any, top: int, format: str | None) -> None:
    """All rows for programs, or the first for people."""
    if format is not None:
        print_table(table.schema, table.to_batches(), format)
        return
    show_rows(table.slice(0, top))
    if len(table) > top:
        say(f"the first {number_of(top, 'row')}; --top N shows more, --format csv all")
