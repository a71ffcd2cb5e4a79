// GrowingCore: the rows of a core of which some belong to lists of other processes, and come as work moves.
#pragma once

#include "engine/intersection/ranked_lists.h"
#include "engine/intersection/ranked_triangles.h"
#include "platform/mutex.h"

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

namespace rizoma {

/// From any thread.
class GrowingCore {
 public:
  using Rank = RankedLists::Rank;

  /// Of the core's rows those are whole whose lists are here.  The core must outlive this.
  GrowingCore(const RankedLists& lists, CoreRows& core) : core_(&core), whole_(core.size()) {
    for (VertexId v = 0; v < core.size(); ++v) whole_[v] = lists.has(v) ? 1 : 0;
  }

  [[nodiscard]] VertexId size() const noexcept { return whole_.size(); }
  /// Whether the row is there, and whole.
  [[nodiscard]] bool has(Rank v) const noexcept {
    return v < whole_.size() &&
           std::atomic_ref(const_cast<std::uint8_t&>(whole_[v])).load(std::memory_order_acquire) != 0;
  }
  /// Fills the row of v < size(), unless it is whole.
  void add(Rank v, std::span<const Rank> list) {
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
