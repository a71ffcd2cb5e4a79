"""All commands, by what they are for.  The module of a command is imported when the command is asked for."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from ..core.errors import UnsupportedError
from ..core.lab import lab
from ..core.suggestions import COMMANDS_ELSEWHERE, FUNCTIONS_ELSEWHERE, suggestion
from .app import app, command, help_of, refuse, say
from .exit_codes import EXIT_INTERRUPTED
from .speaking import speaks_of_error

__all__ = ["COMMANDS", "GROUPS", "OF_LAB", "app"]

COMMANDS = {
    "import": "import_",
    "generate": "generate",
    "add": "change",
    "remove": "change",
    "set-weights": "change",
    "info": "info",
    "check": "check",
    "compact": "compact",
    "tags": "tags",
    "upgrade": "upgrade",
    "export": "export",
    "distribute": "distribute",
    "run": "run",
    "match": "match",
    "query": "query",
    "path": "around",
    "neighbors": "around",
    "placement": "placement",
    "cost": "cost",
    "report": "report",
    "bench": "bench",
    "probe": "probe",
    "demo": "demo",
    "version": "version",
}
"""Commands, and the modules that register them when they are imported."""

GROUPS = {
    "Data in and out": ("import", "generate", "add", "remove", "set-weights", "export"),
    "Analysis": ("run", "match", "query", "path", "neighbors", "report"),
    "Care of a store": ("info", "check", "compact", "tags", "upgrade"),
    "Machines": ("distribute", "placement", "cost", "bench", "probe"),
    "About Rizoma": ("demo", "version"),
}
"""The commands as the help shows them: headings, and the commands below each."""

OF_LAB = {"cost", "bench", "probe"}  # in rizoma_lab

# Errors of the command line: typer brings click with it or takes the one that is installed, as its release has it.
CommandLineError: Any = typer.BadParameter.__mro__[2]

_ALGORITHMS = Path(__file__).parents[1] / "algorithms"


class Commands(TyperGroup):
    """The group of all commands: imports those that are asked for, and says what a name that there is not may mean."""

    _summaries = False  # whether commands are listed in the help, not run

    def list_commands(self, ctx: Any) -> list[str]:
        return [name for name in chain(*GROUPS.values()) if name in COMMANDS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        if self._summaries and (summary := _summary(cmd_name)):
            return TyperCommand(cmd_name, help=summary, rich_help_panel=_heading(cmd_name))
        if cmd_name not in self.commands:
            _register(cmd_name)
            self.commands.update(typer.main.get_group(app).commands)
        return self.commands[cmd_name]

    def main(  # as the group's own is called
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **settings: Any,
    ) -> Any:
        """Run a command; one rank says in one line what is wrong in the usage of a command."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, False, windows_expand_args, **settings)
        try:
            code = super().main(args, prog_name, complete_var, False, windows_expand_args, **settings)
        except CommandLineError as error:
            if speaks_of_error(error.format_message()):
                say(_usage_error(error))
            sys.exit(error.exit_code)
        except typer.Abort:
            sys.exit(EXIT_INTERRUPTED)
        sys.exit(code if isinstance(code, int) else 0)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args[:1] == ["help"]:  # rizoma help COMMAND
            args = [*args[1:], "--help"]
        typed = [*args]
        try:
            return super().parse_args(ctx, args)
        except CommandLineError as error:
            if type(error).__name__ == "NoSuchOption":
                _say_where_options_stand(error, typed)
            raise

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in COMMANDS:
            refuse(f"there is no command {args[0]!r}; {_meant(args[0])}")
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        with self._for_summaries():
            super().format_help(ctx, formatter)

    @contextmanager
    def _for_summaries(self) -> Iterator[None]:
        self._summaries = True
        try:
            yield
        finally:
            self._summaries = False


app.info.cls = Commands


def _heading(name: str) -> str:
    return next(heading for heading, names in GROUPS.items() if name in names)


def _usage_error(error: Any) -> str:
    """What is wrong, and which help has the rest."""
    context = getattr(error, "ctx", None)
    help_ = "" if context is None else f"; {context.command_path} --help tells more"
    said = error.format_message().rstrip(".")
    first = None if context is None else context.params.get("store")
    if context is not None and context.command.name == "import" and first is not None and Path(first).is_file():
        said = f"{first} is a file, and the store comes first: rizoma import NEW.rz {first}"
    elif context is not None and said.lower().startswith(("missing argument", "got unexpected")):
        pieces = " ".join(context.command.collect_usage_pieces(context))
        help_ = f"; write {context.command_path} {pieces}{help_}"
    if context is not None and getattr(error, "option_name", "")[1:2].isdigit():
        help_ = f"; negative ids come behind --, as in {context.command_path} STORE -- -5{help_}"
    return f"rizoma: {said[:1].lower()}{said[1:]}{help_}" if said else ""


def _say_where_options_stand(error: Any, typed: list[str]) -> None:
    """Of an option before the command, say that it stands behind it."""
    name = next((word for word in typed if word in COMMANDS), None)
    error.message, error.possibilities = f"no such option: {error.option_name}", None
    if error.option_name.lower() in ("-v", "--v"):
        error.message += "; did you mean --version?"
    elif name is not None:
        error.message += f"; the options of a command stand behind it: rizoma {name} ... {error.option_name}"
    elif meant := suggestion(error.option_name, ("--version", "--help", "--debug")):
        error.message += f"; did you mean {meant}?"


def _meant(name: str) -> str:
    """The command that a wrong name probably means."""
    kernel = name.replace("-", "_").lower()
    known = [file.stem for file in _ALGORITHMS.glob("[!_]*.py")]
    exact = kernel if kernel in known else FUNCTIONS_ELSEWHERE.get(kernel)
    if exact in known:
        return f"an algorithm is run by: rizoma run {exact} STORE"
    if kernel in ("algorithm", "algorithms", "kernels"):
        return "rizoma run --help lists all algorithms"
    if name in ("rm", "rmdir", "delete", "drop", "destroy"):
        return "a store is a directory: rm -r STORE removes it; rizoma remove takes edges and vertices out of a graph"
    if meant := suggestion(name, (*COMMANDS, "help"), COMMANDS_ELSEWHERE):
        return f"did you mean rizoma {meant}?"
    if meant := suggestion(kernel, known):
        return f"did you mean rizoma run {meant} STORE?"
    return "rizoma --help lists all"


def _register(name: str) -> None:
    if name in OF_LAB:
        _register_of_lab(name)
    else:
        import_module(f".{COMMANDS[name]}", __package__)


def _register_of_lab(name: str) -> None:
    """Register a command of `rizoma_lab`; if that is not installed, one that says how to install it."""
    try:
        lab(f"commands.{name}")
    except UnsupportedError as error:
        absent = str(error)

        @command(name, context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
        def tell(_: typer.Context) -> None:
            """Not installed: pip install 'rizoma[lab]'."""
            raise UnsupportedError(absent)


def _summary(name: str) -> str:
    """The first sentence of a command's help, from the text of its module, which is not imported; empty: not found."""
    folder = Path(__file__).parent
    if name in OF_LAB:
        lab_found = find_spec("rizoma_lab")
        folder = Path(lab_found.origin).parent / "commands" if lab_found and lab_found.origin else folder
    file = folder / f"{COMMANDS[name]}.py"
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    found = re.search(
        rf'^(?:@command\("{name}".*?\n    """|group\(\s*"{name}",\s*"|\w+ = group\("{name}", ")(.*?)(?:"""|\n\n|\\n|")',
        text,
        re.MULTILINE | re.DOTALL,
    )
    return help_of(found[1]) if found else ""
