// Pace: how long a writer has to wait to write at most this many bytes a second.
//
// Time in which nothing was written counts for `burst` bytes at most: what follows a long pause does not go at full
// speed.
// Threads: one at a time.
#pragma once

#include <algorithm>
#include <cstdint>

namespace rizoma {

class Pace {
 public:
  /// `bytes_per_second`: 0: as many as can be.
  Pace(std::uint64_t bytes_per_second, std::uint64_t burst) noexcept
      : rate_(static_cast<double>(bytes_per_second)), burst_(static_cast<double>(burst)) {}

  /// At `now`, in seconds of a clock that does not go back.
  void wrote(std::uint64_t bytes, double now) noexcept {
    free_at_ = std::max(free_at_, now - (rate_ > 0 ? burst_ / rate_ : 0));
    if (rate_ > 0) free_at_ += static_cast<double>(bytes) / rate_;
  }
  [[nodiscard]] bool is_ahead(double now) const noexcept { return free_at_ > now; }

 private:
  double rate_;
  double burst_;
  double free_at_ = 0;  ///< the time at which the bytes written so far are due
};

}  // namespace rizoma
