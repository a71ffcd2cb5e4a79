// PendingIndex: finds what a pass over the buffer finds, whatever was appended and taken back.
#include "store/sections/pending_index.h"

#include "base/random.h"

#include <gtest/gtest.h>

namespace rizoma {
namespace {

TEST(PendingIndex, FindsWhatAPassFinds) {
  Random random(1);
  PendingBuffer buffer(false);
  PendingIndex index;
  std::vector<std::uint64_t> words;
  std::vector<std::uint32_t> found;
  for (int round = 0; round < 600; ++round) {
    for (std::uint64_t more = random.below(60); more > 0; --more) {
      words.push_back(
          change_word(static_cast<ChangeKind>(random.below(kChangeKinds)), random.below(8), random.below(40)));
      buffer.append(words.back(), 0.0);
    }
    if (random.below(3) == 0) {
      const std::uint64_t kept = random.below(words.size() + 1);
      index.forget(buffer, kept);
      words.resize(kept);
      buffer.truncate(kept);
    }
    if (random.below(3) == 0) continue;  // so that it has several rounds to catch up with
    index.know(buffer, words.size());
    const std::uint64_t pair = change_word(ChangeKind::add, random.below(8), random.below(40));
    std::vector<std::uint32_t> expected;
    for (std::uint32_t i = 0; i < words.size(); ++i) {
      if (pair_of(words[i]) == pair) expected.push_back(i);
    }
    index.find(buffer, pair, found);
    ASSERT_EQ(found, expected);
  }
  EXPECT_GT(words.size(), 0u);
}

TEST(PendingIndex, OfNothingFindsNothing) {
  PendingBuffer buffer(true);
  PendingIndex index;
  std::vector<std::uint32_t> found{1};
  index.forget(buffer, 0);
  index.find(buffer, change_word(ChangeKind::add, 1, 2), found);
  EXPECT_TRUE(found.empty());
}

}  // namespace
}  // namespace rizoma
