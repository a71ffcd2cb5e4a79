#include "algorithms/checkpoint/level_state.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rizoma::communities {

Status LevelCheckpoint::resume(const GraphView& graph, std::uint64_t& seed) {
  if (checkpoints_ == nullptr) return {};
  const VertexId n = graph.num_vertices();
  into_ = engine_.make_map<Vertex>(n, 0);
  level_ = engine_.make_map<std::uint32_t>(n, 0);
  name_.resize(n);
  std::iota(name_.begin(), name_.end(), Vertex{0});
  seed_ = seed;
  Ranks* const ranks = engine_.ranks();
  if (ranks != nullptr) RIZOMA_TRY(ranks->divide(graph));
  RIZOMA_ASSIGN(const bool resumed, checkpoints_->resume({figures_, columns(), [this] { return sound(); }}));
  if (!resumed) return {};
  for (const StateColumn& column : columns()) {
    if (ranks != nullptr) RIZOMA_TRY(ranks->gather(column.values, column.value_bytes));
  }
  resumed_levels_ = static_cast<unsigned>(figures_[2]);
  seed = seed_ = number_of(figures_[0], figures_[1]);
  return {};
}

bool LevelCheckpoint::sound() const {
  if (!are_halves(figures_[0], figures_[1]) || !std::isfinite(figures_[3])) return false;
  if (figures_[2] < 1 || !whole_below(figures_[2], static_cast<double>(into_.size()))) return false;
  std::vector<bool> fewer(static_cast<std::size_t>(figures_[2]));  // whether a level has fewer than the one before
  for (VertexId v = 0; v < into_.size(); ++v) {
    if (level_[v] == 0) continue;
    if (level_[v] > fewer.size() || into_[v] >= v) return false;
    const std::uint32_t of_other = level_[into_[v]];
    if (of_other != 0 && of_other <= level_[v]) return false;
    fewer[level_[v] - 1] = true;
  }
  return std::ranges::find(fewer, false) == fewer.end();
}

std::vector<Vertex> LevelCheckpoint::next_communities(std::span<const Vertex> vertex, Vertex size) {
  const unsigned level = levels_ + 1;
  std::vector<Vertex> communities(size);
  for (Vertex c = 0; c < size; ++c) {
    const Vertex first = name_[c];
    communities[c] = level_[first] == level ? vertex[into_[first]] : c;
  }
  std::vector<Vertex> names;
  for (Vertex c = 0; c < size; ++c) {
    if (communities[c] == c) names.push_back(name_[c]);
  }
  name_ = std::move(names);
  levels_ = level;
  make_dense(communities);
  return communities;
}

void LevelCheckpoint::note(std::span<const Vertex> communities) {
  if (checkpoints_ == nullptr) return;
  ++levels_;
  std::vector<Vertex> names;
  for (std::size_t v = 0; v < communities.size(); ++v) {
    const Vertex first = name_[v];
    if (communities[v] == names.size()) {
      names.push_back(first);
    } else {
      into_[first] = names[communities[v]];
      level_[first] = levels_;
    }
  }
  name_ = std::move(names);
}

Status LevelCheckpoint::offer(double gain) {
  if (checkpoints_ == nullptr) return {};
  const auto [high, low] = halves_of(seed_);
  figures_ = {high, low, static_cast<double>(levels_), gain};
  return checkpoints_->offer({figures_, columns()});
}

}  // namespace rizoma::communities
