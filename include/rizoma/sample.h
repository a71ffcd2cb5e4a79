// The sample: random neighbours, for walks, RR sets and training batches.  Module: engine.
//
// How: counter-based: each draw is a function of the seed and its number, so results depend neither on threads nor on
// the order of draws.
// Cost: O(1) a draw with replacement, O(k) expected for k without.  By weight O(degree) for k without replacement, and
// for walks O(log degree) a step over sums of weights that take 8 bytes an entry.
// Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC'11, for the idea; Floyd's
// algorithm (Bentley, Floyd, "A sample of brilliance", CACM 1987) draws without replacement; by weight Efraimidis,
// Spirakis, "Weighted random sampling with a reservoir", IPL 97, 2006; biased walks: Grover, Leskovec, "node2vec",
// KDD'16, by rejection (Yang et al., "KnightKing", SOSP'19), which goes over to the whole list after 32 of them.
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

  /// The same, where an entry comes first in proportion to its weight, then among the others; entries of weight 0
  /// never come.  The graph has weights.  Errors: invalid_argument (a negative or infinite weight, or NaN).
  [[nodiscard]] Status draw_some_by_weight(VertexId v, std::uint64_t count, std::uint64_t number,
                                           std::vector<VertexId>& to) const;

 private:
  GraphView graph_;
  Direction direction_;
  std::uint64_t seed_;
};

/// A random walk of `steps` steps from each start: row i of the result, steps + 1 wide, begins with starts[i].  A walk
/// ends at a vertex without neighbours; kNoVertex fills the rest.  Errors: cancelled.
Result<std::vector<VertexId>> random_walks(Engine& engine, const NeighborSampler& sampler,
                                           std::span<const VertexId> starts, std::uint64_t steps);

/// How a walk goes on.
struct WalkOptions {
  std::uint64_t seed = 0;
  Direction direction = Direction::out;  ///< `in` needs has_in_edges()
  bool weighted = false;                 ///< along an edge in proportion to its weight
  /// node2vec: a step back to the vertex before is 1/p times as likely as one to a vertex that an edge leads to from
  /// it, one to any other vertex 1/q times.
  double p = 1;
  double q = 1;
  double restart = 0;  ///< the chance that a step goes back to the start instead; so does a step that leads nowhere
};

/// Random walks by weight, by where they came from, or with restarts: a function of the seed and the place in `starts`.
/// Errors: invalid_argument (p or q not above 0, restart not in [0, 1), a negative or infinite weight, or NaN),
/// cancelled.
Result<std::vector<VertexId>> random_walks(Engine& engine, const GraphView& graph, std::span<const VertexId> starts,
                                           std::uint64_t steps, const WalkOptions& options);

}  // namespace rizoma
