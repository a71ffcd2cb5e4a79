"""What the command ends with; 0: all is done."""

from __future__ import annotations

__all__ = ["EXIT_DAMAGED", "EXIT_ERROR", "EXIT_INTERRUPTED", "EXIT_PIPE", "EXIT_TERMINATED", "EXIT_USAGE"]

EXIT_ERROR = 1
EXIT_USAGE = 2
EXIT_DAMAGED = 3
EXIT_INTERRUPTED = 130
EXIT_PIPE = 141  # as of a program that SIGPIPE ends
EXIT_TERMINATED = 143
