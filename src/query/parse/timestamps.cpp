#include "query/parse/timestamps.h"

#include "base/timestamp.h"

namespace rizoma::query {
namespace {

constexpr std::int64_t kDay = 86'400;

}  // namespace

std::optional<MatchTime> timestamp_of(std::string_view text) {
  const std::optional<Moment> moment = rizoma::timestamp_of(text);
  if (!moment) return std::nullopt;
  return MatchTime{moment->seconds, moment->nanoseconds};
}

MatchTime timestamp_of(ColumnType type, std::int64_t number) {
  std::int64_t a_second = 1;
  switch (type) {
    case ColumnType::date: return {number * kDay, 0};
    case ColumnType::timestamp_ms: a_second = 1'000; break;
    case ColumnType::timestamp_us: a_second = 1'000'000; break;
    case ColumnType::timestamp_ns: a_second = 1'000'000'000; break;
    default: break;
  }
  std::int64_t seconds = number / a_second;
  std::int64_t rest = number % a_second;
  if (rest < 0) {
    --seconds;
    rest += a_second;
  }
  return {seconds, static_cast<std::uint32_t>(rest * (1'000'000'000 / a_second))};
}

}  // namespace rizoma::query
