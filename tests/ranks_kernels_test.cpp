// Kernels on simulated ranks against one machine.
#include <rizoma/algorithms/betweenness_centrality.h>
#include <rizoma/algorithms/bfs.h>
#include <rizoma/algorithms/clustering.h>
#include <rizoma/algorithms/connected_components.h>
#include <rizoma/algorithms/core_numbers.h>
#include <rizoma/algorithms/distance_sums.h>
#include <rizoma/algorithms/influence_maximization.h>
#include <rizoma/algorithms/label_propagation.h>
#include <rizoma/algorithms/louvain.h>
#include <rizoma/algorithms/pagerank.h>
#include <rizoma/algorithms/sssp.h>
#include <rizoma/algorithms/triangle_count.h>
#include <rizoma/detail/ranks.h>
#include <rizoma/engine.h>
#include <rizoma/graph_view.h>

#include "base/random.h"
#include "engine/sweep/isolated_blocks.h"
#include "testing/all_kernels.h"
#include "testing/dying_transport.h"
#include "testing/graph_builder.h"
#include "testing/simulated_transport.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
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
  constexpr WeightType kTypes[] = {WeightType::none, WeightType::int32, WeightType::float32, WeightType::float64};
  options.weights = kTypes[random.below(4)];
  if (options.weights == WeightType::float32 || options.weights == WeightType::float64) {
    for (TestEdge& edge : edges) edge.weight *= 0.37;  // sums of them are rounded
  }
  if (random.below(3) == 0) {
    for (int i = 0; i < 5; ++i) options.removed.push_back(random.below(n));
  }
  World world{testing::build_graph(n, edges, options), static_cast<Rank>(2 + random.below(6)),
              static_cast<unsigned>(1 + random.below(2)), ""};
  world.text = "seed " + std::to_string(seed) + ", " + std::to_string(world.ranks) + " ranks, " +
               std::to_string(world.graph.num_vertices()) + " vertices";
  return world;
}

/// Leaves maps that are full of nonsense to the calls that follow: who reads what he has not written finds it.
void soil(Engine& engine, VertexId n) {
  const auto one = [&](auto value) {
    std::vector<VertexMap<decltype(value)>> maps;
    for (int i = 0; i < 4; ++i) {
      maps.push_back(engine.make_unset_map<decltype(value)>(n));
      std::memset(static_cast<void*>(maps.back().data()), 0xa5, n * sizeof(value));
    }
  };
  one(std::uint8_t{});
  one(std::uint32_t{});
  one(std::uint64_t{});
}

/// Runs `kernel(engine)` on all ranks of a world and hands its result to `check(ranks, result)` on each.
template <class Kernel, class Check>
void on_ranks(const World& world, std::uint64_t seed, Kernel kernel, Check check) {
  run_simulated_cluster(world.ranks, seed, [&](Transport& transport) {
    NetworkTransport of_hosts(transport);
    Ranks ranks(seed % 8 < 3 ? of_hosts : transport);
    if (seed % 2 == 1) ranks.set({.batch_bytes = 1 + seed * 37 % 300});  // messages leave while others work
    Engine engine({.threads = world.threads, .ranks = &ranks});
    soil(engine, world.graph.num_vertices());
    auto result = kernel(engine);
    const Status status = ranks.finalize(result ? Status() : Status(result.error()));
    ASSERT_TRUE(status) << status.error().message;
    check(ranks, *result);
    ASSERT_TRUE(ranks.finalize({}));
  });
}

template <class T>
void gather(Ranks& ranks, VertexMap<T>& values) {
  ASSERT_TRUE(ranks.gather(values.data(), sizeof(T)));
}

VertexId live_vertex(const GraphView& graph, std::uint64_t seed) {
  VertexId v = seed % graph.num_vertices();
  while (!graph.is_live(v)) v = (v + 1) % graph.num_vertices();
  return v;
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
          gather(ranks, result.scores);
          EXPECT_EQ(result.iterations, expected->iterations);
          EXPECT_EQ(result.converged, expected->converged);
          for (VertexId v = 0; v < result.scores.size(); ++v) ASSERT_NEAR(result.scores[v], expected->scores[v], 1e-14);
        });
  }
}

TEST_P(KernelsOnRanks, Bfs) {
  const World world = world_of(GetParam());
  SCOPED_TRACE(world.text);
  Engine alone({.threads = 2});
  const VertexId source = live_vertex(world.graph, GetParam());
  for (const std::int64_t max_depth : {-1, 3}) {
    const BfsOptions options{.max_depth = max_depth};
    const auto expected = bfs(alone, world.graph, source, options);
    ASSERT_TRUE(expected);
    on_ranks(
        world, GetParam(), [&](Engine& engine) { return bfs(engine, world.graph, source, options); },
        [&](Ranks&, BfsResult& result) {
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

TEST(KernelsOnManyRanks, ASmallSearchIsWholeWhereItIsWanted) {
  // Paths of eight: a search reaches one of them, in the sections of two ranks at least.
  std::vector<TestEdge> edges;
  for (VertexId v = 0; v + 512 < 4096; ++v) edges.push_back({v, v + 512});
  const GraphView graph = testing::build_graph(4096, edges, {.section_bits = 6});
  for (const int to : {Ranks::kEveryRank, 1}) {
    run_simulated_cluster(3, 4, [&](Transport& transport) {
      Ranks ranks(transport);
      ranks.set_answers_to(to);
      Engine engine({.threads = 1, .ranks = &ranks});
      auto result = bfs(engine, graph, 5);
      ASSERT_TRUE(result);
      ASSERT_EQ(result->reached, 8U);
      for (VertexId v = 0; v < graph.num_vertices(); ++v) {
        const bool known = to == Ranks::kEveryRank || to == static_cast<int>(ranks.rank()) || ranks.owns(v);
        const bool reached = known && v % 512 == 5;
        EXPECT_EQ(result->levels[v], reached ? static_cast<int>(v / 512) : -1) << v;
        EXPECT_EQ(result->parents[v], !reached ? -1 : static_cast<int>(v < 512 ? 5 : v - 512)) << v;
      }
      ASSERT_TRUE(ranks.finalize({}));
    });
  }
}

TEST(KernelsOnManyRanks, ALargeSearchIsWholeWhereItIsWanted) {
  const GraphView graph = testing::build_graph(3000, testing::uniform_edges(3000, 4000, 7), {.section_bits = 6});
  Engine alone({.threads = 1});
  VertexId source = 0;
  auto expected = bfs(alone, graph, source);
  while (expected && expected->reached <= graph.num_vertices() / 4) expected = bfs(alone, graph, ++source);
  ASSERT_TRUE(expected);
  ASSERT_LT(expected->reached, graph.num_vertices());
  for (const std::uint64_t seed : {4U, 9U}) {  // of the first ranks share memory
    for (const int to : {Ranks::kEveryRank, 1}) {
      run_simulated_cluster(3, seed, [&](Transport& transport) {
        NetworkTransport of_hosts(transport);
        Ranks ranks(seed == 4 ? transport : of_hosts);
        ranks.set_answers_to(to);
        Engine engine({.threads = 1, .ranks = &ranks});
        soil(engine, graph.num_vertices());
        auto result = bfs(engine, graph, source);
        ASSERT_TRUE(result);
        const bool whole = to == Ranks::kEveryRank || to == static_cast<int>(ranks.rank());
        for (VertexId v = 0; v < graph.num_vertices(); ++v) {
          const bool known = whole || ranks.owns(v);
          ASSERT_EQ(result->levels[v], known ? expected->levels[v] : -1) << v;
          ASSERT_EQ(result->parents[v] >= 0, known && expected->levels[v] >= 0) << v;
        }
        ASSERT_TRUE(ranks.finalize({}));
      });
    }
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

TEST_P(KernelsOnRanks, Sssp) {
  const World world = world_of(GetParam());
  SCOPED_TRACE(world.text);
  Engine alone({.threads = 2});
  const VertexId source = live_vertex(world.graph, GetParam());
  for (const double delta : {0.0, 1e9}) {
    const auto expected = sssp(alone, world.graph, source, {.delta = delta});
    ASSERT_TRUE(expected);
    on_ranks(
        world, GetParam(), [&](Engine& engine) { return sssp(engine, world.graph, source, {.delta = delta}); },
        [&](Ranks&, SsspResult& result) {
          EXPECT_EQ(result.reached, expected->reached);
          EXPECT_NEAR(result.delta, expected->delta, 1e-12 * expected->delta);  // of sums in another order
          for (VertexId v = 0; v < result.distances.size(); ++v) {
            ASSERT_EQ(result.distances[v], expected->distances[v]) << v;
          }
        });
  }
}

TEST_P(KernelsOnRanks, LabelPropagation) {
  const World world = world_of(GetParam());
  if (world.graph.directed() && !world.graph.has_in_edges()) GTEST_SKIP() << "a world without in-edges";
  SCOPED_TRACE(world.text);
  Engine alone({.threads = 2});
  const bool weighted = world.graph.weight_type() != WeightType::none && GetParam() % 2 == 0;
  for (const bool synchronous : {true, false}) {
    const LabelPropagationOptions options{
        .synchronous = synchronous, .max_iter = synchronous ? 6U : 2U, .seed = 7, .use_weights = weighted};
    const auto expected = label_propagation(alone, world.graph, options);
    ASSERT_TRUE(expected);
    on_ranks(
        world, GetParam(),
        [&](Engine& engine) {
          LabelPropagationOptions mine = options;
          mine.seed += engine.ranks()->rank();  // that of the first rank counts
          return label_propagation(engine, world.graph, mine);
        },
        [&](Ranks& ranks, LabelPropagationResult& result) {
          gather(ranks, result.labels);
          EXPECT_EQ(result.count, expected->count);
          EXPECT_EQ(result.iterations, expected->iterations);
          EXPECT_EQ(result.converged, expected->converged);
          for (VertexId v = 0; v < result.labels.size(); ++v) {
            ASSERT_EQ(result.labels[v], expected->labels[v]) << v;
          }
        });
  }
}

TEST_P(KernelsOnRanks, Triangles) {
  const World world = world_of(GetParam());
  if (world.graph.directed() && !world.graph.has_in_edges()) GTEST_SKIP() << "a world without in-edges";
  SCOPED_TRACE(world.text);
  Engine alone({.threads = 2});
  for (const bool per_vertex : {true, false}) {
    const auto expected = triangle_count(alone, world.graph, {.per_vertex = per_vertex});
    ASSERT_TRUE(expected);
    on_ranks(
        world, GetParam(),
        [&](Engine& engine) { return triangle_count(engine, world.graph, {.per_vertex = per_vertex}); },
        [&](Ranks& ranks, TriangleCountResult& result) {
          EXPECT_EQ(result.total, expected->total);
          ASSERT_EQ(result.counts.size(), expected->counts.size());
          if (per_vertex) gather(ranks, result.counts);
          for (VertexId v = 0; v < result.counts.size(); ++v) ASSERT_EQ(result.counts[v], expected->counts[v]) << v;
        });
  }
}

TEST_P(KernelsOnRanks, CoreNumbers) {
  const World world = world_of(GetParam());
  if (world.graph.directed() && !world.graph.has_in_edges()) GTEST_SKIP() << "a world without in-edges";
  SCOPED_TRACE(world.text);
  Engine alone({.threads = 2});
  const auto expected = core_numbers(alone, world.graph);
  ASSERT_TRUE(expected);
  on_ranks(
      world, GetParam(), [&](Engine& engine) { return core_numbers(engine, world.graph); },
      [&](Ranks& ranks, CoreNumbersResult& result) {
        gather(ranks, result.cores);
        EXPECT_EQ(result.greatest, expected->greatest);
        for (VertexId v = 0; v < result.cores.size(); ++v) ASSERT_EQ(result.cores[v], expected->cores[v]) << v;
      });
}

TEST_P(KernelsOnRanks, Louvain) {
  const World world = world_of(GetParam());
  if (world.graph.directed() && !world.graph.has_in_edges()) GTEST_SKIP() << "a world without in-edges";
  SCOPED_TRACE(world.text);
  Engine alone({.threads = 2});
  std::vector<std::uint64_t> start;
  for (VertexId v = 0; v < world.graph.num_vertices(); ++v) start.push_back(v / 7);
  const std::vector<VertexId> changed{live_vertex(world.graph, GetParam())};
  for (const int way : {0, 1, 2}) {
    CommunityOptions options{.seed = GetParam(), .use_weights = way != 1, .iterations = way == 1 ? 2 : 1};
    if (way == 2) {
      options.start = start;
      options.changed = changed;
    }
    const auto expected = louvain(alone, world.graph, options);
    ASSERT_TRUE(expected);
    on_ranks(
        world, GetParam(),
        [&](Engine& engine) {
          CommunityOptions same = options;
          same.seed += engine.ranks()->rank();  // that of the first rank counts
          return louvain(engine, world.graph, same);
        },
        [&](Ranks&, Communities& result) {
          EXPECT_EQ(result.count, expected->count);
          EXPECT_EQ(result.modularity, expected->modularity);
          ASSERT_EQ(result.levels.size(), expected->levels.size());
          EXPECT_TRUE(std::ranges::equal(result.labels.span(), expected->labels.span()));
          for (std::size_t i = 0; i < result.levels.size(); ++i) {
            EXPECT_TRUE(std::ranges::equal(result.levels[i].span(), expected->levels[i].span())) << i;
          }
        });
  }
}

TEST(KernelsOnManyRanks, LouvainNeedsRunsOfSections) {
  const GraphView graph = testing::build_graph(300, testing::uniform_edges(300, 900, 7), {.section_bits = 6});
  run_simulated_cluster(2, 1, [&](Transport& transport) {
    Ranks ranks(transport);
    ranks.set({.partition = PlacementPolicy::round_robin});
    Engine engine({.threads = 1, .ranks = &ranks});
    const auto result = louvain(engine, graph);
    const Status status = ranks.finalize(result ? Status() : Status(result.error()));
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::unsupported);
    EXPECT_EQ(status.error().message,
              "louvain on several ranks needs contiguous sections; set partition to auto, chunk or halves");
  });
}

/// Sections of the largest degrees first, as a store in order of degree has them.
GraphView in_order_of_degree() {
  std::vector<TestEdge> edges;
  for (VertexId v = 1; v < 400; ++v) edges.push_back({v / 10, v});
  return testing::build_graph(400, edges, {.section_bits = 6});
}

TEST(KernelsOnManyRanks, SectionsInOrderOfDegreeAreDealtOutButForLouvain) {
  const GraphView graph = in_order_of_degree();
  Engine alone({.threads = 1});
  const auto expected = louvain(alone, graph);
  ASSERT_TRUE(expected);
  run_simulated_cluster(2, 1, [&](Transport& transport) {
    Ranks ranks(transport);
    Engine engine({.threads = 1, .ranks = &ranks});
    for (int i = 0; i < 2; ++i) {
      ASSERT_TRUE(ranks.divide(graph));
      EXPECT_GT(ranks.ranges_of(0).size(), 1U) << "no run";
      ASSERT_TRUE(ranks.finalize({}));
      const auto result = louvain(engine, graph);
      ASSERT_TRUE(result);
      EXPECT_EQ(ranks.ranges_of(0).size() + ranks.ranges_of(1).size(), 2U) << "runs";
      EXPECT_TRUE(std::ranges::equal(result->labels.span(), expected->labels.span()));
      ASSERT_TRUE(ranks.finalize({}));
    }
  });
}

/// From few sources the ranks search together, from many each on its own.
TEST_P(KernelsOnRanks, Betweenness) {
  const World world = world_of(GetParam());
  SCOPED_TRACE(world.text);
  Engine alone({.threads = 2});
  const VertexId first = live_vertex(world.graph, GetParam());
  const VertexId second = live_vertex(world.graph, GetParam() + world.graph.num_vertices() / 2);
  std::vector<VertexId> few{first};
  if (second != first) few.push_back(second);
  std::vector<VertexId> many;
  for (VertexId v = 0; v < world.graph.num_vertices() && many.size() < 60; ++v) {
    if (world.graph.is_live(v)) many.push_back(v);
  }
  for (const std::vector<VertexId>& sources : {few, many}) {
    const auto expected = betweenness_centrality(alone, world.graph, {.sources = sources, .normalized = false});
    ASSERT_TRUE(expected);
    on_ranks(
        world, GetParam(),
        [&](Engine& engine) {
          const std::vector<VertexId> other{first};  // the sources of the first rank count
          return betweenness_centrality(
              engine, world.graph, {.sources = engine.ranks()->rank() == 0 ? sources : other, .normalized = false});
        },
        [&](Ranks& ranks, BetweennessResult& result) {
          gather(ranks, result.scores);
          EXPECT_EQ(result.sources, expected->sources);
          for (VertexId v = 0; v < result.scores.size(); ++v) {
            if (std::isnan(expected->scores[v])) {
              ASSERT_TRUE(std::isnan(result.scores[v])) << v;
            } else {
              ASSERT_NEAR(result.scores[v], expected->scores[v], 1e-9 * (1 + expected->scores[v])) << v;
            }
          }
        });
  }
}

/// Sums of distances from more sources than search at once, some of them twice; those of the first rank count.
template <class Kernel, class Check>
void compare_sums(std::uint64_t seed, Kernel kernel, Check check) {
  const World world = world_of(seed);
  SCOPED_TRACE(world.text);
  Engine alone({.threads = 2});
  std::vector<VertexId> sources;
  for (std::uint64_t i = 0; i < 70; ++i) sources.push_back(live_vertex(world.graph, seed + i * 37));
  for (const Direction direction : {Direction::out, Direction::in}) {
    const auto expected = kernel(alone, world.graph, sources, direction);
    if (!expected.ok()) continue;  // without in-edges
    const auto on_one = [&](Engine& engine) {
      return kernel(engine, world.graph, std::span(sources).subspan(engine.ranks()->rank()), direction);
    };
    on_ranks(world, seed, on_one, [&](Ranks&, const auto& result) {
      EXPECT_EQ(result.sources, sources);
      for (std::size_t i = 0; i < expected->sums.size(); ++i) {
        const auto of = [i](const auto& sums) { return std::tuple(sums.reached[i], sums.sums[i], sums.harmonic[i]); };
        ASSERT_EQ(of(result), of(*expected)) << i;
      }
      check(result, *expected);
    });
  }
}
TEST_P(KernelsOnRanks, DistanceSums) {
  compare_sums(GetParam(), distance_sums,
               [](const auto& result, const auto& expected) { EXPECT_EQ(result.eccentricity, expected.eccentricity); });
}

TEST_P(KernelsOnRanks, VertexDistanceSums) {
  compare_sums(GetParam(), vertex_distance_sums,
               [](const auto& result, const auto& expected) { EXPECT_EQ(result.farthest, expected.farthest); });
}

TEST_P(KernelsOnRanks, Clustering) {
  const World world = world_of(GetParam());
  SCOPED_TRACE(world.text);
  Engine alone({.threads = 2});
  if (world.graph.directed()) return;
  const auto expected = clustering(alone, world.graph);
  ASSERT_TRUE(expected);
  const auto kernel = [&](Engine& engine) { return clustering(engine, world.graph); };
  on_ranks(world, GetParam(), kernel, [&](Ranks&, ClusteringResult& result) {
    EXPECT_NEAR(result.average, expected->average, 1e-12);
    EXPECT_TRUE(std::ranges::equal(result.coefficients.span(), expected->coefficients.span()));
  });
}

INSTANTIATE_TEST_SUITE_P(Worlds, KernelsOnRanks, ::testing::Range<std::uint64_t>(0, 24));

TEST_P(KernelsOnRanks, InfluenceMaximization) {
  const World world = world_of(GetParam());
  SCOPED_TRACE(world.text);
  if (world.graph.directed() && !world.graph.has_in_edges()) return;
  Engine alone({.threads = 2});
  const VertexId k = std::min<VertexId>(world.graph.num_live(), 6);
  std::vector<double> worths;
  for (VertexId v = 0; v < world.graph.num_vertices(); ++v) worths.push_back(static_cast<double>(1 + v % 3));
  for (const InfluenceMethod method : {InfluenceMethod::opim, InfluenceMethod::imm}) {
    InfluenceMaximizationOptions options{.k = k, .epsilon = 0.4, .delta = 0.1, .method = method, .seed = 7};
    if (GetParam() % 3 == 1) options.cascade.model = CascadeModel::linear_threshold;
    if (GetParam() % 2 == 1) options.weights = worths;
    if (GetParam() % 5 == 2) options.max_bytes = 1 << 16;  // the rest goes to files
    const auto expected = influence_maximization(alone, world.graph, options);
    ASSERT_TRUE(expected) << expected.error().message;
    on_ranks(
        world, GetParam(), [&](Engine& engine) { return influence_maximization(engine, world.graph, options); },
        [&](Ranks&, const SeedsFound& found) {
          EXPECT_EQ(found.seeds, expected->seeds);
          EXPECT_EQ(found.gains, expected->gains);
          EXPECT_EQ(found.spread, expected->spread);
          EXPECT_EQ(found.guarantee, expected->guarantee);
          EXPECT_EQ(found.rr_sets, expected->rr_sets);
          EXPECT_EQ(found.entries, expected->entries);
        });
  }
}

TEST(KernelsOnManyRanks, InfluenceTakesTheSeedOfTheFirstRank) {
  const World world = world_of(1);
  Engine alone({.threads = 1});
  InfluenceMaximizationOptions options{.k = 3, .epsilon = 0.5, .seed = 100};
  const auto expected = influence_maximization(alone, world.graph, options);
  ASSERT_TRUE(expected);
  run_simulated_cluster(3, 9, [&](Transport& transport) {
    Ranks ranks(transport);
    Engine engine({.threads = 1, .ranks = &ranks});
    InfluenceMaximizationOptions mine = options;
    mine.seed += ranks.rank();
    mine.max_bytes = ranks.rank() == 1 ? 1 << 18 : 0;
    const auto found = influence_maximization(engine, world.graph, mine);
    ASSERT_TRUE(ranks.finalize(found ? Status() : Status(found.error())));
    EXPECT_EQ(found->seeds, expected->seeds);
    mine.k = 2 + ranks.rank();
    const auto refused = influence_maximization(engine, world.graph, mine);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
    ASSERT_TRUE(ranks.finalize({}));
  });
}

TEST(KernelsOnManyRanks, PageRankOn256) {
  const GraphView graph = testing::build_graph(1 << 14, testing::rmat_edges(14, 30'000, 1), {.section_bits = 6});
  Engine alone({.threads = 1});
  const auto expected = pagerank(alone, graph, {.max_iter = 2});
  ASSERT_TRUE(expected);
  on_ranks(
      {graph, 256, 1, ""}, 1, [&](Engine& engine) { return pagerank(engine, graph, {.max_iter = 2}); },
      [&](Ranks& ranks, PageRankResult& result) {
        for (const VertexRange range : ranks.ranges_of(ranks.rank())) {
          for (VertexId v = range.begin; v < range.end; ++v) ASSERT_NEAR(result.scores[v], expected->scores[v], 1e-12);
        }
        EXPECT_EQ(ranks.traffic().ranks, 256U);
        EXPECT_GT(ranks.traffic().total().bytes, 0U);
      });
}

TEST(KernelsOnManyRanks, OneBlockWithoutEdgesStandsForAllOfItsRank) {
  constexpr VertexId kVertices = 3000;
  BuildOptions build{.weights = WeightType::int32, .section_bits = 6};
  build.removed = {0, 1, 700, 2999};
  const GraphView graph = testing::build_graph(kVertices, testing::rmat_edges(9, 1500, 3), build);
  Engine alone({.threads = 2});
  for (const std::uint64_t seed : {5U, 9U}) {  // of the first ranks share memory
    for (const PageRankOptions& options : {PageRankOptions{.tol = 0, .max_iter = 1, .accelerate = false},
                                           PageRankOptions{.tol = 1e-9, .max_iter = 100, .accelerate = false},
                                           PageRankOptions{.tol = 1e-9, .max_iter = 100, .use_weights = true},
                                           PageRankOptions{.tol = 1e-9, .max_iter = 100, .accelerate = true}}) {
      const auto expected = pagerank(alone, graph, options);
      ASSERT_TRUE(expected);
      on_ranks(
          {graph, 5, 1, ""}, seed, [&](Engine& engine) { return pagerank(engine, graph, options); },
          [&](Ranks& ranks, PageRankResult& result) {
            gather(ranks, result.scores);
            EXPECT_EQ(result.iterations, expected->iterations);
            EXPECT_NEAR(result.error, expected->error, 1e-14);
            for (VertexId v = 0; v < kVertices; ++v) ASSERT_NEAR(result.scores[v], expected->scores[v], 1e-14);
          });
    }
  }
  std::atomic<VertexId> left_out = 0;
  on_ranks(
      {graph, 5, 1, ""}, 5,
      [&](Engine& engine) -> Result<IsolatedBlocks> {
        RIZOMA_TRY(engine.ranks()->divide(graph));
        return IsolatedBlocks::find(engine, graph, [degrees = Degrees(graph)](VertexId v) { return degrees[v] == 0; });
      },
      [&](Ranks& ranks, IsolatedBlocks& isolated) {
        EXPECT_TRUE(isolated.one == kNoVertex || ranks.owns(isolated.one));
        EXPECT_FALSE(isolated.others.contains(isolated.one));
        isolated.others.for_each([&](VertexId v) { EXPECT_TRUE(ranks.owns(v)); });
        left_out += isolated.others.count();
      });
  EXPECT_GT(left_out, kVertices * 2 / 3) << "one block of each rank is not, nor are those with a removed vertex";
}

/// How many entries of lists all engines together have looked at in a search by `kernel(engine)`.
template <class Kernel>
std::uint64_t entries_read(Engine& engine, Kernel kernel) {
  engine.reset_traffic();
  EXPECT_TRUE(kernel(engine));
  const SweepCount counted = engine.traffic().total();
  return counted.local.edges + counted.remote.edges;
}

TEST(KernelsOnManyRanks, ASearchTurnsRoundWhereItDoesInOneProcess) {
  for (const std::uint64_t seed : {4U, 5U, 6U}) {  // ranks share memory: none looks for a boundary
    const GraphView graph = testing::build_graph(1 << 14, testing::rmat_edges(14, 60'000, seed), {.section_bits = 6});
    const auto search = [&](Engine& engine) { return bfs(engine, graph, 1); };
    Engine alone({.threads = 1});
    constexpr Rank kRanks = 3;  // of the vertex that it begins with each reads the list
    const EdgeCount again = graph.with_out([](const auto& out) { return (kRanks - 1) * out.degree(1); });
    const std::uint64_t expected = entries_read(alone, search) + again;
    std::atomic<std::uint64_t> read = 0;
    run_simulated_cluster(kRanks, seed, [&](Transport& transport) {
      Ranks ranks(transport);
      Engine engine({.threads = 1, .ranks = &ranks});
      read += entries_read(engine, search);
      ASSERT_TRUE(ranks.finalize({}));
    });
    EXPECT_EQ(read, expected);
  }
}

/// Triangles whose corners live far from each other; one corner in two has a neighbour of its own.
TEST(KernelsOnManyRanks, CoreNumbersOn256) {
  constexpr VertexId kTriangles = 4096;
  std::vector<TestEdge> edges;
  for (VertexId v = 0; v < kTriangles; ++v) {
    for (VertexId corner = 0; corner < 3; ++corner) {
      edges.push_back({corner * kTriangles + v, (corner + 1) % 3 * kTriangles + v});
    }
    if (v % 2 == 0) edges.push_back({v, 3 * kTriangles + v});
  }
  const GraphView graph = testing::build_graph(4 * kTriangles, edges, {.section_bits = 6});
  on_ranks(
      {graph, 256, 1, ""}, 2, [&](Engine& engine) { return core_numbers(engine, graph); },
      [&](Ranks& ranks, CoreNumbersResult& result) {
        EXPECT_EQ(result.greatest, 2U);
        for (const VertexRange range : ranks.ranges_of(ranks.rank())) {
          for (VertexId v = range.begin; v < range.end; ++v) {
            ASSERT_EQ(result.cores[v], v < 3 * kTriangles ? 2U : v % 2 == 0 ? 1U : 0U) << v;
          }
        }
      });
}

TEST(KernelsOnManyRanks, PathsThatOverflowADoubleAreCountedAnewOnAllRanks) {
  // Each stage doubles the number of paths.
  constexpr VertexId kStages = 1030;
  std::vector<TestEdge> edges;
  for (VertexId stage = 0; stage < kStages; ++stage) {
    for (const VertexId middle : {1U, 2U}) {
      edges.push_back({3 * stage, 3 * stage + middle});
      edges.push_back({3 * stage + middle, 3 * stage + 3});
    }
  }
  const GraphView graph = testing::build_graph(3 * kStages + 1, edges, {.section_bits = 8});
  const std::vector<VertexId> sources{0};
  Engine alone({.threads = 1});
  const auto expected = betweenness_centrality(alone, graph, {.sources = sources, .normalized = false});
  ASSERT_TRUE(expected);
  on_ranks(
      {graph, 3, 1, ""}, 3,
      [&](Engine& engine) { return betweenness_centrality(engine, graph, {.sources = sources, .normalized = false}); },
      [&](Ranks& ranks, BetweennessResult& result) {
        gather(ranks, result.scores);
        for (VertexId v = 1; v < graph.num_vertices(); ++v) {
          ASSERT_NEAR(result.scores[v], expected->scores[v], 1e-9 * expected->scores[v]) << v;
        }
      });
}

TEST(KernelsOnManyRanks, TrianglesOfAGraphThatIsOrderedByDegree) {
  const GraphView graph =
      testing::build_graph(1 << 12, testing::rmat_edges(12, 40'000, 3), {.section_bits = 7, .by_degree = true});
  Engine alone({.threads = 1});
  const auto expected = triangle_count(alone, graph);
  ASSERT_TRUE(expected);
  ASSERT_GT(expected->total, 1000U);
  on_ranks(
      {graph, 5, 2, ""}, 5, [&](Engine& engine) { return triangle_count(engine, graph); },
      [&](Ranks& ranks, TriangleCountResult& result) {
        gather(ranks, result.counts);
        EXPECT_EQ(result.total, expected->total);
        for (VertexId v = 0; v < graph.num_vertices(); ++v) ASSERT_EQ(result.counts[v], expected->counts[v]) << v;
      });
}

TEST(KernelsOnManyRanks, TrianglesOfAGraphWithoutInEdgesAreRefused) {
  const GraphView graph =
      testing::build_graph(100, testing::path_edges(100), {.directed = true, .in_edges = false, .section_bits = 6});
  run_simulated_cluster(2, 1, [&](Transport& transport) {
    Ranks ranks(transport);
    Engine engine({.threads = 1, .ranks = &ranks});
    const auto result = triangle_count(engine, graph);
    const Status status = ranks.finalize(result ? Status() : Status(result.error()));
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::unsupported);
    EXPECT_NE(status.error().message.find("in_edges=True"), std::string::npos);
  });
}

TEST(KernelsOnManyRanks, AWeightThatIsRefusedIsTheErrorOfAll) {
  std::vector<TestEdge> edges = testing::path_edges(300);
  edges[270].weight = -1;
  const GraphView graph = testing::build_graph(300, edges, {.weights = WeightType::float64, .section_bits = 6});
  run_simulated_cluster(4, 3, [&](Transport& transport) {
    Ranks ranks(transport);
    Engine engine({.threads = 1, .ranks = &ranks});
    const auto result = sssp(engine, graph, 0, {.delta = 1e9});
    const Status status = ranks.finalize(result ? Status() : Status(result.error()));
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::invalid_argument);
    EXPECT_NE(status.error().message.find("edge 270 -> 271 (internal ids) has weight -1"), std::string::npos)
        << status.error().message;
  });
}

TEST(KernelsOnManyRanks, BucketsFarApartComeInTheirOrder) {
  std::vector<TestEdge> edges = testing::path_edges(200);
  for (TestEdge& edge : edges) edge.weight = 100;
  const GraphView graph = testing::build_graph(200, edges, {.weights = WeightType::float64, .section_bits = 6});
  on_ranks(
      {graph, 2, 1, ""}, 3, [&](Engine& engine) { return sssp(engine, graph, 0, {.delta = 0.05}); },
      [&](Ranks& ranks, SsspResult& result) {
        gather(ranks, result.distances.all());
        for (VertexId v = 0; v < 200; ++v) ASSERT_EQ(result.distances[v], 100 * static_cast<double>(v));
      });
}

TEST(KernelsOnManyRanks, DistancesThatDoNotFitAreFoundAgainOnAllRanks) {
  std::vector<TestEdge> edges = testing::path_edges(300);
  for (TestEdge& edge : edges) edge.weight = 2e9;
  const GraphView graph = testing::build_graph(300, edges, {.weights = WeightType::int32, .section_bits = 6});
  on_ranks(
      {graph, 4, 1, ""}, 4, [&](Engine& engine) { return sssp(engine, graph, 0, {}); },
      [&](Ranks& ranks, SsspResult& result) {
        gather(ranks, result.distances.all());
        for (VertexId v = 0; v < 300; ++v) ASSERT_EQ(result.distances[v], 2e9 * static_cast<double>(v));
      });
}

TEST(KernelsOnManyRanks, WhatDoesNotKnowRanksRefusesThemByName) {
  const std::set<std::string_view> shared{"betweenness_centrality",
                                          "bfs",
                                          "clustering",
                                          "connected_components",
                                          "core_numbers",
                                          "distance_sums",
                                          "influence_maximization",
                                          "katz_centrality",
                                          "label_propagation",
                                          "louvain",
                                          "pagerank",
                                          "sssp",
                                          "triangle_count",
                                          "vertex_distance_sums"};
  std::set<std::string> run;
  for (const bool directed : {false, true}) {
    const GraphView graph =
        testing::build_graph(300, testing::uniform_edges(300, 900, 7), {.directed = directed, .section_bits = 5});
    run_simulated_cluster(2, 5, [&](Transport& transport) {
      Ranks ranks(transport);
      Engine engine({.threads = 1, .ranks = &ranks});
      testing::run_each_kernel(engine, graph, [&](std::string_view kernel, const Status& status) {
        ASSERT_TRUE(ranks.finalize({}));
        if (ranks.rank() == 0) run.emplace(kernel);
        if (shared.contains(kernel) && !(directed && kernel == "clustering")) {
          EXPECT_TRUE(status) << kernel << ": " << status.error().message;
          return;
        }
        ASSERT_FALSE(status) << kernel;
        EXPECT_EQ(status.error().code, ErrorCode::unsupported) << kernel;
        EXPECT_TRUE(status.error().message.starts_with(kernel)) << status.error().message;
        EXPECT_NE(status.error().message.find(" runs on one rank only"), std::string::npos) << status.error().message;
      });
    });
  }
  EXPECT_GE(run.size(), 34U);
}

TEST(KernelsOnManyRanks, AnErrorOfTheArgumentsIsEverybodysOwn) {
  const GraphView graph = testing::build_graph(100, testing::path_edges(100), {.section_bits = 6});
  run_simulated_cluster(2, 1, [&](Transport& transport) {
    Ranks ranks(transport);
    Engine engine({.threads = 1, .ranks = &ranks});
    const auto result = pagerank(engine, graph, {.alpha = 2});
    ASSERT_FALSE(result);
    const Status status = ranks.finalize(result.error());
    EXPECT_EQ(status.error().message, "pagerank: alpha is 2; it must be at least 0 and below 1");
    ASSERT_TRUE(ranks.finalize(pagerank(engine, graph, {}) ? Status() : Status(Error{})));
  });
}

}  // namespace
}  // namespace rizoma
