#include "engine/balance/lru_cache.h"

#include <algorithm>
#include <utility>

namespace rizoma {
namespace {

constexpr std::uint64_t kBeside = 96;  // bytes of a list that has no members

std::uint64_t bytes_of(const LruCache::List& list) { return kBeside + list->size() * sizeof(LruCache::DegreeRank); }

}  // namespace

LruCache::List LruCache::find(DegreeRank degree_rank) {
  const MutexLock lock(guard_);
  const auto found = lists_.find(degree_rank);
  if (found == lists_.end()) return nullptr;
  ++found->second.uses;
  return found->second.list;
}

std::vector<LruCache::DegreeRank> LruCache::keep(DegreeRank degree_rank, const List& list) {
  const MutexLock lock(guard_);
  if (!lists_.emplace(degree_rank, Kept{list, 1}).second) return {};
  bytes_ += bytes_of(list);
  return bytes_ > most_ ? shrink() : std::vector<DegreeRank>();
}

std::uint64_t LruCache::bytes() const {
  const MutexLock lock(guard_);
  return bytes_;
}

std::vector<LruCache::DegreeRank> LruCache::shrink() {
  std::vector<std::pair<std::uint64_t, DegreeRank>> by_use;
  by_use.reserve(lists_.size());
  for (auto& [degree_rank, kept] : lists_) {
    by_use.emplace_back(kept.uses, degree_rank);
    kept.uses /= 2;
  }
  std::sort(by_use.begin(), by_use.end());
  std::vector<DegreeRank> gone;
  for (const auto& [uses, degree_rank] : by_use) {
    if (bytes_ <= most_ / 2) break;
    const auto found = lists_.find(degree_rank);
    bytes_ -= bytes_of(found->second.list);
    lists_.erase(found);
    gone.push_back(degree_rank);
  }
  return gone;
}

}  // namespace rizoma
