#include "platform/lock_order.h"

#ifndef NDEBUG

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

namespace rizoma {
namespace {

/// The locks that a thread holds, in the order in which it took them.
class HeldLocks {
 public:
  void add(const LockPlace* place, LockLevel level) noexcept {
    if (count_ < held_.size()) held_[count_] = {place, level};
    ++count_;
  }
  void remove(const LockPlace* place) noexcept {
    const auto end = held_.begin() + static_cast<std::ptrdiff_t>(std::min(count_, held_.size()));
    const auto found = std::find_if(held_.begin(), end, [&](const Held& each) { return each.place == place; });
    if (found == end && count_ <= held_.size()) return;  // another thread took it
    if (found != end) std::move(found + 1, end, found);
    --count_;
  }
  [[nodiscard]] bool has(const LockPlace* place) const noexcept {
    return std::any_of(held_.begin(), end(), [&](const Held& each) { return each.place == place; });
  }
  /// The highest level; `joining` if there is no lock.
  [[nodiscard]] LockLevel highest() const noexcept {
    LockLevel highest = LockLevel::joining;
    std::for_each(held_.begin(), end(), [&](const Held& each) { highest = std::max(highest, each.level); });
    return highest;
  }
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }

 private:
  struct Held {
    const LockPlace* place = nullptr;
    LockLevel level = LockLevel::unordered;
  };
  static constexpr std::size_t kMost = 32;

  [[nodiscard]] std::array<Held, kMost>::const_iterator end() const noexcept {
    return held_.begin() + static_cast<std::ptrdiff_t>(std::min(count_, held_.size()));
  }

  std::array<Held, kMost> held_{};
  std::size_t count_ = 0;
};

thread_local HeldLocks held_locks;

/// In the order of LockLevel.
constexpr std::array kNames{
    "joining",     "publication", "writer_entry", "writer",    "maintenance", "contents",
    "tags",        "snapshot",    "section",      "stored",    "committer",   "output",
    "giving_back", "locations",   "extents",      "data_file", "last",        "unordered",
};
static_assert(kNames.size() == static_cast<std::size_t>(LockLevel::unordered) + 1);

std::string name_of(LockLevel level) { return kNames[static_cast<std::size_t>(level)]; }

}  // namespace

void LockPlace::expect_next() const {
  if (level_ == LockLevel::unordered || held_locks.empty()) return;
  const LockLevel highest = held_locks.highest();
  if (highest < level_) return;
  throw InternalError("a thread that holds the lock `" + name_of(highest) + "` wants `" + name_of(level_) +
                      "`, which comes before it: platform/lock_order.h has the order");
}

void LockPlace::note_taken() const noexcept {
  if (level_ != LockLevel::unordered) held_locks.add(this, level_);
}

void LockPlace::note_released() const noexcept {
  if (level_ != LockLevel::unordered) held_locks.remove(this);
}

bool LockPlace::held() const noexcept { return level_ == LockLevel::unordered || held_locks.has(this); }

}  // namespace rizoma

#endif
