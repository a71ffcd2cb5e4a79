#include <rizoma/algorithms/betweenness_centrality.h>

#include "testing/graph_shapes.h"
#include "testing/oracles.h"

#include <cmath>
#include <numeric>

namespace rizoma {
namespace {

using testing::build_graph;
using testing::entries_of;

class Betweenness : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, Betweenness, testing_shapes());

TEST_P(Betweenness, AgreesWithTheOracle) {
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    const std::vector<VertexId> live = live_vertices(graph);
    const std::vector<double> sums = testing::oracle_dependencies(graph.num_vertices(), entries_of(graph), live);
    const auto n = static_cast<double>(live.size());
    const auto normalized = betweenness_centrality(engine, graph);
    const auto raw = betweenness_centrality(engine, graph, {.normalized = false});
    ASSERT_TRUE(normalized.ok() && raw.ok());
    EXPECT_EQ(raw->sources, live.size());
    for (VertexId v = 0; v < graph.num_vertices(); ++v) {
      ASSERT_NEAR(normalized->scores[v], sums[v] / ((n - 1) * (n - 2)), 1e-9) << v;
      ASSERT_NEAR(raw->scores[v], sums[v] / (graph.directed() ? 1 : 2), 1e-9 * (1 + sums[v])) << v;
    }
  }
}

TEST_P(Betweenness, OfSomeSourcesIsScaledUp) {
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    const std::vector<VertexId> sources{1, 9, 33, 77, 12};
    const std::vector<double> sums = testing::oracle_dependencies(graph.num_vertices(), entries_of(graph), sources);
    const auto others = static_cast<double>(graph.num_live()) - 1;
    const auto normalized = betweenness_centrality(engine, graph, {.sources = sources});
    const auto raw = betweenness_centrality(engine, graph, {.sources = sources, .normalized = false});
    ASSERT_TRUE(normalized.ok() && raw.ok());
    for (VertexId v = 0; v < graph.num_vertices(); ++v) {
      const double searches = std::count(sources.begin(), sources.end(), v) > 0 ? 4 : 5;
      ASSERT_NEAR(normalized->scores[v], sums[v] / searches / (others - 1), 1e-9) << v;
      ASSERT_NEAR(raw->scores[v], sums[v] * others / searches / (graph.directed() ? 1 : 2), 1e-9 * (1 + raw->scores[v]))
          << v;
    }
  }
}

TEST_P(Betweenness, OneSourceInParallelAgreesWithOneAtATime) {
  const GraphView graph = build_graph(0, testing::rmat_edges(14, 200000, 9), options);
  const VertexId source = 5;
  Engine alone(EngineOptions{.threads = 1});
  const std::vector<VertexId> sources{source, source + 1};
  const auto ours = betweenness_centrality(engine, graph, {.sources = sources});
  const auto serial = betweenness_centrality(
      alone, build_graph(0, testing::rmat_edges(14, 200000, 9), {.directed = options.directed, .in_edges = false}),
      {.sources = sources});
  ASSERT_TRUE(ours.ok() && serial.ok());
  for (VertexId v = 0; v < graph.num_vertices(); ++v)
    ASSERT_NEAR(ours->scores[v], serial->scores[v], 1e-9 * (1 + serial->scores[v])) << v;
}

TEST(BetweennessCentrality, ScoresOfTheOnlySourceAreUndefined) {
  Engine engine;
  const std::vector<VertexId> sources{2};
  const auto result = betweenness_centrality(engine, build_graph(5, testing::path_edges(5)), {.sources = sources});
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(std::isnan(result->scores[2]));
  EXPECT_DOUBLE_EQ(result->scores[3], 1.0 / 3);
}

TEST(BetweennessCentrality, RefusesSourcesThatAreNot) {
  Engine engine;
  const GraphView graph = build_graph(10, testing::path_edges(10), {.removed = {4}});
  for (const std::vector<VertexId>& sources : {std::vector<VertexId>{10}, {4}, {1, 2, 1}}) {
    const auto result = betweenness_centrality(engine, graph, {.sources = sources});
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::invalid_argument);
  }
}

/// Diamonds in a row, each from vertex 3 d to 3 d + 3: 2^diamonds paths from end to end.
std::vector<testing::TestEdge> diamonds(VertexId count) {
  std::vector<testing::TestEdge> edges;
  for (VertexId d = 0; d < count; ++d) {
    for (const VertexId side : {1, 2}) {
      edges.push_back({3 * d, 3 * d + side, 1});
      edges.push_back({3 * d + side, 3 * d + 3, 1});
    }
  }
  return edges;
}

TEST(BetweennessCentrality, CountsMorePathsThanADoubleHolds) {
  constexpr VertexId kDiamonds = 1200;
  const GraphView graph = build_graph(0, diamonds(kDiamonds));
  for (const std::vector<VertexId>& sources : {std::vector<VertexId>{0}, {0, 3 * kDiamonds, 1, 2, 3, 4, 5, 6}}) {
    for (const unsigned threads : {1u, 3u}) {
      Engine engine({.threads = threads});
      const auto result = betweenness_centrality(engine, graph, {.sources = sources});
      ASSERT_TRUE(result.ok()) << result.error().message;
      const auto n = static_cast<double>(graph.num_vertices());
      if (sources.size() > 1) continue;  // the source-parallel way; its answers are checked elsewhere
      for (VertexId d = 1; d < kDiamonds; ++d) {
        const double beyond = 3 * static_cast<double>(kDiamonds - d);  // vertices that all paths lead to through 3 d
        EXPECT_NEAR(result->scores[3 * d] * (n - 2), beyond, 1e-6 * n);
        EXPECT_NEAR(result->scores[3 * d + 1] * (n - 2), (beyond - 2) / 2, 1e-6 * n);
      }
    }
  }
}

TEST(BetweennessCentrality, RefusesMorePathsThanCanBeCounted) {
  Engine engine;
  const std::vector<VertexId> sources{0};
  const auto result = betweenness_centrality(engine, build_graph(0, diamonds(17000)), {.sources = sources});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::unsupported);
}

TEST(BetweennessCentrality, StopsOnRequest) {
  Engine engine;
  engine.request_stop();
  const std::vector<VertexId> sources{0};
  const auto result =
      betweenness_centrality(engine, build_graph(1000, testing::path_edges(1000)), {.sources = sources});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace rizoma
