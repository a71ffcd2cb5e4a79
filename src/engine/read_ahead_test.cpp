#include "engine/read_ahead.h"

#include "testing/graph_builder.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;
using Bytes = ReadAhead::Bytes;

constexpr VertexId kVertices = 1024;
constexpr std::size_t kListBytes = 64u << 10;  // of one vertex: 64 MiB in all
constexpr unsigned kSectionBits = 6;
constexpr std::size_t kSectionBytes = kListBytes << kSectionBits;

/// A graph whose lists lie one after the other in one run of bytes, as in a file.  Nobody reads the bytes.
struct InOneRun {
  InOneRun() : offsets((1u << kSectionBits) + 1) {
    for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = static_cast<std::uint32_t>(i * kListBytes / 4);
    std::vector<SectionEdges<std::uint32_t>> sections;
    for (SectionId s = 0; s < kVertices >> kSectionBits; ++s) {
      sections.push_back({offsets.data(), targets->data() + s * kSectionBytes / 4});
    }
    GraphView::Parts parts;
    parts.out = Adjacency<std::uint32_t>(kSectionBits, kVertices, std::move(sections));
    parts.num_entries = kVertices * kListBytes / 4;
    parts.owner = targets;
    view = GraphView(std::move(parts));
  }
  [[nodiscard]] const std::byte* at(std::size_t bytes) const {
    return reinterpret_cast<const std::byte*>(targets->data()) + bytes;
  }

  std::shared_ptr<std::vector<std::uint32_t>> targets =
      std::make_shared<std::vector<std::uint32_t>>(kVertices * kListBytes / 4);
  std::vector<std::uint32_t> offsets;
  GraphView view;
};

class ReadAheadOf : public ::testing::Test {
 protected:
  ReadAhead::Calls calls(std::uint64_t free) {
    return {[this, free] {
              ++asked_;
              return free;
            },
            [this](Bytes bytes) { scattered_.push_back(bytes); }, [this](Bytes bytes) { usual_.push_back(bytes); },
            [this](Bytes bytes) { begun_.push_back(bytes); }};
  }

  int asked_ = 0;
  std::vector<Bytes> scattered_;
  std::vector<Bytes> usual_;
  std::vector<Bytes> begun_;
};

TEST_F(ReadAheadOf, AGraphThatMemoryHoldsIsLeftAlone) {
  const InOneRun graph;
  ReadAhead ahead(1, calls(std::uint64_t{1} << 40));
  EXPECT_FALSE(ahead.wanted(graph.view));
  EXPECT_FALSE(ahead.wanted(graph.view));
  EXPECT_THAT(scattered_, IsEmpty());
  EXPECT_EQ(asked_, 1) << "free memory is looked at once a graph";
}

TEST_F(ReadAheadOf, SmallOnesThoseWithoutAnOwnerAndUnknownMemoryAreLeftAlone) {
  ReadAhead unknown(1, calls(0));
  EXPECT_FALSE(unknown.wanted(InOneRun().view));
  ReadAhead ahead(1, calls(1));
  EXPECT_FALSE(ahead.wanted(testing::build_graph(4, std::vector<testing::TestEdge>{{0, 1, 1}})));
  EXPECT_FALSE(ahead.wanted(GraphView()));
  EXPECT_THAT(scattered_, IsEmpty());
}

TEST_F(ReadAheadOf, AllListsAreOneStretchWhoseEndIsKnown) {
  const InOneRun graph;
  ReadAhead ahead(1, calls(1u << 20));
  EXPECT_TRUE(ahead.wanted(graph.view));
  ASSERT_THAT(scattered_, SizeIs(1));
  EXPECT_EQ(scattered_[0].data(), graph.at(0));
  EXPECT_EQ(scattered_[0].size(), kVertices * kListBytes);
}

TEST_F(ReadAheadOf, ASweepHasAWindowAheadAndEachByteIsAskedForOnce) {
  const InOneRun graph;
  ReadAhead ahead(1, calls(1u << 20));
  ASSERT_TRUE(ahead.wanted(graph.view));
  const std::byte* end = graph.at(0);
  for (VertexId v = 0; v < kVertices; ++v) {
    const std::byte* const place = graph.at(v * kListBytes);
    ahead.reached(place, 0);
    for (const Bytes bytes : std::exchange(begun_, {})) {
      EXPECT_EQ(bytes.data(), end);
      end = bytes.data() + bytes.size();
    }
    EXPECT_GE(end, std::min(place + ReadAhead::kWindow / 2, graph.at(kVertices * kListBytes))) << v;
    EXPECT_LE(end, place + ReadAhead::kWindow + ReadAhead::kWindow / 2) << v;
  }
  EXPECT_EQ(end, graph.at(kVertices * kListBytes));
}

TEST_F(ReadAheadOf, TheNextSweepBeginsAnew) {
  const InOneRun graph;
  ReadAhead ahead(2, calls(1u << 20));
  ASSERT_TRUE(ahead.wanted(graph.view));
  ahead.reached(graph.at(kSectionBytes * 10), 0);
  ahead.reached(graph.at(0), 0);
  ahead.reached(graph.at(kSectionBytes * 10), 1);  // another home is elsewhere
  ahead.reached(graph.at(kListBytes), 0);
  ASSERT_THAT(begun_, SizeIs(3));
  EXPECT_EQ(begun_[1].data(), graph.at(0));
  EXPECT_EQ(begun_[2].data(), graph.at(kSectionBytes * 10));
  for (const Bytes bytes : begun_) EXPECT_EQ(bytes.size(), ReadAhead::kWindow);
}

TEST_F(ReadAheadOf, PlacesOutsideTheListsAreNotAskedFor) {
  const InOneRun graph;
  ReadAhead ahead(1, calls(1u << 20));
  ASSERT_TRUE(ahead.wanted(graph.view));
  ahead.reached(nullptr, 0);
  ahead.reached(graph.at(kVertices * kListBytes), 0);
  EXPECT_THAT(begun_, IsEmpty());
}

TEST_F(ReadAheadOf, WhatWasToldIsTakenBackForTheNextGraphAndAtTheEnd) {
  const InOneRun first, second;
  {
    ReadAhead ahead(1, calls(1u << 20));
    EXPECT_TRUE(ahead.wanted(first.view));
    EXPECT_THAT(usual_, IsEmpty());
    EXPECT_TRUE(ahead.wanted(second.view));
    ASSERT_THAT(usual_, SizeIs(1));
    EXPECT_EQ(usual_[0].data(), first.at(0));
  }
  ASSERT_THAT(usual_, SizeIs(2));
  EXPECT_EQ(usual_[1].data(), second.at(0));
}

TEST_F(ReadAheadOf, AnotherGraphIsAskedAboutAnew) {
  ReadAhead ahead(1, calls(1u << 20));
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(ahead.wanted(InOneRun().view));
  EXPECT_EQ(asked_, 2);
  EXPECT_THAT(scattered_, SizeIs(2));
}

TEST(ReadAheadOfThreads, MayBeAskedAtOnce) {
  const InOneRun graph;
  std::atomic<std::size_t> bytes = 0;
  ReadAhead ahead(1, {[] { return std::uint64_t{1} << 20; }, [](Bytes) {}, [](Bytes) {},
                      [&](Bytes more) { bytes += more.size(); }});
  ASSERT_TRUE(ahead.wanted(graph.view));
  const auto sweep = [&] {
    for (VertexId v = 0; v < kVertices; ++v) ahead.reached(graph.at(v * kListBytes), 0);
  };
  std::thread other(sweep);
  sweep();
  other.join();
  EXPECT_GE(bytes, kVertices * kListBytes / 2);
}

}  // namespace
}  // namespace rizoma
