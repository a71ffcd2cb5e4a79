// A number that takes long to ask for, and may be as old as a moment.  Module: base.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace rizoma {

/// The number as it was within the last tenth of a second.  Any thread: those that ask at once may all ask anew.
class RecentValue {
 public:
  /// What `ask()` returned a moment ago, or returns now.
  template <class Ask>
  [[nodiscard]] std::uint64_t get(Ask&& ask) {
    const std::int64_t now = std::chrono::steady_clock::now().time_since_epoch().count();
    if (now < until_.load(std::memory_order_acquire)) return value_.load(std::memory_order_relaxed);
    const std::uint64_t value = ask();
    value_.store(value, std::memory_order_relaxed);
    until_.store(now + kTicks, std::memory_order_release);
    return value;
  }

 private:
  static constexpr std::int64_t kTicks =
      std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::milliseconds(100)).count();

  std::atomic<std::uint64_t> value_ = 0;
  std::atomic<std::int64_t> until_ = 0;  ///< 0: nothing was asked for
};

}  // namespace rizoma
