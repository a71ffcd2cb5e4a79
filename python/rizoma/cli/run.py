"""rizoma run: a command for each algorithm, with the options that its function has parameters for."""

from __future__ import annotations

import inspect
import re
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any, Literal, Union

import typer
from typer.core import TyperGroup

from .. import _core, algorithms
from ..core.aliases import with_old_keys
from ..core.config import config
from ..core.errors import InvalidArgumentError
from ..core.placements import placement_names
from ..core.same_call import argument_text, expect_same_call
from ..core.suggestions import FUNCTIONS_ELSEWHERE, suggestion
from ..distributed.ranks import EVERY_RANK, together
from ..graph.ids import VertexKey
from ..graph.open import open_graph
from ..io.export import numbered
from ..results.heat_map import draw_heat_maps
from ..results.vertex import VertexResult
from .app import (
    At,
    Progress,
    Store,
    Threads,
    choices,
    command,
    group,
    refuse,
    say,
    say_renamed,
    show_progress,
    show_rows,
)
from .launched import launched_ranks, speaks
from .machines import STDOUT, Format, print_json, print_table, rows_to
from .vertex_ids import vertex_of

__all__ = ["KERNELS"]

KERNELS: dict[str, Callable[..., VertexResult]] = {
    name: getattr(algorithms, name) for name in sorted(algorithms.__all__)
}

_PATHS = ("path", "paths", "shortest_path", "shortest_paths")  # what `rizoma path` finds
_WEIGHTS = ("weight", "distance")  # names of columns, of which "none" stands for no column
_PLAIN = {bool, int, float, str}
_OWN = {"graph", "threads", "progress"}  # taken by every algorithm: arguments and options of every command

Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="Write all values: .parquet, .csv or .tsv; - is standard output."),
]
AsJson = Annotated[bool, typer.Option("--json", help="A summary and the greatest values, as one JSON object.")]


class _Kernels(TyperGroup):
    """Makes a command when it is asked for; takes names with hyphens, and tells unknown ones in a line."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(KERNELS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        kernel = cmd_name.replace("-", "_")
        if kernel not in KERNELS:
            meant = suggestion(kernel, KERNELS, FUNCTIONS_ELSEWHERE)
            remedy = f"did you mean {meant}?" if meant else f"choose one of {', '.join(KERNELS)}"
            refuse(f"there is no algorithm {cmd_name!r}; {remedy}")
        return _command_of(kernel)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        first, *rest = (each.replace("-", "_") for each in args)
        if wanted := next((each for each in (first, *rest[:1]) if each in _PATHS), None):
            refuse(f"there is no algorithm {wanted!r}; rizoma path STORE A B finds a shortest path")
        if first not in KERNELS and rest and rest[0] in KERNELS:
            refuse(f"the algorithm comes first: rizoma run {args[1]} {args[0]}")
        return super().resolve_command(ctx, args)


group(
    "run",
    "Run an algorithm on a store, and show or write the result.\n\n\b\n"
    "    rizoma run pagerank social.rz --top 10\n"
    "    rizoma run bfs social.rz --source 107 -o levels.csv\n"
    "    rizoma run core_number social.rz -o - --format ndjson | jq .core\n"
    "    rizoma run pagerank social.rz --placement round_robin --threads 8\n"
    "    mpiexec -n 4 rizoma run pagerank social.rz\n"
    "    mpiexec -n 4 rizoma run pagerank social.rz -o ranks.parquet --parts\n"
    "    mpiexec -n 4 rizoma run louvain social.rz --column community\n"
    "    rizoma run betweenness_centrality social.rz -k 256 --seed 1 -o scores.parquet\n"
    "    rizoma run louvain --help",
    cls=_Kernels,
)


def _options(
    at: At = None,
    top: Annotated[int, typer.Option(min=0, help="Rows to show.")] = 10,
    output: Output = None,
    format: Format = None,
    parts: Annotated[
        bool, typer.Option("--parts", help="Each rank writes a part of the values: -o FILE becomes FILE-0, FILE-1, ...")
    ] = False,
    column: Annotated[
        str | None, typer.Option("--column", help="Keep the values in the store as a column, new or with new values.")
    ] = None,
    as_json: AsJson = False,
    heat_map: Annotated[
        Path | None,
        typer.Option("--heat-map", help="Draw bytes by structure and phase, .png or .svg (needs matplotlib)."),
    ] = None,
    placement: Annotated[
        str | None,
        typer.Option(
            envvar="RIZOMA_PLACEMENT",
            help=f"auto, {', '.join(_core.placement_policies())}, all_local, all_remote, or a .json file.",
            autocompletion=choices(*placement_names()),
        ),
    ] = None,
    tiers: Annotated[
        str | None,
        typer.Option(envvar="RIZOMA_TIERS", help="Such as sections=slow:interleave,vertex_state=dram."),
    ] = None,
    memory_limit: Annotated[
        str | None, typer.Option(envvar="RIZOMA_MEMORY_LIMIT", help="Most memory for lists of edges, such as 4G.")
    ] = None,
    state: Annotated[
        str | None, typer.Option(envvar="RIZOMA_STATE", help="file:DIR keeps values of vertices in files there.")
    ] = None,
    perf_counters: Annotated[
        bool,
        typer.Option("--perf-counters", envvar="RIZOMA_PERF_COUNTERS", help="Show the processor's counters."),
    ] = False,
    old_counters: Annotated[bool, typer.Option("--counters", hidden=True)] = False,
    checkpoint: Annotated[
        str | None,
        typer.Option(envvar="RIZOMA_CHECKPOINT", help="How often to save the state beside the store, such as 60s."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", envvar="RIZOMA_RESUME", help="Continue from the checkpoint, if there is one.")
    ] = False,
    threads: Threads = 0,
    progress: Progress = None,
) -> None:
    """Options that every command has."""


def _run_kernel(
    kernel: str,
    store: Path,
    given: dict[str, Any],
    *,
    at: str | None,
    top: int,
    output: Path | None,
    format: str | None,
    parts: bool,
    column: str | None,
    as_json: bool,
    heat_map: Path | None,
    placement: str | None,
    tiers: str | None,
    memory_limit: str | None,
    state: str | None,
    perf_counters: bool,
    old_counters: bool,
    checkpoint: str | None,
    resume: bool,
    threads: int,
    progress: bool | None,
) -> None:
    output, form = rows_to(output, format, json=as_json and (output is None or str(output) == STDOUT))
    if parts and (output is None or str(output) == STDOUT):
        raise InvalidArgumentError("--parts divides the output file; name one with -o FILE")
    if at is not None and column is not None:
        raise InvalidArgumentError("--column keeps values in the store as it is now; leave out --at")
    if old_counters:
        say_renamed("rizoma run --counters")
        perf_counters = True
    parameters = _parameters(kernel)
    for name, parameter in parameters.items():
        if parameter.default is parameter.empty and name not in given:
            wanted = "ID, a vertex" if _is_vertex(parameter.annotation) else "VALUE"
            raise InvalidArgumentError(f"{kernel} needs --{_hyphened(name)} {wanted}")
    with (
        config(
            placement=placement,
            tiers=tiers,
            memory_limit=memory_limit,
            state=state,
            perf_counters=perf_counters or None,
            checkpoint=checkpoint,
            resume=resume or None,
        ),
        launched_ranks() as ranks,
        open_graph(store, mode="read_only", at=at, comm=ranks) as graph,
    ):
        arguments = {name: _value(name, value, parameters[name].annotation, graph.ids) for name, value in given.items()}
        if ranks is not None:
            ways = {"--column": column, "--parts": parts, "--output": output is not None}
            expect_same_call(ranks, f"run {kernel}", {name: argument_text(value) for name, value in ways.items()})
            if parts:
                ranks.answers_to = EVERY_RANK
        shown = show_progress(progress) and speaks(ranks)
        result = KERNELS[kernel](graph, **arguments, threads=threads, progress=shown)
        if parts and output is not None:
            _write_part(result, output, ranks)
        if column is not None:
            _keep(result, store, column, ranks)
        if not speaks(ranks):
            return
        say(result._summary())
        if as_json:
            print_json(_facts(kernel, graph.location, result, top))
        if output is not None and not parts:
            _write(result, output, form)
        elif top and not as_json:
            show_rows(result.top_table(top))
        if heat_map is not None:
            draw_heat_maps(result, heat_map)
            say(f"wrote {heat_map}")


def _write_part(result: VertexResult, output: Path, ranks: _core.Ranks | None) -> None:
    """Write this rank's part of all values; all ranks do, or the command ends with the error of one."""
    rank, size = (0, 1) if ranks is None else (ranks.rank, ranks.size)
    with nullcontext() if ranks is None else together(ranks):
        result.write(numbered(output, rank), part=(rank, size))
    if speaks(ranks):
        files = f"{numbered(output, 0)}" + (f" to {numbered(output, size - 1).name}" if size > 1 else "")
        say(f"{files}: {len(result):,} rows")


def _keep(result: VertexResult, store: Path, column: str, ranks: _core.Ranks | None) -> None:
    """Have the first rank keep all values in the store; the others wait for it, and hear if it cannot."""
    kept = 0
    with nullcontext() if ranks is None else together(ranks):
        if speaks(ranks):
            kept = result.store(store, column)
    if speaks(ranks):
        say(f"{store}: column {column} of {kept:,} vertices")


def _write(result: VertexResult, output: Path, format: str) -> None:
    """Write all values to a file, or to standard output."""
    if str(output) == STDOUT:
        table = result.to_arrow()
        print_table(table.schema, table.to_batches(max_chunksize=1 << 16), format)
        return
    result.write(output)
    say(f"{output}: {len(result):,} rows")


def _facts(kernel: str, store: str, result: VertexResult, top: int) -> dict[str, Any]:
    """The outcome of a run, for programs."""
    facts = {
        "kernel": kernel,
        "store": store,
        "vertices": len(result),
        **result._facts(),
        "perf_counters": result.counters.to_dict() if result.counters else None,
        "memory": result.memory.to_dict() if result.memory else None,
        "working_set": result.working_set,
        "top": result.top_table(top).to_pylist(),
    }
    return with_old_keys(facts, "rizoma run --json")


def _value(name: str, given: Any, annotation: Any, ids: str) -> Any:
    """What an option says, as the algorithm takes it."""
    kinds = _members(annotation)
    if name in _WEIGHTS and str(given).lower() == "none":
        return None
    if _is_vertex(annotation):
        return vertex_of(f"--{_hyphened(name)}", given, ids)
    if kinds == {float, str}:
        return _number_or_word(given)
    if _takes_shares(kinds):
        return _shares(name, given, ids)
    if kinds == {Iterable[float]}:
        return given
    return [vertex_of(f"--{_hyphened(name)}", each, ids) for each in given] if isinstance(given, list) else given


def _number_or_word(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _shares(name: str, given: list[str], ids: str) -> dict[VertexKey, float] | str:
    """ID=NUMBER each, or one word: the name of a column, where the algorithm takes one."""
    if len(given) == 1 and not re.search("[=:]", given[0]):
        return given[0]
    shares: dict[VertexKey, float] = {}
    for each in given:
        vertex, equals, text = each.rpartition("=")
        number = _number_or_word(text) if equals else ""
        if isinstance(number, str):
            raise InvalidArgumentError(f"--{_hyphened(name)} {each!r}: write ID=NUMBER, once for each vertex")
        shares[vertex_of(f"--{_hyphened(name)}", vertex, ids)] = number
    return shares


def _hyphened(name: str) -> str:
    return name.replace("_", "-")


def _members(annotation: Any) -> set[Any]:
    """The types that an annotation allows, without None."""
    union = typing.get_origin(annotation) in (Union, types.UnionType)
    return {kind for kind in (typing.get_args(annotation) if union else (annotation,)) if kind is not type(None)}


def _is_vertex(annotation: Any) -> bool:
    return _members(VertexKey) <= _members(annotation)


def _takes_shares(kinds: set[Any]) -> bool:
    """Whether a parameter takes a number for each of some vertices, or the name of a column."""
    mappings = [kind for kind in kinds if typing.get_origin(kind) is Mapping]
    return str in kinds and any(typing.get_args(kind)[1] is float for kind in mappings)


def _takes_vertices(kinds: set[Any]) -> bool:
    """Whether a parameter takes vertices, and nothing else."""
    kind = next(iter(kinds))
    return len(kinds) == 1 and typing.get_origin(kind) is Iterable and _is_vertex(typing.get_args(kind)[0])


def _type_of(annotation: Any) -> Any:
    """What an option parses for a parameter; None: it cannot be an option."""
    members = _members(annotation)
    if _is_vertex(annotation) or members == {float, str}:
        return str
    if _takes_shares(members) or _takes_vertices(members):
        return list[str]
    if members == {Iterable[float]}:
        return list[float]
    kinds = {str if typing.get_origin(kind) is Literal else kind for kind in members}
    plain: type | None = kinds.pop() if len(kinds) == 1 else None
    return plain if plain in _PLAIN else None


def _parameters(kernel: str) -> dict[str, inspect.Parameter]:
    """The parameters of an algorithm that are options of its command, with their types."""
    hints = typing.get_type_hints(KERNELS[kernel])
    return {
        name: parameter.replace(annotation=hints[name])
        for name, parameter in inspect.signature(KERNELS[kernel]).parameters.items()
        if name not in _OWN and _type_of(hints[name]) is not None
    }


def _documented(text: str) -> dict[str, str]:
    """A docstring's text about each argument, in one line."""
    _, _, section = inspect.cleandoc(text).partition("Args:\n")
    section = re.split(r"\n\n(?=\S)", section)[0]  # what follows is another section
    found = re.findall(r"^ {4}(\w+): (.*(?:\n {5,}.*)*)", section, re.MULTILINE)
    return {name: " ".join(words.replace("`", "").split()) for name, words in found}


def _as_help(said: str, is_default: bool) -> str:
    """A docstring's text about an argument, for a command line, where an option left out is None, if that is its
    default.
    """
    return re.sub(r"\bNone: ", "default: " if is_default else "none: ", said[:1].upper() + said[1:])


def _as_options(kernel: str) -> Iterator[inspect.Parameter]:
    says = _documented(KERNELS[kernel].__doc__ or "")
    for name, parameter in _parameters(kernel).items():
        kind = _type_of(parameter.annotation)
        words = [] if kind is bool else [f"--{_hyphened(name)}"]
        if len(name) == 1 or name == "source":
            words.append(f"-{name[0]}")
        default = "" if parameter.default in (None, (), parameter.empty) else f"  Default: {parameter.default}."
        shares = _takes_shares(_members(parameter.annotation))
        how = "  ID=NUMBER, repeatable." if shares else ""
        option = typer.Option(
            *words, help=_as_help(says.get(name, ""), parameter.default is None) + how + default, show_default=False
        )
        optional: Any = kind | None  # what is not given is left to the algorithm
        yield inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[optional, option]
        )


def _command_of(kernel: str) -> Any:
    """The command of an algorithm: the store, its own options, and those of all."""
    shared = list(inspect.signature(_options, eval_str=True).parameters.values())
    shared = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in shared]
    own = list(_as_options(kernel))

    def run(**values: Any) -> None:
        given = {name: values.pop(name) for name in (parameter.name for parameter in own)}
        wanted = {name: value for name, value in given.items() if value is not None and value != []}
        _run_kernel(kernel, values.pop("store"), wanted, **values)

    store = inspect.Parameter("store", inspect.Parameter.KEYWORD_ONLY, annotation=Store)
    parameters = [store, *own, *shared]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    summary = (KERNELS[kernel].__doc__ or "").partition("Args:\n")[0]
    run.__doc__ = inspect.cleandoc(summary).replace("`", "")
    alone = typer.Typer(add_completion=False, rich_markup_mode="rich")
    command(kernel, on=alone)(run)
    return typer.main.get_command(alone)
