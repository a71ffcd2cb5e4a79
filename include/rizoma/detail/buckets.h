// Buckets: what one thread has waiting, in the order of numbers that mostly rise.  Module: engine.
//
// What: vertices with the values that put them there; a bucket is a number that a value is mapped to.
// How: a ring of the next buckets; what lies beyond it waits unsorted until the ring has come near it.
// Cost: O(1) to put in; a window of buckets is gone through once, and with it all that lies beyond.
// Source: Cherkassky, Goldberg, Radzik, "Shortest paths algorithms: theory and experimental evaluation", Mathematical
// Programming 73, 1996 (the overflow bag).
#pragma once

#include <rizoma/ids.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rizoma {

/// A vertex and the value that put it there: worth work only while that is its value.
template <class Target, class Value>
struct Waiting {
  Target vertex;
  Value value;
};

/// The buckets of one thread: kWindow of them from a first one on in a ring, the rest in `far_`.
/// `order.bucket_of(value)` is the bucket of a value, and never decreases.
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
  /// Whether a bucket, which is not before the window, lies beyond it.
  [[nodiscard]] bool is_far(std::uint64_t bucket) const noexcept { return bucket >= base_ + kWindow; }

  /// The first bucket from `bucket` on within the window that is not empty; kNone if there is none.
  [[nodiscard]] std::uint64_t first_from(std::uint64_t bucket) const {
    for (; bucket < base_ + kWindow; ++bucket) {
      if (!ring_[bucket % kWindow].empty()) return bucket;
    }
    return kNone;
  }
  /// The least bucket of what lies beyond the window; kNone if nothing does.
  [[nodiscard]] std::uint64_t first_far(const auto& order) const {
    std::uint64_t first = kNone;
    for (const Entry& entry : far_) first = std::min(first, order.bucket_of(entry.value));
    return first;
  }
  /// Moves the window, whose buckets are empty, to begin at `base`.
  void move_window(std::uint64_t base, const auto& order) {
    base_ = base;
    std::vector<Entry> waiting;
    waiting.swap(far_);
    for (const Entry& entry : waiting) push(order.bucket_of(entry.value), entry);
  }

  /// Takes out all that waits.
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
