#include <rizoma/algorithms/sssp.h>

#include "base/random.h"
#include "testing/graph_shapes.h"
#include "testing/oracles.h"
#include "testing/shared_data.h"

#include <cmath>
#include <limits>
#include <sstream>

namespace rizoma {
namespace {

using testing::build_graph;
using testing::entries_of;
using ::testing::HasSubstr;
using testing::TestEdge;

void expect_correct(const GraphView& graph, VertexId source, const SsspResult& result) {
  const std::vector<double> distances = testing::oracle_distances(graph.num_vertices(), entries_of(graph), source);
  VertexId reached = 0;
  for (VertexId v = 0; v < graph.num_vertices(); ++v) {
    ASSERT_DOUBLE_EQ(result.distances[v], distances[v]) << v;
    reached += std::isfinite(distances[v]) ? 1 : 0;
  }
  EXPECT_EQ(result.reached, reached);
}

/// The width chosen for 4,096 vertices with ten edges each, of weight 64, to one of the `span` numbers that follow.
double width_chosen(VertexId span) {
  constexpr VertexId kVertices = 4096;
  Random random(5);
  std::vector<TestEdge> edges;
  for (VertexId v = 0; v < kVertices; ++v) {
    for (int i = 0; i < 10; ++i) edges.push_back({v, (v + 1 + random.below(span)) % kVertices, 64});
  }
  Engine engine({.threads = 2});
  const GraphView graph = build_graph(kVertices, edges, {.weights = WeightType::int32});
  const auto result = sssp(engine, graph, 0);
  EXPECT_TRUE(result.ok());
  return result->delta;
}

TEST(PathsWidth, IsGreaterWhereEdgesLeadToVerticesNearby) { EXPECT_GT(width_chosen(40), 4 * width_chosen(4095)); }

class Paths : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, Paths, testing_shapes());

TEST_P(Paths, AgreeWithTheOracleForEveryWeightTypeAndWidth) {
  for (const WeightType weights : {WeightType::none, WeightType::int32, WeightType::float32, WeightType::float64}) {
    auto weighted = options;
    weighted.weights = weights;
    for (const auto& [edges, form] : small_graphs(weighted)) {
      const GraphView graph = build_graph(150, edges, form);
      for (const double delta : {0.0, 0.25, 1.0, 100.0, 1e9}) {
        const auto result = sssp(engine, graph, 1, {.delta = delta});
        ASSERT_TRUE(result.ok());
        expect_correct(graph, 1, *result);
      }
    }
  }
}

TEST_P(Paths, AgreeWithTheOracleOnLargerGraphs) {
  options.weights = WeightType::int32;
  for (const auto& edges :
       {testing::rmat_edges(13, 80000, 1), testing::grid_edges(120, 90), testing::path_edges(3000)}) {
    const GraphView graph = build_graph(0, edges, options);
    const auto result = sssp(engine, graph, 0);
    ASSERT_TRUE(result.ok());
    expect_correct(graph, 0, *result);
  }
}

/// Distances and parents from several sources as single searches and the definition have them.
void expect_several(Engine& engine, const GraphView& graph, const std::vector<VertexId>& sources) {
  const VertexId n = graph.num_vertices();
  const auto entries = entries_of(graph);
  std::vector<double> nearest(n, std::numeric_limits<double>::infinity());
  for (const VertexId s : sources) {
    const auto distances = testing::oracle_distances(n, entries, s);
    for (VertexId v = 0; v < n; ++v) nearest[v] = std::min(nearest[v], distances[v]);
  }
  const auto result = sssp(engine, graph, sources);
  ASSERT_TRUE(result.ok());
  std::vector<double> found(n);
  for (VertexId v = 0; v < n; ++v) found[v] = result->distances[v];
  ASSERT_EQ(found, nearest);
  const auto parents = path_parents(engine, graph, found, sources);
  ASSERT_TRUE(parents.ok());
  for (VertexId v = 0; v < n; ++v) {
    const std::int64_t parent = (*parents)[v];
    const bool is_source = std::find(sources.begin(), sources.end(), v) != sources.end();
    ASSERT_EQ(parent < 0, std::isinf(nearest[v]));
    if (is_source) {
      ASSERT_EQ(parent, static_cast<std::int64_t>(v));
    }
    if (is_source || parent < 0) continue;
    std::int64_t least = -1;  // of the tight edges that are longer than 0
    for (const TestEdge& e : entries) {
      if (e.target != v || nearest[e.source] + e.weight != nearest[v] || nearest[e.source] == nearest[v]) continue;
      if (least < 0 || static_cast<std::int64_t>(e.source) < least) least = static_cast<std::int64_t>(e.source);
    }
    if (least >= 0) {
      ASSERT_EQ(parent, least);
    }
    VertexId steps = 0;  // the way back ends at a source
    for (VertexId at = v; (*parents)[at] != static_cast<std::int64_t>(at); at = static_cast<VertexId>((*parents)[at])) {
      ASSERT_LT(++steps, n);
    }
  }
}

TEST_P(Paths, FromSeveralSourcesAreTheNearestsAndHaveParents) {
  for (const WeightType weights : {WeightType::none, WeightType::int32, WeightType::float32, WeightType::float64}) {
    auto weighted = options;
    weighted.weights = weights;
    for (auto [edges, form] : small_graphs(weighted)) {
      for (std::size_t i = 0; i < edges.size(); i += 3) edges[i].weight = 0;
      const GraphView graph = build_graph(150, edges, form);
      for (const auto& sources : std::vector<std::vector<VertexId>>{{1}, {1, 2, 99}, {70, 70, 3, 149}}) {
        expect_several(engine, graph, sources);
      }
    }
  }
}

TEST_P(Paths, ParentsRefuseWhatHasNoMeaning) {
  const GraphView graph = build_graph(10, testing::path_edges(10), options);
  const std::vector<double> distances(9, 0);
  const std::vector<VertexId> none;
  EXPECT_FALSE(path_parents(engine, graph, distances, none).ok());
  EXPECT_FALSE(path_parents(engine, graph, std::vector<double>(10, 0), std::vector<VertexId>{10}).ok());
  EXPECT_FALSE(sssp(engine, graph, none).ok());
}

TEST_P(Paths, SurviveWeightsOfEveryMagnitude) {
  options.weights = WeightType::float64;
  auto edges = testing::rmat_edges(9, 4000, 7);
  Random random(3);
  for (TestEdge& e : edges) e.weight = std::exp2(static_cast<double>(random.below(200)) - 100);
  edges[10].weight = 0;
  edges[11].weight = std::numeric_limits<double>::infinity();
  const GraphView graph = build_graph(512, edges, options);
  for (const double delta : {0.0, 1e-30, 1e30}) {
    const auto result = sssp(engine, graph, 3, {.delta = delta});
    ASSERT_TRUE(result.ok());
    expect_correct(graph, 3, *result);
  }
}

TEST_P(Paths, LongerThan32BitsAreExact) {
  options.weights = WeightType::int32;
  auto edges = testing::path_edges(50);
  for (TestEdge& e : edges) e.weight = 2147483647;
  const auto result = sssp(engine, build_graph(50, edges, options), 0);
  ASSERT_TRUE(result.ok());
  for (VertexId v = 0; v < 50; ++v) ASSERT_EQ(result->distances[v], 2147483647.0 * static_cast<double>(v));
}

TEST_P(Paths, RefuseNegativeWeightsWithinReachOnly) {
  for (const WeightType weights : {WeightType::int32, WeightType::float32, WeightType::float64}) {
    options.weights = weights;
    options.directed = true;
    auto edges = testing::path_edges(40);
    edges.push_back({60, 61, -3});
    const auto unreachable = sssp(engine, build_graph(70, edges, options), 0);
    ASSERT_TRUE(unreachable.ok());
    edges.push_back({39, 5, -3});
    const auto reachable = sssp(engine, build_graph(70, edges, options), 0);
    ASSERT_FALSE(reachable.ok());
    EXPECT_EQ(reachable.error().code, ErrorCode::invalid_argument);
    EXPECT_THAT(reachable.error().message, HasSubstr("39 -> 5"));
  }
}

TEST_P(Paths, OfASearchThatReachesFewAreThoseOfOneThatReachesMany) {
  for (const WeightType weights : {WeightType::none, WeightType::int32, WeightType::float64}) {
    options.weights = weights;
    for (const VertexId n : {VertexId{60}, VertexId{5000}}) {  // with many and few of them within reach
      const GraphView graph = build_graph(n, testing::path_edges(50), options);
      auto result = sssp(engine, graph, 20);
      ASSERT_TRUE(result.ok());
      EXPECT_EQ(result->distances.reached() == nullptr, n == 60);
      expect_correct(graph, 20, *result);
      result->distances.all();
      expect_correct(graph, 20, *result);
    }
  }
}

TEST_P(Paths, OfFewAreFewHoweverOftenTheyWereFoundToBeShorter) {
  constexpr VertexId kVertices = 1600;  // of which a sweep notes an eighth
  constexpr VertexId kReached = 150;
  Random random(3);
  std::vector<TestEdge> edges;
  for (VertexId u = 0; u < kReached; ++u) {
    for (VertexId v = u + 1; v < kReached; ++v) edges.push_back({u, v, 1 + static_cast<double>(random.below(255))});
  }
  options.weights = WeightType::int32;
  const GraphView graph = build_graph(kVertices, edges, options);
  const auto result = sssp(engine, graph, 0, {.delta = 1});
  ASSERT_TRUE(result.ok());
  EXPECT_NE(result->distances.reached(), nullptr);
  expect_correct(graph, 0, *result);
}

TEST_P(Paths, RefuseNaN) {
  options.weights = WeightType::float64;
  const auto result = sssp(engine, build_graph(3, {TestEdge{0, 1, std::nan("")}}, options), 0);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::invalid_argument);
}

TEST(Sssp, RefusesWhatHasNoMeaning) {
  Engine engine;
  const GraphView graph = build_graph(10, testing::path_edges(10), {.removed = {4}});
  for (const VertexId source : {VertexId{10}, VertexId{4}, kNoVertex}) {
    const auto result = sssp(engine, graph, source);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::invalid_argument);
  }
  for (const double delta : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_FALSE(sssp(engine, graph, 0, {.delta = delta}).ok());
}

TEST(Sssp, StopsOnRequest) {
  Engine engine;
  engine.request_stop();
  const auto result = sssp(engine, build_graph(1000, testing::path_edges(1000)), 0);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::cancelled);
}

TEST(Sssp, DistancesAsGraphalyticsExpects) {
  RIZOMA_SHARED_DATA(graph_file, "expected/libgrape-p2p31/p2p-31.e.gz");
  Engine engine;
  for (const bool directed : {false, true}) {
    RIZOMA_SHARED_DATA(expected_file,
                       std::string("expected/libgrape-p2p31/p2p-31-SSSP") + (directed ? "-directed.gz" : ".gz"));
    const GraphView graph =
        build_graph(0, testing::read_edges(graph_file), {.directed = directed, .weights = WeightType::float64});
    const auto result = sssp(engine, graph, 6);
    ASSERT_TRUE(result.ok());
    std::istringstream expected(testing::read_all(expected_file));
    std::size_t lines = 0;
    std::string distance;
    for (VertexId v = 0; expected >> v >> distance; ++lines) {
      const double value = distance == "infinity" ? std::numeric_limits<double>::infinity() : std::stod(distance);
      ASSERT_DOUBLE_EQ(result->distances[v], value) << v;
    }
    EXPECT_EQ(lines, 62586U);
  }
}

}  // namespace
}  // namespace rizoma
