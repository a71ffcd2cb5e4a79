"""Names beside the dots of a drawing, none over another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Label", "place_labels"]

_LETTER, _LINE = (
    0.62,
    1.15,
)  # width of a letter and height of a line, in sizes of the font: what sans-serif fonts stay below
_GAP, _DOT = 11, 8  # from the middle of a dot to its name; the radius that no name may cover

Box = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass(frozen=True)
class Label:
    """A name at the start, middle or end of its base line; only the major ones show on a phone."""

    text: str
    x: float
    y: float
    anchor: str
    major: bool


def place_labels(
    texts: Sequence[str],
    spots: Sequence[tuple[float, float]],
    major: int,
    fonts: tuple[float, float],
    size: tuple[float, float],
) -> list[Label]:
    """Place as many names as fit in a drawing of `size`, in their order, right of, left of, above or below their spots.

    The first `major` names must fit in the larger of the two `fonts` as well.
    """
    dots = [(x - _DOT, y - _DOT, x + _DOT, y + _DOT) for x, y in spots]
    taken: tuple[list[Box], list[Box]] = ([], [])  # in the small font, in the large one
    placed = []
    for number, (text, spot) in enumerate(zip(texts, spots, strict=True)):
        kinds = range(2) if number < major else range(1)
        for x, y, anchor in _places(spot):
            boxes = [_box(text, x, y, anchor, fonts[kind]) for kind in kinds]
            others = [dot for i, dot in enumerate(dots) if i != number]
            if all(
                _within(box, size) and not any(_meet(box, other) for other in (*taken[kind], *others))
                for kind, box in zip(kinds, boxes, strict=True)
            ):
                for kind, box in zip(kinds, boxes, strict=True):
                    taken[kind].append(box)
                placed.append(Label(text, x, y, anchor, number < major))
                break
    return placed


def _places(spot: tuple[float, float]) -> list[tuple[float, float, str]]:
    x, y = spot
    return [
        (x + _GAP, y + 4, "start"),
        (x - _GAP, y + 4, "end"),
        (x, y - _GAP, "middle"),
        (x, y + 2 * _GAP, "middle"),
    ]


def _box(text: str, x: float, y: float, anchor: str, font: float) -> Box:
    width = len(text) * font * _LETTER
    left = x - width * ("start", "middle", "end").index(anchor) / 2
    return (left, y - 0.85 * font, left + width, y - 0.85 * font + font * _LINE)


def _within(box: Box, size: tuple[float, float]) -> bool:
    return box[0] >= 0 and box[1] >= 0 and box[2] <= size[0] and box[3] <= size[1]


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
