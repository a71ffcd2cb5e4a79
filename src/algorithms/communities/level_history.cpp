#include "algorithms/communities/level_history.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rizoma::communities {
namespace {

/// How many numbers `size` values have, whose firsts ascend from 0 on; 0 if they do not.
Vertex count_dense(std::span<const Vertex> values, std::uint64_t place, std::uint64_t size) {
  if (place > values.size() || size > values.size() - place) return 0;
  Vertex count = 0;
  for (const Vertex value : values.subspan(place, size)) {
    if (value > count) return 0;
    count += value == count ? 1 : 0;
  }
  return count;
}

/// Appends what there is room for.
void append(std::span<const Vertex> values, std::span<Vertex> list, std::uint64_t& end) {
  if (end + values.size() <= list.size()) std::ranges::copy(values, list.subspan(end).begin());
  end += values.size();
}

}  // namespace

Status LevelHistory::begin(std::uint64_t& seed) {
  loop_.keep(seed_, saved_levels_, gain_);
  loop_.valid_if([this] { return sound(); });
  RIZOMA_TRY(loop_.agree_on(seed));
  seed_ = seed;
  RIZOMA_ASSIGN(const bool resumed, loop_.begin());
  if (!resumed) return {};
  RIZOMA_TRY(groups_.complete());
  resumed_levels_ = saved_levels_;
  seed = seed_;
  return {};
}

bool LevelHistory::sound() {
  std::uint64_t groups_end = 0;
  std::uint64_t communities_end = 0;
  auto size = static_cast<Vertex>(groups_.size());
  for (unsigned level = 0; level < saved_levels_; ++level) {
    const Vertex next = count_dense(all_groups(), groups_end, size);
    if (next == 0 || next == size) return false;
    groups_end += size;
    if (communities_ && count_dense(communities_->span(), communities_end, next) == 0) return false;
    communities_end += next;
    size = next;
  }
  return std::isfinite(gain_) && saved_levels_ > 0;
}

Coarsening LevelHistory::next(Vertex size) {
  ++levels_;
  const std::span<const Vertex> groups = all_groups().subspan(groups_end_, size);
  Coarsening next{{groups.begin(), groups.end()}, std::vector<Vertex>(std::ranges::max(groups) + std::size_t{1})};
  std::iota(next.communities.begin(), next.communities.end(), Vertex{0});
  const std::size_t count = next.communities.size();
  if (communities_) std::ranges::copy(communities_->span().subspan(communities_end_, count), next.communities.begin());
  groups_end_ += size;
  communities_end_ += count;
  return next;
}

void LevelHistory::note(const Coarsening& next) {
  if (!loop_.survives()) return;
  ++levels_;
  append(next.groups, all_groups(), groups_end_);
  append(next.communities, communities_ ? communities_->span() : std::span<Vertex>(), communities_end_);
}

Status LevelHistory::offer(double gain) {
  if (groups_end_ > kRoom * groups_.size() || (communities_ && communities_end_ > communities_->size())) return {};
  saved_levels_ = levels_;
  gain_ = gain;
  return loop_.save_if_due();
}

}  // namespace rizoma::communities
