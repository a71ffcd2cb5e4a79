// What PageRank keeps between processes: its ranks, and how far it was.
#pragma once

#include <rizoma/detail/checkpoints.h>
#include <rizoma/engine.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace rizoma {

/// What goes into a checkpoint beside the ranks.
struct ScoreFigures {
  std::array<double, 3> of = {};  ///< iterations, rank of the vertices without out-edges, error
  [[nodiscard]] int iterations() const noexcept { return static_cast<int>(of[0]); }
  [[nodiscard]] double dangling() const noexcept { return of[1]; }
  [[nodiscard]] double error() const noexcept { return of[2]; }
  /// Ranks are parts of 1; only before the first iteration nothing is known of the error.
  [[nodiscard]] bool sound() const noexcept {
    return whole_below(of[0], 0x1p31) && of[1] >= 0 && of[1] <= 2 && of[2] >= 0 && (of[0] == 0 || std::isfinite(of[2]));
  }
};

/// The ranks to begin with: all alike, or as given, in parts of their sum.
struct InitialScores {
  double even = 0;
  const double* given = nullptr;
  double sum = 1;
  [[nodiscard]] double of(VertexId v) const { return given == nullptr ? even : given[v] / sum; }
};

/// How far a checkpoint was, and its ranks, for which there is room if there are checkpoints at all; no iterations if
/// there is none to go on from.
inline Result<ScoreFigures> checkpointed_scores(Engine& engine, const GraphView& graph, Checkpoints* checkpoints,
                                                VertexMap<double>& scores) {
  ScoreFigures figures;
  if (checkpoints != nullptr) {
    scores = engine.make_map<double>(graph.num_vertices(), 0);
    const auto sound = [&] {
      return figures.sound() &&
             std::ranges::all_of(scores.span(), [](double score) { return score >= 0 && score <= 2; });
    };
    RIZOMA_ASSIGN(const bool resumed, checkpoints->resume({figures.of, {column_of(scores)}, sound}));
    if (resumed) return figures;
  }
  figures.of = {0, 0, std::numeric_limits<double>::infinity()};
  return figures;
}

}  // namespace rizoma
