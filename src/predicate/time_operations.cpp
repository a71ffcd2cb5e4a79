#include "predicate/operations.h"
#include "predicate/times.h"

namespace rizoma::predicate {
namespace {

constexpr std::int64_t kDay = 86'400 * kSecond;

std::int64_t divided(Wide moment, std::int64_t unit) { return static_cast<std::int64_t>(floor_divided(moment, unit)); }

std::int64_t day_of(Wide moment) { return divided(moment, kDay); }

/// Of a day, in units of this many nanoseconds.
std::int64_t part_of_day(Wide moment, std::int64_t unit, std::int64_t most) {
  return static_cast<std::int64_t>(moment - Wide{day_of(moment)} * kDay) / unit % most;
}

double seconds_of(Wide moment) {
  const std::int64_t seconds = divided(moment, kSecond);
  const auto rest = static_cast<std::int64_t>(moment - Wide{seconds} * kSecond);
  return static_cast<double>(seconds) + static_cast<double>(rest) / static_cast<double>(kSecond);
}

template <class R, class F>
void run_each(const Values& a, Values& to, F f) {
  for_each_row<Wide, R>(a, to, f);
  to.take_states(a);
}

}  // namespace

void run_time(Operation operation, const Values& a, Values& to) {
  switch (operation) {
    case Operation::year: return run_each<std::int64_t>(a, to, [](Wide x) { return calendar_day(day_of(x)).year; });
    case Operation::month:
      return run_each<std::int64_t>(a, to, [](Wide x) { return std::int64_t{calendar_day(day_of(x)).month}; });
    case Operation::day:
      return run_each<std::int64_t>(a, to, [](Wide x) { return std::int64_t{calendar_day(day_of(x)).day}; });
    case Operation::hour:
      return run_each<std::int64_t>(a, to, [](Wide x) { return part_of_day(x, 3600 * kSecond, 24); });
    case Operation::minute:
      return run_each<std::int64_t>(a, to, [](Wide x) { return part_of_day(x, 60 * kSecond, 60); });
    case Operation::second: return run_each<std::int64_t>(a, to, [](Wide x) { return part_of_day(x, kSecond, 60); });
    case Operation::to_date: return run_each<Wide>(a, to, [](Wide x) { return Wide{day_of(x)} * kDay; });
    default: return run_each<double>(a, to, seconds_of);
  }
}

}  // namespace rizoma::predicate
