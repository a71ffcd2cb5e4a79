"""Text of files and users as a terminal may get it."""

from __future__ import annotations

__all__ = ["printable"]

_CONTROLS = {
    code: ascii(chr(code))[1:-1]
    for code in (*range(32), *range(127, 160), *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F)
}
_WITHOUT_LINES = {code: text for code, text in _CONTROLS.items() if chr(code) not in "\n\t"}


def printable(text: str, lines: bool = True) -> str:
    """Escape what commands a terminal (control characters, changes of direction); `lines` and tabs stay if asked to."""
    return text if text.isprintable() else text.translate(_WITHOUT_LINES if lines else _CONTROLS)
