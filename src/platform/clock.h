// Time for measuring and for limits; never for anything that is stored.
#pragma once

#include <time.h>

#include <chrono>

namespace rizoma {

/// Seconds since it was made or restarted, by a clock that only goes forward.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const noexcept {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  void restart() noexcept { start_ = std::chrono::steady_clock::now(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Seconds that the present thread has computed since it was made: time in which it waited, for a processor
/// or for anything else, does not count.  To be read by the thread that made it.
class ThreadStopwatch {
 public:
  [[nodiscard]] double seconds() const noexcept { return now() - start_; }

 private:
  [[nodiscard]] static double now() noexcept {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

  double start_ = now();
};

}  // namespace rizoma
