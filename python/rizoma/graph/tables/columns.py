"""What the readers of tables return, and what is asked for of the columns of a table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from ... import _core
from ...core.errors import ColumnNotFoundError, InvalidArgumentError
from ...core.lazy_numpy import np, npt
from ...core.plain_numbers import plain_number
from ..ids import IdArray
from ..rounding import GREAT, GREAT_SINGLE, are_rounded

__all__ = [
    "DIRECTION_IS_LOST",
    "WEIGHTS",
    "ColumnNames",
    "EdgeColumns",
    "EdgeSource",
    "as_weights",
    "asks_for_weights",
    "column_name",
    "ends_guess",
    "expect_columns",
    "expect_places",
    "great_weights_guess",
    "has_ends",
    "is_index",
    "lacks_weights",
    "not_read_notes",
    "one_set_note",
    "other_weight_guesses",
    "rounded_in",
    "rounded_to_single",
    "single_weights_guess",
    "third_in_two_ways",
]

DIRECTION_IS_LOST = (
    "these edges have a direction, which an undirected graph does not keep: two that lead back and forth "
    "are one edge; a graph that is made with directed=True keeps it"
)
WEIGHTS = ("weight", "w")
"""What a column of weights is called, whatever its case."""
_DIRECTIONS = (
    ("caller", "callee"),
    ("citing", "cited"),
    ("follower", "followed"),
    ("follower", "followee"),
    ("origin", "destination"),
    ("parent", "child"),
    ("payer", "payee"),
    ("predecessor", "successor"),
    ("sender", "receiver"),
    ("sender", "recipient"),
)
"""Words in the names of two columns of ends, which mean something else the other way round."""
_ALIKE = (*WEIGHTS, "edge weight", "edge_weight")


@dataclass(frozen=True)
class EdgeColumns:
    """Edges as parallel columns."""

    sources: IdArray
    targets: IdArray
    weights: npt.NDArray[Any] | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    """Other columns by name, as Arrow arrays."""
    undirected: Any = None
    """Of a source in which each edge says so: which edges have no direction, as an Arrow array."""
    rounded: int = 0
    """Weights that were whole numbers which float64 does not hold exactly."""
    weights_given: npt.NDArray[np.bool_] | None = None
    """Which of the edges give their weight; None: all of them, or none where there are no weights."""

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
    directed: bool | None = None  # what the source says; None: nothing
    undirected: bool = False  # each edge stands for both directions
    symmetric: bool = False  # lists an undirected edge once in each direction
    notes: Sequence[str] = ()  # which columns were taken for what, for people
    guesses: Sequence[str] = ()  # what the caller may have meant otherwise, and how to say so
    undirected_guesses: Sequence[str] = ()  # the same, of what is lost in an undirected graph
    labels: Sequence[str] = ()  # the names of the columns of a table
    ends: tuple[str, str] | tuple[()] = ()  # of those that edges lead from and to
    left_out: Sequence[str] = ()  # values of a graph that are not kept, for who takes the graph as a whole
    multigraph: bool = False  # may have parallel edges, which are edges of their own there

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
    """Names and types of the other columns of the graph; a table that is added to it may have no further ones."""
    vertices: Mapping[str, str] = field(default_factory=dict)
    """Names and types of the columns of vertices, for data that have values of those, too."""
    refusal: str | None = None
    """What to do about a column that the graph lacks; None: such columns are left out if it has no columns at all."""
    weighted: bool = False
    """Whether weights are asked for, so that a table without some is refused."""
    takes_weights: bool = False
    """Whether the graph has weights: 1 where the data has none."""
    drops_weights: bool = False
    """Whether weights are of no use, so that it does not matter which column they are in."""
    must_be_there: bool = False
    """Whether the data must have all of `columns` and, where it has values of vertices, of `vertices`."""
    direction: str | None = None
    """The column in which each row says Directed or Undirected."""
    direction_known: bool = False
    """Whether the caller says the direction, so that no column has to."""
    where: str | None = None
    """A predicate over the columns of a table: other rows are left out."""

    def __post_init__(self) -> None:
        if self.source is not None and self.source == self.target:  # each edge would be a self-loop
            raise InvalidArgumentError(
                f"source and target are both {self.source!r}; name the two columns that an edge leads from and to"
            )

    def wanted(self) -> list[str]:
        """The columns that are read, where all are known by name."""
        asked = [self.source, self.target, self.weight, *self.columns, self.direction]
        return list(dict.fromkeys(name for name in asked if name is not None))

    def others(self, names: Sequence[str], taken: Sequence[int | None]) -> dict[str, int]:
        """Numbers of the other columns that the graph has.  ColumnNotFoundError names those that it lacks.

        `taken`: the numbers of both ends, of the weight, and of what else is no value.
        """
        if not self.columns and self.refusal is None:
            return {}
        skip = set(taken)
        rest = {name: i for i, name in enumerate(names) if i not in skip}
        rest = {name: i for name, i in rest.items() if name in self.columns or not is_index(name)}
        unknown = [name for name in rest if name not in self.columns]
        if self.must_be_there:  # a new graph has the columns that are asked for, and leaves out the others
            rest = {name: i for name, i in rest.items() if name in self.columns}
        elif unknown:
            if self.takes_weights and taken[2] is None and unknown[0].lower() in WEIGHTS:
                raise ColumnNotFoundError(
                    f"{unknown[0]!r} is not read as the weight, because its values are not all numbers, and the graph "
                    "has no other column of that name; say how numbers are written (thousands=, decimal=), "
                    "mend the values, or leave the column out"
                )
            there = f"there are {', '.join(self.columns)}" if self.columns else "there are none beside the ends"
            remedy = self.refusal or "add it with add_column, or leave it out"
            raise ColumnNotFoundError(f"the graph has no column {unknown[0]!r}; {remedy} ({there})")
        return rest


def asks_for_weights(names: ColumnNames) -> bool:
    """Whether a third item without a name is the weight: weights are asked for, or a graph takes or drops them."""
    return names.weighted or names.takes_weights or names.weight is not None or names.refusal is not None


def expect_places(names: ColumnNames, what: str) -> None:
    """Refuse names of columns that are asked of edges without names, or numbers of others than they have."""
    for role, asked, place in (("source", names.source, "0"), ("target", names.target, "1")):
        if asked not in (None, place):
            raise InvalidArgumentError(
                f"{role}={asked!r} names a column, and {what} has none: its edges say themselves which "
                "end is which; leave the option out, or give a table"
            )


def as_weights(values: Sequence[Any]) -> tuple[npt.NDArray[np.float64], int]:
    """Numbers of Python as weights, and how many whole ones of them are rounded."""
    if not {bool, np.bool_, type(None)}.isdisjoint(map(type, values)):
        raise TypeError("a weight is a truth value, or none")
    if any(isinstance(value, str) for value in values):
        values = [plain_number(value) for value in values]
    weights = np.array(values, np.float64)
    if weights.ndim != 1:
        raise ValueError("a weight is a list")
    great = np.flatnonzero(np.abs(weights) >= GREAT)
    return weights, sum(_is_rounded(values[place]) for place in great.tolist())


def _is_rounded(value: Any) -> bool:
    return isinstance(value, (int, np.integer, Decimal)) and float(value) != value


def rounded_in(weights: npt.NDArray[Any] | None) -> int:
    """How many whole numbers of an array float64 does not hold exactly."""
    if weights is None or weights.dtype.kind not in "iu" or weights.dtype.itemsize < 8 or not len(weights):
        return 0
    if weights.max() <= GREAT and weights.min() >= -GREAT:
        return 0
    return int(np.count_nonzero(are_rounded(weights, weights.astype(np.float64))))


def rounded_to_single(weights: npt.NDArray[Any] | None) -> int:
    """How many whole numbers of an array float32 does not hold."""
    if weights is None or weights.dtype.kind not in "iuf" or weights.dtype.itemsize < 4:
        return 0
    great = weights[(weights > GREAT_SINGLE) | (weights < -GREAT_SINGLE)]
    with np.errstate(over="ignore"):  # what lies beyond float32 is refused
        return int(np.count_nonzero(are_rounded(great, great.astype(np.float32))))


def single_weights_guess(count: int) -> str:
    """What to say of weights that are whole numbers which float32 does not hold."""
    return (
        f"{count:,} {'weight is a whole number' if count == 1 else 'weights are whole numbers'} beyond 2^24 that "
        'float32 does not hold, and rounded: weights="float64" holds them up to 2^53'
    )


def great_weights_guess(count: int) -> str:
    """What to say of weights that are whole numbers which float64 does not hold exactly."""
    return (
        f"{count:,} {'weight is' if count == 1 else 'weights are'} 2^53 or more, where float64 does not hold each "
        "whole number: they may be rounded; numbers that must stay exact belong into a column of type int64 "
        "(edges=)"
    )


def lacks_weights(what: str) -> str:
    """What to say of edges without weights where weights are asked for."""
    return (
        f"weights are asked for, and these {what} have none; give (source, target, weight), or read without weights "
        "(weights=False; each edge that is added to a graph with weights then weighs 1)"
    )


def third_in_two_ways(third: str) -> str:
    """What to say of a third item that no name and no option tells."""
    return (
        f"{third} can be read as the weight of the edge, or as something else beside its ends, such as a year: if it "
        "is the weight say weights=True, else leave it out"
    )


def expect_columns(names: ColumnNames, there: Iterable[str]) -> None:
    """Raise ColumnNotFoundError if a column that was asked for is missing."""
    labels = [str(label) for label in there]
    missing = [name for name in names.columns if name not in labels] if names.must_be_there else []
    if missing:
        raise ColumnNotFoundError(f"the data has no column {missing[0]!r} (there are {', '.join(labels) or 'none'})")


def column_name(role: str, wanted: str | int | None) -> str | None:
    """The name of a column that the caller asks for, or the text of its number."""
    if wanted is None or isinstance(wanted, str):
        return wanted
    if isinstance(wanted, bool) or not isinstance(wanted, (int, np.integer)):
        raise InvalidArgumentError(f"{role} is {wanted!r}; give the name of a column, or its number")
    return str(wanted)


def is_index(name: str) -> bool:
    """Whether a column only numbers the rows of a table of pandas."""
    return name.lower() in ("", "index", "unnamed: 0") or name.startswith("__index_level_")


def has_ends(names: Sequence[str]) -> bool:
    """Whether some columns are called source and target, or the like."""
    return len(_core.ends_by_name(list(names))) == 1


def ends_guess(source: str, target: str) -> list[str]:
    """What to say of the names of two ends in an undirected graph, if they say that edges have a direction."""
    words = [set(re.findall("[a-z]+", name.lower())) for name in (source, target)]
    if not any(first in words[0] and second in words[1] for first, second in _DIRECTIONS):
        return []
    return [
        f"the columns '{source}' and '{target}' seem to say a direction, which an undirected graph does not keep: "
        "directed=True keeps it, and directed=False says that it is of no use"
    ]


def one_set_note(source: str, target: str) -> list[str]:
    """What to say of two columns of numbers that are ends of edges, if their names do not tell so."""
    if source == target or has_ends([source, target]):
        return []
    return [
        f'the numbers in "{source}" and "{target}" are ids of the same vertices; '
        "if they count different things, make them different ids first"
    ]


def other_weight_guesses(names: Iterable[str], kept: Iterable[str], weighted: bool) -> list[str]:
    """What to say of values of edges of a document or graph without weights whose name speaks of one."""
    if weighted:
        return []
    found = [name for name in names if name not in set(kept) and name != "weight" and name.lower() in _ALIKE]
    return [
        f"{name!r} of edges is not read as the weight, which is called 'weight' there; to keep it as a column say "
        f'edges={{{name!r}: "float64"}}; calls take it as a weight by this name'
        for name in found
    ]


def not_read_notes(
    edges: Iterable[str], kept: Iterable[str], vertices: Iterable[str], kept_of_vertices: Iterable[str]
) -> list[str]:
    """What to say of values of edges and of vertices that are not kept."""
    notes = []
    for what, found, those, option in (
        ("edges", edges, set(kept), "edges="),
        ("vertices", vertices, set(kept_of_vertices), "vertices="),
    ):
        rest = ", ".join(f'"{name}"' for name in found if name not in those)
        notes += [f"not read, of {what}: {rest} (to keep some, name them with their types: {option})"] if rest else []
    return notes
