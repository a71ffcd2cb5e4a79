"""Parquet files in directories such as year=2024, which are a column that the files do not have."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from ..core.errors import ParseError
from ..core.lazy_arrow import pa

__all__ = ["hive_dataset", "partition_in"]

_NULL = "__HIVE_DEFAULT_PARTITION__"
_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")


def partition_in(directories: Sequence[str]) -> str | None:
    """The first name of a directory that says the value of a column."""
    return next((name for name in directories if "=" in name[1:]), None)


def hive_dataset(top: Path, files: Sequence[Path]) -> Any:
    """Files below a directory as one dataset of pyarrow, whose directories are columns."""
    from pyarrow import dataset

    values: dict[str, list[str]] = {}
    first, keys = files[0], _keys(files[0], top)
    for path in files:
        _expect_same_partitions(first, keys, path, _keys(path, top))
        for key, value in _keys(path, top):
            values.setdefault(key, []).append(value)
    fields = pa.schema([(key, _type_of(each)) for key, each in values.items()])
    schema = _one_schema(files)
    taken = [field for field in schema if field.name not in fields.names]
    return dataset.dataset(
        [str(path) for path in files],
        schema=pa.schema([*taken, *fields], schema.metadata),
        format="parquet",
        partitioning=dataset.partitioning(fields, flavor="hive"),
        partition_base_dir=str(top),
    )


def _keys(path: Path, top: Path) -> list[tuple[str, str]]:
    """Columns and their values by the directories of a file."""
    parts = (part.partition("=") for part in path.relative_to(top).parts[:-1] if partition_in([part]))
    return [(key, unquote(value)) for key, _, value in parts]


def _expect_same_partitions(
    first: Path, keys: Sequence[tuple[str, str]], path: Path, others: Sequence[tuple[str, str]]
) -> None:
    if [key for key, _ in keys] == [key for key, _ in others]:
        return
    said = [", ".join(key for key, _ in each) or "none" for each in (keys, others)]
    raise ParseError(
        f"the directories of {first} say the columns {said[0]}, those of {path} {said[1]}: move what is of another "
        "table elsewhere, or read the directories one by one and add the later ones with append=True"
    )


def _type_of(values: list[str]) -> pa.DataType:
    """Integers if each value is written as one, without further zeros; else text, as it stands."""
    return pa.int64() if all(_WHOLE.fullmatch(value) for value in values if value != _NULL) else pa.string()


def _one_schema(files: Sequence[Path]) -> pa.Schema:
    """The schema of files of one table; ParseError names two that are of different ones."""
    first = _schema_of(files[0])
    schema = first
    for path in files[1:]:
        other = _schema_of(path)
        odd = set(first.names) ^ set(other.names)
        if odd:
            name = next(name for name in [*first.names, *other.names] if name in odd)
            has, lacks = (files[0], path) if name in first.names else (path, files[0])
            raise ParseError(f"{has} has a column {name!r} and {lacks} has none: {_REMEDY}")
        try:
            schema = pa.unify_schemas([schema, other], promote_options="permissive")
        except (pa.ArrowInvalid, pa.ArrowTypeError):
            name = next(name for name in first.names if not _go_together(first.field(name), other.field(name)))
            raise ParseError(
                f"the column {name!r} holds {_word(first.field(name).type)} in {files[0]} and "
                f"{_word(other.field(name).type)} in {path}: {_REMEDY}"
            ) from None
    return schema.with_metadata(first.metadata)


_REMEDY = "they are not of one table; write them alike, or read one and add the other with append=True"


def _go_together(one: pa.Field, other: pa.Field) -> bool:
    try:
        pa.unify_schemas([pa.schema([one]), pa.schema([other])], promote_options="permissive")
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return False
    return True


def _word(type_: pa.DataType) -> str:
    if pa.types.is_integer(type_):
        return "whole numbers"
    if pa.types.is_floating(type_) or pa.types.is_decimal(type_):
        return "numbers"
    if pa.types.is_temporal(type_):
        return "dates or times"
    return "text" if pa.types.is_string(type_) or pa.types.is_large_string(type_) else f"values of the type {type_}"


def _schema_of(path: Path) -> pa.Schema:
    from pyarrow import parquet

    try:
        return parquet.read_schema(path)
    except pa.ArrowInvalid as error:
        raise ParseError(f"{path}: {error}") from error
