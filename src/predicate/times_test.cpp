#include "predicate/times.h"

#include <gtest/gtest.h>

#include <chrono>

namespace rizoma::predicate {
namespace {

std::int64_t seconds_in(std::string_view text) {
  const auto moment = nanoseconds_of(text);
  return moment ? static_cast<std::int64_t>(*moment / 1'000'000'000) : -1;
}

TEST(Times, TextsWithAndWithoutZones) {
  EXPECT_EQ(seconds_in("1970-01-02"), 86'400);
  EXPECT_EQ(seconds_in("1970-01-02 12:30"), 86'400 + 45'000);
  EXPECT_EQ(seconds_in("1970-01-02T12:30:05Z"), 86'400 + 45'005);
  EXPECT_EQ(seconds_in("1970-01-02 12:30+02:00"), 86'400 + 45'000 - 7200);
  EXPECT_EQ(seconds_in("1970-01-02 12:30:00 -0530"), 86'400 + 45'000 + 19'800);
  EXPECT_EQ(seconds_in("1970-01-02 12:30+02"), 86'400 + 45'000 - 7200);
  EXPECT_EQ(*nanoseconds_of("1969-12-31 23:59:59.999999999"), -1);
  for (const char* const wrong :
       {"", "soon", "1970", "1970-13-01", "1970-02-30", "1970-01-02+02:00", "1970-01-02 12:30+", "1970-01-02 12:30+2",
        "1970-01-02 12:30+24:00", "1970-01-02 12:30+02:60", "1970-01-02 12:30Z+02:00", "1970-01-02 12:30+02:00x"}) {
    EXPECT_FALSE(nanoseconds_of(wrong).has_value()) << wrong;
  }
}

TEST(Times, CalendarAsTheStandardLibraryHasIt) {
  for (std::int64_t day = -800'000; day < 800'000; day += 97) {
    const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(day))};
    const CalendarDay found = calendar_day(day);
    ASSERT_EQ(found.year, int{date.year()}) << day;
    ASSERT_EQ(found.month, unsigned{date.month()}) << day;
    ASSERT_EQ(found.day, unsigned{date.day()}) << day;
  }
  EXPECT_EQ(calendar_day(106'751'991'167'300).year, 292'277'026'596);  // of the last second of 64 bits
}

TEST(Times, DivisionRoundsDown) {
  EXPECT_EQ(static_cast<int>(floor_divided(-1, 10)), -1);
  EXPECT_EQ(static_cast<int>(floor_divided(-10, 10)), -1);
  EXPECT_EQ(static_cast<int>(floor_divided(9, 10)), 0);
}

}  // namespace
}  // namespace rizoma::predicate
