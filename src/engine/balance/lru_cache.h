// LruCache: lists that were read from other processes, kept up to a bound: those that are used most.
//
// How: when there is more than the bound, half of it goes, the least used first, and of what stays half of the uses are
// forgotten.
#pragma once

#include "platform/mutex.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace rizoma {

/// From any thread.
class LruCache {
 public:
  using DegreeRank = std::uint32_t;
  using List = std::shared_ptr<const std::vector<DegreeRank>>;

  explicit LruCache(std::uint64_t most_bytes) : most_(most_bytes) {}

  /// Null if it is not cached.
  [[nodiscard]] List find(DegreeRank degree_rank);
  /// Returns the lists evicted for it, perhaps this one too.
  std::vector<DegreeRank> keep(DegreeRank degree_rank, const List& list);
  /// What the lists take.
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  struct Kept {
    List list;
    std::uint64_t uses = 0;
  };
  std::vector<DegreeRank> shrink() RIZOMA_REQUIRES(guard_);

  const std::uint64_t most_;
  mutable Mutex guard_;
  std::unordered_map<DegreeRank, Kept> lists_ RIZOMA_GUARDED_BY(guard_);
  std::uint64_t bytes_ RIZOMA_GUARDED_BY(guard_) = 0;
};

}  // namespace rizoma
