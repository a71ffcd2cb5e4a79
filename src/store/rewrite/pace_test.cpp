// So many bytes a second, whatever went before.
#include "store/rewrite/pace.h"

#include <gtest/gtest.h>

namespace rizoma {
namespace {

TEST(Pace, KeepsToItsRate) {
  Pace pace(100, 0);
  pace.wrote(200, 1);
  EXPECT_TRUE(pace.is_ahead(2.9));
  EXPECT_FALSE(pace.is_ahead(3));
  pace.wrote(100, 3);
  EXPECT_TRUE(pace.is_ahead(3.9));
}

TEST(Pace, APauseIsWorthOneBurstAtMost) {
  Pace pace(100, 50);
  pace.wrote(50, 1000);
  EXPECT_FALSE(pace.is_ahead(1000));
  pace.wrote(50, 1000);
  EXPECT_TRUE(pace.is_ahead(1000.4));
  EXPECT_FALSE(pace.is_ahead(1000.5));
}

TEST(Pace, NoRateIsAsFastAsCanBe) {
  Pace pace(0, 0);
  pace.wrote(1u << 30, 0);
  EXPECT_FALSE(pace.is_ahead(0));
}

}  // namespace
}  // namespace rizoma
