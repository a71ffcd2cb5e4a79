// What label propagation keeps between processes: its labels, its seed, and how far it was.
#pragma once

#include <rizoma/detail/checkpoints.h>
#include <rizoma/vertex_map.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace rizoma {

/// What goes into a checkpoint beside the labels: rounds, and the seed in halves, which are exact as numbers.
struct LabelFigures {
  std::array<double, 3> of = {};
  LabelFigures(unsigned rounds, std::uint64_t seed)
      : of{static_cast<double>(rounds), halves_of(seed)[0], halves_of(seed)[1]} {}
  [[nodiscard]] bool sound() const noexcept { return whole_below(of[0], 0x1p31) && are_halves(of[1], of[2]); }
  [[nodiscard]] unsigned rounds() const noexcept { return static_cast<unsigned>(of[0]); }
  [[nodiscard]] std::uint64_t seed() const noexcept { return number_of(of[1], of[2]); }
};

/// The rounds before the checkpoint that the job goes on from, if it does; its labels and its seed.
inline Result<unsigned> resume_labels(Checkpoints* checkpoints, VertexMap<VertexId>& labels, std::uint64_t& seed) {
  if (checkpoints == nullptr) return 0U;
  LabelFigures figures(0, seed);
  const auto sound = [&] {
    return figures.sound() && std::ranges::all_of(labels.span(), [&](VertexId label) { return label < labels.size(); });
  };
  RIZOMA_ASSIGN(const bool resumed, checkpoints->resume({figures.of, {column_of(labels)}, sound}));
  if (resumed) seed = figures.seed();
  return resumed ? figures.rounds() : 0U;
}

inline Status offer_labels(Checkpoints* checkpoints, VertexMap<VertexId>& labels, unsigned rounds, std::uint64_t seed) {
  if (checkpoints == nullptr) return {};
  LabelFigures figures(rounds, seed);
  return checkpoints->offer({figures.of, {column_of(labels)}});
}

}  // namespace rizoma
