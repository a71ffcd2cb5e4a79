// Louvain and Leiden with objectives other than modularity, sizes of vertices, and vertices that stay where they are.
#include <rizoma/algorithms/leiden.h>
#include <rizoma/algorithms/louvain.h>

#include "testing/graph_shapes.h"
#include "testing/partition_oracles.h"

#include <cmath>
#include <functional>

namespace rizoma {
namespace {

using testing::build_graph;
using enum CommunityObjective;
using Finder = Result<Communities> (*)(Engine&, const GraphView&, const CommunityOptions&);

constexpr CommunityObjective kAll[] = {modularity, rb, rber, cpm};

bool has_sizes(CommunityObjective objective) { return objective == rber || objective == cpm; }

/// The value of any objective, by its definition.
double value_of(const GraphView& graph, std::span<const std::uint64_t> labels, CommunityObjective objective,
                double resolution, std::span<const double> sizes) {
  if (objective == cpm) return potts_oracle(graph, labels, resolution, sizes);
  if (objective == rber) return potts_oracle(graph, labels, resolution * pair_density(graph, sizes), sizes);
  double weight = 0;
  for (const testing::TestEdge& edge : testing::entries_of(graph))
    weight += edge.source == edge.target && !graph.directed() ? 2 * edge.weight : edge.weight;
  const double found = modularity_oracle(graph, labels, resolution);
  return objective == rb ? weight * found : found;
}

std::vector<double> some_sizes(VertexId n, bool whole) {
  std::vector<double> sizes(n);
  for (VertexId v = 0; v < n; ++v) sizes[v] = static_cast<double>(v * 7 % 5 + v % 2) * (whole ? 1 : 0.1);
  return sizes;
}

std::vector<std::uint64_t> labels_of(const Communities& found) {
  return {found.labels.span().begin(), found.labels.span().end()};
}

/// Complete graphs of 10, one after the other in a ring.
GraphView cliques(VertexId count) {
  std::vector<testing::TestEdge> edges;
  for (VertexId u = 0; u < count * 10; ++u) {
    for (VertexId v = u / 10 * 10; v < u; ++v) edges.push_back({u, v, 1});
    if (u % 10 == 0) edges.push_back({u, (u + 11) % (count * 10), 1});
  }
  return build_graph(count * 10, edges, {});
}

class ObjectiveOnShapes : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, ObjectiveOnShapes, testing_shapes());

TEST_P(ObjectiveOnShapes, QualityIsThatOfTheDefinition) {
  for (const WeightType weights : {WeightType::none, WeightType::float64}) {
    options.weights = weights;
    for (const auto& [edges, form] : small_graphs(options)) {
      const GraphView graph = build_graph(150, edges, form);
      const std::vector<double> sizes = some_sizes(graph.num_vertices(), weights == WeightType::none);
      const std::vector<double> alike(graph.num_vertices(), 1);
      for (const CommunityObjective objective : kAll) {
        for (const bool sized : {false, true}) {
          if (sized && !has_sizes(objective)) continue;
          const double resolution = objective == cpm ? 0.3 : 1.5;
          const auto result = leiden(engine, graph,
                                     {.resolution = resolution,
                                      .seed = 5,
                                      .objective = objective,
                                      .sizes = sized ? std::span<const double>(sizes) : std::span<const double>()});
          ASSERT_EQ(result.ok(), graph.has_in_edges());
          if (!result.ok()) continue;
          const double expected = value_of(graph, result->labels.span(), objective, resolution, sized ? sizes : alike);
          EXPECT_NEAR(result->quality, expected, 1e-9 * std::max(1.0, std::abs(expected)));
          EXPECT_EQ(std::isnan(result->modularity), has_sizes(objective));
          EXPECT_EQ(connected_parts(graph, result->labels.span()), result->count);
        }
      }
    }
  }
}

/// f(labels) for each partition of n vertices.
void for_each_partition(VertexId n, const std::function<void(std::span<const std::uint64_t>)>& f) {
  std::vector<std::uint64_t> labels(n);
  const std::function<void(VertexId, std::uint64_t)> extend = [&](VertexId v, std::uint64_t parts) {
    if (v == n) return f(labels);
    for (labels[v] = 0; labels[v] <= parts; ++labels[v]) {
      extend(v + 1, std::max(parts, labels[v] + 1));
      labels[v] = std::min(labels[v], parts);
    }
  };
  extend(0, 0);
}

/// The best of several seeds is the best of all partitions; no seed is better than it.
TEST(Objective, SmallGraphsReachTheOptimum) {
  Engine engine;
  unsigned reached = 0;
  unsigned graphs = 0;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const VertexId n = 5 + seed % 4;
    std::vector<testing::TestEdge> edges = testing::uniform_edges(n, 2 * n + seed % 7, seed + 1);
    for (std::size_t i = 0; i < edges.size(); ++i) edges[i].weight = 1 + static_cast<double>(i % 3);
    const bool directed = seed % 2 == 1;
    const GraphView graph = build_graph(n, edges, {.directed = directed, .weights = WeightType::float64});
    const std::vector<double> sizes = some_sizes(n, true);
    for (const CommunityObjective objective : kAll) {
      const double resolution = objective == cpm ? 0.4 : 1;
      double best = -std::numeric_limits<double>::infinity();
      for_each_partition(n, [&](std::span<const std::uint64_t> labels) {
        best = std::max(best, value_of(graph, labels, objective, resolution, sizes));
      });
      double most = -std::numeric_limits<double>::infinity();
      for (std::uint64_t chance = 0; chance < 12; ++chance) {
        CommunityOptions options{
            .resolution = resolution, .threshold = 0, .seed = chance, .iterations = 10, .objective = objective};
        if (has_sizes(objective)) options.sizes = sizes;
        const auto found = leiden(engine, graph, options);
        ASSERT_TRUE(found.ok());
        EXPECT_LE(found->quality, best + 1e-9);
        most = std::max(most, found->quality);
      }
      ++graphs;
      reached += most >= best - 1e-9 ? 1 : 0;
    }
  }
  EXPECT_GE(reached, graphs - graphs / 20) << graphs;
}

TEST(Objective, PottsFindsWhatIsDenserThanTheResolution) {
  const GraphView graph = cliques(60);
  Engine engine;
  for (const Finder find : {Finder{louvain}, Finder{leiden}}) {
    const auto within = [&](double resolution) {
      return find(engine, graph, {.resolution = resolution, .objective = cpm})->count;
    };
    EXPECT_EQ(within(0.5), 60U);  // whatever the number of cliques: no limit of resolution
    EXPECT_EQ(within(1.5), 600U);
    EXPECT_LT(within(1e-4), 60U);
    EXPECT_EQ(within(0), 1U);
    EXPECT_EQ(find(engine, graph, {.resolution = 1e300, .objective = cpm})->count, 600U);
  }
}

TEST(Objective, ScalesOfWeightsAndSizesDecideNothing) {
  std::vector<testing::TestEdge> edges = testing::rmat_edges(9, 3000, 3);
  const std::vector<double> sizes = some_sizes(1 << 9, true);
  Engine engine;
  const auto found = [&](double of_weights, double of_sizes, double resolution) {
    std::vector<testing::TestEdge> scaled = edges;
    for (testing::TestEdge& edge : scaled) edge.weight *= of_weights;
    std::vector<double> as_large = sizes;
    for (double& size : as_large) size *= of_sizes;
    const GraphView graph = build_graph(1 << 9, scaled, {.weights = WeightType::float64});
    const auto result =
        leiden(engine, graph, {.resolution = resolution, .seed = 4, .objective = cpm, .sizes = as_large});
    EXPECT_TRUE(result.ok());
    return labels_of(*result);
  };
  const std::vector<std::uint64_t> plain = found(1, 1, 0.25);
  EXPECT_EQ(found(0x1p-900, 1, 0x1p-902), plain);
  EXPECT_EQ(found(0x1p900, 0x1p500, 0x1p-102), plain);
  EXPECT_EQ(found(1, 0x1p-500, 0x1p998), plain);
}

/// What a community no longer suits goes to one of its own: a vertex, or with Leiden a group of them.
TEST(Objective, VerticesLeaveForCommunitiesOfTheirOwn) {
  const GraphView graph = cliques(8);
  const std::vector<std::uint64_t> together(80, 3);
  Engine engine;
  for (const CommunityObjective objective : kAll) {
    const CommunityOptions options{.resolution = objective == cpm ? 0.5 : 1, .start = together, .objective = objective};
    EXPECT_EQ(leiden(engine, graph, options)->count, 8U) << static_cast<int>(objective);
  }
  EXPECT_EQ(louvain(engine, graph, {.resolution = 0.5, .start = together, .objective = cpm})->count, 8U);
}

TEST(Objective, FixedVerticesStay) {
  Engine engine;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const VertexId n = 200;
    testing::BuildOptions form{.directed = seed % 2 == 1};
    const GraphView graph = build_graph(n, testing::uniform_edges(n, 700, seed + 1), form);
    std::vector<std::uint64_t> start(n);
    std::vector<VertexId> fixed;
    for (VertexId v = 0; v < n; ++v) {
      start[v] = v * (seed + 3) % 9;
      if (v % 4 == seed % 4) fixed.push_back(v);
    }
    for (const Finder find : {Finder{louvain}, Finder{leiden}}) {
      for (const CommunityObjective objective : kAll) {
        const double resolution = objective == cpm ? 0.05 : 1;
        const auto found = find(engine, graph,
                                {.resolution = resolution,
                                 .seed = seed,
                                 .start = start,
                                 .iterations = 2,
                                 .objective = objective,
                                 .fixed = fixed});
        ASSERT_TRUE(found.ok());
        for (const VertexId u : fixed) {
          for (const VertexId v : fixed)
            ASSERT_EQ(found->labels[u] == found->labels[v], start[u] == start[v]) << u << " " << v;
        }
        const auto alone = find(engine, graph, {.resolution = resolution, .objective = objective, .fixed = fixed});
        ASSERT_TRUE(alone.ok());
        EXPECT_GE(alone->count, fixed.size());
      }
    }
  }
}

TEST(Objective, TheAnswerDependsOnTheSeedAndNotOnTheThreads) {
  const VertexId n = 1 << 16;
  std::vector<testing::TestEdge> edges = testing::rmat_edges(16, 150000, 3);
  for (testing::TestEdge& edge : edges) edge.weight = 0.1 / edge.weight;
  const std::vector<double> sizes = some_sizes(n, false);
  std::vector<VertexId> fixed;
  for (VertexId v = 5; v < n; v += 97) fixed.push_back(v);
  for (const bool directed : {false, true}) {
    const GraphView graph = build_graph(n, edges, {.directed = directed, .weights = WeightType::float64});
    for (const Finder find : {Finder{louvain}, Finder{leiden}}) {
      for (const CommunityObjective objective : {rber, cpm}) {
        std::vector<std::uint64_t> first;
        double quality = 0;
        for (const unsigned threads : {1U, 2U, 5U}) {
          Engine engine({.threads = threads});
          const auto result = find(engine, graph,
                                   {.resolution = objective == cpm ? 0.01 : 1,
                                    .max_levels = 4,
                                    .seed = 9,
                                    .objective = objective,
                                    .sizes = sizes,
                                    .fixed = fixed});
          ASSERT_TRUE(result.ok());
          if (first.empty()) {
            first = labels_of(*result);
            quality = result->quality;
          }
          EXPECT_EQ(labels_of(*result), first) << threads;
          EXPECT_EQ(result->quality, quality);
        }
      }
    }
  }
}

}  // namespace
}  // namespace rizoma
