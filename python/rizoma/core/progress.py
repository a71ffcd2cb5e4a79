"""The progress bar on stderr: phase, share done, rate, time left; lines where no bar can be drawn."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["progress_bar"]

Report = Callable[[str, float, float], None]

_LINE_EVERY = 5.0  # seconds between two lines of one phase


@contextmanager
def progress_bar() -> Iterator[Report]:
    """Draw a bar for the phase last reported, gone when the call ends; in a file or a pipe write lines instead."""
    from rich.console import Console

    console = Console(stderr=True)
    if console.is_terminal or console.is_jupyter:
        with _bar(console) as report:
            yield report
    else:
        yield _lines(console)


def _lines(console: Console) -> Report:
    """Writes a line for each phase, and how far it is every few seconds."""
    last_phase, last_time = "", 0.0

    def report(phase: str, done: float, total: float) -> None:
        nonlocal last_phase, last_time
        now = time.monotonic()
        if phase == last_phase and now - last_time < _LINE_EVERY:
            return
        last_phase, last_time = phase, now
        console.print(f"{phase}: {done / total:.0%}" if total else phase, highlight=False, markup=False)

    return report


@contextmanager
def _bar(console: Console) -> Iterator[Report]:
    from rich.progress import (
        BarColumn,
        Progress,
        SpinnerColumn,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(show_speed=False),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", rate="")

        def report(phase: str, done: float, total: float) -> None:
            if bar.tasks[0].description != phase:
                bar.reset(task, description=phase, rate="")
            bar.update(task, completed=done, total=total or None, rate=_rate(bar.tasks[0].speed))

        yield report


def _rate(speed: float | None) -> str:
    """Units a second in a few characters; bytes for files, rows or iterations otherwise."""
    if not speed:
        return ""
    for unit in ("", " K", " M", " G"):
        if speed < 1000:
            return f"{speed:.3g}{unit}/s"
        speed /= 1000
    return f"{speed:.3g} T/s"
