"""The application, and what all its commands share: options, errors, exit codes."""

from __future__ import annotations

import functools
import inspect
import os
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import chain, pairwise, takewhile
from pathlib import Path
from textwrap import indent
from typing import Annotated, Any, NoReturn, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

from .. import __version__
from ..core.aliases import COMMAND_OPTIONS
from ..core.argument_names import argument_meant
from ..core.display import number_of, text_table
from ..core.errors import InvalidArgumentError
from ..core.files import is_store
from ..core.lazy_arrow import pa
from ..core.printable import printable
from ..core.suggestions import suggestion
from .exit_codes import EXIT_USAGE
from .guard import run_guarded
from .speaking import expect_shared, speaks_of_error
from .terminal import err, exit_code, out, say, say_error, show_table

__all__ = [
    "At",
    "Locations",
    "MovedLocations",
    "Progress",
    "Store",
    "Threads",
    "app",
    "choices",
    "command",
    "exit_code",
    "expect_before",
    "group",
    "help_of",
    "number_of",
    "out",
    "refuse",
    "say",
    "say_error",
    "say_renamed",
    "show",
    "show_rows",
    "show_table",
    "store_path",
]

F = TypeVar("F", bound=Callable[..., Any])

UsageError: Any = typer.BadParameter.__mro__[1]  # of click, as typer has it


class Command(TyperCommand):
    """A command that knows what other programs call its options."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return [piece.replace("{", "").replace("}", "") for piece in super().collect_usage_pieces(ctx)]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        typed = [*args]  # parsing empties the list
        self._expect_once(typed, ctx)
        flags = {name for each in self.params if getattr(each, "is_flag", False) for name in each.opts}
        for flag, after in pairwise(typed):
            if flag in flags and after.lower() in ("true", "false", "yes", "no", "none", "on", "off", "0", "1"):
                raise typer.BadParameter(f"{flag} takes no value; leave out {after!r}, or the whole option for no", ctx)
        try:
            return super().parse_args(ctx, args)
        except Exception as raised:
            error: Any = raised  # of typer, or of click
            wanted = getattr(error, "option_name", None)
            if wanted == "--ranks" and ctx.command_path.split()[1:2] in (["import"], ["run"]):
                error.message += f"; ranks are started by: mpiexec -n 2 {ctx.command_path} ..."
                error.possibilities = None
            elif type(error).__name__ == "NoSuchOption":
                _say_which_option(error, self, ctx, typed)
            _name_value(error, typed)
            _say_where_words_go(error, ctx, typed)
            _say_what_option_takes(error, ctx)
            raise

    def _expect_once(self, typed: list[str], ctx: Any) -> None:
        """Refuse an option that is given twice with different values, or with its opposite: one would not count."""
        words = list(takewhile(lambda word: word != "--", typed))
        for each in self.params:
            given = {name for name in words if name in (*each.opts, *each.secondary_opts)}
            if {*each.secondary_opts} & given and {*each.opts} & given:
                raise UsageError(f"{' and '.join(sorted(given))} contradict one another; give one", ctx)
            if each.multiple or getattr(each, "is_flag", False):
                continue
            values = [after for word, after in pairwise(words) if word in each.opts]
            values += [word.partition("=")[2] for word in words if "=" in word and word.partition("=")[0] in each.opts]
            if len({*values}) > 1:
                raise UsageError(f"{each.opts[0]} is given twice ({', '.join(values)}) and takes one value", ctx)


def _say_which_option(error: Any, command: Any, ctx: Any, typed: list[str]) -> None:
    """Of an option that there is not, say which one is meant, or what else does it."""
    wanted, error.possibilities = str(error.option_name), None
    options = [opt for each in command.params for opt in each.opts if opt[:2] == "--"]
    by_name = {opt.lstrip("-").replace("-", "_"): opt for opt in (*options, "--help")}
    meant = argument_meant(wanted.lstrip("-").replace("-", "_"), by_name)
    error.message = f"no such option: {wanted}"
    instead = _OPTIONS_INSTEAD.get((ctx.command.name, wanted)) or _OPTIONS_INSTEAD.get(("", wanted))
    if instead is not None:
        error.message += f"; {instead}"
    elif "param" in by_name and any(f"${wanted.lstrip('-')}" in word for word in typed):
        error.message += f"; the value of ${wanted.lstrip('-')} is given by --param {wanted.lstrip('-')}=VALUE"
    elif meant is not None:
        error.message += f"; did you mean {by_name[meant]}?"
    elif not wanted.startswith("--") and not wanted[1:2].isdigit():
        short = ["/".join(each.opts) for each in command.params if len(each.opts) > 1]
        error.message += f"; there are {', '.join(short)}" if short else ""
    elif any(re.search(rf"\(\s*{re.escape(wanted.lstrip('-'))}\b", word) for word in typed):  # a name of the pattern
        error.message += f"; a vertex is chosen by --where \"{wanted.lstrip('-')}.id = '...'\""
    elif len(options) <= _LISTED:
        error.message += f"; there are {', '.join(options)}"


_LISTED = 16  # options of a command that a message lists
_TO_ADD = "to add to a store give --append; to begin anew remove it first (rm -r STORE)"
_FILE = "the file's name decides (.csv, .tsv, .parquet ...): write it as -o FILE"
_EDGES = 'edges are lines of files, or of standard input: echo "ann bob" | rizoma {} STORE -'
_OPTIONS_INSTEAD = {
    ("import", "--edges"): "files of edges are arguments; --edge-column NAME:TYPE keeps a column",
    ("import", "--columns"): "--edge-column NAME:TYPE keeps a column of the edges, --all-columns all",
    ("import", "--output"): "the store is the first argument: rizoma import STORE FILE...",
    ("import", "-o"): "the store is the first argument: rizoma import STORE FILE...",
    ("import", "--overwrite"): _TO_ADD,
    ("import", "--force"): _TO_ADD,
    ("import", "-f"): _TO_ADD,
    ("add", "--edge"): _EDGES.format("add"),
    ("add", "--edges"): _EDGES.format("add"),
    ("remove", "--edge"): _EDGES.format("remove"),
    ("remove", "--edges"): _EDGES.format("remove"),
    ("bfs", "--target"): "rizoma path STORE A B finds one way",
    ("sssp", "--target"): "rizoma path STORE A B finds one way",
    ("export", "--columns"): "all columns are written; rizoma match STORE PATTERN --select NAME -o FILE writes some",
    ("export", "-o"): "the file is the second argument: rizoma export STORE FILE",
    ("export", "--output"): "the file is the second argument: rizoma export STORE FILE",
    ("export", "--sep"): "the end of the file's name decides: .csv has commas, .tsv tabs",
    ("export", "--delimiter"): "the end of the file's name decides: .csv has commas, .tsv tabs",
    ("query", "-p"): "did you mean --param?",
    ("neighbors", "--depth"): "these are the next ones; rizoma run bfs STORE --source ID --max-depth 2 goes on",
    ("check", "--fix"): "did you mean --repair?",
    ("generate", "--nodes"): "--scale 10 makes 2**10 vertices",
    ("generate", "--vertices"): "--scale 10 makes 2**10 vertices",
    ("generate", "--edges"): "--edge-factor 16 makes 16 edges for each vertex",
    ("distribute", "--ranks"): "a directory for each rank: rizoma distribute STORE parts/0 parts/1",
    ("", "--ranks"): "one process does it; several share rizoma import, run and match (mpiexec -n 2 rizoma run ...)",
    ("generate", "--n"): "--scale 10 makes 2**10 vertices",
    ("info", "--format"): "did you mean --json?",
    ("tags", "--list"): "rizoma tags STORE lists them",
    ("match", "--group-by"): "rizoma query groups rows: MATCH (a)-->(b) RETURN a, count(*)",
    ("query", "--limit"): "LIMIT stands in the query, behind RETURN",
    ("", "--csv"): _FILE,
    ("", "--parquet"): _FILE,
    ("", "--yes"): "nothing is asked; leave it out",
    ("", "-y"): "nothing is asked; leave it out",
    ("", "--store"): "the store is an argument; write its path alone",
    ("", "--graph"): "the store is an argument; write its path alone",
}
"""By command (empty: any) and option: what is written in the place of an option that there is not."""


def _say_what_option_takes(error: Any, ctx: Any) -> None:
    """Of an option without its value, say what it takes."""
    if not str(getattr(error, "message", "")).endswith("requires an argument."):
        return
    error.ctx = ctx
    option = next((each for each in ctx.command.params if error.option_name in each.opts), None)
    if option is not None and option.help:
        error.message = f"{error.message[:-1]}: {option.help}"
    if error.option_name in _SIGNS:
        error.message += f" A sign that the shell takes for its own stands in quotes: {error.option_name} ';'"


_SIGNS = ("--delimiter", "--quote", "--comment", "--thousands", "--decimal")
"""Options whose value is a sign, such as ; or |, with which a shell ends a command."""


def _say_where_words_go(error: Any, ctx: Any, typed: list[str]) -> None:
    """Of words too many, say what they may be: the parts of a text without quotes, or the name of a file to write."""
    found = re.fullmatch(r"Got unexpected extra argument(?:s|\(s\))? \((.+)\)", str(getattr(error, "message", "")))
    if found is None:
        return
    error.ctx = ctx
    last = next((each for each in reversed(ctx.command.params) if each.param_type_name == "argument"), None)
    options = {name for each in ctx.command.params for name in each.opts}
    word = found[1].partition(" ")[0]
    source = next((each for each in ctx.command.params if "--source" in each.opts), None)
    behind = zip(typed, pairwise(typed[1:]), strict=False)
    unequal = [f"--param {name}={value}" for option, (name, value) in behind if option == "--param"]
    if unequal and unequal[-1].endswith(f"={word}"):
        error.message += f"; did you mean {unequal[-1]}?"
    elif f"--{word}" in options:
        error.message += f"; did you mean --{found[1]}?"
    elif "--output" in options and re.fullmatch(r"\S*\.\w+", found[1]) and not Path(found[1]).is_dir():
        error.message += f"; a file to write is named by -o {found[1]}"
    elif ctx.command.name == "tags":
        error.message += f"; did you mean --add {found[1]}?"
    elif last is not None and last.name == "pattern" and re.fullmatch(r"\w+=\S+", found[1]):
        vertex, _, value = found[1].partition("=")
        error.message += f"; a vertex is chosen by --where \"{vertex}.id = '{value}'\""
    elif source is not None and not ctx.params.get(source.name):
        error.message += f"; a vertex is named by --source {found[1]}"
    elif last is not None and last.name in ("pattern", "text"):
        error.message += f"; put the {last.name} in quotes, so that the shell passes it as one word"
    elif last is not None and (last.metavar != "STORE" or _is_store(word)):
        metavar = last.metavar or last.name.upper()
        many = sum(each.metavar == metavar for each in ctx.command.params if each.param_type_name == "argument")
        error.message += (
            f"; it takes {f'one {metavar}' if many == 1 else f'{many} {metavar}s'}, ask for more by another call"
        )


def _is_store(word: str) -> bool:
    """Whether a word of the command line is the path of a store."""
    with suppress(OSError, ValueError):
        return is_store(Path(word))
    return False


def _name_value(error: Any, args: list[str]) -> None:
    """Say which value of an option is wrong, and which ones are not, where typer says only of what type it must be."""
    said = next((plain for raw, plain in _INPUTS.items() if str(getattr(error, "message", "")).startswith(raw)), None)
    if said is None:
        return
    last = str(error.message).rpartition(" ")[2]
    options = set(getattr(getattr(error, "param", None), "opts", ()))
    given = (after for each, after in pairwise([*args, ""]) if each in options)
    joined = (value for each in args for name, equals, value in [each.partition("=")] if equals and name in options)
    value = next(chain(given, joined), None)
    error.message = ("" if value is None else f"{value!r}; ") + said.format(last)


_INPUTS = {
    "Input should be a valid integer": "give a whole number",
    "Input should be a valid number": "give a number",
    "Input should be greater than or equal to": "give {} or more",
    "Input should be less than or equal to": "give {} or less",
}


app = typer.Typer(
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    help="""
Rizoma: open a big graph instantly, change it durably, analyse it fast.

\b
    rizoma import social.rz edges.txt.gz       # a store from an edge file
    rizoma info social.rz                      # properties, size, files
    rizoma run pagerank social.rz --top 10     # the ten largest
    rizoma demo                                # all of it on a road network

Exit codes: 0 done; 1 an error, told in one line; 2 wrong usage; 3 a check found damage, or a repair lost something; \
130 interrupted; 141 the reader of the output has gone; 143 terminated.
""",
    epilog="Every command explains itself: rizoma help COMMAND, or rizoma COMMAND --help",
)


Threads = Annotated[
    int, typer.Option("--threads", "-t", min=0, envvar="RIZOMA_THREADS", help="Threads; 0: all processors.")
]
Locations = Annotated[
    list[Path] | None,
    typer.Option("--location", help="Directory to spread the sections over; repeatable.", show_default=False),
]
MovedLocations = Annotated[
    list[Path] | None,
    typer.Option("--location", help="Directory of sections that has moved; repeatable.", show_default=False),
]
Progress = Annotated[
    bool | None,
    typer.Option("--progress/--no-progress", help="A progress bar on stderr; default: on a terminal."),
]


At = Annotated[
    str | None,
    typer.Option("--at", help="A tagged state of the store, by the tag's name.", show_default=False, metavar="TAG"),
]


def choices(*names: str) -> Callable[[str], list[str]]:
    """What a shell offers to complete an argument with."""

    def complete(incomplete: str) -> list[str]:
        return [name for name in names if name.startswith(incomplete)]

    return complete


def store_path(text: str) -> Path:
    """The path of a store from the command line."""
    if not text:
        raise typer.BadParameter('the path is empty; write "." for the current directory')
    if text == ":memory:":
        raise typer.BadParameter("a store is a directory on disk; a graph in memory is gone with the command")
    return Path(text)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"rizoma {__version__}")
        raise typer.Exit


Store = Annotated[
    Path,
    typer.Argument(
        help="Directory of the store, such as social.rz",
        show_default=False,
        parser=store_path,
        metavar="STORE",
    ),
]


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True),
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks of errors.")] = False,
) -> None:
    """Options before the command."""
    if debug:
        os.environ["RIZOMA_DEBUG"] = "1"


def show(text: str) -> None:
    """Print text on standard output as it is, but for what would command a terminal."""
    print(printable(text))


def show_rows(table: pa.Table) -> None:
    """Print rows on standard output; in a terminal no line is longer than it is wide."""
    show(text_table(table, out.width if out.is_terminal else None))


_WIDTH = 72  # of an example, without its margins


def help_of(text: str | None) -> str:
    """A docstring as help: paragraphs flow, examples stay as they are, nothing is markup."""
    blocks = inspect.cleandoc(text or "").replace("[", "\\[").split("\n\n")
    return "\n\n".join(_block(block) for block in blocks)


def _block(text: str) -> str:
    examples = [line for line in text.splitlines() if line.strip() != "\b"]
    if not text.startswith("\b") and not examples[0].lstrip().startswith(("rizoma ", "mpiexec ")):
        return " ".join(text.split())
    return "\b\n" + indent("\n".join(_folded(line.strip()) for line in examples), "    ")


def _folded(example: str) -> str:
    """The same for a terminal of 80 columns: over several lines that a shell reads as one."""
    lines = [""]
    for part in re.split(r" (?=-[-\w])", example):
        if lines[-1] and len(lines[-1]) + len(part) >= _WIDTH:
            lines.append(part)
        else:
            lines[-1] = f"{lines[-1]} {part}".lstrip()
    return " \\\n    ".join(lines)


def say_renamed(old: str) -> None:
    """Say that an option, a key of COMMAND_OPTIONS, has another name now."""
    say(f"rizoma: {old.rpartition(' ')[2]} is now {COMMAND_OPTIONS[old]}; the old name goes with the next release")


def expect_before(what: str, first: str, store: Path | None, known: Iterable[str]) -> None:
    """Raise if the store stands where one of `known`, which are called `what` of the command, comes first."""
    meant = str(store).replace("-", "_")
    if first not in known and (meant in known or (store is None and is_store(Path(first)))):
        name, _, kind = what.rpartition(" ")
        raise InvalidArgumentError(f"the {kind} comes first: {name} {meant if store else kind.upper()} {first}")


def refuse(what: str) -> NoReturn:
    """End with an error of usage in one line."""
    if speaks_of_error(what):
        say(f"rizoma: {what}")
    raise typer.Exit(EXIT_USAGE)


def show_progress(wanted: bool | None) -> bool:
    """Whether to draw progress bars."""
    return err.is_terminal if wanted is None else wanted


class Group(TyperGroup):
    """A command with commands of its own, which says in a line what a name that there is not may mean."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in self.commands:
            meant = suggestion(args[0], self.commands)
            remedy = f"did you mean {meant}?" if meant else f"choose one of {', '.join(self.commands)}"
            refuse(f"{ctx.command_path} has no command {args[0]!r}; {remedy}")
        return super().resolve_command(ctx, args)


def group(name: str, help: str, **settings: Any) -> typer.Typer:
    """Add a command that has commands of its own."""
    made = typer.Typer(no_args_is_help=True, rich_markup_mode="rich", help=help, **({"cls": Group} | settings))
    app.add_typer(made, name=name)
    return made


def command(name: str, *, on: typer.Typer = app, **settings: Any) -> Callable[[F], F]:
    """Register a command; an error becomes one line on stderr and an exit code."""

    def register(function: F) -> F:
        @functools.wraps(function)
        def guarded(*args: Any, **kwargs: Any) -> None:
            code = run_guarded(expect_shared) or run_guarded(function, *args, **kwargs)
            if code:
                raise typer.Exit(code)

        on.command(name, cls=Command, **{"help": help_of(function.__doc__), **settings})(guarded)
        return function

    return register
