"""The words and signs of a query, each with its place."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...core.errors import ParseError
from ...core.options import unicode_text

__all__ = ["Source", "Token", "tokens_of"]

_TOKEN = re.compile(
    r"""(?P<blank>\s+|//[^\n]*|/\*.*?\*/)
    |(?P<number>0[xX][0-9a-fA-F]+|0o[0-7]+|(?:\d+(?:\.(?!\.)\d+)?|\.\d+)(?:[eE][+-]?\d+)?)
    |(?P<word>[^\W\d]\w*)
    |`(?P<quoted>(?:[^`]|``)*)`
    |(?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
    |(?P<sign><>|!=|<=|>=|=~|==|\.\.|[-()\[\]{},:;.|+*/%^=<>$!&])""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


@dataclass(frozen=True)
class Token:
    """One word, number, text or sign."""

    kind: str
    """word, quoted, number, text, sign or end."""

    text: str
    """What it says, without quotes and escapes; of a sign and a number as it is written."""

    place: int
    end: int


class Source:
    """The text of a query, and errors that show a place in it."""

    def __init__(self, text: str) -> None:
        self.text = unicode_text("the query", text)

    def error(self, place: int, message: str) -> ParseError:
        """An error with the line of this place and a caret under it."""
        begin = self.text.rfind("\n", 0, place) + 1
        end = self.text.find("\n", place)
        line = self.text[begin : len(self.text) if end < 0 else end]
        caret = "".join("\t" if sign == "\t" else " " for sign in line[: place - begin])
        return ParseError(f"{message}\n  {line}\n  {caret}^")


def tokens_of(source: Source) -> list[Token]:
    """All tokens, the last of them the end.  Raises `ParseError`."""
    text, place, found = source.text, 0, []
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise source.error(place, _wrong_sign(text[place]))
        kind = str(match.lastgroup)
        if kind != "blank":
            found.append(Token(kind, _content(source, kind, match[kind], place), place, match.end()))
        place = match.end()
    return [*found, Token("end", "", len(text), len(text))]


def _wrong_sign(sign: str) -> str:
    if sign in "'\"`":
        return f"the quote {sign} is not closed; end the text with another {sign}"
    return f"a query has no sign {sign!r}; names with other signs stand in backquotes"


def _content(source: Source, kind: str, written: str, place: int) -> str:
    if kind == "quoted":
        return written.replace("``", "`")
    if kind != "text":
        return written

    def unescaped(found: re.Match[str]) -> str:
        sign = found[1]
        if sign[0] in "uU" and len(sign) > 1:
            return chr(int(sign[1:], 16))
        if sign in _ESCAPES:
            return _ESCAPES[sign]
        if sign in "\\'\"`":
            return sign
        raise source.error(place + 1 + found.start(), f"there is no escape \\{sign}; write \\\\ for a backslash")

    return _ESCAPE.sub(unescaped, written[1:-1])
