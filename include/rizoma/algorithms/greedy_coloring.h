// Greedy colouring of vertices in a given order.  Module: algorithms.
//
// What: each vertex in turn gets the smallest colour, 0.., that none of its neighbours has yet.
// How: the colours around a vertex are marked with its turn; serial.  Self-loops are ignored.
// Cost: O(n + m).
// Source: Welsh, Powell, "An upper bound for the chromatic number of a graph ...", Computer J. 10, 1967.
#pragma once

#include <rizoma/engine.h>

#include <span>

namespace rizoma {

struct GreedyColoring {
  VertexMap<std::uint64_t> colors;  ///< n values; kNoVertex for vertices not in the order
  std::uint64_t count = 0;          ///< colours used
};

/// A directed graph is coloured along its out-edges only.  Errors: invalid_argument (a vertex of the order out of
/// range), cancelled.
Result<GreedyColoring> greedy_coloring(Engine& engine, const GraphView& graph, std::span<const VertexId> order);

}  // namespace rizoma
