"""Cases of `test_intake_strangers`: what a case is, and how its source is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["AB", "ABC", "CASES", "E12", "WABC", "Case", "D", "Edges", "case", "files", "of", "text"]

Edges = list[tuple[Any, ...]]


@dataclass
class Case:
    """A source, how it is read, and the answers that are right."""

    source: Callable[[Path], Any]
    answers: list[Edges | None]  # None: refused
    options: dict[str, Any] = field(default_factory=dict)
    says: str = ""  # in the report, a warning or the refusal
    warns: str = ""  # in a warning, if it is read


CASES: dict[str, Case] = {}


def case(
    name: str, source: Callable[[Path], Any], /, *answers: Edges | None, says: str = "", warns: str = "", **options: Any
) -> None:
    assert name not in CASES, name
    CASES[name] = Case(source, list(answers), options, says, warns)


def text(file: str, content: str | bytes) -> Callable[[Path], Path]:
    def written(place: Path) -> Path:
        (place / file).write_bytes(content.encode() if isinstance(content, str) else content)
        return place / file

    return written


def files(**contents: str | bytes) -> Callable[[Path], Path]:
    """A directory."""

    def written(place: Path) -> Path:
        (place / "d").mkdir()
        for name, content in contents.items():
            name = name.replace("__", ".")
            (place / "d" / name).write_bytes(content.encode() if isinstance(content, str) else content)
        return place / "d"

    return written


def of(value: Any) -> Callable[[Path], Any]:
    return lambda _: value


AB = [("a", "b")]
ABC = [("a", "b"), ("b", "c")]
WABC = [("a", "b", 2.0), ("b", "c", 3.0)]
E12 = [(1, 2)]
D = {"directed": True}
