"""Programs that run on ranks, and what their first rank says: a list, as one line of JSON."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from rizoma.core.errors import ClusterError
from rizoma.distributed.places import tool

__all__ = ["answer_of", "start_on_ranks"]


def start_on_ranks(
    module: str, arguments: Sequence[str], ranks: int, where: Sequence[str] = ()
) -> subprocess.Popen[str]:
    """Start a module of this package on ranks; one needs no launcher.  `where`: mpiexec options that name machines."""
    program = [sys.executable, "-m", f"{__package__}.{module}", *arguments]
    launch = [tool("mpiexec"), *where, "-n", str(ranks)] if ranks > 1 else []
    return subprocess.Popen([*launch, *program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def answer_of(program: subprocess.Popen[str], failed: str, remedy: str) -> list[dict[str, Any]]:
    """Wait for it.  ClusterError: it ended otherwise; `failed` and `remedy` stand around what it said."""
    out, error = program.communicate()
    lines = [line for line in out.splitlines() if line.startswith("[")]
    if program.returncode != 0 or not lines:
        raise ClusterError(f"{failed}: {error.strip()[-500:] or 'it said nothing'}; {remedy}")
    found: list[dict[str, Any]] = json.loads(lines[-1])
    return found
