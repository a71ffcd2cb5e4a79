#include <rizoma/algorithms/dijkstra.h>

#include "testing/graph_shapes.h"
#include "testing/oracles.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rizoma {
namespace {

using testing::build_graph;
using testing::entries_of;

class DijkstraTrees : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, DijkstraTrees, testing_shapes());

TEST_P(DijkstraTrees, HaveTheDistancesOfTheOracle) {
  for (const WeightType type : {WeightType::none, WeightType::int32, WeightType::float32, WeightType::float64}) {
    options.weights = type;
    const GraphView graph = build_graph(100, testing::rmat_edges(6, 300, 3), options);
    const std::vector<VertexId> sources{0, 1, 5, 63};
    const auto trees = dijkstra_trees(engine, graph, sources);
    ASSERT_TRUE(trees.ok());
    for (std::size_t s = 0; s < sources.size(); ++s) {
      std::vector<double> distances(graph.num_vertices(), std::numeric_limits<double>::infinity());
      for (std::size_t i = trees->offsets[s]; i < trees->offsets[s + 1]; ++i) {
        distances[trees->order[i]] = trees->distances[i];
        if (i > trees->offsets[s]) {
          EXPECT_LT(distances[trees->parents[i]], std::numeric_limits<double>::infinity());
          EXPECT_LE(trees->distances[i - 1], trees->distances[i]);
        }
      }
      ASSERT_EQ(distances, testing::oracle_distances(graph.num_vertices(), entries_of(graph), sources[s]));
    }
  }
}

TEST_P(DijkstraTrees, StopAtTheCutoffAndTheTarget) {
  const GraphView graph = build_graph(70, testing::path_edges(70), options);
  const auto near = dijkstra_trees(engine, graph, std::vector<VertexId>{10}, {{}, 3.5});
  ASSERT_TRUE(near.ok());
  EXPECT_EQ(near->distances.back(), 3);
  SearchOptions search;
  search.target = 12;
  const auto found = dijkstra_trees(engine, graph, std::vector<VertexId>{10}, {search});
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->order.back(), 12U);
}

TEST_P(DijkstraTrees, RefuseNegativeWeights) {
  options.weights = WeightType::float64;
  const std::vector<testing::TestEdge> edges{{0, 1, 1}, {1, 2, -1}};
  const GraphView graph = build_graph(3, edges, options);
  const auto trees = dijkstra_trees(engine, graph, std::vector<VertexId>{0});
  ASSERT_FALSE(trees.ok());
  EXPECT_EQ(trees.error().code, ErrorCode::invalid_argument);
}

/// Whether consecutive vertices have edges, and the least sum of their weights.
double length_along(const std::vector<testing::TestEdge>& entries, const std::vector<VertexId>& path) {
  double length = 0;
  for (std::size_t i = 1; i < path.size(); ++i) {
    double least = std::numeric_limits<double>::infinity();
    for (const testing::TestEdge& entry : entries) {
      if (entry.source == path[i - 1] && entry.target == path[i])
        least = std::min(least, static_cast<double>(entry.weight));
    }
    length += least;
  }
  return length;
}

class ShortestPaths : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, ShortestPaths, testing_shapes());

TEST_P(ShortestPaths, HaveTheLengthsOfTheOracle) {
  for (const WeightType type : {WeightType::none, WeightType::int32, WeightType::float32, WeightType::float64}) {
    options.weights = type;
    for (const std::uint64_t seed : {3U, 4U, 5U}) {
      const GraphView graph = build_graph(100, testing::rmat_edges(6, 150, seed), options);
      const auto entries = entries_of(graph);
      for (const VertexId source : {VertexId{0}, VertexId{5}, VertexId{63}}) {
        const auto oracle = testing::oracle_distances(graph.num_vertices(), entries, source);
        for (VertexId target = 0; target < graph.num_vertices(); ++target) {
          const auto found = shortest_path(engine, graph, source, target);
          ASSERT_TRUE(found.ok());
          ASSERT_DOUBLE_EQ(found->length, oracle[target]) << source << " to " << target;
          ASSERT_EQ(found->vertices.empty(), std::isinf(oracle[target]));
          if (found->vertices.empty()) continue;
          EXPECT_EQ(found->vertices.front(), source);
          EXPECT_EQ(found->vertices.back(), target);
          EXPECT_DOUBLE_EQ(length_along(entries, found->vertices), oracle[target]);
        }
      }
    }
  }
}

TEST_P(ShortestPaths, CountEdgesIfAskedTo) {
  options.weights = WeightType::float64;
  const std::vector<testing::TestEdge> edges{{0, 1, 1}, {1, 2, 1}, {0, 2, 10}};
  const GraphView graph = build_graph(3, edges, options);
  EXPECT_EQ(shortest_path(engine, graph, 0, 2)->vertices, (std::vector<VertexId>{0, 1, 2}));
  EXPECT_EQ(shortest_path(engine, graph, 0, 2, {.weighted = false})->vertices, (std::vector<VertexId>{0, 2}));
}

TEST_P(ShortestPaths, RefuseNegativeWeightsAndVerticesThatAreNotThere) {
  options.weights = WeightType::float64;
  const std::vector<testing::TestEdge> edges{{0, 1, -1}, {1, 2, 1}};
  const GraphView graph = build_graph(3, edges, options);
  EXPECT_EQ(shortest_path(engine, graph, 0, 2).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(shortest_path(engine, graph, 0, 3).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(shortest_path(engine, graph, 7, 0).error().code, ErrorCode::invalid_argument);
}

TEST(ShortestPath, OfALongPathSettlesLittle) {
  Engine engine(EngineOptions{.threads = 1});
  const GraphView graph = build_graph(10000, testing::path_edges(10000));
  const auto found = shortest_path(engine, graph, 4000, 4100);
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->length, 100);
  EXPECT_LE(found->settled, 210U);
}

}  // namespace
}  // namespace rizoma
