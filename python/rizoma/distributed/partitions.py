"""The partitions of a Dask DataFrame on their way into a store: files that the workers write beside it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..core.errors import InvalidArgumentError

__all__ = ["written_partitions"]


@contextmanager
def written_partitions(frame: Any, into: Path, client: Any) -> Iterator[list[Path]]:
    """Parquet files of a DataFrame's partitions, in their order, until the block ends.

    Each worker writes those that it has, one at a time; without a client Dask chooses who does.  No partition
    comes to this process.
    """
    place = into.absolute().parent
    with TemporaryDirectory(prefix=f".{into.name}.partitions-", dir=place) as folder:
        writing = frame.to_parquet(
            folder, write_index=False, compute=False, write_metadata_file=False, name_function=_name_of
        )
        if client is None:
            writing.compute()
        else:
            client.compute(writing, sync=True)
        files = sorted(Path(folder).glob("*.parquet"))
        if not files:
            raise InvalidArgumentError(
                f"Dask's workers have written no partition to {folder}; give a folder that they see under the same path"
            )
        yield files


def _name_of(number: int) -> str:
    return f"{number:09}.parquet"
