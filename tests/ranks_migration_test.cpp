// Work that moves between ranks: the same answers, whoever does it.
#include <rizoma/algorithms/triangle_count.h>
#include <rizoma/engine.h>
#include <rizoma/ranks.h>

#include "testing/graph_builder.h"
#include "testing/simulated_transport.h"

#include <gtest/gtest.h>

#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace rizoma {
namespace {

/// A graph of which the first of `halves` has all edges.
GraphView uneven_graph(bool by_degree) {
  return testing::build_graph(1 << 13, testing::rmat_edges(12, 30'000, 3), {.section_bits = 7, .by_degree = by_degree});
}

RankSettings halves(std::uint64_t cache_bytes = 1 << 20) {
  return {.partition = PlacementPolicy::halves, .migration = true, .cache_bytes = cache_bytes};
}

std::uint64_t migrated(const RankTraffic& traffic) {
  return std::accumulate(traffic.migrated.begin(), traffic.migrated.end(), std::uint64_t{0});
}

/// Counts on simulated ranks, compares, and returns how many blocks have moved.
std::uint64_t count_on_ranks(const GraphView& graph, const TriangleCountResult& expected, Rank size, std::uint64_t seed,
                             const RankSettings& settings) {
  std::uint64_t blocks = 0;
  run_simulated_cluster(size, seed, [&](Transport& transport) {
    Ranks ranks(transport);
    ranks.set(settings);
    Engine engine({.threads = static_cast<unsigned>(1 + seed % 2), .ranks = &ranks});
    auto result = triangle_count(engine, graph);
    ASSERT_TRUE(result) << result.error().message;
    ASSERT_TRUE(ranks.gather(result->counts.data(), sizeof(std::uint64_t)));
    ASSERT_TRUE(ranks.settle({}));
    EXPECT_EQ(result->total, expected.total);
    for (VertexId v = 0; v < graph.num_vertices(); ++v) ASSERT_EQ(result->counts[v], expected.counts[v]) << v;
    if (transport.rank() == 0) blocks = migrated(ranks.traffic());
  });
  return blocks;
}

TEST(Migration, ARankWithoutWorkTakesSomeOfAnothers) {
  for (const bool by_degree : {false, true}) {
    const GraphView graph = uneven_graph(by_degree);
    Engine alone({.threads = 1});
    const auto expected = triangle_count(alone, graph);
    ASSERT_TRUE(expected);
    ASSERT_GT(expected->total, 1000U);
    // Without a cache, with one that is too small, and with one that has room for all.
    std::uint64_t blocks = 0;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      const std::uint64_t cache = seed % 3 == 0 ? 0 : seed % 3 == 1 ? 20'000 : 1 << 24;
      blocks += count_on_ranks(graph, *expected, static_cast<Rank>(2 + seed % 4), seed, halves(cache));
    }
    EXPECT_GT(blocks, 0u);
  }
}

TEST(Migration, NothingMovesUnlessItIsWanted) {
  const GraphView graph = uneven_graph(true);
  Engine alone({.threads = 1});
  const auto expected = triangle_count(alone, graph);
  ASSERT_TRUE(expected);
  RankSettings settings = halves();
  settings.migration = false;
  EXPECT_EQ(count_on_ranks(graph, *expected, 3, 1, settings), 0u);
}

TEST(Migration, EveryPartitionGivesTheSameAnswer) {
  const GraphView graph = uneven_graph(false);
  Engine alone({.threads = 1});
  const auto expected = triangle_count(alone, graph);
  ASSERT_TRUE(expected);
  for (const PlacementPolicy partition :
       {PlacementPolicy::chunk, PlacementPolicy::halves, PlacementPolicy::round_robin}) {
    RankSettings settings = halves();
    settings.partition = partition;
    count_on_ranks(graph, *expected, 5, 7, settings);
  }
}

TEST(Migration, ManyRanksOfWhichMostHaveNothing) {
  const GraphView graph =
      testing::build_graph(1 << 16, testing::rmat_edges(12, 30'000, 3), {.section_bits = 12, .by_degree = true});
  Engine alone({.threads = 1});
  const auto expected = triangle_count(alone, graph);
  ASSERT_TRUE(expected);
  EXPECT_GT(count_on_ranks(graph, *expected, 16, 2, halves()), 0u);
}

TEST(Migration, ARankThatIsStoppedAmidItsWorkStopsAll) {
  const GraphView graph = uneven_graph(true);
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    run_simulated_cluster(3, seed, [&](Transport& transport) {
      Ranks ranks(transport);
      ranks.set(halves());
      Engine engine({.threads = 1, .ranks = &ranks});
      const bool stops = transport.rank() == seed % 3;
      if (stops) engine.request_stop();
      auto result = triangle_count(engine, graph);
      const Status status = ranks.settle(result ? Status() : Status(result.error()));
      ASSERT_FALSE(status);
      EXPECT_EQ(status.error().code, ErrorCode::cancelled) << status.error().message;
      if (!stops) {
        EXPECT_TRUE(status.error().message.starts_with("rank " + std::to_string(seed % 3))) << status.error().message;
      }
      // The ranks go on as if nothing had been.
      result = triangle_count(engine, graph);
      ASSERT_TRUE(ranks.settle(result ? Status() : Status(result.error())));
    });
  }
}

TEST(Migration, ARankThatIsLostEndsTheCountOfTheOthers) {
  const GraphView graph = uneven_graph(true);
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    run_simulated_cluster(4, seed, [&](Transport& transport) {
      Ranks ranks(transport);
      ranks.set(halves());
      Engine engine({.threads = 1, .ranks = &ranks});
      ASSERT_TRUE(ranks.divide(graph));
      if (transport.rank() == seed % 4) return;  // it comes to no round any more
      const auto result = triangle_count(engine, graph);
      ASSERT_FALSE(result);
      EXPECT_EQ(result.error().code, ErrorCode::io);
      EXPECT_TRUE(result.error().message.starts_with("rank " + std::to_string(seed % 4))) << result.error().message;
    });
  }
}

TEST(Migration, RanksThatShareTheWorkInDifferentWaysAreRefused) {
  const GraphView graph = uneven_graph(true);
  run_simulated_cluster(2, 1, [&](Transport& transport) {
    Ranks ranks(transport);
    if (transport.rank() == 1) ranks.set(halves());
    const Status status = ranks.divide(graph);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::invalid_argument);
    EXPECT_NE(status.error().message.find("same partition, migration and rank_cache"), std::string::npos);
  });
}

}  // namespace
}  // namespace rizoma
