// BoundaryLists: which vertices of which rank the lists of which other rank lead to.
#pragma once

#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>

#include <cstdint>
#include <vector>

namespace rizoma {

struct BoundaryLists {
  std::vector<std::vector<VertexId>> read;      ///< by rank: its vertices that lists of this rank lead to, ascending
  std::vector<std::vector<VertexId>> mirrored;  ///< by rank: this rank's vertices that its lists lead to, ascending
  std::uint64_t all = 0;                        ///< how many the ranks read of each other
};

/// Reads this rank's lists once, and tells the others which of their vertices it reads: two rounds.  Collective. Cost:
/// O(entries of this rank); bytes: one or two for each vertex read.
Result<BoundaryLists> find_boundary(Engine& engine, Ranks& ranks, const GraphView& graph, Direction direction);

}  // namespace rizoma
