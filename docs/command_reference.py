"""The reference of the command `rizoma`: what each command's --help says, on one page."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

import typer

__all__ = ["commands_of", "page_of", "write_page"]


def write_page(app: typer.Typer, page: Path) -> None:
    """Write the page of an application's commands."""
    page.write_text(page_of(typer.main.get_command(app), "rizoma", "The command"))


def commands_of(command: Any, name: str) -> Iterator[tuple[str, Any, Any]]:
    """A command and all below it, in the order of the help: names, commands, contexts."""
    context = command.context_class(command, info_name=name)
    yield name, command, context
    for below in _below(command, context):
        yield from commands_of(below, f"{name} {below.name}")


def page_of(command: Any, name: str, title: str) -> str:
    """A section for each command: its help, how it is used, its arguments, options and commands."""
    return "\n".join(
        _section(title if name == each else f"`{each}`", each.count(" ") - name.count(" "), found, context)
        for each, found, context in commands_of(command, name)
    )


def _below(command: Any, context: Any) -> list[Any]:
    names = command.list_commands(context) if hasattr(command, "list_commands") else []
    found = [command.get_command(context, name) for name in names]
    return [each for each in found if not each.hidden]


def _section(title: str, depth: int, command: Any, context: Any) -> str:
    usage = " ".join([context.info_name, *command.collect_usage_pieces(context)])
    parts = [f"{'#' * (depth + 1)} {title}", _prose(command.help or ""), f"```console\n$ {usage}\n```"]
    records: dict[str, list[str]] = {"argument": [], "option": []}
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None:
            records[parameter.param_type_name].append(f"- `{record[0]}`: {_escaped(record[1])}")
    parts += [f"{kind.capitalize()}s:\n\n" + "\n".join(lines) for kind, lines in records.items() if lines]
    below = [f"- `{context.info_name} {each.name}`: {_first_sentence(each.help)}" for each in _below(command, context)]
    if below:
        parts.append("Commands:\n\n" + "\n".join(below))
    return "\n\n".join([*parts, _prose(command.epilog or "")]).rstrip() + "\n"


def _prose(text: str) -> str:
    """Help as Markdown: paragraphs, and what is indented as code."""
    text = inspect.cleandoc(text.replace(r"\[", "["))  # as Rich has it
    paragraphs = re.split(r"\n{2,}", text.replace("\b\n", ""))
    return "\n\n".join(
        f"```console\n{inspect.cleandoc(each)}\n```" if each.startswith("    ") else _escaped(each)
        for each in paragraphs
    )


_CODE = re.compile(r"(`[^`]*`)|(?<![\w-])(--[a-z][\w-]*|(?!\(--)[^\s`]+--[^\s`]+?(?=[.,;:]*(?:\s|$)))")


def _escaped(text: str) -> str:
    """Text as Markdown has it; options and patterns are code, or their hyphens become a dash."""
    plain = [re.sub(r"([<*_|])", r"\\\1", part) for part in _CODE.sub("\0", text).split("\0")]
    code = [found[1] or f"`{found[2]}`" for found in _CODE.finditer(text)]
    return "".join(chain(*zip_longest(plain, code, fillvalue="")))


def _first_sentence(text: str) -> str:
    paragraph = " ".join(inspect.cleandoc(text).split("\n\n")[0].split())
    return _escaped(re.split(r"(?<=\.)\s", paragraph)[0])
