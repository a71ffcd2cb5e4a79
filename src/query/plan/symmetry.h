// Symmetric patterns: counted once for each orbit of matches.  Module: query.
//
// How: of the matches that an automorphism of the pattern turns into each other only one is looked for, the one whose
// numbers fall in a given order.  That needs vertices that differ: those of a symmetric pattern do if each two of them
// are adjacent and the graph has no self-loops, or if the matches are to use no vertex twice.  Where the graph has
// self-loops, each way in which adjacent vertices coincide is a query of its own, with the self-loops as edges.
// Vertices of other patterns differ only where the matches are to use none twice: then the one match is that in which
// a vertex has the largest number among its images (Grochow, Kellis, RECOMB'07).
// A pattern in which each two vertices are adjacent is split by the order of its vertices' numbers: lists then hold
// smaller numbers only, which are few where numbers follow degrees.
#pragma once

#include "query/parse/query.h"

#include <vector>

namespace rizoma::query {

/// The vertices with self-loops, ascending.
[[nodiscard]] std::vector<VertexId> looped(const GraphView& graph);

/// Queries whose matches, `times` each and by their `images`, are those of the query.
[[nodiscard]] std::vector<Query> without_symmetry(const GraphView& graph, const Query& query);
/// The same where the vertices with self-loops are known: `loops` are those of the whole graph, of which `graph` may
/// lack lists.
[[nodiscard]] std::vector<Query> without_symmetry(const GraphView& graph, const Query& query,
                                                  const std::vector<VertexId>& loops);

}  // namespace rizoma::query
