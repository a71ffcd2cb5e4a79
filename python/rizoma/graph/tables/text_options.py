"""How text is read: what separates fields, how numbers and dates are written, what columns are called."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import Field, dataclass, field, fields, make_dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ... import _core
from ...core.errors import ColumnNotFoundError, InvalidArgumentError

__all__ = ["CsvOptions", "TextOptions", "text_fields"]

_ICONV_NAMES = {"mac-roman": "macintosh"}

_TYPES: Mapping[str, Any] = {
    "bool": bool,
    "bool | None": bool | None,
    "int": int,
    "str | None": str | None,
    "Mapping[str, str] | None": Mapping[str, str] | None,
}


def _fields() -> Iterator[tuple[str, Any, Any]]:
    """A field for each option that the core lists, with its help, and its names and limits as an option of commands."""
    for name, type_, default, help in _core.text_options():
        flag = "--" + name.replace("_", "-")
        of_command: dict[str, Any] = {"help": help, "names": ()}
        if type_.startswith("bool"):
            of_command["names"] = (flag if default is False else f"{flag}/--no-{flag[2:]}",)
        if type_ == "int":
            of_command["min"] = 0
        yield name, _TYPES[type_], field(default=default, metadata=of_command)


if TYPE_CHECKING:

    class TextOptions:
        """How a user says that text is written; None: found out."""

        def __init__(self, **options: Any) -> None: ...

        def __getattr__(self, name: str) -> Any: ...

else:
    TextOptions = make_dataclass("TextOptions", _fields(), frozen=True)
    TextOptions.__doc__ = """How a user says that text is written; None: found out.

    The table of these options is include/rizoma/detail/text_options.h: commands, ranks and clusters have what stands
    there, and the signature and docstring of `rizoma.read` are its page.
    """


def text_fields() -> tuple[Field[Any], ...]:
    """The fields of `TextOptions`, with what commands need to know of each."""
    return fields(TextOptions)  # type: ignore[arg-type]


_NAMES = tuple(each.name for each in text_fields())


@dataclass(frozen=True)
class CsvOptions(TextOptions):
    """How lines of text are read."""

    leading_zeros: bool = False
    """Integer ids may have some, which are dropped."""

    @classmethod
    def of(cls, said: TextOptions, leading_zeros: bool = False) -> CsvOptions:
        """What was said of text, and whether integer ids may have leading zeros."""
        return cls(**{name: getattr(said, name) for name in _NAMES}, leading_zeros=leading_zeros)

    def with_options(self, **others: Any) -> CsvOptions:
        """The same but for these options."""
        return replace(self, **others)

    def expect_to_fit(self, what: Path | str, format: str) -> None:
        """Raise if something was asked for that what is read, of this format, has not."""
        options = _core.ReadOptions()
        self.put_into(options)
        _core.check_options(str(what), format, options)

    def put_into(self, options: _core.ReadOptions) -> None:
        """Set the options of the core, which refuses what they cannot be."""
        self._put(options, _NAMES)
        options.leading_zeros = self.leading_zeros

    def put_values_into(self, options: _core.ReadOptions) -> None:
        """Set what says how numbers and dates are written."""
        self._put(options, ("decimal", "thousands", "date_format"))

    def _put(self, options: _core.ReadOptions, names: Iterable[str]) -> None:
        if self.decimal not in (".", ","):
            raise InvalidArgumentError(f'decimal is {self.decimal!r}; it must be "." or ","')
        for name in names:
            value = getattr(self, name)
            if name == "delimiter" and value in ("tab", "\\t"):  # a shell passes on no tab
                value = "\t"
            if name == "encoding":
                value = _encoding(value)
            if name == "rename":
                value = list(self.renamed.items())
            setattr(options, name, value)

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
            raise InvalidArgumentError(f"rename= calls two columns {twice[0]!r}; choose another name")
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
