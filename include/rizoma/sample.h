// The sample: random neighbours, for walks, RR sets and training batches.  Module: engine.
//
// How: counter-based: each draw is a function of the seed and its number, so results depend neither on threads nor on
// the order of draws.
// Cost: O(1) a draw with replacement, O(k) expected for k without.
// Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC'11, for the idea; Floyd's
// algorithm (Bentley, Floyd, "A sample of brilliance", CACM 1987) draws without replacement.
#pragma once

#include <rizoma/engine.h>

#include <span>
#include <vector>

namespace rizoma {

/// Draws neighbours of one direction.  From any thread; valid while the graph lives.
class NeighborSampler {
 public:
  /// `in` needs has_in_edges().
  NeighborSampler(const GraphView& graph, Direction direction, std::uint64_t seed);

  /// to[i]: a random neighbour of vertices[i], by draw number first_number + i; kNoVertex if it has none or is
  /// kNoVertex. Parallel edges count each.  `to` may be `vertices`.
  void draw(std::span<const VertexId> vertices, std::uint64_t first_number, std::span<VertexId> to) const;

  /// Appends `count` distinct entries of the list of v, or all if there are fewer, in list order, by draws number *
  /// count to number * count + count - 1.
  void draw_some(VertexId v, std::uint64_t count, std::uint64_t number, std::vector<VertexId>& to) const;

 private:
  GraphView graph_;
  Direction direction_;
  std::uint64_t seed_;
};

/// A random walk of `steps` steps from each start: row i of the result, steps + 1 wide, begins with starts[i].  A walk
/// ends at a vertex without neighbours; kNoVertex fills the rest.  Errors: cancelled.
Result<std::vector<VertexId>> random_walks(Engine& engine, const NeighborSampler& sampler,
                                           std::span<const VertexId> starts, std::uint64_t steps);

}  // namespace rizoma
