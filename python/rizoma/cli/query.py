"""rizoma query."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Annotated, Any

import typer

from ..core.errors import InvalidArgumentError, ParseError
from ..core.lazy_arrow import pa
from ..graph.open import open_graph
from ..io.json_rows import json_lines
from ..queries.opencypher.query import Query
from ..queries.relation import first_rows
from .app import Progress, Store, Threads, command, number_of, say, say_error, show, show_progress, show_rows
from .exit_codes import EXIT_USAGE
from .machines import Format, print_json, rows_to
from .relations import write_rows

__all__ = ["query"]

# A comparison or number of rows without the value that belongs to it, as the shell leaves it of $NAME.
_SHELL_TOOK = re.compile(
    r"(?:(?<!-)[<>=]|\b(?:IN|LIMIT|SKIP|CONTAINS))\s*(?:$|\)|\b(?:RETURN|WITH|WHERE|AND|OR|XOR|ORDER|LIMIT|SKIP)\b)",
    re.IGNORECASE,
)


@command("query")
def query(
    store: Store,
    text: Annotated[str, typer.Argument(help='Such as "MATCH (a)-->(b) RETURN a, count(b)".', show_default=False)],
    param: Annotated[
        list[str] | None,
        typer.Option(help="NAME=VALUE for $NAME; the value is JSON, or else text. Repeatable.", show_default=False),
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Print the plan, and what running it took.")] = False,
    label_column: Annotated[str, typer.Option(help="The column of vertices that (a:User) looks at.")] = "label",
    type_column: Annotated[str, typer.Option(help="The column of edges that -[:KNOWS]-> looks at.")] = "type",
    top: Annotated[int, typer.Option(min=0, help="Rows to show.")] = 10,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write all rows: .parquet, .csv or .tsv; - is standard output."),
    ] = None,
    format: Format = None,
    as_json: Annotated[bool, typer.Option("--json", help="First rows as one JSON object.")] = False,
    threads: Threads = 0,
    progress: Progress = None,
) -> None:
    """Run a query in the reading core of openCypher.

    \b
        rizoma query bank.rz "MATCH (a:Person)-[e:PAID]->(b) RETURN b, sum(e.amount) AS paid ORDER BY paid DESC"
        rizoma query bank.rz "MATCH (a)-[e]->(b) WHERE e.amount > \\$least RETURN *" --param least=100 -o rows.parquet
        rizoma query social.rz "MATCH p = shortestPath((a {id: 17})-[*]->(b {id: 99})) RETURN p" --json
    """
    output, form = rows_to(output, format, explain=explain, json=as_json)
    if as_json and explain:
        raise InvalidArgumentError("--json prints the first rows; leave out --explain")
    with open_graph(store, mode="read_only") as graph:
        try:
            found = graph.query(
                text,
                _parameters(param or []),
                label_column=label_column,
                type_column=type_column,
                threads=threads,
                progress=show_progress(progress),
            )
        except ParseError as error:  # its lines show the place
            if os.path.isfile(text):
                how = f'rizoma query {store} "$(cat {text})"'
                raise InvalidArgumentError(f"{text} is a file, and a query is text: {how}") from None
            say_error(error, query)
            if _SHELL_TOOK.search(text):
                say("the shell takes $NAME in double quotes for its own: write \\$NAME, or the query in single quotes")
            raise typer.Exit(EXIT_USAGE) from None
        if explain:
            show(found.explain(run=True))
        elif as_json:
            rows = [json.loads(line) for batch in _first(found, top).to_batches() for line in json_lines(batch)]
            print_json({"store": str(store), "query": text, "rows": rows})
        elif output is not None:
            write_rows(found, output, form)
        else:
            _show(found, top)


def _parameters(given: list[str]) -> dict[str, Any]:
    """Values by name: JSON where it is JSON, else text."""
    values: dict[str, Any] = {}
    for each in given:
        name, sign, text = each.partition("=")
        if not sign or not name:
            raise InvalidArgumentError(f"--param {each!r} is not NAME=VALUE; write for example --param least=100")
        try:
            values[name] = json.loads(text)
        except ValueError:
            values[name] = text
    return values


def _first(found: Query, most: int) -> pa.Table:
    """At most `most` rows; nothing more is computed where rows come as they are found."""
    return pa.Table.from_batches(list(first_rows(found.batches(), most)), found.schema)


def _show(found: Query, top: int) -> None:
    table = _first(found, top + 1)
    show_rows(table.slice(0, top))
    if len(table) > top:
        say(f"the first {number_of(top, 'row', 'rows')}: --top N shows more, -o FILE writes all")
