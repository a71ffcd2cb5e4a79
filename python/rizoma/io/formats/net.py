"""Pajek (Batagelj and Mrvar, 1998): `*Vertices n`, a line `number "label"` each, then `*Arcs` or `*Edges` (`.net`).

Vertices are named by their labels if every one has a label and no two the same, as other programs do it; else by
their numbers.  Where a file has arcs (directed) and edges (undirected), the edges count in both directions.
Lists by vertex (`*Arcslist`, `*Edgeslist`) are read; matrices, times and coordinates are not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import dropwhile, takewhile
from typing import Any

from ...core.plain_numbers import are_plain_integers, is_plain_number, plain_number
from ._document import Content, Document, FaultError, settle_direction

__all__ = ["parse", "pieces"]

_WORD = re.compile(r'"([^"]*)"|(\S+)')
_MOST_UNNAMED = 1_000_000
_LISTS = ("*arcs", "*edges", "*arcslist", "*edgeslist")


class _Reader:
    """Reads the lines, and knows the part of the file that it is in."""

    def __init__(self) -> None:
        self.document = Document()
        self.line = 0
        self.count = -1
        self.labels: dict[int, str] = {}
        self.first_label = ""
        self.relations: dict[str, None] = {}
        self.has_times = False
        self._part = ""

    def fault(self, what: str) -> FaultError:
        return FaultError(what, self.line)

    def read(self, text: str) -> None:
        for number, line in enumerate(re.split(r"\r\n|\n|\r", text), start=1):
            self.line = number
            words = [quoted if bare == "" else bare for quoted, bare in _WORD.findall(line)]
            if not words or line.lstrip().startswith("%"):
                continue
            if line.lstrip().startswith("*"):
                self._begin(words)
            elif self._part == "*vertices":
                if any('"' in bare for _, bare in _WORD.findall(line)):
                    raise self.fault('a quote is missing, or stands within a name; write names as "name"')
                self._vertex(words)
            elif self._part in _LISTS:
                self._edge(words)
            elif self._part != "*network":
                raise self.fault("expected *Vertices N, the number of vertices, on the first line; write it there")

    def _begin(self, words: list[str]) -> None:
        self._part = words[0].lower()
        if self._part in _LISTS and len(words) > 1:
            self.relations[" ".join(words[1:])] = None
        if self._part == "*vertices":
            if self.count >= 0:
                raise self.fault("the file has a second network; write each to a file of its own")
            self.count = self._integer(words[1] if len(words) > 1 else "")
        elif self._part not in (*_LISTS, "*network"):
            raise self.fault(f"{words[0]} is not read; there are *Vertices, *Arcs, *Edges, *Arcslist and *Edgeslist")
        elif self._part in _LISTS and self.count < 0:
            raise self.fault(f"{words[0]} stands before *Vertices; write the vertices first")

    def _integer(self, text: str) -> int:
        try:
            number: int = plain_number(text, int)
        except ValueError:
            raise self.fault(f"expected a number, found {text!r}; labels stand under *Vertices alone") from None
        return number

    def _number(self, text: str) -> int:
        number = self._integer(text)
        if not 1 <= number <= self.count:
            raise self.fault(f"there is no vertex {number}; they are numbered from 1 to {self.count}")
        return number

    def _vertex(self, words: list[str]) -> None:
        number = self._number(words[0])
        if number in self.labels:
            raise self.fault(f"vertex {number} is named a second time; leave one of the lines out")
        self.labels[number] = words[1] if len(words) > 1 else str(number)
        if len(words) > 1:
            self.first_label = self.first_label or words[1]
        rest = words[2:]
        if rest and is_plain_number(rest[0]):
            self.document.leave_out("vertices", "coordinates")
            rest = list(dropwhile(is_plain_number, rest))
        self._leave_out("vertices", rest)

    def _leave_out(self, of: str, rest: list[str]) -> None:
        """Remember times, and names of parameters, which have a value each; before them may stand a shape."""
        if any(word.startswith("[") for word in rest):
            self.has_times = True
            rest = list(takewhile(lambda word: not word.startswith("["), rest))
        if len(rest) % 2:
            self.document.leave_out(of, "shape")
        for name in rest[len(rest) % 2 :: 2]:
            self.document.leave_out(of, name)

    def _edge(self, words: list[str]) -> None:
        if len(words) < 2:
            raise self.fault("an edge must have two ends; write the numbers of both")
        ends = self._number(words[0]), self._number(words[1])
        if self._part.endswith("list"):
            for word in words[1:]:
                self._add(ends[0], self._number(word), None)
            return
        self._add(*ends, words[2] if len(words) > 2 else None)
        self._leave_out("edges", words[3:])

    def _add(self, source: int, target: int, weight: str | None) -> None:
        self.document.sources.append(source)
        self.document.targets.append(target)
        self.document.undirected.append(self._part.startswith("*edges"))
        self.document.edge_values.append({})
        try:
            self.document.weights.append(None if weight is None else plain_number(weight))
        except ValueError:
            raise self.fault(f"the weight {weight!r} is not a number; correct it, or leave it out") from None


def parse(data: bytes) -> Document:
    """Read the network of a file."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FaultError(
            "the file is not UTF-8 text; convert it (iconv)", data.count(b"\n", 0, error.start) + 1
        ) from None
    reader = _Reader()
    reader.read(text)
    if reader.count < 0:
        raise FaultError("there is no *Vertices, so this is no Pajek file; name the format with format=")
    document = reader.document
    if reader.count > max(4 * len(data), _MOST_UNNAMED):  # a header must not size memory that the file does not justify
        raise FaultError(f"*Vertices {reader.count} is far more than the file names; correct the number")
    settle_direction(document)
    document.directed = document.directed or _says_arcs(text)
    numbers = range(1, reader.count + 1)
    if len(reader.relations) > 1:
        named = ", ".join(reader.relations)
        document.guesses.append(f"the lines of several relations ({named}) are edges of one graph: which is not kept")
    if reader.has_times:
        document.guesses.append("times of vertices and edges are not read: all of them are there")
    twice = [label for label, count in Counter(reader.labels.values()).items() if count > 1]
    if twice:
        document.guesses.append(f"several vertices are called {twice[0]!r}: the vertices are named by their numbers")
    elif reader.first_label and len(reader.labels) < reader.count:
        lacking = next(number for number in numbers if number not in reader.labels)
        document.guesses.append(
            f"vertex {lacking} has no name, others have, such as {reader.first_label!r}: the vertices are named by "
            "their numbers"
        )
    if len(reader.labels) == reader.count and len(set(reader.labels.values())) == reader.count > 0:
        return _labelled(document, reader.labels)
    document.vertices = list(numbers)
    return document


def _says_arcs(text: str) -> bool:
    """Whether a file without any edge has a list of arcs, and none of edges."""
    parts = re.findall(r"^\s*\*(arcs|edges)", text, re.IGNORECASE | re.MULTILINE)
    return bool(parts) and all(part.lower() == "arcs" for part in parts)


def _labelled(document: Document, labels: dict[int, str]) -> Document:
    """Vertices by their labels, or by integers if all labels are written as such."""
    names: dict[int, Any] = dict(labels)
    if are_plain_integers(labels.values()):
        names = {number: int(label) for number, label in labels.items()}
    document.vertices = [names[number] for number in sorted(names)]
    document.sources = [names[number] for number in document.sources]
    document.targets = [names[number] for number in document.targets]
    return document


def pieces(content: Content) -> Iterator[str]:
    """Yield the text of a file."""
    names = [name for batch, _ in content.vertices for name in batch]
    numbers = {name: number for number, name in enumerate(names, start=1)}
    for column in (*content.vertex_columns, *content.edge_columns):
        only = "which has weights only: write .graphml, .gml or .json"
        raise FaultError(f"the column {column!r} cannot be written to a Pajek file, {only}")
    yield f"*Vertices {len(names)}\n"
    for number, name in enumerate(names, start=1):
        if isinstance(name, str) and re.search(r'["\r\n]', name):
            raise FaultError(f"the id {name!r} has a quote, which a Pajek file cannot hold; write .graphml instead")
        yield f'{number} "{name}"\n'
    yield "*Arcs\n" if content.directed else "*Edges\n"
    for sources, targets, weights, _ in content.edges:
        pairs = zip(sources, targets, strict=True)
        marks = [""] * len(sources) if weights is None else [f" {weight!r}" for weight in weights]
        yield "".join(f"{numbers[u]} {numbers[v]}{mark}\n" for (u, v), mark in zip(pairs, marks, strict=True))
