// Kernels on simulated ranks against one machine.
#include <rizoma/algorithms/bfs.h>
#include <rizoma/algorithms/connected_components.h>
#include <rizoma/algorithms/pagerank.h>
#include <rizoma/engine.h>
#include <rizoma/ranks.h>

#include "base/random.h"
#include "testing/graph_builder.h"
#include "testing/simulated_transport.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace rizoma {
namespace {

using testing::BuildOptions;
using testing::TestEdge;

/// A random graph and number of ranks.
struct World {
  GraphView graph;
  Rank ranks;
  unsigned threads;
  std::string text;
};

World world_of(std::uint64_t seed) {
  Random random(seed);
  const VertexId n = 1 + random.below(seed % 5 == 0 ? 40 : 3000);
  std::vector<TestEdge> edges;
  switch (seed % 4) {
    case 0: edges = testing::uniform_edges(n, random.below(4 * n), seed); break;
    case 1: edges = testing::rmat_edges(10, random.below(20'000), seed); break;
    case 2: edges = testing::grid_edges(1 + random.below(30), 1 + random.below(60)); break;
    default: edges = testing::uniform_edges(n, n / 2, seed); break;
  }
  BuildOptions options;
  options.directed = random.below(2) == 0;
  options.in_edges = random.below(4) != 0;
  options.section_bits = static_cast<unsigned>(2 + random.below(7));
  options.wide = random.below(4) == 0;
  options.weights = random.below(2) == 0 ? WeightType::float32 : WeightType::none;
  if (random.below(3) == 0) {
    for (int i = 0; i < 5; ++i) options.removed.push_back(random.below(n));
  }
  World world{testing::build_graph(n, edges, options), static_cast<Rank>(2 + random.below(6)),
              static_cast<unsigned>(1 + random.below(2)), ""};
  world.text = "seed " + std::to_string(seed) + ", " + std::to_string(world.ranks) + " ranks, " +
               std::to_string(world.graph.num_vertices()) + " vertices";
  return world;
}

/// Runs `kernel(engine)` on all ranks of a world and hands its result to `check(ranks, result)` on each.
template <class Kernel, class Check>
void on_ranks(const World& world, std::uint64_t seed, Kernel kernel, Check check) {
  run_simulated_cluster(world.ranks, seed, [&](Transport& transport) {
    Ranks ranks(transport);
    Engine engine({.threads = world.threads, .ranks = &ranks});
    auto result = kernel(engine);
    const Status status = ranks.settle(result ? Status() : Status(result.error()));
    ASSERT_TRUE(status) << status.error().message;
    check(ranks, *result);
    ASSERT_TRUE(ranks.settle({}));
  });
}

template <class T>
void gather(Ranks& ranks, VertexMap<T>& values) {
  ASSERT_TRUE(ranks.gather(values.data(), sizeof(T)));
}

class KernelsOnRanks : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(KernelsOnRanks, PageRank) {
  const World world = world_of(GetParam());
  SCOPED_TRACE(world.text);
  Engine alone({.threads = 2});
  for (const bool weighted : {false, true}) {
    if (weighted && world.graph.weight_type() == WeightType::none) continue;
    const PageRankOptions options{.tol = 1e-9, .max_iter = 30, .use_weights = weighted};
    const auto expected = pagerank(alone, world.graph, options);
    ASSERT_TRUE(expected);
    on_ranks(
        world, GetParam(), [&](Engine& engine) { return pagerank(engine, world.graph, options); },
        [&](Ranks& ranks, PageRankResult& result) {
          gather(ranks, result.ranks);
          EXPECT_EQ(result.iterations, expected->iterations);
          EXPECT_EQ(result.converged, expected->converged);
          for (VertexId v = 0; v < result.ranks.size(); ++v) ASSERT_NEAR(result.ranks[v], expected->ranks[v], 1e-14);
        });
  }
}

TEST_P(KernelsOnRanks, Bfs) {
  const World world = world_of(GetParam());
  SCOPED_TRACE(world.text);
  Engine alone({.threads = 2});
  VertexId source = GetParam() % world.graph.num_vertices();
  while (!world.graph.is_live(source)) source = (source + 1) % world.graph.num_vertices();
  for (const std::int64_t max_depth : {-1, 3}) {
    const BfsOptions options{.max_depth = max_depth};
    const auto expected = bfs(alone, world.graph, source, options);
    ASSERT_TRUE(expected);
    on_ranks(
        world, GetParam(), [&](Engine& engine) { return bfs(engine, world.graph, source, options); },
        [&](Ranks& ranks, BfsResult& result) {
          gather(ranks, result.levels.all());
          gather(ranks, result.parents.all());
          EXPECT_EQ(result.reached, expected->reached);
          EXPECT_EQ(result.depth, expected->depth);
          for (VertexId v = 0; v < result.levels.size(); ++v) {
            ASSERT_EQ(result.levels[v], expected->levels[v]) << v;
            if (result.levels[v] <= 0) continue;
            const auto parent = static_cast<VertexId>(result.parents[v]);
            ASSERT_EQ(result.levels[parent], result.levels[v] - 1);
            world.graph.with_out([&](const auto& out) {
              const auto list = out.neighbors(parent);
              ASSERT_NE(std::find(list.begin(), list.end(), v), list.end());
            });
          }
        });
  }
}

TEST_P(KernelsOnRanks, ConnectedComponents) {
  const World world = world_of(GetParam());
  SCOPED_TRACE(world.text);
  Engine alone({.threads = 2});
  const auto expected = connected_components(alone, world.graph);
  ASSERT_TRUE(expected);
  on_ranks(
      world, GetParam(), [&](Engine& engine) { return connected_components(engine, world.graph); },
      [&](Ranks& ranks, ConnectedComponentsResult& result) {
        gather(ranks, result.labels);
        EXPECT_EQ(result.count, expected->count);
        EXPECT_EQ(result.largest, expected->largest);
        for (VertexId v = 0; v < result.labels.size(); ++v) ASSERT_EQ(result.labels[v], expected->labels[v]) << v;
      });
}

INSTANTIATE_TEST_SUITE_P(Worlds, KernelsOnRanks, ::testing::Range<std::uint64_t>(0, 24));

TEST(KernelsOnManyRanks, PageRankOn256) {
  const GraphView graph = testing::build_graph(1 << 14, testing::rmat_edges(14, 30'000, 1), {.section_bits = 6});
  Engine alone({.threads = 1});
  const auto expected = pagerank(alone, graph, {.max_iter = 2});
  ASSERT_TRUE(expected);
  on_ranks(
      {graph, 256, 1, ""}, 1, [&](Engine& engine) { return pagerank(engine, graph, {.max_iter = 2}); },
      [&](Ranks& ranks, PageRankResult& result) {
        for (const VertexRange range : ranks.ranges_of(ranks.rank())) {
          for (VertexId v = range.begin; v < range.end; ++v) ASSERT_NEAR(result.ranks[v], expected->ranks[v], 1e-12);
        }
        EXPECT_EQ(ranks.traffic().ranks, 256U);
        EXPECT_GT(ranks.traffic().total().bytes, 0U);
      });
}

TEST(KernelsOnManyRanks, AnErrorOfTheArgumentsIsEverybodysOwn) {
  const GraphView graph = testing::build_graph(100, testing::path_edges(100), {.section_bits = 6});
  run_simulated_cluster(2, 1, [&](Transport& transport) {
    Ranks ranks(transport);
    Engine engine({.threads = 1, .ranks = &ranks});
    const auto result = pagerank(engine, graph, {.alpha = 2});
    ASSERT_FALSE(result);
    const Status status = ranks.settle(result.error());
    EXPECT_EQ(status.error().message, "pagerank: alpha must lie in [0, 1)");
    ASSERT_TRUE(ranks.settle(pagerank(engine, graph, {}) ? Status() : Status(Error{})));
  });
}

}  // namespace
}  // namespace rizoma
