// CachedCore: the rows of the core, some of which belong to lists of other processes and arrive with stolen work.
#pragma once

#include "engine/intersection/oriented_lists.h"
#include "engine/intersection/oriented_triangles.h"
#include "platform/mutex.h"

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

namespace rizoma {

/// From any thread.
class CachedCore {
 public:
  using DegreeRank = OrientedLists::DegreeRank;

  /// Rows whose lists are local are complete.  The core must outlive this.
  CachedCore(const OrientedLists& lists, CoreRows& core) : core_(&core), whole_(core.size()) {
    for (VertexId v = 0; v < core.size(); ++v) whole_[v] = lists.has(v) ? 1 : 0;
  }

  [[nodiscard]] VertexId size() const noexcept { return whole_.size(); }
  /// Whether the row is present and complete.
  [[nodiscard]] bool has(DegreeRank v) const noexcept {
    return v < whole_.size() &&
           std::atomic_ref(const_cast<std::uint8_t&>(whole_[v])).load(std::memory_order_acquire) != 0;
  }
  /// Fills the row of v < size(), unless it is whole.
  void add(DegreeRank v, std::span<const DegreeRank> list) {
    const MutexLock lock(guard_);
    if (has(v)) return;
    core_->add(v, list);
    std::atomic_ref(whole_[v]).store(1, std::memory_order_release);
  }

 private:
  CoreRows* core_;
  std::vector<std::uint8_t> whole_;  ///< for atomic use
  Mutex guard_;
};

}  // namespace rizoma
