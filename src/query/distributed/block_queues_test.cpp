// Blocks that go from ranks that are late to those that would be idle.
#include "query/distributed/block_queues.h"

#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

namespace rizoma::query {
namespace {

BlockQueues queues_of(std::uint64_t blocks, unsigned ranks) {
  std::vector<RootBlock> all;
  std::vector<unsigned> takers;
  for (VertexId v = 0; v < blocks; ++v) {
    all.push_back({{v, v + 1}, std::nullopt});
    takers.push_back(static_cast<unsigned>(v % ranks));
  }
  return {std::move(all), takers, ranks};
}

/// What all ranks hold: each its own copy, as processes have.
struct Together {
  Together(std::uint64_t blocks, unsigned ranks) : copies(ranks, queues_of(blocks, ranks)) {}

  void take(unsigned rank, std::uint64_t most) {
    for (; most > 0 && copies[rank].left(rank) > 0; --most) {
      EXPECT_TRUE(seen.insert(copies[rank].take(rank).vertices.begin).second) << "a block that was matched before";
    }
  }
  void reassign() {
    std::vector<std::uint64_t> taken;
    for (unsigned rank = 0; rank < copies.size(); ++rank) taken.push_back(copies[rank].taken(rank));
    for (BlockQueues& copy : copies) copy.reassign(taken);
    for (const BlockQueues& copy : copies) {
      for (unsigned rank = 0; rank < copies.size(); ++rank) EXPECT_EQ(copy.left(rank), copies[0].left(rank));
    }
  }
  [[nodiscard]] std::uint64_t left() const {
    std::uint64_t all = 0;
    for (unsigned rank = 0; rank < copies.size(); ++rank) all += copies[rank].left(rank);
    return all;
  }

  std::vector<BlockQueues> copies;
  std::set<VertexId> seen;
};

TEST(BlockQueues, AFastRankGetsWhatASlowOneWouldBeLateWith) {
  Together run(1000, 2);
  std::uint64_t intervals = 0;
  for (; run.left() > 0; ++intervals) {
    run.take(0, 30);
    run.take(1, 10);
    run.reassign();
  }
  EXPECT_EQ(run.seen.size(), 1000u);
  EXPECT_LE(intervals, 1000u / 40 + 3) << "both end at about the same time";
}

TEST(BlockQueues, RanksThatGoEquallyFastKeepTheirs) {
  Together run(1000, 3);
  while (run.left() > 0) {
    for (unsigned rank = 0; rank < 3; ++rank) run.take(rank, 20);
    run.reassign();
    for (unsigned rank = 0; rank < 3; ++rank)
      EXPECT_NEAR(static_cast<double>(run.copies[0].left(rank)), static_cast<double>(run.left()) / 3, 1);
  }
  for (const VertexId v : {0u, 1u, 2u}) EXPECT_TRUE(run.seen.contains(v));
}

TEST(BlockQueues, NothingMovesAwayFromARankOfWhichNothingIsKnown) {
  Together run(100, 2);
  run.take(0, 10);
  run.reassign();
  EXPECT_EQ(run.copies[0].left(0), 40u);
  EXPECT_EQ(run.copies[0].left(1), 50u);
}

TEST(BlockQueues, EachBlockIsTakenOnceWhateverThePaces) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    const auto ranks = static_cast<unsigned>(1 + random.below(6));
    const std::uint64_t blocks = random.below(300);
    Together run(blocks, ranks);
    for (int interval = 0; run.left() > 0 && interval < 10'000; ++interval) {
      for (unsigned rank = 0; rank < ranks; ++rank) run.take(rank, random.below(2 + 10 * rank));
      run.reassign();
    }
    EXPECT_EQ(run.seen.size(), blocks);
  }
}

TEST(BlockQueues, BlocksOfOneRankStayWithIt) {
  std::vector<RootBlock> mine(5, RootBlock{{1, 2}, std::nullopt});
  BlockQueues queues = BlockQueues::own(std::move(mine), 1, 2);
  static_cast<void>(queues.take(1));
  queues.reassign(std::vector<std::uint64_t>{0, 1});
  queues.reassign(std::vector<std::uint64_t>{7, 1});
  EXPECT_EQ(queues.left(1), 4u);
  EXPECT_EQ(queues.left(0), 0u);
}

}  // namespace
}  // namespace rizoma::query
