// The graphs that community detection works on, level by level: that of the user, then those whose vertices are the
// communities of the level before.
#pragma once

#include "engine/quotient/quotient_graph.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace rizoma::communities {

using Vertex = QuotientGraph::Vertex;
using Scratch = QuotientGraph::Scratch;

/// What chance would give to a pair of vertices: `density` times the mass of one and of the other.
struct NullModel {
  double density = 0;   ///< the resolution included
  double per_mass = 1;  ///< edge weight per mass, on average
};

/// The graph of one level.  Masses may be sizes (objective.h).
struct Level : QuotientGraph {
  std::vector<std::uint8_t> fixed = {};  ///< 1 for vertices that stay in their community; empty: there are none
  NullModel chance = {};

  /// The level whose vertices are the groups 0..count-1.  Errors: cancelled.
  [[nodiscard]] Result<Level> next(Engine& engine, const std::vector<Vertex>& groups, Vertex count, Scratch& scratch,
                                   const ListReads& reads) const {
    RIZOMA_ASSIGN(QuotientGraph graph, aggregate(engine, groups, count, scratch, reads));
    Level coarse{std::move(graph), std::vector<std::uint8_t>(fixed.empty() ? 0 : count), chance};
    for (Vertex v = 0; v < fixed.size(); ++v) coarse.fixed[groups[v]] |= fixed[v];
    return coarse;
  }
};

/// Cuts communities of which one part has no edge to the other; numbers them again and returns how many there are.
/// Parts with fixed vertices stay together.  Errors: cancelled.
Result<Vertex> cut_apart(Engine& engine, const Level& level, std::vector<Vertex>& communities);

}  // namespace rizoma::communities
