"""Nodes that callers name: their numbers, and NetworkX's errors for those that are missing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from .compiled import Compiled

__all__ = ["bunch", "one_or_many", "required"]


def required(compiled: Compiled, node: Any, message: str) -> int:
    """Number of a node.  Raises NodeNotFound with the message."""
    number = compiled.number(node)
    if number is None:
        raise nx.NodeNotFound(message)
    return number


def bunch(compiled: Compiled, nodes: Any) -> list[int]:
    """Numbers of an nbunch: None (all nodes), one node, or nodes, of which strangers are ignored."""
    if nodes is None:
        return list(range(len(compiled)))
    single = compiled.number(nodes)
    if single is not None:
        return [single]
    try:
        given: Iterable[Any] = iter(nodes)
    except TypeError as error:
        raise nx.NetworkXError(f"Node {nodes} is not in the graph.") from error
    numbers = []
    for node in given:
        try:
            number = compiled._numbers.get(node)
        except TypeError as error:
            raise nx.NetworkXError(f"Node {node} in sequence nbunch is not a valid node.") from error
        if number is not None:
            numbers.append(number)
    return numbers


def one_or_many(compiled: Compiled, nodes: Any, values: npt.NDArray[Any] | list[Any]) -> Any:
    """The value of one node, or {node: value} of an nbunch."""
    plain = values.tolist() if isinstance(values, np.ndarray) else values
    if nodes is None:
        return compiled.by_node(plain)
    single = compiled.number(nodes)
    if single is not None:
        return plain[single]
    return {compiled.nodes[number]: plain[number] for number in bunch(compiled, nodes)}
