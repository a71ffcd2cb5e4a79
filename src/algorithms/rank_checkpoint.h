// What PageRank keeps between processes: its ranks, and how far it was.
#pragma once

#include <rizoma/checkpoints.h>
#include <rizoma/process_vertices.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace rizoma {

/// What goes into a checkpoint beside the ranks.
struct RankFigures {
  std::array<double, 3> of = {};  ///< iterations, rank of the vertices without out-edges, error
  [[nodiscard]] int iterations() const noexcept { return static_cast<int>(of[0]); }
  [[nodiscard]] double dangling() const noexcept { return of[1]; }
  [[nodiscard]] double error() const noexcept { return of[2]; }
  /// Ranks are parts of 1; only before the first iteration nothing is known of the error.
  [[nodiscard]] bool sound() const noexcept {
    return whole_below(of[0], 0x1p31) && of[1] >= 0 && of[1] <= 2 && of[2] >= 0 && (of[0] == 0 || std::isfinite(of[2]));
  }
};

/// The ranks to begin with: those of a checkpoint, or the ones given.
template <class Start>
Result<RankFigures> first_ranks(Engine& engine, const GraphView& graph, Checkpoints* checkpoints,
                                VertexMap<double>& ranks, Start start) {
  RankFigures figures;
  if (checkpoints != nullptr) {
    const auto sound = [&] {
      return figures.sound() && std::ranges::all_of(ranks.span(), [](double rank) { return rank >= 0 && rank <= 2; });
    };
    RIZOMA_ASSIGN(const bool resumed, checkpoints->resume({figures.of, {column_of(ranks)}, sound}));
    if (resumed) return figures;
  }
  RIZOMA_ASSIGN(const double dangling, process_vertices(engine, graph, 0.0, start));
  figures.of = {0, dangling, std::numeric_limits<double>::infinity()};
  return figures;
}

}  // namespace rizoma
