#include "predicate/times.h"

#include "base/timestamp.h"

#include <rizoma/detail/column_types.h>

#include <charconv>
#include <string>

namespace rizoma::predicate {
namespace {

std::optional<int> two_digits(std::string_view text) {
  int value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.size() != 2 || read.ec != std::errc() || read.ptr != text.data() + 2 || text[0] == '-') return std::nullopt;
  return value;
}

/// Seconds east of UTC, of `+02`, `+0200` or `+02:00`.
std::optional<std::int64_t> zone_of(std::string_view text) {
  const bool west = text[0] == '-';
  text.remove_prefix(1);
  const auto hours = two_digits(text.substr(0, 2));
  if (!hours || *hours > 23) return std::nullopt;
  text.remove_prefix(2);
  if (!text.empty() && text[0] == ':') text.remove_prefix(1);
  const auto minutes = text.empty() ? std::optional<int>(0) : two_digits(text);
  if (!minutes || *minutes > 59) return std::nullopt;
  const std::int64_t seconds = *hours * 3600 + *minutes * 60;
  return west ? -seconds : seconds;
}

}  // namespace

std::optional<Wide> nanoseconds_of(std::string_view text) {
  constexpr std::size_t kDate = 10;  // of `2026-01-31`, which has signs of its own
  std::int64_t east = 0;
  if (const std::size_t sign = text.find_first_of("+-", kDate); sign != std::string_view::npos) {
    const auto zone = zone_of(text.substr(sign));
    if (!zone || text.find(':') > sign) return std::nullopt;
    east = *zone;
    text = text.substr(0, sign);
    if (text.back() == 'Z') return std::nullopt;
    while (text.back() == ' ') text.remove_suffix(1);
  }
  const std::optional<Moment> moment = rizoma::timestamp_of(text);
  if (!moment) return std::nullopt;
  return nanoseconds_of(TimeValue{moment->seconds - east, moment->nanoseconds});
}

Wide nanoseconds_of(TimeValue time) noexcept { return Wide{time.seconds} * kSecond + time.nanoseconds; }

std::int64_t nanoseconds_per_unit(ColumnType type) noexcept {
  return column_kind(type) == ColumnKind::date ? 86'400 * kSecond : kSecond / units_per_second(type);
}

CalendarDay calendar_day(std::int64_t days) noexcept {
  // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": years begin in March, eras have 400 of them.
  days += 719'468;
  const std::int64_t era = (days >= 0 ? days : days - 146'096) / 146'097;
  const std::int64_t of_era = days - era * 146'097;
  const std::int64_t year = (of_era - of_era / 1460 + of_era / 36'524 - of_era / 146'096) / 365;
  const std::int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
  const std::int64_t month = (5 * of_year + 2) / 153;
  const auto civil = static_cast<unsigned>(month < 10 ? month + 3 : month - 9);
  return {year + era * 400 + (civil <= 2 ? 1 : 0), civil, static_cast<unsigned>(of_year - (153 * month + 2) / 5 + 1)};
}

}  // namespace rizoma::predicate
