"""rizoma check."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from .. import _core
from ..core.engines import engine
from ..core.files import near_names_told
from ..graph.check import too_little_left, too_little_told
from ..graph.info import human_bytes
from ..graph.open_settings import store_location
from .app import MovedLocations, Progress, Store, Threads, command, number_of, out, say, show_progress
from .exit_codes import EXIT_DAMAGED
from .machines import print_json

__all__ = ["check"]


@command("check")
def check(
    store: Store,
    repair: Annotated[bool, typer.Option("--repair", help="Replace a damaged store by a repaired one.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="What was found, as one JSON object.")] = False,
    location: MovedLocations = None,
    threads: Threads = 0,
    progress: Progress = None,
) -> None:
    """Read and verify every byte of a store.

    For each finding, says where it is, what is wrong and what is lost; the exit code is then 3.  If a graph was not
    closed, nothing proves where its log ended; the command then names the first change that might be missing.

    With --repair, builds a new store from everything that can be restored, and keeps the damaged one beside it as
    STORE.damaged.  The exit code is 0 if nothing was lost, and 3 if something was or may have been.  A graph that was
    spread over several directories is then in one; `rizoma compact --location` spreads it again.

    \b
        rizoma check social.rz
        rizoma check social.rz --repair
        rizoma check social.rz --json | jq .findings
    """
    if repair:
        with near_names_told(store), too_little_told(store), engine(threads, show_progress(progress)) as borrowed:
            repaired = _core.Graph.repair(store_location(store), borrowed, location or [])
        if as_json:
            print_json(_facts(store, repaired.found) | _repairs(repaired))
        else:
            _tell(store, repaired.found)
            if repaired.kept or repaired.lost:
                _print(f"{store}: {repaired!r}")
        if repaired.lost:
            raise typer.Exit(EXIT_DAMAGED)
        return
    with near_names_told(store), engine(threads, show_progress(progress)) as borrowed:
        report = _core.Graph.check(store_location(store), borrowed, location or [])
    if as_json:
        print_json(_facts(store, report))
    else:
        _tell(store, report)
    if report.findings:
        mends = f"rizoma check {store} --repair makes a whole store of what is left, and keeps this one beside it"
        say(too_little_left(store) or mends)
        raise typer.Exit(EXIT_DAMAGED)


def _facts(store: Path, report: _core.CheckReport) -> dict[str, Any]:
    return {
        "store": str(store),
        "whole": not report.findings,
        "bytes_checked": report.bytes_checked,
        "sections_checked": report.sections_checked,
        "unproven": report.unproven,
        "findings": [{"where": each.where, "what": each.what, "loss": each.loss} for each in report.findings],
    }


def _repairs(report: _core.RepairReport) -> dict[str, Any]:
    return {
        "restored": report.restored,
        "lost": report.lost,
        "unproven": report.unproven,
        "kept": report.kept,
        "kept_locations": report.kept_locations,
    }


def _tell(store: Path, report: _core.CheckReport) -> None:
    for finding in report.findings:
        _print(f"{finding.where}: {finding.what}; lost: {finding.loss}")
    read = f"{human_bytes(report.bytes_checked)} in {number_of(report.sections_checked, 'section')}"
    if report.findings:
        _print(f"{store}: {number_of(len(report.findings), 'finding')} in {read}")
        return
    _print(f"{store}: whole; {read} verified")
    if report.unproven:
        _print(f"{store}: may be missing: {report.unproven}")


def _print(line: str) -> None:
    """Print each finding in one line, in a pipe too."""
    out.print(line, highlight=False, soft_wrap=True)
