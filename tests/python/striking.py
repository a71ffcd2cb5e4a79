"""Ends a process in the middle of a call: by a progress function, which is called again and again."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable


class Strike:
    """Sends a signal to a process when progress is first made and `when` holds, and never again.

    A process that is killed is gone, or another has its number, before progress is reported the second time.
    """

    def __init__(self, victim: int, when: Callable[[], bool] | None = None, how: int = signal.SIGKILL) -> None:
        self.victim = victim
        self.how = how
        self.struck = 0
        self._when = when

    def __call__(self, phase: str, done: float, total: float) -> None:
        if not self.struck and (self._when() if self._when else done > 0):
            self.struck += 1
            os.kill(self.victim, self.how)
