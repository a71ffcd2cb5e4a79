"""Processes that are asked in lines of JSON on stdin and answer in lines of JSON on stdout."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from typing import Any

from rizoma.core.errors import RizomaError

__all__ = ["AnswerPipe", "Piped"]


class Piped:
    """The process as the harness sees it; `name`: what errors call it."""

    def __init__(self, name: str, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._name = name
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=dict(os.environ) | dict(environment)
        )

    def ask(self, request: Any) -> Any:
        """Send a request, and wait for the reply."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # the process has ended, which `receive` reports
        return self.receive()

    def receive(self) -> Any:
        """The next reply."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RizomaError(f"{self._name} ended without an answer (exit code {self._process.wait()})")
        return json.loads(line)

    def stop(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


class AnswerPipe:
    """The way back within the process; what its libraries print goes to stderr from now on."""

    def __init__(self) -> None:
        self._pipe = os.fdopen(os.dup(1), "w")
        os.dup2(2, 1)

    def send(self, reply: Any) -> None:
        """Answer in a line."""
        self._pipe.write(json.dumps(reply) + "\n")
        self._pipe.flush()
