"""What the readers of tables return, and how the columns of a table are chosen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ... import _core
from ...core.errors import ColumnNotFoundError, InvalidArgumentError
from ..ids import IdArray

__all__ = ["ColumnNames", "EdgeColumns", "EdgeSource", "has_ends", "one_set_note"]

NAMES = {
    "source": ("source", "src", "from", "u"),
    "target": ("target", "dst", "to", "v"),
    "weight": ("weight", "w"),
}
"""Names by which columns are recognised, whatever their case; others as those of CSV files are."""

_MEANS_SOMETHING = re.compile("[^\\W\\d_]{3}")  # not "a" and "b", "f0" and "f1", "0" and "1"

_COUNTS_ROWS = ("", "id", "index", "unnamed: 0")  # a first column that is no end of an edge


@dataclass(frozen=True)
class EdgeColumns:
    """Edges as parallel columns."""

    sources: IdArray
    targets: IdArray
    weights: npt.NDArray[Any] | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    """Other columns by name, as Arrow arrays."""

    def __len__(self) -> int:
        return len(self.sources)

    def owned(self) -> EdgeColumns:
        """The same edges in memory that the caller cannot change (Arrow arrays are immutable)."""
        sources, targets, weights = (
            column.copy() if isinstance(column, np.ndarray) else column
            for column in (self.sources, self.targets, self.weights)
        )
        return EdgeColumns(sources, targets, weights, self.values)


@dataclass
class EdgeSource:
    """A source of edges."""

    chunks: Iterable[EdgeColumns]
    vertices: IdArray | None = None  # vertices to add even if they have no edge
    vertex_values: Mapping[str, Any] = field(default_factory=dict)  # of these vertices, by column, as Arrow arrays
    undirected: bool = False  # each edge stands for both directions
    symmetric: bool = False  # lists an undirected edge once in each direction
    notes: Sequence[str] = ()  # which columns were taken for what, for people
    guesses: Sequence[str] = ()  # what somebody may have meant otherwise, and how to say so

    def with_chunks(self, chunks: Iterable[EdgeColumns]) -> EdgeSource:
        """The same with other edges.  Small changes come this way several times each: dataclasses.replace is slower."""
        same = object.__new__(EdgeSource)
        same.__dict__.update(self.__dict__, chunks=chunks)
        return same

    @property
    def vertex_columns(self) -> list[IdArray]:
        """The vertices as a list of no or one column."""
        return [] if self.vertices is None else [self.vertices]


@dataclass(frozen=True)
class ColumnNames:
    """Columns asked for by the caller; None: recognise them."""

    source: str | None = None
    target: str | None = None
    weight: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    """Names and types of the other columns of the graph; where there are some, a table may have no further ones."""
    vertices: Mapping[str, str] = field(default_factory=dict)
    """Names and types of the columns of vertices, for data that have values of those, too."""
    refusal: str | None = None
    """What to do about a column that the graph lacks; None: such columns are left out if it has no columns at all."""
    takes_third: bool = True
    """Whether a third column, whatever its name, is the weight where there are no columns."""

    def others(self, names: Sequence[str], taken: Iterable[int | None]) -> dict[str, int]:
        """Numbers of the other columns that the graph has.  ColumnNotFoundError names those that it lacks."""
        if not self.columns and self.refusal is None:
            return {}
        skip = set(taken)
        rest = {name: i for i, name in enumerate(names) if i not in skip}
        rest = {name: i for name, i in rest.items() if name in self.columns or not _is_index(name)}
        unknown = [name for name in rest if name not in self.columns]
        if unknown:
            there = f"there are {', '.join(self.columns)}" if self.columns else "there are none beside the ends"
            remedy = self.refusal or "add it with add_column, or leave it out"
            raise ColumnNotFoundError(f"the graph has no column {unknown[0]!r}; {remedy} ({there})")
        return rest

    def numbered(self, names: Sequence[str]) -> ColumnNames:
        """With the names of the columns that are asked for by their numbers, as those of CSV files may be."""
        asked = (self.source, self.target, self.weight)
        found = [
            names[int(name)] if name is not None and name.isdecimal() and int(name) < len(names) else name
            for name in asked
        ]
        return replace(self, source=found[0], target=found[1], weight=found[2])

    def choose(self, names: Sequence[str]) -> tuple[int, int, int | None]:
        """Numbers of the source, target and weight column among `names`."""
        if len(names) < 2:
            raise ColumnNotFoundError(f"a table of edges needs two columns; this one has {list(names)}")
        source, target = self._ends(names)
        weight = _number("weight", self.weight, names)
        if source is None and target is None:
            if len(names) > 2 and names[0].lower() in _COUNTS_ROWS:
                raise ColumnNotFoundError(
                    f"the columns {list(names)} do not tell which two are the ends of an edge; "
                    "name them with source= and target="
                )
            source, target = [i for i in range(len(names)) if i != weight][:2]
        elif source is None or target is None:
            missing = "source" if source is None else "target"
            raise ColumnNotFoundError(f"no {missing} column among {list(names)}; name it with {missing}=")
        if weight is not None and self.weight is None and names[weight] in self.columns:
            weight = None
        third = not self.columns and self.takes_third and len(names) == 3 and (source, target) == (0, 1)
        if weight is None and third:
            weight = 2
        for name in (*(names[i] for i in (source, target, weight) if i is not None), *self.columns):
            if names.count(name) > 1:
                raise InvalidArgumentError(f"{names.count(name)} columns are called {name!r}; rename all but one")
        return source, target, weight

    def _ends(self, names: Sequence[str]) -> tuple[int | None, int | None]:
        """Numbers of the columns that are asked for, or called source and target; None: no name tells."""
        source, target = _number("source", self.source, names), _number("target", self.target, names)
        if self.source is None and self.target is None and (source is None or target is None):
            found = _core.ends_by_name(list(names))
            if len(found) == 1:
                return found[0]
            if found:
                ways = " or ".join(f"from {names[s]!r} to {names[t]!r}" for s, t in found)
                raise ColumnNotFoundError(f"edges can be read {ways}; name their ends with source= and target=")
        return source, target

    def told(self, names: Sequence[str], weight: str | None) -> list[str]:
        """What the columns of a table are taken for, and which are not read."""
        ends = [names[i] for i in self.choose(names)[:2]]
        said = f'source is "{ends[0]}", target is "{ends[1]}"' + (f', weight is "{weight}"' if weight else "")
        if weight is not None and self.weight is None and weight.lower() not in NAMES["weight"]:
            said += ", the third column (to leave it out: weights=False, or --weights none)"
        kept = [name for name in names if name in self.columns]
        rest = [name for name in names if name not in (*ends, weight, *kept)]
        lists = {"kept": kept, "not read": rest}
        return [said, *(f"{what}: " + ", ".join(f'"{name}"' for name in each) for what, each in lists.items() if each)]


    def guesses(self, names: Sequence[str], weight: str | None, numbers: bool) -> list[str]:
        """What may be meant otherwise: a weight by its place alone, ends that may be `numbers` of different things."""
        source, target, _ = self.choose(names)
        guesses = []
        if weight is not None and self.weight is None and weight.lower() not in NAMES["weight"]:
            guesses.append(
                f'the third column, "{weight}", is taken for the weight: say weight={weight!r} if it is one, or drop it'
            )
        if numbers and self.source is None and all(_MEANS_SOMETHING.search(names[i]) for i in (source, target)):
            told = one_set_note(names[source], names[target])
            remedy = f"if not, say source={names[source]!r}, target={names[target]!r}"
            guesses += [f"{note}; {remedy}" for note in told]
        return guesses


def column_name(role: str, wanted: str | int | None) -> str | None:
    """The name of a column that the caller asks for, or the text of its number."""
    if wanted is None or isinstance(wanted, str):
        return wanted
    if isinstance(wanted, bool) or not isinstance(wanted, (int, np.integer)):
        raise InvalidArgumentError(f"{role} is {wanted!r}; it is the name of a column, or its number in a CSV file")
    return str(wanted)


def _is_index(name: str) -> bool:
    """Whether a column only numbers the rows of a table of pandas."""
    return name.lower() in ("", "index", "unnamed: 0") or name.startswith("__index_level_")


def has_ends(names: Sequence[str]) -> bool:
    """Whether some columns are called source and target, or the like."""
    lower = {name.lower() for name in names}
    exact = bool(lower & {*NAMES["source"]}) and bool(lower & {*NAMES["target"]})
    return exact or len(_core.ends_by_name(list(names))) == 1


def one_set_note(source: str, target: str) -> list[str]:
    """What to say of two columns of numbers that are ends of edges, if their names do not tell so."""
    if source == target or has_ends([source, target]):
        return []
    return [
        f'the numbers in "{source}" and "{target}" are ids of the same vertices; '
        "if they count different things, make them different ids first"
    ]


def _number(role: str, wanted: str | None, names: Sequence[str]) -> int | None:
    if wanted is not None:
        if wanted not in names:
            raise ColumnNotFoundError(f"no column {wanted!r} among {list(names)}")
        return names.index(wanted)
    lower = [name.lower() for name in names]
    return next((lower.index(name) for name in NAMES[role] if name in lower), None)
