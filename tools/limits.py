"""Limits that only fall: a file of lines `what count...`, which a check compares with what it counts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

Counts = tuple[int, ...]


def read(file: Path, columns: int = 1) -> dict[str, Counts]:
    """The limits of each name; none without a file."""
    if not file.exists():
        return {}
    lines = file.read_text(encoding="utf-8").splitlines()
    words = [line.rsplit(maxsplit=columns) for line in lines if line and not line.startswith("#")]
    return {name: tuple(map(int, counts)) for name, *counts in words}


def lower(file: Path, limits: Mapping[str, Counts], counts: Mapping[str, Counts], head: str) -> None:
    """Writes the limits that fell; those of which nothing is left go, and the file with the last of them."""
    left = {
        name: tuple(min(pair) for pair in zip(limit, counts[name], strict=True))
        for name, limit in sorted(limits.items())
        if any(counts.get(name, ()))
    }
    if left:
        lines = (" ".join([name, *map(str, limit)]) for name, limit in left.items())
        file.write_text("\n".join([f"# {head}", *lines, ""]), encoding="utf-8")
    else:
        file.unlink(missing_ok=True)
