// Buckets: one thread's vertices in priority order, for keys that mostly rise.  Module: engine.
//
// What: vertices with the values that they had when added; `order` maps a value to a bucket.
// How: a ring of buckets; an unsorted overflow bag holds what lies beyond the ring.
// Cost: O(1) to add; moving the window scans its buckets and the overflow bag once.
// Source: Cherkassky, Goldberg, Radzik, "Shortest paths algorithms: theory and experimental evaluation", Mathematical
// Programming 73, 1996 (the overflow bag).
#pragma once

#include <rizoma/ids.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rizoma {

/// A vertex and its value when added; stale once its value has changed.
template <class Target, class Value>
struct Waiting {
  Target vertex;
  Value value;
};

/// The buckets of one thread: a ring of kWindow, and `far_`, the overflow bag.  `order.bucket_of(value)` never
/// decreases.
template <class Target, class Value>
class Buckets {
 public:
  using Entry = Waiting<Target, Value>;
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  Buckets() : ring_(kWindow) {}

  void push(std::uint64_t bucket, Entry entry) {
    (bucket < base_ + kWindow ? ring_[bucket % kWindow] : far_).push_back(entry);
  }
  /// A bucket within the window.
  [[nodiscard]] std::vector<Entry>& operator[](std::uint64_t bucket) { return ring_[bucket % kWindow]; }
  /// Whether a bucket at or after the window's begin lies beyond the window.
  [[nodiscard]] bool is_far(std::uint64_t bucket) const noexcept { return bucket >= base_ + kWindow; }

  /// The first non-empty bucket of the window from `bucket` on; kNone if there is none.
  [[nodiscard]] std::uint64_t first_from(std::uint64_t bucket) const {
    for (; bucket < base_ + kWindow; ++bucket) {
      if (!ring_[bucket % kWindow].empty()) return bucket;
    }
    return kNone;
  }
  /// The least bucket in the overflow bag; kNone if it is empty.
  [[nodiscard]] std::uint64_t first_far(const auto& order) const {
    std::uint64_t first = kNone;
    for (const Entry& entry : far_) first = std::min(first, order.bucket_of(entry.value));
    return first;
  }
  /// Moves the window, whose buckets must be empty, to `base`.
  void move_window(std::uint64_t base, const auto& order) {
    base_ = base;
    std::vector<Entry> waiting;
    waiting.swap(far_);
    for (const Entry& entry : waiting) push(order.bucket_of(entry.value), entry);
  }

  /// Removes everything.
  template <class F>
  void take_all(F&& f) {
    for (std::vector<Entry>& bucket : ring_) {
      for (const Entry& entry : bucket) f(entry);
      bucket.clear();
    }
    for (const Entry& entry : far_) f(entry);
    far_.clear();
  }

 private:
  static constexpr std::size_t kWindow = 1024;
  std::vector<std::vector<Entry>> ring_;
  std::vector<Entry> far_;
  std::uint64_t base_ = 0;
};

}  // namespace rizoma
