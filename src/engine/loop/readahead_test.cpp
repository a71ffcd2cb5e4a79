#include "engine/loop/readahead.h"

#include "testing/graph_builder.h"
#include "testing/great_graph.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <vector>

namespace rizoma {
namespace {

using namespace great_graph;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Bytes = Readahead::Bytes;

class ReadaheadOf : public ::testing::Test {
 protected:
  Readahead::Calls calls(std::uint64_t free) {
    return {[this, free] {
              ++asked_;
              return free;
            },
            [this](Bytes bytes) { scattered_.push_back(bytes); },
            [this](Bytes bytes) { usual_.push_back(bytes); },
            [this](Bytes bytes) { begun_.push_back(bytes); },
            {}};
  }

  int asked_ = 0;
  std::vector<Bytes> scattered_;
  std::vector<Bytes> usual_;
  std::vector<Bytes> begun_;
};

TEST_F(ReadaheadOf, AGraphThatMemoryHoldsIsLeftAlone) {
  const InOneRun graph;
  Readahead ahead(calls(std::uint64_t{1} << 40));
  EXPECT_EQ(ahead.lists_of(graph.view, Direction::out), nullptr);
  EXPECT_EQ(ahead.lists_of(graph.view, Direction::out), nullptr);
  EXPECT_THAT(scattered_, IsEmpty());
  EXPECT_EQ(asked_, 1) << "free memory is looked at once a graph";
}

TEST_F(ReadaheadOf, SmallOnesThoseWithoutAnOwnerAndUnknownMemoryAreLeftAlone) {
  Readahead unknown(calls(0));
  EXPECT_EQ(unknown.lists_of(InOneRun().view, Direction::out), nullptr);
  Readahead ahead(calls(1));
  EXPECT_EQ(ahead.lists_of(testing::build_graph(4, std::vector<testing::TestEdge>{{0, 1, 1}}), Direction::out),
            nullptr);
  EXPECT_EQ(ahead.lists_of(GraphView(), Direction::out), nullptr);
  EXPECT_THAT(scattered_, IsEmpty());
}

TEST_F(ReadaheadOf, AllListsAreOneStretchWhoseEndIsKnown) {
  const InOneRun graph;
  Readahead ahead(calls(1u << 20));
  EXPECT_NE(ahead.lists_of(graph.view, Direction::out), nullptr);
  ASSERT_THAT(scattered_, SizeIs(1));
  EXPECT_EQ(scattered_[0].data(), graph.at(0));
  EXPECT_EQ(scattered_[0].size(), kVertices * kListBytes);
}

TEST_F(ReadaheadOf, WhatWasToldIsTakenBackForTheNextGraphAndAtTheEnd) {
  const InOneRun first, second;
  {
    Readahead ahead(calls(1u << 20));
    EXPECT_NE(ahead.lists_of(first.view, Direction::out), nullptr);
    EXPECT_THAT(usual_, IsEmpty());
    EXPECT_NE(ahead.lists_of(second.view, Direction::out), nullptr);
    ASSERT_THAT(usual_, SizeIs(1));
    EXPECT_EQ(usual_[0].data(), first.at(0));
  }
  ASSERT_THAT(usual_, SizeIs(2));
  EXPECT_EQ(usual_[1].data(), second.at(0));
}

TEST_F(ReadaheadOf, AnotherGraphIsAskedAboutAnew) {
  Readahead ahead(calls(1u << 20));
  for (int i = 0; i < 2; ++i) EXPECT_NE(ahead.lists_of(InOneRun().view, Direction::out), nullptr);
  EXPECT_EQ(asked_, 2);
  EXPECT_THAT(scattered_, SizeIs(2));
}

TEST_F(ReadaheadOf, WhatLoopsAreToKnowOfIt) {
  const InOneRun graph;
  Readahead ahead(calls(64u << 20));
  const auto lists = ahead.lists_of(graph.view, Direction::in);  // undirected: the same
  ASSERT_NE(lists, nullptr);
  EXPECT_EQ(lists->lengths, std::vector<std::uint32_t>(kVertices >> kSectionBits, kSectionBytes / 4));
  EXPECT_EQ(lists->entry_bytes, 4);
  EXPECT_EQ(lists->window, 4u << 20) << "an eighth of half of the memory";
  // 32 MiB for lists, two windows of which are on their way: 24 MiB stay, of sections of 4 MiB and their offsets.
  EXPECT_EQ(lists->kept, 5);
}

TEST_F(ReadaheadOf, OffsetsAreAskedForBeforeTheyTellLengths) {
  const InOneRun graph;
  Readahead ahead(calls(1u << 20));
  ASSERT_NE(ahead.lists_of(graph.view, Direction::out), nullptr);
  ASSERT_THAT(begun_, SizeIs(kVertices >> kSectionBits)) << "each section's";
  EXPECT_EQ(begun_[0].data(), reinterpret_cast<const std::byte*>(graph.offsets.data()));
  EXPECT_EQ(begun_[0].size(), graph.offsets.size() * sizeof(std::uint32_t));
}

TEST_F(ReadaheadOf, OfLittleMemoryNothingStaysAndWindowsAreSmall) {
  const InOneRun graph;
  Readahead ahead(calls(1));
  const auto lists = ahead.lists_of(graph.view, Direction::out);
  ASSERT_NE(lists, nullptr);
  EXPECT_EQ(lists->window, Readahead::kLeastWindow);
  EXPECT_EQ(lists->kept, 0);
}

TEST_F(ReadaheadOf, AllListsButThoseThatStayAreLetGoWhenMoreAreInMemoryThanMayBe) {
  const InOneRun graph;
  std::uint64_t mapped = 8u << 20;
  std::vector<Bytes> gone;
  Readahead::Calls limited = calls(32u << 20);
  Readahead none(limited);
  none.keep_within_limit(graph.view);
  limited.let_go = [&](Bytes bytes) { gone.push_back(bytes); };
  limited.mapped_memory = [&] { return mapped; };
  Readahead ahead(limited);
  ahead.keep_within_limit(graph.view);
  EXPECT_THAT(gone, IsEmpty());
  mapped = (16u << 20) + 1;
  ahead.keep_within_limit(graph.view);
  const SectionId kept = ahead.lists_of(graph.view, Direction::out)->kept;
  ASSERT_THAT(gone, SizeIs((kVertices >> kSectionBits) - kept));
  EXPECT_GT(kept, 0U);
  EXPECT_EQ(gone[0].data(), graph.at(kept * kSectionBytes));
  EXPECT_EQ(gone[0].size(), kSectionBytes);
}

TEST(ReadaheadWithALimit, IsForGraphsThatTheLimitDoesNotHold) {
  const InOneRun graph;
  Readahead small(std::uint64_t{32} << 20);
  EXPECT_NE(small.lists_of(graph.view, Direction::out), nullptr);
  EXPECT_TRUE(small.calls().let_go);
  Readahead none(0);
  EXPECT_FALSE(none.calls().let_go);
}

}  // namespace
}  // namespace rizoma
