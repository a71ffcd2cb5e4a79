"""Items that are made in another thread while those before them are used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

__all__ = ["prefetch"]

_Item = TypeVar("_Item")


def prefetch(items: Iterable[_Item]) -> Iterator[_Item]:
    """The same items in the same order; while one is used, the next is made in a thread of its own.

    It pays where both take long and neither holds Python's lock, as when a file is parsed by Arrow and stored by the
    core. At most two items are there at once. What the iteration raises is raised where the item would have come.
    """
    iterator, end = iter(items), object()
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="rizoma-read") as thread:
        coming: Any = thread.submit(next, iterator, end)
        while (item := coming.result()) is not end:
            coming = thread.submit(next, iterator, end)
            yield item
