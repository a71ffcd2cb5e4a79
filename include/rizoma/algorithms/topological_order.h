// The vertices of a directed acyclic graph, every edge leading forward.  Module: algorithms.
//
// What: generations: the first holds the vertices without in-edges, the next those that have in-edges only
// from earlier ones, and so on; within a generation vertices stand as they became free (the first by
// number).  What is on or behind a cycle is in none.
// How: Kahn's algorithm, a generation at a time; serial.
// Cost: O(n + m); 16 bytes a vertex.
// Source: Kahn, "Topological sorting of large networks", CACM 5, 1962.
#pragma once

#include <rizoma/engine.h>

#include <cstddef>
#include <vector>

namespace rizoma {

struct TopologicalOrder {
  std::vector<VertexId> order;
  std::vector<std::size_t> offsets{0};  ///< generation i is order[offsets[i], offsets[i+1])
  bool acyclic = false;                 ///< order holds every vertex
};

/// Errors: invalid_argument (an undirected graph), cancelled.
Result<TopologicalOrder> topological_order(Engine& engine, const GraphView& graph);

}  // namespace rizoma
