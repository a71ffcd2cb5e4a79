#include <rizoma/algorithms/katz_centrality.h>

#include "testing/graph_shapes.h"

#include <cmath>
#include <limits>

namespace rizoma {
namespace {

using testing::build_graph;

class KatzOnShapes : public OnShapes {};
INSTANTIATE_TEST_SUITE_P(Shapes, KatzOnShapes, testing_shapes());

TEST_P(KatzOnShapes, SolvesItsEquation) {
  for (const auto& [edges, form] : small_graphs(options)) {
    const GraphView graph = build_graph(150, edges, form);
    for (const bool weighted : {false, true}) {
      const auto result = katz_centrality(
          engine, graph, {.alpha = 0.004, .beta = 2, .tol = 1e-12, .normalized = false, .use_weights = weighted});
      ASSERT_EQ(result.ok(), graph.has_in_edges());
      if (!result.ok()) continue;
      EXPECT_TRUE(result->converged);
      std::vector<double> expected(graph.num_vertices(), 2);
      for (const testing::TestEdge& edge : testing::entries_of(graph)) {
        expected[edge.target] += 0.004 * (weighted ? edge.weight : 1) * result->scores[edge.source];
      }
      for (const VertexId v : live_vertices(graph)) ASSERT_NEAR(result->scores[v], expected[v], 1e-9) << v;
    }
  }
}

TEST(Katz, NormalizedScoresHaveNormOne) {
  const GraphView graph = build_graph(30, testing::star_edges(30), {});
  Engine engine;
  const auto result = katz_centrality(engine, graph);
  ASSERT_TRUE(result.ok());
  double squares = 0;
  for (const double score : result->scores.span()) squares += score * score;
  EXPECT_NEAR(squares, 1, 1e-12);
}

TEST(Katz, SaysThatAlphaIsTooGreatAndWhatIsNoNumber) {
  const GraphView graph = build_graph(30, testing::star_edges(30), {});
  Engine engine;
  const auto grown = katz_centrality(engine, graph, {.alpha = 5, .max_iter = 100000});
  ASSERT_FALSE(grown.ok());
  EXPECT_THAT(grown.error().message, ::testing::HasSubstr("without bound"));
  // Growth that 1000 iterations do not bring to infinity, by how the graph is made.
  for (const bool directed : {false, true}) {
    std::vector<testing::TestEdge> edges;
    for (VertexId u = 0; u < 20; ++u) {
      for (VertexId v = 0; v < 20; ++v) {
        if (u != v && (directed || u < v)) edges.push_back({u, v});
      }
    }
    const GraphView complete = build_graph(20, edges, {.directed = directed});
    for (const unsigned iterations : {10U, 100U, 1000U}) {
      const auto diverged = katz_centrality(engine, complete, {.max_iter = iterations});
      ASSERT_FALSE(diverged.ok());
      EXPECT_THAT(diverged.error().message, ::testing::HasSubstr("choose an alpha below"));
    }
    const auto converged = katz_centrality(engine, complete, {.alpha = 0.05});
    ASSERT_TRUE(converged.ok());
    EXPECT_TRUE(converged->converged);
    // A path on which walks double at every step ends: the scores are finite.
    std::vector<testing::TestEdge> steps;
    for (VertexId v = 0; v < 60; v += 2) {
      for (const VertexId u : {v, v + 1}) {
        for (const VertexId w : {v + 2, v + 3}) steps.push_back({u, w});
      }
    }
    if (!directed) continue;
    const auto finite = katz_centrality(engine, build_graph(62, steps, {.directed = true}), {.alpha = 1});
    ASSERT_TRUE(finite.ok());
    EXPECT_TRUE(finite->converged);
  }
  const auto exact = katz_centrality(engine, graph, {.max_iter = 500, .tol = 0});
  ASSERT_TRUE(exact.ok());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(katz_centrality(engine, graph, {.alpha = nan}).error().code, ErrorCode::invalid_argument);
  const auto few = katz_centrality(engine, graph, {.max_iter = 2, .tol = 0});
  ASSERT_TRUE(few.ok());
  EXPECT_FALSE(few->converged);
  EXPECT_EQ(few->iterations, 2U);
}

}  // namespace
}  // namespace rizoma
