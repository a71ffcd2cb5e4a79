// Numbers that the environment sets for tests: how many, from which seed, how densely.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace rizoma {

[[nodiscard]] inline std::uint64_t from_environment(const char* name, std::uint64_t fallback) {
  const char* text = std::getenv(name);
  return text == nullptr ? fallback : std::strtoull(text, nullptr, 10);
}

/// How many of the crash points a run looks at.  RIZOMA_CRASH_STRIDE: each so many-th of all, where a look at the code
/// is wanted and not at the states.  RIZOMA_CRASH_DAYS: those beyond the scripted histories are dealt to so many days,
/// of which RIZOMA_CRASH_DAY takes its own: together the days see all of them.
struct CrashShare {
  std::uint64_t stride = from_environment("RIZOMA_CRASH_STRIDE", 1);
  std::uint64_t days = from_environment("RIZOMA_CRASH_DAYS", 1);
  std::uint64_t day = from_environment("RIZOMA_CRASH_DAY", 0) % days;
  /// What a test expects to have seen at least, if it sees `all` where it looks at every point.  Of a share that is
  /// expected to have but a few, it may happen to have none.
  [[nodiscard]] std::uint64_t least(std::uint64_t all) const {
    constexpr std::uint64_t kFew = 10;
    const std::uint64_t expected = all / (stride * days);
    return stride * days == 1 ? all : expected / 2 < kFew ? 0 : expected / 2;
  }
};

}  // namespace rizoma
