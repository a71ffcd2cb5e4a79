"""Stores that past releases wrote (tests/data/stores): each is opened, checked, analysed, changed and compared with
what it answered when it was added.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
import rizoma as rz

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import store_corpus  # noqa: E402

NAMES = store_corpus.names()
ANSWERS = json.loads(store_corpus.ANSWERS.read_text(encoding="utf-8"))


def test_every_store_has_answers_and_every_answer_a_store() -> None:
    assert sorted(ANSWERS) == NAMES
    assert {name.partition("/")[0] for name in NAMES} >= {"format-1", "format-1-changed", "format-2-wide-rows"}


@pytest.mark.parametrize("name", NAMES)
def test_a_store_of_a_past_release_answers_as_it_did(tmp_path: Path, name: str) -> None:
    path = store_corpus.unpack(name, tmp_path)
    assert store_corpus.answers_of(path) == ANSWERS[name]
    assert rz.check(path).findings == []


@pytest.mark.parametrize("name", NAMES)
def test_a_store_of_a_past_release_is_changed_and_keeps_the_rest(tmp_path: Path, name: str) -> None:
    path = store_corpus.unpack(name, tmp_path)
    rz.upgrade(path)
    before = ANSWERS[name]
    with rz.open(path) as graph:
        ids = [row[0] for row in before["vertices"]]
        ends = ["new one", "new two"] if not ids or isinstance(ids[0], str) else [max(ids) + 1, max(ids) + 2]
        graph.add_edges([tuple(ends)])
        assert graph.num_edges == len(before["edges"]) + 1
        graph.compact("degree")
        assert graph.remove_vertices(ends) == 2
    assert rz.check(path).findings == []
    now = store_corpus.answers_of(path)
    for what in ("edges", "vertices", "directed", "tags"):
        assert now[what] == before[what], what
