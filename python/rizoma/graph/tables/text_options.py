"""How text is read: what separates fields, how numbers and dates are written, what columns are called."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from ... import _core
from ...core.errors import ColumnNotFoundError, InvalidArgumentError
from ...core.options import whole_number

__all__ = ["CsvOptions", "TextOptions"]

_ICONV_NAMES = {"mac-roman": "macintosh"}


def _option(default: Any, help: str, *names: str, **limits: Any) -> Any:
    """A field that commands which read edges have as an option: its help, and its names if they are not its own."""
    return field(default=default, metadata={"help": help, "names": names, **limits})


@dataclass(frozen=True)
class TextOptions:
    """How a user says that text is written; None: found out.

    The one table of these options: commands, ranks and clusters have what stands here, and the signature and docstring
    of `rizoma.read` are its page.
    """

    header: bool | None = _option(
        None, "CSV: whether the first line names the columns. Default: detected.", "--header/--no-header"
    )
    delimiter: str | None = _option(None, "CSV: what separates fields. Default: detected.")
    quote: str | None = _option('"', "CSV: what may enclose a field; empty: nothing.")
    null: str | None = _option(
        None, "CSV: a text that stands for no value; lines without an id or a weight are left out."
    )
    skip_bad_lines: int = _option(
        0,
        "CSV, edge lists, JSON lines: leave out up to this many malformed lines; one more is an error.",
        min=0,
    )
    decimal: str = _option(".", "CSV: what stands before the fraction of a number: . or ,")
    multiline: bool = _option(
        False, "CSV: quoted fields may go over several lines (read by one process).", "--multiline"
    )
    comment: str | None = _option(
        None,
        "CSV, edge lists: what begins a comment; empty: nothing. Default: # and % in edge lists, # before the first "
        "row of CSV.",
    )
    thousands: str | None = _option(
        None, "CSV, text in Parquet: what separates thousands in numbers: . as in 2.720,01 (with --decimal ,)."
    )
    date_format: str | None = _option(
        None,
        "CSV, text in Parquet: how dates are written, such as %d.%m.%Y. Default: 2025-01-31, with a time or not.",
    )
    encoding: str | None = _option(
        None, "Text in lines: latin-1, cp1252, utf-16 ... Default: utf-8, or as the first bytes of a file say."
    )
    rename: Mapping[str, str] | None = _option(
        None, "CSV, Parquet: another name for a column, OLD=NEW, which all other options then mean."
    )


@dataclass(frozen=True)
class CsvOptions(TextOptions):
    """How lines of text are read."""

    leading_zeros: bool = False
    """Integer ids may have some, which are dropped."""

    @classmethod
    def of(cls, said: TextOptions, leading_zeros: bool = False) -> CsvOptions:
        """What was said of text, and whether integer ids may have leading zeros."""
        return cls(**{each.name: getattr(said, each.name) for each in fields(TextOptions)}, leading_zeros=leading_zeros)

    def expect_to_fit(self, what: Path | str, format: str) -> None:
        """Raise if something was asked for that what is read, of this format, has not."""
        options = _core.ReadOptions()
        self.put_into(options)
        _core.check_options(str(what), format, options)

    def put_into(self, options: _core.ReadOptions) -> None:
        """Check the options and set those of the core."""
        for name, value in (("delimiter", self.delimiter), ("quote", self.quote), ("comment", self.comment)):
            if value and (len(value) != 1 or not value.isascii() or value in "\r\n"):
                raise InvalidArgumentError(f"{name} is {value!r}; it must be one ASCII character")
        self.put_values_into(options)
        options.header = self.header
        options.comment = self.comment
        options.delimiter = self.delimiter or ""
        options.quote = self.quote or ""
        options.null_text = self.null
        options.skip_errors = whole_number("skip_bad_lines", self.skip_bad_lines, 0, 2**63 - 1)
        options.multiline = self.multiline
        options.encoding = _encoding(self.encoding)
        options.rename(list(self.renamed.items()))
        options.leading_zeros = self.leading_zeros

    def put_values_into(self, options: _core.ReadOptions) -> None:
        """Set what says how numbers and dates are written."""
        if self.decimal not in (".", ","):
            raise InvalidArgumentError(f'decimal is {self.decimal!r}; it must be "." or ","')
        for name, value in (("thousands", self.thousands), ("date_format", self.date_format)):
            if value is not None and not isinstance(value, str):
                raise InvalidArgumentError(f"{name} is {value!r}; it must be text")
        options.decimal = self.decimal
        options.thousands = self.thousands or ""
        options.date_format = self.date_format or ""

    @property
    def reads_text_values(self) -> bool:
        """Whether numbers or dates are written in another way than programs write them."""
        return bool(self.thousands or self.date_format or self.decimal != ".")

    @property
    def renamed(self) -> Mapping[str, str]:
        """The new names of columns by their names in the file."""
        names: Any = self.rename or {}
        if not isinstance(names, Mapping) or not all(isinstance(to, str) and to for to in names.values()):
            raise InvalidArgumentError(f'rename is {names!r}; give {{"NAME IN THE FILE": "NEW NAME"}}')
        return {str(name): to for name, to in names.items()}

    def new_names(self, names: list[str], whose: str) -> list[str]:
        """What the columns of a table or of a Parquet file are called."""
        renamed = self.renamed
        missing = [name for name in renamed if name not in names]
        if missing:
            raise ColumnNotFoundError(
                f"{whose}: there is no column {missing[0]!r} to rename; there are {', '.join(names) or 'none'}"
            )
        found = [renamed.get(name, name) for name in names]
        twice = [name for name in renamed.values() if found.count(name) > 1]
        if twice:
            raise InvalidArgumentError(f"rename= (--rename) calls two columns {twice[0]!r}; choose another name")
        return found


def _encoding(name: str | None) -> str:
    """An encoding as iconv calls it."""
    if name is None:
        return ""
    try:
        found = codecs.lookup(name).name.replace("_", "-")
    except (LookupError, TypeError, ValueError):
        raise InvalidArgumentError(
            f'encoding is {name!r}, which is not known; give "utf-8", "utf-16", "latin-1", "cp1252" or another that '
            "Python's codecs have"
        ) from None
    return _ICONV_NAMES.get(found, found)
