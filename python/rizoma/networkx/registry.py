"""The functions of the backend: how each says what it can run, and whether it is worth it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sized
from functools import cache, partial, wraps
from inspect import isgenerator
from itertools import islice
from typing import Any, TypeVar, overload

import networkx as nx
from networkx.utils.backends import _registered_algorithms

from rizoma.core.errors import UnsupportedError
from rizoma.graph.state import Reader

from ..graph.networkx_view import as_networkx, expect_weight, state_of
from .graphs import LazyGraph, as_its_own

__all__ = [
    "CACHED",
    "FUNCTIONS",
    "LINEAR",
    "ONLY_OURS",
    "Refusal",
    "by_networkx",
    "by_store_or_networkx",
    "can_run",
    "directed",
    "directed_or_multigraph",
    "for_stored",
    "given",
    "implements",
    "multigraph",
    "should_run",
    "undirected",
]

F = TypeVar("F", bound=Callable[..., Any])
Refusal = Callable[[dict[str, Any]], "str | None"]
"""Says why a function cannot be run with these arguments (all of them, by name), or None."""

FUNCTIONS: dict[str, Callable[..., Any]] = {}
_signatures: dict[str, inspect.Signature] = {}
_refusals: dict[str, Refusal] = {}
_smallest: dict[str, int] = {}
_for_stored: dict[str, Callable[..., Any]] = {}

WORTH_IT = 1000
"""Below these numbers of edges and nodes NetworkX is as fast as a conversion and a kernel."""

LINEAR = 100_000
"""For functions that NetworkX answers in one pass, or in less: reading the graph takes as long."""

CACHED = 1_000_000
"""For those of them whose NetworkX code is faster still while the graph fits the processor's caches."""

_LOOKED_AT = 1000
"""Nodes whose edges are counted to estimate the size of a graph."""

ONLY_OURS = -1
"""For functions for which NetworkX looks at few edges, or at none: a conversion never pays."""


@overload
def implements(function: F) -> F: ...


@overload
def implements(
    *, name: str | None = None, smallest: int = WORTH_IT, refuses: Refusal | None = None
) -> Callable[[F], F]: ...


def implements(
    function: F | None = None,
    *,
    name: str | None = None,
    smallest: int = WORTH_IT,
    refuses: Refusal | None = None,
) -> Any:
    """Make a function part of the backend, under its own name or another.

    `smallest`: from how many nodes and edges it is worth a conversion; ONLY_OURS: never.
    `refuses`: says why the function cannot be run with its arguments.
    """

    def register(function: F) -> F:
        key = name or function.__name__
        FUNCTIONS[key] = _of_one_state(key, function)
        _signatures[key] = inspect.signature(function)
        _smallest[key] = smallest
        if refuses is not None:
            _refusals[key] = refuses
        return function

    return register if function is None else register(function)


def for_stored(function: F) -> F:
    """Make a function the first way to answer a call of its name for a stored graph.

    It raises NotImplementedError for a call that another way must answer.
    """
    _for_stored[function.__name__] = function
    return function


def _of_one_state(key: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Call the function with snapshots of stored graphs, which may be changed or renumbered meanwhile.

    What the kernel cannot answer, or for a stored graph need not read all of it for, NetworkX's code answers.  Where
    all graphs are conversions of NetworkX's own, NetworkX knows what to do, or its user asked for this backend alone.
    """

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        graphs = [value for value in (*args, *kwargs.values()) if isinstance(value, Reader | LazyGraph)]
        if graphs and all(isinstance(graph, LazyGraph) and graph.is_conversion for graph in graphs):
            return function(*args, **kwargs)
        kept, named = _snapshots(args, kwargs)
        _expect_weights(key, kept, named)
        if key in _for_stored:
            try:
                return _for_stored[key](*kept, **named)
            except NotImplementedError:
                pass  # the other ways follow
        if _is_local(key, kept, named) or _refusal(key, kept, named) is not None:
            return by_networkx(key, *kept, **named)
        try:
            answer = function(*kept, **named)
        except NotImplementedError:
            return by_networkx(key, *kept, **named)
        return _begun(answer, partial(by_networkx, key, *kept, **named)) if isgenerator(answer) else answer

    return call


def _begun(answer: Iterator[Any], instead: Callable[[], Any]) -> Iterator[Any]:
    """The items of a generator, or those of `instead` if its beginning finds out that the kernel cannot answer."""
    try:
        first = next(answer)
    except StopIteration:
        return
    except NotImplementedError:
        yield from instead()
        return
    yield first
    yield from answer


def _snapshots(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    kept = [argument.snapshot() if isinstance(argument, Reader) else argument for argument in args]
    named = {key: value.snapshot() if isinstance(value, Reader) else value for key, value in kwargs.items()}
    return kept, named


@cache
def _signature_of(key: str) -> inspect.Signature:
    return inspect.signature(_registered_algorithms[key].orig_func)


def _expect_weights(key: str, args: list[Any], kwargs: dict[str, Any]) -> None:
    """Raise if a call asks for a weight that a stored graph does not have: every edge would count 1."""
    parameters = _signature_of(key).parameters
    asked = {name: kwargs[name] for name in _WEIGHTS if name in kwargs}
    asked |= {name: value for name, value in zip(parameters, args, strict=False) if name in _WEIGHTS}
    for name, value in asked.items():
        if name in parameters and value != parameters[name].default:
            for graph in (*args, *kwargs.values()):
                if isinstance(graph, Reader):
                    expect_weight(graph._state(), value, name)


def by_networkx(key: str, *args: Any, **kwargs: Any) -> Any:
    """NetworkX's own code of a function, which reads stored graphs as stored and graphs of ours as its own."""
    kept, named = _snapshots(args, kwargs)
    _expect_weights(key, kept, named)
    changes = _changes_its_graph(key, args, kwargs)
    function = _registered_algorithms[key].orig_func
    try:
        return function(*(_plain(v, changes) for v in kept), **{k: _plain(v, changes) for k, v in named.items()})
    except nx.NetworkXError as error:
        if "Frozen graph" not in str(error):
            raise
        # The function changes its graph on the way and undoes it at the end.
        return function(*map(_changeable, kept), **{name: _changeable(v) for name, v in named.items()})


def _plain(argument: Any, changed: bool) -> Any:
    """A graph without a backend, which can be taken together with those that NetworkX makes on its way.

    What is changed has to learn of it: it keeps its class.
    """
    if isinstance(argument, Reader):
        return as_networkx(argument._state())
    return as_its_own(argument) if isinstance(argument, LazyGraph) and not changed else argument


def by_store_or_networkx(key: str, *args: Any, **kwargs: Any) -> Any:
    """A function that no kernel answers for conversions: the store's own way if it has one, else NetworkX's code."""
    if key in _for_stored:
        kept, named = _snapshots(args, kwargs)
        _expect_weights(key, kept, named)
        try:
            return _for_stored[key](*kept, **named)
        except NotImplementedError:
            pass  # NetworkX's code follows
    return by_networkx(key, *args, **kwargs)


def _changeable(argument: Any) -> Any:
    """A stored graph as a copy in NetworkX's dictionaries."""
    if not isinstance(argument, Reader):
        return argument
    view = as_networkx(argument._state())
    return type(view)(view)


_WEIGHTS = ("weight", "distance")
"""Arguments that name an attribute of the edges."""

_LOCAL: dict[str, tuple[str, ...]] = {
    "adamic_adar_index": ("ebunch",),
    "bfs_edges": ("depth_limit",),
    "bfs_predecessors": ("depth_limit",),
    "bfs_successors": ("depth_limit",),
    "bfs_tree": ("depth_limit",),
    "bidirectional_dijkstra": (),
    "boundary_expansion": (),
    "clustering": ("nodes",),
    "cut_size": (),
    "descendants_at_distance": (),
    "dfs_edges": ("depth_limit",),
    "dfs_tree": ("depth_limit",),
    "dijkstra_path": (),
    "dijkstra_path_length": (),
    "efficiency": (),
    "ego_graph": (),
    "generalized_degree": ("nodes",),
    "has_path": (),
    "is_isolate": (),
    "is_simple_path": (),
    "jaccard_coefficient": ("ebunch",),
    "node_boundary": (),
    "node_expansion": (),
    "preferential_attachment": ("ebunch",),
    "resource_allocation_index": ("ebunch",),
    "shortest_path": ("source", "target"),
    "shortest_path_length": ("source", "target"),
    "single_source_dijkstra": ("cutoff",),
    "single_source_dijkstra_path": ("cutoff",),
    "single_source_dijkstra_path_length": ("cutoff",),
    "single_source_shortest_path": ("cutoff",),
    "single_source_shortest_path_length": ("cutoff",),
    "square_clustering": ("nodes",),
    "triangles": ("nodes",),
    "volume": (),
}
"""Functions that look at a part of the graph if all of these arguments are given."""

_MANY = ("S", "T", "nbunch1", "nbunch2", "nodes", "ebunch")
"""Arguments that may name a large part of the graph."""

_FEW = 64
"""So many vertices are few in any graph."""

_SHARE = 256
"""So many edges a kernel reads in less than the time that NetworkX's code takes for a vertex."""


def _is_local(key: str, args: list[Any], kwargs: dict[str, Any]) -> bool:
    needed = _LOCAL.get(key)
    if needed is None:
        return False
    try:
        arguments = _signatures[key].bind(*args, **kwargs).arguments
    except TypeError:
        return False
    if key == "ego_graph" and arguments.get("undirected"):
        return False  # it would copy all edges
    edges = [graph.num_edges for graph in arguments.values() if isinstance(graph, Reader)]
    if not edges:
        return False
    most = max(_FEW, max(edges) // _SHARE)
    if any(_size_of(arguments.get(name)) > most for name in _MANY):
        return False
    return all(arguments.get(name) is not None for name in needed)


def _size_of(vertices: Any) -> int:
    """How many vertices or pairs an argument names: 1 if it is one vertex, or does not know."""
    return 1 if isinstance(vertices, str) or not isinstance(vertices, Sized) else len(vertices)


def given(*names: str) -> Refusal:
    """Refuse calls where one of these arguments is neither None nor False."""

    def refusal(arguments: dict[str, Any]) -> str | None:
        for name in names:
            if arguments[name] is not None and arguments[name] is not False:
                return f"{name}={arguments[name]!r} is left to NetworkX"
        return None

    return refusal


def directed(arguments: dict[str, Any]) -> str | None:
    """Refuse directed graphs."""
    return "directed graphs are left to NetworkX" if arguments["G"].is_directed() else None


def undirected(arguments: dict[str, Any]) -> str | None:
    """Refuse undirected graphs."""
    return None if arguments["G"].is_directed() else "undirected graphs are left to NetworkX"


def multigraph(arguments: dict[str, Any]) -> str | None:
    """Refuse multigraphs."""
    return "multigraphs are left to NetworkX" if arguments["G"].is_multigraph() else None


def directed_or_multigraph(arguments: dict[str, Any]) -> str | None:
    """Refuse all but simple undirected graphs."""
    return directed(arguments) or multigraph(arguments)


def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """What NetworkX asks before it converts anything: True, or the reason why not.

    Raises UnsupportedError if a stored graph would have to change.
    """
    if any(isinstance(argument, Reader) for argument in (*args, *kwargs.values())):
        if _changes_its_graph(name, args, kwargs):
            raise UnsupportedError(  # of a reason that is returned, or a NotImplementedError, NetworkX says nothing
                f"{name} changes a graph in place, and a stored graph is changed by methods of its own: add_edges, "
                "remove_edges, set_vertices and set_edges for attributes (add_column makes one), and the like"
            )
        return True
    reason = _refusal(name, list(args), kwargs) if name in FUNCTIONS else f"{name} is not implemented"
    if reason is None or any(isinstance(argument, LazyGraph) for argument in (*args, *kwargs.values())):
        return True  # graphs of ours have all that NetworkX's code needs
    return reason


def _changes_its_graph(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether NetworkX's function would change a graph that it is given; NetworkX says so, or by which argument."""
    function = _registered_algorithms[name]
    if isinstance(function.mutates_input, bool):
        return function.mutates_input
    bound = inspect.signature(function.orig_func).bind(*args, **kwargs)
    bound.apply_defaults()
    for argument in function.mutates_input:
        wanted = not argument.startswith("not ")
        if bool(bound.arguments[argument.removeprefix("not ")]) == wanted:
            return True
    return False


def _refusal(name: str, args: list[Any], kwargs: dict[str, Any]) -> str | None:
    """Why a function cannot be run with these arguments; None if it can."""
    try:
        bound = _signatures[name].bind(*args, **kwargs)
    except TypeError as error:
        return str(error)
    bound.apply_defaults()
    arguments = bound.arguments
    if callable(arguments.get("weight")) or callable(arguments.get("distance")):
        return "weights must be an edge attribute, not a function"
    refusal = _refusals.get(name)
    return None if refusal is None else refusal(arguments)


def should_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """What NetworkX asks before it converts a graph: True, or why it should run the function itself."""
    graph = args[0] if args else next(iter(kwargs.values()), None)
    smallest = _smallest.get(name, WORTH_IT)
    if _is_ours(graph) or state_of(graph) is not None:
        return True
    if smallest == ONLY_OURS:
        return "NetworkX looks at few edges for this, or at none; a conversion would cost more"
    if not _has(graph, smallest):
        return f"the graph is small: fewer than {smallest} nodes and edges"
    return True


def _is_ours(graph: Any) -> bool:
    """True if there is nothing to convert: one of our graphs, or one that was converted before."""
    if isinstance(graph, Reader) or getattr(graph, "__networkx_backend__", None) == "rizoma":
        return True
    cache = getattr(graph, "__networkx_cache__", None)
    return bool(cache and cache.get("backends", {}).get("rizoma"))


def _has(graph: Any, size: int) -> bool:
    """True if the graph has as many nodes and edges, by those of its first nodes: this runs at each call."""
    adjacency = getattr(graph, "_adj", None)
    if adjacency is None:
        return True
    nodes = len(adjacency)
    if nodes >= size:
        return True
    if nodes == 0:
        return False
    looked_at = min(nodes, _LOOKED_AT)
    ends = sum(len(row) for row in islice(adjacency.values(), looked_at))
    return nodes + ends * nodes / looked_at >= size
