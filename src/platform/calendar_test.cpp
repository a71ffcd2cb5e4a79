#include "platform/calendar.h"

#include <gtest/gtest.h>

namespace rizoma {
namespace {

TEST(Calendar, WritesMomentsAsPeopleDo) {
  EXPECT_EQ(utc_text(0), "1970-01-01 00:00:00 UTC");
  EXPECT_EQ(utc_text(951'827'696), "2000-02-29 12:34:56 UTC");
  EXPECT_GT(seconds_since_1970(), 1'700'000'000U);
}

}  // namespace
}  // namespace rizoma
