// FailingMedium: a Medium before another one, any one call of which fails: also those that only ask for something, such
// as a size, a list of names, or a mapping, which never fail in a FaultMedium.
//
//   FailingCalls calls;
//   const auto medium = make_failing_medium(files, calls);
//   for (std::uint64_t nth = 1; calls.fail(nth), run(*medium); ++nth) ...  // until calls.failed() is false
#pragma once

#include "platform/medium.h"

#include <atomic>
#include <cstdint>
#include <memory>

namespace rizoma {

/// Which call fails, counted over all media and files that share it.
class FailingCalls {
 public:
  /// The n-th call from now on (1: the next) gives an Error of code io and does nothing; 0: none.
  void fail(std::uint64_t nth) noexcept {
    nth_ = nth;
    calls_ = 0;
  }
  /// Whether it has.
  [[nodiscard]] bool failed() const noexcept { return nth_ > 0 && calls_ >= nth_; }
  Status next(const char* what);

 private:
  std::atomic<std::uint64_t> nth_{0}, calls_{0};
};

/// `calls` outlives what this returns.
[[nodiscard]] std::shared_ptr<Medium> make_failing_medium(std::shared_ptr<Medium> medium, FailingCalls& calls);

}  // namespace rizoma
