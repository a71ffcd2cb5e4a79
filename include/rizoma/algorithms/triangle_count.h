// Triangle count, global and for each vertex.  Module: algorithms.
//
// What: a triangle is a set of three vertices that are pairwise adjacent.  Direction, parallel edges
// and self-loops are ignored: the count is that of the underlying simple undirected graph.
// How: each edge is directed from the vertex of lower to that of higher rank (by degree), and the
// sorted out-lists of its ends are intersected; each triangle is found once.
// Cost: O(m^1.5) at worst.
// Source: Schank, Wagner, "Finding, counting and listing all triangles in large graphs", WEA'05;
// Cohen, "Graph twiddling in a MapReduce world", 2009.
#pragma once

#include <rizoma/engine.h>

namespace rizoma {

struct TriangleCountOptions {
  bool per_vertex = true;  ///< false: only the total, faster
};

struct TriangleCountResult {
  std::uint64_t total = 0;
  VertexMap<std::uint64_t> counts;  ///< n values: triangles that contain v; empty if not asked for
};

/// Errors: cancelled.
Result<TriangleCountResult> triangle_count(Engine& engine, const GraphView& graph,
                                           const TriangleCountOptions& options = {});

}  // namespace rizoma
