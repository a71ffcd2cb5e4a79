"""Motifs: how often each small graph occurs within a graph."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .. import _core
from ..core.arguments import names_checked
from ..core.engines import ProgressFunction, engine
from ..core.errors import InvalidArgumentError, UnsupportedError
from ..graph.state import Reader, state_of
from .match import Matches, request_of

__all__ = ["motifs"]


@names_checked
def motifs(
    graph: Reader,
    size: int = 3,
    *,
    threads: int | None = None,
    progress: ProgressFunction | bool | None = None,
) -> dict[str, int]:
    """Count the connected induced subgraphs of 3, 4 or 5 vertices of an undirected graph by their shape.

    `size` 3: path, triangle.  `size` 4: path, star, cycle, tailed_triangle, diamond, clique.  `size` 5, by number of
    edges: path, fork, star; cycle, banner (a cycle of four with a tail), bull (a triangle with tails at two vertices),
    cricket (with two tails at one), tadpole (with a tail of two edges); k_2_3 (complete bipartite), house (a cycle with
    one chord), butterfly (two triangles that share a vertex), dart and kite (a diamond with a tail at a vertex of
    degree three, two); lollipop (a clique of four with a tail), gem (a path and a vertex with edges to all of it), book
    (three triangles over one edge), wheel_minus_spoke; wheel, clique_minus_path (a clique of four and a triangle over
    one of its edges); clique_minus_edge; clique.

    Raises InvalidArgumentError for other sizes, UnsupportedError for graphs that are directed or keep self-loops or
    parallel edges.  Cost: size 3 that of `triangle_count`; size 4 the sum over the edges of the lower degree of their
    ends, O(edges^1.5), and that of counting cliques; size 5 the sum of the squares of the degrees and of the triangles
    of each edge, and the paths of three edges from a vertex of higher degree than all others: seconds on a graph of a
    million edges; 24 bytes a triangle.
    Source: all come from a few counts of smaller parts, from which what occurs in a denser shape too is subtracted
    (Ahmed, Neville, Rossi, Duffield, "Efficient graphlet counting for large networks", ICDM'15; Pinar, Seshadhri,
    Vishal, "ESCAPE: efficiently counting all 5-vertex subgraphs", WWW'17).
    """
    state = state_of(graph)
    if size not in (3, 4, 5):
        raise InvalidArgumentError(f"size is {size}; motifs have 3, 4 or 5 vertices")
    if state.schema.directed:
        raise UnsupportedError("motifs are counted in undirected graphs, but this one is directed; give g.undirected()")

    def count(pattern: str) -> int:
        return Matches(request_of(state, pattern, threads=threads, progress=progress)).count()

    if state.schema.parallel_edges == _core.ParallelEdges.keep or count("(a)--(a)"):
        raise UnsupportedError(
            "motifs are counted only in graphs without self-loops and parallel edges; "
            "create the graph with self_loops='drop' and parallel_edges='merge'"
        )
    with engine(threads, progress) as borrowed:
        view = state.view(borrowed)
        if size == 5:
            return _core.motif_counts(borrowed, view)
        degree = [int(d) for d in np.asarray(_core.degrees(borrowed, view), np.int64)]
        cycles = _core.four_cycles(borrowed, view) if size == 4 else 0
    triangles = count("(a)--(b)--(c)--(a)") // 6
    wedges = sum(d * (d - 1) // 2 for d in degree)
    if size == 3:
        return {"path": wedges - 3 * triangles, "triangle": triangles}
    return _of_four(degree, triangles, cycles, count)


def _of_four(degree: list[int], triangles: int, cycles: int, count: Callable[[str], int]) -> dict[str, int]:
    """The motifs of 4 vertices; first all occurrences of each shape, then those that are induced."""
    edges = sum(degree) // 2
    cliques = count("(a)--(b)--(c)--(d)--(a), (a)--(c), (b)--(d)") // 24
    # Matches of a pattern may use a vertex twice: their number is known, and subtracted.
    diamonds = (count("(a)--(b), (a)--(c)--(b), (a)--(d)--(b)") - 6 * triangles) // 4
    # Each triangle with an edge that leaves it, or is in it.
    tailed = (count("(a)--(b)--(c)--(a), (a)--(d)") - 12 * triangles) // 2
    stars = sum(d * (d - 1) * (d - 2) // 6 for d in degree)
    along = count("(a)--(b)--(c)--(d)") // 2 - sum(d * d for d in degree) + edges
    paths = along - 3 * triangles
    diamond = diamonds - 6 * cliques
    cycle = cycles - diamond - 3 * cliques
    tail = tailed - 4 * diamond - 12 * cliques
    star = stars - tail - 2 * diamond - 4 * cliques
    path = paths - 4 * cycle - 2 * tail - 6 * diamond - 12 * cliques
    return {
        "path": path,
        "star": star,
        "cycle": cycle,
        "tailed_triangle": tail,
        "diamond": diamond,
        "clique": cliques,
    }
