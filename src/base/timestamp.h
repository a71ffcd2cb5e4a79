// Moments of time out of texts.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace rizoma {

inline constexpr std::int64_t kSecondsOfDay = 86'400;

/// Seconds since 1970-01-01 00:00 UTC, and a part of the next one.
struct Moment {
  std::int64_t seconds = 0;
  std::uint32_t nanoseconds = 0;
};

/// `2026-01-31`, with `12:30`, seconds and a fraction of up to 9 digits after a blank or a `T`, and a `Z` at the end or
/// none: UTC.  Nullopt: the text is no such moment.
[[nodiscard]] std::optional<Moment> timestamp_of(std::string_view text);

}  // namespace rizoma
