// Moments in nanoseconds, their texts and their parts in the calendar.  Module: predicate.
#pragma once

#include <rizoma/columns.h>

#include "predicate/program.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace rizoma::predicate {

inline constexpr std::int64_t kSecond = 1'000'000'000;

/// `2026-01-31`, with `12:30`, seconds and a fraction of up to 9 digits after a blank or a `T`, and a zone at the end:
/// none or `Z` for UTC, or the distance from it, `+02:00`.  None: the text is no such moment.
[[nodiscard]] std::optional<Wide> nanoseconds_of(std::string_view text);
[[nodiscard]] Wide nanoseconds_of(TimeValue time) noexcept;

/// Nanoseconds in a unit of a date or timestamp column.
[[nodiscard]] std::int64_t nanoseconds_per_unit(ColumnType type) noexcept;

/// a / b, rounded towards minus infinity; b > 0.  64 bits hold the nanoseconds of nearly all moments, and are divided
/// many times faster.
[[nodiscard]] constexpr Wide floor_divided(Wide a, std::int64_t b) noexcept {
  const auto near = static_cast<std::int64_t>(a);
  if (near == a) return near / b - (near % b < 0 ? 1 : 0);
  return a / b - (a % b < 0 ? 1 : 0);
}

/// A day of the proleptic Gregorian calendar.
struct CalendarDay {
  std::int64_t year;
  unsigned month;
  unsigned day;
};

/// Of this many days since 1970-01-01.
[[nodiscard]] CalendarDay calendar_day(std::int64_t days) noexcept;

}  // namespace rizoma::predicate
