"""What is said of names in a predicate that the pattern has not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from .. import _core
from ..core.errors import InvalidArgumentError
from ..graph.schema import edge_columns

__all__ = ["names_told"]


@contextmanager
def names_told(schema: _core.GraphSchema, where: str) -> Iterator[None]:
    """Within it, a name that the pattern lacks raises with how it is given, where a column says whose it is."""
    try:
        yield
    except InvalidArgumentError as error:
        said, newline, place = str(error).partition("\n")
        found = re.match("the pattern names no '(.+?)'; its names: [^;]*", said)
        if found is None:
            raise
        name = found[1]
        of_edges = {*edge_columns(schema), *([] if schema.weights == _core.WeightType.none else ["weight"])}
        column = re.search(rf"(?<![\w.]){re.escape(name)}\s*\.\s*(\w+)", where)
        if column is None and name in of_edges:
            said = f"{found[0]}; it is a column of edges: name the edge, as in (a)-[e]->(b), and write e.{name}"
        elif column is not None:
            how = f"-[{name}]->" if column[1] in of_edges else f"({name})"
            said += f"; name it in the pattern, as in {how}"
        raise InvalidArgumentError(said + newline + place) from None
