// What a search for communities maximizes (`CommunityObjective`), and its value.
//
// How: an objective is the weight inside communities beyond what chance gives to pairs of vertices by their masses.
// Masses are degrees for modularity and rb, sizes for rber and cpm.  So moves know masses and one density, and no
// objective.  Sizes are brought to whole numbers, as weights are, so that their sums are exact.
#pragma once

#include "algorithms/communities/community_level.h"

#include <rizoma/algorithms/louvain.h>

#include <string_view>

namespace rizoma::communities {

class Objective {
 public:
  /// Puts masses, density and fixed vertices into the first level.  `options` have passed check_sizes.
  Objective(const GraphView& graph, const CommunityOptions& options, Level& level);

  /// Writes modularity and quality of a partition of any level into communities 0..count-1.  Errors: cancelled.
  Status measure(Engine& engine, const Level& level, const std::vector<Vertex>& communities, Vertex count,
                 Communities& found) const;

 private:
  void take_sizes(const GraphView& graph, std::span<const double> given, Level& level);

  CommunityObjective kind_;
  double resolution_;
  int size_exponent_ = 0;  ///< masses are sizes times two to the power of this
  double own_pairs_ = 0;   ///< sum of squares of masses of single vertices
  double all_pairs_ = 0;   ///< of masses of all pairs of different vertices
};

/// Errors: invalid_argument (sizes that are not n finite numbers from 0 on, or that the objective has no use for).
Status check_sizes(const GraphView& graph, const CommunityOptions& options, std::string_view who);

}  // namespace rizoma::communities
