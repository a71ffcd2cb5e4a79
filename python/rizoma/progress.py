"""The progress bar on stderr: phase, share done, rate, time left."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["progress_bar"]


@contextmanager
def progress_bar() -> Iterator[Callable[[str, float, float], None]]:
    """Draw a bar for the phase last reported; gone when the call ends."""
    from rich.console import Console
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
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
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
