#include "query/parse/timestamps.h"

#include <gtest/gtest.h>

#include <limits>

namespace rizoma::query {
namespace {

TEST(Moment, OfTexts) {
  EXPECT_EQ(timestamp_of("1970-01-01"), (MatchTime{0, 0}));
  EXPECT_EQ(timestamp_of("2000-02-29"), (MatchTime{951'782'400, 0}));
  EXPECT_EQ(timestamp_of("1969-12-31 23:59:59.5"), (MatchTime{-1, 500'000'000}));
  EXPECT_EQ(timestamp_of("1970-01-02T01:02Z"), (MatchTime{86'400 + 3'720, 0}));
  EXPECT_EQ(timestamp_of("1970-01-01 00:00:01.000000001"), (MatchTime{1, 1}));
  for (const char* const wrong :
       {"", "1970", "1970-1-1", "1900-02-29", "1970-13-01", "1970-01-01 24:00", "1970-01-01 1", "1970-01-01x",
        "1970-01-01 00:00:00.", "1970-01-01 00:00:00.0000000001", "soon"}) {
    EXPECT_EQ(timestamp_of(wrong), std::nullopt) << wrong;
  }
}

TEST(Moment, OfNumbers) {
  EXPECT_EQ(timestamp_of(ColumnType::date, -1), (MatchTime{-86'400, 0}));
  EXPECT_EQ(timestamp_of(ColumnType::timestamp_s, 7), (MatchTime{7, 0}));
  EXPECT_EQ(timestamp_of(ColumnType::timestamp_ms, -1), (MatchTime{-1, 999'000'000}));
  EXPECT_EQ(timestamp_of(ColumnType::timestamp_us, 1'000'001), (MatchTime{1, 1'000}));
  EXPECT_EQ(timestamp_of(ColumnType::timestamp_ns, std::numeric_limits<std::int64_t>::min()),
            (MatchTime{-9'223'372'037, 145'224'192}));
}

}  // namespace
}  // namespace rizoma::query
