"""A synthetic social network of the shape of LDBC's (Erling et al., SIGMOD 2015): persons, forums, messages, places.

Kinds of vertices and edges, their relative numbers, heavy tails and dates follow that benchmark; payments
between persons are added.  The values are made up, so its reference answers do not hold.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

__all__ = ["EDGE_TYPES", "PERSONS", "Social", "social_network"]

PERSONS = 20_000
"""Of a network with 1.3 million vertices and 10 million edges."""

EDGE_TYPES = {
    "KNOWS": ("Person", "Person", "since"),
    "HAS_INTEREST": ("Person", "Tag", None),
    "LIVES_IN": ("Person", "City", None),
    "STUDY_AT": ("Person", "University", "year"),
    "WORK_AT": ("Person", "Company", "year"),
    "PAID": ("Person", "Person", "amount"),
    "LIKES": ("Person", "Message", "since"),
    "IS_PART_OF": ("City", "Country", None),
    "BASED_IN": ("Company", "Country", None),
    "HAS_MODERATOR": ("Forum", "Person", None),
    "HAS_MEMBER": ("Forum", "Person", "since"),
    "CONTAINER_OF": ("Forum", "Post", None),
    "HAS_CREATOR": ("Message", "Person", None),
    "HAS_TAG": ("Message", "Tag", None),
    "LOCATED_IN": ("Message", "Country", None),
    "REPLY_OF": ("Comment", "Message", None),
}
"""Of each type the labels of its ends (a message is a post or a comment) and its column (`PAID` has `since`, too)."""

_FIRST_DAY = np.datetime64("2010-01-01T00:00:00", "s")
_SECONDS = 3 * 365 * 86_400
_NAMES = ["Ada", "Bao", "Carla", "Deng", "Emil", "Fatima", "Goran", "Hana", "Ivan", "Jun", "Karim", "Lena"]

Numbers = npt.NDArray[np.int64]


@dataclass(eq=False)
class Social:
    """The tables: `vertices[label]` with `id` and columns, `edges[type]` with `source`, `target` and columns."""

    vertices: dict[str, pa.Table] = field(default_factory=dict)
    edges: dict[str, pa.Table] = field(default_factory=dict)

    @property
    def num_vertices(self) -> int:
        """Of all labels."""
        return sum(len(each) for each in self.vertices.values())

    @property
    def num_edges(self) -> int:
        """Of all types."""
        return sum(len(each) for each in self.edges.values())

    def all_vertices(self) -> pa.Table:
        """One table of all labels, with null where a label has no such column."""
        parts = [each.append_column("label", _constant(name, len(each))) for name, each in self.vertices.items()]
        return pa.concat_tables(parts, promote_options="default").rename_columns({"id": "vertex"})

    def all_edges(self) -> pa.Table:
        """One table of all types, with null where a type has no such column."""
        parts = [each.append_column("type", _constant(name, len(each))) for name, each in self.edges.items()]
        return pa.concat_tables(parts, promote_options="default")


def social_network(persons: int = PERSONS, seed: int = 1) -> Social:
    """The network of this many persons; the same for the same arguments."""
    return _Maker(persons, np.random.default_rng(seed)).made()


class _Maker:
    def __init__(self, persons: int, rng: np.random.Generator) -> None:
        self.rng = rng
        self.network = Social()
        self.ids: dict[str, Numbers] = {}
        self.sizes = {
            "Country": 50,
            "City": 600,
            "University": max(20, persons // 20),
            "Company": max(20, persons // 10),
            "Tag": max(50, persons // 3),
            "Person": persons,
            "Forum": 2 * persons,
            "Post": 20 * persons,
            "Comment": 40 * persons,
        }

    def made(self) -> Social:
        first = 0
        for label, count in self.sizes.items():
            self.ids[label] = np.arange(first, first + count)
            first += count
            columns = self._columns(label, count)
            self.network.vertices[label] = pa.table({"id": self.ids[label], **columns})
        self.ids["Message"] = np.concatenate([self.ids["Post"], self.ids["Comment"]])
        self._make_edges()
        return self.network

    def _columns(self, label: str, count: int) -> dict[str, Any]:
        rng = self.rng
        if label in ("Post", "Comment"):
            length = (rng.pareto(1.2, count) * 40 + 5).clip(max=2_000).astype(np.int32)
            return {"created": self._moments(count), "length": length}
        if label == "Forum":
            return {"name": [f"Forum {i}" for i in range(count)], "created": self._moments(count)}
        if label == "Person":
            born = np.datetime64("1950-01-01") + rng.integers(0, 50 * 365, count)
            names = [_NAMES[i] for i in self._skewed(count, len(_NAMES), 0.5)]
            return {"name": names, "born": born.astype("datetime64[D]"), "created": self._moments(count)}
        return {"name": [f"{label} {i}" for i in range(count)]}

    def _make_edges(self) -> None:
        n, make = self.sizes["Person"], self._edges
        self._knows(25 * n)
        make("HAS_INTEREST", self._some("Person", 20 * n), self._some("Tag", 20 * n, 0.6))
        make("LIVES_IN", self.ids["Person"], self._some("City", n, 0.5))
        make("STUDY_AT", *self._one_each("Person", "University", n * 3 // 4), year=self._years(n * 3 // 4))
        make("WORK_AT", self._some("Person", 2 * n), self._some("Company", 2 * n, 0.4), year=self._years(2 * n))
        amounts = np.round(self.rng.lognormal(4, 1.5, 30 * n), 2)
        payers = self.ids["Person"][self._skewed(30 * n, n * 9 // 10, 0.5)]  # some have never paid
        make("PAID", payers, self._some("Person", 30 * n, 0.5), amount=amounts, since=self._moments(30 * n))
        likes = 80 * n
        make("LIKES", self._some("Person", likes, 0.4), self._some("Message", likes, 0.3), since=self._moments(likes))
        make("IS_PART_OF", self.ids["City"], self._some("Country", self.sizes["City"], 0.5))
        make("BASED_IN", self.ids["Company"], self._some("Country", self.sizes["Company"], 0.5))
        make("HAS_MODERATOR", self.ids["Forum"], self._some("Person", 2 * n))
        forums, members = self._some("Forum", 80 * n, 0.6), self._some("Person", 80 * n, 0.4)
        make("HAS_MEMBER", forums, members, since=self._moments(80 * n))
        make("CONTAINER_OF", self._some("Forum", 20 * n, 0.5), self.ids["Post"])
        messages = self.ids["Message"]
        make("HAS_CREATOR", messages, self._some("Person", len(messages), 0.5))
        make("HAS_TAG", self._some("Message", 85 * n), self._some("Tag", 85 * n, 0.7))
        make("LOCATED_IN", messages, self._some("Country", len(messages), 0.5))
        comments = self.ids["Comment"]
        fresh = self.rng.random(len(comments)) < 0.5
        numbers = np.maximum(comments - comments[0], 1)
        earlier = (self.rng.random(len(comments)) * numbers).astype(np.int64) + comments[0]
        make("REPLY_OF", comments[1:], np.where(fresh, self._some("Post", len(comments), 0.3), earlier)[1:])

    def _knows(self, count: int) -> None:
        """Friendships, each once: half among persons with near numbers, so that there are triangles."""
        n, rng = self.sizes["Person"], self.rng
        one = self._skewed(count, n, 0.3)
        near = (one + rng.geometric(0.03, count)) % n
        other = np.where(rng.random(count) < 0.5, near, self._skewed(count, n, 0.3))
        pairs = np.unique(np.sort(np.stack([one, other], axis=1)[one != other], axis=1), axis=0)
        people = self.ids["Person"][pairs]
        self._edges("KNOWS", people[:, 0], people[:, 1], since=self._moments(len(people)))

    def _edges(self, kind: str, source: Numbers, target: Numbers, **columns: Any) -> None:
        _, first = np.unique(source * self.ids["Message"][-1] + target, return_index=True)
        some = self.rng.permutation(first if kind != "PAID" else np.arange(len(source)))
        kept = {name: np.asarray(values)[some] for name, values in columns.items()}
        self.network.edges[kind] = pa.table({"source": source[some], "target": target[some], **kept})

    def _one_each(self, label: str, other: str, count: int) -> tuple[Numbers, Numbers]:
        return self.rng.permutation(self.ids[label])[:count], self._some(other, count, 0.4)

    def _some(self, label: str, count: int, skew: float = 0.0) -> Numbers:
        """Random vertices of a label, the first of a random order more often."""
        ids = self.ids[label]
        chosen: Numbers = self.rng.permutation(ids)[self._skewed(count, len(ids), skew)]
        return chosen

    def _skewed(self, count: int, below: int, skew: float) -> Numbers:
        """Numbers below one; number i is drawn with a probability of about (i + 1) ** -skew."""
        drawn: Numbers = (self.rng.random(count) ** (1 / (1 - skew)) * below).astype(np.int64)
        return drawn

    def _moments(self, count: int) -> npt.NDArray[Any]:
        made: npt.NDArray[Any] = _FIRST_DAY + self.rng.integers(0, _SECONDS, count).astype("timedelta64[s]")
        return made

    def _years(self, count: int) -> npt.NDArray[np.int32]:
        return self.rng.integers(1990, 2013, count).astype(np.int32)


def _constant(text: str, count: int) -> pa.Array:
    return pa.array([text]).take(pa.array(np.zeros(count, np.int64)))
