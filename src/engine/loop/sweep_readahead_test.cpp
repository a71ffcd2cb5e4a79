#include "engine/loop/sweep_readahead.h"

#include "testing/great_graph.h"

#include <rizoma/engine.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <thread>
#include <utility>
#include <vector>

namespace rizoma {
namespace {

using namespace great_graph;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Bytes = Readahead::Bytes;

constexpr SectionId kSections = kVertices >> kSectionBits;
constexpr std::uint64_t kSectionWork = (1u << kSectionBits) + kSectionBytes / 4;

/// How the lists of the graph are in memory whose room for lists is 16 windows.
Readahead::Lists lists_of_graph(std::size_t window, SectionId kept) {
  return {std::vector<std::uint32_t>(kSections, kSectionBytes / 4), kept, 4, 16 * window, window};
}

class SweepReadaheadOf : public ::testing::Test {
 protected:
  WorkLists work(std::span<const char> needed = {}) const {
    return {graph_.view.parts().out, Placement{}, Cut::anywhere, {.needed = needed}};
  }
  /// Offsets in the graph of what was asked for since the last call.
  std::vector<std::pair<std::size_t, std::size_t>> begun() { return places(std::exchange(begun_, {})); }
  std::vector<std::pair<std::size_t, std::size_t>> gone() { return places(std::exchange(gone_, {})); }
  std::vector<std::pair<std::size_t, std::size_t>> places(const std::vector<Bytes>& all) const {
    std::vector<std::pair<std::size_t, std::size_t>> found;
    for (const Bytes bytes : all) {
      const auto begin = static_cast<std::size_t>(bytes.data() - graph_.at(0));
      found.emplace_back(begin, begin + bytes.size());
    }
    return found;
  }

  const InOneRun graph_;
  std::vector<Bytes> begun_;
  std::vector<Bytes> gone_;
  Readahead::Calls calls_{[] { return std::uint64_t{1}; },
                          {},
                          {},
                          [this](Bytes bytes) { begun_.push_back(bytes); },
                          [this](Bytes bytes) { gone_.push_back(bytes); }};
};

TEST_F(SweepReadaheadOf, ASweepHasHalfAWindowAheadAndEachByteIsAskedForOnce) {
  constexpr std::size_t kWindow = 3u << 20;  // sections have 4 MiB, and are asked for in parts
  const Readahead::Lists lists = lists_of_graph(kWindow, kSections);
  const WorkLists all = work();
  SweepReadahead ahead(calls_, lists, all.lists(), kSectionBits);
  std::size_t end = 0;
  constexpr std::uint64_t kStretch = 1 << 12;
  for (std::uint64_t at = 0; at < all.work(); at += kStretch) {
    ahead.reached(0, at);
    for (const auto& [from, to] : begun()) {
      EXPECT_EQ(from, end);
      end = to;
    }
    const std::size_t place = at * 4;  // the vertices' own work is less than a stretch in all
    EXPECT_GE(end + kStretch * 4, std::min(place + kWindow / 2, kVertices * kListBytes)) << at;
    EXPECT_LE(end, place + kWindow + kStretch * 4) << at;
  }
  EXPECT_EQ(end, kVertices * kListBytes);
  EXPECT_THAT(gone(), IsEmpty()) << "all of it may stay";
}

TEST_F(SweepReadaheadOf, SectionsThatAreNotNeededAreNotAskedFor) {
  const Readahead::Lists lists = lists_of_graph(Readahead::kWindow, kSections);
  std::vector<char> needed(kSections, 0);
  for (const SectionId s : {3, 4, 9}) needed[s] = 1;
  const WorkLists some = work(needed);
  EXPECT_EQ(some.work(), 3 * kSectionWork);
  SweepReadahead ahead(calls_, lists, some.lists(), kSectionBits);
  std::vector<std::pair<std::size_t, std::size_t>> asked;
  for (std::uint64_t at = 0; at < some.work(); at += kSectionWork / 2) {
    ahead.reached(0, at);
    for (const auto& one : begun()) asked.push_back(one);
  }
  std::size_t bytes = 0;
  for (const auto& [from, to] : asked) {
    bytes += to - from;
    EXPECT_TRUE((from >= 3 * kSectionBytes && to <= 5 * kSectionBytes) ||
                (from >= 9 * kSectionBytes && to <= 10 * kSectionBytes))
        << from << " to " << to;
  }
  EXPECT_EQ(bytes, 3 * kSectionBytes);
}

TEST_F(SweepReadaheadOf, WhatLiesBehindIsLetGoButForTheFirstSections) {
  const Readahead::Lists lists = lists_of_graph(2 * kSectionBytes, 4);  // a section a step
  const WorkLists all = work();
  std::size_t end = 4 * kSectionBytes;
  const auto pass = [&](const std::vector<std::pair<std::size_t, std::size_t>>& gone, std::size_t most) {
    for (const auto& [from, to] : gone) {
      EXPECT_EQ(from, end);
      EXPECT_LE(to, most);
      end = to;
    }
  };
  {
    SweepReadahead ahead(calls_, lists, all.lists(), kSectionBits);
    for (SectionId s = 0; s < kSections; ++s) {
      ahead.reached(0, s * kSectionWork + kSectionWork / 2);
      pass(gone(), std::max<std::size_t>(s, 4) * kSectionBytes);  // not the section that is worked on
    }
    EXPECT_GE(end, (kSections - 4) * kSectionBytes) << "few sections are in memory at once";
  }
  pass(gone(), kSections * kSectionBytes);
  EXPECT_EQ(end, kSections * kSectionBytes);
}

TEST_F(SweepReadaheadOf, EachHomeHasItsOwnPlace) {
  const Readahead::Lists lists = lists_of_graph(Readahead::kLeastWindow, kSections);
  Placement placement;
  placement.homes = 2;
  for (SectionId s = 0; s < kSections; ++s) placement.home_of_section.push_back(s % 2);
  const WorkLists two(graph_.view.parts().out, placement, Cut::anywhere);
  SweepReadahead ahead(calls_, lists, two.lists(), kSectionBits);
  ahead.reached(1, 0);
  EXPECT_EQ(begun_.front().data(), graph_.at(kSectionBytes));
  begun_.clear();
  ahead.reached(0, 0);
  EXPECT_EQ(begun_.front().data(), graph_.at(0));
}

TEST_F(SweepReadaheadOf, SingleListsAreAskedForWhereverTheyLie) {
  const Readahead::Lists lists = lists_of_graph(8 * kListBytes, kSections);
  const std::vector<VertexId> some = {900, 7, 8, 9, 500, 3, 1000, 4};
  SweepReadahead::Pieces pieces{some.size(), [](std::size_t i) { return std::uint64_t{i} + 1; },
                                [&](std::size_t i) { return Bytes(graph_.at(some[i] * kListBytes), kListBytes); },
                                [&](std::size_t i) { return some[i] >> kSectionBits; }};
  SweepReadahead ahead(calls_, lists, {pieces});
  ahead.reached(0, 0);
  const auto list = [](VertexId v, VertexId end) { return std::pair(v * kListBytes, end * kListBytes); };
  EXPECT_THAT(begun(),
              ElementsAre(list(900, 901), list(7, 10), list(500, 501), list(3, 4), list(1000, 1001), list(4, 5)))
      << "two steps, in each of which neighbours in the file are asked for at once";
  ahead.reached(0, 7);
  EXPECT_THAT(begun(), IsEmpty());
}

TEST_F(SweepReadaheadOf, NothingIsAskedForOfAnEmptyList) {
  const Readahead::Lists lists = lists_of_graph(Readahead::kLeastWindow, 0);
  const std::vector<char> none(kSections, 0);
  const WorkLists empty = work(none);
  SweepReadahead(calls_, lists, empty.lists(), kSectionBits).reached(0, 0);
  EXPECT_THAT(begun_, IsEmpty());
}

TEST(SweepReadaheadOfThreads, MayBeToldAtOnce) {
  const InOneRun graph;
  std::atomic<std::size_t> bytes = 0;
  const Readahead::Calls calls{{}, {}, {}, [&](Bytes more) { bytes += more.size(); }, {}};
  const Readahead::Lists lists = lists_of_graph(Readahead::kWindow, kSections);
  const WorkLists work(graph.view.parts().out, Placement{}, Cut::anywhere);
  SweepReadahead ahead(calls, lists, work.lists(), kSectionBits);
  const auto sweep = [&] {
    for (std::uint64_t at = 0; at < work.work(); at += 1 << 10) ahead.reached(0, at);
  };
  std::thread other(sweep);
  sweep();
  other.join();
  EXPECT_EQ(bytes, kVertices * kListBytes) << "the first thread asks for both";
}

/// How often a loop comes to the entries of each section.
std::vector<EdgeCount> entries_by_section(Engine& engine, const GraphView& graph, const SectionFilter* filter) {
  std::vector<std::atomic<EdgeCount>> found(kSections);
  const auto whole = [&](VertexRange block, unsigned) {
    for (VertexId v = block.begin; v < block.end; ++v) found[v >> kSectionBits] += kListBytes / 4;
  };
  const auto piece = [&](ListPiece part, unsigned) { found[part.vertex >> kSectionBits] += part.end - part.begin; };
  EXPECT_TRUE(engine.for_pieces(graph, Direction::out, whole, piece, filter));
  return {found.begin(), found.end()};
}

TEST(LoopsOverAGreatGraph, LeaveOutSectionsThatNobodyNeeds) {
  const InOneRun graph;
  Engine engine({.threads = 2, .memory_limit = 1u << 20});
  const auto is_even = [](VertexRange range) { return (range.begin >> kSectionBits) % 2 == 0; };
  const SectionFilter filter(is_even);
  const std::vector<EdgeCount> found = entries_by_section(engine, graph.view, &filter);
  for (SectionId s = 0; s < kSections; ++s) EXPECT_EQ(found[s], s % 2 == 0 ? kSectionBytes / 4 : 0) << s;
  EXPECT_EQ(entries_by_section(engine, graph.view, nullptr), std::vector<EdgeCount>(kSections, kSectionBytes / 4));
}

TEST(LoopsOverAGreatGraph, GoOverListsOfVerticesAsOverThoseOfASmallOne) {
  const InOneRun graph;
  std::vector<std::uint32_t> some;
  for (std::uint32_t i = 0; i < kVertices; i += 3) some.push_back((i * 7) % kVertices);
  std::vector<std::atomic<int>> found(kVertices);
  Engine engine(EngineOptions{.threads = 2, .memory_limit = 1u << 20});
  EXPECT_TRUE(engine.for_list(graph.view, some, 16, [&](std::span<const std::uint32_t> vertices, unsigned) {
    for (const std::uint32_t v : vertices) ++found[v];
  }));
  for (const std::uint32_t v : some) EXPECT_EQ(found[v], 1) << v;
}

}  // namespace
}  // namespace rizoma
