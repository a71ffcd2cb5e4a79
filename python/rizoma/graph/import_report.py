"""What an import did: which columns it took and why, and what became of the lines."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from .. import _core
from ..core.display import number_of
from ..core.plain_report import plain_report
from ..core.read_warnings import warn_of
from .odd_ids import OddIds
from .parallel import parallel_edges_of
from .tables.columns import ends_guess, great_weights_guess, one_set_note, single_weights_guess

__all__ = ["FileReport", "ImportReport", "VertexFileReport", "warn_of_merged"]


@dataclass
class FileReport:
    """One file of an import."""

    path: str
    format: str
    ids: str
    directed: bool
    weights: str | None
    columns: list[str] = field(default_factory=list)  # CSV: by the header, or numbered
    source: str | None = None
    target: str | None = None
    weight: str | None = None
    delimiter: str | None = None
    header: bool | None = None
    notes: list[str] = field(default_factory=list)  # what was found out, and why
    guesses: list[str] = field(default_factory=list)  # what may be meant otherwise, and what says so
    edges: int = 0  # rows read
    bad_lines: int = 0  # malformed, and left out as asked
    null_lines: int = 0  # without an id or a weight, and left out as asked
    comment_lines: int = 0  # that the format, or the caller, takes for comments
    great_weights: int = 0  # whole numbers that float64 may not hold exactly
    single_weights: int = 0  # whole numbers that float32 does not hold
    first_bad: str = ""
    size: int = 0  # bytes of the file that is read
    multigraph: bool = False  # a graph in which parallel edges are edges of their own

    @classmethod
    def of(cls, path: Path, summary: _core.FileSummary) -> FileReport:
        """What was found out before reading."""
        report = cls(
            str(path),
            summary.format,
            summary.ids.name,
            summary.directed,
            None if summary.weights == _core.WeightType.none else summary.weights.name,
            notes=list(summary.notes),
            guesses=list(summary.guesses),
        )
        if summary.columns:
            names = summary.columns
            report.columns = names
            report.source, report.target = names[summary.source], names[summary.target]
            report.weight = None if summary.weight is None else names[summary.weight]
            report.delimiter, report.header = summary.delimiter, summary.header
        return report

    def note_left_out(self, lines: _core.LeftOut) -> None:
        """Add what was not read."""
        self.bad_lines += lines.skipped_errors
        self.null_lines += lines.null_lines
        self.comment_lines += lines.comment_lines
        self.great_weights += lines.great_weights
        self.single_weights += lines.single_weights
        self.first_bad = self.first_bad or lines.first_bad
        for guess in lines.guesses:
            self.add_guess(guess)

    def add_guess(self, guess: str) -> None:
        """Add what may be meant otherwise, unless it is there."""
        if guess not in self.guesses:
            self.guesses.append(guess)

    def add(self, other: FileReport) -> None:
        """Add what was read of a further part of the file."""
        self.edges += other.edges
        self.bad_lines += other.bad_lines
        self.null_lines += other.null_lines
        self.comment_lines += other.comment_lines
        self.great_weights += other.great_weights
        self.single_weights += other.single_weights
        self.first_bad = self.first_bad or other.first_bad
        self.notes += [note for note in other.notes if note not in self.notes]
        for guess in other.guesses:
            self.add_guess(guess)

    def note_columns_of_vertices(self, schema: _core.GraphSchema) -> None:
        """Say of columns of this table of edges that they were asked for of vertices, which do not get their values."""
        kept = {self.source, self.target, self.weight, *(name for name, _, _ in schema.edge_columns)}
        for name, kind, _ in schema.vertex_columns:
            if name in self.columns and name not in kept:
                said = f"{name!r} is a column of edges, and vertices= asks for one of vertices, which stays empty"
                self.add_guess(f'{said}: edges={{{name!r}: "{kind}"}} keeps it, and vertex_files= fills it')

    def note_one_set(self) -> None:
        """Say that the ends are one set of vertices if the names of their columns do not."""
        if self.source is not None and self.target is not None and self.ids != "string" and self.header is not False:
            self.notes += one_set_note(self.source, self.target)

    def lines(self) -> list[str]:
        """What people should know."""
        said = [f"{self.path}: {note}" for note in dict.fromkeys([*self.notes, *self.guesses])]
        if self.bad_lines:
            lines = "a malformed line" if self.bad_lines == 1 else f"{self.bad_lines:,} malformed lines; the first"
            said.append(f"{self.path}: left out {lines}: {self.first_bad}")
        if self.null_lines:
            lines = "a line" if self.null_lines == 1 else f"{self.null_lines:,} lines"
            said.append(f"{self.path}: left out {lines} without an id or a weight")
        if self.comment_lines:
            lines = "a comment line" if self.comment_lines == 1 else f"{self.comment_lines:,} comment lines"
            said.append(f"{self.path}: left out {lines}")
        return said


@dataclass
class VertexFileReport:
    """One file of vertices of an import."""

    path: str
    ids: str  # the column of ids
    by_place: bool  # it is the first of two, and none is called "vertex" or "id"
    columns: list[str]  # whose values are kept
    rows: int = 0
    notes: list[str] = field(default_factory=list)
    guesses: list[str] = field(default_factory=list)  # what may be meant otherwise, or is lost

    def lines(self) -> list[str]:
        """What people should know."""
        place = ", the first column, because none is called 'vertex' or 'id' (vertex= names another)"
        head = f"{number_of(self.rows, 'row')} of vertices, ids are {self.ids!r}{place if self.by_place else ''}"
        kept = [f"kept: {', '.join(map(repr, self.columns))}"] if self.columns else []
        said = [*([head] if self.ids else []), *kept, *self.notes]
        return [f"{self.path}: {each}" for each in said] + self.warnings

    @property
    def warnings(self) -> list[str]:
        """The guesses, with the name of the file."""
        return [f"{self.path}: {guess}" for guess in self.guesses]


def warn_of_merged(
    rows: int, multigraph: bool, before: tuple[int, int], after: tuple[int, int], schema: _core.GraphSchema
) -> None:
    """Warn of what rows that were added lost where they were merged by default, as `rizoma.read` does.

    `before` and `after` are numbers of vertices and edges; `multigraph`: the rows came from a graph in which parallel
    edges are edges of their own.
    """
    if parallel_edges_of(schema) != "merge":
        return
    report = ImportReport([FileReport("", "table", "", schema.directed, None, edges=rows, multigraph=multigraph)])
    report.finish(before, after, schema, True)
    warn_of(report.warnings)


@plain_report(edges="edges_added", num_edges="edges_added", vertices="vertices_added", num_vertices="vertices_added")
@dataclass
class ImportReport:
    """An import: its files, and what became of their edges.  `print(graph.last_import)` tells it in words."""

    files: list[FileReport]
    edges_read: int = 0
    edges_added: int = 0
    vertices_added: int = 0
    directed: bool = False
    weights: str | None = None
    ids: str = "dense"
    notes: list[str] = field(default_factory=list)
    vertex_files: list[VertexFileReport] = field(default_factory=list)
    _loses_values = False  # rows that name one edge may have different weights or values
    _nothing_read = False  # there were files, without any edge or vertex: the first note says so

    @property
    def guesses(self) -> list[str]:
        """What may be meant otherwise, and what of a graph was left out."""
        of_vertices = [guess for file in self.vertex_files for guess in file.warnings]
        return [guess for file in self.files for guess in file.guesses] + of_vertices

    @property
    def warnings(self) -> list[str]:
        """The same, that nothing was read, or what edges that were merged by default lost: weights, values, others."""
        lost = self._loses_values or any(file.multigraph for file in self.files)
        return [*self.guesses, *(self.notes[:1] if (self.merged and lost) or self._nothing_read else [])]

    @property
    def merged(self) -> int:
        """Rows that made no edge of their own: they named one that another row, or the graph, had."""
        return max(0, self.edges_read - self.edges_added)

    def finish(self, before: tuple[int, int], after: tuple[int, int], schema: _core.GraphSchema, said: bool) -> None:
        """Add up; `before` and `after` are numbers of vertices and edges, `said` whether directions were asked for."""
        self.edges_read = sum(file.edges for file in self.files)
        self.vertices_added, self.edges_added = after[0] - before[0], after[1] - before[1]
        self.directed, self.ids = schema.directed, schema.ids.name
        self.weights = None if schema.weights == _core.WeightType.none else schema.weights.name
        rows_differ = self.weights is not None or any(name != "weight" for name, _, _ in schema.edge_columns)
        self._loses_values = before == (0, 0) and rows_differ
        if self.merged:  # the first note, as `warnings` has it
            self.notes.insert(0, self._merged(schema, said))
        files = [file.path for file in self.files if file.format != "table"]
        self._nothing_read = bool(files) and self.edges_read == self.vertices_added == 0
        if self._nothing_read:
            more = f" and {len(files) - 1} more files" if len(files) > 1 else ""
            self.notes.insert(0, f"no edge was read from {files[0]}{more}: empty, a header alone, or another file")
        for file in self.files:
            file.note_one_set()
            if not said and not schema.directed and before == (0, 0) and file.source and file.target:
                file.guesses += ends_guess(file.source, file.target)
            if not self.vertex_files and before == (0, 0):
                file.note_columns_of_vertices(schema)
            if schema.weights == _core.WeightType.float32:
                file.guesses += [single_weights_guess(file.single_weights)] if file.single_weights else []
            elif file.great_weights:
                file.guesses.append(great_weights_guess(file.great_weights))
        unread = [file.path for file in self.files if file.weights and self.weights is None]
        if unread:
            self.notes.append(f"the weights of {', '.join(unread)} were not kept: the graph has none")

        self._note_kinds_of_ids()

    def _note_kinds_of_ids(self) -> None:
        """Say that numbers of some files became text, as others have names: they may have no vertex in common."""
        of_text = [file.path for file in self.files if file.ids == "string"]
        of_numbers = [file.path for file in self.files if file.ids != "string"]
        if of_text and of_numbers:
            more = f" and {len(of_numbers) - 1} more files" if len(of_numbers) > 1 else ""
            self.notes.append(f"ids of {of_numbers[0]}{more} are numbers, kept as text, since {of_text[0]} has names")

    def note_filter(self, where: str | None) -> None:
        """Say that only the rows that a predicate keeps were read, and if it keeps none."""
        if where is not None and self.files and self.edges_read == 0:
            if self._nothing_read:
                self.notes.pop(0)
            self._nothing_read = False
            self.files[0].guesses.append(f"there is no row for which {where} (where=): no edge was read")
        elif where is not None:
            self.notes.append(f"read were the rows for which {where} (where=); the others were left out")

    def note_ids(self, ids: OddIds, before: OddIds) -> None:
        """Say what may be wrong with ids that were not there `before`, unless a file's first lines told so."""
        if self.files:
            self.files[0].guesses += ids.guesses(self.guesses, before)

    def _merged(self, schema: _core.GraphSchema, said: bool) -> str:
        why = "they name an edge that is there already"
        if not schema.directed:
            why += ", in this or the other direction"
            why += "" if said else " (directed=True keeps directions apart)"
        if schema.self_loops == _core.SelfLoops.drop:
            why += ", or lead from a vertex to itself"
        why += self._values_that_stay(schema)
        if schema.parallel_edges == _core.ParallelEdges.merge:
            why += '; parallel_edges="keep" keeps an edge for each row'
        return f"{self.merged:,} of {self.edges_read:,} rows made no new edge: {why}"

    def _values_that_stay(self, schema: _core.GraphSchema) -> str:
        spec = parallel_edges_of(schema)
        columns = any(name != "weight" for name, _, _ in schema.edge_columns)
        if isinstance(spec, dict):
            combined = ", ".join(f"{rule} of {column}" for column, rule in spec.items())
            others = "; of other columns the value read last" if len(schema.edge_columns) > len(spec) else ""
            return f"; the edge has the {combined}{others}"
        if spec not in ("merge", "keep"):
            return f"; the edge has the {spec} of their {'values' if columns else 'weights'}"
        return "; the values read last stay" if columns else "; the weight read last stays" if self.weights else ""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {**asdict(self), "merged": self.merged}

    def lines(self) -> list[str]:
        """What people should know, a line each."""
        of_vertices = [line for file in self.vertex_files for line in file.lines()]
        return [line for file in self.files for line in file.lines()] + of_vertices + self.notes

    def _repr_html_(self) -> str:
        return f'<pre style="white-space: pre-wrap; overflow-wrap: anywhere">{escape(str(self))}</pre>'

    def __str__(self) -> str:
        rows, edges = number_of(self.edges_read, "row"), number_of(self.edges_added, "new edge")
        head = f"{rows} read: {edges}, {number_of(self.vertices_added, 'new vertex', 'new vertices')}"
        return "\n".join([head, *self.lines()])
