// Time for measuring and for limits; never for anything that is stored.
#pragma once

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

}  // namespace rizoma
