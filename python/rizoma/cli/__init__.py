"""The command `rizoma`: one file for each subcommand."""

from __future__ import annotations

from importlib import import_module

from .app import app

__all__ = ["app", "main"]

COMMANDS = (
    "import_",
    "generate",
    "change",
    "info",
    "check",
    "compact",
    "export",
    "run",
    "placement",
    "report",
    "bench",
    "probe",
    "demo",
    "version",
)

for _name in COMMANDS:  # each registers itself
    import_module(f".{_name}", __package__)


def main() -> None:
    """Entry point of the console script."""
    app(prog_name="rizoma")
