"""Modules that are imported when first used: what they take is much of the time and memory that starting takes."""

from __future__ import annotations

import logging  # noqa: F401  # a fork takes its lock too: the one taken last is that of what was imported first
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

__all__ = ["LazyModule", "load"]


@contextmanager
def _without_ctrl_c() -> Iterator[None]:
    """Ctrl-C waits: a module whose import it breaks off cannot be imported again, or Arrow takes it for missing."""
    pressed = False

    def wait(*_: object) -> None:
        nonlocal pressed
        pressed = True

    before = signal.getsignal(signal.SIGINT)
    if before is not None:
        try:
            signal.signal(signal.SIGINT, wait)
        except ValueError:  # another thread than the one that Ctrl-C interrupts
            before = None
    if before is None:  # nothing is interrupted, or a program that Python runs in minds it
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if pressed:
            signal.raise_signal(signal.SIGINT)


class _Imports:
    """The import in progress.  A fork waits for it, because its thread is not in the child."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._held = threading.local()

    def load(self, name: str) -> Any:
        with self._lock, _without_ctrl_c():
            module = import_module(name)
            if name == "pyarrow":
                module.array([])  # which imports pandas, if there is one
            return module

    def before_fork(self) -> None:
        self._held.for_fork = self._lock.acquire(timeout=_LONGEST_IMPORT)

    def after_fork(self) -> None:
        if self._held.for_fork:
            self._lock.release()


_LONGEST_IMPORT = 300.0  # seconds; a fork in the thread that waits for the import continues
_imports = _Imports()
os.register_at_fork(
    before=_imports.before_fork,
    after_in_parent=_imports.after_fork,
    after_in_child=_imports.after_fork,
)


def load(name: str) -> Any:
    """Import a module; a fork in another thread waits for it."""
    return _imports.load(name)


class LazyModule:
    """Stands for a module until something of it is asked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        value = getattr(_imports.load(self._name), name)
        setattr(self, name, value)  # the next look-up is a plain one
        return value
