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
    std::vector<std::uint64_t> pairs(random.below(100));  // several groups
    for (std::uint64_t& pair : pairs) pair = change_word(ChangeKind::add, random.below(8), random.below(40));
    const PendingIndex::Found found = index.find(buffer, pairs);
    ASSERT_EQ(found.ends.size(), pairs.size());
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      std::vector<std::uint32_t> expected;
      for (std::uint32_t i = 0; i < words.size(); ++i) {
        if (pair_of(words[i]) == pairs[p]) expected.push_back(i);
      }
      ASSERT_EQ(std::vector(found.of(p).begin(), found.of(p).end()), expected);
    }
  }
  EXPECT_GT(words.size(), 0u);
}

TEST(PendingIndex, OfNothingFindsNothing) {
  PendingBuffer buffer(true);
  PendingIndex index;
  index.forget(buffer, 0);
  const std::vector<std::uint64_t> pairs{change_word(ChangeKind::add, 1, 2), change_word(ChangeKind::add, 3, 2)};
  const PendingIndex::Found found = index.find(buffer, pairs);
  EXPECT_TRUE(found.of(0).empty());
  EXPECT_TRUE(found.of(1).empty());
}

}  // namespace
}  // namespace rizoma
