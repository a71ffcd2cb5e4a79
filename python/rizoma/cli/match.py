"""rizoma match."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from ..display import text_table
from ..errors import InvalidArgumentError, ParseError
from ..export import check_name, numbered, write_batches
from ..json_rows import json_lines
from ..match import Matches
from ..opening import open_graph
from .app import EXIT_USAGE, Progress, Store, Threads, command, out, say, show_progress
from .launched import launched_ranks, speaks
from .machines import STDOUT, Format, print_json, print_table

__all__ = ["match"]


@command("match")
def match(
    store: Store,
    pattern: Annotated[str, typer.Argument(help='Such as "(a)-->(b)-->(c)-->(a)".', show_default=False)],
    where: Annotated[str | None, typer.Option(help='A condition, such as "a.id < b.id".')] = None,
    distinct: Annotated[str | None, typer.Option(help="edges or nodes: leave out matches that use one twice.")] = None,
    count: Annotated[bool, typer.Option("--count", help="Only the number of matches.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="The plan, and what counting by it took.")] = False,
    select: Annotated[list[str] | None, typer.Option(help="A column to keep, such as a or b.name; repeatable.")] = None,
    order_by: Annotated[
        list[str] | None, typer.Option(help='A column to sort by, "-" before it for falling; repeatable.')
    ] = None,
    label_column: Annotated[str, typer.Option(help="The column of vertices that (a:User) looks at.")] = "label",
    type_column: Annotated[str, typer.Option(help="The column of edges that -[:KNOWS]-> looks at.")] = "type",
    limit: Annotated[int | None, typer.Option(min=0, help="At most so many rows.")] = None,
    top: Annotated[int, typer.Option(min=0, help="Rows to show.")] = 10,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write all rows: .parquet, .csv or .tsv; - is standard output."),
    ] = None,
    format: Format = "csv",
    as_json: Annotated[
        bool, typer.Option("--json", help="The first rows, or the number of matches, as one JSON object.")
    ] = False,
    threads: Threads = 0,
    progress: Progress = None,
) -> None:
    """Find the places of a graph where a pattern holds.

    \b
        rizoma match social.rz "(a)-->(b)-->(a)" --count
        rizoma match social.rz "(a {id: 17})-->(b)-->(c)" --where "c <> a" -o reach.parquet
        rizoma match bank.rz "(a:Person)-[e:PAID]->(b)" --where "e.amount > 100" --select a.name --select e.amount
        rizoma match social.rz "(a)-->(b)-->(c)-->(a)" --explain
        rizoma match social.rz "(a)-->(b)-->(a)" -o - --format ndjson | jq .a
        mpiexec -n 4 rizoma match social.rz "(a)-->(b)-->(c)-->(a)" --count

    Ranks that an MPI launcher has started share the work.  With -o rows.parquet each writes a file of its own:
    rows-0.parquet, rows-1.parquet, ...
    """
    piped = output is not None and str(output) == STDOUT
    if output is not None and not piped:
        check_name(output)
    if as_json and (explain or (output is not None and not count)):
        raise InvalidArgumentError("--json tells a --count or the first rows; leave out --explain and --output")
    with launched_ranks() as ranks, open_graph(store, mode="read_only", comm=ranks) as graph:
        try:
            matches = graph.match(
                pattern,
                where=where,
                distinct=distinct,
                label_column=label_column,
                type_column=type_column,
                threads=threads,
                progress=show_progress(progress) and speaks(ranks),
            )
            if select:
                matches = matches.select(*select)
            if order_by:
                matches = matches.order_by(*order_by)
        except ParseError as error:  # its lines show the place
            if speaks(ranks):
                say(f"rizoma: {error}")
            raise typer.Exit(EXIT_USAGE) from None
        if limit is not None:
            matches = matches.limit(limit)
        if ranks is not None:
            if explain or order_by or limit is not None or piped or not (count or output):
                raise InvalidArgumentError(
                    "several ranks share a --count, or write a part of all rows each with -o FILE; "
                    "for what else there is, run one process"
                )
            if output is not None and not count:
                matches = matches.part(ranks.rank, ranks.size)
                output = numbered(output, ranks.rank)
        if explain:
            print(matches.explain(run=True))
        elif count:
            found = matches.count()
            if speaks(ranks) and as_json:
                print_json({"store": str(store), "pattern": pattern, "count": found})
            elif speaks(ranks):
                print(found)
        elif as_json:
            print_json({"store": str(store), "pattern": pattern, "rows": _rows(matches.limit(top))})
        elif piped:
            print_table(matches.schema, matches.batches(), format)
        elif output is not None:
            _write(matches, output)
        else:
            out.print(text_table(matches.limit(top).to_arrow()), highlight=False, markup=False)


def _rows(matches: Matches) -> list[Any]:
    return [json.loads(line) for batch in matches.batches() for line in json_lines(batch)]


def _write(matches: Matches, output: Path) -> None:
    rows = 0

    def counted() -> Iterator[Any]:
        nonlocal rows
        for batch in matches.batches():
            rows += batch.num_rows
            yield batch

    write_batches(output, matches.schema, counted())
    say(f"{output}: {rows:,} rows")
