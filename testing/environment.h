// Numbers that the environment sets for tests: how many, from which seed, how densely.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace rizoma {

[[nodiscard]] inline std::uint64_t from_environment(const char* name, std::uint64_t fallback) {
  const char* text = std::getenv(name);
  return text == nullptr ? fallback : std::strtoull(text, nullptr, 10);
}

/// Which of the crash points a run looks at.  RIZOMA_CRASH_STRIDE: one in this many of all, where the run looks at the
/// code and not at the states.  RIZOMA_CRASH_SHARES: divides those beyond the scripted histories into this many shares,
/// of which the run takes the one with the number RIZOMA_CRASH_SHARE (modulo their number).
struct CrashShare {
  std::uint64_t stride = from_environment("RIZOMA_CRASH_STRIDE", 1);
  std::uint64_t shares = from_environment("RIZOMA_CRASH_SHARES", 1);
  std::uint64_t number = from_environment("RIZOMA_CRASH_SHARE", 0) % shares;
  /// What a test expects to have seen at least, if it sees `all` where it looks at every point.  Of a share that is
  /// expected to have but a few, it may happen to have none.
  [[nodiscard]] std::uint64_t least(std::uint64_t all) const {
    constexpr std::uint64_t kFew = 10;
    const std::uint64_t expected = all / (stride * shares);
    return stride * shares == 1 ? all : expected / 2 < kFew ? 0 : expected / 2;
  }
};

}  // namespace rizoma
