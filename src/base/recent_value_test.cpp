#include "base/recent_value.h"

#include <gtest/gtest.h>

#include <thread>

namespace rizoma {
namespace {

TEST(RecentValue, IsAskedForOnceInAMoment) {
  RecentValue recent;
  std::uint64_t asked = 0;
  const auto ask = [&] { return ++asked; };
  EXPECT_EQ(recent.get(ask), 1u);
  while (recent.get(ask) == 1) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(asked, 2u);
}

}  // namespace
}  // namespace rizoma
