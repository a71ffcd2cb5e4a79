// A depth-first search in the order of the lists.  Module: algorithms.
//
// What: from each root that is not yet visited: vertices as they are first visited, with depth and parent, and
// as they are left.  Vertices at the depth limit are visited, but not walked on from, and never left.
// How: a stack of vertices and places in their lists; serial.
// Cost: O(n + m); 16 bytes a vertex on the path, 28 a vertex visited.
// Source: Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1(2), 1972.
#pragma once

#include <rizoma/algorithms/breadth_first_trees.h>

#include <span>

namespace rizoma {

struct DepthFirstForest {
  SearchTrees<std::int32_t> visits;  ///< one tree for each root that was not visited before
  std::vector<VertexId> left;        ///< vertices as they are left: postorder
};

struct DepthFirstOptions {
  Direction direction = Direction::out;
  std::int64_t depth_limit = -1;  ///< 1 or more, or -1: none
};

/// Errors: invalid_argument (a root out of range or removed), unsupported (in-edges that are not stored), cancelled.
Result<DepthFirstForest> depth_first_forest(Engine& engine, const GraphView& graph, std::span<const VertexId> roots,
                                            const DepthFirstOptions& options = {});

}  // namespace rizoma
