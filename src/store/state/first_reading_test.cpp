#include "store/state/first_reading.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

using Sections = std::pair<SectionId, SectionId>;
constexpr std::uint64_t kMiB = 1u << 20;

std::vector<Sections> asked_for(std::uint64_t bytes_each, std::uint64_t free, SectionId begin, SectionId end) {
  const FirstReading reading(std::vector<std::uint64_t>(64, bytes_each), [free] { return free; });
  FirstReading::Run run(reading, begin, end);
  std::vector<Sections> asked;
  for (SectionId s = begin; s < end; ++s) asked.push_back(run.reach(s));
  return asked;
}

TEST(FirstReadingOf, AStoreThatMemoryHoldsAsksForNothing) {
  for (const std::uint64_t free : {std::uint64_t{0}, 128 * kMiB}) {  // 0: unknown
    for (const Sections& sections : asked_for(kMiB, free, 0, 4)) EXPECT_EQ(sections.first, sections.second);
  }
}

TEST(FirstReadingOf, ASmallStoreDoesNotEvenAskForFreeMemory) {
  const FirstReading small({FirstReading::kGreat - 1}, [] {
    ADD_FAILURE() << "too small to matter";
    return std::uint64_t{1};
  });
  EXPECT_EQ(FirstReading::Run(small, 0, 1).reach(0), Sections(0, 0));
}

TEST(FirstReadingOf, AGreatStoreKeepsAWindowAheadOfEachThread) {
  EXPECT_EQ(asked_for(kMiB / 2, 8 * kMiB, 3, 8), (std::vector<Sections>{{3, 5}, {5, 6}, {6, 7}, {7, 8}, {8, 8}}));
  EXPECT_EQ(asked_for(4 * kMiB, 8 * kMiB, 0, 3), (std::vector<Sections>{{0, 1}, {1, 2}, {2, 3}}))
      << "sections of more than a window come one by one";
}

}  // namespace
}  // namespace rizoma
