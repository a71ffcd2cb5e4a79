// Influence maximization and the estimate of influence, against enumeration of all that may happen on tiny graphs.
#include <rizoma/algorithms/influence.h>
#include <rizoma/algorithms/influence_maximization.h>

#include "algorithms/influence/rr_sets.h"

#include "testing/graph_shapes.h"

#include <array>
#include <cmath>
#include <functional>

namespace rizoma {
namespace {

using testing::build_graph;
using testing::entries_of;
using testing::TestEdge;

/// Chance of each entry.
std::vector<double> chances(const GraphView& graph, const std::vector<TestEdge>& entries,
                            const CascadeOptions& options) {
  std::vector<double> degree(graph.num_vertices());
  std::vector<double> sum(graph.num_vertices());
  for (const TestEdge& edge : entries) degree[edge.target] += 1;
  std::vector<double> chance;
  for (const TestEdge& edge : entries) {
    chance.push_back(options.chance == EdgeChance::constant    ? options.probability
                     : options.chance == EdgeChance::by_degree ? 1 / degree[edge.target]
                                                               : edge.weight);
    sum[edge.target] += chance.back();
  }
  if (options.model == CascadeModel::linear_threshold) {
    for (std::size_t i = 0; i < entries.size(); ++i) chance[i] /= std::max(1.0, sum[entries[i].target]);
  }
  return chance;
}

/// What each vertex counts, some of them nothing; none: 1 each.
using Worths = std::vector<double>;
const std::array<Worths, 2> kWorths{Worths{}, Worths{0, 3, 1, 0.5, 2, 0, 5}};

/// How many vertices the seeds reach along open entries, or what these count.
double reached(VertexId n, const std::vector<TestEdge>& entries, const std::vector<bool>& open,
               const std::vector<VertexId>& seeds, const Worths& worths) {
  std::vector<bool> is_reached(n);
  for (const VertexId v : seeds) is_reached[v] = true;
  for (bool grew = true; grew;) {
    grew = false;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (!open[i] || !is_reached[entries[i].source] || is_reached[entries[i].target]) continue;
      is_reached[entries[i].target] = grew = true;
    }
  }
  double sum = 0;
  for (VertexId v = 0; v < n; ++v) sum += is_reached[v] ? (worths.empty() ? 1 : worths[v]) : 0;
  return sum;
}

/// Calls world(open, chance) for all that may happen.
void for_worlds(VertexId n, const std::vector<TestEdge>& entries, const std::vector<double>& chance, CascadeModel model,
                const std::function<void(const std::vector<bool>&, double)>& world) {
  std::vector<bool> open(entries.size());
  if (model == CascadeModel::independent_cascade) {
    const std::function<void(std::size_t, double)> next = [&](std::size_t i, double p) {
      if (p == 0) return;
      if (i == entries.size()) return world(open, p);
      open[i] = true;
      next(i + 1, p * chance[i]);
      open[i] = false;
      next(i + 1, p * (1 - chance[i]));
    };
    return next(0, 1);
  }
  const std::function<void(VertexId, double)> next = [&](VertexId v, double p) {
    if (p < 1e-15) return;
    if (v == n) return world(open, p);
    double none = 1;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (entries[i].target != v) continue;
      open[i] = true;
      next(v + 1, p * chance[i]);
      open[i] = false;
      none -= chance[i];
    }
    next(v + 1, p * none);
  };
  next(0, 1);
}

double exact_spread(const GraphView& graph, const CascadeOptions& options, const std::vector<VertexId>& seeds,
                    const Worths& worths) {
  const std::vector<TestEdge> entries = entries_of(graph);
  double spread = 0;
  for_worlds(graph.num_vertices(), entries, chances(graph, entries, options), options.model,
             [&](const std::vector<bool>& open, double p) {
               spread += p * reached(graph.num_vertices(), entries, open, seeds, worths);
             });
  return spread;
}

std::vector<CascadeOptions> all_cascades() {
  std::vector<CascadeOptions> all;
  for (const CascadeModel model : {CascadeModel::independent_cascade, CascadeModel::linear_threshold}) {
    for (const EdgeChance chance : {EdgeChance::constant, EdgeChance::by_degree, EdgeChance::weights}) {
      all.push_back({model, chance, 0.3});
    }
  }
  return all;
}

/// Seven vertices, directed (12 entries) or undirected (7 edges), with weights that are chances.
GraphView tiny(bool directed, std::uint64_t seed, std::vector<VertexId> removed = {}) {
  testing::BuildOptions form{.directed = directed, .weights = WeightType::float64};
  form.removed = std::move(removed);
  std::vector<TestEdge> edges = testing::uniform_edges(7, directed ? 12 : 7, seed);
  std::erase_if(edges, [](const TestEdge& edge) { return edge.source == edge.target; });
  for (TestEdge& edge : edges) edge.weight = edge.weight / 300;
  return build_graph(7, edges, form);
}

TEST(Influence, IsTheExpectationOverAllThatMayHappen) {
  Engine engine({.threads = 2});
  for (const bool directed : {false, true}) {
    const GraphView graph = tiny(directed, 5);
    for (const CascadeOptions& options : all_cascades()) {
      for (const Worths& worths : kWorths) {
        const std::vector<VertexId> seeds{1, 4};
        const double exact = exact_spread(graph, options, seeds, worths);
        const auto found = influence(engine, graph, seeds, options, 40000, 3, worths);
        ASSERT_TRUE(found.ok());
        const double width = worths.empty() ? 0.06 : 0.12;
        EXPECT_NEAR(found->mean, exact, width * 2 / 3)
            << static_cast<int>(options.model) << static_cast<int>(options.chance);
        EXPECT_LE(found->low, found->mean);
        EXPECT_LT(found->high - found->low, width);
      }
    }
  }
}

/// Both methods find seeds that are nearly the best two of vertices 0..5.
void expect_best(Engine& engine, const GraphView& graph, const CascadeOptions& options, const Worths& worths) {
  double best = 0;
  for (VertexId a = 0; a < 6; ++a) {
    for (VertexId b = 0; b < a; ++b) best = std::max(best, exact_spread(graph, options, {a, b}, worths));
  }
  for (const InfluenceMethod method : {InfluenceMethod::opim, InfluenceMethod::imm}) {
    const auto found = influence_maximization(
        engine, graph,
        {.cascade = options, .k = 2, .epsilon = 0.1, .delta = 0.001, .method = method, .weights = worths});
    ASSERT_TRUE(found.ok());
    ASSERT_EQ(found->seeds.size(), 2U);
    EXPECT_GE(found->guarantee, 1 - std::exp(-1.0) - 0.1 - 1e-9);
    const double spread = exact_spread(graph, options, found->seeds, worths);
    EXPECT_GE(spread, found->guarantee * best);
    EXPECT_GE(spread, 0.9 * best);  // greedy choice of two is better than its guarantee
    EXPECT_LE(found->lower_bound, spread + 1e-9);
    EXPECT_GE(found->upper_bound, best - 1e-9);
    EXPECT_NEAR(found->spread, spread, 0.15 * spread);
  }
}

TEST(InfluenceMaximization, FindsTheBestSeedsOfTinyGraphs) {
  Engine engine({.threads = 2});
  for (const bool directed : {false, true}) {
    const GraphView graph = tiny(directed, 8, {6});
    for (const CascadeOptions& options : all_cascades()) {
      for (const Worths& worths : kWorths) expect_best(engine, graph, options, worths);
    }
  }
}

TEST(InfluenceMaximization, SeedsDoNotDependOnThreads) {
  const GraphView graph =
      build_graph(1 << 12, testing::rmat_edges(12, 30000, 2), testing::BuildOptions{.directed = true});
  for (const CascadeOptions& options : {CascadeOptions{CascadeModel::independent_cascade, EdgeChance::constant, 0.2},
                                        CascadeOptions{CascadeModel::linear_threshold, EdgeChance::by_degree, 0}}) {
    std::vector<VertexId> first;
    for (const unsigned threads : {1U, 3U}) {
      Engine engine({.threads = threads});
      const auto found = influence_maximization(engine, graph, {.cascade = options, .k = 20, .epsilon = 0.2});
      ASSERT_TRUE(found.ok());
      if (first.empty()) first = found->seeds;
      EXPECT_EQ(found->seeds, first);
      if (options.chance == EdgeChance::constant) {
        EXPECT_LT(found->bytes, 2 * found->entries);  // half of what numbers of 4 bytes would take
      }
      if (threads > 1) continue;
      const auto simulated = influence(engine, graph, found->seeds, options, 2000);
      ASSERT_TRUE(simulated.ok());
      EXPECT_NEAR(found->spread, simulated->mean, 0.05 * simulated->mean);
    }
  }
}

TEST(InfluenceMaximization, SeedsThatThereAreCountAndAreNotTakenAgain) {
  std::vector<TestEdge> edges;
  for (VertexId v = 1; v < 20; ++v) edges.push_back({0, v, 1});
  for (VertexId v = 21; v < 30; ++v) edges.push_back({20, v, 1});
  const GraphView graph = build_graph(40, edges, testing::BuildOptions{.directed = true});
  Engine engine;
  const std::vector<VertexId> there{0};
  const CascadeOptions certain{CascadeModel::independent_cascade, EdgeChance::constant, 1};
  const auto found = influence_maximization(engine, graph, {.cascade = certain, .k = 1, .seeds = there});
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->seeds, std::vector<VertexId>{20});
  EXPECT_NEAR(found->spread, 30, 3);
  EXPECT_NEAR(found->gains[0], 10, 3);
  const auto all = influence_maximization(engine, graph, {.cascade = certain, .k = 39, .seeds = there});
  ASSERT_TRUE(all.ok());
  EXPECT_EQ(all->seeds.size(), 39U);
}

TEST(InfluenceMaximization, SeedsDoNotDependOnTheUnitOfWeights) {
  const VertexId n = 1 << 8;
  const GraphView graph = build_graph(n, testing::rmat_edges(8, 1500, 2), {.directed = true});
  Engine engine({.threads = 2});
  const CascadeOptions options{CascadeModel::independent_cascade, EdgeChance::constant, 0.1};
  Worths weights;
  for (VertexId v = 0; v < n; ++v) weights.push_back(static_cast<double>(v % 7));
  for (const InfluenceMethod method : {InfluenceMethod::opim, InfluenceMethod::imm}) {
    const auto find = [&](const Worths& worths) {
      return influence_maximization(engine, graph, {.cascade = options, .k = 5, .method = method, .weights = worths});
    };
    const auto first = find(weights);
    ASSERT_TRUE(first.ok());
    const auto simulated = influence(engine, graph, first->seeds, options, 500, 1, weights);
    ASSERT_TRUE(simulated.ok());
    for (const double unit : {1e300, 1e-300, 0x1p1000, 0x1p-1000}) {
      Worths other;
      for (const double each : weights) other.push_back(each * unit);
      const auto found = find(other);
      ASSERT_TRUE(found.ok());
      EXPECT_EQ(found->seeds, first->seeds);
      EXPECT_NEAR(found->spread / unit, first->spread, 1e-12 * first->spread);
      EXPECT_NEAR(found->lower_bound / unit, first->lower_bound, 1e-12 * first->spread);
      EXPECT_NEAR(found->upper_bound / unit, first->upper_bound, 1e-12 * first->spread);
      EXPECT_NEAR(found->gains[0] / unit, first->gains[0], 1e-12 * first->spread);
      const auto same = influence(engine, graph, first->seeds, options, 500, 1, other);
      ASSERT_TRUE(same.ok());
      EXPECT_NEAR(same->mean / unit, simulated->mean, 1e-12 * simulated->mean);
      EXPECT_NEAR(same->low / unit, simulated->low, 1e-12 * simulated->mean);
    }
  }
}

TEST(InfluenceMaximization, WeightsMayBeAsGreatOrSmallAsNumbersAre) {
  const GraphView graph = build_graph(4, testing::path_edges(4), {});
  Engine engine;
  const CascadeOptions certain{CascadeModel::independent_cascade, EdgeChance::constant, 1};
  const std::vector<VertexId> seeds{3};
  for (const double weight : {5e-324, 1e307, 1.7e308}) {
    const Worths weights{weight, 0, 0, 0};
    for (const InfluenceMethod method : {InfluenceMethod::opim, InfluenceMethod::imm}) {
      const auto found =
          influence_maximization(engine, graph, {.cascade = certain, .k = 1, .method = method, .weights = weights});
      ASSERT_TRUE(found.ok());
      EXPECT_NEAR(found->spread / weight, 1, 1e-9);
      EXPECT_NEAR(found->upper_bound / weight, 1, 1e-9);
    }
    for (const std::uint64_t runs : {1, 100, 10000}) {
      const auto found = influence(engine, graph, seeds, certain, runs, 1, weights);
      ASSERT_TRUE(found.ok());
      EXPECT_NEAR(found->mean / weight, 1, 1e-9);
      EXPECT_NEAR(found->high / weight, 1, 1e-9);
      EXPECT_NEAR(found->low / weight, runs == 1 ? 0 : 1, 1e-9);
    }
  }
}

TEST(Influence, DoesNotDependOnThreads) {
  const GraphView graph = build_graph(1 << 8, testing::rmat_edges(8, 1500, 2), {.directed = true});
  const std::vector<VertexId> seeds{1, 2};
  std::vector<double> first;
  for (const unsigned threads : {1U, 3U}) {
    Engine engine({.threads = threads});
    const auto found = influence(engine, graph, seeds, {}, 50003);
    ASSERT_TRUE(found.ok());
    if (first.empty()) first = {found->mean, found->low};
    EXPECT_EQ(first, (std::vector<double>{found->mean, found->low}));
  }
}

TEST(InfluenceMaximization, WhatIsSpilledGivesTheSameAnswer) {
  const GraphView graph = build_graph(1 << 9, testing::rmat_edges(9, 4000, 2), {.directed = true});
  for (const InfluenceMethod method : {InfluenceMethod::opim, InfluenceMethod::imm}) {
    for (const CascadeModel model : {CascadeModel::independent_cascade, CascadeModel::linear_threshold}) {
      InfluenceMaximizationOptions options{
          .cascade = {model, EdgeChance::by_degree, 0}, .k = 10, .epsilon = 0.2, .method = method};
      Engine engine(EngineOptions{.threads = 3});
      const auto whole = influence_maximization(engine, graph, options);
      ASSERT_TRUE(whole.ok()) << whole.error().message;
      EXPECT_EQ(whole->spilled_bytes, 0U);
      for (const std::uint64_t limit : {whole->bytes / 4, std::uint64_t{1}}) {
        options.max_bytes = limit;
        const auto spilled = influence_maximization(engine, graph, options);
        ASSERT_TRUE(spilled.ok()) << spilled.error().message;
        EXPECT_EQ(spilled->seeds, whole->seeds);
        EXPECT_EQ(spilled->gains, whole->gains);
        EXPECT_EQ(spilled->spread, whole->spread);
        EXPECT_EQ(spilled->upper_bound, whole->upper_bound);
        EXPECT_EQ(spilled->rr_sets, whole->rr_sets);
        EXPECT_EQ(spilled->entries, whole->entries);
        EXPECT_GT(spilled->spilled_bytes, spilled->bytes / 2);
        EXPECT_LE(spilled->bytes - spilled->spilled_bytes, limit);
      }
    }
  }
}

TEST(InfluenceMaximization, TheWayOfRrSetsToTheirMemoryGivesTheSameAnswer) {
  const GraphView graph = build_graph(1 << 10, testing::rmat_edges(10, 8000, 9), {.directed = true});
  for (const InfluenceMethod method : {InfluenceMethod::opim, InfluenceMethod::imm}) {
    for (const double probability : {0.02, 0.4}) {  // RR sets as differences, and as bits
      for (const std::uint64_t limit : {0, 1}) {    // in memory, and in files
        Engine engine(EngineOptions{.threads = 2});
        InfluenceMaximizationOptions options{
            .cascade = {CascadeModel::independent_cascade, EdgeChance::constant, probability},
            .k = 5,
            .epsilon = 0.3,
            .method = method,
            .max_bytes = limit};
        const auto direct = influence_maximization(engine, graph, options);
        ASSERT_TRUE(direct.ok());
        for (const RrSetStaging staging : {RrSetStaging::in_place, RrSetStaging::staged}) {
          options.staging = staging;
          const auto found = influence_maximization(engine, graph, options);
          ASSERT_TRUE(found.ok());
          EXPECT_EQ(found->seeds, direct->seeds);
          EXPECT_EQ(found->gains, direct->gains);
          EXPECT_EQ(found->bytes, direct->bytes);
          EXPECT_EQ(found->spilled_bytes, direct->spilled_bytes);
        }
      }
    }
  }
}

TEST(InfluenceMaximization, VerticesThatAreAlikeNeedNoMoreSketchesThanTheWorstCase) {
  const GraphView grid = build_graph(900, testing::grid_edges(30, 30), {});
  const GraphView apart = build_graph(2000, std::vector<TestEdge>(), {});
  for (const GraphView* graph : {&grid, &apart}) {
    InfluenceMaximizationOptions options{.cascade = {.probability = 0.1}, .k = 20};
    Engine engine;
    const auto opim = influence_maximization(engine, *graph, options);
    ASSERT_TRUE(opim.ok()) << opim.error().message;
    EXPECT_GE(opim->guarantee, 1 - std::exp(-1.0) - options.epsilon);
    options.method = InfluenceMethod::imm;
    const auto imm = influence_maximization(engine, *graph, options);
    ASSERT_TRUE(imm.ok()) << imm.error().message;
    EXPECT_LE(2 * opim->rr_sets, 5 * imm->rr_sets);  // a doubling beyond it, and a quarter to judge
  }
}

TEST(RrSets, AreChosenFromAndHitInTheLaterSegmentsAlone) {
  const GraphView graph = build_graph(1 << 9, testing::rmat_edges(9, 4000, 2), {.directed = true});
  const CascadeOptions cascade{.chance = EdgeChance::by_degree};
  const rr_sets::Roots roots(graph, {});
  for (const std::uint64_t limit : {0, 1}) {  // in memory, and in files
    Engine engine(EngineOptions{.threads = 2});
    Iteration loop(engine, graph, "influence_maximization");
    ASSERT_TRUE(loop.begin());
    rr_sets::Collection earlier(loop, cascade, roots, 7, "");
    ASSERT_TRUE(earlier.grow(5000, limit));
    rr_sets::Collection all(loop, cascade, roots, 7, "");
    ASSERT_TRUE(all.grow(5000, limit));
    const std::size_t first = all.num_segments();
    ASSERT_TRUE(all.grow(10000, limit));
    ASSERT_GT(all.num_segments(), first);
    const auto chosen = rr_sets::choose(all, first, graph.num_vertices(), 10, {}, graph);
    ASSERT_TRUE(chosen.ok());
    EXPECT_EQ(*all.hit(chosen->seeds, first), chosen->hits);
    EXPECT_EQ(*all.hit(chosen->seeds), *earlier.hit(chosen->seeds) + chosen->hits);
    const auto whole = rr_sets::choose(all, 0, graph.num_vertices(), 10, {}, graph);
    ASSERT_TRUE(whole.ok());
    EXPECT_GE(chosen->hits, *all.hit(whole->seeds, first) * 63 / 100);  // greedy choice is that good at least
  }
}

TEST(InfluenceMaximization, RefusesWhatMakesNoSense) {
  const GraphView graph = build_graph(4, testing::path_edges(4), {});
  Engine engine;
  const std::vector<VertexId> twice{1, 1};
  const auto code = [&](const InfluenceMaximizationOptions& options) {
    const auto found = influence_maximization(engine, graph, options);
    EXPECT_FALSE(found.ok());
    return found.ok() ? ErrorCode::io : found.error().code;
  };
  EXPECT_EQ(code({.k = 0}), ErrorCode::invalid_argument);
  EXPECT_EQ(code({.k = 5}), ErrorCode::invalid_argument);
  EXPECT_EQ(code({.k = 1, .epsilon = 0}), ErrorCode::invalid_argument);
  EXPECT_EQ(code({.k = 1, .delta = 1}), ErrorCode::invalid_argument);
  EXPECT_EQ(code({.k = 1, .seeds = twice}), ErrorCode::invalid_argument);
  EXPECT_EQ(code({.cascade = {.probability = 1.5}, .k = 1}), ErrorCode::invalid_argument);
  EXPECT_EQ(code({.cascade = {.chance = EdgeChance::weights}, .k = 1}), ErrorCode::unsupported);
  EXPECT_EQ(code({.k = 1, .max_bytes = 1, .spill_directory = "/not there"}), ErrorCode::not_found);
  EXPECT_FALSE(influence(engine, graph, twice, {}, 0).ok());
}

}  // namespace
}  // namespace rizoma
