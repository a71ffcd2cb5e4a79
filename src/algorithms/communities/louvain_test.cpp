#include <rizoma/algorithms/louvain.h>
#include <rizoma/algorithms/partition_quality.h>

#include "testing/graph_shapes.h"
#include "testing/partition_oracles.h"

#include <limits>

namespace rizoma {
namespace {

using testing::build_graph;
using testing::entries_of;

class LouvainOnShapes : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, LouvainOnShapes, testing_shapes());

TEST_P(LouvainOnShapes, FindsGroupsAndTellsTheirModularity) {
  std::vector<testing::TestEdge> edges;  // eight complete graphs of 10 in a ring
  for (VertexId group = 0; group < 8; ++group) {
    for (VertexId u = 0; u < 10; ++u) {
      for (VertexId v = 0; v < 10; ++v) {
        if (u != v) edges.push_back({group * 10 + u, group * 10 + v});
      }
    }
    edges.push_back({group * 10, (group * 10 + 15) % 80});
  }
  const GraphView graph = build_graph(80, edges, options);
  const auto result = louvain(engine, graph);
  ASSERT_EQ(result.ok(), graph.has_in_edges());
  if (!result.ok()) return;
  EXPECT_EQ(result->count, 8U);
  for (VertexId v = 0; v < 80; ++v) EXPECT_EQ(result->labels[v], v / 10);
  EXPECT_NEAR(result->modularity, modularity_oracle(graph, result->labels.span(), 1), 1e-9);
}

TEST_P(LouvainOnShapes, LabelsAreDenseAndTheSeedDecides) {
  options.weights = WeightType::float64;
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    const auto result = louvain(engine, graph, {.seed = 7});
    if (!graph.has_in_edges()) continue;
    ASSERT_TRUE(result.ok());
    VertexId next = 0;
    for (const VertexId v : live_vertices(graph)) {
      ASSERT_LE(result->labels[v], next);
      if (result->labels[v] == next) ++next;
    }
    EXPECT_EQ(result->count, next);
    EXPECT_GE(result->modularity,
              modularity_oracle(graph, std::vector<std::uint64_t>(graph.num_vertices()), 1) - 1e-12);
    const auto again = louvain(engine, graph, {.seed = 7});
    ASSERT_TRUE(again.ok());
    EXPECT_THAT(again->labels.span(), ::testing::ElementsAreArray(result->labels.span()));
  }
}

/// A state of the queue that comes twice never ends: weights of 0 had edges of the coarse graph counted twice.
TEST_P(LouvainOnShapes, EndsWithWeightsOfZero) {
  if (options.directed && !options.in_edges) GTEST_SKIP() << "needs in-edges";
  options.weights = WeightType::float64;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    std::vector<testing::TestEdge> edges = testing::uniform_edges(60, 400, seed);
    for (std::size_t i = 0; i < edges.size(); ++i) edges[i].weight = i % 50 == 0 ? 0 : 1 + static_cast<double>(i % 7);
    const GraphView graph = build_graph(60, edges, options);
    const auto result = louvain(engine, graph, {.seed = seed});
    ASSERT_TRUE(result.ok());
    EXPECT_NEAR(result->modularity, modularity_oracle(graph, result->labels.span(), 1), 1e-9);
  }
}

/// Groups do not depend on the unit that weights are given in.
TEST_P(LouvainOnShapes, AllFiniteWeightsAreAlike) {
  if (options.directed && !options.in_edges) GTEST_SKIP() << "needs in-edges";
  options.weights = WeightType::float64;
  const auto run = [&](double unit) {
    std::vector<testing::TestEdge> edges = testing::rmat_edges(7, 500, 3);
    for (testing::TestEdge& edge : edges) edge.weight = unit;
    const GraphView graph = build_graph(128, edges, options);
    auto result = louvain(engine, graph, {.seed = 5});
    EXPECT_TRUE(result.ok());
    const auto quality = partition_quality(engine, graph, result->labels.span());
    EXPECT_TRUE(quality.ok());
    EXPECT_NEAR(quality->modularity, result->modularity, 1e-12);
    return *std::move(result);
  };
  const Communities expected = run(1);
  for (const double unit : {1e308, 1e154, 1e-165, 5e-324}) {
    const Communities result = run(unit);
    EXPECT_THAT(result.labels.span(), ::testing::ElementsAreArray(expected.labels.span())) << unit;
    EXPECT_NEAR(result.modularity, expected.modularity, 1e-12) << unit;
  }
}

TEST_P(LouvainOnShapes, RefusesAnEndlessResolution) {
  const GraphView graph = build_graph(4, testing::path_edges(4), options);
  EXPECT_FALSE(louvain(engine, graph, {.resolution = std::numeric_limits<double>::infinity()}).ok());
}

TEST_P(LouvainOnShapes, RefusesNegativeWeights) {
  options.weights = WeightType::float64;
  const GraphView graph = build_graph(2, std::vector<testing::TestEdge>{{0, 1, -1}}, options);
  EXPECT_FALSE(louvain(engine, graph).ok());
}

}  // namespace
}  // namespace rizoma
