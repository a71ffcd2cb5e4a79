// Breadth-first searches in the order of the lists.  Module: algorithms.
//
// What: from each source (or from all together) the vertices reached, by level; within a level in the order
// in which a queue finds them: vertices in the order they came, each list from its begin.  The parent is
// the vertex that found it first.  bfs.h is faster where that order does not matter.
// How: a queue; each search is serial, threads take sources.
// Cost: O(vertices and entries reached) a search, 20 bytes a vertex reached; n bits a thread.
// Source: Moore, "The shortest path through a maze", 1959.
#pragma once

#include <rizoma/engine.h>

#include <cstddef>
#include <span>
#include <vector>

namespace rizoma {

// The result of searches from given sources: for each, the vertices it found, in order.

/// The vertices found by one search after the other; search i has the stretch [offsets[i], offsets[i+1]).
template <class Length>
struct SearchTrees {
  std::vector<std::size_t> offsets{0};
  std::vector<VertexId> order;    ///< in the order in which they were found
  std::vector<Length> distances;  ///< parallel to order: from the source
  std::vector<VertexId> parents;  ///< parallel to order: the vertex before it on its path; kNoVertex for a source
};

/// Options of all these searches.
struct SearchOptions {
  Direction direction = Direction::out;
  bool together = false;        ///< one search from all sources instead of one from each
  VertexId target = kNoVertex;  ///< stop when this vertex is found
};

struct BreadthFirstOptions : SearchOptions {
  std::int64_t max_depth = -1;  ///< no vertex beyond this level; -1: no limit
};

/// Errors: invalid_argument (a source out of range or removed), unsupported (in-edges that are not
/// stored), cancelled.
Result<SearchTrees<std::int32_t>> breadth_first_trees(Engine& engine, const GraphView& graph,
                                                      std::span<const VertexId> sources,
                                                      const BreadthFirstOptions& options = {});

}  // namespace rizoma
