"""rizoma check."""

from __future__ import annotations

import typer

from .. import _core
from ..engines import engine
from ..info import human_bytes
from .app import EXIT_DAMAGED, Locations, Progress, Store, Threads, command, out, show_progress

__all__ = ["check"]


@command("check")
def check(store: Store, location: Locations = None, threads: Threads = 0, progress: Progress = None) -> None:
    """Read and verify every byte of a store.

    Says for each finding where it is, what is wrong and what is lost by it; then the exit code is 3.

    \b
        rizoma check social.rz
    """
    with engine(threads, show_progress(progress)) as lent:
        report = _core.Graph.check(store, lent, location or [])
    for finding in report.findings:
        out.print(f"{finding.where}: {finding.what}; lost: {finding.loss}", highlight=False, markup=False)
    read = f"{human_bytes(report.bytes_checked)} in {report.sections_checked:,} sections"
    if report.findings:
        out.print(f"{store}: {len(report.findings)} findings in {read}", highlight=False)
        raise typer.Exit(EXIT_DAMAGED)
    out.print(f"{store}: whole; {read} verified", highlight=False)
