// PendingBuffer: appending and taking back, across its chunks.
#include "store/sections/pending.h"

#include "base/random.h"

#include <gtest/gtest.h>

namespace rizoma {
namespace {

TEST(PendingBuffer, HoldsWhatWasAppendedAndNotTakenBack) {
  Random random(1);
  PendingBuffer buffer(true);
  std::vector<std::uint64_t> words;
  for (int round = 0; round < 400; ++round) {
    for (std::uint64_t more = random.below(100); more > 0; --more) {
      words.push_back(random.next());
      buffer.append(words.back(), static_cast<double>(words.size()));
    }
    if (random.below(2) == 0) {
      words.resize(random.below(words.size() + 1));
      buffer.truncate(words.size());
    }
    ASSERT_EQ(buffer.size(), words.size());
    std::vector<ChangeRun> runs;
    buffer.runs(words.size(), runs);
    std::size_t at = 0;
    for (const ChangeRun& run : runs) {
      for (std::size_t i = 0; i < run.words.size(); ++i, ++at) {
        ASSERT_EQ(run.words[i], words[at]);
        ASSERT_EQ(run.weights[i], static_cast<double>(at + 1));
      }
    }
    ASSERT_EQ(at, words.size());
  }
}

}  // namespace
}  // namespace rizoma
