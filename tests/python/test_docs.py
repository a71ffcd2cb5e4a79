"""The Python blocks of the tutorial and of the guide run as they stand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = [
    "tutorial.md",
    "guide/changes.md",
    "guide/columns.md",
    "guide/durability.md",
    "guide/networkx.md",
    "guide/patterns.md",
    "guide/placement.md",
    "guide/results.md",
    "guide/tables.md",
]


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", (DOCS / page).read_text(), re.DOTALL | re.MULTILINE)
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)
