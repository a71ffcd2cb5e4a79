// Strongly connected components.  Module: algorithms.
//
// What: a label for each vertex; two vertices have the same label exactly if each is reachable from the
// other.  Components are numbered 0.. as a depth-first search finishes them (vertices by number, lists in
// their order), so an edge never leads to a component of a greater number.
// How: one depth-first search with its own stack; serial, because its order is the order of the labels.  Those of an
// undirected graph are its connected components, found by all threads.
// Cost: O(n + m); 16 bytes a vertex, and up to 20 for the stacks.
// Source: Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1(2), 1972.
#pragma once

#include <rizoma/engine.h>

namespace rizoma {

struct StrongComponentsResult {
  VertexMap<std::uint64_t> labels;  ///< n values; kNoVertex for removed vertices
  VertexId count = 0;
};

/// Errors: cancelled.
Result<StrongComponentsResult> strong_components(Engine& engine, const GraphView& graph);

}  // namespace rizoma
