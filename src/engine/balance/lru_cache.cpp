#include "engine/balance/lru_cache.h"

#include <algorithm>
#include <utility>

namespace rizoma {
namespace {

constexpr std::uint64_t kBeside = 96;  // bytes of a list that has no members

std::uint64_t bytes_of(const ListsByUse::List& list) { return kBeside + list->size() * sizeof(ListsByUse::Rank); }

}  // namespace

ListsByUse::List ListsByUse::find(Rank rank) {
  const MutexLock lock(guard_);
  const auto found = lists_.find(rank);
  if (found == lists_.end()) return nullptr;
  ++found->second.uses;
  return found->second.list;
}

std::vector<ListsByUse::Rank> ListsByUse::keep(Rank rank, const List& list) {
  const MutexLock lock(guard_);
  if (!lists_.emplace(rank, Kept{list, 1}).second) return {};
  bytes_ += bytes_of(list);
  return bytes_ > most_ ? shrink() : std::vector<Rank>();
}

std::uint64_t ListsByUse::bytes() const {
  const MutexLock lock(guard_);
  return bytes_;
}

std::vector<ListsByUse::Rank> ListsByUse::shrink() {
  std::vector<std::pair<std::uint64_t, Rank>> by_use;
  by_use.reserve(lists_.size());
  for (auto& [rank, kept] : lists_) {
    by_use.emplace_back(kept.uses, rank);
    kept.uses /= 2;
  }
  std::sort(by_use.begin(), by_use.end());
  std::vector<Rank> gone;
  for (const auto& [uses, rank] : by_use) {
    if (bytes_ <= most_ / 2) break;
    const auto found = lists_.find(rank);
    bytes_ -= bytes_of(found->second.list);
    lists_.erase(found);
    gone.push_back(rank);
  }
  return gone;
}

}  // namespace rizoma
