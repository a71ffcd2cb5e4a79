// What the neighbourhoods of given pairs of vertices share: the figures of link prediction.  Module: algorithms.
//
// What: for each pair (u, v) the number of common neighbours other than u and v, the size of the union of
// both neighbourhoods, and over the common neighbours w the sums of 1 / ln(degree) (Adamic and Adar) and of
// 1 / degree (resource allocation).  Parallel edges count once; a self-loop counts twice in a degree.
// How: the neighbours of u are marked, then counted among those of v; pairs with the same u, one after another,
// share the marks.
// Cost: O(degree of v) a pair, and O(degree of u) for each run of pairs with the same u; n bits a thread.
// Source: Liben-Nowell, Kleinberg, "The link-prediction problem for social networks", JASIST 58, 2007.
#pragma once

#include <rizoma/engine.h>

#include <span>
#include <vector>

namespace rizoma {

/// Parallel to the pairs.
struct CommonNeighbors {
  std::vector<std::uint64_t> common;
  std::vector<std::uint64_t> either;  ///< vertices adjacent to u or v (each once)
  std::vector<double> adamic_adar;    ///< infinite if a common neighbour has degree 1
  std::vector<double> resource_allocation;
};

/// Errors: invalid_argument (us and vs of different lengths, a vertex out of range), unsupported (a directed graph),
/// cancelled.
Result<CommonNeighbors> common_neighbors(Engine& engine, const GraphView& graph, std::span<const VertexId> us,
                                         std::span<const VertexId> vs);

}  // namespace rizoma
