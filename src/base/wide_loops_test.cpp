#include "base/wide_loops.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

namespace rizoma {
namespace {

RIZOMA_INLINED inline std::uint64_t sum_of_squares(const std::vector<std::uint32_t>& numbers) {
  std::uint64_t sum = 0;
  for (const std::uint32_t number : numbers) sum += std::uint64_t{number} * number;
  return sum;
}

TEST(WideLoops, GiveWhatNarrowOnesDo) {
  for (const std::size_t size : {0UL, 1UL, 7UL, 64UL, 1001UL}) {
    std::vector<std::uint32_t> numbers(size);
    std::iota(numbers.begin(), numbers.end(), UINT32_MAX - 500);
    const auto loop = [&]() RIZOMA_INLINED { return sum_of_squares(numbers); };
    EXPECT_EQ(run_loop(loop), loop());
  }
}

}  // namespace
}  // namespace rizoma
