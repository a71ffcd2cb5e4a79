// The scores that follow no edge: teleports of the random surfer, and the scores of dangling vertices.
#pragma once

#include <rizoma/ids.h>

#include <span>

namespace rizoma {

/// The shares of vertices in a sum: as given, or all alike.
struct Shares {
  double even = 0;
  std::span<const double> given;
  double sum = 1;  ///< of those given, to divide by: the inverse of the smallest numbers is infinite
  [[nodiscard]] double of(VertexId v) const { return given.empty() ? even : given[v] / sum; }
};

/// The surfer of PageRank follows an edge with probability alpha, and teleports otherwise, or where there is none.
struct Teleport {
  double alpha;
  Shares targets;                                                    ///< of teleports
  Shares landings;                                                   ///< of those from vertices without out-edges
  double from_dangling = 0;                                          ///< score that goes there
  double anywhere = 0;                                               ///< the share of each vertex, where all are alike
  bool all_alike = targets.given.empty() && landings.given.empty();  ///< read for each vertex: one access, not two

  /// The score that teleports to v in this iteration.
  [[nodiscard]] double to(VertexId v) const {
    return all_alike ? anywhere : (1 - alpha) * targets.of(v) + from_dangling * landings.of(v);
  }
  /// Before an iteration: the score of the vertices without out-edges.
  void pass_on(double score_of_dangling) {
    from_dangling = alpha * score_of_dangling;
    anywhere = (1 - alpha + from_dangling) * targets.even;
  }
};

}  // namespace rizoma
