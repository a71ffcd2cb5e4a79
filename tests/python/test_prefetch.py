"""Items made in another thread while those before them are used."""

import threading
from collections.abc import Iterator

import pytest
from rizoma.io.prefetch import prefetch


def test_items_come_in_their_order_from_another_thread():
    threads = []

    def items() -> Iterator[int]:
        for i in range(20):
            threads.append(threading.get_ident())
            yield i

    assert list(prefetch(items())) == [*range(20)]
    assert threading.get_ident() not in threads
    assert list(prefetch([])) == []


def test_one_item_is_made_ahead_and_no_more():
    made = []
    second = threading.Event()

    def items() -> Iterator[int]:
        for i in range(9):
            made.append(i)
            if i == 1:
                second.set()
            yield i

    ahead = prefetch(items())
    assert next(ahead) == 0
    assert second.wait(60)
    assert made == [0, 1]
    ahead.close()
    assert made == [0, 1]


def test_an_error_comes_where_the_item_would_have_come():
    def items() -> Iterator[int]:
        yield 1
        raise ValueError("line 2")

    ahead = prefetch(items())
    assert next(ahead) == 1
    with pytest.raises(ValueError, match="line 2"):
        next(ahead)
