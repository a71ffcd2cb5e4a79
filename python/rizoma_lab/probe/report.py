"""The outcome of a probe: for people as tables, for programs as JSON, for sharing as a page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from .cases import FileCase, Measurement, MemoryCase, case_words
from .figures import Figure, figure
from .findings import findings
from .machine import Machine
from .page import page
from .plan import Limits

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.table import Table

__all__ = ["Report"]


@dataclass
class Report:
    """Everything that was measured, with what it means."""

    machine: Machine
    limits: Limits
    results: list[Measurement]
    seconds: float

    def __post_init__(self) -> None:
        self.figures: list[Figure | None] = [figure(result) for result in self.results]
        self.findings = findings(self.machine, self.results)

    def rows(self, kind: type[MemoryCase] | type[FileCase]) -> Iterator[tuple[Measurement, Figure | None]]:
        """Measurements of memory or of files, with their figures."""
        for result, found in zip(self.results, self.figures, strict=True):
            if isinstance(result.case, kind):
                yield result, found

    def to_dict(self) -> dict[str, Any]:
        """Everything, raw samples included, for JSON."""
        results = [
            result.to_dict() | {"figure": found.to_dict() if found else None}
            for result, found in zip(self.results, self.figures, strict=True)
        ]
        return {
            "machine": self.machine.to_dict(),
            "limits": asdict(self.limits),
            "seconds": self.seconds,
            "findings": self.findings,
            "results": results,
        }

    def to_html(self) -> str:
        """A page of its own, with plots."""
        return page(self)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.text import Text

        yield self._table("Memory: median [95% interval]", MemoryCase)
        if self.machine.directories:
            yield self._table("Files: median [95% interval]", FileCase)
        if self.machine.settings:
            yield "; ".join(f"{name}: {value}" for name, value in self.machine.settings.items())
        for text in self.findings:
            yield Text.assemble(("!", "yellow"), " ", text)
        yield f"{len(self.results)} cases in {self.seconds:.0f} s"

    def _table(self, title: str, kind: type[MemoryCase] | type[FileCase]) -> Table:
        from rich.table import Table

        table = Table(title=title, title_justify="left")
        for heading in ("where", "kernel", "how"):
            table.add_column(heading)
        table.add_column("threads", justify="right")
        table.add_column("figure", justify="right", no_wrap=True)
        last = ""
        for result, found in self.rows(kind):
            place, kernel, how = case_words(result.case)
            if last and place != last:
                table.add_section()
            table.add_row(
                "" if place == last else place, kernel, how, str(result.threads), str(found or result.missing)
            )
            last = place
        return table
