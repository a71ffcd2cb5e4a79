// The product of a graph's adjacency matrix and a vector.  Module: algorithms.
//
// What: y[u] = sum of weight(u, v) * x[v] over the entries u -> v; or of the transpose, y[v] = sum of
// weight(u, v) * x[u].  Parallel edges add up.
// How: each vertex adds up its own list, in its order, so the answer does not depend on threads.
// Cost: O(n + m).
// Source: the definition.
#pragma once

#include <rizoma/engine.h>

#include <span>

namespace rizoma {

struct MultiplyOptions {
  bool transpose = false;    ///< of a directed graph: reads the in-lists
  bool use_weights = false;  ///< false: every entry is 1
};

/// Errors: invalid_argument (x has not n values), unsupported (in-edges that are not stored), cancelled.
Result<VertexMap<double>> multiply(Engine& engine, const GraphView& graph, std::span<const double> x,
                                   const MultiplyOptions& options = {});

}  // namespace rizoma
