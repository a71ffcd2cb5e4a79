// What searches from given sources return: for each, the vertices it found, in order.  Module: algorithms.
#pragma once

#include <rizoma/engine.h>

#include <cstddef>
#include <vector>

namespace rizoma {

/// The vertices found by one search after the other; search i has the stretch [offsets[i], offsets[i+1]).
template <class Length>
struct SearchTrees {
  std::vector<std::size_t> offsets{0};
  std::vector<VertexId> order;    ///< in the order in which they were found
  std::vector<Length> distances;  ///< parallel to order: from the source
  std::vector<VertexId> parents;  ///< parallel to order: the vertex before it on its path; kNoVertex for a source
};

/// What searches have in common.
struct SearchOptions {
  Direction direction = Direction::out;
  bool together = false;        ///< one search from all sources instead of one from each
  VertexId target = kNoVertex;  ///< stop when this vertex is found
};

}  // namespace rizoma
