#include "store/loading/partition_buffers.h"

#include "base/random.h"
#include "platform/memory_medium.h"
#include "platform/pool_executor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace rizoma::bulk {
namespace {

template <class Record>
class PackedEdgesTest : public testing::Test {};
using Records =
    testing::Types<Edge<std::uint32_t, NoBits>, Edge<std::uint32_t, std::uint32_t>, Edge<std::uint32_t, std::uint64_t>,
                   Edge<std::uint64_t, NoBits>, Edge<std::uint64_t, std::uint32_t>, Edge<std::uint64_t, std::uint64_t>>;
TYPED_TEST_SUITE(PackedEdgesTest, Records);

/// Edges with ends in the ranges, the first and the last of them among these.
template <class Record>
std::vector<Record> edges_within(const EndRanges& ranges, std::size_t count, Random& random) {
  using Number = typename Record::Number;
  std::vector<Record> edges;
  for (std::size_t i = 0; i < count; ++i) {
    const auto pick = [&](VertexRange range) {
      const VertexId v = i == 0 ? 0 : i == 1 ? range.size() - 1 : random.below(range.size());
      return static_cast<Number>(range.begin + v);
    };
    Record edge{pick(ranges.sources), pick(ranges.targets), {}};
    if constexpr (Record::kWeighted) edge.weight = static_cast<typename Record::Bits>(random.next());
    edges.push_back(edge);
  }
  return edges;
}

template <class Record>
bool same(const Record& a, const Record& b) {
  return a.source == b.source && a.target == b.target && a.weight == b.weight;
}

TYPED_TEST(PackedEdgesTest, GiveBackWhatWasPackedInRangesOfAllSizes) {
  Random random(7);
  const VertexId most = sizeof(typename TypeParam::Number) == 4 ? 0xFFFFFFFFu : VertexId{1} << 40;
  for (const VertexId sources : {VertexId{1}, VertexId{2}, VertexId{300}, VertexId{1} << 24, most}) {
    for (const VertexId targets : {VertexId{1}, VertexId{256}, VertexId{257}, VertexId{1} << 31, most}) {
      for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{1000}}) {
        const VertexId begin = random.below(most - std::max(sources, targets) + 1);
        const EndRanges ranges{{begin, begin + sources}, {begin, begin + targets}};
        const PackedEdges<TypeParam> packed(ranges);
        const std::vector<TypeParam> edges = edges_within<TypeParam>(ranges, count, random);
        std::vector<TypeParam> memory = edges;
        const std::span<const std::byte> bytes = packed.pack(memory);
        ASSERT_EQ(bytes.size(), count * packed.width());
        const std::vector<std::byte> stored(bytes.begin(), bytes.end());
        std::vector<TypeParam> room(count + 1);
        ASSERT_EQ(packed.place(room).size(), stored.size());
        std::copy(stored.begin(), stored.end(), packed.place(room).begin());
        const std::span<const TypeParam> back = packed.unpack(room);
        ASSERT_TRUE(std::equal(back.begin(), back.end(), edges.begin(), edges.end(), same<TypeParam>))
            << sources << " sources, " << targets << " targets, " << count << " edges";
      }
    }
  }
}

TEST(PackedEdges, TakeAsManyBytesAsTheRangesNeed) {
  using Plain = Edge<std::uint32_t, NoBits>;
  using Weighted = Edge<std::uint32_t, std::uint32_t>;
  const auto ranges = [](VertexId sources, VertexId targets) { return EndRanges{{0, sources}, {5, 5 + targets}}; };
  EXPECT_EQ(PackedEdges<Plain>(ranges(16, 16)).width(), 1U);
  EXPECT_EQ(PackedEdges<Plain>(ranges(17, 16)).width(), 2U);
  EXPECT_EQ(PackedEdges<Plain>(ranges(1 << 20, 1 << 20)).width(), 5U);
  EXPECT_EQ(PackedEdges<Weighted>(ranges(1 << 20, 1 << 20)).width(), 9U);
  EXPECT_EQ(PackedEdges<Plain>(ranges(VertexId{1} << 31, VertexId{1} << 31)).width(), 8U);
}

/// A plan of vertices with these degrees.
LoadPlan plan_of(const std::vector<std::uint32_t>& degrees, EdgeCount round) {
  return plan_load(degrees, 5, round / 4 + 1, round);
}

struct Shape {
  bool targets;      ///< have entries
  bool symmetric;    ///< in the rounds of the sources
  std::size_t most;  ///< cells of pairs
};

/// Shape, threads, whether the edges are spilled.
class PartitionBuffersTest : public testing::TestWithParam<std::tuple<Shape, unsigned, bool>> {};

using Record = Edge<std::uint32_t, std::uint32_t>;

/// Edges among `vertices`, numbered by their weights in the order in which they come.
std::vector<Record> numbered_edges(std::size_t size, std::uint64_t vertices, Random& random) {
  std::vector<Record> edges;
  for (std::uint32_t i = 0; i < size; ++i) {
    edges.push_back({static_cast<std::uint32_t>(random.below(random.below(vertices) + 1)),
                     static_cast<std::uint32_t>(random.below(vertices)), i});
  }
  return edges;
}

bool within(VertexId v, VertexRange range) { return v - range.begin < range.size(); }

/// The entries that `edges` have in a range of sources and, of the other ends, in the same range of targets.
std::vector<Record> entries_in(std::span<const Record> edges, VertexRange vertices, bool of_sources, bool of_targets) {
  std::vector<Record> entries;
  for (const Record& edge : edges) {
    if (of_sources && within(edge.source, vertices)) entries.push_back(edge);
    if (of_targets && within(edge.target, vertices) && !(of_sources && edge.source == edge.target)) {
      entries.push_back({edge.target, edge.source, edge.weight});
    }
  }
  return entries;
}

/// In the order of lists, and within parallel edges as they are.
void sort_lists(std::vector<Record>& entries) {
  std::stable_sort(entries.begin(), entries.end(), [](const Record& a, const Record& b) {
    return std::pair(a.source, a.target) < std::pair(b.source, b.target);
  });
}

TEST_P(PartitionBuffersTest, EachRoundHasItsEntriesInTheOrderOfTheEdges) {
  const auto& [shape, threads, spilled] = GetParam();
  constexpr VertexId kVertices = 700;
  Random random(threads);
  const std::vector<Record> edges = numbered_edges(40'000, kVertices, random);
  std::vector<std::uint32_t> rank(kVertices);
  std::iota(rank.begin(), rank.end(), 0u);
  for (std::size_t i = rank.size(); i > 1; --i) std::swap(rank[i - 1], rank[random.below(i)]);
  std::vector<Record> relabelled = edges;
  std::vector<std::uint32_t> out(kVertices), in(kVertices);
  for (Record& edge : relabelled) {
    edge = {rank[edge.source], rank[edge.target], edge.weight};
    ++out[edge.source];
    ++(shape.symmetric ? out : in)[edge.target];
  }
  const LoadPlan sources = plan_of(out, 6000), others = plan_of(in, 9000);
  const LoadPlan* targets = !shape.targets ? nullptr : shape.symmetric ? &sources : &others;
  ASSERT_GT(sources.rounds.size(), 4U);

  const auto medium = make_memory_medium();
  auto spill = SpillFile::create(*medium, "edges");
  auto file = SpillFile::create(*medium, "cells");
  ASSERT_TRUE(spill && file);
  EdgeBuffer<Record> buffer(std::size_t{1} << 12);
  for (const Record& edge : edges) {
    buffer.room(1)[0] = edge;
    buffer.added(1);
  }
  if (spilled) {
    ASSERT_TRUE(buffer.spill(**spill));
  } else {
    file->reset();
  }
  PartitionBuffers<Record> cells(PartitionMap(sources, targets, kVertices, shape.most), std::move(*file),
                                 std::size_t{1} << 20);
  PoolExecutor executor(threads);
  ASSERT_TRUE(cells.take(buffer, rank, executor));

  for (const EdgeEnd end : {EdgeEnd::source, EdgeEnd::target}) {
    const LoadPlan* plan = end == EdgeEnd::source ? &sources : shape.symmetric ? nullptr : targets;
    if (plan == nullptr) continue;
    for (std::size_t r = plan->rounds.size(); r-- > 0;) {
      std::vector<Record> read;
      PageArray<Record> memory;
      const auto round = cells.edges_of(end, r);
      for (std::size_t run = 0; run < round.size(); ++run) {
        const auto loaded = round.load(run, memory);
        ASSERT_TRUE(loaded) << loaded.error().message;
        read.insert(read.end(), loaded->begin(), loaded->end());
        ASSERT_TRUE(round.let_go(run));
      }
      const bool of_sources = end == EdgeEnd::source, of_targets = end == EdgeEnd::target || shape.symmetric;
      auto found = entries_in(read, plan->rounds[r].vertices, of_sources, of_targets);
      auto expected = entries_in(relabelled, plan->rounds[r].vertices, of_sources, of_targets);
      sort_lists(found);
      sort_lists(expected);
      ASSERT_TRUE(std::equal(found.begin(), found.end(), expected.begin(), expected.end(), same<Record>))
          << "round " << r << " of " << (of_targets ? "targets" : "sources");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, PartitionBuffersTest,
                         testing::Combine(testing::Values(Shape{false, false, 1000}, Shape{true, false, 1000},
                                                          Shape{true, true, 1000}, Shape{true, false, 0},
                                                          Shape{true, true, 0}),
                                          testing::Values(1U, 2U, 3U), testing::Bool()));

TEST(PartitionMap, EachEdgeIsWrittenOnceWhereCellsOfPairsHaveRoom) {
  std::vector<std::uint32_t> degrees(700, 20);
  const LoadPlan plan = plan_of(degrees, 2000);
  const PartitionMap paired(plan, &plan, 700, 1000), by_round(plan, &plan, 700, 0);
  const std::size_t rounds = plan.rounds.size();
  ASSERT_GT(rounds, 3U);
  EXPECT_EQ(paired.used(), rounds * (rounds + 1) / 2);
  EXPECT_EQ(by_round.used(), rounds);
  std::size_t once = 0, each = 0;
  for (std::uint32_t v = 0; v < 700; ++v) {
    const Record edge{0, v, 0};
    paired.place(edge, [&](std::size_t, const Record&) { ++once; });
    by_round.place(edge, [&](std::size_t, const Record&) { ++each; });
  }
  EXPECT_EQ(once, 700U);
  EXPECT_EQ(each, 1400 - plan.rounds[0].vertices.size());
}

}  // namespace
}  // namespace rizoma::bulk
