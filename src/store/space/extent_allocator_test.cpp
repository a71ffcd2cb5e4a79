#include "store/space/extent_allocator.h"

#include "base/random.h"
#include "store/disk_format.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

constexpr std::uint64_t kPage = format::kPage;

void reclaim(ExtentAllocator& extents, const std::vector<std::uint64_t>& read) { extents.reclaim(read); }

TEST(RangeSet, AgreesWithASetOfNumbers) {
  Random random(7);
  RangeSet ranges;
  std::set<std::uint64_t> numbers;
  for (int step = 0; step < 3000; ++step) {
    const std::uint64_t begin = random.below(60);
    const std::uint64_t end = begin + random.below(12);
    const bool adds = random.below(2) == 0;
    adds ? ranges.add(begin, end) : ranges.remove(begin, end);
    for (std::uint64_t i = begin; i < end; ++i) adds ? void(numbers.insert(i)) : void(numbers.erase(i));
    std::set<std::uint64_t> held;
    std::uint64_t last = 0;
    for (const auto& [first, behind] : ranges.ranges()) {
      ASSERT_LT(first, behind);
      ASSERT_TRUE(held.empty() || first > last) << "ranges that touch are one";
      for (std::uint64_t i = first; i < behind; ++i) held.insert(i);
      last = behind;
    }
    ASSERT_EQ(held, numbers);
    ASSERT_EQ(ranges.size(), numbers.size());
  }
}

TEST(ExtentAllocator, FirstFitAndTheEnd) {
  const auto extents = std::make_shared<ExtentAllocator>();
  auto a = std::make_shared<ExtentLease>(extents, extents->allocate(1));
  const ExtentLease b(extents, extents->allocate(kPage + 1));
  EXPECT_EQ(b.extent().offset, kPage);
  EXPECT_EQ(extents->end(), 3 * kPage);
  a = nullptr;
  EXPECT_EQ(extents->in_use(), 3 * kPage) << "what was let go waits";
  extents->reclaim({});
  EXPECT_EQ(extents->in_use(), 2 * kPage);
  EXPECT_EQ(extents->allocate(10).offset, 0u);
}

TEST(ExtentAllocator, WhatAReaderOfAnEarlierStateMayReadWaits) {
  const auto extents = std::make_shared<ExtentAllocator>();
  extents->set_generation(4);
  const auto lease = [&] { return std::make_shared<const ExtentLease>(extents, kPage, 0); };
  auto named_by_5_and_6 = lease();
  extents->set_generation(6);
  auto never_named = lease();
  extents->set_generation(7);
  named_by_5_and_6 = nullptr;
  for (const std::uint64_t reader : {5, 6}) {
    reclaim(*extents, {2, reader, 9});
    EXPECT_EQ(extents->in_use(), 2 * kPage);
  }
  reclaim(*extents, {4, 7});  // neither reads a state that names it
  EXPECT_EQ(extents->in_use(), kPage);
  extents->set_generation(6);
  auto failed = lease();
  failed = nullptr;
  reclaim(*extents, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(extents->in_use(), kPage) << "what was never published is free at once";
}

TEST(ExtentAllocator, AnOpeningWaitsForReadersToo) {
  ExtentAllocator extents;
  ASSERT_TRUE(extents.reset({{2 * kPage, 100, 0}}, {{.size = 5 * kPage}}, 8));
  EXPECT_EQ(extents.in_use(), 5 * kPage);
  reclaim(extents, {7});
  EXPECT_EQ(extents.allocate(1).offset, 5 * kPage);
  reclaim(extents, {8});
  EXPECT_EQ(extents.in_use(), 2 * kPage);
  EXPECT_EQ(extents.allocate(2 * kPage).offset, 0u);
}

TEST(ExtentAllocator, NothingBelowTheFloorIsEverHandedOut) {
  ExtentAllocator extents;
  ASSERT_TRUE(extents.reset({{2 * kPage, 100, 0}}, {{.size = 5 * kPage, .floor = 5 * kPage}}, 8));
  extents.reclaim({});
  EXPECT_FALSE(extents.take_filled(0, 0));
  EXPECT_EQ(extents.allocate(1).offset, 5 * kPage);
}

TEST(ExtentAllocator, WhatLiesBelowTheFloorIsHandedOutOnceItIsLifted) {
  const auto extents = std::make_shared<ExtentAllocator>();
  ASSERT_TRUE(extents->reset({{kPage, 100, 0}, {3 * kPage, 100, 0}}, {{.size = 5 * kPage, .floor = 5 * kPage}}, 8));
  const auto stays = std::make_unique<ExtentLease>(extents, Extent{kPage, 100, 0});
  auto goes = std::make_unique<ExtentLease>(extents, Extent{3 * kPage, 100, 0});
  extents->set_generation(9);
  goes.reset();
  extents->reclaim({});
  EXPECT_TRUE(extents->has_floor(0));
  EXPECT_EQ(extents->in_use(), 5 * kPage);
  extents->lift_floor(0);
  EXPECT_FALSE(extents->has_floor(0));
  const std::array<std::uint64_t, 1> read = {8};  // a reader of another process
  extents->reclaim(read);
  EXPECT_EQ(extents->in_use(), 5 * kPage);
  extents->reclaim({});
  EXPECT_EQ(extents->in_use(), kPage);
  EXPECT_EQ(extents->allocate(1).offset, 0U);
  EXPECT_EQ(extents->allocate(3 * kPage).offset, 2 * kPage);
}

TEST(ExtentAllocator, OverlappingExtentsAreCorrupt) {
  ExtentAllocator extents;
  EXPECT_EQ(extents.reset({{0, kPage + 1, 0}, {kPage, 10, 0}}, {}, 1).error().code, ErrorCode::corrupt);
  EXPECT_EQ(extents.reset({{1, 10, 0}}, {}, 1).error().code, ErrorCode::corrupt);
  EXPECT_TRUE(extents.reset({{0, 10, 0}, {0, 10, 1}}, {}, 1));
}

/// What is handed out, filled and emptied, against a map of every page.
TEST(ExtentAllocator, NeverHandsOutAPageTwiceAndKnowsWhichHaveBlocks) {
  Random random(3);
  const auto extents = std::make_shared<ExtentAllocator>();
  std::vector<std::unique_ptr<ExtentLease>> held;
  std::set<std::uint64_t> used, blocks;
  for (int step = 0; step < 4000; ++step) {
    const std::uint64_t what = random.below(10);
    if (what < 5) {
      held.push_back(std::make_unique<ExtentLease>(extents, 1 + random.below(5 * kPage), 0));
      const Extent extent = held.back()->extent();
      for (std::uint64_t page = extent.offset / kPage; page * kPage < extent.offset + extent.bytes; ++page) {
        ASSERT_TRUE(used.insert(page).second) << "page " << page << " has two holders";
        blocks.insert(page);
      }
    } else if (what < 9 && !held.empty()) {
      std::swap(held[random.below(held.size())], held.back());
      const Extent extent = held.back()->extent();
      for (std::uint64_t page = extent.offset / kPage; page * kPage < extent.offset + extent.bytes; ++page)
        used.erase(page);
      held.pop_back();
      extents->reclaim({});
    } else {
      const std::uint64_t keep = random.below(4) * kPage;
      while (const auto range = extents->take_filled(0, keep)) {
        for (std::uint64_t page = range->offset / kPage; page * kPage < range->offset + range->bytes; ++page) {
          ASSERT_FALSE(used.contains(page)) << "page " << page << " is emptied under its holder";
          blocks.erase(page);
        }
        extents->put_back(*range, true);
      }
      std::uint64_t left = 0;  // blocks of free pages; those after the end are the file's tail
      for (const std::uint64_t page : blocks) left += !used.contains(page) && page * kPage < extents->end() ? 1 : 0;
      ASSERT_LE(left * kPage, keep);
    }
    ASSERT_EQ(extents->in_use(), used.size() * kPage);
    ASSERT_EQ(extents->end(), used.empty() ? 0 : (*used.rbegin() + 1) * kPage);
  }
}

/// Whoever syncs waits for the device while blocks are given back: there are not too many of them at once.
TEST(ExtentAllocator, MuchSpaceIsEmptiedInPieces) {
  constexpr std::uint64_t kMuch = std::uint64_t{100} << 20;
  ExtentAllocator extents;
  ASSERT_TRUE(extents.reset({{kMuch, 100, 0}}, {{.size = kMuch + kPage}}, 1));
  extents.reclaim({});
  std::uint64_t emptied = 0;
  while (const auto range = extents.take_filled(0, kPage)) {
    EXPECT_LE(range->bytes, std::uint64_t{8} << 20);
    emptied += range->bytes;
    extents.put_back(*range, true);
  }
  EXPECT_EQ(emptied, kMuch - kPage);
}

/// Its blocks are given back meanwhile: what was written there would be lost.
TEST(ExtentAllocator, WhatIsBeingEmptiedIsHandedOutToNobody) {
  ExtentAllocator extents;
  ASSERT_TRUE(extents.reset({{4 * kPage, 100, 0}}, {{.size = 5 * kPage}}, 1));
  extents.reclaim({});
  const auto range = extents.take_filled(0, 0);
  ASSERT_TRUE(range);
  EXPECT_EQ(range->bytes, 4 * kPage);
  EXPECT_EQ(extents.allocate(kPage).offset, 5 * kPage);
  extents.put_back(*range, true);
  EXPECT_EQ(extents.allocate(kPage).offset, 0U);
}

/// An extent may be claimed to lie anywhere: between it and the end of the file there are no blocks.
TEST(ExtentAllocator, WhatIsFreeBehindTheFileIsNotEmptied) {
  ExtentAllocator extents;
  ASSERT_TRUE(extents.reset({{std::uint64_t{1} << 50, 100, 0}}, {{.size = 3 * kPage}}, 1));
  extents.reclaim({});
  extents.end_filled(0, 3 * kPage);
  const auto range = extents.take_filled(0, 0);
  ASSERT_TRUE(range);
  EXPECT_EQ(range->offset, 0u);
  EXPECT_EQ(range->bytes, 3 * kPage);
  extents.put_back(*range, true);
  EXPECT_FALSE(extents.take_filled(0, 0));
}

/// 65,536 steps for each factor e by which what is left becomes less.
TEST(ExtentAllocator, AFileOfAnySizeIsEmptiedInLimitedSteps) {
  constexpr std::uint64_t kHuge = std::uint64_t{1} << 50;
  ExtentAllocator extents;
  ASSERT_TRUE(extents.reset({{kHuge, 100, 0}}, {{.size = kHuge + kPage}}, 1));
  extents.reclaim({});
  std::uint64_t steps = 0;
  for (; const auto range = extents.take_filled(0, 0); ++steps) extents.put_back(*range, true);
  EXPECT_LE(steps, std::uint64_t{1} << 20);
}

TEST(LeaseBook, HasOneLeaseForEachExtentHoweverOftenItIsAskedFor) {
  auto extents = std::make_shared<ExtentAllocator>();
  std::vector<Extent> used;
  for (std::uint64_t i = 0; i < 300; ++i) used.push_back({i * kPage, kPage, static_cast<unsigned>(i % 3)});
  ASSERT_TRUE(extents->reset(used, {}, 5).ok());
  std::map<std::pair<unsigned, std::uint64_t>, std::shared_ptr<const ExtentLease>> model;
  {
    LeaseBook book(extents, used.size());
    Random random(3);
    for (int ask = 0; ask < 2000; ++ask) {
      const Extent extent = used[random.below(used.size())];
      const auto lease = book.of(extent);
      ASSERT_EQ(lease->extent().offset, extent.offset);
      ASSERT_EQ(lease->extent().location, extent.location);
      ASSERT_EQ(model.try_emplace({extent.location, extent.offset}, lease).first->second, lease);
    }
  }
  extents->reclaim({});  // gaps between the extents; what is held stays
  EXPECT_EQ(extents->in_use(0), 100 * kPage);
  model.clear();
  extents->reclaim({});
  EXPECT_EQ(extents->in_use(0), 0u);
}

}  // namespace
}  // namespace rizoma
