"""What the backend tells NetworkX's own test-suite."""

from __future__ import annotations

from typing import Any

__all__ = ["on_start_tests"]

_OTHER_PARTITIONS = {
    "test_louvain": {
        "test_karate_club_partition",
        "test_undirected_selfloops",
        "test_directed_partition",
        "test_none_weight_param",
        "test_multigraph",
    },
    "test_leiden": {"test_max_level"},
}
"""Tests that ask for the very partition that NetworkX's own random numbers lead to."""


def on_start_tests(items: list[Any]) -> None:
    """Mark tests that ask for one of several right answers; NetworkX calls this before it runs them."""
    import pytest

    for item in items:
        module = item.module.__name__.rsplit(".", 1)[-1]
        if item.name in _OTHER_PARTITIONS.get(module, ()):
            item.add_marker(pytest.mark.xfail(reason="another partition of the same worth"))
