"""rizoma match."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from .. import _core
from ..core.display import shortened
from ..core.errors import InvalidArgumentError, ParseError
from ..graph.open import open_graph
from ..graph.state import Reader
from ..io.export import numbered
from ..io.json_rows import json_lines
from ..queries.fetch_cost import FETCH_COST, ranks_that_pay
from ..queries.match import Matches
from .app import At, Progress, Store, Threads, command, number_of, say, say_error, show, show_progress, show_rows
from .exit_codes import EXIT_USAGE
from .launched import launched_ranks, speaks
from .machines import STDOUT, Format, print_json, rows_to
from .relations import write_rows

__all__ = ["match"]


@command("match")
def match(
    store: Store,
    pattern: Annotated[str, typer.Argument(help='Such as "(a)-->(b)-->(c)-->(a)".', show_default=False)],
    where: Annotated[str | None, typer.Option(help='Predicate of the matches to keep, such as "a.id < b.id".')] = None,
    distinct: Annotated[str | None, typer.Option(help="Drop matches that use one of the edges or nodes twice.")] = None,
    count: Annotated[bool, typer.Option("--count", help="Print only the number of matches.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Print the plan, and what a count with it took.")] = False,
    plan: Annotated[
        str | None,
        typer.Option(help="hash_join, intersect (default), or a .json file of --explain --json, changed or not."),
    ] = None,
    select: Annotated[list[str] | None, typer.Option(help="A column to keep, such as a or b.name; repeatable.")] = None,
    order_by: Annotated[
        list[str] | None, typer.Option(help='A column to sort by, with "-" before it in descending order; repeatable.')
    ] = None,
    label_column: Annotated[str, typer.Option(help="Vertex column with the labels of (a:User).")] = "label",
    type_column: Annotated[str, typer.Option(help="Edge column with the types of -[:KNOWS]->.")] = "type",
    limit: Annotated[int | None, typer.Option(min=0, help="Keep at most this many rows. Default: all.")] = None,
    top: Annotated[int, typer.Option(min=0, help="Rows to show.")] = 10,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write all rows: .parquet, .csv or .tsv; - is standard output."),
    ] = None,
    data_nodes: Annotated[
        int,
        typer.Option(min=0, help="Ranks that hold the graph; the others are workers. 0: each reads all of it."),
    ] = 0,
    list_cache: Annotated[int, typer.Option(min=0, help="MiB of fetched lists that a rank keeps.")] = 64,
    ranks_planned: Annotated[
        int,
        typer.Option("--ranks", min=0, help="With --explain: what this many ranks would send, and how many pay off."),
    ] = 0,
    format: Format = None,
    as_json: Annotated[bool, typer.Option("--json", help="First rows, or the count, as one JSON object.")] = False,
    at: At = None,
    threads: Threads = 0,
    progress: Progress = None,
) -> None:
    """Find every place in a graph that matches a pattern.

    \b
        rizoma match social.rz "(a)-->(b)-->(a)" --count
        rizoma match social.rz "(a {id: 17})-->(b)-->(c)" --where "c <> a" -o reach.parquet
        rizoma match bank.rz "(a:Person)-[e:PAID]->(b)" --where "e.amount > 100" --select a.name --select e.amount
        rizoma match social.rz "(a)-->(b)-->(c)-->(a)" --explain
        rizoma match social.rz "(a)-->(b)-->(a)" -o - --format ndjson | jq .a
        mpiexec -n 4 rizoma match social.rz "(a)-->(b)-->(c)-->(a)" --count
        mpiexec -n 4 rizoma match social.rz "(a)-->(b)-->(c)-->(a)" --count --data-nodes 2
        rizoma match social.rz "(a)-->(b)-->(c)-->(a)" --explain --ranks 16
        rizoma match social.rz "(a)-->(b)-->(a)" --plan hash_join --explain --json

    If an MPI launcher starts several ranks, they share the work.  With -o rows.parquet each writes a file of its own:
    rows-0.parquet, rows-1.parquet, ...
    """
    output, form = rows_to(output, format, count=count, explain=explain, json=as_json)
    if as_json and explain and ranks_planned:
        raise InvalidArgumentError("--json prints a plan, a --count or the first rows; leave out --ranks")
    if plan is not None and (where or distinct or order_by or select or limit is not None):
        raise InvalidArgumentError("--plan runs a pattern alone; leave out --where, --distinct, --select and so on")
    with launched_ranks() as ranks, open_graph(store, mode="read_only", at=at, comm=ranks) as graph:
        planned = _is_planned(ranks_planned, explain, ranks)
        matches = _matches(
            graph,
            pattern,
            ranks,
            (select or (), order_by or (), limit),
            where=where,
            distinct=distinct,
            label_column=label_column,
            type_column=type_column,
            threads=threads or (1 if planned else 0),
            data_nodes=1 if planned else data_nodes,
            list_cache=list_cache << 20,
            progress=show_progress(progress) and speaks(ranks),
            **({} if plan is None else {"plan": _plan(plan)}),
        )
        if ranks is not None:
            for_one = order_by or limit is not None or str(output) == STDOUT
            matches, output = _for_ranks(matches, ranks, output, for_one, (explain, count, data_nodes > 0))
        if explain and as_json:
            print(matches.explain(format="json"))
        elif explain:
            _explain(matches, ranks, ranks_planned, max(1, data_nodes))
        elif count:
            found = matches.count()
            if speaks(ranks) and as_json:
                print_json({"store": str(store), "pattern": pattern, "count": found})
            elif speaks(ranks):
                print(found)
        elif as_json:
            print_json({"store": str(store), "pattern": pattern, "rows": _rows(matches.limit(top))})
        elif output is not None:
            write_rows(matches, output, form)
        else:
            _show(matches, top)


def _for_ranks(
    matches: Matches, ranks: _core.Ranks, output: Path | None, for_one: Any, asked: tuple[bool, bool, bool]
) -> tuple[Matches, Path | None]:
    """The matches and the file of this rank; `asked`: to explain, to count, and by data nodes."""
    explain, count, divided = asked
    shared = explain and divided
    if (explain and not shared) or for_one or not (count or output or shared):
        raise InvalidArgumentError(
            "several ranks can only --count, --explain with --data-nodes, or write one file of rows each "
            "with -o FILE; run one process for anything else"
        )
    if output is None or count or shared:
        return matches, output
    return matches if divided else matches.part(ranks.rank, ranks.size), numbered(output, ranks.rank)


def _plan(given: str) -> str:
    """The name of a plan, or the text of its file."""
    if not given.endswith(".json"):
        return given
    try:
        return Path(given).read_text(encoding="utf-8")
    except FileNotFoundError:
        remedy = "write one with --explain --json > FILE, or give hash_join or intersect"
        raise InvalidArgumentError(f"--plan {shortened(given)}: there is no such file; {remedy}") from None
    except (OSError, UnicodeDecodeError) as error:
        said = "it is not text" if isinstance(error, UnicodeDecodeError) else str(error.strerror)
        raise InvalidArgumentError(f"--plan {shortened(given)} cannot be read: {said}") from None


def _is_planned(ranks_planned: int, explain: bool, ranks: _core.Ranks | None) -> bool:
    """Whether to estimate ranks: by one process, as one of those ranks would count."""
    if ranks_planned and not explain:
        raise InvalidArgumentError("--ranks predicts what ranks would send; give --explain too")
    if ranks_planned and ranks is not None:
        raise InvalidArgumentError("--ranks predicts in one process; leave out mpiexec, or --ranks")
    return ranks_planned > 0


def _matches(
    graph: Reader,
    pattern: str,
    ranks: _core.Ranks | None,
    shape: tuple[Sequence[str], Sequence[str], int | None],
    **options: Any,
) -> Matches:
    """The matches asked for, with the columns, order and number of rows of `shape`; exits if the pattern is wrong."""
    select, order_by, limit = shape
    try:
        matches = graph.match(pattern, **options)
        if select:
            matches = matches.select(*select)
        if order_by:
            matches = matches.order_by(*order_by)
    except ParseError as error:  # its lines show the place
        if speaks(ranks):
            say_error(error, match)
        raise typer.Exit(EXIT_USAGE) from None
    return matches if limit is None else matches.limit(limit)


def _show(matches: Matches, top: int) -> None:
    """The first rows, and whether there are more."""
    table = matches.limit(top + 1).to_arrow()
    show_rows(table.slice(0, top))
    if len(table) > top:
        say(f"the first {number_of(top, 'row', 'rows')}: --top N shows more, -o FILE writes all, --count counts them")


def _rows(matches: Matches) -> list[Any]:
    return [json.loads(line) for batch in matches.batches() for line in json_lines(batch)]


def _explain(matches: Matches, ranks: _core.Ranks | None, planned: int, data_nodes: int) -> None:
    """Print the plan; on ranks what each of them did."""
    if ranks is not None:
        found = matches.count()
        if speaks(ranks):
            show(_shares(found, matches.shares))
        return
    show(matches.explain(run=True))
    if planned:
        began = time.perf_counter()
        matches.count()
        show(_share_estimate(matches, planned, data_nodes, time.perf_counter() - began))


def _shares(count: int, shares: Sequence[_core.RankShare]) -> str:
    """What each rank of a count did."""
    lines = [f"{count} matches", "rank  role        blocks     lists fetched         bytes    found in the cache"]
    for rank, share in enumerate(shares):
        role = "data node" if share.holds else "worker"
        lines.append(f"{rank:4}  {role:9} {share.blocks:8,} {share.lists:17,} {share.bytes:13,} {share.hits:21,}")
    return "\n".join(lines)


def _share_estimate(matches: Matches, most: int, data_nodes: int, alone: float) -> str:
    """Print what ranks would send each other, and up to which number more of them pay."""
    numbers = [n for n in (2**i for i in range(31)) if data_nodes <= n < most]
    numbers = list(dict.fromkeys([data_nodes, *numbers, max(most, data_nodes)]))
    estimates = matches.sharing_estimate(numbers, data_nodes)
    lines = ["ranks  data nodes   work of each   bytes of a worker   bytes a data node sends   seconds"]
    lines += [
        f"{each.ranks:5}  {each.data_nodes:10}   {1 / each.ranks:12.1%}   {each.worker_bytes:17,.0f}   "
        f"{each.served_bytes:23,.0f}   {each.seconds(alone):7.3f}"
        for each in estimates
    ]
    pays = ranks_that_pay(estimates, alone)
    workers = pays - data_nodes
    lines.append(
        f"{alone:.3f} s in one process, {FETCH_COST.list_seconds * 1e6:.2g} us a list that is sent or "
        f"taken in and {FETCH_COST.byte_seconds * 1e9:.2g} ns a byte (on one machine): "
        f"{pays} ranks pay ({workers} worker{'' if workers == 1 else 's'}); more gain less than 5%"
        + ("" if pays != numbers[-1] else ", or were not asked for")
    )
    return "\n".join(lines)
