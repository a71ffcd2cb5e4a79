// Moves of vertices between communities on one level, by all threads, with an answer that does not depend on them.
#pragma once

#include "algorithms/community_level.h"

#include <rizoma/function_ref.h>

#include <span>

namespace rizoma::communities {

/// Vertices in an order of batches.  The vertices of a batch decide on the same state, and then all move; so the answer
/// is that of the batches, whoever works on them.  A run of consecutive vertices is dealt to 16 batches by chance, for
/// neighbours that decide at once might change places.
class Batches {
 public:
  Batches(Engine& engine, Vertex n, std::uint64_t seed);
  /// Deals those vertices for which wanted(v) says so.
  Status deal(FunctionRef<bool(Vertex)> wanted);
  [[nodiscard]] const std::vector<std::span<const Vertex>>& all() const noexcept { return batches_; }

 private:
  Engine& engine_;
  Vertex n_;
  std::uint64_t seed_;
  std::vector<Vertex> order_;
  std::vector<std::span<const Vertex>> batches_;
};

struct MoveOptions {
  double resolution = 1;
  double tolerance = 0;  ///< a round that gains less modularity is the last
  std::uint64_t seed = 1;
};

/// Moves vertices, each to the neighbouring community that gains most, until a round gains too little.
/// `communities`: where they are, numbers below the size of the level.  `active`: those that are looked at first;
/// empty: all. Returns the gain.  Errors: cancelled.
Result<double> move_vertices(Engine& engine, const Level& level, Scratch& scratch, const MoveOptions& options,
                             std::vector<Vertex>& communities, std::span<const Vertex> active = {});

/// Puts together what belongs together within each community: a vertex that is still alone joins the neighbour or group
/// that gains most, if its links to the rest of the community are no fewer than chance would give.  Nobody leaves a
/// group, so that all of them are connected.  Returns groups, numbered below the size of the level.  Errors: cancelled.
Result<std::vector<Vertex>> refine(Engine& engine, const Level& level, Scratch& scratch, const MoveOptions& options,
                                   const std::vector<Vertex>& communities);

}  // namespace rizoma::communities
