#include <rizoma/algorithms/dijkstra.h>

#include "base/random.h"
#include "testing/graph_shapes.h"
#include "testing/oracles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

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

/// Random points, and edges between near ones that are longer than the straight line.
struct Roads {
  std::vector<double> points;
  std::vector<testing::TestEdge> edges;
};

Roads random_roads(VertexId n, unsigned dimensions, double longer, std::uint64_t seed) {
  Random random(seed);
  Roads roads;
  for (VertexId i = 0; i < n * dimensions; ++i) roads.points.push_back(random.unit() * 100 - 50);
  const auto line = [&](VertexId u, VertexId v) {
    double squares = 0;
    for (unsigned i = 0; i < dimensions; ++i) {
      const double apart = roads.points[u * dimensions + i] - roads.points[v * dimensions + i];
      squares += apart * apart;
    }
    return std::sqrt(squares);
  };
  for (VertexId u = 0; u < n; ++u) {
    for (VertexId v = 0; v < n; ++v) {
      const double apart = line(u, v);
      if (u != v && apart < 25) roads.edges.push_back({u, v, apart * (1 + longer * random.unit())});
    }
  }
  return roads;
}

/// A path of the length that the oracle found, along edges; none where it is infinite.
void expect_shortest(const ShortestPath& found, double length, const std::vector<testing::TestEdge>& entries,
                     VertexId source, VertexId target) {
  ASSERT_EQ(found.vertices.empty(), std::isinf(length));
  if (found.vertices.empty()) return;
  ASSERT_NEAR(found.length, length, 1e-9 * length) << source << " to " << target;
  EXPECT_EQ(found.vertices.front(), source);
  EXPECT_EQ(found.vertices.back(), target);
  EXPECT_NEAR(length_along(entries, found.vertices), length, 1e-9 * length);
}

class PathsByCoordinates : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, PathsByCoordinates, testing_shapes());

TEST_P(PathsByCoordinates, HaveTheLengthsOfTheOracle) {
  for (const WeightType type : {WeightType::none, WeightType::int32, WeightType::float32, WeightType::float64}) {
    options.weights = type;
    for (const unsigned dimensions : {2U, 3U}) {
      const Roads roads = random_roads(70, dimensions, 0.7, dimensions);
      const GraphView graph = build_graph(70, roads.edges, options);
      const auto bound = distance_bound(engine, graph, roads.points, dimensions);
      ASSERT_TRUE(bound.ok());
      if (type == WeightType::float64) {
        EXPECT_NEAR(bound->scale, 1, 0.05);
      }
      const auto entries = entries_of(graph);
      for (const VertexId source : {VertexId{0}, VertexId{5}, VertexId{63}}) {
        const auto oracle = testing::oracle_distances(graph.num_vertices(), entries, source);
        for (VertexId target = 0; target < graph.num_vertices(); ++target) {
          const auto found = shortest_path(engine, graph, source, target, {.bound = &*bound});
          ASSERT_TRUE(found.ok());
          ASSERT_NO_FATAL_FAILURE(expect_shortest(*found, oracle[target], entries, source, target));
        }
      }
    }
  }
}

/// Distances from some vertices; of a directed graph, also those to them, negated.
std::vector<double> landmark_points(const GraphView& graph, unsigned landmarks) {
  auto entries = entries_of(graph);
  const unsigned ways = graph.directed() ? 2 : 1;
  std::vector<double> points(graph.num_vertices() * landmarks * ways);
  for (unsigned way = 0; way < ways; ++way) {
    for (unsigned i = 0; i < landmarks; ++i) {
      const auto distances = testing::oracle_distances(graph.num_vertices(), entries, i * 13);
      double farthest = 0;
      for (const double distance : distances)
        if (!std::isinf(distance)) farthest = std::max(farthest, distance);
      for (VertexId v = 0; v < graph.num_vertices(); ++v)
        points[v * landmarks * ways + way * landmarks + i] = (way == 0 ? 1 : -1) * std::min(distances[v], farthest);
    }
    for (testing::TestEdge& entry : entries) std::swap(entry.source, entry.target);
  }
  return points;
}

TEST_P(PathsByCoordinates, AreRightByLandmarks) {
  for (const WeightType type : {WeightType::none, WeightType::int32, WeightType::float64}) {
    options.weights = type;
    const GraphView graph = build_graph(70, random_roads(70, 2, 0.7, 8).edges, options);
    const auto entries = entries_of(graph);
    const unsigned dimensions = options.directed ? 10 : 5;
    const auto bound = distance_bound(engine, graph, landmark_points(graph, 5), dimensions, true, true);
    ASSERT_TRUE(bound.ok());
    EXPECT_NEAR(bound->scale, 1, 1e-9);
    VertexId settled = 0;
    VertexId settled_without = 0;
    for (VertexId source = 0; source < graph.num_vertices(); source += 11) {
      const auto oracle = testing::oracle_distances(graph.num_vertices(), entries, source);
      for (VertexId target = 0; target < graph.num_vertices(); ++target) {
        const auto found = shortest_path(engine, graph, source, target, {.bound = &*bound});
        ASSERT_TRUE(found.ok());
        ASSERT_NO_FATAL_FAILURE(expect_shortest(*found, oracle[target], entries, source, target));
        if (found->vertices.empty()) continue;
        settled += found->settled;
        settled_without += shortest_path(engine, graph, source, target)->settled;
      }
    }
    EXPECT_LT(settled, settled_without);
  }
}

TEST_P(PathsByCoordinates, AreRightWhateverTheCoordinatesAre) {
  options.weights = WeightType::int32;
  const auto edges = testing::rmat_edges(6, 300, 3);
  const GraphView graph = build_graph(64, edges, options);
  const auto entries = entries_of(graph);
  std::vector<double> random_points = random_roads(64, 2, 0, 9).points;
  for (const std::vector<double>& points : {random_points, std::vector<double>(128), std::vector<double>(128, 1e150)}) {
    const auto bound = distance_bound(engine, graph, points, 2);
    ASSERT_TRUE(bound.ok());
    for (VertexId source = 0; source < 64; source += 9) {
      const auto oracle = testing::oracle_distances(64, entries, source);
      for (VertexId target = 0; target < 64; ++target) {
        EXPECT_EQ(shortest_path(engine, graph, source, target, {.bound = &*bound})->length, oracle[target]);
      }
    }
  }
}

TEST(DistanceBoundOf, EdgesWithoutLengthSaysNothing) {
  Engine engine(EngineOptions{.threads = 2});
  testing::BuildOptions options;
  options.weights = WeightType::float64;
  const std::vector<testing::TestEdge> edges{{0, 1, 2}, {1, 2, 0}};
  const GraphView graph = build_graph(4, edges, options);
  const std::vector<double> line{0, 0, 1, 0, 1, 0, 9, 9};  // the edge of length 0 leads nowhere
  EXPECT_NEAR(distance_bound(engine, graph, line, 2)->scale, 2, 1e-9);
  const std::vector<double> apart{0, 0, 1, 0, 2, 0, 9, 9};
  const auto bound = distance_bound(engine, graph, apart, 2);
  EXPECT_EQ(bound->scale, 0);
  EXPECT_EQ(shortest_path(engine, graph, 0, 2, {.bound = &*bound})->length, 2);
  EXPECT_NEAR(distance_bound(engine, graph, apart, 2, false)->scale, 1, 1e-9);
}

TEST(ShortestPath, ByCoordinatesSettlesLess) {
  Engine engine(EngineOptions{.threads = 1});
  testing::BuildOptions options;
  options.weights = WeightType::float64;
  auto edges = testing::grid_edges(100, 100);
  Random random(1);
  for (testing::TestEdge& edge : edges) edge.weight = 1 + random.unit() / 10;
  const GraphView graph = build_graph(10000, edges, options);
  std::vector<double> points;
  for (unsigned v = 0; v < 10000; ++v) points.insert(points.end(), {v / 100 * 1.0, v % 100 * 1.0});
  const auto bound = distance_bound(engine, graph, points, 2);
  const auto plain = shortest_path(engine, graph, 5020, 5080);
  const auto led = shortest_path(engine, graph, 5020, 5080, {.bound = &*bound});
  ASSERT_TRUE(plain.ok() && led.ok());
  EXPECT_NEAR(plain->length, led->length, 1e-9);
  EXPECT_LT(led->settled, plain->settled / 3);
}

}  // namespace
}  // namespace rizoma
