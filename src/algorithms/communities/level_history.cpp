#include "algorithms/communities/level_history.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rizoma::communities {

Status LevelHistory::begin(std::uint64_t& seed) {
  if (keeps_) {
    name_.resize(into_.size());
    std::iota(name_.begin(), name_.end(), Vertex{0});
    loop_.keep(seed_, saved_levels_, gain_);
    loop_.valid_if([this] { return sound(); });
  } else {
    loop_.forgo();
  }
  RIZOMA_TRY(loop_.agree_on(seed));
  seed_ = seed;
  RIZOMA_ASSIGN(const bool resumed, loop_.begin());
  if (!resumed) return {};
  RIZOMA_TRY(into_.complete());
  RIZOMA_TRY(level_.complete());
  resumed_levels_ = saved_levels_;
  seed = seed_;
  return {};
}

bool LevelHistory::sound() const {
  if (!std::isfinite(gain_) || saved_levels_ < 1 || saved_levels_ >= into_.size()) return false;
  std::vector<bool> fewer(saved_levels_);  // whether a level has fewer than the one before
  for (VertexId v = 0; v < into_.size(); ++v) {
    if (level_[v] == 0) continue;
    if (level_[v] > fewer.size() || into_[v] >= v) return false;
    const std::uint32_t of_other = level_[into_[v]];
    if (of_other != 0 && of_other <= level_[v]) return false;
    fewer[level_[v] - 1] = true;
  }
  return std::ranges::find(fewer, false) == fewer.end();
}

std::vector<Vertex> LevelHistory::next_communities(std::span<const Vertex> vertex, Vertex size) {
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

void LevelHistory::note(std::span<const Vertex> communities) {
  if (!keeps_) return;
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

Status LevelHistory::offer(double gain) {
  saved_levels_ = levels_;
  gain_ = gain;
  return loop_.save_if_due();
}

}  // namespace rizoma::communities
