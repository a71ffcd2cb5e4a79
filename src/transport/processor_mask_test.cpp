#include "transport/processor_mask.h"

#include <gtest/gtest.h>

#include <vector>

namespace rizoma {
namespace {

TEST(ProcessorMask, OfThisProcessHasOne) {
  const std::vector<ProcessorMask> alone(1, usable_processor_mask());
  EXPECT_FALSE(share_processors(alone));
}

TEST(ProcessorMask, RanksShareWhereThereAreMoreThanProcessors) {
  const ProcessorMask two{0b11};
  EXPECT_FALSE(share_processors(std::vector<ProcessorMask>(2, two)));
  EXPECT_TRUE(share_processors(std::vector<ProcessorMask>(3, two)));
}

TEST(ProcessorMask, BoundRanksShareOnlyWhatTheyAreBoundTo) {
  const ProcessorMask first{0b01};
  const ProcessorMask second{0b10};
  const ProcessorMask far{0, 1};
  EXPECT_FALSE(share_processors(std::vector{first, second, far}));
  EXPECT_TRUE(share_processors(std::vector{first, first, far}));
  EXPECT_TRUE(share_processors(std::vector{first, second, ProcessorMask{0b11}})) << "three ranks on two processors";
}

}  // namespace
}  // namespace rizoma
