"""All commands, in the order of the help."""

from __future__ import annotations

from importlib import import_module

from .app import app

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

for _name in COMMANDS:  # each registers itself
    import_module(f".{_name}", __package__)
