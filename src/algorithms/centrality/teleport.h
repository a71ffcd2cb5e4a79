// The scores that follow no edge: teleports of the random surfer, and the scores of dangling vertices.
#pragma once

#include <rizoma/ids.h>

#include <span>

namespace rizoma {

/// The surfer of PageRank follows an edge with probability alpha, and teleports otherwise, or where there is none.
struct Teleport {
  double alpha;
  double live;                              ///< vertices
  std::span<const double> personalization;  ///< the targets of teleports, in parts of its sum; empty: all alike
  std::span<const double> dangling;         ///< where they land from vertices without out-edges; empty: as all do
  double personalization_sum = 0;           ///< to divide by: the inverse of the smallest numbers is infinite
  double dangling_sum = 0;
  double jumping = 0;        ///< share of all scores that teleports by the personalization
  double anywhere = 0;       ///< the share of each vertex without a personalization
  double from_dangling = 0;  ///< score that goes to the targets of `dangling`
  bool all_alike = personalization.empty() && dangling.empty();  ///< read for each vertex: one access in place of two

  /// The score that teleports to v in this iteration.
  [[nodiscard]] double to(VertexId v) const {
    double score = anywhere;
    if (all_alike) return score;
    if (!personalization.empty()) score += jumping * (personalization[v] / personalization_sum);
    if (!dangling.empty()) score += from_dangling * (dangling[v] / dangling_sum);
    return score;
  }
  /// Before an iteration: the score of the vertices without out-edges.
  void pass_on(double score_of_dangling) {
    jumping = 1 - alpha + (dangling.empty() ? alpha * score_of_dangling : 0);
    anywhere = personalization.empty() ? jumping / live : 0;
    from_dangling = alpha * score_of_dangling;
  }
};

}  // namespace rizoma
