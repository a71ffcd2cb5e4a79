"""Tables that are read or computed batch by batch."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, NoReturn

from .arguments import methods_checked
from .errors import InvalidArgumentError
from .lazy_arrow import pa

__all__ = ["ArrowStream"]


@methods_checked
class ArrowStream(ABC):
    """Rows as a stream of Arrow's batches, which may be read any number of times."""

    schema: pa.Schema
    """Names and types of the columns."""

    @abstractmethod
    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the rows as Arrow record batches."""

    def reader(self) -> pa.RecordBatchReader:
        """Return the rows as a pyarrow reader.  Cost: O(1); reading costs as `batches` does."""
        return pa.RecordBatchReader.from_batches(self.schema, self.batches())

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.reader().__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        return self.schema.__arrow_c_schema__()

    def __array__(self, dtype: object = None, copy: bool | None = None) -> NoReturn:
        """Refuse: `pandas.DataFrame(rows)` would make a table of batches, not of rows."""
        raise InvalidArgumentError(
            f"{type(self).__name__} is not an array; use its to_pandas(), to_arrow() or to_polars(), or "
            "pandas.DataFrame.from_arrow"
        )

    def to_arrow(self) -> pa.Table:
        """Return all rows as one table.  Cost: all of it is in memory."""
        return self.reader().read_all()

    def to_pandas(self) -> Any:
        """Return all rows as a pandas DataFrame.  Cost: all of it is in memory, and strings are Python objects."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> Any:
        """Return all rows as a polars DataFrame.  Cost: all of it is in memory."""
        import polars

        return polars.from_arrow(self.to_arrow())
