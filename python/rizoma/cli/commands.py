"""All commands, in the order of the help."""

from __future__ import annotations

from importlib import import_module

import typer

from ..core.errors import UnsupportedError
from ..core.lab import lab
from .app import app, command

__all__ = ["app"]

COMMANDS = (
    "import_",
    "generate",
    "change",
    "info",
    "check",
    "compact",
    "tags",
    "upgrade",
    "export",
    "distribute",
    "run",
    "match",
    "placement",
    "cost",
    "report",
    "bench",
    "probe",
    "demo",
    "version",
)

OF_LAB = {"cost", "bench", "probe"}  # in rizoma_lab


def _register_of_lab(name: str) -> None:
    """A command of `rizoma_lab`; where that is not installed, one that says how to get it."""
    try:
        lab(f"commands.{name}")
    except UnsupportedError as error:
        absent = str(error)

        @command(name, context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
        def tell(_: typer.Context) -> None:
            """Not installed: pip install 'rizoma[lab]'."""
            raise UnsupportedError(absent)


for _name in COMMANDS:  # each registers itself
    if _name in OF_LAB:
        _register_of_lab(_name)
    else:
        import_module(f".{_name}", __package__)
